package plan

import (
	"github.com/altergate/altergate/internal/diff"
)

// rewrite: the engine writes all rows of a table again, and whoever reads or writes it waits. A rebuild has a rule of its own.
var rewrite = Rule{ID: "rewrite", Title: "all rows of a table are written again", Check: func(p *Pass, c diff.Change) []Finding {
	if !p.Step.Lock.Rewrite || p.Step.Kind == "rebuild_table" {
		return nil
	}
	switch c := c.(type) {
	case diff.AddColumn:
		return onHead(Review, c.Column.Pos, "Every row of table %s is written again to hold %s, while reads and writes wait", c.Table.Name, c.Column.Name)
	case diff.AlterColumn:
		return onHead(Review, c.To.Pos, "Every row of table %s is written again, while reads and writes wait", c.Table.Name)
	case diff.AlterOptions:
		return onHead(Review, c.To.Pos, "Every row of table %s is written again, while reads and writes wait", c.To.Name)
	case diff.AlterObject:
		return onHead(Review, c.To.Pos, "Every table with a column of type %s is written again, while reads and writes wait", c.To.Name)
	}
	return nil
}}
