package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/plan"
)

// Ballot collects who approved which step.
type Ballot struct {
	policy Policy
	needs  []Need
	digest string
	voters [][][]Approval // of each gate of each need, one a person
}

// OpenBallot makes the ballot of some plans.
func OpenBallot(p Policy, plans []*plan.Plan) *Ballot {
	b := &Ballot{policy: p, needs: Needing(p, plans)}
	b.digest = Digest(b.needs)
	for _, n := range b.needs {
		b.voters = append(b.voters, make([][]Approval, len(n.Gates)))
	}
	return b
}

// Question is a demand that an approval could meet, if its writer is one of the approvers.
type Question struct {
	Schema    string
	Approvers Approvers
}

// Met tells whether what is known of a writer is enough, so that no more has to be found out.
func (q Question) Met(a Approval) bool { return a.passes(q.Approvers, q.Schema) }

// Asks gives what has to be found out of an approval's writer, each question once. There is none if the approval does not count whoever
// wrote it.
func (b *Ballot) Asks(a Approval) []Question {
	if b.objection(a) != "" {
		return nil
	}
	type demand struct {
		schema string
		gate   int
	}
	var questions []Question
	asked := map[demand]bool{}
	for _, n := range b.needs {
		if !a.covers(n.Step) {
			continue
		}
		for _, g := range n.Gates {
			if d := (demand{n.Schema, g.Demand}); !asked[d] {
				asked[d] = true
				questions = append(questions, Question{n.Schema, g.Approvers})
			}
		}
	}
	return questions
}

// cast counts an approval, or says why it does not count. If it counts for some of the steps that it speaks of and not for others, the
// limit says why not.
func (b *Ballot) cast(a Approval) (reason, limit string) {
	if reason := b.objection(a); reason != "" {
		return reason, ""
	}
	admitted, added := false, false
	for i, n := range b.needs {
		if !a.covers(n.Step) {
			continue
		}
		for j, g := range n.Gates {
			switch {
			case !a.passes(g.Approvers, n.Schema):
				if limit == "" {
					limit = a.shortOf(g, n.Schema)
				}
				continue
			case !slices.ContainsFunc(b.voters[i][j], func(v Approval) bool { return sameSigner(v, a) }):
				b.voters[i][j] = append(b.voters[i][j], a)
				added = true
			}
			admitted = true
		}
	}
	switch {
	case added:
		return "", limit
	case admitted:
		return "the same person approved these steps before", ""
	}
	return "not authorised: " + limit, ""
}

// objection says why an approval does not count, whoever may approve; or nothing.
func (b *Ballot) objection(a Approval) string {
	if len(b.needs) == 0 {
		return "nothing in this plan needs an approval"
	}
	if reason := b.signer(a); reason != "" {
		return reason
	}
	if reason := b.subject(a); reason != "" {
		return reason
	}
	switch {
	case slices.ContainsFunc(b.needs, func(n Need) bool { return a.covers(n.Step) }):
		return ""
	case len(a.Steps) > 0:
		return fmt.Sprintf("it names no step of this plan that needs an approval for up to %s", a.Risk)
	}
	return fmt.Sprintf("it covers steps up to %s, and every step that needs an approval is above that", a.Risk)
}

// signer says why someone's approval does not count, or nothing.
func (b *Ballot) signer(a Approval) string {
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
	}
	return ""
}

// subject says why what was approved is not this plan, or nothing.
func (b *Ballot) subject(a Approval) string {
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
func (b *Ballot) names(typed string) bool {
	return len(typed) >= MinDigest && strings.HasPrefix(b.digest, strings.ToLower(typed))
}
