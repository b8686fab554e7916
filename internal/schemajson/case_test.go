package schemajson

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the want sections of testdata")

// TestCases reads the documents and hints of each case, and compares the problems, or the statements of head.
func TestCases(t *testing.T) {
	for _, path := range caseFiles(t) {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			section, got := answer(t, readCase(t, archive))
			if again, second := answer(t, readCase(t, archive)); again != section || second != got {
				t.Errorf("a second run answers otherwise:\n%s", second)
			}
			if *update {
				updateCase(t, path, archive, section, got)
				return
			}
			want := archive.Files[len(archive.Files)-1]
			if want.Name != section {
				t.Fatalf("the case ends in %s, and the answer is %s:\n%s", want.Name, section, got)
			}
			if d := cmp.Diff(string(want.Data), got); d != "" {
				t.Errorf("%s (-want +got):\n%s", section, d)
			}
		})
	}
}

type testCase struct {
	dialect           Dialect
	base, head, hints []byte
}

func readCase(t *testing.T, archive *txtar.Archive) testCase {
	t.Helper()
	c := testCase{dialect: SQLite}
	for _, f := range archive.Files {
		switch f.Name {
		case "dialect":
			c.dialect = Dialect(strings.TrimSpace(string(f.Data)))
		case "base.json":
			c.base = f.Data
		case "head.json":
			c.head = f.Data
		case "hints.json":
			c.hints = f.Data
		case "want/problems.txt", "want/statements.sql":
		default:
			t.Fatalf("unknown section %s", f.Name)
		}
	}
	return c
}

// answer gives the name and the text of the section that a case should end in.
func answer(t *testing.T, c testCase) (section, text string) {
	t.Helper()
	base, hints, head := (*Document)(nil), []diff.Hint(nil), (*Document)(nil)
	var err error
	if c.base != nil {
		if base, err = Decode("base.json", c.base); err != nil {
			return problemLines(err)
		}
	}
	if c.hints != nil {
		if hints, err = DecodeHints("hints.json", c.hints); err != nil {
			return problemLines(err)
		}
	}
	if head, err = Decode("head.json", c.head); err != nil {
		return problemLines(err)
	}
	if err = Validate(base, head, hints, c.dialect); err != nil {
		return problemLines(err)
	}
	statements, err := head.Statements(c.dialect)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, s := range statements {
		fmt.Fprintf(&b, "/* %s %q */\n%s;\n", s.Pos, s.Path, s.SQL)
	}
	return "want/statements.sql", b.String()
}

func problemLines(err error) (section, text string) {
	var b strings.Builder
	for _, e := range schema.Errors(err) {
		fmt.Fprintf(&b, "[%s] %s\n", e.Kind, e)
	}
	return "want/problems.txt", b.String()
}

func updateCase(t *testing.T, path string, archive *txtar.Archive, section, text string) {
	t.Helper()
	var kept []txtar.File
	for _, f := range archive.Files {
		if !strings.HasPrefix(f.Name, "want/") {
			kept = append(kept, f)
		}
	}
	archive.Files = append(kept, txtar.File{Name: section, Data: []byte(text)})
	if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
		t.Fatal(err)
	}
}

func caseFiles(t testing.TB) []string {
	t.Helper()
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	return paths
}
