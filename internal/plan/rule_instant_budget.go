package plan

import (
	"github.com/altergate/altergate/internal/diff"
)

// instantBudget: MySQL counts how often a table's columns were added or dropped in its metadata, and refuses the 65th time until the table
// is rebuilt (manual 17.12.1, "Column Operations": TOTAL_ROW_VERSIONS).
var instantBudget = Rule{ID: "instant-budget", Title: "one of a table's 64 instant changes is spent", Check: func(p *Pass, c diff.Change) []Finding {
	if p.To.Dialect != "mysql" || p.Step.Lock.Level != "INSTANT" {
		return nil
	}
	switch c := c.(type) {
	case diff.AddColumn:
		if c.Column.Generated == nil {
			return onHead(Safe, c.Column.Pos, "Table %s takes 64 such instant changes; after them the server refuses the statement until OPTIMIZE TABLE has rebuilt it", c.Table.Name)
		}
	case diff.DropColumn:
		if c.Column.Generated == nil {
			return onBase(Safe, c.Column.Pos, "Table %s takes 64 such instant changes; after them the server refuses the statement until OPTIMIZE TABLE has rebuilt it", c.Table.Name)
		}
	}
	return nil
}}
