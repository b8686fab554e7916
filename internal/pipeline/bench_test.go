package pipeline

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/altergate/altergate/internal/policy"
)

// BenchmarkReview measures a whole review in process: reading both sides, planning, and the proofs. The time without an engine
// should grow as the text does; the run on an engine adds what SQLite takes for the plan, which resolves the whole schema at
// every rebuild.
func BenchmarkReview(b *testing.B) {
	for _, tables := range []int{10, 50, 200, 400} {
		for _, o := range []Options{{NoEngine: true}, {}} {
			name := fmt.Sprintf("%d tables", tables)
			if !o.NoEngine {
				name += " on the engine"
			}
			b.Run(name, func(b *testing.B) {
				base, head := bigSchema(tables, false), bigSchema(tables, true)
				b.SetBytes(int64(len(base) + len(head)))
				for b.Loop() {
					reviewed(b, base, head, o)
				}
			})
		}
	}
}

func reviewed(tb testing.TB, base, head string, o Options) *Report {
	tb.Helper()
	target := Target{Name: "main", Dialect: "sqlite",
		Base: Place{fstest.MapFS{"schema.sql": {Data: []byte(base)}}, "schema.sql"},
		Head: Place{fstest.MapFS{"schema.sql": {Data: []byte(head)}}, "schema.sql"}}
	report := Run(context.Background(), policy.Default(), []Target{target}, o)
	if !report.Answered() {
		tb.Fatalf("no answer: %v", report.Results[0].Errors)
	}
	return report
}

// bigSchema writes a schema of tables of 16 columns, each with two indexes and a foreign key to the table before it. The changed
// one differs in ten ways, whatever its size.
func bigSchema(tables int, changed bool) string {
	var b strings.Builder
	for i := range tables {
		fmt.Fprintf(&b, "CREATE TABLE item_%03d (\n  id INTEGER PRIMARY KEY,\n", i)
		for c := range 12 {
			limit := 0
			if changed && i%max(tables/5, 1) == 1 && c == 3 {
				limit = 1 // rebuilds five tables
			}
			fmt.Fprintf(&b, "  c%d VARCHAR(%d) NOT NULL DEFAULT 'x%d',\n", c, 20+c, limit)
		}
		if changed && i%max(tables/5, 1) == 2 {
			b.WriteString("  note TEXT,\n") // adds five columns
		}
		fmt.Fprintf(&b, "  parent_id INTEGER,\n  amount INTEGER CHECK (amount >= 0),\n  FOREIGN KEY (parent_id) REFERENCES item_%03d (id) ON DELETE CASCADE\n);\n", max(i-1, 0))
		fmt.Fprintf(&b, "CREATE INDEX item_%03d_parent ON item_%03d (parent_id);\nCREATE UNIQUE INDEX item_%03d_c0 ON item_%03d (c0, c1) WHERE c2 <> '';\n", i, i, i, i)
	}
	return b.String()
}
