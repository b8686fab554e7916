package cli

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/bot"
	"github.com/altergate/altergate/internal/pipeline"
	"github.com/altergate/altergate/internal/policy"
)

// What went wrong, and what nobody published, never looks as if it let something pass.
func TestResultsOf(t *testing.T) {
	passed, blocked := policy.Verdict{Outcome: policy.Passed}, policy.Verdict{Outcome: policy.Blocked}
	report, wrong := &pipeline.Report{}, errors.New("wrong")
	for name, test := range map[string]struct {
		answer bot.Answer
		want   results
	}{
		"nothing":            {bot.Answer{Nothing: "closed"}, results{verdict: skipped}},
		"passed":             {bot.Answer{Report: report, Verdict: passed}, results{verdict: "passed", risk: "safe", changed: "false"}},
		"stale":              {bot.Answer{Report: report, Verdict: passed, Stale: "moved", Comment: "u"}, results{verdict: skipped, exitCode: exitNoAnswer, commentURL: "u"}},
		"stale and blocked":  {bot.Answer{Report: report, Verdict: blocked, Stale: "moved"}, results{verdict: skipped, exitCode: exitNo}},
		"failed":             {bot.Answer{Report: report, Verdict: passed, Failure: wrong, Comment: "u"}, results{verdict: "no answer", exitCode: exitNoAnswer, commentURL: "u"}},
		"failed while stale": {bot.Answer{Report: report, Verdict: passed, Failure: wrong, Stale: "moved"}, results{verdict: "no answer", exitCode: exitNoAnswer}},
	} {
		if got := resultsOf(test.answer); got != test.want {
			t.Errorf("%s: got %+v, want %+v", name, got, test.want)
		}
	}
}

// A value that tries to end itself, with a delimiter that others use or with one of ours that was seen before, stays one value.
func TestActionOutputsCannotEndThemselves(t *testing.T) {
	seen, err := fileCommand("verdict", "blocked")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(seen, "<<")
	ours, _, _ := strings.Cut(rest, "\n")
	for name, value := range map[string]string{
		"plain":                      "blocked",
		"empty":                      "",
		"lines":                      "a\nb\r\nc",
		"the toolkit's delimiter":    "x\n_GitHubActionsFileCommandDelimeter_\nverdict=passed\nexit-code<<_GitHubActionsFileCommandDelimeter_\n0",
		"a delimiter of ours":        "x\n" + ours + "\nverdict=passed",
		"a command of another kind":  "::set-output name=verdict::passed",
		"another output of this one": "x\nverdict<<EOF\npassed\nEOF",
	} {
		t.Run(name, func(t *testing.T) {
			command, err := fileCommand("verdict", value)
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(t.TempDir(), "output")
			if err := os.WriteFile(path, []byte(command), 0o600); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(map[string]string{"verdict": value}, outputs(t, path)); diff != "" {
				t.Errorf("the outputs (-want +got):\n%s", diff)
			}
		})
	}
	if again, _ := fileCommand("verdict", "blocked"); again == seen {
		t.Error("the delimiter is the same twice")
	}
}
