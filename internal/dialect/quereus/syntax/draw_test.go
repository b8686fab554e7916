package syntax_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/altergate/altergate/internal/dialect/quereus/syntax"
	"github.com/altergate/altergate/internal/source"
)

// drawing draws trees that nobody wrote, so that what is printed of them can be read again.
type drawing struct {
	*rapid.T
	left int  // nodes that may still be drawn
	on   bool // joins say on and not using
}

func (d *drawing) chance(of int) bool { return rapid.IntRange(1, of).Draw(d.T, "chance") == 1 }

func pick[T any](d *drawing, from ...T) T { return rapid.SampledFrom(from).Draw(d.T, "pick") }

// several draws a few of something, none too.
func several[T any](d *drawing, most int, one func() T) []T {
	var out []T
	for range rapid.IntRange(0, most).Draw(d.T, "several") {
		out = append(out, one())
	}
	return out
}

func some[T any](d *drawing, most int, one func() T) []T {
	return append(several(d, most-1, one), one())
}

func (d *drawing) word() string {
	return pick(d, "a", "B", "pet", "Visit", "order", "select", "key", "check", "like", "two words", `qu"ote`, "x1", "_u", "tags", "schema", "table", "domain", "größe", "1st", "replace", "temp")
}

func (d *drawing) name() syntax.Name { return syntax.Name{Text: d.word()} }

func (d *drawing) maybe() syntax.Name {
	if d.chance(2) {
		return syntax.Name{}
	}
	return d.name()
}

func (d *drawing) literal() *syntax.Expr {
	return pick(d, &syntax.Expr{Kind: syntax.NumberExpr, Name: "1"}, &syntax.Expr{Kind: syntax.NumberExpr, Name: "2.50"}, &syntax.Expr{Kind: syntax.NumberExpr, Name: "1e-9"},
		&syntax.Expr{Kind: syntax.StringExpr, Name: "it's"}, &syntax.Expr{Kind: syntax.StringExpr, Name: ""}, &syntax.Expr{Kind: syntax.BlobExpr, Name: "00ff"},
		&syntax.Expr{Kind: syntax.NullExpr}, &syntax.Expr{Kind: syntax.BoolExpr, Name: "true"}).Clone()
}

func (d *drawing) column() *syntax.Expr {
	e := &syntax.Expr{Kind: syntax.ColumnExpr, Name: d.word()}
	if d.chance(3) {
		e.Table = d.word()
		if d.chance(3) {
			e.Schema = d.word()
		}
	}
	return e
}

func (d *drawing) expr() *syntax.Expr {
	d.left--
	if d.left <= 0 {
		return pick(d, d.literal, d.column)()
	}
	args := func(n int) []*syntax.Expr {
		var out []*syntax.Expr
		for range n {
			out = append(out, d.expr())
		}
		return out
	}
	switch rapid.IntRange(0, 16).Draw(d.T, "kind") {
	case 0:
		return d.literal()
	case 1:
		return d.column()
	case 2:
		return &syntax.Expr{Kind: syntax.ParameterExpr, Name: pick(d, "?", ":x", ":1")}
	case 3, 4:
		return &syntax.Expr{Kind: syntax.UnaryExpr, Op: pick(d, "not", "-", "+", "~", "is null", "is not null", "is true", "is not false"), Args: args(1)}
	case 5, 6, 7, 8, 9:
		return &syntax.Expr{Kind: syntax.BinaryExpr, Op: pick(d, "or", "xor", "and", "=", "==", "!=", "<", "<=", ">", ">=", "like", "+", "-", "*", "/", "%", "||"), Args: args(2)}
	case 10:
		e := &syntax.Expr{Kind: syntax.CallExpr, Name: pick(d, "max", "length", "like", "replace", "select", "two words"), Args: several(d, 3, d.expr)}
		if e.Args == nil {
			e.Star = d.chance(2)
		} else {
			e.Distinct = d.chance(3)
		}
		if d.chance(3) {
			e.Over = d.window()
		}
		return e
	case 11:
		return &syntax.Expr{Kind: syntax.CastExpr, Name: pick(d, "text", "varchar(20)"), Args: args(1)}
	case 12:
		e := &syntax.Expr{Kind: syntax.CaseExpr, Whens: some(d, 2, func() syntax.When { return syntax.When{If: d.expr(), Then: d.expr()} })}
		if d.chance(2) {
			e.Base = d.expr()
		}
		if d.chance(2) {
			e.Else = d.expr()
		}
		return e
	case 13:
		if d.chance(2) {
			return &syntax.Expr{Kind: syntax.InExpr, Args: args(1), Query: d.query()}
		}
		return &syntax.Expr{Kind: syntax.InExpr, Args: some(d, 3, d.expr)}
	case 14:
		return &syntax.Expr{Kind: syntax.BetweenExpr, Not: d.chance(2), Args: args(3)}
	case 15:
		return &syntax.Expr{Kind: syntax.CollateExpr, Name: pick(d, "nocase", "rtrim", "order"), Args: args(1)}
	default:
		return &syntax.Expr{Kind: pick(d, syntax.ExistsExpr, syntax.SubqueryExpr), Query: d.query()}
	}
}

func (d *drawing) orders() []*syntax.Order {
	return some(d, 2, func() *syntax.Order {
		return &syntax.Order{Expr: d.expr(), Desc: d.chance(2), Nulls: pick(d, "", "first", "last")}
	})
}

func (d *drawing) window() *syntax.Window {
	w := &syntax.Window{Partition: several(d, 2, d.expr)}
	if d.chance(2) {
		w.Order = d.orders()
	}
	if d.chance(2) {
		bound := func() syntax.Bound {
			b := syntax.Bound{Kind: pick(d, "current row", "unbounded preceding", "unbounded following", "preceding", "following")}
			if !strings.Contains(b.Kind, " ") {
				b.Value = d.expr()
			}
			return b
		}
		w.Frame = &syntax.Frame{Unit: pick(d, "rows", "range"), Start: bound()}
		if d.chance(2) {
			w.Frame.End = bound()
		}
	}
	return w
}

func (d *drawing) query() *syntax.Query {
	d.left--
	q := &syntax.Query{}
	if d.chance(5) && d.left > 0 {
		q.With = &syntax.With{Recursive: d.chance(2), Tables: some(d, 2, func() *syntax.CommonTable {
			return &syntax.CommonTable{Name: d.name(), Columns: several(d, 2, d.name), Hint: pick(d, "", "materialized", "not materialized"), Query: d.query()}
		})}
	}
	d.selects(q)
	if d.chance(4) && d.left > 0 {
		q.Compound = &syntax.Compound{Op: pick(d, "union", "union all", "intersect", "except"), Query: d.query()}
		q.Compound.Query.Defaults = nil
		if d.chance(4) {
			q.Compound.Exist = some(d, 2, func() syntax.Existence { return syntax.Existence{Side: pick(d, "left", "right"), Name: d.name()} })
		}
		// A part can only be a query of its own with a with before it, for else its order is the whole's.
		if r := q.Compound.Query; r.With == nil {
			r.OrderBy, r.Limit, r.Offset = nil, nil, nil
		}
	}
	if d.chance(4) {
		q.OrderBy = d.orders()
	}
	if d.chance(5) {
		q.Limit = d.expr()
		if d.chance(2) {
			q.Offset = d.expr()
		}
	}
	return q
}

func (d *drawing) selects(q *syntax.Query) {
	if d.chance(6) {
		q.Values = some(d, 2, func() []*syntax.Expr { return several(d, 2, d.expr) })
		return
	}
	q.Distinct = d.chance(4)
	q.Columns = some(d, 3, func() *syntax.ResultColumn {
		if d.chance(5) {
			return &syntax.ResultColumn{Star: true, Table: d.maybe()}
		}
		return &syntax.ResultColumn{Expr: d.expr(), Alias: d.maybe()}
	})
	if d.chance(5) {
		return
	}
	q.From = some(d, 2, d.source)
	if d.chance(2) {
		q.Where = d.expr()
	}
	if d.chance(4) {
		q.GroupBy = some(d, 2, d.expr)
		q.Having = d.expr()
	}
	if d.chance(6) {
		q.SchemaPath = some(d, 2, d.name)
	}
}

func (d *drawing) source() *syntax.Source {
	if !d.chance(4) || d.left <= 0 {
		return d.oneSource()
	}
	s := &syntax.Source{Kind: syntax.JoinSource, Join: pick(d, "inner", "left", "right", "full", "cross"), Left: d.source(), Right: d.oneSource(), Lateral: d.chance(4)}
	switch {
	case s.Join == "cross":
	case d.on || d.chance(2):
		s.On = d.expr()
	default:
		s.Using = some(d, 2, d.name)
	}
	if side := map[string]string{"left": "right", "right": "left", "full": "left"}[s.Join]; side != "" && d.chance(3) {
		s.Exist = []syntax.Existence{{Side: side, Name: d.name()}}
	}
	return s
}

func (d *drawing) oneSource() *syntax.Source {
	switch {
	case d.left <= 0 || !d.chance(4):
		return &syntax.Source{Name: d.name(), Schema: d.maybe(), Alias: d.maybe()}
	case d.chance(2):
		return &syntax.Source{Kind: syntax.FunctionSource, Name: syntax.Name{Text: "json_each"}, Args: several(d, 2, d.expr), Alias: d.name(), Columns: several(d, 2, d.name)}
	}
	return &syntax.Source{Kind: syntax.QuerySource, Query: d.query(), Alias: d.name(), Columns: several(d, 2, d.name)}
}

func (d *drawing) tags() *syntax.Tags {
	if !d.chance(3) {
		return nil
	}
	t := &syntax.Tags{}
	seen := map[string]bool{}
	for range rapid.IntRange(1, 3).Draw(d.T, "tags") {
		key := pick(d, "owner", "quereus.id", "odd key", "order")
		if !seen[key] {
			t.List = append(t.List, &syntax.Tag{Key: key, Value: pick(d, syntax.Value{}, syntax.Value{Kind: syntax.TextValue, Text: "it's"},
				syntax.Value{Kind: syntax.NumberValue, Text: "-2.5"}, syntax.Value{Kind: syntax.BoolValue, Text: "false"})})
		}
		seen[key] = true
	}
	return t
}

func (d *drawing) foreign() *syntax.ForeignTable {
	f := &syntax.ForeignTable{Table: d.name(), Schema: d.maybe(), Columns: several(d, 2, d.name), OnDelete: pick(d, "", "set null", "set default", "cascade", "restrict"),
		OnUpdate: pick(d, "", "cascade"), Deferrable: pick(d, syntax.DeferrableUnsaid, syntax.DeferrableYes, syntax.DeferrableNo)}
	if f.Deferrable != syntax.DeferrableUnsaid {
		f.Initially = pick(d, "", "deferred", "immediate")
	}
	return f
}

func (d *drawing) conflict() string { return pick(d, "", "", "ignore", "replace") }

func (d *drawing) columnDefinition() *syntax.Column {
	return &syntax.Column{Name: d.name(), Type: pick(d, "", "integer", "TEXT", "decimal(12,2)"), Tags: d.tags(), Constraints: several(d, 3, func() *syntax.Constraint {
		k := &syntax.Constraint{Inline: true, Name: d.maybe(), Kind: pick(d, syntax.PrimaryKey, syntax.Unique, syntax.Check, syntax.ForeignKey, syntax.NotNull, syntax.Null,
			syntax.Default, syntax.Collate, syntax.Generated)}
		switch k.Kind {
		case syntax.PrimaryKey:
			k.Desc, k.Conflict = d.chance(2), d.conflict()
		case syntax.Check:
			k.Expr, k.Conflict = d.expr(), d.conflict()
		case syntax.Default:
			k.Expr = d.literal()
		case syntax.Generated:
			k.Expr, k.Stored = d.expr(), d.chance(2)
		case syntax.Collate:
			k.Collation = "nocase"
		case syntax.ForeignKey:
			k.Foreign = d.foreign()
		default:
			k.Conflict = d.conflict()
		}
		if k.Name.Text != "" {
			k.Tags = d.tags()
		}
		return k
	})}
}

func (d *drawing) constraint() *syntax.Constraint {
	k := &syntax.Constraint{Name: d.maybe(), Kind: pick(d, syntax.PrimaryKey, syntax.Unique, syntax.Check, syntax.ForeignKey), Tags: d.tags()}
	switch k.Kind {
	case syntax.Check:
		k.Expr, k.Conflict, k.On = d.expr(), d.conflict(), several(d, 2, func() string { return pick(d, "insert", "update", "delete") })
	default:
		k.Columns = some(d, 2, func() *syntax.KeyColumn {
			return &syntax.KeyColumn{Name: d.name(), Desc: k.Kind == syntax.PrimaryKey && d.chance(2)}
		})
		if k.Kind == syntax.ForeignKey {
			k.Foreign = d.foreign()
		} else {
			k.Conflict = d.conflict()
		}
	}
	return k
}

func (d *drawing) module() *syntax.Module {
	if !d.chance(4) {
		return nil
	}
	return &syntax.Module{Name: d.name(), Args: several(d, 2, func() *syntax.Argument {
		return &syntax.Argument{Key: pick(d, "k", "order"), Value: syntax.Value{Kind: syntax.NumberValue, Text: "2"}}
	})}
}

func (d *drawing) item() syntax.Item {
	switch rapid.IntRange(0, 6).Draw(d.T, "item") {
	case 0, 1:
		t := &syntax.Table{Name: d.name(), Module: d.module(), Columns: several(d, 3, d.columnDefinition), Constraints: several(d, 2, d.constraint), Tags: d.tags()}
		if d.chance(5) {
			t.Maintained = &syntax.Maintained{Columns: several(d, 2, d.name), Query: d.query()}
		}
		if d.chance(5) {
			t.Context = []*syntax.ContextVariable{{Name: d.name(), Type: "text", Null: d.chance(2)}}
		}
		return t
	case 2:
		x := &syntax.Index{Name: d.name(), Unique: d.chance(2), Table: d.name(), Tags: d.tags(), Columns: some(d, 2, func() *syntax.IndexColumn {
			return &syntax.IndexColumn{Expr: d.expr(), Desc: d.chance(2)}
		})}
		if d.chance(2) {
			x.Where = d.expr()
		}
		return x
	case 3, 4:
		v := &syntax.View{Name: d.name(), Columns: several(d, 2, d.name), Query: d.query(), Tags: d.tags(), Materialized: d.chance(2)}
		if v.Materialized {
			v.Module = d.module()
		}
		if d.chance(4) {
			v.Query.Defaults = some(d, 2, func() *syntax.DefaultFor { return &syntax.DefaultFor{Column: d.name(), Value: d.expr()} })
		}
		return v
	case 5:
		return &syntax.Assertion{Name: d.name(), Check: d.expr()}
	default:
		return &syntax.Seed{Table: d.name(), Columns: several(d, 2, d.name), Rows: some(d, 2, func() []*syntax.Expr { return several(d, 2, d.literal) })}
	}
}

// TestDrawnItems holds that every tree prints as a text that reads back as what it was, with nothing between the items.
func TestDrawnItems(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := &drawing{T: t, left: 30}
		items := some(d, 3, d.item)
		var want []string
		for _, i := range items {
			want = append(want, syntax.PrintItem(i))
		}
		text := strings.Join(want, "\n")
		f, errs := syntax.Parse(&source.File{Path: "s.sql", Text: "declare schema main {\n" + text + "\n}"})
		if len(errs) > 0 {
			t.Fatalf("%s\n%v", text, errs[0])
		}
		got := f.Statements[0].(*syntax.Declare).Items
		if len(got) != len(items) {
			t.Fatalf("%s\n%d items", text, len(got))
		}
		for n, i := range got {
			if again := syntax.PrintItem(i); again != want[n] {
				t.Fatalf("%s\nreads as %s", want[n], again)
			}
			if _, ok := i.(*syntax.Seed); ok {
				continue
			}
			create := syntax.PrintCreate(i, "")
			s, err := syntax.ParseStatement(create)
			if err != nil {
				t.Fatalf("%s\n%v", create, err)
			}
			if again := syntax.PrintStatement(s); again != create {
				t.Fatalf("%s\nreads as %s", create, again)
			}
		}
	})
}

// TestDrawnExpressions holds that parentheses are left out only where the text means the same without them.
func TestDrawnExpressions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := (&drawing{T: t, left: 20}).expr()
		text := e.String()
		s, err := syntax.ParseStatement("create assertion a check (" + text + ")")
		if err != nil {
			t.Fatalf("%s\n%v", text, err)
		}
		if want, got := shape(e), shape(s.(*syntax.Create).Item.(*syntax.Assertion).Check); want != got {
			t.Fatalf("%s\nis   %s\nnot  %s", text, got, want)
		}
		if copied := e.Clone(); shape(copied) != shape(e) || copied.String() != text {
			t.Fatalf("%s is copied as %s", text, copied)
		}
	})
}

// shape writes the tree of an expression. Where an operator may be chained from either side, it takes the left one.
func shape(e *syntax.Expr) string {
	if e.Kind == syntax.BinaryExpr {
		left, right := e.Args[0], e.Args[1]
		if right.Kind == syntax.BinaryExpr && (right.Op == e.Op && strings.Contains(" and or xor + * || ", " "+e.Op+" ") || e.Op == "+" && right.Op == "-") {
			inner := &syntax.Expr{Kind: syntax.BinaryExpr, Op: e.Op, Args: []*syntax.Expr{left, right.Args[0]}}
			return shape(&syntax.Expr{Kind: syntax.BinaryExpr, Op: right.Op, Args: []*syntax.Expr{inner, right.Args[1]}})
		}
	}
	parts := []string{fmt.Sprint(e.Kind), e.Op, e.Schema, e.Table, e.Name, fmt.Sprint(e.Not, e.Distinct, e.Star)}
	for _, a := range append([]*syntax.Expr{e.Base, e.Else}, e.Args...) {
		if a == nil {
			parts = append(parts, "-")
			continue
		}
		parts = append(parts, shape(a))
	}
	for _, w := range e.Whens {
		parts = append(parts, shape(w.If), shape(w.Then))
	}
	if e.Query != nil {
		parts = append(parts, e.Query.String())
	}
	return "(" + strings.Join(parts, " ") + ")"
}

// everything knows every table that is drawn, each with the same columns, and has a table or a column under another name.
func everything(table, column string) syntax.Relations {
	return func(_, relation string) ([]string, bool) {
		columns := []string{"a", "b", "key", "order", "x1"}
		switch relation {
		case "pet":
			if table != "" {
				return nil, false
			}
		case table, "visit", "b", "_u":
		default:
			return nil, false
		}
		if relation == "pet" || relation == table {
			columns[0] = column
		}
		return columns, true
	}
}

// TestDrawnRenames holds that after a rename each use means what it meant before: the same places name the same things, under their new names.
func TestDrawnRenames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// A column in using is one of either side: when only one of them is renamed, no name is right for both.
		d := &drawing{T: t, left: 30, on: true}
		q := d.query()
		if d.chance(3) {
			q.Defaults = []*syntax.DefaultFor{{Column: d.name(), Value: d.expr()}}
		}
		table, column := pick(d, "", "fresh_table"), pick(d, "a", "fresh_column")
		want := q.Uses(everything("", "a"))
		renamed := q.Clone()
		for i, u := range renamed.Uses(everything("", "a")) {
			switch {
			case u.Relation != "pet":
			case u.Column == "" && table != "":
				u.Set(table)
			case u.Column == "a":
				u.Set(column)
			}
			if want[i].Relation == "pet" {
				if table != "" {
					want[i].Relation = table
				}
				if want[i].Column == "a" {
					want[i].Column = column
				}
			}
		}
		if got, want := show(renamed.Uses(everything(table, column))), show(want); strings.Join(got, " ") != strings.Join(want, " ") {
			t.Fatalf("%s\nbecomes %s,\nwhich names %v\nnot         %v", q, renamed, got, want)
		}
	})
}
