package dialect

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/source"
)

// largeQuereus writes a schema of tables with as many indexes, views, foreign keys and checks. The first of them are renamed, with all
// that names them.
func largeQuereus(tables, renamed int) string {
	var b strings.Builder
	name := func(i int) string {
		if i < renamed {
			return fmt.Sprintf("fresh_%03d", i)
		}
		return fmt.Sprintf("item_%03d", i)
	}
	b.WriteString("declare schema main {\n")
	for i := range tables {
		parent := name(max(i-1, 0))
		fmt.Fprintf(&b, "  table %s (id integer primary key, parent integer null, qty integer default %d, label text collate nocase,\n", name(i), i)
		fmt.Fprintf(&b, "    constraint fk_%03d foreign key (parent) references %s(id) on delete set null, constraint ck_%03d check (%s.qty >= 0 and qty < 1000))", i, parent, i, name(i))
		if i < renamed {
			fmt.Fprintf(&b, ` with tags ("quereus.previous_name" = 'item_%03d')`, i)
		}
		fmt.Fprintf(&b, "\n  index ix_%03d on %s (label, qty desc) where %s.qty > %d\n", i, name(i), name(i), i)
		fmt.Fprintf(&b, "  view v_%03d as select a.id, b.label, a.qty * 2 as twice from %s as a join %s as b on b.id = a.parent where %s\n", i, name(i), parent, "a.qty > 1")
	}
	b.WriteString("}\n")
	return b.String()
}

func reviewQuereus(tb testing.TB, base, head string) Answer {
	tb.Helper()
	answer := All["quereus"](context.Background(), Question{Name: "main", Renames: diff.Allow,
		Base: Text{Files: []*source.File{{Path: "schema.sql", Text: base}}}, Head: Text{Files: []*source.File{{Path: "schema.sql", Text: head}}}})
	if answer.Plan == nil {
		tb.Fatalf("no answer: %v", answer.Errors)
	}
	return answer
}

// BenchmarkQuereus measures a whole review in process, reading and replay included. The engine needs 37 ms for a diff without
// changes, and 116 ms for one with 20 renames.
func BenchmarkQuereus(b *testing.B) {
	base := largeQuereus(200, 0)
	b.Run("the same text", func(b *testing.B) {
		for b.Loop() {
			reviewQuereus(b, base, strings.Clone(base))
		}
	})
	for _, renamed := range []int{0, 20} {
		head := "/* another text */ " + largeQuereus(200, renamed)
		b.Run(fmt.Sprintf("%d renames", renamed), func(b *testing.B) {
			for b.Loop() {
				reviewQuereus(b, base, head)
			}
		})
	}
}

// TestQuereusScale wants one step for each rename of a large schema, and an answer long before anybody would notice. The bounds are many
// times what the benchmark measures, since tests share their machine.
func TestQuereusScale(t *testing.T) {
	base := largeQuereus(200, 0)
	for renamed, bound := range map[int]time.Duration{0: time.Second, 20: 3 * time.Second} {
		start := time.Now()
		answer := reviewQuereus(t, base, largeQuereus(200, renamed))
		if took := time.Since(start); took > bound {
			t.Errorf("%d renames took %s", renamed, took)
		}
		if got := len(answer.Plan.Steps); got != renamed {
			t.Errorf("%d renames made %d steps", renamed, got)
		}
	}
}

// chainQuereus writes a table of generated columns, each of which names the one before it, and as many views in a chain.
func chainQuereus(links int) string {
	var b strings.Builder
	b.WriteString("declare schema main {\n  table t (id integer primary key, c_0 integer")
	for i := 1; i <= links; i++ {
		fmt.Fprintf(&b, ",\n    c_%d integer generated always as (c_%d + 1) check (c_%d > 0)", i, i-1, i)
	}
	b.WriteString(")\n  view v_0 as select * from t\n")
	for i := 1; i <= links; i++ {
		fmt.Fprintf(&b, "  view v_%d as select id, c_0 from v_%d\n", i, i-1)
	}
	b.WriteString("}\n")
	return b.String()
}

// TestQuereusChains wants long chains of columns and of views to come and go in a time that grows no faster than their square. It took
// half a minute each way when every column had the whole table looked at again.
func TestQuereusChains(t *testing.T) {
	const links = 500
	short, long := chainQuereus(0), chainQuereus(links)
	for name, sides := range map[string][2]string{"they come": {short, long}, "they go": {long, short}} {
		start := time.Now()
		answer := reviewQuereus(t, sides[0], sides[1])
		if took := time.Since(start); took > 10*time.Second {
			t.Errorf("%s: it took %s", name, took)
		}
		if got := len(answer.Plan.Steps); got != 2*links {
			t.Errorf("%s: %d steps, want %d", name, got, 2*links)
		}
	}
}
