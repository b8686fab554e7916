package sqlite

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/proof"
	"github.com/altergate/altergate/internal/schema"
	"github.com/altergate/altergate/internal/schemajson"
	"github.com/altergate/altergate/internal/source"
)

// Dialect is SQLite as internal/dialect uses it.
type Dialect struct{}

// Name gives the word for the dialect.
func (Dialect) Name() string { return Name }

// Key gives the form in which SQLite compares names.
func (Dialect) Key(name string) string { return fold(name) }

// JSON gives what the JSON source has to know of SQLite.
func (Dialect) JSON() schemajson.Dialect { return schemajson.SQLite }

// Read reads SQL files.
func (Dialect) Read(ctx context.Context, files []*source.File, like *Loaded) (*Loaded, error) {
	return Read(ctx, files, like)
}

// ReadStatements reads the statements of a JSON source.
func (Dialect) ReadStatements(ctx context.Context, statements []schemajson.Statement, like *Loaded) (*Loaded, error) {
	return ReadStatements(ctx, statements, like)
}

// Rename gives the base after its renames.
func (Dialect) Rename(ctx context.Context, base *Loaded, r diff.Renames) (*Loaded, error) {
	if r.None() {
		return base, nil
	}
	broken, err := base.Broken(ctx)
	if err != nil {
		return nil, err
	}
	return base.Renamed(ctx, r, broken)
}

// Align has nothing to do: SQLite keeps all that a schema states, and is asked what it means when it is read.
func (Dialect) Align(context.Context, string, *Loaded, *Loaded, *Loaded, diff.Renames) error {
	return nil
}

// Planner prepares planning from a base to a head, for an SQLite of the given version ("3.35", or empty for the default).
// A head that breaks views or triggers which worked is refused, unless it is midway.
func (Dialect) Planner(ctx context.Context, base, _, head *Loaded, o plan.Options) (plan.Planner, []schema.Notice, error) {
	v, err := parseVersion(o.Version)
	if err != nil {
		return nil, nil, err
	}
	var before, after map[string]string
	var beforeErr, afterErr error
	var wait sync.WaitGroup
	wait.Go(func() { before, beforeErr = base.Broken(ctx) })
	wait.Go(func() { after, afterErr = head.Broken(ctx) })
	wait.Wait()
	if err := errors.Join(beforeErr, afterErr); err != nil {
		return nil, nil, err
	}
	if o.Midway {
		return Planner{Base: base.Schema, Version: v, Broken: before}, nil, nil
	}
	notices, err := head.refuseBroken(before, after)
	return Planner{Base: base.Schema, Version: v, Broken: before}, notices, err
}

// Replay applies the plan's SQL to the model.
func (Dialect) Replay(base, renamed, head *Loaded, steps []*plan.Step) error {
	return Replay(base, renamed, head, steps)
}

// Prove runs the plan on the embedded SQLite, so there is no server to name.
func (Dialect) Prove(ctx context.Context, _ string, base, head *Loaded, r diff.Renames, steps []*plan.Step) (*proof.Engine, error) {
	return Prove(ctx, base, head, r, steps)
}

func parseVersion(s string) (Version, error) {
	if s == "" {
		return DefaultVersion, nil
	}
	parts := strings.Split(s, ".")
	if len(parts) >= 2 && len(parts) <= 3 {
		major, err := strconv.Atoi(parts[0])
		minor, err2 := strconv.Atoi(parts[1])
		v := Version{major, minor}
		if err == nil && err2 == nil && v.Major == 3 {
			if !v.atLeast(DefaultVersion.Minor) {
				return v, &schema.Error{Kind: schema.KindConfig, Text: fmt.Sprintf("SQLite %s is older than 3.35, for which no plan is made", s)}
			}
			return v, nil
		}
	}
	return Version{}, &schema.Error{Kind: schema.KindConfig, Text: fmt.Sprintf("%q is no version of SQLite; write it as 3.45", s)}
}

// refuseBroken refuses a head in which a view or a trigger names what is not there, unless it was so at the base too.
func (l *Loaded) refuseBroken(before, after map[string]string) ([]schema.Notice, error) {
	var notices []schema.Notice
	var errs []error
	for _, key := range slices.Sorted(maps.Keys(after)) {
		kind, name, _ := strings.Cut(key, " ")
		pos := l.placeOf(kind, name)
		if before[key] != "" || strings.HasPrefix(after[key], "no such function") {
			notices = append(notices, schema.Notice{Side: schema.Head, Pos: pos, Text: fmt.Sprintf("%s %s cannot be resolved by SQLite: %s", kind, name, after[key])})
			continue
		}
		errs = append(errs, &schema.Error{Side: schema.Head, Pos: pos, Kind: schema.KindSchema, Text: fmt.Sprintf("%s %s no longer works after this change: %s", kind, name, after[key])})
	}
	return notices, errors.Join(errs...)
}

// placeOf gives the place of a view or a trigger.
func (l *Loaded) placeOf(kind, key string) schema.Pos {
	if kind == "view" {
		if v := l.Schema.View(key); v != nil {
			return v.Pos
		}
	}
	for _, t := range l.Schema.Triggers() {
		if kind == "trigger" && t.Key == key {
			return t.Pos
		}
	}
	return schema.Pos{}
}
