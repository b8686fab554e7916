package bind

import (
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/altergate/altergate/internal/dialect/postgres/builtin"
)

// callee is the function that a call means.
type callee struct {
	text     string // canonical name
	args     []string
	result   string
	volatile bool
	total    bool // it cannot fail
	notNull  bool // it is never NULL for arguments that are not
	cast     bool // it is a cast in the form of a call
	found    bool
	open     map[int]bool // parameters of the catalog's functions that take any type
}

// call binds a call of a function (PostgreSQL 15, parse_func.c: ParseFuncOrColumn).
func (r *run) call(n *pg.FuncCall, s *scope) value {
	schema, name := qualified(n.GetFuncname())
	args := r.exprs(n.GetArgs(), s)
	var order []value
	if n.GetAggWithinGroup() {
		for _, o := range n.GetAggOrder() {
			order = append(order, r.expr(o.GetSortBy().GetNode(), s))
		}
	}
	f := r.function(n, schema, name, append(args[:len(args):len(args)], order...))
	if !f.found && len(args) == 1 && schema == "" { // column(row) is row.column
		if columns, ok := r.fieldsOf(r.b.underlying(args[0].typ)); ok && slices.ContainsFunc(columns, func(c column) bool { return c.name == name }) {
			return r.field(args[0], name)
		}
	}
	if f.cast {
		return r.castTo(args[0], typeInfo{base: f.result, full: f.result})
	}
	for i := range args {
		args[i] = r.argument(args[i], f, i)
	}
	for i := range order {
		order[i] = r.argument(order[i], f, len(args)+i)
	}
	v := value{typ: f.result, volatile: f.volatile}
	v.mix(args...)
	v.mix(order...)
	v.total = f.total && allTotal(args...) && n.GetAggFilter() == nil && n.GetOver() == nil
	v.notNull = v.total && f.notNull && allNotNull(args...) || f.notNull && len(n.GetArgs()) == 0 && n.GetOver() == nil
	for i, name := range argumentNames(n) {
		if name != "" {
			args[i].text = ident(name) + " => " + args[i].text
		}
	}
	v.text = r.callText(n, f, args, order, s, &v)
	return v
}

// argument brings an argument to its parameter's type. Where any type is taken, the difference between text and character varying
// may show in the result, so it is printed.
func (r *run) argument(v value, f callee, i int) value {
	if i < len(f.args) {
		v = r.coerce(v, f.args[i])
	}
	if t := strings.TrimSuffix(v.typ, "[]"); textual(t) && (f.text == "pg_typeof" || f.open[i]) {
		v.text += "::" + v.typ
	}
	return v
}

// callText prints a call.
func (r *run) callText(n *pg.FuncCall, f callee, args, order []value, s *scope, v *value) string {
	var b strings.Builder
	b.WriteString(f.text + "(")
	if n.GetAggDistinct() {
		b.WriteString("distinct ")
	}
	if n.GetAggStar() {
		b.WriteString("*")
	}
	if last := len(args) - 1; n.GetFuncVariadic() && last >= 0 && !(args[last].array && len(args[last].elements) > 0 && f.found && !f.anyArgs()) {
		b.WriteString(texts(args[:last], ", "))
		if last > 0 {
			b.WriteString(", ")
		}
		b.WriteString("variadic " + args[last].text)
	} else if n.GetFuncVariadic() && last >= 0 { // the elements as arguments, as they may also be written
		b.WriteString(texts(append(args[:last:last], args[last].elements...), ", "))
	} else {
		b.WriteString(texts(args, ", "))
	}
	if n.GetAggWithinGroup() {
		b.WriteString(") within group (order by " + r.sortTexts(n.GetAggOrder(), order))
	} else if len(n.GetAggOrder()) > 0 {
		b.WriteString(" order by " + r.sortList(n.GetAggOrder(), s, v))
	}
	b.WriteString(")")
	if n.GetAggFilter() != nil {
		filter := r.coerce(r.expr(n.GetAggFilter(), s), boolType)
		v.mix(filter)
		b.WriteString(" filter (where " + filter.text + ")")
	}
	if n.GetOver() != nil {
		b.WriteString(" over " + r.over(n.GetOver(), s, v))
	}
	return b.String()
}

// anyArgs tells whether the function takes arguments of any type behind VARIADIC, so that they may not stand for an array.
func (f callee) anyArgs() bool {
	switch f.text {
	case "concat", "concat_ws", "format", "num_nulls", "num_nonnulls", "json_build_array", "json_build_object", "jsonb_build_array", "jsonb_build_object":
		return true
	}
	return false
}

// over prints the window of a call.
func (r *run) over(w *pg.WindowDef, s *scope, v *value) string {
	if w.GetName() != "" {
		return ident(w.GetName())
	}
	return "(" + r.window(w, s, v) + ")"
}

// Frame options (PostgreSQL 15, parsenodes.h).
const (
	frameDefaults = 0x00002 | 0x00020 | 0x00400 // RANGE, from UNBOUNDED PRECEDING to CURRENT ROW
	frameRange    = 0x00002
	frameWords    = 0x00001 | 0x00010 // that anything was written, and that it was BETWEEN
)

// window prints a window's definition.
func (r *run) window(w *pg.WindowDef, s *scope, v *value) string {
	var parts []string
	if w.GetRefname() != "" {
		parts = append(parts, ident(w.GetRefname()))
	}
	if len(w.GetPartitionClause()) > 0 {
		list := make([]value, 0, len(w.GetPartitionClause()))
		for _, n := range w.GetPartitionClause() {
			list = append(list, r.untyped(r.expr(n, s)))
		}
		v.mix(list...)
		parts = append(parts, "partition by "+texts(list, ", "))
	}
	if len(w.GetOrderClause()) > 0 {
		parts = append(parts, "order by "+r.sortList(w.GetOrderClause(), s, v))
	}
	if o := w.GetFrameOptions(); o&^frameWords != frameDefaults {
		frame := "frame " + hexadecimal(o&^frameWords)
		for _, offset := range []*pg.Node{w.GetStartOffset(), w.GetEndOffset()} {
			if offset == nil {
				continue
			}
			x := r.expr(offset, s)
			switch {
			case o&frameRange == 0: // ROWS and GROUPS count; RANGE adds to the column
				x = r.coerce(x, bigintType)
			case x.typ == unknown && len(w.GetOrderClause()) == 1:
				x = r.coerce(x, distance(r.expr(w.GetOrderClause()[0].GetSortBy().GetNode(), s).typ))
			}
			v.mix(x)
			frame += " " + x.text
		}
		parts = append(parts, frame)
	}
	return strings.Join(parts, " ")
}

// distance is the type of what is added to a type.
func distance(t string) string {
	if t == "date" || strings.HasPrefix(t, "time") {
		return "interval"
	}
	return t
}

// function finds what a call means.
func (r *run) function(n *pg.FuncCall, schema, name string, args []value) callee {
	types := typesOf(args)
	named := argumentNames(n)
	if schema != pgCatalog {
		if f, ok := r.userFunction(schema, name, types, named, n.GetFuncVariadic(), schema == "" && builtin.HasFunction(name)); ok {
			return f
		}
	}
	if schema == "" || schema == pgCatalog {
		if f, ok := r.builtinFunction(n, name, types, named); ok {
			return f
		}
	}
	written := name
	if schema != "" {
		written = schema + "." + name
	}
	if columns, ok := r.fieldsOf(r.b.underlying(first(types))); ok && len(types) == 1 && slices.ContainsFunc(columns, func(c column) bool { return c.name == name }) {
		return callee{}
	}
	if schema != "information_schema" {
		r.miss("function", written, n.GetLocation())
	}
	if r.b.homes[schema] { // of an extension, which is found without its schema too
		written = name
	}
	return callee{text: ident(written), volatile: true}
}

// argumentNames gives the names of arguments that are passed by name, "" for the others; nil when there are none.
func argumentNames(n *pg.FuncCall) []string {
	var out []string
	for i, a := range n.GetArgs() {
		if x := a.GetNamedArgExpr(); x != nil {
			if out == nil {
				out = make([]string, len(n.GetArgs()))
			}
			out[i] = x.GetName()
		}
	}
	return out
}

// builtinFunction finds a function of the server's.
func (r *run) builtinFunction(n *pg.FuncCall, name string, types, named []string) (callee, bool) {
	var f builtin.Function
	var ok bool
	switch {
	case named != nil:
		return r.namedBuiltin(name)
	case n.GetFuncVariadic():
		f, ok = builtin.ResolveVariadic(name, types, &r.b.known)
	default:
		f, ok = builtin.ResolveFunction(name, types, &r.b.known)
	}
	c := callee{text: name, args: f.Args, result: f.Result, volatile: f.Volatility == 'v', cast: f.Cast, found: ok}
	if ok {
		c.total = safeFunctions[name] && allTextual(f.Args)
		c.notNull = c.total || neverNull[name]
		return c, true
	}
	if !builtin.HasFunction(name) {
		return c, false
	}
	if f.Volatility == 0 {
		worst, _ := builtin.Volatility(name)
		c.volatile = worst == 'v'
	}
	c.args = nil
	return c, true
}

// namedBuiltin is a call of a function of the server's with names for its arguments, such as make_interval(days => 1), whose types
// are not known here.
func (r *run) namedBuiltin(name string) (callee, bool) {
	worst, ok := builtin.Volatility(name)
	result := ""
	if name == "make_interval" {
		result = "interval"
	}
	return callee{text: name, result: result, volatile: worst == 'v'}, ok
}

// safeFunctions never fail for strings, and give NULL for NULL only.
var safeFunctions = map[string]bool{
	"lower": true, "upper": true, "length": true, "char_length": true, "character_length": true, "octet_length": true,
	"btrim": true, "ltrim": true, "rtrim": true, "md5": true, "concat": true,
	"now": true, "transaction_timestamp": true, "statement_timestamp": true, "clock_timestamp": true, "gen_random_uuid": true, "random": true,
}

// neverNull are functions that always give a value.
var neverNull = map[string]bool{
	"now": true, "transaction_timestamp": true, "statement_timestamp": true, "clock_timestamp": true, "gen_random_uuid": true,
	"random": true, "nextval": true, "count": true, "row_number": true, "rank": true, "dense_rank": true, "ntile": true,
	"percent_rank": true, "cume_dist": true, "txid_current": true, "pg_current_xact_id": true,
}

func allTextual(types []string) bool {
	for _, t := range types {
		if !textual(t) {
			return false
		}
	}
	return true
}
