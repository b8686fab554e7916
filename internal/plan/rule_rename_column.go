package plan

import (
	"github.com/altergate/altergate/internal/diff"
)

// renameColumn: as renameTable, for a column.
var renameColumn = Rule{ID: "rename-column", Title: "a column is renamed", Check: func(p *Pass, c diff.Change) []Finding {
	if c, ok := c.(diff.RenameColumn); ok {
		return onHead(Review, c.Pos, "SQL outside this schema that still says %s.%s fails the moment it is called %s", c.Table, c.From, c.To)
	}
	return nil
}}
