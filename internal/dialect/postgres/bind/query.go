package bind

import (
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"
)

// output is one column that a query gives.
type output struct {
	name  string
	value value
}

// query is a statement that has been bound. Its text is put together at the end, as what is around it may decide of which type a
// literal among its columns is.
type query struct {
	with     string
	head     string // up to the columns: "select distinct "
	outputs  []output
	tail     string    // what comes behind them
	rows     [][]value // of VALUES
	op       string    // of a set operation, whose sides are left and right
	left     *query
	right    *query
	open     bool // more columns than outputs, of which nothing is known
	volatile bool
	unnamed  bool // nobody can see the names of its outputs
	fixed    bool // it is no SELECT: tail is all of its text, columns included
}

// statement binds any statement that can stand in a query or a body. around is the scope it stands in, or nil.
func (r *run) statement(n *pg.Node, around *scope) *query {
	switch x := n.GetNode().(type) {
	case *pg.Node_SelectStmt:
		return r.selectStmt(x.SelectStmt, around, nil)
	case *pg.Node_InsertStmt:
		return r.insert(x.InsertStmt, around)
	case *pg.Node_UpdateStmt:
		return r.update(x.UpdateStmt, around)
	case *pg.Node_DeleteStmt:
		return r.delete(x.DeleteStmt, around)
	}
	s := &scope{parent: around, items: []*item{{alias: "?", open: true}}}
	v := r.generic(n, s)
	return &query{tail: v.text, fixed: true, volatile: true, open: true}
}

// boundQuery makes the answer for a query.
func (r *run) boundQuery(q *query) Bound {
	q.settle(r)
	b := Bound{Volatile: q.volatile, Stars: r.stars}
	types := make([]string, len(q.outputs))
	for i, o := range q.outputs {
		full := o.value.fullType()
		b.Columns = append(b.Columns, Column{Name: o.name, Type: o.value.known(), Full: full, NotNull: o.value.notNull})
		types[i] = ident(o.name) + " " + r.b.spelled(full)
	}
	if len(q.outputs) == 1 {
		b.Type = q.outputs[0].value.known()
	}
	b.Canon = q.render()
	if len(types) > 0 { // a relabelling that the text leaves out still decides what a view's column is
		b.Canon += " returns (" + strings.Join(types, ", ") + ")"
	}
	b.Refs, b.Unknown = r.sorted(), r.unknown
	return b
}

// settle makes the literals that nothing gives a type text.
func (q *query) settle(r *run) {
	for i, o := range q.outputs {
		if o.value.typ == unknown {
			q.outputs[i].value = q.coerceLiteral(r, i, textType)
		}
	}
}

// coerceLiteral gives a literal among the outputs a type, wherever it stands.
func (q *query) coerceLiteral(r *run, i int, to string) value {
	if i >= len(q.outputs) {
		return value{}
	}
	if q.left != nil {
		q.left.coerceLiteral(r, i, to)
		q.right.coerceLiteral(r, i, to)
	}
	for _, row := range q.rows {
		if i < len(row) && row[i].typ == unknown {
			row[i] = r.coerce(row[i], to)
		}
	}
	if q.outputs[i].value.typ == unknown {
		q.outputs[i].value = r.coerce(q.outputs[i].value, to)
	}
	return q.outputs[i].value
}

// rename gives the first outputs other names.
func (q *query) rename(list []string) {
	for i, name := range list {
		if i < len(q.outputs) {
			q.outputs[i].name = name
		}
	}
	if q.left != nil {
		q.left.rename(list)
		q.right.rename(list)
	}
}

// hideNames leaves the names of the outputs out, where the query is a value.
func (q *query) hideNames() {
	q.unnamed = true
	if q.left != nil {
		q.left.hideNames()
		q.right.hideNames()
	}
}

// names lists the names of the outputs.
func (q *query) names() []string {
	list := make([]string, len(q.outputs))
	for i, o := range q.outputs {
		list[i] = o.name
	}
	return list
}

// columns are the outputs as those of an item in FROM.
func (q *query) columns() []column {
	list := make([]column, len(q.outputs))
	for i, o := range q.outputs {
		list[i] = column{name: o.name, text: ident(o.name), typ: o.value.known(), full: o.value.full, notNull: o.value.notNull}
	}
	return list
}

// render prints the query.
func (q *query) render() string {
	var b strings.Builder
	b.WriteString(q.with)
	switch {
	case q.fixed:
	case q.left != nil:
		b.WriteString("(" + q.left.render() + ") " + q.op + " (" + q.right.render() + ")")
	case q.rows != nil:
		b.WriteString("values ")
		for i, row := range q.rows {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString("(" + texts(row, ", ") + ")")
		}
	default:
		b.WriteString(q.head)
		for i, o := range q.outputs {
			if i > 0 {
				b.WriteString(", ")
			}
			if b.WriteString(o.value.text); !q.unnamed {
				b.WriteString(" as " + ident(o.name))
			}
		}
	}
	b.WriteString(q.tail)
	return b.String()
}

// selectStmt binds SELECT, VALUES and set operations. of is the common table expression whose query it is, if it is one's.
func (r *run) selectStmt(n *pg.SelectStmt, around *scope, of *cte) *query {
	s := &scope{parent: around}
	q := &query{}
	with := r.declare(n.GetWithClause(), s)
	switch {
	case n.GetOp() != pg.SetOperation_SETOP_NONE && n.GetOp() != pg.SetOperation_SET_OPERATION_UNDEFINED:
		q.with = r.with(with, s, q)
		r.setOperation(q, n, s, of)
	case len(n.GetValuesLists()) > 0:
		q.with = r.with(with, s, q)
		r.values(q, n, s)
	default:
		r.nameItems(n.GetFromClause(), s)
		q.with = r.with(with, s, q)
		r.plainSelect(q, n, s)
	}
	return q
}

// plainSelect binds a SELECT that is no set operation (PostgreSQL 15, analyze.c: transformSelectStmt).
func (r *run) plainSelect(q *query, n *pg.SelectStmt, s *scope) {
	v := &value{}
	var tail strings.Builder
	if len(n.GetFromClause()) > 0 {
		tail.WriteString(" from " + r.from(n.GetFromClause(), s, v))
	}
	mark := max(0, len(r.refs)-1) // the last one may be the first of the targets too
	r.targets(q, n.GetTargetList(), s, v)
	selected := r.refs[mark:]
	if n.GetWhereClause() != nil {
		where := r.coerce(r.expr(n.GetWhereClause(), s), boolType)
		v.mix(where)
		tail.WriteString(" where " + where.text)
	}
	if len(n.GetGroupClause()) > 0 {
		tail.WriteString(" group by ")
		if n.GetGroupDistinct() {
			tail.WriteString("distinct ")
		}
		grouped := r.groups(n.GetGroupClause(), q, s, v)
		r.groupedByKey(grouped, selected, s)
		tail.WriteString(strings.Join(grouped, ", "))
	}
	if n.GetHavingClause() != nil {
		having := r.coerce(r.expr(n.GetHavingClause(), s), boolType)
		v.mix(having)
		tail.WriteString(" having " + having.text)
	}
	for i, w := range n.GetWindowClause() {
		word := ", "
		if i == 0 {
			word = " window "
		}
		tail.WriteString(word + ident(w.GetWindowDef().GetName()) + " as (" + r.window(w.GetWindowDef(), s, v) + ")")
	}
	q.head = "select " + r.distinctClause(n, q, s, v)
	if len(n.GetSortClause()) > 0 {
		tail.WriteString(" order by " + r.sortOutputs(n.GetSortClause(), q, s, v))
	}
	tail.WriteString(r.limits(n, s, v))
	tail.WriteString(r.locks(n, s))
	q.tail = tail.String()
	q.volatile = q.volatile || v.volatile
}

// distinctClause prints DISTINCT and DISTINCT ON.
func (r *run) distinctClause(n *pg.SelectStmt, q *query, s *scope, v *value) string {
	list := n.GetDistinctClause()
	switch {
	case len(list) == 0:
		return ""
	case list[0].GetNode() == nil:
		return "distinct "
	}
	var on []string
	for _, e := range list {
		on = append(on, r.outputOr(e, q, s, v, false).text)
	}
	return "distinct on (" + strings.Join(on, ", ") + ") "
}

// limits prints LIMIT, OFFSET and FETCH.
func (r *run) limits(n *pg.SelectStmt, s *scope, v *value) string {
	text := ""
	if e := n.GetLimitOffset(); e != nil {
		offset := r.coerce(r.expr(e, s), bigintType)
		v.mix(offset)
		text += " offset " + offset.text
	}
	if e := n.GetLimitCount(); e != nil {
		limit := r.coerce(r.expr(e, s), bigintType)
		v.mix(limit)
		text += " limit " + limit.text
		if n.GetLimitOption() == pg.LimitOption_LIMIT_OPTION_WITH_TIES {
			text += " with ties"
		}
	}
	return text
}

// locks prints FOR UPDATE and its like. One that names no relation is for all of them.
func (r *run) locks(n *pg.SelectStmt, s *scope) string {
	text := ""
	for _, node := range n.GetLockingClause() {
		c := node.GetLockingClause()
		how := " for " + strings.ToLower(strings.TrimPrefix(c.GetStrength().String(), "LCS_"))
		wait := ""
		if p := c.GetWaitPolicy(); p != pg.LockWaitPolicy_LockWaitBlock && p != pg.LockWaitPolicy_LOCK_WAIT_POLICY_UNDEFINED {
			wait = " " + strings.ToLower(p.String())
		}
		named := map[string]bool{}
		for _, rel := range c.GetLockedRels() {
			named[rel.GetRangeVar().GetRelname()] = true
		}
		for _, i := range s.items {
			if !i.merged && (len(named) == 0 || named[i.alias]) {
				text += how + " of " + ident(i.shown) + wait
			}
		}
	}
	return text
}
