package gitdiff

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
)

func FuzzParseTree(f *testing.F) {
	id := strings.Repeat("\x07", 20)
	f.Add([]byte(""), 20)
	f.Add([]byte("100644 a\x00"+id+"40000 b\x00"+id), 20)
	f.Add([]byte("100755 b.sql\x00"+id+"40000 b\x00"+id+"120000 l\x00"+id+"160000 s\x00"+id), 20)
	f.Add([]byte("100644 a\x00"+id), 32)
	f.Add([]byte("100644 a/b\x00"+id+"100644 ..\x00"+id), 20)
	f.Fuzz(func(t *testing.T, data []byte, idSize int) {
		if idSize != 20 && idSize != 32 {
			return
		}
		entries, err := parseTree(data, idSize)
		if err != nil {
			if entries != nil {
				t.Errorf("entries come with the error %v", err)
			}
			return
		}
		// Nothing is lost: the entries account for every byte but the modes.
		accounted := 0
		for _, e := range entries {
			if len(e.id) != 2*idSize || e.name == "" || strings.ContainsAny(e.name, "/\x00") {
				t.Errorf("bad entry %+v", e)
			}
			switch e.mode.Type() {
			case 0, fs.ModeDir, fs.ModeSymlink, fs.ModeIrregular:
			default:
				t.Errorf("bad mode in %+v", e)
			}
			if got, found := lookUp(entries, e.name); !found || got != e {
				t.Errorf("lookUp(%q) = %+v, %t", e.name, got, found)
			}
			accounted += len(" ") + len(e.name) + len("\x00") + idSize
		}
		if modes := len(data) - accounted; modes < len(entries) {
			t.Errorf("%d entries leave %d bytes for their modes", len(entries), modes)
		}
		if !slices.IsSortedFunc(entries, func(a, b entry) int { return strings.Compare(a.name, b.name) }) {
			t.Error("the entries are not sorted")
		}
	})
}

// Listed by an API, a tree has the same entries and the same name as the object, and a list that lost one has not.
func FuzzParseListings(f *testing.F) {
	id := strings.Repeat("\x07", 20)
	f.Add([]byte("100644 a\x00" + id + "40000 b\x00" + id))
	f.Add([]byte("100644 b.sql\x00" + id + "40000 b\x00" + id + "100755 b0\x00" + id))
	f.Add([]byte("160000 b\x00" + id + "120000 l\x00" + id + "100664 old\x00" + id))
	f.Fuzz(func(t *testing.T, data []byte) {
		want, err := parseTree(data, 20)
		if err != nil {
			return
		}
		var tree APITree
		canonical, last := true, ""
		for rest := data; len(rest) > 0; {
			head, after, _ := bytes.Cut(rest, []byte{0})
			mode, name, _ := strings.Cut(string(head), " ")
			tree.Entries = append(tree.Entries, APIEntry{Path: name, Mode: mode, ID: hex.EncodeToString(after[:20])})
			key := name
			if e, _ := lookUp(want, name); e.mode.IsDir() {
				key += "/"
			}
			canonical = canonical && mode[0] != '0' && key > last
			last, rest = key, after[20:]
		}
		got := parseListings(tree, 40)[""]
		if got.err != nil || !slices.Equal(got.entries, want) {
			t.Fatalf("entries %+v, %v, want %+v", got.entries, got.err, want)
		}
		if canonical && got.id != nameObject("tree", data, 40) {
			t.Errorf("%q is called %s", data, got.id)
		}
		if len(tree.Entries) > 0 {
			tree.Entries = tree.Entries[1:]
			if parseListings(tree, 40)[""].id == got.id {
				t.Error("without its first entry it has the same name")
			}
		}
	})
}

func FuzzParseHeader(f *testing.F) {
	id := strings.Repeat("0a", 20)
	for _, line := range []string{id + " blob 12", id + id[:24] + " tree 0", "x missing", id + " submodule", id + " blob -1", id + " blob 99999999999999999999", "", " "} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		h, err := parseHeader(line)
		if err != nil {
			return
		}
		if !isObjectName(h.id) || h.size < 0 || strings.Contains(h.kind, " ") || !strings.HasPrefix(line, h.id+" "+h.kind+" ") {
			t.Errorf("parseHeader(%q) = %+v", line, h)
		}
	})
}

func TestDiagnostics(t *testing.T) {
	t.Parallel()
	for written, want := range map[string]string{
		"":                          "",
		"fatal: no\n":               "fatal: no",
		"one\n\n  \ntwo\r\nthree\n": "one; two; three",
		"remote: x\n::set-output name=a::b\x1b[31m\n":                         "remote: x; ::set-output name=a::b [31m",
		"unable to access 'https://ann:pa@ss@host/r.git/': no\n":              "unable to access 'https://***@host/r.git/': no",
		"ssh://git@host/r and https://x-access-token:ghs_1/2@host/r@v1 fail.": "ssh://***@host/r and https://***@v1 fail.",
		"https://host/r.git is fine":                                          "https://host/r.git is fine",
	} {
		var d diagnostics
		for _, b := range []byte(written) {
			_, _ = d.Write([]byte{b})
		}
		if got := d.String(); got != want {
			t.Errorf("%q became %q, want %q", written, got, want)
		}
	}

	// A flood is cut at a line, as half a url would hide where its password ends.
	var d diagnostics
	flood := strings.Repeat("x", maxDiagnostics-20) + "\nhttps://ann:s3cret@host/" + strings.Repeat("y\n", 100)
	if n, err := fmt.Fprint(&d, flood); n != len(flood) || err != nil {
		t.Errorf("Write = %d, %v", n, err)
	}
	if got := d.String(); strings.Contains(got, "s3cr") || len(got) != maxDiagnostics-20 {
		t.Errorf("%d bytes are left, which end in %q", len(got), got[len(got)-30:])
	}
}

func TestEnvironment(t *testing.T) {
	t.Parallel()
	got := git{dir: "/srv/clone"}.environment([]string{
		"HOME=/h", "GIT_DIR=/other", "GIT_SSH_COMMAND=ssh -i key", "GIT_CONFIG_COUNT=1", "GIT_INDEX_FILE=i", "LC_ALL=de_DE", "GIT_TERMINAL_PROMPT=1",
	})
	want := []string{
		"HOME=/h", "GIT_SSH_COMMAND=ssh -i key", "GIT_CONFIG_COUNT=1", "LC_ALL=de_DE", "GIT_TERMINAL_PROMPT=1", "GIT_ALLOW_PROTOCOL=" + transports,
		"GIT_CEILING_DIRECTORIES=/srv", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0", "GIT_NO_REPLACE_OBJECTS=1", "LC_ALL=C", // the last wins
	}
	if !slices.Equal(got, want) {
		t.Errorf("environment = %q\nwant %q", got, want)
	}
	if narrow := (git{}).environment([]string{"GIT_ALLOW_PROTOCOL=https"}); slices.Contains(narrow, "GIT_ALLOW_PROTOCOL="+transports) {
		t.Errorf("the caller's stricter choice is lost: %q", narrow)
	}
}
