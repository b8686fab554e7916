package plan

import (
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// foreignKeyMismatch: the columns a foreign key references have to be a key of their table. Engines that find out when the
// table is made refuse it; SQLite finds out when a row is written, and then refuses that.
var foreignKeyMismatch = Rule{ID: "foreign-key-mismatch", Title: "a foreign key references no key", Check: func(p *Pass, c diff.Change) []Finding {
	switch c := c.(type) {
	case diff.AddConstraint:
		return mismatch(p.To, c.Table, c.Constraint)
	case diff.CreateTable:
		var found []Finding
		for _, k := range c.Table.Constraints {
			found = append(found, mismatch(p.To, c.Table, k)...)
		}
		return found
	case diff.DropIndex:
		if c.Index.Unique {
			return orphaned(p, c.Table.Key, c.Index.Pos)
		}
	case diff.DropConstraint:
		if c.Constraint.Kind == schema.Unique || c.Constraint.Kind == schema.PrimaryKey {
			return orphaned(p, c.Table.Key, c.Constraint.Pos)
		}
	}
	return nil
}}

// mismatch judges one foreign key of the head.
func mismatch(s *schema.Schema, t *schema.Table, k *schema.Constraint) []Finding {
	if k.Ref == nil {
		return nil
	}
	parent := s.Table(k.Ref.Table)
	switch {
	case parent == nil:
		return onHead(Review, k.Pos, "Key (%s) of table %s references %s, which this schema does not have: rows cannot be written while foreign keys are enforced", list(k.ColumnKeys()), t.Name, k.Ref.Name)
	case !parent.HasKey(k.Ref.Columns, len(k.Columns)):
		return onHead(Review, k.Pos, "Key (%s) of table %s references columns of %s that are no key: rows cannot be written while foreign keys are enforced (foreign key mismatch)", list(k.ColumnKeys()), t.Name, parent.Name)
	}
	return nil
}

// orphaned finds the foreign keys that referenced a key which goes.
func orphaned(p *Pass, parent string, pos schema.Pos) []Finding {
	from, to := p.From.Table(parent), p.To.Table(parent)
	var found []Finding
	for _, child := range p.To.Tables {
		for _, k := range child.Constraints {
			if to == nil || k.Ref == nil || k.Ref.Table != parent || to.HasKey(k.Ref.Columns, len(k.Columns)) || !from.HasKey(k.Ref.Columns, len(k.Columns)) {
				continue
			}
			found = append(found, onBase(Review, pos, "Key (%s) of table %s references what is no key of %s without this: rows of both cannot be written while foreign keys are enforced (foreign key mismatch)", list(k.ColumnKeys()), child.Name, to.Name)...)
		}
	}
	return found
}
