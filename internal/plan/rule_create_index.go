package plan

import (
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// createIndex: writes wait while it is built, and a unique one fails on duplicates.
var createIndex = Rule{ID: "create-index", Title: "an index is created", Check: func(p *Pass, c diff.Change) []Finding {
	a, ok := c.(diff.CreateIndex)
	if !ok {
		return nil
	}
	if p.Step.Lock.Level == "none" {
		return onHead(Safe, a.Index.Pos, "The index %s is built with %s, which nobody reads yet", a.Index.Name, a.Table.Name)
	}
	if p.mysql() {
		return builtBeside(p, a)
	}
	how := "while writes wait"
	if !p.Step.Transaction && p.Step.Lock.Blocks == "nothing" {
		how = "while others read and write, which takes longer and reads the table twice"
	}
	if a.Index.Unique {
		after := ""
		if !p.Step.Transaction && p.Step.Lock.Blocks == "nothing" {
			after = ", and leave an invalid index that has to be dropped before the plan is run again"
		}
		return onHead(Review, a.Index.Pos, "The unique index %s on %s is built %s; duplicates that exist stop the plan%s", a.Index.Name, a.Table.Name, how, after)
	}
	return onHead(Review, a.Index.Pos, "The index %s on %s is built %s", a.Index.Name, a.Table.Name, how)
}}

// builtBeside is of MySQL: the lock tells who waits, and nothing is left behind where it fails.
func builtBeside(p *Pass, a diff.CreateIndex) []Finding {
	how := p.Step.Lock.meanwhile()
	if a.Index.Unique {
		return onHead(Review, a.Index.Pos, "The unique index %s on %s is built %s; duplicates that exist stop the plan", a.Index.Name, a.Table.Name, how)
	}
	if on := computed(p, a); on != "" {
		return onHead(Review, a.Index.Pos, "The index %s on %s is built %s; %s, which can end in an error: a row for which it does stops the plan, and later writes of one are refused", a.Index.Name, a.Table.Name, how, on)
	}
	risk := Review
	if p.Step.Lock.Blocks == "nothing" && !p.Step.Lock.Rewrite {
		risk = Safe // it fails for no row, and nobody waits
	}
	return onHead(risk, a.Index.Pos, "The index %s on %s is built %s", a.Index.Name, a.Table.Name, how)
}

// computed says what an index makes the server store that it computed only when it was read, where that may end in an error; empty = nothing.
func computed(p *Pass, a diff.CreateIndex) string {
	for _, part := range a.Index.Parts {
		if part.Expr != "" && !p.Planner.Total(schema.Expr{Canon: part.Expr}) {
			return "it is on an expression"
		}
		c := a.Table.Column(part.Column)
		if c != nil && c.Generated != nil && !c.Generated.Stored && !p.Planner.Total(c.Generated.Expr) {
			return "column " + c.Name + " is computed by an expression"
		}
	}
	return ""
}
