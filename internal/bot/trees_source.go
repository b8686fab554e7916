package bot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/altergate/altergate/internal/gitdiff"
	"github.com/altergate/altergate/internal/pipeline"
)

// TreeSource says where the files of commits come from.
type TreeSource string

// What comes out is the same with each, as a commit's name is that of its content.
const (
	TreesAuto TreeSource = "auto" // the clone if it holds what is needed, else the API
	TreesGit  TreeSource = "git"  // the clone, which fetches what it lacks
	TreesAPI  TreeSource = "api"  // GitHub's API alone
)

// repository is where commits are read from. All names in it are full ones.
type repository interface {
	Parents(context.Context, gitdiff.Commit) ([]gitdiff.Commit, error)
	MergeBase(ctx context.Context, a, b gitdiff.Commit) (gitdiff.Commit, error)
	FS(context.Context, gitdiff.Commit) (fs.FS, error)
	// Changed lists the paths of the files that are not the same in both.
	Changed(ctx context.Context, a, b gitdiff.Commit) ([]string, error)
}

var _, _, _ repository = (*gitdiff.Repo)(nil), (*gitdiff.Remote)(nil), fetching{}

// reportOn plans what is wanted, with the files from where the settings say.
func (r *review) reportOn(ctx context.Context, want wanted) (*pipeline.Report, error) {
	switch r.Trees {
	case TreesGit:
		return r.reportFetching(ctx, want)
	case TreesAPI:
		return r.reportFrom(ctx, gitdiff.OpenAPI(r.Pulls), want)
	case TreesAuto, "":
		report, why := r.reportHeld(ctx, want)
		if why == nil || ctx.Err() != nil {
			return report, ctx.Err()
		}
		r.logf("The files are read through GitHub's API: %s", why)
		return r.reportFrom(ctx, gitdiff.OpenAPI(r.Pulls), want)
	default:
		return nil, fmt.Errorf("there is no source of trees called %q; it is auto, git or api", r.Trees)
	}
}

func (r *review) reportFetching(ctx context.Context, want wanted) (*pipeline.Report, error) {
	repo, err := gitdiff.Open(ctx, r.Workspace)
	if errors.Is(err, gitdiff.ErrNoRepository) {
		return nil, fmt.Errorf("%w: with `trees: git` the workflow has to run actions/checkout before Altergate; `trees: auto` needs none", err)
	}
	if err != nil {
		return nil, err
	}
	defer repo.Close()
	return r.reportFrom(ctx, fetching{repo}, want)
}

// reportHeld plans with what the clone has, or says why it cannot. A file that the clone could not give is an error in the report, if it
// is not worse, so whatever was not to be had on the way is a reason to ask elsewhere.
func (r *review) reportHeld(ctx context.Context, want wanted) (*pipeline.Report, error) {
	repo, err := gitdiff.OpenHeld(ctx, r.Workspace)
	if err != nil {
		return nil, err
	}
	defer repo.Close()
	for _, c := range want.commits() {
		if _, err := repo.Parents(ctx, c); err != nil {
			return nil, err
		}
	}
	report, err := r.reportFrom(ctx, repo, want)
	if err == nil {
		err = repo.Trouble()
	}
	return report, err
}

// fetching is a clone that gets the commits it lacks before it reads them.
type fetching struct{ *gitdiff.Repo }

func (f fetching) Parents(ctx context.Context, c gitdiff.Commit) ([]gitdiff.Commit, error) {
	if _, err := f.Resolve(ctx, string(c)); err != nil {
		return nil, err
	}
	return f.Repo.Parents(ctx, c)
}

func (f fetching) MergeBase(ctx context.Context, a, b gitdiff.Commit) (gitdiff.Commit, error) {
	for _, c := range []gitdiff.Commit{a, b} {
		if _, err := f.Resolve(ctx, string(c)); err != nil {
			return "", err
		}
	}
	return f.Repo.MergeBase(ctx, a, b)
}

func (f fetching) FS(ctx context.Context, c gitdiff.Commit) (fs.FS, error) {
	if _, err := f.Resolve(ctx, string(c)); err != nil {
		return nil, err
	}
	return f.Repo.FS(ctx, c)
}

func (f fetching) Changed(ctx context.Context, a, b gitdiff.Commit) ([]string, error) {
	for _, c := range []gitdiff.Commit{a, b} {
		if _, err := f.Resolve(ctx, string(c)); err != nil {
			return nil, err
		}
	}
	return f.Repo.Changed(ctx, a, b)
}
