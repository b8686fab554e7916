// Package quereus reads, plans and replays the declarative schemas of Quereus. What a change is, is decided as the engine's own differ
// decides it (docs/quereus.md has it rule by rule); the plan holds the statements that the engine would make of it, in an order in which
// they work.
package quereus

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/altergate/altergate/internal/dialect/quereus/syntax"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/proof"
	"github.com/altergate/altergate/internal/schema"
	"github.com/altergate/altergate/internal/schemajson"
	"github.com/altergate/altergate/internal/source"
)

// Name is the dialect's word in configuration, flags and reports.
const Name = "quereus"

// Dialect is Quereus as internal/dialect uses it.
type Dialect struct{}

// Name gives the word for the dialect.
func (Dialect) Name() string { return Name }

// Key gives the form in which Quereus compares names.
func (Dialect) Key(name string) string { return syntax.Fold(name) }

// JSON gives what the JSON source has to know of Quereus: it has no form there.
func (Dialect) JSON() schemajson.Dialect { return Name }

// Read reads declare blocks. Text that was read before is not read again.
func (Dialect) Read(_ context.Context, files []*source.File, like *Loaded) (*Loaded, error) {
	same := func(a, b *source.File) bool { return a.Path == b.Path && a.Text == b.Text }
	if like != nil && len(files) > 0 && slices.EqualFunc(files, like.files, same) {
		return like, nil
	}
	return read(files)
}

// ReadStatements refuses: a JSON schema says nothing of Quereus's kind.
func (Dialect) ReadStatements(context.Context, []schemajson.Statement, *Loaded) (*Loaded, error) {
	return nil, errors.New("quereus is read from declare blocks, not from JSON")
}

// Validate checks what is of concern at the head alone: reserved tags.
func (Dialect) Validate(head *Loaded) error {
	var errs []error
	for _, item := range head.items {
		if err := syntax.CheckTags(item); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// Marked gives the renames that the tags of the head mean.
func (Dialect) Marked(base, head *Loaded, given []diff.Hint) ([]diff.Hint, error) {
	return marked(base.catalog, head.catalog, given)
}

// Hinting gives the form of hints: tags, on everything but assertions.
func (Dialect) Hinting() diff.Hinting {
	return diff.Hinting{Parts: true, Line: hintFor, Example: hintTo("<old>")}
}

// Rename gives the base after its renames.
func (Dialect) Rename(_ context.Context, base *Loaded, r diff.Renames) (*Loaded, error) {
	if r.None() {
		return base, nil
	}
	n, err := base.catalog.renamesOf(r)
	if err != nil {
		return nil, err
	}
	renamed := &Loaded{catalog: base.catalog.clone(), told: base.told, missing: base.missing}
	renamed.catalog.rename(n, false)
	renamed.schema = renamed.catalog.model()
	return renamed, nil
}

// Align leaves out what the engine does not compare.
func (Dialect) Align(_ context.Context, _ string, _, renamed, head *Loaded, _ diff.Renames) error {
	return align(renamed, head)
}

// Planner prepares planning. A head in which something names what this change renames or drops is refused, and so are changes
// that no statement makes.
func (Dialect) Planner(_ context.Context, base, renamed, head *Loaded, o plan.Options) (plan.Planner, []schema.Notice, error) {
	if err := checkVersion(o.Version); err != nil {
		return nil, nil, err
	}
	changes := diff.Schemas(renamed.schema, head.schema)
	notices, err := stale(renamed, base, head, renamed == base && len(changes) == 0)
	if err := errors.Join(err, unaddressed(renamed, head, changes)); err != nil {
		return nil, nil, err
	}
	return Planner{base, renamed, head}, append(notices, uncompared(renamed, head)...), nil
}

// Replay applies the plan's SQL to the model.
func (Dialect) Replay(base, renamed, head *Loaded, steps []*plan.Step) error {
	return replay(base, renamed, head, steps)
}

// Prove has no engine to ask, and says so.
func (Dialect) Prove(context.Context, string, *Loaded, *Loaded, diff.Renames, []*plan.Step) (*proof.Engine, error) {
	return &proof.Engine{Name: Name, Reason: "Altergate holds no Quereus to run it on; apply the head to a copy of the database first"}, nil
}

// checkVersion takes any version of the engine's line 4, whose statements are the same.
func checkVersion(version string) error {
	if version == "" || version == "4" || len(version) > 1 && version[:2] == "4." {
		return nil
	}
	return &schema.Error{Kind: schema.KindConfig, Text: fmt.Sprintf("%q is no version of Quereus that plans are made for; write it as 4.6", version)}
}
