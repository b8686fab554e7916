package bot

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/altergate/altergate/internal/gitdiff"
	"github.com/altergate/altergate/internal/pipeline"
	"github.com/altergate/altergate/internal/policy"
	"github.com/altergate/altergate/internal/schema"
)

// evaluate is the one way to a verdict. What people may change at any moment is read last.
func (r *review) evaluate(ctx context.Context) error {
	var err error
	if r.me, err = r.Pulls.Me(ctx); err != nil {
		return err
	}
	if r.answer.Denied == "" {
		if err := r.readStatuses(ctx); err != nil {
			return err
		}
	}
	if r.answer.Report, err = r.report(ctx); err != nil {
		return err
	}
	if r.comments, err = r.Pulls.Comments(ctx, r.pr.Number); err != nil {
		return err
	}
	r.said = r.listen()
	report := r.answer.Report
	report.Notices = append(report.Notices, r.said.remarks()...)
	if report.Answered() && above(report) {
		if err := r.examine(ctx); err != nil {
			return err
		}
	}
	r.decide()
	if r.answer.Verdict.Outcome != policy.Passed {
		return nil
	}
	problem, err := r.shared(ctx)
	if problem != nil {
		report.Errors = append(report.Errors, problem)
		r.decide()
	}
	return err
}

func (r *review) decide() {
	report := r.answer.Report
	r.answer.Verdict = policy.Decide(report.Policy, report.Plans(), report.Answered(), r.said.approvals())
}

func (r *review) readStatuses(ctx context.Context) (err error) {
	r.statuses, err = r.Pulls.Statuses(ctx, r.pr.Head.SHA, r.Context)
	r.begun = err == nil
	return err
}

// above tells whether any step needs an approval.
func above(report *pipeline.Report) bool {
	for _, p := range report.Plans() {
		if len(p.Above(report.Policy.MaxRisk)) > 0 {
			return true
		}
	}
	return false
}

// report plans the change. A change that cannot be planned is a report with errors; an error here is about the way to it.
func (r *review) report(ctx context.Context) (report *pipeline.Report, err error) {
	repo, err := gitdiff.Open(ctx, r.Workspace)
	if errors.Is(err, gitdiff.ErrNoRepository) {
		return nil, fmt.Errorf("%w: the workflow has to run actions/checkout before Altergate", err)
	}
	if err != nil {
		return nil, err
	}
	defer repo.Close()
	t, err := r.open(ctx, repo)
	if err != nil {
		return nil, err
	}
	r.base = string(t.from)
	defer func() { r.locate(t, report) }()
	config, notices, err := pipeline.ReadConfig(t.policy, t.head, r.Config)
	if err != nil {
		return &pipeline.Report{Policy: policy.Default(), Errors: schema.Errors(err), Notices: t.notices}, ctx.Err()
	}
	report = pipeline.Run(ctx, config.Policy, pipeline.Targets(config, t.base, t.head), pipeline.Options{Scratch: r.Scratch})
	report.Notices = slices.Concat(t.notices, notices, r.configNotice(t), report.Notices)
	return report, ctx.Err() // a cut-off run may have taken for missing what it had no time to read
}

// configNotice says that a change to the configuration does not work on itself.
func (r *review) configNotice(t trees) []schema.Notice {
	before, err := fs.ReadFile(t.policy, r.Config)
	after, headErr := fs.ReadFile(t.head, r.Config)
	if err != nil || headErr != nil || bytes.Equal(before, after) {
		return nil // a missing one has a notice of its own
	}
	return []schema.Notice{{Text: "the head changes " + r.Config + "; until that is merged, the policy is the base's, and so are the schemas, but for those that the head adds"}}
}
