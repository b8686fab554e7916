package quereus

import (
	"fmt"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/dialect/quereus/syntax"
	"github.com/altergate/altergate/internal/schema"
)

// Options of a table begin with these words.
const (
	maintainedOption = "maintained as "
	usingOption      = "using "
)

// assertionKind and tagsKind are the kinds of objects that the model has beside tables and views.
const (
	assertionKind = "assertion"
	tagsKind      = "tags"
)

// engineManaged is the tag of tables that the engine keeps for itself: its differ does not see them.
const engineManaged = "quereus.engine_managed"

// model makes the model of a catalog. Statements that make things are not part of it: the planner prints those it needs.
func (c *catalog) model() *schema.Schema {
	s := &schema.Schema{Dialect: Name}
	tables := map[string]*schema.Table{}
	for _, key := range sorted(c.tables) {
		t := c.tables[key].model()
		tables[key] = t
		s.Tables = append(s.Tables, t)
		s.Objects = append(s.Objects, c.tables[key].tagObjects()...)
	}
	for _, key := range sorted(c.indexes) {
		x := c.indexes[key]
		on := tables[x.on]
		m := c.indexModel(x, on)
		on.Indexes = append(on.Indexes, m)
		s.Objects = appendTags(s.Objects, "index", on.Key, m.Key, on.Name+"."+x.Name.Text, x.Tags)
	}
	for _, key := range sorted(c.views) {
		v := c.views[key]
		s.Views = append(s.Views, c.viewModel(v))
		s.Objects = appendTags(s.Objects, "view", key, key, v.in.display(v.Name.Text), v.Tags)
	}
	for _, key := range sorted(c.assertions) {
		a := c.assertions[key]
		s.Objects = append(s.Objects, &schema.Object{Kind: assertionKind, Name: a.in.display(a.Name.Text), Key: key,
			Canon: a.Check.String(), Pos: a.Pos()})
	}
	s.Sort()
	return s
}

func (t *table) model() *schema.Table {
	m := &schema.Table{Name: t.in.display(t.Name.Text), Key: t.key(), Pos: t.Pos()}
	key := t.primaryKey()
	for _, column := range t.Columns {
		m.Columns = append(m.Columns, columnModel(column, key))
		for _, k := range column.Constraints {
			if kind, ok := constraintKinds[k.Kind]; ok && k.Kind != syntax.PrimaryKey && !engineMade(k) {
				m.Constraints = append(m.Constraints, t.constraintModel(kind, k, column))
			}
		}
	}
	for _, k := range t.Constraints {
		if k.Kind != syntax.PrimaryKey && !engineMade(k) {
			m.Constraints = append(m.Constraints, t.constraintModel(constraintKinds[k.Kind], k, nil))
		}
	}
	if !t.sugar {
		m.Constraints = append(m.Constraints, key)
	}
	if t.Maintained != nil {
		m.Options = append(m.Options, maintainedOption+syntax.ViewBody(t.Maintained.Columns, t.Maintained.Query))
	}
	if module := moduleOf(t.Module); module != "" {
		m.Options = append(m.Options, usingOption+module)
	}
	return m
}

var constraintKinds = map[syntax.ConstraintKind]schema.ConstraintKind{syntax.PrimaryKey: schema.PrimaryKey, syntax.Unique: schema.Unique,
	syntax.Check: schema.Check, syntax.ForeignKey: schema.ForeignKey}

// engineMade tells whether the engine takes a constraint for one that it has named itself, and does not look at it (behaviour 35).
func engineMade(k *syntax.Constraint) bool { return strings.HasPrefix(k.Name.Text, "_") }

// primaryKey gives the key of a table: without one, all columns are it (behaviour 70).
func (t *table) primaryKey() *schema.Constraint {
	pk := &schema.Constraint{Kind: schema.PrimaryKey, Pos: t.Pos()}
	found := false
	for _, column := range t.Columns {
		for _, k := range column.Constraints {
			if k.Kind == syntax.PrimaryKey {
				found = true
				pk.Columns = append(pk.Columns, schema.Part{Column: syntax.Fold(column.Name.Text), Desc: k.Desc})
				pk.Pos = k.Pos()
			}
		}
	}
	for _, k := range t.Constraints {
		if k.Kind == syntax.PrimaryKey {
			found = true
			for _, part := range k.Columns {
				pk.Columns = append(pk.Columns, schema.Part{Column: syntax.Fold(part.Name.Text), Desc: part.Desc})
			}
			pk.Pos = k.Pos()
		}
	}
	if !found {
		for _, column := range t.Columns {
			pk.Columns = append(pk.Columns, schema.Part{Column: syntax.Fold(column.Name.Text)})
		}
	}
	var parts []string
	for _, part := range pk.Columns {
		text := syntax.Quote(part.Column)
		if part.Desc {
			text += " desc"
		}
		parts = append(parts, text)
	}
	pk.Canon = "primary key (" + strings.Join(parts, ", ") + ")"
	return pk
}

func columnModel(c *syntax.Column, key *schema.Constraint) *schema.Column {
	m := &schema.Column{Name: c.Name.Text, Key: syntax.Fold(c.Name.Text), Type: c.Type, TypeCanon: logicalType(c.Type), NotNull: true, Pos: c.Pos()}
	for _, k := range c.Constraints {
		switch k.Kind {
		case syntax.Null:
			m.NotNull = false
		case syntax.Default:
			m.Default = expression(k.Expr)
		case syntax.Generated:
			m.Generated = &schema.Generated{Expr: *expression(k.Expr), Stored: k.Stored}
		case syntax.Collate:
			if collation := strings.ToUpper(k.Collation); collation != "BINARY" {
				m.Collation = collation
			}
		}
	}
	for _, k := range c.Constraints {
		if k.Kind == syntax.PrimaryKey || k.Kind == syntax.NotNull {
			m.NotNull = true
		}
	}
	m.Required = m.NotNull || slices.ContainsFunc(key.Columns, func(p schema.Part) bool { return p.Column == m.Key })
	settle(m)
	return m
}

// settle gives a column its canonical text. Constraints and tags are no part of it.
func settle(m *schema.Column) {
	m.Canon = fmt.Sprintf("%s %s", syntax.Quote(m.Key), m.TypeCanon)
	if m.NotNull {
		m.Canon += " not null"
	}
	if m.Default != nil {
		m.Canon += " default " + m.Default.Canon
	}
	if m.Generated != nil {
		m.Canon += " generated " + m.Generated.Expr.Canon
		if m.Generated.Stored {
			m.Canon += " stored"
		}
	}
	if m.Collation != "" {
		m.Canon += " collate " + m.Collation
	}
}

func expression(e *syntax.Expr) *schema.Expr {
	text := e.String()
	m := &schema.Expr{Text: text, Canon: text}
	if e.Kind == syntax.UnaryExpr && len(e.Args) == 1 && e.Args[0].Kind == syntax.NumberExpr {
		m.Constant = text
	}
	switch e.Kind {
	case syntax.NumberExpr, syntax.StringExpr, syntax.BlobExpr, syntax.NullExpr, syntax.BoolExpr:
		m.Constant = text
	}
	return m
}

// constraintModel makes the model of a check, a unique constraint or a foreign key. Where it is written does not count, so the column
// that an unnamed one stands in is told apart only by Owner.
func (t *table) constraintModel(kind schema.ConstraintKind, k *syntax.Constraint, in *syntax.Column) *schema.Constraint {
	column := ""
	m := &schema.Constraint{Kind: kind, Name: k.Name.Text, Pos: k.Pos()}
	if in != nil {
		column = in.Name.Text
		m.Owner = syntax.Fold(column)
	}
	for _, part := range k.Columns {
		m.Columns = append(m.Columns, schema.Part{Column: syntax.Fold(part.Name.Text), Desc: part.Desc})
	}
	if in != nil && kind != schema.Check {
		m.Columns = []schema.Part{{Column: m.Owner}}
	}
	m.Canon = syntax.ConstraintBody(k, column, t.in.key)
	if k.Name.Text != "" {
		m.Canon = "constraint " + syntax.Quote(syntax.Fold(k.Name.Text)) + " " + m.Canon
	}
	if k.Name.Text == "" {
		m.Text = m.Canon // what people are shown in its place
	}
	if kind == schema.Check {
		m.Expr = expression(k.Expr)
	}
	if k.Foreign != nil {
		m.Ref = &schema.Reference{Table: t.parent(k), Name: k.Foreign.Table.Text, OnDelete: action(k.Foreign.OnDelete), OnUpdate: action(k.Foreign.OnUpdate)}
		for _, far := range k.Foreign.Columns {
			m.Ref.Columns = append(m.Ref.Columns, syntax.Fold(far.Text))
		}
	}
	if k.Conflict != "" && k.Conflict != "abort" {
		m.Options = append(m.Options, "on conflict "+k.Conflict)
	}
	return m
}

// action gives what a foreign key does: nothing said, no action and restrict are the same.
func action(written string) string {
	if written == "" {
		return "restrict"
	}
	return written
}

func (c *catalog) indexModel(x *index, on *schema.Table) *schema.Index {
	collation := func(column string) string {
		if col := on.Column(syntax.Fold(column)); col != nil && col.Collation != "" {
			return col.Collation
		}
		return "BINARY"
	}
	m := &schema.Index{Name: x.in.display(x.Name.Text), Key: x.key(), Unique: x.Unique, Pos: x.Pos()}
	for _, part := range x.Columns {
		p := schema.Part{Column: syntax.Fold(part.Name.Text), Desc: part.Desc, Collation: strings.ToUpper(part.Collation)}
		if part.Name.Text == "" {
			p.Column, p.Expr = "", part.Expr.String()
		} else if p.Collation == collation(part.Name.Text) {
			p.Collation = ""
		}
		m.Parts = append(m.Parts, p)
	}
	if x.Where != nil {
		m.Where = expression(x.Where)
	}
	m.Canon = syntax.Quote(m.Key) + " on " + x.on + " " + syntax.IndexBody(x.Index, collation)
	return m
}

// create prints the statement that makes the index: it names index and table with their schema.
func (x *index) create() string {
	plain := *x.Index
	plain.Schema, plain.TableSchema = syntax.Name{}, syntax.Name{}
	return syntax.PrintCreate(&plain, x.in.prefix())
}

func (c *catalog) viewModel(v *view) *schema.View {
	return &schema.View{Name: v.in.display(v.Name.Text), Key: v.key(), Canon: "view " + syntax.ViewBody(v.Columns, v.Query), Pos: v.Pos()}
}

// uses says what a view names.
func (c *catalog) uses(v *view) schema.Uses {
	uses := schema.Uses{Tables: map[string]bool{}, Words: map[string]bool{}, Open: opens(v.Query)}
	for _, u := range v.Query.Uses(c.relations(v.in)) {
		if key := c.resolve(v.in, u.Schema, u.Relation); key != "" {
			uses.Tables[key] = true
		}
		if u.Column != "" {
			uses.Words[u.Column] = true
		}
	}
	return uses
}

// opens tells whether a query takes in columns that it does not name. It looks no deeper than the query and what it is joined with by
// a compound or reads from; a star below that is in an expression and gives no columns.
func opens(q *syntax.Query) bool {
	for q != nil {
		for _, column := range q.Columns {
			if column.Star {
				return true
			}
		}
		if slices.ContainsFunc(q.From, openSource) {
			return true
		}
		if q.With != nil && slices.ContainsFunc(q.With.Tables, func(t *syntax.CommonTable) bool { return opens(t.Query) }) {
			return true
		}
		if q.Compound == nil {
			return false
		}
		q = q.Compound.Query
	}
	return false
}

func openSource(s *syntax.Source) bool {
	switch {
	case s == nil:
		return false
	case s.Natural:
		return true
	case s.Kind == syntax.QuerySource:
		return opens(s.Query)
	}
	return s.Kind == syntax.JoinSource && (openSource(s.Left) || openSource(s.Right))
}

// moduleOf gives a module with its arguments in one form. Nothing said, memory and mem are the same, and nothing.
func moduleOf(m *syntax.Module) string {
	if m == nil {
		return ""
	}
	name := syntax.Fold(m.Name.Text)
	if name == "mem" || name == "" {
		name = "memory"
	}
	var args []string
	for _, a := range m.Args {
		args = append(args, a.Key+" = "+a.Value.String())
	}
	slices.Sort(args)
	if name == "memory" && len(args) == 0 {
		return ""
	}
	return name + " (" + strings.Join(args, ", ") + ")"
}
