package plan

import (
	"github.com/altergate/altergate/internal/diff"
)

// autoincrement: without it SQLite gives the numbers of deleted rows out again (sqlite.org/autoinc.html).
var autoincrement = Rule{ID: "autoincrement", Title: "AUTOINCREMENT comes or goes", Check: func(p *Pass, c diff.Change) []Finding {
	d, ok := c.(diff.DropConstraint)
	if !ok || !d.Constraint.HasOption("autoincrement") {
		return nil
	}
	if t := p.To.Table(d.Table.Key); t == nil || t.PrimaryKey() == nil || !t.PrimaryKey().HasOption("autoincrement") {
		return onBase(Review, d.Constraint.Pos, "Table %s loses AUTOINCREMENT: the numbers of rows that were deleted are given out again", d.Table.Name)
	}
	return nil
}}
