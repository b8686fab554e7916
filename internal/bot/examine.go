package bot

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/policy"
	"github.com/altergate/altergate/internal/pull"
)

// examine finds out about each approval what only GitHub knows. It asks about no more than those that may count under some policy:
// what a reader writes should cost nothing.
func (r *review) examine(ctx context.Context) error {
	e := electorate{pulls: r.Pulls, approvers: r.answer.Report.Policy.Approvers, asked: map[string]ruling{}}
	var commits []pull.Commit
	for i := range r.said.given {
		a := &r.said.given[i]
		if a.Bot || a.Edited || a.Revoked || a.Login == "" {
			continue
		}
		if commits == nil {
			var err error
			if commits, err = r.Pulls.Commits(ctx, r.pr.Number); err != nil {
				return err
			}
		}
		author := a.said.comment.Author
		a.CommitAuthor = slices.ContainsFunc(commits, func(c pull.Commit) bool { return same(c.Author, author) || same(c.Committer, author) })
		ruled, err := e.ask(ctx, author)
		if err != nil {
			return err
		}
		a.Authorised, a.Why = ruled.may, ruled.why
		if a.Digest == "" && len(a.Steps) == 0 {
			if a.Bound, err = r.published(ctx, a.said.comment); err != nil {
				return err
			}
		}
	}
	return nil
}

// published gives the digest of the plan that our status showed on this head when a comment was written. A status of the same second
// was not there to be seen. One that showed no plan shows that there was none to approve.
func (r *review) published(ctx context.Context, before pull.Comment) (string, error) {
	if r.earlier == nil {
		statuses, err := r.Pulls.Statuses(ctx, r.pr.Head.SHA, r.Context)
		if err != nil {
			return "", err
		}
		r.earlier = &statuses
	}
	for _, s := range *r.earlier {
		if r.me.Is(s.Creator) && s.State != pull.Pending && s.Created.Before(before.Created) {
			return digestIn(s), nil
		}
	}
	return "", nil
}

// electorate knows who may approve, and asks GitHub about each person once.
type electorate struct {
	pulls     *pull.Client
	approvers policy.Approvers
	asked     map[string]ruling
}

// ruling is whether someone may approve, and why not.
type ruling struct {
	may bool
	why string
}

func (e electorate) ask(ctx context.Context, u pull.User) (ruling, error) {
	if known, ok := e.asked[person(u)]; ok {
		return known, nil
	}
	ruled, err := e.rule(ctx, u)
	e.asked[person(u)] = ruled
	return ruled, err
}

func (e electorate) rule(ctx context.Context, u pull.User) (ruling, error) {
	p, err := e.pulls.Permission(ctx, u.Login)
	switch {
	case err != nil:
		return ruling{}, err
	case p.Level == "none":
		return ruling{why: "has no access to the repository"}, nil
	case p.User.ID == 0 || p.User.ID != u.ID:
		return ruling{why: "the account that wrote this no longer has that name"}, nil
	case slices.Contains(e.approvers.Roles, p.Role) || slices.Contains(e.approvers.Roles, p.Level):
		return ruling{may: true}, nil
	case slices.ContainsFunc(e.approvers.Users, func(login string) bool { return strings.EqualFold(login, u.Login) }):
		return ruling{may: true}, nil
	}
	for _, team := range e.approvers.Teams {
		org, slug, _ := strings.Cut(team, "/")
		if in, err := e.pulls.InTeam(ctx, org, slug, u.Login); in || err != nil {
			return ruling{may: in}, err
		}
	}
	return ruling{why: fmt.Sprintf("has the role %s, and %s", p.Role, e.needed())}, nil
}

// needed says what it takes to approve.
func (e electorate) needed() string {
	var ways []string
	if len(e.approvers.Roles) > 0 {
		ways = append(ways, "the role "+strings.Join(e.approvers.Roles, ", "))
	}
	if len(e.approvers.Teams) > 0 {
		ways = append(ways, "the team "+strings.Join(e.approvers.Teams, ", "))
	}
	if len(e.approvers.Users) > 0 {
		ways = append(ways, "the name "+strings.Join(e.approvers.Users, ", "))
	}
	if len(ways) == 0 {
		return "the policy names nobody who may approve"
	}
	return "it takes " + strings.Join(ways, " or ")
}
