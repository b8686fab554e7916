package postgres_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	pgquery "github.com/wasilibs/go-pgquery"

	"github.com/altergate/altergate/internal/dialect"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/source"
)

// sizes are the numbers of tables that are measured; docs/performance.md has the times.
var sizes = []int{10, 30, 100, 300, 1000, 3000, 10000}

// BenchmarkPostgresTables measures a whole review in process: both sides are read, the plan is made and replayed. Whatever the
// size, the head differs in the same ten ways. The floor is what the parser alone takes for both sides, measured in the same run.
func BenchmarkPostgresTables(b *testing.B) {
	for _, tables := range sizes {
		b.Run(fmt.Sprint(tables), func(b *testing.B) {
			base, head := plain(tables), tenEdits(b, tables)
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

// BenchmarkPostgresChanges measures plans in which every table changes, which is when the planner itself has work to do.
func BenchmarkPostgresChanges(b *testing.B) {
	for _, tables := range []int{100, 300, 1000, 3000} {
		all := plain(tables)
		for _, c := range []struct{ name, base, head string }{
			{"new schema", "", all}, {"dropped schema", all, ""},
			{"types", all, strings.ReplaceAll(all, "timestamp(6) without time zone", "timestamp with time zone")},
			{"indexes", all, strings.ReplaceAll(all, "USING btree (external_id)", "USING btree (external_id, id)")},
			{"constraints", all, strings.ReplaceAll(strings.ReplaceAll(all, "ON DELETE CASCADE", "ON DELETE RESTRICT"), "quantity >= 0", "quantity >= 1")},
			{"names", all, strings.ReplaceAll(all, "_quantity_check CHECK", "_count_check CHECK")},
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

// BenchmarkParseFloor measures what no reader of these texts can do without: PostgreSQL's grammar, over both sides.
func BenchmarkParseFloor(b *testing.B) {
	for _, tables := range sizes {
		b.Run(fmt.Sprint(tables), func(b *testing.B) {
			base, head := plain(tables), tenEdits(b, tables)
			b.SetBytes(int64(len(base) + len(head)))
			for b.Loop() {
				parseTime(b, base, head)
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(tables), "µs/table")
		})
	}
}

// parseTime is how long the parser takes for texts.
func parseTime(tb testing.TB, texts ...string) time.Duration {
	tb.Helper()
	start := time.Now()
	for _, text := range texts {
		if _, err := pgquery.Parse(text); err != nil {
			tb.Fatal(err)
		}
	}
	return time.Since(start)
}

// reviewed asks the dialect as the pipeline does; an empty text is a schema that is not there.
func reviewed(tb testing.TB, base, head string) *plan.Plan {
	tb.Helper()
	answer := dialect.All["postgres"](context.Background(), dialect.Question{Name: "main", Version: "15", Base: side(base), Head: side(head)})
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
	return dialect.Text{Files: []*source.File{{Path: "structure.sql", Text: text}}}
}

// tenEdits changes a plain schema in ten ways, in tables spread over all of it.
func tenEdits(tb testing.TB, tables int) string {
	e := &edited{TB: tb, sql: plain(tables)}
	at := func(n int) string { return bulkName((tables - 1) * n / 9) }
	e.column(at(0), "quantity integer DEFAULT 0 NOT NULL", "quantity bigint DEFAULT 0 NOT NULL")
	e.column(at(1), "name character varying(120) NOT NULL", "name character varying(200) NOT NULL")
	e.column(at(2), "status character varying(20) DEFAULT 'open'::character varying NOT NULL", "status character varying(20) DEFAULT 'new'::character varying NOT NULL")
	e.column(at(3), "settings jsonb DEFAULT '{}'::jsonb NOT NULL", "settings jsonb DEFAULT '{}'::jsonb NOT NULL,\n    extra text")
	e.column(at(4), "external_id uuid DEFAULT gen_random_uuid() NOT NULL", "external_id uuid DEFAULT gen_random_uuid()")
	e.column(at(5), "amount numeric(10,2) DEFAULT 0.0 NOT NULL", "amount numeric(12,2) DEFAULT 0.0 NOT NULL")
	e.replace("CONSTRAINT "+at(6)+"_quantity_check CHECK ((quantity >= 0))", "CONSTRAINT "+at(6)+"_quantity_check CHECK ((quantity >= 1))")
	e.drop("CREATE UNIQUE INDEX index_" + at(7) + "_on_external_id")
	e.add("CREATE INDEX index_" + at(8) + "_on_amount ON public." + at(8) + " USING btree (amount)")
	e.add("CREATE TABLE public.newcomers (\n    id bigint PRIMARY KEY,\n    host_id bigint REFERENCES public." + at(9) + "(id)\n)")
	return e.sql
}
