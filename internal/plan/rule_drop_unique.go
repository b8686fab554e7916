package plan

import (
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// dropUnique: duplicates become possible.
var dropUnique = Rule{ID: "drop-unique", Title: "a unique constraint is dropped", Check: func(p *Pass, c diff.Change) []Finding {
	if d, ok := c.(diff.DropConstraint); ok && d.Constraint.Kind == schema.Unique {
		return onBase(Review, d.Constraint.Pos, "Key (%s) of table %s is no longer unique: duplicates become possible, and %s", list(d.Constraint.ColumnKeys()), d.Table.Name, p.upsertsFail())
	}
	return nil
}}
