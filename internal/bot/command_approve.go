package bot

import "github.com/altergate/altergate/internal/policy"

// approve is a vote for a plan, or for steps of it. Whether it counts is the policy's to say, once the facts about it are known.
func approve() command {
	return command{
		name:    "approve",
		usage:   "/approve destructive DIGEST",
		meaning: "approves the plan with that digest (or review, when that needs approval; instead of the digest the ids of steps, or nothing for the plan that was last published)",
		hear: func(c *conversation, u utterance) {
			by := u.comment.Author
			c.given = append(c.given, approval{said: u, Approval: policy.Approval{
				Login: by.Login, UserID: by.ID, CommentID: u.comment.ID, URL: u.comment.URL, At: u.comment.Created,
				Risk: u.Risk, Digest: u.Digest, Steps: u.Steps,
				Edited: u.comment.Edited(), Author: same(by, c.author),
			}})
		},
	}
}
