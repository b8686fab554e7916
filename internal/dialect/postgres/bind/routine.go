package bind

import (
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/dialect/postgres/builtin"
	"github.com/altergate/altergate/internal/dialect/postgres/catalog"
)

// signature is what calls need to know of a function of the catalog's.
type signature struct {
	id       string
	names    []string // of the parameters that take arguments
	types    []string
	defaults int    // how many of them at the end may be left out
	rest     string // type of the elements behind VARIADIC, "" without
	result   string
	full     string
	set      bool
	columns  []Column // of what it returns, when that is a row whose columns are known
	volatile bool
}

// signature reads a function's arguments and result.
func (b *Binder) signature(f *catalog.Function) *signature {
	if g := b.signatures[f]; g != nil {
		return g
	}
	g := &signature{id: f.ID, set: f.SetOf || f.Table, volatile: f.Volatility != "immutable" && f.Volatility != "stable"}
	if f.Kind == "aggregate" {
		g.volatile = false
	}
	b.signatures[f] = g
	var out []Column
	for _, a := range f.Args {
		r := &run{b: b, o: a.Type.Origin}
		if a.Type.Statement == nil {
			r.o = f.Origin
		}
		info := r.typeOf(a.Type.Node)
		switch a.Mode {
		case "out", "table", "inout":
			out = append(out, Column{Name: a.Name, Type: info.base, Full: info.full})
		}
		if a.Mode == "out" || a.Mode == "table" {
			continue
		}
		g.names, g.types = append(g.names, a.Name), append(g.types, info.base)
		if a.Mode == "variadic" {
			if g.rest = element(info.base); g.rest == "" {
				g.rest = "any"
			}
		}
		if a.Default != nil {
			g.defaults++
		}
	}
	g.readResult(b, f, out)
	return g
}

// readResult finds out what a function returns.
func (g *signature) readResult(b *Binder, f *catalog.Function, out []Column) {
	if f.Returns != nil && f.Returns.Node != nil {
		r := &run{b: b, o: f.Returns.Origin}
		if f.Returns.Statement == nil {
			r.o = f.Origin
		}
		info := r.typeOf(f.Returns.Node)
		g.result, g.full = info.base, info.full
	}
	switch {
	case f.Table || len(out) > 1:
		g.result, g.full, g.columns = recordType, recordType, out
		if len(out) == 1 {
			g.result, g.full = out[0].Type, out[0].Full
		}
	case len(out) == 1:
		g.result, g.full = out[0].Type, out[0].Full
		g.columns = out
	case f.Kind == "aggregate" && g.result == "":
		g.result = b.aggregateResult(f, g)
	}
}

// aggregateResult is the type of the final function's result, or else the state's.
func (b *Binder) aggregateResult(f *catalog.Function, g *signature) string {
	state, final := "", false
	r := &run{b: b, o: f.Origin}
	for _, d := range f.Definition {
		switch strings.ToLower(d.GetDefname()) {
		case "stype", "stype1":
			state = r.typeOf(d.GetArg().GetTypeName()).base
		case "finalfunc":
			final = true
			schema, name := qualified(d.GetArg().GetTypeName().GetNames())
			if found := b.catalog.ResolveFunctions(r.o, schema, name); len(found) == 1 {
				return b.signature(found[0]).result
			}
			if built, ok := builtin.ResolveFunction(name, []string{state}, &b.known); ok {
				return built.Result
			}
		}
	}
	if final {
		return ""
	}
	return state
}

// userFunction finds a function of the catalog's by name and arguments. Where the server has functions of the same name, which come
// first in the search path, only one that takes the arguments just as they are is taken.
func (r *run) userFunction(schema, name string, types, named []string, variadic, rival bool) (callee, bool) {
	found := r.b.catalog.ResolveFunctions(r.o, schema, name)
	if len(found) == 0 {
		return callee{}, false
	}
	var fitting []*fit
	for _, f := range found {
		if x := r.fitting(r.b.signature(f), types, named, variadic); x != nil {
			fitting = append(fitting, x)
		}
	}
	best := r.preferStrings(bestFits(fitting), types)
	if rival && (len(best) != 1 || best[0].exact < len(types)) {
		return callee{}, false
	}
	if len(best) == 1 {
		g := best[0].signature
		r.ref("function", g.id, "")
		c := callee{text: ident(g.id), args: best[0].params, open: map[int]bool{}, result: g.result, volatile: g.volatile, found: true}
		for i, p := range best[0].params {
			c.open[i] = p == ""
		}
		if generic(g.result) {
			c.result = best[0].generic(g.result)
		}
		return c, true
	}
	c := callee{}
	for _, f := range found {
		g := r.b.signature(f)
		r.ref("function", g.id, "")
		c.text += "?" + ident(g.id)
		c.volatile = c.volatile || g.volatile
	}
	if len(fitting) == 0 {
		c.volatile = true
	}
	return c, true
}

// fit is a function that takes the arguments of a call.
type fit struct {
	*signature
	params []string // the types to which the arguments are brought
	exact  int      // how many arguments are of the parameter's type
	args   []string
}

// fitting tells whether a function takes the arguments, and how.
func (r *run) fitting(g *signature, types, named []string, variadic bool) *fit {
	params, ok := g.parameters(len(types), named, variadic)
	if !ok {
		return nil
	}
	x := &fit{signature: g, params: params, args: types}
	for i, p := range params {
		switch from := types[i]; {
		case from == p:
			x.exact++
		case from == unknown || from == "" || isPseudo(p):
		default:
			if c, ok := builtin.FindCast(from, p, &r.b.known); !ok || c.Context != 'i' {
				return nil
			}
		}
	}
	for i, p := range params {
		if isPseudo(p) {
			params[i] = "" // stays as it is
		}
	}
	return x
}

// parameters gives the types of the parameters that take n arguments.
func (g *signature) parameters(n int, named []string, variadic bool) ([]string, bool) {
	given := len(g.types)
	switch {
	case named != nil:
		params := make([]string, n)
		for i, name := range named {
			at := i
			if name != "" {
				at = slices.Index(g.names, name)
			}
			if at < 0 || at >= given {
				return nil, false
			}
			params[i] = g.types[at]
		}
		return params, true
	case g.rest != "" && !variadic && n >= given:
		return slices.Concat(g.types[:given-1], slices.Repeat([]string{g.rest}, n-given+1)), true
	case n > given || n < given-g.defaults:
		return nil, false
	}
	return slices.Clone(g.types[:n]), true
}

// bestFits keeps the functions with the most exact arguments.
func bestFits(list []*fit) []*fit {
	var best []*fit
	for _, x := range list {
		switch {
		case len(best) == 0 || x.exact > best[0].exact:
			best = []*fit{x}
		case x.exact == best[0].exact && !slices.ContainsFunc(best, func(b *fit) bool { return slices.Equal(b.types, x.types) }):
			best = append(best, x) // one of the same arguments is hidden by the one that the search path has first
		}
	}
	return best
}

// preferStrings lets a literal without a type be a string where one of the functions takes one.
func (r *run) preferStrings(list []*fit, types []string) []*fit {
	for i, t := range types {
		if t != unknown || len(list) < 2 {
			continue
		}
		var strings []*fit
		for _, x := range list {
			if builtin.Category(x.types[min(i, len(x.types)-1)], &r.b.known) == 'S' {
				strings = append(strings, x)
			}
		}
		if len(strings) > 0 {
			list = strings
		}
	}
	return list
}

// generic tells whether a result depends on the arguments.
func generic(t string) bool { return strings.HasPrefix(t, "any") }

// generic gives the result of a call of a polymorphic function, for the simple ones.
func (x *fit) generic(result string) string {
	for i, p := range x.types {
		if i >= len(x.args) || x.args[i] == unknown || !generic(p) {
			continue
		}
		switch from := x.args[i]; {
		case p == result:
			return from
		case strings.HasSuffix(p, "array") && !strings.HasSuffix(result, "array"):
			return element(from)
		case strings.HasSuffix(result, "array") && !strings.HasSuffix(p, "array"):
			return from + "[]"
		}
	}
	return ""
}
