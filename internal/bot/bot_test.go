package bot_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/bot"
	"github.com/altergate/altergate/internal/bot/bottest"
	"github.com/altergate/altergate/internal/policy"
	"github.com/altergate/altergate/internal/pull"
	"github.com/altergate/altergate/internal/pull/pulltest"
)

// TestMain keeps the configuration of the machine out of git.
func TestMain(m *testing.M) {
	os.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	os.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	os.Exit(m.Run())
}

// play is a stage with the bot on it. Each event is a run of its own.
type play struct {
	*bottest.Stage
	t     *testing.T
	token string
	trees bot.TreeSource
	run   int64
	log   bytes.Buffer
	tune  func(*bot.Bot)

	transport http.RoundTripper // nil: one that does not break
	others    []string          // commits beside the scene's
}

// open sets up a pull request that changes the base's files.
func open(t *testing.T, change bottest.Files) *play {
	t.Helper()
	return openOn(t, bottest.NewScene(t, bottest.Base(), change))
}

func openOn(t *testing.T, scene *bottest.Scene) *play {
	t.Helper()
	stage := bottest.New(t, scene)
	return &play{Stage: stage, t: t, token: stage.ActionsToken(), run: 500}
}

func (p *play) bot() *bot.Bot {
	p.t.Helper()
	p.run++
	b := p.botOver(p.transport, p.run)
	b.Log = &p.log
	if p.tune != nil {
		p.tune(b)
	}
	return b
}

// botOver is one over a connection of its own, and without a log, so that it can be used beside others.
func (p *play) botOver(transport http.RoundTripper, run int64) *bot.Bot {
	p.t.Helper()
	pulls, err := pull.New(p.t.Context(), pull.Config{APIURL: p.URL, Repository: p.GitHub.Repository, Token: p.token,
		HTTP: &http.Client{Transport: transport}, Wait: func(context.Context, time.Duration) error { return nil }})
	if err != nil {
		p.t.Error(err)
	}
	return &bot.Bot{Pulls: pulls, Workspace: p.Repo.Dir, Trees: p.trees, Config: ".github/altergate.yml", Context: "altergate",
		Run: bot.Run{ID: run, Attempt: 1, Server: "https://github.example"}}
}

// handle answers an event, which is expected to be one that can be answered, and about one pull request.
func (p *play) handle(event string, payload []byte) bot.Answer {
	p.t.Helper()
	return one(p.t, p.handleAll(event, payload))
}

func (p *play) handleAll(event string, payload []byte) []bot.Answer {
	p.t.Helper()
	answers, err := p.bot().Handle(p.t.Context(), event, payload)
	if err != nil {
		p.t.Fatalf("%s: %v", event, err)
	}
	return answers
}

// one is the only answer.
func one(t *testing.T, answers []bot.Answer) bot.Answer {
	t.Helper()
	if len(answers) != 1 {
		t.Fatalf("there are %d answers, want 1: %+v", len(answers), answers)
	}
	return answers[0]
}

// pushed is the event of a push to the head.
func (p *play) pushed() bot.Answer {
	p.t.Helper()
	return p.handle("pull_request_target", p.PullRequestEvent("synchronize", bottest.Number))
}

// says is a comment of someone's, and its event.
func (p *play) says(login, format string, args ...any) bot.Answer {
	p.t.Helper()
	answer, _ := p.saysThat(login, format, args...)
	return answer
}

func (p *play) saysThat(login, format string, args ...any) (bot.Answer, pulltest.Comment) {
	p.t.Helper()
	c := p.Comment(bottest.Number, login, fmt.Sprintf(format, args...))
	return p.handle("issue_comment", p.CommentEvent("created", c.ID)), c
}

// wants compares the states of the head's status, and the outcome.
func (p *play) wants(answer bot.Answer, outcome policy.Outcome, states ...string) {
	p.t.Helper()
	if answer.Verdict.Outcome != outcome {
		p.t.Errorf("the verdict is %s, want %s (failure: %v)\n%s", answer.Verdict.Outcome, outcome, answer.Failure, p.log.String())
	}
	if diff := cmp.Diff(states, p.States(p.PullRequest(bottest.Number).HeadSHA())); diff != "" {
		p.t.Errorf("the states of the head (-want +got):\n%s", diff)
	}
}

// comment is the text of our one comment.
func (p *play) comment() string {
	p.t.Helper()
	ours := p.Ours()
	if len(ours) != 1 {
		p.t.Fatalf("there are %d comments of ours, want 1", len(ours))
	}
	return ours[0].Body
}

func (p *play) commentSays(words ...string) {
	p.t.Helper()
	body := p.comment()
	for _, word := range words {
		if !strings.Contains(body, word) {
			p.t.Errorf("the comment does not say %q:\n%s", word, body)
		}
	}
}

// reactions are the signs below a comment, ours only.
func (p *play) reactions(c pulltest.Comment, want ...string) {
	p.t.Helper()
	var got []string
	for _, r := range p.Reactions(c.ID) {
		got = append(got, r.Content)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		p.t.Errorf("the reactions to %q (-want +got):\n%s", c.Body, diff)
	}
}

// fromEach runs a test with the trees from each source.
func fromEach(t *testing.T, test func(t *testing.T, trees bot.TreeSource)) {
	t.Helper()
	for _, trees := range []bot.TreeSource{bot.TreesAuto, bot.TreesGit, bot.TreesAPI} {
		t.Run(string(trees), func(t *testing.T) { test(t, trees) })
	}
}

func TestFromRedToGreen(t *testing.T) { fromEach(t, testFromRedToGreen) }

func testFromRedToGreen(t *testing.T, trees bot.TreeSource) {
	p := open(t, bottest.DropNick())
	p.trees = trees

	answer := p.pushed()
	p.wants(answer, policy.Blocked, "pending", "failure")
	p.commentSays("Approval needed", "users.nick", "/approve destructive "+answer.Verdict.Digest[:24])
	first := p.Ours()[0]
	if status := p.Last(p.Head); !strings.Contains(status.Description, "plan "+answer.Verdict.Digest) || status.URL != answer.Comment || answer.Comment == "" {
		t.Errorf("the status is %+v, and the comment at %q", status, answer.Comment)
	}

	answer, said := p.saysThat("ann", "Fine by me.\n\n/approve destructive %s", answer.Verdict.Digest[:24])
	p.wants(answer, policy.Passed, "pending", "failure", "pending", "success")
	p.commentSays("Approved", "`ann`", "✅ counts")
	p.reactions(said, "eyes", "+1")
	if status := p.Last(p.Head); !strings.HasPrefix(status.Description, "Approved by ann; plan ") {
		t.Errorf("the status is %+v", status)
	}
	if now := p.Ours()[0]; now.ID != first.ID || !now.Updated.After(first.Updated) {
		t.Errorf("the comment was not edited in place: %+v", now)
	}
}

func TestABareApprovalIsForThePlanThatWasPublished(t *testing.T) {
	p := open(t, bottest.DropNick())
	published := p.pushed()
	answer := p.says("ann", "/approve destructive")
	p.wants(answer, policy.Passed, "pending", "failure", "pending", "success")
	if got := answer.Verdict.Counted[0].Bound; got != published.Verdict.Digest {
		t.Errorf("it is bound to %q, want %q", got, published.Verdict.Digest)
	}
}

func TestABareApprovalBeforeAnyPlan(t *testing.T) {
	p := open(t, bottest.DropNick())
	answer, said := p.saysThat("ann", "/approve destructive")
	p.wants(answer, policy.Blocked, "pending", "failure")
	p.commentSays("no plan was published on this head before it was given")
	p.reactions(said, "eyes", "-1")
}
