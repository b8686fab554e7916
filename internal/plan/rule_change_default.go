package plan

import (
	"slices"
	"strings"

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
	held := ""
	if p.mysql() && a.To.Default != nil && a.To.Default.Constant != "" {
		if held = heldBy(a.Table, a.To); held == "" {
			risk = Safe // no row is touched, and no writer that went through fails
		} else {
			held = "; " + held + ", so an INSERT that leaves the column out can fail with it"
		}
	}
	switch {
	case a.From.TypeCanon != a.To.TypeCanon && a.From.Default != nil && a.To.Default != nil && a.From.Default.Text == a.To.Default.Text:
		return nil // it is the same default in the new type
	case a.To.Default == nil:
		return onHead(Review, a.To.Pos, "Column %s.%s loses its default %s: an INSERT that leaves it out stores NULL or fails", a.Table.Name, a.To.Name, a.From.Default.Text)
	case a.From.Default == nil:
		return onHead(risk, a.To.Pos, "Column %s.%s gets the default %s for rows inserted from now on%s", a.Table.Name, a.To.Name, a.To.Default.Text, held)
	}
	return onHead(risk, a.To.Pos, "The default of %s.%s changes from %s to %s for rows inserted from now on%s", a.Table.Name, a.To.Name, a.From.Default.Text, a.To.Default.Text, held)
}}

func defaultCanon(c *schema.Column) string {
	if c.Default == nil {
		return ""
	}
	return c.Default.Canon
}

// heldBy says what a column's values are held to beside its type, in the words of MySQL's and MariaDB's canonical forms; empty = nothing.
func heldBy(t *schema.Table, c *schema.Column) string {
	quoted := "`" + strings.ReplaceAll(c.Key, "`", "``") + "`"
	names := func(canon string) bool { return strings.Contains(strings.ToLower(canon), quoted) }
	in := func(parts []schema.Part) bool {
		return slices.ContainsFunc(parts, func(p schema.Part) bool { return p.Column == c.Key || names(p.Expr) })
	}
	for _, k := range t.Constraints {
		switch {
		case k.Kind == schema.Check && names(k.Expr.Canon):
			return "the check " + label(k) + " is on it"
		case k.Kind == schema.ForeignKey && in(k.Columns):
			return "the foreign key " + label(k) + " wants a row of " + k.Ref.Name + " for it"
		case k.Kind == schema.PrimaryKey && in(k.Columns):
			return "it is in the primary key, which takes a value once"
		case k.Kind == schema.Unique && in(k.Columns):
			return "it is in the unique key " + label(k) + ", which takes a value once"
		}
	}
	for _, o := range t.Columns {
		if o.Generated != nil && names(o.Generated.Expr.Canon) {
			return "column " + o.Name + " is computed from it"
		}
	}
	for _, x := range t.Indexes {
		if slices.ContainsFunc(x.Parts, func(p schema.Part) bool { return names(p.Expr) }) {
			return "the index " + x.Name + " is computed from it"
		}
	}
	if slices.ContainsFunc(t.Options, func(o string) bool { return strings.HasPrefix(o, "partition by ") && names(o) }) {
		return "the table is partitioned by it"
	}
	return ""
}
