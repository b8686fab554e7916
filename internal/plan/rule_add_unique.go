package plan

import (
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// addUnique: duplicates that exist stop the plan.
var addUnique = Rule{ID: "add-unique", Title: "a unique constraint is added", Check: func(p *Pass, c diff.Change) []Finding {
	if a, ok := c.(diff.AddConstraint); ok && a.Constraint.Kind == schema.Unique {
		return onHead(Review, a.Constraint.Pos, "Key (%s) of table %s becomes unique: duplicates that exist stop the plan", list(a.Constraint.ColumnKeys()), a.Table.Name)
	}
	return nil
}}
