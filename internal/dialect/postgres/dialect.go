package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/altergate/altergate/internal/dialect/postgres/catalog"
	"github.com/altergate/altergate/internal/dialect/postgres/scratch"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/proof"
	"github.com/altergate/altergate/internal/schema"
	"github.com/altergate/altergate/internal/schemajson"
	"github.com/altergate/altergate/internal/source"
)

// Dialect is PostgreSQL as internal/dialect uses it.
type Dialect struct{}

// Name gives the word for the dialect.
func (Dialect) Name() string { return Name }

// Key gives the form in which PostgreSQL compares names. Names come from parse trees and documents, where they are folded already; one
// with a dot or a quote in it stays in the quotes that tell it from a name with a schema.
func (Dialect) Key(name string) string {
	if folded := fold(name); catalog.Part(folded) == folded {
		return folded
	}
	return name
}

// JSON gives what the JSON source has to know of PostgreSQL.
func (Dialect) JSON() schemajson.Dialect { return schemajson.Postgres }

// Read reads SQL files.
func (Dialect) Read(ctx context.Context, files []*source.File, like *Loaded) (*Loaded, error) {
	return Read(ctx, files, like)
}

// ReadStatements reads the statements of a JSON source.
func (Dialect) ReadStatements(ctx context.Context, statements []schemajson.Statement, like *Loaded) (*Loaded, error) {
	return ReadStatements(ctx, statements, like)
}

// Rename gives the base after its renames: bodies follow, as they do on the server.
func (Dialect) Rename(_ context.Context, base *Loaded, r diff.Renames) (*Loaded, error) {
	if r.None() {
		return base, nil
	}
	renamed := *base
	renamed.catalog = base.catalog.Clone()
	for _, t := range r.Tables {
		renamed.catalog.RenameTable(parseName(t.From), parseName(t.To))
	}
	for _, c := range r.Columns {
		renamed.catalog.RenameColumn(parseName(c.Table), fold(c.From), fold(c.To))
	}
	return &renamed, renamed.analyse()
}

// Align leaves out of both sides what is no difference though their text differs.
func (Dialect) Align(ctx context.Context, url string, base, renamed, head *Loaded, r diff.Renames) error {
	if err := alignParents(renamed, head); err != nil {
		return err
	}
	alignUnsaid(renamed.Schema, head.Schema)
	if url == "" || url == noServer {
		return nil
	}
	return agree(ctx, url, base, renamed, head, r)
}

// noServer is what is given for the URL of a server when none is to be asked.
const noServer = "none"

// Planner prepares planning from a base to a head, for a server of the given major version ("16", or empty for the oldest).
func (Dialect) Planner(_ context.Context, _, renamed, head *Loaded, o plan.Options) (plan.Planner, []schema.Notice, error) {
	v, err := parseVersion(o.Version)
	if err != nil {
		return nil, nil, err
	}
	return Planner{From: renamed, To: head, Version: v, Plain: o.Plain}, nil, nil
}

func parseVersion(s string) (int, error) {
	if s == "" {
		return DefaultVersion, nil
	}
	major, _, _ := strings.Cut(s, ".")
	v, err := strconv.Atoi(major)
	switch {
	case err != nil:
		return 0, &schema.Error{Kind: schema.KindConfig, Text: fmt.Sprintf("%q is no version of PostgreSQL; write it as 16", s)}
	case v < DefaultVersion || v > newestVersion:
		return 0, &schema.Error{Kind: schema.KindConfig, Text: fmt.Sprintf("PostgreSQL %s is not among the versions that plans are made for, %d to %d", s, DefaultVersion, newestVersion)}
	}
	return v, nil
}

// Replay applies the plan's SQL to the model.
func (Dialect) Replay(base, _, head *Loaded, steps []*plan.Step) error {
	return replay(base, head, steps)
}

// Prove runs the plan on a scratch server, where there is one.
func (Dialect) Prove(ctx context.Context, url string, base, head *Loaded, r diff.Renames, steps []*plan.Step) (*proof.Engine, error) {
	if url == "" || url == noServer {
		return nil, nil
	}
	engine, err := scratch.Prove(ctx, url, scratch.Input{Base: base.side(), Head: head.side(), Renames: r, Steps: steps})
	return engine, unavailable(err)
}

// unavailable makes an answer of a server that cannot be used: the plan may be right, and nobody has said so.
func unavailable(err error) error {
	if no := (*scratch.Unavailable)(nil); errors.As(err, &no) {
		return &schema.Error{Kind: schema.KindProof, Text: strings.Join(strings.Fields(no.Error()), " ")}
	}
	return err
}

// side is what a scratch server is given of a source: the statements that are modelled.
func (l *Loaded) side() scratch.Side {
	return scratch.Side{Statements: l.modelled, Paths: l.paths, Schema: l.Schema}
}

// alignParents shows the inherited parts of tables that come to a parent or go from one, since they stay when it does.
func alignParents(base, head *Loaded) error {
	whole := map[string]bool{}
	for key, from := range base.details.tables {
		if to := head.details.tables[key]; to != nil && parentsOf(from) != parentsOf(to) {
			whole[key] = true
		}
	}
	if len(whole) == 0 {
		return nil
	}
	return errors.Join(base.analyseWith(whole), head.analyseWith(whole))
}

func parentsOf(t *catalog.Table) string {
	text := ""
	for _, p := range t.Inherits {
		text += p.String() + ", "
	}
	if t.PartitionOf != nil {
		text += "of " + t.PartitionOf.String()
	}
	return text
}

// alignUnsaid leaves out who owns a thing, what an extension says of itself and which version it has, where only one side says so.
func alignUnsaid(a, b *schema.Schema) {
	drop := func(s, other *schema.Schema) {
		var kept []*schema.Object
		for _, o := range s.Objects {
			unsaid := o.Kind == "owner" && isThere(other, o) || o.Kind == "comment" && (strings.HasPrefix(o.Key, "extension ") || o.Key == "schema public")
			if unsaid && other.Object(o.Kind, o.Key) == nil {
				continue
			}
			kept = append(kept, o)
		}
		s.Objects = kept
	}
	drop(a, b)
	drop(b, a)
	// What a statement that is gone has done is not undone by that.
	a.Opaques = slices.DeleteFunc(slices.Clone(a.Opaques), func(o *schema.Opaque) bool { return o.Kind == statementKind && b.Opaque(o.Key) == nil })
	for _, o := range a.Objects {
		if o.Kind != "extension" {
			continue
		}
		if other := b.Object(o.Kind, o.Key); other != nil && strings.Contains(o.Canon, "version=") != strings.Contains(other.Canon, "version=") {
			o.Canon, other.Canon = withoutVersion(o.Canon), withoutVersion(other.Canon)
		}
	}
}

// isThere tells whether what an owner is of is in the schema: whose a new thing is, only its own side can say.
func isThere(s *schema.Schema, owner *schema.Object) bool {
	kind, name, _ := strings.Cut(owner.Key, " ")
	return s.Table(name) != nil || s.View(name) != nil || s.Object(kind, name) != nil
}

func withoutVersion(canon string) string {
	before, _, _ := strings.Cut(canon, "version=")
	return strings.TrimRight(before, ", ")
}
