package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/altergate/altergate/internal/comment"
	"github.com/altergate/altergate/internal/pipeline"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/policy"
	"github.com/altergate/altergate/internal/schema"
)

// Main runs one command and gives the exit code. What a command is for goes to Stdout or to --out; everything else to Stderr.
func Main(ctx context.Context, env Env, args []string) (code int) {
	var broken error
	defer func() {
		if broken != nil {
			fmt.Fprintf(env.Stderr, "altergate: %s\n", broken)
			code = exitNoAnswer
		}
	}()
	defer schema.Recover(&broken)
	g, command, err := parse(args, env.Stdout)
	if err != nil {
		fmt.Fprintf(env.Stderr, "altergate: %s\n", withoutPasswords(err.Error()))
		return exitNoAnswer
	}
	switch command {
	case "":
		return exitYes
	case "version":
		fmt.Fprintf(env.Stdout, "altergate %s\n", Version)
		return exitYes
	case "rules":
		return rules(env, g.Rules.ID)
	case "plan":
		return run{env, g.Plan, command}.main(ctx)
	}
	return run{env, g.Verify, command}.main(ctx)
}

// rules lists all rules, or tells about one.
func rules(env Env, id string) int {
	for _, r := range plan.Rules {
		if id == "" || r.ID == id {
			fmt.Fprintf(env.Stdout, "%-22s %s\n", r.ID, r.Title)
			if id != "" {
				fmt.Fprintf(env.Stdout, "%-22s docs/rules.md#%s\n", "", r.ID)
				return exitYes
			}
		}
	}
	if id != "" {
		fmt.Fprintf(env.Stderr, "altergate: there is no rule %q; `altergate rules` lists them\n", id)
		return exitNoAnswer
	}
	return exitYes
}

// run is one verify or plan.
type run struct {
	Env
	flags   inputFlags
	command string
}

// timeLimit bounds a run: a schema that takes longer is not one that a person wrote.
const timeLimit = 5 * time.Minute

// formats are the forms of output, the first being the default.
var formats = map[string][]string{"verify": {"text", "markdown", "json"}, "plan": {"sql", "json"}}

func (r run) main(ctx context.Context) int {
	format, err := r.format()
	if err != nil {
		fmt.Fprintf(r.Stderr, "altergate: %s\n", err)
		return exitNoAnswer
	}
	ctx, cancel := context.WithTimeout(ctx, timeLimit)
	defer cancel()
	report := r.report(ctx)
	verdict := policy.Decide(report.Policy, report.Plans(), report.Answered(), nil)
	output, err := r.render(format, report, verdict)
	if err == nil {
		err = r.write(output)
	}
	if err != nil {
		fmt.Fprintf(r.Stderr, "altergate: %s\n", err)
		return exitNoAnswer
	}
	r.diagnose(format, report, verdict)
	return verdict.Exit()
}

func (r run) format() (string, error) {
	known := formats[r.command]
	format := r.flags.Format.or(known[0])
	for _, f := range known {
		if f == format {
			return format, nil
		}
	}
	return "", fmt.Errorf("unknown format %q: %s writes %v", format, r.command, known)
}

// render gives the output. A plan that is not allowed has none, but for the JSON report that says so.
func (r run) render(format string, report *pipeline.Report, v policy.Verdict) ([]byte, error) {
	switch format {
	case "json":
		if r.command == "plan" && v.Outcome != policy.Passed {
			return nil, nil
		}
		return report.JSON(v)
	case "markdown":
		return []byte(comment.Render(report, v, comment.Options{}) + "\n"), nil
	case "sql":
		if v.Outcome != policy.Passed {
			return nil, nil
		}
		return sqlScript(report), nil
	}
	var b bytes.Buffer
	writeText(&b, report, v, r.Terminal && !r.flags.Out.Given && r.Getenv("NO_COLOR") == "")
	return b.Bytes(), nil
}

// write puts the output where it belongs. A plan that was blocked removes what an earlier run left in its file: old SQL that
// is still lying there would be taken for this plan's.
func (r run) write(output []byte) error {
	if !r.flags.Out.Given {
		_, err := r.Stdout.Write(output)
		return err
	}
	name := r.flags.Out.Value
	if !filepath.IsAbs(name) {
		name = filepath.Join(r.Dir, name)
	}
	if output == nil {
		if err := os.Remove(name); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("removing what an earlier run wrote to %s: %w", r.flags.Out.Value, err)
		}
		return nil
	}
	if err := os.WriteFile(name, output, 0o644); err != nil {
		return fmt.Errorf("writing %s: %w", r.flags.Out.Value, err)
	}
	return nil
}

// diagnose says on stderr why there is no green answer. The text report says it by itself.
func (r run) diagnose(format string, report *pipeline.Report, v policy.Verdict) {
	if format == "text" && !r.flags.Out.Given {
		return
	}
	for _, e := range allErrors(report) {
		fmt.Fprintf(r.Stderr, "altergate: %s\n", visible(e.Error()))
	}
	if v.Outcome != policy.Blocked {
		return
	}
	fmt.Fprintf(r.Stderr, "altergate: %s %s\n", counted(len(v.Blocking), "step"), waitsFor(v))
	for _, s := range v.Blocking {
		fmt.Fprintf(r.Stderr, "altergate:   %s %s %s: %s\n", s.Risk, s.Kind, visible(s.Object), visible(reason(s)))
	}
}

func allErrors(report *pipeline.Report) []*schema.Error {
	all := append([]*schema.Error{}, report.Errors...)
	for _, result := range report.Results {
		all = append(all, result.Errors...)
	}
	return all
}
