package policy

import (
	"testing"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/schema"
)

// What the statements of migrations do beside changing the schema is protected like the schema.
func TestProtectedRows(t *testing.T) {
	bands := &schema.Table{Name: "bands", Key: "bands"}
	for name, tt := range map[string]struct {
		change diff.Change
		want   bool
	}{
		"rows of the table":        {diff.WriteRows{Verb: "update", Table: "bands", Name: "bands"}, true},
		"rows of another":          {diff.WriteRows{Verb: "update", Table: "fans", Name: "fans"}, false},
		"the table made again":     {diff.CopyTable{From: bands, To: bands}, true},
		"code that is not read":    {diff.RunOpaque{What: "DO block"}, true},
		"a file that is not read":  {diff.Remark{Rule: "unread-migration", Opaque: true}, true},
		"a word about a file":      {diff.Remark{Rule: "missing-down"}, false},
		"a setting of the session": {diff.RunSession{What: "SET"}, false},
	} {
		step := &plan.Step{Kind: "x", Risk: plan.Review, Changes: []diff.Change{tt.change}}
		p := Default()
		p.Protect = []Protection{{Tables: []string{"bands"}}}
		if got := len(Needing(p, []*plan.Plan{{Dialect: "sqlite", Steps: []*plan.Step{step}}})) > 0; got != tt.want {
			t.Errorf("%s: an approval is needed: %t, want %t", name, got, tt.want)
		}
	}
}

// A protection follows a table through all its names, and to the tables that share its rows.
func TestProtectionFollowsNames(t *testing.T) {
	step := func(risk plan.Risk, c diff.Change) *plan.Step {
		return &plan.Step{Kind: "x", Risk: risk, Changes: []diff.Change{c}}
	}
	drop := step(plan.Destructive, diff.DropTable{Table: &schema.Table{Name: "c", Key: "c"}})
	part := step(plan.Review, diff.WriteRows{Verb: "update", Table: "bands_2020", Name: "bands_2020"})
	p := Default()
	p.MaxRisk = plan.Destructive
	p.Protect = []Protection{{Tables: []string{"bands"}}}
	needs := Needing(p, []*plan.Plan{{Dialect: "postgres", Parents: map[string][]string{"bands_2020": {"bands"}}, Steps: []*plan.Step{
		step(plan.Safe, diff.RenameTable{From: "bands", To: "b"}), step(plan.Safe, diff.RenameTable{From: "b", To: "c"}), drop, part}}})
	if len(needs) != 2 || needs[0].Step != drop || needs[1].Step != part {
		t.Errorf("%d steps need an approval, want the drop of what was bands and the rows of its partition", len(needs))
	}
}
