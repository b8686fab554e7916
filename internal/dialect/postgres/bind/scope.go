package bind

import (
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/altergate/altergate/internal/dialect/postgres/builtin"
	"github.com/altergate/altergate/internal/dialect/postgres/catalog"
	"github.com/altergate/altergate/internal/dialect/postgres/script"
)

// scope is what names in one query can mean. A subquery's scope has the one around it as its parent.
type scope struct {
	parent *scope
	items  []*item
	all    []place         // what * stands for
	hidden bool            // while a subquery in FROM is bound that is not LATERAL, which does not see the items
	shown  map[string]bool // the aliases given out to the items of this query
	alias  map[any]string  // the alias under which each item is printed, by its node
	ctes   []*cte          // of this query's WITH
}

// place is one column of an item.
type place struct {
	item   *item
	column column
}

// item is something that columns can be selected from.
type item struct {
	alias   string // as names refer to it
	schema  string // of a table without an alias, which may be named with its schema
	shown   string // as it is printed; "" for a table's own expressions, where columns stand alone
	columns []column
	open    bool            // it may have any column: the server's own relations, and what is not known
	row     string          // type of the whole row
	table   string          // name of the relation, "" when it is none
	merged  bool            // the columns that JOIN … USING has merged: they have no alias, and their text is complete
	byName  bool            // only to be found by its alias: OLD and NEW
	hide    map[string]bool // columns that have been merged, only to be found by alias
	scalar  bool            // a function that gives one value and no row
	null    bool            // the item is on the side of an outer join that may be NULL
}

// column is a column of an item.
type column struct {
	name    string // as names refer to it
	text    string // canonical
	typ     string
	full    string // with modifiers, "" without
	notNull bool
	table   string // name of the relation it is a column of, "" when it is none
	of      string // its name there today
	late    bool   // it was added later, so that * does not stand for it
}

// fullType gives the type with its modifiers.
func (c column) fullType() string {
	if c.full != "" {
		return c.full
	}
	return unlimited(c.typ)
}

// ident writes a name in canonical text.
func ident(name string) string { return script.Quote(name) }

// tableRow is a table's columns by the names that they have today.
type tableRow struct {
	columns []column
	last    int // when the last of them was added
}

// row reads a table's columns once.
func (b *Binder) row(t *catalog.Table) *tableRow {
	if row := b.rows[t]; row != nil {
		return row
	}
	row := &tableRow{columns: make([]column, 0, len(t.Columns)), last: t.Time}
	name := t.Name.String()
	for _, c := range t.Columns {
		r := &run{b: b, o: c.Type.Origin}
		info := r.typeOf(c.Type.Node)
		col := column{name: c.Name, text: ident(c.Name), typ: info.base, notNull: c.NotNull, table: name, of: c.Name}
		if info.full != info.base {
			col.full = info.full
		}
		row.columns, row.last = append(row.columns, col), max(row.last, c.Time)
	}
	b.rows[t] = row
	return row
}

// tableColumns gives the columns of a table, by the names that the run's statement knew.
func (r *run) tableColumns(t *catalog.Table) []column {
	row := r.b.row(t)
	then := r.b.catalog.ColumnsThen(r.o.Time, t)
	added := t.Time <= r.o.Time && row.last > r.o.Time
	if !added && !slices.ContainsFunc(t.Columns, renamed(then)) {
		return row.columns
	}
	columns := slices.Clone(row.columns)
	for i, c := range t.Columns {
		columns[i].name = then[i]
		columns[i].late = added && c.Time > r.o.Time
	}
	return columns
}

// renamed tells of columns in their order whether they had other names.
func renamed(then []string) func(*catalog.Column) bool {
	i := -1
	return func(c *catalog.Column) bool {
		i++
		return then[i] != c.Name
	}
}

// tableItem is a table whose own expression is bound, or, with an alias, one in FROM.
func (r *run) tableItem(t *catalog.Table, shown string) *item {
	then := r.b.catalog.NameThen(r.o.Time, t.Name)
	return &item{alias: then.Name, schema: then.Schema, shown: shown, columns: r.tableColumns(t), row: t.Name.String(), table: t.Name.String()}
}

// value gives the column as an expression.
func (r *run) columnValue(i *item, c column) value {
	if c.table != "" {
		r.ref("column", c.table, c.of)
	}
	text := c.text
	if i.shown != "" && !i.merged {
		text = ident(i.shown) + "." + text
	}
	return value{text: text, typ: c.typ, full: c.full, columns: true, total: true, notNull: c.notNull && !i.null}
}

// columnRef binds a name that may be a column, a whole row or a parameter (PostgreSQL 15, parse_expr.c: transformColumnRef).
func (r *run) columnRef(n *pg.ColumnRef, s *scope) value {
	fields := n.GetFields()
	last := len(fields) - 1
	if fields[last].GetAStar() != nil {
		return r.wholeRow(names(fields[:last]), n.GetLocation(), s)
	}
	if last == 0 {
		return r.bareName(fields[0].GetString_().GetSval(), n.GetLocation(), s)
	}
	return r.qualifiedName(names(fields), n.GetLocation(), s)
}

// bareName binds a name without a qualifier: the nearest query that has such a column is meant. Whether a relation has it of which
// nothing is known cannot be told, so what is found behind one is printed as the doubt that it is.
func (r *run) bareName(name string, location int32, s *scope) value {
	var open *item
	for level := s; level != nil; level = level.parent {
		if i, c, ok := level.column(name); ok {
			v := r.columnValue(i, c)
			v.columns = level == s
			return v.doubted(open, name)
		}
		if i := level.open(); i != nil && open == nil {
			open = i
		}
	}
	if r.value != "" && name == "value" {
		return value{text: "value", typ: r.value, columns: true, total: true}
	}
	for level := s; level != nil; level = level.parent {
		if i := level.named("", name); i != nil {
			return r.rowValue(i, level == s).doubted(open, name)
		}
	}
	for i, p := range r.params {
		if p.name == name && name != "" {
			return r.param(&pg.ParamRef{Number: int32(i + 1)}).doubted(open, name)
		}
	}
	for level := s; level != nil; level = level.parent {
		for _, i := range level.visible() {
			if t, ok := systemColumns[name]; ok && i.table != "" && !i.byName {
				return r.columnValue(i, column{name: name, text: name, typ: t, notNull: true})
			}
		}
	}
	if open != nil {
		return r.columnValue(open, column{name: name, text: ident(name)})
	}
	r.miss("column", name, location)
	return value{text: "?." + ident(name), columns: true}
}

// doubted is a value that a column of an open item may hide.
func (v value) doubted(open *item, name string) value {
	if open == nil {
		return v
	}
	return value{text: "?(" + ident(open.shown) + "." + ident(name) + ", " + v.text + ")", columns: true, volatile: true}
}

// open gives an item of which it is not known what columns it has.
func (s *scope) open() *item {
	for _, i := range s.visible() {
		if i.open && !i.byName {
			return i
		}
	}
	return nil
}

// systemColumns are the columns that every table has.
var systemColumns = map[string]string{"ctid": "tid", "xmin": "xid", "xmax": "xid", "cmin": "cid", "cmax": "cid", "tableoid": "oid"}

// qualifiedName binds table.column, schema.table.column, and the field of a column that is a row.
func (r *run) qualifiedName(list []string, location int32, s *scope) value {
	n := len(list)
	for level := s; level != nil; level = level.parent {
		if n >= 3 {
			if i := level.named(list[n-3], list[n-2]); i != nil {
				return r.columnOf(i, list[n-1], location, level == s, s)
			}
		}
		if i := level.named("", list[0]); i != nil && n == 2 {
			return r.columnOf(i, list[1], location, level == s, s)
		}
	}
	if n == 2 && list[0] == r.own {
		for i, p := range r.params {
			if p.name == list[1] {
				return r.param(&pg.ParamRef{Number: int32(i + 1)})
			}
		}
	}
	for i, p := range r.params {
		if p.name == list[0] && n == 2 && p.name != "" {
			return r.field(r.param(&pg.ParamRef{Number: int32(i + 1)}), list[1])
		}
	}
	r.miss("column", strings.Join(list, "."), location)
	quoted := make([]string, n)
	for i, p := range list {
		quoted[i] = ident(p)
	}
	return value{text: "?." + strings.Join(quoted, "."), columns: true}
}

// columnOf binds a column of an item that is named.
func (r *run) columnOf(i *item, name string, location int32, here bool, s *scope) value {
	for _, c := range i.columns {
		if c.name == name {
			v := r.columnValue(i, c)
			v.columns = here
			return v
		}
	}
	c := column{name: name, text: ident(name)}
	if _, system := systemColumns[name]; !i.open && !system && r.takesRow(name, i.row) {
		return r.call(&pg.FuncCall{Funcname: []*pg.Node{pg.MakeStrNode(name)}, Args: []*pg.Node{rowOf(i)}, Location: location}, s)
	}
	if t, ok := systemColumns[name]; ok && (i.table != "" || i.open) {
		c.typ, c.notNull = t, true
	} else if !i.open {
		r.miss("column", i.alias+"."+name, location)
	}
	v := r.columnValue(i, c)
	v.columns = here
	return v
}

// takesRow tells whether row.name can be name(row).
func (r *run) takesRow(name, row string) bool {
	if row == "" {
		return false
	}
	for _, f := range r.b.catalog.ResolveFunctions(r.o, "", name) {
		if r.fitting(r.b.signature(f), []string{row}, nil, false) != nil {
			return true
		}
	}
	_, ok := builtin.ResolveFunction(name, []string{row}, &r.b.known)
	return ok
}

// rowOf is the tree of an item's whole row.
func rowOf(i *item) *pg.Node {
	star := &pg.Node{Node: &pg.Node_AStar{AStar: &pg.A_Star{}}}
	return &pg.Node{Node: &pg.Node_ColumnRef{ColumnRef: &pg.ColumnRef{Fields: []*pg.Node{pg.MakeStrNode(i.alias), star}}}}
}

// wholeRow binds t.*, and * in a call.
func (r *run) wholeRow(list []string, location int32, s *scope) value {
	if len(list) == 0 {
		return value{text: "*", columns: true}
	}
	schema, name := "", list[len(list)-1]
	if len(list) > 1 {
		schema = list[len(list)-2]
	}
	for level := s; level != nil; level = level.parent {
		if i := level.named(schema, name); i != nil {
			return r.rowValue(i, level == s)
		}
	}
	r.miss("relation", strings.Join(list, "."), location)
	return value{text: "?." + ident(name) + ".*", columns: true}
}

// rowValue is all of an item's row as one value.
func (r *run) rowValue(i *item, here bool) value {
	if i.table != "" {
		r.ref("relation", i.table, "")
	}
	shown := i.shown
	if shown == "" {
		shown = i.alias
	}
	if i.scalar && len(i.columns) == 1 {
		return r.columnValue(i, i.columns[0]) // a function's one column goes by the alias too
	}
	return value{text: ident(shown) + ".*", typ: i.row, columns: here, total: true}
}

// visible are the items that can be seen now.
func (s *scope) visible() []*item {
	if s.hidden {
		return nil
	}
	return s.items
}

// column finds a column by its bare name.
func (s *scope) column(name string) (*item, column, bool) {
	for _, i := range s.visible() {
		if i.byName || i.hide[name] {
			continue
		}
		for _, c := range i.columns {
			if c.name == name {
				return i, c, true
			}
		}
	}
	return nil, column{}, false
}

// named finds an item by its alias.
func (s *scope) named(schema, alias string) *item {
	for _, i := range s.visible() {
		if !i.merged && i.alias == alias && (schema == "" || i.schema == schema) {
			return i
		}
	}
	return nil
}

// with gives the scope with other items to be seen.
func (s *scope) with(items []*item) *scope {
	c := *s
	c.items, c.hidden = items, false
	return &c
}

// cte finds a common table expression by its name, in this query's WITH or in one around it.
func (s *scope) cte(name string) *cte {
	for level := s; level != nil; level = level.parent {
		for _, c := range slices.Backward(level.ctes) {
			if c.name == name {
				return c
			}
		}
	}
	return nil
}
