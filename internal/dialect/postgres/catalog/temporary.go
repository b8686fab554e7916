package catalog

import (
	"maps"
	"slices"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/altergate/altergate/internal/dialect/postgres/script"
	"github.com/altergate/altergate/internal/schema"
)

// Temporary tables are no part of a schema, and go with their session. Their names are known as long as they last, since they come
// before those of the search path: what is said about them is about no table of the schema.

// lasting says how long a temporary relation stays: to the end of the session, or of the transaction.
type lasting bool

// Temporary tells whether a name means a temporary relation in the session.
func (c *Catalog) Temporary(schemaName, name string) bool {
	_, there := c.temporary[name]
	return there && (schemaName == "" || isTemporary(schemaName))
}

func (c *Catalog) isTemporary(r *pg.RangeVar) bool {
	return r != nil && c.Temporary(r.GetSchemaname(), r.GetRelname())
}

// setTemporary notes a temporary relation. The map is shared with clones, so it is copied.
func (c *Catalog) setTemporary(name string, brief bool) {
	c.temporary = maps.Clone(c.temporary)
	if c.temporary == nil {
		c.temporary = map[string]lasting{}
	}
	c.temporary[name] = lasting(brief)
}

func (c *Catalog) dropTemporary(name string) {
	c.temporary = maps.Clone(c.temporary)
	delete(c.temporary, name)
}

// endTemporary takes away the temporary tables that go with their transaction.
func (c *Catalog) endTemporary() {
	for _, name := range slices.Sorted(maps.Keys(c.temporary)) {
		if c.temporary[name] {
			c.dropTemporary(name)
		}
	}
}

// runTemporary runs the statements that make temporary relations or are about one.
func (c *Catalog) runTemporary(s *script.Statement, node *pg.Node) (bool, error) {
	if made, missing, brief := c.makesTemporary(node); made != nil {
		if c.Temporary("", made.GetRelname()) {
			if missing {
				return true, passedOver("CREATE TABLE IF NOT EXISTS of what is there")
			}
			return true, c.errorf(c.origin(s, int(made.GetLocation())), schema.KindSchema, "there already is a temporary relation %s in this session; drop it first, or take one of the two out", made.GetRelname())
		}
		c.setTemporary(made.GetRelname(), brief)
		return true, passedOver("CREATE of a temporary relation")
	}
	if len(c.temporary) == 0 {
		return false, nil
	}
	switch n := node.GetNode().(type) {
	case *pg.Node_DropStmt:
		return c.dropsTemporary(s, n.DropStmt)
	case *pg.Node_RenameStmt:
		if !c.isTemporary(n.RenameStmt.GetRelation()) {
			return false, nil
		}
		switch n.RenameStmt.GetRenameType() {
		case pg.ObjectType_OBJECT_TABLE, pg.ObjectType_OBJECT_VIEW, pg.ObjectType_OBJECT_SEQUENCE:
			brief := c.temporary[n.RenameStmt.GetRelation().GetRelname()]
			c.dropTemporary(n.RenameStmt.GetRelation().GetRelname())
			c.setTemporary(n.RenameStmt.GetNewname(), bool(brief))
		}
		return true, passedOver("ALTER of a temporary relation")
	case *pg.Node_AlterTableStmt:
		return c.isTemporary(n.AlterTableStmt.GetRelation()), passedOver("ALTER of a temporary relation")
	case *pg.Node_AlterSeqStmt:
		return c.isTemporary(n.AlterSeqStmt.GetSequence()), passedOver("ALTER of a temporary relation")
	case *pg.Node_IndexStmt:
		return c.isTemporary(n.IndexStmt.GetRelation()), passedOver("CREATE INDEX on a temporary table")
	case *pg.Node_CreateTrigStmt:
		return c.isTemporary(n.CreateTrigStmt.GetRelation()), passedOver("CREATE TRIGGER on a temporary table")
	case *pg.Node_CommentStmt:
		items := n.CommentStmt.GetObject().GetList().GetItems()
		if n.CommentStmt.GetObjtype() == pg.ObjectType_OBJECT_COLUMN && len(items) > 0 {
			items = items[:len(items)-1]
		}
		in, name := apart(items)
		return len(items) > 0 && c.Temporary(in, name), passedOver("COMMENT on a temporary relation")
	}
	return false, nil
}

// makesTemporary gives the temporary relation that a statement makes; missing is IF NOT EXISTS, brief ON COMMIT DROP. A view over a
// temporary table is one too.
func (c *Catalog) makesTemporary(node *pg.Node) (made *pg.RangeVar, missing, brief bool) {
	switch n := node.GetNode().(type) {
	case *pg.Node_CreateStmt:
		made, missing, brief = n.CreateStmt.GetRelation(), n.CreateStmt.GetIfNotExists(), n.CreateStmt.GetOncommit() == pg.OnCommitAction_ONCOMMIT_DROP
	case *pg.Node_CreateTableAsStmt:
		into := n.CreateTableAsStmt.GetInto()
		made, missing, brief = into.GetRel(), n.CreateTableAsStmt.GetIfNotExists(), into.GetOnCommit() == pg.OnCommitAction_ONCOMMIT_DROP
	case *pg.Node_SelectStmt:
		made = n.SelectStmt.GetIntoClause().GetRel()
	case *pg.Node_ViewStmt:
		if made = n.ViewStmt.GetView(); c.readsTemporary(n.ViewStmt.GetQuery()) {
			return made, false, false
		}
		missing = n.ViewStmt.GetReplace()
	case *pg.Node_CreateSeqStmt:
		made, missing = n.CreateSeqStmt.GetSequence(), n.CreateSeqStmt.GetIfNotExists()
	}
	if made == nil || made.GetRelpersistence() != "t" && !isTemporary(made.GetSchemaname()) {
		return nil, false, false
	}
	return made, missing, brief
}

// readsTemporary tells whether a query names a temporary relation.
func (c *Catalog) readsTemporary(node *pg.Node) bool {
	if len(c.temporary) == 0 {
		return false
	}
	found := false
	walk(node.ProtoReflect(), func(m protoreflect.Message) {
		if r, ok := m.Interface().(*pg.RangeVar); ok {
			found = found || c.isTemporary(r)
		}
	})
	return found
}

// dropsTemporary takes DROP in, of which the other relations stay to be dropped.
func (c *Catalog) dropsTemporary(s *script.Statement, n *pg.DropStmt) (bool, error) {
	switch n.GetRemoveType() {
	case pg.ObjectType_OBJECT_TABLE, pg.ObjectType_OBJECT_VIEW, pg.ObjectType_OBJECT_SEQUENCE:
	default:
		return false, nil
	}
	var others []*pg.Node
	for _, x := range n.GetObjects() {
		if in, name := apart(x.GetList().GetItems()); c.Temporary(in, name) {
			c.dropTemporary(name)
		} else {
			others = append(others, x)
		}
	}
	switch len(others) {
	case len(n.GetObjects()):
		return false, nil
	case 0:
		return true, passedOver("DROP of a temporary relation")
	}
	return true, c.drop(s, &pg.DropStmt{Objects: others, RemoveType: n.RemoveType, Behavior: n.Behavior, MissingOk: n.MissingOk, Concurrent: n.Concurrent})
}
