package syntax

// Names tells whether a folded name stands anywhere in an expression, as that of a column, of a relation or before a column. It asks
// nobody what names mean: where it says no, Uses need not be asked, which costs far more.
func (e *Expr) Names(name string) bool {
	if e == nil {
		return false
	}
	if e.Kind == ColumnExpr && (Fold(e.Name) == name || Fold(e.Table) == name) {
		return true
	}
	if e.Base.Names(name) || anyNames(e.Args, name) || e.Else.Names(name) || e.Query.Names(name) {
		return true
	}
	for _, w := range e.Whens {
		if w.If.Names(name) || w.Then.Names(name) {
			return true
		}
	}
	w := e.Over
	return w != nil && (anyNames(w.Partition, name) || ordered(w.Order, name) || w.Frame != nil && (w.Frame.Start.Value.Names(name) || w.Frame.End.Value.Names(name)))
}

// Names tells the same of a query.
func (q *Query) Names(name string) bool {
	if q == nil {
		return false
	}
	if q.With != nil {
		for _, t := range q.With.Tables {
			if t.Query.Names(name) {
				return true
			}
		}
	}
	for _, row := range q.Values {
		if anyNames(row, name) {
			return true
		}
	}
	for _, c := range q.Columns {
		if Fold(c.Table.Text) == name || c.Expr.Names(name) {
			return true
		}
	}
	for _, s := range q.From {
		if s.names(name) {
			return true
		}
	}
	for _, d := range q.Defaults {
		if Fold(d.Column.Text) == name || d.Value.Names(name) {
			return true
		}
	}
	return q.Where.Names(name) || anyNames(q.GroupBy, name) || q.Having.Names(name) || q.Compound != nil && q.Compound.Query.Names(name) ||
		ordered(q.OrderBy, name) || q.Limit.Names(name) || q.Offset.Names(name)
}

func (s *Source) names(name string) bool {
	if s == nil {
		return false
	}
	for _, n := range s.Using {
		if Fold(n.Text) == name {
			return true
		}
	}
	return Fold(s.Name.Text) == name || s.Query.Names(name) || anyNames(s.Args, name) || s.On.Names(name) || s.Left.names(name) || s.Right.names(name)
}

func anyNames(list []*Expr, name string) bool {
	for _, e := range list {
		if e.Names(name) {
			return true
		}
	}
	return false
}

func ordered(list []*Order, name string) bool {
	for _, o := range list {
		if o.Expr.Names(name) {
			return true
		}
	}
	return false
}
