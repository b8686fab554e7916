package dialect

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/dialect/postgres"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/migration"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/schema"
	"github.com/altergate/altergate/internal/source"
)

// migrator is a driver that follows migrations, statement by statement.
type migrator[L any] interface {
	// Cut cuts a file into the statements that a client would send, in order.
	Cut(f *source.File) ([]*source.Statement, error)
	// Begin gives a side as a new session finds it at the beginning of a file.
	Begin(l L) (L, error)
	// After gives the side after one statement more, and what the statement does besides. l stays as it is. An error is what the server
	// would say.
	After(ctx context.Context, l L, st *source.Statement) (L, source.Acts, error)
}

// orderedReader is a driver that reads the files of migrations otherwise than those of a schema, which may stand in any order.
type orderedReader[L any] interface {
	ReadMigrations(ctx context.Context, files []*source.File, like L) (L, error)
}

// move is one statement of a migration, or a migration that is no SQL and has none.
type move[L loaded] struct {
	migration     *migration.Migration
	statement     *source.Statement // nil: the migration is no SQL
	before, after L
	acts          source.Acts
	open          bool // a transaction is open while it runs
	enforced      bool // foreign keys act while it runs, as far as is known
	remarks       []diff.Change
}

// changed tells whether the statement changes the schema.
func (m *move[L]) changed() bool {
	return m.before.Model() != m.after.Model()
}

// walk follows new migrations from the base on, one at a time, so that no more sides are held than one of them has statements.
type walk[L loaded] struct {
	*review[L]
	migrator[L]
	state   L
	moves   []*move[L] // of the migration that is followed now
	origins origins
	gone    []gone // what holds values of the base and has been dropped
	steps   []*plan.Step
	against string // why rows would not come out as the schemas say
}

// migrate lets the statements of a migration act, as on a database that is at the base and has run those before it, and judges them.
func (w *walk[L]) migrate(ctx context.Context, m *migration.Migration, together bool) error {
	w.moves = []*move[L]{{migration: m, before: w.state, after: w.state}}
	if m.Up != nil {
		before, err := w.Begin(w.state)
		if err != nil {
			return err
		}
		if w.moves, w.state, err = w.section(ctx, m, m.Up, before, m.Transaction || together); err != nil {
			return err
		}
		w.back(ctx, m, before)
	}
	if len(w.moves) == 0 { // it holds no statement
		for _, c := range w.remarksOf(m) {
			w.steps = append(w.steps, w.step(c.(diff.Remark)))
		}
	}
	return w.author(ctx, w.units())
}

// section lets the statements of one part of a migration act.
func (w *walk[L]) section(ctx context.Context, m *migration.Migration, f *source.File, state L, open bool) ([]*move[L], L, error) {
	statements, err := w.Cut(f)
	if err != nil {
		return nil, state, err
	}
	var moves []*move[L]
	var added []string // labels that an enum gets in the open transaction
	unforced := false
	for _, st := range statements {
		if err := ctx.Err(); err != nil {
			return moves, state, err
		}
		after, acts, err := w.After(ctx, state, st)
		if err != nil {
			return moves, state, err
		}
		mv := &move[L]{migration: m, statement: st, before: state, after: after, acts: acts, open: open, enforced: !unforced}
		if err := w.alone(mv, len(statements)); err != nil {
			return moves, state, err
		}
		if added, err = w.labels(mv, added); err != nil {
			return moves, state, err
		}
		open, unforced = w.session(mv, mv.open, unforced)
		moves, state = append(moves, mv), after
	}
	return moves, state, nil
}

// session follows what statements say of transactions, and on SQLite of foreign keys.
func (w *walk[L]) session(m *move[L], open, unforced bool) (bool, bool) {
	if m.acts.Commits {
		open = false
	}
	for _, c := range m.acts.Changes {
		s, ok := c.(diff.RunSession)
		if !ok {
			continue
		}
		switch word, _, _ := strings.Cut(s.What, " "); word {
		case "BEGIN", "START":
			open = true
		case "COMMIT", "END", "ROLLBACK":
			open = false
		case "PRAGMA":
			what := strings.TrimPrefix(s.What, "PRAGMA foreign_keys=")
			switch {
			case what == s.What:
			case open:
				m.remark("ignored-pragma", "SQLite ignores PRAGMA foreign_keys while a transaction is open, as one is here: %s", transactionOf(m))
			default:
				unforced = what == "off"
			}
		}
	}
	return open, unforced
}

// transactionOf says who has opened the transaction that a statement is in.
func transactionOf[L loaded](m *move[L]) string {
	if m.migration.Transaction {
		return "the tool opens one for " + m.migration.Path
	}
	return "a statement before it, or the tool, has opened it"
}

// alone wants no transaction to be open around a statement that cannot run in one.
func (w *walk[L]) alone(m *move[L], statements int) error {
	if m.acts.Alone == "" || !m.open {
		return nil
	}
	if statements == 1 && (m.migration.Implicit || m.migration.Transaction && w.Question.Head.Migrations.Detects) {
		m.open = false // nobody opens one around it
		return nil
	}
	if m.migration.Implicit {
		m.remark("implicit-transaction", "%s, and the server opens one around the statements of %s if they are sent to it at once: put this statement in a migration of its own, unless the tool is told to send them one by one", m.acts.Alone, m.migration.Path)
		return nil
	}
	text := m.acts.Alone + ", and " + transactionOf(m) + "; put the statement in a migration of its own that runs without"
	if how := w.Question.Head.Migrations.Without(); how != "" && m.migration.Transaction {
		text += ": " + how
	}
	return &schema.Error{Pos: m.statement.Pos, Kind: schema.KindTransition, Text: text}
}

// labels keeps the labels that enums get in an open transaction, and refuses a statement in it that uses one: PostgreSQL does before the
// transaction is committed (sql-altertype.html).
func (w *walk[L]) labels(m *move[L], added []string) ([]string, error) {
	if w.Name() != postgres.Name || !m.open {
		return nil, nil
	}
	for _, label := range added {
		if postgres.UsesValue(m.statement, label) {
			return nil, &schema.Error{Pos: m.statement.Pos, Kind: schema.KindTransition, Text: fmt.Sprintf("the label '%s' is new in the transaction that is open here, and PostgreSQL lets nobody use it before that is committed; add it in a migration of its own", label)}
		}
	}
	if label, ok := postgres.AddsValue(m.statement); ok {
		added = append(added, label)
	}
	return added, nil
}

func (m *move[L]) remark(rule, format string, args ...any) {
	pos := schema.Pos{File: m.migration.Path}
	if m.statement != nil {
		pos = m.statement.Pos
	}
	m.remarks = append(m.remarks, remark(rule, schema.Head, pos, format, args...))
}

// back goes down from a migration again and says where that does not lead to where it came from.
func (w *walk[L]) back(ctx context.Context, m *migration.Migration, before L) {
	if m.Down == nil || len(w.moves) == 0 {
		return
	}
	var down L
	var moves []*move[L]
	start, err := w.Begin(w.state)
	if err == nil {
		moves, down, err = w.section(ctx, m, m.Down, start, false)
	}
	if at := schema.Errors(err); len(at) > 0 {
		w.moves[0].remarks = append(w.moves[0].remarks, remark("down-differs", schema.Head, at[0].Pos, "The way back fails: %s", at[0].Text))
		return
	}
	if slices.ContainsFunc(w.moves, (*move[L]).opaque) || slices.ContainsFunc(moves, (*move[L]).opaque) {
		return // where code leads that is not read cannot be told
	}
	down, before = w.beside(down, before)
	if left := differences(down.Model(), before.Model()); len(left) > 0 {
		w.moves[0].remarks = append(w.moves[0].remarks, remark("down-differs", schema.Head, beginning(m, moves), "The way back does not undo the migration: %s", strings.Join(left, "; ")))
	}
}

// beginning is where the way back of a migration begins: at its first statement, if it has one.
func beginning[L loaded](m *migration.Migration, moves []*move[L]) schema.Pos {
	if len(moves) > 0 {
		return moves[0].statement.Pos
	}
	return schema.Pos{File: m.DownPath}
}

// opaque tells whether the statement can do anything.
func (m *move[L]) opaque() bool {
	return slices.ContainsFunc(m.acts.Changes, runsOpaque)
}

// most is how many differences a sentence names.
const most = 4

// differences says in words how a schema that was reached differs from the one that should be.
func differences(got, want *schema.Schema) []string {
	var all []string
	for _, c := range diff.Schemas(got, want) {
		if !standsForStatement(c) {
			all = append(all, plan.Lacks(c))
		}
	}
	if len(all) > most {
		all = append(all[:most], "and more")
	}
	return all
}

// isPosition tells whether an error is one about the text of a side.
func isPosition(err error) bool {
	var at *schema.Error
	return errors.As(err, &at) && at.Pos.File != ""
}
