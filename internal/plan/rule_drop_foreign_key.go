package plan

import (
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// dropForeignKey: rows without a parent become possible.
var dropForeignKey = Rule{ID: "drop-foreign-key", Title: "a foreign key is dropped", Check: func(p *Pass, c diff.Change) []Finding {
	if d, ok := c.(diff.DropConstraint); ok && d.Constraint.Kind == schema.ForeignKey {
		return onBase(Review, d.Constraint.Pos, "Key (%s) of table %s no longer references %s: rows without a parent become possible", list(d.Constraint.ColumnKeys()), d.Table.Name, d.Constraint.Ref.Name)
	}
	return nil
}}
