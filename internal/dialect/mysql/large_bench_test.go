package mysql_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pingcap/tidb/pkg/parser"

	"github.com/altergate/altergate/internal/dialect"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/source"
)

// BenchmarkMySQLTables measures a whole review in process: both sides are read, the plan is made and replayed. Whatever the size, the
// head differs in the same eight ways. The floor is what TiDB's parser alone takes for the tables of both sides, measured in the same run.
func BenchmarkMySQLTables(b *testing.B) {
	for _, tables := range []int{10, 200, 1000, 3000} {
		b.Run(fmt.Sprint(tables), func(b *testing.B) {
			base, head := shop(tables), eightEdits(tables)
			b.SetBytes(int64(len(base) + len(head)))
			b.ReportAllocs()
			floor := parseTime(b, base, head)
			for b.Loop() {
				reviewed(b, base, head)
			}
			floor = min(floor, parseTime(b, base, head))
			perOp := b.Elapsed() / time.Duration(b.N)
			b.ReportMetric(float64(perOp)/float64(floor), "×floor")
			b.ReportMetric(float64(perOp.Microseconds())/float64(tables), "µs/table")
		})
	}
}

// BenchmarkMySQLChanges measures plans in which every table changes, which is when the planner itself has work to do.
func BenchmarkMySQLChanges(b *testing.B) {
	for _, tables := range []int{100, 300, 1000, 3000} {
		all := shop(tables)
		for _, c := range []struct{ name, base, head string }{
			{"new schema", "", all}, {"dropped schema", all, ""}, {"types", all, strings.ReplaceAll(all, "`quantity` int(11)", "`quantity` bigint(20)")},
			{"keys", all, strings.ReplaceAll(all, "(`status`,`kind`)", "(`status`)")}, {"constraints", all, strings.ReplaceAll(strings.ReplaceAll(all, "ON DELETE CASCADE", "ON DELETE SET NULL"), "`quantity` >= 0", "`quantity` >= 1")},
		} {
			b.Run(fmt.Sprintf("%s/%d", c.name, tables), func(b *testing.B) {
				steps := 0
				for b.Loop() {
					steps = len(reviewed(b, c.base, c.head).Steps)
				}
				b.ReportMetric(float64(steps), "steps")
				b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(tables), "µs/table")
			})
		}
	}
}

// parseTime is how long TiDB's parser takes for the tables in texts.
func parseTime(tb testing.TB, texts ...string) time.Duration {
	tb.Helper()
	p := parser.New()
	start := time.Now()
	for _, text := range texts {
		if _, _, err := p.Parse(text, "", ""); err != nil {
			tb.Fatal(err)
		}
	}
	return time.Since(start)
}

// reviewed asks the dialect as the pipeline does; an empty text is a schema that is not there.
func reviewed(tb testing.TB, base, head string) *plan.Plan {
	tb.Helper()
	answer := dialect.All["mariadb"](context.Background(), dialect.Question{Name: "main", Version: "10.11", Base: side(base), Head: side(head)})
	for _, e := range answer.Errors {
		tb.Errorf("no plan: %s", e)
	}
	if answer.Plan == nil {
		tb.FailNow()
	}
	return answer.Plan
}

func side(text string) dialect.Text {
	if text == "" {
		return dialect.Text{Missing: true}
	}
	return dialect.Text{Files: []*source.File{{Path: "dump.sql", Text: text}}}
}

// TestEightEdits holds the benchmark's plan to what was edited.
func TestEightEdits(t *testing.T) {
	steps := len(reviewed(t, shop(30), eightEdits(30)).Steps)
	if steps < 8 || steps > 14 {
		t.Errorf("eight edits and a new table make %d steps", steps)
	}
	if same := reviewed(t, shop(30), shop(30)); len(same.Steps) > 0 {
		t.Errorf("no edit makes %d steps", len(same.Steps))
	}
}
