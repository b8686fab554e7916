package plan

import (
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// exclusion: rows that conflict stop the plan, and there is no way to add one without keeping readers and writers waiting.
var exclusion = Rule{ID: "exclusion", Title: "an exclusion constraint comes or goes", Check: func(_ *Pass, c diff.Change) []Finding {
	switch c := c.(type) {
	case diff.AddConstraint:
		if c.Constraint.Kind == schema.Exclusion {
			return onHead(Review, c.Constraint.Pos, "Table %s gets the exclusion %s: rows that conflict stop the plan, and all wait while its index is built", c.Table.Name, label(c.Constraint))
		}
	case diff.DropConstraint:
		if c.Constraint.Kind == schema.Exclusion {
			return onBase(Review, c.Constraint.Pos, "Table %s loses the exclusion %s: rows that conflict become possible", c.Table.Name, label(c.Constraint))
		}
	}
	return nil
}}
