package plan

import "github.com/altergate/altergate/internal/diff"

// updateRows: old values are lost, unless the same migrations have made what is filled.
var updateRows = Rule{ID: "update-rows", Title: "rows are changed", Check: func(p *Pass, c diff.Change) []Finding {
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
		until := "each row is locked until the transaction ends"
		if p.From.Dialect == "sqlite" {
			until = "other writers wait until the transaction ends"
		}
		return onHead(Review, w.Pos, "Rows of table %s get %s, in place of none: %s", w.Name, what, until)
	case w.All:
		return onHead(Destructive, w.Pos, "The UPDATE has no WHERE: every row of table %s gets new %s, and the old ones are lost", w.Name, what)
	}
	return onHead(Review, w.Pos, "Rows of table %s get new %s: in those that the condition picks, the old ones are lost", w.Name, what)
}}
