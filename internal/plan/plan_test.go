package plan_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/plan"
)

// risks are all risks, from the lowest to the highest.
var risks = []plan.Risk{plan.Safe, plan.Review, plan.Destructive}

func TestRisk(t *testing.T) {
	var words []string
	for i, r := range risks {
		words = append(words, r.String())
		if i > 0 && r <= risks[i-1] {
			t.Errorf("%s is not above %s", r, risks[i-1])
		}
		back, err := plan.ParseRisk(r.String())
		if err != nil || back != r {
			t.Errorf("%s reads back as %s, %v", r, back, err)
		}
	}
	if d := cmp.Diff([]string{"safe", "review", "destructive"}, words); d != "" {
		t.Errorf("words (-want +got):\n%s", d)
	}
}

// TestParseRiskRefuses takes no other spelling, and gives the highest risk with the error: whoever overlooks it lets nothing pass.
func TestParseRiskRefuses(t *testing.T) {
	for _, word := range []string{"", "Safe", "REVIEW", " safe", "destructive\n", "unsafe", "risk(1)", "0"} {
		if r, err := plan.ParseRisk(word); err == nil || r != plan.Destructive {
			t.Errorf("%q reads as %s, %v", word, r, err)
		}
	}
	if got := plan.Risk(7).String(); got != "risk(7)" {
		t.Errorf("a risk that does not exist is called %q", got)
	}
}

func TestPlanRisk(t *testing.T) {
	add, tighten, drop := &plan.Step{Risk: plan.Safe}, &plan.Step{Risk: plan.Review}, &plan.Step{Risk: plan.Destructive}
	for _, tt := range []struct {
		name  string
		steps []*plan.Step
		risk  plan.Risk
		above map[plan.Risk][]*plan.Step
	}{
		{"nothing to do", nil, plan.Safe, nil},
		{"safe", []*plan.Step{add}, plan.Safe, nil},
		{"the highest counts, wherever it stands", []*plan.Step{drop, add, tighten}, plan.Destructive,
			map[plan.Risk][]*plan.Step{plan.Safe: {drop, tighten}, plan.Review: {drop}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := &plan.Plan{Steps: tt.steps}
			if got := p.Risk(); got != tt.risk {
				t.Errorf("the risk is %s, want %s", got, tt.risk)
			}
			for _, ceiling := range risks {
				if d := cmp.Diff(tt.above[ceiling], p.Above(ceiling)); d != "" {
					t.Errorf("above %s (-want +got):\n%s", ceiling, d)
				}
			}
		})
	}
}

// TestStatements frames a step's own SQL without touching it.
func TestStatements(t *testing.T) {
	s := &plan.Step{Before: make([]string, 1, 8), SQL: []string{"DROP TABLE t"}, After: []string{"COMMIT"}}
	s.Before[0] = "BEGIN IMMEDIATE"
	want := []string{"BEGIN IMMEDIATE", "DROP TABLE t", "COMMIT"}
	for range 2 {
		if d := cmp.Diff(want, s.Statements()); d != "" {
			t.Errorf("(-want +got):\n%s", d)
		}
	}
	if extra := s.Before[:2]; extra[1] != "" {
		t.Errorf("putting the statements together wrote %q behind Before", extra[1])
	}
}
