package plan

import (
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// changeType: the dialect says whether values are converted. Where it is not certain that none is, they are.
var changeType = Rule{ID: "change-type", Title: "the type of a column changes", Check: func(p *Pass, c diff.Change) []Finding {
	a, ok := c.(diff.AlterColumn)
	if !ok || a.From.TypeCanon == a.To.TypeCanon {
		return nil
	}
	from := p.From.Table(a.Table.Key)
	if p.Planner.RowidName(a.Table) == a.To && !a.From.Required && (from == nil || p.Planner.RowidName(from) == nil) {
		return onHead(Review, a.To.Pos, "Column %s.%s becomes another name of the rowid: rows whose key is NULL get new numbers, and only integers can be stored", a.Table.Name, a.To.Name)
	}
	conversion, why := p.Planner.Converts(a.From, a.To)
	if conversion == Unchanged || conversion == Checked {
		risk := Review
		if conversion == Unchanged && !p.Step.Lock.Rewrite {
			risk = Safe // no row is touched
		}
		return onHead(risk, a.To.Pos, "The type of %s.%s changes from %s to %s: %s", a.Table.Name, a.To.Name, typeName(a.From), typeName(a.To), why)
	}
	return onHead(Destructive, a.To.Pos, "The type of %s.%s changes from %s to %s: %s", a.Table.Name, a.To.Name, typeName(a.From), typeName(a.To), why)
}}

func typeName(c *schema.Column) string {
	if c.Type == "" {
		return "no type"
	}
	return c.Type
}
