package script

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"

	"github.com/altergate/altergate/internal/schema"
	"github.com/altergate/altergate/internal/source"
)

// read cuts a text and parses it; all errors come together.
func read(text string, cache *Cache) (*Script, []string) {
	s, errs := Split(&source.File{Path: "a.sql", Text: text})
	var told []string
	for _, e := range append(errs, Parse(s.Statements, cache)...) {
		told = append(told, fmt.Sprintf("%s %s", e.Kind, e))
	}
	return s, told
}

func TestParseRefuses(t *testing.T) {
	const virtual = "a generated column without STORED is VIRTUAL; VIRTUAL generated columns need PostgreSQL 18, whose grammar is not supported yet; write STORED, or take the column out of the source"
	long := strings.Repeat("x", 100)
	tests := []struct {
		name, text string
		want       []string
	}{
		{"nothing", "SELECT 1; CREATE TABLE t (a int GENERATED ALWAYS AS (1) STORED, b int GENERATED ALWAYS AS IDENTITY (START 1))", nil},
		{"each of them", "SELECT 1;\nSELEC 1;\nSELECT 2; CREATE TABEL t (a);", []string{
			"syntax a.sql:2:1: syntax error at or near \"SELEC\": `SELEC 1`; PostgreSQL 17's grammar cannot read this statement",
			"syntax a.sql:3:18: syntax error at or near \"TABEL\": `CREATE TABEL t (a)`; PostgreSQL 17's grammar cannot read this statement"}},
		{"behind letters beyond ASCII", "-- é\nSELECT 'üü語', foo bar\n  baz;", []string{
			"syntax a.sql:3:3: syntax error at or near \"baz\": `baz`; PostgreSQL 17's grammar cannot read this statement"}},
		{"on the same line as them", "SELECT 'üü語😀' foo bar;", []string{
			"syntax a.sql:1:19: syntax error at or near \"bar\": `SELECT 'üü語😀' foo bar`; PostgreSQL 17's grammar cannot read this statement"}},
		{"a forgotten parenthesis", "CREATE TABLE t (\n  a int\n;\nSELECT 1;", []string{
			"syntax a.sql:2:8: syntax error at end of input: `a int`; PostgreSQL 17's grammar cannot read this statement"}},
		{"a psql variable", "SELECT :'x';", []string{
			"syntax a.sql:1:8: syntax error at or near \":\": `SELECT :'x'`; PostgreSQL 17's grammar cannot read this statement"}},
		{"a template", "CREATE TABLE {{ t }} (a int);", []string{
			"syntax a.sql:1:14: syntax error at or near \"{\": `CREATE TABLE {{ t }} (a int)`; PostgreSQL 17's grammar cannot read this statement"}},
		{"a long line", "SELECT " + long + " FROM " + long + " x y;", []string{
			"syntax a.sql:1:217: syntax error at or near \"y\": `" + strings.Repeat("x", 56) + " x y`; PostgreSQL 17's grammar cannot read this statement"}},
		{"what is no syntax error", "CREATE TABLE t (a int NULL NOT NULL, b int DEFERRABLE NOT DEFERRABLE CHECK (true)); SELECT U&'\\z'", []string{
			"syntax a.sql:1:95: invalid Unicode escape: `SELECT U&'\\z'`; PostgreSQL 17's grammar cannot read this statement"}},
		{"virtual", "CREATE TABLE t (\n  a int,\n  b int GENERATED ALWAYS AS ((a + 1) * 2) VIRTUAL\n);", []string{"unsupported a.sql:3:43: " + virtual}},
		{"virtual without the word", "CREATE TABLE t (a int, b int generated /* so */ always as (a) NOT NULL);", []string{"unsupported a.sql:1:63: " + virtual}},
		{"virtual elsewhere", "SELECT (1) VIRTUAL a;", []string{
			"syntax a.sql:1:20: syntax error at or near \"a\": `SELECT (1) VIRTUAL a`; PostgreSQL 17's grammar cannot read this statement"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, got := read(tt.text, nil)
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			nodes := 0
			for _, st := range s.Statements {
				if st.Node != nil {
					nodes++
				}
			}
			if nodes+len(got) != len(s.Statements) {
				t.Errorf("%d trees and %d errors of %d statements", nodes, len(got), len(s.Statements))
			}
		})
	}
}

// TestParseNested takes statements that would fill the stack of the parser, which ends the process.
func TestParseNested(t *testing.T) {
	const n = 100_000
	deep := fmt.Sprintf("this statement nests too deep here: at most %d parentheses, and %d operators or joins in a row, are read", maxParentheses, maxChain)
	for i, text := range []string{
		"SELECT " + strings.Repeat("(", n) + "1" + strings.Repeat(")", n),
		"SELECT " + strings.Repeat("(", n),
		"SELECT " + strings.Repeat("ARRAY[", n) + "1" + strings.Repeat("]", n),
		"SELECT 1" + strings.Repeat(" + 1", n),
		"SELECT 1" + strings.Repeat("::int", n),
		"SELECT 1" + strings.Repeat(" UNION SELECT 1, 2", n),
		"SELECT 1" + strings.Repeat(" EXCEPT SELECT 1", n),
		"SELECT 1" + strings.Repeat(" intersect SELECT 1", n),
		"SELECT a" + strings.Repeat(" COLLATE x", n),
		"SELECT a" + strings.Repeat(" AT TIME ZONE 'x'", n),
		"SELECT " + strings.Repeat("NOT ", n) + "true",
		"SELECT * FROM a" + strings.Repeat(" JOIN b ON true AND f(1, 2)", n),
		"SELECT " + strings.Repeat("(1 + f(1, 2)", 400) + strings.Repeat(" + CASE WHEN a THEN f(1, 2) END", n),
	} {
		_, errs := read(text, nil)
		if len(errs) != 1 || !strings.HasPrefix(errs[0], "unsupported a.sql:1:") || !strings.HasSuffix(errs[0], deep) {
			t.Errorf("%d: %.200s", i, errs)
		}
	}
	// The parser itself gives up on these.
	for i, text := range []string{
		"SELECT " + strings.Repeat("CASE WHEN ", n) + "true" + strings.Repeat(" THEN true END", n),
		strings.Repeat("EXPLAIN ", n) + "SELECT 1",
	} {
		if _, errs := read(text, nil); len(errs) != 1 {
			t.Errorf("%d: %.200s", i, errs)
		}
	}
	// And this is only long.
	for i, text := range []string{
		"SELECT 1" + strings.Repeat(" + 1", maxChain),
		"SELECT " + strings.Repeat("(", maxParentheses) + "1" + strings.Repeat(")", maxParentheses),
		"SELECT " + strings.Repeat("(SELECT 1 + ", maxParentheses) + "1" + strings.Repeat(")", maxParentheses),
		"SELECT a" + strings.Repeat(" AND a = 1 OR b <> 2", n/10),
		"INSERT INTO t VALUES (0, 0)" + strings.Repeat(", (-1::int, 'a' || 'b')", n/10),
		"SELECT CASE" + strings.Repeat(" WHEN a = 1 THEN 2", n/10) + " END",
	} {
		if _, errs := read(text, nil); errs != nil {
			t.Errorf("%d: %.200s", i, errs)
		}
	}
}

func TestParseJSON(t *testing.T) {
	at := schema.Pos{File: "a.json", Line: 3, Column: 5}
	statement := func(text string) *Statement { return &Statement{Text: text, Path: "tables.t", At: &at} }
	errs := Parse([]*Statement{statement("SELECT 1"), statement("SELECT FROM FROM"), statement(" -- nothing"), statement("SELECT 1; SELECT 2")}, nil)
	var got []string
	for _, e := range errs {
		got = append(got, e.Error())
	}
	want := []string{
		"a.json:3:5: tables.t: syntax error at or near \"FROM\": `SELECT FROM FROM`; PostgreSQL 17's grammar cannot read this statement",
		"a.json:3:5: tables.t: there is no statement here",
		"a.json:3:5: tables.t: a second statement begins here; only one may be given",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestParseShares takes a cache from two goroutines: equal texts have one tree, whose locations are those of any of them.
func TestParseShares(t *testing.T) {
	var cache Cache
	text := dump(50_000) + "SELECT ü a b;\n"
	var scripts [2]*Script
	var errs [2][]string
	var wait sync.WaitGroup
	for i := range scripts {
		wait.Go(func() { scripts[i], errs[i] = read(text+text, &cache) })
	}
	wait.Wait()
	if len(errs[0]) != 2 || cmp.Diff(errs[0], errs[1]) != "" {
		t.Errorf("errors differ: %s, %s", errs[0], errs[1])
	}
	again, _ := read("\n\n"+text, &cache)
	half := len(scripts[0].Statements) / 2
	for i, st := range again.Statements {
		if cached := cache.parsed[st.Text].node; st.Node != cached {
			t.Fatalf("%s was parsed again", st.Pos(0))
		}
		a, b := scripts[0].Statements[i].Node, scripts[0].Statements[half+i].Node
		if a != b || !proto.Equal(a, scripts[1].Statements[i].Node) {
			t.Fatalf("%s has different trees", st.Pos(0))
		}
	}
	create := again.Statements[0]
	for _, e := range create.Node.GetCreateStmt().GetTableElts() {
		column := e.GetColumnDef()
		if column == nil {
			continue
		}
		if at := create.Text[column.GetLocation():]; !strings.HasPrefix(at, column.GetColname()+" ") {
			t.Errorf("%s is said to be at %.20q", column.GetColname(), at)
		}
	}
}

// TestParseLocations finds that the parser's locations are bytes, though its cursors are not.
func TestParseLocations(t *testing.T) {
	s, errs := read("/* ü */ CREATE TABLE t (ä int, b int);", nil)
	if errs != nil {
		t.Fatal(errs)
	}
	st := s.Statements[0]
	b := st.Node.GetCreateStmt().GetTableElts()[1].GetColumnDef().GetLocation()
	if got := st.Pos(int(b)); got.Column != 32 || st.Text[b:] != "b int)" {
		t.Errorf("b is at %s, %q", got, st.Text[b:])
	}
}

func BenchmarkParse(b *testing.B) {
	f := &source.File{Path: "a.sql", Text: dump(2 << 20)}
	s, _ := Split(f)
	b.SetBytes(int64(len(f.Text)))
	for b.Loop() {
		if errs := Parse(s.Statements, nil); errs != nil {
			b.Fatal(errs)
		}
	}
}

func BenchmarkParseCached(b *testing.B) {
	f := &source.File{Path: "a.sql", Text: dump(2 << 20)}
	s, _ := Split(f)
	var cache Cache
	Parse(s.Statements, &cache)
	b.SetBytes(int64(len(f.Text)))
	for b.Loop() {
		Parse(s.Statements, &cache)
	}
}
