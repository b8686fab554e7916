package plan

import (
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// dropCheck: values that were refused become possible.
var dropCheck = Rule{ID: "drop-check", Title: "a check is dropped", Check: func(p *Pass, c diff.Change) []Finding {
	if d, ok := c.(diff.DropConstraint); ok && d.Constraint.Kind == schema.Check {
		return onBase(Review, d.Constraint.Pos, "Table %s loses the check %s: values that were refused become possible", d.Table.Name, label(d.Constraint))
	}
	return nil
}}
