package plan

import (
	"github.com/altergate/altergate/internal/diff"
)

// createTrigger: it changes what a write does.
var createTrigger = Rule{ID: "create-trigger", Title: "a trigger is created", Check: func(p *Pass, c diff.Change) []Finding {
	if t, ok := c.(diff.CreateTrigger); ok {
		if from := trigger(p.From, t.Trigger.Key); from != nil && from.Canon == t.Trigger.Canon {
			return onHead(Review, t.Trigger.Pos, "Trigger %s comes back as it was", t.Trigger.Name)
		}
		return onHead(Review, t.Trigger.Pos, "Trigger %s runs on writes to %s from now on", t.Trigger.Name, t.On)
	}
	return nil
}}
