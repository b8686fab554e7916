package postgres

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/dialect/postgres/builtin"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/schema"
)

// Planner plans for a PostgreSQL of a version.
type Planner struct {
	From, To *Loaded // the base after its renames, and the head
	Version  int     // major
	Plain    bool    // no online forms
}

// DefaultVersion is the oldest server that plans are made for.
const DefaultVersion = 13

// newestVersion is the newest server whose behaviour is known.
const newestVersion = 18

// Steps implements plan.Planner.
func (p Planner) Steps(in plan.Input) ([]*plan.Step, []schema.Notice, error) {
	w := newWork(p, in)
	w.sort(in.Changes)
	w.spread()
	w.renames()
	w.make()
	if len(w.errs) > 0 {
		return nil, nil, errors.Join(w.errs...)
	}
	steps, err := w.order()
	if err != nil {
		return nil, nil, err
	}
	w.columnOrder()
	frame(steps)
	return steps, w.notices, nil
}

// Converts implements plan.Planner.
func (p Planner) Converts(from, to *schema.Column) (plan.Conversion, string) {
	a, b := p.From.details.columns[from], p.To.details.columns[to]
	if a == nil || b == nil {
		return plan.Converted, "what becomes of the values is not known"
	}
	if p.sameEnum(a.base, b.base) {
		return p.enumConversion(a.base)
	}
	rewrite, scan, lossless := builtin.Rewrites(a.base, a.mods, b.base, b.mods, p.types())
	other := builtin.Category(a.base, p.types()) != builtin.Category(b.base, p.types())
	switch {
	case other && lossless && rewrite && p.types().Enum(a.base):
		return plan.Unchanged, "every label is kept as text, the table is written again, and whoever compares or sorts gets another order"
	case other:
		return plan.Converted, "values become what they were not, and whoever compares, sorts or computes with them gets something else"
	case !lossless && p.needsUsing(a, b):
		return plan.Converted, "PostgreSQL does not convert these by itself; each value is cast, and one that cannot be stops the plan or comes out different"
	case !lossless:
		return plan.Converted, "values are converted, and one that does not fit stops the plan or loses something"
	case rewrite:
		return plan.Unchanged, "every value stays the same, and the table is written again"
	case scan:
		return plan.Unchanged, "every value stays the same, and all rows are checked"
	}
	return plan.Unchanged, "every value stays the same, and no row is touched"
}

// Total implements plan.Planner. Which expressions certainly give a value was found out when they were bound. One text can be that of
// columns of several tables and types, so it counts only if it is certain of all of them.
func (p Planner) Total(e schema.Expr) bool {
	found := false
	for c, d := range p.To.details.columns {
		if c.Generated == nil || c.Generated.Expr.Canon != e.Canon {
			continue
		}
		if !d.value.Total {
			return false
		}
		found = true
	}
	return found
}

// Fills implements plan.Planner. The server reads a literal when the column is declared, and takes none that is no value of its type; what a
// domain allows it finds out at the rows.
func (p Planner) Fills(c *schema.Column) bool {
	d := p.To.details.columns[c]
	if d == nil {
		return false
	}
	domain := p.types().Base(d.base) != ""
	switch {
	case d.value.Constant != "" && !domain:
		return d.value.Constant != "null" || !c.Required
	case aMoment.MatchString(d.value.Canon):
		return !domain
	}
	return d.value.Total && !domain && (d.value.NotNull || !c.Required)
}

// aMoment is the current moment as a timestamp, a day or a time, in UTC or in the session's zone, or some days from it: no zone and no range
// is left to fail.
var aMoment = regexp.MustCompile(`^\(?(?i:timezone\('(utc|gmt|etc/utc)'::text, )?(now|statement_timestamp|clock_timestamp|transaction_timestamp)\(\)\)?` +
	`( [+-] '([0-9]{1,4} (day|mon|year)s?|[0-9]{2}:[0-9]{2}:[0-9]{2})'::interval\))?(::(date|timestamp without time zone|timestamp with time zone|time without time zone))?$`)

// RowidName implements plan.Planner: PostgreSQL has no such column.
func (Planner) RowidName(*schema.Table) *schema.Column { return nil }

// work is one plan in the making.
type work struct {
	Planner
	in      plan.Input
	from    parts               // of the base after its renames
	to      parts               // of the head
	users   map[string][]string // by id, what needs it in the base
	changes changes
	steps   []*step
	left    map[string][]*step // by table, those in which it leaves its parents
	notices []schema.Notice
	errs    []error
}

// changes are the differences of two schemas, by the id of what they are about.
type changes struct {
	drops    map[string]diff.Change // what goes, or steps aside
	creates  map[string]diff.Change // what comes, or comes back
	alters   map[string]diff.Change // what changes where it is
	aside    map[string]string      // what is dropped and comes back as it was, and why
	defaults map[string]bool        // columns whose default steps aside
	rebuilt  map[string]bool        // computed columns that are dropped and made again
	folded   map[string]bool        // changes that are part of another step
	swapped  map[string]bool        // types that are made anew under another name
}

func newWork(p Planner, in plan.Input) *work {
	return &work{Planner: p, in: in, from: partsOf(in.From), to: partsOf(in.To), users: p.From.graph.dependents(), left: map[string][]*step{}, changes: changes{
		drops: map[string]diff.Change{}, creates: map[string]diff.Change{}, alters: map[string]diff.Change{}, aside: map[string]string{},
		defaults: map[string]bool{}, rebuilt: map[string]bool{}, folded: map[string]bool{}, swapped: map[string]bool{}}}
}

// sort puts the changes under the ids of what they are about, and finds the drops and creates that are renames.
func (w *work) sort(list []diff.Change) {
	for _, c := range list {
		switch c := c.(type) {
		case diff.CreateTable:
			w.changes.creates[relationID(c.Table.Key)] = c
		case diff.DropTable:
			w.changes.drops[relationID(c.Table.Key)] = c
		case diff.AddColumn:
			w.changes.creates[columnID(c.Table.Key, c.Column.Key)] = c
		case diff.DropColumn:
			w.changes.drops[columnID(c.Table.Key, c.Column.Key)] = c
		case diff.AlterColumn:
			w.changes.alters[columnID(c.Table.Key, c.To.Key)] = c
		case diff.AddConstraint:
			w.changes.creates[constraintID(c.Table.Key, c.Constraint.Name)] = c
		case diff.DropConstraint:
			w.changes.drops[constraintID(c.Table.Key, c.Constraint.Name)] = c
		case diff.AlterOptions:
			w.changes.alters[relationID(c.To.Key)] = c
		case diff.CreateIndex:
			w.changes.creates[indexID(c.Index.Key)] = c
		case diff.DropIndex:
			w.changes.drops[indexID(c.Index.Key)] = c
		case diff.CreateView:
			w.changes.creates[relationID(c.View.Key)] = c
		case diff.DropView:
			w.changes.drops[relationID(c.View.Key)] = c
		case diff.CreateTrigger:
			w.changes.creates[triggerID(c.On, c.Trigger.Key)] = c
		case diff.DropTrigger:
			w.changes.drops[triggerID(c.On, c.Trigger.Key)] = c
		case diff.CreateObject:
			w.changes.creates[idOf(c.Object)] = c
		case diff.DropObject:
			w.changes.drops[idOf(c.Object)] = c
		case diff.AlterObject:
			w.alterObject(c)
		case diff.ReplaceOpaque:
			w.opaque(c)
		default:
			w.errs = append(w.errs, fmt.Errorf("postgres has no place for %T", c))
		}
	}
	w.findValidations()
	w.findRenames()
	w.replaceViews()
}

// idOf gives the id under which the graph knows an object.
func idOf(o *schema.Object) string {
	switch o.Kind {
	case "sequence":
		return relationID(o.Key)
	case "domain":
		return typeID(o.Key)
	case "procedure", "aggregate":
		return functionID(o.Key)
	}
	return o.ID()
}

// alterObject tells what can be changed where it is from what has to go and come again.
func (w *work) alterObject(c diff.AlterObject) {
	id := idOf(c.To)
	if w.inPlace(c) {
		w.changes.alters[id] = c
		return
	}
	w.changes.drops[id], w.changes.creates[id] = diff.DropObject{Object: c.From}, diff.CreateObject{Object: c.To}
}

func (w *work) opaque(c diff.ReplaceOpaque) {
	if c.From != nil {
		w.changes.drops[c.From.Key] = diff.ReplaceOpaque{From: c.From, To: c.To}
	}
	if c.To != nil {
		w.changes.creates[c.To.Key] = c
	}
}

// findValidations pairs a constraint that old rows need not satisfy with the same one that all rows have to.
func (w *work) findValidations() {
	for _, id := range sortedKeys(w.changes.drops) {
		d, ok := w.changes.drops[id].(diff.DropConstraint)
		c, both := w.changes.creates[id].(diff.AddConstraint)
		if !ok || !both || w.From.details.constraints[d.Constraint].body != w.To.details.constraints[c.Constraint].body+" not valid" {
			continue
		}
		delete(w.changes.drops, id)
		delete(w.changes.creates, id)
		w.changes.alters[id] = diff.ValidateConstraint{Table: c.Table, From: d.Constraint, To: c.Constraint}
	}
}

// findRenames pairs a constraint or an index that goes with one on the same table that comes and is the same but for its name:
// nothing has to be built or checked again for a name. So it is with a sequence that a column owns.
func (w *work) findRenames() {
	come := map[string][]string{} // by what they are on, the ids of what comes
	for _, id := range sortedKeys(w.changes.creates) {
		if on := partOn(w.changes.creates[id]); on != "" {
			come[on] = append(come[on], id)
		}
	}
	for _, id := range sortedKeys(w.changes.drops) {
		for _, other := range come[partOn(w.changes.drops[id])] {
			c := w.renamed(w.changes.drops[id], w.changes.creates[other])
			if c == nil {
				continue
			}
			delete(w.changes.drops, id)
			delete(w.changes.creates, other)
			w.changes.alters[other] = c
			if r, ok := c.(diff.RenameObject); ok {
				w.followSequence(r)
			}
			break
		}
	}
}

// partOn gives the table of a constraint, an index or a sequence that comes or goes, by its key; "" for what findRenames does not pair.
func partOn(c diff.Change) string {
	switch c := c.(type) {
	case diff.DropConstraint:
		return c.Table.Key
	case diff.AddConstraint:
		return c.Table.Key
	case diff.DropIndex:
		return c.Table.Key
	case diff.CreateIndex:
		return c.Table.Key
	case diff.DropObject:
		return c.Object.On
	case diff.CreateObject:
		return c.Object.On
	}
	return ""
}

// followSequence takes back the change of a default that only follows the new name of its sequence.
func (w *work) followSequence(r diff.RenameObject) {
	s := w.To.details.sequences[r.To.Key]
	id := columnID(r.To.On, s.OwnedColumn)
	c, ok := w.changes.alters[id].(diff.AlterColumn)
	if ok && c.From.Default != nil && c.To.Default != nil && strings.Replace(c.From.Canon, "nextval("+r.From.Key+")", "nextval("+r.To.Key+")", 1) == c.To.Canon {
		delete(w.changes.alters, id)
	}
}

// renamed gives the change of a name that a drop and a create come down to, or nil.
func (w *work) renamed(dropped, created diff.Change) diff.Change {
	switch d := dropped.(type) {
	case diff.DropConstraint:
		c, ok := created.(diff.AddConstraint)
		if !ok || c.Table.Key != d.Table.Key {
			return nil
		}
		from, to := w.From.details.constraints[d.Constraint], w.To.details.constraints[c.Constraint]
		if from.body == to.body && from.Name != to.Name && from.NotValid == to.NotValid {
			return diff.RenameConstraint{Table: c.Table, From: d.Constraint, To: c.Constraint}
		}
	case diff.DropIndex:
		c, ok := created.(diff.CreateIndex)
		if !ok || c.Table.Key != d.Table.Key {
			return nil
		}
		from, to := w.From.details.indexes[d.Index], w.To.details.indexes[c.Index]
		if from.body == to.body && from.Name != to.Name && from.Name.Schema == to.Name.Schema {
			return diff.RenameIndex{Table: c.Table, From: d.Index, To: c.Index}
		}
	case diff.DropObject:
		c, ok := created.(diff.CreateObject)
		if !ok || d.Object.Kind != "sequence" || c.Object.Kind != "sequence" || d.Object.On == "" || d.Object.Canon != c.Object.Canon {
			return nil
		}
		if w.From.details.sequences[d.Object.Key].Name.Schema == w.To.details.sequences[c.Object.Key].Name.Schema {
			return diff.RenameObject{From: d.Object, To: c.Object}
		}
	}
	return nil
}

// replaceViews finds the views that CREATE OR REPLACE can change: the same columns in the same order, and none but new ones behind.
func (w *work) replaceViews() {
	for _, id := range sortedKeys(w.changes.drops) {
		d, ok := w.changes.drops[id].(diff.DropView)
		c, both := w.changes.creates[id].(diff.CreateView)
		if !ok || !both || d.View.Materialized || c.View.Materialized {
			continue
		}
		from, to := w.From.details.views[d.View.Key].columns, w.To.details.views[c.View.Key].columns
		if len(from) == 0 || len(from) > len(to) {
			continue
		}
		fits := true
		for i, col := range from {
			fits = fits && col.Name == to[i].Name && col.Full == to[i].Full && col.Full != ""
		}
		if !fits {
			continue
		}
		delete(w.changes.drops, id)
		delete(w.changes.creates, id)
		w.changes.alters[id] = diff.ReplaceView{From: d.View, To: c.View}
		// Its triggers stay on it: only those that differ go and come.
		w.keepParts(d.View, c.View)
	}
}

// keepParts takes back what the diff of two views said of their triggers.
func (w *work) keepParts(from, to *schema.View) {
	for _, t := range to.Triggers {
		i := slices.IndexFunc(from.Triggers, func(o *schema.Trigger) bool { return o.Key == t.Key })
		if i >= 0 && from.Triggers[i].Canon == t.Canon {
			delete(w.changes.drops, triggerID(to.Key, t.Key))
			delete(w.changes.creates, triggerID(to.Key, t.Key))
		}
	}
}

// columnOrder tells of tables whose columns stand in another order than the head's file has them. PostgreSQL cannot move a column.
func (w *work) columnOrder() {
	for _, to := range w.in.To.Tables {
		from := w.in.From.Table(to.Key)
		if from == nil {
			continue
		}
		var now, want []string
		for _, c := range from.Columns {
			if to.Column(c.Key) != nil {
				now = append(now, c.Key)
			}
		}
		for _, c := range to.Columns {
			if from.Column(c.Key) == nil {
				now = append(now, c.Key)
			}
			want = append(want, c.Key)
		}
		if !slices.Equal(now, want) {
			w.notices = append(w.notices, schema.Notice{Side: schema.Head, Pos: to.Pos, Text: fmt.Sprintf(
				"the columns of table %s stand in another order in the database (%s) than in the head's text; PostgreSQL cannot move a column, and no step is made of it", to.Name, strings.Join(now, ", "))})
		}
	}
}
