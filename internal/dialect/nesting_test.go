package dialect_test

import (
	"strings"
	"testing"

	"github.com/altergate/altergate/internal/dialect"
	"github.com/altergate/altergate/internal/source"
)

// Whoever opens a pull request chooses its text. What nests deeper than anybody writes by hand ends in an error: the stack of a process
// that overflows ends the process, and nothing could be said any more.
func TestNestingEndsInAnError(t *testing.T) {
	const deep = 100_000
	nest := func(before, inside, after string) string {
		return strings.Repeat(before, deep) + inside + strings.Repeat(after, deep)
	}
	for name, statement := range map[string]string{
		"parentheses": "CREATE TABLE u (a integer CHECK (" + nest("(", "a", ")") + " > 0))",
		"sums":        "CREATE TABLE u (a integer CHECK (" + nest("", "a", " + a") + " > 0))",
		"negations":   "CREATE TABLE u (a integer CHECK (" + nest("NOT ", "a > 0", "") + "))",
		"subqueries":  "CREATE VIEW v AS " + nest("SELECT * FROM (", "SELECT 1 AS a", ") AS x"),
		"cases":       "CREATE VIEW v AS SELECT " + nest("CASE WHEN 1 > 0 THEN ", "1", " END"),
		"unions":      "CREATE VIEW v AS " + nest("", "SELECT 1", " UNION SELECT 1"),
		"comments":    nest("/*", "", ""),
	} {
		for _, d := range []string{"sqlite", "postgres", "mysql", "mariadb"} {
			t.Run(name+" "+d, func(t *testing.T) {
				t.Parallel()
				side := func(text string) dialect.Text {
					return dialect.Text{Files: []*source.File{{Path: "schema.sql", Text: text}}}
				}
				const before = "CREATE TABLE t (id integer NOT NULL PRIMARY KEY);\n"
				a := dialect.All[d](t.Context(), dialect.Question{Name: "main", Base: side(before), Head: side(before + statement + ";\n")})
				if len(a.Errors) == 0 || a.Plan != nil {
					t.Fatalf("there is no error, and the plan is %+v", a.Plan)
				}
				if e := a.Errors[0]; e.Pos.File != "schema.sql" || e.Pos.Line != 2 || len(e.Text) > 2000 {
					t.Errorf("the error is %v", e)
				}
			})
		}
	}
}
