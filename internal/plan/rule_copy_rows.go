package plan

import (
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// copyRows: a table that is made again by hand keeps what its copy takes along, and nothing else.
var copyRows = Rule{ID: "copy-rows", Title: "a table is made again by hand", Check: func(p *Pass, c diff.Change) []Finding {
	t, ok := c.(diff.CopyTable)
	if !ok {
		return nil
	}
	found := onHead(Review, t.Pos, "Table %s is made again: all its rows are copied into a new table, which takes its place; what is written meanwhile is lost unless the table is locked, and so is what the database has on it that the migrations do not make again", t.To.Name)
	if len(t.Lost) > 0 {
		found = append(found, onHead(Destructive, t.Pos, "The copy leaves out %s of table %s, which old and new table both have: the values are lost", list(t.Lost), t.To.Name)...)
	}
	if p.From.Dialect == "sqlite" && numbers(t.From) && numbers(t.To) {
		found = append(found, onHead(Review, t.Pos, "Table %s has AUTOINCREMENT, and sqlite_sequence does not follow: the numbers of the last rows that were deleted are given out again", t.To.Name)...)
	}
	if len(t.Computed) > 0 {
		found = append(found, onHead(Review, t.Pos, "The copy computes %s of table %s: values can come out other than they were", list(t.Computed), t.To.Name)...)
	}
	return found
}}

// numbers tells whether a table never gives out a number twice.
func numbers(t *schema.Table) bool {
	return t.PrimaryKey() != nil && t.PrimaryKey().HasOption("autoincrement")
}
