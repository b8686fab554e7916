package plan

import (
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// addForeignKey: rows without a parent stop the plan, and deletes in the parent are refused or cascade from then on.
var addForeignKey = Rule{ID: "add-foreign-key", Title: "a foreign key is added", Check: func(p *Pass, c diff.Change) []Finding {
	if a, ok := c.(diff.AddConstraint); ok && a.Constraint.Kind == schema.ForeignKey {
		return onHead(Review, a.Constraint.Pos, "Key (%s) of table %s references %s: rows without a parent stop the plan", list(a.Constraint.ColumnKeys()), a.Table.Name, a.Constraint.Ref.Name)
	}
	return nil
}}
