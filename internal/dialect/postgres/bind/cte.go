package bind

import (
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"
)

// cte is a common table expression.
type cte struct {
	name    string
	node    *pg.CommonTableExpr
	scope   *scope // the query it is declared in
	visible []*cte // those of the same WITH that its query sees
	aliases []string
	columns []column // what it gives, once that is known
	open    bool
	text    string
	begun   bool
	owner   *query
}

// declare lets the scope see the names in a WITH, before anything in it is bound.
func (r *run) declare(n *pg.WithClause, s *scope) *pg.WithClause {
	for _, node := range n.GetCtes() {
		x := node.GetCommonTableExpr()
		s.ctes = append(s.ctes, &cte{name: x.GetCtename(), node: x, scope: s, aliases: names(x.GetAliascolnames())})
	}
	for i, c := range s.ctes {
		c.visible = s.ctes[:i]
		if n.GetRecursive() {
			c.visible = s.ctes
		}
	}
	return n
}

// with binds and prints the WITH of a query.
func (r *run) with(n *pg.WithClause, s *scope, q *query) string {
	if n == nil {
		return ""
	}
	parts := make([]string, len(s.ctes))
	for i, c := range s.ctes {
		c.owner = q
		r.bindCTE(c)
		parts[i] = c.text
	}
	word := "with "
	if n.GetRecursive() {
		word = "with recursive "
	}
	return word + strings.Join(parts, ", ") + " "
}

// bindCTE binds the query of a common table expression, unless it is being bound: then it is recursive, and sees of itself what its
// left side gives.
func (r *run) bindCTE(c *cte) {
	if c.begun {
		return
	}
	c.begun = true
	saved, hidden := c.scope.ctes, c.scope.hidden
	c.scope.ctes, c.scope.hidden = c.visible, true
	var q *query
	if x := c.node.GetCtequery().GetSelectStmt(); x != nil {
		q = r.selectStmt(x, c.scope, c)
	} else {
		q = r.statement(c.node.GetCtequery(), c.scope)
	}
	c.scope.ctes, c.scope.hidden = saved, hidden
	q.settle(r)
	if c.owner != nil {
		c.owner.volatile = c.owner.volatile || q.volatile
	}
	c.columns, c.open = q.columns(), q.open
	changed := false
	for i, a := range c.aliases {
		if i < len(c.columns) {
			changed = changed || c.columns[i].name != a
			c.columns[i].name, c.columns[i].text = a, ident(a)
		}
	}
	c.text = ident(c.name)
	if changed {
		list := make([]string, len(c.columns))
		for i, x := range c.columns {
			list[i] = x.text
		}
		c.text += "(" + strings.Join(list, ", ") + ")"
	}
	c.text += " as " + materialized(c.node) + "(" + q.render() + ")" + r.search(c)
}

func materialized(n *pg.CommonTableExpr) string {
	switch n.GetCtematerialized() {
	case pg.CTEMaterialize_CTEMaterializeAlways:
		return "materialized "
	case pg.CTEMaterialize_CTEMaterializeNever:
		return "not materialized "
	}
	return ""
}

// search prints SEARCH and CYCLE, and adds the columns that they make.
func (r *run) search(c *cte) string {
	text := ""
	if n := c.node.GetSearchClause(); n != nil {
		how := " search depth first by "
		if n.GetSearchBreadthFirst() {
			how = " search breadth first by "
		}
		text += how + strings.Join(names(n.GetSearchColList()), ", ") + " set " + ident(n.GetSearchSeqColumn())
		c.columns = append(c.columns, column{name: n.GetSearchSeqColumn(), text: ident(n.GetSearchSeqColumn())})
	}
	if n := c.node.GetCycleClause(); n != nil {
		mark, other := r.expr(n.GetCycleMarkValue(), &scope{}), r.expr(n.GetCycleMarkDefault(), &scope{})
		if n.GetCycleMarkValue() == nil {
			mark, other = boolean(true), boolean(false)
		}
		typ, both := r.common([]value{mark, other})
		text += " cycle " + strings.Join(names(n.GetCycleColList()), ", ") + " set " + ident(n.GetCycleMarkColumn()) +
			" to " + both[0].text + " default " + both[1].text + " using " + ident(n.GetCyclePathColumn())
		c.columns = append(c.columns, column{name: n.GetCycleMarkColumn(), text: ident(n.GetCycleMarkColumn()), typ: typ},
			column{name: n.GetCyclePathColumn(), text: ident(n.GetCyclePathColumn()), typ: "record[]"})
	}
	return text
}

// fromCTE makes the item of a common table expression in FROM.
func (r *run) fromCTE(c *cte, n *pg.RangeVar, s *scope) fromPart {
	open := c.open || c.columns == nil
	i := &item{alias: n.GetRelname(), shown: s.aliasOf(n, n.GetRelname()), columns: slices.Clone(c.columns), open: open}
	return single("with "+ident(c.name)+i.rename(n.GetAlias(), false), i)
}
