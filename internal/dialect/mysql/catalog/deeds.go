package catalog

import "github.com/altergate/altergate/internal/schema"

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

// Idle is a part of a statement that found nothing to do, because of IF EXISTS or IF NOT EXISTS.
type Idle struct {
	Text string // "table users is there already"
	Drop bool
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
