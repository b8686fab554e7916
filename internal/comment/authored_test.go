package comment

import (
	"strings"
	"testing"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/pipeline"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/policy"
	"github.com/altergate/altergate/internal/schema"
)

// A migration's step is told by what it does, where it is written, and what all of them come to; names in it change no structure.
func TestAuthoredSteps(t *testing.T) {
	step := &plan.Step{Kind: "insert_rows", Object: "bands", Authored: true, SQL: []string{"INSERT INTO bands DEFAULT VALUES"}, Pos: schema.Pos{File: "db/2\n.sql", Line: 3, Column: 1},
		Changes: []diff.Change{diff.WriteRows{Verb: "insert", Table: "bands", Name: "bands"}, diff.WriteRows{Verb: "update", Table: "a|b", Name: "a|b"}, diff.Remark{Rule: "missing-down", Text: "x"}}}
	net := &plan.Plan{Steps: []*plan.Step{{Kind: "create_index", Object: "bands.by_name", SQL: []string{"CREATE INDEX by_name ON bands (name)"}, Transaction: true}}}
	report := &pipeline.Report{Policy: policy.Default(), Results: []*pipeline.Result{{Name: "main", Dialect: "sqlite", Plan: &plan.Plan{Dialect: "sqlite", Steps: []*plan.Step{step}}, Net: net}}}
	body := Render(report, policy.Verdict{Outcome: policy.Passed}, Options{})
	for _, want := range []string{"insert rows `bands`: insert rows of `bands` and update rows of `a\\u{7C}b`", "db/2\uFFFD.sql:3:1\nINSERT INTO bands", "**Net change:** 🟢 safe create index `bands.by_name`", "CREATE INDEX by_name ON bands (name);"} {
		if !strings.Contains(body, want) {
			t.Errorf("there is no %q in\n%s", want, body)
		}
	}
	if strings.Contains(body, "diff.") || strings.Contains(body, "outside a transaction") {
		t.Errorf("it says what it does not know:\n%s", body)
	}
}
