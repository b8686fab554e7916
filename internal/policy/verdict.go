package policy

import "github.com/altergate/altergate/internal/plan"

// Outcome is the answer to "may this be merged?".
type Outcome int

// The zero value blocks.
const (
	Blocked  Outcome = iota // no: steps wait for approval
	NoAnswer                // the question could not be answered
	Passed                  // yes: within policy, or approved
)

// String gives the word used in reports.
func (o Outcome) String() string {
	switch o {
	case Passed:
		return "passed"
	case NoAnswer:
		return "no answer"
	}
	return "blocked"
}

// Verdict is what policy says of all the plans together. The zero value blocks.
type Verdict struct {
	Outcome  Outcome
	MaxRisk  plan.Risk    // the ceiling the steps were held against
	Needing  []Need       // the steps that need an approval, in order
	Digest   string       // of these, over all schemas; 64 hex
	Blocking []*plan.Step // those of them that still wait for approval
	Needed   int          // people who must approve a step, the most that any step takes
	Missing  int          // people who must still approve a step, likewise
	Counted  []Approval   // in the order they were given
	Limits   []string     // of each that counts: why it does not for all the steps that it speaks of; empty if it does
	Rejected []Rejected   // in the order they were given
}

// Rejected is an approval that does not count.
type Rejected struct {
	Approval Approval
	Reason   string // a sentence without its full stop, for the pull request: "it was given for another plan"
}

// Exit is the verdict as an exit code: 0 yes, 1 could not answer, 2 no.
func (v Verdict) Exit() int {
	switch v.Outcome {
	case Passed:
		return 0
	case NoAnswer:
		return 1
	}
	return 2
}
