package pipeline

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/altergate/altergate/internal/dialect"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/policy"
	"github.com/altergate/altergate/internal/proof"
	"github.com/altergate/altergate/internal/schema"
	"github.com/altergate/altergate/internal/schemajson"
	"github.com/altergate/altergate/internal/source"
)

// Place is a path in a tree.
type Place struct {
	FS   fs.FS
	Path string
}

// Target is a schema to review.
type Target struct {
	Name, Dialect, Version string
	Base, Head             Place
	Hints                  Place  // a hints file; an empty Path = none
	Dropped                bool   // the head may have nothing at its place, and everything is dropped
	Plain                  bool   // no online forms
	Migrations             bool   // the places are directories of migrations
	Tool                   string // whose they are; empty = it is told from the files
	Check                  string // of migrations: the path of the head's schema file, which has to agree; empty = there is none
	Differ                 string // what it means if it does not: one of CrossChecks
	Moved                  bool   // the head's configuration has another place than the base's
}

// Targets makes the targets of a configuration. Hints are part of the change: their file is the head's.
func Targets(c *Config, base, head fs.FS) []Target {
	var targets []Target
	for _, s := range c.Schemas {
		t := Target{Name: s.Name, Dialect: s.Dialect, Version: s.Version, Base: Place{base, s.Source}, Head: Place{head, s.Source}, Dropped: s.Dropped, Plain: s.Plain}
		if s.Before != "" {
			t.Base.Path, t.Moved = s.Before, true
		}
		if s.Hints != "" {
			t.Hints = Place{head, s.Hints}
		}
		if s.Migrations != "" {
			t.Head.Path, t.Check = s.Migrations, s.Source
			if !t.Moved {
				t.Base.Path = s.Migrations
			}
			t.Migrations, t.Tool, t.Differ = true, s.Tool, s.CrossCheck
		}
		targets = append(targets, t)
	}
	return targets
}

// Options are switches of a run.
type Options struct {
	NoEngine bool    // leave out the proof on an engine; the replay is always done
	Scratch  Scratch // servers to prove on
}

// Scratch holds the URL of a server to prove on for each dialect that has one. URLs hold passwords: they come from whoever runs this,
// never from a tree, and no report shows them.
type Scratch map[string]string

// Run reviews every target. It never fails: what has no answer is in the report as an error.
func Run(ctx context.Context, p policy.Policy, targets []Target, o Options) *Report {
	report := &Report{Policy: p}
	for _, t := range targets {
		report.Results = append(report.Results, review(ctx, p, t, o))
	}
	report.Notices = policy.Unprotected(p, report.Plans())
	return report
}

func review(ctx context.Context, p policy.Policy, t Target, o Options) *Result {
	result := &Result{Name: t.Name, Dialect: t.Dialect, Source: t.Head.Path}
	answer := dialect.All[t.Dialect]
	if answer == nil {
		result.fail("", &schema.Error{Kind: schema.KindConfig, Text: fmt.Sprintf("unknown dialect %q: this version reads %s", t.Dialect, dialect.Names())})
		return result
	}
	q := dialect.Question{Name: t.Name, Version: t.Version, Renames: p.Renames, Engine: !o.NoEngine, Scratch: o.Scratch[t.Dialect], Plain: t.Plain}
	if o.NoEngine {
		q.Scratch = "none"
	}
	if t.Migrations {
		var ok bool
		if t, ok = history(t, &q, result); !ok {
			sortErrors(result.Errors)
			return result
		}
	}
	if !t.Migrations && !texts(t, &q, result) {
		return result
	}
	var err error
	q.Hints, err = loadHints(t.Hints)
	result.fail("", err)
	if len(result.Errors) > 0 {
		return result
	}
	result.Changed = changed(q.Base, q.Head)
	if t.Hints.Path != "" && hintsDiffer(t) {
		result.Changed = append(result.Changed, t.Hints.Path)
		slices.Sort(result.Changed)
		result.Changed = slices.Compact(result.Changed)
	}
	if t.Migrations {
		result.fail(schema.Head, crossCheck(t, &q))
	}
	if len(result.Errors) > 0 {
		return result
	}
	a := answer(ctx, q)
	result.Plan, result.Net, result.Coverage, result.Proof = a.Plan, a.Net, a.Coverage, a.Proof
	if result.Plan != nil {
		result.Plan.Notices = append(result.Notices, result.Plan.Notices...)
	}
	if q.Scratch == "" && a.Plan != nil && a.Proof.Engine == nil { // none is embedded
		result.Proof.Engine = &proof.Engine{Name: t.Dialect, Reason: "no --scratch was given"}
	}
	result.Errors = a.Errors
	sortErrors(result.Errors)
	return result
}

// texts reads the schema files of both sides into a question.
func texts(t Target, q *dialect.Question, result *Result) bool {
	var baseErr, headErr error
	q.Base, baseErr = loadBase(t)
	q.Head, headErr = load(t.Head)
	if missing(t, baseErr, headErr, result) {
		return false
	}
	if errors.Is(baseErr, source.ErrMissing) {
		q.Base, baseErr = dialect.Text{Missing: true}, nil
	}
	if errors.Is(headErr, source.ErrMissing) {
		q.Head, headErr = dialect.Text{Missing: true}, nil
	}
	result.fail(schema.Base, baseErr)
	result.fail(schema.Head, headErr)
	result.fail(schema.Head, leftBehind(t, q.Head))
	return len(result.Errors) == 0
}

// missing reports a source that the head does not have. One that only the base lacks is a new schema.
func missing(t Target, base, head error, result *Result) bool {
	if !errors.Is(head, source.ErrMissing) {
		return false
	}
	text := "there is nothing at this path, neither at the base nor at the head; correct the path"
	if !errors.Is(base, source.ErrMissing) {
		if t.Dropped {
			return false
		}
		text = "this source is removed at the head, which is not taken for a wish to drop everything; to drop it all, name it in the configuration: add `dropped: true` to its schema"
	}
	result.fail(schema.Head, &schema.Error{Pos: schema.Pos{File: t.Head.Path}, Kind: schema.KindSource, Text: text})
	return true
}

func load(p Place) (dialect.Text, error) {
	files, err := source.Load(p.FS, p.Path)
	if err != nil {
		return dialect.Text{}, err
	}
	if len(files) == 1 && strings.HasSuffix(strings.ToLower(files[0].Path), ".json") {
		doc, err := schemajson.Decode(files[0].Path, []byte(files[0].Text))
		return dialect.Text{Files: files, Document: doc}, err
	}
	return dialect.Text{Files: files}, nil
}

// changed gives the paths of the files that are not the same on both sides, sorted. What reading makes plain (line ends, a byte order
// mark) is no difference: it changes no schema.
func changed(base, head dialect.Text) []string {
	before := map[string]string{}
	for _, f := range base.Files {
		before[f.Path] = f.Text
	}
	var paths []string
	for _, f := range head.Files {
		if text, ok := before[f.Path]; !ok || text != f.Text {
			paths = append(paths, f.Path)
		}
		delete(before, f.Path)
	}
	paths = slices.AppendSeq(paths, maps.Keys(before))
	slices.Sort(paths)
	return paths
}

// hintsDiffer tells whether the base has other hints at the same path, or none that can be read.
func hintsDiffer(t Target) bool {
	before, baseErr := fs.ReadFile(t.Base.FS, t.Hints.Path)
	after, headErr := fs.ReadFile(t.Hints.FS, t.Hints.Path)
	return baseErr != nil || headErr != nil || !bytes.Equal(before, after)
}

func loadHints(p Place) ([]diff.Hint, error) {
	if p.Path == "" {
		return nil, nil
	}
	files, err := source.Load(p.FS, p.Path)
	switch {
	case errors.Is(err, source.ErrMissing):
		return nil, &schema.Error{Pos: schema.Pos{File: p.Path}, Kind: schema.KindSource, Text: "there is no hints file at this path"}
	case err != nil:
		return nil, err
	case len(files) != 1 || files[0].Path != p.Path:
		return nil, &schema.Error{Pos: schema.Pos{File: p.Path}, Kind: schema.KindSource, Text: "is a directory; hints are one JSON file"}
	}
	return schemajson.DecodeHints(files[0].Path, []byte(files[0].Text))
}

// fail adds errors to a result, with a side for those that have none.
func (r *Result) fail(side schema.Side, err error) {
	for _, e := range schema.Errors(err) {
		if e.Side == "" {
			e.Side = side
		}
		r.Errors = append(r.Errors, e)
	}
}

// sortErrors puts errors in the order in which a person would go through them.
func sortErrors(errs []*schema.Error) {
	sort.SliceStable(errs, func(i, j int) bool {
		a, b := errs[i], errs[j]
		if a.Side != b.Side {
			return a.Side < b.Side
		}
		if a.Pos != b.Pos {
			if a.Pos.File != b.Pos.File {
				return a.Pos.File < b.Pos.File
			}
			if a.Pos.Line != b.Pos.Line {
				return a.Pos.Line < b.Pos.Line
			}
			return a.Pos.Column < b.Pos.Column
		}
		if a.Path != b.Path {
			return a.Path < b.Path
		}
		return a.Text < b.Text
	})
}
