package plan

import (
	"github.com/altergate/altergate/internal/diff"
)

// setNullRequired: such a foreign key makes every delete of a parent with children fail, which its author did not mean.
var setNullRequired = Rule{ID: "set-null-required", Title: "SET NULL on a column that cannot be NULL", Check: func(p *Pass, c diff.Change) []Finding {
	a, ok := c.(diff.AddConstraint)
	if !ok || a.Constraint.Ref == nil || a.Constraint.Ref.OnDelete != "set null" && a.Constraint.Ref.OnUpdate != "set null" {
		return nil
	}
	for _, key := range a.Constraint.ColumnKeys() {
		if col := a.Table.Column(key); col != nil && col.Required {
			return onHead(Review, a.Constraint.Pos, "SET NULL on %s.%s can never work, because the column cannot be NULL: changing or deleting a parent that has children fails", a.Table.Name, col.Name)
		}
	}
	return nil
}}
