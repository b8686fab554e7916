package schemajson

import (
	"strings"

	"github.com/altergate/altergate/internal/schema"
)

// Statement is one object of a document as SQL, without a final semicolon.
type Statement struct {
	SQL  string
	Path string // tables.users.indexes.users_email
	Pos  schema.Pos
}

// Statements prints a document that Validate has found nothing wrong with: tables, indexes, views, then triggers, in the
// document's order. It is the one place that knows how a dialect spells them; the error is for a dialect it does not know.
func (d *Document) Statements(dialect Dialect) ([]Statement, error) {
	switch dialect {
	case SQLite:
		return d.sqliteStatements(), nil
	case Postgres:
		return d.postgresStatements(), nil
	}
	return nil, dialect.unsupported()
}

// postgresStatements adds foreign keys once all tables are there, since tables may reference each other.
func (d *Document) postgresStatements() []Statement {
	var tables, keys, rest []Statement
	add := func(list *[]Statement, i item, sql string) {
		*list = append(*list, Statement{SQL: sql, Path: i.path(), Pos: i.pos})
	}
	for _, t := range d.tables.items {
		alone := *t
		alone.foreignKeys.items = nil
		add(&tables, t.item, createTable(&alone))
		for _, i := range t.indexes.items {
			add(&tables, i.item, createIndex(t, i))
		}
		for _, f := range t.foreignKeys.items {
			add(&keys, f.item, "ALTER TABLE "+quoted(t.name)+" ADD "+foreignKeyClause(f))
		}
		for _, g := range t.triggers.items {
			add(&rest, g.item, createTrigger(t, g))
		}
	}
	for _, v := range d.views.items {
		add(&keys, v.item, "CREATE VIEW "+quoted(v.name)+" AS\n"+trimmed(v.definition))
	}
	return append(append(tables, keys...), rest...)
}

func createTrigger(t *table, g *trigger) string {
	return "CREATE TRIGGER " + quoted(g.name) + " " + g.timing.text + " " + g.event.text + " ON " + quoted(t.name) + "\n" + trimmed(g.action)
}

func (d *Document) sqliteStatements() []Statement {
	var all []Statement
	add := func(i item, sql string) {
		all = append(all, Statement{SQL: sql, Path: i.path(), Pos: i.pos})
	}
	for _, t := range d.tables.items {
		add(t.item, createTable(t))
	}
	for _, t := range d.tables.items {
		for _, i := range t.indexes.items {
			add(i.item, createIndex(t, i))
		}
	}
	for _, v := range d.views.items {
		add(v.item, "CREATE VIEW "+quoted(v.name)+" AS\n"+trimmed(v.definition))
	}
	for _, t := range d.tables.items {
		for _, g := range t.triggers.items {
			add(g.item, createTrigger(t, g))
		}
	}
	return all
}

func createTable(t *table) string {
	key := t.primaryKey()
	var lines []string
	for _, c := range t.columns.items {
		lines = append(lines, columnDefinition(c, len(key) == 1))
	}
	if len(key) > 1 {
		lines = append(lines, "PRIMARY KEY "+quotedList(key))
	}
	for _, f := range t.foreignKeys.items {
		lines = append(lines, foreignKeyClause(f))
	}
	for _, c := range t.checks.items {
		lines = append(lines, "CONSTRAINT "+quoted(c.name)+" CHECK ("+trimmed(c.expression)+")")
	}
	return "CREATE TABLE " + quoted(t.name) + " (\n  " + strings.Join(lines, ",\n  ") + "\n)"
}

// columnDefinition says PRIMARY KEY only for a key of one column; a longer one stands at the end of the table.
func columnDefinition(c *column, keyOfOne bool) string {
	parts := []string{quoted(c.name), trimmed(c.dataType)}
	if c.primaryKey.set && keyOfOne {
		parts = append(parts, "PRIMARY KEY")
	}
	if c.unique.set {
		parts = append(parts, "UNIQUE")
	}
	if !c.nullable.set {
		parts = append(parts, "NOT NULL")
	}
	if c.defaultValue != nil {
		parts = append(parts, "DEFAULT", trimmed(*c.defaultValue))
	}
	return strings.Join(parts, " ")
}

func foreignKeyClause(f *foreignKey) string {
	clause := "CONSTRAINT " + quoted(f.name) + " FOREIGN KEY " + quotedList(texts(f.columns)) +
		" REFERENCES " + quoted(f.referencedTable) + " " + quotedList(texts(f.referencedColumns))
	if f.onDelete != nil {
		clause += " ON DELETE " + f.onDelete.text
	}
	if f.onUpdate != nil {
		clause += " ON UPDATE " + f.onUpdate.text
	}
	return clause
}

func createIndex(t *table, i *index) string {
	create := "CREATE INDEX "
	if i.unique.set {
		create = "CREATE UNIQUE INDEX "
	}
	return create + quoted(i.name) + " ON " + quoted(t.name) + " " + quotedList(texts(i.columns))
}

func quoted(name value) string { return quotedName(name.text) }

func quotedName(name string) string {
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}

func quotedList(names []string) string {
	var all []string
	for _, n := range names {
		all = append(all, quotedName(n))
	}
	return "(" + strings.Join(all, ", ") + ")"
}

// trimmed takes off the blanks that SQL knows, and no letters that look like blanks.
func trimmed(sql value) string { return strings.Trim(sql.text, " \t\r\n") }
