package cli

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/altergate/altergate/internal/bot"
	"github.com/altergate/altergate/internal/comment"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/policy"
)

// results are the outputs of action.yml. The zero results are those of an event that asked for nothing.
type results struct {
	verdict, risk, digest, changed, commentURL string
	exitCode                                   int
	json, markdown, sql                        string // paths
}

// output is one by its name.
type output struct{ name, value string }

// list gives all of them, empty ones too.
func (r results) list() []output {
	return []output{
		{"verdict", r.verdict},
		{"exit-code", strconv.Itoa(r.exitCode)},
		{"risk", r.risk},
		{"digest", r.digest},
		{"changed", r.changed},
		{"comment-url", r.commentURL},
		{"report-json", r.json},
		{"report-markdown", r.markdown},
		{"plan-sql", r.sql},
	}
}

// unanswered are the results when there is no answer and nothing to report.
func unanswered() results {
	return results{verdict: policy.NoAnswer.String(), exitCode: exitNoAnswer}
}

// skipped is the verdict when there was nothing to do, or nothing that was still true.
const skipped = "skipped"

// resultsOf gives the outputs but for the files. Only what was answered has a risk, a digest and a change. What was not published is no
// answer either: a step that goes by the exit code must not take it for one that lets something pass.
func resultsOf(answer bot.Answer) results {
	v := answer.Verdict
	switch {
	case answer.Nothing != "":
		return results{verdict: skipped}
	case answer.Failure != nil:
		failed := unanswered()
		failed.commentURL = answer.Comment
		return failed
	case answer.Stale != "":
		return results{verdict: skipped, exitCode: max(v.Exit(), exitNoAnswer), commentURL: answer.Comment}
	}
	r := results{verdict: v.Outcome.String(), exitCode: v.Exit(), commentURL: answer.Comment}
	if v.Outcome == policy.NoAnswer {
		return r
	}
	risk, changed := plan.Safe, false
	for _, p := range answer.Report.Plans() {
		risk, changed = max(risk, p.Risk()), changed || len(p.Steps) > 0
	}
	r.risk, r.digest, r.changed = risk.String(), v.Digest, strconv.FormatBool(changed)
	return r
}

// with joins the results of another pull request: what is left is what can be said of both, and of the rest the worse. Paths, the
// digest and the comment are of one pull request, and so of none.
func (r results) with(o results) results {
	joined := results{exitCode: worse(r.exitCode, o.exitCode), verdict: r.verdict, risk: r.risk, changed: r.changed}
	switch {
	case o.exitCode != r.exitCode:
		if joined.exitCode == o.exitCode {
			joined.verdict = o.verdict
		}
	case slices.Index(verdictsInOrder, o.verdict) > slices.Index(verdictsInOrder, r.verdict):
		joined.verdict = o.verdict
	}
	if at := slices.Index(risksInOrder, o.risk); at > slices.Index(risksInOrder, r.risk) {
		joined.risk = o.risk
	}
	if o.changed > r.changed { // "true" after "false" after nothing
		joined.changed = o.changed
	}
	return joined
}

// verdictsInOrder has the better ones first: that one of several was skipped is not to be lost behind one that passed.
var verdictsInOrder = []string{policy.Passed.String(), skipped, policy.Blocked.String(), policy.NoAnswer.String()}

var risksInOrder = []string{"", plan.Safe.String(), plan.Review.String(), plan.Destructive.String()}

// reportFiles writes the report where later steps find it. The SQL is there only if it may be run; what an earlier step left is removed.
func (a action) reportFiles(r *results, context string, answer bot.Answer) error {
	temp := a.Getenv("RUNNER_TEMP")
	if temp == "" || answer.Report == nil {
		return nil
	}
	name := "altergate"
	if context != name {
		name += "-" + comment.KeyOf(context) // a second gate in the same job has its own
	}
	dir := filepath.Join(temp, name)
	if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o755)); err != nil {
		return fmt.Errorf("making room for the report: %w", err)
	}
	report, err := answer.Report.JSON(answer.Verdict)
	if err != nil {
		return err
	}
	var sql []byte
	if answer.Verdict.Outcome == policy.Passed && answer.Stale == "" && answer.Failure == nil {
		sql = sqlScript(answer.Report)
	}
	for _, f := range []struct {
		path    *string
		name    string
		content []byte
	}{
		{&r.json, "report.json", report},
		{&r.markdown, "report.md", []byte(answer.Markdown)},
		{&r.sql, "plan.sql", sql},
	} {
		if f.content == nil {
			continue
		}
		path := filepath.Join(dir, f.name)
		if err := os.WriteFile(path, f.content, 0o644); err != nil {
			return fmt.Errorf("writing the report: %w", err)
		}
		*f.path = path
	}
	return nil
}

// writeOutputs hands the outputs to the runner, if there is one.
func (a action) writeOutputs(r results) error {
	var text strings.Builder
	for _, o := range r.list() {
		command, err := fileCommand(o.name, o.value)
		if err != nil {
			return err
		}
		text.WriteString(command)
	}
	return appendTo(a.Getenv("GITHUB_OUTPUT"), text.String())
}

// fileCommand sets a value in one of the runner's files. The end of the value is marked by a line that nobody can foresee, so that no
// value can end itself and go on as another.
func fileCommand(name, value string) (string, error) {
	var random [16]byte
	_, _ = rand.Read(random[:]) // never fails
	delimiter := "altergate_" + hex.EncodeToString(random[:])
	if strings.Contains(name, delimiter) || strings.Contains(value, delimiter) {
		return "", fmt.Errorf("the value of %s holds the delimiter that was just made up", name)
	}
	return fmt.Sprintf("%s<<%s\n%s\n%s\n", name, delimiter, value, delimiter), nil
}

// appendTo adds to one of the runner's files; without a runner there is none.
func appendTo(path, text string) (err error) {
	if path == "" {
		return nil
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("telling the runner: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if _, err := f.WriteString(text); err != nil {
		return fmt.Errorf("telling the runner: %w", err)
	}
	return nil
}
