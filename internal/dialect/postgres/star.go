package postgres

import (
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/dialect/postgres/bind"
	"github.com/altergate/altergate/internal/dialect/postgres/catalog"
	"github.com/altergate/altergate/internal/diff"
)

// spellStars writes out * in a view's query where the columns of a table stand, or may stand, in another order in the database than in
// the head's text: PostgreSQL adds columns behind all others, and a view keeps the order in which * gave them.
func (w *work) spellStars(v *view) {
	if v.Statement == nil {
		return
	}
	start := strings.LastIndex(v.Statement.Text, v.Text)
	if start < 0 {
		return
	}
	text := v.Text
	stars := slices.Clone(v.stars)
	slices.SortFunc(stars, func(a, b bind.Star) int { return b.Offset - a.Offset })
	for _, star := range stars {
		from := star.Offset - start
		if from < 0 || from >= len(text) || !slices.ContainsFunc(star.Tables, w.mayStandOtherwise) {
			continue
		}
		if n := starLength(text[from:]); n > 0 {
			text = text[:from] + strings.Join(star.Columns, ", ") + text[from+n:]
		}
	}
	spelled := *v.View
	spelled.Text = text
	v.View = &spelled
}

// starLength gives the length of * or t.* at the beginning of a text, 0 where there is none.
func starLength(text string) int {
	quoted := false
	for i, c := range text {
		switch {
		case c == '"':
			quoted = !quoted
		case c == '*' && !quoted:
			return i + 1
		case !quoted && strings.ContainsRune(",();", c):
			return 0
		}
	}
	return 0
}

// mayStandOtherwise tells whether a table's columns are not certain to be in the head's order after the plan.
func (w *work) mayStandOtherwise(table string) bool {
	from, to := w.From.details.tables[table], w.To.details.tables[table]
	if from == nil || to == nil {
		return false
	}
	var after, fresh []string
	for _, c := range from.Columns {
		switch {
		case !hasColumn(to, c.Name):
		case w.standsAgain(c.Name):
			fresh = append(fresh, c.Name)
		default:
			after = append(after, c.Name)
		}
	}
	for _, c := range to.Columns {
		if !hasColumn(from, c.Name) {
			fresh = append(fresh, c.Name)
		}
	}
	after = append(after, fresh...)
	return len(fresh) > 1 || !slices.EqualFunc(after, to.Columns, func(name string, c *catalog.Column) bool { return name == c.Name })
}

func hasColumn(t *catalog.Table, name string) bool {
	return slices.ContainsFunc(t.Columns, func(c *catalog.Column) bool { return c.Name == name })
}

// standsAgain tells whether a column of that name, of any table, is made again, and so stands behind all others.
func (w *work) standsAgain(name string) bool {
	for id, c := range w.changes.alters {
		if c, ok := c.(diff.AlterColumn); ok && c.To.Key == name && (w.changes.rebuilt[id] || w.madeAgain(c)) {
			return true
		}
	}
	return false
}
