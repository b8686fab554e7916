package plan

import (
	"github.com/altergate/altergate/internal/diff"
)

// hideIndex: a server that can hide an index from queries tells what its loss would do, and takes it back at once.
var hideIndex = Rule{ID: "hide-index", Title: "an index could be hidden before it is dropped", Check: func(p *Pass, c diff.Change) []Finding {
	d, ok := c.(diff.DropIndex)
	if !ok || !p.mysql() {
		return nil
	}
	if t := p.To.Table(d.Table.Key); t == nil || t.Index(d.Index.Key) != nil {
		return nil // it comes back, or the table goes
	}
	word := "INVISIBLE (MySQL 8.0)"
	if p.To.Dialect == "mariadb" {
		word = "IGNORED (MariaDB 10.6)"
	}
	return onBase(Safe, d.Index.Pos, "To see first whether a query needs the index %s, make it %s for a while, which is undone at once", d.Index.Name, word)
}}
