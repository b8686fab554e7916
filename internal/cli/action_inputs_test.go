package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/bot/bottest"
)

func TestActionInputs(t *testing.T) {
	for name, test := range map[string]struct{ input, value, says string }{
		"comment unknown":    {"COMMENT", "none", `unknown value "none" of comment: it is update or hide-and-new or off`},
		"check-run unknown":  {"CHECK-RUN", "true", `unknown value "true" of check-run: it is off or on`},
		"trees unknown":      {"TREES", "checkout", `unknown value "checkout" of trees: it is auto or git or api`},
		"fail-job unknown":   {"FAIL-JOB", "Always", "auto or always or never"},
		"scratch no URL":     {"SCRATCH-POSTGRES", "host=x password=y", "scratch-postgres has to be the URL of a server, written like postgres://"},
		"scratch misspelt":   {"SCRATCH-POSTGRES", "postgras://x", "scratch-postgres has to be the URL"},
		"mysql no URL":       {"SCRATCH-MYSQL", "root:secret@tcp(db:3306)/", "scratch-mysql has to be the URL of a server, written like mysql://user:password@host/"},
		"mysql of another":   {"SCRATCH-MYSQL", "postgres://ann@db/postgres", "scratch-mysql has to be the URL"},
		"postgres of mysql":  {"SCRATCH-POSTGRES", "mysql://ann@db/", "scratch-postgres has to be the URL"},
		"config outside":     {"CONFIG", "../secret.yml", "no path inside the repository"},
		"config absolute":    {"CONFIG", "/etc/passwd", "no path inside the repository"},
		"app id no number":   {"APP-ID", "x", "app-id has to be a number"},
		"app id alone":       {"APP-ID", "7", "both its ID and its private key"},
		"key alone":          {"APP-PRIVATE-KEY", "x", "both its ID and its private key"},
		"a context of lines": {"STATUS-CONTEXT", "a\nb", "printable characters"},
		"a long context":     {"STATUS-CONTEXT", strings.Repeat("x", 101), "at most 100"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStep(t, bottest.AddIndex())
			s.env["INPUT_"+test.input] = test.value
			code, out := s.run()
			if code != exitNoAnswer || !strings.Contains(s.stdout.String(), test.says) || len(s.Requests()) > 0 {
				t.Errorf("it exits %d and says\n%s", code, s.stdout.String())
			}
			wantOutputs(t, out, "verdict", "no answer", "exit-code", "1", "risk", "", "digest", "", "changed", "")
		})
	}
}

func TestActionUsesItsInputs(t *testing.T) {
	base := bottest.Files{"gate.yml": bottest.Config, "db/schema.sql": bottest.Schema}
	s := newStepOn(t, bottest.NewScene(t, base, bottest.DropNick()))
	s.env["INPUT_CONFIG"], s.env["INPUT_STATUS-CONTEXT"], s.env["INPUT_COMMENT"] = "gate.yml", "schema/main", "off"
	code, out := s.run()
	wantOutputs(t, out, "verdict", "blocked", "comment-url", "")
	if status := s.Last(s.Head); code != exitYes || status.Context != "schema/main" || len(s.Ours()) > 0 {
		t.Errorf("it exits %d, the status is %+v", code, status)
	}
	if filepath.Base(filepath.Dir(out["report-json"])) == "altergate" {
		t.Error("two gates of one job write to the same place")
	}
}

func TestActionHidesAndAnnotates(t *testing.T) {
	s := newStep(t, bottest.DropNickAndIndex())
	s.env["INPUT_COMMENT"], s.env["INPUT_CHECK-RUN"] = "hide-and-new", "on"
	s.env["INPUT_GITHUB-TOKEN"] = s.ActionsToken("contents: read", "pull-requests: write", "statuses: write", "checks: write")
	s.run()
	_, out := s.says("ann", "/approve destructive")
	wantOutputs(t, out, "verdict", "passed")
	if ours := s.Ours(); len(ours) != 2 || ours[0].Hidden != "OUTDATED" || ours[1].Hidden != "" {
		t.Errorf("the comments are %+v", ours)
	}
	if runs := s.CheckRuns(s.Head); len(runs) != 1 || runs[0].Conclusion != "success" {
		t.Errorf("the check runs are %+v", runs)
	}
	s.env["INPUT_GITHUB-TOKEN"] = s.ActionsToken()
	code, out := s.run()
	wantOutputs(t, out, "verdict", "passed")
	if said := s.stdout.String(); code != exitYes || strings.Count(said, "`checks: write`") != 1 {
		t.Errorf("it exits %d and says\n%s", code, said)
	}
}

func TestActionCheckRunAsAnApp(t *testing.T) {
	s := newStep(t, bottest.AddIndex())
	app := s.App("gate", "contents: read", "pull-requests: write", "statuses: write", "checks: write")
	s.env["INPUT_APP-ID"], s.env["INPUT_APP-PRIVATE-KEY"], s.env["INPUT_CHECK-RUN"] = fmt.Sprint(app.ID), string(app.PrivateKey), "on"
	s.run()
	if runs := s.CheckRuns(s.Head); len(runs) != 1 || runs[0].App != "gate" {
		t.Errorf("the check runs are %+v:\n%s", runs, s.stdout.String())
	}
}

// The metadata names exactly what the code reads and writes.
func TestActionMetadata(t *testing.T) {
	text, err := os.ReadFile("../../action.yml")
	if err != nil {
		t.Fatal(err)
	}
	type described struct {
		Description string `yaml:"description"`
		Default     string `yaml:"default"`
	}
	var metadata struct {
		Inputs  map[string]described `yaml:"inputs"`
		Outputs map[string]described `yaml:"outputs"`
		Runs    map[string]string    `yaml:"runs"`
	}
	if err := yaml.Unmarshal(text, &metadata); err != nil {
		t.Fatal(err)
	}
	names := func(of map[string]described) []string {
		var names []string
		for name, d := range of {
			if d.Description == "" {
				t.Errorf("%s is not described", name)
			}
			names = append(names, name)
		}
		slices.Sort(names)
		return names
	}
	s := newStep(t, bottest.NoSchema())
	for name, input := range metadata.Inputs {
		if name != "github-token" { // the defaults are the code's own
			s.env["INPUT_"+strings.ToUpper(name)] = input.Default
		}
	}
	if code, _ := s.run(); code != exitYes {
		t.Errorf("with the defaults it exits %d:\n%s", code, s.stdout.String())
	}
	var read []string
	for _, name := range s.asked {
		if input, ok := strings.CutPrefix(name, "INPUT_"); ok {
			read = append(read, strings.ToLower(input))
		}
	}
	slices.Sort(read)
	if diff := cmp.Diff(names(metadata.Inputs), slices.Compact(read)); diff != "" {
		t.Errorf("the inputs (-described +read):\n%s", diff)
	}
	if diff := cmp.Diff(names(metadata.Outputs), outputNames); diff != "" {
		t.Errorf("the outputs (-described +written):\n%s", diff)
	}
	if metadata.Runs["using"] != "docker" || len(metadata.Runs) != 2 { // no arguments, and no variables of its own
		t.Errorf("it runs by %v", metadata.Runs)
	}
}
