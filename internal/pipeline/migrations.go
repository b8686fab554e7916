package pipeline

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/dialect"
	"github.com/altergate/altergate/internal/migration"
	"github.com/altergate/altergate/internal/schema"
	"github.com/altergate/altergate/internal/source"
)

// history reads the directories of migrations of both sides, and what is between them, into a question. Where migrations are no SQL and a
// file beside them holds the schema, that is what is looked at, and the target that is left is one of schema files.
func history(t Target, q *dialect.Question, result *Result) (Target, bool) {
	o := migration.Options{Tool: t.Tool, Dialect: t.Dialect}
	head, headErr := migration.Read(t.Head.FS, t.Head.Path, o)
	base, baseErr := migration.Read(t.Base.FS, t.Base.Path, o)
	if missing(t, baseErr, headErr, result) {
		return t, false
	}
	if errors.Is(baseErr, source.ErrMissing) {
		base, baseErr = &migration.Directory{Path: t.Base.Path}, nil
		q.Base.Missing = true
	}
	if errors.Is(headErr, source.ErrMissing) {
		result.fail(schema.Head, &schema.Error{Pos: schema.Pos{File: t.Head.Path}, Kind: schema.KindSource,
			Text: "the directory of migrations is removed at the head; databases stay as they are, so there is nothing to plan: take the schema out of the configuration instead"})
		return t, false
	}
	result.fail(schema.Base, baseErr)
	result.fail(schema.Head, headErr)
	if len(result.Errors) > 0 {
		return t, false
	}
	result.fail(schema.Head, leftBehind(t, dialect.Text{Files: head.Fresh()}))
	delta, err := migration.Compare(base, head)
	result.fail("", err)
	if head.Structure != "" {
		return structured(t, head, delta, result), len(result.Errors) == 0
	}
	result.Tool = head.Tool
	result.Notices = append(result.Notices, schema.Notice{Side: schema.Head, Pos: schema.Pos{File: head.Path},
		Text: fmt.Sprintf("read as migrations of %s: %s", head.Tool, head.Why)})
	result.Notices = append(result.Notices, head.Notices...)
	q.Base.Migrations, q.Base.Files = base, base.Fresh()
	q.Head.Migrations, q.Head.Files = head, head.Fresh()
	q.Delta = delta
	return t, err == nil
}

// structured turns a target of migrations that are no SQL into one of the file that holds the schema.
func structured(t Target, head *migration.Directory, delta *migration.Delta, result *Result) Target {
	result.Notices = append(result.Notices, head.Notices...)
	if delta != nil {
		for _, f := range delta.Findings {
			text := f.Text
			if f.Migration != nil {
				text = f.Migration.Path + " " + text
			}
			if f.Rule == "stale-structure" { // it does not say what databases will be
				result.fail(f.Side, &schema.Error{Pos: f.Pos, Kind: schema.KindSource, Text: f.Text})
				continue
			}
			result.Notices = append(result.Notices, schema.Notice{Side: f.Side, Pos: f.Pos, Text: text})
		}
	}
	result.Notices = append(result.Notices, schema.Notice{Side: schema.Head, Pos: schema.Pos{File: head.Structure},
		Text: fmt.Sprintf("the migrations in %s are no SQL, so the schema is read from this file: %s", head.Path, head.Why)})
	t.Migrations = false
	t.Base.Path, t.Head.Path, t.Check = head.Structure, head.Structure, ""
	return t
}

// What it can mean that the schema file beside migrations does not agree with them.
const (
	Refuse = "error"  // there is no answer
	Tell   = "review" // a step says so, at the risk review
)

// CrossChecks are the words for it, the default first.
var CrossChecks = []string{Refuse, Tell}

// crossCheck reads the schema file that has to agree with the migrations into a question.
func crossCheck(t Target, q *dialect.Question) error {
	if t.Check == "" {
		return nil
	}
	text, err := load(Place{t.Head.FS, t.Check})
	switch {
	case errors.Is(err, source.ErrMissing):
		return &schema.Error{Pos: schema.Pos{File: t.Check}, Kind: schema.KindSource, Text: "there is nothing at this path, and the configuration says that it holds the schema that the migrations lead to"}
	case err != nil:
		return err
	case text.Document != nil:
		return &schema.Error{Pos: schema.Pos{File: t.Check}, Kind: schema.KindSource, Text: "a schema JSON cannot be held against migrations; give the schema as SQL"}
	}
	q.Check, q.Tell = &text, t.Differ == Tell
	return nil
}

// migrations checks the keys about migrations.
func (c *checker) migrations(s schemaFile, at func(key string) string) {
	switch {
	case s.Migrations == "" && s.Tool != "":
		c.failAt(at("tool"), "`tool` says whose migrations are read, and this schema has none: add `migrations`")
	case s.Migrations == "" && s.CrossCheck != "":
		c.failAt(at("cross-check"), "`cross-check` is about `migrations` and `source` together, and this schema has no `migrations`")
	case s.Migrations == "":
		return
	case !fs.ValidPath(s.Migrations):
		c.failAt(at("migrations"), "%q is no path inside the repository", s.Migrations)
	case s.Source == "" && s.CrossCheck != "":
		c.failAt(at("cross-check"), "`cross-check` is about `migrations` and `source` together, and this schema has no `source`")
	}
	if s.Tool != "" && !slices.Contains(migration.Tools(), s.Tool) {
		c.failAt(at("tool"), "unknown tool %q: this version reads %s", s.Tool, strings.Join(migration.Tools(), ", "))
	}
	if s.CrossCheck != "" && !slices.Contains(CrossChecks, s.CrossCheck) {
		c.failAt(at("cross-check"), "unknown value %q: it is %s", s.CrossCheck, strings.Join(CrossChecks, " or "))
	}
	if s.Hints != "" {
		c.failAt(at("hints"), "migrations rename by their own statements, so there are no hints to read")
	}
	if s.Dropped {
		c.failAt(at("dropped"), "migrations drop by their own statements; `dropped` is for schema files")
	}
}
