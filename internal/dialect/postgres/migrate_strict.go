package postgres

import (
	"fmt"
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/altergate/altergate/internal/dialect/postgres/catalog"
	"github.com/altergate/altergate/internal/schema"
)

// What a catalog alone does not see, since it reads no bodies, shows in the graph of the side before: what the server holds to something
// that a statement drops or changes.

// refused finds why the server would refuse a statement that the catalog has taken.
func (m *move) refused(after *Loaded) error {
	switch n := m.s.Node.GetNode().(type) {
	case *pg.Node_DropStmt:
		return m.refusedDrop(after)
	case *pg.Node_AlterTableStmt:
		return m.refusedAlter(after, n.AlterTableStmt)
	case *pg.Node_ViewStmt:
		return m.refusedView(after, n.ViewStmt)
	}
	return nil
}

func (m *move) refuse(format string, args ...any) error {
	return &schema.Error{Pos: m.s.Pos(0), Path: m.s.Path, Kind: schema.KindSchema, Text: fmt.Sprintf(format, args...)}
}

// refusedDrop finds what stays though it needs something that is gone.
func (m *move) refusedDrop(after *Loaded) error {
	users := m.users()
	for _, id := range sortedKeys(users) {
		if after.holds(id) || !m.before.holds(id) {
			continue
		}
		for _, user := range users[id] {
			if after.holds(user) {
				return m.refuse("%s cannot be dropped: %s needs it; drop that first, or add CASCADE", id, user)
			}
		}
	}
	return nil
}

// users turns the graph of the side before around.
func (m *move) users() map[string][]string { return m.before.graph.dependents() }

// holds tells whether a side has what an id is of. Columns, defaults and the like go with their tables.
func (l *Loaded) holds(id string) bool {
	kind, name, _ := strings.Cut(id, " ")
	switch kind {
	case "relation":
		_, ok := l.catalog.Relation(parseName(name))
		return ok
	case "type":
		return l.details.types[name] != nil
	case "function":
		return l.catalog.Functions[name] != nil
	case "column":
		table, column := splitLast(name)
		t := l.details.tables[table]
		return t != nil && hasColumn(t, fold(column))
	}
	return l.graph.needs[id] != nil
}

// refusedAlter finds what keeps columns from being dropped, or from having another type.
func (m *move) refusedAlter(after *Loaded, n *pg.AlterTableStmt) error {
	table := m.key(n.GetRelation())
	t := m.before.details.tables[table]
	if t == nil {
		return nil
	}
	var users map[string][]string
	for _, node := range n.GetCmds() {
		cmd := node.GetAlterTableCmd()
		drops, retypes := cmd.GetSubtype() == pg.AlterTableType_AT_DropColumn, cmd.GetSubtype() == pg.AlterTableType_AT_AlterColumnType
		if !drops && !retypes || !hasColumn(t, cmd.GetName()) {
			continue
		}
		if users == nil {
			users = m.users()
		}
		for _, user := range users[columnID(table, cmd.GetName())] {
			switch {
			case drops && m.holdsColumn(user) && after.holds(user):
				return m.refuse("column %s of table %s cannot be dropped: %s needs it; drop that first, or add CASCADE", cmd.GetName(), table, user)
			case retypes && m.holdsColumn(user):
				return m.refuse("column %s of table %s cannot change its type: %s needs it; drop that before, and make it again behind", cmd.GetName(), table, user)
			}
		}
	}
	return nil
}

// holdsColumn tells whether something keeps the columns that it reads from being dropped, or from changing their types: views, rules,
// policies, triggers, generated columns and bodies that the server has read do. Indexes, constraints and defaults go with a column, and are
// made again for a type.
func (m *move) holdsColumn(user string) bool {
	kind, name, _ := strings.Cut(user, " ")
	switch kind {
	case "relation":
		return m.before.details.views[name] != nil
	case "rule", "policy", "trigger", "function", "procedure":
		return true
	case "column", "default":
		table, column := splitLast(name)
		t := m.before.details.tables[table]
		return t != nil && slices.ContainsFunc(t.Columns, func(x *catalog.Column) bool { return x.Name == fold(column) && x.Generated != nil })
	}
	return false
}

// refusedView finds a column of a view that CREATE OR REPLACE would take away or change.
func (m *move) refusedView(after *Loaded, n *pg.ViewStmt) error {
	key := m.key(n.GetView())
	old, made := m.before.details.views[key], after.details.views[key]
	if old == nil || made == nil {
		return nil
	}
	for i, x := range old.columns {
		switch {
		case i >= len(made.columns):
			return m.refuse("CREATE OR REPLACE VIEW cannot take column %s out of view %s; drop the view first", x.Name, key)
		case made.columns[i].Name != x.Name:
			return m.refuse("CREATE OR REPLACE VIEW cannot give column %s of view %s the name %s; use ALTER VIEW … RENAME COLUMN, or drop the view first", x.Name, key, made.columns[i].Name)
		case x.Full != "" && made.columns[i].Full != "" && x.Full != made.columns[i].Full:
			return m.refuse("CREATE OR REPLACE VIEW cannot change the type of column %s of view %s from %s to %s; drop the view first", x.Name, key, x.Full, made.columns[i].Full)
		}
	}
	return nil
}
