package bot

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/comment"
	"github.com/altergate/altergate/internal/policy"
	"github.com/altergate/altergate/internal/pull"
)

// publish writes the comment and then the status, each only while what was found is the latest there is to say. What holds for another
// head, or was to be seen after a later run began, is that run's to say.
func (r *review) publish(ctx context.Context) error {
	looks := []func(context.Context) (string, error){r.moved}
	if r.ours() { // which a later run may have written; one that both create is found out
		looks = append(looks, r.overtaken)
	}
	if err := r.refresh(ctx, looks...); err != nil || r.answer.Stale != "" {
		return err
	}
	wrote, err := r.putComment(ctx)
	if err != nil {
		return err
	}
	if r.answer.Denied != "" {
		return r.insist(ctx)
	}
	if wrote { // which took its time
		if err := r.refresh(ctx, r.overtaken); err != nil || r.answer.Stale != "" {
			return err
		}
	}
	if err := r.postStatus(ctx); err != nil || r.answer.Verdict.Outcome != policy.Passed {
		return err
	}
	later, err := r.overtaken(ctx)
	if err == nil && later != "" {
		return errSpokenOver
	}
	return err
}

// refresh finds out whether the answer is stale.
func (r *review) refresh(ctx context.Context, looks ...func(context.Context) (string, error)) (err error) {
	for _, look := range looks {
		if r.answer.Stale, err = look(ctx); err != nil || r.answer.Stale != "" {
			return err
		}
	}
	return nil
}

// retract makes the status red after something went wrong, and takes back a comment of this run that says otherwise. It does what it
// can: a status that cannot be set stays pending, which does not let anything pass either.
func (r *review) retract(ctx context.Context) {
	ctx, done := after(ctx)
	defer done()
	if r.wrote {
		err := guarded(func() error {
			_, err := r.putComment(ctx)
			return err
		})
		if err != nil {
			r.logf("Error: %s", err)
		}
	}
	if r.answer.Denied != "" || r.commit == "" {
		return
	}
	if !r.answer.Posted { // else it is our own word that has to be taken back
		if later, err := r.overtaken(ctx); err == nil && later != "" {
			r.answer.Stale = later
			return
		}
	}
	if err := guarded(func() error { return r.postStatus(ctx) }); err != nil {
		r.answer.Failure = errors.Join(r.answer.Failure, err)
		r.logf("Error: %s", err)
	}
}

// insist tries once more to post a no that the token may not post: an earlier yes may be standing there.
func (r *review) insist(ctx context.Context) error {
	if r.answer.Verdict.Outcome == policy.Passed {
		return nil
	}
	err := r.postStatus(ctx)
	if errors.Is(err, pull.ErrForbidden) {
		return nil
	}
	if err == nil {
		r.answer.Denied = ""
	}
	return err
}

func (r *review) postStatus(ctx context.Context) error {
	state := pull.Failure
	if r.answer.Failure == nil && r.answer.Verdict.Outcome == policy.Passed {
		state = pull.Success
	}
	r.putCheckRun(ctx, state)
	status := pull.Status{State: state, Context: r.Context, Description: r.description(), URL: r.answer.Comment}
	if status.URL == "" {
		status.URL = r.myAddress()
	}
	if _, err := r.Pulls.SetStatus(ctx, r.commit, status); err != nil {
		return err
	}
	r.answer.Posted = true
	r.logf("Status %s on %s: %s", state, r.commit, status.Description)
	return nil
}

// moved says how the pull request is no longer what was evaluated, or nothing. A group of a merge queue never moves.
func (r *review) moved(ctx context.Context) (string, error) {
	if r.group != (group{}) {
		return "", nil
	}
	now, err := r.Pulls.Get(ctx, r.pr.Number)
	switch {
	case err != nil:
		return "", err
	case now.State != "open":
		return "it was closed meanwhile", nil
	case now.Head.SHA != r.pr.Head.SHA:
		return fmt.Sprintf("its head moved from %.12s to %.12s meanwhile, and the run for that head answers", r.pr.Head.SHA, now.Head.SHA), nil
	case now.Base.Ref != r.pr.Base.Ref:
		return fmt.Sprintf("it was retargeted from %s to %s meanwhile, and the run for that answers", r.pr.Base.Ref, now.Base.Ref), nil
	}
	return "", nil
}

// overtaken says which later run has begun, or nothing. It knows at least what we know. It is seen by its pending status: GitHub keeps
// their order, and nobody can take one back. The numbers of runs would not tell, because an old run can be run again.
func (r *review) overtaken(ctx context.Context) (string, error) {
	if r.begun == 0 {
		return "", nil
	}
	statuses, err := r.Pulls.Statuses(ctx, r.commit, r.Context)
	if err != nil {
		return "", err
	}
	for _, s := range statuses {
		if s.ID > r.begun && s.State == pull.Pending && r.me.Is(s.Creator) && s.URL != r.myAddress() {
			return "a later run has begun, and answers: " + s.URL, nil
		}
	}
	return "", nil
}

// putComment brings our one comment up to date, and tells whether that took a request. A token that may not comment is no reason to be
// silent elsewhere. What a merge queue tries is not what the conversation is about.
func (r *review) putComment(ctx context.Context) (asked bool, err error) {
	if r.Comment == CommentOff || r.group != (group{}) {
		return false, nil
	}
	mine := comment.Mark{Key: comment.KeyOf(r.Context), Head: r.pr.Head.SHA, Run: r.Run.ID, Attempt: r.Run.Attempt, Began: r.begun}
	seen, known := r.marks(), r.known()
	kept, change, err := r.Pulls.PutComment(ctx, r.pr.Number, pull.Draft{
		Body: r.render(mine, comment.Limit{}, r.myAddress()),
		Says: r.says,
		Anew: r.Comment == CommentHideAndNew,
		Ours: func(c pull.Comment) bool { return r.marked(c.Body) || c.ID == r.altered },
		// A mark that stood there when we read the comments is older than what we found, whatever it says.
		Newer: func(c pull.Comment) bool {
			mark, _ := comment.ParseMarker(c.Body)
			return mark.Compare(mine) > 0 && mark != seen[c.ID]
		},
		OnlyEdit: r.nothingToSay(),
		Known:    known,
	})
	asked = known == nil || err != nil || change != pull.Absent && change != pull.Unchanged
	switch {
	case errors.Is(err, pull.ErrForbidden) && kept.ID == 0:
		r.answer.Notes = append(r.answer.Notes, "There is no plan comment: "+err.Error())
		return asked, nil
	case errors.Is(err, pull.ErrForbidden):
		r.answer.Notes = append(r.answer.Notes, "An earlier plan comment is still to be seen: "+err.Error())
	case err != nil:
		return asked, err
	}
	r.wrote = change == pull.Created || change == pull.Edited
	r.answer.Comment = kept.URL
	r.logf("Comment %s %s", change, kept.URL)
	return asked, nil
}

// nothingToSay tells whether a pull request that has no comment of ours needs none.
func (r *review) nothingToSay() bool {
	return r.answer.Verdict.Outcome == policy.Passed && len(steps(r.answer.Report)) == 0 && len(r.said.remarks()) == 0
}

// known are the comments as they were read, if it was asked since whether a later run has begun.
func (r *review) known() []pull.Comment {
	if r.begun == 0 || r.answer.Failure != nil {
		return nil
	}
	return r.comments
}

// ours tells whether there is a comment of ours.
func (r *review) ours() bool {
	return slices.ContainsFunc(r.comments, func(c pull.Comment) bool { return r.me.Is(c.Author) && (r.marked(c.Body) || c.ID == r.altered) })
}

// marks are the marks of our comments as they were when we read them.
func (r *review) marks() map[int64]comment.Mark {
	marks := map[int64]comment.Mark{}
	for _, c := range r.comments {
		if mark, ok := comment.ParseMarker(c.Body); ok && r.me.Is(c.Author) {
			marks[c.ID] = mark
		}
	}
	return marks
}

// says tells whether a comment differs from what we have to say only in the run that wrote it. It is not touched for that.
func (r *review) says(c pull.Comment) bool {
	if !r.marked(c.Body) {
		return false
	}
	earlier, _ := comment.ParseMarker(c.Body)
	earlier.Head = r.pr.Head.SHA
	return tidy(r.render(earlier, comment.Limit{}, r.address(earlier.Run, earlier.Attempt))) == tidy(c.Body)
}

// tidy leaves aside what GitHub may change in a text when it stores it.
func tidy(body string) string {
	return strings.TrimSpace(strings.ReplaceAll(body, "\r\n", "\n"))
}

func (r *review) render(mark comment.Mark, limit comment.Limit, job string) string {
	return comment.Render(r.answer.Report, r.answer.Verdict, comment.Options{Limit: limit, Mark: mark, Base: r.base, Head: r.commit, JobURL: job})
}
