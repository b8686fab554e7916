package plan

import (
	"strings"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// maintained: a table that is kept up to date from a query has the rows that the query gives, and no others.
var maintained = Rule{ID: "maintained", Title: "the query that maintains a table changes", Check: func(_ *Pass, c diff.Change) []Finding {
	a, ok := c.(diff.AlterOptions)
	if !ok {
		return nil
	}
	before, after := maintaining(a.From), maintaining(a.To)
	switch {
	case before == after:
		return nil
	case before == "":
		return onHead(Destructive, a.To.Pos, "Table %s is maintained from a query from now on: rows that the query does not give are lost, and nobody else writes it", a.To.Name)
	case after == "":
		return onHead(Review, a.To.Pos, "Table %s keeps its rows and is no longer brought up to date", a.To.Name)
	}
	return onHead(Review, a.To.Pos, "Table %s is maintained from another query: its rows become those that it gives", a.To.Name)
}}

const maintainedAs = "maintained as "

func maintaining(t *schema.Table) string {
	for _, o := range t.Options {
		if strings.HasPrefix(o, maintainedAs) {
			return o
		}
	}
	return ""
}
