package bind

import (
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"
)

var joinWords = map[pg.JoinType]string{
	pg.JoinType_JOIN_INNER: "join", pg.JoinType_JOIN_LEFT: "left join", pg.JoinType_JOIN_RIGHT: "right join", pg.JoinType_JOIN_FULL: "full join",
}

// join binds a JOIN.
func (r *run) join(n *pg.JoinExpr, s *scope, v *value) fromPart {
	left := r.fromItem(n.GetLarg(), s, v)
	// The right side sees the left one when it is LATERAL.
	items, all := s.items, s.all
	s.items = append(slices.Clone(items), left.items...)
	right := r.fromItem(n.GetRarg(), s, v)
	s.items, s.all = items, all

	both := fromPart{items: append(slices.Clone(left.items), right.items...), all: append(slices.Clone(left.all), right.all...)}
	word := joinWords[n.GetJointype()]
	condition := ""
	switch {
	case n.GetIsNatural() || len(n.GetUsingClause()) > 0:
		condition = r.using(n, left, right, &both)
	case n.GetQuals() != nil:
		on := r.coerce(r.expr(n.GetQuals(), s.with(both.items)), boolType)
		v.volatile = v.volatile || on.volatile
		condition = " on " + on.text
	default:
		word = "cross join"
	}
	if k := n.GetJointype(); k == pg.JoinType_JOIN_LEFT || k == pg.JoinType_JOIN_FULL {
		setNull(right.items)
	}
	if k := n.GetJointype(); k == pg.JoinType_JOIN_RIGHT || k == pg.JoinType_JOIN_FULL {
		setNull(left.items)
	}
	both.text = "(" + left.text + " " + word + " " + right.text + condition + ")"
	if n.GetAlias() == nil {
		return both
	}
	return r.namedJoin(n, both, s)
}

// setNull notes that items may be NULL as a whole.
func setNull(items []*item) {
	for _, i := range items {
		i.null = true
	}
}

// using binds USING and NATURAL: columns of one name on both sides are merged into one, which comes first.
func (r *run) using(n *pg.JoinExpr, left, right fromPart, both *fromPart) string {
	merge := names(n.GetUsingClause())
	if n.GetIsNatural() {
		for _, p := range left.all {
			if find(right.all, p.column.name) >= 0 {
				merge = append(merge, p.column.name)
			}
		}
	}
	merged := &item{merged: true}
	var all []place
	shown := make([]string, len(merge))
	for k, name := range merge {
		c, text := r.mergedColumn(n, name, left, right)
		shown[k] = text
		merged.columns = append(merged.columns, c)
		all = append(all, place{merged, c})
	}
	for _, side := range []fromPart{left, right} {
		for _, i := range side.items {
			hide := map[string]bool{}
			for _, name := range merge {
				hide[name] = true
			}
			for name := range i.hide {
				hide[name] = true
			}
			i.hide = hide
		}
		for _, p := range side.all {
			if !slices.Contains(merge, p.column.name) {
				all = append(all, p)
			}
		}
	}
	both.all = all
	both.items = append(both.items, merged)
	text := " using (" + strings.Join(shown, ", ") + ")"
	if a := n.GetJoinUsingAlias(); a != nil {
		named := *merged
		named.merged, named.byName, named.alias, named.shown = false, true, a.GetAliasname(), a.GetAliasname()
		both.items = append(both.items, &named)
		text += " as " + ident(a.GetAliasname())
	}
	return text
}

// mergedColumn is the column that a join makes of two of one name: the left one's value, in a right join the right one's, in a full
// join the one that is not NULL.
func (r *run) mergedColumn(n *pg.JoinExpr, name string, left, right fromPart) (column, string) {
	l, lok := r.sideColumn(left, name)
	rt, rok := r.sideColumn(right, name)
	if !lok && !rok {
		r.miss("column", name, 0)
	}
	c := column{name: name, typ: l.typ, full: l.full, notNull: l.notNull && rt.notNull, text: l.text}
	switch n.GetJointype() {
	case pg.JoinType_JOIN_RIGHT:
		c.text, c.typ, c.full = rt.text, rt.typ, rt.full
	case pg.JoinType_JOIN_FULL:
		c.text, c.notNull = "using("+l.text+", "+rt.text+")", false
	}
	if l.typ != rt.typ {
		if t, ok := r.commonOf(l.typ, rt.typ); ok {
			c.typ, c.full = t, ""
		}
	}
	return c, l.text + " = " + rt.text
}

// sideColumn finds a column on one side of a join.
func (r *run) sideColumn(side fromPart, name string) (value, bool) {
	if k := find(side.all, name); k >= 0 {
		return r.columnValue(side.all[k].item, side.all[k].column), true
	}
	for _, i := range side.items {
		if i.open {
			return r.columnValue(i, column{name: name, text: ident(name)}), true
		}
	}
	return value{text: "?." + ident(name)}, false
}

func find(list []place, name string) int {
	return slices.IndexFunc(list, func(p place) bool { return p.column.name == name })
}

// namedJoin is a join in brackets with an alias, which hides what is in it.
func (r *run) namedJoin(n *pg.JoinExpr, both fromPart, s *scope) fromPart {
	i := &item{alias: n.GetAlias().GetAliasname(), shown: s.aliasOf(n, "")}
	for _, p := range both.all {
		v := r.columnValue(p.item, p.column)
		i.columns = append(i.columns, column{name: p.column.name, text: ident(p.column.name), typ: v.typ, full: v.full, notNull: v.notNull})
	}
	for _, x := range both.items {
		i.open = i.open || x.open
	}
	return single(both.text+i.rename(n.GetAlias(), false), i)
}
