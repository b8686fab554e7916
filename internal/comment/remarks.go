package comment

import (
	"strings"

	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/schema"
)

// fewNotices is how many notices are shown of one plan.
const fewNotices = 20

// errors is the table of why there is no answer.
func (p *page) errors() string {
	several := len(p.report.Results) > 1
	head := []string{"Where", "What is wrong"}
	if several {
		head = append([]string{"Schema"}, head...)
	}
	var rows [][]string
	add := func(name string, errors []*schema.Error) {
		for _, e := range errors {
			cells := []string{place(e.Side, e.Pos, e.Path), sentence(e.Text)}
			if several {
				cells = append([]string{name}, cells...)
			}
			rows = append(rows, cells)
		}
	}
	add("–", p.report.Errors)
	for _, r := range p.report.Results {
		add(Code(nameOf(r)), r.Errors)
	}
	shown := p.take(len(rows))
	var missing string
	if shown < len(rows) {
		p.noOther = true
		missing = "… and " + count(len(rows)-shown, "more error") + ", not shown."
	}
	return join(table(head, rows[:shown]), missing)
}

func (p *page) errorCount() int {
	n := len(p.report.Errors)
	for _, r := range p.report.Results {
		n += len(r.Errors)
	}
	return n
}

// renames asks about every pair that could be one thing under a new name.
func (p *page) renames(pl *plan.Plan) string {
	if len(pl.PossibleRenames) == 0 {
		return ""
	}
	if !p.detail.asides {
		p.noOther = true
		return ""
	}
	var rows [][]string
	for _, r := range pl.PossibleRenames {
		from, to := r.From, r.To
		if r.Table != "" {
			from, to = r.Table+"."+r.From, r.Table+"."+r.To
		}
		rows = append(rows, []string{Text(r.Kind) + " " + Code(from), Code(to), code(r.Hint, hintWidth)})
	}
	return join(
		"**Is this a rename?** Nothing is assumed. As it stands, the old one is dropped with its data and the new one starts empty. "+
			"If it is the same thing under another name, write the hint beside the new one: then it is renamed, and the data stay.",
		table([]string{"Dropped", "Added", "Hint, if it is a rename"}, rows),
	)
}

// notices is what a reviewer should know beside the plan.
func (p *page) notices(notices []schema.Notice) string {
	if len(notices) == 0 {
		return ""
	}
	if !p.detail.asides {
		p.noOther = true
		return ""
	}
	var lines []string
	for i, n := range notices {
		if i == fewNotices {
			lines = append(lines, "- and "+count(len(notices)-i, "more notice"))
			break
		}
		line := "- " + sentence(n.Text)
		if where := place(n.Side, n.Pos, ""); where != "" {
			line += " (" + where + ")"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// place says where something is: the side, file:line:column, and the path inside a JSON file.
func place(side schema.Side, at schema.Pos, path string) string {
	var parts []string
	if side != "" {
		parts = append(parts, Text(string(side)))
	}
	if at != (schema.Pos{}) {
		at.File = clip(at.File, placeWidth)
		parts = append(parts, code(at.String(), 2*placeWidth))
	}
	if path != "" {
		parts = append(parts, code(path, placeWidth))
	}
	return strings.Join(parts, " ")
}
