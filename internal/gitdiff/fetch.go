package gitdiff

import (
	"context"
	"fmt"
)

// fetch gets one commit from origin by its full name. The clone stays what it
// was: no ref moves, and --depth is given in a shallow clone only, because it
// would cut off the history of a full one.
func (r *Repo) fetch(ctx context.Context, c Commit) error {
	// Without such a remote, git would take "origin" for a directory, which a
	// pull request can supply.
	if _, err := r.git.run(ctx, "config", "--get", "remote.origin.url"); exited(err, 1) {
		return fmt.Errorf("%w, and there is no remote named origin to fetch it from", ErrMissing)
	} else if err != nil {
		return err
	}
	border, err := r.border()
	if err != nil {
		return err
	}
	args := []string{
		"fetch", "--quiet",
		"--no-write-fetch-head", "--refmap=", "--no-tags", "--no-prune",
		"--no-recurse-submodules", "--no-auto-maintenance", "--no-write-commit-graph",
		"--upload-pack=git-upload-pack", // not a program that the configuration names
	}
	if len(border) > 0 {
		args = append(args, "--depth=1")
	}
	_, err = r.git.run(ctx, append(args, "--end-of-options", "origin", string(c))...)
	r.objects.restart()
	if err == nil || ctx.Err() != nil {
		return err
	}
	return fmt.Errorf("%w, and origin did not give it; %s: %w", ErrMissing, r.moreHistory(), err)
}
