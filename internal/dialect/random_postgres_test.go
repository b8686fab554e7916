package dialect_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/altergate/altergate/internal/dialect"
	"github.com/altergate/altergate/internal/dialect/postgres/postgrestest"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/schema"
	"github.com/altergate/altergate/internal/source"
)

// TestRandomPairsPostgres does for PostgreSQL what TestRandomPairs does for SQLite, on a real server: a plan that runs leads to the
// head and keeps the values, one that is all safe runs, one that fails does so because of the data, and in empty tables every plan
// runs. The plans are made without the product's own proof on the server, so that the planner is tested and not the net below it.
// -rapid.checks sets how many pairs are tried; with ALTERGATE_TEST_SHOW set, all failures are shown and not only the first.
func TestRandomPairsPostgres(t *testing.T) {
	run := &sqlRun{server: startServer(t), counts: map[string]int{}}
	fewChecks(t, 30)
	t.Cleanup(func() { run.log(t) })
	rapid.Check(t, func(t *rapid.T) {
		base := drawSQLWorld(t)
		head := base.clone()
		e := &sqlEditor{t, head}
		for range rapid.IntRange(1, 6).Draw(t, "edits") {
			e.edit()
		}
		run.try(t, &sqlPair{sqlRun: run, from: base, to: head, seed: rapid.Uint64().Draw(t, "seed")}, (*sqlPair).check)
	})
}

// TestDumpIsNoChange holds what a person wrote against pg_dump's text of the same: nothing may differ, in either direction.
func TestDumpIsNoChange(t *testing.T) {
	run := &sqlRun{server: startServer(t), counts: map[string]int{}}
	if !run.server.dumps {
		postgrestest.LeaveOut(t, "there is no pg_dump as new as the server")
	}
	fewChecks(t, 20)
	t.Cleanup(func() { run.log(t) })
	rapid.Check(t, func(t *rapid.T) {
		w := drawSQLWorld(t)
		run.try(t, &sqlPair{sqlRun: run, from: w, to: w}, (*sqlPair).checkDump)
	})
}

func (p *sqlPair) checkDump() error {
	if err := p.server.target.build(p.base); err != nil {
		p.invalid(err, p.base)
		return nil
	}
	p.counts["pairs"]++
	dump, err := p.server.target.dump()
	if err != nil {
		return err
	}
	return errors.Join(p.noSteps("written and then dumped", p.base, []string{dump}), p.noSteps("dumped and then written", []string{dump}, p.base))
}

// checksAsked tells whether -rapid.checks was given; it looks once, before a test sets it.
var checksAsked = sync.OnceValue(func() bool {
	asked := false
	flag.Visit(func(f *flag.Flag) { asked = asked || f.Name == "rapid.checks" })
	return asked
})

// fewChecks lowers the number of checks, unless it was asked for.
func fewChecks(t *testing.T, n int) {
	setFlag(t, "rapid.shrinktime", "0s") // see smallest
	if checksAsked() {
		return
	}
	if testing.Short() {
		n /= 4
	}
	setFlag(t, "rapid.checks", fmt.Sprint(n))
}

func setFlag(t *testing.T, name, value string) {
	before := flag.Lookup(name).Value.String()
	flag.Set(name, value)
	t.Cleanup(func() { flag.Set(name, before) })
}

// sqlRun counts what became of the pairs.
type sqlRun struct {
	server   *sqlServer
	counts   map[string]int
	refusals map[string]int
	told     map[string]string // failures by what failed, since rapid runs it again
}

func (r *sqlRun) log(t *testing.T) {
	for _, k := range slices.Sorted(maps.Keys(r.counts)) {
		t.Logf("%5d %s", r.counts[k], k)
	}
	for _, k := range slices.Sorted(maps.Keys(r.refusals)) {
		t.Logf("refused %d: %s", r.refusals[k], k)
	}
	if n := r.counts["failures"]; n > 0 {
		t.Errorf("%d pairs failed", n)
	}
}

// invalid notes a random schema that the server refuses.
func (r *sqlRun) invalid(err error, statements []string) {
	r.counts["no schema: "+stateOf(err)]++
	if os.Getenv("ALTERGATE_TEST_SHOW") != "" {
		fmt.Printf("no schema: %v\n%s\n\n", err, strings.Join(statements, ";\n"))
	}
}

func (r *sqlRun) refused(errs []*schema.Error) {
	if r.refusals == nil {
		r.refusals = map[string]int{}
	}
	r.counts["refused"]++
	for _, e := range errs {
		r.refusals[string(e.Kind)+": "+e.Text]++
	}
}

// sqlPair is a base and a head under test.
type sqlPair struct {
	*sqlRun
	from, to    *sqlWorld
	seed        uint64
	base, head  []string
	hints       []diff.Hint
	files       int
	headColumns map[string]*sqlStored
}

// write makes statements and hints of the two worlds.
func (p *sqlPair) write() *sqlPair {
	p.base, p.head, p.hints, p.files = p.from.statements(), p.to.statements(), hintsOf(p.from, p.to), p.from.file
	return p
}

// failure is an error of a kind: smaller pairs are to fail with the same.
type failure struct{ kind, text string }

func (f *failure) Error() string { return f.kind + ": " + f.text }

func failed(kind, format string, args ...any) error {
	return &failure{kind, fmt.Sprintf(format, args...)}
}

func kindOf(err error) string {
	var f *failure
	if errors.As(err, &f) {
		return f.kind
	}
	return ""
}

// try checks a pair, and shows the smallest that fails alike where it fails.
func (r *sqlRun) try(t *rapid.T, p *sqlPair, check func(*sqlPair) error) {
	err := check(p.write())
	if err == nil {
		return
	}
	text := strings.Join(append(p.base, p.head...), ";")
	if r.told == nil {
		r.told = map[string]string{}
	}
	if r.told[text] == "" {
		small, err := p.smallest(err, check)
		r.told[text] = fmt.Sprintf("%v\n%s", err, small.show())
	}
	if os.Getenv("ALTERGATE_TEST_SHOW") != "" {
		fmt.Printf("FAILURE %s\n\n", r.told[text])
		r.counts["failures"]++
		return
	}
	t.Fatal(r.told[text])
}

// smallest takes away from both sides what the failure does not need. rapid shrinks what was drawn, and here each draw changes what the
// next ones mean, so it gets nowhere.
func (p *sqlPair) smallest(err error, check func(*sqlPair) error) (*sqlPair, error) {
	counts, refusals := maps.Clone(p.counts), maps.Clone(p.refusals)
	for again := true; again; {
		again = false
		for _, smaller := range p.smaller() {
			if e := check(smaller.write()); e != nil && kindOf(e) == kindOf(err) {
				p, err, again = smaller, e, true
				break
			}
		}
	}
	maps.Copy(p.counts, counts)
	p.refusals = refusals
	return p, err
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
		p.invalid(err, p.base)
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
	answer := p.review(base, p.head, p.hints)
	for _, e := range answer.Errors {
		if !slices.Contains([]schema.ErrorKind{schema.KindTransition, schema.KindUnsupported}, e.Kind) {
			return failed("no plan "+string(e.Kind), "%s", e)
		}
	}
	if answer.Plan == nil {
		p.refused(answer.Errors)
		return nil
	}
	made := answer.Plan
	p.counts["plans "+made.Risk().String()]++
	if len(made.Steps) == 0 {
		p.counts["plans without steps"]++
	}
	if err := p.server.filled.fill(p.from, p.seed); err != nil {
		return fmt.Errorf("filling: %w", err)
	}
	if err := both(func() error { return p.runFilled(made, want) }, func() error { return p.runEmpty(made, want) }); err != nil {
		return err
	}
	if err := p.noSteps("the head itself", p.head, p.head); err != nil || p.seed%4 > 0 {
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
		p.invalid(err, p.head)
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

// noSteps plans where nothing has to be done.
func (p *sqlPair) noSteps(what string, base, head []string) error {
	answer := p.review(base, head, nil)
	if answer.Plan == nil {
		return failed(what+" gives no plan", "%v", join(answer.Errors))
	}
	if len(answer.Plan.Steps) > 0 {
		return failed(what+" gives steps", "\n%s\n--- from:\n%s\n--- to:\n%s\n---", script(answer.Plan), strings.Join(base, ";\n"), strings.Join(head, ";\n"))
	}
	return nil
}

func join(errs []*schema.Error) error {
	var all []error
	for _, e := range errs {
		all = append(all, e)
	}
	return errors.Join(all...)
}

// dumped plans from what the plan left to the head.
func (p *sqlPair) dumped() error {
	dump, err := p.server.empty.dump()
	if err != nil {
		return err
	}
	return p.noSteps("a second plan", []string{dump}, p.head)
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

func (p *sqlPair) show() string {
	text := fmt.Sprintf("base:\n%s;\nhead:\n%s;\nhints: %q\n", strings.Join(p.base, ";\n"), strings.Join(p.head, ";\n"), p.hints)
	if answer := p.review(p.base, p.head, p.hints); answer.Plan != nil {
		text += "plan:\n" + script(answer.Plan)
	}
	return text
}
