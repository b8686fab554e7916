package syntax

import "strings"

// PrintFile prints all statements of a file, each closed by a semicolon and a line end.
func PrintFile(f *File) string {
	w := &printer{}
	for _, s := range f.Statements {
		w.statement(s)
		w.puts(";\n")
	}
	return w.String()
}

// PrintStatement prints a statement. Create statements are in lower case, the others in the capitals of the engine's plans.
func PrintStatement(s Statement) string {
	w := &printer{}
	w.statement(s)
	return w.String()
}

func (w *printer) statement(s Statement) {
	switch s := s.(type) {
	case *Declare:
		w.declare(s)
	case *Bare:
		w.item(s.Item, false, "")
	case *Create:
		w.create(s)
	case *Drop:
		w.puts("DROP ", strings.ToUpper(string(s.Kind)))
		if s.IfExists {
			w.puts(" IF EXISTS")
		}
		w.puts(" ")
		w.qualified(s.Schema.Text, s.Name.Text)
	case *AlterTable:
		w.alterTable(s)
	case *AlterObject:
		w.puts("ALTER ", strings.ToUpper(string(s.Kind)), " ")
		w.qualified(s.Schema.Text, s.Name.Text)
		w.puts(" ")
		w.tagsAction(s.Tags)
	case *Apply:
		w.apply(s)
	case *Diff:
		w.puts("diff schema ", Quote(s.Schema.Text))
	case *Other:
		w.puts(s.Written())
	}
}

func (w *printer) create(s *Create) {
	if !s.IfNotExists {
		w.item(s.Item, true, "")
		return
	}
	// The words go between the kind and the name.
	full := &printer{}
	full.item(s.Item, true, "")
	prefix := "create " + itemKind(s.Item) + " "
	w.puts(prefix, "if not exists ", full.String()[len(prefix):])
}

// itemKind gives the words that an item begins with which `if not exists` may follow; no others are read with it.
func itemKind(i Item) string {
	switch i := i.(type) {
	case *Index:
		if i.Unique {
			return "unique index"
		}
		return "index"
	case *View:
		if i.Materialized {
			return "materialized view"
		}
		return "view"
	default:
		return "table"
	}
}

func (w *printer) declare(s *Declare) {
	w.puts("declare ")
	if s.Logical {
		w.puts("logical ")
	}
	w.puts("schema ", Quote(s.Name.Text))
	if s.Version != nil {
		w.puts(" version ")
		w.expr(s.Version)
	}
	if len(s.Options) > 0 {
		w.puts(" using ")
		w.options(s.Options)
	}
	w.puts(" {")
	for _, i := range s.Items {
		w.puts("\n  ")
		w.item(i, false, "")
		w.puts(";")
	}
	w.puts("\n}")
}

func (w *printer) options(options []*Option) {
	w.puts("(")
	list(w, ", ", options, func(o *Option) {
		w.puts(Quote(o.Name.Text), " = ")
		w.expr(o.Value)
	})
	w.puts(")")
}

func (w *printer) apply(s *Apply) {
	w.puts("apply schema ", Quote(s.Schema.Text))
	if s.Version != nil {
		w.puts(" to version ")
		w.expr(s.Version)
	}
	if s.Seed {
		w.puts(" with seed")
	}
	if len(s.Options) > 0 {
		w.puts(" options ")
		w.options(s.Options)
	}
}

func (w *printer) alterTable(s *AlterTable) {
	if m, ok := s.Action.(SetMaintained); ok {
		w.puts("alter table ")
		w.qualified(s.Schema.Text, s.Name.Text)
		w.puts(" set ")
		w.maintained(m.Maintained)
		return
	}
	w.puts("ALTER TABLE ")
	w.qualified(s.Schema.Text, s.Name.Text)
	w.puts(" ")
	switch a := s.Action.(type) {
	case RenameTable:
		w.puts("RENAME TO ", Quote(a.To.Text))
	case RenameColumn:
		w.puts("RENAME COLUMN ", Quote(a.From.Text), " TO ", Quote(a.To.Text))
	case AddColumn:
		w.puts("ADD COLUMN ")
		w.column(a.Column)
	case DropColumn:
		w.puts("DROP COLUMN ", Quote(a.Name.Text))
	case AddConstraint:
		w.puts("ADD ")
		w.constraint(a.Constraint, "")
	case DropConstraint:
		w.puts("DROP CONSTRAINT ", Quote(a.Name.Text))
	case RenameConstraint:
		w.puts("RENAME CONSTRAINT ", Quote(a.From.Text), " TO ", Quote(a.To.Text))
	case AlterPrimaryKey:
		w.puts("ALTER PRIMARY KEY (")
		list(w, ", ", a.Columns, w.keyColumn)
		w.puts(")")
	case SetType:
		w.puts("ALTER COLUMN ", Quote(a.Column.Text), " SET DATA TYPE ", a.Type)
	case SetDefault:
		w.puts("ALTER COLUMN ", Quote(a.Column.Text), " SET DEFAULT ")
		w.expr(a.Value)
	case DropDefault:
		w.puts("ALTER COLUMN ", Quote(a.Column.Text), " DROP DEFAULT")
	case SetNotNull:
		w.puts("ALTER COLUMN ", Quote(a.Column.Text), " SET NOT NULL")
	case DropNotNull:
		w.puts("ALTER COLUMN ", Quote(a.Column.Text), " DROP NOT NULL")
	case SetCollation:
		w.puts("ALTER COLUMN ", Quote(a.Column.Text), " SET COLLATE ", Quote(strings.ToUpper(a.Collation)))
	case DropMaintained:
		w.puts("DROP MAINTAINED")
	case TagsAction:
		switch {
		case a.Column.Text != "":
			w.puts("ALTER COLUMN ", Quote(a.Column.Text), " ")
		case a.Constraint.Text != "":
			w.puts("ALTER CONSTRAINT ", Quote(a.Constraint.Text), " ")
		}
		w.tagsAction(a)
	}
}

func (w *printer) tagsAction(a TagsAction) {
	switch a.Mode {
	case SetTags:
		w.puts("SET TAGS ", a.Tags.ListString())
	case AddTags:
		w.puts("ADD TAGS ", a.Tags.ListString())
	case DropTags:
		w.puts("DROP TAGS (")
		w.names(a.Keys)
		w.puts(")")
	}
}
