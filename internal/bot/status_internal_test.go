package bot

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/altergate/altergate/internal/pipeline"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/policy"
	"github.com/altergate/altergate/internal/pull"
	"github.com/altergate/altergate/internal/schema"
)

// many makes steps.
func many(n int, risk plan.Risk) []*plan.Step {
	steps := make([]*plan.Step, n)
	for i := range steps {
		steps[i] = &plan.Step{ID: strings.Repeat("0", 16), Risk: risk}
	}
	return steps
}

func approvedBy(logins ...string) []policy.Approval {
	var all []policy.Approval
	for _, login := range logins {
		all = append(all, policy.Approval{Login: login})
	}
	return all
}

func TestDescriptions(t *testing.T) {
	digest := strings.Repeat("0123456789abcdef", 4)
	ours := "https://github.example/acme/shop/pull/7#issuecomment-1"
	long := strings.Repeat("x", 39)
	var crowd []string
	for c := 'a'; c <= 'z'; c++ {
		crowd = append(crowd, strings.Repeat(string(c), 39))
	}
	for name, test := range map[string]struct {
		verdict policy.Verdict
		steps   []*plan.Step
		errors  int
		failed  bool
		comment string
		want    string
	}{
		"no change":     {verdict: policy.Verdict{Outcome: policy.Passed}, want: "No schema change"},
		"safe":          {verdict: policy.Verdict{Outcome: policy.Passed}, steps: many(2, plan.Safe), want: "Within policy: 2 safe steps"},
		"mixed":         {verdict: policy.Verdict{Outcome: policy.Passed}, steps: append(many(1, plan.Review), many(2, plan.Safe)...), want: "Within policy: 3 steps (1 review)"},
		"approved":      {verdict: policy.Verdict{Outcome: policy.Passed, Counted: approvedBy("ann", "Ann")}, want: "Approved by ann; plan " + digest},
		"by a crowd":    {verdict: policy.Verdict{Outcome: policy.Passed, Counted: approvedBy(crowd...)}, want: "Approved by " + crowd[0] + " and 25 more; plan " + digest},
		"a long name":   {verdict: policy.Verdict{Outcome: policy.Passed, Counted: approvedBy(long)}, want: "Approved by " + long + "; plan " + digest},
		"no login":      {verdict: policy.Verdict{Outcome: policy.Passed, Counted: approvedBy("x; plan " + digest)}, want: "Approved; plan " + digest},
		"blocked":       {verdict: policy.Verdict{Blocking: many(1, plan.Destructive), Needed: 1, Missing: 1}, comment: ours, want: "1 destructive step needs approval, see the comment; plan " + digest},
		"in the run":    {verdict: policy.Verdict{Blocking: many(2, plan.Destructive), Needed: 1, Missing: 1}, want: "2 destructive steps need approval, see the run; plan " + digest},
		"two people":    {verdict: policy.Verdict{Blocking: many(1, plan.Review), Needed: 2, Missing: 2}, comment: ours, want: "1 review step needs 2 more approvals, see the comment; plan " + digest},
		"the second":    {verdict: policy.Verdict{Blocking: many(1, plan.Review), Needed: 2, Missing: 1}, comment: ours, want: "1 review step needs 1 more approval, see the comment; plan " + digest},
		"no answer":     {verdict: policy.Verdict{Outcome: policy.NoAnswer}, errors: 3, comment: ours, want: "No answer: 3 errors; see the comment"},
		"failed":        {verdict: policy.Verdict{Outcome: policy.NoAnswer}, errors: 1, failed: true, comment: ours, want: broken},
		"failed a yes?": {verdict: policy.Verdict{Outcome: policy.Passed}, failed: true, want: broken},
		"very many": {verdict: policy.Verdict{Blocking: append(many(99999, plan.Destructive), many(1, plan.Review)...), Needed: 99, Missing: 99}, comment: ours,
			want: "Approval is needed, see the comment; plan " + digest},
	} {
		t.Run(name, func(t *testing.T) {
			test.verdict.Digest = digest
			report := &pipeline.Report{Results: []*pipeline.Result{{Plan: &plan.Plan{Steps: test.steps}}}}
			for range test.errors {
				report.Errors = append(report.Errors, &schema.Error{Text: "x; plan " + digest})
			}
			r := &review{answer: Answer{Report: report, Verdict: test.verdict, Comment: test.comment}}
			if test.failed {
				r.answer.Failure = &crash{text: "x; plan " + digest}
			}
			got := r.description()
			if got != test.want {
				t.Errorf("it is %q, want %q", got, test.want)
			}
			if utf8.RuneCountInString(got) > 140 {
				t.Errorf("%q has %d characters", got, utf8.RuneCountInString(got))
			}
			want := ""
			if strings.Contains(test.want, "plan") {
				want = digest
			}
			if found := digestIn(pull.PostedStatus{State: pull.Failure, Description: got}); found != want {
				t.Errorf("the digest in it is %q, want %q", found, want)
			}
		})
	}
}
