package catalog

import (
	"cmp"
	"slices"
	"sort"
)

// A tree holds the names of its time, and is never changed. What has been renamed since is kept in a log, in which names are taken
// forward to what they are now, and backward to what they were.

// logRename notes a rename by the statement that runs.
func (c *Catalog) logRename(kind string, from, to, of Name) {
	c.renames = append(c.renames, Rename{Time: c.now, Kind: kind, From: from, To: to, Of: of})
}

// since gives the renames after a time, in order.
func (c *Catalog) since(time int) []Rename {
	n := len(c.renames)
	if n == 0 || c.renames[n-1].Time <= time {
		return nil
	}
	return c.renames[sort.Search(n, func(i int) bool { return c.renames[i].Time > time }):]
}

// isRelation tells whether a rename is one of a relation or a type: a table's row type has the table's name.
func (r Rename) isRelation() bool { return r.Kind == "relation" || r.Kind == "type" }

// nameNow gives the name that a relation or a type has now, which had that name at a time.
func (c *Catalog) nameNow(time int, n Name) Name {
	for _, r := range c.since(time) {
		if r.isRelation() && r.From == n {
			n = r.To
		}
	}
	return n
}

// NameThen gives the name that a relation or a type had at a time.
func (c *Catalog) NameThen(time int, n Name) Name {
	renames := c.since(time)
	for i := len(renames) - 1; i >= 0; i-- {
		if r := renames[i]; r.isRelation() && r.To == n {
			n = r.From
		}
	}
	return n
}

// ColumnsThen gives the names that the table's columns had at a time, in the order of t.Columns.
func (c *Catalog) ColumnsThen(time int, t *Table) []string {
	return c.NamesThen(time, t.Name, columnNames(t.Columns))
}

// NamesThen gives the names that columns of a table or a view, or attributes of a type, had at a time. It is given their names now.
func (c *Catalog) NamesThen(time int, of Name, names []string) []string {
	return c.partsThen("column", time, of, names)
}

// LabelsThen gives the labels that an enum's values had at a time, in the order of t.Labels.
func (c *Catalog) LabelsThen(time int, t *Type) []string {
	return c.partsThen("label", time, t.Name, t.Labels)
}

func (c *Catalog) partsThen(kind string, time int, of Name, names []string) []string {
	renames := c.since(time)
	if len(renames) == 0 {
		return names
	}
	names = slices.Clone(names)
	for i := len(renames) - 1; i >= 0; i-- {
		r := renames[i]
		switch {
		case r.isRelation() && r.To == of:
			of = r.From
		case r.Kind == kind && r.Of == of:
			if at := slices.Index(names, r.To.Name); at >= 0 {
				names[at] = r.From.Name
			}
		}
	}
	return names
}

// columnNow gives the name that a column has now, which had that name at a time.
func (c *Catalog) columnNow(time int, t *Table, name string) string {
	if i := slices.Index(c.ColumnsThen(time, t), name); i >= 0 {
		return t.Columns[i].Name
	}
	return name
}

// shareHistory lets expressions that a table has taken from another be read with the renames of the other's columns: they are
// older than the table.
func (c *Catalog) shareHistory(from, to *Table) {
	name := from.Name
	var copies []Rename
	for i := len(c.renames) - 1; i >= 0; i-- {
		r := c.renames[i]
		switch {
		case r.isRelation() && r.To == name:
			name = r.From
		case r.Kind == "column" && r.Of == name:
			r.Of = c.NameThen(r.Time, to.Name)
			if !slices.Contains(c.renames, r) {
				copies = append(copies, r)
			}
		}
	}
	slices.Reverse(copies)
	c.renames = append(c.renames, copies...)
	slices.SortStableFunc(c.renames, func(a, b Rename) int { return cmp.Compare(a.Time, b.Time) })
}

// columnNames lists the names of columns.
func columnNames(columns []*Column) []string {
	names := make([]string, len(columns))
	for i, x := range columns {
		names[i] = x.Name
	}
	return names
}
