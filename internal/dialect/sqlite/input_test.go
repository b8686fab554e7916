package sqlite

import (
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
)

// inputOf is what a planner is given when nothing is renamed.
func inputOf(from, to *Loaded) plan.Input {
	return plan.Input{Name: "main", From: from.Schema, To: to.Schema, Changes: diff.Schemas(from.Schema, to.Schema)}
}
