// Package bind gives meaning to the parse trees of a catalog, as far as a review of schema changes needs it: which table, column,
// function or type each name is, of which type each expression is, and a canonical text in which two spellings are the same where
// the server would store the same. It follows PostgreSQL's parse analysis (src/backend/parser) and the way the server prints what it
// has stored (ruleutils.c). It never evaluates, changes no catalog, and knows neither plans nor risks.
//
// Canonical text is not SQL. All coercions are in it, those that only relabel a string left out; everything compound is in
// parentheses; names are today's. What is not understood is printed field by field, so that it stays different from all else.
package bind

import (
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/altergate/altergate/internal/dialect/postgres/builtin"
	"github.com/altergate/altergate/internal/dialect/postgres/catalog"
)

// Binder binds what one catalog holds. It keeps what it has found out, so one goroutine uses it at a time; several Binders may share
// a catalog, which they only read.
type Binder struct {
	catalog    *catalog.Catalog
	known      userTypes
	types      map[typeKey]typeInfo
	rows       map[*catalog.Table]*tableRow
	views      map[*catalog.View]*viewResult
	signatures map[*catalog.Function]*signature
	operators  map[string][]*userOperator // by name; nil until the first is asked for
	resolved   map[operands]resolvedOperator
	foreign    map[string]bool // relations that extensions make
	homes      map[string]bool // schemas into which extensions were put
	extensions bool            // some extension is declared whose functions are not known here
	strangers  bool            // some extension is declared of which nothing is known
}

// New gives a Binder for a catalog, which must not change any more.
func New(c *catalog.Catalog) *Binder {
	b := &Binder{
		catalog:    c,
		types:      map[typeKey]typeInfo{},
		rows:       map[*catalog.Table]*tableRow{},
		views:      map[*catalog.View]*viewResult{},
		signatures: map[*catalog.Function]*signature{},
		resolved:   map[operands]resolvedOperator{},
		foreign:    map[string]bool{},
		homes:      map[string]bool{},
	}
	b.readTypes()
	return b
}

// Ref is something of the catalog that a body refers to.
type Ref struct {
	Kind   string // "relation" (tables, views, sequences), "column", "function", "type", "operator", "collation", "constraint"
	Name   string // Name.String() of the object, of a column's or a constraint's relation, or Function.ID
	Column string // or the constraint's name
}

// compare orders references by kind, name and column.
func (r Ref) compare(other Ref) int {
	if c := strings.Compare(r.Kind, other.Kind); c != 0 {
		return c
	}
	if c := strings.Compare(r.Name, other.Name); c != 0 {
		return c
	}
	return strings.Compare(r.Column, other.Column)
}

// Column is an output column of a query.
type Column struct {
	Name    string
	Type    string // canonical, without modifiers; "" not known
	Full    string // the same with modifiers: "character varying(20)"
	NotNull bool   // certainly never NULL
}

// Unknown is a name that is neither in the catalog nor built in.
type Unknown struct {
	Kind   string // "relation", "column", "function", "operator", "type", "collation"
	Name   string // as written
	Offset int    // in the text of the statement
	Maybe  bool   // it may be something of an extension whose contents are not known
}

// Bound is what is known of an expression or a query.
type Bound struct {
	// Canon is equal for two spellings of the same thing, and different for things that mean something else.
	Canon string
	// Type is the canonical type without modifiers, "" when it is not known.
	Type string
	// Constant is the literal's canonical text when the expression is one constant, casts to the wanted type folded in: "null",
	// "'x'", "-1", "true"; else empty.
	Constant string
	// Volatile tells whether the value may differ from row to row: something volatile is called, or something unknown.
	Volatile bool
	// Total tells whether it certainly gives a value, or NULL, and never an error, for every row.
	Total bool
	// NotNull tells whether it certainly never is NULL.
	NotNull bool
	// Refs are sorted and without repeats.
	Refs []Ref
	// Columns are the output columns of a query.
	Columns []Column
	// Unknown are in the order in which they were met.
	Unknown []Unknown
	// Stars are those of a query's columns, at every depth, that stand for columns which are all known.
	Stars []Star
}

// Star is * or t.* among the columns of a query.
type Star struct {
	Offset  int      // in the text of the statement
	Columns []string // as SQL, by the names and aliases of the text
	Tables  []string // whose columns they are
}

// TableExpr binds an expression over the columns of a table: a check, a default, a generation expression, an index's expression or
// predicate, a policy. want is the type to which the result is coerced, "" for none.
func (b *Binder) TableExpr(t *catalog.Table, e *catalog.Expr, want string) Bound {
	if e.Sequence != nil {
		return b.nextval(*e.Sequence, want)
	}
	r := &run{b: b, o: e.Origin}
	s := &scope{items: []*item{r.tableItem(t, "")}}
	return r.bound(r.expr(e.Node, s), want)
}

// FreeExpr binds an expression that is over no table: a default of a function's argument or of a type, a partition bound, or a
// domain's check, in which VALUE is of the type value.
func (b *Binder) FreeExpr(o catalog.Origin, e *catalog.Expr, want string, value string) Bound {
	if e.Sequence != nil {
		return b.nextval(*e.Sequence, want)
	}
	if e.Origin.Statement != nil {
		o = e.Origin
	}
	r := &run{b: b, o: o, value: value}
	return r.bound(r.expr(e.Node, &scope{}), want)
}

// Query binds a statement that gives or changes rows: SELECT, VALUES, set operations, INSERT, UPDATE, DELETE.
func (b *Binder) Query(o catalog.Origin, n *pg.Node) Bound {
	r := &run{b: b, o: o}
	return r.boundQuery(r.statement(n, nil))
}

// Statement does the same for one that runs in a session, which may have temporary tables.
func (b *Binder) Statement(session *catalog.Catalog, o catalog.Origin, n *pg.Node) Bound {
	r := &run{b: b, o: o, session: session}
	return r.boundQuery(r.statement(n, nil))
}

// View binds a view's query, the names that CREATE VIEW gives its columns put in.
func (b *Binder) View(v *catalog.View) Bound {
	r := &run{b: b, o: v.Origin}
	q := r.statement(v.Query, nil)
	q.rename(v.Aliases)
	return r.boundQuery(q)
}

// Type gives the canonical name of a type: with its modifiers, as format_type prints it, without them, and the modifiers. A name
// that is not known is spelled as it was written, and stands in the last result.
func (b *Binder) Type(t catalog.TypeRef) (canon, base string, mods []int, refs []Ref, unknown []Unknown) {
	r := &run{b: b, o: t.Origin}
	info := r.typeOf(t.Node)
	return info.full, info.base, info.mods, r.sorted(), r.unknown
}

// nextval is the default of a serial column, as the server stores it.
func (b *Binder) nextval(sequence catalog.Name, want string) Bound {
	r := &run{b: b}
	r.ref("relation", sequence.String(), "")
	v := value{text: "nextval(" + quoted(sequence.String()) + "::regclass)", typ: "bigint", volatile: true, notNull: true}
	return r.bound(v, want)
}

// run is the binding of one expression or query.
type run struct {
	b       *Binder
	o       catalog.Origin
	session *catalog.Catalog // whose temporary tables may be meant; nil where none may
	refs    []Ref
	unknown []Unknown
	stars   []Star
	value   string      // type of VALUE
	params  []parameter // of a function
	own     string      // the function's name, which may qualify its parameters
}

// parameter is an argument of a function, seen from its body.
type parameter struct {
	name string
	typ  string
}

// bound makes the answer for an expression.
func (r *run) bound(v value, want string) Bound {
	if want != "" {
		v = r.assign(v, want)
	} else if v.typ == unknown {
		v = r.coerce(v, textType)
	}
	return Bound{
		Canon: v.text, Type: v.known(), Constant: v.constant(), Volatile: v.volatile, Total: v.total, NotNull: v.notNull,
		Refs: r.sorted(), Unknown: r.unknown,
	}
}

// sorted gives the references in order, each once.
func (r *run) sorted() []Ref {
	if len(r.refs) > 1 {
		slices.SortFunc(r.refs, Ref.compare)
		r.refs = slices.Compact(r.refs)
	}
	return r.refs
}

func (r *run) ref(kind, name, column string) {
	x := Ref{kind, name, column}
	if n := len(r.refs); n == 0 || r.refs[n-1] != x {
		r.refs = append(r.refs, x)
	}
}

// miss notes a name that is nowhere.
func (r *run) miss(kind, name string, location int32) {
	maybe := r.b.strangers || r.b.extensions && (kind == "function" || kind == "operator")
	u := Unknown{Kind: kind, Name: name, Offset: int(location), Maybe: maybe}
	if !slices.Contains(r.unknown, u) {
		r.unknown = append(r.unknown, u)
	}
}

// names gives the strings of a list of nodes, as the grammar has for qualified names.
func names(list []*pg.Node) []string {
	out := make([]string, 0, len(list))
	for _, n := range list {
		out = append(out, n.GetString_().GetSval())
	}
	return out
}

// qualified splits a name into schema and name; a database before them is passed over.
func qualified(list []*pg.Node) (schema, name string) {
	if n := len(list); n > 0 {
		name = list[n-1].GetString_().GetSval()
		if n > 1 {
			schema = list[n-2].GetString_().GetSval()
		}
	}
	return schema, name
}

// pgCatalog is the schema of what is built in.
const pgCatalog = "pg_catalog"

// isSystem tells whether a relation is one of the server's own, the columns of which are not known here.
func isSystem(schema, name string) bool {
	return schema == pgCatalog || schema == "information_schema" || schema == "" && strings.HasPrefix(name, "pg_")
}

// textual tells whether a type is one of the two that are stored and compared alike, so that a cast between them does nothing.
func textual(t string) bool { return t == textType || t == varcharType }

// element gives the type of an array's elements, "" when it is no array.
func element(t string) string {
	e, _ := builtin.Element(t)
	return e
}
