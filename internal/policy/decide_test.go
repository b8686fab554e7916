package policy_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/policy"
)

const (
	anotherPlan = "it was given for another plan"
	writers     = "not authorised: it takes the role write, maintain, admin"
)

func TestDecide(t *testing.T) {
	full := digest(plan1)
	tests := []testCase{
		when("nothing above the ceiling").of(harmless),
		when("nothing above the ceiling, one plan of many").of(harmless, planOf(), planOf(add)),
		when("no approval").waitsFor(1, drop),
		when("everything is allowed").ceiling(plan.Destructive),
		when("nothing is allowed").ceiling(plan.Safe).waitsFor(1, tighten, drop),
		when("steps of all schemas wait together").of(plan1, harmless, planOf(wipe)).waitsFor(1, drop, wipe),

		counts("bare, bound to this plan", by("ann").write().on(plan1)),
		counts("the whole digest", by("ann").write().typed(full)),
		counts("24 hex of it", by("ann").write().typed(full[:24])),
		counts("in capitals", by("ann").write().typed(strings.ToUpper(full[:30]))),
		counts("typed, whatever was published last", by("ann").write().on(plan2).typed(full)),
		counts("typed where the policy asks for it", by("ann").write().typed(full)).requireDigest(),
		counts("a step by its ID", by("ann").write().steps(drop.ID)),
		counts("a step by its ID, where the policy asks for a digest", by("ann").write().steps(drop.ID)).requireDigest(),
		counts("one of the IDs is of a step that is gone", by("ann").write().steps("eeeeeeeeeeeeeeee", drop.ID)),
		counts("the author, who may", by("eve").write().on(plan1).author()).authorMay(),
		counts("the author of a commit, who may", by("eve").write().on(plan1).commits()).authorMay(),

		rejects("it was given by a bot", by("robot").write().on(plan1).bot()),
		rejects("it is not known who gave it", by("").write().on(plan1)),
		rejects("the comment was edited after it was written", by("ann").write().on(plan1).edited()),
		rejects("the comment was edited after it was written", by("ann").write().typed(full).edited()),
		rejects("it was taken back", by("ann").write().on(plan1).revoked()),
		rejects("the author of the pull request may not approve it", by("eve").write().on(plan1).author()),
		rejects("the author of a commit in the pull request may not approve it", by("eve").write().on(plan1).commits()),
		rejects(writers, by("joe").on(plan1)),
		rejects("not authorised: has the role triage, and it takes the role write, maintain, admin", by("joe").on(plan1).role("triage")),
		rejects("not authorised: has no access to the repository", by("joe").on(plan1).write().barred("has no access to the repository")),
		rejects(writers, by("eve").on(plan1).author()).authorMay(),
		rejects("no plan was published on this head before it was given", by("ann").write()),
		rejects(anotherPlan, by("ann").write().on(plan2)),
		rejects(anotherPlan, by("ann").write().on(harmless)),
		rejects(anotherPlan, by("ann").write().on(plan1).typed(digest(plan2))),
		rejects(anotherPlan, by("ann").write().on(plan1).typed(full[:23])),
		rejects(anotherPlan, by("ann").write().on(plan1).typed(full+"0")),
		rejects(anotherPlan, by("ann").write().on(plan1).typed(full[1:30])),
		rejects(anotherPlan, by("ann").write().steps(drop.ID).typed(digest(plan2))),
		rejects("the policy asks for the digest of the plan in the command", by("ann").write().on(plan1)).requireDigest(),
		rejects("it names no step of this plan that needs an approval for up to destructive", by("ann").write().on(plan1).steps(wipe.ID)),
		rejects("it names no step of this plan that needs an approval for up to destructive", by("ann").write().on(plan1).steps(tighten.ID)),
		rejects("it names no step of this plan that needs an approval for up to review", by("ann").write().steps(drop.ID).review()),
		rejects("it covers steps up to review, and every step that needs an approval is above that", by("ann").write().on(plan1).review()),

		when("an approval of nothing", given{Login: "ann", Role: "write", Bound: full}).
			rejecting("it covers steps up to safe, and every step that needs an approval is above that").waitsFor(1, drop),
		when("approvals of a plan that needs none", by("ann").write().on(plan1)).of(harmless).
			rejecting("nothing in this plan needs an approval"),
		when("a step was added since", by("ann").write().on(plan1)).of(plan2).rejecting(anotherPlan).waitsFor(1, drop, wipe),
		when("a step was added since to the one approved by ID", by("ann").write().steps(drop.ID)).of(plan2).waitsFor(1, wipe),
		when("a schema joined since", by("ann").write().on(plan1)).of(plan1, planOf(wipe)).rejecting(anotherPlan).waitsFor(1, drop, wipe),
		when("all steps by ID, by two people", by("ann").write().steps(drop.ID), by("bob").write().steps(wipe.ID)).of(plan2),
		when("the first is void, the second good", by("ann").write().on(plan2), by("ann").write().on(plan1)).rejecting(anotherPlan),

		when("one of two people", by("ann").write().on(plan1)).needs(2).waitsFor(1, drop),
		when("two of two people", by("ann").write().on(plan1), by("bob").write().typed(full)).needs(2),
		when("two people, not the same step", by("ann").write().steps(drop.ID), by("bob").write().steps(wipe.ID)).
			of(plan2).needs(2).waitsFor(1, drop, wipe),
		when("one step has both, the other one", by("ann").write().on(plan2), by("bob").write().steps(wipe.ID)).
			of(plan2).needs(2).waitsFor(1, drop),
		when("three people are needed", by("ann").write().on(plan1)).needs(3).waitsFor(2, drop),
		when("the same person twice", by("ann").write().on(plan1), by("Ann").write().typed(full)).needs(2).
			rejecting("the same person approved these steps before").waitsFor(1, drop),
		when("the same person after a change of name", by("ann").id(7).write().on(plan1), by("anna").id(7).write().typed(full)).needs(2).
			rejecting("the same person approved these steps before").waitsFor(1, drop),
		when("the same person, step by step", by("ann").write().steps(drop.ID), by("ann").write().steps(wipe.ID)).of(plan2),
		when("zero people needed is one").needs(0).waitsFor(1, drop),
		when("fewer than zero is one").needs(-3).waitsFor(1, drop),
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.check(t)
		})
	}
}

// check holds Decide to what a case wants.
func (c testCase) check(t *testing.T) {
	t.Helper()
	got := policy.Decide(c.policy, c.plans, true, c.facts())
	var reasons []string
	for _, r := range got.Rejected {
		reasons = append(reasons, r.Reason)
	}
	if diff := cmp.Diff(c.reasons, reasons); diff != "" {
		t.Errorf("reasons (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(c.blocking, got.Blocking); diff != "" {
		t.Errorf("blocking (-want +got):\n%s", diff)
	}
	if got.Missing != c.missing {
		t.Errorf("%d people are missing, want %d", got.Missing, c.missing)
	}
	if passed := got.Outcome == policy.Passed; passed != (len(c.blocking) == 0) {
		t.Errorf("the outcome is %s with %d steps blocking", got.Outcome, len(c.blocking))
	}
	if heard := len(got.Counted) + len(got.Rejected); heard != len(c.approvals) {
		t.Errorf("%d approvals were judged, want %d", heard, len(c.approvals))
	}
	var limits []string
	for _, limit := range got.Limits {
		if limit != "" {
			limits = append(limits, limit)
		}
	}
	if diff := cmp.Diff(c.limits, limits); diff != "" || len(got.Limits) != len(got.Counted) {
		t.Errorf("%d limits of %d that count (-want +got):\n%s", len(got.Limits), len(got.Counted), diff)
	}
}

func TestReviewCommandCoversReviewSteps(t *testing.T) {
	p := policy.Default()
	p.MaxRisk = plan.Safe
	g := by("ann").write().review()
	g.Bound = plan.Digest([]*plan.Step{tighten, drop})
	got := policy.Decide(p, []*plan.Plan{plan1}, true, []policy.Approval{policy.Approval(g)})
	if diff := cmp.Diff([]*plan.Step{drop}, got.Blocking); diff != "" {
		t.Errorf("blocking (-want +got):\n%s", diff)
	}
}

func TestWithoutAnAnswerNothingPasses(t *testing.T) {
	approvals := []policy.Approval{policy.Approval(by("ann").write().on(plan1))}
	tests := []struct {
		name     string
		plans    []*plan.Plan
		answered bool
	}{
		{"a schema could not be answered", []*plan.Plan{plan1}, false},
		{"what is known is within policy", []*plan.Plan{harmless}, false},
		{"no plan at all", nil, true},
		{"a plan is missing", []*plan.Plan{plan1, nil}, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := policy.Decide(policy.Default(), test.plans, test.answered, approvals)
			if got.Outcome != policy.NoAnswer || got.Exit() != 1 {
				t.Errorf("the outcome is %s, exit %d", got.Outcome, got.Exit())
			}
			want := []policy.Rejected{{Approval: approvals[0], Reason: "there is no complete plan to approve"}}
			if diff := cmp.Diff(want, got.Rejected); diff != "" {
				t.Errorf("rejected (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDigestIsOfTheStepsAboveTheCeilingOfAllSchemas(t *testing.T) {
	want := plan.Digest([]*plan.Step{wipe, drop})
	if got := policy.Decide(policy.Default(), []*plan.Plan{plan1, harmless, planOf(add, wipe)}, true, nil).Digest; got != want {
		t.Errorf("the digest is %s, want %s", got, want)
	}
}

func TestVerdictExit(t *testing.T) {
	exits := map[policy.Outcome]int{policy.Passed: 0, policy.NoAnswer: 1, policy.Blocked: 2, policy.Outcome(99): 2}
	for outcome, want := range exits {
		if got := (policy.Verdict{Outcome: outcome}).Exit(); got != want {
			t.Errorf("exit of %s is %d, want %d", outcome, got, want)
		}
	}
	if got := (policy.Verdict{}).Outcome; got != policy.Blocked {
		t.Errorf("a verdict that nobody made is %s", got)
	}
}

// The order in which approvals are handed over shows nowhere, and an approval more never blocks what passed.
func TestDecideIgnoresOrder(t *testing.T) {
	full := digest(plan2)
	pool := []given{
		by("ann").write().on(plan2).at(1), by("ann").write().typed(full).at(2), by("bob").write().steps(drop.ID).at(3),
		by("bob").write().steps(wipe.ID).at(4), by("cat").write().on(plan1).at(5), by("dan").write().on(plan2).edited().at(6),
		by("eve").write().on(plan2).author().at(7), by("fay").on(plan2).at(8), by("gil").write().on(plan2).at(9),
	}
	rapid.Check(t, func(t *rapid.T) {
		c := when("any", rapid.SliceOfDistinct(rapid.SampledFrom(pool), func(g given) int64 { return g.At.Unix() }).Draw(t, "approvals")...).
			of(plan2).needs(rapid.IntRange(0, 3).Draw(t, "needed"))
		slices.SortFunc(c.approvals, func(a, b given) int { return a.At.Compare(b.At) })
		facts := c.facts()
		want := policy.Decide(c.policy, c.plans, true, facts)
		got := policy.Decide(c.policy, c.plans, true, rapid.Permutation(facts).Draw(t, "order"))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("another order, another verdict (-want +got):\n%s", diff)
		}
		if len(facts) > 0 && policy.Decide(c.policy, c.plans, true, facts[1:]).Outcome == policy.Passed && got.Outcome != policy.Passed {
			t.Fatalf("one approval more blocks")
		}
	})
}
