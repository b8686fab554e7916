package plan

import (
	"strings"

	"github.com/altergate/altergate/internal/diff"
)

// validate: rows that were there before the constraint are read, and have to satisfy it.
var validate = Rule{ID: "validate", Title: "a constraint comes to hold for all rows", Check: func(_ *Pass, c diff.Change) []Finding {
	if v, ok := c.(diff.ValidateConstraint); ok {
		return onHead(Review, v.To.Pos, "The %s %s of table %s is validated: rows older than it that do not satisfy it stop the plan", strings.ReplaceAll(string(v.To.Kind), "_", " "), label(v.To), v.Table.Name)
	}
	return nil
}}
