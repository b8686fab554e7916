package quereus

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/altergate/altergate/internal/dialect/quereus/syntax"
	"github.com/altergate/altergate/internal/schema"
)

// mainSchema is the schema whose objects are named without it.
const mainSchema = "main"

// space is a declared schema. It never changes once it is made, so that catalogs share it.
type space struct {
	name, key string
	pos       schema.Pos
}

func newSpace(n syntax.Name) *space { return &space{n.Text, syntax.Fold(n.Text), n.Pos()} }

// object gives the key of an object of the space. A dot inside a name is not one between schema and name.
func (s *space) object(name string) string {
	key := syntax.Fold(name)
	if strings.Contains(key, ".") {
		key = strconv.Quote(key)
	}
	if s.key == mainSchema {
		return key
	}
	return s.key + "." + key
}

// display names an object of the space for people.
func (s *space) display(name string) string {
	if strings.Contains(name, ".") {
		name = strconv.Quote(name)
	}
	if s.key == mainSchema {
		return name
	}
	return s.name + "." + name
}

// split takes apart what display made: the schema, which is empty for main, and the name.
func split(display string) (in, name string) {
	for i := range display { // a quoted name is the longest rest that is one
		if i > 0 && display[i-1] != '.' {
			continue
		}
		if name, err := strconv.Unquote(display[i:]); err == nil && display[i] == '"' && strings.Contains(name, ".") {
			return strings.TrimSuffix(display[:i], "."), name
		}
	}
	if i := strings.LastIndexByte(display, '.'); i >= 0 {
		return display[:i], display[i+1:]
	}
	return "", display
}

// sql names an object of the space in a statement.
func (s *space) sql(name string) string {
	if s.key == mainSchema {
		return syntax.Quote(name)
	}
	return syntax.Quote(s.name) + "." + syntax.Quote(name)
}

// prefix is the space as the printer of create statements wants it.
func (s *space) prefix() string {
	if s.key == mainSchema {
		return ""
	}
	return s.name
}

// table is a table, or a materialized view, which the engine keeps as a table that is maintained from a query.
type table struct {
	*syntax.Table
	in    *space
	sugar bool // written as a materialized view, so that its columns are those of the query
}

func (t *table) key() string { return t.in.object(t.Name.Text) }

// item gives the table in the form in which it was written.
func (t *table) item() syntax.Item {
	if !t.sugar || t.Maintained == nil {
		return t.Table
	}
	return &syntax.View{Span: t.Span, Name: t.Name, Materialized: true, Columns: t.Maintained.Columns, Module: t.Module, Query: t.Maintained.Query, Tags: t.Tags}
}

// materialized gives a materialized view as the table that it is.
func materialized(v *syntax.View) *syntax.Table {
	return &syntax.Table{Span: v.Span, Name: v.Name, Module: v.Module, Tags: v.Tags,
		Maintained: &syntax.Maintained{Span: v.Span, Columns: v.Columns, Query: v.Query}}
}

// column finds a column by its key.
func (t *table) column(key string) *syntax.Column {
	for _, c := range t.Columns {
		if syntax.Fold(c.Name.Text) == key {
			return c
		}
	}
	return nil
}

type view struct {
	*syntax.View
	in *space
}

func (v *view) key() string { return v.in.object(v.Name.Text) }

type index struct {
	*syntax.Index
	in *space
	on string // key of the table
}

func (x *index) key() string { return x.in.object(x.Name.Text) }

type assertion struct {
	*syntax.Assertion
	in *space
}

func (a *assertion) key() string { return a.in.object(a.Name.Text) }

// catalog is a database as its statements left it. Statements act on it, when files are read and when a plan is replayed.
type catalog struct {
	spaces     map[string]*space // by key; those that are declared
	logical    map[string]*syntax.Declare
	tables     map[string]*table
	views      map[string]*view
	indexes    map[string]*index
	assertions map[string]*assertion
	seeds      map[string]*syntax.Seed // by key of the table

	outputs  map[string]outputs // of views and materialized views, as they are asked for
	asked    map[string]bool    // names of relations that outputs depend on
	mentions []mention          // what bodies name, as long as it is known
	until    *catalog           // in a replay, what the plan leads to
}

// outputs are the columns that a query gives. They are not known where a star stands for what nobody knows.
type outputs struct {
	columns []string
	known   bool
}

func newCatalog() *catalog {
	return &catalog{spaces: map[string]*space{}, logical: map[string]*syntax.Declare{}, tables: map[string]*table{}, views: map[string]*view{},
		indexes: map[string]*index{}, assertions: map[string]*assertion{}, seeds: map[string]*syntax.Seed{}, outputs: map[string]outputs{}, asked: map[string]bool{}}
}

// clone copies what statements and renames change; spaces and seeds are shared.
func (c *catalog) clone() *catalog {
	out := newCatalog()
	out.spaces, out.logical, out.seeds = maps.Clone(c.spaces), c.logical, c.seeds
	for key, t := range c.tables {
		out.tables[key] = &table{cloneTable(t.Table), t.in, t.sugar}
	}
	for key, v := range c.views {
		copied := *v.View
		copied.Query = v.Query.Clone()
		out.views[key] = &view{&copied, v.in}
	}
	for key, x := range c.indexes {
		out.indexes[key] = &index{cloneIndex(x.Index), x.in, x.on}
	}
	for key, a := range c.assertions {
		copied := *a.Assertion
		copied.Check = a.Check.Clone()
		out.assertions[key] = &assertion{&copied, a.in}
	}
	return out
}

func cloneTable(t *syntax.Table) *syntax.Table {
	out := *t
	out.Columns = nil
	for _, c := range t.Columns {
		column := *c
		column.Constraints = cloneConstraints(c.Constraints)
		out.Columns = append(out.Columns, &column)
	}
	out.Constraints = cloneConstraints(t.Constraints)
	if t.Maintained != nil {
		m := *t.Maintained
		m.Query = m.Query.Clone()
		out.Maintained = &m
	}
	return &out
}

func cloneConstraints(list []*syntax.Constraint) []*syntax.Constraint {
	var out []*syntax.Constraint
	for _, k := range list {
		copied := *k
		copied.Columns = nil
		for _, part := range k.Columns {
			p := *part
			copied.Columns = append(copied.Columns, &p)
		}
		if k.Columns != nil && copied.Columns == nil {
			copied.Columns = []*syntax.KeyColumn{} // of a table of one row
		}
		if k.Expr != nil {
			copied.Expr = k.Expr.Clone()
		}
		if k.Foreign != nil {
			f := *k.Foreign
			f.Columns = slices.Clone(f.Columns)
			copied.Foreign = &f
		}
		out = append(out, &copied)
	}
	return out
}

func cloneIndex(x *syntax.Index) *syntax.Index {
	out := *x
	out.Columns = nil
	for _, part := range x.Columns {
		p := *part
		if p.Expr != nil {
			p.Expr = p.Expr.Clone()
		}
		out.Columns = append(out.Columns, &p)
	}
	if x.Where != nil {
		out.Where = x.Where.Clone()
	}
	return &out
}

// resolve gives the key of the relation that a name means in a space, or nothing. A name without a schema is one of the space, else
// one of main.
func (c *catalog) resolve(in *space, schemaName, relation string) string {
	if schemaName != "" {
		key := (&space{key: syntax.Fold(schemaName)}).object(relation)
		if c.has(key) {
			return key
		}
		return ""
	}
	if key := in.object(relation); c.has(key) {
		return key
	}
	if key := (&space{key: mainSchema}).object(relation); c.has(key) {
		return key
	}
	return ""
}

func (c *catalog) has(key string) bool { return c.tables[key] != nil || c.views[key] != nil }

// relations tells a binder what the names in bodies of a space mean.
func (c *catalog) relations(in *space) syntax.Relations {
	return func(schemaName, relation string) ([]string, bool) {
		c.asked[syntax.Fold(relation)] = true
		key := c.resolve(in, schemaName, relation)
		if key == "" {
			return nil, false
		}
		o := c.columnsOf(key)
		return o.columns, o.known
	}
}

// columnsOf gives the folded names of a relation's columns.
func (c *catalog) columnsOf(key string) outputs {
	if o, ok := c.outputs[key]; ok {
		return o
	}
	c.outputs[key] = outputs{} // a view that reads itself knows nothing of itself
	var o outputs
	switch t, v := c.tables[key], c.views[key]; {
	case t != nil && !t.sugar:
		o.known = true
		for _, column := range t.Columns {
			o.columns = append(o.columns, syntax.Fold(column.Name.Text))
		}
	case t != nil && t.Maintained != nil:
		o = c.outputsOf(t.in, t.Maintained.Columns, t.Maintained.Query)
	case v != nil:
		o = c.outputsOf(v.in, v.Columns, v.Query)
	}
	c.outputs[key] = o
	return o
}

func (c *catalog) outputsOf(in *space, names []syntax.Name, q *syntax.Query) outputs {
	var o outputs
	if len(names) > 0 {
		for _, n := range names {
			o.columns = append(o.columns, syntax.Fold(n.Text))
		}
		return outputs{o.columns, true}
	}
	columns, known := q.Outputs(c.relations(in))
	if !known {
		return o
	}
	for _, column := range columns {
		o.columns = append(o.columns, syntax.Fold(column.Name))
	}
	return outputs{o.columns, true}
}

// changed forgets what was worked out from the catalog.
func (c *catalog) changed() {
	clear(c.outputs)
	clear(c.asked)
}

// came forgets what a new relation changes. Nothing that was worked out depends on a name that nobody asked for: a chain of views, each
// made after the one it reads, is worked out once.
func (c *catalog) came(in *space, name syntax.Name) {
	if c.asked[syntax.Fold(name.Text)] {
		c.changed()
	}
	delete(c.outputs, in.object(name.Text))
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
