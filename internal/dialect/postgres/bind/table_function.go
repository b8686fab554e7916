package bind

import (
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"
)

// fromFunction binds functions in FROM: one, or several side by side.
func (r *run) fromFunction(n *pg.RangeFunction, s *scope, v *value) fromPart {
	i := &item{alias: functionAlias(n), shown: s.aliasOf(n, functionAlias(n))}
	var calls []string
	defined := false
	for _, node := range n.GetFunctions() {
		list := node.GetList().GetItems()
		if len(list) == 0 {
			continue
		}
		definitions := n.GetColdeflist()
		if len(list) > 1 && len(list[1].GetList().GetItems()) > 0 {
			definitions = list[1].GetList().GetItems()
		}
		for _, call := range spread(list[0]) {
			f := r.expr(call, s)
			v.volatile = v.volatile || f.volatile
			if len(definitions) == 0 {
				calls = append(calls, f.text)
				r.functionColumns(i, call, f, n)
				continue
			}
			text := r.defineColumns(i, definitions)
			calls, defined = append(calls, f.text+" as ("+text+")"), true
		}
	}
	text := strings.Join(calls, ", ")
	if len(calls) > 1 {
		text = "rows from(" + text + ")"
	}
	if n.GetOrdinality() {
		text += " with ordinality"
		i.columns = append(i.columns, column{name: "ordinality", text: "ordinality", typ: bigintType, notNull: true})
	}
	return single(text+i.rename(n.GetAlias(), !defined && !i.open), i)
}

// spread takes unnest(a, b) apart: in FROM it is one call for each array.
func spread(n *pg.Node) []*pg.Node {
	call := n.GetFuncCall()
	schema, name := qualified(call.GetFuncname())
	if name != "unnest" || schema != "" && schema != pgCatalog || len(call.GetArgs()) < 2 {
		return []*pg.Node{n}
	}
	var out []*pg.Node
	for _, a := range call.GetArgs() {
		out = append(out, &pg.Node{Node: &pg.Node_FuncCall{FuncCall: &pg.FuncCall{Funcname: call.GetFuncname(), Args: []*pg.Node{a}, Location: call.GetLocation()}}})
	}
	return out
}

// defineColumns adds the columns of a column definition list.
func (r *run) defineColumns(i *item, list []*pg.Node) string {
	var out []string
	for _, node := range list {
		d := node.GetColumnDef()
		info := r.typeOf(d.GetTypeName())
		i.columns = append(i.columns, column{name: d.GetColname(), text: ident(d.GetColname()), typ: info.base, full: info.full})
		text := ident(d.GetColname()) + " " + r.b.spelled(info.full)
		if d.GetCollClause() != nil {
			text += " collate " + r.collation(d.GetCollClause().GetCollname())
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

// functionColumns adds the columns that a function gives.
func (r *run) functionColumns(i *item, call *pg.Node, f value, n *pg.RangeFunction) {
	schema, name := qualified(call.GetFuncCall().GetFuncname())
	if schema == "" || schema == pgCatalog {
		if columns := builtinRows[name]; columns != nil {
			for _, c := range columns {
				i.columns = append(i.columns, column{name: c.Name, text: ident(c.Name), typ: c.Type})
			}
			i.scalar = len(columns) == 1
			return
		}
	}
	for _, g := range r.called(f.text) {
		for _, c := range g.columns {
			i.columns = append(i.columns, column{name: c.Name, text: ident(c.Name), typ: c.Type, full: c.Full})
		}
		if len(g.columns) > 0 {
			return
		}
	}
	if columns, ok := r.fieldsOf(r.b.underlying(f.typ)); ok {
		i.row = f.typ
		for _, c := range columns {
			c.table, c.text = "", ident(c.name)
			i.columns = append(i.columns, c)
		}
		return
	}
	if f.typ == recordType || f.typ == "" && call.GetFuncCall() != nil {
		i.open = true
		return
	}
	own := figureName(call)
	if a := n.GetAlias(); a != nil && len(n.GetFunctions()) == 1 {
		own = a.GetAliasname() // a function's one column is called as the function is
	}
	i.scalar = true
	i.columns = append(i.columns, column{name: own, text: ident(own), typ: f.typ, full: f.full})
}

// called gives the signature of the catalog's function that a call's text begins with.
func (r *run) called(text string) []*signature {
	for _, x := range r.refs {
		if x.Kind == "function" && strings.HasPrefix(text, ident(x.Name)+"(") {
			if f := r.b.catalog.Functions[x.Name]; f != nil {
				return []*signature{r.b.signature(f)}
			}
		}
	}
	return nil
}

// builtinRows are the columns of the server's functions that give rows of several and stand in schemas.
var builtinRows = map[string][]Column{
	"json_each":       {{Name: "key", Type: textType}, {Name: "value", Type: "json"}},
	"jsonb_each":      {{Name: "key", Type: textType}, {Name: "value", Type: "jsonb"}},
	"json_each_text":  {{Name: "key", Type: textType}, {Name: "value", Type: textType}},
	"jsonb_each_text": {{Name: "key", Type: textType}, {Name: "value", Type: textType}},

	"json_array_elements":       {{Name: "value", Type: "json"}},
	"jsonb_array_elements":      {{Name: "value", Type: "jsonb"}},
	"json_array_elements_text":  {{Name: "value", Type: textType}},
	"jsonb_array_elements_text": {{Name: "value", Type: textType}},

	"ts_stat":    {{Name: "word", Type: textType}, {Name: "ndoc", Type: intType}, {Name: "nentry", Type: intType}},
	"aclexplode": {{Name: "grantor", Type: "oid"}, {Name: "grantee", Type: "oid"}, {Name: "privilege_type", Type: textType}, {Name: "is_grantable", Type: boolType}},
	"pg_get_keywords": {{Name: "word", Type: textType}, {Name: "catcode", Type: `"char"`}, {Name: "barelabel", Type: boolType},
		{Name: "catdesc", Type: textType}, {Name: "baredesc", Type: textType}},
}
