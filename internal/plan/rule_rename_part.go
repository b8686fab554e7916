package plan

import (
	"github.com/altergate/altergate/internal/diff"
)

// renamePart: a constraint, an index or a sequence with the same definition gets another name. Nothing is built or checked again;
// ON CONFLICT ON CONSTRAINT and error handling can name the old one.
var renamePart = Rule{ID: "rename-part", Title: "a constraint, an index or a sequence is renamed", Check: func(_ *Pass, c diff.Change) []Finding {
	const text = "%s gets the name %s, and is the same but for that: only statements that name it fail"
	switch c := c.(type) {
	case diff.RenameConstraint:
		return onHead(Review, c.To.Pos, "Constraint "+text, c.From.Name, c.To.Name)
	case diff.RenameIndex:
		return onHead(Review, c.To.Pos, "Index "+text, c.From.Name, c.To.Name)
	case diff.RenameObject:
		return onHead(Review, c.To.Pos, "The "+words(c.From)+" gets the name %s, and is the same but for that: only statements that name it fail", c.To.Name)
	}
	return nil
}}
