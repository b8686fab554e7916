package pull

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/go-github/v62/github"
)

const writePulls = "pull-requests: write"

// Comment is one in the conversation of a pull request; comments on lines of the diff are not among them.
type Comment struct {
	ID               int64
	Author           User
	Via              string // slug of the GitHub App that acted for the author
	Body             string
	Created, Updated time.Time
	URL              string // of its page
	Node             string // its name in GraphQL
}

// Edited tells that the text may not be what its author wrote: everyone with write access can edit a comment, and GitHub does not
// say here who did.
func (c Comment) Edited() bool { return !c.Updated.Equal(c.Created) }

// ByBot tells that no person sent it: a bot did, or an App in a person's name.
func (c Comment) ByBot() bool { return c.Author.Bot() || c.Via != "" }

// posted is GitHub's form of a comment; go-github's leaves out the App.
type posted struct {
	ID        int64        `json:"id"`
	NodeID    string       `json:"node_id"`
	Body      string       `json:"body"`
	User      *github.User `json:"user"`
	CreatedAt time.Time    `json:"created_at"`
	UpdatedAt time.Time    `json:"updated_at"`
	HTMLURL   string       `json:"html_url"`
	Via       *struct {
		Slug string `json:"slug"`
		Name string `json:"name"`
	} `json:"performed_via_github_app"`
}

func (p posted) comment() (Comment, error) {
	if p.ID == 0 || p.CreatedAt.IsZero() || p.UpdatedAt.IsZero() {
		return Comment{}, errEmpty
	}
	c := Comment{ID: p.ID, Author: user(p.User), Body: p.Body, Created: p.CreatedAt, Updated: p.UpdatedAt, URL: p.HTMLURL, Node: p.NodeID}
	if p.Via != nil {
		c.Via = cmp.Or(p.Via.Slug, p.Via.Name, "unnamed")
	}
	return c, nil
}

// Comments reads all comments of a pull request, the oldest first.
func (c *Client) Comments(ctx context.Context, number int) ([]Comment, error) {
	found, err := list[posted](ctx, c, c.path("issues/%d/comments", number), readPulls)
	if err != nil {
		return nil, fmt.Errorf("listing the comments of #%d: %w", number, err)
	}
	comments := make([]Comment, len(found))
	for i, f := range found {
		if comments[i], err = f.comment(); err != nil {
			return nil, fmt.Errorf("listing the comments of #%d: %w", number, err)
		}
	}
	slices.SortFunc(comments, func(a, b Comment) int { return cmp.Compare(a.ID, b.ID) })
	return comments, nil
}

// CreateComment adds one, whatever is there; PutComment keeps to one.
func (c *Client) CreateComment(ctx context.Context, number int, body string) (Comment, error) {
	comment, err := c.write(ctx, ask{method: "POST", path: c.path("issues/%d/comments", number), in: text{body}, need: writePulls})
	if err != nil {
		return Comment{}, fmt.Errorf("commenting on #%d: %w", number, err)
	}
	return comment, nil
}

// EditComment replaces the text of a comment; nobody is notified.
func (c *Client) EditComment(ctx context.Context, id int64, body string) (Comment, error) {
	comment, err := c.write(ctx, ask{method: "PATCH", path: c.path("issues/comments/%d", id), in: text{body}, need: writePulls})
	if err != nil {
		return Comment{}, fmt.Errorf("editing comment %d: %w", id, err)
	}
	return comment, nil
}

type text struct {
	Body string `json:"body"`
}

func (c *Client) write(ctx context.Context, a ask) (Comment, error) {
	var out posted
	if _, err := c.do(ctx, a, &out); err != nil {
		return Comment{}, err
	}
	return out.comment()
}

// DeleteComment is content when the comment is gone already: another run may have deleted it, or the answer to our first try was lost.
func (c *Client) DeleteComment(ctx context.Context, id int64) error {
	_, err := c.do(ctx, ask{method: "DELETE", path: c.path("issues/comments/%d", id), need: writePulls}, nil)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return fmt.Errorf("deleting comment %d: %w", id, err)
	}
	return nil
}

// Reaction is one of the signs GitHub offers below a comment.
type Reaction string

// The reactions a command is answered with.
const (
	ThumbsUp   Reaction = "+1"
	ThumbsDown Reaction = "-1"
	Confused   Reaction = "confused"
	Eyes       Reaction = "eyes"
	Rocket     Reaction = "rocket"
)

// React adds our reaction to a comment; one that is there already stays as it is.
func (c *Client) React(ctx context.Context, id int64, r Reaction) error {
	in := map[string]Reaction{"content": r}
	if _, err := c.do(ctx, ask{method: "POST", path: c.path("issues/comments/%d/reactions", id), in: in, need: writePulls}, nil); err != nil {
		return fmt.Errorf("reacting to comment %d: %w", id, err)
	}
	return nil
}
