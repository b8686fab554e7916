package gitdiff_test

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/altergate/altergate/internal/gitdiff"
)

func TestFS(t *testing.T) {
	t.Parallel()
	w := newWorkdir(t)
	want := map[string]string{
		"README.md":       "hello",
		"db/schema.sql":   "CREATE TABLE t (id int);\r\n",
		"db.d/two.sql":    "sorts before db/ in git, after db in Go",
		"db-old":          "",
		"a/b/c/d/e.bin":   "\x00\xff\n blob 3\n",
		"run.sh":          "#!/bin/sh\n",
		"-x":              "dash",
		"with space ü'\"": "quotes",
	}
	for name, content := range want {
		w.write(name, content)
	}
	w.git("add", "--all")
	w.git("update-index", "--chmod=+x", "run.sh")
	w.git("commit", "--quiet", "--message", "one")
	w.each(gitdiff.Commit(w.git("rev-parse", "HEAD")), func(t *testing.T, fsys fs.FS) { testFS(t, fsys, want) })
}

func testFS(t *testing.T, fsys fs.FS, want map[string]string) {
	if err := fstest.TestFS(fsys, slices.Collect(maps.Keys(want))...); err != nil {
		t.Error(err)
	}
	for name, content := range want {
		wantFile(t, fsys, name, content)
		info, err := fs.Stat(fsys, name)
		if err != nil {
			t.Fatal(err)
		}
		mode := fs.FileMode(0o444)
		if name == "run.sh" {
			mode = 0o555
		}
		if info.Name() != path.Base(name) || info.Size() != int64(len(content)) || info.Mode() != mode {
			t.Errorf("Stat(%q) = %s", name, fs.FormatFileInfo(info))
		}
	}
}

func TestFSOfAnEmptyCommit(t *testing.T) {
	t.Parallel()
	w := newWorkdir(t)
	w.each(w.commit("empty"), func(t *testing.T, fsys fs.FS) {
		if err := fstest.TestFS(fsys); err != nil {
			t.Error(err)
		}
	})
}

// The working tree is not what was committed, whatever git would write there.
func TestFSIsWhatWasCommitted(t *testing.T) {
	t.Parallel()
	w := newWorkdir(t)
	w.write("a.sql", "one\n")
	c := w.commit("one")
	w.write(".gitattributes", "* text eol=crlf working-tree-encoding=UTF-16 ident export-ignore\n")
	w.write("a.sql", "changed")
	w.git("rm", "--quiet", "--cached", "a.sql")
	wantFile(t, files(t, w.open(), c), "a.sql", "one\n")
}

func TestFSErrorsArePathErrors(t *testing.T) {
	t.Parallel()
	w := newWorkdir(t)
	w.write("db/schema.sql", "x")
	w.each(w.commit("one"), func(t *testing.T, fsys fs.FS) { testPathErrors(t, fsys, "../"+path.Base(w.dir)) })
}

func testPathErrors(t *testing.T, fsys fs.FS, outside string) {
	open := func(name string) error { _, err := fsys.Open(name); return err }
	readFile := func(name string) error { _, err := fs.ReadFile(fsys, name); return err }
	readDir := func(name string) error { _, err := fs.ReadDir(fsys, name); return err }
	stat := func(name string) error { _, err := fs.Stat(fsys, name); return err }
	for _, test := range []struct {
		call   func(string) error
		name   string
		target error
		words  string
	}{
		{open, "absent", fs.ErrNotExist, ""},
		{open, "absent/schema.sql", fs.ErrNotExist, ""},
		{open, "db/schema.sql/x", fs.ErrNotExist, ""},
		{open, "DB/schema.sql", fs.ErrNotExist, ""},
		{readFile, "absent", fs.ErrNotExist, ""},
		{readDir, "absent", fs.ErrNotExist, ""},
		{stat, "absent", fs.ErrNotExist, ""},
		{open, outside + "/db/schema.sql", fs.ErrInvalid, ""},
		{open, "/etc/passwd", fs.ErrInvalid, ""},
		{open, "db//schema.sql", fs.ErrInvalid, ""},
		{open, "db/", fs.ErrInvalid, ""},
		{open, "", fs.ErrInvalid, ""},
		{stat, "db/\xff", fs.ErrInvalid, ""},
		{readFile, "db", nil, "is a directory"},
		{readDir, "db/schema.sql", nil, "not a directory"},
	} {
		err := test.call(test.name)
		wantError(t, err, test.target, test.words)
		if pathErr, ok := errors.AsType[*fs.PathError](err); !ok || pathErr.Path != test.name {
			t.Errorf("%q: the error %#v is no *fs.PathError of that path", test.name, err)
		}
	}
	dir, err := fsys.Open("db")
	if err != nil {
		t.Fatal(err)
	}
	_, err = dir.Read(make([]byte, 1))
	wantError(t, err, nil, "is a directory")
}

func TestFSRefusesWhatIsNoFile(t *testing.T) {
	t.Parallel()
	w := newWorkdir(t)
	w.write("db/schema.sql", "x")
	w.write("big.sql", "version https://git-lfs.github.com/spec/v1\n"+
		"oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n")
	w.write("nearly.sql", "-- version https://git-lfs.github.com/spec/v1\n")
	for name, target := range map[string]string{"passwd.sql": "/etc/passwd", "linked": "db", "dangling": "nowhere"} {
		if err := os.Symlink(target, path.Join(w.dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	w.git("add", "--all")
	w.git("update-index", "--add", "--cacheinfo", "160000,"+strings.Repeat("1", 40)+",vendor/sub")
	w.git("commit", "--quiet", "--message", "one")
	w.each(gitdiff.Commit(w.git("rev-parse", "HEAD")), testNoFiles)
}

func testNoFiles(t *testing.T, fsys fs.FS) {
	for name, want := range map[string]struct {
		target error
		words  string
	}{
		"passwd.sql":            {gitdiff.ErrSymlink, `"passwd.sql" is a symbolic link`},
		"dangling":              {gitdiff.ErrSymlink, "commit the file itself"},
		"linked":                {gitdiff.ErrSymlink, `"linked" is`},
		"linked/schema.sql":     {gitdiff.ErrSymlink, `"linked" is`},
		"vendor/sub":            {gitdiff.ErrSubmodule, `"vendor/sub" is a submodule`},
		"vendor/sub/schema.sql": {gitdiff.ErrSubmodule, `"vendor/sub" is`},
		"big.sql":               {gitdiff.ErrLFS, "the file is a Git LFS pointer"},
	} {
		_, openErr := fsys.Open(name)
		_, readErr := fs.ReadFile(fsys, name)
		for _, err := range []error{openErr, readErr} {
			wantError(t, err, want.target, name, want.words)
			if _, ok := errors.AsType[*fs.PathError](err); !ok {
				t.Errorf("%s: %#v is no *fs.PathError", name, err)
			}
		}
		if want.target != gitdiff.ErrLFS {
			_, err := fs.Stat(fsys, name)
			wantError(t, err, want.target)
			_, err = fs.ReadDir(fsys, name)
			wantError(t, err, want.target)
		}
	}
	wantFile(t, fsys, "nearly.sql", "-- version https://git-lfs.github.com/spec/v1\n")

	// All are listed for what they are.
	types := map[string]fs.FileMode{}
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		types[name] = d.Type()
		info, err := d.Info()
		if err == nil && info.Mode().Type() != d.Type() {
			t.Errorf("%s: Info has the type %s, the entry %s", name, info.Mode().Type(), d.Type())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]fs.FileMode{
		"passwd.sql": fs.ModeSymlink, "linked": fs.ModeSymlink, "vendor/sub": fs.ModeIrregular, "vendor": fs.ModeDir, "big.sql": 0,
	} {
		if got, ok := types[name]; !ok || got != want {
			t.Errorf("%s is listed as %s, %t; want %s", name, got, ok, want)
		}
	}
}

func TestHostileNames(t *testing.T) {
	t.Parallel()
	w := newWorkdir(t)
	names := []string{
		"new\nline.sql", `back\slash`, `..\up`, "-rf", "--upload-pack=touch", "::set-output name=x::y", "$(touch pwned)",
		"*", "a\x7fb", "\u202egnp.sql", "HEAD missing", "…", ".git-not", "c:",
	}
	for _, name := range names {
		w.write("d/"+name, "content of "+name)
	}
	// These cannot be written into a working tree everywhere.
	blob := w.blob("raw")
	tree := w.gitWith(w.git("ls-tree", "-z", "--full-tree", w.hostileTree(), "--")+
		"100644 blob "+blob+"\tlatin-\xe9.sql\x00"+
		"100644 blob "+blob+"\t.git\x00", "mktree", "-z")
	c := gitdiff.Commit(w.git("commit-tree", "-m", "hostile", tree))
	r := w.open()
	fsys := files(t, r, c)

	entries, err := fs.ReadDir(fsys, ".")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
		if _, err := e.Info(); err != nil {
			t.Errorf("%q: %v", e.Name(), err)
		}
	}
	want := slices.Sorted(slices.Values(append([]string{"latin-\xe9.sql", ".git"}, names...)))
	if !slices.Equal(got, want) {
		t.Errorf("ReadDir = %q\nwant %q", got, want)
	}
	for _, name := range names {
		wantFile(t, fsys, name, "content of "+name)
	}
	_, err = fsys.Open("latin-\xe9.sql")
	wantError(t, err, fs.ErrInvalid)

	changed, err := r.Changed(t.Context(), w.commitTree(""), c)
	if err != nil || !slices.Equal(changed, want) {
		t.Errorf("Changed = %q, %v\nwant %q", changed, err, want)
	}
}

// hostileTree is the tree of directory d as the working tree holds it.
func (w *workdir) hostileTree() string {
	w.t.Helper()
	w.git("add", "--all")
	return w.git("rev-parse", w.git("write-tree")+":d")
}

// Trees that fsck refuses would be read in one way by us, in another by git.
func TestBrokenTreesAreErrors(t *testing.T) {
	t.Parallel()
	w := newWorkdir(t)
	id := strings.Repeat("\x01", 20)
	r := w.open()
	for raw, words := range map[string]string{
		"100644 ..\x00" + id:                       `".." cannot be the name`,
		"100644 .\x00" + id:                        `"." cannot be the name`,
		"100644 \x00" + id:                         `"" cannot be the name`,
		"100644 a/b\x00" + id:                      `"a/b" cannot be the name`,
		"100644 a\x00" + id + "40000 a\x00" + id:   `"a" twice`,
		"100644 a\x00" + id + "100644 a\x00" + id:  `"a" twice`,
		"10644 a\x00" + id:                         "has the mode",
		"1a a\x00" + id:                            "no number",
		"100644 a\x00" + id[:19]:                   "cut off",
		"100644 a":                                 "cut off",
		"100644\x00" + id:                          "no entry of a tree",
		"77777777777777777777777 a\x00" + id + "x": "no number",
	} {
		_, err := r.FS(t.Context(), w.commitTree(raw))
		wantError(t, err, nil, "reading git tree", words)
	}

	// What the entry points to has to be there, and to be of its kind.
	blob := w.blob("x")
	binary := func(hex string) string {
		return w.gitWith("100644 blob "+hex+"\ta\x00", "mktree", "-z")
	}
	mistaken := "40000 dir\x00" + rawID(t, blob) + "100644 file\x00" + rawID(t, binary(blob)) + "100644 gone\x00" + id
	fsys := files(t, r, w.commitTree(mistaken))
	_, err := fs.ReadDir(fsys, "dir")
	wantError(t, err, nil, "a blob, not a tree")
	_, err = fs.ReadFile(fsys, "file")
	wantError(t, err, nil, "a tree, not a blob")
	_, err = fs.ReadFile(fsys, "gone")
	wantError(t, err, gitdiff.ErrMissing)
	if errors.Is(err, fs.ErrNotExist) {
		t.Error("a file that is listed, but whose content is lost, counts as absent")
	}
}

func rawID(t *testing.T, hex string) string {
	t.Helper()
	raw := make([]byte, len(hex)/2)
	for i := range raw {
		for _, digit := range hex[2*i : 2*i+2] {
			raw[i] = raw[i]<<4 | byte(strings.IndexRune("0123456789abcdef", digit))
		}
	}
	return string(raw)
}

func TestTooLarge(t *testing.T) {
	t.Parallel()
	w := newWorkdir(t)
	w.write("small.sql", "small")
	w.write("limit.sql", strings.Repeat("x", 2<<20))
	w.write("large.sql", strings.Repeat("x", 2<<20+1))
	c := w.commit("one")
	r := w.open()
	r.LimitObjects(2 << 20)
	fsys := files(t, r, c)
	_, err := fs.ReadFile(fsys, "large.sql")
	wantError(t, err, gitdiff.ErrTooLarge, "read large.sql", "2097153 bytes, where 2097152 are the limit")
	_, err = fsys.Open("large.sql")
	wantError(t, err, gitdiff.ErrTooLarge)
	info, err := fs.Stat(fsys, "large.sql")
	if err != nil || info.Size() != 2<<20+1 {
		t.Errorf("Stat = %v, %v; want the size", info, err)
	}
	wantFile(t, fsys, "small.sql", "small")
	wantFile(t, fsys, "limit.sql", strings.Repeat("x", 2<<20))
}

func TestFSIsSafeForConcurrentUse(t *testing.T) {
	t.Parallel()
	w := newWorkdir(t)
	w.write("d/a", "a")
	first := w.commit("one")
	w.write("d/a", "b")
	second := w.commit("two")
	r := w.open()
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			c, want := first, "a"
			if i%2 == 1 {
				c, want = second, "b"
			}
			for range 20 {
				// A neighbour that is cancelled half-way must not disturb.
				ctx, cancel := context.WithCancel(t.Context())
				go cancel()
				_, _ = r.FS(ctx, c)
				fsys, err := r.FS(t.Context(), c)
				if err != nil {
					t.Error(err)
					return
				}
				f, err := fsys.Open("d/a")
				if err != nil {
					t.Error(err)
					return
				}
				if data, err := io.ReadAll(f); err != nil || string(data) != want {
					t.Errorf("read %q, %v; want %q", data, err, want)
				}
			}
		})
	}
	group.Wait()
}
