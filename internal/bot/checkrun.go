package bot

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/altergate/altergate/internal/comment"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/pull"
)

const (
	mostAnnotations = 300         // six requests; a page with more is of no use to anybody
	mostElsewhere   = 16_000      // bytes of remarks without a line, of what GitHub takes
	checkPatience   = time.Minute // the gate waits for this
)

// putCheckRun shows the remarks on the lines they are about, before the status that says the same. It decides nothing: what goes wrong
// here is a note.
func (r *review) putCheckRun(ctx context.Context, state pull.State) {
	if !r.CheckRun {
		return
	}
	ctx, done := context.WithTimeout(ctx, checkPatience)
	defer done()
	err := guarded(func() error {
		run := r.checkRun(state == pull.Success)
		r.logf("Check run %s with %d annotations", run.Name, len(run.Annotations))
		return r.Pulls.PutCheckRun(ctx, run)
	})
	if err == nil {
		return
	}
	if c, ok := errors.AsType[*crash](err); ok {
		r.logf("%s", c.stack)
	}
	if note := "The annotations are missing or old: " + err.Error(); !slices.Contains(r.answer.Notes, note) {
		r.answer.Notes = append(r.answer.Notes, note)
	}
}

// checkRun is named otherwise than the status: a check run and a status of one name would both be required.
func (r *review) checkRun(passed bool) pull.CheckRun {
	annotations, elsewhere := r.annotations()
	run := pull.CheckRun{
		SHA: r.commit, Name: r.Context + " annotations", Passed: passed, Title: comment.Title(r.answer.Report, r.answer.Verdict),
		Text: comment.Elsewhere(elsewhere, mostElsewhere), URL: r.answer.Comment, Annotations: annotations,
	}
	if run.URL == "" {
		run.URL = r.myAddress()
	}
	room := pull.MaxCheckText - len(run.Text) // both together: it is not known whether each may be that long
	run.Summary = r.render(comment.Mark{}, comment.Limit{Units: room, Bytes: room}, r.myAddress())
	return run
}

// annotations are the remarks that have a line on the head commit, and those that have none, or are too many.
func (r *review) annotations() (list []pull.Annotation, elsewhere []comment.Remark) {
	for _, m := range comment.Remarks(r.answer.Report) {
		line, ok := r.answer.Line(m.Side, m.Pos)
		a := pull.Annotation{Path: m.Pos.File, Line: line, Level: pull.LevelWarning, Title: m.Title(), Message: comment.Plain(m.Text)}
		if m.Error || m.Risk == plan.Destructive {
			a.Level = pull.LevelFailure
		}
		switch {
		case !ok || a.Message == "" || comment.Plain(a.Path) != a.Path: // a name that cannot be shown as it is
			elsewhere = append(elsewhere, m)
		case slices.Contains(list, a):
		case len(list) == mostAnnotations:
			elsewhere = append(elsewhere, m)
		default:
			list = append(list, a)
		}
	}
	return list, elsewhere
}
