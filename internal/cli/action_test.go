package cli

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/bot/bottest"
	"github.com/altergate/altergate/internal/pull/pulltest"
)

// step is a step of a workflow that runs the Action, on a stage.
type step struct {
	*bottest.Stage
	t      *testing.T
	env    map[string]string
	asked  []string // variables that were read
	stdout bytes.Buffer
}

func newStep(t *testing.T, change bottest.Files) *step {
	t.Helper()
	return newStepOn(t, bottest.NewScene(t, bottest.Base(), change))
}

func newStepOn(t *testing.T, scene *bottest.Scene) *step {
	t.Helper()
	stage, dir := bottest.New(t, scene), t.TempDir()
	s := &step{Stage: stage, t: t, env: map[string]string{
		"GITHUB_API_URL": stage.URL, "GITHUB_REPOSITORY": stage.GitHub.Repository, "GITHUB_SERVER_URL": "https://github.example",
		"GITHUB_RUN_ID": "500", "GITHUB_RUN_ATTEMPT": "1", "GITHUB_WORKSPACE": stage.Repo.Dir,
		"GITHUB_OUTPUT": filepath.Join(dir, "output"), "GITHUB_STEP_SUMMARY": filepath.Join(dir, "summary"), "RUNNER_TEMP": filepath.Join(dir, "temp"),
		"INPUT_GITHUB-TOKEN": stage.ActionsToken(),
	}}
	s.event("pull_request_target", stage.PullRequestEvent("synchronize", bottest.Number))
	return s
}

func (s *step) event(name string, payload []byte) {
	s.t.Helper()
	s.env["GITHUB_EVENT_NAME"], s.env["GITHUB_EVENT_PATH"] = name, s.EventFile(payload)
}

// run gives the exit code and the outputs.
func (s *step) run() (int, map[string]string) {
	s.t.Helper()
	os.Remove(s.env["GITHUB_OUTPUT"])
	os.Remove(s.env["GITHUB_STEP_SUMMARY"])
	s.stdout.Reset()
	a := action{Env: Env{Stdout: &s.stdout, Stderr: &s.stdout, Dir: s.t.TempDir(), Getenv: func(name string) string {
		s.asked = append(s.asked, name)
		return s.env[name]
	}}, wait: func(context.Context, time.Duration) error { return nil }}
	code := a.main(s.t.Context())
	s.env["GITHUB_RUN_ID"] += "0"
	return code, outputs(s.t, s.env["GITHUB_OUTPUT"])
}

// says is the event of a comment, and its run.
func (s *step) says(login, text string) (int, map[string]string) {
	s.t.Helper()
	s.event("issue_comment", s.CommentEvent("created", s.Comment(bottest.Number, login, text).ID))
	return s.run()
}

// outputs reads the file as the runner does.
func outputs(t *testing.T, path string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]string{}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		name, end, ok := strings.Cut(lines[i], "<<")
		if !ok {
			t.Fatalf("the outputs have the line %q", lines[i])
		}
		var value []string
		for i++; i < len(lines) && lines[i] != end; i++ {
			value = append(value, lines[i])
		}
		values[name] = strings.Join(value, "\n")
	}
	return values
}

var outputNames = []string{"changed", "comment-url", "digest", "exit-code", "plan-sql", "report-json", "report-markdown", "risk", "verdict"}

// wantOutputs checks that all are there and no other, and compares some.
func wantOutputs(t *testing.T, got map[string]string, want ...string) {
	t.Helper()
	var names []string
	for name := range got {
		names = append(names, name)
	}
	slices.Sort(names)
	if diff := cmp.Diff(outputNames, names); diff != "" {
		t.Errorf("the names of the outputs (-want +got):\n%s", diff)
	}
	for i := 0; i < len(want); i += 2 {
		if got[want[i]] != want[i+1] {
			t.Errorf("the output %s is %q, want %q", want[i], got[want[i]], want[i+1])
		}
	}
}

func (s *step) file(path string) string {
	s.t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		s.t.Fatal(err)
	}
	return string(text)
}

func TestActionFromRedToGreen(t *testing.T) {
	s := newStep(t, bottest.DropNick())
	code, out := s.run()
	if code != exitYes {
		t.Errorf("the step exits %d, though the status could be posted:\n%s", code, s.stdout.String())
	}
	wantOutputs(t, out, "verdict", "blocked", "exit-code", "2", "risk", "destructive", "changed", "true", "plan-sql", "")
	if !strings.HasSuffix(out["comment-url"], fmt.Sprintf("/acme/shop/pull/7#issuecomment-%d", s.Ours()[0].ID)) {
		t.Errorf("the comment is said to be at %q", out["comment-url"])
	}
	if len(out["digest"]) != 64 || !strings.Contains(s.file(out["report-json"]), out["digest"]) || !strings.Contains(s.file(out["report-markdown"]), "users.nick") {
		t.Errorf("the outputs are %v", out)
	}
	if summary := s.file(s.env["GITHUB_STEP_SUMMARY"]); !strings.Contains(summary, "Approval needed") || strings.Contains(summary, "<!-- altergate") {
		t.Errorf("the summary is\n%s", summary)
	}

	code, out = s.says("ann", "/approve destructive "+out["digest"][:24])
	if code != exitYes || s.Last(s.Head).State != "success" {
		t.Errorf("the step exits %d, the status is %+v", code, s.Last(s.Head))
	}
	wantOutputs(t, out, "verdict", "passed", "exit-code", "0")
	if sql := s.file(out["plan-sql"]); !strings.Contains(sql, "DROP TABLE users") {
		t.Errorf("the SQL is %s", sql)
	}
	sql := out["plan-sql"]

	s.Push(bottest.DropNickAndNote())
	s.event("pull_request_target", s.PullRequestEvent("synchronize", bottest.Number))
	if code, out = s.run(); code != exitYes {
		t.Errorf("the step exits %d", code)
	}
	wantOutputs(t, out, "verdict", "blocked", "plan-sql", "")
	if _, err := os.Stat(sql); err == nil {
		t.Error("the SQL of the earlier plan is still there")
	}
}

// The recommended workflow has no checkout, so the workspace is an empty directory.
func TestActionWithoutACheckout(t *testing.T) {
	for trees, want := range map[string]string{"": "blocked", "auto": "blocked", "api": "blocked", "git": "no answer"} {
		s := newStep(t, bottest.DropNick())
		s.env["GITHUB_WORKSPACE"], s.env["INPUT_TREES"] = t.TempDir(), trees
		_, out := s.run()
		wantOutputs(t, out, "verdict", want)
		if s.Last(s.Head).State != "failure" || trees == "git" && !strings.Contains(s.Ours()[0].Body, "actions/checkout") {
			t.Errorf("%q: the status is %+v:\n%s", trees, s.Last(s.Head), s.stdout.String())
		}
	}
}

func TestActionWithoutARunner(t *testing.T) {
	s := newStep(t, bottest.AddIndex())
	for _, name := range []string{"GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "RUNNER_TEMP", "GITHUB_RUN_ATTEMPT"} {
		delete(s.env, name)
	}
	a := action{Env: Env{Stdout: &s.stdout, Dir: t.TempDir(), Getenv: func(name string) string { return s.env[name] }}}
	if code := a.main(t.Context()); code != exitYes || s.Last(s.Head).State != "success" {
		t.Errorf("it exits %d:\n%s", code, s.stdout.String())
	}
}

func TestActionAsAnApp(t *testing.T) {
	s := newStep(t, bottest.DropNick())
	app := s.App("gate", "contents: read", "pull-requests: write", "statuses: write")
	s.env["INPUT_APP-ID"], s.env["INPUT_APP-PRIVATE-KEY"], s.env["INPUT_GITHUB-TOKEN"] = fmt.Sprint(app.ID), string(app.PrivateKey), ""
	code, out := s.run()
	wantOutputs(t, out, "verdict", "blocked")
	if code != exitYes || s.Last(s.Head).Creator != "gate[bot]" {
		t.Errorf("it exits %d, the status is %+v:\n%s", code, s.Last(s.Head), s.stdout.String())
	}
	for _, line := range strings.Split(strings.TrimSpace(string(app.PrivateKey)), "\n") {
		if !strings.HasPrefix(line, "-----") && !strings.Contains(s.stdout.String(), "::add-mask::"+line+"\n") {
			t.Errorf("the line %q of the key is not masked", line)
		}
	}
	_, out = s.says("ann", "/approve destructive")
	wantOutputs(t, out, "verdict", "passed")
}

func TestActionWhenPermissionsCannotBeAsked(t *testing.T) {
	for _, status := range []int{403, 500} {
		s := newStep(t, bottest.DropNick())
		_, out := s.run()
		s.Fail("GET", "/repos/acme/shop/collaborators/ann/permission", status, pulltest.Always)
		code, out := s.says("ann", "/approve destructive "+out["digest"])
		wantOutputs(t, out, "verdict", "no answer", "exit-code", "1")
		if code != exitNoAnswer || s.Last(s.Head).State != "failure" || !strings.Contains(s.stdout.String(), "::error::asking what ann may do") {
			t.Errorf("it exits %d, the status is %+v:\n%s", code, s.Last(s.Head), s.stdout.String())
		}
	}
}

// A team that a workflow's token cannot see is not a team without members.
func TestActionWhenTeamsCannotBeSeen(t *testing.T) {
	base := bottest.Base()
	base[".github/altergate.yml"] = bottest.Config + "policy:\n  approvers: {teams: [acme/dba]}\n"
	s := newStepOn(t, bottest.NewScene(t, base, bottest.DropNick()))
	s.User("tom").Team("acme/dba")
	_, out := s.run()
	code, out := s.says("tom", "/approve destructive "+out["digest"])
	wantOutputs(t, out, "verdict", "no answer")
	if code != exitNoAnswer || !strings.Contains(s.Ours()[0].Body, "members: read") {
		t.Errorf("it exits %d:\n%s", code, s.Ours()[0].Body)
	}
}
