package plan

import (
	"strings"

	"github.com/altergate/altergate/internal/diff"
)

// setNotNull: NULLs are filled with the default, and writers that leave the column out or write NULL may fail from then on.
var setNotNull = Rule{ID: "set-not-null", Title: "a column becomes NOT NULL", Check: func(p *Pass, c diff.Change) []Finding {
	if a, ok := c.(diff.AlterColumn); ok && a.To.Required && !a.From.Required {
		if p.mysql() && strings.HasPrefix(a.From.TypeCanon, "timestamp") {
			return onHead(Destructive, a.To.Pos, "Column %s.%s can no longer be NULL: to the server NULL in a timestamp is the current time, and rows that hold NULL get the time at which the plan runs", a.Table.Name, a.To.Name)
		}
		if p.mysql() {
			return onHead(Review, a.To.Pos, "Column %s.%s can no longer be NULL: rows that hold NULL stop the plan, or get 0 or an empty text where sql_mode is not strict", a.Table.Name, a.To.Name)
		}
		if a.To.Default == nil {
			return onHead(Review, a.To.Pos, "Column %s.%s can no longer be NULL", a.Table.Name, a.To.Name)
		}
		return onHead(Review, a.To.Pos, "Column %s.%s can no longer be NULL; rows that hold NULL get the default %s", a.Table.Name, a.To.Name, a.To.Default.Text)
	}
	return nil
}}
