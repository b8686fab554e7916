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

// uncompared tells of differences that make no step because the engine does not compare them (behaviours 26, 35, 100, 105).
func uncompared(renamed, head *Loaded) []schema.Notice {
	n := &notes{}
	for _, key := range sorted(head.catalog.tables) {
		from, to := renamed.catalog.tables[key], head.catalog.tables[key]
		switch {
		case to.managed() && from == nil:
			n.add(to.Pos(), "table %s is new and kept by the engine itself (%s), so that no step makes it", to.in.display(to.Name.Text), engineManaged)
		case from == nil || from.Written() == to.Written() && !to.managed():
		case to.managed() || from.managed():
			n.add(to.Pos(), "table %s is kept by the engine itself (%s), so that nothing is compared of it", to.in.display(to.Name.Text), engineManaged)
		default:
			n.table(from, to)
		}
	}
	for _, key := range sorted(renamed.catalog.tables) {
		if t := renamed.catalog.tables[key]; t.managed() && head.catalog.tables[key] == nil {
			n.notices = append(n.notices, schema.Notice{Side: schema.Base, Pos: t.Pos(), Text: fmt.Sprintf(
				"table %s is not declared any more; the engine keeps it for itself (%s), so that no step drops it", t.in.display(t.Name.Text), engineManaged)})
		}
	}
	n.seeds(renamed.catalog, head.catalog)
	for _, key := range sorted(head.catalog.logical) {
		if old := renamed.catalog.logical[key]; old != nil && old.Written() != head.catalog.logical[key].Written() {
			n.add(head.catalog.logical[key].Pos(), "the logical schema %s is another one than at the base; no statement makes the change, and applying the schema does", key)
		}
	}
	return n.notices
}

type notes struct{ notices []schema.Notice }

func (n *notes) add(at schema.Pos, format string, args ...any) {
	n.notices = append(n.notices, schema.Notice{Side: schema.Head, Pos: at, Text: fmt.Sprintf(format, args...)})
}

// table tells of one table that is on both sides.
func (n *notes) table(from, to *table) {
	name := to.in.display(to.Name.Text)
	switch {
	case from.sugar && !to.sugar:
		n.add(to.Pos(), "the columns of table %s are those of its query at the base; that their types, null, collations and key are what the head states is not compared, and no step is made of it", name)
	case to.sugar && !from.sugar:
		n.add(to.Pos(), "table %s keeps what its columns are declared with at the base (%s), for which a materialized view has no place; nothing of that is compared, and no step is made of it",
			name, strings.Join(append([]string{"types, null, collations, key"}, from.extras()...), ", "))
		return
	}
	before := map[string]fact{}
	for _, f := range from.facts() {
		before[f.key] = f
	}
	now := map[string]bool{}
	for _, f := range to.facts() {
		was, ok := before[f.key]
		for _, former := range f.former {
			if !ok {
				was, ok = before[former]
			}
		}
		now[f.key], now[was.key] = true, true
		if was.text != f.text && (ok || !f.bound) && (f.column == "" || from.column(f.column) != nil) {
			n.add(f.pos, "%s of table %s is now %s and was %s; the engine does not compare it in a table that exists, and no step is made of it", f.what, name, orNothing(f.text), orNothing(was.text))
		}
	}
	for _, f := range from.facts() {
		if !now[f.key] && f.text != "" && !f.bound && (f.column == "" || to.column(f.column) != nil) {
			n.add(to.Pos(), "%s of table %s was %s and is not said any more; the engine does not compare it in a table that exists, and no step is made of it", f.what, name, f.text)
		}
	}
	n.unsaid(from, to)
	if columnOrder(from, to) {
		n.add(to.Pos(), "the columns of table %s stand in another order in the database than in the head's text; no step is made of it", name)
	}
}

// unsaid tells of what columns do not say any more: the engine takes that for no wish to change it (behaviour 25).
func (n *notes) unsaid(from, to *table) {
	for _, c := range to.Columns {
		old := from.column(syntax.Fold(c.Name.Text))
		if old == nil {
			continue
		}
		name := to.in.display(to.Name.Text) + "." + c.Name.Text
		if c.Type == "" && old.Type != "" {
			n.add(c.Pos(), "the type of column %s was %s and is not said any more; the engine leaves the column as it is, and no step is made of it", name, old.Type)
		}
		if was := nullSaid(old); was != "" && !saysNull(c) {
			n.add(c.Pos(), "column %s was said to be %s and is not any more; the engine leaves the column as it is, and no step is made of it", name, was)
		}
	}
}

// nullSaid gives what a column says of null.
func nullSaid(c *syntax.Column) string {
	said := ""
	for _, k := range c.Constraints {
		switch k.Kind {
		case syntax.Null:
			said = "null"
		case syntax.NotNull:
			return "not null"
		}
	}
	return said
}

// seeds tells of rows that a schema has for a table, which only `apply schema` brings in (behaviour 105).
func (n *notes) seeds(base, head *catalog) {
	for _, key := range sorted(head.seeds) {
		old, now := base.seeds[key], head.seeds[key]
		switch {
		case old == nil:
			n.add(now.Pos(), "table %s is seeded with rows, and was not; `apply schema … with seed` brings them in, and no plan does", key)
		case syntax.PrintItem(old) != syntax.PrintItem(now):
			n.add(now.Pos(), "the rows that table %s is seeded with are others; `apply schema … with seed` brings them in, and no plan does", key)
		}
	}
	for _, key := range sorted(base.seeds) {
		if t := head.tables[key]; t != nil && head.seeds[key] == nil {
			n.add(t.Pos(), "table %s is not seeded with rows any more; those that it has stay, and no step is made of it", key)
		}
	}
}

func orNothing(text string) string {
	if text == "" {
		return "not said"
	}
	return text
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
