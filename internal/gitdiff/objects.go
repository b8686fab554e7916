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

// objects reads the objects of one clone, one at a time.
type objects struct {
	git   git
	limit int64
	trees treeCache

	mu      sync.Mutex
	process *catFile // nil until needed, and after it broke
	closed  bool
	trouble error // the first object that could not be had, whatever became of the error
}

func newObjects(g git) *objects { return &objects{git: g, limit: maxObject} }

var _ store = (*objects)(nil)

func (o *objects) root(ctx context.Context, c Commit) ([]entry, error) {
	return o.tree(ctx, string(c)+"^{tree}")
}

// confirm has nothing to do: git gives whole trees.
func (o *objects) confirm(context.Context, Commit) error { return nil }

func (o *objects) blob(ctx context.Context, id string) ([]byte, error) {
	_, data, err := o.read(ctx, id, "blob")
	return data, o.note(ctx, err)
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
		if got := nameObject(kind, data, len(id)); got != id {
			return fmt.Errorf("its content is that of %s: the clone is damaged, as git fsck will tell", got)
		}
		return nil
	})
	if err != nil {
		return "", nil, fmt.Errorf("reading git object %s: %w", name, err)
	}
	return id, data, nil
}

// note remembers what is wrong with the clone. What is too large, and a caller that gave up, is no fault of the clone's.
func (o *objects) note(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil || errors.Is(err, ErrTooLarge) {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.trouble == nil {
		o.trouble = err
	}
	return err
}

// size returns the size of a blob, however large.
func (o *objects) size(ctx context.Context, id string) (size int64, err error) {
	err = o.ask(ctx, id, func(h header, _ io.Reader) error {
		size = h.size
		return nil
	})
	if err != nil {
		return 0, o.note(ctx, fmt.Errorf("reading the size of git object %s: %w", id, err))
	}
	return size, nil
}

// tree returns the entries of a tree, which may be given by a commit as <commit>^{tree}.
func (o *objects) tree(ctx context.Context, name string) ([]entry, error) {
	if entries, known := o.trees.get(name); known {
		return entries, nil
	}
	id, data, err := o.read(ctx, name, "tree")
	if err != nil {
		return nil, o.note(ctx, err)
	}
	entries, err := parseTree(data, len(id)/2)
	if err != nil {
		return nil, o.note(ctx, fmt.Errorf("reading git tree %s: %w", id, err))
	}
	o.trees.put(id, entries)
	return entries, nil
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
