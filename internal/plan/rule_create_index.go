package plan

import (
	"github.com/altergate/altergate/internal/diff"
)

// createIndex: writes wait while it is built, and a unique one fails on duplicates.
var createIndex = Rule{ID: "create-index", Title: "an index is created", Check: func(p *Pass, c diff.Change) []Finding {
	a, ok := c.(diff.CreateIndex)
	if !ok {
		return nil
	}
	how := "while writes wait"
	if !p.Step.Transaction && p.Step.Lock.Blocks == "nothing" {
		how = "while others read and write, which takes longer and reads the table twice"
	}
	if a.Index.Unique {
		return onHead(Review, a.Index.Pos, "The unique index %s on %s is built %s; duplicates that exist stop the plan", a.Index.Name, a.Table.Name, how)
	}
	return onHead(Review, a.Index.Pos, "The index %s on %s is built %s", a.Index.Name, a.Table.Name, how)
}}
