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
	Revoked      bool // the same person took it back later

	// What its writer is now. It is found out only where something hangs on it (see Ballot.Asks); what is not known counts for nothing.
	Role   string      // in the repository: the name, a custom one too
	Level  string      // the same, with a custom role counted as the built-in one it extends
	Teams  []string    // org/team
	Owns   []Ownership // of the schemas that were asked about
	Barred string      // why they may approve nothing, as a clause: "has no access to the repository"
}

// Ownership is whether someone is code owner of all files of a schema that the pull request changes.
type Ownership struct {
	Schema string
	Not    string // why not, as a clause: "db/b.sql belongs to @bob"; empty = they are
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

// passes tells whether someone is among those whom a gate to a step of a schema asks for.
func (a Approval) passes(who Approvers, schema string) bool {
	switch {
	case a.Login == "" || a.Barred != "":
		return false
	case a.Role != "" && slices.Contains(who.Roles, a.Role) || a.Level != "" && slices.Contains(who.Roles, a.Level):
		return true
	case containsFold(who.Users, a.Login):
		return true
	case slices.ContainsFunc(who.Teams, func(team string) bool { return containsFold(a.Teams, team) }):
		return true
	}
	return who.CodeOwners && slices.Contains(a.Owns, Ownership{Schema: schema})
}

// shortOf says what someone lacks who does not pass a gate.
func (a Approval) shortOf(g Gate, schema string) string {
	takes := g.Approvers.takes()
	for _, o := range a.Owns {
		if g.Approvers.CodeOwners && o.Schema == schema && o.Not != "" {
			takes += "; " + o.Not
		}
	}
	switch {
	case a.Barred != "":
		return a.Barred
	case g.Demand > 0:
		return g.Kind + " " + g.Object + " is protected: " + takes
	case a.Role != "":
		return "has the role " + a.Role + ", and " + takes
	}
	return takes
}

// takes says what it takes to be one of them.
func (a Approvers) takes() string {
	var ways []string
	if len(a.Roles) > 0 {
		ways = append(ways, "the role "+strings.Join(a.Roles, ", "))
	}
	if len(a.Teams) > 0 {
		ways = append(ways, "the team "+strings.Join(a.Teams, ", "))
	}
	if len(a.Users) > 0 {
		ways = append(ways, "the name "+strings.Join(a.Users, ", "))
	}
	if a.CodeOwners {
		ways = append(ways, "a code owner of every changed file")
	}
	if len(ways) == 0 {
		return "the policy names nobody who may approve"
	}
	return "it takes " + strings.Join(ways, " or ")
}

func containsFold(list []string, word string) bool {
	return slices.ContainsFunc(list, func(s string) bool { return strings.EqualFold(s, word) })
}

// sameSigner tells whether two approvals may come from one person. One thing in common is enough: a renamed account keeps its ID.
func sameSigner(a, b Approval) bool {
	return a.UserID == b.UserID && a.UserID != 0 || strings.EqualFold(a.Login, b.Login)
}
