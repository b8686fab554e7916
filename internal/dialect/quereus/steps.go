package quereus

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/altergate/altergate/internal/dialect/quereus/syntax"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/schema"
)

// tableWork gathers the changes of one table that belong together.
type tableWork struct {
	from, to *schema.Table
	drops    []diff.DropConstraint
	adds     []diff.AddConstraint
}

// newTable is the lock of what is done to something that is made by the same plan, which nobody reads yet.
var newTable = plan.Lock{Level: "none", Blocks: "nothing"}

// add puts a step in its place. Every statement stands for itself: the engine undoes none when a later one fails (behaviour 78).
func (w *work) add(phase, rank int, s *plan.Step) {
	w.steps = append(w.steps, placed{s, phase, rank})
}

// alter prints one ALTER TABLE of a table of the head.
func (w *work) alter(key string, a syntax.Action) string {
	t := w.head.catalog.tables[key]
	if t == nil {
		t = w.renamed.catalog.tables[key]
	}
	return alterTable(t.in, t.Name, a)
}

func alterTable(in *space, name syntax.Name, a syntax.Action) string {
	return syntax.PrintStatement(&syntax.AlterTable{Schema: syntax.Name{Text: in.prefix()}, Name: name, Action: a})
}

// drop prints one DROP.
func drop(kind syntax.ObjectKind, in *space, name syntax.Name) string {
	return syntax.PrintStatement(&syntax.Drop{Kind: kind, IfExists: true, Schema: syntax.Name{Text: in.prefix()}, Name: name})
}

// kindOf gives the word for a table in kinds of steps.
func kindOf(t *schema.Table) string {
	if maintainedOf(t) != "" {
		return "materialized_view"
	}
	return "table"
}

func (w *work) renames() {
	for i, r := range w.in.Renames.Tables {
		from := w.base.catalog.tables[syntax.Fold(r.From)]
		to := w.head.catalog.tables[syntax.Fold(r.To)]
		kind := "rename_table"
		if from.Maintained != nil {
			kind = "rename_materialized_view"
		}
		w.add(phaseRename, i, &plan.Step{Kind: kind, Object: r.To, From: r.From, Changes: []diff.Change{r}, Old: r.From, New: r.To,
			SQL: []string{alterTable(from.in, from.Name, syntax.RenameTable{To: to.Name})}})
	}
	for i, r := range w.in.Renames.Columns {
		w.add(phaseRenameColumn, i, &plan.Step{Kind: "rename_column", Object: r.Table + "." + r.To, From: r.Table + "." + r.From, Changes: []diff.Change{r}, Old: r.From, New: r.To,
			SQL: []string{w.alter(syntax.Fold(r.Table), syntax.RenameColumn{From: syntax.Name{Text: r.From}, To: syntax.Name{Text: r.To}})}})
	}
}

// step makes the step of one change, or gathers it.
func (w *work) step(c diff.Change, tables map[string]*tableWork) error {
	of := func(t *schema.Table) *tableWork {
		if tables[t.Key] == nil {
			tables[t.Key] = &tableWork{from: w.in.From.Table(t.Key), to: w.in.To.Table(t.Key)}
		}
		return tables[t.Key]
	}
	switch c := c.(type) {
	case diff.CreateTable:
		w.createTable(c)
	case diff.DropTable:
		w.dropTable(c)
	case diff.AddColumn:
		w.addColumn(c)
	case diff.DropColumn:
		w.dropColumn(c)
	case diff.AlterColumn:
		w.alterColumn(c)
	case diff.AddConstraint:
		t := of(c.Table)
		t.adds = append(t.adds, c)
	case diff.DropConstraint:
		t := of(c.Table)
		t.drops = append(t.drops, c)
	case diff.AlterOptions:
		w.maintain(c)
	case diff.CreateIndex:
		x := w.head.catalog.indexes[c.Index.Key]
		s := &plan.Step{Kind: "create_index", Object: c.Table.Name + "." + x.Name.Text, Changes: []diff.Change{c}, New: c.Index.Canon, SQL: []string{x.create()}}
		if w.fresh[c.Table.Key] {
			s.Lock = newTable
		}
		w.sites["index "+c.Index.Key] = true
		w.add(phaseIndex, 0, s)
	case diff.DropIndex:
		x := w.renamed.catalog.indexes[c.Index.Key]
		w.sites["index "+c.Index.Key] = true
		w.add(phaseDropIndex, 0, &plan.Step{Kind: "drop_index", Object: c.Table.Name + "." + x.Name.Text, Changes: []diff.Change{c}, Old: c.Index.Canon,
			SQL: []string{drop(syntax.KindIndex, x.in, x.Name)}})
	case diff.CreateView:
		v := w.head.catalog.views[c.View.Key]
		w.sites["view "+c.View.Key] = true
		w.add(phaseQuery, w.toQueries[c.View.Key], &plan.Step{Kind: "create_view", Object: c.View.Name, Changes: []diff.Change{c}, New: c.View.Canon, SQL: []string{syntax.PrintCreate(v.View, v.in.prefix())}})
	case diff.DropView:
		w.dropView(c)
	case diff.CreateObject, diff.DropObject, diff.AlterObject: // see assertions and tags
	default:
		return fmt.Errorf("quereus has no step for %T", c)
	}
	return nil
}

func (w *work) createTable(c diff.CreateTable) {
	phase, rank := phaseCreateTable, w.toTables[c.Table.Key]
	if maintainedOf(c.Table) != "" {
		phase, rank = phaseQuery, w.toQueries[c.Table.Key]
	}
	t := w.head.catalog.tables[c.Table.Key]
	w.tableSites(t)
	w.add(phase, rank, &plan.Step{Kind: "create_" + kindOf(c.Table), Object: c.Table.Name, Changes: []diff.Change{c}, New: tableCanon(c.Table), SQL: []string{syntax.PrintCreate(t.item(), t.in.prefix())}, Lock: newTable})
}

func (w *work) dropTable(c diff.DropTable) {
	t := w.renamed.catalog.tables[c.Table.Key]
	phase, rank := phaseDropTable, -w.fromTables[c.Table.Key]
	switch maintained := maintainedOf(c.Table) != ""; {
	case w.early[c.Table.Key] && (!maintained || references(c.Table, w.early)):
		phase = phaseDropEarly
	case maintained:
		phase, rank = phaseDropQuery, -w.fromQueries[c.Table.Key]
	}
	w.tableSites(t)
	w.add(phase, rank, &plan.Step{Kind: "drop_" + kindOf(c.Table), Object: c.Table.Name, Changes: []diff.Change{c}, Old: tableCanon(c.Table),
		SQL: []string{drop(syntax.KindTable, t.in, t.Name)}})
}

// tableSites notes that the tags of a table and of what is in it come or go with it.
func (w *work) tableSites(t *table) {
	for _, o := range t.tagObjects() {
		w.sites[o.Key] = true
	}
}

func (w *work) dropView(c diff.DropView) {
	v := w.renamed.catalog.views[c.View.Key]
	phase := phaseDropQuery
	if slices.ContainsFunc(w.in.Renames.Tables, func(r diff.RenameTable) bool { return syntax.Fold(r.To) == c.View.Key }) {
		phase = phaseHoisted
	}
	w.sites["view "+c.View.Key] = true
	w.add(phase, -w.fromQueries[c.View.Key], &plan.Step{Kind: "drop_view", Object: c.View.Name, Changes: []diff.Change{c}, Old: c.View.Canon,
		SQL: []string{drop(syntax.KindView, v.in, v.Name)}})
}

func (w *work) addColumn(c diff.AddColumn) {
	declared := w.head.catalog.tables[c.Table.Key].column(c.Column.Key)
	w.sites["column "+c.Table.Key+"."+c.Column.Key] = true
	from := w.in.From.Table(c.Table.Key)
	s := &plan.Step{Kind: "add_column", Object: c.Table.Name + "." + c.Column.Name, Changes: []diff.Change{c}, New: c.Column.Canon,
		SQL: []string{w.alter(c.Table.Key, syntax.AddColumn{Column: w.withoutKept(c.Table, declared)})}}
	for _, k := range c.Table.Constraints {
		if k.Owner == c.Column.Key && !slices.ContainsFunc(from.Constraints, func(old *schema.Constraint) bool { return k.Name != "" && old.Canon == k.Canon }) {
			s.Changes = append(s.Changes, diff.AddConstraint{Table: c.Table, Constraint: k})
			s.New += "\n" + k.Canon
			w.sites["constraint "+c.Table.Key+"."+syntax.Fold(k.Name)] = true
		}
	}
	depth := columnDepth(w.toColumns, w.head.catalog, c.Table.Key, c.Column.Key)
	w.add(phaseAddColumn, depth*len(c.Table.Columns)+slices.Index(c.Table.Columns, c.Column), s)
}

// comesWithColumn tells whether a new constraint stands inside the definition of a column that is added. The engine's differ adds a
// named one a second time.
func (w *work) comesWithColumn(t *schema.Table, k *schema.Constraint) bool {
	from := w.in.From.Table(t.Key)
	return k.Owner != "" && from != nil && from.Column(k.Owner) == nil
}

// withoutKept gives the definition of a new column without the constraints that the table has already, and which somebody moved into it.
func (w *work) withoutKept(t *schema.Table, c *syntax.Column) *syntax.Column {
	from := w.in.From.Table(t.Key)
	out := *c
	out.Constraints = slices.DeleteFunc(slices.Clone(c.Constraints), func(k *syntax.Constraint) bool {
		name := syntax.Fold(k.Name.Text)
		i := slices.IndexFunc(t.Constraints, func(m *schema.Constraint) bool { return name != "" && syntax.Fold(m.Name) == name })
		return i >= 0 && slices.ContainsFunc(from.Constraints, func(old *schema.Constraint) bool { return old.Canon == t.Constraints[i].Canon })
	})
	return &out
}

func (w *work) dropColumn(c diff.DropColumn) {
	w.sites["column "+c.Table.Key+"."+c.Column.Key] = true
	s := &plan.Step{Kind: "drop_column", Object: c.Table.Name + "." + c.Column.Name, Changes: []diff.Change{c}, Old: c.Column.Canon,
		SQL: []string{w.alter(c.Table.Key, syntax.DropColumn{Name: syntax.Name{Text: c.Column.Name}})}}
	for _, k := range c.Table.Constraints {
		if k.Owner == c.Column.Key && k.Name == "" {
			s.Changes = append(s.Changes, diff.DropConstraint{Table: c.Table, Constraint: k})
			s.Old += "\n" + k.Canon
		}
	}
	w.add(w.dropColumnPhase(c.Table, c.Column.Key), -columnDepth(w.fromColumns, w.renamed.catalog, c.Table.Key, c.Column.Key), s)
}

// alterColumn changes a column's own definition, with the engine's statements in its order (section 3, step 8).
func (w *work) alterColumn(c diff.AlterColumn) {
	name := syntax.Name{Text: c.To.Name}
	s := &plan.Step{Kind: "alter_column", Object: c.Table.Name + "." + c.To.Name, Changes: []diff.Change{c}, Old: c.From.Canon, New: c.To.Canon}
	do := func(a syntax.Action) { s.SQL = append(s.SQL, w.alter(c.Table.Key, a)) }
	retype, recollate := c.From.TypeCanon != c.To.TypeCanon, c.From.Collation != c.To.Collation
	before, after := text(c.From.Default), text(c.To.Default)
	collate := func() {
		if recollate {
			collation := c.To.Collation
			if collation == "" {
				collation = "BINARY"
			}
			do(syntax.SetCollation{Column: name, Collation: collation})
		}
	}
	early := retype && before != after && blocks(c.From.Default, c.To.TypeCanon)
	if early {
		do(syntax.DropDefault{Column: name}) // it is no value of the new type (behaviour 31)
	}
	if binaryOnly[c.To.TypeCanon] || !retype {
		collate()
	}
	if retype {
		do(syntax.SetType{Column: name, Type: c.To.Type})
		if !binaryOnly[c.To.TypeCanon] {
			collate()
		}
	}
	switch {
	case before == after || early && after == "":
	case after == "":
		do(syntax.DropDefault{Column: name})
	default:
		do(syntax.SetDefault{Column: name, Value: defaultOf(w.head.catalog.tables[c.Table.Key].column(c.To.Key))})
	}
	phase := phaseAlterColumn
	switch {
	case c.From.NotNull && !c.To.NotNull:
		do(syntax.DropNotNull{Column: name})
		if slices.Contains(w.in.From.Table(c.Table.Key).PrimaryKey().ColumnKeys(), c.To.Key) {
			phase = phaseAfterKey
		}
	case !c.From.NotNull && c.To.NotNull:
		do(syntax.SetNotNull{Column: name})
	}
	w.add(phase, slices.Index(c.Table.Columns, c.To), s)
}

func text(e *schema.Expr) string {
	if e == nil {
		return ""
	}
	return e.Canon
}

func defaultOf(c *syntax.Column) *syntax.Expr {
	for _, k := range c.Constraints {
		if k.Kind == syntax.Default {
			return k.Expr
		}
	}
	return nil
}

// blocks tells whether a default is a text that is no value of a type.
func blocks(e *schema.Expr, canon string) bool {
	if e == nil || len(e.Constant) < 2 || e.Constant[0] != '\'' {
		return false
	}
	switch canon {
	case "integer", "real", "numeric", "boolean":
		_, err := strconv.ParseFloat(e.Constant[1:len(e.Constant)-1], 64)
		return err != nil
	}
	return binaryOnly[canon]
}

// maintain attaches a query to a table, detaches it, or changes it.
func (w *work) maintain(c diff.AlterOptions) {
	old, now := maintainedOf(c.From), maintainedOf(c.To)
	s := &plan.Step{Kind: "alter_table", Object: c.To.Name, Changes: []diff.Change{c}, Old: maintainedOption + old, New: maintainedOption + now}
	if old != "" && now != "" {
		s.Kind = "alter_materialized_view"
	}
	if now == "" {
		s.SQL = []string{w.alter(c.To.Key, syntax.DropMaintained{})}
		w.add(phaseDetach, 0, s)
		return
	}
	s.SQL = []string{w.alter(c.To.Key, syntax.SetMaintained{Maintained: w.head.catalog.tables[c.To.Key].Maintained})}
	w.add(phaseQuery, w.toQueries[c.To.Key], s)
}

// tableCanon is the whole definition of a table in canonical form, for the identity of a step.
func tableCanon(t *schema.Table) string {
	text := "table " + t.Key
	for _, c := range t.Columns {
		text += "\n" + c.Canon
	}
	for _, k := range t.Constraints {
		text += "\n" + k.Canon
	}
	for _, o := range t.Options {
		text += "\n" + o
	}
	return text
}
