package plan

import (
	"strings"

	"github.com/altergate/altergate/internal/diff"
)

// partition: a partition that is made keeps everybody from its parent, which is there and in use.
var partition = Rule{ID: "partition", Title: "a table becomes a partition of one in use", Check: func(p *Pass, c diff.Change) []Finding {
	t, ok := c.(diff.CreateTable)
	if !ok {
		return nil
	}
	for _, o := range t.Table.Options {
		rest, is := strings.CutPrefix(o, "partition of ")
		parent, _, _ := strings.Cut(rest, " ")
		if is && p.From.Table(parent) != nil {
			return onHead(Review, t.Table.Pos, "Making partition %s locks %s against reads and writes, and rows of its default partition that belong in the new one stop the plan", t.Table.Name, parent)
		}
	}
	return nil
}}
