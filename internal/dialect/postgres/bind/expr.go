package bind

import (
	"strconv"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/altergate/altergate/internal/dialect/postgres/builtin"
	"github.com/altergate/altergate/internal/dialect/postgres/catalog"
)

// expr binds an expression (PostgreSQL 15, parse_expr.c: transformExprRecurse).
func (r *run) expr(n *pg.Node, s *scope) value {
	switch x := n.GetNode().(type) {
	case nil:
		return value{text: "null::unknown", typ: unknown, literal: nullLiteral, total: true}
	case *pg.Node_ColumnRef:
		return r.columnRef(x.ColumnRef, s)
	case *pg.Node_AConst:
		return r.constant(x.AConst)
	case *pg.Node_TypeCast:
		return r.cast(x.TypeCast, s)
	case *pg.Node_AExpr:
		return r.operation(x.AExpr, s)
	case *pg.Node_BoolExpr:
		return r.logic(x.BoolExpr, s)
	case *pg.Node_FuncCall:
		return r.call(x.FuncCall, s)
	case *pg.Node_NullTest:
		return r.nullTest(x.NullTest, s)
	case *pg.Node_BooleanTest:
		return r.booleanTest(x.BooleanTest, s)
	case *pg.Node_CaseExpr:
		return r.caseOf(x.CaseExpr, s)
	case *pg.Node_CoalesceExpr:
		return r.coalesce(x.CoalesceExpr, s)
	case *pg.Node_MinMaxExpr:
		return r.minMax(x.MinMaxExpr, s)
	case *pg.Node_SqlvalueFunction:
		return sqlValue(x.SqlvalueFunction)
	case *pg.Node_SubLink:
		return r.subLink(x.SubLink, s)
	case *pg.Node_AArrayExpr:
		return r.arrayOf(x.AArrayExpr, "", s)
	case *pg.Node_RowExpr:
		return r.row(x.RowExpr, s)
	case *pg.Node_CollateClause:
		return r.collate(x.CollateClause, s)
	case *pg.Node_AIndirection:
		return r.indirection(x.AIndirection, s)
	case *pg.Node_ParamRef:
		return r.param(x.ParamRef)
	case *pg.Node_NamedArgExpr:
		return r.expr(x.NamedArgExpr.GetArg(), s) // the call prints the name
	case *pg.Node_GroupingFunc:
		args := r.exprs(x.GroupingFunc.GetArgs(), s)
		v := value{text: "grouping(" + texts(args, ", ") + ")", typ: intType, notNull: true}
		v.mix(args...)
		return v
	case *pg.Node_SetToDefault:
		return value{text: "default", volatile: true}
	}
	return r.generic(n, s)
}

// exprs binds a list of expressions.
func (r *run) exprs(list []*pg.Node, s *scope) []value {
	out := make([]value, len(list))
	for i, n := range list {
		out[i] = r.expr(n, s)
	}
	return out
}

// logic binds AND, OR and NOT. What is nested in its like is one list, as the order of brackets means nothing.
func (r *run) logic(n *pg.BoolExpr, s *scope) value {
	if n.GetBoolop() == pg.BoolExprType_NOT_EXPR {
		arg := r.coerce(r.expr(n.GetArgs()[0], s), boolType)
		return not(arg)
	}
	word := " and "
	if n.GetBoolop() == pg.BoolExprType_OR_EXPR {
		word = " or "
	}
	var args []value
	var add func(list []*pg.Node)
	add = func(list []*pg.Node) {
		for _, a := range list {
			if inner := a.GetBoolExpr(); inner != nil && inner.GetBoolop() == n.GetBoolop() {
				add(inner.GetArgs())
				continue
			}
			if betweenWord(a) == word {
				if _, parts := r.betweenParts(a.GetAExpr(), s); len(parts) > 0 {
					args = append(args, parts...)
					continue
				}
			}
			args = append(args, r.coerce(r.expr(a, s), boolType))
		}
	}
	add(n.GetArgs())
	return junction(word, args)
}

// junction joins conditions by AND or OR.
func junction(word string, args []value) value {
	var flat []string
	for _, a := range args {
		flat = append(flat, a.text)
	}
	v := value{text: "(" + strings.Join(flat, word) + ")", typ: boolType, total: allTotal(args...), notNull: allNotNull(args...)}
	v.mix(args...)
	return v
}

func not(arg value) value {
	v := value{text: "(not " + arg.text + ")", typ: boolType, total: arg.total, notNull: arg.notNull}
	v.mix(arg)
	return v
}

func (r *run) nullTest(n *pg.NullTest, s *scope) value {
	arg := r.expr(n.GetArg(), s)
	if arg.typ == unknown {
		arg = r.coerce(arg, textType)
	}
	word := " is null)"
	if n.GetNulltesttype() == pg.NullTestType_IS_NOT_NULL {
		word = " is not null)"
	}
	v := value{text: "(" + arg.text + word, typ: boolType, total: arg.total, notNull: true}
	v.mix(arg)
	return v
}

var booleanTests = map[pg.BoolTestType]string{
	pg.BoolTestType_IS_TRUE: "is true", pg.BoolTestType_IS_NOT_TRUE: "is not true", pg.BoolTestType_IS_FALSE: "is false",
	pg.BoolTestType_IS_NOT_FALSE: "is not false", pg.BoolTestType_IS_UNKNOWN: "is unknown", pg.BoolTestType_IS_NOT_UNKNOWN: "is not unknown",
}

func (r *run) booleanTest(n *pg.BooleanTest, s *scope) value {
	arg := r.coerce(r.expr(n.GetArg(), s), boolType)
	v := value{text: "(" + arg.text + " " + booleanTests[n.GetBooltesttype()] + ")", typ: boolType, total: arg.total, notNull: true}
	v.mix(arg)
	return v
}

// collate binds x COLLATE "name".
func (r *run) collate(n *pg.CollateClause, s *scope) value {
	v := r.expr(n.GetArg(), s)
	if v.typ == unknown {
		v = r.coerce(v, textType)
	}
	v.text = "(" + v.text + " collate " + r.collation(n.GetCollname()) + ")"
	v.literal = noLiteral
	v.elements, v.array = nil, false
	return v
}

// collation prints a collation's name, with the schema when it is the catalog's and not the server's.
func (r *run) collation(list []*pg.Node) string {
	schema, name := qualified(list)
	if key, ok := r.other("collation", schema, name); ok {
		r.ref("collation", key, "")
		return ident(key)
	}
	if schema != "" && schema != pgCatalog {
		r.miss("collation", schema+"."+name, 0)
		return ident(schema) + "." + ident(name)
	}
	return ident(name)
}

// arrayOf binds ARRAY[…]. of is the type that a cast around it gives the elements.
func (r *run) arrayOf(n *pg.A_ArrayExpr, of string, s *scope) value {
	list := make([]value, len(n.GetElements()))
	nested := false
	for i, e := range n.GetElements() {
		if inner := e.GetAArrayExpr(); inner != nil {
			list[i], nested = r.arrayOf(inner, of, s), true
			continue
		}
		list[i] = r.expr(e, s)
	}
	return r.arrayFrom(list, of, nested)
}

// arrayFrom makes an array of values.
func (r *run) arrayFrom(list []value, of string, nested bool) value {
	v := value{array: true, elements: list, notNull: true, total: true}
	switch {
	case of != "":
		for i, e := range list {
			to := of
			if e.array {
				to += "[]"
			}
			list[i] = r.coerce(e, to)
		}
		v.typ = of + "[]"
	case len(list) == 0:
		v.typ = ""
	default:
		t, common := r.common(list)
		v.elements, v.typ = common, t
		if t != "" && !strings.HasSuffix(t, "[]") {
			v.typ = t + "[]"
		}
	}
	list = v.elements
	if nested {
		v.elements, v.array = nil, false
	}
	v.total = allTotal(list...)
	v.mix(list...)
	if v.array {
		v.text = r.arrayText(v.elements, v.typ)
	} else {
		v.text = "array[" + texts(list, ", ") + "]"
	}
	return v
}

// arrayText prints an array's constructor. One without elements shows its type, which nothing else tells.
func (r *run) arrayText(list []value, typ string) string {
	if len(list) == 0 {
		return "array[]::" + r.b.spelled(typ)
	}
	return "array[" + texts(list, ", ") + "]"
}

// row binds ROW(…) and (a, b).
func (r *run) row(n *pg.RowExpr, s *scope) value {
	args := r.starArgs(n.GetArgs(), s)
	v := value{typ: recordType, fields: args, total: allTotal(args...), notNull: true}
	v.mix(args...)
	v.text = "row(" + texts(args, ", ") + ")"
	return v
}

// starArgs binds what stands in ROW(…) and VALUES, where t.* is all the columns of t.
func (r *run) starArgs(list []*pg.Node, s *scope) []value {
	out := make([]value, 0, len(list))
	for _, n := range list {
		if c := n.GetColumnRef(); c != nil && len(c.GetFields()) > 1 && c.GetFields()[len(c.GetFields())-1].GetAStar() != nil {
			for _, o := range r.star(names(c.GetFields()[:len(c.GetFields())-1]), c.GetLocation(), s) {
				out = append(out, o.value)
			}
			continue
		}
		out = append(out, r.expr(n, s))
	}
	return out
}

// indirection binds x[i], x[i:j], (x).f and (x).*.
func (r *run) indirection(n *pg.A_Indirection, s *scope) value {
	v := r.expr(n.GetArg(), s)
	for _, step := range n.GetIndirection() {
		switch x := step.GetNode().(type) {
		case *pg.Node_AIndices:
			v = r.subscript(v, x.AIndices, s)
		case *pg.Node_String_:
			v = r.field(v, x.String_.GetSval())
		default:
			v.text, v.typ, v.full, v.total, v.notNull = "("+v.text+").*", "", "", false, false
		}
		v.literal, v.elements, v.array, v.fields = noLiteral, nil, false, nil
	}
	return v
}

func (r *run) subscript(v value, n *pg.A_Indices, s *scope) value {
	base := r.b.underlying(v.typ)
	index := intType
	if base == "jsonb" {
		index = textType // numbers stay numbers: a string is what else may be there
	}
	at := func(e *pg.Node) string {
		if e == nil {
			return ""
		}
		i := r.expr(e, s)
		if index == intType || i.typ == unknown {
			i = r.coerce(i, index)
		}
		v.mix(i)
		return i.text
	}
	v.full, v.total, v.notNull = "", false, false
	if n.GetIsSlice() {
		v.text += "[" + at(n.GetLidx()) + ":" + at(n.GetUidx()) + "]"
		v.typ = base
		return v
	}
	v.text += "[" + at(n.GetUidx()) + "]"
	if e := element(base); e != "" {
		v.typ = e
	} else if base != "jsonb" {
		v.typ = ""
	}
	return v
}

// field selects a field of a value that has some.
func (r *run) field(v value, name string) value {
	out := value{text: fieldText(v, name)}
	out.mix(v)
	typ := r.b.underlying(v.typ)
	columns, known := r.fieldsOf(typ)
	if typ == recordType {
		for _, g := range r.called(v.text) {
			for _, c := range g.columns {
				columns = append(columns, column{name: c.Name, typ: c.Type, full: c.Full})
			}
		}
	}
	for _, c := range columns {
		if c.name == name {
			out.typ, out.full = c.typ, c.full
			if c.table != "" {
				r.ref("column", c.table, c.of)
				out.text = fieldText(v, c.of)
			}
			return out
		}
	}
	if known {
		r.miss("column", typ+"."+name, 0)
	}
	return out
}

// fieldText prints a field; one of the whole row of an item is a column of it.
func fieldText(v value, name string) string {
	if row, ok := strings.CutSuffix(v.text, ".*"); ok {
		return row + "." + ident(name)
	}
	return "(" + v.text + ")." + ident(name)
}

// param binds $1.
func (r *run) param(n *pg.ParamRef) value {
	i := int(n.GetNumber())
	v := value{text: "$" + strconv.Itoa(i)}
	if i >= 1 && i <= len(r.params) {
		v.typ = r.params[i-1].typ
	}
	v.total = true
	return v
}

// sqlValue binds CURRENT_TIMESTAMP and its like, which are not the functions that give the same.
func sqlValue(n *pg.SQLValueFunction) value {
	name := strings.ToLower(strings.TrimPrefix(n.GetOp().String(), "SVFOP_"))
	typ, precise := "name", false
	switch name = strings.TrimSuffix(name, "_n"); name {
	case "current_date":
		typ = "date"
	case "current_time":
		typ, precise = "time with time zone", true
	case "current_timestamp":
		typ, precise = "timestamp with time zone", true
	case "localtime":
		typ, precise = "time without time zone", true
	case "localtimestamp":
		typ, precise = "timestamp without time zone", true
	}
	v := value{text: name, typ: typ, total: true, notNull: name != "current_schema"}
	if precise && n.GetTypmod() >= 0 {
		v.text += "(" + strconv.Itoa(int(n.GetTypmod())) + ")"
		if full, err := builtin.Format(typ, []int{int(n.GetTypmod())}); err == nil {
			v.full = full
		}
	}
	return v
}

// other finds an object that is carried as text by its name, and gives the name with its schema.
func (r *run) other(kind, schema, name string) (string, bool) {
	path := r.o.Path
	if schema != "" {
		path = []string{schema}
	}
	for _, in := range path {
		key := catalog.Name{Schema: in, Name: name}.String()
		if r.b.catalog.Others[[2]string{"opaque", kind + " " + key}] != nil {
			return key, true
		}
	}
	return "", false
}
