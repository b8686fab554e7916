package mysql

import (
	"cmp"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/dialect/mysql/catalog"
	"github.com/altergate/altergate/internal/dialect/mysql/online"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
)

// Phases give steps their order.
const (
	phaseDatabase     = iota
	phaseDropTrigger  // what names a thing that goes or gets another name
	phaseDropView     //
	phaseDropInTheWay // tables whose name a view takes
	phaseRename       // so that all later steps speak the head's names
	phaseDropForeign  // foreign keys
	phaseDropEarly    // checks that go; keys on columns whose type changes
	phaseDepart       // partitioning that goes
	phaseAddColumn    //
	phaseAlterColumn  // and options
	phaseMove         //
	phaseKey          // keys that come
	phaseAddCheck     //
	phaseDropKey      // keys that go, when what takes their place is there
	phasePartition    // partitions that come: every unique key has to hold their columns
	phaseTable        // tables that come
	phaseAddForeign   //
	phaseSequence     //
	phaseRoutine      //
	phaseView         //
	phaseTrigger      //
	phaseEvent        //
	phaseDropRest     // routines, events
	phaseDropColumn   // what holds rows goes last
	phaseDropPart     //
	phaseDropTable    //
	phaseDropDatabase //
)

// step is a step with what decides its place.
type step struct {
	*plan.Step
	phase int
	table string // by which it is sorted among those of its phase
	place int    // and then
}

func (w *work) add(phase, place int, table string, s *plan.Step) {
	w.steps = append(w.steps, &step{Step: s, phase: phase, table: table, place: place})
}

// unit is a change of one table by clauses of one ALTER TABLE.
type unit struct {
	kind, object string
	from         string // a rename's old name
	changes      []diff.Change
	old, new     string
	clauses      []string
	actions      []online.Action
	last         string // a clause that has to stand last, such as PARTITION BY
	bare         bool   // takes no ALGORITHM and LOCK
	phase        int
	place        int
	numbers      bool // makes a column that is there number its rows
	alone        bool // destructive, so that it can be approved by itself; or refused beside others
}

// unit adds a unit to those of a table.
func (t *tableWork) unit(u *unit) *unit {
	u.place = len(t.units)
	t.units = append(t.units, u)
	return u
}

// merge makes one unit of several, in the place of the last. It is called what the first is if all others only serve it.
func merge(table string, units []*unit) *unit {
	if len(units) == 1 {
		return units[0]
	}
	all := &unit{kind: "alter_table", object: table, phase: units[0].phase, place: units[0].place}
	var olds, news []string
	for _, u := range units {
		all.changes = append(all.changes, u.changes...)
		all.clauses = append(all.clauses, u.clauses...)
		all.actions = append(all.actions, u.actions...)
		all.alone, all.numbers = all.alone || u.alone, all.numbers || u.numbers
		if u.last != "" {
			all.last = u.last
		}
		olds, news = append(olds, u.old), append(news, u.new)
		if u.phase > all.phase {
			all.phase, all.place = u.phase, u.place
		}
	}
	all.old, all.new = strings.Join(olds, "\n"), strings.Join(news, "\n")
	return all
}

// cost asks what an ALTER with these units takes, of the table as it is when it runs: what goes last finds the head's keys.
func (w *work) cost(t *tableWork, units ...*unit) online.Answer {
	a := online.Alter{Server: w.Oldest, Table: t.from}
	for _, u := range units {
		a.Actions = append(a.Actions, u.actions...)
	}
	if units[0].phase == phaseDropKey && !hasPrimary(t.to) { // the primary key goes before the others, and a unique one takes its place
		last := *t.from
		last.Keys = slices.DeleteFunc(slices.Clone(last.Keys), func(k *catalog.Key) bool {
			return k.Kind == catalog.Primary && !slices.ContainsFunc(a.Actions, func(act online.Action) bool { _, is := act.(online.DropPrimaryKey); return is })
		})
		a.Table = &last
	}
	if units[0].phase > phasePartition {
		last := *t.to
		last.Columns = slices.Clone(t.to.Columns)
		for _, c := range t.dropColumns {
			last.Columns = append(last.Columns, w.From.details.columns[c.Column])
		}
		for _, k := range t.from.Keys { // the server's hidden column of a FULLTEXT key stays when the key goes
			if k.Kind == catalog.Fulltext {
				last.Keys = append(slices.Clone(last.Keys), k)
			}
		}
		a.Table = &last
	}
	return a.Answer()
}

func hasPrimary(t *catalog.Table) bool {
	return slices.ContainsFunc(t.Keys, func(k *catalog.Key) bool { return k.Kind == catalog.Primary })
}

// join makes one ALTER of the units that can share a pass over the rows. One that may lose something stays a step of its own.
func (w *work) join(t *tableWork) {
	slices.SortStableFunc(t.units, func(a, b *unit) int { return cmp.Or(cmp.Compare(a.phase, b.phase), cmp.Compare(a.place, b.place)) })
	var body, rest []*unit
	passes, copies := 0, false
	for _, u := range t.units {
		if u.alone || u.bare || u.phase < phaseAddColumn || u.phase > phaseAddCheck {
			rest = append(rest, u)
			continue
		}
		body = append(body, u)
		if a := w.cost(t, u); a.Rewrite || a.Scan {
			passes++
			copies = copies || a.Algorithm == "COPY"
		}
	}
	switch {
	case passes < 2:
	case t.apart:
		keys := slices.IndexFunc(body, func(u *unit) bool { return u.phase >= phaseKey })
		if keys < 0 {
			keys = len(body)
		}
		t.units = append(append(rest, w.joinPasses(t, body[:keys])...), w.joinPasses(t, body[keys:])...)
	case copies: // the copy builds all keys, too
		t.units = append(rest, w.joinWell(t, body)...)
	default:
		t.units = append(rest, w.joinPasses(t, body)...)
	}
}

// joinPasses joins the units that read or write the rows and keep the same others waiting meanwhile. Where columns are among them, those
// that take no pass join them, since their places hang on each other.
func (w *work) joinPasses(t *tableWork, body []*unit) []*unit {
	groups := map[string][]*unit{}
	var free []*unit
	columns := ""
	for _, u := range body {
		a := w.cost(t, u)
		if !a.Rewrite && !a.Scan {
			free = append(free, u)
			continue
		}
		groups[a.Lock] = append(groups[a.Lock], u)
		if u.phase < phaseKey {
			columns = a.Lock
		}
	}
	var out []*unit
	for _, u := range free {
		if columns != "" && u.phase < phaseKey {
			groups[columns] = append(groups[columns], u)
		} else {
			out = append(out, u)
		}
	}
	for _, lock := range sortedKeys(groups) {
		slices.SortStableFunc(groups[lock], func(a, b *unit) int { return cmp.Or(cmp.Compare(a.phase, b.phase), cmp.Compare(a.place, b.place)) })
		out = append(out, w.joinWell(t, groups[lock])...)
	}
	return out
}

// joinWell joins units, and leaves those as they are with which the whole would cost more than each by itself.
func (w *work) joinWell(t *tableWork, units []*unit) []*unit {
	var joined, out []*unit
	for _, u := range units {
		if onVirtual(t, u) {
			out = append(out, u) // a rebuild beside it lets nobody write
		} else if len(joined) == 0 || w.cost(t, append(slices.Clone(joined), u)...).Together {
			joined = append(joined, u)
		} else {
			out = append(out, u)
		}
	}
	if len(joined) > 0 {
		out = append(out, merge(t.model.Name, joined))
	}
	return out
}

// onVirtual tells whether a unit builds a key on a column that is computed when it is read.
func onVirtual(t *tableWork, u *unit) bool {
	return slices.ContainsFunc(u.actions, func(a online.Action) bool {
		add, ok := a.(online.AddKey)
		return ok && slices.ContainsFunc(add.Key.Parts, func(p catalog.KeyPart) bool {
			c := columnNamed(t.to, p.Column)
			return p.Expr != nil || c != nil && isVirtual(c)
		})
	})
}

// alter makes the step of a unit.
func (w *work) alter(t *tableWork, u *unit) {
	a := w.cost(t, u)
	clauses := t.settle(u.clauses)
	if clause := a.Clause(); clause != "" && !u.bare && !w.Plain {
		clauses = append(clauses, clause)
	}
	if a.Refused != "" {
		w.refuse(t.to.Pos, "table %s cannot be changed so: %s", t.model.Name, a.Refused)
	}
	sql := "ALTER TABLE " + sqlName(t.to.Name) + " " + strings.Join(clauses, ", ")
	if u.last != "" {
		if len(clauses) > 0 {
			sql += u.separator()
		}
		sql += u.last
	}
	s := &plan.Step{Kind: u.kind, Object: u.object, From: u.from, Changes: u.changes, Old: u.old, New: u.new, SQL: []string{sql}, Lock: a.PlanLock()}
	if t.from.Versioned != nil && t.to.Versioned != nil {
		s.SQL = append([]string{keepHistory}, s.SQL...)
	}
	if u.numbers {
		s.SQL = append([]string{keepZero}, s.SQL...)
	}
	w.add(u.phase, u.place, t.key, s)
}

// keepHistory lets a table with a history be altered: the server else refuses, since old rows get the new form, too ("System-Versioned
// Tables", MariaDB's manual).
const keepHistory = "SET SESSION system_versioning_alter_history = KEEP"

// keepZero has a row that holds 0 keep it when its column begins to number rows: the server else gives it the next number ("Server SQL
// Modes", NO_AUTO_VALUE_ON_ZERO: that is how a dump is read back, too).
const keepZero = "SET SESSION sql_mode = CONCAT(@@SESSION.sql_mode, ',NO_AUTO_VALUE_ON_ZERO')"

// finish makes the steps of all tables and puts everything in order.
func (w *work) finish() []*plan.Step {
	for _, t := range w.order() {
		w.join(t)
		slices.SortStableFunc(t.units, func(a, b *unit) int { return cmp.Or(cmp.Compare(a.phase, b.phase), cmp.Compare(a.place, b.place)) })
		for _, u := range t.units {
			w.alter(t, u)
		}
	}
	slices.SortStableFunc(w.steps, func(a, b *step) int {
		return cmp.Or(cmp.Compare(a.phase, b.phase), cmp.Compare(a.table, b.table), cmp.Compare(a.place, b.place))
	})
	out := make([]*plan.Step, len(w.steps))
	for i, s := range w.steps {
		out[i] = s.Step
	}
	return out
}

// noLock is that of a statement that takes no table from anybody.
func noLock() plan.Lock { return plan.Lock{Level: "none", Blocks: "nothing"} }

// metadata is the lock of a statement that waits for the table and then only changes what is said of it.
func metadata() plan.Lock { return plan.Lock{Level: "METADATA", Blocks: "nothing"} }

// separator stands before the last clause: PARTITION BY and REMOVE PARTITIONING are no members of the list.
func (u *unit) separator() string {
	if strings.HasPrefix(strings.ToUpper(u.last), "PARTITION BY") || u.last == "REMOVE PARTITIONING" {
		return " "
	}
	return ", "
}
