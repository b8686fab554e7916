package dialect

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/migration"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/proof"
	"github.com/altergate/altergate/internal/schema"
)

// migrations answers a question whose sides are directories of migrations. The plan is the author's own SQL: what a database that is at the
// base will run.
func (r *review[L]) migrations(ctx context.Context) {
	m, ok := any(r.driver).(migrator[L])
	if !ok {
		r.fail("", &schema.Error{Kind: schema.KindConfig, Text: fmt.Sprintf("schemas of %s are declared, so there are no migrations to read; give the schema as the source", r.Name())})
		return
	}
	if !r.read(ctx) {
		return
	}
	delta := r.Question.Delta
	w := &walk[L]{review: r, migrator: m, state: r.base, origins: originsOf(r.base.Model())}
	disturbed := slices.ContainsFunc(delta.Findings, func(f migration.Finding) bool { return f.Replay })
	for _, one := range delta.New {
		if err := w.migrate(ctx, one, r.Question.Head.Migrations.Together); err != nil {
			if !disturbed || !isPosition(err) {
				r.fail(schema.Head, err)
				return
			}
			w.stuck(ctx, one, err)
			return
		}
	}
	if _, notices, err := r.Planner(ctx, r.base, r.base, r.head, plan.Options{Version: r.Question.Version}); r.fail("", err) {
		return // the head does not work
	} else {
		r.notices = append(r.notices, notices...)
	}
	p := w.plan()
	renames := w.origins.renames(w.state.Model())
	r.net(ctx, renames)
	rest, err := w.rest(ctx, w.state)
	if r.fail("", err) {
		return
	}
	if len(rest) > 0 && !disturbed {
		r.refuted(fmt.Errorf("the new migrations, one statement after the other, do not lead to where all migrations lead: %s %s differs", rest[0].Kind, rest[0].Object))
		return
	}
	differing, err := w.crossChecked(ctx)
	if r.fail(schema.Head, err) {
		return
	}
	p.Steps = append(append(append(w.remarked(), differing...), w.steps...), rest...)
	w.finish(ctx, p, renames)
}

// plan is the plan to fill.
func (w *walk[L]) plan() *plan.Plan { return plan.Empty(w.input()) }

// input is what a plan from base to head is made from, as far as it is the same for all steps.
func (w *walk[L]) input() plan.Input {
	return plan.Input{Name: w.Question.Name, From: w.base.Model(), To: w.head.Model()}
}

// finish numbers the steps and lets an engine run them.
func (w *walk[L]) finish(ctx context.Context, p *plan.Plan, renames diff.Renames) {
	plan.Number(p)
	p.Notices = append(p.Notices, w.notices...)
	result := proof.Result{Replay: proof.Proved}
	if w.Question.Engine {
		engine, err := w.run(ctx, p, renames)
		if w.fail("", err) {
			return
		}
		result.Engine = engine
	}
	w.answer.Plan, w.answer.Proof = p, result
}

// run lets an engine run the steps on the base with rows in its tables. Statements that write rows are left out: the rows of the proof are
// its own.
func (w *walk[L]) run(ctx context.Context, p *plan.Plan, renames diff.Renames) (*proof.Engine, error) {
	against := w.against
	if i := slices.IndexFunc(p.Steps, losesChildren); i >= 0 {
		against = "rows that hang on " + p.Steps[i].Object + " may be lost with it"
	}
	if against != "" {
		return &proof.Engine{Name: w.Name(), Reason: against}, nil
	}
	var steps []*plan.Step
	var left []string
	for _, s := range p.Steps {
		if slices.ContainsFunc(s.Changes, writes) && !slices.ContainsFunc(s.Changes, isCopy) {
			left = append(left, s.Kind+" "+s.Object)
			continue
		}
		steps = append(steps, s)
	}
	engine, err := w.Prove(ctx, w.Question.Scratch, w.base, w.head, renames, steps)
	var at *schema.Error
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, &schema.Error{Kind: schema.KindProof, Text: "running the migrations took too long and was stopped; run again, or review fewer at once"}
	case errors.As(err, &at):
		return nil, err
	case err != nil:
		return nil, &schema.Error{Side: schema.Head, Kind: schema.KindProof, Text: fmt.Sprintf("the migrations were run on %s with rows in the tables, and do not do what the schemas before and after them say: %s", w.Name(), err)}
	}
	if engine != nil {
		engine.LeftOut = append(engine.LeftOut, left...)
	}
	return engine, nil
}

// losesChildren tells whether a step drops a table while foreign keys may act.
func losesChildren(s *plan.Step) bool {
	return slices.ContainsFunc(s.Findings, func(f plan.Finding) bool { return f.Rule == "delete-children" && f.Risk == plan.Destructive })
}

func writes(c diff.Change) bool { _, ok := c.(diff.WriteRows); return ok }
func isCopy(c diff.Change) bool { _, ok := c.(diff.CopyTable); return ok }

// crossChecked makes a step of each difference from the schema file, or an error, as the configuration says.
func (w *walk[L]) crossChecked(ctx context.Context) ([]*plan.Step, error) {
	remarks, err := w.crossCheck(ctx)
	if err != nil {
		return nil, err
	}
	var steps []*plan.Step
	var errs []error
	for _, c := range remarks {
		steps = append(steps, w.step(c))
		errs = append(errs, &schema.Error{Side: schema.Head, Pos: c.Pos, Kind: schema.KindSource, Text: c.Text + "; make them say the same, or set `cross-check: review`"})
	}
	if !w.Question.Tell {
		return nil, errors.Join(errs...)
	}
	return steps, nil
}

// stuck answers for migrations that cannot run on a database that has run the merged ones, since those have been changed.
func (w *walk[L]) stuck(ctx context.Context, m *migration.Migration, err error) {
	w.against = "the new migrations cannot run on what the merged ones have made"
	p := w.plan()
	rest, failed := w.rest(ctx, w.base)
	if w.fail("", failed) {
		return
	}
	at := schema.Errors(err)[0]
	cannot := remark("cannot-run", schema.Head, at.Pos, "On a database that has run the merged migrations, %s fails: %s; so what the new migrations do is not judged, and what is shown is what such a database lacks", m.Path, at.Text)
	cannot.Opaque, cannot.State = true, migration.State(w.Question.Delta.New...)
	p.Steps = append(w.remarked(), w.step(cannot))
	p.Steps = append(p.Steps, rest...)
	w.finish(ctx, p, diff.Renames{})
}

// remarked makes a step of each finding about files that belongs to no statement of a new migration.
func (w *walk[L]) remarked() []*plan.Step {
	var steps []*plan.Step
	if w.Question.Doubt != nil {
		steps = append(steps, w.step(*w.Question.Doubt))
	}
	for _, f := range w.Question.Delta.Findings {
		if f.Rule == "duplicate-version" && !f.Replay { // the base has it, and nothing comes of it here
			c := remarkOf(f)
			w.notices = append(w.notices, schema.Notice{Side: c.Side, Pos: c.Pos, Text: c.Text})
			continue
		}
		if f.Migration == nil || !slices.Contains(w.Question.Delta.New, f.Migration) {
			steps = append(steps, w.step(remarkOf(f)))
		}
	}
	return steps
}

// remarkOf says what was found about a file, with the file's name where the finding is about one.
func remarkOf(f migration.Finding) diff.Remark {
	text := f.Text
	if f.Migration != nil {
		text = f.Migration.Path + " " + text
	}
	r := remark(f.Rule, f.Side, f.Pos, "%s", text)
	r.Same = f.Migration != nil && !f.Replay
	r.Opaque, r.State = f.Rule == "unread-migration", f.State
	return r
}

// step makes a step that runs nothing.
func (w *walk[L]) step(c diff.Remark) *plan.Step {
	s := &plan.Step{Pos: c.Pos}
	if err := plan.Author(w.input(), nil, s, []diff.Change{c}); err != nil {
		w.fail("", err)
	}
	return s
}

func remark(rule string, side schema.Side, pos schema.Pos, format string, args ...any) diff.Remark {
	return diff.Remark{Rule: rule, Side: side, Pos: pos, Text: fmt.Sprintf(format, args...)}
}

// rest plans what is left to do where the new migrations do not lead to the head: what databases that have run the merged ones lack.
func (w *walk[L]) rest(ctx context.Context, from L) ([]*plan.Step, error) {
	head, err := w.side(ctx, w.Question.Head, w.head)
	if err != nil {
		return nil, err
	}
	p, renamed, err := w.between(ctx, from, head, diff.Renames{}, diff.Hinting{}, nil)
	if err != nil || len(p.Steps) == 0 {
		return nil, err
	}
	if err := w.Replay(from, renamed, head, p.Steps); err != nil {
		return nil, err
	}
	for _, s := range p.Steps {
		s.Risk = max(s.Risk, plan.Review)
		s.Findings = append(s.Findings, plan.Finding{Rule: "catch-up", Risk: plan.Review, Side: s.Findings[0].Side, Pos: s.Findings[0].Pos, Text: "No migration does this: databases that have run the merged migrations as they were differ from new ones by it"})
	}
	return p.Steps, nil
}

// net plans the change from base to head as if there were no migrations, to be shown beside them.
func (r *review[L]) net(ctx context.Context, renames diff.Renames) {
	head, err := r.side(ctx, r.Question.Head, r.head)
	if err == nil {
		var p *plan.Plan
		if p, _, err = r.between(ctx, r.base, head, renames, diff.Hinting{}, nil); err == nil {
			r.answer.Net = p
			for _, x := range p.PossibleRenames {
				where := ""
				if x.Table != "" {
					where = " of table " + x.Table
				}
				r.notices = append(r.notices, schema.Notice{Side: schema.Head, Text: fmt.Sprintf("possible rename: if %s %s%s is %s from now on, let the migration rename it, which keeps its values; a drop and a new one lose them", x.Kind, x.From, where, x.To)})
			}
			p.PossibleRenames = nil // their hints are for schema files
			return
		}
	}
	var texts []string
	for _, e := range schema.Errors(err) {
		texts = append(texts, e.Text)
	}
	r.notices = append(r.notices, schema.Notice{Text: "what the migrations come to cannot be planned as one change: " + strings.Join(texts, "; ")})
}
