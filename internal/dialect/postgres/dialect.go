package postgres

import (
	"context"
	"errors"
	"fmt"
	"maps"
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
		if err := renamed.catalog.MoveTable(parseName(t.From), parseName(t.To)); err != nil {
			return nil, err
		}
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
	alignUnsaid(renamed, head)
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
	if no := (*proof.Unavailable)(nil); errors.As(err, &no) {
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
	before, after := base.parents(), head.parents()
	for key := range base.details.tables {
		if head.details.tables[key] != nil && before[key] != after[key] {
			whole[key] = true
		}
	}
	if len(whole) == 0 {
		return nil
	}
	return errors.Join(base.analyseWith(whole), head.analyseWith(whole))
}

// parents gives, for each table that has parents, who they are. A partition leaves its parent to come back with other bounds.
func (l *Loaded) parents() map[string]string {
	parents := map[string]string{}
	for _, t := range l.Schema.Tables {
		for _, o := range t.Options {
			if strings.HasPrefix(o, "inherits ") || strings.HasPrefix(o, "partition of ") {
				parents[t.Key] += o + "\n"
			}
		}
	}
	return parents
}

// alignUnsaid leaves out who owns a thing, what an extension says of itself and which version it has, where only one side says so.
func alignUnsaid(one, two *Loaded) {
	a, b := one.Schema, two.Schema
	owned := [2]map[string]string{one.owners, two.owners}
	drop := func(s, other *schema.Schema) {
		var kept []*schema.Object
		for _, o := range s.Objects {
			if o.Kind == "grant" && ofOwner(o, owned) || o.Kind == "extension" && comesAlong(o, s, other) {
				continue
			}
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
	alignPrivileges(one, two)
	alignPrivileges(two, one)
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

// alignPrivileges leaves out default privileges that one side says of whoever runs it, and the other of one role, where that is all
// that differs.
func alignPrivileges(one, other *Loaded) {
	for _, id := range sortedKeys(one.details.objects) {
		o := one.details.objects[id]
		if o.Kind != "default_privileges" || o.Props["role"] != "" || other.details.objects[id] != nil {
			continue
		}
		var same []string
		for of, x := range other.details.objects {
			if x.Kind == o.Kind && withoutRole(x) == withoutRole(o) {
				same = append(same, of)
			}
		}
		if len(same) == 1 && one.details.objects[same[0]] == nil {
			leaveOut(one.Schema, id)
			leaveOut(other.Schema, same[0])
		}
	}
}

func withoutRole(o *catalog.Object) string {
	props := maps.Clone(o.Props)
	delete(props, "role")
	return settings(props)
}

func leaveOut(s *schema.Schema, id string) {
	s.Objects = slices.DeleteFunc(slices.Clone(s.Objects), func(o *schema.Object) bool { return o.ID() == id })
}

// comesAlong tells whether the other side, which does not name an extension, has it all the same: both have one that needs it.
func comesAlong(o *schema.Object, s, other *schema.Schema) bool {
	if other.Object(o.Kind, o.Key) != nil {
		return false
	}
	return slices.ContainsFunc(s.Objects, func(x *schema.Object) bool {
		return x.Kind == o.Kind && slices.Contains(catalog.Along(x.Key), o.Key) && other.Object(x.Kind, x.Key) != nil
	})
}

// ownersIn gives the owners that a schema says, by what they own.
func ownersIn(s *schema.Schema) map[string]string {
	owners := map[string]string{}
	for _, o := range s.Objects {
		if o.Kind == "owner" {
			owners[o.Key] = o.Text
		}
	}
	return owners
}

// ofOwner tells whether a grant is to the owner, as one of two sides says. That says nothing, since an owner may do everything; where a
// side says the owner, it has no such grant.
func ofOwner(grant *schema.Object, owned [2]map[string]string) bool {
	on, to, _ := strings.Cut(grant.Key, " to ")
	return !strings.Contains(grant.Canon, "revoked=") && (owned[0][on] == to || owned[1][on] == to)
}

// isThere tells whether what an owner is of is in the schema: whose a new thing is, only its own side can say.
func isThere(s *schema.Schema, owner *schema.Object) bool {
	kind, name, _ := strings.Cut(owner.Key, " ")
	return owner.Key == "schema "+catalog.Public || s.Table(name) != nil || s.View(name) != nil || s.Object(kind, name) != nil
}

func withoutVersion(canon string) string {
	before, _, _ := strings.Cut(canon, "version=")
	return strings.TrimRight(before, ", ")
}
