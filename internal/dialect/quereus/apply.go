package quereus

import (
	"errors"
	"fmt"
	"slices"

	"github.com/altergate/altergate/internal/dialect/quereus/syntax"
)

// apply carries out one statement that changes the schema. What it finds wrong is what the engine would refuse.
func (c *catalog) apply(s syntax.Statement) error {
	if !renames(s) {
		c.mentions = nil
	}
	if s, ok := s.(*syntax.Create); ok {
		return c.create(s)
	}
	defer c.changed()
	switch s := s.(type) {
	case *syntax.Drop:
		return c.drop(s)
	case *syntax.AlterTable:
		t := c.tables[c.space(s.Schema).object(s.Name.Text)]
		if t == nil {
			return fmt.Errorf("there is no table %s", s.Name.Text)
		}
		return c.alter(t, s.Action)
	case *syntax.AlterObject:
		return c.alterObject(s)
	}
	return fmt.Errorf("a %T changes no schema", s)
}

// renames tells whether a statement changes nothing but the name of a table or a column.
func renames(s syntax.Statement) bool {
	a, ok := s.(*syntax.AlterTable)
	if !ok {
		return false
	}
	switch a.Action.(type) {
	case syntax.RenameTable, syntax.RenameColumn:
		return true
	}
	return false
}

// space gives the schema that a name in a statement is in.
func (c *catalog) space(name syntax.Name) *space {
	if name.Text == "" {
		name.Text = mainSchema
	}
	in := newSpace(name)
	if known := c.spaces[in.key]; known != nil {
		return known
	}
	c.spaces[in.key] = in
	return in
}

func (c *catalog) create(s *syntax.Create) error {
	var in *space
	switch item := s.Item.(type) {
	case *syntax.Table:
		in = c.space(item.Schema)
	case *syntax.View:
		in = c.space(item.Schema)
	case *syntax.Index:
		in = c.space(item.Schema)
		if item.Schema.Text == "" {
			in = c.space(item.TableSchema)
		}
	case *syntax.Assertion:
		in = c.space(item.Schema)
	default:
		return fmt.Errorf("a %T cannot be created", item)
	}
	if err := c.add(in, s.Item); err != nil {
		return err
	}
	return c.bindsNow(in, s.Item)
}

func (c *catalog) drop(s *syntax.Drop) error {
	key := c.space(s.Schema).object(s.Name.Text)
	missing := func() error {
		if s.IfExists {
			return nil
		}
		return fmt.Errorf("there is no %s %s", s.Kind, s.Name.Text)
	}
	switch s.Kind {
	case syntax.KindTable, syntax.KindMaterializedView:
		if c.tables[key] == nil {
			return missing()
		}
		if err := c.droppable(key); err != nil {
			return err
		}
		delete(c.tables, key)
		for _, x := range sorted(c.indexes) {
			if c.indexes[x].on == key {
				delete(c.indexes, x)
			}
		}
	case syntax.KindView:
		if c.views[key] == nil {
			return missing()
		}
		if err := c.unasserted(key, s.Name); err != nil {
			return err
		}
		delete(c.views, key)
	case syntax.KindIndex:
		if c.indexes[key] == nil {
			return missing()
		}
		delete(c.indexes, key)
	case syntax.KindAssertion:
		if c.assertions[key] == nil {
			return missing()
		}
		delete(c.assertions, key)
	default:
		return fmt.Errorf("a %s cannot be dropped", s.Kind)
	}
	return nil
}

// droppable wants nothing to depend on a table that goes: no foreign key of another table, no assertion.
func (c *catalog) droppable(key string) error {
	for _, other := range sorted(c.tables) {
		t := c.tables[other]
		if other == key {
			continue
		}
		for _, k := range t.allConstraints() {
			if k.Foreign != nil && t.parent(k) == key {
				return fmt.Errorf("table %s still references %s", other, key)
			}
		}
	}
	return c.unasserted(key, c.tables[key].Name)
}

func (c *catalog) unasserted(key string, name syntax.Name) error {
	folded := syntax.Fold(name.Text)
	for _, other := range sorted(c.assertions) {
		if a := c.assertions[other]; a.Check.Names(folded) && slices.Contains(c.reads(a.in, a.Check), key) {
			return fmt.Errorf("assertion %s still names %s", other, key)
		}
	}
	return nil
}

// reads gives the keys of the relations that an expression reads.
func (c *catalog) reads(in *space, e *syntax.Expr) []string {
	var keys []string
	for _, u := range e.Uses("", c.relations(in)) {
		if key := c.resolve(in, u.Schema, u.Relation); key != "" {
			keys = append(keys, key)
		}
	}
	return keys
}

func (c *catalog) alterObject(s *syntax.AlterObject) error {
	key := c.space(s.Schema).object(s.Name.Text)
	switch s.Kind {
	case syntax.KindView:
		if v := c.views[key]; v != nil {
			return alterTags(&v.Tags, s.Tags)
		}
	case syntax.KindMaterializedView:
		if t := c.tables[key]; t != nil && t.Maintained != nil {
			return alterTags(&t.Tags, s.Tags)
		}
	case syntax.KindIndex:
		if x := c.indexes[key]; x != nil {
			return alterTags(&x.Tags, s.Tags)
		}
	}
	return fmt.Errorf("there is no %s %s", s.Kind, s.Name.Text)
}

func alterTags(tags **syntax.Tags, a syntax.TagsAction) error {
	switch a.Mode {
	case syntax.SetTags:
		*tags = a.Tags
	case syntax.AddTags:
		all := &syntax.Tags{}
		if *tags != nil {
			all.List = slices.Clone((*tags).List)
		}
		all.List = append(all.List, a.Tags.List...)
		*tags = all
	case syntax.DropTags:
		if *tags == nil {
			return nil
		}
		all := &syntax.Tags{}
		for _, t := range (*tags).List {
			if !slices.ContainsFunc(a.Keys, func(k syntax.Name) bool { return k.Text == t.Key }) {
				all.List = append(all.List, t)
			}
		}
		*tags = all
	default:
		return errors.New("tags are set, added or dropped")
	}
	return nil
}

// bindsNow wants what a new object names to be there when it is made. The engine plans bodies at that moment, which is where its own
// order of statements fails. In a replay, a name that the head does not have either is none that can still come.
func (c *catalog) bindsNow(in *space, item syntax.Item) error {
	if c.until == nil {
		return nil
	}
	what, b := "", &body{in: in}
	switch item := item.(type) {
	case *syntax.Index:
		t := c.tables[in.object(item.Table.Text)]
		if t == nil {
			return fmt.Errorf("index %s is on %s, which is not there yet", item.Name.Text, item.Table.Text)
		}
		known := c.columnsOf(t.key())
		for _, part := range item.Columns {
			if known.known && !slices.Contains(known.columns, syntax.Fold(part.Name.Text)) {
				return fmt.Errorf("index %s names the column %s.%s, which is not there yet", item.Name.Text, item.Table.Text, part.Name.Text)
			}
		}
		if item.Where == nil {
			return nil
		}
		what, b.expr, b.table = "index "+item.Name.Text, item.Where, t
	case *syntax.View:
		what, b.query = "view "+item.Name.Text, item.Query
	case *syntax.Assertion:
		what, b.expr = "assertion "+item.Name.Text, item.Check
	case *syntax.Table:
		if item.Maintained == nil {
			return nil
		}
		what, b.query = "table "+item.Name.Text, item.Maintained.Query
	}
	return c.bound(what, b)
}

// bound wants a body to name nothing that is missing now and is there in the end.
func (c *catalog) bound(what string, b *body) error {
	if c.until == nil {
		return nil
	}
	now, then := b.uses(c.relations(b.in)), b.uses(c.until.relations(b.in))
	for i, u := range now {
		if u.Relation != "" && c.resolve(b.in, u.Schema, u.Relation) == "" && c.until.resolve(b.in, u.Schema, u.Relation) != "" {
			return fmt.Errorf("%s names %s, which is not there yet", what, u.Relation)
		}
		if u.Relation == "" && u.Column != "" && i < len(then) && then[i].Column == u.Column && then[i].Relation != "" {
			return fmt.Errorf("%s names the column %s of %s, which is not there yet", what, u.Column, then[i].Relation)
		}
	}
	return nil
}
