package plan

import (
	"github.com/altergate/altergate/internal/diff"
)

// replaceView: those who read it see other rows or values from then on.
var replaceView = Rule{ID: "replace-view", Title: "a view changes where it is", Check: func(_ *Pass, c diff.Change) []Finding {
	if v, ok := c.(diff.ReplaceView); ok {
		return onHead(Review, v.To.Pos, "View %s gives other rows or values to those who read it; its columns, and who may read it, stay", v.To.Name)
	}
	return nil
}}
