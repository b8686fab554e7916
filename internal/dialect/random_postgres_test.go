package dialect_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/altergate/altergate/internal/dialect"
	"github.com/altergate/altergate/internal/dialect/postgres/postgrestest"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/source"
)

// TestRandomPairsPostgres does for PostgreSQL what TestRandomPairs does for SQLite, on a real server: a plan that runs leads to the
// head and keeps the values, one that is all safe runs, one that fails does so because of the data, and in empty tables every plan
// runs. The plans are made without the product's own proof on the server, so that the planner is tested and not the net below it.
// -rapid.checks sets how many pairs are tried; with ALTERGATE_TEST_SHOW set, all failures are shown and not only the first.
func TestRandomPairsPostgres(t *testing.T) {
	run := &sqlRun{newTally(t), startServer(t)}
	fewChecks(t, 30)
	rapid.Check(t, func(t *rapid.T) {
		base := drawSQLWorld(t)
		head := base.clone()
		e := &sqlEditor{t, head}
		for range rapid.IntRange(1, 6).Draw(t, "edits") {
			e.edit()
		}
		try(t, run.tally, &sqlPair{sqlRun: run, from: base, to: head, seed: rapid.Uint64().Draw(t, "seed")}, (*sqlPair).check)
	})
}

// TestDumpIsNoChange holds what a person wrote against pg_dump's text of the same: nothing may differ, in either direction.
func TestDumpIsNoChange(t *testing.T) {
	run := &sqlRun{newTally(t), startServer(t)}
	if !run.server.dumps {
		postgrestest.LeaveOut(t, "there is no pg_dump as new as the server")
	}
	fewChecks(t, 20)
	rapid.Check(t, func(t *rapid.T) {
		w := drawSQLWorld(t)
		try(t, run.tally, &sqlPair{sqlRun: run, from: w, to: w}, (*sqlPair).checkDump)
	})
}

func (p *sqlPair) checkDump() error {
	if err := p.server.target.build(p.base); err != nil {
		p.invalid(stateOf(err), err, p.base)
		return nil
	}
	p.counts["pairs"]++
	dump, err := p.server.target.dump()
	if err != nil {
		return err
	}
	return errors.Join(noSteps(p, "written and then dumped", p.base, []string{dump}), noSteps(p, "dumped and then written", []string{dump}, p.base))
}

// sqlRun is a run of random pairs on a server.
type sqlRun struct {
	*tally
	server *sqlServer
}

// sqlPair is a base and a head under test.
type sqlPair struct {
	*sqlRun
	from, to *sqlWorld
	seed     uint64
	written
	files       int
	headColumns map[string]*sqlStored
}

// write makes statements and hints of the two worlds.
func (p *sqlPair) write() *sqlPair {
	p.base, p.head, p.hints, p.files = p.from.statements(), p.to.statements(), hintsOf(p.from, p.to), p.from.file
	return p
}

// smaller makes pairs with one thing less, or with one that does not change.
func (p *sqlPair) smaller() []*sqlPair {
	var out []*sqlPair
	add := func(change func(q *sqlPair)) {
		q := &sqlPair{sqlRun: p.sqlRun, from: p.from.clone(), to: p.to.clone(), seed: p.seed}
		change(q)
		q.from.repair()
		q.to.repair()
		if len(q.from.things)+len(q.to.things) < len(p.from.things)+len(p.to.things) || !slices.Equal(q.write().head, p.head) {
			out = append(out, q)
		}
	}
	for _, th := range p.to.things {
		if p.from.find(th.id) == nil {
			add(func(q *sqlPair) { q.to.remove(q.to.find(th.id)) })
		}
	}
	for _, th := range p.from.things {
		add(func(q *sqlPair) {
			q.from.remove(q.from.find(th.id))
			if there := q.to.find(th.id); there != nil {
				q.to.remove(there)
			}
		})
	}
	for _, th := range p.from.things {
		if there := p.to.find(th.id); there != nil && fmt.Sprint(*there) != fmt.Sprint(*th) {
			add(func(q *sqlPair) { *q.to.find(th.id) = *p.from.clone().find(th.id) })
		}
	}
	return out
}

func (p *sqlPair) check() error {
	want, err := p.headCatalog()
	if err != nil || want == nil {
		return err
	}
	if err := both(func() error { return p.server.filled.build(p.base) }, func() error { return p.server.empty.build(p.base) }); err != nil {
		p.invalid(stateOf(err), err, p.base)
		return nil
	}
	p.counts["pairs"]++
	base := p.base
	if p.seed%8 == 3 && p.server.dumps { // a base that was dumped and not written
		dump, err := p.server.empty.dump()
		if err != nil {
			return err
		}
		base = []string{dump}
	}
	made, err := p.made(p.review(base, p.head, p.hints))
	if made == nil {
		return err
	}
	if err := p.server.filled.fill(p.from, p.seed); err != nil {
		return fmt.Errorf("filling: %w", err)
	}
	if err := both(func() error { return p.runFilled(made, want) }, func() error { return p.runEmpty(made, want) }); err != nil {
		return err
	}
	if err := noSteps(p, "the head itself", p.head, p.head); err != nil || p.seed%4 > 0 {
		return err
	}
	if err := p.shuffled(made); err != nil || !p.server.dumps {
		return err
	}
	return p.dumped()
}

// headCatalog builds the head, lists it, and leaves nothing behind.
func (p *sqlPair) headCatalog() ([]string, error) {
	target := p.server.target
	defer target.clear()
	if err := target.build(p.head); err != nil {
		p.invalid(stateOf(err), err, p.head)
		return nil, nil
	}
	out, err := target.catalog()
	if err != nil {
		return nil, err
	}
	p.headColumns, err = target.stored()
	return p.normal(out), err
}

// normal lets a table that was renamed be known by its new name where the server remembers the old one as an alias.
func (p *sqlPair) normal(catalog []string) []string {
	out := slices.Clone(catalog)
	for _, h := range p.hints {
		if h.Table != "" {
			continue
		}
		from, to := lastOf(h.From), lastOf(h.To)
		for i, s := range out {
			if strings.HasPrefix(s, "comment ") {
				continue
			}
			s = strings.ReplaceAll(s, "."+to+" "+from, "."+to)
			s = strings.ReplaceAll(s, "."+to+" "+to, "."+to)
			out[i] = strings.ReplaceAll(s, from+".", to+".")
		}
	}
	slices.Sort(out)
	return out
}

// lastOf gives the name without its schema that a report's name ends with, as SQL.
func lastOf(report string) string {
	if i := strings.LastIndex(report, `."`); i >= 0 && strings.HasSuffix(report, `"`) {
		return report[i+1:]
	}
	if strings.HasPrefix(report, `"`) {
		return report
	}
	return sqlQuote(report[strings.LastIndex(report, ".")+1:])
}

// runEmpty runs the plan where there are no rows: nothing excuses a failure.
func (p *sqlPair) runEmpty(made *plan.Plan, want []string) error {
	if err := p.server.empty.run(made); err != nil {
		return failed("the plan fails in empty tables "+stateOf(err), "%s", err)
	}
	return p.arrived(p.server.empty, want, "in empty tables")
}

func (p *sqlPair) arrived(d *sqlDatabase, want []string, where string) error {
	got, err := d.catalog()
	if err != nil {
		return err
	}
	if diff := cmp.Diff(want, p.normal(got)); diff != "" {
		return failed("the plan does not lead to the head", "%s (-want +got)\n%s", where, diff)
	}
	return nil
}

// run runs the plan's statements, one by one.
func (d *sqlDatabase) run(made *plan.Plan) error {
	for _, s := range made.Steps {
		for _, sql := range s.Statements() {
			if err := d.exec(sql); err != nil {
				return fmt.Errorf("%w in %s", err, sql)
			}
		}
	}
	return nil
}

// runFilled runs the plan where there are rows.
func (p *sqlPair) runFilled(made *plan.Plan, want []string) error {
	d := p.server.filled
	kept, err := p.keeping(made)
	if err != nil {
		return err
	}
	if err := d.run(made); err != nil {
		data := strings.HasPrefix(stateOf(err), "22") || strings.HasPrefix(stateOf(err), "23")
		if !data || made.Risk() == plan.Safe {
			return failed("the plan ("+made.Risk().String()+") fails "+stateOf(err), "%s", err)
		}
		p.counts["plans that the rows stop"]++
		return nil
	}
	if err := p.arrived(d, want, "in tables with rows"); err != nil {
		return err
	}
	return p.compareKept(kept)
}

// dumped plans from what the plan left to the head.
func (p *sqlPair) dumped() error {
	dump, err := p.server.empty.dump()
	if err != nil {
		return err
	}
	return noSteps(p, "a second plan", []string{dump}, p.head)
}

// shuffled makes the plan again from statements in another order.
func (p *sqlPair) shuffled(made *plan.Plan) error {
	if p.from.numbers() || p.to.numbers() {
		return nil
	}
	again := p.review(reversed(p.base), reversed(p.head), p.hints)
	if again.Plan == nil {
		return failed("no plan when declarations stand in another order", "%v", join(again.Errors))
	}
	if a, b := script(made), script(again.Plan); a != b {
		return failed("another plan when declarations stand in another order", "%s", cmp.Diff(a, b))
	}
	return nil
}

func (p *sqlPair) review(base, head []string, hints []diff.Hint) dialect.Answer {
	return dialect.All["postgres"](context.Background(), dialect.Question{Name: "main", Version: p.server.version, Base: p.text(base), Head: p.text(head), Hints: hints, Renames: diff.Allow})
}

// text spreads statements over files.
func (p *sqlPair) text(statements []string) dialect.Text {
	var files []*source.File
	n := max(1, (len(statements)+p.files-1)/p.files)
	for part := range slices.Chunk(statements, n) {
		files = append(files, &source.File{Path: fmt.Sprintf("schema/%d.sql", len(files)+1), Text: strings.Join(part, ";\n") + ";\n"})
	}
	return dialect.Text{Files: files}
}
