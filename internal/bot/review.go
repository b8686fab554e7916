package bot

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/altergate/altergate/internal/comment"
	"github.com/altergate/altergate/internal/gitdiff"
	"github.com/altergate/altergate/internal/pipeline"
	"github.com/altergate/altergate/internal/policy"
	"github.com/altergate/altergate/internal/pull"
	"github.com/altergate/altergate/internal/schema"
)

// review is one look at one pull request. What it takes from GitHub is in the fields, so that each is read once.
type review struct {
	*Bot
	trigger
	answer Answer

	pr       pull.PullRequest // as it was when we began
	commit   string           // that is judged and gets the status: the head, or what a merge queue made of it
	behind   int              // so many pull requests of a merge queue are judged before this one, which is ahead of them
	tip      gitdiff.Commit   // of the base branch
	me       pull.Identity
	begun    int64                // the status with which this run began; 0: it could not post one
	earlier  *[]pull.PostedStatus // of our context on the pull request's head, the newest first; nil: not read yet
	comments []pull.Comment
	said     conversation
	owners   owners // who owns the files of the base branch
	base     string // the commit that was compared from
	wrote    bool   // our comment says what this run found
}

// errSpokenOver is for the rare case that a later run began and ended while we posted a yes: what it said is not known.
var errSpokenOver = errors.New("another run answered at the same moment; comment /plan to have it planned again")

// run goes from the pull request to what stands on it afterwards. The status is the gate, so it is the first thing to be taken away and
// the last to be given.
func (r *review) run(ctx context.Context) error {
	err := guarded(func() error { return r.begin(ctx) })
	if err != nil || r.answer.Nothing != "" {
		return err
	}
	if err := guarded(func() error { return r.evaluate(ctx) }); err != nil {
		r.fail(err) // which is an answer too, and is published as one
	}
	return guarded(func() error { return r.publish(ctx) })
}

// end takes care of what went wrong, renders the whole report, and answers the comment that asked.
func (r *review) end(ctx context.Context, err error) {
	if err != nil {
		r.fail(err)
		r.retract(ctx)
	}
	if r.answer.Nothing != "" {
		return
	}
	err = guarded(func() error {
		r.answer.Markdown = r.render(comment.Mark{}, comment.JobSummary(), r.myAddress())
		return nil
	})
	if err != nil {
		r.fail(err)
		r.retract(ctx)
	}
	if r.answer.Stale == "" {
		r.react(ctx, r.verdictReaction())
	}
}

// begin reads the pull request and makes the status say that there is no answer yet.
func (r *review) begin(ctx context.Context) error {
	// If even this fails, an answer of earlier may be standing where the event says that the head is.
	r.commit, r.answer.Number = r.head, r.number
	r.pr = pull.PullRequest{Number: r.number, Head: pull.Head{SHA: r.head}}
	if r.broken != nil {
		return r.broken
	}
	pr, err := r.Pulls.Get(ctx, r.number)
	if err != nil {
		return err
	}
	r.pr = pr
	switch queue := r.group.branch; {
	case pr.State != "open":
		r.answer.Nothing = fmt.Sprintf("pull request #%d is %s", pr.Number, pr.State)
		return nil
	case queue == "":
		r.commit = pr.Head.SHA
	case queue != pr.Base.Ref:
		return fmt.Errorf("the merge group is of the branch %s, and pull request #%d goes to %s", queue, pr.Number, pr.Base.Ref)
	}
	r.answer.OtherHead = r.head != "" && r.head != r.commit
	r.logf("Pull request #%d, head %s, into %s", pr.Number, r.commit, pr.Base.Ref)
	posted, err := r.Pulls.SetStatus(ctx, r.commit, pull.Status{State: pull.Pending, Context: r.Context, Description: reading, URL: r.myAddress()})
	if errors.Is(err, pull.ErrForbidden) {
		r.answer.Denied, err = err.Error(), nil
	}
	if err == nil {
		r.begun = posted.ID
		r.react(ctx, pull.Eyes)
	}
	return err
}

// guarded makes an error of a panic: it must not leave a status behind that nobody takes care of.
func guarded(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &crash{fmt.Sprint(p), debug.Stack()}
		}
	}()
	return f()
}

// crash is a mistake of ours.
type crash struct {
	text  string
	stack []byte
}

func (c *crash) Error() string {
	return "Altergate has a mistake in it, please report it: " + c.text
}

// fail makes the answer that there is none, and keeps what is known beside it.
func (r *review) fail(err error) {
	r.logf("Error: %s", err)
	if c, ok := errors.AsType[*crash](err); ok {
		r.logf("%s", c.stack)
	}
	r.answer.Failure = errors.Join(r.answer.Failure, err)
	if r.answer.Report == nil {
		r.answer.Report = &pipeline.Report{Policy: policy.Default()}
	}
	r.answer.Report.Errors = append(r.answer.Report.Errors, &schema.Error{Kind: schema.KindInternal, Text: err.Error()})
	r.decide()
}

// after gives a context for what has to be said even when the run was cancelled.
func after(ctx context.Context) (context.Context, context.CancelFunc) {
	const while = 30 * time.Second
	return context.WithTimeout(context.WithoutCancel(ctx), while)
}
