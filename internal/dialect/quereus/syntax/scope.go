package syntax

// relation is something a scope has columns of.
type relation struct {
	name    string // by which columns are qualified, folded
	schema  string
	table   string // the stored relation that the name itself is of; empty behind an alias
	columns []Output
	known   bool
	stored  *stored // what the columns are of if they are those of a stored relation; columns is then empty
}

// stored is a relation of the schema. Its columns are made outputs only where they are named: there can be many, in many scopes.
type stored struct {
	schema, table string
	columns       []string
	fixed         bool // no rename is followed here
}

func (r *stored) output(column string) Output {
	return Output{Name: column, Schema: r.schema, Relation: r.table, Column: column, fixed: r.fixed}
}

// outputs gives all columns.
func (r *relation) outputs() []Output {
	if r.stored == nil {
		return r.columns
	}
	var all []Output
	for _, c := range r.stored.columns {
		all = append(all, r.stored.output(Fold(c)))
	}
	return all
}

// scope is what names can mean at one place: the sources of one from clause, then those around it.
type scope struct {
	outer     *scope
	relations []*relation
	common    []*relation // common tables
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

// committed qualifies a table as it was when the transaction began.
const committed = "committed"

// as gives a relation under a name by which the engine does not follow renames, or not in all its versions: the rows new and old of a check,
// and a table as it was committed.
func (r *relation) as(name string) *relation {
	fixed := *r.stored
	fixed.fixed = true
	return &relation{name: name, known: r.known, stored: &fixed}
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
	if o.fixed {
		set = func(string) {}
	}
	b.use(Use{Span: at, Schema: o.Schema, Relation: o.Relation, Column: column, Open: open, Fixed: o.fixed, Set: set})
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
	if r.stored != nil {
		for _, c := range r.stored.columns {
			if Fold(c) == name {
				return r.stored.output(name), true
			}
		}
		return Output{}, false
	}
	for _, c := range r.columns {
		if c.Name == name {
			return c, true
		}
	}
	return Output{}, false
}
