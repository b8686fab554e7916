package cli

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/altergate/altergate/internal/pipeline"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/policy"
	"github.com/altergate/altergate/internal/proof"
)

// paint colours words on a terminal.
type paint bool

func (p paint) risk(r plan.Risk) string {
	code := map[plan.Risk]string{plan.Safe: "32", plan.Review: "33", plan.Destructive: "31;1"}[r]
	return p.in(code, fmt.Sprintf("%-11s", r))
}

func (p paint) in(code, text string) string {
	if !p {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// writeText writes the report for a person at a terminal.
func writeText(b *bytes.Buffer, report *pipeline.Report, v policy.Verdict, colour bool) {
	p := paint(colour)
	for _, e := range report.Errors {
		fmt.Fprintf(b, "%s %s\n", p.in("31;1", "error"), visible(e.Error()))
	}
	for _, n := range report.Notices {
		fmt.Fprintf(b, "note: %s\n", visible(n.Text))
	}
	for _, r := range report.Results {
		writeResult(b, p, r, v)
	}
	switch v.Outcome {
	case policy.Passed:
		fmt.Fprintf(b, "%s: within the ceiling %s\n", p.in("32", "passed"), v.MaxRisk)
	case policy.Blocked:
		fmt.Fprintf(b, "%s: %s %s; approve this plan with\n  /approve %s %s\n", p.in("31;1", "blocked"), counted(len(v.Blocking), "step"), waitsFor(v), worst(v.Blocking), v.Digest[:24])
	default:
		fmt.Fprintf(b, "%s: fix the errors above and run again\n", p.in("31;1", "no answer"))
	}
}

// waitsFor says why steps need an approval.
func waitsFor(v policy.Verdict) string {
	above, protected := false, false
	for _, n := range v.Needing {
		above, protected = above || n.Above, protected || !n.Above
	}
	switch {
	case above && protected:
		return fmt.Sprintf("above the ceiling %s or on protected tables", v.MaxRisk)
	case protected:
		return "on protected tables"
	}
	return fmt.Sprintf("above the ceiling %s", v.MaxRisk)
}

// protectedBy says what of a step is protected, each once; nothing if no protection asks for an approval.
func protectedBy(n policy.Need) string {
	var names []string
	for _, g := range n.Gates {
		if name := g.Kind + " " + g.Object; g.Demand > 0 && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

func writeResult(b *bytes.Buffer, p paint, r *pipeline.Result, v policy.Verdict) {
	fmt.Fprintf(b, "%s (%s)\n", p.in("1", visible(r.Name)), r.Dialect)
	for _, e := range r.Errors {
		fmt.Fprintf(b, "  %s %s\n", p.in("31;1", "error"), visible(e.Error()))
	}
	if r.Plan == nil {
		return
	}
	if len(r.Plan.Steps) == 0 {
		fmt.Fprintln(b, "  no schema change")
	}
	needs := map[*plan.Step]policy.Need{}
	for _, n := range v.Needing {
		needs[n.Step] = n
	}
	for i, s := range r.Plan.Steps {
		fmt.Fprintf(b, "  %d. %s %s %s\n", i+1, p.risk(s.Risk), strings.ReplaceAll(s.Kind, "_", " "), visible(objectOf(s)))
		for _, f := range s.Findings {
			if f.Risk > plan.Safe || len(s.Findings) == 1 {
				fmt.Fprintf(b, "     %s [%s]\n", visible(f.Text), f.Rule)
			}
		}
		if s.Authored && s.Pos.File != "" {
			fmt.Fprintf(b, "     at %s\n", visible(s.Pos.String()))
		}
		if how := manner(s); how != "" {
			fmt.Fprintf(b, "     %s\n", visible(how))
		}
		if what := protectedBy(needs[s]); what != "" {
			fmt.Fprintf(b, "     protected by the policy: %s\n", visible(what))
		}
	}
	writeNet(b, p, r)
	for _, x := range r.Plan.PossibleRenames {
		fmt.Fprintf(b, "  possible rename: %s %s to %s; if it is one, write beside the new name: %s\n", x.Kind, visible(x.From), visible(x.To), visible(x.Hint))
	}
	for _, n := range r.Plan.Notices {
		fmt.Fprintf(b, "  note: %s\n", visible(n.Text))
	}
	c := r.Coverage
	fmt.Fprintf(b, "  read: %s, %d modelled, %d opaque\n  proof: %s\n", counted(c.Statements, "statement"), c.Modelled, c.Opaque, proofLine(r.Proof))
}

// writeNet says what migrations come to, beside their own SQL.
func writeNet(b *bytes.Buffer, p paint, r *pipeline.Result) {
	if r.Net == nil {
		return
	}
	fmt.Fprintf(b, "  net change: %s\n", counted(len(r.Net.Steps), "step"))
	for _, s := range r.Net.Steps {
		fmt.Fprintf(b, "     %s %s %s\n", p.risk(s.Risk), strings.ReplaceAll(s.Kind, "_", " "), visible(objectOf(s)))
	}
	if better := plan.Better(r.Plan, r.Net); better != "" {
		fmt.Fprintf(b, "     %s\n", visible(better))
	}
}

func objectOf(s *plan.Step) string {
	if s.From != "" {
		return s.From + " to " + s.Object
	}
	return s.Object
}

func proofLine(p proof.Result) string {
	text := "replayed on the model: " + p.Replay.String()
	e := p.Engine
	if e == nil {
		return text + "; not run on an engine"
	}
	where := "a server"
	if e.Asked() {
		where = visible(e.Title() + " " + e.Version)
	}
	if e.Result == proof.NotRun {
		return text + "; not run on " + where + because(e)
	}
	text += fmt.Sprintf("; run on %s with %s: %s", where, counted(e.Rows, "row"), e.Result)
	if len(e.Empty) > 0 {
		text += fmt.Sprintf(" (no row was found that satisfies the constraints of %s)", visible(strings.Join(e.Empty, ", ")))
	}
	if len(e.LeftOut) > 0 {
		text += "; not covered: " + visible(strings.Join(e.LeftOut, "; "))
	}
	return text
}

func because(e *proof.Engine) string {
	if e.Reason == "" {
		return ""
	}
	return ": " + visible(e.Reason)
}

// manner says how a step runs, where that is worth a line: what it keeps others from doing, what it does to the rows meanwhile, and
// that it is in no transaction.
func manner(s *plan.Step) string {
	l := s.Lock
	var parts []string
	if l.Blocks != "" && !strings.HasPrefix(l.Blocks, "nothing") {
		parts = append(parts, "blocks "+l.Blocks)
	}
	switch {
	case l.Rewrite:
		parts = append(parts, "rewrites the table")
	case l.Scan:
		parts = append(parts, "reads the table")
	}
	how := strings.Join(parts, ", ")
	if l.Level == sqliteLock || l.Blocks == "writes" && len(parts) == 1 {
		how = "" // for a moment, as every change of a schema does
	}
	if how != "" && l.Level != "" {
		how = l.Level + ": " + how
	}
	if s.Transaction || s.Authored { // an author's tool may open one that is not known here
		return how
	}
	return strings.TrimPrefix(how+"; outside a transaction", "; ")
}

// sqliteLock is the one lock that SQLite has. Everything that writes takes it, so that a step with it says nothing new.
const sqliteLock = "RESERVED"

// counted writes a number and its noun.
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// worst gives the highest risk among steps, which is the one to approve.
func worst(steps []*plan.Step) plan.Risk {
	risk := plan.Safe
	for _, s := range steps {
		risk = max(risk, s.Risk)
	}
	return risk
}

// reason gives the text of a step's most serious finding.
func reason(s *plan.Step) string {
	for _, f := range s.Findings {
		if f.Risk == s.Risk {
			return f.Text
		}
	}
	return ""
}

// sqlScript writes the plan's statements with a line before each step that says what it is.
func sqlScript(report *pipeline.Report) []byte {
	var b bytes.Buffer
	for _, r := range report.Results {
		fmt.Fprintf(&b, "-- %s (%s): %s\n", visible(r.Name), r.Dialect, onError(r.Plan))
		for i, s := range r.Plan.Steps {
			outside := ""
			switch {
			case s.Authored && s.Pos.File != "":
				outside = ", " + visible(s.Pos.String())
			case !s.Transaction:
				outside = ", outside a transaction"
			}
			fmt.Fprintf(&b, "\n-- step %d, %s%s: %s %s\n", i+1, s.Risk, outside, strings.ReplaceAll(s.Kind, "_", " "), visible(objectOf(s)))
			for _, sql := range s.Statements() {
				fmt.Fprintf(&b, "%s;\n", sql)
			}
		}
	}
	return b.Bytes()
}

// onError says what whoever runs the plan has to do when it fails.
func onError(p *plan.Plan) string {
	if slices.ContainsFunc(p.Steps, func(s *plan.Step) bool { return s.Authored }) {
		return "the migrations' own statements, in the order in which their tool runs them"
	}
	if slices.ContainsFunc(p.Steps, func(s *plan.Step) bool { return !s.Transaction }) {
		return "stop at the first error and roll back; what was committed before it stays"
	}
	return "stop at the first error and roll back"
}

// visible makes text from a pull request fit for one line of a terminal or a log: control characters and those that turn the
// direction of text are written out.
func visible(s string) string {
	var b strings.Builder
	for _, c := range s {
		if unicode.IsControl(c) || unicode.Is(unicode.Cf, c) || c == '\u2028' || c == '\u2029' {
			fmt.Fprintf(&b, "\\u{%X}", c)
			continue
		}
		b.WriteRune(c)
	}
	return b.String()
}
