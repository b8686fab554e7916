package syntax

import "slices"

// Clone copies an expression with everything below it; nil stays nil.
func (e *Expr) Clone() *Expr {
	if e == nil {
		return nil
	}
	out := *e
	out.Args = cloneExprs(e.Args)
	out.Base, out.Else = e.Base.Clone(), e.Else.Clone()
	out.Whens = slices.Clone(e.Whens)
	for i, w := range out.Whens {
		out.Whens[i] = When{w.If.Clone(), w.Then.Clone()}
	}
	out.Query = e.Query.Clone()
	if w := e.Over; w != nil {
		over := &Window{Partition: cloneExprs(w.Partition), Order: cloneOrder(w.Order)}
		if w.Frame != nil {
			f := *w.Frame
			f.Start.Value, f.End.Value = f.Start.Value.Clone(), f.End.Value.Clone()
			over.Frame = &f
		}
		out.Over = over
	}
	return &out
}

// Clone copies a query with everything below it; nil stays nil.
func (q *Query) Clone() *Query {
	if q == nil {
		return nil
	}
	out := *q
	if q.With != nil {
		with := *q.With
		with.Tables = cloneEach(with.Tables, func(t *CommonTable) *CommonTable {
			copied := *t
			copied.Columns, copied.Query = slices.Clone(t.Columns), t.Query.Clone()
			return &copied
		})
		out.With = &with
	}
	if q.Values != nil {
		out.Values = make([][]*Expr, len(q.Values))
		for i, row := range q.Values {
			out.Values[i] = cloneExprs(row)
		}
	}
	out.Columns = cloneEach(q.Columns, func(c *ResultColumn) *ResultColumn {
		copied := *c
		copied.Expr = c.Expr.Clone()
		return &copied
	})
	out.From = cloneEach(q.From, (*Source).clone)
	out.Where, out.Having = q.Where.Clone(), q.Having.Clone()
	out.GroupBy, out.OrderBy = cloneExprs(q.GroupBy), cloneOrder(q.OrderBy)
	out.SchemaPath = slices.Clone(q.SchemaPath)
	if c := q.Compound; c != nil {
		out.Compound = &Compound{Op: c.Op, Exist: slices.Clone(c.Exist), Query: c.Query.Clone()}
	}
	out.Limit, out.Offset = q.Limit.Clone(), q.Offset.Clone()
	out.Defaults = cloneEach(q.Defaults, func(d *DefaultFor) *DefaultFor { return &DefaultFor{d.Column, d.Value.Clone()} })
	return &out
}

func (s *Source) clone() *Source {
	if s == nil {
		return nil
	}
	out := *s
	out.Columns, out.Using, out.Exist = slices.Clone(s.Columns), slices.Clone(s.Using), slices.Clone(s.Exist)
	out.Query, out.Args, out.On = s.Query.Clone(), cloneExprs(s.Args), s.On.Clone()
	out.Left, out.Right = s.Left.clone(), s.Right.clone()
	return &out
}

// cloneEach copies a slice of pointers; nil stays nil, and empty stays empty.
func cloneEach[T any](list []*T, one func(*T) *T) []*T {
	if list == nil {
		return nil
	}
	out := make([]*T, len(list))
	for i, item := range list {
		out[i] = one(item)
	}
	return out
}

func cloneExprs(list []*Expr) []*Expr { return cloneEach(list, (*Expr).Clone) }

func cloneOrder(list []*Order) []*Order {
	return cloneEach(list, func(o *Order) *Order { return &Order{o.Expr.Clone(), o.Desc, o.Nulls} })
}
