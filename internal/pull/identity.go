package pull

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/google/go-github/v62/github"
)

// User is an account. The zero User is one that GitHub does not know, or no longer.
type User struct {
	ID    int64
	Login string
	Type  string // User, Bot, Organization, Mannequin
}

// Bot tells that no person holds the account.
func (u User) Bot() bool { return u.Type == "Bot" || strings.HasSuffix(u.Login, "[bot]") }

func user(u *github.User) User {
	return User{ID: u.GetID(), Login: u.GetLogin(), Type: u.GetType()}
}

// Identity is who writes when we write.
type Identity struct {
	ID    int64 // 0: GitHub told the name alone
	Login string
}

// Is compares by ID: a login can be taken by another account after a rename. The login counts only where GitHub gives no ID.
func (i Identity) Is(u User) bool {
	if i.ID != 0 && u.ID != 0 {
		return i.ID == u.ID
	}
	return i.Login != "" && strings.EqualFold(i.Login, u.Login)
}

// Me is learned from GitHub once, by what we wrote or else by asking: a wrong guess would edit another's comment, or never find ours
// again.
func (c *Client) Me(ctx context.Context) (Identity, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.me != (Identity{}) {
		return c.me, nil
	}
	who := c.viewer
	if c.app != nil {
		who = c.appBot
	}
	me, err := who(ctx)
	if err != nil {
		return Identity{}, fmt.Errorf("finding out whose token this is: %w", err)
	}
	c.me = me
	return me, nil
}

// recognise takes from GitHub's answer to what we wrote who wrote it, which saves the question.
func (c *Client) recognise(u User) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.me == (Identity{}) && u.ID != 0 && u.Login != "" {
		c.me = Identity{ID: u.ID, Login: u.Login}
	}
}

// viewer asks by GraphQL because a workflow's token is refused by GET /user.
func (c *Client) viewer(ctx context.Context) (Identity, error) {
	var out struct {
		Viewer struct {
			Login      string `json:"login"`
			DatabaseID int64  `json:"databaseId"`
		} `json:"viewer"`
	}
	if err := c.asked(ctx, question{query: "query { viewer { login databaseId } }"}, &out); err != nil {
		return Identity{}, err
	}
	if out.Viewer.Login == "" {
		return Identity{}, errEmpty
	}
	return Identity{ID: out.Viewer.DatabaseID, Login: out.Viewer.Login}, nil
}

// appBot is the account an App's comments carry. GitHub keeps its ID elsewhere than the App's own.
func (c *Client) appBot(ctx context.Context) (Identity, error) {
	app, _, err := c.app.Apps.Get(ctx, "")
	if err != nil {
		return Identity{}, c.explain(err, "")
	}
	if app.GetSlug() == "" {
		return Identity{}, errEmpty
	}
	login := app.GetSlug() + "[bot]"
	var account github.User
	_, err = c.do(ctx, ask{method: "GET", path: "users/" + url.PathEscape(login)}, &account)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return Identity{}, err
	}
	return Identity{ID: account.GetID(), Login: login}, nil
}
