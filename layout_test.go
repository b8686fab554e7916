// Package altergate_test checks what is true of the repository as a whole: its layout here, its documentation in docs_test.go.
package altergate_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/altergate/altergate/"

// order is the way data takes (docs/layout.md): a package imports only those that stand above it.
var order = []string{
	"internal/schema", "internal/diff", "internal/plan", "internal/proof", "internal/proof/rows",
	"internal/source", "internal/migration", "internal/schemajson", "internal/dialect/hint", "internal/dialect/sqlite",
	"internal/dialect/postgres/postgrestest", "internal/dialect/postgres/script", "internal/dialect/postgres/builtin", "internal/dialect/postgres/catalog", "internal/dialect/postgres/bind",
	"internal/dialect/postgres/scratch", "internal/dialect/postgres",
	"internal/dialect/mysql/server", "internal/dialect/mysql/address", "internal/dialect/mysql/mysqltest", "internal/dialect/mysql/script", "internal/dialect/mysql/catalog",
	"internal/dialect/mysql/online", "internal/dialect/mysql/scratch", "internal/dialect/mysql",
	"internal/dialect/quereus/syntax", "internal/dialect/quereus", "internal/dialect",
	"internal/policy", "internal/pipeline", "internal/comment", "internal/codeowners",
	"internal/gitdiff", "internal/pull", "internal/pull/pulltest", "internal/bot", "internal/bot/bottest", "internal/cli",
	"cmd/action", "cmd/altergate",
}

// pure packages hold facts and decide: they reach nothing outside the process.
var pure = []string{"internal/schema", "internal/diff", "internal/plan", "internal/policy", "internal/comment"}

// outside is what a pure package does not import, nor anything below it.
var outside = []string{"os", "net", "database/sql", "context", "syscall", "math/rand", "runtime"}

// maxLines is where a file has more than one noun.
const maxLines = 600

// goFile is a file of the repository.
type goFile struct {
	name string // from the root
	text []byte
	tree *ast.File
}

func (f goFile) dir() string  { return path.Dir(f.name) }
func (f goFile) isTest() bool { return strings.HasSuffix(f.name, "_test.go") }

// imports lists the packages that a file imports.
func (f goFile) imports(t *testing.T) []string {
	t.Helper()
	var paths []string
	for _, i := range f.tree.Imports {
		p, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			t.Fatalf("%s: %v", f.name, err)
		}
		paths = append(paths, p)
	}
	return paths
}

// TestLayoutImports holds packages to the order, and pure ones to themselves. Tests may import what they need.
func TestLayoutImports(t *testing.T) {
	for _, f := range goFiles(t) {
		if f.isTest() {
			continue
		}
		at := slices.Index(order, f.dir())
		if at < 0 {
			t.Errorf("%s: %s has no place in the order of packages; give it one in layout_test.go and docs/layout.md", f.name, f.dir())
			continue
		}
		for _, p := range f.imports(t) {
			if own, ok := strings.CutPrefix(p, module); ok && !slices.Contains(order[:at], own) {
				t.Errorf("%s imports %s, which does not stand above %s", f.name, own, f.dir())
			}
			if slices.Contains(pure, f.dir()) && slices.ContainsFunc(outside, func(o string) bool { return p == o || strings.HasPrefix(p, o+"/") }) {
				t.Errorf("%s imports %s; %s does no I/O, reads no environment and draws no random numbers", f.name, p, f.dir())
			}
		}
	}
}

// TestLayoutNames finds packages that are named for no noun.
func TestLayoutNames(t *testing.T) {
	for _, f := range goFiles(t) {
		for _, word := range strings.Split(f.dir(), "/") {
			if slices.Contains([]string{"util", "utils", "common", "helper", "helpers", "models", "base", "misc", "shared"}, word) {
				t.Errorf("%s: a package called %s holds anything; name it after what it holds", f.name, word)
			}
		}
	}
}

// TestLayoutFiles looks at each file by itself.
func TestLayoutFiles(t *testing.T) {
	for _, f := range goFiles(t) {
		if lines := bytes.Count(f.text, []byte("\n")); lines > maxLines {
			t.Errorf("%s has %d lines; split it by noun, %d are enough", f.name, lines, maxLines)
		}
		for _, d := range f.tree.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
				t.Errorf("%s has an init function; a table literal lists what exists", f.name)
			}
		}
	}
}

// TestLayoutComments wants a package comment, once, in every package.
func TestLayoutComments(t *testing.T) {
	comments := map[string]int{}
	for _, f := range goFiles(t) {
		if f.isTest() {
			continue
		}
		comments[f.dir()] += 0
		if f.tree.Doc != nil {
			comments[f.dir()]++
		}
	}
	for dir, n := range comments {
		if n != 1 {
			t.Errorf("%s has %d package comments; one says what the package holds and what it does not know", dir, n)
		}
	}
}

// TestLayoutDrawing wants every package in the drawing of docs/layout.md, in order.
func TestLayoutDrawing(t *testing.T) {
	var drawn []string
	for line := range strings.Lines(read(t, "docs/layout.md")) {
		if cells := strings.Split(line, "|"); len(cells) == 4 && strings.HasPrefix(cells[1], " `") {
			if dir := strings.Trim(cells[1], " `"); strings.HasPrefix(dir, "internal/") || strings.HasPrefix(dir, "cmd/") {
				drawn = append(drawn, dir)
			}
		}
	}
	if !slices.Equal(drawn, order) {
		t.Errorf("docs/layout.md lists the packages as\n%s\nand their order is\n%s", strings.Join(drawn, "\n"), strings.Join(order, "\n"))
	}
}

// goFiles parses the repository in process. A test that asks `go list` would pass from go test's cache after a bad import was
// added: the cache knows only the files that the test itself has opened.
func goFiles(t *testing.T) []goFile {
	t.Helper()
	var files []goFile
	tokens := token.NewFileSet()
	walk(t, func(name string) {
		if !strings.HasSuffix(name, ".go") {
			return
		}
		f := goFile{name: name, text: []byte(read(t, name))}
		var err error
		if f.tree, err = parser.ParseFile(tokens, name, f.text, parser.ParseComments|parser.SkipObjectResolution); err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	})
	if len(files) == 0 {
		t.Fatal("there is no Go file")
	}
	return files
}

// walk visits the files of the repository, in the order of their names.
func walk(t *testing.T, visit func(name string)) {
	t.Helper()
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (name == ".git" || name == "bin" || name == "testdata/rapid" || path.Base(name) == "fuzz"):
			return fs.SkipDir
		case !d.IsDir():
			visit(name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
