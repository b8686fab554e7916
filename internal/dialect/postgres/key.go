package postgres

import (
	"fmt"
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/altergate/altergate/internal/dialect/postgres/bind"
	"github.com/altergate/altergate/internal/dialect/postgres/builtin"
	"github.com/altergate/altergate/internal/dialect/postgres/catalog"
	"github.com/altergate/altergate/internal/schema"
)

type node = pg.Node

// binding is how the expressions of an index or a constraint are bound: to the columns of a table, or of a materialized view.
type binding func(what string, e *catalog.Expr, want string) bind.Bound

func (a *analyst) tableExpr(t *catalog.Table) binding {
	return func(what string, e *catalog.Expr, want string) bind.Bound {
		return a.bound(what, e.Origin, a.binder.TableExpr(t, e, want))
	}
}

// constraint adds a constraint to the model of its table.
func (a *analyst) constraint(out *schema.Table, t *catalog.Table, k *catalog.Constraint) {
	if k.Inherited && !a.whole[out.Key] {
		return
	}
	what := fmt.Sprintf("constraint %s of table %s", k.Name, out.Key)
	c := &schema.Constraint{Kind: k.Kind, Name: k.Name, Owner: k.Column, Text: k.Text, Pos: k.Pos()}
	d := &constraint{Constraint: k, id: constraintID(out.Key, k.Name)}
	a.graph.need(d.id, relationID(out.Key))
	for _, name := range k.Columns {
		c.Columns = append(c.Columns, schema.Part{Column: name})
		a.graph.need(d.id, columnID(out.Key, name))
	}
	for _, name := range k.Include {
		a.graph.need(d.id, columnID(out.Key, name))
	}
	switch k.Kind {
	case schema.Check:
		b := a.tableExpr(t)(what, k.Expr, "boolean")
		e := expr(k.Expr, b)
		c.Expr = &e
		a.graph.need(d.id, a.refIDs(b.Refs)...)
		d.body = "check (" + b.Canon + ")"
	case schema.ForeignKey:
		d.body = a.foreignKey(what, out, c, d)
	case schema.Exclusion:
		d.body = a.exclusion(what, t, c, d)
	default:
		d.body = strings.ReplaceAll(string(k.Kind), "_", " ")
		if k.NullsNotDistinct {
			d.body += " nulls not distinct"
		}
		d.body += " (" + strings.Join(k.Columns, ", ") + ")"
	}
	d.body += constraintOptions(k)
	for _, o := range []struct {
		word string
		on   bool
	}{{"deferrable", k.Deferrable}, {"initially deferred", k.Deferred}, {"not valid", k.NotValid}, {"no inherit", k.NoInherit}} {
		if o.on {
			c.Options = append(c.Options, o.word)
		}
	}
	c.Canon = k.Name + " " + d.body
	a.details.constraints[c] = d
	out.Constraints = append(out.Constraints, c)
}

func constraintOptions(k *catalog.Constraint) string {
	text := ""
	add := func(on bool, words string) {
		if on {
			text += " " + words
		}
	}
	add(len(k.Include) > 0, "include ("+strings.Join(k.Include, ", ")+")")
	add(len(k.Options) > 0, "with ("+settings(k.Options)+")")
	add(k.Tablespace != "", "tablespace "+k.Tablespace)
	add(k.Deferrable, "deferrable")
	add(k.Deferred, "initially deferred")
	add(k.NoInherit, "no inherit")
	add(k.NotValid, "not valid")
	return text
}

// foreignKey checks that the far side can be referenced, as the server does.
func (a *analyst) foreignKey(what string, out *schema.Table, c *schema.Constraint, d *constraint) string {
	k, ref := d.Constraint, d.Ref
	target := a.catalog.Tables[ref.Table]
	if target == nil {
		a.fail(k.Origin, schema.KindSchema, "%s references table %s, which is not there; declare it, or correct the name", what, ref.Table)
		return ""
	}
	columns := ref.Columns
	if len(columns) == 0 {
		if pk := primaryKey(target); pk != nil {
			columns = pk.Columns
		} else {
			a.fail(k.Origin, schema.KindSchema, "%s references table %s without naming columns, and that has no primary key", what, ref.Table)
		}
	}
	far := target.Name.String()
	c.Ref = &schema.Reference{Table: far, Name: far, Columns: columns, OnDelete: ref.OnDelete, OnUpdate: ref.OnUpdate}
	a.graph.need(d.id, relationID(far))
	for _, name := range columns {
		if columnOf(target, name) == nil {
			a.fail(k.Origin, schema.KindSchema, "%s references column %s.%s, which is not there", what, far, name)
			return ""
		}
		a.graph.need(d.id, columnID(far, name))
	}
	if len(columns) != len(k.Columns) {
		a.fail(k.Origin, schema.KindSchema, "%s has %d columns and references %d of table %s", what, len(k.Columns), len(columns), far)
		return ""
	}
	for i, name := range columns {
		if near, there := a.columnType(out.Key, k.Columns[i]), a.columnType(far, name); !a.comparable(there, near) {
			a.fail(k.Origin, schema.KindSchema, "%s lets %s, which is %s, reference %s.%s, which is %s, and the two cannot be compared; give them one type", what, k.Columns[i], near, far, name, there)
			return ""
		}
	}
	if key := uniqueBy(target, columns); key != "" {
		a.graph.need(d.id, key)
	} else {
		a.fail(k.Origin, schema.KindSchema, "%s references (%s) of table %s, which no primary key or unique constraint covers; make them unique there, or reference its key", what, strings.Join(columns, ", "), far)
	}
	body := fmt.Sprintf("foreign key (%s) references %s (%s)", strings.Join(k.Columns, ", "), far, strings.Join(columns, ", "))
	for _, o := range []struct{ word, value string }{{"match", ref.Match}, {"on update", ref.OnUpdate}, {"on delete", ref.OnDelete}} {
		if o.value != "" {
			body += " " + o.word + " " + o.value
		}
	}
	if len(ref.SetColumns) > 0 {
		body += " (" + strings.Join(ref.SetColumns, ", ") + ")"
	}
	return body
}

// comparable tells whether the server can compare two types for a foreign key; of types that are not known, it is taken to.
func (a *analyst) comparable(x, y string) bool {
	types := typesOf{a.Loaded, a.Loaded}
	if x == y || builtin.Category(x, types) == 0 || builtin.Category(y, types) == 0 {
		return true
	}
	_, ok := builtin.ResolveOperator("=", x, y, types)
	return ok
}

func primaryKey(t *catalog.Table) *catalog.Constraint {
	for _, k := range t.Constraints {
		if k.Kind == schema.PrimaryKey {
			return k
		}
	}
	return nil
}

func columnOf(t *catalog.Table, name string) *catalog.Column {
	for _, c := range t.Columns {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// uniqueBy gives the id of the constraint or index that lets a foreign key reference these columns, in whatever order.
func uniqueBy(t *catalog.Table, columns []string) string {
	want := slices.Sorted(slices.Values(columns))
	same := func(list []string) bool { return slices.Equal(slices.Sorted(slices.Values(list)), want) }
	for _, k := range t.Constraints {
		if (k.Kind == schema.PrimaryKey || k.Kind == schema.Unique) && !k.Deferrable && same(k.Columns) {
			return constraintID(t.Name.String(), k.Name)
		}
	}
	for _, x := range t.Indexes {
		var keys []string
		for _, e := range x.Elements {
			if e.Expr != nil {
				keys = nil
				break
			}
			keys = append(keys, e.Column)
		}
		if x.Unique && x.Where == nil && same(keys) {
			return indexID(x.Name.String())
		}
	}
	return ""
}

func (a *analyst) exclusion(what string, t *catalog.Table, c *schema.Constraint, d *constraint) string {
	var parts []string
	for i, e := range d.Elements {
		part, text := a.element(what, e, d.Method, a.tableExpr(t), d.id, t.Name.String())
		c.Columns = append(c.Columns, part)
		parts = append(parts, text+" with "+d.Operators[i])
	}
	body := fmt.Sprintf("exclude using %s (%s)", d.Method, strings.Join(parts, ", "))
	if d.Where != nil {
		b := a.tableExpr(t)(what, d.Where, "boolean")
		a.graph.need(d.id, a.refIDs(b.Refs)...)
		body += " where (" + b.Canon + ")"
	}
	return body
}

// element reads one column or expression of an index; id is what it is part of, on the table it is on.
func (a *analyst) element(what string, e *catalog.IndexElement, method string, read binding, id, on string) (schema.Part, string) {
	part := schema.Part{Column: e.Column, Desc: e.Desc}
	text, typ := e.Column, a.columnType(on, e.Column)
	if e.Expr != nil {
		b := read(what, e.Expr, "")
		a.graph.need(id, a.refIDs(b.Refs)...)
		part.Expr, text, typ = b.Canon, "("+b.Canon+")", b.Type
	} else {
		a.graph.need(id, columnID(on, e.Column))
	}
	if e.Collation != nil && !a.columnCollates(on, e) {
		part.Collation = e.Collation.String()
		text += " collate " + part.Collation
	}
	if class := a.opClass(e, method, id); class != "" && class != builtin.DefaultOpClass(method, typ, typesOf{a.Loaded, a.Loaded}) {
		text += " " + class
	}
	if len(e.OpClassOptions) > 0 {
		text += " (" + settings(e.OpClassOptions) + ")"
	}
	if e.Desc {
		text += " desc"
	}
	if e.NullsFirst != e.Desc {
		text += map[bool]string{true: " nulls first", false: " nulls last"}[e.NullsFirst]
	}
	return part, text
}

// columnCollates tells whether an element of an index names the collation that its column has anyway.
func (a *analyst) columnCollates(on string, e *catalog.IndexElement) bool {
	t := a.details.tables[on]
	if t == nil || e.Column == "" {
		return false
	}
	c := columnOf(t, e.Column)
	return c != nil && c.Collation != nil && *c.Collation == *e.Collation
}

// opClass gives the name of an operator class in one form: one that no statement made is the server's or an extension's, wherever
// that was put.
func (a *analyst) opClass(e *catalog.IndexElement, method, id string) string {
	in, name := splitLast(e.OpClass)
	path := e.Path
	if in != "" {
		path = []string{in}
	}
	for _, schemaName := range path {
		key := "operator class " + catalog.Name{Schema: schemaName, Name: name}.String() + " using " + method
		if a.catalog.Others[[2]string{"opaque", key}] != nil {
			a.graph.need(id, objectID("opaque", key))
			return catalog.Name{Schema: schemaName, Name: name}.String()
		}
	}
	return name
}

// columnType gives the type of a column of a table or a materialized view, without modifiers.
func (a *analyst) columnType(on, column string) string {
	if t := a.details.tables[on]; t != nil {
		if c := columnOf(t, column); c != nil {
			_, base, _, _, _ := a.binder.Type(c.Type)
			return base
		}
	}
	if v := a.details.views[on]; v != nil {
		for _, c := range v.columns {
			if c.Name == column {
				return c.Type
			}
		}
	}
	return ""
}

// indexOf makes the model of an index on a table or a materialized view.
func (a *analyst) indexOf(x *catalog.Index, read binding, on string) *schema.Index {
	key := x.Name.String()
	what := "index " + key
	id := indexID(key)
	out := &schema.Index{Name: key, Key: key, Unique: x.Unique, Text: a.text(x.Origin), Pos: x.Pos()}
	a.graph.need(id, relationID(on))
	var parts []string
	for _, e := range x.Elements {
		part, text := a.element(what, e, x.Method, read, id, on)
		out.Parts = append(out.Parts, part)
		parts = append(parts, text)
	}
	body := x.Method + " (" + strings.Join(parts, ", ") + ")"
	if x.Unique {
		body = "unique " + body
	}
	if x.NullsNotDistinct {
		body += " nulls not distinct"
	}
	if len(x.Include) > 0 {
		body += " include (" + strings.Join(x.Include, ", ") + ")"
		for _, c := range x.Include {
			a.graph.need(id, columnID(on, c))
		}
	}
	if len(x.Options) > 0 {
		body += " with (" + settings(x.Options) + ")"
	}
	if x.Tablespace != "" {
		body += " tablespace " + x.Tablespace
	}
	if x.Where != nil {
		b := read(what, x.Where, "boolean")
		a.graph.need(id, a.refIDs(b.Refs)...)
		w := expr(x.Where, b)
		out.Where = &w
		body += " where (" + b.Canon + ")"
	}
	if x.Only {
		body += " only"
	}
	out.Canon = "index " + key + " on " + on + " " + body
	a.details.indexes[out] = &index{Index: x, body: body}
	return out
}
