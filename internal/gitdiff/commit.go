package gitdiff

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"unicode"
)

// Commit is the full object name of a commit, in lower-case hexadecimal.
type Commit string

func (c Commit) check() error {
	if !isObjectName(string(c)) {
		return fmt.Errorf("%q is not the full name of a commit", string(c))
	}
	return nil
}

// Resolve finds the commit that a branch, a tag, a SHA or an expression such
// as HEAD~1 names. A full SHA that this clone lacks is fetched from origin,
// without touching any ref. A name that tags and branches use for different
// commits is an error.
func (r *Repo) Resolve(ctx context.Context, rev string) (Commit, error) {
	if err := checkRevision(rev); err != nil {
		return "", fmt.Errorf("resolving the revision %q: %w", rev, err)
	}
	exact := isObjectName(strings.ToLower(rev))
	c, err := r.lookUp(ctx, rev)
	if exact && errors.Is(err, ErrMissing) {
		if err := r.fetch(ctx, Commit(strings.ToLower(rev))); err != nil {
			return "", fmt.Errorf("fetching commit %s: %w", rev, err)
		}
		c, err = r.lookUp(ctx, rev)
	}
	if err == nil && !exact {
		err = r.checkUnambiguous(ctx, rev, c)
	}
	if errors.Is(err, ErrMissing) {
		return "", fmt.Errorf("resolving the revision %q: %w; %s", rev, ErrMissing, r.moreHistory())
	}
	if err != nil {
		return "", fmt.Errorf("resolving the revision %q: %w", rev, err)
	}
	return c, nil
}

// checkRevision refuses what is no plain revision. Cat-file takes a line, so a
// line break would be a second request; it takes "rev:path" for a file.
func checkRevision(rev string) error {
	switch {
	case rev == "":
		return errors.New("it is empty")
	case strings.HasPrefix(rev, "-"):
		return errors.New("it starts with a dash, as an option does")
	case strings.ContainsFunc(rev, unicode.IsControl):
		return errors.New("it holds a control character")
	case strings.Contains(rev, ":"):
		return errors.New(`it holds a ":", which no name of a commit does`)
	default:
		return nil
	}
}

func (r *Repo) lookUp(ctx context.Context, rev string) (Commit, error) {
	id, _, err := r.objects.read(ctx, rev+"^{commit}", "commit")
	return Commit(id), err
}

// checkUnambiguous makes sure that rev means c only. Git would take a tag
// before a branch with a warning, so that who may push a tag named "main"
// could choose the base.
func (r *Repo) checkUnambiguous(ctx context.Context, rev string, c Commit) error {
	name := rev
	if end := strings.IndexAny(rev, "~^@"); end >= 0 {
		name = rev[:end]
	}
	if name == "" || name == "HEAD" {
		return nil // never taken for a tag or a branch
	}
	for _, space := range []string{"refs/tags/", "refs/heads/", "refs/remotes/"} {
		other, err := r.lookUp(ctx, space+rev)
		if errors.Is(err, ErrMissing) {
			continue
		}
		if err != nil {
			return err
		}
		if other != c {
			return fmt.Errorf("it means %s, and %s%s is %s; write the name from refs/ on", c, space, rev, other)
		}
	}
	return nil
}

// Parents returns the parents that the commit itself names. At the border of
// a shallow clone these may be commits that the clone lacks; Resolve gets them.
func (r *Repo) Parents(ctx context.Context, c Commit) ([]Commit, error) {
	if err := c.check(); err != nil {
		return nil, fmt.Errorf("reading the parents of a commit: %w", err)
	}
	_, data, err := r.objects.read(ctx, string(c), "commit")
	if err != nil {
		return nil, fmt.Errorf("reading the parents of %s: %w", c, err)
	}
	var parents []Commit
	for i, line := range strings.Split(string(data), "\n") {
		word, id, _ := strings.Cut(line, " ")
		if i == 0 && word == "tree" {
			continue
		}
		if word != "parent" {
			break // parents follow the tree at once, and free text may follow them
		}
		parent := Commit(id)
		if err := parent.check(); err != nil {
			return nil, fmt.Errorf("reading the parents of %s: %w", c, err)
		}
		parents = append(parents, parent)
	}
	return parents, nil
}

// DefaultBranch returns the tip of the branch that pull requests go to, as far
// as the clone knows: origin/HEAD, origin/main, origin/master, main, master.
func (r *Repo) DefaultBranch(ctx context.Context) (Commit, error) {
	refs := []string{
		"refs/remotes/origin/HEAD", "refs/remotes/origin/main", "refs/remotes/origin/master",
		"refs/heads/main", "refs/heads/master",
	}
	for _, ref := range refs {
		c, err := r.lookUp(ctx, ref)
		if errors.Is(err, ErrMissing) {
			continue
		}
		if err != nil {
			return "", fmt.Errorf("finding the default branch: %w", err)
		}
		return c, nil
	}
	return "", fmt.Errorf("finding the default branch: %w: none of %s; name the base instead", ErrMissing, strings.Join(refs, ", "))
}

// MergeBase returns the commit where a and b parted, the one git prefers if
// there are several. In a shallow clone it is an error not only when no such
// commit is visible, but also when a later one may be hidden.
func (r *Repo) MergeBase(ctx context.Context, a, b Commit) (Commit, error) {
	base, err := r.mergeBase(ctx, a, b)
	if err != nil {
		return "", fmt.Errorf("finding the merge base of %s and %s: %w", a, b, err)
	}
	return base, nil
}

func (r *Repo) mergeBase(ctx context.Context, a, b Commit) (Commit, error) {
	if err := errors.Join(a.check(), b.check()); err != nil {
		return "", err
	}
	border, err := r.border()
	if err != nil {
		return "", err
	}
	hidden := fmt.Errorf("%w, which is shallow; %s", ErrMissing, r.moreHistory())
	out, err := r.git.run(ctx, "merge-base", "--end-of-options", string(a), string(b))
	if exited(err, 1) {
		if len(border) > 0 {
			return "", hidden
		}
		return "", errors.New("the two commits share no history")
	}
	if err != nil {
		return "", err
	}
	base := Commit(strings.TrimSpace(out))
	if err := base.check(); err != nil {
		return "", err
	}
	if len(border) == 0 {
		return base, nil
	}
	// The commits on either side since the base are all there, and so no better
	// base is hidden, unless one of them lies at the border.
	out, err = r.git.run(ctx, "rev-list", "--end-of-options", string(a), string(b), "^"+string(base))
	if err != nil {
		return "", err
	}
	for _, c := range strings.Fields(out) {
		if border[Commit(c)] {
			return "", hidden
		}
	}
	return base, nil
}

// border returns the commits of a shallow clone whose parents were left out;
// none in a full clone.
func (r *Repo) border() (map[Commit]bool, error) {
	data, err := os.ReadFile(r.shallow)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading where the shallow clone ends: %w", err)
	}
	border := map[Commit]bool{}
	for _, c := range strings.Fields(string(data)) {
		border[Commit(c)] = true
	}
	return border, nil
}

// moreHistory advises someone whose clone lacks a commit.
func (r *Repo) moreHistory() string {
	if border, err := r.border(); err == nil && len(border) > 0 {
		return "fetch more history (actions/checkout with fetch-depth: 0)"
	}
	return "check the name (a short SHA may be too short), or fetch it first"
}
