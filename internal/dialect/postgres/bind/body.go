package bind

import (
	"math"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/altergate/altergate/internal/dialect/postgres/catalog"
	"github.com/altergate/altergate/internal/dialect/postgres/script"
	"github.com/altergate/altergate/internal/source"
)

// TriggerWhen binds the condition of a trigger, in which OLD and NEW are rows of its table or view.
func (b *Binder) TriggerWhen(t *catalog.Trigger) Bound {
	if t.When == nil {
		return Bound{}
	}
	r := &run{b: b, o: t.When.Origin}
	return r.bound(r.expr(t.When.Node, &scope{items: r.oldAndNew(t.Table)}), boolType)
}

// oldAndNew are the rows that a trigger or a rule sees.
func (r *run) oldAndNew(n catalog.Name) []*item {
	rel := relation{open: true}
	switch {
	case r.b.catalog.Tables[n] != nil:
		rel = relation{columns: r.tableColumns(r.b.catalog.Tables[n])}
	case r.b.catalog.Views[n] != nil:
		rel.columns, rel.open = r.viewColumns(r.b.catalog.Views[n])
	}
	var items []*item
	for _, name := range []string{"old", "new"} {
		items = append(items, &item{alias: name, shown: name, columns: rel.columns, open: rel.open, table: n.String(), row: n.String(), byName: true})
	}
	return items
}

// RuleAction binds the condition and the statements of a rule, in which OLD and NEW are rows of its table or view.
func (b *Binder) RuleAction(o *catalog.Object) Bound {
	r := &run{b: b, o: o.Origin}
	n := o.Node.GetRuleStmt()
	on := catalog.Name{}
	if o.On != nil {
		on = *o.On
	}
	s := &scope{items: r.oldAndNew(on), shown: map[string]bool{"old": true, "new": true}}
	var parts []string
	if n.GetWhereClause() != nil {
		parts = append(parts, "where "+r.coerce(r.expr(n.GetWhereClause(), r.condition(s, n.GetEvent())), boolType).text)
	}
	for _, a := range n.GetActions() {
		if len(n.GetActions()) == 1 && a.GetNode() == nil {
			continue
		}
		q := r.statement(a, s)
		q.settle(r)
		parts = append(parts, q.render())
	}
	return Bound{Canon: strings.Join(parts, "; "), Volatile: true, Refs: r.sorted(), Unknown: r.unknown}
}

// condition is what the condition of a rule sees: where there is only the old row, or only the new one, its columns may stand alone.
func (r *run) condition(s *scope, event pg.CmdType) *scope {
	row := map[pg.CmdType]string{pg.CmdType_CMD_INSERT: "new", pg.CmdType_CMD_DELETE: "old", pg.CmdType_CMD_SELECT: "old"}[event]
	seen := &scope{shown: s.shown}
	for _, i := range s.items {
		if i.alias == row {
			one := *i
			one.byName = false
			seen.items = append(seen.items, &one)
		} else {
			seen.items = append(seen.items, i)
		}
	}
	return seen
}

// FunctionBody binds the body of a function in SQL. It is not ok for another language, and for a body that does not parse: then there
// is only the text to compare.
func (b *Binder) FunctionBody(f *catalog.Function) (Bound, bool) {
	if !strings.EqualFold(f.Language, "sql") && f.SQLBody == nil {
		return Bound{}, false
	}
	r := &run{b: b, o: f.Origin, own: f.Name.Name}
	g := b.signature(f)
	for i, t := range g.types {
		r.params = append(r.params, parameter{g.names[i], t})
	}
	var bodies []*pg.Node
	if f.SQLBody != nil {
		bodies = statements(f.SQLBody, nil)
	} else {
		// A body in quotes is read when it is run: renames do not reach it, and its search path is that of the time or the function's own.
		one, errs := script.Split(&source.File{Text: f.Body})
		if len(errs) > 0 || len(one.Passed) > 0 || len(script.Parse(one.Statements, nil)) > 0 {
			return Bound{}, false
		}
		for _, s := range one.Statements {
			bodies = append(bodies, s.Node)
		}
		r.o.Time = math.MaxInt
		if path, ok := f.Settings["search_path"]; ok {
			r.o.Path = searchPath(path)
		}
	}
	out := Bound{Volatile: true}
	var parts []string
	for _, n := range bodies {
		q := r.bodyStatement(n)
		q.settle(r)
		parts = append(parts, q.render())
		out.Columns = nil
		for _, o := range q.outputs {
			out.Columns = append(out.Columns, Column{o.name, o.value.known(), o.value.fullType(), o.value.notNull})
		}
	}
	if len(out.Columns) == 1 {
		out.Type = out.Columns[0].Type
	}
	if f.SQLBody == nil {
		for i := range r.unknown {
			r.unknown[i].Offset = f.Offset // the body has places of its own
		}
	}
	out.Canon, out.Refs, out.Unknown = strings.Join(parts, "; "), r.sorted(), r.unknown
	return out, true
}

// bodyStatement binds one statement of a body; RETURN x is SELECT x.
func (r *run) bodyStatement(n *pg.Node) *query {
	if x := n.GetReturnStmt(); x != nil {
		v := r.expr(x.GetReturnval(), &scope{})
		return &query{head: "return ", outputs: []output{{figureName(x.GetReturnval()), v}}, volatile: v.volatile}
	}
	return r.statement(n, nil)
}

// statements takes BEGIN ATOMIC … END apart.
func statements(n *pg.Node, out []*pg.Node) []*pg.Node {
	if list := n.GetList(); list != nil {
		for _, x := range list.GetItems() {
			out = statements(x, out)
		}
		return out
	}
	if n.GetNode() == nil {
		return out
	}
	return append(out, n)
}

// searchPath reads the value of a function's search_path. pg_catalog is searched anyway.
func searchPath(s string) []string {
	var path []string
	for _, p := range strings.Split(s, ",") {
		if p = strings.Trim(strings.TrimSpace(p), `"'`); p != "" && p != pgCatalog && p != "pg_temp" {
			path = append(path, p)
		}
	}
	return path
}
