package quereus

import (
	"fmt"
	"slices"

	"github.com/altergate/altergate/internal/dialect/quereus/syntax"
)

// alter carries out one ALTER TABLE.
func (c *catalog) alter(t *table, action syntax.Action) error {
	switch a := action.(type) {
	case syntax.RenameTable:
		if err := c.free(t.in, "name", a.To); err != nil && t.in.object(a.To.Text) != t.key() {
			return err
		}
		c.rename(names{map[string]string{t.key(): a.To.Text}, nil}, true)
		return nil
	case syntax.RenameColumn:
		return c.renameColumn(t, a)
	case syntax.AddColumn:
		if t.column(syntax.Fold(a.Column.Name.Text)) != nil {
			return fmt.Errorf("table %s has a column %s", t.Name.Text, a.Column.Name.Text)
		}
		t.Columns = append(t.Columns, a.Column)
		return c.names(t, &table{Table: &syntax.Table{Name: t.Name, Columns: []*syntax.Column{a.Column}}, in: t.in})
	case syntax.DropColumn:
		return c.dropColumn(t, a.Name)
	case syntax.AddConstraint, syntax.DropConstraint, syntax.RenameConstraint, syntax.AlterPrimaryKey:
		return c.alterConstraint(t, action)
	case syntax.SetMaintained:
		if err := c.bound("table "+t.Name.Text, &body{in: t.in, query: a.Maintained.Query}); err != nil {
			return err
		}
		t.Maintained = a.Maintained
		return nil
	case syntax.DropMaintained:
		if t.Maintained == nil {
			return fmt.Errorf("table %s is not maintained", t.Name.Text)
		}
		t.Maintained = nil
		return nil
	case syntax.TagsAction:
		return t.alterTags(a)
	}
	if a, ok := action.(syntax.SetCollation); ok {
		c.keepCollation(t, a.Column)
	}
	return t.alterColumn(action)
}

// keepCollation writes into indexes over a column the collation that they have from it: it was decided when they were made.
func (c *catalog) keepCollation(t *table, name syntax.Name) {
	column := t.column(syntax.Fold(name.Text))
	if column == nil {
		return
	}
	had := "BINARY"
	for _, k := range column.Constraints {
		if k.Kind == syntax.Collate {
			had = k.Collation
		}
	}
	for _, x := range c.indexes {
		for _, part := range x.Columns {
			if x.on == t.key() && part.Collation == "" && syntax.Fold(part.Name.Text) == syntax.Fold(name.Text) {
				part.Collation = had
			}
		}
	}
}

func (c *catalog) renameColumn(t *table, a syntax.RenameColumn) error {
	from, to := syntax.Fold(a.From.Text), syntax.Fold(a.To.Text)
	if t.column(from) == nil {
		return fmt.Errorf("table %s has no column %s", t.Name.Text, a.From.Text)
	}
	if from != to && t.column(to) != nil {
		return fmt.Errorf("table %s already has a column %s", t.Name.Text, a.To.Text)
	}
	c.rename(names{nil, map[string]map[string]string{t.key(): {from: a.To.Text}}}, true)
	return nil
}

// dropColumn wants nothing to name a column that goes. What is written inside it goes with it.
func (c *catalog) dropColumn(t *table, name syntax.Name) error {
	key := syntax.Fold(name.Text)
	column := t.column(key)
	if column == nil {
		return fmt.Errorf("table %s has no column %s", t.Name.Text, name.Text)
	}
	if !t.defaultKey() && slices.Contains(t.primaryKey().ColumnKeys(), key) {
		return fmt.Errorf("column %s.%s is part of the primary key", t.Name.Text, name.Text)
	}
	if err := c.unnamed(t, key); err != nil {
		return err
	}
	t.Columns = slices.DeleteFunc(t.Columns, func(other *syntax.Column) bool { return other == column })
	return nil
}

// unnamed wants no index, no constraint and no body, but those inside the column itself, to name a column.
func (c *catalog) unnamed(t *table, key string) error {
	for _, name := range sorted(c.indexes) {
		x := c.indexes[name]
		if x.on == t.key() && slices.ContainsFunc(x.Columns, func(p *syntax.IndexColumn) bool { return syntax.Fold(p.Name.Text) == key }) {
			return fmt.Errorf("index %s names the column %s.%s, which goes", x.Name.Text, t.Name.Text, key)
		}
	}
	rest := *t.Table
	rest.Columns = slices.DeleteFunc(slices.Clone(t.Columns), func(other *syntax.Column) bool { return syntax.Fold(other.Name.Text) == key })
	others := &table{&rest, t.in, t.sugar}
	for _, k := range t.Constraints {
		if slices.ContainsFunc(k.Columns, func(p *syntax.KeyColumn) bool { return syntax.Fold(p.Name.Text) == key }) {
			return fmt.Errorf("a constraint of table %s names the column %s, which goes", t.Name.Text, key)
		}
	}
	for _, b := range others.bodies() {
		if !b.expr.Names(key) {
			continue
		}
		for _, u := range b.uses(c.relations(t.in)) {
			if u.Column == key && c.resolve(t.in, u.Schema, u.Relation) == t.key() {
				return fmt.Errorf("%s %s names the column %s.%s, which goes", b.kind, b.name, t.Name.Text, key)
			}
		}
	}
	return nil
}

// defaultKey tells whether a table names no primary key, so that all its columns are it.
func (t *table) defaultKey() bool {
	return !slices.ContainsFunc(t.allConstraints(), func(k *syntax.Constraint) bool { return k.Kind == syntax.PrimaryKey })
}

// names wants what a new part of a table names to be there.
func (c *catalog) names(t, part *table) error {
	c.changed()
	for _, k := range part.allConstraints() {
		for _, column := range k.Columns {
			if t.column(syntax.Fold(column.Name.Text)) == nil {
				return fmt.Errorf("a constraint of table %s names the column %s, which is not there", t.Name.Text, column.Name.Text)
			}
		}
	}
	for _, b := range part.bodies() {
		if err := c.bound(b.kind+" "+b.name, b); err != nil {
			return err
		}
	}
	return nil
}

func (c *catalog) alterConstraint(t *table, action syntax.Action) error {
	switch a := action.(type) {
	case syntax.AddConstraint:
		if name := a.Constraint.Name.Text; name != "" && t.constraint(name) != nil {
			return fmt.Errorf("table %s has a constraint %s", t.Name.Text, name)
		}
		t.Constraints = append(t.Constraints, a.Constraint)
		if f := a.Constraint.Foreign; f != nil {
			if parent := c.tables[t.parent(a.Constraint)]; parent != nil && !parent.sugar {
				for _, column := range f.Columns {
					if parent.column(syntax.Fold(column.Text)) == nil {
						return fmt.Errorf("constraint %s names the column %s.%s, which is not there", a.Constraint.Name.Text, f.Table.Text, column.Text)
					}
				}
			}
		}
		return c.names(t, &table{Table: &syntax.Table{Name: t.Name, Constraints: []*syntax.Constraint{a.Constraint}}, in: t.in})
	case syntax.DropConstraint:
		k := t.constraint(a.Name.Text)
		if k == nil {
			return fmt.Errorf("table %s has no constraint %s", t.Name.Text, a.Name.Text)
		}
		t.remove(func(other *syntax.Constraint) bool { return other == k })
	case syntax.RenameConstraint:
		k := t.constraint(a.From.Text)
		if k == nil {
			return fmt.Errorf("table %s has no constraint %s", t.Name.Text, a.From.Text)
		}
		if other := t.constraint(a.To.Text); other != nil && other != k {
			return fmt.Errorf("table %s has a constraint %s", t.Name.Text, a.To.Text)
		}
		k.Name.Text = a.To.Text
	case syntax.AlterPrimaryKey:
		for _, part := range a.Columns {
			if t.column(syntax.Fold(part.Name.Text)) == nil {
				return fmt.Errorf("table %s has no column %s", t.Name.Text, part.Name.Text)
			}
		}
		t.remove(func(k *syntax.Constraint) bool { return k.Kind == syntax.PrimaryKey })
		t.Constraints = append(t.Constraints, &syntax.Constraint{Kind: syntax.PrimaryKey, Columns: a.Columns})
	}
	return nil
}

// remove takes constraints away, wherever they are written. A column that was the key stays as it is: not null.
func (t *table) remove(gone func(*syntax.Constraint) bool) {
	t.Constraints = slices.DeleteFunc(t.Constraints, gone)
	for _, column := range t.Columns {
		key := slices.ContainsFunc(column.Constraints, func(k *syntax.Constraint) bool { return gone(k) && k.Kind == syntax.PrimaryKey })
		column.Constraints = slices.DeleteFunc(column.Constraints, gone)
		if key {
			without(column, syntax.Null)
		}
	}
}

// constraint finds a named constraint that statements can name.
func (t *table) constraint(name string) *syntax.Constraint {
	for _, k := range t.allConstraints() {
		if _, ok := constraintKinds[k.Kind]; ok && k.Name.Text != "" && syntax.Fold(k.Name.Text) == syntax.Fold(name) {
			return k
		}
	}
	return nil
}

// alterColumn changes what is said of one column.
func (t *table) alterColumn(action syntax.Action) error {
	var name syntax.Name
	var change func(*syntax.Column)
	switch a := action.(type) {
	case syntax.SetType:
		name, change = a.Column, func(c *syntax.Column) { c.Type = a.Type }
	case syntax.SetDefault:
		name, change = a.Column, func(c *syntax.Column) {
			without(c, syntax.Default)
			c.Constraints = append(c.Constraints, &syntax.Constraint{Kind: syntax.Default, Inline: true, Expr: a.Value})
		}
	case syntax.DropDefault:
		name, change = a.Column, func(c *syntax.Column) { without(c, syntax.Default) }
	case syntax.SetNotNull:
		name, change = a.Column, func(c *syntax.Column) { without(c, syntax.Null) }
	case syntax.DropNotNull:
		name, change = a.Column, func(c *syntax.Column) {
			without(c, syntax.Null, syntax.NotNull)
			c.Constraints = append(c.Constraints, &syntax.Constraint{Kind: syntax.Null, Inline: true})
		}
	case syntax.SetCollation:
		name, change = a.Column, func(c *syntax.Column) {
			without(c, syntax.Collate)
			c.Constraints = append(c.Constraints, &syntax.Constraint{Kind: syntax.Collate, Inline: true, Collation: a.Collation})
		}
	default:
		return fmt.Errorf("a %T is no change of a table", action)
	}
	c := t.column(syntax.Fold(name.Text))
	if c == nil {
		return fmt.Errorf("table %s has no column %s", t.Name.Text, name.Text)
	}
	change(c)
	return nil
}

// without takes constraints of some kinds away from a column.
func without(c *syntax.Column, kinds ...syntax.ConstraintKind) {
	c.Constraints = slices.DeleteFunc(c.Constraints, func(k *syntax.Constraint) bool { return slices.Contains(kinds, k.Kind) })
}

func (t *table) alterTags(a syntax.TagsAction) error {
	switch {
	case a.Column.Text != "":
		c := t.column(syntax.Fold(a.Column.Text))
		if c == nil {
			return fmt.Errorf("table %s has no column %s", t.Name.Text, a.Column.Text)
		}
		return alterTags(&c.Tags, a)
	case a.Constraint.Text != "":
		k := t.constraint(a.Constraint.Text)
		if k == nil {
			return fmt.Errorf("table %s has no constraint %s", t.Name.Text, a.Constraint.Text)
		}
		return alterTags(&k.Tags, a)
	}
	return alterTags(&t.Tags, a)
}
