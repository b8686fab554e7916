package pipeline

import (
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/policy"
	"github.com/altergate/altergate/internal/proof"
	"github.com/altergate/altergate/internal/schema"
	"github.com/altergate/altergate/internal/source"
)

// Report is everything one run found out, before anyone decides what it means.
type Report struct {
	Policy  policy.Policy
	Results []*Result       // one for each schema that was looked at, in the order of the configuration
	Errors  []*schema.Error // about no schema in particular: the configuration, the hints file
	Notices []schema.Notice // likewise
}

// Result is the answer for one schema. When Errors is not empty there is no answer, and Plan is nil.
type Result struct {
	Name     string
	Dialect  string
	Source   string   // the path in the head, for people
	Changed  []string // paths of the source and of the hints whose text differs between base and head, sorted
	Plan     *plan.Plan
	Net      *plan.Plan      // of migrations: what the schemas alone would lead to, to be shown beside; nil = there is none
	Tool     string          // of migrations: whose they are; else empty
	Notices  []schema.Notice // what reading the files has told; part of the plan's notices too
	Coverage source.Coverage // of the head
	Proof    proof.Result
	Errors   []*schema.Error
}

// Answered tells whether every question was answered. No schema at all is no answer.
func (r *Report) Answered() bool {
	if len(r.Errors) > 0 || len(r.Results) == 0 {
		return false
	}
	for _, result := range r.Results {
		if len(result.Errors) > 0 || result.Plan == nil {
			return false
		}
	}
	return true
}

// Plans returns the plans of the schemas that were answered.
func (r *Report) Plans() []*plan.Plan {
	var plans []*plan.Plan
	for _, result := range r.Results {
		if result.Plan != nil {
			plans = append(plans, result.Plan)
		}
	}
	return plans
}
