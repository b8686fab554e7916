package scratch

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"strings"
	"sync"

	"github.com/altergate/altergate/internal/dialect/postgres/script"
	"github.com/altergate/altergate/internal/proof"
	"github.com/altergate/altergate/internal/proof/rows"
	"github.com/altergate/altergate/internal/schema"
	"github.com/altergate/altergate/internal/source"
)

// Prove runs the plan on the server at the URL, on a base with rows in its tables. It is proved when the plan runs, leads to what the
// server's catalog says of the head, and every table holds the rows that it would hold had they been written to the head in the first
// place. Where the server lacks what a side needs, the plan is not run and Engine.Reason says why. An error says how the plan failed,
// and comes with an engine; or, without one, what the server refuses of a side (*schema.Error), or why there is none (*proof.Unavailable).
func Prove(ctx context.Context, url string, in Input) (*proof.Engine, error) {
	s, err := connect(ctx, url)
	if err != nil {
		return nil, err
	}
	result := &proof.Engine{Name: Name, Version: s.version}
	p := &prover{server: s, in: in, result: result, left: leftOut{}}
	err = p.run(ctx)
	result.LeftOut = append(p.left.clauses(), result.LeftOut...)
	return result.Ended(ctx, err)
}

// prover is one proof.
type prover struct {
	server *server
	in     Input
	result *proof.Engine
	left   leftOut
	steps  [][]string // what is run of each step
}

func (p *prover) run(ctx context.Context) error {
	if err := p.judge(); err != nil {
		return err
	}
	databases, err := p.server.create(ctx, 2)
	if err != nil {
		return err
	}
	defer drop(ctx, databases)
	base, head := databases[0], databases[1]
	f, err := p.prepare(ctx, base, head)
	if err != nil {
		return err
	}
	if err := p.apply(ctx, base); err != nil {
		return err
	}
	if err := sameCatalogs(ctx, base, head); err != nil {
		return err
	}
	return f.compare(ctx)
}

// judge decides which statements of the plan are run.
func (p *prover) judge() error {
	for i, step := range p.in.Steps {
		var run []string
		for _, text := range step.Statements() {
			text, err := p.judgeText(text)
			if err != nil {
				if why := (*proof.Unfit)(nil); errors.As(err, &why) {
					return err
				}
				return fmt.Errorf("%s cannot be read: %w", proof.StepName(i, step), err)
			}
			if text != "" {
				run = append(run, text)
			}
		}
		p.steps = append(p.steps, run)
	}
	return nil
}

// judgeText gives what is run of a text in a plan. One that stays whole is run as it is.
func (p *prover) judgeText(text string) (string, error) {
	parts, errs := script.Split(&source.File{Path: "plan", Text: text})
	if len(errs) == 0 {
		errs = script.Parse(parts.Statements, nil)
	}
	if len(errs) > 0 {
		return "", errors.New(errs[0].Text + ", in " + proof.Excerpt(text))
	}
	var kept []string
	changed := false
	for _, s := range parts.Statements {
		r, err := p.server.judge(s.Text, s.Node, true)
		if err != nil {
			return "", err
		}
		if r.why != "" {
			p.left.add(r.why, s.Text)
		}
		changed = changed || r.out || r.text != s.Text
		if !r.out {
			kept = append(kept, r.text)
		}
	}
	if !changed {
		return text, nil
	}
	return strings.Join(kept, ";\n"), nil
}

// prepare builds both sides, and puts rows into them.
func (p *prover) prepare(ctx context.Context, base, head *database) (*filler, error) {
	builders, err := p.build(ctx, base, head)
	if err != nil {
		return nil, err
	}
	var sides [2]*tables
	for i, d := range []*database{base, head} {
		if sides[i], err = d.tables(ctx); err != nil {
			return nil, err
		}
	}
	f := newFiller(base, head, sides[0], sides[1], p.in)
	if err := f.quietly(ctx, func() error { return f.fill(ctx, p.in.Steps) }); err != nil {
		return nil, err
	}
	p.result.Rows, p.result.Empty = f.count, f.empty
	if f.unfilled > 0 {
		p.result.LeftOut = append(p.result.LeftOut, fmt.Sprintf("%s held no rows: at most %d are filled", proof.Count(f.unfilled, "table"), rows.MostTables))
	}
	if f.foreign > 0 {
		p.result.LeftOut = append(p.result.LeftOut, fmt.Sprintf("%s held no rows: another server would have been asked", proof.Count(f.foreign, "foreign table")))
	}
	if err := f.raiseSequences(ctx); err != nil {
		return nil, err
	}
	for _, b := range builders {
		if err := b.finish(ctx); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// build makes both sides at the same time.
func (p *prover) build(ctx context.Context, base, head *database) ([]*builder, error) {
	sides := []struct {
		name  schema.Side
		db    *database
		given Side
		left  leftOut
	}{{schema.Base, base, p.in.Base, leftOut{}}, {schema.Head, head, p.in.Head, leftOut{}}}
	builders, errs := make([]*builder, len(sides)), make([]error, len(sides))
	var wait sync.WaitGroup
	for i, s := range sides {
		wait.Go(func() { builders[i], errs[i] = s.db.build(ctx, s.name, s.given, s.left) })
	}
	wait.Wait()
	for _, s := range sides {
		for why, texts := range s.left {
			for text := range texts {
				p.left.add(why, text)
			}
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return builders, nil
}

// apply runs the plan as a client that stops at the first error does. Such a client has bodies of functions looked at.
func (p *prover) apply(ctx context.Context, db *database) error {
	if err := db.exec(ctx, "SET check_function_bodies = on"); err != nil {
		return err
	}
	for i, step := range p.in.Steps {
		for _, text := range p.steps[i] {
			err := db.exec(ctx, text)
			if answer := answerOf(err); answer != nil {
				return fmt.Errorf("%s fails on PostgreSQL %s with rows in the tables: %s, in %s", proof.StepName(i, step), p.server.version, message(answer), proof.Excerpt(text))
			}
			if err != nil {
				return err
			}
		}
	}
	if db.conn.TxStatus() != 'I' {
		return errors.New("the plan leaves a transaction open")
	}
	return db.exec(ctx, "RESET ROLE; "+session)
}

// quietly does something with the triggers and rules of both sides off, and row security not applied to the owner.
func (f *filler) quietly(ctx context.Context, do func() error) error {
	var again [2][]string
	for i, d := range []*database{f.base, f.head} {
		off, on, err := d.watchers(ctx)
		if err != nil {
			return err
		}
		if err := d.exec(ctx, strings.Join(append(off, "SET statement_timeout = '3s'"), ";\n")); err != nil {
			return fmt.Errorf("switching off triggers on the scratch server: %w", err)
		}
		again[i] = on
	}
	if err := do(); err != nil {
		return err
	}
	for i, d := range []*database{f.base, f.head} {
		if err := d.exec(ctx, strings.Join(append(again[i], "SET statement_timeout = '60s'"), ";\n")); err != nil {
			return fmt.Errorf("switching triggers on again on the scratch server: %w", err)
		}
	}
	return nil
}

// watchers gives the statements that switch off what acts on rows that are written, and those that switch it on again.
func (d *database) watchers(ctx context.Context) (off, on []string, err error) {
	rows, err := d.query(ctx, `SET search_path = pg_catalog; SELECT * FROM (
		SELECT format('%I.%I', n.nspname, c.relname), 'TRIGGER ' || quote_ident(t.tgname), t.tgenabled::text
		FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace
		WHERE NOT t.tgisinternal AND t.tgenabled <> 'D' AND c.relkind IN ('r', 'p') AND `+ours("pg_class", "c.oid")+`
		UNION ALL SELECT format('%I.%I', n.nspname, c.relname), 'RULE ' || quote_ident(r.rulename), r.ev_enabled::text
		FROM pg_rewrite r JOIN pg_class c ON c.oid = r.ev_class JOIN pg_namespace n ON n.oid = c.relnamespace
		WHERE r.ev_enabled <> 'D' AND c.relkind IN ('r', 'p') AND `+ours("pg_class", "c.oid")+`
		UNION ALL SELECT format('%I.%I', n.nspname, c.relname), '', 'F' FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
		WHERE c.relforcerowsecurity AND c.relkind IN ('r', 'p') AND `+ours("pg_class", "c.oid")+`) x ORDER BY 1, 2`)
	if err != nil {
		return nil, nil, fmt.Errorf("reading the triggers of a scratch database: %w", err)
	}
	enable := map[string]string{"O": " ENABLE ", "R": " ENABLE REPLICA ", "A": " ENABLE ALWAYS "}
	for _, r := range rows {
		only := "ALTER TABLE ONLY " + r[0]
		if r[2] == "F" {
			off, on = append(off, only+" NO FORCE ROW LEVEL SECURITY"), append(on, only+" FORCE ROW LEVEL SECURITY")
			continue
		}
		off, on = append(off, only+" DISABLE "+r[1]), append(on, only+enable[r[2]]+r[1])
	}
	return append(off, "SET search_path = public"), on, nil
}

// raiseSequences takes every sequence of the base beyond what its tables hold, as if rows had been deleted.
func (f *filler) raiseSequences(ctx context.Context) error {
	var statements []string
	for _, q := range f.from.sequences {
		highest := q.start
		if t := f.from.byName[q.table]; t != nil {
			for _, r := range f.rows[t] {
				if n, ok := number(r[q.column]); ok && (n > highest) == (q.inc > 0) {
					highest = n
				}
			}
		}
		next := highest
		for range 7 {
			if n := next + q.inc; n <= q.max && n >= q.min {
				next = n
			}
		}
		f.at[q] = next
		statements = append(statements, fmt.Sprintf("SELECT pg_catalog.setval(%s, %d, false)", script.Literal(q.sql), next))
	}
	if len(statements) == 0 {
		return nil
	}
	if err := f.base.exec(ctx, strings.Join(statements, ";\n")); err != nil {
		return fmt.Errorf("raising the sequences of a scratch database: %w", err)
	}
	return nil
}

// keys gives the keys of a map in order.
func keys[V any](m map[string]V) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}
