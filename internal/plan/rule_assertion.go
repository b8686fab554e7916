package plan

import (
	"github.com/altergate/altergate/internal/diff"
)

// assertion: it is checked when it is made, and at every write from then on; between its drop and its return nobody checks it.
var assertion = Rule{ID: "assertion", Title: "an assertion comes, goes or changes", Check: func(p *Pass, c diff.Change) []Finding {
	switch c := c.(type) {
	case diff.CreateObject:
		if c.Object.Kind != "assertion" {
			return nil
		}
		if from := p.From.Object("assertion", c.Object.Key); from != nil && from.Canon == c.Object.Canon {
			return onHead(Review, c.Object.Pos, "Assertion %s comes back as it was; what was written meanwhile can stop it", c.Object.Name)
		}
		return onHead(Review, c.Object.Pos, "Assertion %s is a condition on rows that are there and on all that are written from now on: those that break it fail", c.Object.Name)
	case diff.DropObject:
		if c.Object.Kind != "assertion" {
			return nil
		}
		if p.To.Object("assertion", c.Object.Key) != nil {
			return onBase(Review, c.Object.Pos, "Assertion %s is not checked until it comes back", c.Object.Name)
		}
		return onBase(Review, c.Object.Pos, "Without assertion %s rows can be written that it refused", c.Object.Name)
	}
	return nil
}}
