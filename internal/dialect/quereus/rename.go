package quereus

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/altergate/altergate/internal/dialect/quereus/syntax"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// names are renames, all at once: what a body names is decided before the first of them.
type names struct {
	tables  map[string]string            // old key -> new name, without its schema
	columns map[string]map[string]string // old key of the table -> old key of the column -> new name
}

func (n names) column(table, column string) (string, bool) {
	to, ok := n.columns[table][column]
	return to, ok
}

// renamesOf brings the renames of a plan into the form of the catalog of its base.
func (c *catalog) renamesOf(r diff.Renames) (names, error) {
	n := names{map[string]string{}, map[string]map[string]string{}}
	old := map[string]string{} // new key -> old key
	for _, t := range r.Tables {
		from := c.tables[syntax.Fold(t.From)]
		if from == nil {
			return n, &schema.Error{Side: schema.Head, Pos: t.Pos, Kind: schema.KindHint, Text: fmt.Sprintf("there is no table %s to rename", t.From)}
		}
		to, ok := from.in.bare(t.To)
		if !ok {
			return n, &schema.Error{Side: schema.Head, Pos: t.Pos, Kind: schema.KindHint,
				Text: fmt.Sprintf("table %s cannot be renamed to %s: a table stays in its schema", t.From, t.To)}
		}
		n.tables[from.key()] = to
		old[syntax.Fold(t.To)] = from.key()
	}
	for _, column := range r.Columns {
		table := syntax.Fold(column.Table)
		if was, ok := old[table]; ok {
			table = was
		}
		if n.columns[table] == nil {
			n.columns[table] = map[string]string{}
		}
		n.columns[table][syntax.Fold(column.From)] = column.To
	}
	return n, nil
}

// bare gives the name of an object of the space without it; false if the name is of another space.
func (s *space) bare(display string) (string, bool) {
	if s.key != mainSchema {
		if len(display) <= len(s.key) || syntax.Fold(display[:len(s.key)]) != s.key || display[len(s.key)] != '.' {
			return "", false
		}
		display = display[len(s.key)+1:]
	}
	if name, err := strconv.Unquote(display); err == nil {
		return name, true
	}
	return display, !strings.Contains(display, ".")
}

// rename gives tables and columns other names, and has all that names them follow, as the engine does. Assertions can be left as
// they are: the engine's differ compares them without following renames.
func (c *catalog) rename(n names, assertions bool) {
	var follow []func()
	for _, m := range c.mentioning(n) {
		b := m.body
		if b.kind == "assertion" && !assertions {
			continue
		}
		for _, u := range b.uses(c.relations(b.in)) {
			if u.Relation == "" {
				continue
			}
			key := c.resolve(b.in, u.Schema, u.Relation)
			if to, ok := n.tables[key]; ok && u.Column == "" {
				follow = append(follow, func() { u.Set(to) })
			} else if to, ok := n.column(key, u.Column); ok {
				follow = append(follow, func() { u.Set(to) })
			}
		}
	}
	for _, t := range c.tables {
		for _, k := range t.allConstraints() {
			c.renameKeys(t, k, n)
		}
	}
	for _, x := range c.indexes {
		for _, part := range x.Columns {
			if to, ok := n.column(x.on, syntax.Fold(part.Name.Text)); ok && part.Name.Text != "" {
				part.Name.Text = to
				if part.Expr != nil {
					renamePart(part.Expr, to)
				}
			}
		}
		if to, ok := n.tables[x.on]; ok {
			x.Table.Text, x.on = to, c.tables[x.on].in.object(to)
		}
	}
	for _, set := range follow {
		set()
	}
	c.renameObjects(n)
	c.changed()
}

// mention is a body with the keys of the relations and the names of the columns that it names.
type mention struct {
	*body
	keys, columns map[string]bool
}

// mentioning gives the bodies that name a table which is renamed, or whose columns are. It is asked for each of many renames in a row,
// so what bodies name is kept as long as nothing but names changes.
func (c *catalog) mentioning(n names) []mention {
	if c.mentions == nil {
		c.mentions = []mention{}
		for _, b := range c.bodies() {
			m := mention{b, map[string]bool{}, map[string]bool{}}
			if b.table != nil {
				m.keys[b.table.key()] = true
			}
			for _, u := range b.uses(c.relations(b.in)) {
				if key := c.resolve(b.in, u.Schema, u.Relation); key != "" {
					m.keys[key] = true
				}
				m.columns[u.Column] = true
			}
			c.mentions = append(c.mentions, m)
		}
	}
	var out []mention
	for _, m := range c.mentions {
		found := false
		for key, columns := range n.columns {
			if !m.keys[key] {
				continue
			}
			for old := range columns {
				found = found || m.columns[old]
			}
		}
		for key, to := range n.tables {
			if m.keys[key] {
				found = true
				m.keys[c.tables[key].in.object(to)] = true
			}
		}
		if !found {
			continue
		}
		for _, columns := range n.columns {
			for _, to := range columns {
				m.columns[syntax.Fold(to)] = true
			}
		}
		out = append(out, m)
	}
	return out
}

// renamePart gives the column that a part of an index is over, with its collation or not, another name.
func renamePart(e *syntax.Expr, to string) {
	for e.Kind == syntax.CollateExpr && len(e.Args) == 1 {
		e = e.Args[0]
	}
	if e.Kind == syntax.ColumnExpr {
		e.Name = to
	}
}

// renameKeys has the columns and the parent of a key follow.
func (c *catalog) renameKeys(t *table, k *syntax.Constraint, n names) {
	for _, part := range k.Columns {
		if to, ok := n.column(t.key(), syntax.Fold(part.Name.Text)); ok {
			part.Name.Text = to
		}
	}
	if k.Foreign == nil {
		return
	}
	parent := t.parent(k)
	for i, column := range k.Foreign.Columns {
		if to, ok := n.column(parent, syntax.Fold(column.Text)); ok {
			k.Foreign.Columns[i].Text = to
		}
	}
	if to, ok := n.tables[parent]; ok {
		k.Foreign.Table.Text = to
	}
}

// parent gives the key of the table that a foreign key references, whether there is one or not.
func (t *table) parent(k *syntax.Constraint) string {
	if k.Foreign.Schema.Text == "" {
		return t.in.object(k.Foreign.Table.Text)
	}
	return (&space{key: syntax.Fold(k.Foreign.Schema.Text)}).object(k.Foreign.Table.Text)
}

func (c *catalog) renameObjects(n names) {
	for key, columns := range n.columns {
		if t := c.tables[key]; t != nil {
			for _, column := range t.Columns {
				if to, ok := columns[syntax.Fold(column.Name.Text)]; ok {
					column.Name.Text = to
				}
			}
		}
	}
	c.renameSeeds(n)
	moved := map[string]*table{}
	for key, to := range n.tables {
		t := c.tables[key]
		t.Name.Text = to
		moved[t.key()] = t
		delete(c.tables, key)
	}
	for key, t := range moved {
		c.tables[key] = t
	}
}

// allConstraints gives the constraints between a table's columns and those inside them.
func (t *table) allConstraints() []*syntax.Constraint {
	var all []*syntax.Constraint
	for _, column := range t.Columns {
		all = append(all, column.Constraints...)
	}
	return append(all, t.Constraints...)
}

// renameSeeds has the rows that are declared for tables follow. Seeds are shared by catalogs, so those that change are copied.
func (c *catalog) renameSeeds(n names) {
	seeds := map[string]*syntax.Seed{}
	for key, s := range c.seeds {
		copied, name := *s, key
		copied.Columns = slices.Clone(s.Columns)
		for i, column := range s.Columns {
			if to, ok := n.column(key, syntax.Fold(column.Text)); ok {
				copied.Columns[i].Text = to
			}
		}
		if to, ok := n.tables[key]; ok && c.tables[key] != nil {
			copied.Table.Text, name = to, c.tables[key].in.object(to)
		}
		seeds[name] = &copied
	}
	c.seeds = seeds
}
