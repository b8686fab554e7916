package cli_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/altergate/altergate/internal/bot/bottest"
	"github.com/altergate/altergate/internal/dialect/postgres/postgrestest"
)

// actProgram is github.com/nektos/act, which runs workflows as GitHub's runner does. Without it what needs it is left out.
func actProgram(t *testing.T) string {
	t.Helper()
	program := os.Getenv("ALTERGATE_TEST_ACT")
	if program == "" {
		postgrestest.LeaveOut(t, "no act: go install github.com/nektos/act@v0.2.87, and name the program in ALTERGATE_TEST_ACT")
	}
	return program
}

var buildAction = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "altergate-act-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "action")
	if out, err := exec.Command("go", "build", "-tags", "pgquery_cgo", "-buildvcs=false", "-o", program, "../../cmd/action").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	return os.ReadFile(program)
})

// asset is the name of the released program for this machine.
func asset(t *testing.T) string {
	t.Helper()
	if runtime.GOOS != "linux" {
		postgrestest.LeaveOut(t, "act takes this machine for one with Linux")
	}
	return "v1.2.3/altergate-action-linux-" + runtime.GOARCH
}

// actRunner is a runner that has checked out the default branch of a repository with the documented workflow, and the releases that the
// composite action downloads from.
type actRunner struct {
	*bottest.Stage
	t          *testing.T
	act, home  string
	releases   *httptest.Server
	downloaded atomic.Int64
	runs       int
}

// newActRunner has the workflow run the composite action as it is in this repository, of a release with the given program. What is served
// in its place may be something else.
func newActRunner(t *testing.T, inputs string, released, served []byte) *actRunner {
	t.Helper()
	r := &actRunner{t: t, act: actProgram(t), home: t.TempDir()}
	sum := sha256.Sum256(released)
	base := bottest.Base()
	base[".github/workflows/altergate.yml"] = documentedWorkflow(t, inputs)
	base["composite/checksums.txt"] = hex.EncodeToString(sum[:]) + "  " + asset(t) + "\n"
	for _, name := range []string{"action.yml", "run"} {
		base["composite/"+name] = readFile(t, "../../composite/"+name)
	}
	r.Stage = bottest.New(t, bottest.NewScene(t, base, bottest.DropNick()))
	r.releases = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if q.URL.Path != "/"+asset(t) {
			http.NotFound(w, q)
			return
		}
		r.downloaded.Add(1)
		_, _ = w.Write(served)
	}))
	t.Cleanup(r.releases.Close)
	return r
}

// documentedWorkflow is the first one of docs/github.md, with the composite action of this repository, and a step after it that writes
// down what a workflow knows of it.
func documentedWorkflow(t *testing.T, inputs string) string {
	t.Helper()
	block := regexp.MustCompile("(?s)```yaml\n(name: .*?)```").FindStringSubmatch(readFile(t, "../../docs/github.md"))
	if block == nil {
		t.Fatal("docs/github.md shows no workflow")
	}
	own := regexp.MustCompile(`(?m)^      - uses: altergate/altergate@.*\n(        with:\n)?`)
	if len(own.FindAllString(block[1], -1)) != 1 || !strings.Contains(block[1], "concurrency:") {
		t.Fatalf("the workflow is not as this test knows it:\n%s", block[1])
	}
	steps := "      - id: altergate\n        uses: ./composite\n"
	if inputs != "" || strings.Contains(own.FindString(block[1]), "with:") {
		steps += "        with:\n" + inputs
	}
	if !strings.Contains(block[1], "uses: actions/checkout@") { // an action in the repository has to be checked out
		steps = "      - uses: actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0\n" + steps
	}
	return strings.TrimRight(own.ReplaceAllLiteralString(block[1], steps), "\n") + `
      - if: always()
        env:
          OUTCOME: ${{ steps.altergate.outcome }}
          OUTPUTS: ${{ toJSON(steps.altergate.outputs) }}
        run: printf '{"outcome":"%s","outputs":%s}' "$OUTCOME" "$OUTPUTS" >"$ALTERGATE_TEST_TOLD"
`
}

// told is what a later step of the workflow knows.
type told struct {
	Outcome string
	Outputs map[string]string
	Green   bool   // the job
	Log     string // of everything
}

// run is a run of the workflow for an event. A job that is skipped tells nothing.
func (r *actRunner) run(event string, payload []byte) told {
	r.t.Helper()
	r.Repo.Branch("main", r.Base) // which is what these events check out
	r.runs++
	file := filepath.Join(r.t.TempDir(), "told")
	// The trees come from the checkout, which act makes by copying the repository, with all its commits, to GITHUB_WORKSPACE.
	cmd := exec.Command(r.act, event, "-C", r.Repo.Dir, "-e", r.EventFile(payload), "-P", "ubuntu-latest=-self-hosted",
		"-s", "GITHUB_TOKEN="+r.ActionsToken(),
		"--env", "GITHUB_API_URL="+r.URL, "--env", "GITHUB_REPOSITORY="+r.GitHub.Repository, "--env", "GITHUB_RUN_ID="+strconv.Itoa(500+r.runs),
		"--env", "ALTERGATE_RELEASES="+r.releases.URL, "--env", "ALTERGATE_TEST_TOLD="+file)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + r.home, "TMPDIR=" + r.t.TempDir(), "GIT_CONFIG_NOSYSTEM=1"}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	if cmd.ProcessState == nil {
		r.t.Fatal(err)
	}
	got := told{Green: err == nil, Log: out.String()}
	if text, err := os.ReadFile(file); err == nil {
		if err := json.Unmarshal(text, &got); err != nil {
			r.t.Fatalf("the later step was told %s: %v", text, err)
		}
	}
	return got
}

func (r *actRunner) want(got told, green bool, outcome, verdict, code string) {
	r.t.Helper()
	if got.Green != green || got.Outcome != outcome || got.Outputs["verdict"] != verdict || got.Outputs["exit-code"] != code {
		r.t.Fatalf("the job is green: %v, the step is a %s, its outputs are %v; want %v, %s, %s and %s\n%s",
			got.Green, got.Outcome, got.Outputs, green, outcome, verdict, code, got.Log)
	}
}

// From a pull request to red, by an approval to green, and by a push to red again.
func TestUnderActRedGreenRed(t *testing.T) {
	actProgram(t)
	program, err := buildAction()
	if err != nil {
		t.Fatal(err)
	}
	r := newActRunner(t, "", program, program)
	r.want(r.run("pull_request_target", r.PullRequestEvent("opened", bottest.Number)), true, "success", "blocked", "2")
	ours := r.Ours()
	if last := r.Last(r.Head); last.State != "failure" || last.Context != "altergate" || len(ours) != 1 || ours[0].Author != "github-actions[bot]" {
		t.Fatalf("the status is %+v, our comments are %+v", last, ours)
	}

	requests := len(r.Requests())
	chat := r.run("issue_comment", r.CommentEvent("created", r.Comment(bottest.Number, "ann", "looks fine").ID))
	if !chat.Green || chat.Outcome != "" || len(r.Requests()) != requests {
		t.Errorf("a comment without a command is looked at:\n%s", chat.Log)
	}

	command := regexp.MustCompile(`(?m)^/approve destructive [0-9a-f]{24}$`).FindString(ours[0].Body)
	if command == "" {
		t.Fatalf("the comment has no command to copy:\n%s", ours[0].Body)
	}
	rex := r.run("issue_comment", r.CommentEvent("created", r.Comment(bottest.Number, "rex", command).ID))
	r.want(rex, true, "success", "blocked", "2")
	if last := r.Last(r.Head); last.State != "failure" {
		t.Fatalf("the status is %+v after somebody who may not approve did", last)
	}
	r.want(r.run("issue_comment", r.CommentEvent("created", r.Comment(bottest.Number, "ann", command).ID)), true, "success", "passed", "0")
	edited := r.Ours()
	if last := r.Last(r.Head); last.State != "success" || len(edited) != 1 || edited[0].ID != ours[0].ID || !strings.Contains(edited[0].Body, "Approved") {
		t.Fatalf("the status is %+v, our comments are %+v", last, edited)
	}

	approved := r.Head
	r.Push(bottest.DropNickAndNote())
	r.want(r.run("pull_request_target", r.PullRequestEvent("synchronize", bottest.Number)), true, "success", "blocked", "2")
	edited = r.Ours()
	if last := r.Last(r.Head); r.Head == approved || last.State != "failure" || len(edited) != 1 || edited[0].ID != ours[0].ID {
		t.Fatalf("the status is %+v, our comments are %+v", last, edited)
	}
	if void := regexp.MustCompile("(?m)^.*`ann`.*$").FindString(edited[0].Body); !strings.Contains(void, "another plan") {
		t.Errorf("the comment says of ann's approval %q:\n%s", void, edited[0].Body)
	}
	if states := strings.Join(r.States(r.Head), " "); strings.Contains(states, "success") {
		t.Errorf("the new head was %s", states)
	}
	if n := r.downloaded.Load(); n != 1 {
		t.Errorf("the program was downloaded %d times in %d runs", n, r.runs)
	}
}

// The exit code of the program is the step's, so that a workflow can go by the job.
func TestUnderActTheJobFails(t *testing.T) {
	actProgram(t)
	program, err := buildAction()
	if err != nil {
		t.Fatal(err)
	}
	r := newActRunner(t, "          fail-job: always\n", program, program)
	got := r.run("pull_request_target", r.PullRequestEvent("opened", bottest.Number))
	r.want(got, false, "failure", "blocked", "2")
	if !strings.Contains(got.Log, "exit status 2") || r.Last(r.Head).State != "failure" {
		t.Errorf("the status is %+v:\n%s", r.Last(r.Head), got.Log)
	}
}

// A program that is not the one of the commit is not run: no request, no status, and red.
func TestUnderActNothingRunsUnverified(t *testing.T) {
	actProgram(t)
	ran := filepath.Join(t.TempDir(), "ran")
	r := newActRunner(t, "          fail-job: never\n", []byte("the released program"), []byte("#!/bin/sh\ntouch "+ran+"\n"))
	got := r.run("pull_request_target", r.PullRequestEvent("opened", bottest.Number))
	r.want(got, false, "failure", "no answer", "1")
	if _, err := os.Stat(ran); err == nil || r.downloaded.Load() != 1 {
		t.Errorf("it was run: %v", err)
	}
	if !strings.Contains(got.Log, "is not the released program, and was not run") || len(r.Requests()) > 0 || len(r.Statuses(r.Head)) > 0 {
		t.Errorf("the requests are %q:\n%s", r.Requests(), got.Log)
	}
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
