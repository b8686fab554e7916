package sqlite

import (
	"fmt"
	"testing"

	"github.com/altergate/altergate/internal/source"
)

// TestFills calls a default certain only where SQLite takes it in a column that is NOT NULL, and knows the usual ones.
func TestFills(t *testing.T) {
	for expr, want := range map[string]bool{
		"5": true, "'x'": true, "CURRENT_TIMESTAMP": true, "(datetime('now'))": true, "(datetime('now', '+1 day'))": true, "(strftime('%Y', 'now'))": true, "(unixepoch())": true,
		"(lower(hex(randomblob(16))))": true, "('a' || 'b')": true, "(random())": true,
		"NULL": false, "(NULL)": false, "(nullif(1, 1))": false, "(1 / 0)": false, "(date('x'))": false, "(datetime('now', 'x'))": false, "(abs(-9223372036854775808))": false,
		"(json('x'))": false, "(coalesce(NULL, NULL))": false, "(CASE 1 WHEN 2 THEN 3 END)": false, "('a' -> 'b')": false,
	} {
		l, err := Read(t.Context(), []*source.File{{Path: "s.sql", Text: fmt.Sprintf("CREATE TABLE t (a INT, b NOT NULL DEFAULT %s);", expr)}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		e, err := l.open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		taken := e.exec(t.Context(), "INSERT INTO t DEFAULT VALUES") == nil
		e.close()
		got := (Planner{}).Fills(l.Schema.Table("t").Column("b"))
		if got != want || got && !taken {
			t.Errorf("DEFAULT %s: got %t, want %t; SQLite takes it: %t", expr, got, want, taken)
		}
	}
}
