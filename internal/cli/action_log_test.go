package cli

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/altergate/altergate/internal/bot/bottest"
)

func TestActionOnAFork(t *testing.T) {
	s := newStep(t, bottest.DropNickAndNote())
	s.env["INPUT_GITHUB-TOKEN"] = s.ForkToken()
	s.event("pull_request", s.PullRequestEvent("opened", bottest.Number))
	code, _ := s.run()
	said := s.stdout.String()
	for _, want := range []string{"There is no commit status", "There is no plan comment", "which a pull_request run from a fork never gets"} {
		if n := strings.Count(said, want); n == 0 {
			t.Errorf("it does not say %q:\n%s", want, said)
		}
	}
	if n := strings.Count(said, "\n::error "); code != exitNo || n != 2 {
		t.Errorf("it exits %d, with %d annotations:\n%s", code, n, said)
	}
	if summary := s.file(s.env["GITHUB_STEP_SUMMARY"]); !strings.Contains(summary, "Approval needed") {
		t.Errorf("the summary is\n%s", summary)
	}
}

// What was compared is the merge, and GitHub shows the files of the head.
func TestActionAnnotatesTheLinesOfTheHead(t *testing.T) {
	s := newStep(t, bottest.Files{"db/schema.sql": bottest.Schema + "CREATE TABEL oops (id INTEGER);\n"})
	s.MoveBase(bottest.Files{"db/schema.sql": "CREATE TABLE logs (id INTEGER PRIMARY KEY);\n" + bottest.Schema})
	s.env["INPUT_GITHUB-TOKEN"] = s.ForkToken()
	s.run()
	said := s.stdout.String()
	if !strings.Contains(said, "db/schema.sql:4:") || strings.Count(said, "\n::error file=db/schema.sql,line=3,title=Altergate::") != 1 {
		t.Errorf("it says\n%s", said)
	}
}

func TestActionAnnotatesNoMoreThanGitHubShows(t *testing.T) {
	var base, head strings.Builder
	for i := range 30 {
		fmt.Fprintf(&base, "CREATE TABLE t%d (id INTEGER PRIMARY KEY);\n", i)
	}
	head.WriteString("CREATE TABLE t0 (id INTEGER PRIMARY KEY);\n")
	files := bottest.Base()
	files["db/schema.sql"] = base.String()
	s := newStepOn(t, bottest.NewScene(t, files, bottest.Files{"db/schema.sql": head.String()}))
	s.env["INPUT_GITHUB-TOKEN"] = s.ForkToken()
	code, _ := s.run()
	if n := strings.Count(s.stdout.String(), "\n::error"); code != exitNo || n != 10 {
		t.Errorf("it exits %d, with %d annotations:\n%s", code, n, s.stdout.String())
	}
}

var ownCommands = regexp.MustCompile(`^::(add-mask|group|endgroup|error|warning|notice)(::| [a-z]+=)`)

// Names come from the pull request, which may hold anything that an identifier in quotes may.
func TestActionHostileNames(t *testing.T) {
	names := []string{
		"x\n::add-mask::y", "::set-output name=verdict::passed", "a ##[add-mask]b", "\u00a0::stop-commands::z", "\r\n::error::q",
		"y\naltergate_\nverdict<<E\npassed\nE", "</details><!-- altergate key=", "@acme/dba #1 https://evil.example", "`|`\\", "\u202e\u2028::warning::w",
		"%0A::error::percent", "w\x1b[31m::group::g",
	}
	var base, head strings.Builder
	base.WriteString(bottest.Schema)
	head.WriteString(bottest.Schema)
	for i, name := range names {
		fmt.Fprintf(&base, "CREATE TABLE \"%s\" (id INTEGER PRIMARY KEY, v TEXT);\n", name)
		if i%2 == 0 {
			fmt.Fprintf(&head, "CREATE TABLE \"%s\" (id INTEGER PRIMARY KEY);\n", name)
		}
	}
	files := bottest.Base()
	files["db/schema.sql"] = base.String()
	scene := bottest.NewScene(t, files, bottest.Files{"db/schema.sql": head.String()})
	for _, fork := range []bool{false, true} {
		s := newStepOn(t, scene)
		if fork {
			s.env["INPUT_GITHUB-TOKEN"] = s.ForkToken()
		}
		_, out := s.run()
		wantOutputs(t, out, "verdict", "blocked", "exit-code", "2", "risk", "destructive")
		if !strings.Contains(s.stdout.String(), "add-mask") {
			t.Fatalf("the names are not in the log at all:\n%s", s.stdout.String())
		}
		for line := range strings.Lines(strings.ReplaceAll(s.stdout.String(), "\r", "\n")) {
			text := strings.TrimSpace(line)
			own := ownCommands.MatchString(line)
			if strings.HasPrefix(text, "::") && !own || strings.Contains(text, "##[") && !own {
				t.Errorf("the log has the line %q", line)
			}
		}
		if masks := strings.Count("\n"+s.stdout.String(), "\n::add-mask::"); masks != 1 {
			t.Errorf("%d texts are masked, want the token alone", masks)
		}
	}
}

func TestActionTellsNoSecret(t *testing.T) {
	s := newStep(t, bottest.DropNick())
	token := s.env["INPUT_GITHUB-TOKEN"]
	for _, status := range []int{401, 403, 404, 500} {
		s.Fail("GET", "/repos/acme/shop/issues/7/comments", status, 1)
		s.run()
		said := strings.Replace(s.stdout.String(), "::add-mask::"+token, "", 1)
		for _, where := range []string{said, s.file(s.env["GITHUB_STEP_SUMMARY"]), fmt.Sprint(s.Comments(bottest.Number)), fmt.Sprint(s.Statuses(s.Head))} {
			if strings.Contains(where, token) {
				t.Errorf("the token is in\n%s", where)
			}
		}
	}
}

// FuzzActionLog looks for text that the runner would take for a command when it is logged.
func FuzzActionLog(f *testing.F) {
	f.Add("a\n::error::b", 2)
	f.Add("\u00a0::add-mask::x\r\n##[group]y", 7)
	f.Fuzz(func(t *testing.T, text string, cut int) {
		var out strings.Builder
		log := &actionLog{to: &out}
		at := max(0, min(cut, len(text))) // in two pieces
		fmt.Fprint(log, text[:at])
		fmt.Fprint(log, text[at:], "\n")
		for line := range strings.Lines(strings.ReplaceAll(out.String(), "\r", "\n")) {
			if strings.HasPrefix(strings.TrimSpace(line), "::") || strings.Contains(line, "##[") {
				t.Errorf("%q is logged as %q", text, line)
			}
		}
	})
}
