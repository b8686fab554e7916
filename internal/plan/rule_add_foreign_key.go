package plan

import (
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// addForeignKey: rows without a parent stop the plan, and deletes in the parent are refused or cascade from then on. On a table that
// is new no row lacks its parent, and yet the parent's writers wait for the plan's transaction, and its deletes are no longer free:
// that is review too. Between two new tables there is nobody to wait or to be refused.
var addForeignKey = Rule{ID: "add-foreign-key", Title: "a foreign key is added", Check: func(p *Pass, c diff.Change) []Finding {
	a, ok := c.(diff.AddConstraint)
	if ok && a.Constraint.Kind == schema.ForeignKey && bothNew(p, a) {
		return onHead(Safe, a.Constraint.Pos, "Key (%s) of table %s references %s, and both tables are new", list(a.Constraint.ColumnKeys()), a.Table.Name, a.Constraint.Ref.Name)
	}
	if ok && a.Constraint.Kind == schema.ForeignKey && p.From.Table(a.Table.Key) == nil {
		return onHead(Review, a.Constraint.Pos, "Key (%s) of new table %s references %s, whose writers wait until it is made; its rows can no longer be deleted freely", list(a.Constraint.ColumnKeys()), a.Table.Name, a.Constraint.Ref.Name)
	}
	if ok && a.Constraint.Kind == schema.ForeignKey {
		return onHead(Review, a.Constraint.Pos, "Key (%s) of table %s references %s: rows without a parent stop the plan", list(a.Constraint.ColumnKeys()), a.Table.Name, a.Constraint.Ref.Name)
	}
	return nil
}}

// bothNew tells whether neither the table of a foreign key nor the one that it references is there yet.
func bothNew(p *Pass, a diff.AddConstraint) bool {
	return p.From.Table(a.Table.Key) == nil && p.From.Table(a.Constraint.Ref.Table) == nil
}
