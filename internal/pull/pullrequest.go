package pull

import (
	"context"
	"fmt"

	"github.com/google/go-github/v62/github"
)

const readPulls = "pull-requests: read"

// PullRequest is what GitHub says of one now; an event's payload says what was true when the event happened.
type PullRequest struct {
	Number        int
	URL           string // of its page
	State         string // open or closed
	Merged        bool
	Draft, Locked bool
	Author        User
	Head          Head
	Base          Base
	Mergeable     Mergeable
	MergeCommit   string // the test merge while open, else what it was merged as; may be empty, or older than Head
}

// Head is the proposed end of a pull request.
type Head struct {
	SHA, Ref string
	Repo     string // owner/name; empty when the fork is gone
	Fork     bool   // from another repository than the base's
}

// Base is the branch a pull request is to be merged into.
type Base struct{ SHA, Ref string }

// Mergeable is unknown until GitHub has tried the merge in the background.
type Mergeable int

// A pull request with a conflict has no merge commit of its present head.
const (
	MergeUnknown Mergeable = iota
	MergeClean
	MergeConflict
)

// Get reads a pull request anew.
func (c *Client) Get(ctx context.Context, number int) (PullRequest, error) {
	pr, err := c.get(ctx, number)
	if err != nil {
		return PullRequest{}, fmt.Errorf("reading pull request #%d: %w", number, err)
	}
	return pr, nil
}

func (c *Client) get(ctx context.Context, number int) (PullRequest, error) {
	var got github.PullRequest
	if _, err := c.do(ctx, ask{method: "GET", path: c.path("pulls/%d", number), need: readPulls}, &got); err != nil {
		return PullRequest{}, err
	}
	head, base := got.GetHead(), got.GetBase()
	if got.GetNumber() != number || base.GetRepo().GetFullName() == "" || !objectID.MatchString(head.GetSHA()) || !objectID.MatchString(base.GetSHA()) {
		return PullRequest{}, errEmpty
	}
	if state := got.GetState(); state != "open" && state != "closed" {
		return PullRequest{}, fmt.Errorf("GitHub answered with the unknown state %q", state)
	}
	pr := PullRequest{
		Number: number, URL: got.GetHTMLURL(), State: got.GetState(), Merged: got.GetMerged(),
		Draft: got.GetDraft(), Locked: got.GetLocked(), Author: user(got.User),
		Head: Head{SHA: head.GetSHA(), Ref: head.GetRef(), Repo: head.GetRepo().GetFullName(),
			Fork: head.GetRepo().GetFullName() != base.GetRepo().GetFullName()},
		Base:        Base{SHA: base.GetSHA(), Ref: base.GetRef()},
		MergeCommit: got.GetMergeCommitSHA(),
	}
	if got.Mergeable != nil {
		pr.Mergeable = MergeConflict
		if *got.Mergeable {
			pr.Mergeable = MergeClean
		}
	}
	return pr, nil
}

// Commit says who wrote a commit, as far as GitHub knows: both are found by e-mail address, which anyone can write into a commit,
// and are zero where no account has it.
type Commit struct {
	SHA               string
	Author, Committer User
}

// Commits reads all commits of a pull request.
func (c *Client) Commits(ctx context.Context, number int) ([]Commit, error) {
	const listed = 250 // GitHub's own limit, where the list ends without a word
	found, err := list[*github.RepositoryCommit](ctx, c, c.path("pulls/%d/commits", number), readPulls)
	if err == nil && len(found) >= listed {
		found, err = c.compared(ctx, number)
	}
	if err != nil {
		return nil, fmt.Errorf("listing the commits of #%d: %w", number, err)
	}
	commits := make([]Commit, len(found))
	for i, f := range found {
		if commits[i] = (Commit{SHA: f.GetSHA(), Author: user(f.Author), Committer: user(f.Committer)}); commits[i].SHA == "" {
			return nil, fmt.Errorf("listing the commits of #%d: %w", number, errEmpty)
		}
	}
	return commits, nil
}

// compared lists the commits between base and head, which GitHub gives in full, at the price of a heavy first page.
func (c *Client) compared(ctx context.Context, number int) ([]*github.RepositoryCommit, error) {
	pr, err := c.get(ctx, number)
	if err != nil {
		return nil, err
	}
	var all []*github.RepositoryCommit
	total := 0
	path := c.path("compare/%s...%s", pr.Base.SHA, pr.Head.SHA)
	err = pages(ctx, c, path, "contents: read", func(page github.CommitsComparison) error {
		all, total = append(all, page.Commits...), page.GetTotalCommits()
		return nil
	})
	if err == nil && (total == 0 || len(all) != total) {
		err = fmt.Errorf("GitHub gave %d of %d", len(all), total)
	}
	return all, err
}
