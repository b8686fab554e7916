package cli

import (
	"strings"
	"testing"

	"github.com/altergate/altergate/internal/bot/bottest"
	"github.com/altergate/altergate/internal/pull/pulltest"
)

// A push to the base branch is about all open pull requests that go there: the outputs are the worst of all.
func TestActionOnAPush(t *testing.T) {
	s := newStep(t, bottest.DropNick())
	s.AlsoOpen(8, "main")
	s.PullRequest(8).Head(s.Base).MergeCommit(s.Base)
	s.event("push", s.PushEvent("main", s.Base))
	code, out := s.run()
	if code != exitYes || s.Last(s.Head).State != "failure" || s.Last(s.Base).State != "success" {
		t.Errorf("the step exits %d, the statuses are %+v and %+v\n%s", code, s.Last(s.Head), s.Last(s.Base), s.stdout.String())
	}
	wantOutputs(t, out, "verdict", "blocked", "exit-code", "2", "risk", "destructive", "changed", "true", "digest", "", "report-json", "", "comment-url", "")
	summary := s.file(s.env["GITHUB_STEP_SUMMARY"])
	for _, want := range []string{"## Pull request 7\n", "## Pull request 8\n", "Approval needed", "No schema change"} {
		if !strings.Contains(summary, want) {
			t.Errorf("the summary does not say %q:\n%s", want, summary)
		}
	}

	s.env["INPUT_FAIL-JOB"] = "always"
	if code, _ := s.run(); code != exitNo {
		t.Errorf("with fail-job: always the step exits %d", code)
	}
	s.Fail("GET", "/repos/acme/shop/pulls/8", 500, pulltest.Always)
	code, out = s.run()
	if code != exitNoAnswer {
		t.Errorf("with one that could not be looked at the step exits %d", code)
	}
	wantOutputs(t, out, "verdict", "no answer", "exit-code", "1")
}

func TestActionOnAPushThatIsAboutNothing(t *testing.T) {
	s := newStep(t, bottest.DropNick())
	s.event("push", s.PushEvent("release", s.Base))
	code, out := s.run()
	if code != exitYes || !strings.Contains(s.stdout.String(), "Nothing to do: no open pull request goes to release") {
		t.Errorf("the step exits %d\n%s", code, s.stdout.String())
	}
	wantOutputs(t, out, "verdict", "skipped", "exit-code", "0")
}

func TestResultsOfSeveral(t *testing.T) {
	passed := results{verdict: "passed", risk: "review", changed: "true", digest: "d", commentURL: "u", json: "p"}
	unchanged := results{verdict: "passed", risk: "safe", changed: "false"}
	blocked := results{verdict: "blocked", exitCode: exitNo, risk: "destructive", changed: "true"}
	unknown := results{verdict: "no answer", exitCode: exitNoAnswer}
	nothing := results{verdict: skipped}
	stale := results{verdict: skipped, exitCode: exitNoAnswer}
	staleNo := results{verdict: skipped, exitCode: exitNo}
	for name, test := range map[string]struct{ a, b, want results }{
		"blocked beats passed":     {passed, blocked, results{verdict: "blocked", exitCode: exitNo, risk: "destructive", changed: "true"}},
		"no answer beats blocked":  {blocked, unknown, results{verdict: "no answer", exitCode: exitNoAnswer, risk: "destructive", changed: "true"}},
		"skipped beats passed":     {nothing, unchanged, results{verdict: skipped, risk: "safe", changed: "false"}},
		"blocked beats skipped":    {nothing, blocked, blocked},
		"stale beats passed":       {stale, passed, results{verdict: skipped, exitCode: exitNoAnswer, risk: "review", changed: "true"}},
		"stale beats blocked":      {stale, blocked, results{verdict: skipped, exitCode: exitNoAnswer, risk: "destructive", changed: "true"}},
		"blocked beats a stale no": {staleNo, blocked, blocked},
		"no answer beats stale":    {stale, unknown, unknown},
		"the worse of two passed":  {unchanged, passed, results{verdict: "passed", risk: "review", changed: "true"}},
		"no answer beats skipped":  {unknown, nothing, results{verdict: "no answer", exitCode: exitNoAnswer}},
		"a change beats no change": {passed, unchanged, results{verdict: "passed", risk: "review", changed: "true"}},
	} {
		if got := test.a.with(test.b); got != test.want {
			t.Errorf("%s: got %+v, want %+v", name, got, test.want)
		}
		if got := test.b.with(test.a); got != test.want {
			t.Errorf("%s, the other way round: got %+v, want %+v", name, got, test.want)
		}
	}
}
