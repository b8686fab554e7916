package policy

import (
	"slices"
	"strings"
	"time"

	"github.com/altergate/altergate/internal/plan"
)

// Approval is one `/approve` of one comment: what it says, and what is known of who wrote it. All of it is plain fact;
// whether it counts is for Decide alone. The zero value approves nothing.
type Approval struct {
	Login     string
	UserID    int64
	CommentID int64
	URL       string    // of the comment
	At        time.Time // when it was given; used for order and display only

	Risk   plan.Risk // the word approved: Review or Destructive; Safe covers no step
	Digest string    // as typed, 24 to 64 hex; empty in the other two forms
	Steps  []string  // IDs as typed, 16 hex each; empty when the whole plan is meant
	Bound  string    // what the bare form is bound to: the digest of the last plan our own status published on this head before the comment

	Edited       bool // the comment is not what was first written
	Author       bool // of the pull request
	CommitAuthor bool // of a commit in it
	Bot          bool
	Authorised   bool   // may approve, as of now
	Why          string // why not authorised, as a clause: "has the role triage, and write is needed"
	Revoked      bool   // the same person took it back later
}

// bare tells whether the approval names neither a plan nor steps.
func (a Approval) bare() bool { return a.Digest == "" && len(a.Steps) == 0 }

// covers tells whether a step is among those the approval speaks of.
func (a Approval) covers(s *plan.Step) bool {
	if s.Risk > a.Risk {
		return false
	}
	return len(a.Steps) == 0 || slices.ContainsFunc(a.Steps, func(id string) bool { return strings.EqualFold(id, s.ID) })
}

// sameSigner tells whether two approvals may come from one person. One thing in common is enough: a renamed account keeps its ID.
func sameSigner(a, b Approval) bool {
	return a.UserID == b.UserID && a.UserID != 0 || strings.EqualFold(a.Login, b.Login)
}
