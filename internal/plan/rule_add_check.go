package plan

import (
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// addCheck: rows that exist may not satisfy it.
var addCheck = Rule{ID: "add-check", Title: "a check is added", Check: func(p *Pass, c diff.Change) []Finding {
	if a, ok := c.(diff.AddConstraint); ok && a.Constraint.Kind == schema.Check {
		if a.Constraint.Owner != "" && p.To.Dialect == "mariadb" && !p.Step.Lock.copies() {
			return onHead(Review, a.Constraint.Pos, "Table %s gets the check %s with a column: rows that exist are not looked at, and one that does not satisfy it can no longer be changed", a.Table.Name, label(a.Constraint))
		}
		return onHead(Review, a.Constraint.Pos, "Table %s gets the check %s: rows that do not satisfy it stop the plan", a.Table.Name, label(a.Constraint))
	}
	return nil
}}
