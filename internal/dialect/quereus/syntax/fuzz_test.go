package syntax_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/altergate/altergate/internal/dialect/quereus/syntax"
	"github.com/altergate/altergate/internal/source"
)

// mistakes are texts that are wrong in ways a reader may stumble over.
var mistakes = []string{"declare schema main {", "declare schema main { table t (", "declare schema main { tabel t (a) }", "'", "\"", "`", "[", "/*", "/* /* */", "x'0",
	"declare schema main { view v as select (1 ; }", "\x00", "drop", "alter table t", "drop trigger x", "create unique", "}", "(((", "table t (a varchar(", "seed t ((",
	"declare schema main { domain { }", "with", "view v as with a as", "declare lens for", "$", ":", "select 1"}

// FuzzParse reads arbitrary text. Nothing may panic; errors have a place in the text and are said in valid words; and what is read without
// one prints as a text that reads back as the same.
func FuzzParse(f *testing.F) {
	for _, s := range mistakes {
		f.Add(s)
	}
	for _, s := range statements {
		f.Add(s)
	}
	for _, test := range itemTests {
		f.Add("declare schema main {\n" + test.text + "\n}")
		f.Add(test.text + "\n" + test.create)
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ToValidUTF8(text, "?") // a source's files are valid UTF-8
		file, errs := syntax.Parse(&source.File{Path: "s.sql", Text: text})
		lines := strings.Count(text, "\n") + 1
		for _, err := range errs {
			if err.Pos.Line < 1 || err.Pos.Line > lines || err.Text == "" || len(err.Text) > 1000 {
				t.Fatalf("%q gives the error %v", text, err)
			}
		}
		if len(errs) > 0 {
			return
		}
		printed := syntax.PrintFile(file)
		again, errs := syntax.Parse(&source.File{Path: "s.sql", Text: printed})
		if len(errs) > 0 {
			t.Fatalf("%q prints %q, which gives %v", text, printed, errs[0])
		}
		if got := syntax.PrintFile(again); got != printed {
			t.Fatalf("%q prints\n%q, and read again\n%q", text, printed, got)
		}
		for _, s := range file.Statements {
			walk(s)
		}
	})
}

// walk does with a statement what the reader of a schema does.
func walk(s syntax.Statement) {
	known := func(_, relation string) ([]string, bool) { return []string{"a", "b", relation}, len(relation)%2 == 0 }
	items := []syntax.Item{}
	switch s := s.(type) {
	case *syntax.Declare:
		items = s.Items
	case *syntax.Bare:
		items = append(items, s.Item)
	case *syntax.Create:
		items = append(items, s.Item)
	}
	for _, i := range items {
		_ = syntax.CheckTags(i)
		_ = syntax.PrintCreate(i, "other")
		switch i := i.(type) {
		case *syntax.Table:
			for _, k := range i.Constraints {
				_ = syntax.ConstraintBody(k, "", "main")
			}
		case *syntax.Index:
			_ = syntax.IndexBody(i, func(string) string { return "BINARY" })
		case *syntax.View:
			q := i.Query.Clone()
			for _, u := range q.Uses(known) {
				u.Set("renamed")
			}
			_, _ = q.Outputs(known)
		case *syntax.Assertion:
			i.Check.Clone().Uses("t", known)
		}
	}
}

// large is a schema of n tables with as many indexes, views, foreign keys and checks.
func large(n int) string {
	var b strings.Builder
	b.WriteString("declare schema main {\n")
	for i := range n {
		fmt.Fprintf(&b, "  table t%d (id integer primary key, name text not null collate nocase, parent integer null, qty real default 1.0 check (qty > 0),\n", i)
		fmt.Fprintf(&b, "    constraint fk_%d foreign key (parent) references t%d(id) on delete cascade,\n    constraint ck_%d check (qty < 100.0 and length(name) > 2)) with tags (area = 'a%d')\n", i, max(0, i-1), i, i)
		fmt.Fprintf(&b, "  index ix_%d on t%d (name, qty desc) where parent is not null\n", i, i)
		fmt.Fprintf(&b, "  view v_%d as select a.id, a.name, b.qty * 2 as twice from t%d a join t%d b on a.parent = b.id where a.qty > 1 order by a.id limit 10\n", i, i, max(0, i-1))
	}
	b.WriteString("}\n")
	return b.String()
}

func BenchmarkParse(b *testing.B) {
	text := large(200)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		f, errs := syntax.Parse(&source.File{Path: "s.sql", Text: text})
		if len(errs) > 0 || len(f.Statements[0].(*syntax.Declare).Items) != 600 {
			b.Fatal(errs)
		}
	}
}

func BenchmarkPrint(b *testing.B) {
	f, errs := syntax.Parse(&source.File{Path: "s.sql", Text: large(200)})
	if len(errs) > 0 {
		b.Fatal(errs)
	}
	for b.Loop() {
		if syntax.PrintFile(f) == "" {
			b.Fatal("nothing is printed")
		}
	}
}
