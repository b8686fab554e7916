package syntax

// String prints a query as the engine does.
func (q *Query) String() string {
	w := &printer{}
	w.query(q)
	return w.String()
}

func (w *printer) query(q *Query) {
	if q.With != nil {
		w.with(q.With)
		w.puts(" ")
	}
	w.body(q)
	if len(q.OrderBy) > 0 {
		w.puts(" ")
		w.orderBy(q.OrderBy)
	}
	if q.Limit != nil {
		w.puts(" limit ")
		w.expr(q.Limit)
	}
	if q.Offset != nil {
		w.puts(" offset ")
		w.expr(q.Offset)
	}
	if len(q.Defaults) > 0 {
		w.puts(" with defaults (")
		list(w, ", ", q.Defaults, func(d *DefaultFor) {
			w.puts(Quote(d.Column.Text), " = ")
			w.expr(d.Value)
		})
		w.puts(")")
	}
}

// body writes a query without what is said of the whole compound.
func (w *printer) body(q *Query) {
	if q.Values != nil {
		w.puts("values ")
		list(w, ", ", q.Values, func(row []*Expr) {
			w.puts("(")
			w.exprs(row)
			w.puts(")")
		})
	} else {
		w.selects(q)
	}
	c := q.Compound
	if c == nil {
		return
	}
	w.puts(" ", c.Op, " ")
	w.existences(c.Exist)
	if len(c.Exist) > 0 {
		w.puts(" ")
	}
	// A part with a with, an order or a limit of its own is a whole query; only parentheses keep what follows from joining it.
	if r := c.Query; r.With != nil || r.OrderBy != nil || r.Limit != nil || r.Defaults != nil {
		w.puts("(")
		w.query(r)
		w.puts(")")
		return
	}
	w.body(c.Query)
}

func (w *printer) existences(exist []Existence) {
	list(w, ", ", exist, func(e Existence) { w.puts("exists ", e.Side, " as ", Quote(e.Name.Text)) })
}

func (w *printer) with(c *With) {
	w.puts("with ")
	if c.Recursive {
		w.puts("recursive ")
	}
	list(w, ", ", c.Tables, func(t *CommonTable) {
		w.puts(Quote(t.Name.Text))
		if len(t.Columns) > 0 {
			w.puts(" (")
			w.names(t.Columns)
			w.puts(")")
		}
		w.puts(" as ")
		if t.Hint != "" {
			w.puts(t.Hint, " ")
		}
		w.puts("(")
		w.query(t.Query)
		w.puts(")")
	})
	if c.MaxRecursion != "" {
		w.puts(" option (maxrecursion ", c.MaxRecursion, ")")
	}
}

func (w *printer) selects(q *Query) {
	w.puts("select ")
	if q.Distinct {
		w.puts("distinct ")
	}
	if q.All {
		w.puts("all ")
	}
	list(w, ", ", q.Columns, func(c *ResultColumn) {
		switch {
		case c.Star && c.Table.Text != "":
			w.puts(Quote(c.Table.Text), ".*")
		case c.Star:
			w.puts("*")
		default:
			w.expr(c.Expr)
		}
		if c.Alias.Text != "" {
			w.puts(" as ", Quote(c.Alias.Text))
		}
	})
	if len(q.From) > 0 {
		w.puts(" from ")
		list(w, ", ", q.From, w.source)
	}
	if q.Where != nil {
		w.puts(" where ")
		w.expr(q.Where)
	}
	if len(q.GroupBy) > 0 {
		w.puts(" group by ")
		w.exprs(q.GroupBy)
	}
	if q.Having != nil {
		w.puts(" having ")
		w.expr(q.Having)
	}
	if len(q.SchemaPath) > 0 {
		w.puts(" with schema ")
		w.names(q.SchemaPath)
	}
}

func (w *printer) source(s *Source) {
	switch s.Kind {
	case JoinSource:
		w.source(s.Left)
		w.puts(" ", s.Join, " join ")
		if s.Lateral {
			w.puts("lateral ")
		}
		w.source(s.Right)
		if s.On != nil {
			w.puts(" on ")
			w.expr(s.On)
		}
		if len(s.Using) > 0 {
			w.puts(" using (")
			w.names(s.Using)
			w.puts(")")
		}
		if len(s.Exist) > 0 {
			w.puts(" ")
			w.existences(s.Exist)
		}
		return
	case QuerySource:
		w.puts("(")
		w.query(s.Query)
		w.puts(")")
	case FunctionSource:
		w.qualified(s.Schema.Text, Fold(s.Name.Text))
		w.puts("(")
		w.exprs(s.Args)
		w.puts(")")
	case TableSource:
		w.qualified(s.Schema.Text, s.Name.Text)
	}
	if s.Alias.Text != "" {
		w.puts(" as ", Quote(s.Alias.Text))
	}
	if len(s.Columns) > 0 {
		w.puts(" (")
		w.names(s.Columns)
		w.puts(")")
	}
}
