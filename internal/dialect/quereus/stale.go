package quereus

import (
	"errors"
	"fmt"
	"slices"

	"github.com/altergate/altergate/internal/dialect/quereus/syntax"
	"github.com/altergate/altergate/internal/schema"
)

// staleness looks for names in the head that mean what this change renames or drops. The engine's differ compares such a body with the
// stored one, finds no difference, and the next diff fails (behaviour 56).
type staleness struct {
	base, renamed, head *catalog
	before, after       *schema.Schema // the models of renamed and head
	notices             []schema.Notice
	errs                []error
}

func stale(renamed, base, head *Loaded, unchanged bool) ([]schema.Notice, error) {
	s := &staleness{base: base.catalog, renamed: renamed.catalog, head: head.catalog, before: renamed.schema, after: head.schema}
	for _, key := range sorted(s.head.tables) {
		t := s.head.tables[key]
		for _, k := range t.allConstraints() {
			s.key(t, k)
		}
	}
	for _, key := range sorted(s.head.indexes) {
		x := s.head.indexes[key]
		on := s.head.columnsOf(x.on)
		for _, part := range x.Columns {
			if name := syntax.Fold(part.Name.Text); on.known && !slices.Contains(on.columns, name) {
				s.missing("index "+x.in.display(x.Name.Text), part.Pos(), x.in.display(x.Table.Text), x.on, part.Name.Text)
			}
		}
	}
	if !unchanged { // what was there has not gone
		for _, b := range s.head.bodies() {
			s.body(b)
		}
		s.shadowed()
	}
	return s.notices, errors.Join(s.errs...)
}

// key looks at the columns and the parent of a key.
func (s *staleness) key(t *table, k *syntax.Constraint) {
	name := t.in.display(t.Name.Text)
	what := "a key of table " + name
	if k.Name.Text != "" {
		what = "constraint " + name + "." + k.Name.Text
	}
	for _, part := range k.Columns {
		if t.column(syntax.Fold(part.Name.Text)) == nil {
			s.missing(what, k.Pos(), name, t.key(), part.Name.Text)
		}
	}
	if k.Foreign == nil {
		return
	}
	parent := t.parent(k)
	far := s.head.tables[parent]
	if far == nil {
		s.gone(what, k.Pos(), k.Foreign.Table.Text, parent, true)
		return
	}
	for _, column := range k.Foreign.Columns {
		if !far.sugar && far.column(syntax.Fold(column.Text)) == nil {
			s.missing(what, k.Pos(), far.in.display(far.Name.Text), parent, column.Text)
		}
	}
}

// body looks at the names in an expression or a query: first as they stand, and those that mean nothing as if what this change
// renames and drops were still there.
func (s *staleness) body(b *body) {
	var ghosts []syntax.Use
	for i, u := range b.uses(s.head.relations(b.in)) {
		if u.Relation != "" && u.Column == "" && s.head.resolve(b.in, u.Schema, u.Relation) == "" {
			if key := s.base.resolve(b.in, u.Schema, u.Relation); key != "" {
				s.gone(b.kind+" "+b.name, s.place(u, b), u.Relation, key, b.kind != "view" || s.made(b))
			} else if s.made(b) {
				s.fail(s.place(u, b), "%s names %s, which is not declared; the engine would refuse to make it", b.kind+" "+b.name, u.Relation)
			}
			continue
		}
		if u.Relation != "" || u.Column == "" {
			continue
		}
		if ghosts == nil {
			ghosts = b.uses(s.ghosts(b.in))
		}
		if i < len(ghosts) && ghosts[i].Column == u.Column && ghosts[i].Relation != "" {
			key := s.head.resolve(b.in, ghosts[i].Schema, ghosts[i].Relation)
			s.missingFrom(b.kind+" "+b.name, s.place(u, b), ghosts[i].Relation, key, u.Column, b.kind != "view" || s.made(b) || s.head.tables[key] == nil || s.renamedColumn(key, u.Column) != "")
		}
	}
}

// made tells whether the plan makes a view, a materialized view or an assertion, which has to find all that it names. One that stays as it
// is can be left behind.
func (s *staleness) made(b *body) bool {
	switch b.kind {
	case "view":
		old := s.before.View(b.key)
		return old == nil || old.Canon != s.after.View(b.key).Canon
	case "materialized view":
		old, now := s.before.Table(b.key), s.after.Table(b.key)
		return now != nil && (old == nil || maintainedOf(old) != maintainedOf(now))
	case "assertion":
		old := s.before.Object(assertionKind, b.key)
		return old == nil || old.Canon != s.after.Object(assertionKind, b.key).Canon
	}
	return false
}

func (s *staleness) place(u syntax.Use, b *body) schema.Pos {
	if at := u.Pos(); at.Line > 0 {
		return at
	}
	return b.at.Pos()
}

// ghosts gives relations the columns that they had at the base too.
func (s *staleness) ghosts(in *space) syntax.Relations {
	return func(schemaName, relation string) ([]string, bool) {
		key := s.head.resolve(in, schemaName, relation)
		if key == "" {
			return nil, false
		}
		o := s.head.columnsOf(key)
		if !o.known {
			return nil, false
		}
		columns := slices.Clone(o.columns)
		for _, c := range s.was(key) {
			if !slices.Contains(columns, c) {
				columns = append(columns, c)
			}
		}
		return columns, true
	}
}

// was gives the columns that a relation of the head had at the base.
func (s *staleness) was(key string) []string {
	if from := s.former(key); from != "" {
		return s.base.columnsOf(from).columns
	}
	return nil
}

// former gives the base's key of a relation of the head. Spans tell tables of the base apart from each other after they are renamed.
func (s *staleness) former(key string) string {
	t := s.renamed.tables[key]
	if t == nil {
		if s.base.views[key] != nil {
			return key
		}
		return ""
	}
	for from, old := range s.base.tables {
		if old.At() == t.At() && old.in == t.in {
			return from
		}
	}
	return ""
}

// renamedColumn gives the name that this change gives a column of a table of the head; empty if it is not renamed.
func (s *staleness) renamedColumn(key, column string) string {
	from, to := s.base.tables[s.former(key)], s.renamed.tables[key]
	if from == nil || to == nil {
		return ""
	}
	for i, c := range from.Columns {
		if now := to.Columns[i].Name.Text; syntax.Fold(c.Name.Text) == column && syntax.Fold(now) != column {
			return now
		}
	}
	return ""
}

// renamedTable gives the name that this change gives a table of the base.
func (s *staleness) renamedTable(from string) string {
	old := s.base.tables[from]
	if old == nil {
		return ""
	}
	for key, t := range s.renamed.tables {
		if t.At() == old.At() && t.in == old.in && key != from {
			return t.in.display(t.Name.Text)
		}
	}
	return ""
}

// gone judges the name of a relation that the head does not have.
func (s *staleness) gone(what string, at schema.Pos, name, key string, needs bool) {
	if to := s.renamedTable(key); to != "" {
		s.fail(at, "%s names %s, which this change renames to %s; write %s there", what, name, to, to)
		return
	}
	if !s.base.has(key) {
		return // it never was one that is declared
	}
	if needs {
		s.fail(at, "%s names %s, which this change drops; change one of the two", what, name)
		return
	}
	s.notices = append(s.notices, schema.Notice{Side: schema.Head, Pos: at, Text: fmt.Sprintf("%s still reads %s, which this change drops: every query of it fails from then on", what, name)})
}

// missing judges a column that a key or an index needs and the head does not have.
func (s *staleness) missing(what string, at schema.Pos, table, key, column string) {
	s.missingFrom(what, at, table, key, column, true)
}

func (s *staleness) missingFrom(what string, at schema.Pos, table, key, column string, needs bool) {
	if to := s.renamedColumn(key, syntax.Fold(column)); to != "" {
		s.fail(at, "%s names the column %s.%s, which this change renames to %s; write %s there", what, table, column, to, to)
		return
	}
	how := "which is not declared"
	if slices.Contains(s.was(key), syntax.Fold(column)) {
		how = "which this change drops"
	}
	if needs {
		s.fail(at, "%s names the column %s.%s, %s; change one of the two", what, table, column, how)
		return
	}
	s.notices = append(s.notices, schema.Notice{Side: schema.Head, Pos: at, Text: fmt.Sprintf("%s still names the column %s.%s, %s: every query of it fails from then on", what, table, column, how)})
}

func (s *staleness) fail(at schema.Pos, format string, args ...any) {
	s.errs = append(s.errs, &schema.Error{Side: schema.Head, Pos: at, Kind: schema.KindTransition, Text: fmt.Sprintf(format, args...)})
}
