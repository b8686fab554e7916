package comment

import (
	"fmt"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/policy"
)

// digestShown is how much of a digest the approve line carries.
const digestShown = policy.MinDigest

// title is the verdict in one line.
func (p *page) title() string {
	steps := countRisks(p.allSteps())
	switch p.verdict.Outcome {
	case policy.Passed:
		switch {
		case steps.total() == 0:
			return "✅ No schema change"
		case len(p.verdict.Counted) > 0:
			return "✅ Approved: " + p.approved().String()
		}
		return "✅ Passed: " + steps.String()
	case policy.NoAnswer:
		if n := p.errorCount(); n > 0 {
			return "❗ No answer: " + count(n, "error")
		}
		return "❗ No answer"
	}
	if len(p.verdict.Blocking) == 0 {
		return "🛑 Blocked"
	}
	return "🛑 Approval needed: " + countRisks(p.verdict.Blocking).String()
}

// approved counts the steps that would have been blocked.
func (p *page) approved() risks {
	var n risks
	for _, need := range p.verdict.Needing {
		n.add(need.Step)
	}
	return n
}

// whatToDo is what follows from the verdict for the one who reads it.
func (p *page) whatToDo() string {
	switch p.verdict.Outcome {
	case policy.Passed:
		return p.nothingToDo()
	case policy.NoAnswer:
		return "This is neither a yes nor a no: not everything could be read and planned, so nothing passes, and approvals " +
			"do not help. Fix what is listed below and push again."
	}
	if len(p.verdict.Blocking) == 0 {
		return ""
	}
	blocking := countRisks(p.verdict.Blocking)
	return join(p.whoIsAsked(blocking), fmt.Sprintf("```\n%s\n```", p.approveLine(blocking)), p.whatItMeans(), p.whoProtects())
}

func (p *page) nothingToDo() string {
	switch {
	case len(p.allSteps()) == 0:
		return p.sameOnBothSides()
	case len(p.verdict.Counted) > 0:
		return "By " + list(codes(p.signers())) + ", for exactly these steps. A push that changes one of them needs a new approval."
	case len(p.report.Policy.Protect) > 0:
		return "No step is above " + Code(p.verdict.MaxRisk.String()) + ", or above " + Code(plan.Safe.String()) +
			" on a protected table, so none needs an approval."
	case p.verdict.MaxRisk == plan.Destructive:
		return "Policy lets every step pass without an approval."
	}
	return "No step is above " + Code(p.verdict.MaxRisk.String()) + ", so none needs an approval."
}

func (p *page) sameOnBothSides() string {
	var names []string
	for _, r := range p.report.Results {
		names = append(names, nameOf(r))
	}
	return "Base and head declare the same " + plural(len(names), "schema") + ": " + list(codes(names)) + "."
}

// whoIsAsked introduces the approve line.
func (p *page) whoIsAsked(blocking risks) string {
	var b strings.Builder
	if blocking[plan.Destructive] > 0 {
		b.WriteString("**Data can be lost.** ")
	}
	subject := fmt.Sprintf("the other %d", len(p.verdict.Blocking))
	if len(p.verdict.Blocking) == 1 {
		subject = "the other one"
	}
	fmt.Fprintf(&b, "Policy lets %s pass without approval. For %s, ", p.allowed(), subject)
	switch missing, needed := p.verdict.Missing, p.verdict.Needed; {
	case len(p.protections()) > 0:
		b.WriteString("those who may approve comment:")
	case needed <= 1:
		b.WriteString("someone who may approve comments:")
	case missing == needed:
		fmt.Fprintf(&b, "%d people who may approve must each comment:", needed)
	default:
		fmt.Fprintf(&b, "%d people must approve, and %d more must comment:", needed, missing)
	}
	return b.String()
}

// allowed are the steps that nobody has to approve.
func (p *page) allowed() string {
	ceiling := p.verdict.MaxRisk
	for _, n := range p.verdict.Needing {
		switch {
		case n.Above:
		case ceiling == plan.Destructive:
			return "safe steps, and others that touch no protected table,"
		default:
			return "safe steps, and review steps that touch no protected table,"
		}
	}
	if ceiling == plan.Safe {
		return "safe steps"
	}
	return "safe and review steps"
}

// approveLine is the command that approves everything which waits.
func (p *page) approveLine(blocking risks) string {
	risk := plan.Review
	if blocking[plan.Destructive] > 0 {
		risk = plan.Destructive
	}
	digest := p.verdict.Digest
	return fmt.Sprintf("/%s %s %s", Approve, risk, digest[:min(digestShown, len(digest))])
}

// whatItMeans says how far an approval reaches, and whose counts.
func (p *page) whatItMeans() string {
	meaning := "This approves exactly these steps. A push that leaves them as they are keeps the approval, one that changes them voids it. "
	if len(p.verdict.Blocking) > 1 && p.detail.sql != noStep {
		meaning += "To approve only some, give their ids, which are in the SQL below, instead of the digest. "
	}
	return meaning + p.whoMay()
}

// whoMay says who may approve the steps that wait and that no protection has a say in.
func (p *page) whoMay() string {
	says := p.report.Policy
	var may []string
	if len(p.protections()) == 0 || slices.ContainsFunc(p.verdict.Blocking, func(s *plan.Step) bool { return !p.needs[s].Protected() }) {
		if who := approversInWords(says.Approvers); who == "" {
			may = append(may, "Policy names nobody who may approve.")
		} else {
			may = append(may, "May approve: "+who+".")
		}
	}
	if !says.AuthorMayApprove && !slices.Contains(may, "Policy names nobody who may approve.") {
		not := "Not: the author of the pull request or of a commit in it."
		if len(may) == 0 {
			not = "The author of the pull request or of a commit in it may not approve."
		}
		may = append(may, not)
	}
	return strings.Join(may, " ")
}

// approversInWords names who may approve; nothing if that is nobody.
func approversInWords(approvers policy.Approvers) string {
	var who []string
	if len(approvers.Roles) > 0 {
		who = append(who, "role "+either(codes(approvers.Roles)))
	}
	if len(approvers.Teams) > 0 {
		who = append(who, "team "+either(codes(approvers.Teams)))
	}
	if len(approvers.Users) > 0 {
		who = append(who, either(codes(approvers.Users)))
	}
	if approvers.CodeOwners {
		who = append(who, "code owners of all changed files")
	}
	return strings.Join(who, ", ")
}

// signers are those whose approvals count, each once.
func (p *page) signers() []string {
	var logins []string
	for _, a := range p.verdict.Counted {
		if !slices.Contains(logins, a.Login) {
			logins = append(logins, a.Login)
		}
	}
	return logins
}
