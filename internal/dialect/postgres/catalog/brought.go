package catalog

import (
	"slices"

	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/altergate/altergate/internal/dialect/postgres/builtin"
)

// OnBrought is the word for a statement about access to what an extension made. What extensions make is in no file, so such
// statements, of which dumps have many, are compared by their text.
const OnBrought = "access to what an extension made"

// aboutBrought tells whether a statement says who may use, or who owns, something that an extension of the schema may have made.
func (c *Catalog) aboutBrought(node *pg.Node) bool {
	switch n := node.GetNode().(type) {
	case *pg.Node_GrantStmt:
		return len(n.GrantStmt.Objects) == 1 && c.broughtNode(n.GrantStmt.Objects[0])
	case *pg.Node_AlterOwnerStmt:
		return c.broughtNode(n.AlterOwnerStmt.Object)
	case *pg.Node_AlterTableStmt:
		cmds := n.AlterTableStmt.Cmds
		return len(cmds) == 1 && cmds[0].GetAlterTableCmd().GetSubtype() == pg.AlterTableType_AT_ChangeOwner && c.broughtRelation(n.AlterTableStmt.Relation)
	}
	return false
}

func (c *Catalog) broughtNode(n *pg.Node) bool {
	if r := n.GetRangeVar(); r != nil {
		return c.broughtRelation(r)
	}
	f := n.GetObjectWithArgs()
	if f == nil {
		return false
	}
	schemaName, _ := apart(f.Objname)
	for name, x := range c.Extensions {
		in := x.Props[propSchema]
		if in == "" {
			in = Public
		}
		if name != "plpgsql" && (schemaName == "" || schemaName == in || schemaName == name) {
			return true
		}
	}
	return false
}

func (c *Catalog) broughtRelation(r *pg.RangeVar) bool {
	for name := range c.Extensions {
		if slices.Contains(builtin.ExtensionRelations(name), r.GetRelname()) {
			return true
		}
	}
	return false
}
