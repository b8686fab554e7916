package cli

import (
	"slices"
	"testing"

	"github.com/altergate/altergate/internal/bot/bottest"
	"github.com/altergate/altergate/internal/pull/pulltest"
)

// exitCase is what the step exits with under each fail-job, and what it says of the schemas.
type exitCase struct {
	scene               *bottest.Scene
	change              func(*step)
	auto, always, never int
	verdict             string
}

// said is the output exit-code, which fail-job does not change. An answer that nobody published is none.
func (c exitCase) said() string {
	switch {
	case c.verdict == "blocked":
		return "2"
	case c.verdict == "no answer" || c.verdict == skipped && c.always != 0:
		return "1"
	}
	return "0"
}

func TestActionExitCodes(t *testing.T) {
	drop := bottest.NewScene(t, bottest.Base(), bottest.DropNick())
	index := bottest.NewScene(t, bottest.Base(), bottest.AddIndex())
	broken := bottest.NewScene(t, bottest.Base(), bottest.Files{"db/schema.sql": "CREATE TABEL x (id);\n"})
	fork := func(s *step) { s.env["INPUT_GITHUB-TOKEN"] = s.ForkToken() }
	fault := func(s *step) { s.Fail("GET", "/repos/acme/shop/issues/7/comments", 500, pulltest.Always) }
	old := func(s *step) {
		s.PullRequest(bottest.Number).Head(pulltest.SHA("x"))
		s.event("pull_request_target", s.PullRequestEvent("synchronize", bottest.Number))
		s.PullRequest(bottest.Number).Head(s.Head).MergeCommit(s.Merge)
	}
	moves := func(s *step) {
		n := 0
		s.OnRequest(func(method, path string) {
			if path == "/repos/acme/shop/pulls/7" {
				if n++; n == 2 {
					s.PullRequest(bottest.Number).Head(pulltest.SHA("x"))
				}
			}
		})
	}
	for name, test := range map[string]exitCase{
		"passed":           {index, nil, 0, 0, 0, "passed"},
		"blocked":          {drop, nil, 0, 2, 0, "blocked"},
		"no answer":        {broken, nil, 0, 1, 0, "no answer"},
		"passed, fork":     {index, fork, 0, 0, 0, "passed"},
		"blocked, fork":    {drop, fork, 2, 2, 0, "blocked"},
		"no answer, fork":  {broken, fork, 1, 1, 0, "no answer"},
		"fault":            {index, fault, 1, 1, 0, "no answer"},
		"old event":        {index, old, 0, 1, 0, "passed"},
		"old event, fork":  {index, func(s *step) { fork(s); old(s) }, 1, 1, 0, "passed"},
		"head moves":       {index, moves, 0, 1, 0, "skipped"},
		"head moves, fork": {index, func(s *step) { fork(s); moves(s) }, 1, 1, 0, "skipped"},
		"closed meanwhile": {drop, func(s *step) { s.PullRequest(bottest.Number).Close() }, 0, 0, 0, "skipped"},
		"status cannot be": {index, func(s *step) { s.Fail("POST", "/repos/acme/shop/statuses/*", 500, pulltest.Always) }, 1, 1, 0, "no answer"},
		"no token":         {index, func(s *step) { s.env["INPUT_GITHUB-TOKEN"] = "" }, 1, 1, 1, "no answer"},
		"a push":           {index, func(s *step) { s.env["GITHUB_EVENT_NAME"] = "push" }, 1, 1, 1, "no answer"},
		"no payload":       {index, func(s *step) { s.env["GITHUB_EVENT_PATH"] = "" }, 1, 1, 1, "no answer"},
		"no run":           {index, func(s *step) { s.env["GITHUB_RUN_ID"] = "" }, 1, 1, 1, "no answer"},
		"no server":        {index, func(s *step) { s.env["GITHUB_SERVER_URL"] = "" }, 1, 1, 1, "no answer"},
		"a server of none": {index, func(s *step) { s.env["GITHUB_SERVER_URL"] = "/" }, 1, 1, 1, "no answer"},
		"no repository":    {index, func(s *step) { s.env["GITHUB_REPOSITORY"] = "" }, 1, 1, 1, "no answer"},
		"an unknown word":  {index, func(s *step) { s.env["INPUT_TREES"] = "svn" }, 1, 1, 1, "no answer"},
		"a wrong token":    {index, func(s *step) { s.env["INPUT_GITHUB-TOKEN"] = "ghs_wrong" }, 1, 1, 0, "no answer"},
		"outputs fail":     {index, func(s *step) { s.env["GITHUB_STEP_SUMMARY"] = t.TempDir() }, 0, 0, 0, "passed"},
	} {
		for mode, want := range map[string]int{"auto": test.auto, "always": test.always, "never": test.never, "": test.auto} {
			t.Run(name+" "+mode, func(t *testing.T) {
				t.Parallel()
				s := newStepOn(t, test.scene)
				s.env["INPUT_FAIL-JOB"] = mode
				if test.change != nil {
					test.change(s)
				}
				code, out := s.run()
				if code != want {
					t.Errorf("the step exits %d, want %d:\n%s", code, want, s.stdout.String())
				}
				wantOutputs(t, out, "verdict", test.verdict, "exit-code", test.said())
				if test.verdict != "passed" && slices.Contains(s.States(s.Head), "success") {
					t.Error("the head is green")
				}
			})
		}
	}
}
