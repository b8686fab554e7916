package scratch

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/altergate/altergate/internal/proof"
	"github.com/altergate/altergate/internal/proof/rows"
	"github.com/altergate/altergate/internal/schema"
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
	defer s.drop(ctx)
	name := "mysql"
	if s.is.MariaDB {
		name = "mariadb"
	}
	result := &proof.Engine{Name: name, Version: s.version}
	p := &prover{server: s, in: in, want: flavour{in.Server}, result: result, left: leftOut{}}
	err = p.run(ctx)
	result.LeftOut = append(p.left.clauses(), result.LeftOut...)
	return result.Ended(ctx, err)
}

// prover is one proof.
type prover struct {
	server *server
	in     Input
	want   flavour
	result *proof.Engine
	left   leftOut
}

func (p *prover) run(ctx context.Context) error {
	base, err := p.server.newDatabases(ctx, schema.Base, p.in)
	if err != nil {
		return err
	}
	defer base.conn.Close()
	head, err := p.server.newDatabases(ctx, schema.Head, p.in)
	if err != nil {
		return err
	}
	defer head.conn.Close()
	if p.want.known() && p.want.MariaDB != p.server.is.MariaDB {
		p.result.LeftOut = append(p.result.LeftOut, fmt.Sprintf("the plan is meant for %s %d.%d, and %s ran it", p.want.Name(), p.want.Major, p.want.Minor, p.server.is.Name()))
	}
	f, was, err := p.prepare(ctx, base, head)
	if err != nil {
		return err
	}
	if err := p.apply(ctx, base); err != nil {
		return err
	}
	if err := sameCatalogs(ctx, base, head); err != nil {
		return err
	}
	return f.compare(ctx, was, p.in.Steps)
}

// prepare builds both sides, and puts rows into them.
func (p *prover) prepare(ctx context.Context, base, head *databases) (*filler, before, error) {
	builders, err := p.build(ctx, base, head)
	if err != nil {
		return nil, before{}, err
	}
	var sides [2]*tables
	for i, d := range []*databases{base, head} {
		if sides[i], err = d.tables(ctx); err != nil {
			return nil, before{}, err
		}
	}
	f := newFiller(base, head, sides[0], sides[1], p.in)
	if err := f.fill(ctx, p.in.Steps); err != nil {
		return nil, before{}, err
	}
	p.result.Rows, p.result.Empty = f.count, f.empty
	if f.unfilled > 0 {
		p.result.LeftOut = append(p.result.LeftOut, fmt.Sprintf("%s held no rows: at most %d are filled", proof.Count(f.unfilled, "table"), rows.MostTables))
	}
	if err := f.raise(ctx); err != nil {
		return nil, before{}, err
	}
	for _, b := range builders {
		if err := b.finish(ctx); err != nil {
			return nil, before{}, err
		}
	}
	was, err := f.remember(ctx)
	return f, was, err
}

// build makes both sides at the same time.
func (p *prover) build(ctx context.Context, base, head *databases) ([]*builder, error) {
	sides := []struct {
		name  schema.Side
		db    *databases
		given Side
		left  leftOut
	}{{schema.Base, base, p.in.Base, leftOut{}}, {schema.Head, head, p.in.Head, leftOut{}}}
	builders, errs := make([]*builder, len(sides)), make([]error, len(sides))
	var wait sync.WaitGroup
	for i, s := range sides {
		wait.Go(func() { builders[i], errs[i] = s.db.build(ctx, s.name, s.given, p.want, s.left) })
	}
	wait.Wait()
	for _, s := range sides {
		p.left.addAll(s.left)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return builders, nil
}

// apply runs the plan in a new session's state, as a client that stops at the first error does.
func (p *prover) apply(ctx context.Context, db *databases) error {
	if err := p.server.begin(ctx, db.session); err != nil {
		return err
	}
	db.mode = mode{}
	for i, step := range p.in.Steps {
		for _, text := range step.Statements() {
			if err := p.statement(ctx, db, text); err != nil {
				if answer := answerOf(err); answer != nil {
					return fmt.Errorf("%s fails on %s with rows in the tables: %s, in %s", proof.StepName(i, step), p.server.is, db.message(answer), proof.Excerpt(text))
				}
				return err
			}
		}
	}
	return p.server.begin(ctx, db.session)
}

// statement runs one statement of the plan.
func (p *prover) statement(ctx context.Context, db *databases, text string) error {
	ts := tokens(text, db.mode)
	if len(ts) > 0 && ts[len(ts)-1].text == ";" {
		text, ts = text[:ts[len(ts)-1].from], ts[:len(ts)-1]
	}
	what, err := p.server.what(ts, text, true)
	if err != nil {
		return err
	}
	if why := p.server.reachesOut(ts, db.named); why != "" {
		return &proof.Unfit{Reason: why}
	}
	if what == "set" {
		if text = assignments(text, ts, true, p.server.standard); text == "" {
			return nil
		}
		if err := db.exec(ctx, text); err != nil {
			return p.unlike(err)
		}
		return db.readMode(ctx)
	}
	if strings.HasSuffix(what, " event") && p.server.schedules {
		p.left.add(events, text)
		return nil
	}
	run, _, err := db.mapped(text, ts)
	if err != nil {
		return err
	}
	if run, err = p.server.withCollations(run, db.mode, p.want, p.left); err != nil {
		return err
	}
	err = db.exec(ctx, run)
	answer := answerOf(err)
	switch {
	case answer == nil:
		return err
	case (answer.Number == 1227 || answer.Number == 4165) && db.definer(run) != run:
		p.left.add(definers, text)
		return db.exec(ctx, db.definer(run))
	case isAlgorithm(answer.Number) && p.want.beyond(p.server.is) && withoutAlgorithm(run, db.mode) != run:
		p.left.add(algorithms, text)
		return p.unlike(db.exec(ctx, withoutAlgorithm(run, db.mode)))
	}
	return p.unlike(err)
}

// unlike excuses what a server of another kind or an older version does not know.
func (p *prover) unlike(err error) error {
	answer := answerOf(err)
	if answer == nil || !p.want.beyond(p.server.is) {
		return err
	}
	switch answer.Number {
	case 1064, 1193, 1273, 1115, 1235, 1286, 1800, 1845, 1846: // syntax, variable, collation, character set, not yet, engine, algorithm
		return &proof.Unfit{Reason: fmt.Sprintf("the scratch server, %s, does not take what the plan has for %s: %s", p.server.is, p.want, proof.Excerpt(answer.Message))}
	}
	return err
}

// isAlgorithm tells whether a refusal is about ALGORITHM or LOCK.
func isAlgorithm(number uint16) bool {
	return number == 1845 || number == 1846 || number == 1800 || number == 1801 || number == 1064
}

// withoutAlgorithm takes ALGORITHM = … and LOCK = … out of an ALTER or a CREATE INDEX.
func withoutAlgorithm(text string, m mode) string {
	ts := tokens(text, m)
	if len(ts) > 3 && ts[0].is("create", "alter") && ts[1].is("algorithm", "or", "definer", "view") {
		return text // a view's
	}
	for i := len(ts) - 1; i >= 0; i-- {
		if !ts[i].is("algorithm", "lock") {
			continue
		}
		from, value := ts[i].from, i+1
		if value < len(ts) && ts[value].text == "=" {
			value++
		}
		if value >= len(ts) || !ts[value].is("default", "inplace", "copy", "instant", "nocopy", "none", "shared", "exclusive") {
			continue
		}
		to := ts[value].to
		switch {
		case i > 0 && ts[i-1].text == ",":
			from = ts[i-1].from
		case value+1 < len(ts) && ts[value+1].text == ",":
			to = ts[value+1].to
		}
		text = text[:from] + text[to:]
	}
	return text
}
