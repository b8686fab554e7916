package postgres

import (
	"fmt"
	"strings"

	"github.com/altergate/altergate/internal/dialect/postgres/bind"
	"github.com/altergate/altergate/internal/dialect/postgres/catalog"
	"github.com/altergate/altergate/internal/schema"
)

func (a *analyst) function(f *catalog.Function) {
	key := f.ID
	id := functionID(key)
	d := &function{Function: f}
	o := &schema.Object{Kind: f.Kind, Name: key, Key: key, Text: a.text(f.Origin), Pos: f.Pos()}
	a.inSchema(id, f.Name)
	what := f.Kind + " " + key
	var args, defaults []string
	for _, arg := range f.Args {
		_, base, _, ids := a.typeOf(what, arg.Type) // the server forgets the modifiers of a function's types
		a.graph.need(id, ids...)
		args = append(args, strings.Join(strings.Fields(arg.Mode+" "+arg.Name+" "+base), " "))
		if arg.Default != nil {
			b := a.bound("the default of an argument of "+what, arg.Default.Origin, a.binder.FreeExpr(arg.Default.Origin, arg.Default, base, ""))
			a.graph.need(id, a.refIDs(b.Refs)...)
			defaults = append(defaults, arg.Name+" = "+b.Canon)
			d.defaults++
		}
	}
	d.arguments = strings.Join(args, ", ")
	if f.Returns != nil {
		_, base, _, ids := a.typeOf(what, *f.Returns)
		a.graph.need(id, ids...)
		d.returns = base
		if f.SetOf {
			d.returns = "setof " + base
		}
	}
	if f.Returns == nil && f.Kind == "function" {
		d.returns = a.returnsOf(f)
	}
	words := []string{f.Kind, "(" + d.arguments + ")"}
	add := func(on bool, word string) {
		if on {
			words = append(words, word)
		}
	}
	add(len(defaults) > 0, "default "+strings.Join(defaults, ", "))
	add(d.returns != "", "returns "+d.returns)
	add(true, "language "+f.Language)
	add(f.Volatility != "" && f.Volatility != "volatile", f.Volatility)
	add(f.Strict, "strict")
	add(f.SecurityDefiner, "security definer")
	add(f.Leakproof, "leakproof")
	add(f.Window, "window")
	add(f.Parallel != "" && f.Parallel != "unsafe", "parallel "+f.Parallel)
	add(f.Cost != "", "cost "+f.Cost)
	add(f.Rows != "", "rows "+f.Rows)
	add(len(f.Settings) > 0, "set "+settings(f.Settings))
	add(true, a.body(f, id))
	o.Canon = strings.Join(words, " ")
	a.details.functions[key] = d
	a.object(o)
	a.owner(f.Kind, key, "", f.Owner, f.Origin)
}

// returnsOf gives what a function returns by its OUT arguments, which need not be said.
func (a *analyst) returnsOf(f *catalog.Function) string {
	returns := ""
	for _, arg := range f.Args {
		switch {
		case arg.Mode != "out" && arg.Mode != "inout":
		case returns != "":
			return "record"
		default:
			_, returns, _, _ = a.typeOf(f.Kind+" "+f.ID, arg.Type)
		}
	}
	return returns
}

// body gives the canonical text of a function's body. What a body written as a string names is not held by the server: it is only
// looked at when the function runs.
func (a *analyst) body(f *catalog.Function, id string) string {
	if f.Kind == "aggregate" {
		return treeCanon(a, f.Origin, id)
	}
	b, ok := a.binder.FunctionBody(f)
	if ok && f.SQLBody != nil {
		a.missing(f.Kind+" "+f.ID, f.Origin, b.Unknown)
		a.graph.need(id, a.refIDs(b.Refs)...)
		return "begin " + b.Canon
	}
	if ok {
		a.graph.want(id, a.refIDs(b.Refs)...)
		a.breaks(f, b.Unknown)
	}
	return "as '" + f.Body + "'"
}

// breaks tells of tables and columns that the body of a function names and that are not there, as after a rename which the body has
// not followed. The server finds out when the function runs.
func (a *analyst) breaks(f *catalog.Function, unknown []bind.Unknown) {
	for _, u := range unknown {
		if u.Maybe || u.Kind != "relation" && u.Kind != "column" {
			continue
		}
		a.told.Notices = append(a.told.Notices, schema.Notice{Pos: f.Pos(), Text: fmt.Sprintf("the body of %s %s names the %s %s, which is not there: it fails when it runs", f.Kind, f.ID, u.Kind, u.Name)})
	}
}
