package quereus

import (
	"github.com/altergate/altergate/internal/dialect/quereus/syntax"
	"github.com/altergate/altergate/internal/schema"
)

// body is one expression or query with names in it, of an object of the catalog.
type body struct {
	kind  string // "view", "materialized view", "check", "default", "generated column", "index", "assertion"
	name  string // of what it belongs to, for people
	in    *space
	table *table // that the expression is of, whose columns it may name; nil for queries, assertions and defaults
	key   string // of the view, index, assertion or table
	query *syntax.Query
	expr  *syntax.Expr
	at    interface{ Pos() schema.Pos } // counted out only for those that are told
}

// uses gives the places in the body that name relations and columns, as a catalog's names bind them.
func (b *body) uses(relations syntax.Relations) []syntax.Use {
	if b.query != nil {
		return b.query.Uses(relations)
	}
	owner := ""
	if b.table != nil {
		owner = syntax.Fold(b.table.Name.Text)
	}
	return b.expr.Uses(owner, relations)
}

// bodies gives all that a catalog has, in an order that is always the same.
func (c *catalog) bodies() []*body {
	var all []*body
	for _, key := range sorted(c.tables) {
		t := c.tables[key]
		all = append(all, t.bodies()...)
		if t.Maintained != nil {
			all = append(all, &body{kind: "materialized view", name: t.in.display(t.Name.Text), in: t.in, key: key, query: t.Maintained.Query, at: t})
		}
	}
	for _, key := range sorted(c.indexes) {
		all = append(all, c.indexBodies(c.indexes[key])...)
	}
	for _, key := range sorted(c.views) {
		v := c.views[key]
		all = append(all, &body{kind: "view", name: v.in.display(v.Name.Text), in: v.in, key: key, query: v.Query, at: v})
	}
	for _, key := range sorted(c.assertions) {
		a := c.assertions[key]
		all = append(all, &body{kind: "assertion", name: a.in.display(a.Name.Text), in: a.in, key: key, expr: a.Check, at: a})
	}
	return all
}

func (t *table) bodies() []*body {
	var all []*body
	add := func(k *syntax.Constraint, column *syntax.Column) {
		if k.Expr == nil {
			return
		}
		b := &body{in: t.in, table: t, key: t.key(), expr: k.Expr, at: k}
		switch k.Kind {
		case syntax.Check:
			b.kind, b.name = "check", t.in.display(t.Name.Text)+"."+k.Name.Text
			if k.Name.Text == "" {
				b.kind, b.name = "a check of table", t.in.display(t.Name.Text)
			}
		case syntax.Default:
			b.kind, b.table = "the default of column", nil
			b.name = t.in.display(t.Name.Text) + "." + column.Name.Text
		default:
			b.kind, b.name = "generated column", t.in.display(t.Name.Text)+"."+column.Name.Text
		}
		all = append(all, b)
	}
	for _, column := range t.Columns {
		for _, k := range column.Constraints {
			add(k, column)
		}
	}
	for _, k := range t.Constraints {
		add(k, nil)
	}
	return all
}

// indexBodies gives the predicate of an index, and its parts that are expressions. Parts that are columns are no bodies.
func (c *catalog) indexBodies(x *index) []*body {
	var all []*body
	add := func(e *syntax.Expr) {
		all = append(all, &body{kind: "index", name: x.in.display(x.Name.Text), in: x.in, table: c.tables[x.on], key: x.key(), expr: e, at: x})
	}
	for _, part := range x.Columns {
		if part.Name.Text == "" && part.Expr != nil {
			add(part.Expr)
		}
	}
	if x.Where != nil {
		add(x.Where)
	}
	return all
}
