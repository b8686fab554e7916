package plan

import "github.com/altergate/altergate/internal/diff"

// deleteRows: rows are lost.
var deleteRows = Rule{ID: "delete-rows", Title: "rows are removed", Check: func(_ *Pass, c diff.Change) []Finding {
	w, ok := c.(diff.WriteRows)
	switch {
	case !ok || w.Verb != "delete" && w.Verb != "truncate":
		return nil
	case w.Young && !w.Cascade:
		return onHead(Review, w.Pos, "Rows of table %s, which these migrations make, are removed again", w.Name)
	case w.Cascade:
		return onHead(Destructive, w.Pos, "Every row of table %s is lost, and of every table that references it", w.Name)
	case w.Verb == "truncate":
		return onHead(Destructive, w.Pos, "Every row of table %s is lost", w.Name)
	case w.All:
		return onHead(Destructive, w.Pos, "The DELETE has no WHERE: every row of table %s is lost", w.Name)
	}
	return onHead(Destructive, w.Pos, "Rows of table %s are lost: those that the condition picks", w.Name)
}}
