package policy

import "github.com/altergate/altergate/internal/plan"

// Outcome is the answer to "may this be merged?".
type Outcome int

// The zero value blocks.
const (
	Blocked  Outcome = iota // no: steps above the ceiling wait for approval
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
	Digest   string       // of the steps above the ceiling, over all schemas; 64 hex
	Blocking []*plan.Step // those of them that still wait for approval
	Needed   int          // people who must approve each step above the ceiling
	Missing  int          // people who must still approve before it passes
	Counted  []Approval   // in the order they were given
	Rejected []Rejected   // likewise
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
