package plan

import (
	"strings"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// deleteAction: a foreign key that is added with ON DELETE CASCADE, SET NULL or SET DEFAULT lets one DELETE in the parent change
// rows that nobody named.
var deleteAction = Rule{ID: "delete-action", Title: "deleting a parent changes its children", Check: func(p *Pass, c diff.Change) []Finding {
	a, ok := c.(diff.AddConstraint)
	if !ok || a.Constraint.Kind != schema.ForeignKey || bothNew(p, a) {
		return nil
	}
	switch action := a.Constraint.Ref.OnDelete; action {
	case "cascade":
		return onHead(Review, a.Constraint.Pos, "Deleting a row of %s now deletes its rows of %s", a.Constraint.Ref.Name, a.Table.Name)
	case "set null", "set default":
		return onHead(Review, a.Constraint.Pos, "Deleting a row of %s now overwrites (%s) in its rows of %s (ON DELETE %s)", a.Constraint.Ref.Name, list(a.Constraint.ColumnKeys()), a.Table.Name, strings.ToUpper(action))
	}
	return nil
}}

// bothNew tells whether neither the table of a foreign key nor the one that it references is there yet, so that no statement deletes
// from it.
func bothNew(p *Pass, a diff.AddConstraint) bool {
	return p.From.Table(a.Table.Key) == nil && p.From.Table(a.Constraint.Ref.Table) == nil
}
