package comment

import (
	"fmt"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/policy"
)

// fewFindings is how many findings a step's row holds.
const fewFindings = 6

// numbered is a step with its place in the plan, from 1.
type numbered struct {
	*plan.Step
	number int
}

// byRisk gives the steps of a plan, the most dangerous first, else in order of execution.
func byRisk(p *plan.Plan) []numbered {
	var steps []numbered
	for i, s := range p.Steps {
		steps = append(steps, numbered{s, i + 1})
	}
	slices.SortStableFunc(steps, func(a, b numbered) int { return int(b.Risk) - int(a.Risk) })
	return steps
}

// steps gives the table of a plan's steps, and a line that counts those it leaves out.
func (p *page) steps(pl *plan.Plan) (rows, missing string) {
	var shown [][]string
	var hidden risks
	for _, s := range byRisk(pl) {
		if s.Risk < p.detail.rows || p.take(1) == 0 {
			hidden.add(s.Step)
			p.noRows.add(s.Step)
			continue
		}
		shown = append(shown, []string{fmt.Sprint(s.number), p.riskOf(s.Step), inWords(s.Step), why(s.Step)})
	}
	if hidden.total() > 0 {
		missing = "… and " + hidden.more() + ", not shown"
		if hidden[plan.Destructive] > 0 {
			missing += "; the digest covers them all"
		}
		missing += "."
	}
	return table([]string{"Step", "Risk", "Change", "Why"}, shown), missing
}

// riskOf is a step's risk, that it touches what is protected, and that it has its approvals while others still wait.
func (p *page) riskOf(s *plan.Step) string {
	risk := badge(s.Risk)
	need, needed := p.needs[s]
	if needed && need.Protected() {
		risk += ", protected"
	}
	if v := p.verdict; v.Outcome == policy.Blocked && needed && !slices.Contains(v.Blocking, s) {
		risk += ", approved"
	}
	return risk
}

// why gives the sentences of a step's findings, the gravest first, what it keeps others from doing, and how it runs.
func why(s *plan.Step) string {
	findings := slices.Clone(s.Findings)
	slices.SortStableFunc(findings, func(a, b plan.Finding) int { return int(b.Risk) - int(a.Risk) })
	var sentences []string
	for i, f := range findings {
		if i == fewFindings {
			sentences = append(sentences, fmt.Sprintf("And %s.", count(len(findings)-i, "more finding")))
			break
		}
		sentences = append(sentences, strings.TrimSuffix(sentence(f.Text), ".")+".")
	}
	if lock := lockInWords(s.Lock); lock != "" {
		sentences = append(sentences, lock)
	}
	if !s.Transaction && !s.Authored { // an author's tool may open one that is not known here
		sentences = append(sentences, "Runs outside a transaction.")
	}
	return strings.Join(sentences, " ")
}

// lockInWords is a sentence about what a step blocks, or nothing when it blocks nothing.
func lockInWords(l plan.Lock) string {
	var level string
	if l.Level != "" {
		level = " (" + Text(l.Level) + ")"
	}
	var work string
	switch {
	case l.Rewrite:
		work = "rewrites every row"
	case l.Scan:
		work = "reads every row"
	}
	blocks := l.Blocks != "" && !strings.HasPrefix(l.Blocks, "nothing")
	if l.Blocks == "writes" && work == "" {
		return "" // for a moment, as every change of a schema does
	}
	switch {
	case blocks && work != "":
		return "Blocks " + Text(l.Blocks) + level + " while it " + work + "."
	case blocks:
		return "Blocks " + Text(l.Blocks) + level + "."
	case work != "":
		return "It " + work + level + "."
	}
	return ""
}
