package policy

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/plan"
)

// The length of a typed digest. Shorter ones could be found by trying, and 16 hex are a step's ID.
const (
	MinDigest = 24
	MaxDigest = 64
)

// Decide says whether plans may go ahead. answered tells that every question about every schema was answered; if not, or if
// there is no plan at all, the outcome is NoAnswer whatever people approved. The order of approvals does not matter.
func Decide(p Policy, plans []*plan.Plan, answered bool, approvals []Approval) Verdict {
	answered = answered && len(plans) > 0 && !slices.Contains(plans, nil)
	steps := stepsAbove(plans, p.MaxRisk)
	b := ballot{policy: p, steps: steps, digest: plan.Digest(steps), voters: make([][]Approval, len(steps))}
	v := Verdict{MaxRisk: p.MaxRisk, Digest: b.digest, Needed: max(1, p.MinApprovals)}
	for _, a := range inOrder(approvals) {
		reason := "there is no complete plan to approve"
		if answered {
			reason = b.cast(a)
		}
		if reason == "" {
			v.Counted = append(v.Counted, a)
		} else {
			v.Rejected = append(v.Rejected, Rejected{a, reason})
		}
	}
	for i, s := range steps {
		if missing := v.Needed - len(b.voters[i]); missing > 0 {
			v.Blocking = append(v.Blocking, s)
			v.Missing = max(v.Missing, missing)
		}
	}
	switch {
	case !answered:
		v.Outcome = NoAnswer
	case len(v.Blocking) == 0:
		v.Outcome = Passed
	}
	return v
}

func stepsAbove(plans []*plan.Plan, ceiling plan.Risk) []*plan.Step {
	var steps []*plan.Step
	for _, p := range plans {
		if p != nil {
			steps = append(steps, p.Above(ceiling)...)
		}
	}
	return steps
}

func inOrder(approvals []Approval) []Approval {
	sorted := slices.Clone(approvals)
	slices.SortStableFunc(sorted, func(a, b Approval) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.CommentID, b.CommentID))
	})
	return sorted
}

// ballot collects who approved which step.
type ballot struct {
	policy Policy
	steps  []*plan.Step // those that need approval
	digest string
	voters [][]Approval // of each step, one a person
}

// cast counts an approval, or says why it does not count.
func (b *ballot) cast(a Approval) string {
	if len(b.steps) == 0 {
		return "nothing in this plan needs an approval"
	}
	if reason := b.signer(a); reason != "" {
		return reason
	}
	if reason := b.subject(a); reason != "" {
		return reason
	}
	covered, added := false, false
	for i, s := range b.steps {
		if !a.covers(s) {
			continue
		}
		covered = true
		if !slices.ContainsFunc(b.voters[i], func(v Approval) bool { return sameSigner(v, a) }) {
			b.voters[i] = append(b.voters[i], a)
			added = true
		}
	}
	switch {
	case added:
		return ""
	case covered:
		return "the same person approved these steps before"
	case len(a.Steps) > 0:
		return fmt.Sprintf("it names no step of this plan that needs an approval for up to %s", a.Risk)
	}
	return fmt.Sprintf("it covers steps up to %s, and every step that needs an approval is above that", a.Risk)
}

// signer says why someone's approval does not count, or nothing.
func (b *ballot) signer(a Approval) string {
	switch {
	case a.Bot:
		return "it was given by a bot"
	case a.Login == "":
		return "it is not known who gave it"
	case a.Edited:
		return "the comment was edited after it was written"
	case a.Revoked:
		return "it was taken back"
	case a.Author && !b.policy.AuthorMayApprove:
		return "the author of the pull request may not approve it"
	case a.CommitAuthor && !b.policy.AuthorMayApprove:
		return "the author of a commit in the pull request may not approve it"
	case !a.Authorised && a.Why != "":
		return "not authorised: " + a.Why
	case !a.Authorised:
		return "not authorised"
	}
	return ""
}

// subject says why what was approved is not this plan, or nothing.
func (b *ballot) subject(a Approval) string {
	switch {
	case a.Digest != "" && !b.names(a.Digest):
		return "it was given for another plan"
	case !a.bare():
		return ""
	case b.policy.RequireDigest:
		return "the policy asks for the digest of the plan in the command"
	case a.Bound == "":
		return "no plan was published on this head before it was given"
	case a.Bound != b.digest:
		return "it was given for another plan"
	}
	return ""
}

// names tells whether a typed digest is this plan's.
func (b *ballot) names(typed string) bool {
	return len(typed) >= MinDigest && strings.HasPrefix(b.digest, strings.ToLower(typed))
}
