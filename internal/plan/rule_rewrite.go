package plan

import (
	"fmt"

	"github.com/altergate/altergate/internal/diff"
)

// rewrite: the engine writes all rows of a table again, and the step's lock says who waits. A rebuild and a copy have rules of their own.
var rewrite = Rule{ID: "rewrite", Title: "all rows of a table are written again", Check: func(p *Pass, c diff.Change) []Finding {
	if !p.Step.Lock.Rewrite || p.Step.Kind == "rebuild_table" {
		return nil
	}
	meanwhile := p.Step.Lock.meanwhile()
	if p.mysql() {
		return rebuiltInPlace(p, c)
	}
	switch c := c.(type) {
	case diff.AddColumn:
		return onHead(Review, c.Column.Pos, "Every row of table %s is written again to hold %s, %s", c.Table.Name, c.Column.Name, meanwhile)
	case diff.AlterColumn:
		return onHead(Review, c.To.Pos, "Every row of table %s is written again, %s", c.Table.Name, meanwhile)
	case diff.AlterOptions:
		return onHead(Review, c.To.Pos, "Every row of table %s is written again, %s", c.To.Name, meanwhile)
	case diff.AlterObject:
		return onHead(Review, c.To.Pos, "Every table with a column of type %s is written again, %s", c.To.Name, meanwhile)
	}
	return nil
}}

// rebuiltInPlace is ALGORITHM=INPLACE with a rebuild, said once of a step.
func rebuiltInPlace(p *Pass, c diff.Change) []Finding {
	table, side, pos, ok := changed(c)
	if !ok || !p.first || p.Step.Lock.copies() {
		return nil
	}
	return []Finding{{Risk: Review, Side: side, Pos: pos, Text: fmt.Sprintf("Every row of table %s is written again in place, %s: that takes as long as its rows are many, and its size in free space", table, p.Step.Lock.meanwhile())}}
}
