package schemajson

import "github.com/altergate/altergate/internal/schema"

// changes notes what each side may declare, and yet no plan leads to.
func (v *validator) changes(l lineage) {
	v.rules.transition(v, l)
	for _, t := range v.doc.tables.items {
		if from, ok := l.of(t); ok {
			v.lostColumns(t, from)
		}
	}
}

func (v *validator) impossible(path string, at value, format string, args ...any) {
	v.add(schema.KindTransition, path, at.pos, format, args...)
}

// lostColumns notes the checks that still name a column their table has lost.
func (v *validator) lostColumns(t *table, from ancestor) {
	lost := map[string]bool{}
	for _, c := range from.table.columns.items {
		lost[v.fold(c.name.text)] = true
	}
	for _, c := range t.columns.items {
		delete(lost, v.fold(c.name.text))
	}
	for _, c := range t.checks.items {
		f, err := v.read(checkExpression, c.expression.text)
		if err != nil {
			continue // which is reported as what it is
		}
		for i, t := range f {
			if f.mayNameColumn(i) && lost[v.fold(t.text)] {
				v.impossible(join(c.path(), "expression"), c.expression,
					"the check names the column %s, which the table no longer has; change the check with it", excerpt(t.text))
			}
		}
	}
}

// mayNameColumn tells whether a token could be a column: not a function, and not the table in table.column.
func (f fragment) mayNameColumn(i int) bool {
	if f[i].kind != wordToken && f[i].kind != quotedToken {
		return false
	}
	return i+1 == len(f) || !f[i+1].sign("(") && !f[i+1].sign(".")
}

// sqliteTransition refuses the rows that a rebuild could not fill.
func sqliteTransition(v *validator, l lineage) {
	for _, t := range v.doc.tables.items {
		from, ok := l.of(t)
		if !ok {
			continue
		}
		for _, c := range t.columns.items {
			if c.nullable.set || v.hasDefault(c) {
				continue
			}
			switch was := from.columns[v.fold(c.name.text)]; {
			case was == nil:
				v.impossible(c.path(), c.name, "the new column is required and has no default, so the rows that are there cannot have it; "+
					"give it a default_value other than NULL, or make it nullable")
			case was.nullable.set:
				v.impossible(c.path(), c.name, "the column becomes required and has no default to put where NULL is now; "+
					"give it a default_value other than NULL, or leave it nullable")
			}
		}
	}
}

func (v *validator) hasDefault(c *column) bool {
	if c.defaultValue == nil {
		return false
	}
	f, err := v.read(defaultValue, c.defaultValue.text)
	return err != nil || !f.isNull() // one that cannot be read is reported as that
}

// postgresTransition refuses what PostgreSQL would cut off, and a key that cannot be given up.
func postgresTransition(v *validator, l lineage) {
	for _, t := range v.doc.tables.items {
		v.longNames(t)
		from, ok := l.of(t)
		if !ok || len(from.table.primaryKey()) == 0 {
			continue
		}
		for _, c := range t.columns.items {
			if c.primaryKey.set && from.columns[v.fold(c.name.text)] == nil {
				v.impossible(c.path(), c.name, "the new column would join the primary key that the table has, whose constraint has no known name; "+
					"keep the key, or declare the schema as SQL")
			}
		}
	}
	for _, view := range v.doc.views.items {
		v.longName(view.item)
	}
}

func (v *validator) longNames(t *table) {
	v.longName(t.item)
	for _, c := range t.columns.items {
		v.longName(c.item)
	}
	for _, i := range t.indexes.items {
		v.longName(i.item)
	}
	for _, f := range t.foreignKeys.items {
		v.longName(f.item)
	}
	for _, c := range t.checks.items {
		v.longName(c.item)
	}
	for _, g := range t.triggers.items {
		v.longName(g.item)
	}
}

func (v *validator) longName(i item) {
	if len(i.name.text) > v.maxName {
		v.bad(join(i.path(), "name"), i.name.pos, "the name has %d bytes and %s keeps only %d; choose a shorter one", len(i.name.text), v.title, v.maxName)
	}
}
