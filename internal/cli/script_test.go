package cli_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/altergate/altergate/internal/cli"
)

var update = flag.Bool("update", false, "rewrite what the scripts compare with")

// TestMain lets the test binary be the altergate that scripts run.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"altergate": func() { os.Exit(cli.Main(context.Background(), cli.System(), os.Args[1:])) },
	})
}

// TestScript runs the scripts. Besides testscript's own verbs there are
//
//	exits N program [args...]	runs a program that has to exit with N; exec and ! exec cannot tell 1 from 2
//	repo base head			makes the repository repo: the tree base on main, then the tree head on the branch change
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       *update,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "repo": repo},
		Setup: func(e *testscript.Env) error {
			e.Setenv("GIT_CONFIG_NOSYSTEM", "1")
			e.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
			for _, who := range []string{"AUTHOR", "COMMITTER"} {
				e.Setenv("GIT_"+who+"_NAME", "Ann")
				e.Setenv("GIT_"+who+"_EMAIL", "ann@example.com")
				e.Setenv("GIT_"+who+"_DATE", "2024-01-02T03:04:05Z")
			}
			return nil
		},
	})
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits N program [args...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("running %s: %v", args[1], err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("%s exits with %d and not with %d", args[1], got, want)
	}
}

func repo(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: repo base head")
	}
	dir := ts.MkAbs("repo")
	git := func(args ...string) { ts.Check(ts.Exec("git", append([]string{"-C", dir}, args...)...)) }
	commit := func(tree string) {
		git("rm", "-r", "--quiet", "--ignore-unmatch", ".")
		ts.Check(os.CopyFS(dir, os.DirFS(ts.MkAbs(tree))))
		git("add", "--all")
		git("commit", "--quiet", "--allow-empty", "--message", tree)
	}
	ts.Check(os.MkdirAll(dir, 0o755))
	git("init", "--quiet", "--initial-branch=main")
	commit(args[0])
	git("switch", "--quiet", "--create", "change")
	commit(args[1])
}

// TestColour has colours on a terminal only, and neither where NO_COLOR is set nor in a file.
func TestColour(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "base.sql", "CREATE TABLE bell (id INTEGER PRIMARY KEY, tone TEXT);")
	write(t, dir, "head.sql", "CREATE TABLE bell (id INTEGER PRIMARY KEY);")
	verify := []string{"verify", "--dialect", "sqlite", "--base", "base.sql", "--head", "head.sql"}
	for _, test := range []struct {
		name     string
		terminal bool
		noColor  string
		args     []string
		coloured bool
	}{
		{"a terminal", true, "", nil, true},
		{"a pipe", false, "", nil, false},
		{"a terminal whose user wants none", true, "1", nil, false},
		{"Markdown on a terminal", true, "", []string{"--format", "markdown"}, false},
		{"JSON on a terminal", true, "", []string{"--format", "json"}, false},
		{"a file, from a terminal", true, "", []string{"--out", "report.txt"}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			env := cli.Env{Stdout: &stdout, Stderr: &stderr, Dir: dir, Terminal: test.terminal, Getenv: func(name string) string {
				if name == "NO_COLOR" {
					return test.noColor
				}
				return ""
			}}
			if code := cli.Main(t.Context(), env, append(verify[:len(verify):len(verify)], test.args...)); code != 2 {
				t.Fatalf("it exits with %d: %s", code, &stderr)
			}
			output := stdout.String()
			if file, err := os.ReadFile(filepath.Join(dir, "report.txt")); err == nil {
				output += string(file)
			}
			if output == "" {
				t.Fatal("there is no output")
			}
			if got := strings.Contains(output, "\x1b"); got != test.coloured {
				t.Errorf("coloured: %t, and should be %t:\n%q", got, test.coloured, output)
			}
		})
	}
}

// TestControlCharacters keeps what a name holds from reaching a terminal or a log as anything but text.
func TestControlCharacters(t *testing.T) {
	dir := t.TempDir()
	hostile := "a\x1b[2Jb\n::set-output name=x::y\u202egnp"
	write(t, dir, "base.sql", fmt.Sprintf("CREATE TABLE %q (id INTEGER PRIMARY KEY);", "keep"))
	write(t, dir, "head.sql", "CREATE TABLE keep (id INTEGER PRIMARY KEY);\nCREATE TABLE \""+hostile+"\" (id INTEGER PRIMARY KEY);")
	for _, args := range [][]string{{"verify"}, {"plan"}, {"verify", "--max-risk", "safe"}} {
		var stdout, stderr bytes.Buffer
		env := cli.Env{Stdout: &stdout, Stderr: &stderr, Dir: dir, Terminal: false, Getenv: func(string) string { return "" }}
		cli.Main(t.Context(), env, append(args, "--dialect", "sqlite", "--base", "base.sql", "--head", "head.sql"))
		for line := range strings.Lines(stdout.String() + stderr.String()) {
			isSQL := args[0] == "plan" && !strings.HasPrefix(line, "--") // the statement is what it is
			if !isSQL && (strings.ContainsAny(line, "\x1b\u202e") || strings.HasPrefix(line, "::")) {
				t.Errorf("%v prints %q", args, line)
			}
		}
	}
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
