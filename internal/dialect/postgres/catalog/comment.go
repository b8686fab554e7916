package catalog

import (
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/altergate/altergate/internal/dialect/postgres/script"
)

// outside are the kinds of objects that belong to the whole server, and large objects, which are data.
var outside = []pg.ObjectType{
	pg.ObjectType_OBJECT_DATABASE, pg.ObjectType_OBJECT_ROLE, pg.ObjectType_OBJECT_TABLESPACE, pg.ObjectType_OBJECT_LARGEOBJECT, pg.ObjectType_OBJECT_PARAMETER_ACL,
}

// comment takes COMMENT ON. One without text takes the comment away.
func (c *Catalog) comment(s *script.Statement, n *pg.CommentStmt) error {
	return c.annotate(s, n.Objtype, n.Object, "comment", "COMMENT", map[string]string{"text": n.Comment})
}

// securityLabel takes SECURITY LABEL, of which there is one for each provider.
func (c *Catalog) securityLabel(s *script.Statement, n *pg.SecLabelStmt) error {
	return c.annotate(s, n.Objtype, n.Object, "label", "SECURITY LABEL", map[string]string{"text": n.Label, "provider": n.Provider})
}

// annotate notes a text about an object.
func (c *Catalog) annotate(s *script.Statement, kind pg.ObjectType, object *pg.Node, what, verb string, props map[string]string) error {
	if slices.Contains(outside, kind) {
		return passedOver(verb + " ON " + strings.ToUpper(KindWord(kind)))
	}
	o := c.origin(s, 0)
	t, err := c.targetAt(o, kind, object)
	if err != nil {
		return err
	}
	x := t.about(&Object{Kind: what, Node: s.Node, Props: props, Modelled: true, Origin: o})
	x.Key = keyOf(x)
	if props["text"] == "" {
		delete(c.Others, [2]string{x.Kind, x.Key})
		return nil
	}
	c.Others[[2]string{x.Kind, x.Key}] = x
	return nil
}
