package bot

import (
	"context"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/policy"
	"github.com/altergate/altergate/internal/pull"
)

// examine finds out about each approval what only GitHub knows. It asks about no more than those that may count, and no more than
// decides: what a reader writes should cost nothing.
func (r *review) examine(ctx context.Context) error {
	report := r.answer.Report
	ballot := policy.OpenBallot(report.Policy, report.Plans())
	e := electorate{pulls: r.Pulls, owners: r.owners, changed: map[string][]string{}, known: map[string]pull.Permission{}, members: map[[2]string]bool{}}
	for _, result := range report.Results {
		e.changed[result.Name] = result.Changed
	}
	var commits []pull.Commit
	for i := range r.said.given {
		a := &r.said.given[i]
		if a.Digest == "" && len(a.Steps) == 0 && !a.Bot && !a.Edited && !a.Revoked && a.Login != "" {
			var err error
			if a.Bound, err = r.published(ctx, a.said.comment); err != nil {
				return err
			}
		}
		if len(ballot.Asks(a.Approval)) == 0 {
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
		for _, q := range ballot.Asks(a.Approval) {
			if err := e.inform(ctx, &a.Approval, author, q); err != nil {
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

// electorate finds out who people are, and asks GitHub each thing once.
type electorate struct {
	pulls   *pull.Client
	owners  owners
	changed map[string][]string // by schema: the files that the pull request changes
	known   map[string]pull.Permission
	members map[[2]string]bool // of a team, a person
}

// inform adds to an approval what decides whether its writer meets a demand, from what is cheap to find out to what is not, and no more
// than it takes.
func (e electorate) inform(ctx context.Context, a *policy.Approval, u pull.User, q policy.Question) error {
	p, err := e.permission(ctx, u)
	if err != nil {
		return err
	}
	a.Role, a.Level = p.Role, p.Level
	switch {
	case p.Level == "none":
		a.Barred = "has no access to the repository"
	case p.User.ID == 0 || p.User.ID != u.ID:
		a.Barred = "the account that wrote this no longer has that name"
	}
	if a.Barred != "" {
		return nil
	}
	for _, team := range q.Approvers.Teams {
		if q.Met(*a) {
			return nil
		}
		if err := e.join(ctx, a, u, team); err != nil {
			return err
		}
	}
	if q.Met(*a) || !q.Approvers.CodeOwners {
		return nil
	}
	return e.own(ctx, a, u, q.Schema)
}

func (e electorate) permission(ctx context.Context, u pull.User) (pull.Permission, error) {
	if known, ok := e.known[person(u)]; ok {
		return known, nil
	}
	p, err := e.pulls.Permission(ctx, u.Login)
	if err == nil {
		e.known[person(u)] = p
	}
	return p, err
}

// join notes a team that an approval's writer is in.
func (e electorate) join(ctx context.Context, a *policy.Approval, u pull.User, team string) error {
	in, err := e.inTeam(ctx, u, team)
	if in && !slices.Contains(a.Teams, team) {
		a.Teams = append(a.Teams, team)
	}
	return err
}

func (e electorate) inTeam(ctx context.Context, u pull.User, team string) (bool, error) {
	key := [2]string{strings.ToLower(team), person(u)}
	if in, ok := e.members[key]; ok {
		return in, nil
	}
	org, slug, _ := strings.Cut(team, "/")
	in, err := e.pulls.InTeam(ctx, org, slug, u.Login)
	if err == nil {
		e.members[key] = in
	}
	return in, err
}
