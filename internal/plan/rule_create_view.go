package plan

import (
	"github.com/altergate/altergate/internal/diff"
)

// createView: a view stores nothing, and one that does is filled from what is there.
var createView = Rule{ID: "create-view", Title: "a view is created", Check: func(p *Pass, c diff.Change) []Finding {
	if v, ok := c.(diff.CreateView); ok {
		if from := p.From.View(v.View.Key); from != nil && from.Canon == v.View.Canon {
			return onHead(Safe, v.View.Pos, "View %s comes back as it was", v.View.Name)
		}
		if v.View.Materialized {
			return onHead(Safe, v.View.Pos, "Materialized view %s is filled when it is made; it changes nothing that it reads", v.View.Name)
		}
		return onHead(Safe, v.View.Pos, "View %s stores nothing", v.View.Name)
	}
	return nil
}}
