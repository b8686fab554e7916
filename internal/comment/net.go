package comment

import (
	"fmt"
	"strings"

	"github.com/altergate/altergate/internal/pipeline"
	"github.com/altergate/altergate/internal/plan"
)

// fewNet is how many steps of the net change are named.
const fewNet = 12

// net says what migrations come to, beside the plan that is their own SQL: the changes between the schemas before and after them, and the
// SQL that would make these at once.
func (p *page) net(r *pipeline.Result) string {
	if r.Net == nil {
		return ""
	}
	if !p.detail.asides {
		p.noOther = true
		return ""
	}
	if len(r.Net.Steps) == 0 {
		return "**Net change:** none; the schema is the same before and after these migrations."
	}
	var steps, shown []string
	for i, s := range r.Net.Steps {
		if i < fewNet {
			steps = append(steps, badge(s.Risk)+" "+inWords(s))
		}
		shown = append(shown, script(s.Statements()))
	}
	line := "**Net change:** " + strings.Join(steps, "; ")
	if left := len(r.Net.Steps) - fewNet; left > 0 {
		line += fmt.Sprintf("; and %s", count(left, "more step"))
	}
	line += "."
	if better := plan.Better(r.Plan, r.Net); better != "" {
		line += " " + Text(better)
	}
	if p.detail.sql > plan.Safe {
		p.noOther = true
		return line
	}
	return join(line, folded("SQL that makes the net change at once", fence(strings.Join(shown, "\n\n"))))
}
