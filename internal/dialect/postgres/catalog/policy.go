package catalog

import (
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/altergate/altergate/internal/dialect/postgres/script"
	"github.com/altergate/altergate/internal/schema"
)

// createPolicy makes a policy of row level security.
func (c *Catalog) createPolicy(s *script.Statement, n *pg.CreatePolicyStmt) error {
	o := c.origin(s, max(0, firstAt(s, 0, "POLICY")))
	t, err := c.table(c.origin(s, int(n.Table.GetLocation())), n.Table)
	if err != nil {
		return err
	}
	on := t.Name
	x := &Object{Kind: "policy", On: &on, Node: s.Node, Modelled: true, Origin: o, Props: map[string]string{
		propName: n.PolicyName, "permissive": yes(n.Permissive), "command": n.CmdName, "roles": roles(n.Roles),
	}}
	x.Key = keyOf(x)
	x.Expr, x.Check = c.policyExprs(s, n.Table, n.Qual, n.WithCheck)
	return c.put(x)
}

// policyExprs gives USING and WITH CHECK.
func (c *Catalog) policyExprs(s *script.Statement, table *pg.RangeVar, using, check *pg.Node) (*Expr, *Expr) {
	from := int(table.GetLocation())
	return c.exprIn(s, from, using, "USING"), c.exprIn(s, from, check, "CHECK")
}

// roles writes the roles of a policy as a list; everyone includes all others.
func roles(nodes []*pg.Node) string {
	var names []string
	for _, n := range nodes {
		name := role(n.GetRoleSpec())
		switch n.GetRoleSpec().GetRoletype() {
		case pg.RoleSpecType_ROLESPEC_PUBLIC:
			return name
		case pg.RoleSpecType_ROLESPEC_CSTRING:
			name = script.Quote(name)
		}
		names = append(names, name)
	}
	if len(names) == 0 {
		return "public"
	}
	slices.Sort(names)
	return strings.Join(slices.Compact(names), ",")
}

// alterPolicy changes what it names of a policy, and nothing else.
func (c *Catalog) alterPolicy(s *script.Statement, n *pg.AlterPolicyStmt) error {
	o := c.origin(s, int(n.Table.GetLocation()))
	t, err := c.table(o, n.Table)
	if err != nil {
		return err
	}
	x := c.Others[[2]string{"policy", partOf(t.Name, n.PolicyName)}]
	if x == nil {
		return c.missing(o, "policy %s on table %s is not there; create it, or correct the name", n.PolicyName, t.Name)
	}
	using, check := c.policyExprs(s, n.Table, n.Qual, n.WithCheck)
	if len(n.Roles) > 0 {
		x.Props["roles"] = roles(n.Roles)
	}
	if using != nil {
		x.Expr = using
	}
	if check != nil {
		x.Check = check
	}
	x.Altered = true
	return nil
}

// createRule makes a rewrite rule. Its actions are in the tree.
func (c *Catalog) createRule(s *script.Statement, n *pg.RuleStmt) error {
	o := c.origin(s, max(0, firstAt(s, 0, "RULE")))
	on, err := c.relation(c.origin(s, int(n.Relation.GetLocation())), n.Relation)
	if err != nil {
		return err
	}
	if n.Event == pg.CmdType_CMD_SELECT {
		return c.errorf(o, schema.KindUnsupported, "rule %s on %s is ON SELECT, which makes a view of a table; declare it with CREATE VIEW", n.Rulename, on)
	}
	x := &Object{Kind: "rule", On: &on, Node: s.Node, Modelled: true, Origin: o, Props: map[string]string{
		propName: n.Rulename, "event": strings.ToLower(strings.TrimPrefix(n.Event.String(), "CMD_")), "instead": yes(n.Instead),
	}}
	x.Key = keyOf(x)
	x.Expr = c.ruleCondition(s, n)
	if n.Replace {
		delete(c.Others, [2]string{x.Kind, x.Key})
	}
	return c.put(x)
}

// ruleCondition gives the WHERE of a rule, which ends at DO.
func (c *Catalog) ruleCondition(s *script.Statement, n *pg.RuleStmt) *Expr {
	e := c.exprBehind(s, int(n.Relation.GetLocation()), n.WhereClause, "WHERE")
	if e == nil {
		return nil
	}
	if stop := firstAt(s, lastLocation(n.WhereClause), "DO"); stop >= 0 {
		if at := behindLast(s, int(n.Relation.GetLocation()), firstLocation(n.WhereClause), "WHERE"); at >= 0 {
			e.Text = s.Expr(at, stop)
		}
	}
	return e
}
