package plan

import (
	"github.com/altergate/altergate/internal/diff"
)

// dropView: those who read it fail, unless it comes back in the same transaction.
var dropView = Rule{ID: "drop-view", Title: "a view is dropped", Check: func(p *Pass, c diff.Change) []Finding {
	if v, ok := c.(diff.DropView); ok {
		switch to := p.To.View(v.View.Key); {
		case to == nil:
			return onBase(Review, v.View.Pos, "Those who read view %s fail", v.View.Name)
		case to.Canon == v.View.Canon:
			return onBase(Review, v.View.Pos, "View %s stands in the way of another step; it comes back as it was", v.View.Name)
		default:
			return onBase(Review, v.View.Pos, "View %s comes back with another definition", v.View.Name)
		}
	}
	return nil
}}
