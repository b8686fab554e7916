package gitdiff

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"time"
)

var (
	errIsDirectory  = errors.New("is a directory")
	errNotDirectory = errors.New("not a directory")
)

// fileInfo describes an entry. There is no time in a tree, so none is told.
type fileInfo struct {
	entry
	size int64
}

func (i fileInfo) Name() string       { return i.name }
func (i fileInfo) Size() int64        { return i.size }
func (i fileInfo) Mode() fs.FileMode  { return i.mode }
func (i fileInfo) ModTime() time.Time { return time.Time{} }
func (i fileInfo) IsDir() bool        { return i.mode.IsDir() }
func (i fileInfo) Sys() any           { return nil }

type dirEntry struct {
	entry
	fsys *commitFS
}

func (d dirEntry) Name() string      { return d.name }
func (d dirEntry) IsDir() bool       { return d.mode.IsDir() }
func (d dirEntry) Type() fs.FileMode { return d.mode.Type() }
func (d dirEntry) String() string    { return fs.FormatDirEntry(d) }

func (d dirEntry) Info() (fs.FileInfo, error) {
	info, err := d.fsys.info(d.entry)
	if err != nil {
		return nil, pathError("stat", d.name, err)
	}
	return info, nil
}

// openFile was read whole when it was opened, since an LFS pointer is known by
// its content.
type openFile struct {
	*bytes.Reader
	info fileInfo
}

func newOpenFile(e entry, data []byte) *openFile {
	return &openFile{Reader: bytes.NewReader(data), info: fileInfo{entry: e, size: int64(len(data))}}
}

func (f *openFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *openFile) Close() error               { return nil }

type openDir struct {
	path string
	info fileInfo
	rest []fs.DirEntry
}

func (d *openDir) Stat() (fs.FileInfo, error) { return d.info, nil }
func (d *openDir) Close() error               { return nil }

func (d *openDir) Read([]byte) (int, error) {
	return 0, pathError("read", d.path, errIsDirectory)
}

func (d *openDir) ReadDir(n int) ([]fs.DirEntry, error) {
	if n > 0 && len(d.rest) == 0 {
		return nil, io.EOF
	}
	if n <= 0 || n > len(d.rest) {
		n = len(d.rest)
	}
	list := d.rest[:n:n]
	d.rest = d.rest[n:]
	return list, nil
}
