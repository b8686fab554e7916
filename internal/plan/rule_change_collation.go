package plan

import (
	"github.com/altergate/altergate/internal/diff"
)

// changeCollation: what is equal, what is unique and what comes first changes with it.
var changeCollation = Rule{ID: "change-collation", Title: "the collation of a column changes", Check: func(p *Pass, c diff.Change) []Finding {
	if a, ok := c.(diff.AlterColumn); ok && a.From.Collation != a.To.Collation {
		return onHead(Review, a.To.Pos, "The collation of %s.%s changes: values that were different can be equal, so a unique key can fail, and results can come in another order", a.Table.Name, a.To.Name)
	}
	return nil
}}
