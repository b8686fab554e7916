package dialect

import (
	"context"
	"slices"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/migration"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/schema"
)

// author makes the steps of the author's SQL, each judged on the schema as it is at that point.
func (w *walk[L]) author(ctx context.Context, p *plan.Plan, units []*unit[L], origins origins) error {
	renamed := make([]L, len(units))
	for i, u := range units {
		w.whole(u)
		var err error
		if renamed[i], err = w.Rename(ctx, u.before(), u.renames); err != nil {
			return err
		}
		if u.changed() {
			u.changes = diff.Schemas(renamed[i].Model(), u.after().Model())
		}
	}
	var at *migration.Migration
	var locked string // a table that a transaction of the migration keeps others from
	for i, u := range units {
		if u.migration() != at {
			at, locked = u.migration(), ""
			u.extra = append(u.extra, w.remarksOf(at)...)
		}
		w.madeAgain(units, i, origins)
		for j, c := range u.extra {
			if rows, ok := c.(diff.WriteRows); ok {
				rows.Young = rows.Young || origins.young(rows)
				u.extra[j] = rows
				if locked != "" && u.moves[0].open && origins[rows.Table] != nil && origins[rows.Table].table != "" && (rows.Verb == "update" || rows.Verb == "delete" || rows.Copy != nil) {
					u.extra = append(u.extra, remark("backfill-in-transaction", schema.Head, rows.Pos, "Rows are written in the transaction that has locked table %s: nobody can read or write that table until they all are; write them in a migration of their own", locked))
				}
			}
		}
		s, err := w.stepOf(ctx, u, renamed[i])
		if err != nil {
			return err
		}
		if t := lockedTable(u.changes, origins); w.Name() == "postgres" && t != "" && u.moves[0].open && s.Lock.Blocks == "reads and writes" {
			locked = t
		}
		p.Steps = append(p.Steps, s)
		origins.advance(u.before().Model(), u.after().Model(), u.renames, w.Key)
		w.inherit(u, origins)
	}
	return nil
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
func (w *walk[L]) inherit(u *unit[L], origins origins) {
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

// madeAgain finds what a unit drops and a later one makes again under the same name.
func (w *walk[L]) madeAgain(units []*unit[L], i int, origins origins) {
	u := units[i]
	tables, columns := dropped(u.changes)
	for _, t := range tables {
		if own := origins[t.Key]; own == nil || !own.old() {
			continue
		}
		for _, later := range units[i+1:] {
			if slices.ContainsFunc(later.changes, func(c diff.Change) bool { made, ok := c.(diff.CreateTable); return ok && made.Table.Key == t.Key }) {
				u.extra = append(u.extra, diff.MadeAgain{What: "table", Name: t.Name, Pos: later.moves[0].statement.Pos})
				break
			}
		}
	}
	for _, d := range columns {
		if own := origins[d.Table.Key]; own == nil || own.columns[d.Column.Key] == "" {
			continue
		}
		for _, later := range units[i+1:] {
			if slices.ContainsFunc(later.changes, func(c diff.Change) bool {
				made, ok := c.(diff.AddColumn)
				return ok && made.Table.Key == d.Table.Key && made.Column.Key == d.Column.Key
			}) {
				u.extra = append(u.extra, diff.MadeAgain{What: "column", Name: d.Table.Name + "." + d.Column.Name, Pos: later.moves[0].statement.Pos})
				break
			}
		}
	}
}

// stepOf makes the step of a unit.
func (w *walk[L]) stepOf(ctx context.Context, u *unit[L], renamed L) (*plan.Step, error) {
	first := u.moves[0]
	s := &plan.Step{Transaction: first.open, Enforced: w.Name() == "sqlite" && first.enforced, Pos: schema.Pos{File: first.migration.Path}}
	online := false
	for _, m := range u.moves {
		if m.statement != nil {
			s.SQL = append(s.SQL, m.statement.Text)
		}
		online = online || m.acts.Online
	}
	if first.statement != nil {
		s.Pos = first.statement.Pos
	}
	if len(u.changes)+len(u.renames.Tables)+len(u.renames.Columns)+len(u.renames.Parts)+len(u.extra) == 0 {
		u.extra = append(u.extra, diff.NoEffect{Text: "the schema is the same before and after it, as far as schemas are compared", Pos: s.Pos})
	}
	in := plan.Input{Name: w.Question.Name, From: renamed.Model(), To: u.after().Model(), Renames: u.renames, Changes: u.changes}
	var planner plan.Planner
	if u.changed() {
		var err error
		if planner, _, err = w.Planner(ctx, u.before(), renamed, u.after(), plan.Options{Version: w.Question.Version, Plain: !online}); err != nil {
			return nil, err
		}
	}
	return s, plan.Author(in, planner, s, u.extra)
}

// reasonAgainstRows says why rows that an engine's proof puts into the tables would not come out as the schemas say, if they would not.
func reasonAgainstRows[L loaded](units []*unit[L]) string {
	for _, u := range units {
		for _, c := range u.extra {
			switch c := c.(type) {
			case diff.RunOpaque:
				return "what the " + c.What + " does is not known, so what becomes of rows is not either"
			case diff.MadeAgain:
				return "the " + c.What + " " + c.Name + " is dropped and made again, so its rows are not kept"
			case diff.CopyTable:
				if slices.ContainsFunc(u.extra, writes) {
					return "rows are written to table " + c.To.Name + " while it is made again"
				}
				if len(c.Lost)+len(c.Computed) > 0 {
					return "the copy of table " + c.To.Name + " does not keep all values"
				}
			}
		}
	}
	return ""
}
