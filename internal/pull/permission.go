package pull

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/go-github/v62/github"
)

// Permission is what an account may do in the repository, the highest of all its grants.
type Permission struct {
	Role  string // admin, maintain, write, triage, read, none, or the name of a custom role
	Level string // the same, with a custom role counted as the built-in one it extends
	User  User   // whom GitHub answered about: compare its ID, for a login can change hands; zero without access
}

// Permission asks what a login may do now. Someone GitHub does not find has the role none; every other answer than yes is an error.
func (c *Client) Permission(ctx context.Context, login string) (Permission, error) {
	p, err := c.permission(ctx, login)
	if err != nil {
		return Permission{}, fmt.Errorf("asking what %s may do in %s: %w", login, c.Repository(), err)
	}
	return p, nil
}

func (c *Client) permission(ctx context.Context, login string) (Permission, error) {
	if login == "" { // an account that is gone
		return Permission{Role: "none", Level: "none"}, nil
	}
	name, err := segment(login)
	if err != nil {
		return Permission{}, err
	}
	// go-github's own struct drops role_name.
	var out struct {
		Permission string       `json:"permission"`
		RoleName   string       `json:"role_name"`
		User       *github.User `json:"user"`
	}
	_, err = c.do(ctx, ask{method: "GET", path: c.path("collaborators/%s/permission", name), need: "metadata: read"}, &out)
	if errors.Is(err, ErrNotFound) {
		return Permission{Role: "none", Level: "none"}, nil
	}
	if err != nil {
		return Permission{}, err
	}
	switch out.Permission {
	case "admin", "write", "read", "none":
	case "":
		return Permission{}, errEmpty
	default:
		return Permission{}, fmt.Errorf("GitHub answered with the unknown permission %q", out.Permission)
	}
	p := Permission{Role: out.RoleName, Level: level(out.Permission, out.User.GetPermissions()), User: user(out.User)}
	if p.Role == "" { // an older GitHub Enterprise Server
		p.Role = p.Level
	}
	return p, nil
}

// level takes the highest of the account's rights, which tell maintain from write and triage from read; without them, the old word.
func level(word string, rights map[string]bool) string {
	if len(rights) == 0 {
		return word
	}
	for _, right := range []struct{ name, level string }{
		{"admin", "admin"}, {"maintain", "maintain"}, {"push", "write"}, {"triage", "triage"}, {"pull", "read"},
	} {
		if rights[right.name] {
			return right.level
		}
	}
	return "none"
}

// InTeam asks whether a login is an active member of a team. GitHub gives the same 404 to a token that may not see teams, so before
// a 404 is a no, the team itself must be visible.
func (c *Client) InTeam(ctx context.Context, org, team, login string) (bool, error) {
	in, err := c.inTeam(ctx, org, team, login)
	if err != nil {
		return false, fmt.Errorf("asking whether %s is in the team %s/%s: %w", login, org, team, err)
	}
	return in, nil
}

func (c *Client) inTeam(ctx context.Context, org, team, login string) (bool, error) {
	var names [3]string
	for i, name := range []string{org, team, login} {
		var err error
		if names[i], err = segment(name); err != nil {
			return false, err
		}
	}
	path := fmt.Sprintf("orgs/%s/teams/%s", names[0], names[1])
	var membership github.Membership
	_, err := c.do(ctx, ask{method: "GET", path: path + "/memberships/" + names[2]}, &membership)
	switch {
	case errors.Is(err, ErrNotFound):
		return false, c.seeTeam(ctx, path)
	case err != nil:
		return false, err
	}
	switch membership.GetState() {
	case "active":
		return true, nil
	case "pending":
		return false, nil
	}
	return false, fmt.Errorf("GitHub answered with the unknown state of membership %q", membership.GetState())
}

func (c *Client) seeTeam(ctx context.Context, path string) error {
	var team github.Team
	_, err := c.do(ctx, ask{method: "GET", path: path}, &team)
	if errors.Is(err, ErrNotFound) || errors.Is(err, ErrForbidden) {
		return errors.New("GitHub does not show us the team: it does not exist, or the token may not see it " +
			"(a workflow's own token never may; use a GitHub App with the permission `members: read`)")
	}
	if err == nil && team.GetID() == 0 {
		return errEmpty
	}
	return err
}
