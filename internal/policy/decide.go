package policy

import (
	"cmp"
	"slices"

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
	b := OpenBallot(p, plans)
	v := Verdict{MaxRisk: p.MaxRisk, Needing: b.needs, Digest: b.digest, Needed: max(1, p.MinApprovals)}
	for _, a := range inOrder(approvals) {
		reason, limit := "there is no complete plan to approve", ""
		if answered {
			reason, limit = b.cast(a)
		}
		if reason == "" {
			v.Counted = append(v.Counted, a)
			v.Limits = append(v.Limits, limit)
		} else {
			v.Rejected = append(v.Rejected, Rejected{a, reason})
		}
	}
	for i, n := range b.needs {
		missing := 0
		for j, g := range n.Gates {
			v.Needed = max(v.Needed, g.People)
			missing = max(missing, g.People-len(b.voters[i][j]))
		}
		if missing > 0 {
			v.Blocking = append(v.Blocking, n.Step)
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

func inOrder(approvals []Approval) []Approval {
	sorted := slices.Clone(approvals)
	slices.SortStableFunc(sorted, func(a, b Approval) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.CommentID, b.CommentID))
	})
	return sorted
}
