package comment

import (
	"fmt"
	"strings"

	"github.com/altergate/altergate/internal/plan"
)

// risks counts steps by risk.
type risks [plan.Destructive + 1]int

// byDanger is the order in which risks are shown.
var byDanger = [...]plan.Risk{plan.Destructive, plan.Review, plan.Safe}

func countRisks(steps []*plan.Step) risks {
	var n risks
	for _, s := range steps {
		n.add(s)
	}
	return n
}

// add counts a step. A risk that does not exist is the worst.
func (n *risks) add(s *plan.Step) {
	if s.Risk < plan.Safe || s.Risk > plan.Destructive {
		n[plan.Destructive]++
		return
	}
	n[s.Risk]++
}

func (n risks) total() int { return n[plan.Safe] + n[plan.Review] + n[plan.Destructive] }

// String gives "2 destructive, 1 review and 3 safe steps".
func (n risks) String() string {
	var parts []string
	noun := "no steps"
	for _, r := range byDanger {
		switch {
		case n[r] == 1:
			noun = " step"
		case n[r] > 1:
			noun = " steps"
		default:
			continue
		}
		parts = append(parts, fmt.Sprintf("%d %s", n[r], r))
	}
	return list(parts) + noun
}

// more gives "2 more destructive and 3 more safe steps".
func (n risks) more() string {
	return strings.NewReplacer(" destructive", " more destructive", " review", " more review", " safe", " more safe").Replace(n.String())
}

// icon is a risk as a reviewer's eye finds it.
func icon(r plan.Risk) string {
	switch r {
	case plan.Safe:
		return "🟢"
	case plan.Review:
		return "🟡"
	}
	return "🔴"
}

// badge is a risk in a table of steps.
func badge(r plan.Risk) string {
	if r == plan.Destructive {
		return icon(r) + " **" + r.String() + "**"
	}
	return icon(r) + " " + r.String()
}
