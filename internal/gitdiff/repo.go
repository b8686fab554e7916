// Package gitdiff shows a commit as an fs.FS, and answers which commit is the
// base and which paths changed. The commit's objects come from the local
// repository, or through the API of the repository's host.
//
// It reads raw objects only: nothing is checked out, and no hook, filter,
// textconv or file-system monitor of the repository is run. It does not know
// what a schema or a pull request is.
package gitdiff

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
)

var (
	// ErrNoRepository says that no repository holds the directory, so the
	// commits have to be read from elsewhere.
	ErrNoRepository = errors.New("no git repository holds this directory")

	// ErrMissing says that this clone lacks a commit or an object, which
	// another source of the same repository may well have. Of the host, it
	// says that the repository itself has no such thing.
	ErrMissing = errors.New("not in this clone")
)

// Repo answers questions about one local repository. Its methods may be
// called from several goroutines; it holds a git process until Close.
type Repo struct {
	git     git
	root    string
	shallow string // the file that lists the border of a shallow clone
	objects *objects
}

// Open finds the repository that holds dir. A bare repository, a linked
// worktree, a shallow and a partial clone are all repositories.
//
// A repository that belongs to another user is opened only when dir is its
// top: naming it is trust, finding it in a parent directory is not.
func Open(ctx context.Context, dir string) (*Repo, error) {
	return open(ctx, dir, git{})
}

// OpenHeld is Open for what the clone holds already: nothing is fetched, not
// even the objects that a partial clone leaves for later.
func OpenHeld(ctx context.Context, dir string) (*Repo, error) {
	return open(ctx, dir, git{offline: true})
}

func open(ctx context.Context, dir string, g git) (*Repo, error) {
	at, err := locate(dir)
	if err != nil {
		return nil, fmt.Errorf("opening the repository of %s: %w", dir, err)
	}
	g.dir = at.top
	if at.named {
		g.config = append(g.config, "safe.directory="+at.top)
	}
	out, err := g.run(ctx, "rev-parse", "--is-inside-work-tree", "--git-path", "shallow", "--show-cdup")
	if err != nil {
		return nil, fmt.Errorf("opening the repository in %s: %w", at.top, err)
	}
	// The way up is an empty line at the top, and no line in a bare repository.
	lines := strings.Split(out, "\n")
	if len(lines) < 3 || len(lines) > 4 {
		return nil, fmt.Errorf("opening the repository in %s: git described it as %q", at.top, out)
	}
	r := &Repo{git: g, shallow: from(at.top, lines[1]), objects: newObjects(g)}
	if inside, up := lines[0] == "true", lines[2]; inside || up != "" {
		r.root = from(at.top, up)
	}
	return r, nil
}

// from reads a path that git printed relative to the directory it ran in.
func from(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// Root is the absolute path of the top of the working tree, free of symbolic
// links, or "" for a bare repository.
func (r *Repo) Root() string { return r.root }

// Trouble is the first directory or file since Open that the clone lacked, or
// could not give as it was committed; nil if there was none. Whoever read the
// files may not have said so, or not why.
func (r *Repo) Trouble() error {
	r.objects.mu.Lock()
	defer r.objects.mu.Unlock()
	return r.objects.trouble
}

// Close ends the git process. Reading through r or a file system of r
// afterwards is an error.
func (r *Repo) Close() error { return r.objects.close() }
