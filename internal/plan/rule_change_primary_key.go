package plan

import (
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// changePrimaryKey: rows may not be unique by the new key, and those who rely on the old one lose it.
var changePrimaryKey = Rule{ID: "change-primary-key", Title: "the primary key changes", Check: func(p *Pass, c diff.Change) []Finding {
	switch c := c.(type) {
	case diff.AddConstraint:
		if c.Constraint.Kind == schema.PrimaryKey {
			return onHead(Review, c.Constraint.Pos, "Table %s gets the primary key (%s): rows that are not unique by it stop the plan", c.Table.Name, list(c.Constraint.ColumnKeys()))
		}
	case diff.DropConstraint:
		if c.Constraint.Kind == schema.PrimaryKey {
			return onBase(Review, c.Constraint.Pos, "Table %s loses the primary key (%s): duplicates become possible, and foreign keys to it and %s", c.Table.Name, list(c.Constraint.ColumnKeys()), p.upsertsFail())
		}
	}
	return nil
}}
