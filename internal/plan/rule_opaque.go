package plan

import (
	"github.com/altergate/altergate/internal/diff"
)

// opaque: what cannot be read cannot be called safe, and what it holds is lost when it goes.
var opaque = Rule{ID: "opaque", Title: "an object known only by its text", Check: func(p *Pass, c diff.Change) []Finding {
	if r, ok := c.(diff.RunOpaque); ok {
		return onHead(Review, r.Pos, "The %s is not run here: it can do anything, to the schema and to rows", r.What)
	}
	o, ok := c.(diff.ReplaceOpaque)
	switch {
	case !ok:
	case o.From == nil:
		return onHead(Review, o.To.Pos, "The %s %s is new; it is known only by its text", o.To.Kind, o.To.Name)
	case o.To == nil:
		return onBase(Destructive, o.From.Pos, "The %s %s goes with all it holds", o.From.Kind, o.From.Name)
	default:
		return onHead(Destructive, o.To.Pos, "The %s %s is dropped with all it holds and made anew, empty", o.To.Kind, o.To.Name)
	}
	return nil
}}
