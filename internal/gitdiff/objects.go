package gitdiff

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync"
)

// ErrTooLarge says that an object is above the size that is read into memory.
var ErrTooLarge = errors.New("too large to be read")

// maxObject bounds what one object may take of memory. A schema is far
// smaller; a change of this size is made to hurt.
const maxObject = 64 << 20

// maxCached is how many entries of trees are kept, at some hundred bytes each.
const maxCached = 2_000_000

// objects reads the objects of one repository, one at a time.
type objects struct {
	git   git
	limit int64

	mu      sync.Mutex
	process *catFile // nil until needed, and after it broke
	closed  bool
	// trees holds every tree read: two commits share most of theirs, and a
	// path is looked up from the root each time.
	trees  map[string][]entry
	cached int // entries in trees
}

func newObjects(g git) *objects {
	return &objects{git: g, limit: maxObject, trees: map[string][]entry{}}
}

// read returns the full name and the content of an object of a kind.
func (o *objects) read(ctx context.Context, name, kind string) (id string, data []byte, err error) {
	err = o.ask(ctx, name, func(h header, body io.Reader) error {
		if h.kind != kind {
			return fmt.Errorf("a %s, not a %s", h.kind, kind)
		}
		if h.size > o.limit {
			return fmt.Errorf("%w: %d bytes, where %d are the limit", ErrTooLarge, h.size, o.limit)
		}
		id, data = h.id, make([]byte, h.size)
		if _, err := io.ReadFull(body, data); err != nil {
			return ended(err)
		}
		return nil
	})
	if err != nil {
		return "", nil, fmt.Errorf("reading git object %s: %w", name, err)
	}
	return id, data, nil
}

// size returns the size of a blob, however large.
func (o *objects) size(ctx context.Context, id string) (size int64, err error) {
	err = o.ask(ctx, id, func(h header, _ io.Reader) error {
		size = h.size
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("reading the size of git object %s: %w", id, err)
	}
	return size, nil
}

// tree returns the name and the entries of a tree, which may be given by a
// commit as <commit>^{tree}.
func (o *objects) tree(ctx context.Context, name string) (id string, entries []entry, err error) {
	o.mu.Lock()
	entries, known := o.trees[name]
	o.mu.Unlock()
	if known {
		return name, entries, nil
	}
	id, data, err := o.read(ctx, name, "tree")
	if err != nil {
		return "", nil, err
	}
	if entries, err = parseTree(data, len(id)/2); err != nil {
		return "", nil, fmt.Errorf("reading git tree %s: %w", id, err)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.cached+len(entries) <= maxCached {
		o.trees[id] = entries
		o.cached += len(entries)
	}
	return id, entries, nil
}

func (o *objects) ask(ctx context.Context, request string, use func(header, io.Reader) error) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		return fmt.Errorf("the repository is closed: %w", fs.ErrClosed)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if o.process == nil {
		process, err := startCatFile(o.git)
		if err != nil {
			return fmt.Errorf("starting git cat-file: %w", err)
		}
		o.process = process
	}
	// In a partial clone git may wait for a server here.
	killed := make(chan struct{})
	release := context.AfterFunc(ctx, func() {
		o.process.kill()
		close(killed)
	})
	err := o.process.ask(request, use)
	if !release() {
		<-killed // not later, when its number may be another process's
	} else if !o.process.broken {
		return err
	}
	said := o.process.stop()
	o.process = nil
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case said != "":
		return fmt.Errorf("%w: %s", err, said)
	default:
		return err
	}
}

// restart lets the next request see what a fetch brought, the border of a
// shallow clone included, which git reads only once.
func (o *objects) restart() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.process != nil {
		o.process.stop()
		o.process = nil
	}
}

func (o *objects) close() error {
	o.restart()
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
	return nil
}
