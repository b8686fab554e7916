package catalog

import (
	"slices"
	"strings"
)

// Read is something that a view is made of.
type Read struct {
	Relation string // Name.String() of the relation, or of the one that the column is of
	Column   string
	Function string // Function.ID
	Type     string // Name.String() of it
}

// Reads tells what a view is made of, which takes an understanding of queries that a catalog does not have.
type Reads func(c *Catalog, v *View) []Read

// cascade drops the views that are made of something, and those that are made of them, as CASCADE does. name is what their text must
// hold: its name when they were made is among the renames.
func (c *Catalog) cascade(n Name, is func(Read) bool) {
	if c.ReadsOf == nil {
		return
	}
	for _, name := range sortNames(c.Views) {
		v := c.Views[name]
		if v == nil || !v.mayName(c, n) || !slices.ContainsFunc(c.ReadsOf(c, v), is) {
			continue
		}
		c.cascadeRelation(name)
		if c.Views[name] != nil {
			c.dropView(name)
		}
	}
}

// mayName tells whether the text of a view may name something, by its name of that time.
func (v *View) mayName(c *Catalog, n Name) bool {
	if v.Statement == nil {
		return true
	}
	then := c.NameThen(v.Time, n).Name
	for _, r := range c.since(v.Time) {
		if r.Kind == "function" && r.To == n {
			return true
		}
	}
	return strings.Contains(fold(v.Statement.Text), strings.ReplaceAll(fold(then), `"`, `""`))
}

func (c *Catalog) cascadeRelation(n Name) {
	c.cascade(n, func(r Read) bool { return r.Relation == n.String() })
}

func (c *Catalog) cascadeColumn(t Name, column string) {
	c.cascade(t, func(r Read) bool { return r.Relation == t.String() && r.Column == column })
	for _, child := range c.children(t) {
		c.cascadeColumn(child.Name, column)
	}
}

func (c *Catalog) cascadeFunction(f *Function) {
	c.cascade(f.Name, func(r Read) bool { return r.Function == f.ID })
	for _, n := range sortNames(c.Tables) {
		c.cascadeCalls(c.Tables[n], f)
	}
}

// cascadeCalls drops what calls a function in a table: columns, constraints, indexes and defaults.
func (c *Catalog) cascadeCalls(t *Table, f *Function) {
	for _, x := range slices.Clone(t.Columns) {
		if c.callsIn(x.Generated, f) {
			c.cascadeColumn(t.Name, x.Name)
			c.dropColumn(t, x.Name, false)
		} else if c.callsIn(x.Default, f) {
			x.Default = nil
		}
	}
	in := func(e *IndexElement) bool { return c.callsIn(e.Expr, f) }
	for _, k := range slices.Clone(t.Constraints) {
		if c.callsIn(k.Expr, f) || c.callsIn(k.Where, f) || slices.ContainsFunc(k.Elements, in) {
			c.dropConstraint(t, k)
		}
	}
	for _, x := range slices.Clone(t.Indexes) {
		if c.callsIn(x.Where, f) || slices.ContainsFunc(x.Elements, in) {
			c.dropIndex(x)
		}
	}
}

// callsIn tells whether an expression calls a function, or one of its name.
func (c *Catalog) callsIn(e *Expr, f *Function) bool {
	if e == nil || e.Node == nil {
		return false
	}
	found := false
	Calls(e.Node, func(in, name string) {
		found = found || slices.Contains(c.ResolveFunctions(e.Origin, in, name), f)
	})
	return found
}

// cascadeType drops the columns that have a type, and the views that name it, as DROP TYPE … CASCADE does. What else has it stays.
func (c *Catalog) cascadeType(name string) {
	if t := c.typeCalled(name); t != nil {
		c.cascade(t.Name, func(r Read) bool { return r.Type == name })
	}
	for _, n := range sortNames(c.Tables) {
		t := c.Tables[n]
		for _, x := range slices.Clone(t.Columns) {
			if x.Type.Node == nil || x.Inherited || strings.TrimSuffix(c.TypeKey(x.Type), "[]") != name || t.column(x.Name) == nil {
				continue
			}
			c.cascadeColumn(n, x.Name)
			c.dropColumn(t, x.Name, false)
		}
	}
}
