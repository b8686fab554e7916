package quereus

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/dialect/quereus/syntax"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/schema"
)

// Planner makes plans from a base to a head.
type Planner struct{ base, renamed, head *Loaded }

// Converts implements plan.Planner: a type is another one only if the engine keeps it as another one, and then values are converted.
func (Planner) Converts(from, to *schema.Column) (plan.Conversion, string) {
	if to.TypeCanon == "any" {
		return plan.Unchanged, "a column of type any keeps every value"
	}
	return plan.Converted, fmt.Sprintf("the engine converts every value to %s, and one that cannot be converted stops the plan", to.TypeCanon)
}

// Total implements plan.Planner: only a literal cannot fail.
func (Planner) Total(e schema.Expr) bool { return e.Constant != "" }

// RowidName implements plan.Planner: rows have no number of their own.
func (Planner) RowidName(*schema.Table) *schema.Column { return nil }

// Phases are the order of a plan. It is the engine's, changed where that does not work: it creates indexes and views before columns are
// added and renamed, and drops tables before what references them lets go (docs/quereus.md, "Order").
const (
	phaseHoisted          = iota // views whose name a table takes
	phaseRename                  // tables, so that later steps speak the head's names
	phaseDropAssertion           //
	phaseDropIndex               //
	phaseLetGo                   // foreign keys, and columns with an unnamed one, to a table of the next two phases
	phaseDropEarly               // tables whose name a view takes, and those that reference one of these two phases, children first
	phaseDropQuery               // views and materialized views, readers first
	phaseDetach                  // tables that are no longer maintained
	phaseDropConstraint          // foreign keys first
	phaseCreateTable             // parents first
	phaseRenameColumn            //
	phaseAddColumn               //
	phaseAlterColumn             //
	phaseRenameConstraint        //
	phaseKey                     // primary keys
	phaseAfterKey                // columns that may be null once they are in no key
	phaseQuery                   // views and materialized views, made or maintained anew, after what they read
	phaseIndex                   //
	phaseConstraint              // foreign keys last
	phaseLetGoLate               // columns with an unnamed foreign key to a table of the next phase
	phaseDropTable               // children first
	phaseDropColumn              //
	phaseTags                    //
	phaseAssertion               // when everything is as the head has it
)

// placed is a step with its place: by phase, then rank, then name.
type placed struct {
	*plan.Step
	phase, rank int
}

// work is one plan in the making.
type work struct {
	Planner
	in    plan.Input
	steps []placed

	moved   map[string]bool // keys of materialized views that move to another module, which drops and makes them
	dropped map[string]bool // keys of tables and views that go, for good or to come back
	fresh   map[string]bool // keys of tables and views that are made
	// sites are those of tags that come or go with what they are on: "column pet.label".
	sites map[string]bool

	fromTables, toTables   map[string]int            // how far a table is from one that references nothing
	fromQueries, toQueries map[string]int            // how far a view is from one that reads no view
	early                  map[string]bool           // keys of tables that are dropped before anything is made
	lettingGo              map[string]map[string]int // by table, the phases of columns that go before their turn, as they are asked for
	fromColumns, toColumns map[string]map[string]int // by table, how far a column is from one that names no other, as they are asked for
}

// Steps implements plan.Planner.
func (p Planner) Steps(in plan.Input) ([]*plan.Step, []schema.Notice, error) {
	if len(in.Changes) == 0 && in.Renames.None() {
		return nil, nil, nil
	}
	if slices.ContainsFunc(in.Changes, func(c diff.Change) bool { _, ok := c.(diff.AddColumn); return ok }) {
		for _, v := range in.To.Views {
			v.Uses = p.head.catalog.uses(p.head.catalog.views[v.Key]) // for the rule that asks who takes a new column in
		}
	}
	w := &work{Planner: p, in: in, moved: map[string]bool{}, dropped: map[string]bool{}, fresh: map[string]bool{}, sites: map[string]bool{},
		fromColumns: map[string]map[string]int{}, toColumns: map[string]map[string]int{}, lettingGo: map[string]map[string]int{}}
	w.fromTables, w.toTables = depths(p.renamed.schema), depths(p.head.schema)
	if len(in.Changes) > 0 {
		w.fromQueries, w.toQueries = p.renamed.catalog.queryDepths(), p.head.catalog.queryDepths()
	}
	changes := w.expand(in.Changes)
	w.early = w.dropEarly(changes)
	w.renames()
	tables := map[string]*tableWork{}
	for _, c := range changes {
		if err := w.step(c, tables); err != nil {
			return nil, nil, err
		}
	}
	for _, key := range sorted(tables) {
		w.constraints(tables[key])
	}
	w.assertions(changes)
	w.tags(changes)
	slices.SortStableFunc(w.steps, func(a, b placed) int {
		return cmp.Or(cmp.Compare(a.phase, b.phase), cmp.Compare(a.rank, b.rank), strings.Compare(syntax.Fold(a.Object), syntax.Fold(b.Object)))
	})
	steps := make([]*plan.Step, len(w.steps))
	for i, s := range w.steps {
		steps[i] = s.Step
	}
	return steps, nil, nil
}

// expand writes out what changes of the model stand for here: the indexes that a table takes with it or brings, each of which has a
// statement of its own, and the materialized views that move to another module.
func (w *work) expand(changes []diff.Change) []diff.Change {
	var out []diff.Change
	for _, c := range changes {
		if a, ok := c.(diff.AlterOptions); ok && usingOf(a.From) != usingOf(a.To) && maintainedOf(a.To) != "" {
			w.moved[a.To.Key] = true
		}
	}
	for _, c := range changes {
		switch c := c.(type) {
		case diff.DropTable:
			out = append(out, dropIndexes(c.Table)...)
			w.dropped[c.Table.Key] = true
		case diff.CreateTable:
			out = append(out, createIndexes(c.Table)...)
			w.fresh[c.Table.Key] = true
		case diff.DropView:
			w.dropped[c.View.Key] = true
		case diff.CreateView:
			w.fresh[c.View.Key] = true
		case diff.AlterOptions:
			if w.moved[c.To.Key] {
				out = append(out, diff.DropTable{Table: c.From}, diff.CreateTable{Table: c.To})
				out = append(append(out, dropIndexes(c.From)...), createIndexes(c.To)...)
				w.dropped[c.To.Key], w.fresh[c.To.Key] = true, true
				continue
			}
		case diff.DropIndex:
			if w.moved[c.Table.Key] {
				continue
			}
		case diff.CreateIndex:
			if w.moved[c.Table.Key] {
				continue
			}
		}
		out = append(out, c)
	}
	return out
}

func dropIndexes(t *schema.Table) []diff.Change {
	var all []diff.Change
	for _, x := range t.Indexes {
		all = append(all, diff.DropIndex{Table: t, Index: x})
	}
	return all
}

func createIndexes(t *schema.Table) []diff.Change {
	var all []diff.Change
	for _, x := range t.Indexes {
		all = append(all, diff.CreateIndex{Table: t, Index: x})
	}
	return all
}

// depths says of each table how far it is from one that references nothing: a parent has a smaller depth than its children. In a
// cycle the walk stops at the first table it meets again.
func depths(s *schema.Schema) map[string]int {
	reads := map[string][]string{}
	for _, t := range s.Tables {
		reads[t.Key] = nil
		for _, k := range t.Constraints {
			if k.Ref != nil && k.Ref.Table != t.Key {
				reads[t.Key] = append(reads[t.Key], k.Ref.Table)
			}
		}
	}
	return levels(reads)
}

// columnDepth says how far a column is from one that names no other. Each table is looked at once: it can have many columns that come
// or go.
func columnDepth(known map[string]map[string]int, c *catalog, table, column string) int {
	if known[table] == nil {
		known[table] = c.columnDepths(c.tables[table])
	}
	return known[table][column]
}

// columnDepths says of each column of a table how far it is from one that names no other, in its expression or its check.
func (c *catalog) columnDepths(t *table) map[string]int { return levels(c.columnReads(t)) }

// columnReads gives the columns that each column of a table names.
func (c *catalog) columnReads(t *table) map[string][]string {
	reads := map[string][]string{}
	for _, column := range t.Columns {
		key := syntax.Fold(column.Name.Text)
		reads[key] = nil
		for _, k := range column.Constraints {
			if k.Expr == nil {
				continue
			}
			for _, u := range k.Expr.Uses(syntax.Fold(t.Name.Text), c.relations(t.in)) {
				if u.Column != "" && u.Column != key && c.resolve(t.in, u.Schema, u.Relation) == t.key() {
					reads[key] = append(reads[key], u.Column)
				}
			}
		}
	}
	return reads
}

// queryDepths says the same of views and maintained tables and what they read.
func (c *catalog) queryDepths() map[string]int {
	reads := map[string][]string{}
	add := func(key string, in *space, q *syntax.Query) {
		reads[key] = nil
		for _, u := range q.Uses(c.relations(in)) {
			if from := c.resolve(in, u.Schema, u.Relation); from != "" && from != key {
				reads[key] = append(reads[key], from)
			}
		}
	}
	for key, v := range c.views {
		add(key, v.in, v.Query)
	}
	for key, t := range c.tables {
		if t.Maintained != nil {
			add(key, t.in, t.Maintained.Query)
		}
	}
	return levels(reads)
}

// levels gives each key one more than the highest of those it reads; what is no key itself has none.
func levels(reads map[string][]string) map[string]int {
	const walking = -1
	level := map[string]int{}
	var walk func(key string) int
	walk = func(key string) int {
		if l, ok := level[key]; ok {
			return max(l, 0)
		}
		level[key] = walking
		highest := 0
		for _, other := range reads[key] {
			if _, ok := reads[other]; ok {
				highest = max(highest, 1+walk(other))
			}
		}
		level[key] = highest
		return highest
	}
	for _, key := range sorted(reads) {
		walk(key)
	}
	return level
}
