package plan

import "github.com/altergate/altergate/internal/diff"

// session: what only the connection sees.
var session = Rule{ID: "session", Title: "a statement changes neither the schema nor rows", Check: func(_ *Pass, c diff.Change) []Finding {
	if s, ok := c.(diff.RunSession); ok {
		return onHead(Safe, s.Pos, "%s changes neither the schema nor rows", s.What)
	}
	return nil
}}
