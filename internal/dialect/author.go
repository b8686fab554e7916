package dialect

import (
	"context"
	"slices"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/migration"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/schema"
)

// author makes the steps of a migration's SQL, each judged on the schema as it is at that point.
func (w *walk[L]) author(ctx context.Context, units []*unit[L]) error {
	var locked string // a table that the migration's transaction keeps others from
	for i, u := range units {
		w.whole(u)
		renamed, err := w.Rename(ctx, u.before(), u.renames)
		if err != nil {
			return err
		}
		end := u.after()
		if u.changed() {
			renamed, end = w.beside(renamed, end)
			u.changes = diff.Schemas(renamed.Model(), end.Model())
		}
		if slices.ContainsFunc(u.extra, runsOpaque) { // it is said of the statement, and need not be of what schemas have in its place
			u.changes = slices.DeleteFunc(u.changes, standsForStatement)
		}
		if i == 0 {
			u.extra = append(u.extra, w.remarksOf(u.migration())...)
		}
		w.backfills(u, locked)
		s, err := w.stepOf(ctx, u, renamed, end)
		if err != nil {
			return err
		}
		if t := lockedTable(u.changes, w.origins); w.Name() == "postgres" && t != "" && u.moves[0].open && s.Lock.Blocks == "reads and writes" {
			locked = t
		}
		w.steps = append(w.steps, s)
		w.madeAgain(u)
		w.note(u, s)
		if w.against == "" {
			w.against = reasonAgainstRows(u)
		}
		w.origins.advance(u.after().Model(), u.renames, w.Key)
		w.inherit(u)
	}
	return nil
}

func runsOpaque(c diff.Change) bool { _, ok := c.(diff.RunOpaque); return ok }

// standsForStatement tells whether a change is about what a schema has in the place of code that is not read.
func standsForStatement(c diff.Change) bool {
	o, ok := c.(diff.ReplaceOpaque)
	return ok && (o.From == nil || o.From.Kind == "statement") && (o.To == nil || o.To.Kind == "statement")
}

// beside gives two sides with what of them counts only beside the other, in a dialect that has such things.
func (w *walk[L]) beside(from, to L) (L, L) {
	if d, ok := any(w.driver).(interface{ Beside(from, to L) (L, L) }); ok {
		return d.Beside(from, to)
	}
	return from, to
}

// backfills says which rows are new to the base, and which are written while a table is locked.
func (w *walk[L]) backfills(u *unit[L], locked string) {
	for j, c := range u.extra {
		rows, ok := c.(diff.WriteRows)
		if !ok {
			continue
		}
		rows.Young = rows.Young || w.origins.young(rows)
		u.extra[j] = rows
		own := w.origins[rows.Table]
		if locked != "" && u.moves[0].open && own != nil && own.table != "" && (rows.Verb == "update" || rows.Verb == "delete" || rows.Copy != nil) {
			u.extra = append(u.extra, remark("backfill-in-transaction", schema.Head, rows.Pos, "Rows are written in the transaction that has locked table %s: nobody can read or write that table until they all are; write them in a migration of their own", locked))
		}
	}
}

// lockedTable gives a table of the base that changes of its own are made to.
func lockedTable(changes []diff.Change, origins origins) string {
	for _, c := range changes {
		var t *schema.Table
		switch c := c.(type) {
		case diff.AddColumn:
			t = c.Table
		case diff.DropColumn:
			t = c.Table
		case diff.AlterColumn:
			t = c.Table
		case diff.AddConstraint:
			t = c.Table
		case diff.AlterOptions:
			t = c.To
		}
		if t != nil && origins[t.Key] != nil && origins[t.Key].table != "" {
			return t.Name
		}
	}
	return ""
}

// inherit says that a table that got all rows of another holds values of the base too.
func (w *walk[L]) inherit(u *unit[L]) {
	origins := w.origins
	for _, c := range u.extra {
		rows, ok := c.(diff.WriteRows)
		if !ok || rows.Copy == nil || origins[rows.Table] == nil || origins[rows.Table].table != "" {
			continue
		}
		if from := origins[rows.Copy.From]; from != nil && from.table != "" {
			origins[rows.Table].held = true
		}
	}
}

// remarksOf gives what was found about the files of a new migration.
func (w *walk[L]) remarksOf(m *migration.Migration) []diff.Change {
	var all []diff.Change
	for _, f := range w.Question.Delta.Findings {
		if f.Migration == m {
			all = append(all, remarkOf(f))
		}
	}
	return all
}

// gone is something that held values of the base and was dropped by a step.
type gone struct {
	what, name    string
	table, column string // keys; the column's is empty for a table
	step          *plan.Step
}

// note remembers what a unit drops that can hold values of the base.
func (w *walk[L]) note(u *unit[L], s *plan.Step) {
	for _, c := range u.changes {
		switch c := c.(type) {
		case diff.DropTable:
			if own := w.origins[c.Table.Key]; own != nil && own.old() {
				w.gone = append(w.gone, gone{"table", c.Table.Name, c.Table.Key, "", s})
			}
		case diff.DropColumn:
			if own := w.origins[c.Table.Key]; own != nil && own.columns[c.Column.Key] != "" {
				w.gone = append(w.gone, gone{"column", c.Table.Name + "." + c.Column.Name, c.Table.Key, c.Column.Key, s})
			}
		}
	}
}

// madeAgain says of an earlier step that what it drops is made again by this unit, under the same name.
func (w *walk[L]) madeAgain(u *unit[L]) {
	changes := slices.Clone(u.changes)
	for _, r := range u.renames.Tables {
		changes = append(changes, r)
	}
	for _, c := range changes {
		var table, column string
		switch c := c.(type) {
		case diff.CreateTable:
			table = c.Table.Key
		case diff.RenameTable: // another one takes its name
			table = w.Key(c.To)
		case diff.AddColumn:
			table, column = c.Table.Key, c.Column.Key
		default:
			continue
		}
		w.gone = slices.DeleteFunc(w.gone, func(g gone) bool {
			if g.table != table || g.column != column {
				return false
			}
			plan.Amend(g.step, diff.MadeAgain{What: g.what, Name: g.name, Pos: u.moves[0].statement.Pos})
			if w.against == "" {
				w.against = "the " + g.what + " " + g.name + " is dropped and made again, so its values are not kept"
			}
			return true
		})
	}
}

// stepOf makes the step of a unit.
func (w *walk[L]) stepOf(ctx context.Context, u *unit[L], renamed, end L) (*plan.Step, error) {
	first := u.moves[0]
	s := &plan.Step{Transaction: first.open, Pos: schema.Pos{File: first.migration.Path}}
	online := false
	for _, m := range u.moves {
		if m.statement != nil {
			s.SQL = append(s.SQL, m.statement.Text)
		}
		online = online || m.acts.Online
		s.Enforced = s.Enforced || m.enforced
	}
	if first.statement != nil {
		s.Pos = first.statement.Pos
	}
	if len(u.changes)+len(u.renames.Tables)+len(u.renames.Columns)+len(u.renames.Parts)+len(u.extra) == 0 {
		u.extra = append(u.extra, diff.NoEffect{Text: "the schema is the same before and after it, as far as schemas are compared", Pos: s.Pos})
	}
	in := plan.Input{Name: w.Question.Name, From: renamed.Model(), To: end.Model(), Renames: u.renames, Changes: u.changes}
	var planner plan.Planner
	if u.changed() {
		var err error
		if planner, _, err = w.Planner(ctx, u.before(), renamed, end, plan.Options{Version: w.Question.Version, Plain: !online, Midway: true}); err != nil {
			return nil, err
		}
	}
	return s, plan.Author(in, planner, s, u.extra)
}

// reasonAgainstRows says why rows that an engine's proof puts into the tables would not come out as the schemas say, if they would not.
func reasonAgainstRows[L loaded](u *unit[L]) string {
	for _, c := range u.extra {
		switch c := c.(type) {
		case diff.WriteRows:
			if u.changed() && len(u.copied) == 0 {
				return "table " + c.Name + " is filled by the statement that makes it"
			}
		case diff.RunOpaque:
			return "what the " + c.What + " does is not known, so what becomes of rows is not either"
		case diff.Remark:
			if c.Opaque {
				return "what " + c.Pos.File + " does is not known, so what becomes of rows is not either"
			}
		case diff.CopyTable:
			if slices.ContainsFunc(u.extra, writes) {
				return "rows are written to table " + c.To.Name + " while it is made again"
			}
			if len(c.Lost)+len(c.Computed) > 0 {
				return "the copy of table " + c.To.Name + " does not keep all values"
			}
		}
	}
	return ""
}
