package cli

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/sethvargo/go-githubactions"

	"github.com/altergate/altergate/internal/bot"
	"github.com/altergate/altergate/internal/pipeline"
)

// failJob says when the step is red.
type failJob string

const (
	failAuto   failJob = "auto"
	failAlways failJob = "always"
	failNever  failJob = "never"
)

// actionInputs are the inputs of action.yml. None of them is policy, which is read at the base only.
type actionInputs struct {
	config, context string
	token           string
	appID           int64
	appKey          []byte
	comment         bot.CommentMode
	checkRun        bool
	failJob         failJob
	trees           bot.TreeSource
	scratch         pipeline.Scratch
}

// readInputs reads them all, and has the runner hide what is secret before anything else can be written. An empty input is one that is
// not given; an unknown value is refused, because a gate that was misspelt is no gate.
func readInputs(runner *githubactions.Action) (actionInputs, error) {
	in := actionInputs{
		token:   runner.GetInput("github-token"),
		appKey:  []byte(runner.GetInput("app-private-key")),
		config:  given(runner, "config", pipeline.DefaultConfig),
		context: given(runner, "status-context", "altergate"),
	}
	in.scratch = pipeline.Scratch{}
	for _, dialect := range []string{"postgres", "mysql"} {
		if server := runner.GetInput("scratch-" + dialect); server != "" {
			in.scratch[dialect] = server
		}
	}
	in.hide(runner)
	for _, dialect := range slices.Sorted(maps.Keys(in.scratch)) {
		server := in.scratch[dialect]
		of, err := scratchDialects(server)
		if err != nil || !slices.Contains(of, dialect) {
			return in, fmt.Errorf("scratch-%s has to be the URL of a server, written like %s", dialect, map[string]string{"postgres": "postgres://user:password@host/postgres", "mysql": "mysql://user:password@host/"}[dialect])
		}
		maps.Copy(in.scratch, scratchFor(of, server))
	}
	if !fs.ValidPath(in.config) {
		return in, fmt.Errorf("config %q is no path inside the repository; it is written like .github/altergate.yml", in.config)
	}
	if len(in.context) > 100 || strings.ContainsFunc(in.context, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return in, fmt.Errorf("status-context %.40q has to be at most 100 printable characters", in.context)
	}
	var err error
	if id := runner.GetInput("app-id"); id != "" {
		if in.appID, err = positive("app-id", id); err != nil {
			return in, err
		}
	}
	comment, err := oneOf(runner, "comment", []string{"update", "hide-and-new", "off"}, "")
	if err != nil {
		return in, err
	}
	checkRun, err := oneOf(runner, "check-run", []string{"off", "on"}, "")
	if err != nil {
		return in, err
	}
	fail, err := oneOf(runner, "fail-job", []string{"auto", "always", "never"}, "")
	if err != nil {
		return in, err
	}
	trees, err := oneOf(runner, "trees", []string{"auto", "git", "api"}, "")
	if err != nil {
		return in, err
	}
	in.comment, in.checkRun, in.failJob, in.trees = bot.CommentMode(comment), checkRun == "on", failJob(fail), bot.TreeSource(trees)
	return in, nil
}

// hide masks the secrets in the log; of a key, which has several lines, each line.
func (in actionInputs) hide(runner *githubactions.Action) {
	secrets := append([]string{in.token}, strings.Split(string(in.appKey), "\n")...)
	for _, dialect := range slices.Sorted(maps.Keys(in.scratch)) {
		secrets = append(secrets, passwords(in.scratch[dialect])...)
	}
	for _, secret := range secrets {
		if secret = strings.TrimSpace(secret); secret != "" && !strings.HasPrefix(secret, "-----") {
			runner.AddMask(secret)
		}
	}
}

func given(runner *githubactions.Action, name, otherwise string) string {
	if value := runner.GetInput(name); value != "" {
		return value
	}
	return otherwise
}

// oneOf reads an input that is one of a few words, the first being the default. A word that a later version will know is told apart
// from one that is misspelt.
func oneOf(runner *githubactions.Action, name string, words []string, later string) (string, error) {
	value := given(runner, name, words[0])
	switch {
	case slices.Contains(words, value):
		return value, nil
	case value == later:
		return "", fmt.Errorf("%s: %s is not in this version; it is %s", name, value, strings.Join(words, " or "))
	}
	return "", fmt.Errorf("unknown value %.40q of %s: it is %s", value, name, strings.Join(words, " or "))
}

func positive(name, text string) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n <= 0 {
		return 0, fmt.Errorf("%s has to be a number, and is %.40q", name, text)
	}
	return n, nil
}
