package pull

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/google/go-github/v62/github"
)

// Branch gives the commit at the tip of a branch now. A pull request's own idea of its base is as old as its last push.
func (c *Client) Branch(ctx context.Context, name string) (string, error) {
	sha, err := c.branch(ctx, name)
	if err != nil {
		return "", fmt.Errorf("finding the tip of the branch %s: %w", name, err)
	}
	return sha, nil
}

func (c *Client) branch(ctx context.Context, name string) (string, error) {
	var got github.Reference
	if _, err := c.do(ctx, ask{method: "GET", path: c.path("git/ref/heads/%s", branchPath(name)), need: "contents: read"}, &got); err != nil {
		return "", err
	}
	if got.GetRef() != "refs/heads/"+name || got.GetObject().GetType() != "commit" || !objectID.MatchString(got.GetObject().GetSHA()) {
		return "", errEmpty
	}
	return got.GetObject().GetSHA(), nil
}

// branchPath is the name of a branch as a part of a path, in which its slashes stay.
func branchPath(name string) string {
	segments := strings.Split(name, "/")
	for i, s := range segments {
		segments[i] = url.PathEscape(s)
	}
	return strings.Join(segments, "/")
}

// OpenPull is as much of an open pull request as tells it from others.
type OpenPull struct {
	Number int
	Head   string // commit
	Base   string // name of the branch
}

// OpenPulls lists all open pull requests of the repository.
func (c *Client) OpenPulls(ctx context.Context) ([]OpenPull, error) {
	got, err := list[*github.PullRequest](ctx, c, c.path("pulls"), readPulls) // open ones are what GitHub lists unasked
	if err != nil {
		return nil, fmt.Errorf("listing the open pull requests: %w", err)
	}
	var open []OpenPull
	for _, pr := range got {
		if pr.GetState() == "closed" {
			continue
		}
		open = append(open, OpenPull{pr.GetNumber(), pr.GetHead().GetSHA(), pr.GetBase().GetRef()})
	}
	return open, nil
}
