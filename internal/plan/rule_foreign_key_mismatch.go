package plan

import (
	"github.com/altergate/altergate/internal/diff"
)

// foreignKeyMismatch: the columns a foreign key references have to be a key of their table. Engines that find out when the
// table is made refuse it; SQLite finds out when a row is written, and then refuses that.
var foreignKeyMismatch = Rule{ID: "foreign-key-mismatch", Title: "a foreign key references no key", Check: func(p *Pass, c diff.Change) []Finding {
	a, ok := c.(diff.AddConstraint)
	if !ok || a.Constraint.Ref == nil {
		return nil
	}
	parent := p.To.Table(a.Constraint.Ref.Table)
	switch {
	case parent == nil:
		return onHead(Review, a.Constraint.Pos, "Key (%s) of table %s references %s, which this schema does not have: rows cannot be written while foreign keys are enforced", list(a.Constraint.ColumnKeys()), a.Table.Name, a.Constraint.Ref.Name)
	case !parent.HasKey(a.Constraint.Ref.Columns, len(a.Constraint.Columns)):
		return onHead(Review, a.Constraint.Pos, "Key (%s) of table %s references columns of %s that are no key: rows cannot be written while foreign keys are enforced (foreign key mismatch)", list(a.Constraint.ColumnKeys()), a.Table.Name, parent.Name)
	}
	return nil
}}
