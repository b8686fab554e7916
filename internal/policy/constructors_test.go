package policy_test

import (
	"slices"
	"time"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/policy"
	"github.com/altergate/altergate/internal/schema"
)

// The steps of the tests, and plans made of them.
var (
	add     = &plan.Step{ID: "aaaaaaaaaaaaaaaa", Identity: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", Risk: plan.Safe}
	tighten = &plan.Step{ID: "bbbbbbbbbbbbbbbb", Identity: "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb", Risk: plan.Review}
	drop    = &plan.Step{ID: "cccccccccccccccc", Identity: "cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc", Risk: plan.Destructive}
	wipe    = &plan.Step{ID: "dddddddddddddddd", Identity: "dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd", Risk: plan.Destructive}

	harmless = planOf(add, tighten)
	plan1    = planOf(add, tighten, drop)
	plan2    = planOf(add, tighten, drop, wipe)
)

func planOf(steps ...*plan.Step) *plan.Plan { return &plan.Plan{Steps: steps} }

// digest is what an approval of p is bound to under the default ceiling.
func digest(p *plan.Plan) string { return plan.Digest(p.Above(plan.Review)) }

// on gives a step on a table, for plans that protections are about.
func on(table string, s plan.Step) *plan.Step {
	s.Changes = []diff.Change{diff.DropColumn{Table: &schema.Table{Name: table}, Column: &schema.Column{Name: "c"}}}
	s.Kind, s.Object = "drop_column", table+".c"
	return &s
}

// given builds an approval, fact by fact.
type given policy.Approval

// by is an approval by someone of whom nothing is known, bound to nothing.
func by(login string) given { return given{Login: login, Risk: plan.Destructive} }

func (g given) write() given               { return g.role("write") }
func (g given) role(name string) given     { g.Role, g.Level = name, name; return g }
func (g given) team(names ...string) given { g.Teams = names; return g }
func (g given) owns(schema string) given   { return g.owner(schema, "") }
func (g given) owner(schema, not string) given {
	g.Owns = append(slices.Clone(g.Owns), policy.Ownership{Schema: schema, Not: not})
	return g
}
func (g given) on(p *plan.Plan) given     { g.Bound = digest(p); return g }
func (g given) typed(hex string) given    { g.Digest = hex; return g }
func (g given) steps(ids ...string) given { g.Steps = ids; return g }
func (g given) review() given             { g.Risk = plan.Review; return g }
func (g given) author() given             { g.Author = true; return g }
func (g given) commits() given            { g.CommitAuthor = true; return g }
func (g given) bot() given                { g.Bot = true; return g }
func (g given) edited() given             { g.Edited = true; return g }
func (g given) revoked() given            { g.Revoked = true; return g }
func (g given) id(user int64) given       { g.UserID = user; return g }
func (g given) barred(why string) given   { g.Barred = why; return g }
func (g given) at(second int64) given     { g.At = time.Unix(second, 0).UTC(); return g }

// testCase is a decision about plan1 under the default policy, unless it says otherwise.
type testCase struct {
	name      string
	policy    policy.Policy
	plans     []*plan.Plan
	approvals []given
	reasons   []string // of the rejected ones, in order
	limits    []string // of the counted ones that have one, in order
	blocking  []*plan.Step
	missing   int
}

func when(name string, approvals ...given) testCase {
	return testCase{name: name, policy: policy.Default(), plans: []*plan.Plan{plan1}, approvals: approvals}
}

// counts is a case in which the one approval is enough.
func counts(name string, g given) testCase { return when(name, g) }

// rejects is a case in which the one approval does not count.
func rejects(reason string, g given) testCase {
	return when(reason, g).rejecting(reason).waitsFor(1, drop)
}

func (c testCase) of(plans ...*plan.Plan) testCase       { c.plans = plans; return c }
func (c testCase) rejecting(reasons ...string) testCase  { c.reasons = reasons; return c }
func (c testCase) ceiling(r plan.Risk) testCase          { c.policy.MaxRisk = r; return c }
func (c testCase) needs(people int) testCase             { c.policy.MinApprovals = people; return c }
func (c testCase) authorMay() testCase                   { c.policy.AuthorMayApprove = true; return c }
func (c testCase) requireDigest() testCase               { c.policy.RequireDigest = true; return c }
func (c testCase) approvers(a policy.Approvers) testCase { c.policy.Approvers = a; return c }
func (c testCase) limited(limits ...string) testCase     { c.limits = limits; return c }
func (c testCase) protecting(p ...policy.Protection) testCase {
	c.policy.Protect = p
	return c
}

// waitsFor says which steps stay blocked, and how many people are missing.
func (c testCase) waitsFor(people int, steps ...*plan.Step) testCase {
	c.missing, c.blocking = people, steps
	return c
}

// facts are the approvals as Decide takes them, numbered in the order they were given.
func (c testCase) facts() []policy.Approval {
	var facts []policy.Approval
	for i, g := range c.approvals {
		g.CommentID = int64(i + 1)
		facts = append(facts, policy.Approval(g))
	}
	return facts
}
