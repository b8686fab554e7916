package catalog

import (
	"maps"
	"slices"

	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/altergate/altergate/internal/dialect/postgres/script"
)

// Shared gives a catalog of the same objects in a session of its own, for statements that leave the objects alone (see KeepsObjects):
// others would change the original too.
func (c *Catalog) Shared() *Catalog {
	return &Catalog{
		Schemas: c.Schemas, Extensions: c.Extensions, Tables: c.Tables, Views: c.Views, Sequences: c.Sequences, Indexes: c.Indexes, Types: c.Types,
		Functions: c.Functions, Others: c.Others, renames: c.renames, now: c.now, ticks: c.ticks, path: c.path, before: c.before, named: c.named,
		heirs: c.heirs, defaults: c.defaults, unsettled: c.unsettled, Columns: c.Columns, ReadsOf: c.ReadsOf, temporary: c.temporary,
	}
}

// NewSession forgets what statements have set for their session.
func (c *Catalog) NewSession() { c.path, c.before, c.temporary = defaultPath, nil, nil }

// SameSession tells whether names mean the same in the sessions of two catalogs.
func (c *Catalog) SameSession(other *Catalog) bool {
	return slices.Equal(c.path, other.path) && slices.Equal(c.before, other.before) && maps.Equal(c.temporary, other.temporary)
}

// KeepsObjects tells whether a statement is about the session or about rows, or not understood at all, so that it changes no object.
func (c *Catalog) KeepsObjects(s *script.Statement) bool {
	switch n := s.Node.GetNode().(type) {
	case *pg.Node_DoStmt:
		return c.guarded(s) == nil
	case *pg.Node_SelectStmt:
		return n.SelectStmt.GetIntoClause() == nil
	case *pg.Node_VariableSetStmt, *pg.Node_TransactionStmt, *pg.Node_ExplainStmt, *pg.Node_DiscardStmt:
		return true
	}
	kind := kindOf(s.Node)
	return passing[kind] != "" || unseen[kind] != ""
}

// Origin is the beginning of a statement that would run now.
func (c *Catalog) Origin(s *script.Statement) Origin { return c.origin(s, 0) }

// Passes gives the words for why nothing came of statements, in order.
func (n *Counts) Passes() []string { return slices.Sorted(maps.Keys(n.Passed)) }

// Forget takes a table out as if it had never been made: what is about it stays.
func (c *Catalog) Forget(n Name) {
	t := c.Tables[n]
	if t == nil {
		return
	}
	for _, x := range t.Indexes {
		delete(c.Indexes, x.Name)
	}
	for _, q := range c.ownedSequences(n) {
		delete(c.Sequences, q.Name)
	}
	delete(c.Tables, n)
}

// ConstraintOf gives the table of the constraint that an index belongs to; empty if it belongs to none.
func (c *Catalog) ConstraintOf(index Name) string {
	t, k := c.keyNamed(index)
	if k == nil {
		return ""
	}
	return t.Name.String()
}
