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
	Set      func(name string)
}

// Output is one column that a query gives. Those that are a column of a relation, by its own name, say which: to rename that column is to
// rename the output.
type Output struct {
	Name                     string
	Schema, Relation, Column string
}

// Uses gives all places in a query that name relations and columns. Of a body it always gives them in the same order.
func (q *Query) Uses(relations Relations) []Use {
	b := &binder{relations: relations}
	b.query(q, nil)
	return b.uses
}

// Uses gives all places in an expression that name relations and columns. owner is the table that the expression belongs to and whose
// columns it may name; empty if there is none.
func (e *Expr) Uses(owner string, relations Relations) []Use {
	b := &binder{relations: relations}
	s := &scope{}
	if owner != "" {
		s.relations = []*relation{b.stored("", Fold(owner))}
	}
	b.expr(e, s)
	return b.uses
}

// Outputs gives the columns of a query; known is false when a star stands for columns nobody knows.
func (q *Query) Outputs(relations Relations) (columns []Output, known bool) {
	b := &binder{relations: relations}
	r := b.query(q, nil)
	return r.columns, r.known
}

// binder finds out what names mean.
type binder struct {
	relations Relations
	uses      []Use
}

// relation is something a scope has columns of.
type relation struct {
	name    string // by which columns are qualified, folded
	schema  string
	table   string // the stored relation that the name itself is of; empty behind an alias
	columns []Output
	known   bool
}

// scope is what names can mean at one place: the sources of one from clause, then those around it.
type scope struct {
	outer     *scope
	relations []*relation
	common    []*relation // common tables
}

func (b *binder) use(u Use) { b.uses = append(b.uses, u) }

// stored gives a relation of the schema.
func (b *binder) stored(schema, table string) *relation {
	columns, known := b.relations(schema, table)
	r := &relation{name: table, schema: schema, table: table, known: known}
	for _, c := range columns {
		r.columns = append(r.columns, Output{Name: Fold(c), Schema: schema, Relation: table, Column: Fold(c)})
	}
	return r
}

// commonTable finds a common table by its name.
func (s *scope) commonTable(name string) *relation {
	for ; s != nil; s = s.outer {
		for i := len(s.common) - 1; i >= 0; i-- {
			if s.common[i].name == name {
				return s.common[i]
			}
		}
	}
	return nil
}

// renamed gives a relation other names for its columns; they are then names of their own.
func (r *relation) renamed(names []Name) *relation {
	if len(names) == 0 {
		return r
	}
	out := &relation{name: r.name, known: true}
	for _, n := range names {
		out.columns = append(out.columns, Output{Name: Fold(n.Text)})
	}
	return out
}

// query binds a query and gives what it returns.
func (b *binder) query(q *Query, outer *scope) *relation {
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

// with binds common tables, each in sight of those before it, and of itself if they are recursive.
func (b *binder) with(w *With, s *scope) {
	for _, t := range w.Tables {
		if w.Recursive {
			// The columns come from the first part, which does not read the table itself. What is bound here is bound once more below.
			before := len(b.uses)
			first := *t.Query
			first.Compound, first.OrderBy = nil, nil
			s.common = append(s.common, &relation{name: Fold(t.Name.Text)})
			r := *b.query(&first, s)
			r.name, r.table = Fold(t.Name.Text), ""
			s.common[len(s.common)-1] = r.renamed(t.Columns)
			b.uses = b.uses[:before]
			b.query(t.Query, s)
			continue
		}
		r := *b.query(t.Query, s)
		r.name, r.table = Fold(t.Name.Text), ""
		s.common = append(s.common, r.renamed(t.Columns))
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
			o.Name = c.Expr.String()
		}
		out.columns = append(out.columns, o)
	}
	b.expr(q.Where, s)
	after := &scope{outer: s.outer, relations: append(slices.Clone(s.relations), aliases)}
	b.exprs(q.GroupBy, after)
	b.expr(q.Having, after)
	return out, after
}

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
		out.columns = append(out.columns, r.columns...)
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
		b.use(Use{Span: f.Name.Span, Schema: schema, Relation: name, Set: func(name string) { f.Name.Text = name }})
		r = b.stored(schema, name)
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

// column binds a column with or without the name of its relation.
func (b *binder) column(e *Expr, s *scope) {
	set := func(name string) { e.Name = name }
	if e.Table == "" {
		b.bare(e.Span, e.Name, s, set)
		return
	}
	if r := s.qualifier(e); r != nil && r.table != "" {
		b.use(Use{Span: e.Span, Schema: r.schema, Relation: r.table, Set: func(name string) { e.Table = name }})
	}
	o, open := s.find(e)
	b.bound(e.Span, e.Name, o, open, set)
}

// bare binds a name without a qualifier.
func (b *binder) bare(at Span, name string, s *scope, set func(string)) {
	o, open := s.find(&Expr{Kind: ColumnExpr, Name: name})
	b.bound(at, name, o, open, set)
}

// bound records what a column was found to be. A column of a query that only has a name there is no use of anything.
func (b *binder) bound(at Span, name string, o Output, open bool, set func(string)) {
	if o.Name != "" && o.Relation == "" {
		return
	}
	column := o.Column
	if o.Name == "" {
		column = Fold(name)
	}
	b.use(Use{Span: at, Schema: o.Schema, Relation: o.Relation, Column: column, Open: open, Set: set})
}

// qualifier gives the relation that a qualified column names.
func (s *scope) qualifier(e *Expr) *relation {
	name, schema := Fold(e.Table), Fold(e.Schema)
	for ; s != nil; s = s.outer {
		for _, r := range s.relations {
			if r.name == name && (schema == "" || r.schema == "" || r.schema == schema) {
				return r
			}
		}
	}
	return nil
}

// find gives the column that an expression names; without a name if there is none. open says that it may be one of a relation whose columns
// are not known.
func (s *scope) find(e *Expr) (o Output, open bool) {
	name := Fold(e.Name)
	if e.Table != "" {
		r := s.qualifier(e)
		if r == nil {
			return Output{}, false
		}
		o, ok := r.column(name)
		return o, !ok && !r.known
	}
	for ; s != nil; s = s.outer {
		for _, r := range s.relations {
			if o, ok := r.column(name); ok {
				return o, false
			}
			open = open || !r.known
		}
	}
	return Output{}, open
}

func (r *relation) column(name string) (Output, bool) {
	for _, c := range r.columns {
		if c.Name == name {
			return c, true
		}
	}
	return Output{}, false
}
