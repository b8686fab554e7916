package plan

import (
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// addCheck: rows that exist may not satisfy it.
var addCheck = Rule{ID: "add-check", Title: "a check is added", Check: func(p *Pass, c diff.Change) []Finding {
	if a, ok := c.(diff.AddConstraint); ok && a.Constraint.Kind == schema.Check {
		return onHead(Review, a.Constraint.Pos, "Table %s gets the check %s: rows that do not satisfy it stop the plan", a.Table.Name, label(a.Constraint))
	}
	return nil
}}
