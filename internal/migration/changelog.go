package migration

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/altergate/altergate/internal/schema"
)

// changelogs reads Liquibase's changelogs and what they include.
type changelogs struct {
	*reader
	visited map[string]bool
	parts   int // bytes of the files that changesets were made into, each as long as its file
}

// element is one thing in a changelog: include, includeAll, changeSet, property, …
type element struct {
	name  string
	attrs map[string]string
}

const (
	deepest          = 20      // includes in includes
	largestChangelog = 1 << 20 // bytes
	largestParts     = 512 << 20
)

func changelogExt(name string) bool {
	return slices.Contains([]string{".xml", ".yaml", ".yml", ".json"}, strings.ToLower(path.Ext(name)))
}

// isChangelog looks into a file for what every changelog begins with.
func (r *reader) isChangelog(e entry) bool {
	if !changelogExt(e.name) {
		return false
	}
	if f, ok := r.files[e.path]; ok {
		return strings.Contains(f.Text, "databaseChangeLog")
	}
	if info, err := fs.Stat(r.fsys, e.path); err != nil || info.Size() > largestChangelog {
		return false
	}
	data, err := fs.ReadFile(r.fsys, e.path)
	return err == nil && strings.Contains(string(data), "databaseChangeLog")
}

// roots finds the changelog that nothing else includes: in the directory, or else beside it.
func (w *changelogs) roots() ([]entry, bool) {
	found := w.unincluded(w.entries)
	if len(found) == 0 && w.dir.Path != "." {
		found = w.unincluded(w.beside())
	}
	if len(found) > 1 {
		masters := slices.DeleteFunc(slices.Clone(found), func(e entry) bool { return !changelogStem(e.name) })
		if len(masters) == 1 {
			found = masters
		}
	}
	if len(found) > 1 {
		var names []string
		for _, e := range found {
			names = append(names, e.path)
		}
		w.errs = append(w.errs, sourceError(schema.Pos{File: w.dir.Path}, "has several changelogs that no other one includes: %s; have one include the others, or name the directory of one", strings.Join(names, ", ")))
		return nil, false
	}
	return found, true
}

// beside lists the changelogs in the directory above.
func (w *changelogs) beside() []entry {
	up := path.Dir(w.dir.Path)
	list, err := fs.ReadDir(w.fsys, up)
	if err != nil {
		return nil
	}
	var all []entry
	for _, d := range list {
		if !d.IsDir() && changelogExt(d.Name()) && changelogStem(d.Name()) {
			all = append(all, entry{path: path.Join(up, d.Name()), name: d.Name()})
		}
	}
	return all
}

// unincluded gives the changelogs among files which none of the others includes.
func (w *changelogs) unincluded(files []entry) []entry {
	var logs []entry
	included := map[string]bool{}
	for _, e := range files {
		if !w.isChangelog(e) {
			continue
		}
		logs = append(logs, e)
		elements, err := w.elements(e)
		if err != nil {
			continue // said when it is read
		}
		for _, el := range elements {
			if el.name == "include" {
				if at, ok := w.resolve(e, el, "file"); ok {
					included[at] = true
				}
			}
			if el.name == "includeAll" {
				if at, ok := w.resolve(e, el, "path"); ok {
					for _, other := range files {
						included[other.path] = included[other.path] || other.path != e.path && strings.HasPrefix(other.path, at+"/")
					}
				}
			}
		}
	}
	return slices.DeleteFunc(logs, func(e entry) bool { return included[e.path] })
}

// changelog follows one changelog.
func (w *changelogs) changelog(e entry, depth int) {
	if w.visited[e.path] {
		return
	}
	w.visited[e.path] = true
	if depth > deepest {
		w.fail(e, 0, "includes go deeper than %d files here", deepest)
		return
	}
	elements, err := w.elements(e)
	if err != nil {
		w.fail(e, 0, "cannot be read as a changelog: %s", err)
		return
	}
	for _, el := range elements {
		switch el.name {
		case "include":
			w.include(e, el, depth)
		case "includeAll":
			w.includeAll(e, el, depth)
		case "changeSet":
			id := el.attrs["id"] + "::" + el.attrs["author"] + "::" + e.path
			w.add(e, &Migration{Version: id, Name: el.attrs["author"] + ":" + el.attrs["id"], Language: strings.ToUpper(strings.TrimPrefix(path.Ext(e.name), "."))})
		}
	}
}

func (w *changelogs) include(e entry, el element, depth int) {
	at, ok := w.resolve(e, el, "file")
	if !ok {
		w.failAt(e, el.attrs["file"], "includes %s, which is not found", el.attrs["file"])
		return
	}
	w.file(at, depth)
}

// failAt notes an error at the first place where a changelog has a word.
func (w *changelogs) failAt(e entry, word, format string, args ...any) {
	at := 0
	if f := w.files[e.path]; f != nil {
		at = max(0, strings.Index(f.Text, word))
	}
	w.fail(e, at, format, args...)
}

// file reads what is included: a changelog, or SQL.
func (w *changelogs) file(at string, depth int) {
	e := entry{path: at, rel: strings.TrimPrefix(at, w.dir.Path+"/"), name: path.Base(at)}
	switch {
	case e.sql():
		w.sql(e)
	case changelogExt(e.name):
		w.changelog(e, depth+1)
	default:
		w.fail(e, 0, "is included, and is neither SQL nor a changelog that is read here")
	}
}

// includeAll reads a directory, in the order of the paths, as Liquibase sorts them.
func (w *changelogs) includeAll(e entry, el element, depth int) {
	for _, filter := range []string{"filter", "resourceFilter", "endsWithFilter", "resourceComparator"} {
		if el.attrs[filter] != "" {
			w.failAt(e, filter, "includeAll with %s is not understood; use include, one file each", filter)
			return
		}
	}
	at, ok := w.resolve(e, el, "path")
	if !ok {
		if el.attrs["errorIfMissingOrEmpty"] != "false" {
			w.failAt(e, el.attrs["path"], "includes all of %s, which is not found", el.attrs["path"])
		}
		return
	}
	var files []string
	err := fs.WalkDir(w.fsys, at, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if !d.IsDir() && name != e.path && (changelogExt(name) || strings.EqualFold(path.Ext(name), ".sql")) {
			files = append(files, name)
		}
		return nil
	})
	if err != nil {
		w.failAt(e, el.attrs["path"], "includes all of %s, which cannot be read: %s", at, cause(err))
		return
	}
	slices.Sort(files)
	for _, f := range files {
		w.file(f, depth)
	}
}

// resolve finds what a changelog names: beside itself if it says so, and else below any directory above, as a class path would have it.
func (w *changelogs) resolve(e entry, el element, attr string) (string, bool) {
	name := strings.TrimPrefix(strings.ReplaceAll(el.attrs[attr], "\\", "/"), "classpath:")
	name = path.Clean(strings.TrimLeft(name, "/"))
	for dir := path.Dir(e.path); ; dir = path.Dir(dir) {
		at := path.Join(dir, name)
		if fs.ValidPath(at) && at != e.path {
			if _, err := fs.Stat(w.fsys, at); err == nil {
				return at, true
			}
		}
		if dir == "." || el.attrs["relativeToChangelogFile"] == "true" {
			return "", false
		}
	}
}

// elements reads a changelog of any form.
func (w *changelogs) elements(e entry) ([]element, error) {
	f, ok := w.text(e)
	if !ok {
		return nil, errors.New("it is no text")
	}
	w.used[e.path] = true
	if strings.EqualFold(path.Ext(e.name), ".xml") {
		return xmlElements(f.Text)
	}
	return yamlElements(f.Text)
}

func xmlElements(text string) ([]element, error) {
	d := xml.NewDecoder(strings.NewReader(text))
	var all []element
	depth := 0
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		switch t := token.(type) {
		case xml.StartElement:
			if depth++; depth != 2 {
				continue
			}
			el := element{name: t.Name.Local, attrs: map[string]string{}}
			for _, a := range t.Attr {
				el.attrs[a.Name.Local] = a.Value
			}
			all = append(all, el)
		case xml.EndElement:
			depth--
		}
	}
}

// yamlElements reads YAML, of which JSON is a part.
func yamlElements(text string) ([]element, error) {
	var doc struct {
		ChangeLog []map[string]any `yaml:"databaseChangeLog"`
	}
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		first, _, _ := strings.Cut(err.Error(), "\n")
		return nil, errors.New(first)
	}
	var all []element
	for _, item := range doc.ChangeLog {
		for _, name := range slices.Sorted(maps.Keys(item)) {
			el := element{name: name, attrs: map[string]string{}}
			fields, _ := item[name].(map[string]any)
			for k, v := range fields {
				switch v.(type) {
				case string, bool, int, int64, uint64, float64:
					el.attrs[k] = fmt.Sprint(v)
				}
			}
			all = append(all, el)
		}
	}
	return all, nil
}
