package plan

import "github.com/altergate/altergate/internal/diff"

// updateRows: old values are lost, unless the same migrations have made what is filled.
var updateRows = Rule{ID: "update-rows", Title: "rows are changed", Check: func(_ *Pass, c diff.Change) []Finding {
	w, ok := c.(diff.WriteRows)
	if !ok || w.Verb != "update" {
		return nil
	}
	what := "values"
	if len(w.Columns) > 0 {
		what = "values in " + list(w.Columns)
	}
	switch {
	case w.Young:
		return onHead(Review, w.Pos, "Rows of table %s get %s, in place of none: each row is locked until the end of the transaction", w.Name, what)
	case w.All:
		return onHead(Destructive, w.Pos, "The UPDATE has no WHERE: every row of table %s gets new %s, and the old ones are lost", w.Name, what)
	}
	return onHead(Review, w.Pos, "Rows of table %s get new %s: in those that the condition picks, the old ones are lost", w.Name, what)
}}
