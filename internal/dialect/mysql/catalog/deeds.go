package catalog

import (
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/schema"
)

// Deeds is what the statement that Apply ran last did that the catalog does not show.
type Deeds struct {
	Tables  []TableRenamed // in the order in which it renamed them; views and sequences too
	Columns []PartRenamed
	Keys    []PartRenamed
	Idle    []Idle
}

// TableRenamed is a table with another name.
type TableRenamed struct{ From, To Name }

// PartRenamed is a column or a key with another name, of a table as it is called afterwards.
type PartRenamed struct {
	Table    Name
	From, To string
}

// Made names what IF NOT EXISTS found there.
type Made struct {
	What string // table, view, sequence, trigger, procedure, function, event
	Name Name
}

// Idle is a part of a statement that found nothing to do, because of IF EXISTS or IF NOT EXISTS.
type Idle struct {
	Text string // "table users is there already"
	Drop bool
	Made *Made // of CREATE … IF NOT EXISTS; else nil
	Pos  schema.Pos
}

// Deeds gives what the statement that Apply ran last did besides.
func (c *Catalog) Deeds() Deeds { return c.deeds }

// idle notes that there is nothing to do.
func (r *reader) idle(at token, drop bool, text string) {
	r.c.deeds.Idle = append(r.c.deeds.Idle, Idle{Text: text, Drop: drop, Pos: r.pos(at.off)})
}

// tellRenames notes what an ALTER TABLE renames.
func (r *reader) tellRenames(old, t *Table, a *alteration) {
	to := t.Name
	if a.to != nil {
		to = *a.to
	}
	for _, c := range old.Columns {
		if name, ok := a.renames[columnKey(c.Name)]; ok && columnKey(name) != columnKey(c.Name) {
			r.c.deeds.Columns = append(r.c.deeds.Columns, PartRenamed{to, c.Name, name})
		}
	}
	for _, pair := range a.renameKeys {
		if columnKey(pair[0]) != columnKey(pair[1]) {
			r.c.deeds.Keys = append(r.c.deeds.Keys, PartRenamed{to, pair[0], pair[1]})
		}
	}
}

// Named gives a name the database that it means in the session.
func (c *Catalog) Named(database, name string) Name { return c.named(database, name) }

// idleMade notes that what is to be made is there.
func (r *reader) idleMade(at token, what string, name Name) {
	r.c.deeds.Idle = append(r.c.deeds.Idle, Idle{Text: what + " " + name.String() + " is there already", Made: &Made{what, name}, Pos: r.pos(at.off)})
}

// idlePart notes that a table has a part of that name; how is how it differs from what is declared, as a clause, or empty.
func (r *reader) idlePart(what string, t *Table, name, how string) {
	text := "table " + t.Name.String() + " has the " + what + " " + name + " already"
	if how != "" {
		text += ", " + how
	}
	r.idle(r.list[0], false, text)
}

// otherKey tells how a key differs from one that is declared.
func otherKey(is, declared *Key) string {
	if is.Kind == declared.Kind && slices.EqualFunc(is.Parts, declared.Parts, func(a, b KeyPart) bool {
		return strings.EqualFold(a.Column, b.Column) && a.Prefix == b.Prefix && a.Desc == b.Desc && (a.Expr == nil) == (b.Expr == nil)
	}) {
		return ""
	}
	return "and not as it is declared here"
}

// otherColumn tells how a column differs from one that is declared.
func (r *reader) otherColumn(t *Table, d *columnDef) string {
	declared := *d
	column := *d.column
	declared.column = &column
	u := t.clone()
	was := r.err
	r.settleColumn(&declared, u, false)
	failed := r.err != was
	r.err = was
	is := t.Column(column.Name)
	if failed || is.Type.full() != column.Type.full() || is.NotNull != column.NotNull || is.AutoIncrement != column.AutoIncrement || (is.Generated == nil) != (column.Generated == nil) || is.Default.shown() != column.Default.shown() {
		return "as " + is.Type.String() + ", and not as it is declared here"
	}
	return ""
}

// shown is a default in one text.
func (d *Default) shown() string {
	switch {
	case d == nil || d.Null:
		return ""
	case d.Expr != nil:
		return d.Expr.Canon
	}
	return d.Literal + d.Now
}

// Without gives the catalog without something that it has.
func (c *Catalog) Without(m Made) *Catalog {
	d := c.Clone()
	switch key := m.Name.Key(); m.What {
	case "table":
		delete(d.Tables, key)
	case "view":
		delete(d.Views, key)
	case "sequence":
		delete(d.Sequences, key)
	case "trigger":
		delete(d.Triggers, key)
	case "event":
		delete(d.Events, m.Name.folded())
	default:
		delete(d.Routines, RoutineKey(m.What, m.Name))
	}
	return d
}
