package mysql

import (
	"errors"
	"fmt"
	"slices"

	"github.com/altergate/altergate/internal/dialect/mysql/catalog"
	"github.com/altergate/altergate/internal/dialect/mysql/online"
	"github.com/altergate/altergate/internal/dialect/mysql/server"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/schema"
)

// Planner plans for a server.
type Planner struct {
	Base, From, To *Loaded       // the base, the base after its renames, and the head
	Server         server.Server // whose words plans are in
	Oldest         server.Server // who says what a statement costs
	Plain          bool          // no ALGORITHM and LOCK, for a server that does as it likes
}

// Steps implements plan.Planner.
func (p Planner) Steps(in plan.Input) ([]*plan.Step, []schema.Notice, error) {
	w := &work{Planner: p, in: in, tables: map[string]*tableWork{}, broken: map[*schema.Constraint]bool{}, gone: map[string]bool{}, fresh: map[string]bool{}, modes: p.To.catalog.Programs()}
	p.From.detail()
	p.To.detail()
	w.sort(in.Changes)
	w.renames()
	for _, t := range w.order() {
		w.table(t)
	}
	w.foreignKeys()
	w.newTables()
	w.droppedTables()
	w.programs()
	w.objects()
	if len(w.errs) > 0 {
		return nil, nil, errors.Join(w.errs...)
	}
	steps := w.finish()
	w.stops(steps)
	return steps, w.notices, nil
}

// Converts implements plan.Planner.
func (p Planner) Converts(from, to *schema.Column) (plan.Conversion, string) {
	a, b := p.From.detail().columns[from], p.To.detail().columns[to]
	if a == nil || b == nil {
		return plan.Converted, "what becomes of the values is not known"
	}
	return online.Convert(a, b, p.Oldest).Plan()
}

// Total implements plan.Planner. One text can be that of several columns and keys, so it counts only if it is certain of all of them, and of
// what becomes of its value in a column's type.
func (p Planner) Total(e schema.Expr) bool {
	found := false
	for _, t := range p.To.catalog.Tables {
		for _, c := range t.Columns {
			if c.Generated == nil || c.Generated.Expr.Canon != e.Canon {
				continue
			}
			if !c.Generated.Expr.Total || !c.Generated.Expr.Becomes(t, c, p.keeps) {
				return false
			}
			found = true
		}
		for _, k := range t.Keys {
			for _, part := range k.Parts {
				if part.Expr == nil || part.Expr.Canon != e.Canon {
					continue
				}
				if !part.Expr.Total {
					return false
				}
				found = true
			}
		}
	}
	return found
}

// keeps tells whether every value of one column is one of another as it is.
func (p Planner) keeps(from, to *catalog.Column) bool {
	return online.Convert(from, to, p.Oldest).Fate == online.Kept
}

// Fills implements plan.Planner.
func (p Planner) Fills(c *schema.Column) bool {
	column := p.To.detail().columns[c]
	return column != nil && column.Fills()
}

// RowidName implements plan.Planner: there is no such column.
func (Planner) RowidName(*schema.Table) *schema.Column { return nil }

// work is one plan in the making.
type work struct {
	Planner
	in      plan.Input
	tables  map[string]*tableWork // by key, those on both sides that change
	drops   []diff.DropTable
	creates []diff.CreateTable
	views   []diff.Change               // of views
	marks   []diff.Change               // of triggers
	rest    []diff.Change               // of objects
	broken  map[*schema.Constraint]bool // foreign keys that go before their table
	gone    map[string]bool
	fresh   map[string]bool
	steps   []*step
	notices []schema.Notice
	errs    []error
	modes   map[string]catalog.Program // of the head
}

// tableWork is what is to be done to a table that is on both sides.
type tableWork struct {
	key      string
	from, to *catalog.Table
	model    *schema.Table // the head's
	before   *schema.Table // the base's, renamed

	options     *diff.AlterOptions
	adds        []diff.AddColumn
	alters      []diff.AlterColumn
	dropColumns []diff.DropColumn
	addKeys     []diff.AddConstraint // primary, unique
	dropKeys    []diff.DropConstraint
	addForeign  []diff.AddConstraint
	dropForeign []diff.DropConstraint
	addChecks   []diff.AddConstraint
	dropChecks  []diff.DropConstraint
	createIndex []diff.CreateIndex
	dropIndex   []diff.DropIndex
	units       []*unit

	now   []string // keys of the columns as they stand while the plan runs
	moved bool     // some of them move
	apart bool     // a change of a column has to come between those of columns and those of keys
}

func (w *work) on(key string) *tableWork {
	if w.tables[key] == nil {
		w.tables[key] = &tableWork{key: key, from: w.From.tableOf(key), to: w.To.tableOf(key), model: w.in.To.Table(key), before: w.in.From.Table(key)}
	}
	return w.tables[key]
}

// order gives the tables that change, by key.
func (w *work) order() []*tableWork {
	var all []*tableWork
	for _, key := range sortedKeys(w.tables) {
		all = append(all, w.tables[key])
	}
	return all
}

// sort puts the changes where they are dealt with.
func (w *work) sort(changes []diff.Change) {
	for _, c := range changes {
		switch c := c.(type) {
		case diff.CreateTable:
			w.creates = append(w.creates, c)
			w.fresh[c.Table.Key] = true
		case diff.DropTable:
			w.drops = append(w.drops, c)
			w.gone[c.Table.Key] = true
		case diff.AddColumn:
			t := w.on(c.Table.Key)
			t.adds = append(t.adds, c)
		case diff.DropColumn:
			t := w.on(c.Table.Key)
			t.dropColumns = append(t.dropColumns, c)
		case diff.AlterColumn:
			t := w.on(c.Table.Key)
			t.alters = append(t.alters, c)
		case diff.AlterOptions:
			w.on(c.To.Key).options = &c
		case diff.AddConstraint:
			w.addConstraint(c)
		case diff.DropConstraint:
			w.dropConstraint(c)
		case diff.CreateIndex:
			t := w.on(c.Table.Key)
			t.createIndex = append(t.createIndex, c)
		case diff.DropIndex:
			t := w.on(c.Table.Key)
			t.dropIndex = append(t.dropIndex, c)
		case diff.CreateView, diff.DropView:
			w.views = append(w.views, c)
		case diff.CreateTrigger, diff.DropTrigger:
			w.marks = append(w.marks, c)
		case diff.CreateObject, diff.DropObject, diff.AlterObject:
			w.rest = append(w.rest, c)
		default:
			w.errs = append(w.errs, fmt.Errorf("mysql has no place for %T", c))
		}
	}
	for _, t := range w.in.To.Tables { // columns can have moved in tables that are the same else
		if old := w.in.From.Table(t.Key); old != nil && !slices.Equal(commonOrder(old, t), commonOrder(t, old)) {
			w.on(t.Key)
		}
	}
}

// commonOrder gives the keys of a table's columns that the other side has too, in its order.
func commonOrder(t, other *schema.Table) []string {
	var keys []string
	for _, c := range t.Columns {
		if other.Column(c.Key) != nil {
			keys = append(keys, c.Key)
		}
	}
	return keys
}

func (w *work) addConstraint(c diff.AddConstraint) {
	t := w.on(c.Table.Key)
	switch c.Constraint.Kind {
	case schema.ForeignKey:
		t.addForeign = append(t.addForeign, c)
	case schema.Check:
		t.addChecks = append(t.addChecks, c)
	default:
		t.addKeys = append(t.addKeys, c)
	}
}

func (w *work) dropConstraint(c diff.DropConstraint) {
	t := w.on(c.Table.Key)
	switch c.Constraint.Kind {
	case schema.ForeignKey:
		t.dropForeign = append(t.dropForeign, c)
	case schema.Check:
		t.dropChecks = append(t.dropChecks, c)
	default:
		t.dropKeys = append(t.dropKeys, c)
	}
}

// refuse notes why there can be no plan.
func (w *work) refuse(pos schema.Pos, format string, args ...any) {
	w.errs = append(w.errs, &schema.Error{Pos: pos, Side: schema.Head, Kind: schema.KindTransition, Text: fmt.Sprintf(format, args...)})
}

// lacks refuses what the server that plans are made for does not have.
func (w *work) lacks(pos schema.Pos, what, since string) {
	w.errs = append(w.errs, &schema.Error{Pos: pos, Side: schema.Head, Kind: schema.KindUnsupported, Text: fmt.Sprintf("%s needs %s, and plans are made for %s; state the `version` that you run, or leave it out", what, since, w.Server)})
}

// onTable is the object of a step about a part of a table.
func onTable(table, name string) string { return table + "." + name }

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// stops says where a plan can stop: every statement commits by itself ("Statements That Cause an Implicit Commit").
func (w *work) stops(steps []*plan.Step) {
	n := 0
	for _, s := range steps {
		n += len(s.Statements())
	}
	if n < 2 {
		return
	}
	w.notices = append(w.notices, schema.Notice{Text: fmt.Sprintf("%s commits each of the %d statements by itself, so a plan that fails stops between two of them, with what ran before it done and nothing undone: "+
		"mend what stopped it and run the rest from the statement that failed, or make a new plan from the schema as it then is", w.Server.Name(), n)})
}
