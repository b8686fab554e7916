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
