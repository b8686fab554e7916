package bot_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/altergate/altergate/internal/bot/bottest"
	"github.com/altergate/altergate/internal/policy"
	"github.com/altergate/altergate/internal/pull"
	"github.com/altergate/altergate/internal/pull/pulltest"
)

func TestAWorkflowStartedByHand(t *testing.T) {
	p := open(t, bottest.DropNick())
	for _, number := range []string{"7", " #7 "} {
		if answer := p.handle("workflow_dispatch", p.DispatchEvent(number)); answer.Number != 7 || !answer.Posted {
			t.Errorf("%q: the answer is %+v", number, answer)
		}
	}
	for _, number := range []string{"", "seven", "0", "-7", "7 8", "7.5", "99999999999999999999"} {
		_, err := p.bot().Handle(t.Context(), "workflow_dispatch", p.DispatchEvent(number))
		if err == nil || !strings.Contains(err.Error(), "its input pull-request has to be the number of a pull request") {
			t.Errorf("%q: the error is %v", number, err)
		}
	}
	if _, err := p.bot().Handle(t.Context(), "workflow_dispatch", []byte(`{"inputs": null, "repository": {"full_name": "acme/shop"}}`)); err == nil {
		t.Error("no input is a number")
	}
	if answer := p.handle("workflow_dispatch", p.DispatchEvent("8")); answer.Failure == nil || !errors.Is(answer.Failure, pull.ErrNotFound) {
		t.Errorf("an unknown pull request: %+v", answer)
	}
}

// A push to the base branch changes what the open pull requests are compared with.
func TestAPushToTheBase(t *testing.T) {
	p := open(t, bottest.DropNick())
	p.wants(p.pushed(), policy.Blocked, "pending", "failure")
	p.AlsoOpen(8, "main")
	p.AlsoOpen(9, "release")
	p.MoveBase(bottest.Files{"db/schema.sql": strings.Replace(bottest.Schema, ", nick TEXT", "", 1)})
	answers := p.handleAll("push", p.PushEvent("main", p.Base))
	var seen []string
	for _, a := range answers {
		seen = append(seen, fmt.Sprintf("#%d %s", a.Number, a.Verdict.Outcome))
	}
	// 8 has the same head as 9, which goes elsewhere, and as 7.
	if got := strings.Join(seen, ", "); got != "#8 no answer, #7 no answer" {
		t.Errorf("the answers are %s", got)
	}
	p.PullRequest(9).Close()
	for _, a := range p.handleAll("push", p.PushEvent("main", p.Base)) {
		if a.Verdict.Outcome != policy.Passed {
			t.Errorf("#%d is %s: %v", a.Number, a.Verdict.Outcome, a.Failure)
		}
	}
	if p.Last(p.Head).State != "success" {
		t.Errorf("the states are %v", p.States(p.Head))
	}
}

func TestPushesThatAreAboutNothing(t *testing.T) {
	p := open(t, bottest.DropNick())
	for name, payload := range map[string][]byte{
		"another branch":   p.PushEvent("feature", p.Head),
		"a branch is gone": []byte(strings.Replace(string(p.PushEvent("main", p.Base)), `"deleted": false`, `"deleted": true`, 1)),
		"a tag":            []byte(strings.Replace(string(p.PushEvent("main", p.Base)), "refs/heads/", "refs/tags/", 1)),
	} {
		if answer := p.handle("push", payload); answer.Nothing == "" || len(p.States(p.Head)) > 0 {
			t.Errorf("%s: the answer is %+v", name, answer)
		}
	}
	if _, err := p.bot().Handle(t.Context(), "push", []byte(`{"repository": {"full_name": "acme/shop"}}`)); err == nil {
		t.Error("a push of nothing")
	}
}

// The workflow that ran before may be a fork's, so that only its head is taken from it.
func TestAfterAnotherWorkflow(t *testing.T) {
	p := open(t, bottest.DropNick())
	p.PullRequest(bottest.Number).Fork("eve/shop")
	answer := p.handle("workflow_run", p.WorkflowRunEvent(p.Head))
	p.wants(answer, policy.Blocked, "pending", "failure")
	p.commentSays("Approval needed")
	if answer := p.handle("workflow_run", p.WorkflowRunEvent(pulltest.SHA("x"))); !strings.Contains(answer.Nothing, "no open pull request has the head") {
		t.Errorf("a head that is nobody's: %+v", answer)
	}
}

// Where there are more pull requests than can be looked at, that is said, and it is no yes.
func TestMoreThanCanBeLookedAt(t *testing.T) {
	p := open(t, bottest.NoSchema())
	p.PageSize(100)
	for n := 100; n < 151; n++ {
		p.AlsoOpen(n, "main")
	}
	answers := p.handleAll("push", p.PushEvent("main", p.Base))
	end := answers[len(answers)-1]
	if len(answers) != 51 || end.Failure == nil || !strings.Contains(end.Failure.Error(), "2 open pull requests, each of which goes to main, could not be looked at") {
		t.Errorf("there are %d answers, the last %v", len(answers), end.Failure)
	}
}

func TestNoMoreIsAskedOnceTheLimitIsUsedUp(t *testing.T) {
	p := open(t, bottest.NoSchema())
	p.AlsoOpen(8, "main")
	p.AlsoOpen(9, "main")
	p.Fail("GET", "/repos/acme/shop/pulls/9", 429, pulltest.Always).Header("X-RateLimit-Remaining", "0").Header("X-RateLimit-Reset", "4102444800")
	answers := p.handleAll("push", p.PushEvent("main", p.Base))
	if len(answers) != 2 || !errors.Is(answers[0].Failure, pull.ErrRateLimited) || answers[1].Failure == nil {
		t.Errorf("the answers are %+v", answers)
	}
	if answers := p.handleAll("push", p.PushEvent("release", p.Base)); len(answers) != 1 || answers[0].Nothing == "" {
		t.Errorf("a branch to which none goes: %+v", answers)
	}
}

func TestTheListOfPullRequestsCannotBeRead(t *testing.T) {
	p := open(t, bottest.NoSchema())
	p.Fail("GET", "/repos/acme/shop/pulls", 403, pulltest.Always)
	answer := p.handle("push", p.PushEvent("main", p.Base))
	if answer.Failure == nil || answer.Verdict.Outcome != policy.NoAnswer {
		t.Errorf("the answer is %+v", answer)
	}
}
