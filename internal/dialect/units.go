package dialect

import (
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/migration"
)

func equalFold(a, b string) bool { return strings.EqualFold(a, b) }

// unit is what is judged together: one statement, or those that make a table again by hand.
type unit[L loaded] struct {
	moves   []*move[L]
	copied  []handCopy
	renames diff.Renames
	changes []diff.Change // of the schema
	extra   []diff.Change // besides
}

// handCopy is a table that is made again: its rows go from one into another, which ends with its name.
type handCopy struct {
	table string // the key of the table, before and after
	from  string // the key of the table that the last INSERT reads: the old one, or one in which its rows were put aside
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
			u.moves, u.copied = w.moves[i:spans[0].last+1], spans[0].copied
			i = spans[0].last
			spans = spans[1:]
		}
		units = append(units, u)
	}
	return units
}

// spans finds the tables that are made again by hand, within one migration each, and joins ranges that overlap.
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
			continue
		}
		joined = append(joined, s)
	}
	return joined
}

// remake looks around a copy of all rows for the rest of a table that is made again.
func (w *walk[L]) remake(at int, insert diff.WriteRows) (span, bool) {
	into := insert.Table
	start, rows := w.saved(at, *insert.Copy)
	made := w.madeAt(at, into)
	if made < 0 {
		return span{}, false
	}
	// What the old table was called before the migration renamed it.
	first, oldName := min(start, made), rows.From
	for i := start - 1; i >= 0 && w.moves[i].migration == w.moves[at].migration; i-- {
		for _, r := range w.moves[i].acts.Renames.Tables {
			if w.Key(r.To) == oldName {
				oldName, first = w.Key(r.From), min(first, i)
			}
		}
	}
	// It is dropped, and the new one has its name in the end.
	last, newName, dropped := at, into, false
	for i := start + 1; i < len(w.moves) && w.moves[i].migration == w.moves[at].migration; i++ {
		mv := w.moves[i]
		if !dropped && drops(mv, rows.From) {
			dropped, last = true, max(last, i)
		}
		for _, r := range mv.acts.Renames.Tables {
			switch {
			case i > at && w.Key(r.From) == newName:
				newName, last = w.Key(r.To), max(last, i)
			case !dropped && w.Key(r.From) == rows.From:
				return span{}, false // the old one is kept under another name
			}
		}
		if i >= at && dropped && newName == oldName {
			return span{first, w.furnished(last, oldName), []handCopy{{oldName, insert.Copy.From, rows}}}, true
		}
	}
	return span{}, false
}

// furnished takes the statements along that make the indexes and triggers of a new table again.
func (w *walk[L]) furnished(last int, table string) int {
	for i := last + 1; i < len(w.moves) && w.moves[i].migration == w.moves[last].migration; i++ {
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

// saved follows rows that were put aside in a table of the migration's own back to the table that they are from.
func (w *walk[L]) saved(at int, rows diff.Copy) (int, diff.Copy) {
	aside := rows.From
	for i := at - 1; i >= 0 && w.moves[i].migration == w.moves[at].migration; i-- {
		for _, c := range w.moves[i].acts.Changes {
			insert, ok := c.(diff.WriteRows)
			if !ok || insert.Table != aside {
				continue
			}
			if insert.Copy == nil || !strings.HasPrefix(aside, "temp.") && w.madeAt(i, aside) < 0 {
				return at, rows
			}
			through := diff.Copy{From: insert.Copy.From, Columns: map[string]string{}}
			for column, from := range rows.Columns {
				through.Columns[column] = insert.Copy.Columns[from]
			}
			return w.saved(i, through)
		}
	}
	return at, rows
}

// madeAt gives the move of the same migration that made a table which a move writes to for the first time; -1 = there is none.
func (w *walk[L]) madeAt(at int, table string) int {
	for i := at; i >= 0 && w.moves[i].migration == w.moves[at].migration; i-- {
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

// drops tells whether a statement drops a table.
func drops[L loaded](m *move[L], table string) bool {
	return m.before.Model().Table(table) != nil && m.after.Model().Table(table) == nil && len(m.acts.Renames.Tables) == 0
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
			if insert, ok := c.(diff.WriteRows); !ok || insert.Copy == nil || !u.copies(*insert.Copy) {
				u.extra = append(u.extra, c)
			}
		}
		if len(u.copied) == 0 {
			u.renames = m.acts.Renames
		} else {
			u.renames.Columns = append(u.renames.Columns, m.acts.Renames.Columns...)
		}
		u.extra = append(u.extra, m.remarks...)
	}
	for _, c := range u.copied {
		old, fresh := before.Table(c.table), after.Table(c.table)
		if old == nil || fresh == nil {
			continue
		}
		made := diff.CopyTable{From: old, To: fresh, Pos: u.moves[0].statement.Pos}
		for _, column := range fresh.Columns {
			from, copied := c.copy.Columns[column.Key]
			was := old.Column(column.Key)
			switch {
			case from == column.Key || was == nil && from == "":
			case was == nil && fresh.Column(from) == nil:
				u.renames.Columns = append(u.renames.Columns, diff.RenameColumn{Table: fresh.Name, From: old.Column(from).Name, To: column.Name, Pos: made.Pos})
			case was == nil:
				made.Computed = append(made.Computed, column.Name)
			case !copied && column.Generated == nil:
				made.Lost = append(made.Lost, column.Name)
			case column.Generated == nil:
				made.Computed = append(made.Computed, column.Name)
			}
		}
		u.extra = append(u.extra, made)
	}
}

// copies tells whether a copy of rows is one of those that make a table again.
func (u *unit[L]) copies(c diff.Copy) bool {
	return slices.ContainsFunc(u.copied, func(h handCopy) bool { return h.copy.From == c.From || h.from == c.From })
}
