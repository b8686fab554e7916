package plan

import (
	"github.com/altergate/altergate/internal/diff"
)

// dropIndex: queries may become slow, and without a unique one duplicates become possible.
var dropIndex = Rule{ID: "drop-index", Title: "an index is dropped", Check: func(p *Pass, c diff.Change) []Finding {
	d, ok := c.(diff.DropIndex)
	switch {
	case !ok:
	case d.Index.Unique:
		return onBase(Review, d.Index.Pos, "Without the unique index %s duplicates become possible in %s", d.Index.Name, d.Table.Name)
	default:
		return onBase(Review, d.Index.Pos, "Queries on %s that use the index %s become slower", d.Table.Name, d.Index.Name)
	}
	return nil
}}
