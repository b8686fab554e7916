package comment

import (
	"fmt"
	"regexp"

	"github.com/altergate/altergate/internal/pipeline"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/policy"
)

// page is one attempt at a body, at one level of detail.
type page struct {
	report  *pipeline.Report
	verdict policy.Verdict
	needs   map[*plan.Step]policy.Need // of the steps that need an approval
	options Options
	detail  detail

	left    int   // rows that may still be written
	noRows  risks // steps whose row was left out
	noSQL   risks // steps with a row whose SQL was left out
	noOther bool  // something else was left out
}

func newPage(r *pipeline.Report, v policy.Verdict, o Options, d detail) *page {
	p := &page{report: r, verdict: v, needs: map[*plan.Step]policy.Need{}, options: o, detail: d, left: d.most}
	for _, n := range v.Needing {
		p.needs[n.Step] = n
	}
	return p
}

// body puts the page together. What was left out is known only once the rest is written, and is said near the top.
func (p *page) body() string {
	errors := p.errors()
	schemas := p.schemas()
	notices := p.notices(p.report.Notices)
	approvals := p.approvals()
	return join(
		"### "+p.title(),
		p.leftOut(),
		p.whatToDo(),
		errors,
		schemas,
		notices,
		approvals,
		p.footer(),
		p.marker(),
	)
}

// take grants rows of a table, as many as there are left.
func (p *page) take(rows int) int {
	granted := min(rows, p.left)
	p.left -= granted
	return granted
}

// leftOut says loudly what is not shown.
func (p *page) leftOut() string {
	var lost []string
	switch {
	case p.noRows.total() > 0:
		lost = append(lost, p.noRows.String(), "all SQL")
	case p.noSQL.total() > 0:
		lost = append(lost, "the SQL of "+p.noSQL.String())
	}
	if p.noOther {
		lost = append(lost, "some of the remarks")
	}
	if len(lost) == 0 {
		return ""
	}
	text := "🚨 **Too long for one comment. Not shown: " + list(lost) + ".**"
	if len(p.needs) > 0 && p.verdict.Outcome != policy.NoAnswer {
		text += " The digest covers every step that needs approval, shown or not."
	}
	if link := p.job("the run"); link != "" {
		text += " The whole report is with " + link + "."
	}
	return text
}

// allSteps are those of all the plans.
func (p *page) allSteps() []*plan.Step {
	var steps []*plan.Step
	for _, plan := range p.report.Plans() {
		steps = append(steps, plan.Steps...)
	}
	return steps
}

// footer says what exactly was looked at.
func (p *page) footer() string {
	var parts []string
	if len(p.needs) > 0 && p.verdict.Outcome != policy.NoAnswer {
		parts = append(parts, "plan "+Code(p.verdict.Digest))
	}
	if p.options.Base != "" || p.options.Head != "" {
		parts = append(parts, "base "+commit(p.options.Base)+" to head "+commit(p.options.Head))
	}
	if link := p.job("run"); link != "" {
		parts = append(parts, link)
	}
	if len(parts) == 0 {
		return ""
	}
	return "---\n\n" + dotted(parts)
}

func dotted(parts []string) string {
	line := parts[0]
	for _, part := range parts[1:] {
		line += " · " + part
	}
	return line
}

func (p *page) marker() string {
	if p.options.Mark == (Mark{}) {
		return ""
	}
	return Marker(p.options.Mark)
}

func (p *page) job(label string) string { return link(label, p.options.JobURL) }

var plainURL = regexp.MustCompile(`^https?://[A-Za-z0-9.:/?=&%_#~-]+$`)

// link gives a link, or nothing if the URL holds anything that could be more than a URL.
func link(label, url string) string {
	if !plainURL.MatchString(url) {
		return ""
	}
	return fmt.Sprintf("[%s](%s)", label, url)
}

// commit shows a SHA as people know it.
func commit(sha string) string {
	const short = 12
	return Code(sha[:min(short, len(sha))])
}
