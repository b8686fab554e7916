package plan

import (
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// dropTrigger: what it did on writes is no longer done, unless it comes back in the same transaction.
var dropTrigger = Rule{ID: "drop-trigger", Title: "a trigger is dropped", Check: func(p *Pass, c diff.Change) []Finding {
	if t, ok := c.(diff.DropTrigger); ok {
		switch to := trigger(p.To, t.Trigger.Key); {
		case to == nil:
			return onBase(Review, t.Trigger.Pos, "What trigger %s did on writes to %s is no longer done", t.Trigger.Name, t.On)
		case to.Canon == t.Trigger.Canon:
			return onBase(Review, t.Trigger.Pos, "Trigger %s stands in the way of another step; it comes back as it was", t.Trigger.Name)
		default:
			return onBase(Review, t.Trigger.Pos, "Trigger %s comes back with another definition", t.Trigger.Name)
		}
	}
	return nil
}}

func trigger(s *schema.Schema, key string) *schema.Trigger {
	for _, t := range s.Triggers() {
		if t.Key == key {
			return t
		}
	}
	return nil
}
