package postgres

import (
	"fmt"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"

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
		canon, base, _, ids := a.typeOf(what, arg.Type)
		a.graph.need(id, ids...)
		args = append(args, strings.Join(strings.Fields(arg.Mode+" "+arg.Name+" "+canon), " "))
		if arg.Default != nil {
			b := a.bound("the default of an argument of "+what, arg.Default.Origin, a.binder.FreeExpr(arg.Default.Origin, arg.Default, base, ""))
			a.graph.need(id, a.refIDs(b.Refs)...)
			defaults = append(defaults, arg.Name+" = "+b.Canon)
			d.defaults++
		}
	}
	d.arguments = strings.Join(args, ", ")
	if f.Returns != nil {
		canon, _, _, ids := a.typeOf(what, *f.Returns)
		a.graph.need(id, ids...)
		d.returns = canon
		if f.SetOf {
			d.returns = "setof " + canon
		}
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

// body gives the canonical text of a function's body. What a body written as a string names is not held by the server: it is only
// looked at when the function runs.
func (a *analyst) body(f *catalog.Function, id string) string {
	if f.Kind == "aggregate" {
		return treeCanon(a, f.Origin)
	}
	b, ok := a.binder.FunctionBody(f)
	if ok && f.SQLBody != nil {
		a.missing(f.Kind+" "+f.ID, f.Origin, b.Unknown)
		a.graph.need(id, a.refIDs(b.Refs)...)
		return "begin " + b.Canon
	}
	if ok {
		a.graph.want(id, a.refIDs(b.Refs)...)
	}
	return "as '" + strings.TrimSpace(f.Body) + "'"
}

// treeCanon writes the statement of an object that is compared as a whole, without the places in it.
func treeCanon(_ *analyst, o catalog.Origin) string {
	if o.Statement == nil || o.Statement.Node == nil {
		return ""
	}
	var b strings.Builder
	writeTree(&b, o.Statement.Node.ProtoReflect())
	return b.String()
}

// writeTree writes a parse tree field by field. Places do not count, nor that a statement was told to mind what is there.
func writeTree(b *strings.Builder, m protoreflect.Message) {
	fields := m.Descriptor().Fields()
	b.WriteByte('(')
	for i := range fields.Len() {
		f := fields.Get(i)
		switch {
		case !m.Has(f), strings.HasSuffix(string(f.Name()), "location"), f.Name() == "if_not_exists", f.Name() == "replace", f.Name() == "missing_ok":
		case f.IsList():
			list := m.Get(f).List()
			fmt.Fprintf(b, " %s[", f.Name())
			for j := range list.Len() {
				writeValue(b, f, list.Get(j))
			}
			b.WriteByte(']')
		default:
			fmt.Fprintf(b, " %s ", f.Name())
			writeValue(b, f, m.Get(f))
		}
	}
	b.WriteByte(')')
}

func writeValue(b *strings.Builder, f protoreflect.FieldDescriptor, v protoreflect.Value) {
	if f.Message() != nil {
		writeTree(b, v.Message())
		return
	}
	fmt.Fprintf(b, "%q", fmt.Sprint(v.Interface()))
}
