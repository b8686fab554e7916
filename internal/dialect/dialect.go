// Package dialect is the table of dialects, and the one way from the texts of two sides to a plan that has been proved.
package dialect

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/dialect/mysql"
	"github.com/altergate/altergate/internal/dialect/mysql/server"
	"github.com/altergate/altergate/internal/dialect/postgres"
	"github.com/altergate/altergate/internal/dialect/quereus"
	"github.com/altergate/altergate/internal/dialect/sqlite"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/migration"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/proof"
	"github.com/altergate/altergate/internal/schema"
	"github.com/altergate/altergate/internal/schemajson"
	"github.com/altergate/altergate/internal/source"
)

// Review answers a question in one dialect.
type Review func(context.Context, Question) Answer

// All are the dialects, by their word.
var All = map[string]Review{
	mysql.MariaDB: reviewerOf(mysql.MariaDB),
	mysql.MySQL:   reviewerOf(mysql.MySQL),
	postgres.Name: reviewer[*postgres.Loaded](postgres.Dialect{}),
	quereus.Name:  reviewer[*quereus.Loaded](quereus.Dialect{}),
	sqlite.Name:   reviewer[*sqlite.Loaded](sqlite.Dialect{}),
}

// reviewerOf reviews in a flavour of MySQL. What a text means there depends on the server's version, so that is read first.
func reviewerOf(flavour string) Review {
	return func(ctx context.Context, q Question) Answer {
		answer := reviewAs(ctx, flavour, q.Version, q)
		if q.Head.Migrations == nil || q.Version != "" || flavour != mysql.MySQL || !unreadable(answer.Errors) {
			return answer
		}
		// Migrations have run, at some time and on some server. Where the newest MySQL cannot have been that, an older one or MariaDB was. If
		// it is only new ones that it cannot run, that is for a reviewer to see.
		first := answer.Errors[0]
		merged := slices.ContainsFunc(answer.Errors, func(e *schema.Error) bool { return e.Side == schema.Base })
		for _, other := range []struct{ flavour, version, is string }{
			{mysql.MySQL, "5.7", "MySQL 5.7; if that is the server, say so with `version: 5.7`"},
			{mysql.MariaDB, "", "MariaDB; if that is the server, say so with `dialect: mariadb`"},
		} {
			text := "the newest MySQL could not have run this migration, so all are read as those of " + other.is
			if !merged {
				q.Doubt = &diff.Remark{Rule: "other-server", Side: schema.Head, Pos: first.Pos, Text: "MySQL refuses this migration (" + first.Text + "); all are read as those of " + other.is}
			}
			if again := reviewAs(ctx, other.flavour, other.version, q); again.Plan != nil {
				if merged {
					again.Plan.Notices = append([]schema.Notice{{Side: first.Side, Pos: first.Pos, Text: text}}, again.Plan.Notices...)
				}
				return again
			}
		}
		return answer
	}
}

func reviewAs(ctx context.Context, flavour, version string, q Question) Answer {
	oldest, err := server.Parse(flavour, version)
	if err != nil {
		return Answer{Errors: schema.Errors(err)}
	}
	newest, err := server.Newest(flavour, version)
	if err != nil {
		return Answer{Errors: schema.Errors(err)}
	}
	return reviewer[*mysql.Loaded](mysql.Dialect{Oldest: oldest, Newest: newest})(ctx, q)
}

// unreadable tells whether all that keeps from an answer is how statements are written.
func unreadable(errs []*schema.Error) bool {
	for _, e := range errs {
		if e.Kind != schema.KindSyntax && e.Kind != schema.KindUnsupported {
			return false
		}
	}
	return len(errs) > 0
}

// Names lists the dialects for messages.
func Names() string { return strings.Join(slices.Sorted(maps.Keys(All)), ", ") }

// Text is what one side says.
type Text struct {
	Files    []*source.File       // SQL
	Document *schemajson.Document // or a JSON schema
	// Migrations is the directory that the files are the up parts of, in order; nil = they declare a schema.
	Migrations *migration.Directory
	Missing    bool // there is nothing, and that is meant: the schema is new, or dropped
}

// Question is what a review needs to know.
type Question struct {
	Name       string // of the schema in the configuration
	Version    string // of the engine the plan has to run on; empty = the dialect's oldest
	Base, Head Text
	Hints      []diff.Hint // from a file; those in comments are found in the head's text
	Renames    diff.RenamePolicy
	Engine     bool             // prove on an engine too, where one is at hand
	Scratch    string           // URL of a server of the dialect's engine to prove on, empty or "none" = none; it may hold a password
	Plain      bool             // no online forms, which keep others going at the price of more steps
	Delta      *migration.Delta // of migrations: what base and head have not in common
	Doubt      *diff.Remark     // of migrations: what else a reviewer has to see; nil = nothing
	Check      *Text            // of migrations: the schema file beside them, at the head; nil = there is none
	Tell       bool             // where it differs from what the migrations lead to, a step says so, instead of an error
}

// Answer is a proved plan, or the errors that explain why there is none.
type Answer struct {
	Plan     *plan.Plan
	Net      *plan.Plan // of migrations: the plan that the schemas alone would lead to; nil = there is none
	Coverage source.Coverage
	Proof    proof.Result
	Errors   []*schema.Error
}

// driver is a dialect whose sides are read into an L.
type driver[L any] interface {
	Name() string
	Key(name string) string
	JSON() schemajson.Dialect
	// Both take a schema that was read before and is much the same, or a zero L: it makes them faster and changes nothing else.
	Read(ctx context.Context, files []*source.File, like L) (L, error)
	ReadStatements(ctx context.Context, statements []schemajson.Statement, like L) (L, error)
	Rename(ctx context.Context, base L, r diff.Renames) (L, error)
	// Align leaves out of both sides, the base after its renames and the head, what is no difference though their text differs: what
	// only one of them states, and what the server at the URL, if there is one, takes for the same.
	Align(ctx context.Context, url string, base, renamed, head L, r diff.Renames) error
	// Planner is given the base before its renames and after them.
	Planner(ctx context.Context, base, renamed, head L, o plan.Options) (plan.Planner, []schema.Notice, error)
	Replay(base, renamed, head L, steps []*plan.Step) error
	// Prove gives nil where there is no engine to ask.
	Prove(ctx context.Context, url string, base, head L, r diff.Renames, steps []*plan.Step) (*proof.Engine, error)
}

// marker is a driver whose objects carry their rename hints themselves. What such a hint means depends on both sides.
type marker[L any] interface {
	// Validate finds what is wrong with the marks of the head, whatever the policy.
	Validate(head L) error
	// Marked gives the renames that the marks mean; given are the hints that were found elsewhere.
	Marked(base, head L, given []diff.Hint) ([]diff.Hint, error)
	// Hinting is how they are written.
	Hinting() diff.Hinting
}

// loaded is what every dialect tells of a side.
type loaded interface {
	Model() *schema.Schema
	Told() source.Told
}

func reviewer[L loaded](d driver[L]) Review {
	return func(ctx context.Context, q Question) Answer {
		r := &review[L]{driver: d, Question: q}
		if err := r.guarded(ctx); err != nil {
			r.answer.Plan = nil
			r.fail("", err)
		}
		return r.answer
	}
}

// review is one question being answered.
type review[L loaded] struct {
	driver[L]
	Question   Question
	base, head L
	answer     Answer
	notices    []schema.Notice
}

// fail notes errors; side is given to those that have none.
func (r *review[L]) fail(side schema.Side, err error) bool {
	for _, e := range schema.Errors(err) {
		if e.Side == "" {
			e.Side = side
		}
		if strings.HasPrefix(e.Path, "tables.") && r.Question.Base.Document == nil && r.Question.Head.Document == nil {
			e.Path = "" // of a value in a JSON schema, and there is none
		}
		r.answer.Errors = append(r.answer.Errors, e)
	}
	return err != nil
}

func (r *review[L]) guarded(ctx context.Context) (err error) {
	defer schema.Recover(&err)
	r.run(ctx)
	return nil
}

func (r *review[L]) run(ctx context.Context) {
	if r.Question.Head.Migrations != nil {
		r.migrations(ctx)
		return
	}
	if !r.validate() || !r.read(ctx) {
		return
	}
	hints, hinting, ok := r.hints()
	if !ok {
		return
	}
	renames, notices, err := diff.Resolve(diff.NamesOf(r.base.Model()), diff.NamesOf(r.head.Model()), hints, r.base.Told().Hints, r.Question.Renames, r.Key)
	r.notices = append(r.notices, notices...)
	if r.fail("", err) {
		return
	}
	p, renamed, err := r.between(ctx, r.base, r.head, renames, hinting, func(changes []diff.Change) error {
		if r.Question.Renames == diff.RequireHint {
			return diff.Unhinted(changes, renames, hinting)
		}
		return nil
	})
	if r.fail("", err) {
		return
	}
	p.Notices = append(r.notices, p.Notices...)
	r.prove(ctx, p, renamed, renames)
}

// between plans the way from one side to another, with the renames that are known, and gives the first after them too. allowed may refuse
// the changes.
func (r *review[L]) between(ctx context.Context, base, head L, renames diff.Renames, hinting diff.Hinting, allowed func([]diff.Change) error) (p *plan.Plan, renamed L, err error) {
	if renamed, err = r.Rename(ctx, base, renames); err != nil {
		return nil, renamed, err
	}
	if err := r.Align(ctx, r.Question.Scratch, base, renamed, head, renames); err != nil {
		return nil, renamed, err
	}
	changes := diff.Schemas(renamed.Model(), head.Model())
	if allowed != nil {
		if err := allowed(changes); err != nil {
			return nil, renamed, err
		}
	}
	planner, notices, err := r.Planner(ctx, base, renamed, head, plan.Options{Version: r.Question.Version, Plain: r.Question.Plain})
	if err != nil {
		r.notices = append(r.notices, notices...)
		return nil, renamed, err
	}
	p, err = plan.Build(plan.Input{Name: r.Question.Name, From: renamed.Model(), To: head.Model(), Renames: renames, Changes: changes, Hinting: hinting}, planner)
	if err == nil {
		p.Notices = append(notices, p.Notices...)
	}
	return p, renamed, err
}

// hints gathers the rename hints: of a file, of comments and of marks. A policy that reads none still wants marks to be valid. Where the
// dialect compares names of columns in another form than names of tables, it says how a hint reads.
func (r *review[L]) hints() ([]diff.Hint, diff.Hinting, bool) {
	hints := append(append([]diff.Hint{}, r.Question.Hints...), r.head.Told().Hints...)
	if d, ok := any(r.driver).(interface{ Hint(diff.Hint) diff.Hint }); ok {
		for i, h := range hints {
			hints[i] = d.Hint(h)
		}
	}
	m, ok := any(r.driver).(marker[L])
	if !ok {
		return hints, diff.Hinting{}, true
	}
	if r.fail(schema.Head, m.Validate(r.head)) {
		return nil, diff.Hinting{}, false
	}
	marked, err := m.Marked(r.base, r.head, hints)
	if r.Question.Renames != diff.Deny && r.fail(schema.Head, err) {
		return nil, diff.Hinting{}, false
	}
	return append(hints, marked...), m.Hinting(), true
}

// prove replays the plan, and runs it; a plan that fails is no answer.
func (r *review[L]) prove(ctx context.Context, p *plan.Plan, renamed L, renames diff.Renames) {
	if err := r.Replay(r.base, renamed, r.head, p.Steps); err != nil {
		r.refuted(err)
		return
	}
	result := proof.Result{Replay: proof.Proved}
	if r.Question.Engine {
		engine, err := r.Prove(ctx, r.Question.Scratch, r.base, r.head, renames, p.Steps)
		if err != nil && ctx.Err() != nil {
			r.fail("", &schema.Error{Kind: schema.KindProof, Text: "the plan's proof took too long and was stopped, so the plan is not shown; run again, or review fewer changes at once"})
			return
		}
		if at := (*schema.Error)(nil); errors.As(err, &at) { // not the plan's fault
			r.fail("", err)
			return
		}
		if err != nil {
			r.refuted(err)
			return
		}
		result.Engine = engine
	}
	r.answer.Plan, r.answer.Proof = p, result
}

func (r *review[L]) refuted(err error) {
	r.answer.Proof.Replay = proof.Refuted
	r.fail("", &schema.Error{Kind: schema.KindProof, Text: fmt.Sprintf("a plan was made and did not pass its proof, so it is not shown: %s. This is a gap in Altergate; please report it with both schemas", err)})
}

// validate checks JSON sources whole, hints with them, so that one run reports everything.
func (r *review[L]) validate() bool {
	base, head := r.Question.Base.Document, r.Question.Head.Document
	if base == nil && head == nil {
		return true
	}
	failed := false
	if base != nil && head != nil {
		_, _, err := diff.Resolve(keyed(base.Names(), r.Key), keyed(head.Names(), r.Key), r.Question.Hints, nil, r.Question.Renames, r.Key)
		failed = r.fail("", err)
	}
	return !r.fail("", schemajson.Validate(base, head, r.Question.Hints, r.JSON())) && !failed
}

func keyed(names map[string][]string, key func(string) string) diff.Names {
	out := diff.Names{}
	for table, columns := range names {
		out[key(table)] = map[string]bool{}
		for _, c := range columns {
			out[key(table)][key(c)] = true
		}
	}
	return out
}

// read reads both sides. The base goes second, since most of it has been read with the head.
func (r *review[L]) read(ctx context.Context) bool {
	var nothing L
	var headErr, baseErr error
	if r.head, headErr = r.side(ctx, r.Question.Head, nothing); headErr != nil {
		r.head = nothing
	}
	r.base, baseErr = r.side(ctx, r.Question.Base, r.head)
	failed := r.fail(schema.Base, baseErr)
	if r.fail(schema.Head, headErr) || failed {
		return false
	}
	told := r.head.Told()
	r.answer.Coverage = told.Coverage
	said := told.Notices
	if r.Question.Head.Migrations == nil { // those of new migrations are steps
		said = append(told.PassedOver(), said...)
	}
	for _, n := range said {
		if n.Side == "" {
			n.Side = schema.Head
		}
		r.notices = append(r.notices, n)
	}
	if r.Question.Renames == diff.Deny || r.Question.Head.Migrations != nil { // migrations rename by statements
		return !r.emptied()
	}
	return !r.fail(schema.Head, errors.Join(asErrors(told.HintErrors)...)) && !r.emptied()
}

// emptied refuses a head that declares nothing where the base declares something: that is what a lost file looks like.
func (r *review[L]) emptied() bool {
	if r.head.Told().Coverage.Modelled+r.head.Told().Coverage.Opaque > 0 || r.Question.Head.Document != nil || r.Question.Head.Missing {
		return false
	}
	var paths []string
	for _, f := range r.Question.Head.Files {
		paths = append(paths, f.Path)
	}
	return r.fail(schema.Head, &schema.Error{Pos: schema.Pos{File: strings.Join(paths, ", "), Line: 1, Column: 1}, Kind: schema.KindSource,
		Text: "holds no statement that declares anything; an empty file is not taken for a wish to drop everything"})
}

func asErrors(list []*schema.Error) []error {
	var errs []error
	for _, e := range list {
		errs = append(errs, e)
	}
	return errs
}

func (r *review[L]) side(ctx context.Context, t Text, like L) (l L, err error) {
	defer schema.Recover(&err)
	if t.Document != nil {
		statements, err := t.Document.Statements(r.JSON())
		if err != nil {
			return l, err
		}
		return r.ReadStatements(ctx, statements, like)
	}
	if o, ok := any(r.driver).(orderedReader[L]); ok && t.Migrations != nil {
		return o.ReadMigrations(ctx, t.Files, like)
	}
	return r.Read(ctx, t.Files, like)
}
