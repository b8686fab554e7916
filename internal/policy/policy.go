// Package policy decides whether a plan may be merged. It is a pure function of facts that others gathered: it asks GitHub
// nothing, reads no clock and renders nothing.
package policy

import (
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
)

// Policy is what the base's configuration allows.
type Policy struct {
	MaxRisk          plan.Risk // steps above it need an approval
	Renames          diff.RenamePolicy
	Approvers        Approvers
	MinApprovals     int
	AuthorMayApprove bool
	RequireDigest    bool // the bare /approve does not count
	Protect          []Protection
}

// Approvers says who may approve; someone in any of the lists may.
type Approvers struct {
	Roles      []string // role names of the repository, custom ones too: write, maintain, admin
	Teams      []string // org/team
	Users      []string
	CodeOwners bool // who owns every changed file of the step's schema
}

// Protection puts tables under an approval of their own, whatever the ceiling is: each step above Safe that touches one needs it.
type Protection struct {
	Tables       []string   // globs, see ValidGlob
	Approvers    *Approvers // nil = the policy's
	MinApprovals int        // 0 = the policy's
}

// Default is the policy of a repository that has not written one.
func Default() Policy {
	return Policy{
		MaxRisk:      plan.Review,
		Renames:      diff.Allow,
		Approvers:    Approvers{Roles: []string{"write", "maintain", "admin"}},
		MinApprovals: 1,
	}
}
