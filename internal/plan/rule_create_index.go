package plan

import (
	"github.com/altergate/altergate/internal/diff"
)

// createIndex: writes wait while it is built, and a unique one fails on duplicates.
var createIndex = Rule{ID: "create-index", Title: "an index is created", Check: func(p *Pass, c diff.Change) []Finding {
	a, ok := c.(diff.CreateIndex)
	switch {
	case !ok:
	case a.Index.Unique:
		return onHead(Review, a.Index.Pos, "The unique index %s on %s is built while writes wait; duplicates that exist stop the plan", a.Index.Name, a.Table.Name)
	default:
		return onHead(Review, a.Index.Pos, "The index %s on %s is built while writes wait", a.Index.Name, a.Table.Name)
	}
	return nil
}}
