package bot

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/altergate/altergate/internal/pipeline"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/policy"
	"github.com/altergate/altergate/internal/pull"
)

// Descriptions hold nothing but our own words, numbers, a digest and logins: a bare approval is bound
// to the digest in one, so no text from the pull request may look like that.
const (
	longest = 140 // characters, says GitHub
	reading = "Reading the change"
	broken  = "No answer: something went wrong on the way; see the run, then run it again"
)

var (
	planned = regexp.MustCompile(`; plan ([0-9a-f]{64})$`)
	login   = regexp.MustCompile(`^[A-Za-z0-9_-]{1,39}$`)
)

// digestIn gives the digest of the plan that a status published, or nothing.
func digestIn(s pull.PostedStatus) string {
	if s.State != pull.Failure && s.State != pull.Success {
		return ""
	}
	found := planned.FindStringSubmatch(s.Description)
	if found == nil {
		return ""
	}
	return found[1]
}

// description says in one line what stands and what to do.
func (r *review) description() string {
	v, where := r.answer.Verdict, "the comment"
	if r.answer.Comment == "" {
		where = "the run"
	}
	switch {
	case r.answer.Failure != nil:
		return broken
	case v.Outcome == policy.NoAnswer:
		return fmt.Sprintf("No answer: %s; see %s", count(problems(r.answer.Report), "error"), where)
	case v.Outcome == policy.Blocked:
		text := fmt.Sprintf("%s, see %s; plan %s", needed(v), where, v.Digest)
		if len(text) > longest { // cut off it would lose the digest
			text = fmt.Sprintf("Approval is needed, see %s; plan %s", where, v.Digest)
		}
		return text
	case len(v.Counted) > 0:
		return fmt.Sprintf("Approved%s; plan %s", by(v.Counted), v.Digest)
	}
	all := steps(r.answer.Report)
	if len(all) == 0 {
		return "No schema change"
	}
	return "Within policy: " + risks(all)
}

// needed says what a blocked plan waits for.
func needed(v policy.Verdict) string {
	need := "need"
	if len(v.Blocking) == 1 {
		need = "needs"
	}
	if v.Needed == 1 {
		return fmt.Sprintf("%s %s approval", risks(v.Blocking), need)
	}
	return fmt.Sprintf("%s %s %s", risks(v.Blocking), need, count(v.Missing, "more approval"))
}

// by names the first who approved.
func by(counted []policy.Approval) string {
	var logins []string
	seen := map[string]bool{}
	for _, a := range counted {
		if key := strings.ToLower(a.Login); !seen[key] {
			seen[key] = true
			logins = append(logins, a.Login)
		}
	}
	switch {
	case !login.MatchString(logins[0]):
		return ""
	case len(logins) > 1:
		return fmt.Sprintf(" by %s and %d more", logins[0], len(logins)-1)
	}
	return " by " + logins[0]
}

func steps(report *pipeline.Report) []*plan.Step {
	var all []*plan.Step
	for _, p := range report.Plans() {
		all = append(all, p.Steps...)
	}
	return all
}

// risks counts steps: "2 destructive steps", "5 steps (2 destructive)".
func risks(steps []*plan.Step) string {
	worst := plan.Safe
	for _, s := range steps {
		worst = max(worst, s.Risk)
	}
	n := 0
	for _, s := range steps {
		if s.Risk == worst {
			n++
		}
	}
	if n == len(steps) {
		return count(n, worst.String()+" step")
	}
	return fmt.Sprintf("%s (%d %s)", count(len(steps), "step"), n, worst)
}

func problems(report *pipeline.Report) int {
	n := len(report.Errors)
	for _, result := range report.Results {
		n += len(result.Errors)
	}
	return n
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
