package sqlite

import (
	"errors"
	"fmt"
	"slices"
	"sort"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/schema"
)

// Planner puts changes to a SQLite schema in order.
//
// The order: renames; the views and triggers that are in the way, or that go; indexes that go; new columns and tables;
// rebuilds; tables that go; new indexes, views and triggers. Names are free before they are taken again, and every ALTER TABLE
// … RENAME, which makes SQLite resolve all views and triggers of the schema, finds nothing it cannot resolve.
type Planner struct {
	// Base is the base before its renames.
	Base *schema.Schema
	// Version of SQLite that the plan has to run on. Nothing newer is used.
	Version Version
	// Broken names the views and triggers of the base that SQLite cannot resolve, with its reason (see Loaded.Broken).
	Broken map[string]string
}

// Version is a release of SQLite, such as 3.35.
type Version struct{ Major, Minor int }

// DefaultVersion is the oldest SQLite that a plan is made for when nothing else is said.
var DefaultVersion = Version{3, 35}

func (v Version) atLeast(minor int) bool { return v.Major > 3 || (v.Major == 3 && v.Minor >= minor) }

// phases of a plan, in order.
const (
	phaseHoisted  = iota // views and triggers that would stop a rename
	phaseRename          // tables, then columns
	phaseTriggers        // drops
	phaseViews           // drops, dependents first
	phaseOpaque          // drops
	phaseIndexes         // drops
	phaseColumns
	phaseCreate
	phaseRebuild
	phaseDrop
	phaseIndex
	phaseVirtual
	phaseView
	phaseTrigger
)

// placed is a step with its place: by phase, then rank, then name.
type placed struct {
	*plan.Step
	phase, rank int
}

// work is one plan in the making.
type work struct {
	Planner
	in      plan.Input
	steps   []placed
	notices []schema.Notice
	errs    []error

	fromDepth, toDepth map[string]int // see depths
	fromViews, toViews map[string]int // see viewDepths

	rebuilt map[string]*diff.RebuildTable // by key
	bracket bracket
}

// Steps implements plan.Planner.
func (p Planner) Steps(in plan.Input) ([]*plan.Step, []schema.Notice, error) {
	w := &work{Planner: p, in: in, rebuilt: map[string]*diff.RebuildTable{}, fromDepth: depths(in.From), toDepth: depths(in.To),
		fromViews: viewDepths(in.From), toViews: viewDepths(in.To)}
	changes := w.lower(in.Changes)
	w.bracket = w.findBracket(changes)
	w.renames()
	for _, c := range changes {
		if err := w.step(c); err != nil {
			return nil, nil, err
		}
	}
	w.bracketSteps(changes)
	w.refuseDangling()
	w.refuseDefaults(in.Changes)
	w.columnOrder()
	if len(w.errs) > 0 {
		return nil, nil, errors.Join(w.errs...)
	}
	sort.SliceStable(w.steps, func(i, j int) bool {
		a, b := w.steps[i], w.steps[j]
		if a.phase != b.phase {
			return a.phase < b.phase
		}
		if a.rank != b.rank {
			return a.rank < b.rank
		}
		return fold(a.Object) < fold(b.Object)
	})
	steps := make([]*plan.Step, len(w.steps))
	for i, s := range w.steps {
		steps[i] = s.Step
	}
	w.frame(steps)
	return steps, w.notices, nil
}

// lower gathers all changes of a table that SQLite cannot make in place into one rebuild of it. The table's indexes are part
// of its rebuild; its triggers are not, since they are created after every table is in place.
func (w *work) lower(changes []diff.Change) []diff.Change {
	for _, c := range changes {
		if t := tableOf(c); t != nil && w.needsRebuild(c) {
			w.rebuilt[t.Key] = &diff.RebuildTable{From: w.in.From.Table(t.Key), To: w.in.To.Table(t.Key)}
		}
	}
	var out []diff.Change
	for _, c := range changes {
		if t := tableOf(c); t != nil && w.rebuilt[t.Key] != nil {
			w.rebuilt[t.Key].Changes = append(w.rebuilt[t.Key].Changes, c)
			continue
		}
		out = append(out, c)
	}
	for _, t := range w.in.To.Tables {
		if r := w.rebuilt[t.Key]; r != nil {
			out = append(out, *r)
		}
	}
	return out
}

// tableOf gives the table that a change alters, nil for other changes.
func tableOf(c diff.Change) *schema.Table {
	switch c := c.(type) {
	case diff.AddColumn:
		return c.Table
	case diff.DropColumn:
		return c.Table
	case diff.AlterColumn:
		return c.Table
	case diff.AddConstraint:
		return c.Table
	case diff.DropConstraint:
		return c.Table
	case diff.AlterOptions:
		return c.To
	case diff.CreateIndex:
		return c.Table
	case diff.DropIndex:
		return c.Table
	}
	return nil
}

// needsRebuild tells whether ALTER TABLE cannot make a change, or must not. A column is never dropped in place: SQLite refuses
// that when an index, a view or a trigger names the column, and the database may hold some that the schema does not declare.
func (w *work) needsRebuild(c diff.Change) bool {
	switch c := c.(type) {
	case diff.CreateIndex, diff.DropIndex:
		return false
	case diff.AddColumn:
		return !w.addable(c)
	case diff.AddConstraint:
		// A constraint written inside a column that is new comes with the column.
		return !w.comesWithColumn(c)
	}
	return true
}

// comesWithColumn tells whether a new constraint stands inside the definition of a column that is added in place.
func (w *work) comesWithColumn(c diff.AddConstraint) bool {
	if c.Constraint.Owner == "" || w.in.From.Table(c.Table.Key).Column(c.Constraint.Owner) != nil {
		return false
	}
	return w.addable(diff.AddColumn{Table: c.Table, Column: c.Table.Column(c.Constraint.Owner)})
}

// inlineConstraints gives the constraints written inside a column's definition.
func inlineConstraints(t *schema.Table, c *schema.Column) []*schema.Constraint {
	var own []*schema.Constraint
	for _, k := range t.Constraints {
		if k.Owner == c.Key {
			own = append(own, k)
		}
	}
	return own
}

// addable tells whether ALTER TABLE … ADD COLUMN takes a column whatever rows there are, and checks them as the head would
// (sqlite.org/lang_altertable.html, section 5; checks are tested against rows since 3.37).
func (w *work) addable(c diff.AddColumn) bool {
	col := c.Column
	if _, ok := w.level(c.Table, col, nil); !ok {
		return false
	}
	switch col.Key {
	case "rowid", "_rowid_", "oid":
		return false // the name of the number of the row: SQLite refuses to give it to a column later
	}
	if col.Generated != nil && (col.Generated.Stored || col.Required) {
		return false
	}
	if col.Default != nil && col.Default.Constant == "" {
		return false
	}
	hasDefault := col.Default != nil && col.Default.Constant != "null"
	if col.Required && !hasDefault {
		return false
	}
	for _, k := range inlineConstraints(c.Table, col) {
		switch k.Kind {
		case schema.PrimaryKey, schema.Unique:
			return false
		case schema.ForeignKey:
			if hasDefault {
				return false
			}
		case schema.Check:
			if !w.Version.atLeast(37) {
				return false
			}
		}
	}
	return true
}

// level says how many new columns have to be there before a new column that names them, in its expression or its check, can be
// added. Columns that name each other in a circle have no level.
func (w *work) level(t *schema.Table, col *schema.Column, path []*schema.Column) (int, bool) {
	if slices.Contains(path, col) {
		return 0, false
	}
	from, level := w.in.From.Table(t.Key), 0
	for _, tok := range newParser(col.Text).tokens[1:] {
		if tok.kind != word && tok.kind != quoted {
			continue
		}
		other := t.Column(fold(tok.name()))
		if other == nil || other == col || from.Column(other.Key) != nil {
			continue
		}
		below, ok := w.level(t, other, append(path, col))
		if !ok {
			return 0, false
		}
		level = max(level, 1+below)
	}
	return level, true
}

// refuseDangling refuses to drop a table that a foreign key of the head still references.
func (w *work) refuseDangling() {
	for _, child := range w.in.To.Tables {
		for _, k := range child.Constraints {
			if k.Ref == nil || w.in.To.Table(k.Ref.Table) != nil || w.in.From.Table(k.Ref.Table) == nil {
				continue
			}
			w.errs = append(w.errs, &schema.Error{Side: schema.Head, Pos: k.Pos, Kind: schema.KindTransition,
				Text: fmt.Sprintf("table %s still references %s, which this change drops: every insert into %s would fail; remove the foreign key too", child.Name, k.Ref.Name, child.Name)})
		}
	}
}

// refuseDefaults refuses a new column of a STRICT table whose default is of another type: SQLite before 3.42 adds it and the table
// then holds what it may not, and later ones refuse it as soon as there is a row.
func (w *work) refuseDefaults(changes []diff.Change) {
	for _, c := range changes {
		a, ok := c.(diff.AddColumn)
		if !ok || !a.Table.HasOption(strict) || a.Column.Default == nil || fitsStrict(a.Column.TypeCanon, a.Column.Default.Constant) {
			continue
		}
		w.refuseColumn(a.Table, a.Column, "the default %s of column %s.%s does not fit its type %s, and table %s is STRICT: no row could take it; correct the DEFAULT",
			a.Column.Default.Text, a.Table.Name, a.Column.Name, a.Column.Type, a.Table.Name)
	}
}

// columnOrder tells of tables whose columns stand in another order than the head's file has them. Nothing is rebuilt for that.
func (w *work) columnOrder() {
	for _, to := range w.in.To.Tables {
		from := w.in.From.Table(to.Key)
		if from == nil || w.rebuilt[to.Key] != nil {
			continue
		}
		var after []string
		for _, c := range from.Columns {
			after = append(after, c.Key)
		}
		for _, c := range to.Columns {
			if from.Column(c.Key) == nil {
				after = append(after, c.Key)
			}
		}
		for i, c := range to.Columns {
			if i < len(after) && after[i] != c.Key {
				w.notices = append(w.notices, schema.Notice{Side: schema.Head, Pos: to.Pos, Text: fmt.Sprintf(
					"the columns of table %s stand in another order in the database than in the head's text; that shows in SELECT * and in INSERT without a list of columns, and no step is made of it", to.Name)})
				break
			}
		}
	}
}
