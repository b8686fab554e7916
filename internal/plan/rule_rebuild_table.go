package plan

import (
	"github.com/altergate/altergate/internal/diff"
)

// rebuildTable: the table is written anew under a lock, and what the database has on it that the schema does not declare is lost.
var rebuildTable = Rule{ID: "rebuild-table", Title: "a table is rebuilt", Check: func(p *Pass, c diff.Change) []Finding {
	if r, ok := c.(diff.RebuildTable); ok {
		return onHead(Review, r.To.Pos, "Table %s is copied into a new one under a write lock, which needs its size in free space; triggers and indexes that the schema does not declare are lost", r.To.Name)
	}
	return nil
}}
