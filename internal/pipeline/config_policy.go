package pipeline

import (
	"fmt"
	"math"
	"strings"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/policy"
)

// policy turns what is written of the policy into what it means.
func (c *checker) policy(f policyFile, p *policy.Policy) {
	if f.MaxRisk != nil {
		risk, err := plan.ParseRisk(*f.MaxRisk)
		if err != nil {
			c.failAt("$.policy.max-risk", "%s", err)
		}
		p.MaxRisk = risk
	}
	if f.Renames != nil {
		renames, err := diff.ParseRenamePolicy(*f.Renames)
		if err != nil {
			c.failAt("$.policy.renames", "%s", err)
		}
		p.Renames = renames
	}
	if f.Approvers != nil {
		p.Approvers = c.approvers("$.policy.approvers", f.Approvers)
	}
	if f.MinApprovals != nil {
		p.MinApprovals = c.people("$.policy.min-approvals", f.MinApprovals)
	}
	for i, protect := range f.Protect {
		p.Protect = append(p.Protect, c.protection(fmt.Sprintf("$.policy.protect[%d]", i), protect))
	}
	p.AuthorMayApprove, p.RequireDigest = f.AuthorMayApprove, f.RequireDigest
}

func (c *checker) approvers(at string, a *approversFile) policy.Approvers {
	for i, team := range a.Teams {
		if org, slug, ok := strings.Cut(team, "/"); !ok || org == "" || slug == "" {
			c.failAt(fmt.Sprintf("%s.teams[%d]", at, i), "team %q has to be written as org/team", team)
		}
	}
	return policy.Approvers{Roles: a.Roles, Teams: a.Teams, Users: a.Users, CodeOwners: a.CodeOwners}
}

// people reads a number of people. The decoder would cut 2.9 down to 2, and so ask fewer people than somebody meant.
func (c *checker) people(at string, written any) int {
	number := 0
	switch n := written.(type) {
	case uint64:
		number = int(min(n, math.MaxInt32))
	case int64: // only what is below zero
	default:
		c.failAt(at, "min-approvals is %v and has to be a whole number, without quotes", written)
		return 1
	}
	if number < 1 {
		c.failAt(at, "min-approvals is %v and has to be at least 1", written)
	}
	return number
}

func (c *checker) protection(at string, f protectFile) policy.Protection {
	out := policy.Protection{Tables: f.Tables}
	if len(f.Tables) == 0 {
		c.failAt(at, "this protection names no tables; add `tables`")
	}
	for i, glob := range f.Tables {
		place := fmt.Sprintf("%s.tables[%d]", at, i)
		if f.alone {
			place = at
		}
		if !policy.ValidGlob(glob) {
			c.failAt(place, "%q is no glob for names of tables: * stands for any text, ? for a character, [ab] for one of some", glob)
		}
	}
	if f.Approvers != nil {
		a := c.approvers(at+".approvers", f.Approvers)
		if len(a.Roles) == 0 && len(a.Teams) == 0 && len(a.Users) == 0 && !a.CodeOwners {
			c.failAt(at+".approvers", "this names nobody, so that nobody could ever approve; leave `approvers` out for those of the policy")
		}
		out.Approvers = &a
	}
	if f.MinApprovals != nil {
		out.MinApprovals = c.people(at+".min-approvals", f.MinApprovals)
	}
	return out
}
