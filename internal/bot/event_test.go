package bot_test

import (
	"strings"
	"testing"

	"github.com/altergate/altergate/internal/bot"
	"github.com/altergate/altergate/internal/bot/bottest"
	"github.com/altergate/altergate/internal/policy"
)

func TestEventsThatCannotBeAnswered(t *testing.T) {
	p := open(t, bottest.DropNick())
	good := p.PullRequestEvent("synchronize", bottest.Number)
	said := p.CommentEvent("created", p.Comment(bottest.Number, "ann", "/plan").ID)
	for name, test := range map[string]struct {
		event   string
		payload []byte
		says    string
	}{
		"a schedule":           {"schedule", good, "pull_request, pull_request_target, issue_comment, merge_group, workflow_dispatch, push, workflow_run"},
		"no event":             {"", good, "issue_comment"},
		"no JSON":              {"pull_request", []byte("{"), "not what GitHub sends"},
		"nothing":              {"pull_request", nil, "not what GitHub sends"},
		"the wrong payload":    {"pull_request", said, "names no pull request"},
		"the wrong payload 2":  {"issue_comment", good, "names no comment"},
		"the wrong type":       {"pull_request", []byte(`{"number": "7"}`), "not what GitHub sends"},
		"another's repository": {"pull_request", []byte(strings.ReplaceAll(string(good), "acme/shop", "acme/other")), "acme/other"},
		"an unknown action":    {"issue_comment", []byte(strings.Replace(string(said), `"created"`, `"pinned"`, 1)), "created, edited or deleted"},
	} {
		t.Run(name, func(t *testing.T) {
			before := len(p.Requests())
			answers, err := p.bot().Handle(t.Context(), test.event, test.payload)
			if err == nil || !strings.Contains(err.Error(), test.says) {
				t.Errorf("the error is %v, want one that says %q", err, test.says)
			}
			if len(answers) > 0 || len(p.Requests()) != before {
				t.Errorf("something was done: %+v, %v", answers, p.Requests()[before:])
			}
		})
	}
}

func TestCommentsThatAskForNothing(t *testing.T) {
	p := open(t, bottest.DropNick())
	p.pushed()
	plan := p.Ours()[0]
	created := func(login, body string) []byte {
		return p.CommentEvent("created", p.Comment(bottest.Number, login, body).ID)
	}
	edited := func(login, from, by, to string) []byte {
		c := p.Comment(bottest.Number, login, from)
		p.EditComment(c.ID, by, to)
		return p.CommentEvent("edited", c.ID)
	}
	before, states := len(p.Requests()), p.States(p.Head)
	for name, payload := range map[string][]byte{
		"prose":                       created("ann", "Nice, but why?"),
		"another bot's command":       created("ann", "/deploy prod"),
		"a bot's command":             created("helper[bot]", "/plan"),
		"an App's command":            p.CommentEvent("created", p.CommentVia(bottest.Number, "ann", "helper", "/plan").ID),
		"our own comment":             created("github-actions[bot]", plan.Body),
		"our own edit":                edited("github-actions[bot]", plan.Body, "github-actions[bot]", plan.Body+" "),
		"a command on an issue":       p.CommentEvent("created", p.Comment(99, "ann", "/approve destructive").ID),
		"an edit of prose":            edited("ann", "Hm", "ann", "Hmm"),
		"a forged mark on one's own":  edited("rex", plan.Body, "rex", plan.Body+" "),
		"a bot's edit of another bot": edited("helper[bot]", plan.Body, "robot[bot]", "x"),
	} {
		t.Run(name, func(t *testing.T) {
			if answer := p.handle("issue_comment", payload); answer.Nothing == "" || answer.Report != nil {
				t.Errorf("the answer is %+v", answer)
			}
		})
	}
	if len(p.Requests()) != before || len(p.States(p.Head)) != len(states) {
		t.Errorf("GitHub was asked: %v", p.Requests()[before:])
	}
}

func TestEventsThatAreAnswered(t *testing.T) {
	for name, event := range map[string]func(p *play) (string, []byte){
		"pull_request": func(p *play) (string, []byte) { return "pull_request", p.PullRequestEvent("opened", bottest.Number) },
		"target": func(p *play) (string, []byte) {
			return "pull_request_target", p.PullRequestEvent("reopened", bottest.Number)
		},
		"ready": func(p *play) (string, []byte) {
			return "pull_request_target", p.PullRequestEvent("ready_for_review", bottest.Number)
		},
		"a new base": func(p *play) (string, []byte) {
			return "pull_request_target", p.PullRequestEvent("edited", bottest.Number)
		},
		"/plan by anyone": func(p *play) (string, []byte) {
			return "issue_comment", p.CommentEvent("created", p.Comment(bottest.Number, "rex", "/plan").ID)
		},
		"a command that was edited away": func(p *play) (string, []byte) {
			c := p.Comment(bottest.Number, "ann", "/plan")
			p.EditComment(c.ID, "eve", "nothing")
			return "issue_comment", p.CommentEvent("edited", c.ID)
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := open(t, bottest.DropNick())
			p.wants(p.handle(event(p)), policy.Blocked, "pending", "failure")
		})
	}
}

func TestAClosedPullRequestIsLeftAlone(t *testing.T) {
	for name, end := range map[string]func(p *play){
		"closed": func(p *play) { p.PullRequest(bottest.Number).Close() },
		"merged": func(p *play) { p.PullRequest(bottest.Number).Merge() },
	} {
		t.Run(name, func(t *testing.T) {
			p := open(t, bottest.DropNick())
			payload := p.PullRequestEvent("synchronize", bottest.Number)
			end(p)
			for _, answer := range []bot.Answer{p.handle("pull_request_target", payload), p.says("ann", "/approve destructive")} {
				if answer.Nothing == "" {
					t.Errorf("the answer is %+v", answer)
				}
			}
			if len(p.States(p.Head)) > 0 || len(p.Ours()) > 0 {
				t.Errorf("written were %v and %v", p.States(p.Head), p.Ours())
			}
		})
	}
}

// The payload is as old as its event: a run that is started again looks at the pull request as it is.
func TestAnOldPayload(t *testing.T) {
	p := open(t, bottest.DropNick())
	payload, old := p.PullRequestEvent("synchronize", bottest.Number), p.Head
	p.Push(bottest.Files{"db/schema.sql": bottest.Schema})
	answer := p.handle("pull_request_target", payload)
	p.wants(answer, policy.Passed, "pending", "success")
	if len(p.States(old)) > 0 {
		t.Errorf("the old head has %v", p.States(old))
	}
	if !answer.OtherHead {
		t.Error("it is not said that the event was about another head")
	}
}

func TestOurCommentIsPutRight(t *testing.T) {
	for name, change := range map[string]func(p *play, id int64) []byte{
		"edited": func(p *play, id int64) []byte {
			p.EditComment(id, "eve", "All is well.")
			return p.CommentEvent("edited", id)
		},
		"deleted": func(p *play, id int64) []byte { p.DeleteComment(id, "eve"); return p.CommentEvent("deleted", id) },
		"frozen": func(p *play, id int64) []byte {
			p.EditComment(id, "eve", strings.Replace(p.comment(), "run=501.1", "run=9999999999.9", 1)+"\n")
			return p.CommentEvent("edited", id)
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := open(t, bottest.DropNick())
			p.pushed()
			p.handle("issue_comment", change(p, p.Ours()[0].ID))
			p.commentSays("Approval needed", "run=502.1")
		})
	}
}

// A payload that names a head and no pull request leaves nothing to look at. The head turns red, as an earlier yes may stand there.
func TestAPayloadThatNamesOnlyAHead(t *testing.T) {
	p := open(t, bottest.NoSchema())
	p.wants(p.pushed(), policy.Passed, "pending", "success")
	payload := strings.Replace(string(p.PullRequestEvent("synchronize", bottest.Number)), `"number": 7,`, `"number": 0,`, -1)
	answer := p.handle("pull_request_target", []byte(payload))
	p.wants(answer, policy.NoAnswer, "pending", "success", "failure")
	if answer.Failure == nil || !strings.Contains(answer.Failure.Error(), "gives its pull request no number") {
		t.Errorf("the failure is %v", answer.Failure)
	}
}
