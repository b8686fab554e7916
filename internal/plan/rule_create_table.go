package plan

import (
	"github.com/altergate/altergate/internal/diff"
)

// createTable: nothing is stored in a new table yet, and nobody reads it.
var createTable = Rule{ID: "create-table", Title: "a new table", Check: func(p *Pass, c diff.Change) []Finding {
	if c, ok := c.(diff.CreateTable); ok {
		return onHead(Safe, c.Table.Pos, "Table %s is new: no rows exist", c.Table.Name)
	}
	return nil
}}
