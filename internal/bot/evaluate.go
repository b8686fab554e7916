package bot

import (
	"bytes"
	"context"
	"errors"
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
	if r.answer.Report, err = r.report(ctx); err != nil {
		return err
	}
	if r.comments, err = r.Pulls.Comments(ctx, r.pr.Number); err != nil {
		return err
	}
	r.said = r.listen()
	report := r.answer.Report
	report.Notices = append(report.Notices, r.said.remarks()...)
	if report.Answered() && waits(report) {
		if err := r.examine(ctx); err != nil {
			return err
		}
	}
	r.decide()
	if r.answer.Verdict.Outcome != policy.Passed {
		return nil
	}
	others := r.shared
	if r.group != (group{}) {
		others = r.ahead
	}
	problem, err := others(ctx)
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

// waits tells whether any step needs an approval.
func waits(report *pipeline.Report) bool {
	return len(policy.Needing(report.Policy, report.Plans())) > 0
}

// report plans the change. A change that cannot be planned is a report with errors; an error here is about the way to it.
func (r *review) report(ctx context.Context) (*pipeline.Report, error) {
	tip, err := r.Pulls.Branch(ctx, r.pr.Base.Ref) // the pull request's own idea of its base is as old as its last push
	if err != nil {
		return nil, err
	}
	r.tip = gitdiff.Commit(tip)
	return r.reportOn(ctx, r.wanted())
}

// reportFrom plans it with the files of one repository.
func (r *review) reportFrom(ctx context.Context, repo repository, want wanted) (report *pipeline.Report, err error) {
	t, err := open(ctx, repo, want)
	if err != nil {
		return nil, err
	}
	r.base = string(t.from)
	defer func() { r.locate(t, report) }()
	if ahead := r.configAhead(t, want); ahead != nil {
		return &pipeline.Report{Policy: policy.Default(), Errors: []*schema.Error{ahead}, Notices: t.notices}, ctx.Err()
	}
	config, notices, err := pipeline.ReadConfig(t.sides(), r.Config)
	if err != nil {
		return &pipeline.Report{Policy: policy.Default(), Errors: schema.Errors(err), Notices: t.notices}, ctx.Err()
	}
	report = pipeline.Run(ctx, config.Policy, pipeline.Targets(config, t.base, t.head), pipeline.Options{Scratch: r.Scratch})
	r.readOwners(t.policy, report)
	report.Notices = slices.Concat(t.notices, notices, r.configNotice(t), report.Notices)
	return report, ctx.Err() // a cut-off run may have taken for missing what it had no time to read
}

// configAhead refuses to judge what stands in a merge queue behind a change to the configuration: that one may be of the policy, which does
// not count before it is merged, or of where the schemas are, and then what is compared here is not what will be merged.
func (r *review) configAhead(t trees, want wanted) *schema.Error {
	if want.base == "" || want.base == want.tip {
		return nil
	}
	now, nowErr := fs.ReadFile(t.policy, r.Config)
	then, thenErr := fs.ReadFile(t.base, r.Config)
	missing := errors.Is(nowErr, fs.ErrNotExist) && errors.Is(thenErr, fs.ErrNotExist)
	if missing || nowErr == nil && thenErr == nil && bytes.Equal(now, then) {
		return nil
	}
	return &schema.Error{Pos: schema.Pos{File: r.Config}, Kind: schema.KindConfig, Text: "an entry that is ahead in the merge queue changes the configuration; " +
		"queue this pull request again when that one is merged"}
}

// configNotice says that a change to the configuration does not work on itself.
func (r *review) configNotice(t trees) []schema.Notice {
	before, err := fs.ReadFile(t.policy, r.Config)
	after, headErr := fs.ReadFile(t.head, r.Config)
	if err != nil || headErr != nil || bytes.Equal(before, after) {
		return nil // a missing one has a notice of its own
	}
	return []schema.Notice{{Text: "the head changes " + r.Config + "; until that is merged, the policy is the base's, and so are the schemas; those that the head adds are looked at too"}}
}
