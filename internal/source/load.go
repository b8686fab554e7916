package source

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/altergate/altergate/internal/schema"
)

// Limits keep a hostile source from taking more than its share; the largest schemas seen in public have 2 MB.
const (
	MaxBytes = 16 << 20 // of all files of one source
	MaxFiles = 5000
)

// ErrMissing says that a tree has nothing at the path.
var ErrMissing = errors.New("no such file or directory")

// Load reads the SQL files, or the one JSON file, at a path. A directory stands for all files in it, at any depth, that end
// in .sql, in the order of their paths.
func Load(fsys fs.FS, name string) ([]*File, error) {
	name = path.Clean(name)
	if !fs.ValidPath(name) {
		return nil, &schema.Error{Pos: schema.Pos{File: name}, Kind: schema.KindSource, Text: "is no path inside the repository"}
	}
	info, err := fs.Stat(fsys, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, ErrMissing
	case err != nil:
		return nil, unreadable(name, err)
	case info.IsDir():
		return loadDirectory(fsys, name)
	}
	f, err := LoadFile(fsys, name, MaxBytes)
	if err != nil {
		return nil, err
	}
	return []*File{f}, nil
}

func loadDirectory(fsys fs.FS, dir string) ([]*File, error) {
	var files []*File
	var errs []error
	left := MaxBytes
	err := fs.WalkDir(fsys, dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return unreadable(name, err)
		case d.IsDir() || !strings.HasSuffix(strings.ToLower(name), ".sql"):
			return nil
		case len(files) == MaxFiles:
			return &schema.Error{Pos: schema.Pos{File: dir}, Kind: schema.KindSource, Text: fmt.Sprintf("holds more than %d SQL files; name a directory with fewer", MaxFiles)}
		}
		f, err := LoadFile(fsys, name, left)
		if err != nil {
			errs = append(errs, err)
			return nil
		}
		left -= len(f.Text)
		files = append(files, f)
		return nil
	})
	if err = errors.Join(append(errs, err)...); err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, &schema.Error{Pos: schema.Pos{File: dir}, Kind: schema.KindSource, Text: "is a directory without any .sql file"}
	}
	return files, nil
}

// LoadFile reads one file of a source whose other files leave it so many bytes, and makes it plain: UTF-8, without a byte order
// mark, with LF line ends. Errors are *schema.Error.
func LoadFile(fsys fs.FS, name string, most int) (*File, error) {
	if info, err := fs.Stat(fsys, name); err == nil && info.Size() > int64(most) {
		return nil, tooLarge(name)
	}
	data, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil, unreadable(name, err)
	}
	if len(data) > most {
		return nil, tooLarge(name)
	}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	f := &File{Path: name}
	if i := bytes.IndexByte(data, 0); i >= 0 {
		f.Text = string(data[:i])
		return nil, &schema.Error{Pos: f.Pos(i), Kind: schema.KindSource, Text: "this is a binary file (it holds a NUL byte), or UTF-16; save it as UTF-8 text"}
	}
	if !utf8.Valid(data) {
		i := invalid(data)
		f.Text = string(data[:i])
		return nil, &schema.Error{Pos: f.Pos(i), Kind: schema.KindSource, Text: "the file is not UTF-8 here; save it as UTF-8"}
	}
	f.Text = string(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")))
	return f, nil
}

// invalid gives the offset of the first byte that is not UTF-8.
func invalid(data []byte) int {
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return len(data)
}

func tooLarge(name string) error {
	return &schema.Error{Pos: schema.Pos{File: name}, Kind: schema.KindSource, Text: fmt.Sprintf("is larger than the %d MiB that are read of one schema; name the file that holds the schema without data", MaxBytes>>20)}
}

func unreadable(name string, err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return &schema.Error{Pos: schema.Pos{File: name}, Kind: schema.KindSource, Text: fmt.Sprintf("cannot be read: %s", err)}
}
