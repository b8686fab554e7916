// Package bot takes one event of GitHub's to an answer on the pull request: event, evaluation, publication. Every event goes through
// the same evaluation, which reads everything anew: the pull request, the trees, what people said and what they may do. Nothing is
// remembered from one run to the next, so that a run that is lost, late or repeated does no harm. It does not know how a schema is
// read, how a plan is judged or how a report is worded.
package bot

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/altergate/altergate/internal/pipeline"
	"github.com/altergate/altergate/internal/policy"
	"github.com/altergate/altergate/internal/pull"
)

// Bot answers events of one repository.
type Bot struct {
	Pulls     *pull.Client
	Workspace string           // a clone of the repository, if there is one
	Trees     TreeSource       // empty is TreesAuto
	Config    string           // path of the configuration in the repository
	Context   string           // of the commit status
	Comment   CommentMode      // empty is CommentUpdate
	CheckRun  bool             // post a check run with annotations as well
	Scratch   pipeline.Scratch // servers to prove on; nothing that is published has their URLs
	Run       Run
	Log       io.Writer // lines for whoever reads the job; they may hold text from the pull request
}

// CommentMode says what becomes of the plan comment.
type CommentMode string

// The modes of the plan comment.
const (
	CommentUpdate     CommentMode = "update"       // one comment, kept up to date
	CommentHideAndNew CommentMode = "hide-and-new" // a new one when it says something else, and the earlier one is hidden
	CommentOff        CommentMode = "off"          // none; one that is there stays as it is
)

// Run is the run of the workflow that we are part of, so that two runs at once can tell each other's traces apart.
type Run struct {
	ID      int64
	Attempt int
	Server  string // as in GITHUB_SERVER_URL
}

// Answer is what came of an event. The zero Answer is a blocked one that nobody was told of.
type Answer struct {
	Nothing string // why there was nothing to do; the rest is empty then
	Number  int    // of the pull request; 0 if the answer is about none

	Report   *pipeline.Report
	Verdict  policy.Verdict
	Markdown string // the whole report, for the summary of the job
	Comment  string // address of our comment; empty when there is none

	Posted    bool   // the verdict stands as a status on the head
	Denied    string // why the token could not post a status at all: the job itself has to carry the verdict
	Stale     string // why the verdict was not published: the pull request is not any more what was evaluated
	OtherHead bool   // the event was about another head than the one evaluated, so the job's own result stands on the wrong commit
	Failure   error  // what went wrong on the way; the verdict is then that there is no answer
	Notes     []string

	lines map[place]int // on the head commit
}

// Handle answers one event. It gives one answer, but for an event that is about all the pull requests of a branch or a commit: then it
// gives one for each. The error says that the event cannot be answered by anyone: it is unknown, or its payload makes no sense.
// Whatever goes wrong later is in an answer, and the status is red where it can be set.
func (b *Bot) Handle(ctx context.Context, event string, payload []byte) ([]Answer, error) {
	q, err := b.parse(event, payload)
	if err != nil {
		return nil, fmt.Errorf("reading the event %s: %w", event, err)
	}
	if q.into != "" || q.with != "" {
		return b.each(ctx, q), nil
	}
	return []Answer{b.look(ctx, q.trigger)}, nil
}

// look looks at one pull request.
func (b *Bot) look(ctx context.Context, t trigger) Answer {
	if t.nothing != "" {
		return Answer{Nothing: t.nothing}
	}
	const looks = 3
	for look := 1; ; look++ {
		r := &review{Bot: b, trigger: t}
		err := r.run(ctx)
		if !errors.Is(err, errSpokenOver) || look == looks {
			r.end(ctx, err)
			return r.answer
		}
		b.logf("%s; looking again", err)
	}
}

func (b *Bot) logf(format string, args ...any) {
	if b.Log != nil {
		fmt.Fprintf(b.Log, format+"\n", args...)
	}
}

// address is the page of a run; empty when it is not known where that is.
func (b *Bot) address(run int64, attempt int) string {
	if b.Run.Server == "" || run == 0 {
		return ""
	}
	return fmt.Sprintf("%s/%s/actions/runs/%d/attempts/%d", b.Run.Server, b.Pulls.Repository(), run, attempt)
}

func (b *Bot) myAddress() string { return b.address(b.Run.ID, b.Run.Attempt) }
