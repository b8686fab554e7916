package postgres

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/altergate/altergate/internal/dialect/postgres/catalog"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// note adds what the statement does besides.
func (m *move) note(c diff.Change) { m.acts.Changes = append(m.acts.Changes, c) }

// session notes a statement about the session by its first words.
func (m *move) session(n *catalog.Counts) {
	what := strings.Join(n.Passes(), ", ")
	m.note(diff.RunSession{What: what, Pos: m.s.Pos(0)})
}

// doubts notes what may have done anything, where the calls in it have not been noted already.
func (m *move) doubts(n *catalog.Counts) {
	noted := slices.ContainsFunc(m.acts.Changes, func(c diff.Change) bool { _, ok := c.(diff.RunOpaque); return ok })
	for _, d := range n.Doubtful {
		if noted {
			return
		}
		what := d.What
		if what == "DO" {
			what = "DO block"
		}
		m.note(diff.RunOpaque{What: what, Pos: d.Pos})
	}
}

// nothing notes why a statement about objects has changed none.
func (m *move) nothing(n *catalog.Counts) {
	if n.Modelled+n.Opaque+len(n.Doubtful) > 0 {
		return
	}
	node := m.s.Node
	for _, word := range n.Passes() {
		change := diff.NoEffect{Pos: m.s.Pos(0)}
		what, there, found := strings.Cut(word, " of what is ")
		switch {
		case strings.HasPrefix(word, "DO "):
			change.Text = "what this block makes is there already"
		case !found:
			m.note(diff.RunSession{What: word, Pos: m.s.Pos(0)})
			continue
		case there == "there":
			change.Text = cmp.Or(m.named(node), subject(what)) + " is there already" + m.differs(node)
		default:
			change.Drop = strings.HasPrefix(word, "DROP")
			change.Text = cmp.Or(m.named(node), subject(what)) + " is not there"
		}
		m.note(change)
		return
	}
}

// subject takes from the word for a statement what it is about: "ADD COLUMN IF NOT EXISTS" is about the column.
func subject(word string) string {
	before, _, _ := strings.Cut(word, " IF ")
	fields := strings.Fields(strings.ToLower(strings.TrimSuffix(before, " …")))
	if len(fields) < 2 {
		return "what this is about"
	}
	return "the " + strings.Join(fields[1:], " ")
}

// named says what a guarded statement is about: "table users", "column users.name"; empty if that is not understood.
func (m *move) named(node *pg.Node) string {
	relation := func(kind string, v *pg.RangeVar) string { return kind + " " + m.key(v) }
	switch n := node.GetNode().(type) {
	case *pg.Node_CreateStmt:
		return relation(m.kindOf(n.CreateStmt.GetRelation(), "table"), n.CreateStmt.GetRelation())
	case *pg.Node_CreateTableAsStmt:
		v := n.CreateTableAsStmt.GetInto().GetRel()
		return relation(m.kindOf(v, "table"), v)
	case *pg.Node_CreateSeqStmt:
		return relation(m.kindOf(n.CreateSeqStmt.GetSequence(), "sequence"), n.CreateSeqStmt.GetSequence())
	case *pg.Node_IndexStmt:
		return relation("index", &pg.RangeVar{Schemaname: n.IndexStmt.GetRelation().GetSchemaname(), Relname: n.IndexStmt.GetIdxname()})
	case *pg.Node_CreateSchemaStmt:
		return "schema " + n.CreateSchemaStmt.GetSchemaname()
	case *pg.Node_CreateExtensionStmt:
		return "extension " + n.CreateExtensionStmt.GetExtname()
	case *pg.Node_AlterEnumStmt:
		return fmt.Sprintf("the value %q", n.AlterEnumStmt.GetNewVal())
	case *pg.Node_AlterTableStmt:
		return m.namedPart(n.AlterTableStmt)
	case *pg.Node_RenameStmt:
		return relation(kindOfObject(n.RenameStmt.GetRelationType(), n.RenameStmt.GetRenameType()), n.RenameStmt.GetRelation())
	case *pg.Node_AlterObjectSchemaStmt:
		return relation(catalog.KindWord(n.AlterObjectSchemaStmt.GetObjectType()), n.AlterObjectSchemaStmt.GetRelation())
	case *pg.Node_AlterSeqStmt:
		return relation("sequence", n.AlterSeqStmt.GetSequence())
	case *pg.Node_DropStmt:
		return m.namedDropped(n.DropStmt)
	}
	return ""
}

func kindOfObject(relation, object pg.ObjectType) string {
	if object == pg.ObjectType_OBJECT_COLUMN || object == pg.ObjectType_OBJECT_TABCONSTRAINT {
		return catalog.KindWord(relation)
	}
	return catalog.KindWord(object)
}

// kindOf says what a relation that is there is.
func (m *move) kindOf(v *pg.RangeVar, otherwise string) string {
	if kind, ok := m.before.catalog.Relation(parseName(m.key(v))); ok {
		return kind
	}
	return otherwise
}

// namedPart says what ALTER TABLE is about: the table if that is not there, else a part of it.
func (m *move) namedPart(n *pg.AlterTableStmt) string {
	table := m.key(n.GetRelation())
	if _, there := m.before.catalog.Relation(parseName(table)); !there {
		return catalog.KindWord(n.GetObjtype()) + " " + table
	}
	var parts []string
	for _, node := range n.GetCmds() {
		switch cmd := node.GetAlterTableCmd(); cmd.GetSubtype() {
		case pg.AlterTableType_AT_AddColumn:
			parts = append(parts, "column "+onTable(table, cmd.GetDef().GetColumnDef().GetColname()))
		case pg.AlterTableType_AT_DropColumn:
			parts = append(parts, "column "+onTable(table, cmd.GetName()))
		case pg.AlterTableType_AT_DropConstraint:
			parts = append(parts, "constraint "+onTable(table, cmd.GetName()))
		}
	}
	return strings.Join(parts, " and ")
}

// namedDropped lists what DROP is about.
func (m *move) namedDropped(n *pg.DropStmt) string {
	var names []string
	for _, x := range n.GetObjects() {
		items := x.GetList().GetItems()
		if items == nil {
			items = x.GetTypeName().GetNames()
		}
		if items == nil {
			items = x.GetObjectWithArgs().GetObjname()
		}
		if items == nil {
			items = []*pg.Node{x}
		}
		var parts []string
		for _, item := range items {
			if s := item.GetString_(); s != nil {
				parts = append(parts, s.GetSval())
			}
		}
		if len(parts) == 0 || len(parts) != len(items) {
			return ""
		}
		names = append(names, strings.TrimPrefix(strings.Join(parts, "."), catalog.Public+"."))
	}
	return catalog.KindWord(n.GetRemoveType()) + " " + strings.Join(names, ", ")
}

// differs says whether a table that CREATE TABLE IF NOT EXISTS finds is another than the one that it would make.
func (m *move) differs(node *pg.Node) string {
	n := node.GetCreateStmt()
	if n == nil {
		return ""
	}
	key := m.key(n.GetRelation())
	old := m.before.Schema.Table(key)
	if old == nil {
		return ""
	}
	c := m.before.catalog.Clone()
	c.Forget(parseName(key))
	other := m.next(c)
	if _, bad := c.Apply(m.s); bad != nil {
		return ""
	}
	_ = other.analyse() // what else is wrong without the old table does not matter
	if made := other.Schema.Table(key); made != nil && !sameTable(old, made) {
		return ", and is not as this statement says"
	}
	return ""
}

// sameTable compares what CREATE TABLE says of a table.
func sameTable(a, b *schema.Table) bool {
	if len(a.Columns) != len(b.Columns) || len(a.Constraints) != len(b.Constraints) {
		return false
	}
	for i, x := range a.Columns {
		if x.Key != b.Columns[i].Key || x.Canon != b.Columns[i].Canon {
			return false
		}
	}
	for i, k := range a.Constraints {
		if k.Canon != b.Constraints[i].Canon {
			return false
		}
	}
	return slices.Equal(a.Options, b.Options)
}

// readRenames finds what the statement renames, by the names that are there before it.
func (m *move) readRenames() {
	node := m.s.Node
	if n := node.GetAlterObjectSchemaStmt(); n != nil {
		m.moves(n)
		return
	}
	n := node.GetRenameStmt()
	if n.GetRelation() == nil {
		return
	}
	c := m.before.catalog
	from, ok := c.Resolve(c.Origin(m.s), n.GetRelation().GetSchemaname(), n.GetRelation().GetRelname())
	if !ok {
		return // an error, or nothing by IF EXISTS
	}
	kind, _ := c.Relation(from)
	pos, r := m.s.Pos(0), &m.acts.Renames
	to := catalog.Name{Schema: from.Schema, Name: n.GetNewname()}
	switch n.GetRenameType() {
	case pg.ObjectType_OBJECT_COLUMN:
		if kind == "table" {
			r.Columns = append(r.Columns, diff.RenameColumn{Table: from.String(), From: n.GetSubname(), To: n.GetNewname(), Pos: pos})
		}
	case pg.ObjectType_OBJECT_TABCONSTRAINT:
		r.Parts = append(r.Parts, diff.RenamePart{Kind: "constraint", Table: from.String(), From: n.GetSubname(), To: n.GetNewname(), Pos: pos})
	case pg.ObjectType_OBJECT_TABLE, pg.ObjectType_OBJECT_FOREIGN_TABLE, pg.ObjectType_OBJECT_VIEW, pg.ObjectType_OBJECT_MATVIEW, pg.ObjectType_OBJECT_INDEX, pg.ObjectType_OBJECT_SEQUENCE:
		m.renames(kind, from, to)
	}
}

// renames notes that a relation gets another name.
func (m *move) renames(kind string, from, to catalog.Name) {
	pos, r := m.s.Pos(0), &m.acts.Renames
	switch kind {
	case "table":
		r.Tables = append(r.Tables, diff.RenameTable{From: from.String(), To: to.String(), Pos: pos})
	case "view":
		r.Parts = append(r.Parts, diff.RenamePart{Kind: kind, From: from.String(), To: to.String(), Pos: pos})
	case "index":
		if table := m.before.catalog.ConstraintOf(from); table != "" { // the constraint is renamed with its index
			r.Parts = append(r.Parts, diff.RenamePart{Kind: "constraint", Table: table, From: from.Name, To: to.Name, Pos: pos})
			return
		}
		r.Parts = append(r.Parts, diff.RenamePart{Kind: kind, From: from.String(), To: to.String(), Pos: pos})
	}
}

// moves notes that ALTER … SET SCHEMA takes a table or a view elsewhere.
func (m *move) moves(n *pg.AlterObjectSchemaStmt) {
	if n.GetRelation() == nil {
		return
	}
	c := m.before.catalog
	from, ok := c.Resolve(c.Origin(m.s), n.GetRelation().GetSchemaname(), n.GetRelation().GetRelname())
	if kind, _ := c.Relation(from); ok && from.Schema != n.GetNewschema() {
		m.renames(kind, from, catalog.Name{Schema: n.GetNewschema(), Name: from.Name})
	}
}

// madeAgain notes the columns that one ALTER TABLE drops and adds again, which the schemas before and after it do not show.
func (m *move) madeAgain() {
	n := m.s.Node.GetAlterTableStmt()
	if n == nil {
		return
	}
	dropped := map[string]bool{}
	for _, c := range n.Cmds {
		if cmd := c.GetAlterTableCmd(); cmd.GetSubtype() == pg.AlterTableType_AT_DropColumn {
			dropped[cmd.Name] = true
		}
	}
	for _, c := range n.Cmds {
		if cmd := c.GetAlterTableCmd(); cmd.GetSubtype() == pg.AlterTableType_AT_AddColumn && dropped[cmd.GetDef().GetColumnDef().GetColname()] {
			m.note(diff.MadeAgain{What: "column", Name: m.key(n.Relation) + "." + cmd.GetDef().GetColumnDef().GetColname(), Pos: m.s.Pos(0)})
		}
	}
}
