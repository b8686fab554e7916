package postgres

import (
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
)

// step is a step with what decides its place.
type step struct {
	*plan.Step
	phase  int
	makes  []string // ids of what is there after it
	drops  []string // ids of what is not there after it
	moves  []string // ids of what is changed where it is: what needs it is made after
	shifts []string // those of them that what needs them has to let go of meanwhile
	takes  []string // names that have to be free before it, see space
	frees  []string // names that are free after it
	after  []*step  // steps that have to come before, for a reason of their own
	place  string   // by which it is sorted among those of its phase; empty = its object
}

func (s *step) key() string {
	if s.place != "" {
		return s.place
	}
	return s.Object
}

// Phases give steps their order where what they need leaves it open. What cannot run in a transaction stands before or behind what
// can, so that as much as possible is one transaction.
const (
	phaseSchema      = iota // schemas, extensions
	phaseRename             // so that all later steps speak the head's names
	phaseLabel              // enum labels: a transaction of their own
	phaseDropOnline         // indexes that go, concurrently
	phaseDropPart           // triggers, policies, rules, statistics that go
	phaseDropView           // views
	phaseDropKey            // foreign keys, then other constraints and indexes
	phaseDropKeyed          //
	phaseDropRoutine        // functions that have to go early
	phaseType               // types, sequences, functions
	phaseSequence           //
	phaseTable              // tables, parents first
	phaseRoutine            // functions
	phaseColumn             // columns
	phaseAlter              //
	phaseDropColumn         //
	phaseConstraint         // what is made at once
	phaseIndex              //
	phaseForeignKey         //
	phaseView               //
	phasePart               // triggers, policies, rules
	phaseGrant              // grants, owners
	phaseComment            //
	phaseDropTable          // what holds rows goes last
	phaseDropRest           // sequences, functions, types, extensions, schemas
	phaseOnline             // what is built and checked without a lock: outside of transactions
	phaseOnlineKey          // foreign keys, checked likewise
)

// add puts a step among the others. It can run in a transaction unless it is marked with online.
func (w *work) add(phase int, s *plan.Step, lock plan.Lock) *step {
	s.Transaction, s.Lock = true, lock
	st := &step{Step: s, phase: phase}
	w.steps = append(w.steps, st)
	return st
}

// online marks a step whose statements each are a transaction, or cannot be in one.
func (s *step) online() *step {
	s.Transaction = false
	return s
}

func (s *step) making(ids ...string) *step   { s.makes = append(s.makes, ids...); return s }
func (s *step) dropping(ids ...string) *step { s.drops = append(s.drops, ids...); return s }
func (s *step) moving(ids ...string) *step   { s.moves = append(s.moves, ids...); return s }
func (s *step) shifting(ids ...string) *step {
	s.shifts = append(s.shifts, ids...)
	return s.moving(ids...)
}
func (s *step) taking(names ...string) *step { s.takes = append(s.takes, names...); return s }
func (s *step) freeing(names ...string) *step {
	s.frees = append(s.frees, names...)
	return s
}

// space is a name in the space that relations, and types with them, share.
func space(name string) string { return "name " + name }

// bounds is what partitions of a parent share: a value is in one of them only, so one goes before another one takes its place.
func bounds(parent string) string { return "bounds " + parent }

// identitySpace is the name that the sequence of an identity takes, if the column is one.
func (c *column) identitySpace() []string {
	if c == nil || c.Identity == nil || c.Identity.Sequence == nil {
		return nil
	}
	return []string{space(c.Identity.Sequence.Name.String())}
}

// isNew tells whether a table is made by this plan, so that nobody reads or writes it while the plan runs.
func (w *work) isNew(table string) bool {
	return w.in.From.Table(table) == nil && w.in.From.View(table) == nil
}

// make makes the steps of all changes.
func (w *work) make() {
	w.bringBack()
	w.bringBackMarks()
	for _, id := range sortedKeys(w.changes.alters) {
		w.alter(id, w.changes.alters[id])
	}
	for _, id := range sortedKeys(w.changes.defaults) {
		w.defaultAside(id)
	}
	w.replaceIndexes()
	for _, id := range sortedKeys(w.changes.drops) {
		if !w.changes.folded["drop "+id] && !w.goesAlong(id) {
			w.drop(id, w.changes.drops[id])
		}
	}
	// Tables and columns first: they take the sequences of their serial columns with them.
	for _, serials := range []bool{true, false} {
		for _, id := range sortedKeys(w.changes.creates) {
			if !w.changes.folded["create "+id] && serials == mayBeSerial(w.changes.creates[id]) {
				w.create(id, w.changes.creates[id])
			}
		}
	}
}

func mayBeSerial(c diff.Change) bool {
	switch c.(type) {
	case diff.CreateTable, diff.AddColumn:
		return true
	}
	return false
}

// onTable is the object of a step about a part of a table.
func onTable(table, name string) string { return table + "." + name }

// lastPart gives a name without its schema.
func lastPart(name string) string { return parseName(name).Name }
