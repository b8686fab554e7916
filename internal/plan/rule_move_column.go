package plan

import (
	"strings"

	"github.com/altergate/altergate/internal/diff"
)

// moveColumn: those who go by the order of columns get another.
var moveColumn = Rule{ID: "move-column", Title: "a column gets another place", Check: func(_ *Pass, c diff.Change) []Finding {
	a, ok := c.(diff.AlterColumn)
	if !ok || !moved(a) {
		return nil
	}
	_, place := placeIn(a.To.Canon)
	return onHead(Review, a.To.Pos, "Column %s.%s moves%s: programs that insert without naming columns, or read rows by position, put or find values in another column", a.Table.Name, a.To.Name, place)
}}

// moved tells whether a change of a column is one of its place: the planner ends both definitions with the place.
func moved(a diff.AlterColumn) bool {
	from, before := placeIn(a.From.Canon)
	to, after := placeIn(a.To.Canon)
	return from == to && before != "" && after != "" && before != after
}

// placeIn takes the place off the end of a definition: " first" or " after id".
func placeIn(canon string) (rest, place string) {
	if rest, ok := strings.CutSuffix(canon, " first"); ok {
		return rest, " to the front"
	}
	if i := strings.LastIndex(canon, " after "); i >= 0 && !strings.Contains(canon[i:], "'") {
		return canon[:i], " behind " + canon[i+len(" after "):]
	}
	return canon, ""
}
