package migration

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/schema"
	"github.com/altergate/altergate/internal/source"
)

// Options say what cannot be read off a directory.
type Options struct {
	Tool    string // one of Tools; empty = it is told from the files
	Dialect string // postgres, mysql, mariadb or sqlite: how strings and comments end, and which of several files is meant
}

// reader reads one directory.
type reader struct {
	fsys    fs.FS
	dir     *Directory
	o       Options
	entries []entry // the files below the directory, in the order of their paths
	files   map[string]*source.File
	failed  map[string]bool
	used    map[string]bool // files that are a migration, a part of one, or have been spoken of
	left    int             // bytes that may still be read
	errs    []error
}

// entry is a file below the directory.
type entry struct {
	path string // from the root of the tree
	rel  string // from the directory
	dir  string // of rel; empty at the top
	name string
	mode fs.FileMode
}

func (e entry) sql() bool { return strings.EqualFold(path.Ext(e.name), ".sql") }

// top reports whether the file lies in the directory itself.
func (e entry) top() bool { return e.dir == "" }

// Read reads the migrations at a path of a tree. It gives source.ErrMissing where there is nothing; other errors are
// *schema.Error, joined. A version that is taken twice is for Compare, which knows whether it is new.
func Read(fsys fs.FS, dir string, o Options) (*Directory, error) {
	dir = path.Clean(dir)
	if !fs.ValidPath(dir) {
		return nil, sourceError(schema.Pos{File: dir}, "is no path inside the repository")
	}
	if o.Tool != "" && !slices.Contains(Tools(), o.Tool) {
		return nil, sourceError(schema.Pos{File: dir}, "tool: %q is no tool that is known; use one of %s", o.Tool, strings.Join(Tools(), ", "))
	}
	info, err := fs.Stat(fsys, dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, source.ErrMissing
	case err != nil:
		return nil, sourceError(schema.Pos{File: dir}, "cannot be read: %s", cause(err))
	case !info.IsDir():
		return nil, sourceError(schema.Pos{File: dir}, "is a file; name the directory that holds the migrations")
	}
	r := &reader{fsys: fsys, o: o, dir: &Directory{Path: dir}, left: source.MaxBytes,
		files: map[string]*source.File{}, failed: map[string]bool{}, used: map[string]bool{}}
	if err := r.list(); err != nil {
		return nil, err
	}
	if err := r.choose(); err != nil {
		return nil, err
	}
	t, err := r.detect()
	if err != nil {
		return nil, errors.Join(append(r.errs, err)...)
	}
	d := r.dir
	d.Tool, d.Ledger, d.OutOfOrder, d.Checksums, d.Together, d.Detects = t.name, t.ledger, t.outOfOrder, t.checksums, t.together, t.detects
	t.read(r)
	r.checkSums()
	r.finish()
	if len(r.errs) > 0 {
		return nil, errors.Join(r.errs...)
	}
	return d, nil
}

// list finds the files below the directory.
func (r *reader) list() error {
	r.entries = nil
	n := 0
	return fs.WalkDir(r.fsys, r.dir.Path, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return sourceError(schema.Pos{File: name}, "cannot be read: %s", cause(err))
		case d.IsDir() && name != r.dir.Path && (d.Name() == "node_modules" || d.Name() == ".git"):
			return fs.SkipDir
		case d.IsDir():
			return nil
		}
		if n++; n > 4*source.MaxFiles {
			return sourceError(schema.Pos{File: r.dir.Path}, "holds more than %d files; name the directory that holds the migrations only", 4*source.MaxFiles)
		}
		rel := name
		if r.dir.Path != "." {
			rel = strings.TrimPrefix(name, r.dir.Path+"/")
		}
		dir := path.Dir(rel)
		if dir == "." {
			dir = ""
		}
		r.entries = append(r.entries, entry{path: name, rel: rel, dir: dir, name: d.Name(), mode: d.Type()})
		return nil
	})
}

// text reads a file, once; ok is false where it cannot be read, which has then been noted as an error.
func (r *reader) text(e entry) (f *source.File, ok bool) {
	if f, ok = r.files[e.path]; ok {
		return f, true
	}
	if r.failed[e.path] {
		return nil, false
	}
	f, err := r.load(e)
	if err != nil {
		r.failed[e.path], r.used[e.path] = true, true
		r.errs = append(r.errs, err)
		return nil, false
	}
	r.files[e.path] = f
	return f, true
}

func (r *reader) load(e entry) (*source.File, error) {
	if len(r.files) == source.MaxFiles {
		return nil, sourceError(schema.Pos{File: r.dir.Path}, "holds more than %d SQL files; name a directory with fewer", source.MaxFiles)
	}
	f, err := source.LoadFile(r.fsys, e.path, r.left)
	if err != nil {
		return nil, err
	}
	r.left -= len(f.Text)
	if to, ok := linkText(f.Text); ok && e.sql() {
		return nil, sourceError(f.Pos(0), "holds only the path %s, which is what git stores for a symbolic link; put the file itself here", to)
	}
	return f, nil
}

// linkText finds the text that git stores for a symbolic link to an SQL file, which is what a checkout without links holds.
func linkText(text string) (to string, ok bool) {
	if len(text) > 4096 {
		return "", false
	}
	text = strings.TrimSuffix(text, "\n")
	return text, strings.HasSuffix(text, ".sql") && !strings.ContainsAny(text, "\n\t ;'\"()") && !strings.HasPrefix(text, "--")
}

// notice tells of a file, which is then done with.
func (r *reader) notice(e entry, format string, args ...any) {
	r.used[e.path] = true
	r.dir.Notices = append(r.dir.Notices, schema.Notice{Text: fmt.Sprintf(format, args...), Pos: schema.Pos{File: e.path}})
}

// fail notes an error about a file, which is then done with.
func (r *reader) fail(e entry, offset int, format string, args ...any) {
	r.used[e.path] = true
	pos := schema.Pos{File: e.path}
	if f := r.files[e.path]; f != nil {
		pos = f.Pos(offset)
	}
	r.errs = append(r.errs, sourceError(pos, format, args...))
}

// add makes a migration of a file's part.
func (r *reader) add(e entry, m *Migration) {
	r.used[e.path] = true
	if m.Path == "" {
		m.Path = e.path
	}
	r.dir.Migrations = append(r.dir.Migrations, m)
}

// finish is the same for all tools: what is left over is spoken of, texts are checked for templates, and hashed.
func (r *reader) finish() {
	r.tellUnread()
	r.tellLinks()
	for _, m := range r.dir.Migrations {
		if m.Down != nil {
			m.downHash = hash(normal(m.Down.Text, r.o.Dialect))
		}
		if m.Up == nil {
			m.raw = m.Path
			if f := r.files[m.Path]; f != nil {
				m.raw = f.Text
			}
			m.Hash = hash([]byte(m.raw))
			continue
		}
		if m.raw == "" {
			m.raw = r.whole(m)
		}
		if err := findTemplate(m.Up, r.o.Dialect, r.dir.Tool); err != nil {
			r.errs = append(r.errs, err)
		} else if at := strings.Index(m.Up.Text, "${"); at >= 0 && r.dir.Tool == "flyway" {
			r.dir.Notices = append(r.dir.Notices, schema.Notice{Text: "flyway replaces what looks like a placeholder here, unless it is set not to; the text is read as it is written", Pos: m.Up.Pos(at)})
		}
		statements := normal(m.Up.Text, r.o.Dialect)
		if len(statements) == 0 {
			r.dir.Notices = append(r.dir.Notices, schema.Notice{Text: "holds no statement that goes up", Pos: schema.Pos{File: m.Path}})
		}
		m.Hash = hash(statements)
	}
	if len(r.dir.Migrations) == 0 && len(r.errs) == 0 {
		text := "holds no migration that " + r.dir.runner() + " would run"
		if in := r.spoken(); in != "" {
			text += "; its files are in " + in + ", which is not read: name a directory with SQL, or give source a schema file"
		}
		if len(r.dir.Notices) > 0 {
			text += fmt.Sprintf(" (%s: %s)", r.dir.Notices[0].Pos, r.dir.Notices[0].Text)
		}
		r.errs = append(r.errs, sourceError(schema.Pos{File: r.dir.Path}, "%s", text+r.elsewhere()))
	}
}

// spoken names the language of numbered files that are no SQL.
func (r *reader) spoken() string {
	for _, e := range r.entries {
		if in := language(e.name); in != "" && e.top() && hasDigit(e.name) {
			return in
		}
	}
	return ""
}

// whole gives the text that a tool's checksum may cover.
func (r *reader) whole(m *Migration) string {
	if f := r.files[m.Path]; f != nil {
		return f.Text
	}
	return m.Up.Text
}

// tellUnread names the SQL files that nobody has asked for, those of one sub-directory together.
func (r *reader) tellUnread() {
	for i := 0; i < len(r.entries); i++ {
		e := r.entries[i]
		if !e.sql() || r.used[e.path] {
			continue
		}
		if e.top() {
			r.notice(e, "is not read: %s does not run a file with this name", r.dir.Tool)
			continue
		}
		n := 0
		for _, other := range r.entries[i:] {
			if other.dir == e.dir && other.sql() && !r.used[other.path] {
				r.used[other.path] = true
				n++
			}
		}
		text := fmt.Sprintf("is not read: %s does not look there; %s", r.dir.Tool, counted(n, "SQL file"))
		if r.dir.Tool == "plain" {
			text = "is not read: few tools look below the directory of the migrations; " + counted(n, "SQL file")
		}
		r.dir.Notices = append(r.dir.Notices, schema.Notice{Text: text, Pos: schema.Pos{File: path.Join(r.dir.Path, e.dir)}})
	}
}

// tellLinks names what lies behind links, which are followed for files only.
func (r *reader) tellLinks() {
	for _, e := range r.entries {
		if e.sql() || r.used[e.path] {
			continue
		}
		switch e.mode.Type() {
		case fs.ModeSymlink:
			if info, err := fs.Stat(r.fsys, e.path); err != nil || info.IsDir() {
				r.notice(e, "is a symbolic link, which is not followed; what it leads to is not read")
			}
		case fs.ModeIrregular:
			r.notice(e, "is a submodule, which is not read")
		}
	}
}

func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func sourceError(pos schema.Pos, format string, args ...any) *schema.Error {
	return &schema.Error{Pos: pos, Kind: schema.KindSource, Text: fmt.Sprintf(format, args...)}
}

// cause takes the path out of an error that is given with it.
func cause(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}
