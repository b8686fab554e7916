package bot

import (
	"context"
	"slices"

	"github.com/altergate/altergate/internal/comment"
	"github.com/altergate/altergate/internal/policy"
	"github.com/altergate/altergate/internal/pull"
)

// react sets a sign below the comment that asked, if one did. It is a courtesy: that it fails changes no answer.
func (r *review) react(ctx context.Context, sign pull.Reaction) {
	if r.trigger.comment == 0 || sign == "" {
		return
	}
	if err := r.Pulls.React(ctx, r.trigger.comment, sign); err != nil {
		r.logf("There is no reaction to the command: %s", err)
	}
}

// verdictReaction is what the comment that asked has come to; nothing if it is not there any more. Why is in the plan comment.
func (r *review) verdictReaction() pull.Reaction {
	at := slices.IndexFunc(r.comments, func(c pull.Comment) bool { return c.ID == r.trigger.comment })
	switch {
	case r.answer.Verdict.Outcome == policy.NoAnswer:
		return pull.Confused
	case at < 0:
		return ""
	case slices.ContainsFunc(comment.Commands(r.comments[at].Body), func(c comment.Command) bool { return c.Problem != "" }):
		return pull.Confused
	case slices.ContainsFunc(r.answer.Verdict.Rejected, func(a policy.Rejected) bool { return a.Approval.CommentID == r.trigger.comment }):
		return pull.ThumbsDown
	}
	return pull.ThumbsUp
}
