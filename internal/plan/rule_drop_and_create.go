package plan

import "github.com/altergate/altergate/internal/diff"

// dropAndCreate: the schema looks the same afterwards, and the values are gone.
var dropAndCreate = Rule{ID: "drop-and-create", Title: "something is dropped and made again", Check: func(_ *Pass, c diff.Change) []Finding {
	m, ok := c.(diff.MadeAgain)
	if !ok {
		return nil
	}
	return onHead(Destructive, m.Pos, "The %s %s is dropped, and made again at %s: the schema looks as before, and all that was in it is lost; alter it, or rename it and copy the rows", m.What, m.Name, m.Pos)
}}
