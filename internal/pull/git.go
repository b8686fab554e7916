package pull

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/altergate/altergate/internal/gitdiff"
)

// The client gives the objects of its repository. Those of a fork's pull request are in there too, so that no other repository is asked.
var _ gitdiff.API = (*Client)(nil)

const (
	readContents = "contents: read"
	maxListing   = 64 << 20 // bytes of an answer other than a file's content; GitHub's own limit for a tree is 7 MB
)

// GitCommit reads a commit.
func (c *Client) GitCommit(ctx context.Context, commit gitdiff.Commit) (gitdiff.APICommit, error) {
	type named struct {
		SHA string `json:"sha"`
	}
	var got struct {
		named
		Tree    named   `json:"tree"`
		Parents []named `json:"parents"`
	}
	err := c.getObject(ctx, string(commit), c.path("git/commits/%s", commit), &got)
	if err == nil && (got.SHA != string(commit) || got.Parents == nil) {
		err = errEmpty
	}
	if err != nil {
		return gitdiff.APICommit{}, fmt.Errorf("reading commit %.12s: %w", commit, err)
	}
	found := gitdiff.APICommit{Tree: got.Tree.SHA}
	for _, parent := range got.Parents {
		found.Parents = append(found.Parents, gitdiff.Commit(parent.SHA))
	}
	return found, nil
}

// GitTree lists a directory.
func (c *Client) GitTree(ctx context.Context, name string) (gitdiff.APITree, error) {
	return c.gitTree(ctx, name, "")
}

// GitTreeBelow lists a directory and all below it. What is too much for one answer comes truncated.
func (c *Client) GitTreeBelow(ctx context.Context, name string) (gitdiff.APITree, error) {
	return c.gitTree(ctx, name, "?recursive=1")
}

// gitTree does not look at the answer's own name, which may be that of the commit or that of its tree.
func (c *Client) gitTree(ctx context.Context, name, query string) (gitdiff.APITree, error) {
	var got struct {
		Tree []struct {
			Path string `json:"path"`
			Mode string `json:"mode"`
			SHA  string `json:"sha"`
			Size int64  `json:"size"`
		} `json:"tree"`
		Truncated *bool `json:"truncated"`
	}
	err := c.getObject(ctx, name, c.path("git/trees/%s", name)+query, &got)
	if err == nil && (got.Tree == nil || got.Truncated == nil) {
		err = errEmpty
	}
	if err != nil {
		return gitdiff.APITree{}, fmt.Errorf("listing the files of %.12s: %w", name, err)
	}
	list := gitdiff.APITree{Entries: make([]gitdiff.APIEntry, len(got.Tree)), Truncated: *got.Truncated}
	for i, e := range got.Tree {
		list.Entries[i] = gitdiff.APIEntry{Path: e.Path, Mode: e.Mode, ID: e.SHA, Size: e.Size}
	}
	return list, nil
}

// GitBlob gives a file's content as it comes: it is for the caller to see that it is whole.
func (c *Client) GitBlob(ctx context.Context, id string, limit int64) ([]byte, error) {
	// The raw form; in JSON it would come in base64, a third longer.
	data, err := c.getRaw(ctx, id, ask{method: "GET", path: c.path("git/blobs/%s", id), need: readContents, accept: "application/vnd.github.raw+json"}, limit)
	if err != nil {
		return nil, fmt.Errorf("reading the content %.12s of a file: %w", id, err)
	}
	return data, nil
}

// MergeBase gives the commit where two commits parted.
func (c *Client) MergeBase(ctx context.Context, a, b gitdiff.Commit) (gitdiff.Commit, error) {
	var got struct {
		Base struct {
			SHA string `json:"sha"`
		} `json:"merge_base_commit"`
	}
	if !objectID.MatchString(string(a)) {
		return "", fmt.Errorf("comparing commits: %q is not the full name of one", a)
	}
	// The list of commits is not looked at, so one will do.
	err := c.getObject(ctx, string(b), c.path("compare/%s...%s", a, b)+"?per_page=1", &got)
	switch {
	case errors.Is(err, ErrNotFound) && strings.Contains(err.Error(), "No common ancestor"):
		return "", errors.New("the two commits share no history")
	case err == nil && got.Base.SHA == "":
		err = errEmpty
	}
	if err != nil {
		return "", fmt.Errorf("comparing %.12s and %.12s: %w", a, b, err)
	}
	return gitdiff.Commit(got.Base.SHA), nil
}

// getObject reads an answer that is JSON.
func (c *Client) getObject(ctx context.Context, name, path string, out any) error {
	data, err := c.getRaw(ctx, name, ask{method: "GET", path: path, need: readContents}, maxListing)
	if err != nil {
		return err
	}
	if len(data) == 0 {
		return errEmpty
	}
	if err := json.Unmarshal(data, out); err != nil {
		return fmt.Errorf("GitHub's answer is cut off or no JSON: %w", err)
	}
	return nil
}

func (c *Client) getRaw(ctx context.Context, name string, a ask, limit int64) ([]byte, error) {
	if !objectID.MatchString(name) {
		return nil, fmt.Errorf("%q is not the full name of an object", name)
	}
	body := bounded{limit: limit}
	_, err := c.do(ctx, a, &body)
	if errors.Is(err, ErrNotFound) {
		err = &absent{err, c.Repository()}
	}
	return body.data, err
}

// absent is GitHub's 404 for an object, which it also answers when the token may not see the repository's contents.
type absent struct {
	error
	repository string
}

func (a *absent) Error() string {
	return fmt.Sprintf("%s; %s has no such object, or the token lacks `%s`", a.error, a.repository, readContents)
}
func (a *absent) Unwrap() error        { return a.error }
func (a *absent) Is(target error) bool { return target == gitdiff.ErrMissing }

// bounded takes an answer up to a length.
type bounded struct {
	data  []byte
	limit int64
}

func (b *bounded) Write(p []byte) (int, error) {
	if int64(len(b.data)+len(p)) > b.limit {
		return 0, fmt.Errorf("%w: the answer has more than %d bytes", gitdiff.ErrTooLarge, b.limit)
	}
	b.data = append(b.data, p...)
	return len(p), nil
}
