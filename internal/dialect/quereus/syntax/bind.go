package syntax

import "slices"

// Relations tells a binder which columns a relation has. It is asked with folded names; schema is empty when none is written.
type Relations func(schema, relation string) (columns []string, known bool)

// Use is one place in a body that names a relation or a column of one.
type Use struct {
	Span
	Schema   string // folded, as written; empty when none is
	Relation string // folded; empty for a column that could not be bound
	Column   string // folded; empty for the relation itself
	Open     bool   // an unbound column may be one of something whose columns are not known
	Fixed    bool   // the engine follows no rename here, or not in all its versions: Set does nothing
	Set      func(name string)
}

// Output is one column that a query gives. Those that are a column of a relation, by its own name, say which: to rename that column is to
// rename the output.
type Output struct {
	Name                     string
	Schema, Relation, Column string
	fixed                    bool
	expr                     *Expr // of a column without a name, which the engine names by its text
}

// Uses gives all places in a query that name relations and columns. Of a body it always gives them in the same order.
func (q *Query) Uses(relations Relations) []Use {
	b := &binder{relations: relations}
	b.query(q, nil)
	return b.uses
}

// Uses gives all places in an expression that name relations and columns. owner is the table that the expression belongs to and whose
// columns it may name, also as those of the rows new and old; empty if there is none.
func (e *Expr) Uses(owner string, relations Relations) []Use {
	b := &binder{relations: relations}
	s := &scope{}
	if owner != "" {
		r := b.stored("", Fold(owner))
		s.relations = []*relation{r, r.as("new"), r.as("old")}
	}
	b.expr(e, s)
	return b.uses
}

// Outputs gives the columns of a query; known is false when a star stands for columns nobody knows.
func (q *Query) Outputs(relations Relations) (columns []Output, known bool) {
	b := &binder{relations: relations}
	r := b.query(q, nil)
	for i, c := range r.columns {
		if c.expr != nil {
			r.columns[i].Name = c.expr.String()
		}
	}
	return r.columns, r.known
}

// binder finds out what names mean.
type binder struct {
	relations Relations
	uses      []Use
}

func (b *binder) use(u Use) { b.uses = append(b.uses, u) }

// stored gives a relation of the schema.
func (b *binder) stored(schema, table string) *relation {
	columns, known := b.relations(schema, table)
	return &relation{name: table, schema: schema, table: table, known: known, stored: &stored{schema: schema, table: table, columns: columns}}
}

// query binds a query and gives what it returns.
func (b *binder) query(q *Query, outer *scope) *relation {
	return b.parts(q, outer, func(*relation) {})
}

// parts binds a query; it tells what the first part returns before it goes on with those that are compounded with it.
func (b *binder) parts(q *Query, outer *scope, first func(*relation)) *relation {
	s := &scope{outer: outer}
	if q.With != nil {
		b.with(q.With, s)
	}
	from := &scope{outer: s}
	var out *relation
	if q.Values != nil {
		// The engine's names for these columns are no names of anything.
		out = &relation{}
		for _, row := range q.Values {
			b.exprs(row, from)
		}
	} else {
		out, from = b.selects(q, from)
	}
	first(out)
	if c := q.Compound; c != nil {
		b.query(c.Query, s)
		for _, e := range c.Exist {
			out.columns = append(out.columns, Output{Name: Fold(e.Name.Text)})
		}
		// What follows a compound can name only what it returns.
		from = &scope{outer: s, relations: []*relation{out}}
	}
	for _, o := range q.OrderBy {
		if q.Compound == nil && aliased(q, o.Expr) {
			continue
		}
		b.expr(o.Expr, from)
	}
	for _, e := range [...]*Expr{q.Limit, q.Offset} {
		b.expr(e, s)
	}
	for _, d := range q.Defaults {
		b.bare(d.Column.Span, d.Column.Text, from, func(name string) { d.Column.Text = name })
		b.expr(d.Value, from)
	}
	return out
}

// aliased tells whether a term is nothing but the alias of a column that the query returns.
func aliased(q *Query, e *Expr) bool {
	if e.Kind != ColumnExpr || e.Table != "" {
		return false
	}
	for _, c := range q.Columns {
		if c.Alias.Text != "" && Fold(c.Alias.Text) == Fold(e.Name) {
			return true
		}
	}
	return false
}

// with binds common tables, each in sight of those before it, and of itself if they are recursive: then with the columns of its first part.
func (b *binder) with(w *With, s *scope) {
	for _, t := range w.Tables {
		self := &relation{name: Fold(t.Name.Text)}
		if w.Recursive {
			s.common = append(s.common, self)
		}
		b.parts(t.Query, s, func(out *relation) {
			self.columns, self.known = out.columns, out.known
			*self = *self.renamed(t.Columns)
		})
		if !w.Recursive {
			s.common = append(s.common, self)
		}
	}
}

// selects binds a select in a scope that it fills from its sources. It gives what the select returns, and the scope in which its aliases
// are in sight too, behind the columns of the sources.
func (b *binder) selects(q *Query, s *scope) (*relation, *scope) {
	for _, source := range q.From {
		b.source(source, s, s.outer)
	}
	out, aliases := &relation{known: true}, &relation{known: true}
	for _, c := range q.Columns {
		if c.Star {
			b.star(c, s, out)
			continue
		}
		b.expr(c.Expr, s)
		o := Output{Name: Fold(c.Alias.Text)}
		switch {
		case o.Name != "":
			aliases.columns = append(aliases.columns, o)
		case c.Expr.Kind == ColumnExpr:
			o, _ = s.find(c.Expr)
			o.Name = Fold(c.Expr.Name)
		default:
			o.expr = c.Expr
		}
		out.columns = append(out.columns, o)
	}
	b.expr(q.Where, s)
	after := &scope{outer: s.outer, relations: append(slices.Clone(s.relations), aliases)}
	b.exprs(q.GroupBy, after)
	b.expr(q.Having, after)
	return out, after
}

// maxColumns is how many columns of one query are followed.
const maxColumns = 10_000

// star expands a star into the columns of its sources.
func (b *binder) star(c *ResultColumn, s *scope, out *relation) {
	found := c.Table.Text == ""
	for _, r := range s.relations {
		if c.Table.Text != "" && r.name != Fold(c.Table.Text) {
			continue
		}
		found = true
		if c.Table.Text != "" && r.table != "" {
			b.use(Use{Span: c.Table.Span, Schema: r.schema, Relation: r.table, Set: func(name string) { c.Table.Text = name }})
		}
		all := r.outputs()
		if len(out.columns)+len(all) > maxColumns {
			out.known = false // stars of stars would double them with each query
			return
		}
		out.columns = append(out.columns, all...)
		out.known = out.known && r.known
	}
	if !found {
		out.known = false
	}
}

// source binds a source and adds what it has to a scope. around is what a query in its place sees.
func (b *binder) source(f *Source, s, around *scope) {
	var r *relation
	switch f.Kind {
	case JoinSource:
		b.join(f, s)
		return
	case QuerySource:
		copied := *b.query(f.Query, around)
		r = &copied
		r.name, r.table = "", ""
	case FunctionSource:
		b.exprs(f.Args, s)
		r = &relation{name: Fold(f.Name.Text)}
	case TableSource:
		name, schema := Fold(f.Name.Text), Fold(f.Schema.Text)
		if common := s.commonTable(name); common != nil && schema == "" {
			copied := *common
			r = &copied
			break
		}
		r = b.stored(schema, name)
		if schema == committed && !r.known {
			r = b.stored("", name).as(name)
			b.use(Use{Span: f.Name.Span, Relation: name, Fixed: true, Set: func(string) {}})
			break
		}
		b.use(Use{Span: f.Name.Span, Schema: schema, Relation: name, Set: func(name string) { f.Name.Text = name }})
	}
	if f.Alias.Text != "" {
		r.name, r.table = Fold(f.Alias.Text), ""
	}
	s.relations = append(s.relations, r.renamed(f.Columns))
}

func (b *binder) join(f *Source, s *scope) {
	first := len(s.relations)
	b.source(f.Left, s, s.outer)
	middle := len(s.relations)
	around := s.outer
	if f.Lateral {
		around = s
	}
	b.source(f.Right, s, around)
	b.expr(f.On, s)
	for i := range f.Using {
		// The column is one of either side.
		n := &f.Using[i]
		for _, side := range [][]*relation{s.relations[first:middle], s.relations[middle:]} {
			b.bare(n.Span, n.Text, &scope{relations: side}, func(name string) { n.Text = name })
		}
	}
	if len(f.Exist) > 0 {
		r := &relation{known: true}
		for _, e := range f.Exist {
			r.columns = append(r.columns, Output{Name: Fold(e.Name.Text)})
		}
		s.relations = append(s.relations, r)
	}
}

func (b *binder) exprs(list []*Expr, s *scope) {
	for _, e := range list {
		b.expr(e, s)
	}
}

// expr binds an expression, if there is one.
func (b *binder) expr(e *Expr, s *scope) {
	if e == nil {
		return
	}
	if e.Kind == ColumnExpr {
		b.column(e, s)
	}
	b.expr(e.Base, s)
	b.exprs(e.Args, s)
	for _, w := range e.Whens {
		b.expr(w.If, s)
		b.expr(w.Then, s)
	}
	b.expr(e.Else, s)
	if e.Query != nil {
		b.query(e.Query, s)
	}
	if w := e.Over; w != nil {
		b.exprs(w.Partition, s)
		for _, o := range w.Order {
			b.expr(o.Expr, s)
		}
		if w.Frame != nil {
			b.expr(w.Frame.Start.Value, s)
			b.expr(w.Frame.End.Value, s)
		}
	}
}
