package postgres

import (
	"fmt"
	"strings"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/schema"
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

// add puts a step among the others. Transaction is on unless the step was made with offline.
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

// goesAlong tells whether a thing is dropped with the table or view that it is on, or with the column that owns it.
func (w *work) goesAlong(id string) bool {
	kind, name, _ := strings.Cut(id, " ")
	if kind == "relation" {
		s := w.in.From.Object("sequence", name)
		if s == nil || s.On == "" {
			return false
		}
		owned := w.From.details.sequences[name]
		column := columnID(s.On, owned.OwnedColumn)
		alter, altered := w.changes.alters[column].(diff.AlterColumn)
		return w.changes.drops[relationID(s.On)] != nil || w.changes.drops[column] != nil || altered && (w.changes.rebuilt[column] || w.madeAgain(alter))
	}
	on := w.tableOf(id)
	if kind == "trigger" || kind == "index" {
		on = w.holderOf(id)
	}
	if kind == "comment" || kind == "grant" || kind == "owner" {
		return w.targetGone(name)
	}
	if on == "" || w.changes.drops[relationID(on)] == nil {
		return false
	}
	return true
}

// holderOf gives the table or view that an index or a trigger of the base is on.
func (w *work) holderOf(id string) string {
	if p := w.from.byID[id]; p.index != nil || p.trigger != nil {
		return p.table.Key
	}
	return ""
}

// targetGone tells whether what a comment, a grant or an owner is about is dropped.
func (w *work) targetGone(key string) bool {
	a := analyst{Loaded: w.From}
	for _, id := range a.target(key) {
		if w.changes.drops[id] != nil {
			return true
		}
		if table := w.tableOf(id); table != "" && w.changes.drops[relationID(table)] != nil {
			return true
		}
		if had, has := typePart(w.From, id), typePart(w.To, id); had != "" && has == "" {
			return true
		}
	}
	return false
}

// typePart gives what an attribute of a composite type, or a check of a domain, is; "" where there is none, or the id is of something
// else.
func typePart(l *Loaded, id string) string {
	kind, name, _ := strings.Cut(id, " ")
	of, part := splitLast(name)
	t := l.details.types[of]
	if t == nil {
		return ""
	}
	switch part = fold(part); kind {
	case "column":
		for _, c := range t.Columns {
			if c.Name == part {
				return "attribute"
			}
		}
	case "constraint":
		a := &analyst{Loaded: l, binder: binderOf(l), seen: map[string]bool{}}
		for _, k := range t.Checks {
			if k.Name == part {
				return a.domainCheck(t, k, "discarded")
			}
		}
	}
	return ""
}

// inCycle tells whether a foreign key is between two tables that both go and reference each other, or inherit so, so that neither can go
// first.
func (w *work) inCycle(on *schema.Table, k *schema.Constraint) bool {
	if k.Ref == nil || k.Ref.Table == on.Key {
		return false
	}
	seen := map[string]bool{}
	var reaches func(t string) bool
	reaches = func(t string) bool {
		if t == on.Key {
			return true
		}
		if seen[t] || w.in.From.Table(t) == nil || w.changes.drops[relationID(t)] == nil {
			return false
		}
		seen[t] = true
		for _, k := range w.in.From.Table(t).Constraints {
			if k.Ref != nil && k.Ref.Table != t && reaches(k.Ref.Table) {
				return true
			}
		}
		for _, parent := range w.From.details.tables[t].Inherits {
			if reaches(parent.String()) {
				return true
			}
		}
		return false
	}
	return reaches(k.Ref.Table)
}

// renames makes the first steps, so that all others speak the head's names.
func (w *work) renames() {
	var last *step
	chain := func(s *step) {
		if last != nil {
			s.after = append(s.after, last)
		}
		last = s
	}
	w.followComments()
	for _, r := range w.in.Renames.Tables {
		s := w.add(phaseRename, &plan.Step{Kind: "rename_table", Object: r.To, From: r.From, Changes: []diff.Change{r}, Old: r.From, New: r.To,
			SQL: renameTable(r.From, r.To)}, accessExclusive).freeing(space(r.From)).taking(space(r.To))
		w.followNames(s, lastPart(r.From), lastPart(r.To))
		chain(s)
	}
	for _, r := range w.in.Renames.Columns {
		chain(w.add(phaseRename, &plan.Step{Kind: "rename_column", Object: r.Table + "." + r.To, From: r.Table + "." + r.From, Changes: []diff.Change{r}, Old: r.From, New: r.To,
			SQL: []string{fmt.Sprintf("ALTER TABLE %s RENAME COLUMN %s TO %s", sqlName(r.Table), quote(r.From), quote(r.To))}}, accessExclusive))
	}
}

// followComments knows comments again on what gets another name: they stay on it.
func (w *work) followComments() {
	for _, id := range sortedKeys(w.changes.alters) {
		var from, to string
		switch c := w.changes.alters[id].(type) {
		case diff.RenameConstraint:
			from, to = constraintID(c.Table.Key, c.From.Name), constraintID(c.Table.Key, c.To.Name)
		case diff.RenameIndex:
			from, to = indexID(c.From.Key), indexID(c.To.Key)
		default:
			continue
		}
		gone, isGone := w.changes.drops["comment "+from].(diff.DropObject)
		fresh, isFresh := w.changes.creates["comment "+to].(diff.CreateObject)
		if !isGone || !isFresh {
			continue // one that only goes, goes before the rename
		}
		delete(w.changes.drops, "comment "+from)
		if gone.Object.Canon == fresh.Object.Canon {
			delete(w.changes.creates, "comment "+to)
		}
	}
}

// renamesTarget tells whether what a comment of the base is on gets another name.
func (w *work) renamesTarget(comment string) bool {
	for _, c := range w.changes.alters {
		switch c := c.(type) {
		case diff.RenameConstraint:
			if "comment "+constraintID(c.Table.Key, c.From.Name) == comment {
				return true
			}
		case diff.RenameIndex:
			if "comment "+indexID(c.From.Key) == comment {
				return true
			}
		}
	}
	return false
}

// followNames takes into the rename of a table those of its constraints, indexes and sequences whose names were made of the table's: the
// server leaves them as they are, and the head's text makes them of the new name.
func (w *work) followNames(s *step, from, to string) {
	for _, id := range sortedKeys(w.changes.alters) {
		var table, before, after, sql string
		switch c := w.changes.alters[id].(type) {
		case diff.RenameConstraint:
			table, before, after = c.Table.Key, c.From.Name, c.To.Name
			sql = fmt.Sprintf("ALTER TABLE %s RENAME CONSTRAINT %s TO %s", sqlName(table), quote(before), quote(after))
		case diff.RenameIndex:
			table, before, after = c.Table.Key, lastPart(c.From.Name), lastPart(c.To.Name)
			sql = fmt.Sprintf("ALTER INDEX %s RENAME TO %s", sqlName(c.From.Name), quote(after))
		case diff.RenameObject:
			table, before, after = c.To.On, lastPart(c.From.Name), lastPart(c.To.Name)
			sql = fmt.Sprintf("ALTER SEQUENCE %s RENAME TO %s", sqlName(c.From.Name), quote(after))
		default:
			continue
		}
		rest, ok := strings.CutPrefix(before, from+"_")
		if !ok || table != s.Object || after != to+"_"+rest {
			continue
		}
		s.SQL = append(s.SQL, sql)
		s.Changes = append(s.Changes, w.changes.alters[id])
		s.freeing(space(inSchema(table, before))).taking(space(inSchema(table, after)))
		delete(w.changes.alters, id)
	}
}

// renameTable gives a table another name, in another schema if it has to be.
func renameTable(from, to string) []string {
	a, b := parseName(from), parseName(to)
	var sql []string
	if a.Schema != b.Schema {
		sql = append(sql, fmt.Sprintf("ALTER TABLE %s SET SCHEMA %s", a.SQL(), quote(b.Schema)))
		a.Schema = b.Schema
	}
	if a.Name != b.Name {
		sql = append(sql, fmt.Sprintf("ALTER TABLE %s RENAME TO %s", a.SQL(), quote(b.Name)))
	}
	return sql
}

// onTable is the object of a step about a part of a table.
func onTable(table, name string) string { return table + "." + name }

// lastPart gives a name without its schema.
func lastPart(name string) string { return parseName(name).Name }
