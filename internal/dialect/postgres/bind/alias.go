package bind

import (
	"strconv"

	pg "github.com/pganalyze/pg_query_go/v6"
)

// The server prints an alias that is taken, in the same query or in one around it, with a number behind it (PostgreSQL 15,
// ruleutils.c: set_rtable_names). What it prints is what an author gets to see and copy, so both come out the same here.

// nameItems gives the items of a FROM clause the aliases under which they are printed.
func (r *run) nameItems(list []*pg.Node, s *scope) {
	if len(list) == 0 {
		return
	}
	if s.alias == nil {
		s.alias, s.shown = map[any]string{}, map[string]bool{}
	}
	counters := map[string]int{}
	for _, n := range list {
		r.nameItem(n, s, counters)
	}
}

func (r *run) nameItem(n *pg.Node, s *scope, counters map[string]int) {
	switch x := n.GetNode().(type) {
	case *pg.Node_RangeVar:
		r.nameRelation(x.RangeVar, s, counters)
	case *pg.Node_RangeSubselect:
		s.nameAs(x.RangeSubselect, x.RangeSubselect.GetAlias(), "unnamed_subquery", counters)
	case *pg.Node_RangeFunction:
		s.nameAs(x.RangeFunction, x.RangeFunction.GetAlias(), functionAlias(x.RangeFunction), counters)
	case *pg.Node_RangeTableFunc:
		s.nameAs(x.RangeTableFunc, x.RangeTableFunc.GetAlias(), "xmltable", counters)
	case *pg.Node_RangeTableSample:
		r.nameItem(x.RangeTableSample.GetRelation(), s, counters)
	case *pg.Node_JoinExpr:
		r.nameItem(x.JoinExpr.GetLarg(), s, counters)
		r.nameItem(x.JoinExpr.GetRarg(), s, counters)
		if x.JoinExpr.GetAlias() != nil {
			s.nameAs(x.JoinExpr, x.JoinExpr.GetAlias(), "", counters)
		}
	}
}

// nameRelation gives a relation without an alias the name that it has today.
func (r *run) nameRelation(n *pg.RangeVar, s *scope, counters map[string]int) {
	own := n.GetRelname()
	if n.GetAlias() == nil && (n.GetSchemaname() != "" || s.cte(own) == nil) {
		if now, ok := r.b.catalog.Resolve(r.o, n.GetSchemaname(), own); ok {
			own = now.Name
		}
	}
	s.nameAs(n, n.GetAlias(), own, counters)
}

// nameAs gives one item its alias.
func (s *scope) nameAs(node any, a *pg.Alias, own string, counters map[string]int) {
	name := own
	if a != nil {
		name = a.GetAliasname()
	}
	unique := name
	for s.taken(unique) {
		counters[name]++
		unique = name + "_" + strconv.Itoa(counters[name])
	}
	s.shown[unique] = true
	s.alias[node] = unique
}

// taken tells whether an alias is given out in this query or in one around it.
func (s *scope) taken(name string) bool {
	for level := s; level != nil; level = level.parent {
		if level.shown[name] {
			return true
		}
	}
	return false
}

// aliasOf gives the alias under which an item is printed.
func (s *scope) aliasOf(node any, own string) string {
	if name, ok := s.alias[node]; ok {
		return name
	}
	return own
}

// functionAlias is the alias of a function in FROM that is given none.
func functionAlias(n *pg.RangeFunction) string {
	if len(n.GetFunctions()) > 0 {
		if list := n.GetFunctions()[0].GetList().GetItems(); len(list) > 0 {
			return figureName(list[0])
		}
	}
	return "function"
}
