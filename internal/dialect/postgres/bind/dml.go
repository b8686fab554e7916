package bind

import (
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"
)

// target is the relation that a statement changes.
func (r *run) target(n *pg.RangeVar, s *scope) (fromPart, *item) {
	rel, ok := r.relation(n.GetSchemaname(), n.GetRelname())
	if !ok {
		r.miss("relation", written(n), n.GetLocation())
	}
	i := &item{alias: n.GetRelname(), schema: rel.schema, shown: s.aliasOf(n, rel.last), columns: rel.columns, open: rel.open}
	if rel.known {
		i.table, i.row = rel.name, rel.name
		r.ref("relation", rel.name, "")
	}
	text := ident(rel.name)
	if !n.GetInh() {
		text = "only " + text
	}
	return single(text+i.rename(n.GetAlias(), false), i), i
}

// column finds a column that is set.
func (r *run) targetColumn(i *item, name string, location int32) column {
	for _, c := range i.columns {
		if c.name == name {
			if c.table != "" {
				r.ref("column", c.table, c.of)
			}
			return c
		}
	}
	if !i.open {
		r.miss("column", i.alias+"."+name, location)
	}
	return column{name: name, text: ident(name)}
}

// insert binds INSERT. The list of columns is written out, as the server does.
func (r *run) insert(n *pg.InsertStmt, around *scope) *query {
	s, q, v := &scope{parent: around}, &query{fixed: true}, &value{}
	with := r.declare(n.GetWithClause(), s)
	r.nameItems([]*pg.Node{{Node: &pg.Node_RangeVar{RangeVar: n.GetRelation()}}}, s)
	q.with = r.with(with, s, q)
	one, i := r.target(n.GetRelation(), s)
	var columns []column
	for _, node := range n.GetCols() {
		t := node.GetResTarget()
		columns = append(columns, r.targetColumn(i, t.GetName(), t.GetLocation()))
	}
	from := r.inserted(n, s, q)
	if len(n.GetCols()) == 0 && from != nil {
		for k := range from.outputs {
			if k < len(one.all) {
				columns = append(columns, r.targetColumn(i, one.all[k].column.name, 0))
			}
		}
	}
	text := "insert into " + one.text
	if len(columns) > 0 {
		list := make([]string, len(columns))
		for k, c := range columns {
			list[k] = c.text
		}
		text += " (" + strings.Join(list, ", ") + ")"
	}
	if o := n.GetOverride(); o > pg.OverridingKind_OVERRIDING_NOT_SET {
		text += " " + strings.ToLower(o.String())
	}
	text += " " + r.source(from, columns)
	if n.GetOnConflictClause() != nil {
		text += r.onConflict(n.GetOnConflictClause(), i, s, v)
	}
	s.items, s.all = one.items, one.all
	q.tail = text + r.returning(n.GetReturningList(), q, s, v)
	q.volatile = true
	return q
}

// inserted binds what is inserted; nil is DEFAULT VALUES.
func (r *run) inserted(n *pg.InsertStmt, s *scope, q *query) *query {
	x := n.GetSelectStmt()
	if x == nil {
		return nil
	}
	from := r.statement(x, s)
	q.volatile = from.volatile
	return from
}

// source prints what is inserted, brought to the types of the columns.
func (r *run) source(from *query, columns []column) string {
	if from == nil {
		return "default values"
	}
	for k, c := range columns {
		for _, row := range from.rows {
			if k < len(row) && row[k].text != "default" {
				row[k] = r.assign(row[k], c.typ)
			}
		}
		if k < len(from.outputs) && from.outputs[k].value.typ == unknown && from.rows == nil {
			from.coerceLiteral(r, k, c.typ)
		}
	}
	from.settle(r)
	return from.render()
}

// onConflict prints ON CONFLICT.
func (r *run) onConflict(n *pg.OnConflictClause, target *item, s *scope, v *value) string {
	text := " on conflict"
	own := s.with([]*item{target})
	if f := n.GetInfer(); f != nil {
		if f.GetConname() != "" {
			text += " on constraint " + ident(f.GetConname())
		}
		var list []string
		for _, node := range f.GetIndexElems() {
			e := node.GetIndexElem()
			one := ""
			if e.GetExpr() != nil {
				one = r.expr(e.GetExpr(), own).text
			} else {
				one = r.targetColumn(target, e.GetName(), 0).text
			}
			if len(e.GetCollation()) > 0 {
				one += " collate " + r.collation(e.GetCollation())
			}
			if len(e.GetOpclass()) > 0 {
				one += " " + strings.Join(names(e.GetOpclass()), ".")
			}
			list = append(list, one)
		}
		if len(list) > 0 {
			text += " (" + strings.Join(list, ", ") + ")"
		}
		if f.GetWhereClause() != nil {
			text += " where " + r.coerce(r.expr(f.GetWhereClause(), own), boolType).text
		}
	}
	if n.GetAction() == pg.OnConflictAction_ONCONFLICT_NOTHING {
		return text + " do nothing"
	}
	excluded := *target
	excluded.alias, excluded.shown, excluded.schema, excluded.byName = "excluded", "excluded", "", true
	both := s.with([]*item{target, &excluded})
	text += " do update set " + r.sets(n.GetTargetList(), target, both, v)
	if n.GetWhereClause() != nil {
		text += " where " + r.coerce(r.expr(n.GetWhereClause(), both), boolType).text
	}
	return text
}

// sets prints the assignments of SET. (a, b) = ROW(x, y) is two of them.
func (r *run) sets(list []*pg.Node, target *item, s *scope, v *value) string {
	var out []string
	for k := 0; k < len(list); k++ {
		t := list[k].GetResTarget()
		m := t.GetVal().GetMultiAssignRef()
		if m == nil {
			out = append(out, r.set(target, t, r.expr(t.GetVal(), s), s, v))
			continue
		}
		width := min(int(m.GetNcolumns()), len(list)-k)
		if row := m.GetSource().GetRowExpr(); row != nil && len(row.GetArgs()) == width {
			for i, a := range row.GetArgs() {
				out = append(out, r.set(target, list[k+i].GetResTarget(), r.expr(a, s), s, v))
			}
		} else {
			var columns []string
			for i := range width {
				columns = append(columns, r.targetColumn(target, list[k+i].GetResTarget().GetName(), t.GetLocation()).text)
			}
			x := r.expr(m.GetSource(), s)
			v.mix(x)
			out = append(out, "("+strings.Join(columns, ", ")+") = "+x.text)
		}
		k += max(width, 1) - 1
	}
	return strings.Join(out, ", ")
}

// set prints one assignment.
func (r *run) set(target *item, t *pg.ResTarget, x value, s *scope, v *value) string {
	c := r.targetColumn(target, t.GetName(), t.GetLocation())
	left := value{text: c.text, typ: c.typ}
	for _, step := range t.GetIndirection() {
		if i := step.GetAIndices(); i != nil {
			left = r.subscript(left, i, s)
		} else {
			left = r.field(left, step.GetString_().GetSval())
		}
	}
	if x.text != "default" {
		x = r.assign(x, left.typ)
	}
	v.mix(x)
	return left.text + " = " + x.text
}

// update binds UPDATE.
func (r *run) update(n *pg.UpdateStmt, around *scope) *query {
	s, q, v := &scope{parent: around}, &query{fixed: true, volatile: true}, &value{}
	with := r.declare(n.GetWithClause(), s)
	r.nameItems(append([]*pg.Node{{Node: &pg.Node_RangeVar{RangeVar: n.GetRelation()}}}, n.GetFromClause()...), s)
	q.with = r.with(with, s, q)
	one, i := r.target(n.GetRelation(), s)
	from := ""
	if len(n.GetFromClause()) > 0 {
		from = " from " + r.from(n.GetFromClause(), s, v)
	}
	s.items, s.all = append(one.items, s.items...), append(one.all, s.all...)
	text := "update " + one.text + " set " + r.sets(n.GetTargetList(), i, s, v) + from
	q.tail = text + r.where(n.GetWhereClause(), s, v) + r.returning(n.GetReturningList(), q, s, v)
	return q
}

// delete binds DELETE.
func (r *run) delete(n *pg.DeleteStmt, around *scope) *query {
	s, q, v := &scope{parent: around}, &query{fixed: true, volatile: true}, &value{}
	with := r.declare(n.GetWithClause(), s)
	r.nameItems(append([]*pg.Node{{Node: &pg.Node_RangeVar{RangeVar: n.GetRelation()}}}, n.GetUsingClause()...), s)
	q.with = r.with(with, s, q)
	one, _ := r.target(n.GetRelation(), s)
	using := ""
	if len(n.GetUsingClause()) > 0 {
		using = " using " + r.from(n.GetUsingClause(), s, v)
	}
	s.items, s.all = append(one.items, s.items...), append(one.all, s.all...)
	q.tail = "delete from " + one.text + using + r.where(n.GetWhereClause(), s, v) + r.returning(n.GetReturningList(), q, s, v)
	return q
}

func (r *run) where(n *pg.Node, s *scope, v *value) string {
	if n == nil {
		return ""
	}
	x := r.coerce(r.expr(n, s), boolType)
	v.mix(x)
	return " where " + x.text
}

// returning prints RETURNING, and makes its columns the outputs.
func (r *run) returning(list []*pg.Node, q *query, s *scope, v *value) string {
	if len(list) == 0 {
		return ""
	}
	r.targets(q, list, s, v)
	q.settle(r)
	out := make([]string, len(q.outputs))
	for i, o := range q.outputs {
		out[i] = o.value.text + " as " + ident(o.name)
	}
	return " returning " + strings.Join(out, ", ")
}
