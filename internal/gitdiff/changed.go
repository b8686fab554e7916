package gitdiff

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// maxPaths bounds the total length of the paths that are compared. A few small
// trees can stand for more files than any machine can list, by naming the same
// subtree again and again; no honest change comes near.
const maxPaths = 64 << 20

// Changed lists, sorted, the paths of all files that are not the same in both
// commits, added and removed ones included. A rename is two paths; so is a
// file that became a directory. A symbolic link or a submodule counts as a file.
func (r *Repo) Changed(ctx context.Context, a, b Commit) ([]string, error) {
	return changed(ctx, r.objects, a, b)
}

func changed(ctx context.Context, from store, a, b Commit) ([]string, error) {
	w := &comparison{ctx: ctx, store: from}
	if err := w.commits(a, b); err != nil {
		return nil, fmt.Errorf("comparing commits %s and %s: %w", a, b, err)
	}
	slices.Sort(w.paths)
	return w.paths, nil
}

// A comparison walks two trees side by side, into what differs only.
type comparison struct {
	ctx    context.Context // of the one call that the comparison lives for
	store  store
	paths  []string
	length int // of all paths compared so far
}

func (w *comparison) commits(a, b Commit) error {
	var entries [2][]entry
	for i, c := range []Commit{a, b} {
		if err := c.check(); err != nil {
			return err
		}
		var err error
		if entries[i], err = w.store.root(w.ctx, c); err != nil {
			return err
		}
		if err := w.store.confirm(w.ctx, c); err != nil {
			return err
		}
	}
	return w.entries("", entries[0], entries[1])
}

// entries merges two sorted lists, of which either may be empty.
func (w *comparison) entries(dir string, as, bs []entry) error {
	for len(as) > 0 || len(bs) > 0 {
		var a, b entry // the zero entry stands for nothing there
		switch order := compareNames(as, bs); {
		case order < 0:
			a, as = as[0], as[1:]
		case order > 0:
			b, bs = bs[0], bs[1:]
		default:
			a, as = as[0], as[1:]
			b, bs = bs[0], bs[1:]
		}
		if a == b {
			continue
		}
		if err := w.entry(dir, a, b); err != nil {
			return err
		}
	}
	return nil
}

// compareNames tells which list has the next name; an empty one has none.
func compareNames(as, bs []entry) int {
	switch {
	case len(as) == 0:
		return 1
	case len(bs) == 0:
		return -1
	default:
		return strings.Compare(as[0].name, bs[0].name)
	}
}

// entry takes in one name that differs. The recursion is bounded by maxPaths,
// as the paths grow with it.
func (w *comparison) entry(dir string, a, b entry) error {
	path := dir + max(a.name, b.name) // equal, or one of them is empty
	if w.length += len(path); w.length > maxPaths {
		return errors.New("too many files differ to be reviewed")
	}
	isFile := func(e entry) bool { return e.name != "" && !e.mode.IsDir() }
	if isFile(a) || isFile(b) {
		w.paths = append(w.paths, path)
	}
	var below [2][]entry
	for i, e := range []entry{a, b} {
		if !e.mode.IsDir() {
			continue
		}
		var err error
		if below[i], err = w.store.tree(w.ctx, e.id); err != nil {
			return fmt.Errorf("reading directory %q: %w", path, err)
		}
	}
	return w.entries(path+"/", below[0], below[1])
}
