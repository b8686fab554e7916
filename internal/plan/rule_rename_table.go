package plan

import (
	"github.com/altergate/altergate/internal/diff"
)

// renameTable: the schema's own objects follow a rename; SQL elsewhere does not, so a rename is never safe.
var renameTable = Rule{ID: "rename-table", Title: "a table is renamed", Check: func(p *Pass, c diff.Change) []Finding {
	if c, ok := c.(diff.RenameTable); ok {
		return onHead(Review, c.Pos, "SQL outside this schema that still says %s fails the moment it is called %s", c.From, c.To)
	}
	return nil
}}
