package plan

import (
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// changeDefault: rows that exist keep their values; writers that leave the column out store something else.
var changeDefault = Rule{ID: "change-default", Title: "the default of a column changes", Check: func(p *Pass, c diff.Change) []Finding {
	a, ok := c.(diff.AlterColumn)
	if !ok || defaultCanon(a.From) == defaultCanon(a.To) {
		return nil
	}
	risk := Review
	if p.mysql() && a.To.Default != nil && a.To.Default.Constant != "" {
		risk = Safe // no row is touched, and no writer that went through fails
	}
	switch {
	case a.From.TypeCanon != a.To.TypeCanon && a.From.Default != nil && a.To.Default != nil && a.From.Default.Text == a.To.Default.Text:
		return nil // it is the same default in the new type
	case a.To.Default == nil:
		return onHead(Review, a.To.Pos, "Column %s.%s loses its default %s: an INSERT that leaves it out stores NULL or fails", a.Table.Name, a.To.Name, a.From.Default.Text)
	case a.From.Default == nil:
		return onHead(risk, a.To.Pos, "Column %s.%s gets the default %s for rows inserted from now on", a.Table.Name, a.To.Name, a.To.Default.Text)
	}
	return onHead(risk, a.To.Pos, "The default of %s.%s changes from %s to %s for rows inserted from now on", a.Table.Name, a.To.Name, a.From.Default.Text, a.To.Default.Text)
}}

func defaultCanon(c *schema.Column) string {
	if c.Default == nil {
		return ""
	}
	return c.Default.Canon
}
