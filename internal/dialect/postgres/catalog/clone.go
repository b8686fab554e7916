package catalog

import (
	"maps"
	"slices"

	"github.com/altergate/altergate/internal/dialect/postgres/script"
)

// Clone gives a catalog of its own: statements run on it do not change the original. Trees and expressions are shared, since
// nothing changes them.
func (c *Catalog) Clone() *Catalog {
	out := New()
	out.renames, out.now, out.path, out.before = slices.Clone(c.renames), c.now, c.path, c.before
	out.done, out.unsettled, out.defaults = map[*script.Statement]int{}, c.unsettled, c.defaults
	out.Columns, out.ReadsOf, out.temporary = c.Columns, c.ReadsOf, c.temporary
	maps.Copy(out.done, c.done)
	for k, x := range c.Schemas {
		out.Schemas[k] = x.clone()
	}
	for k, x := range c.Extensions {
		out.Extensions[k] = x.clone()
	}
	for k, x := range c.Others {
		out.Others[k] = x.clone()
	}
	for n, q := range c.Sequences {
		out.Sequences[n] = q.clone()
	}
	for n, t := range c.Types {
		out.Types[n] = t.clone()
	}
	for id, f := range c.Functions {
		out.Functions[id] = f.clone()
	}
	for n, v := range c.Views {
		out.Views[n] = v.clone()
		out.addIndexes(out.Views[n].Indexes)
	}
	for n, t := range c.Tables {
		out.Tables[n] = t.clone(out)
		out.addIndexes(out.Tables[n].Indexes)
	}
	return out
}

func (c *Catalog) addIndexes(list []*Index) {
	for _, x := range list {
		c.Indexes[x.Name] = x
	}
}

// each gives a copy of a list, made of copies of its members.
func each[T any](list []*T, clone func(*T) *T) []*T {
	if list == nil {
		return nil
	}
	out := make([]*T, len(list))
	for i, x := range list {
		out[i] = clone(x)
	}
	return out
}

// shallow gives a copy of what a pointer points to.
func shallow[T any](x *T) *T {
	if x == nil {
		return nil
	}
	y := *x
	return &y
}

func (t *Table) clone(into *Catalog) *Table {
	y := *t
	y.Columns = each(t.Columns, func(x *Column) *Column { return x.clone(into) })
	y.Constraints = each(t.Constraints, (*Constraint).clone)
	y.Indexes = each(t.Indexes, (*Index).clone)
	y.Triggers = each(t.Triggers, (*Trigger).clone)
	y.Inherits = slices.Clone(t.Inherits)
	y.PartitionOf, y.OfType = shallow(t.PartitionOf), shallow(t.OfType)
	y.Options, y.ServerOptions = maps.Clone(t.Options), maps.Clone(t.ServerOptions)
	for _, n := range y.parents() {
		into.noteParent(&y, n)
	}
	for _, k := range y.Constraints {
		into.nameConstraint(&y, k)
	}
	return &y
}

func (x *Column) clone(into *Catalog) *Column {
	y := *x
	y.Collation, y.Options = shallow(x.Collation), maps.Clone(x.Options)
	if x.Identity != nil {
		y.Identity = &Identity{Always: x.Identity.Always, Sequence: x.Identity.Sequence}
		if q := x.Identity.Sequence; q != nil && into.Sequences[q.Name] != nil {
			y.Identity.Sequence = into.Sequences[q.Name]
		}
	}
	return &y
}

func (k *Constraint) clone() *Constraint {
	y := *k
	y.Columns, y.Include, y.Operators = slices.Clone(k.Columns), slices.Clone(k.Include), slices.Clone(k.Operators)
	y.Elements = each(k.Elements, (*IndexElement).clone)
	y.Options = maps.Clone(k.Options)
	if k.Ref != nil {
		ref := *k.Ref
		ref.Columns, ref.SetColumns = slices.Clone(ref.Columns), slices.Clone(ref.SetColumns)
		y.Ref = &ref
	}
	return &y
}

func (e *IndexElement) clone() *IndexElement {
	y := *e
	y.Collation, y.OpClassOptions = shallow(e.Collation), maps.Clone(e.OpClassOptions)
	return &y
}

func (x *Index) clone() *Index {
	y := *x
	y.Elements = each(x.Elements, (*IndexElement).clone)
	y.Include, y.Options, y.Parent = slices.Clone(x.Include), maps.Clone(x.Options), shallow(x.Parent)
	return &y
}

func (g *Trigger) clone() *Trigger {
	y := *g
	y.Events, y.Columns, y.Function, y.Args = slices.Clone(g.Events), slices.Clone(g.Columns), slices.Clone(g.Function), slices.Clone(g.Args)
	y.From = shallow(g.From)
	return &y
}

func (v *View) clone() *View {
	y := *v
	y.Aliases, y.Options, y.Columns = slices.Clone(v.Aliases), maps.Clone(v.Options), maps.Clone(v.Columns)
	y.Indexes = each(v.Indexes, (*Index).clone)
	y.Triggers = each(v.Triggers, (*Trigger).clone)
	return &y
}

func (q *Sequence) clone() *Sequence {
	y := *q
	y.OwnedBy = shallow(q.OwnedBy)
	return &y
}

func (t *Type) clone() *Type {
	y := *t
	y.Labels, y.Definition = slices.Clone(t.Labels), slices.Clone(t.Definition)
	y.Columns = each(t.Columns, func(x *Column) *Column { return x.clone(New()) })
	y.Collation = shallow(t.Collation)
	y.Checks = each(t.Checks, (*Constraint).clone)
	return &y
}

func (f *Function) clone() *Function {
	y := *f
	y.Args = each(f.Args, shallow[Argument])
	y.Returns = shallow(f.Returns)
	y.Settings, y.Definition = maps.Clone(f.Settings), slices.Clone(f.Definition)
	return &y
}

func (o *Object) clone() *Object {
	y := *o
	y.On, y.Props, y.Alterations = shallow(o.On), maps.Clone(o.Props), slices.Clone(o.Alterations)
	return &y
}
