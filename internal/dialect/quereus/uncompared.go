package quereus

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/dialect/quereus/syntax"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// unaddressed refuses changes of a table that no statement of the engine makes, and that its differ passes over (behaviour 26): an
// unnamed constraint, the expression of a generated column, the module of a table.
func unaddressed(renamed, head *Loaded, changes []diff.Change) error {
	u := &refusals{head: head}
	for _, c := range changes {
		switch c := c.(type) {
		case diff.AddConstraint:
			from := renamed.schema.Table(c.Table.Key)
			if c.Constraint.Name == "" && c.Constraint.Kind != schema.PrimaryKey && (c.Constraint.Owner == "" || from.Column(c.Constraint.Owner) != nil) {
				u.refuse(schema.Head, c.Constraint.Pos, "%s of table %s is new or changed and has no name; give it one (`constraint <name> …`), for the engine changes only those in a table that exists", what(c.Constraint), c.Table.Name)
			}
		case diff.DropConstraint:
			to := head.schema.Table(c.Table.Key)
			if c.Constraint.Name == "" && c.Constraint.Kind != schema.PrimaryKey && (c.Constraint.Owner == "" || to.Column(c.Constraint.Owner) != nil) {
				u.refuse(schema.Base, c.Constraint.Pos, "%s of table %s goes or changes and has no name, so that no statement can drop it; keep it as it was, or make the table anew under another name", what(c.Constraint), c.Table.Name)
			}
		case diff.AlterColumn:
			u.generated(c)
		case diff.DropColumn:
			u.heldByEngine(renamed.catalog, c)
		case diff.AlterOptions:
			if usingOf(c.From) != usingOf(c.To) && (maintainedOf(c.From) == "" || maintainedOf(c.To) == "") {
				u.refuse(schema.Head, c.To.Pos, "table %s would have to move to another module (%s, now %s); the engine moves no table that exists, so make one of another name and copy the rows",
					c.To.Name, said(usingOf(c.To)), said(usingOf(c.From)))
			}
		}
	}
	return errors.Join(u.errs...)
}

type refusals struct {
	head *Loaded
	errs []error
}

func (u *refusals) refuse(side schema.Side, at schema.Pos, format string, args ...any) {
	u.errs = append(u.errs, &schema.Error{Side: side, Pos: at, Kind: schema.KindTransition, Text: fmt.Sprintf(format, args...)})
}

// heldByEngine refuses to drop a column that a constraint names which no statement drops, because its name is of the engine's kind.
func (u *refusals) heldByEngine(c *catalog, d diff.DropColumn) {
	t := c.tables[d.Table.Key]
	for _, k := range t.allConstraints() {
		if !engineMade(k) || slices.Contains(t.column(d.Column.Key).Constraints, k) {
			continue
		}
		named := slices.ContainsFunc(k.Columns, func(part *syntax.KeyColumn) bool { return syntax.Fold(part.Name.Text) == d.Column.Key })
		if k.Expr != nil {
			named = named || slices.ContainsFunc(k.Expr.Uses(syntax.Fold(t.Name.Text), c.relations(t.in)), func(use syntax.Use) bool { return use.Column == d.Column.Key })
		}
		if named {
			u.refuse(schema.Base, d.Column.Pos, "column %s.%s goes, and constraint %s names it, which the engine takes for one of its own and does not drop; keep the column", d.Table.Name, d.Column.Name, k.Name.Text)
		}
	}
}

func (u *refusals) generated(c diff.AlterColumn) {
	before, after := generatedText(c.From), generatedText(c.To)
	if before != after {
		u.refuse(schema.Head, c.To.Pos, "column %s.%s changes from %s to %s, and no statement changes that; add a column of another name and drop this one", c.Table.Name, c.To.Name, before, after)
	}
}

func generatedText(c *schema.Column) string {
	switch {
	case c.Generated == nil:
		return "one that is stored as written"
	case c.Generated.Stored:
		return "generated always as (" + c.Generated.Expr.Text + ") stored"
	}
	return "generated always as (" + c.Generated.Expr.Text + ")"
}

// what names an unnamed constraint for people.
func what(k *schema.Constraint) string {
	switch k.Kind {
	case schema.Check:
		return "the check (" + k.Expr.Text + ")"
	case schema.ForeignKey:
		return "the foreign key to " + k.Ref.Name
	}
	return "the unique constraint on (" + strings.Join(k.ColumnKeys(), ", ") + ")"
}

func option(t *schema.Table, prefix string) string {
	for _, o := range t.Options {
		if rest, ok := strings.CutPrefix(o, prefix); ok {
			return rest
		}
	}
	return ""
}

func usingOf(t *schema.Table) string      { return option(t, usingOption) }
func maintainedOf(t *schema.Table) string { return option(t, maintainedOption) }

func said(module string) string {
	if module == "" {
		return "memory"
	}
	return module
}

// fact is something that a declaration says and that the engine's differ does not look at.
type fact struct {
	what, text string
	pos        schema.Pos
}

// uncompared tells of differences that make no step because the engine does not compare them (behaviours 26, 35, 105).
func uncompared(renamed, head *Loaded) []schema.Notice {
	var notices []schema.Notice
	note := func(at schema.Pos, format string, args ...any) {
		notices = append(notices, schema.Notice{Side: schema.Head, Pos: at, Text: fmt.Sprintf(format, args...)})
	}
	for _, key := range sorted(head.catalog.tables) {
		from, to := renamed.catalog.tables[key], head.catalog.tables[key]
		if from == nil || from.Written() == to.Written() && !to.managed() {
			continue
		}
		if to.managed() || from.managed() {
			note(to.Pos(), "table %s is kept by the engine itself (%s), so that nothing is compared of it", to.in.display(to.Name.Text), engineManaged)
			continue
		}
		before := map[string]string{}
		for _, f := range from.facts() {
			before[f.what] = f.text
		}
		now := map[string]bool{}
		for _, f := range to.facts() {
			now[f.what] = true
			if was := before[f.what]; was != f.text {
				note(f.pos, "%s of table %s is now %s and was %s; the engine does not compare it in a table that exists, and no step is made of it", f.what, to.in.display(to.Name.Text), orNothing(f.text), orNothing(was))
			}
		}
		for _, f := range from.facts() {
			if !now[f.what] && f.text != "" && to.keeps(f.what) {
				note(to.Pos(), "%s of table %s was %s and is not said any more; the engine does not compare it in a table that exists, and no step is made of it", f.what, to.in.display(to.Name.Text), f.text)
			}
		}
		if order := columnOrder(from, to); order {
			note(to.Pos(), "the columns of table %s stand in another order in the database than in the head's text; no step is made of it", to.in.display(to.Name.Text))
		}
	}
	for _, key := range sorted(head.catalog.seeds) {
		if old := renamed.catalog.seeds[key]; old != nil && syntax.PrintItem(old) != syntax.PrintItem(head.catalog.seeds[key]) {
			note(head.catalog.seeds[key].Pos(), "the rows that table %s is seeded with are others; `apply schema … with seed` brings them in, and no plan does", key)
		}
	}
	for _, key := range sorted(head.catalog.logical) {
		if old := renamed.catalog.logical[key]; old != nil && old.Written() != head.catalog.logical[key].Written() {
			note(head.catalog.logical[key].Pos(), "the logical schema %s is another one than at the base; no statement makes the change, and applying the schema does", key)
		}
	}
	return notices
}

func orNothing(text string) string {
	if text == "" {
		return "not said"
	}
	return text
}

// keeps tells whether what a fact is about is still there: a fact of a column that went is no difference.
func (t *table) keeps(what string) bool {
	_, name, ok := strings.Cut(what, " of column ")
	return !ok || t.column(syntax.Fold(name)) != nil
}

// facts lists what the engine does not compare. Of an unnamed constraint it is part of the constraint, which is compared.
func (t *table) facts() []fact {
	var facts []fact
	add := func(at schema.Pos, text, format string, args ...any) {
		facts = append(facts, fact{fmt.Sprintf(format, args...), text, at})
	}
	of := func(k *syntax.Constraint, column string) {
		name := syntax.Fold(k.Name.Text)
		switch {
		case k.Kind == syntax.PrimaryKey:
			add(k.Pos(), k.Name.Text, "the name of the primary key")
			add(k.Pos(), conflict(k), "the conflict action of the primary key")
		case k.Kind == syntax.NotNull || k.Kind == syntax.Null:
			if c := conflict(k); c != "" {
				add(k.Pos(), c, "the conflict action of not null of column %s", column)
			}
		case k.Kind == syntax.ForeignKey && name != "":
			add(k.Pos(), deferrable(k.Foreign), "whether it can be deferred, of constraint %s", name)
		}
		if _, ok := constraintKinds[k.Kind]; ok && engineMade(k) {
			add(k.Pos(), syntax.ConstraintBody(k, column, t.in.key), "constraint %s, which has a name of the engine's kind,", name)
		}
	}
	for _, c := range t.Columns {
		for _, k := range c.Constraints {
			of(k, syntax.Fold(c.Name.Text))
		}
	}
	for _, k := range t.Constraints {
		of(k, "")
	}
	for _, v := range t.Context {
		text := v.Type
		if v.Null {
			text += " null"
		}
		add(t.Pos(), strings.TrimSpace(text)+" in the context", "the variable %s", v.Name.Text)
	}
	return facts
}

func conflict(k *syntax.Constraint) string {
	if k.Conflict == "abort" {
		return ""
	}
	return k.Conflict
}

func deferrable(f *syntax.ForeignTable) string {
	switch {
	case f.Deferrable == syntax.DeferrableYes && f.Initially == "deferred":
		return "deferrable initially deferred"
	case f.Deferrable == syntax.DeferrableYes:
		return "deferrable"
	}
	return ""
}

// columnOrder tells whether the columns that a table has after the plan stand in another order than they are written.
func columnOrder(from, to *table) bool {
	if from.sugar || to.sugar {
		return false
	}
	var after, written []string
	for _, c := range from.Columns {
		if key := syntax.Fold(c.Name.Text); to.column(key) != nil {
			after = append(after, key)
		}
	}
	for _, c := range to.Columns {
		key := syntax.Fold(c.Name.Text)
		written = append(written, key)
		if from.column(key) == nil {
			after = append(after, key)
		}
	}
	return !slices.Equal(after, written)
}
