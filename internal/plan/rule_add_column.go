package plan

import (
	"strings"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// addColumn: rows that exist read the default, or NULL. Whether they can (NOT NULL without a default) is decided before a plan is made.
var addColumn = Rule{ID: "add-column", Title: "a column is added", Check: func(p *Pass, c diff.Change) []Finding {
	a, ok := c.(diff.AddColumn)
	if !ok {
		return nil
	}
	if who := readers(p, a); who != "" {
		return onHead(Review, a.Column.Pos, "Column %s.%s is new, and %s can mean it without having been changed: a name, a star or a NATURAL join there takes it in", a.Table.Name, a.Column.Name, who)
	}
	switch {
	case a.Column.Generated != nil && a.Column.Generated.Stored && !p.Planner.Total(a.Column.Generated.Expr):
		return onHead(Review, a.Column.Pos, "Column %s.%s is computed from the others by an expression that can end in an error: a row for which it does stops the plan", a.Table.Name, a.Column.Name)
	case a.Column.Generated != nil && !p.Planner.Total(a.Column.Generated.Expr):
		return onHead(Review, a.Column.Pos, "Column %s.%s is computed from the others by an expression that can end in an error: a row for which it does can no longer be read whole", a.Table.Name, a.Column.Name)
	case a.Column.Generated != nil && a.Column.NotNull:
		return onHead(Review, a.Column.Pos, "Column %s.%s is computed from the others and NOT NULL: a row for which it gives NULL stops the plan", a.Table.Name, a.Column.Name)
	case a.Column.Generated != nil:
		return onHead(Safe, a.Column.Pos, "Column %s.%s is computed from the others", a.Table.Name, a.Column.Name)
	case a.Column.Default != nil && a.Column.Default.Constant != "null" && !p.Planner.Fills(a.Column):
		return onHead(Review, a.Column.Pos, "Rows that exist get the default %s in %s.%s, which is not certain to be a value of the column: where it ends in an error%s, the plan stops", a.Column.Default.Text, a.Table.Name, a.Column.Name, orNull(a.Column))
	case a.Column.Default != nil && a.Column.Default.Constant != "null":
		return onHead(Safe, a.Column.Pos, "Rows that exist get the default %s in %s.%s", a.Column.Default.Text, a.Table.Name, a.Column.Name)
	case a.Column.Identity != "":
		return onHead(Review, a.Column.Pos, "Rows that exist are numbered in %s.%s, in no order that means something", a.Table.Name, a.Column.Name)
	case a.Column == p.Planner.RowidName(a.Table):
		return onHead(Review, a.Column.Pos, "Rows that exist are numbered in %s.%s by their rowids", a.Table.Name, a.Column.Name)
	case a.Column.Required && p.mysql():
		return onHead(Review, a.Column.Pos, "Column %s.%s is NOT NULL and has no default: rows that exist get 0 or an empty value, and a date stops the plan where sql_mode has NO_ZERO_DATE", a.Table.Name, a.Column.Name)
	case a.Column.Required:
		return onHead(Review, a.Column.Pos, "Column %s.%s is NOT NULL and has no default: if the table holds rows, the plan stops there", a.Table.Name, a.Column.Name)
	default:
		return onHead(Safe, a.Column.Pos, "Rows that exist have NULL in %s.%s", a.Table.Name, a.Column.Name)
	}
}}

// orNull is the other way in which a default fails a column that takes no NULL.
func orNull(c *schema.Column) string {
	if c.Required {
		return " or gives NULL"
	}
	return ""
}

// readers names the unchanged views and triggers whose meaning a new column can change: those that read its table and hold its name, which
// meant something else so far, or take in whatever columns there are.
func readers(p *Pass, a diff.AddColumn) string {
	var who []string
	affected := func(u schema.Uses) bool { return u.Tables[a.Table.Key] && (u.Open || u.Words[a.Column.Key]) }
	for _, v := range p.To.Views {
		if old := p.From.View(v.Key); old != nil && old.Canon == v.Canon && affected(v.Uses) {
			who = append(who, "view "+v.Name)
		}
	}
	for _, t := range p.To.Triggers() {
		if old := trigger(p.From, t.Key); old != nil && old.Canon == t.Canon && affected(t.Uses) {
			who = append(who, "trigger "+t.Name)
		}
	}
	return strings.Join(who, ", ")
}
