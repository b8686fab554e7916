package bind

import (
	"slices"
	"strconv"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"
)

// fromPart is what one part of FROM gives.
type fromPart struct {
	text  string
	items []*item // that names can refer to
	all   []place // what * stands for
}

// from binds a FROM clause, and lets the scope see what is in it.
func (r *run) from(list []*pg.Node, s *scope, v *value) string {
	texts := make([]string, len(list))
	for i, n := range list {
		one := r.fromItem(n, s, v)
		texts[i] = one.text
		s.items, s.all = append(s.items, one.items...), append(s.all, one.all...)
	}
	return strings.Join(texts, ", ")
}

// fromItem binds one part of FROM (PostgreSQL 15, parse_clause.c: transformFromClauseItem).
func (r *run) fromItem(n *pg.Node, s *scope, v *value) fromPart {
	switch x := n.GetNode().(type) {
	case *pg.Node_RangeVar:
		return r.fromRelation(x.RangeVar, s)
	case *pg.Node_RangeSubselect:
		return r.fromQuery(x.RangeSubselect, s, v)
	case *pg.Node_RangeFunction:
		return r.fromFunction(x.RangeFunction, s, v)
	case *pg.Node_JoinExpr:
		return r.join(x.JoinExpr, s, v)
	case *pg.Node_RangeTableSample:
		return r.sample(x.RangeTableSample, s, v)
	case *pg.Node_RangeTableFunc:
		return r.xmlTable(x.RangeTableFunc, s)
	}
	text := r.generic(n, s).text
	i := &item{alias: genericAlias(n), open: true}
	i.shown = i.alias
	return fromPart{text, []*item{i}, nil}
}

// genericAlias gives the alias of a part of FROM that is not understood.
func genericAlias(n *pg.Node) string {
	if a := n.GetJsonTable().GetAlias(); a != nil {
		return a.GetAliasname()
	}
	return "json_table"
}

// single makes the source of one item.
func single(text string, i *item) fromPart {
	s := fromPart{text: text, items: []*item{i}}
	for _, c := range i.columns {
		if !c.late {
			s.all = append(s.all, place{i, c})
		}
	}
	return s
}

// relation is a table, a view or a sequence to select from.
type relation struct {
	name    string // Name.String(), or as written when it is not the catalog's
	last    string // its name without the schema
	schema  string
	columns []column
	open    bool
	known   bool // it is the catalog's
}

// relation finds what a name in FROM means.
func (r *run) relation(schema, name string) (relation, bool) {
	n, ok := r.b.catalog.Resolve(r.o, schema, name)
	if r.session != nil && r.session.Temporary(schema, name) {
		return relation{name: name, last: name, schema: schema, open: true}, true
	}
	if !ok {
		rel := relation{name: name, last: name, schema: schema, open: true}
		if schema != "" && schema != pgCatalog {
			rel.name = schema + "." + name
		}
		return rel, isSystem(schema, name) || r.b.foreign[name]
	}
	rel := relation{name: n.String(), last: n.Name, schema: n.Schema, known: true}
	if t := r.b.catalog.Tables[n]; t != nil {
		rel.columns = r.tableColumns(t)
		return rel, true
	}
	if v := r.b.catalog.Views[n]; v != nil {
		rel.columns, rel.open = r.viewColumns(v)
		return rel, true
	}
	if r.b.catalog.Sequences[n] != nil {
		for _, c := range []column{{name: "last_value", typ: bigintType}, {name: "log_cnt", typ: bigintType}, {name: "is_called", typ: boolType}} {
			c.text = c.name
			rel.columns = append(rel.columns, c)
		}
		return rel, true
	}
	rel.open = true
	return rel, true
}

// fromRelation binds a table, a view or a common table expression by its name.
func (r *run) fromRelation(n *pg.RangeVar, s *scope) fromPart {
	if n.GetSchemaname() == "" {
		if c := s.cte(n.GetRelname()); c != nil {
			r.bindCTE(c)
			return r.fromCTE(c, n, s)
		}
	}
	rel, ok := r.relation(n.GetSchemaname(), n.GetRelname())
	if !ok {
		r.miss("relation", written(n), n.GetLocation())
	}
	i := &item{alias: n.GetRelname(), schema: n.GetSchemaname(), shown: s.aliasOf(n, rel.last), columns: rel.columns, open: rel.open, table: rel.name, row: rel.name}
	if rel.known {
		i.schema = rel.schema
		r.ref("relation", rel.name, "")
	} else {
		i.table, i.row = "", ""
	}
	text := ident(rel.name)
	if !n.GetInh() {
		text = "only " + text
	}
	return single(text+i.rename(n.GetAlias(), false), i)
}

// written is a relation's name as it stands in the text.
func written(n *pg.RangeVar) string {
	if n.GetSchemaname() != "" {
		return n.GetSchemaname() + "." + n.GetRelname()
	}
	return n.GetRelname()
}

// rename gives an item the alias and the column names that are written behind it, and prints them. Column names are printed where they
// are other than the item's own, or always for what has no names of its own.
func (i *item) rename(a *pg.Alias, always bool) string {
	if a != nil {
		i.alias, i.schema = a.GetAliasname(), ""
		if i.shown == "" {
			i.shown = i.alias
		}
	}
	changed := false
	if list := a.GetColnames(); len(list) > 0 {
		columns := make([]column, len(i.columns))
		copy(columns, i.columns)
		for k, name := range names(list) {
			if k >= len(columns) {
				if i.open {
					columns = append(columns, column{name: name, text: ident(name)})
					changed = true
				}
				continue
			}
			changed = changed || columns[k].text != ident(name)
			columns[k].name, columns[k].text = name, ident(name)
		}
		i.columns = columns
	}
	changed = i.tellApart() || changed
	text := " as " + ident(i.shown)
	if !changed && !always {
		return text
	}
	list := make([]string, len(i.columns))
	for k, c := range i.columns {
		list[k] = c.text
	}
	return text + "(" + strings.Join(list, ", ") + ")"
}

// tellApart puts a number behind the second of two columns with one name, as the server does where it prints them.
func (i *item) tellApart() bool {
	changed := false
	for k := range i.columns {
		text := i.columns[k].text
		for n := 1; slices.ContainsFunc(i.columns[:k], func(c column) bool { return c.text == text }); n++ {
			text = ident(i.columns[k].name + "_" + strconv.Itoa(n))
		}
		if text != i.columns[k].text {
			if !changed {
				i.columns, changed = slices.Clone(i.columns), true
			}
			i.columns[k].text = text
		}
	}
	return changed
}

// fromQuery binds a subquery in FROM.
func (r *run) fromQuery(n *pg.RangeSubselect, s *scope, v *value) fromPart {
	hidden := s.hidden
	s.hidden = hidden || !n.GetLateral()
	q := r.statement(n.GetSubquery(), s)
	s.hidden = hidden
	q.settle(r)
	v.volatile = v.volatile || q.volatile
	i := &item{alias: "unnamed_subquery", shown: s.aliasOf(n, "unnamed_subquery"), columns: q.columns(), open: q.open}
	text := "(" + q.render() + ")"
	if n.GetLateral() {
		text = "lateral " + text
	}
	return single(text+i.rename(n.GetAlias(), q.rows != nil), i)
}

// sample binds TABLESAMPLE.
func (r *run) sample(n *pg.RangeTableSample, s *scope, v *value) fromPart {
	one := r.fromItem(n.GetRelation(), s, v)
	args := r.exprs(n.GetArgs(), s)
	for i := range args {
		args[i] = r.coerce(args[i], "real")
	}
	_, method := qualified(n.GetMethod())
	one.text += " tablesample " + ident(method) + "(" + texts(args, ", ") + ")"
	if n.GetRepeatable() != nil {
		one.text += " repeatable (" + r.coerce(r.expr(n.GetRepeatable(), s), "double precision").text + ")"
	}
	v.volatile = true
	return one
}

// xmlTable binds XMLTABLE, field by field but for the columns that it gives.
func (r *run) xmlTable(n *pg.RangeTableFunc, s *scope) fromPart {
	i := &item{alias: "xmltable", shown: s.aliasOf(n, "xmltable")}
	for _, node := range n.GetColumns() {
		c := node.GetRangeTableFuncCol()
		col := column{name: c.GetColname(), text: ident(c.GetColname()), typ: intType, notNull: c.GetIsNotNull()}
		if !c.GetForOrdinality() {
			info := r.typeOf(c.GetTypeName())
			col.typ, col.full = info.base, info.full
		}
		i.columns = append(i.columns, col)
	}
	text := r.genericMessage(n.ProtoReflect(), s, "alias")
	return single(text+i.rename(n.GetAlias(), true), i)
}
