package mysql

import (
	"errors"
	"strings"
	"testing"

	"github.com/altergate/altergate/internal/dialect/mysql/server"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/source"
)

// told is what comes of two sides.
type told struct {
	steps   []*plan.Step
	notices []string // those that no side has when it is read alone
	err     error
}

func (o told) silent() bool { return len(o.steps) == 0 && len(o.notices) == 0 && o.err == nil }

// tell reads two sides, plans from the one to the other, and replays the plan.
func tell(t *testing.T, sv server.Server, base, head string) told {
	t.Helper()
	read := func(text string) (*Loaded, error) {
		return Read(t.Context(), sv, []*source.File{{Path: "schema.sql", Text: text}}, nil)
	}
	from, err := read(base)
	to, err2 := read(head)
	if err := errors.Join(err, err2); err != nil {
		return told{err: err}
	}
	d := Dialect{Oldest: sv, Newest: sv}
	if err := d.Align(t.Context(), "", from, from, to, diff.Renames{}); err != nil {
		return told{err: err}
	}
	p, notices, err := d.Planner(t.Context(), from, from, to, plan.Options{})
	if err != nil {
		return told{err: err}
	}
	out, err := plan.Build(plan.Input{Name: "main", From: from.Schema, To: to.Schema, Changes: diff.Schemas(from.Schema, to.Schema)}, p)
	if err != nil {
		return told{err: err}
	}
	if err := d.Replay(from, from, to, out.Steps); err != nil {
		t.Errorf("the plan does not lead to the head: %v\n%s\nfrom %s\nto   %s", err, sqlOf(out.Steps), base, head)
	}
	o := told{steps: out.Steps}
	for _, n := range append(append(append(from.told.Notices, to.told.Notices...), notices...), out.Notices...) {
		o.notices = append(o.notices, n.Text)
	}
	return o
}

// clauses are ways to write a part of an object, of which each means something else. In the frame, the part stands for §.
type clauses struct {
	name  string
	on    string // the one dialect that has them; empty = both
	frame string
	parts []string
}

// TestClauseAlone changes one clause of one object and nothing else, there and back. Each of the two sides alone is no difference from itself.
func TestClauseAlone(t *testing.T) {
	for _, dialect := range []string{MySQL, MariaDB} {
		version := map[string]string{MySQL: "9.4", MariaDB: "11.8"}[dialect]
		sv, err := server.Newest(dialect, version)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range allClauses {
			if c.on != "" && c.on != dialect {
				continue
			}
			t.Run(dialect+"/"+c.name, func(t *testing.T) {
				for i, a := range c.parts {
					one := strings.ReplaceAll(c.frame, "§", a)
					if o := tell(t, sv, one, one); o.err != nil || len(o.steps) > 0 {
						t.Errorf("not the same as itself: %v\n%s\n%s", o.err, one, sqlOf(o.steps))
						continue
					}
					for _, b := range c.parts[:i] {
						other := strings.ReplaceAll(c.frame, "§", b)
						for _, pair := range [][2]string{{one, other}, {other, one}} {
							o := tell(t, sv, pair[0], pair[1])
							if o.silent() {
								t.Errorf("silence:\n%s\n%s", pair[0], pair[1])
							}
						}
					}
				}
			})
		}
	}
}
