package bind

import (
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/altergate/altergate/internal/dialect/postgres/builtin"
)

// cast binds x::type, CAST(x AS type) and type 'x', which are one.
func (r *run) cast(n *pg.TypeCast, s *scope) value {
	t := r.typeOf(n.GetTypeName())
	if of := element(t.base); of != "" && n.GetArg().GetAArrayExpr() != nil {
		// The elements are cast one by one, as the server does with the constructor of an array that is cast at once.
		v := r.arrayOf(n.GetArg().GetAArrayExpr(), of, s)
		return r.castTo(v, t)
	}
	return r.castTo(r.expr(n.GetArg(), s), t)
}

// castTo casts to a type with its modifiers, explicitly.
func (r *run) castTo(v value, t typeInfo) value {
	full := t.full
	if full == t.base {
		full = ""
	}
	if v.typ == t.base && (full == "" || v.full == full) {
		v.full = full
		return v
	}
	if t.base == "interval" && v.typ == unknown && v.literal == stringLiteral {
		return r.intervalLiteral(v, t, full)
	}
	out := r.coerce(v, t.base)
	if full == "" {
		return out
	}
	if plain := "::" + r.b.spelled(t.base); strings.HasSuffix(out.text, plain) {
		out.text = strings.TrimSuffix(out.text, plain)
	}
	out.text += "::" + r.b.spelled(full)
	out.full, out.total, out.elements = full, false, nil
	if out.literal != nullLiteral && !(out.literal == stringLiteral && textual(t.base) && len(t.mods) == 1 && len(out.raw) <= t.mods[0]) {
		out.literal = noLiteral // the modifiers may change the value
	}
	return out
}

// intervalLiteral is an interval with its fields: interval '1' day. They say what a number without a unit is, and what is cut off.
func (r *run) intervalLiteral(v value, t typeInfo, full string) value {
	unit := smallestField(full)
	d, ok := parseDuration(strings.Fields(strings.ToLower(v.raw)), unit)
	if ok {
		v.raw = d.cut(unit).String()
	}
	out := r.coerce(v, t.base)
	if full != "" && (!ok || strings.Contains(full, "(")) {
		out.text = strings.TrimSuffix(out.text, t.base) + full
		out.literal = noLiteral
	}
	out.full = full
	return out
}

// assign brings a value to the type that takes it: a column's for its default, boolean for a check.
func (r *run) assign(v value, to string) value { return r.coerce(v, to) }

// coerce makes a value one of another type. What the server coerces by itself and what a cast says comes out the same.
func (r *run) coerce(v value, to string) value {
	if to == "" || v.typ == to || isPseudo(to) {
		return v
	}
	out := value{typ: to, columns: v.columns, volatile: v.volatile, notNull: v.notNull}
	base := r.b.underlying(to)
	switch {
	case v.literal == nullLiteral:
		out.literal, out.raw, out.total = nullLiteral, "", true
		out.text = "null::" + r.b.spelled(to)
	case v.typ == unknown && v.literal == stringLiteral:
		out = r.typed(v.raw, base)
		if base != to { // a domain's literal is one of the type under it, and then brought to the domain
			out.text += "::" + r.b.spelled(to)
			out.typ, out.total = to, false // it may not be what the domain allows
		}
	case v.array && element(base) != "":
		of := element(base)
		out = v
		out.elements = make([]value, len(v.elements))
		out.total = true
		for i, e := range v.elements {
			out.elements[i] = r.coerce(e, of)
			out.total = out.total && out.elements[i].total
		}
		out.typ, out.full = base, ""
		out.text = r.arrayText(out.elements, base)
		if base != to {
			out.typ = to
			out.text += "::" + r.b.spelled(to)
		}
	case v.fields != nil && r.rowTo(v, to, &out):
	case v.literal == numberLiteral && isNumber(to) && fits(v.raw, to) && isExact(v.typ):
		out.text, out.literal, out.raw, out.total = numeral(v.raw, to), numberLiteral, v.raw, true
	case r.relabels(v.typ, to):
		out.text, out.literal, out.raw, out.total, out.array, out.elements = v.text, v.literal, v.raw, v.total, v.array, v.elements
	default:
		out.text = v.text + "::" + r.b.spelled(to)
		out.total = v.total && widens(v.typ, to)
		if base != to && (r.b.underlying(v.typ) == base || v.literal == numberLiteral && isNumber(base) && fits(v.raw, base) && isExact(v.typ)) {
			out.literal, out.raw = v.literal, v.raw
		}
		if c, ok := builtin.FindCast(v.typ, to, &r.b.known); v.typ != "" && (!ok || c.Volatility == 'v') {
			out.volatile = true // a cast that the server does not have calls a function of the user's
		}
	}
	return out
}

// rowTo makes the fields of ROW(…) those of a composite type.
func (r *run) rowTo(v value, to string, out *value) bool {
	columns, ok := r.fieldsOf(r.b.underlying(to))
	if !ok || len(columns) != len(v.fields) {
		return false
	}
	fields := make([]value, len(columns))
	for i, c := range columns {
		info := typeInfo{base: c.typ, full: c.fullType()}
		fields[i] = r.castTo(v.fields[i], info)
	}
	out.text = "row(" + texts(fields, ", ") + ")::" + r.b.spelled(to)
	return true
}

// isExact tells whether a numeral is a value of the type with all its digits.
func isExact(t string) bool { return t != "real" && t != "double precision" }

// relabels tells whether a cast does nothing that can be noticed: between text and character varying, domains over them included,
// and between arrays of them. The server writes such casts down, and authors leave them out.
func (r *run) relabels(from, to string) bool {
	from = r.b.underlying(from)
	if textual(to) {
		return textual(from)
	}
	if e := element(to); e != "" && textual(e) {
		f := element(from)
		return f != "" && textual(f)
	}
	return false
}

// isPseudo tells whether a parameter of the type takes values as they are.
func isPseudo(t string) bool {
	switch t {
	case "any", recordType, "record[]", unknown:
		return true
	}
	return strings.HasPrefix(t, "any")
}

// widens tells whether every value of one type has a value of the other, so that a cast cannot fail.
func widens(from, to string) bool {
	rank := map[string]int{"smallint": 1, intType: 2, bigintType: 3, numericType: 4}
	if a, b := rank[from], rank[to]; a > 0 && b > a {
		return true
	}
	switch from {
	case "smallint", intType:
		return to == "double precision"
	case "real":
		return to == "double precision"
	case "date":
		return false // infinity and far years
	}
	return false
}

// common brings values to the type that CASE, COALESCE, ARRAY and the like find for them.
func (r *run) common(list []value) (string, []value) {
	t, ok := builtin.CommonType(typesOf(list), &r.b.known)
	if !ok {
		return "", list
	}
	out := make([]value, len(list))
	for i, v := range list {
		out[i] = r.coerce(v, t)
	}
	return t, out
}

// sameFull gives the modifiers that all values share: the server keeps them then.
func sameFull(list []value) string {
	full := ""
	for i, v := range list {
		if i > 0 && v.full != full {
			return ""
		}
		full = v.full
	}
	return full
}
