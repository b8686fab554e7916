package syntax

import (
	"slices"
	"strings"
)

// ConstraintBody gives the form in which constraints are compared: without name and tags, defaults left out, names of columns and tables
// folded. A foreign key's parent is named with its schema only if that is not the child's. column is the column of an inline constraint.
func ConstraintBody(k *Constraint, column, schema string) string {
	plain := *k
	plain.Name, plain.Tags = Name{}, nil
	plain.Columns = nil
	for _, c := range k.Columns {
		plain.Columns = append(plain.Columns, &KeyColumn{folded(c.Name), c.Desc})
	}
	if k.Columns != nil && plain.Columns == nil {
		plain.Columns = []*KeyColumn{} // the key of a table of one row
	}
	switch k.Kind {
	case Check:
		plain.On = operations(k.On)
		plain.Expr = foldColumns(k.Expr.Clone())
	case ForeignKey:
		plain.Foreign = foreignBody(k.Foreign, schema)
	}
	return PrintConstraint(&plain, Fold(column))
}

func folded(n Name) Name { return Name{n.Span, Fold(n.Text)} }

// operations gives the operations a check is about, in one order. Insert and update together are what a check without any is about.
func operations(on []string) []string {
	var out []string
	for _, op := range [...]string{"insert", "update", "delete"} {
		if slices.Contains(on, op) {
			out = append(out, op)
		}
	}
	if slices.Equal(out, []string{"insert", "update"}) {
		return nil
	}
	return out
}

// foreignBody leaves out what is the same as nothing said: restrict, the child's own schema, and being deferrable, which the engine does
// not compare. Leaving out the columns is not the same as naming the parent's key.
func foreignBody(f *ForeignTable, schema string) *ForeignTable {
	out := &ForeignTable{Schema: folded(f.Schema), Table: folded(f.Table), OnDelete: f.OnDelete, OnUpdate: f.OnUpdate}
	if out.Schema.Text == Fold(schema) {
		out.Schema = Name{}
	}
	for _, c := range f.Columns {
		out.Columns = append(out.Columns, folded(c))
	}
	for _, action := range [...]*string{&out.OnDelete, &out.OnUpdate} {
		if *action == "restrict" {
			*action = ""
		}
	}
	return out
}

// foldColumns folds the names of columns in an expression. What stands in a subquery stays as it is written: the engine compares it so.
func foldColumns(e *Expr) *Expr {
	if e == nil {
		return nil
	}
	if e.Kind == ColumnExpr {
		e.Schema, e.Table, e.Name = Fold(e.Schema), Fold(e.Table), Fold(e.Name)
	}
	for _, a := range e.Args {
		foldColumns(a)
	}
	foldColumns(e.Base)
	foldColumns(e.Else)
	for _, w := range e.Whens {
		foldColumns(w.If)
		foldColumns(w.Then)
	}
	return e
}

// IndexBody gives the form in which indexes are compared: without name, table and tags, names of columns folded, and each column with the
// collation in effect. collation gives the one that a column of the table has.
func IndexBody(x *Index, collation func(column string) string) string {
	w := &printer{}
	if x.Unique {
		w.puts("unique ")
	}
	w.puts("index (")
	list(w, ", ", x.Columns, func(c *IndexColumn) {
		if c.Name.Text == "" {
			w.expr(foldColumns(c.Expr.Clone()))
		} else {
			effective := c.Collation
			if effective == "" {
				effective = collation(c.Name.Text)
			}
			w.puts(Quote(Fold(c.Name.Text)))
			if effective = strings.ToUpper(effective); effective != "" && effective != "BINARY" {
				w.puts(" collate ", Quote(Fold(effective)))
			}
		}
		if c.Desc {
			w.puts(" desc")
		}
	})
	w.puts(")")
	if x.Where != nil {
		w.puts(" where ")
		w.expr(foldColumns(x.Where.Clone()))
	}
	return w.String()
}

// ViewBody gives the form in which views are compared: the columns and the query, with the letters as they are written.
func ViewBody(columns []Name, q *Query) string {
	w := &printer{}
	if len(columns) > 0 {
		w.puts("(")
		w.names(columns)
		w.puts(") ")
	}
	w.puts("as ")
	w.query(q)
	return w.String()
}
