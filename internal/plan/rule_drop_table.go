package plan

import (
	"github.com/altergate/altergate/internal/diff"
)

// dropTable: every row goes with its table.
var dropTable = Rule{ID: "drop-table", Title: "a table is dropped", Check: func(p *Pass, c diff.Change) []Finding {
	if c, ok := c.(diff.DropTable); ok {
		return onBase(Destructive, c.Table.Pos, "All rows of table %s are lost", c.Table.Name)
	}
	return nil
}}
