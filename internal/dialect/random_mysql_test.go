package dialect_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/altergate/altergate/internal/dialect"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/source"
)

// TestRandomPairsMariaDB does for MariaDB what TestRandomPairs does for SQLite, on a real server: a plan that runs leads to the head and
// keeps the values, one that is all safe runs, one that fails does so because of the data, and in empty tables every plan runs. The
// plans are made without the product's own proof on the server, so that the planner is tested and not the net below it. -rapid.checks
// sets how many pairs are tried; with ALTERGATE_TEST_SHOW set, all failures are shown and not only the first.
func TestRandomPairsMariaDB(t *testing.T) {
	run := &myRun{newTally(t), startMyServer(t)}
	fewChecks(t, 30)
	rapid.Check(t, func(t *rapid.T) {
		base := drawMyWorld(t)
		e := &myEditor{t, base.clone()}
		for range rapid.IntRange(1, 6).Draw(t, "edits") {
			e.edit()
		}
		try(t, run.tally, &myPair{myRun: run, from: base, to: e.w, seed: rapid.Uint64().Draw(t, "seed")}, (*myPair).check)
	})
}

// TestDumpIsNoChangeMariaDB holds what a person wrote against what the server prints of it: nothing may differ, in either direction.
func TestDumpIsNoChangeMariaDB(t *testing.T) {
	run := &myRun{newTally(t), startMyServer(t)}
	fewChecks(t, 30)
	rapid.Check(t, func(t *rapid.T) {
		w := drawMyWorld(t)
		try(t, run.tally, &myPair{myRun: run, from: w, to: w}, (*myPair).checkDump)
	})
}

func (p *myPair) checkDump() error {
	if err := p.server.target.build(p.base); err != nil {
		p.invalid(strconv.Itoa(int(numberOf(err))), err, p.base)
		return nil
	}
	p.counts["pairs"]++
	dump, err := p.server.target.prints()
	if err != nil {
		return err
	}
	return errors.Join(noSteps(p, "written and then dumped", p.base, dump), noSteps(p, "dumped and then written", dump, p.base))
}

// myRun is a run of random pairs on a server.
type myRun struct {
	*tally
	server *myServer
}

// myPair is a base and a head under test.
type myPair struct {
	*myRun
	from, to *myWorld
	seed     uint64
	written
}

func (p *myPair) write() *myPair {
	p.base, p.head, p.hints = p.from.statements(), p.to.statements(), myHints(p.from, p.to)
	return p
}

// smaller makes pairs with one thing less, or with one that does not change.
func (p *myPair) smaller() []*myPair {
	var out []*myPair
	size := func(a, b *myWorld) int { return len(strings.Join(append(a.statements(), b.statements()...), "")) }
	add := func(change func(w *myWorld)) {
		q := &myPair{myRun: p.myRun, from: p.from.clone(), to: p.to.clone(), seed: p.seed}
		same := p.from == p.to
		for _, w := range []*myWorld{q.from, q.to} {
			change(w)
			for _, t := range w.tables {
				if len(t.columns) == 0 {
					return
				}
			}
			w.repair()
		}
		if same {
			q.to = q.from
		}
		if size(q.from, q.to) < size(p.from, p.to) {
			out = append(out, q)
		}
	}
	for _, n := range p.numbers() {
		add(func(w *myWorld) { w.remove(n) })
	}
	for _, t := range p.from.tables {
		for _, c := range t.columns {
			add(func(w *myWorld) {
				if t := w.table(t.id); t != nil {
					if c := t.column(c.id); c != nil {
						c.deflt, c.comment, c.stamps, c.invisible, c.computed, c.charset = "", "", false, false, "", ""
					}
				}
			})
		}
		add(func(w *myWorld) {
			if t := w.table(t.id); t != nil {
				t.comment, t.charset, t.format, t.partition = "", "", "", 0
			}
		})
	}
	return out
}

// numbers lists everything that can be taken away.
func (p *myPair) numbers() []int {
	seen := map[int]bool{}
	for _, w := range []*myWorld{p.from, p.to} {
		for _, t := range w.tables {
			seen[t.id] = true
			for _, c := range t.columns {
				seen[c.id] = true
			}
			for _, k := range t.keys {
				seen[k.id] = true
			}
			for _, f := range t.foreign {
				seen[f.id] = true
			}
			for _, k := range t.checks {
				seen[k.id] = true
			}
		}
		for _, g := range w.programs {
			seen[g.id] = true
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

func (w *myWorld) remove(n int) {
	w.tables = slices.DeleteFunc(w.tables, func(t *myTable) bool { return t.id == n })
	w.programs = slices.DeleteFunc(w.programs, func(p *myProgram) bool { return p.id == n })
	for _, t := range w.tables {
		t.columns = slices.DeleteFunc(t.columns, func(c *myColumn) bool { return c.id == n })
		t.keys = slices.DeleteFunc(t.keys, func(k *myKey) bool { return k.id == n })
		t.foreign = slices.DeleteFunc(t.foreign, func(f *myForeign) bool { return f.id == n })
		t.checks = slices.DeleteFunc(t.checks, func(k *myCheck) bool { return k.id == n })
	}
}

func (p *myPair) check() error {
	target := p.server.target
	if err := target.build(p.head); err != nil {
		p.invalid(strconv.Itoa(int(numberOf(err))), err, p.head)
		return nil
	}
	want, err := target.catalog()
	if err != nil {
		return err
	}
	for _, d := range []*myDatabase{p.server.filled, p.server.empty} {
		if err := d.build(p.base); err != nil {
			p.invalid(strconv.Itoa(int(numberOf(err))), err, p.base)
			return nil
		}
	}
	p.counts["pairs"]++
	base := p.base
	if p.seed%8 == 3 { // a base that was dumped and not written
		if base, err = p.server.empty.prints(); err != nil {
			return err
		}
	}
	made, err := p.made(p.review(base, p.head, p.hints))
	if made == nil {
		return err
	}
	if err := p.server.empty.run(made); err != nil {
		return failed(fmt.Sprintf("the plan fails in empty tables %d", numberOf(err)), "%s", err)
	}
	if err := p.arrived(p.server.empty, want, "in empty tables"); err != nil {
		return err
	}
	if err := p.runFilled(made, want); err != nil {
		return err
	}
	if err := noSteps(p, "the head itself", p.head, p.head); err != nil || p.seed%4 > 0 {
		return err
	}
	dump, err := p.server.empty.prints()
	if err != nil {
		return err
	}
	return noSteps(p, "a second plan", dump, p.head)
}

func (p *myPair) arrived(d *myDatabase, want []string, where string) error {
	got, err := d.catalog()
	if err != nil {
		return err
	}
	if diff := cmp.Diff(want, got); diff != "" {
		return failed("the plan does not lead to the head", "%s (-want +got)\n%s", where, diff)
	}
	return nil
}

// runFilled runs the plan where there are rows.
func (p *myPair) runFilled(made *plan.Plan, want []string) error {
	d := p.server.filled
	if err := d.fill(p.from, p.seed); err != nil {
		return fmt.Errorf("filling: %w", err)
	}
	kept, err := p.keeping(made)
	if err != nil {
		return err
	}
	if err := d.run(made); err != nil {
		if !slices.Contains(aboutRows, numberOf(err)) || made.Risk() == plan.Safe {
			return failed(fmt.Sprintf("the plan (%s) fails %d", made.Risk(), numberOf(err)), "%s", err)
		}
		p.counts["plans that the rows stop"]++
		return nil
	}
	if err := p.arrived(d, want, "in tables with rows"); err != nil {
		return err
	}
	return p.compareKept(kept)
}

// myKept is a table whose rows a plan must not change, with what was in it before.
type myKept struct {
	table, query string
	before       [][]string
}

// keeping reads the rows that the plan must keep: of each table that is in both, the columns that are in both. What the plan says it
// destroys is left out.
func (p *myPair) keeping(made *plan.Plan) ([]myKept, error) {
	destroyed := map[string]bool{}
	for _, s := range made.Steps {
		if s.Risk == plan.Destructive {
			destroyed[s.Object] = true
			if s.Kind == "drop_partition" { // which takes rows of the table with it
				destroyed[s.Object[:strings.LastIndex(s.Object, ".")]] = true
			}
		}
	}
	var out []myKept
	for _, t := range p.to.tables {
		was := p.from.table(t.id)
		if was == nil || destroyed[t.name] {
			continue
		}
		var before, after []string
		for _, c := range t.columns {
			old := was.column(c.id)
			if old == nil || c.computed != "" || destroyed[t.name+"."+c.name] || old.computed != "" && !old.stored || !old.notNull && c.auto {
				continue
			}
			before, after = append(before, readable(old)), append(after, readable(c))
		}
		if len(before) == 0 {
			continue
		}
		k := myKept{table: t.name, query: "SELECT " + strings.Join(after, ", ") + " FROM " + myQuote(t.name)}
		var err error
		if k.before, err = p.server.filled.rows("SELECT " + strings.Join(before, ", ") + " FROM " + myQuote(was.name)); err != nil {
			return nil, err
		}
		p.counts["rows"] += len(k.before)
		out = append(out, k)
	}
	return out, nil
}

// readable is a column as text.
func readable(c *myColumn) string {
	switch c.family() {
	case "bit":
		return myQuote(c.name) + " + 0"
	case "shape":
		return "ST_AsText(" + myQuote(c.name) + ")"
	}
	return myQuote(c.name)
}

// compareKept holds rows against what they were.
func (p *myPair) compareKept(kept []myKept) error {
	for _, k := range kept {
		after, err := p.server.filled.rows(k.query)
		if err != nil {
			return err
		}
		left := slices.Clone(after)
		for _, row := range k.before {
			i := slices.IndexFunc(left, func(other []string) bool { return slices.EqualFunc(row, other, sameValue) })
			if i < 0 {
				return failed("values were lost", "in %s %q is not there any more\n%s\nnow there is %q", k.table, row, k.query, after)
			}
			left = slices.Delete(left, i, i+1)
		}
		if len(left) > 0 {
			return failed("rows came", "into %s: %q", k.table, left)
		}
	}
	return nil
}

// sameValue tells whether a value is the same in a column of another type: numbers by what they are, times with or without a fraction
// of nothing, and bytes with or without the zeros that fill a column up.
func sameValue(before, after string) bool {
	if before == after || strings.TrimRight(before, "\x00") == strings.TrimRight(after, "\x00") {
		return true
	}
	x, one := new(big.Rat).SetString(before)
	y, other := new(big.Rat).SetString(after)
	if one && other {
		a, _ := strconv.ParseFloat(before, 64)
		b, _ := strconv.ParseFloat(after, 64)
		return x.Cmp(y) == 0 || float32(a) == float32(b) && strings.Contains(before, ".")
	}
	short := func(s string) string {
		if strings.Contains(s, ":") && strings.Contains(s, ".") {
			s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
		}
		return strings.TrimSuffix(s, " 00:00:00")
	}
	return short(before) == short(after)
}

func (p *myPair) review(base, head []string, hints []diff.Hint) dialect.Answer {
	text := func(statements []string) dialect.Text {
		// A body may hold semicolons, so every statement ends with another word.
		return dialect.Text{Files: []*source.File{{Path: "schema.sql", Text: "DELIMITER //\n" + strings.Join(statements, "\n//\n") + "\n//\n"}}}
	}
	return dialect.All["mariadb"](context.Background(), dialect.Question{Name: "main", Version: p.server.version, Base: text(base), Head: text(head), Hints: hints, Renames: diff.Allow})
}
