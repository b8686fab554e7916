package plan

import "github.com/altergate/altergate/internal/diff"

// noEffect: a guard hides what a database may have that the migrations do not make.
var noEffect = Rule{ID: "no-effect", Title: "a statement finds nothing to do", Check: func(_ *Pass, c diff.Change) []Finding {
	n, ok := c.(diff.NoEffect)
	switch {
	case !ok:
		return nil
	case n.Drop:
		return onHead(Review, n.Pos, "The statement does nothing, since %s; a database that has one after all loses it", n.Text)
	}
	return onHead(Review, n.Pos, "The statement does nothing, since %s", n.Text)
}}
