package plan

import (
	"github.com/altergate/altergate/internal/diff"
)

// identity: those who insert rows have to give a number, or can no longer give one.
var identity = Rule{ID: "identity", Title: "how a column numbers its rows changes", Check: func(_ *Pass, c diff.Change) []Finding {
	a, ok := c.(diff.AlterColumn)
	switch {
	case !ok || a.From.Identity == a.To.Identity:
		return nil
	case a.To.Identity == "":
		return onHead(Review, a.To.Pos, "Column %s.%s no longer numbers its rows: those who insert rows have to give a value", a.Table.Name, a.To.Name)
	case a.From.Identity == "":
		return onHead(Review, a.To.Pos, "Column %s.%s numbers its rows by itself from now on, beyond the highest number so far", a.Table.Name, a.To.Name)
	}
	return onHead(Review, a.To.Pos, "Column %s.%s numbers its rows in another way: from \"%s\" to \"%s\"", a.Table.Name, a.To.Name, a.From.Identity, a.To.Identity)
}}
