package comment

import (
	"fmt"
	"slices"

	"github.com/altergate/altergate/internal/policy"
)

// fewProtections is how many protections are named: they stand near the top, where nothing is ever cut.
const fewProtections = 10

// protection is one of the policy's, as far as steps wait for its approvers.
type protection struct {
	policy.Gate
	objects []string // what is protected, each once
}

// protections are those that steps wait for, in the policy's order.
func (p *page) protections() []protection {
	var found []protection
	for _, s := range p.verdict.Blocking {
		for _, g := range p.needs[s].Gates {
			if g.Demand == 0 {
				continue
			}
			at := slices.IndexFunc(found, func(f protection) bool { return f.Demand == g.Demand })
			if at < 0 {
				at = len(found)
				found = append(found, protection{Gate: g})
			}
			if of := sentence(g.Kind) + " " + Code(g.Object); !slices.Contains(found[at].objects, of) {
				found[at].objects = append(found[at].objects, of)
			}
		}
	}
	slices.SortFunc(found, func(a, b protection) int { return a.Demand - b.Demand })
	return found
}

// whoProtects says what is protected, and who may approve steps on it.
func (p *page) whoProtects() string {
	found := p.protections()
	lines := ""
	for i, f := range found {
		if i == fewProtections {
			lines += fmt.Sprintf("\n- and %s", count(len(found)-i, "more protection"))
			break
		}
		who := approversInWords(f.Approvers)
		if who == "" {
			who = "nobody, says the policy"
		}
		if f.People > 1 {
			who = fmt.Sprintf("%d people of: %s", f.People, who)
		}
		lines += fmt.Sprintf("\n- %s; may approve: %s", list(f.objects), who)
	}
	if lines == "" {
		return ""
	}
	return "Protected by the policy, which no other approval replaces:\n" + lines
}
