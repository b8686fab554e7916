package bind

import (
	"slices"
	"strconv"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"
)

// outputOr binds an expression of ORDER BY, GROUP BY or DISTINCT ON, which may be a number or a name among the outputs (PostgreSQL 15,
// parse_clause.c: findTargetlistEntrySQL92). In GROUP BY a column of the input comes before the name of an output.
func (r *run) outputOr(n *pg.Node, q *query, s *scope, v *value, grouping bool) value {
	if c := n.GetAConst(); c != nil && c.GetIval() != nil {
		if i := int(c.GetIval().GetIval()); i >= 1 && i <= len(q.outputs) {
			return r.outputValue(q, i-1)
		}
	}
	if fields := n.GetColumnRef().GetFields(); len(fields) == 1 && fields[0].GetString_() != nil {
		name := fields[0].GetString_().GetSval()
		_, _, input := s.column(name)
		if at := slices.Index(q.names(), name); at >= 0 && !(grouping && input) {
			if grouping {
				return r.outputValue(q, at).doubted(s.open(), name)
			}
			return r.outputValue(q, at)
		}
	}
	x := r.untyped(r.expr(n, s))
	v.mix(x)
	return x
}

// outputValue gives an output as what is sorted or grouped by, which makes it text if it is a literal.
func (r *run) outputValue(q *query, i int) value {
	if q.outputs[i].value.typ == unknown {
		q.outputs[i].value = r.coerce(q.outputs[i].value, textType)
	}
	return q.outputs[i].value
}

// sortOutputs prints the ORDER BY of a query.
func (r *run) sortOutputs(list []*pg.Node, q *query, s *scope, v *value) string {
	var out, by []string
	for _, n := range list {
		x := r.outputOr(n.GetSortBy().GetNode(), q, s, v, false)
		if !slices.Contains(by, x.text) { // what comes again sorts nothing
			out, by = append(out, r.direction(n.GetSortBy(), x.text)), append(by, x.text)
		}
	}
	return strings.Join(out, ", ")
}

// sortPositions prints the ORDER BY of a set operation: by the number of the output.
func (r *run) sortPositions(list []*pg.Node, q *query, s *scope, v *value) string {
	var out []string
	for _, n := range list {
		e := n.GetSortBy().GetNode()
		text := ""
		if fields := e.GetColumnRef().GetFields(); len(fields) == 1 {
			if at := slices.Index(q.names(), fields[0].GetString_().GetSval()); at >= 0 {
				text = strconv.Itoa(at + 1)
			}
		}
		if text == "" {
			x := r.expr(e, s)
			v.mix(x)
			text = x.text
		}
		out = append(out, r.direction(n.GetSortBy(), text))
	}
	return strings.Join(out, ", ")
}

// sortList prints an ORDER BY in a call or a window, where names are those of the input.
func (r *run) sortList(list []*pg.Node, s *scope, v *value) string {
	values := make([]value, len(list))
	for i, n := range list {
		values[i] = r.untyped(r.expr(n.GetSortBy().GetNode(), s))
	}
	v.mix(values...)
	return r.sortTexts(list, values)
}

// sortTexts prints an ORDER BY of values.
func (r *run) sortTexts(list []*pg.Node, values []value) string {
	out := make([]string, len(list))
	for i, n := range list {
		out[i] = r.direction(n.GetSortBy(), values[i].text)
	}
	return strings.Join(out, ", ")
}

// direction prints one part of an ORDER BY; what goes without saying is left out.
func (r *run) direction(n *pg.SortBy, text string) string {
	descending := n.GetSortbyDir() == pg.SortByDir_SORTBY_DESC
	if n.GetSortbyDir() == pg.SortByDir_SORTBY_USING {
		switch o := r.operatorName(n.GetUseOp()); o.String() {
		case "<":
		case ">":
			descending = true
		default:
			text += " using " + o.String()
		}
	}
	if descending {
		text += " desc"
	}
	switch n.GetSortbyNulls() {
	case pg.SortByNulls_SORTBY_NULLS_FIRST:
		if !descending {
			text += " nulls first"
		}
	case pg.SortByNulls_SORTBY_NULLS_LAST:
		if descending {
			text += " nulls last"
		}
	}
	return text
}

// groups prints a GROUP BY.
func (r *run) groups(list []*pg.Node, q *query, s *scope, v *value) []string {
	var out []string
	for _, n := range list {
		if row := n.GetRowExpr(); row != nil && row.GetRowFormat() == pg.CoercionForm_COERCE_IMPLICIT_CAST {
			out = append(out, r.groups(row.GetArgs(), q, s, v)...) // only in a grouping set does it matter what goes together
			continue
		}
		text := r.group(n, q, s, v)
		if !slices.Contains(out, text) || n.GetGroupingSet() != nil {
			out = append(out, text)
		}
	}
	return out
}

func (r *run) group(n *pg.Node, q *query, s *scope, v *value) string {
	if row := n.GetRowExpr(); row != nil && row.GetRowFormat() == pg.CoercionForm_COERCE_IMPLICIT_CAST {
		var out []string
		for _, a := range row.GetArgs() {
			out = append(out, r.group(a, q, s, v))
		}
		return "(" + strings.Join(out, ", ") + ")"
	}
	g := n.GetGroupingSet()
	if g == nil {
		return r.outputOr(n, q, s, v, true).text
	}
	words := map[pg.GroupingSetKind]string{
		pg.GroupingSetKind_GROUPING_SET_ROLLUP: "rollup", pg.GroupingSetKind_GROUPING_SET_CUBE: "cube", pg.GroupingSetKind_GROUPING_SET_SETS: "grouping sets",
	}
	var out []string
	for _, c := range g.GetContent() {
		out = append(out, r.group(c, q, s, v))
	}
	return words[g.GetKind()] + "(" + strings.Join(out, ", ") + ")"
}

// hexadecimal prints flags.
func hexadecimal(flags int32) string { return strconv.FormatInt(int64(flags), 16) }

func decimal(n int) string { return strconv.Itoa(n) }
