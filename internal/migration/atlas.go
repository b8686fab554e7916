package migration

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/schema"
)

// sumFile is Atlas's file of checksums, which can lie beside the files of other tools too.
const sumFile = "atlas.sum"

// atlas reads the files of Atlas: every .sql file of the directory in the order of the names, the version being what stands before the
// first underscore (sql/migrate/dir.go). A comment at the head of a file, with an empty line behind, can hold -- atlas:txmode none,
// -- atlas:delimiter and -- atlas:checkpoint (for empty databases, in place of all files before). A file before the newest that
// has been run is refused (--exec-order linear).
func (r *reader) atlas() {
	var checkpoints []*Migration
	for _, e := range r.entries {
		if !e.sql() || !e.top() {
			continue
		}
		f, ok := r.text(e)
		if !ok {
			continue
		}
		stem := strings.TrimSuffix(e.name, path.Ext(e.name))
		version, _, _ := strings.Cut(stem, "_")
		m := &Migration{Version: version, Name: stem, Path: e.path, Up: f, Transaction: true}
		for _, d := range atlasDirectives(f.Text) {
			switch d.name {
			case "txmode":
				m.Transaction = d.value != "none"
			case "delimiter":
				m.Up, m.Whole = delimited(f, d.end, strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\r`, "\r").Replace(d.value))
			case "checkpoint":
				m.Baseline = true
			}
		}
		if m.Baseline {
			r.used[e.path] = true
			checkpoints = append(checkpoints, m)
			continue
		}
		r.add(e, m)
	}
	for i, m := range checkpoints {
		older := slices.ContainsFunc(r.dir.Migrations, func(o *Migration) bool { return path.Base(o.Path) < path.Base(m.Path) })
		if !older && i == len(checkpoints)-1 {
			r.dir.Migrations = append(r.dir.Migrations, m)
			continue
		}
		r.notice(entry{path: m.Path}, "is a checkpoint, which only an empty database runs; the files that it stands for are read instead")
	}
	slices.SortStableFunc(r.dir.Migrations, func(a, b *Migration) int { return cmp.Compare(path.Base(a.Path), path.Base(b.Path)) })
}

// directive is one -- atlas:name value.
type directive struct {
	name, value string
	end         int // of its line
}

// atlasDirectives reads the comments at the head of a file.
func atlasDirectives(text string) []directive {
	var all []directive
	at := 0
	for strings.HasPrefix(text[at:], "--") || strings.HasPrefix(text[at:], "#") {
		l := text[at : at+lineLength(text[at:])]
		at = min(len(text), at+len(l)+1)
		if _, rest, ok := strings.Cut(l, "atlas:"); ok {
			name, value, _ := strings.Cut(strings.TrimSpace(rest), " ")
			all = append(all, directive{name, strings.TrimSpace(value), at})
		}
	}
	if at < len(text) && text[at] != '\n' {
		return nil
	}
	return all
}

// checkSums holds the file of checksums against the files. Each line's sum is of the names and texts of all files up to its own, the
// first line's of all lines. What Compare is to say of head is kept for it.
func (r *reader) checkSums() {
	i := slices.IndexFunc(r.entries, func(e entry) bool { return e.rel == sumFile })
	if i < 0 {
		return
	}
	e := r.entries[i]
	f, ok := r.text(e)
	if !ok {
		return
	}
	sum := newSums(f.Text)
	if r.dir.Tool == "flyway" || r.dir.Tool == "liquibase" {
		r.notice(e, "is not checked: only Atlas knows the order in which it takes the files of %s", r.dir.Tool)
		return
	}
	var files []hashed
	for _, e := range r.entries {
		// golang-migrate's ways back are not summed, as Atlas does not run them.
		if !e.sql() || !e.top() || r.dir.Tool != "atlas" && strings.HasSuffix(e.name, ".down.sql") {
			continue
		}
		data, err := fs.ReadFile(r.fsys, e.path)
		if err != nil {
			return // reading it as text has said so
		}
		files = append(files, hashed{e.name, data})
	}
	at, why := sum.differs(files)
	if why == "" {
		return
	}
	plain := slices.Clone(files)
	for i := range plain {
		plain[i].data = bytes.ReplaceAll(plain[i].data, []byte("\r\n"), []byte("\n"))
	}
	if _, still := sum.differs(plain); still == "" {
		return // only the checkout has other line ends than the repository
	}
	r.dir.sum = &schema.Error{Side: schema.Head, Pos: schema.Pos{File: e.path, Line: at, Column: 1}, Kind: schema.KindSource,
		Text: why + "; run atlas migrate hash once the files are as they should be"}
}

// hashed is a file as its bytes are.
type hashed struct {
	name string
	data []byte
}

// sums is a file of checksums.
type sums struct {
	total string
	lines []struct{ name, sum string }
}

func newSums(text string) sums {
	var s sums
	for l := range strings.Lines(text) {
		l = strings.TrimSpace(l)
		name, sum, ok := strings.Cut(l, "h1:")
		switch {
		case !ok:
		case s.total == "":
			s.total = sum
		default:
			s.lines = append(s.lines, struct{ name, sum string }{strings.TrimSpace(name), sum})
		}
	}
	return s
}

// differs gives the first line that does not fit the files, and what is wrong with it.
func (s sums) differs(files []hashed) (int, string) {
	all, total := sha256.New(), sha256.New()
	n := 0
	for _, f := range files {
		all.Write([]byte(f.name))
		first, _, _ := strings.Cut(string(f.data[:min(len(f.data), 200)]), "\n")
		if _, mode, ok := strings.Cut(first, "atlas:sum"); ok && strings.TrimSpace(mode) == "ignore" {
			continue
		}
		all.Write(f.data)
		is := base64.StdEncoding.EncodeToString(all.Sum(nil))
		switch {
		case n == len(s.lines):
			return n + 1, f.name + " is not in it"
		case s.lines[n].name > f.name:
			return n + 2, f.name + " is not in it"
		case s.lines[n].name < f.name:
			return n + 2, "it lists " + s.lines[n].name + ", and there is no such file"
		case s.lines[n].sum != is:
			return n + 2, f.name + " is not the file that was summed"
		}
		total.Write([]byte(f.name + is))
		n++
	}
	switch {
	case n < len(s.lines):
		return n + 2, "it lists " + s.lines[n].name + ", and there is no such file"
	case s.total != base64.StdEncoding.EncodeToString(total.Sum(nil)):
		return 1, "the sum of its lines is not the one that it begins with"
	}
	return 0, ""
}
