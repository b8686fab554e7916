package plan

import (
	"github.com/altergate/altergate/internal/diff"
)

// addColumn: rows that exist read the default, or NULL. Whether they can (NOT NULL without a default) is decided before a plan is made.
var addColumn = Rule{ID: "add-column", Title: "a column is added", Check: func(p *Pass, c diff.Change) []Finding {
	a, ok := c.(diff.AddColumn)
	if !ok {
		return nil
	}
	switch {
	case a.Column.Generated != nil:
		return onHead(Safe, a.Column.Pos, "Column %s.%s is computed from the others", a.Table.Name, a.Column.Name)
	case a.Column.Default != nil && a.Column.Default.Constant != "null":
		return onHead(Safe, a.Column.Pos, "Rows that exist get the default %s in %s.%s", a.Column.Default.Text, a.Table.Name, a.Column.Name)
	case a.Column == p.Planner.RowidName(a.Table):
		return onHead(Review, a.Column.Pos, "Rows that exist are numbered in %s.%s by their rowids", a.Table.Name, a.Column.Name)
	default:
		return onHead(Safe, a.Column.Pos, "Rows that exist have NULL in %s.%s", a.Table.Name, a.Column.Name)
	}
}}
