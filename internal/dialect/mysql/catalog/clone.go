package catalog

import (
	"maps"
	"slices"
)

// Clone copies the catalog. Statements that run on the copy leave the original alone: whatever changes a table puts another one in its
// place, so that the two share all that neither changes. Whoever changes a table in another way clones it first.
func (c *Catalog) Clone() *Catalog {
	d := *c
	d.Databases, d.Views, d.Triggers = maps.Clone(c.Databases), maps.Clone(c.Views), maps.Clone(c.Triggers)
	d.Routines, d.Events, d.Sequences = maps.Clone(c.Routines), maps.Clone(c.Events), maps.Clone(c.Sequences)
	d.Tables = maps.Clone(c.Tables)
	d.tokens = nil
	d.touched, d.foldedNames, d.notices = maps.Clone(c.touched), maps.Clone(c.foldedNames), slices.Clone(c.notices)
	d.deeds = Deeds{}
	return &d
}

// Clone copies a table.
func (t *Table) Clone() *Table { return t.clone() }

// clone copies a table with everything in it that statements change in place. Expressions, defaults and partitionings are replaced, never changed.
func (t *Table) clone() *Table {
	u := *t
	u.Columns = make([]*Column, len(t.Columns))
	for i, c := range t.Columns {
		d := *c
		d.Options = maps.Clone(c.Options)
		u.Columns[i] = &d
	}
	u.Keys = nil
	for _, k := range t.Keys {
		l := *k
		l.Parts, l.Options = slices.Clone(k.Parts), maps.Clone(k.Options)
		u.Keys = append(u.Keys, &l)
	}
	u.ForeignKeys = nil
	for _, f := range t.ForeignKeys {
		g := *f
		g.Columns, g.RefColumns = slices.Clone(f.Columns), slices.Clone(f.RefColumns)
		u.ForeignKeys = append(u.ForeignKeys, &g)
	}
	u.Checks = nil
	for _, k := range t.Checks {
		l := *k
		u.Checks = append(u.Checks, &l)
	}
	u.Options = maps.Clone(t.Options)
	return &u
}
