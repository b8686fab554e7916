package sqlite

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/proof"
	"github.com/altergate/altergate/internal/schema"
)

// Prove runs the plan on SQLite, on a base with rows in its tables and foreign keys enforced. It is proved when the plan runs,
// leads to the head's catalog, and every table holds the rows that it would hold had they been written to the head in the first
// place. An error says how the plan failed; a rule was broken somewhere, since data that cannot fit the head is left out.
func Prove(ctx context.Context, base, head *Loaded, renames diff.Renames, steps []*plan.Step) (*proof.Engine, error) {
	f := newFiller(base, head, renames)
	both := base.extras.and(head.extras)
	var err error
	if f.base, err = base.openTables(ctx, both); err != nil {
		return nil, err
	}
	defer f.base.close()
	if f.head, err = head.openTables(ctx, both); err != nil {
		return nil, err
	}
	defer f.head.close()
	result := &proof.Engine{Name: Name, Version: f.base.version(ctx), Result: proof.Refuted}
	if err := f.fill(ctx); err != nil {
		return nil, err
	}
	result.Rows, result.Empty = f.count, f.empty
	if err := base.addTriggers(ctx, f.base); err != nil {
		return nil, err
	}
	if err := raiseSequences(ctx, f.base); err != nil {
		return nil, err
	}
	sequence, err := sequences(ctx, f.base)
	if err != nil {
		return nil, err
	}
	if err := apply(ctx, f.base, steps); err != nil {
		return result, err
	}
	// Authors are not held to row IDs and to where AUTOINCREMENT stands; a rule tells them.
	f.authored = slices.ContainsFunc(steps, func(s *plan.Step) bool { return s.Authored })
	if err := f.compare(ctx, head, sequence); err != nil {
		return result, err
	}
	result.Result = proof.Proved
	return result, nil
}

func newFiller(base, head *Loaded, renames diff.Renames) *filler {
	f := &filler{from: base.Schema, to: head.Schema, newTable: map[string]string{}, newColumn: map[string]string{}, rows: map[string][]row{}, known: merged(base.known, head.known)}
	for _, t := range base.Schema.Tables {
		f.newTable[t.Key] = t.Key
	}
	for _, r := range renames.Tables {
		f.newTable[fold(r.From)] = fold(r.To)
	}
	for _, t := range base.Schema.Tables {
		for _, c := range t.Columns {
			f.newColumn[t.Key+"."+c.Key] = c.Key
			for _, r := range renames.Columns {
				if fold(r.Table) == f.newTable[t.Key] && fold(r.From) == c.Key {
					f.newColumn[t.Key+"."+c.Key] = fold(r.To)
				}
			}
		}
	}
	return f
}

// openTables makes the schema without its triggers, so that rows can be put in without any of them running.
func (l *Loaded) openTables(ctx context.Context, x extras) (*engine, error) {
	without := *l
	without.entries, without.extras = nil, x
	for _, x := range l.entries {
		if x.kind != "trigger" {
			without.entries = append(without.entries, x)
		}
	}
	return without.open(ctx)
}

func (l *Loaded) addTriggers(ctx context.Context, e *engine) error {
	for _, x := range l.entries {
		if x.kind == "trigger" {
			if err := e.exec(ctx, x.sql); err != nil {
				return fmt.Errorf("making trigger %s again: %w", x.name, err)
			}
		}
	}
	return nil
}

// apply runs the plan as a client that stops at the first error does, with foreign keys enforced: a plan that forgets to switch
// them off is found out.
func apply(ctx context.Context, e *engine, steps []*plan.Step) error {
	if err := e.exec(ctx, "PRAGMA foreign_keys = ON"); err != nil {
		return err
	}
	for i, s := range steps {
		for _, sql := range s.Statements() {
			if err := e.exec(ctx, sql); err != nil {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				return fmt.Errorf("%s fails on SQLite with rows in the tables: %s, in %s", proof.StepName(i, s), message(err), excerpt(sql))
			}
		}
	}
	return nil
}

// compare looks at the database after the plan.
func (f *filler) compare(ctx context.Context, head *Loaded, sequence map[string]int64) error {
	entries, err := f.base.catalog(ctx)
	if err != nil {
		return err
	}
	got, err := model(entries, f.known)
	if err != nil {
		return err
	}
	if err := proof.Reached(got, head.Schema); err != nil {
		return err
	}
	for _, t := range head.Schema.Tables {
		// A table that had no rowids before gets some, and nobody has seen them yet.
		old := f.oldTable(t.Key)
		rowids := old != nil && rowidName(old) != "" && !f.authored
		have, err := readRows(ctx, f.base, t, rowids)
		if err != nil {
			return err
		}
		want, err := readRows(ctx, f.head, t, rowids)
		if err != nil {
			return err
		}
		if err := sameRows(t, have, want); err != nil {
			return err
		}
	}
	if err := f.sequencesKept(ctx, head.Schema, sequence); err != nil && !f.authored {
		return err
	}
	rows, err := f.base.query(ctx, "PRAGMA integrity_check")
	if err != nil {
		return err
	}
	if len(rows) != 1 || fmt.Sprint(rows[0][0]) != "ok" {
		return fmt.Errorf("after the plan, PRAGMA integrity_check says %v", rows)
	}
	if f.authored { // the tool closes the connection, or its author wants them off
		return nil
	}
	if rows, err = f.base.query(ctx, "PRAGMA foreign_keys"); err == nil && (len(rows) != 1 || fmt.Sprint(rows[0][0]) != "1") {
		err = errors.New("the plan leaves foreign_keys off")
	}
	return err
}

func sameRows(t *schema.Table, have, want []row) error {
	if len(have) != len(want) {
		return fmt.Errorf("table %s holds %d rows after the plan and should hold %d", t.Name, len(have), len(want))
	}
	for i := range want {
		for key, v := range want[i] {
			if have[i][key] != v && !volatile(t, key) {
				return fmt.Errorf("table %s: column %s holds %s after the plan and should hold %s", t.Name, orRowid(key), have[i][key], v)
			}
		}
	}
	return nil
}

func orRowid(key string) string {
	if key == "" {
		return "rowid"
	}
	return key
}

// volatile tells whether a column's value may differ from one run to the next, because it comes from a default that is computed.
func volatile(t *schema.Table, key string) bool {
	c := t.Column(key)
	return c != nil && (c.Default != nil && c.Default.Constant == "" || c.Generated != nil)
}

// sequences reads the high-water marks of AUTOINCREMENT.
func sequences(ctx context.Context, e *engine) (map[string]int64, error) {
	marks := map[string]int64{}
	rows, err := e.query(ctx, "SELECT name, seq FROM sqlite_sequence")
	if err != nil {
		if strings.HasPrefix(message(err), "no such table") {
			return marks, nil
		}
		return nil, fmt.Errorf("reading sqlite_sequence: %w", err)
	}
	for _, r := range rows {
		if n, ok := r[1].(int64); ok {
			marks[fold(fmt.Sprint(r[0]))] = n
		}
	}
	return marks, nil
}

// raiseSequences makes the marks higher than the highest row, as after a delete.
func raiseSequences(ctx context.Context, e *engine) error {
	err := e.exec(ctx, "UPDATE sqlite_sequence SET seq = seq + 7")
	if err != nil && !strings.HasPrefix(message(err), "no such table") {
		return fmt.Errorf("raising sqlite_sequence: %w", err)
	}
	return nil
}

// sequencesKept tells whether every table that still has AUTOINCREMENT goes on where it was.
func (f *filler) sequencesKept(ctx context.Context, head *schema.Schema, before map[string]int64) error {
	after, err := sequences(ctx, f.base)
	if err != nil {
		return err
	}
	for _, t := range f.from.Tables {
		to := head.Table(f.newTable[t.Key])
		if to == nil || !isAutoincrement(t) || !isAutoincrement(to) {
			continue
		}
		if after[to.Key] < before[t.Key] {
			return fmt.Errorf("table %s would give out numbers again: AUTOINCREMENT stood at %d and stands at %d after the plan", to.Name, before[t.Key], after[to.Key])
		}
	}
	return nil
}
