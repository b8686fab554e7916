package source_test

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/schema"
	"github.com/altergate/altergate/internal/source"
)

const table = "CREATE TABLE t (a);\n"

// tree makes an fs.FS of paths and texts.
func tree(files map[string]string) fstest.MapFS {
	t := fstest.MapFS{}
	for name, text := range files {
		t[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return t
}

func TestLoad(t *testing.T) {
	fsys := tree(map[string]string{
		"schema.sql":         table,
		"schema.json":        "{}",
		"README.md":          "no schema",
		"db/2.sql":           "second",
		"db/10.sql":          "tenth",
		"db/A.SQL":           "in capitals",
		"db/notes.txt":       "not read",
		"db/sub/deep/x.sql":  "deep",
		"db/sub.sql":         "beside the directory",
		"db/empty.sql":       "",
		"marked.sql":         "\ufeff" + table,
		"windows.sql":        "a\r\nb\r\n",
		"old-mac.sql":        "a\rb",
		"odd name, ü.sql":    table,
		"mark-in-middle.sql": "a\ufeffb",
	})
	tests := []struct {
		path string
		want []string // path, text, path, text, …
	}{
		{"schema.sql", []string{"schema.sql", table}},
		{"./schema.sql", []string{"schema.sql", table}},
		{"db/../schema.sql", []string{"schema.sql", table}},
		{"schema.json", []string{"schema.json", "{}"}},
		{"README.md", []string{"README.md", "no schema"}},
		{"db/sub", []string{"db/sub/deep/x.sql", "deep"}},
		{"db/sub/", []string{"db/sub/deep/x.sql", "deep"}},
		{"db", []string{"db/10.sql", "tenth", "db/2.sql", "second", "db/A.SQL", "in capitals", "db/empty.sql", "", "db/sub/deep/x.sql", "deep", "db/sub.sql", "beside the directory"}},
		{"marked.sql", []string{"marked.sql", table}},
		{"windows.sql", []string{"windows.sql", "a\nb\n"}},
		{"old-mac.sql", []string{"old-mac.sql", "a\rb"}},
		{"odd name, ü.sql", []string{"odd name, ü.sql", table}},
		{"mark-in-middle.sql", []string{"mark-in-middle.sql", "a\ufeffb"}},
	}
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			files, err := source.Load(fsys, tt.path)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range files {
				got = append(got, f.Path, f.Text)
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

// TestLoadMissing tells a path at which there is nothing from one that cannot be read: the first may be a new schema.
func TestLoadMissing(t *testing.T) {
	for _, path := range []string{"schema.sql", "db", "db/schema.sql", "db/other.sql"} {
		if _, err := source.Load(tree(map[string]string{"other.sql": table}), path); !errors.Is(err, source.ErrMissing) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := source.Load(fstest.MapFS{}, "."); errors.Is(err, source.ErrMissing) || err == nil {
		t.Errorf("an empty tree: %v", err)
	}
}

func TestLoadRefuses(t *testing.T) {
	tests := []struct {
		name, path string
		files      map[string]string
		want       []string
	}{
		{"a path that leaves the tree", "../schema.sql", nil, []string{"../schema.sql: is no path inside the repository"}},
		{"an absolute path", "/schema.sql", nil, []string{"/schema.sql: is no path inside the repository"}},
		{"a directory without SQL", "db", map[string]string{"db/README.md": "x"}, []string{"db: is a directory without any .sql file"}},
		{"a NUL byte", "a.sql", map[string]string{"a.sql": "ok\nCREATE\x00"}, []string{"a.sql:2:7: this is a binary file (it holds a NUL byte), or UTF-16; save it as UTF-8 text"}},
		{"UTF-16", "a.sql", map[string]string{"a.sql": "\xff\xfeC\x00R\x00"}, []string{"a.sql:1:4: this is a binary file (it holds a NUL byte), or UTF-16; save it as UTF-8 text"}},
		{"Latin-1", "a.sql", map[string]string{"a.sql": "ok\n-- caf\xe9"}, []string{"a.sql:2:7: the file is not UTF-8 here; save it as UTF-8"}},
		{"half a code point", "a.sql", map[string]string{"a.sql": "ü\xc3"}, []string{"a.sql:1:2: the file is not UTF-8 here; save it as UTF-8"}},
		{"two files of a directory", "db", map[string]string{"db/1.sql": "\x00", "db/2.sql": table, "db/3.sql": "\xff"}, []string{
			"db/1.sql:1:1: this is a binary file (it holds a NUL byte), or UTF-16; save it as UTF-8 text",
			"db/3.sql:1:1: the file is not UTF-8 here; save it as UTF-8",
		}},
		{"a file that is too large", "a.sql", map[string]string{"a.sql": strings.Repeat("-", source.MaxBytes+1)}, []string{
			"a.sql: is larger than the 16 MiB that are read of one schema; name the file that holds the schema without data"}},
		{"files that are too large together", "db", map[string]string{"db/1.sql": strings.Repeat("-", source.MaxBytes/2), "db/2.sql": strings.Repeat("-", source.MaxBytes/2+1)}, []string{
			"db/2.sql: is larger than the 16 MiB that are read of one schema; name the file that holds the schema without data"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			files, err := source.Load(tree(tt.files), tt.path)
			if err == nil || files != nil {
				t.Fatalf("it was read: %d files, %v", len(files), err)
			}
			var got []string
			for _, e := range schema.Errors(err) {
				if e.Kind != schema.KindSource {
					t.Errorf("%s is a %s error", e, e.Kind)
				}
				got = append(got, e.Error())
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestLoadLimits(t *testing.T) {
	most := tree(map[string]string{"a.sql": strings.Repeat("-", source.MaxBytes)})
	if files, err := source.Load(most, "a.sql"); err != nil || len(files[0].Text) != source.MaxBytes {
		t.Errorf("a file of just the size that is allowed: %v", err)
	}
	files := map[string]string{}
	for i := range source.MaxFiles {
		files[fmt.Sprintf("db/%04d.sql", i)] = table
	}
	if got, err := source.Load(tree(files), "db"); err != nil || len(got) != source.MaxFiles {
		t.Errorf("just as many files as are allowed: %v", err)
	}
	files["db/more.sql"] = table
	want := "db: holds more than 5000 SQL files; name a directory with fewer"
	if _, err := source.Load(tree(files), "db"); err == nil || err.Error() != want {
		t.Errorf("one file more: %v", err)
	}
}

// failing is a tree that has files and cannot give them.
type failing struct {
	fstest.MapFS
	err error
}

func (f failing) Open(name string) (fs.File, error) {
	if strings.HasSuffix(name, ".sql") {
		return nil, &fs.PathError{Op: "open", Path: name, Err: f.err}
	}
	return f.MapFS.Open(name)
}

func (f failing) ReadFile(name string) ([]byte, error) {
	return nil, &fs.PathError{Op: "read", Path: name, Err: f.err}
}

// TestLoadUnreadable passes on why a file cannot be read, for each of them, and calls none of them missing.
func TestLoadUnreadable(t *testing.T) {
	fsys := failing{tree(map[string]string{"db/1.sql": table, "db/2.sql": table}), errors.New("is a symbolic link, which is never followed")}
	for path, want := range map[string]string{
		"db/1.sql": "db/1.sql: cannot be read: is a symbolic link, which is never followed",
		"db":       "db/1.sql: cannot be read: is a symbolic link, which is never followed\ndb/2.sql: cannot be read: is a symbolic link, which is never followed",
	} {
		_, err := source.Load(fsys, path)
		if err == nil || err.Error() != want || errors.Is(err, source.ErrMissing) {
			t.Errorf("%s: %v", path, err)
		}
	}
}
