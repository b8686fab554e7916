package plan

import (
	"fmt"

	"github.com/altergate/altergate/internal/diff"
)

// copyTable: ALGORITHM=COPY writes every row into a new table, and no row can be written meanwhile. It is said once of a step.
var copyTable = Rule{ID: "copy-table", Title: "a table is copied and writes wait", Check: func(p *Pass, c diff.Change) []Finding {
	if !p.mysql() || !p.first || !p.Step.Lock.copies() {
		return nil
	}
	table, side, pos, ok := changed(c)
	if !ok {
		return nil
	}
	return []Finding{{Risk: Review, Side: side, Pos: pos, Text: fmt.Sprintf("Table %s is copied into a new one (ALGORITHM=COPY), %s: that takes as long as its rows are many, and its size in free space", table, p.Step.Lock.meanwhile())}}
}}
