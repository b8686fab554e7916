package gitdiff

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"
)

// Remote answers questions about a repository that is not here, through the API of its host. It asks for as little as it can: the
// first commit whose files are wanted is listed as a whole, of the others only the directories that no earlier list had, and of files
// only those that are opened. All of it is kept, so a Remote is for one run. Its methods may be called from several goroutines.
type Remote struct{ objects *apiObjects }

// OpenAPI asks nothing yet.
func OpenAPI(api API) *Remote {
	return &Remote{&apiObjects{
		api: api, limit: maxObject,
		commits: map[Commit]APICommit{}, roots: map[Commit]*listing{}, sizes: map[string]int64{}, blobs: map[string][]byte{},
	}}
}

// Parents returns the parents of a commit.
func (r *Remote) Parents(ctx context.Context, c Commit) ([]Commit, error) {
	if err := c.check(); err != nil {
		return nil, fmt.Errorf("reading the parents of a commit: %w", err)
	}
	r.objects.mu.Lock()
	defer r.objects.mu.Unlock()
	info, err := r.objects.commit(ctx, c)
	if err != nil {
		return nil, fmt.Errorf("reading the parents of %s: %w", c, err)
	}
	return info.Parents, nil
}

// MergeBase returns the commit where a and b parted, the one the host prefers if there are several.
func (r *Remote) MergeBase(ctx context.Context, a, b Commit) (Commit, error) {
	err := errors.Join(a.check(), b.check())
	base := Commit("")
	if err == nil {
		base, err = r.objects.api.MergeBase(ctx, a, b)
	}
	if err == nil {
		err = base.check()
	}
	if err != nil {
		return "", fmt.Errorf("finding the merge base of %s and %s: %w", a, b, err)
	}
	return base, nil
}

// FS is Repo.FS without a clone. A file's size is what the host says it is, until the file is read.
func (r *Remote) FS(ctx context.Context, c Commit) (fs.FS, error) {
	if err := c.check(); err != nil {
		return nil, fmt.Errorf("reading a commit: %w", err)
	}
	return newCommitFS(ctx, r.objects, c)
}

// Changed is Repo.Changed without a clone: it asks for the directories that are not the same in both commits.
func (r *Remote) Changed(ctx context.Context, a, b Commit) ([]string, error) {
	return changed(ctx, r.objects, a, b)
}

// maxKept bounds the content of files that is kept. What is beyond it is read again.
const maxKept = 64 << 20

// apiObjects reads objects through the API, one at a time, and each once.
type apiObjects struct {
	api   API
	limit int64
	trees treeCache

	mu      sync.Mutex // held while the API is asked
	commits map[Commit]APICommit
	roots   map[Commit]*listing
	sizes   map[string]int64 // of blobs, as they were listed
	blobs   map[string][]byte
	kept    int
	known   bool // a whole tree was listed, so that others share most of it
}

var _ store = (*apiObjects)(nil)

const useClone = "with a checkout, `trees: git` reads it without the API"

func (o *apiObjects) commit(ctx context.Context, c Commit) (APICommit, error) {
	if info, known := o.commits[c]; known {
		return info, nil
	}
	info, err := o.api.GitCommit(ctx, c)
	if err != nil {
		return APICommit{}, err
	}
	if len(info.Tree) != len(c) || !isObjectName(info.Tree) {
		return APICommit{}, fmt.Errorf("its tree is %q, which is no full name", info.Tree)
	}
	for _, parent := range info.Parents {
		if err := parent.check(); err != nil {
			return APICommit{}, err
		}
	}
	o.commits[c] = info
	return info, nil
}

// root lists the top directory. It is held against the commit if that is known; else a name that it lacks makes confirm ask for that.
func (o *apiObjects) root(ctx context.Context, c Commit) ([]entry, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if l, known := o.roots[c]; known {
		return l.entries, nil
	}
	info, committed := o.commits[c]
	if committed {
		if entries, known := o.cached(info.Tree); known {
			o.roots[c] = &listing{entries: entries, id: info.Tree}
			return entries, nil
		}
	}
	list := o.api.GitTree
	if !o.known {
		list = o.api.GitTreeBelow
	}
	l, err := o.list(ctx, string(c), list)
	if err != nil {
		return nil, err
	}
	if committed && l.id != info.Tree {
		return nil, otherTree(info.Tree, l.id)
	}
	o.roots[c] = l
	return l.entries, nil
}

func (o *apiObjects) confirm(ctx context.Context, c Commit) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	info, err := o.commit(ctx, c)
	if err != nil {
		return err
	}
	if l := o.roots[c]; l != nil && l.id != info.Tree {
		return otherTree(info.Tree, l.id)
	}
	return nil
}

func (o *apiObjects) tree(ctx context.Context, id string) ([]entry, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if entries, known := o.cached(id); known {
		return entries, nil
	}
	l, err := o.list(ctx, id, o.api.GitTreeBelow)
	if err != nil {
		return nil, err
	}
	if l.id != id {
		return nil, otherTree(id, l.id)
	}
	return l.entries, nil
}

func (o *apiObjects) cached(id string) ([]entry, bool) {
	if id == nameObject("tree", nil, len(id)) { // a directory of nothing is in no list
		return nil, true
	}
	return o.trees.get(id)
}

// otherTree is the error for a list that is not that of the tree it was asked for.
func otherTree(want, got string) error {
	return fmt.Errorf("the list of git tree %s is that of %s: the answer is not whole, or a name in it is not UTF-8; run it again, or else: %s",
		want, got, useClone)
}

// list reads a directory. If everything below it was asked for and is too much for one answer, that answer is thrown away, and the
// directory is read alone.
func (o *apiObjects) list(ctx context.Context, name string, ask func(context.Context, string) (APITree, error)) (*listing, error) {
	tree, err := ask(ctx, name)
	if err == nil && tree.Truncated {
		tree, err = o.api.GitTree(ctx, name)
	}
	if err != nil {
		return nil, err
	}
	if tree.Truncated {
		return nil, fmt.Errorf("git tree %s has more entries than the API lists; %s", name, useClone)
	}
	listings := parseListings(tree, len(name))
	if err := listings[""].err; err != nil {
		return nil, fmt.Errorf("reading git tree %s: %w", name, err)
	}
	for _, l := range listings {
		if l.err == nil { // else it matters only to who asks for it, and then it is read alone
			o.trees.put(l.id, l.entries)
		}
	}
	for _, e := range tree.Entries {
		if e.Size > 0 {
			o.sizes[e.ID] = e.Size
		}
	}
	o.known = true
	return listings[""], nil
}

func (o *apiObjects) blob(ctx context.Context, id string) ([]byte, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	data, known := o.blobs[id]
	if !known {
		if size := o.sizes[id]; size > o.limit {
			return nil, fmt.Errorf("reading git object %s: %w: %d bytes, where %d are the limit", id, ErrTooLarge, size, o.limit)
		}
		var err error
		if data, err = o.api.GitBlob(ctx, id, o.limit); err != nil {
			return nil, err
		}
		if got := nameObject("blob", data, len(id)); got != id {
			return nil, fmt.Errorf("reading git object %s: the API's answer of %d bytes is that of %s, so it is not whole, or not the file", id, len(data), got)
		}
		if o.kept+len(data) <= maxKept {
			o.blobs[id] = data
			o.kept += len(data)
		}
	}
	return bytes.Clone(data), nil // whoever reads a file may write to what it got
}

func (o *apiObjects) size(ctx context.Context, id string) (int64, error) {
	o.mu.Lock()
	size, listed := o.sizes[id]
	o.mu.Unlock()
	if listed {
		return size, nil
	}
	data, err := o.blob(ctx, id)
	return int64(len(data)), err
}
