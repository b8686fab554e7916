package gitdiff

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
)

// git starts git in one repository.
type git struct {
	dir     string
	config  []string // key=value, for the started processes only
	offline bool     // nothing is fetched, not even what a partial clone left out
}

// guards keep the configuration of a checkout from running programs. The
// repository's own transport settings (url, credentials, ssh command) stay in
// force: a fetch needs them, and nothing else uses them.
var guards = []string{
	"core.hooksPath=/dev/null",
	"core.fsmonitor=false",
	"core.alternateRefsCommand=true", // a program that prints nothing
	"safe.bareRepository=all",        // locate has already judged it
}

// surprises are variables that a caller such as a git hook may have set, and
// that would point git at another repository or at other objects.
var surprises = []string{
	"GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_NAMESPACE",
	"GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_IMPLICIT_WORK_TREE",
	"GIT_GRAFT_FILE", "GIT_SHALLOW_FILE", "GIT_REPLACE_REF_BASE", "GIT_INTERNAL_SUPER_PREFIX",
	"GIT_QUARANTINE_PATH", "GIT_CONFIG",
}

// transports are the ones that git trusts by itself. The others run a program
// that a url in the repository's configuration names (ext::).
const transports = "file:git:http:https:ssh"

// environment is that of the caller, so that its credentials and proxies work.
func (g git) environment(caller []string) []string {
	env := slices.DeleteFunc(slices.Clone(caller), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return slices.Contains(surprises, name)
	})
	if g.offline {
		env = append(env, "GIT_ALLOW_PROTOCOL=none", "GIT_NO_LAZY_FETCH=1") // the second would do, but older gits do not know it
	} else if !slices.ContainsFunc(env, func(v string) bool { return strings.HasPrefix(v, "GIT_ALLOW_PROTOCOL=") }) {
		env = append(env, "GIT_ALLOW_PROTOCOL="+transports)
	}
	return append(env,
		"GIT_CEILING_DIRECTORIES="+filepath.Dir(g.dir), // this repository or none
		"GIT_TERMINAL_PROMPT=0",
		"GIT_OPTIONAL_LOCKS=0",
		"GIT_NO_REPLACE_OBJECTS=1", // a commit is what its name says, whatever refs/replace holds
		"LC_ALL=C",
	)
}

// command prepares git with a verb. Arguments that come from outside are
// checked by the caller: they are full object names, or go through cat-file.
func (g git) command(ctx context.Context, args ...string) *exec.Cmd {
	var full []string
	for _, setting := range slices.Concat(guards, g.config) {
		full = append(full, "-c", setting)
	}
	cmd := exec.CommandContext(ctx, "git", append(full, args...)...)
	cmd.Dir = g.dir
	cmd.Env = g.environment(os.Environ())
	separate(cmd)
	cmd.Cancel = func() error { return interrupt(cmd) }
	// What outlives git all the same must not keep us waiting for its output.
	cmd.WaitDelay = 2 * time.Second
	return cmd
}

// run returns what a short-lived git printed. The error of a git that exited
// wraps *exec.ExitError and holds what git said.
func (g git) run(ctx context.Context, args ...string) (string, error) {
	cmd := g.command(ctx, args...)
	var stdout bytes.Buffer
	var stderr diagnostics
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	switch {
	case err == nil, errors.Is(err, exec.ErrWaitDelay):
		return stdout.String(), nil // the delay: git is done, but not a program it left behind
	case ctx.Err() != nil:
		err = ctx.Err()
	case errors.Is(err, exec.ErrNotFound):
		return "", fmt.Errorf("running git: %w; install git", err)
	}
	if said := stderr.String(); said != "" {
		return "", fmt.Errorf("running git %s: %s (%w)", args[0], said, err)
	}
	return "", fmt.Errorf("running git %s: %w", args[0], err)
}

// exited reports whether a git that ran to its end gave this exit code.
func exited(err error, code int) bool {
	exit, ok := errors.AsType[*exec.ExitError](err)
	return ok && exit.ExitCode() == code
}

// diagnostics keeps what git writes to stderr. A hostile server can send
// without end, so only the beginning is kept.
type diagnostics struct {
	text      []byte
	truncated bool
}

const maxDiagnostics = 16 << 10

func (d *diagnostics) Write(p []byte) (int, error) {
	room := min(len(p), maxDiagnostics-len(d.text))
	d.text = append(d.text, p[:room]...)
	d.truncated = d.truncated || room < len(p)
	return len(p), nil
}

var userinfo = regexp.MustCompile(`://[^\s'"]*@`)

// String is one line, because a runner takes a line that starts with "::" for
// a command, and names no credentials of a url.
func (d *diagnostics) String() string {
	text := d.text
	if d.truncated {
		// The cut may have parted a password from the "@" that gives it away.
		text = text[:bytes.LastIndexByte(text, '\n')+1]
	}
	var lines []string
	for line := range strings.Lines(userinfo.ReplaceAllString(string(text), "://***@")) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.Join(lines, "; "))
}
