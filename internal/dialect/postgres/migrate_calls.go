package postgres

import (
	"fmt"
	"slices"

	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/altergate/altergate/internal/dialect/postgres/catalog"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// bind wants what a statement about rows names to be there, and notes the functions that it calls which may do anything.
func (m *move) bind(node *pg.Node) error {
	c := m.before.catalog
	if x := node.GetMergeStmt(); x != nil { // what its parts name is not told apart
		m.calls(node)
		if s := x.GetSourceRelation().GetRangeVar(); s != nil && x.GetWithClause() == nil {
			if err := m.there(s); err != nil {
				return err
			}
		}
		return m.there(x.GetRelation())
	}
	b := m.before.binder.Statement(c, c.Origin(m.s), node)
	for _, u := range b.Unknown {
		if u.Kind == "relation" || u.Kind == "column" {
			if !u.Maybe {
				return &schema.Error{Pos: m.s.Pos(u.Offset), Path: m.s.Path, Kind: schema.KindSchema, Text: fmt.Sprintf("there is no %s %s here; correct the name, or put the statement that makes it before this one", u.Kind, u.Name)}
			}
		}
	}
	m.calls(node)
	return nil
}

// calls notes the functions called that may do anything: the server's that reach beyond rows, those of the schema that are volatile,
// and those that nothing is known of.
func (m *move) calls(node *pg.Node) {
	c := m.before.catalog
	var names []string
	catalog.Calls(node, func(in, name string) {
		if c.MayWrite(c.Origin(m.s), in, name) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	})
	for _, name := range names {
		m.acts.Changes = append(m.acts.Changes, diff.RunOpaque{What: "call of " + name, Pos: m.s.Pos(0)})
	}
}
