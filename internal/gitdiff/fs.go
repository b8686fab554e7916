package gitdiff

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// Kinds of entry that a commit can hold and that are listed, but never opened.
// Each comes wrapped in an *fs.PathError and reads on from the name of the file.
var (
	// ErrSymlink refuses a symbolic link, and any path through one: what it
	// points to may lie outside the commit.
	ErrSymlink = errors.New("is a symbolic link, which is never followed; commit the file itself in its place")

	// ErrSubmodule refuses a submodule, whose files are in another repository.
	ErrSubmodule = errors.New("is a submodule, whose files are not in this repository; keep the file in this repository")

	// ErrLFS refuses a Git LFS pointer, which only names the file's content.
	ErrLFS = errors.New("is a Git LFS pointer, which does not hold the file's content; " +
		"take the file out of Git LFS (git lfs migrate export) and commit it as text")
)

// FS returns the files of a commit, exactly as they were committed. It also
// implements fs.ReadDirFS, fs.ReadFileFS and fs.StatFS, and may be used by
// several goroutines. It reads when asked, and only while ctx lives and r is open.
//
// A name that is not valid UTF-8 is listed as it is, but cannot be opened.
func (r *Repo) FS(ctx context.Context, c Commit) (fs.FS, error) {
	if err := c.check(); err != nil {
		return nil, fmt.Errorf("reading a commit: %w", err)
	}
	return newCommitFS(ctx, r.objects, c)
}

type commitFS struct {
	ctx    context.Context // io/fs hands none to its methods
	store  store
	commit Commit
	root   []entry
}

func newCommitFS(ctx context.Context, from store, c Commit) (fs.FS, error) {
	root, err := from.root(ctx, c)
	if err != nil {
		return nil, fmt.Errorf("reading the files of commit %s: %w", c, err)
	}
	return &commitFS{ctx: ctx, store: from, commit: c, root: root}, nil
}

// top is the directory that holds all others. A commit names it, no entry does, so it has no name of its own here.
var top = entry{name: ".", mode: fs.ModeDir | 0o555}

var _ interface {
	fs.ReadDirFS
	fs.ReadFileFS
	fs.StatFS
} = (*commitFS)(nil)

func (f *commitFS) Open(name string) (fs.File, error) {
	e, err := f.find(name)
	if err != nil {
		return nil, pathError("open", name, err)
	}
	if e.mode.IsDir() {
		list, err := f.list(e)
		if err != nil {
			return nil, pathError("open", name, err)
		}
		return &openDir{path: name, info: fileInfo{entry: e}, rest: list}, nil
	}
	data, err := f.content(e)
	if err != nil {
		return nil, pathError("open", name, err)
	}
	return newOpenFile(e, data), nil
}

func (f *commitFS) ReadFile(name string) ([]byte, error) {
	e, err := f.find(name)
	if err == nil && e.mode.IsDir() {
		err = errIsDirectory
	}
	if err != nil {
		return nil, pathError("open", name, err)
	}
	data, err := f.content(e)
	if err != nil {
		return nil, pathError("read", name, err)
	}
	return data, nil
}

func (f *commitFS) ReadDir(name string) ([]fs.DirEntry, error) {
	e, err := f.find(name)
	if err == nil && !e.mode.IsDir() {
		err = errNotDirectory
	}
	if err != nil {
		return nil, pathError("open", name, err)
	}
	list, err := f.list(e)
	if err != nil {
		return nil, pathError("readdir", name, err)
	}
	return list, nil
}

func (f *commitFS) Stat(name string) (fs.FileInfo, error) {
	e, err := f.find(name)
	if err != nil {
		return nil, pathError("stat", name, err)
	}
	info, err := f.info(e)
	if err != nil {
		return nil, pathError("stat", name, err)
	}
	return info, nil
}

func pathError(op, path string, err error) error {
	return &fs.PathError{Op: op, Path: path, Err: err}
}

// find walks from the root to a file or directory. It meets links and
// submodules itself, as nothing beyond them is in the commit.
func (f *commitFS) find(name string) (entry, error) {
	if !fs.ValidPath(name) {
		return entry{}, fs.ErrInvalid
	}
	at, rest := top, name
	if name == "." {
		rest = ""
	}
	for rest != "" {
		if !at.mode.IsDir() {
			return entry{}, fs.ErrNotExist
		}
		entries, err := f.entries(at)
		if err != nil {
			return entry{}, err
		}
		element, below, _ := strings.Cut(rest, "/")
		next, found := lookUp(entries, element)
		if !found {
			return entry{}, f.absent(at)
		}
		if err := refuse(next); err != nil {
			walked := strings.TrimSuffix(strings.TrimSuffix(name, below), "/")
			return entry{}, fmt.Errorf("%q %w", walked, err)
		}
		at, rest = next, below
	}
	return at, nil
}

func (f *commitFS) entries(dir entry) ([]entry, error) {
	if dir == top {
		return f.root, nil
	}
	return f.store.tree(f.ctx, dir.id)
}

// absent is the error of a name that a directory does not list. A schema that is not there is a new one, so the list has to be whole.
func (f *commitFS) absent(dir entry) error {
	if dir == top {
		if err := f.store.confirm(f.ctx, f.commit); err != nil {
			return err
		}
	}
	return fs.ErrNotExist
}

func refuse(e entry) error {
	switch e.mode.Type() {
	case 0, fs.ModeDir:
		return nil
	case fs.ModeSymlink:
		return ErrSymlink
	case fs.ModeIrregular:
		return ErrSubmodule
	default:
		return fmt.Errorf("has the mode %s, which cannot be opened", e.mode)
	}
}

const lfsPointer = "version https://git-lfs.github.com/spec/"

// content reads a regular file.
func (f *commitFS) content(e entry) ([]byte, error) {
	data, err := f.store.blob(f.ctx, e.id)
	if err != nil {
		return nil, err
	}
	if strings.HasPrefix(string(data[:min(len(data), len(lfsPointer))]), lfsPointer) {
		return nil, fmt.Errorf("the file %w", ErrLFS)
	}
	return data, nil
}

func (f *commitFS) list(dir entry) ([]fs.DirEntry, error) {
	if dir == top {
		if err := f.store.confirm(f.ctx, f.commit); err != nil {
			return nil, err
		}
	}
	entries, err := f.entries(dir)
	if err != nil {
		return nil, err
	}
	list := make([]fs.DirEntry, len(entries))
	for i, e := range entries {
		list[i] = dirEntry{entry: e, fsys: f}
	}
	return list, nil
}

// info asks for the size of a file. Whoever stats need not read the file,
// so size and content are not limited here.
func (f *commitFS) info(e entry) (fs.FileInfo, error) {
	info := fileInfo{entry: e}
	if e.mode.IsRegular() || e.mode.Type() == fs.ModeSymlink {
		size, err := f.store.size(f.ctx, e.id)
		if err != nil {
			return nil, err
		}
		info.size = size
	}
	return info, nil
}
