package dialect

import (
	"maps"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/migration"
)

// unit is what is judged together: one statement, or those that make a table again by hand.
type unit[L loaded] struct {
	moves   []*move[L]
	copied  []handCopy
	renames diff.Renames
	copies  func(*move[L]) bool // tells which of the moves copy the rows of copied; nil where there are none
	changes []diff.Change       // of the schema
	extra   []diff.Change       // besides
}

// handCopy is a table that is made again: its rows go from one into another, which ends with its name.
type handCopy struct {
	table string // the key of the table, before and after
	copy  diff.Copy
}

func (u *unit[L]) before() L                       { return u.moves[0].before }
func (u *unit[L]) after() L                        { return u.moves[len(u.moves)-1].after }
func (u *unit[L]) migration() *migration.Migration { return u.moves[0].migration }

func (u *unit[L]) changed() bool {
	return slices.ContainsFunc(u.moves, (*move[L]).changed)
}

// span is the range of moves that make tables again, first to last.
type span struct {
	first, last int
	own         map[int]bool // the moves that do nothing else; those between them are foreign
	copies      map[int]bool // of them, those that copy rows
	copied      []handCopy
}

// units puts statements together that make a table again: a new table gets all rows of an old one, the old one is dropped, and the new one
// has its name in the end. Statements between them belong to the unit, since their order counts.
func (w *walk[L]) units() []*unit[L] {
	var units []*unit[L]
	spans := w.spans()
	for i := 0; i < len(w.moves); i++ {
		u := &unit[L]{moves: w.moves[i : i+1]}
		if len(spans) > 0 && spans[0].first == i {
			s := spans[0]
			u.moves, u.copied = w.moves[i:s.last+1], s.copied
			u.copies = func(m *move[L]) bool { return s.copies[slices.Index(w.moves, m)] }
			i = s.last
			spans = spans[1:]
		}
		units = append(units, u)
	}
	return units
}

// spans finds the tables that are made again by hand and joins ranges that overlap. A range in which something else is taken away does not
// count: before and after it the schema may be the same, and what was in that is lost all the same.
func (w *walk[L]) spans() []span {
	var all []span
	for i, m := range w.moves {
		for _, c := range m.acts.Changes {
			if insert, ok := c.(diff.WriteRows); ok && insert.Copy != nil {
				if s, ok := w.remake(i, insert); ok {
					all = append(all, s)
				}
			}
		}
	}
	slices.SortStableFunc(all, func(a, b span) int { return a.first - b.first })
	var joined []span
	for _, s := range all {
		if n := len(joined); n > 0 && s.first <= joined[n-1].last {
			joined[n-1].last = max(joined[n-1].last, s.last)
			joined[n-1].copied = append(joined[n-1].copied, s.copied...)
			maps.Copy(joined[n-1].own, s.own)
			maps.Copy(joined[n-1].copies, s.copies)
			continue
		}
		joined = append(joined, s)
	}
	return slices.DeleteFunc(joined, func(s span) bool {
		for i := s.first; i <= s.last; i++ {
			if !s.own[i] && takesAway(w.moves[i]) {
				return true
			}
		}
		return false
	})
}

// takesAway tells whether a statement can take away what the schema after others does not show to be gone: all but what only makes something,
// or drops what holds no values.
func takesAway[L loaded](m *move[L]) bool {
	if len(m.acts.Renames.Tables)+len(m.acts.Renames.Columns) > 0 {
		return true
	}
	for _, c := range m.acts.Changes {
		if _, again := c.(diff.MadeAgain); again {
			return true
		}
	}
	for _, c := range diff.Schemas(m.before.Model(), m.after.Model()) {
		switch c := c.(type) {
		case diff.CreateTable, diff.AddColumn, diff.AddConstraint, diff.DropConstraint, diff.CreateIndex, diff.DropIndex, diff.CreateTrigger, diff.DropTrigger, diff.CreateView, diff.CreateObject:
		case diff.DropView:
			if c.View.Materialized {
				return true
			}
		case diff.AlterObject:
			if !holdsNothing[c.To.Kind] {
				return true
			}
		case diff.DropObject:
			if !holdsNothing[c.Object.Kind] {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// holdsNothing are kinds of objects that say something of others.
var holdsNothing = map[string]bool{"comment": true, "grant": true, "owner": true, "policy": true}

// remake looks around a copy of all rows for the rest of a table that is made again.
func (w *walk[L]) remake(at int, insert diff.WriteRows) (span, bool) {
	into := insert.Table
	s := span{own: map[int]bool{at: true}, copies: map[int]bool{at: true}}
	start, rows := w.saved(at, *insert.Copy, &s)
	made := w.madeAt(at, into)
	if made < 0 {
		return span{}, false
	}
	s.own[made] = true
	// What the old table was called before the migration renamed it.
	oldName := rows.From
	for i := start - 1; i >= 0; i-- {
		ours := 0
		for _, r := range slices.Backward(w.moves[i].acts.Renames.Tables) {
			if w.Key(r.To) == oldName {
				oldName, s.own[i] = w.Key(r.From), true
				ours++
			}
		}
		if ours > 0 && ours < len(w.moves[i].acts.Renames.Tables) {
			return span{}, false // others get new names with it
		}
	}
	// It is dropped, and the new one has its name in the end.
	from, newName, dropped := rows.From, into, false
	for i := start + 1; i < len(w.moves); i++ {
		mv := w.moves[i]
		switch {
		case i > at && mv.before.Model().Table(newName) != nil && mv.after.Model().Table(newName) == nil && len(mv.acts.Renames.Tables) == 0:
			return span{}, false // the rows go with it
		case !dropped && drops(mv, from):
			dropped, s.own[i] = true, true
		}
		ours := 0
		for _, r := range mv.acts.Renames.Tables { // RENAME TABLE takes them one after the other
			switch {
			case i > at && w.Key(r.From) == newName:
				newName, s.own[i] = w.Key(r.To), true
				ours++
			case !dropped && w.Key(r.From) == from:
				from, s.own[i] = w.Key(r.To), true
				ours++
			}
		}
		if ours > 0 && ours < len(mv.acts.Renames.Tables) {
			return span{}, false
		}
		if i >= at && dropped && newName == oldName {
			indexes := slices.Sorted(maps.Keys(s.own))
			s.first, s.last = indexes[0], w.furnished(indexes[len(indexes)-1], oldName)
			s.copied = []handCopy{{oldName, rows}}
			return s, true
		}
	}
	return span{}, false
}

// furnished takes the statements along that make the indexes and triggers of a new table again.
func (w *walk[L]) furnished(last int, table string) int {
	for i := last + 1; i < len(w.moves); i++ {
		mv := w.moves[i]
		if !mv.changed() && slices.ContainsFunc(mv.acts.Changes, func(c diff.Change) bool { _, ok := c.(diff.RunSession); return ok }) {
			continue
		}
		own := mv.changed() && len(mv.acts.Changes) == 0
		for _, c := range diff.Schemas(mv.before.Model(), mv.after.Model()) {
			x, index := c.(diff.CreateIndex)
			t, trigger := c.(diff.CreateTrigger)
			own = own && (index && x.Table.Key == table || trigger && w.Key(t.On) == table)
		}
		if !own {
			break
		}
		last = i
	}
	return last
}

// saved follows rows that were put aside in a table of the migration's own back to the table that they are from, and gives the move that
// first took them from there.
func (w *walk[L]) saved(at int, rows diff.Copy, s *span) (int, diff.Copy) {
	aside := rows.From
	for i := at - 1; i >= 0; i-- {
		for _, c := range w.moves[i].acts.Changes {
			insert, ok := c.(diff.WriteRows)
			if !ok || insert.Table != aside {
				continue
			}
			if insert.Copy == nil || w.filledBefore(i, aside) {
				return at, rows
			}
			through := diff.Copy{From: insert.Copy.From, Columns: map[string]string{}}
			for column, from := range rows.Columns {
				through.Columns[column] = insert.Copy.Columns[from]
			}
			s.own[i], s.copies[i] = true, true
			return w.saved(i, through, s)
		}
	}
	return at, rows
}

// filledBefore tells whether rows can have been in a table before a move of the migration wrote to it. Temporary tables are not in the
// schemas, and begin empty.
func (w *walk[L]) filledBefore(at int, table string) bool {
	if !strings.HasPrefix(table, "temp.") {
		return w.madeAt(at, table) < 0
	}
	return slices.ContainsFunc(w.moves[:at], func(m *move[L]) bool { return writesTo(m, table) })
}

// madeAt gives the move that made a table which a move writes to for the first time; -1 = there is none.
func (w *walk[L]) madeAt(at int, table string) int {
	for i := at; i >= 0; i-- {
		mv := w.moves[i]
		if mv.before.Model().Table(table) == nil && mv.after.Model().Table(table) != nil && len(mv.acts.Renames.Tables) == 0 {
			return i
		}
		if i < at && writesTo(mv, table) {
			return -1
		}
	}
	return -1
}

// drops tells whether a statement drops a table, and no other.
func drops[L loaded](m *move[L], table string) bool {
	before, after := m.before.Model(), m.after.Model()
	return before.Table(table) != nil && after.Table(table) == nil && len(before.Tables) == len(after.Tables)+1 && len(m.acts.Renames.Tables) == 0
}

// writesTo tells whether a statement writes rows into a table.
func writesTo[L loaded](m *move[L], table string) bool {
	return slices.ContainsFunc(m.acts.Changes, func(c diff.Change) bool {
		w, ok := c.(diff.WriteRows)
		return ok && w.Table == table
	})
}

// whole works out what a unit does to the schema as a whole. A table that is made again is one that changes, and a column that its copy
// takes from another is that column renamed.
func (w *walk[L]) whole(u *unit[L]) {
	before, after := u.before().Model(), u.after().Model()
	for _, m := range u.moves {
		for _, c := range m.acts.Changes {
			if insert, ok := c.(diff.WriteRows); !ok || insert.Copy == nil || u.copies == nil || !u.copies(m) {
				u.extra = append(u.extra, c)
			}
		}
		u.extra = append(u.extra, m.remarks...)
	}
	if len(u.copied) == 0 {
		u.renames = u.moves[0].acts.Renames
	}
	for _, c := range u.copied {
		old, fresh := before.Table(c.table), after.Table(c.table)
		if old == nil || fresh == nil {
			continue
		}
		made := diff.CopyTable{From: old, To: fresh, Pos: u.moves[0].statement.Pos}
		taken := map[string]bool{} // columns that have another name now
		for _, column := range fresh.Columns {
			from, copied := c.copy.Columns[column.Key]
			was := old.Column(column.Key)
			switch {
			case was != nil && from == column.Key, was == nil && from == "":
			case was == nil && fresh.Column(from) == nil && old.Column(from) != nil && !taken[from]:
				taken[from] = true
				u.renames.Columns = append(u.renames.Columns, diff.RenameColumn{Table: fresh.Name, From: old.Column(from).Name, To: column.Name, Pos: made.Pos})
			case column.Generated != nil:
			case was != nil && !copied:
				made.Lost = append(made.Lost, column.Name)
			default:
				made.Computed = append(made.Computed, column.Name)
			}
		}
		u.extra = append(u.extra, made)
	}
}
