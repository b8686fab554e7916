package plan

import (
	"github.com/altergate/altergate/internal/diff"
)

// dropNotNull: readers may not expect NULL.
var dropNotNull = Rule{ID: "drop-not-null", Title: "a column may be NULL", Check: func(p *Pass, c diff.Change) []Finding {
	if a, ok := c.(diff.AlterColumn); ok && a.From.Required && !a.To.Required {
		return onHead(Review, a.To.Pos, "Column %s.%s may be NULL from now on, which those who read it may not expect", a.Table.Name, a.To.Name)
	}
	return nil
}}
