package plan

import (
	"github.com/altergate/altergate/internal/diff"
)

// dropColumn: its values are lost, unless they were computed from other columns each time they were read.
var dropColumn = Rule{ID: "drop-column", Title: "a column is dropped", Check: func(p *Pass, c diff.Change) []Finding {
	if d, ok := c.(diff.DropColumn); ok {
		if d.Column.Generated != nil {
			return onBase(Review, d.Column.Pos, "Column %s.%s goes; its values are computed from other columns, so no stored value is lost", d.Table.Name, d.Column.Name)
		}
		return onBase(Destructive, d.Column.Pos, "All values of column %s.%s are lost", d.Table.Name, d.Column.Name)
	}
	return nil
}}
