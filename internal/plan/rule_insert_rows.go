package plan

import "github.com/altergate/altergate/internal/diff"

// insertRows: a row that is there already, or that breaks a constraint, stops the migration; REPLACE and MERGE write over rows.
var insertRows = Rule{ID: "insert-rows", Title: "rows are written", Check: func(_ *Pass, c diff.Change) []Finding {
	w, ok := c.(diff.WriteRows)
	switch {
	case !ok:
	case w.Verb == "insert":
		return onHead(Review, w.Pos, "Rows are written to table %s: one that is there already, or that breaks a constraint, stops the migration", w.Name)
	case (w.Verb == "replace" || w.Verb == "merge") && w.Young:
		return onHead(Review, w.Pos, "Rows are written to table %s, which these migrations make", w.Name)
	case w.Verb == "replace":
		return onHead(Destructive, w.Pos, "Rows are written to table %s in the place of those that have the same key, whose values are lost", w.Name)
	case w.Verb == "merge":
		return onHead(Destructive, w.Pos, "Rows are merged into table %s: the values of rows that match can be lost, and rows deleted", w.Name)
	}
	return nil
}}
