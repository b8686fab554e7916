package bot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/altergate/altergate/internal/gitdiff"
	"github.com/altergate/altergate/internal/pipeline"
	"github.com/altergate/altergate/internal/schema"
)

// wanted says which commits a review is about.
type wanted struct {
	into string         // the branch it goes into, by name
	tip  gitdiff.Commit // of that branch: nothing a pull request does chooses another policy

	// base and head are compared as they are. Without a base it is found: the tip, if merge is what GitHub made of the tip and the
	// head, else the commit where the two parted.
	base, head gitdiff.Commit
	merge      gitdiff.Commit // as GitHub names it: it may be empty, of an earlier pair, or gone
}

// commits are all whose files may have to be read, as far as they are known from the start.
func (w wanted) commits() []gitdiff.Commit {
	all := []gitdiff.Commit{w.tip, w.base, w.head, w.merge}
	return slices.DeleteFunc(all, func(c gitdiff.Commit) bool { return c == "" })
}

// wanted are the commits of the pull request, or of what a merge queue made of it.
func (r *review) wanted() wanted {
	want := wanted{into: r.pr.Base.Ref, tip: r.tip, head: gitdiff.Commit(r.commit)}
	if r.group != (group{}) {
		want.base = gitdiff.Commit(r.group.base)
	} else {
		want.merge = gitdiff.Commit(r.pr.MergeCommit)
	}
	return want
}

// trees are what is compared, and what it is held against.
type trees struct {
	policy     fs.FS
	base, head fs.FS
	own        func() (fs.FS, error) // the head commit's own files, where head is a merge of it
	from       gitdiff.Commit        // base
	tip        bool                  // base is the tip of the branch too, whose the policy is
	notices    []schema.Notice
}

// sides are the trees whose configurations count.
func (t trees) sides() pipeline.Sides {
	s := pipeline.Sides{Policy: t.policy, Base: t.base, Head: t.head}
	if t.tip {
		s.Base = nil
	}
	return s
}

// open finds the trees in a repository.
func open(ctx context.Context, repo repository, want wanted) (t trees, err error) {
	// The first one, since what shares most with it is read after it.
	if t.policy, err = repo.FS(ctx, want.tip); err != nil {
		return trees{}, err
	}
	var head gitdiff.Commit
	if t.from, head, err = pair(ctx, repo, want); err != nil {
		return trees{}, err
	}
	t.tip = t.from == want.tip
	if want.base == "" && head == want.head {
		t.notices = append(t.notices, schema.Notice{Text: fmt.Sprintf("GitHub has no merge of this head into the tip of %s, because of a conflict or "+
			"because it is not made yet; so this compares the head with %.12s, where the branches parted, and what was merged into %s since then is not in it",
			want.into, t.from, want.into)})
	}
	if t.base, err = repo.FS(ctx, t.from); err != nil {
		return trees{}, err
	}
	if head != want.head {
		t.own = func() (fs.FS, error) { return repo.FS(ctx, want.head) }
	}
	t.head, err = repo.FS(ctx, head)
	return t, err
}

// pair gives the two commits to compare. The merge that GitHub made to try it is what will be on the base branch, but GitHub makes it in
// the background, so it may be of an earlier pair: it has to be of exactly these two.
func pair(ctx context.Context, repo repository, want wanted) (base, head gitdiff.Commit, err error) {
	if want.base != "" {
		return want.base, want.head, nil
	}
	if want.merge != "" {
		parents, err := repo.Parents(ctx, want.merge)
		switch {
		case errors.Is(err, gitdiff.ErrMissing): // it is gone
		case err != nil:
			return "", "", err
		case slices.Equal(parents, []gitdiff.Commit{want.tip, want.head}):
			return want.tip, want.merge, nil
		}
	}
	base, err = repo.MergeBase(ctx, want.tip, want.head)
	return base, want.head, err
}
