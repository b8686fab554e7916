package plan

import (
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// addForeignKey: rows without a parent stop the plan, and deletes in the parent are refused or cascade from then on. A key that is a
// step of its own is review even between two new tables (keep it so: reviewers of plans from JSON schemas know it as review): the
// parent's writers wait for it, and rows may have come by the time that the step runs.
var addForeignKey = Rule{ID: "add-foreign-key", Title: "a foreign key is added", Check: func(p *Pass, c diff.Change) []Finding {
	a, ok := c.(diff.AddConstraint)
	if !ok || a.Constraint.Kind != schema.ForeignKey {
		return nil
	}
	if p.From.Table(a.Table.Key) == nil {
		return onHead(Review, a.Constraint.Pos, "Key (%s) of new table %s references %s, whose writers wait until it is made; its rows can no longer be deleted freely", list(a.Constraint.ColumnKeys()), a.Table.Name, a.Constraint.Ref.Name)
	}
	return onHead(Review, a.Constraint.Pos, "Key (%s) of table %s references %s: rows without a parent stop the plan", list(a.Constraint.ColumnKeys()), a.Table.Name, a.Constraint.Ref.Name)
}}
