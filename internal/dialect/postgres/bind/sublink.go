package bind

import (
	pg "github.com/pganalyze/pg_query_go/v6"
)

// subLink binds a query in an expression.
func (r *run) subLink(n *pg.SubLink, s *scope) value {
	q := r.unnamed(n.GetSubselect(), s)
	v := value{volatile: q.volatile}
	var first value
	switch n.GetSubLinkType() {
	case pg.SubLinkType_EXISTS_SUBLINK:
		q.settle(r)
		v.text, v.typ, v.notNull = "exists("+q.render()+")", boolType, true
		return v
	case pg.SubLinkType_ANY_SUBLINK, pg.SubLinkType_ALL_SUBLINK:
		return r.quantified(n, q, s)
	}
	q.settle(r)
	if len(q.outputs) > 0 {
		first = q.outputs[0].value
	}
	switch n.GetSubLinkType() {
	case pg.SubLinkType_ARRAY_SUBLINK:
		v.text, v.notNull = "array("+q.render()+")", true
		if t := first.known(); t != "" {
			v.typ = t + "[]"
			if element(t) != "" {
				v.typ = t
			}
		}
	default:
		v.text, v.typ, v.full = "("+q.render()+")", first.known(), first.full
	}
	return v
}

// quantified binds x IN (SELECT …), x op ANY (SELECT …) and x op ALL (SELECT …).
func (r *run) quantified(n *pg.SubLink, q *query, s *scope) value {
	name := operatorName{name: "="}
	if len(n.GetOperName()) > 0 {
		name = r.operatorName(n.GetOperName())
	}
	word := "any "
	switch n.GetSubLinkType() {
	case pg.SubLinkType_ALL_SUBLINK:
		word = "all "
	case pg.SubLinkType_ROWCOMPARE_SUBLINK:
		word = ""
	}
	left := r.expr(n.GetTestexpr(), s)
	q.settle(r)
	test := []value{left}
	if left.fields != nil {
		test = left.fields
	}
	v := value{typ: boolType, volatile: q.volatile}
	for i, t := range test {
		other := value{}
		if i < len(q.outputs) {
			other = q.outputs[i].value
		}
		as := name
		one, l, _ := r.operate(&as, t, value{typ: other.typ})
		v.mix(one)
		if test[i] = l; i == len(test)-1 {
			name = as
		}
	}
	text := test[0].text
	if len(test) > 1 {
		text = "row(" + texts(test, ", ") + ")"
	}
	v.mix(test...)
	v.text = "(" + text + " " + name.String() + " " + word + "(" + q.render() + "))"
	return v
}

// rowAgainstQuery binds (a, b) = (SELECT c, d …).
func (r *run) rowAgainstQuery(name operatorName, row *pg.RowExpr, n *pg.SubLink, s *scope) value {
	return r.quantified(&pg.SubLink{
		SubLinkType: pg.SubLinkType_ROWCOMPARE_SUBLINK, OperName: []*pg.Node{pg.MakeStrNode(name.name)},
		Testexpr: &pg.Node{Node: &pg.Node_RowExpr{RowExpr: row}}, Subselect: n.GetSubselect(),
	}, r.unnamed(n.GetSubselect(), s), s)
}

// unnamed binds a query that is a value.
func (r *run) unnamed(n *pg.Node, s *scope) *query {
	q := r.statement(n, s)
	q.hideNames()
	return q
}
