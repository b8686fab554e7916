package bind

import (
	pg "github.com/pganalyze/pg_query_go/v6"
)

var setWords = map[pg.SetOperation]string{
	pg.SetOperation_SETOP_UNION: "union", pg.SetOperation_SETOP_INTERSECT: "intersect", pg.SetOperation_SETOP_EXCEPT: "except",
}

// setOperation binds UNION, INTERSECT and EXCEPT (PostgreSQL 15, analyze.c: transformSetOperationStmt). The outputs are those of the
// left side; all sides go by their names, since nobody can tell otherwise.
func (r *run) setOperation(q *query, n *pg.SelectStmt, s *scope, of *cte) {
	q.op = setWords[n.GetOp()]
	if n.GetAll() {
		q.op += " all"
	}
	q.left = r.selectStmt(n.GetLarg(), s, nil)
	if of != nil && of.columns == nil { // the right side of a recursive query sees what the left one gives
		of.columns, of.open = q.left.columns(), q.left.open
		for i := range of.columns {
			if q.left.outputs[i].value.typ == unknown {
				of.columns[i].typ = textType
			}
			of.columns[i].notNull = false
			if i < len(of.aliases) {
				of.columns[i].name = of.aliases[i]
				of.columns[i].text = ident(of.aliases[i])
			}
		}
	}
	q.right = r.selectStmt(n.GetRarg(), s, nil)
	q.volatile = q.volatile || q.left.volatile || q.right.volatile
	q.open = q.left.open || q.right.open
	for i, l := range q.left.outputs {
		o := output{name: l.name, value: value{text: l.value.text, typ: l.value.typ, full: l.value.full}}
		if i < len(q.right.outputs) {
			o.value = r.union(q, i)
		}
		q.outputs = append(q.outputs, o)
	}
	q.right.rename(q.left.names())
	v := &value{}
	if len(n.GetSortClause()) > 0 {
		q.tail += " order by " + r.sortPositions(n.GetSortClause(), q, s, v)
	}
	q.tail += r.limits(n, s, v)
	q.volatile = q.volatile || v.volatile
}

// union brings the two sides of an output together.
func (r *run) union(q *query, i int) value {
	l, rt := q.left.outputs[i].value, q.right.outputs[i].value
	t, ok := r.commonOf(l.typ, rt.typ)
	if !ok {
		t = ""
	} else {
		l, rt = q.left.coerceLiteral(r, i, t), q.right.coerceLiteral(r, i, t)
	}
	v := value{typ: t, notNull: l.notNull && rt.notNull, text: l.text}
	if l.full == rt.full && l.typ == rt.typ {
		v.full = l.full
	}
	return v
}

// values binds VALUES: each column has the type that all rows have in common.
func (r *run) values(q *query, n *pg.SelectStmt, s *scope) {
	for _, row := range n.GetValuesLists() {
		q.rows = append(q.rows, r.starArgs(row.GetList().GetItems(), s))
	}
	for i := range q.rows[0] {
		var column []value
		for _, row := range q.rows {
			if i < len(row) {
				column = append(column, row[i])
			}
		}
		if t, ok := r.commonAmong(column); ok {
			for k := range q.rows {
				if i < len(q.rows[k]) {
					q.rows[k][i] = r.coerce(q.rows[k][i], t)
					column[min(k, len(column)-1)] = q.rows[k][i]
				}
			}
		}
		v := value{typ: column[0].typ, full: sameFull(column), notNull: allNotNull(column...)}
		for _, c := range column {
			q.volatile = q.volatile || c.volatile
			if c.typ != v.typ {
				v.typ = ""
			}
		}
		q.outputs = append(q.outputs, output{"column" + decimal(i+1), v})
	}
	v := &value{}
	if len(n.GetSortClause()) > 0 {
		q.tail += " order by " + r.sortPositions(n.GetSortClause(), q, s, v)
	}
	q.tail += r.limits(n, s, v)
}

// commonAmong gives the common type of values, none when all are literals without a type: then what is around decides.
func (r *run) commonAmong(list []value) (string, bool) {
	typed := false
	for _, v := range list {
		typed = typed || v.typ != unknown
	}
	if !typed {
		return "", false
	}
	t, _ := r.common(list)
	return t, t != ""
}
