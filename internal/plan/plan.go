// Package plan puts changes in order and says of each step what it does, how risky it is and why. It renders no SQL itself and
// runs none: a dialect's Planner gives the statements, and internal/proof runs them.
package plan

import (
	"fmt"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// Risk is what a step can do to the data and to those who use it. The values are ordered.
type Risk int

// Safe loses nothing and breaks no one; Review can fail on existing data, block or change behaviour; Destructive can lose data.
const (
	Safe Risk = iota
	Review
	Destructive
)

// String gives the word used in reports, configuration and commands.
func (r Risk) String() string {
	switch r {
	case Safe:
		return "safe"
	case Review:
		return "review"
	case Destructive:
		return "destructive"
	}
	return fmt.Sprintf("risk(%d)", int(r))
}

// ParseRisk reads one of the three words, in lower case.
func ParseRisk(word string) (Risk, error) {
	for _, r := range []Risk{Safe, Review, Destructive} {
		if r.String() == word {
			return r, nil
		}
	}
	return Destructive, fmt.Errorf("unknown risk %q: it is safe, review or destructive", word)
}

// Finding is what a rule says of a step.
type Finding struct {
	Rule string // the rule's ID
	Risk Risk
	Text string // one sentence for the reviewer
	Side schema.Side
	Pos  schema.Pos // where the object was written, on Side
}

// Lock is what a step keeps others from doing while it runs.
type Lock struct {
	Level   string // the engine's own word
	Blocks  string // "reads and writes", "writes", "nothing"
	Rewrite bool   // the table's rows are all written again
	Scan    bool   // the table's rows are all read
}

// Step is a change in its place.
type Step struct {
	Identity string // 64 hex, see Digest
	ID       string // the first 16 hex of Identity, for people
	Kind     string // create_table, add_column, rebuild_table, …
	Object   string // as the dialect folds it; a column, constraint, index or trigger is table.name
	From     string // a rename's old name, else empty
	Changes  []diff.Change
	Risk     Risk // the highest of the findings
	Findings []Finding
	SQL      []string
	// Before and After frame the plan (transaction, pragmas, checks). They hang on the first and last steps, and are not part
	// of a step's identity: a step approved yesterday is the same step when another one joins the plan.
	Before, After []string
	Old, New      string // definitions, for the identity
	Transaction   bool
	Lock          Lock
	// Authored says that the SQL is an author's and not rendered; Enforced, of such a step on SQLite, that foreign keys act while it runs.
	Authored, Enforced bool
	Pos                schema.Pos // of an authored step: where it is written, in the head
}

// Statements returns everything to run for the step, in order.
func (s *Step) Statements() []string {
	all := append([]string{}, s.Before...)
	return append(append(all, s.SQL...), s.After...)
}

// Plan is the way from a base to a head.
type Plan struct {
	Dialect         string
	Schema          string // its name in the configuration
	Steps           []*Step
	PossibleRenames []diff.PossibleRename
	Notices         []schema.Notice
	// Parents are the tables that a table is a partition or an heir of, at the base or at the head: their rows are the same ones.
	Parents map[string][]string
}

// Risk is the highest risk of the steps; an empty plan is Safe.
func (p *Plan) Risk() Risk {
	highest := Safe
	for _, s := range p.Steps {
		highest = max(highest, s.Risk)
	}
	return highest
}

// Above returns the steps whose risk is above a ceiling, in order.
func (p *Plan) Above(ceiling Risk) []*Step {
	var above []*Step
	for _, s := range p.Steps {
		if s.Risk > ceiling {
			above = append(above, s)
		}
	}
	return above
}
