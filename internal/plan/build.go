package plan

import (
	"fmt"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// Input is what a plan is made from.
type Input struct {
	Name    string         // of the schema in the configuration
	From    *schema.Schema // the base after its renames
	To      *schema.Schema // the head
	Renames diff.Renames
	Changes []diff.Change
	Hinting diff.Hinting // the form of hints that reviewers are shown
}

// Options are what a planner is told besides.
type Options struct {
	Version string // of the engine, empty = the oldest that the dialect plans for
	Plain   bool   // no online forms
	// Midway says that the head is in the middle of an author's migrations: what does not work there may work at their end.
	Midway bool
}

// Conversion is what a change of a column's type does to the values stored in it.
type Conversion int

// Unchanged: every value stays as it is. Converted: the engine may change or reject values. Checked: every value stays as it is, or stops
// the plan; it may be compared in another way.
const (
	Unchanged Conversion = iota
	Converted
	Checked
)

// Planner is what a dialect knows of plans.
type Planner interface {
	// Steps puts changes in an order that works and gives each its SQL. It leaves ID, Risk and Findings to Build.
	Steps(in Input) ([]*Step, []schema.Notice, error)
	// Converts says what becomes of values when a column's type changes, with the reason as a clause
	// ("integer affinity turns '007' into 7").
	Converts(from, to *schema.Column) (Conversion, string)
	// Total tells whether an expression gives a value for every row there can be, and never an error.
	Total(e schema.Expr) bool
	// Fills tells whether a column's default gives every row a value that the column takes, and never an error. A column that is not
	// Required takes NULL.
	Fills(c *schema.Column) bool
	// RowidName gives the column that names the table's rows for good, as INTEGER PRIMARY KEY does in SQLite, or nil.
	RowidName(t *schema.Table) *schema.Column
}

// Build makes the plan: the planner's steps, each judged by every rule.
func Build(in Input, p Planner) (*Plan, error) {
	steps, notices, err := p.Steps(in)
	if err != nil {
		return nil, err
	}
	out := Empty(in)
	out.Steps, out.PossibleRenames, out.Notices = steps, diff.PossibleRenames(in.Changes, in.Hinting), notices
	pass := &Pass{From: in.From, To: in.To, Planner: p}
	seen := map[string]bool{}
	for _, s := range steps {
		if err := pass.judge(s); err != nil {
			return nil, err
		}
		s.Identity = identify(out.Dialect, in.Name, s)
		s.ID = s.Identity[:16]
		if seen[s.ID] {
			return nil, fmt.Errorf("two steps are the same: %s %s", s.Kind, s.Object)
		}
		seen[s.ID] = true
	}
	out.Notices = append(out.Notices, lookalikes(in, steps)...)
	return out, nil
}

// Empty is a plan without steps.
func Empty(in Input) *Plan {
	return &Plan{Dialect: in.To.Dialect, Schema: in.Name, Parents: lineage(in.From, in.To)}
}

// Pass is what a rule may look at besides the change it judges.
type Pass struct {
	From, To *schema.Schema
	Planner  Planner
	Step     *Step
	first    bool // of the step's changes: what is true of the step as a whole is said of this one
}

// judge lets every rule look at every change of a step. A step that no rule knows is an error: silence is not safety.
func (p *Pass) judge(s *Step) error {
	p.Step = s
	for i, c := range Elements(s.Changes) {
		known := false
		p.first = i == 0
		for _, r := range Rules {
			found := r.Check(p, c)
			for i := range found {
				found[i].Rule = r.ID
			}
			known = known || len(found) > 0
			s.Findings = append(s.Findings, found...)
		}
		if !known {
			return fmt.Errorf("no rule judges %T in step %s %s", c, s.Kind, s.Object)
		}
	}
	for _, f := range s.Findings {
		s.Risk = max(s.Risk, f.Risk)
	}
	return nil
}

// Elements gives changes with those that a rebuild gathers, each behind its rebuild.
func Elements(changes []diff.Change) []diff.Change {
	var all []diff.Change
	for _, c := range changes {
		all = append(all, c)
		if r, ok := c.(diff.RebuildTable); ok {
			all = append(all, r.Changes...)
		}
	}
	return all
}
