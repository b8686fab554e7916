package policy

import (
	"fmt"
	"slices"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/schema"
)

// Need is a step that needs an approval, and what it takes. Every part of Altergate that speaks of such steps takes them from Needing.
type Need struct {
	Step   *plan.Step
	Schema string // its name in the configuration
	Above  bool   // the step is above the ceiling; otherwise only a protection asks for an approval
	Gates  []Gate // all of them have to be passed; there is at least one
}

// Gate is one demand for people's approval.
type Gate struct {
	Demand       int    // whose it is: 0 = the policy's in general, else that of its protection with this number, from 1
	Kind, Object string // what is protected: "table", "billing.invoices"; empty for the general demand
	Approvers    Approvers
	People       int // how many of them; at least 1
}

// Protected tells whether a protection asks for the approval.
func (n Need) Protected() bool { return n.Gates[0].Demand > 0 }

// Needing gives the steps of plans that need an approval, in order: those above the ceiling, and those above Safe that touch something
// protected. Where protections ask, each of them has to be satisfied, and nothing else: who may approve in general need not.
func Needing(p Policy, plans []*plan.Plan) []Need {
	var needs []Need
	for _, one := range plans {
		if one == nil {
			continue
		}
		reached := reachedBy(one)
		for _, s := range one.Steps {
			n := Need{Step: s, Schema: one.Schema, Above: s.Risk > p.MaxRisk}
			if s.Risk > plan.Safe && len(p.Protect) > 0 {
				n.Gates = p.protections(reached.touched(s))
			}
			if n.Above && len(n.Gates) == 0 {
				n.Gates = []Gate{{Approvers: p.Approvers, People: max(1, p.MinApprovals)}}
			}
			if len(n.Gates) > 0 {
				needs = append(needs, n)
			}
		}
	}
	return needs
}

// protections gives the demands of all protections that match a name.
func (p Policy) protections(names []thing) []Gate {
	var gates []Gate
	for i, protection := range p.Protect {
		of, ok := protection.of(names)
		if !ok {
			continue
		}
		g := Gate{Kind: of.kind, Object: of.name, Approvers: p.Approvers, People: max(1, p.MinApprovals), Demand: i + 1}
		if protection.Approvers != nil {
			g.Approvers = *protection.Approvers
		}
		if protection.MinApprovals > 0 {
			g.People = protection.MinApprovals
		}
		gates = append(gates, g)
	}
	return gates
}

// of gives the first of some names that is protected.
func (p Protection) of(names []thing) (thing, bool) {
	for _, n := range names {
		for _, glob := range p.Tables {
			if n.is(glob) {
				return n, true
			}
		}
	}
	return thing{}, false
}

// Unprotected gives a notice for each protected table that a plan gives a name at which its protection ends.
func Unprotected(p Policy, plans []*plan.Plan) []schema.Notice {
	var notices []schema.Notice
	for _, one := range plans {
		for _, n := range Needing(p, []*plan.Plan{one}) {
			for _, c := range n.Step.Changes {
				if r, ok := c.(diff.RenameTable); ok && p.ends(one, n, r) {
					notices = append(notices, schema.Notice{Side: schema.Head, Pos: r.Pos, Text: fmt.Sprintf(
						"table %s is protected, and under its new name %s it will not be; add that name to protect in the policy", r.From, r.To)})
				}
			}
		}
	}
	return notices
}

// ends tells whether one of the protections that a renamed table has does not reach it by its new name, nor by what it shares rows with.
func (p Policy) ends(of *plan.Plan, n Need, r diff.RenameTable) bool {
	merged := reached{plan: of, kin: kinOf(of)}
	return slices.ContainsFunc(n.Gates, func(g Gate) bool {
		if g.Demand == 0 {
			return false
		}
		_, still := p.Protect[g.Demand-1].of(merged.spread(tables(r.To)))
		return !still
	})
}

func stepsOf(needs []Need) []*plan.Step {
	var steps []*plan.Step
	for _, n := range needs {
		steps = append(steps, n.Step)
	}
	return steps
}

// Digest is what an approval of some steps is bound to.
func Digest(needs []Need) string { return plan.Digest(stepsOf(needs)) }
