package pipeline

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/dialect"
	"github.com/altergate/altergate/internal/schema"
	"github.com/altergate/altergate/internal/source"
)

// loadBase reads the base. Where there is nothing at the place that its configuration names, the file may have been at the head's all the
// time, and is not a new one.
func loadBase(t Target) (dialect.Text, error) {
	text, err := load(t.Base)
	if t.Moved && errors.Is(err, source.ErrMissing) {
		return load(Place{t.Base.FS, t.Head.Path})
	}
	return text, err
}

// leftBehind refuses a change to what the head leaves behind where the base has a schema that it takes from elsewhere: neither this review
// nor, as soon as the configuration is merged, any other would look at it, and whoever runs that file may not know of its new place.
func leftBehind(t Target, read dialect.Text) error {
	if !t.Moved {
		return nil
	}
	old := path.Clean(t.Base.Path)
	var errs []error
	err := fs.WalkDir(t.Head.FS, old, func(name string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case d.IsDir() || name != old && !strings.HasSuffix(strings.ToLower(name), ".sql"):
			return nil
		case slices.ContainsFunc(read.Files, func(f *source.File) bool { return f.Path == name }):
			return nil
		}
		before, errBefore := fs.ReadFile(t.Base.FS, name)
		after, errAfter := fs.ReadFile(t.Head.FS, name)
		if errAfter != nil {
			return errAfter
		}
		if errBefore == nil && bytes.Equal(before, after) {
			return nil
		}
		errs = append(errs, &schema.Error{Pos: schema.Pos{File: name}, Kind: schema.KindSource, Text: fmt.Sprintf(
			"the configuration now has the schema at %s, so that nothing would look at this change; leave the file as it is at the base, or remove it", t.Head.Path)})
		if len(errs) == 10 {
			return fs.SkipAll
		}
		return nil
	})
	if err != nil {
		errs = append(errs, &schema.Error{Pos: schema.Pos{File: old}, Kind: schema.KindSource, Text: fmt.Sprintf(
			"the base has the schema here, and what the head has there cannot be read: %s", err)})
	}
	return errors.Join(errs...)
}
