package syntax

// PrintItem prints an item as it stands in a declare block.
func PrintItem(i Item) string {
	w := &printer{}
	w.item(i, false, "")
	return w.String()
}

// PrintCreate prints the statement that creates an item, in lower case; owner is a schema to put before the names, empty for main. Seeds
// and ignored items are created by no statement: for them it is empty.
func PrintCreate(i Item, owner string) string {
	w := &printer{}
	switch i.(type) {
	case *Seed, *Ignored:
		return ""
	}
	w.item(i, true, owner)
	return w.String()
}

// item writes an item, with create and a schema before the names of statements. In a declare block the names have no schema.
func (w *printer) item(i Item, create bool, owner string) {
	if create {
		w.puts("create ")
	}
	switch i := i.(type) {
	case *Table:
		w.puts("table ")
		w.owned(create, owner, i.Schema, i.Name)
		w.table(i, create)
	case *Index:
		if i.Unique {
			w.puts("unique ")
		}
		w.puts("index ")
		w.owned(create, owner, i.Schema, i.Name)
		w.puts(" on ")
		w.owned(create, owner, i.TableSchema, i.Table)
		w.puts(" (")
		list(w, ", ", i.Columns, w.indexColumn)
		w.puts(")")
		if i.Where != nil {
			w.puts(" where ")
			w.expr(i.Where)
		}
		w.tags(i.Tags)
	case *View:
		if i.Materialized {
			w.puts("materialized ")
		}
		w.puts("view ")
		w.owned(create, owner, i.Schema, i.Name)
		if len(i.Columns) > 0 {
			w.puts(" (")
			w.names(i.Columns)
			w.puts(")")
		}
		w.module(i.Module)
		w.puts(" as ")
		w.query(i.Query)
		w.tags(i.Tags)
	case *Assertion:
		w.puts("assertion ")
		w.qualified(i.Schema.Text, i.Name.Text)
		w.puts(" check (")
		w.expr(i.Check)
		w.puts(")")
	case *Seed:
		w.seed(i)
	case *Ignored:
		w.puts(i.Written())
	}
}

func (w *printer) owned(create bool, owner string, schema, name Name) {
	if create && owner == "" {
		owner = schema.Text
	}
	if !create {
		owner = ""
	}
	w.qualified(owner, name.Text)
}

func (w *printer) indexColumn(c *IndexColumn) {
	w.expr(c.Expr)
	if c.Desc {
		w.puts(" desc")
	}
}

// table writes what follows the name. In a declare block the module stands before the columns, in a statement after them.
func (w *printer) table(t *Table, create bool) {
	if !create && t.Module != nil {
		w.module(t.Module)
		if len(t.Module.Args) == 0 {
			w.puts(" ()") // or the columns would be read as arguments
		}
	}
	w.puts(" (")
	list(w, ", ", t.Columns, w.column)
	if len(t.Columns) > 0 && len(t.Constraints) > 0 {
		w.puts(", ")
	}
	list(w, ", ", t.Constraints, func(k *Constraint) { w.constraint(k, "") })
	w.puts(")")
	if create && t.Module != nil && t.Module.Name.Text != "" {
		w.module(t.Module)
	}
	if m := t.Maintained; m != nil {
		w.puts(" ")
		w.maintained(m)
	}
	if len(t.Context) > 0 {
		w.puts(" with context (")
		list(w, ", ", t.Context, func(v *ContextVariable) {
			w.puts(Quote(v.Name.Text))
			if v.Type != "" {
				w.puts(" ", v.Type)
			}
			if v.Null {
				w.puts(" null")
			}
		})
		w.puts(")")
	}
	w.tags(t.Tags)
}

func (w *printer) maintained(m *Maintained) {
	w.puts("maintained")
	if len(m.Columns) > 0 {
		w.puts(" (")
		w.names(m.Columns)
		w.puts(")")
	}
	w.puts(" as ")
	w.query(m.Query)
}

// module writes a using clause.
func (w *printer) module(m *Module) {
	if m == nil {
		return
	}
	w.puts(" using")
	if m.Name.Text != "" {
		w.puts(" ", Quote(m.Name.Text))
	}
	if len(m.Args) == 0 {
		return
	}
	w.puts(" (")
	list(w, ", ", m.Args, func(a *Argument) {
		if isDigit(a.Key[0]) {
			w.puts(a.Value.String())
			return
		}
		w.puts(Quote(a.Key), " = ", a.Value.String())
	})
	w.puts(")")
}

func (w *printer) seed(s *Seed) {
	w.puts("seed ", Quote(s.Table.Text))
	if len(s.Columns) > 0 {
		w.puts(" values (")
		w.names(s.Columns)
		w.puts(") values")
	}
	w.puts(" (")
	list(w, ", ", s.Rows, func(row []*Expr) {
		w.puts("(")
		w.exprs(row)
		w.puts(")")
	})
	w.puts(")")
}

// PrintColumn prints a column definition, as in create table and after ADD COLUMN.
func PrintColumn(c *Column) string {
	w := &printer{}
	w.column(c)
	return w.String()
}

func (w *printer) column(c *Column) {
	w.puts(Quote(c.Name.Text))
	if c.Type != "" {
		w.puts(" ", c.Type)
	}
	for _, k := range c.Constraints {
		w.puts(" ")
		w.constraint(k, "")
	}
	w.tags(c.Tags)
}

// PrintConstraint prints a constraint with its name and tags. An inline one that has to stand between the columns, as after ADD, needs the
// name of its column; without it an inline one is printed as it stands in its column.
func PrintConstraint(k *Constraint, column string) string {
	w := &printer{}
	w.constraint(k, column)
	return w.String()
}

func (w *printer) constraint(k *Constraint, column string) {
	if k.Name.Text != "" {
		w.puts("constraint ", Quote(k.Name.Text), " ")
	}
	columns := k.Columns
	if k.Inline && column != "" {
		columns = []*KeyColumn{{Name: Name{Text: column}, Desc: k.Desc}}
	}
	switch k.Kind {
	case PrimaryKey:
		w.puts("primary key")
		w.keyColumns(columns)
		if columns == nil && k.Desc {
			w.puts(" desc")
		}
	case Unique:
		w.puts("unique")
		w.keyColumns(columns)
	case Check:
		w.puts("check")
		if len(k.On) > 0 {
			w.puts(" on ")
			list(w, ", ", k.On, func(op string) { w.puts(op) })
		}
		w.puts(" (")
		w.expr(k.Expr)
		w.puts(")")
	case ForeignKey:
		if columns != nil {
			w.puts("foreign key")
			w.keyColumns(columns)
			w.puts(" ")
		}
		w.foreign(k.Foreign)
	case NotNull:
		w.puts("not null")
	case Null:
		w.puts("null")
	case Default:
		w.puts("default ")
		w.expr(k.Expr)
	case Collate:
		w.puts("collate ", Quote(Fold(k.Collation)))
	case Generated:
		w.puts("generated always as (")
		w.expr(k.Expr)
		w.puts(")")
		if k.Stored {
			w.puts(" stored")
		}
	}
	if k.Conflict != "" && k.Conflict != "abort" {
		w.puts(" on conflict ", k.Conflict)
	}
	w.tags(k.Tags)
}

func (w *printer) keyColumns(columns []*KeyColumn) {
	if columns == nil {
		return
	}
	w.puts(" (")
	list(w, ", ", columns, w.keyColumn)
	w.puts(")")
}

func (w *printer) keyColumn(c *KeyColumn) {
	w.puts(Quote(c.Name.Text))
	if c.Desc {
		w.puts(" desc")
	}
}

func (w *printer) foreign(f *ForeignTable) {
	w.puts("references ")
	w.qualified(f.Schema.Text, f.Table.Text)
	if len(f.Columns) > 0 {
		w.puts("(")
		w.names(f.Columns)
		w.puts(")")
	}
	if f.OnDelete != "" {
		w.puts(" on delete ", f.OnDelete)
	}
	if f.OnUpdate != "" {
		w.puts(" on update ", f.OnUpdate)
	}
	switch f.Deferrable {
	case DeferrableYes:
		w.puts(" deferrable")
	case DeferrableNo:
		w.puts(" not deferrable")
	case DeferrableUnsaid:
	}
	if f.Initially != "" {
		w.puts(" initially ", f.Initially)
	}
}

// tags writes a clause of tags; none is written for an empty list.
func (w *printer) tags(t *Tags) {
	if t != nil && len(t.List) > 0 {
		w.puts(" with tags ", t.ListString())
	}
}

// ListString prints the tags with their parentheses; no tags are `()`.
func (t *Tags) ListString() string {
	w := &printer{}
	w.puts("(")
	if t != nil {
		list(w, ", ", t.List, func(g *Tag) { w.puts(Quote(g.Key), " = ", g.Value.String()) })
	}
	w.puts(")")
	return w.String()
}

// String prints a value as the engine prints the value of a tag.
func (v Value) String() string {
	switch v.Kind {
	case NullValue:
		return "null"
	case TextValue:
		return Literal(v.Text)
	default:
		return v.Text
	}
}
