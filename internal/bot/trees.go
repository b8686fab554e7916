package bot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/altergate/altergate/internal/gitdiff"
	"github.com/altergate/altergate/internal/schema"
)

// trees are what is compared, and what it is held against.
type trees struct {
	policy     fs.FS // the tip of the base branch: nothing a pull request does chooses another one
	base, head fs.FS
	own        func() (fs.FS, error) // the head commit's own files, where head is a merge of it
	from       gitdiff.Commit        // base
	notices    []schema.Notice
}

// open finds the trees of the pull request in the clone, which fetches the commits it lacks.
func (r *review) open(ctx context.Context, repo *gitdiff.Repo) (trees, error) {
	at, err := r.Pulls.Branch(ctx, r.pr.Base.Ref)
	if err != nil {
		return trees{}, err
	}
	tip := gitdiff.Commit(at)
	t := trees{}
	if t.policy, err = files(ctx, repo, tip); err != nil {
		return trees{}, err
	}
	head := gitdiff.Commit(r.pr.Head.SHA)
	merge, err := r.merge(ctx, repo, tip, head)
	if err != nil {
		return trees{}, err
	}
	if merge != "" {
		t.from, t.base = tip, t.policy
		t.own = func() (fs.FS, error) { return files(ctx, repo, head) }
		t.head, err = files(ctx, repo, merge)
		return t, err
	}
	if t.head, err = files(ctx, repo, head); err != nil {
		return trees{}, err
	}
	if t.from, err = repo.MergeBase(ctx, tip, head); err != nil {
		return trees{}, err
	}
	t.notices = append(t.notices, schema.Notice{Text: fmt.Sprintf("GitHub has no merge of this head into the tip of %s, because of a conflict or "+
		"because it is not made yet; so this compares the head with %.12s, where the branches parted, and what was merged into %s since then is not in it",
		r.pr.Base.Ref, t.from, r.pr.Base.Ref)})
	t.base, err = files(ctx, repo, t.from)
	return t, err
}

// merge gives the commit that GitHub made of base and head to try the merge, if it is of exactly these two: it is what will be on the
// base branch. GitHub makes it in the background, so it may be of an earlier pair.
func (r *review) merge(ctx context.Context, repo *gitdiff.Repo, tip, head gitdiff.Commit) (gitdiff.Commit, error) {
	if r.pr.MergeCommit == "" {
		return "", nil
	}
	merge, err := repo.Resolve(ctx, r.pr.MergeCommit)
	if errors.Is(err, gitdiff.ErrMissing) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	parents, err := repo.Parents(ctx, merge)
	if err != nil || !slices.Equal(parents, []gitdiff.Commit{tip, head}) {
		return "", err
	}
	return merge, nil
}

func files(ctx context.Context, repo *gitdiff.Repo, c gitdiff.Commit) (fs.FS, error) {
	c, err := repo.Resolve(ctx, string(c))
	if err != nil {
		return nil, err
	}
	return repo.FS(ctx, c)
}
