package cli

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/pipeline"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/policy"
	"github.com/altergate/altergate/internal/proof"
)

// reportOf is the report of one schema whose plan has a few steps of every manner.
func reportOf(engine *proof.Engine) *pipeline.Report {
	exclusive := plan.Lock{Level: "ACCESS EXCLUSIVE", Blocks: "reads and writes"}
	rewriting := exclusive
	rewriting.Rewrite = true
	steps := []*plan.Step{
		{Kind: "alter_column", Object: "song.length", Transaction: true, Lock: rewriting},
		{Kind: "drop_column", Object: "song.key", Transaction: true, Lock: exclusive},
		{Kind: "create_index", Object: "song.by_title", Lock: plan.Lock{Level: "SHARE UPDATE EXCLUSIVE", Blocks: "nothing", Scan: true}},
		{Kind: "add_unique", Object: "song.title", Lock: plan.Lock{Level: "SHARE UPDATE EXCLUSIVE, then ACCESS EXCLUSIVE for a moment", Blocks: "nothing while the index is built", Scan: true}},
		{Kind: "alter_type", Object: "mood", Lock: plan.Lock{Level: "none", Blocks: "nothing"}},
		{Kind: "add_foreign_key", Object: "song.writer", Transaction: true, Lock: plan.Lock{Level: "SHARE ROW EXCLUSIVE", Blocks: "writes"}},
		{Kind: "rebuild_table", Object: "song", Transaction: true, Lock: plan.Lock{Level: "RESERVED", Blocks: "writes", Rewrite: true}},
	}
	for _, s := range steps {
		s.SQL = []string{"SELECT 1"}
		s.Findings = []plan.Finding{{Rule: "some-rule", Text: "Some reason"}}
	}
	return &pipeline.Report{Policy: policy.Default(), Results: []*pipeline.Result{{Name: "main", Dialect: "postgres",
		Plan: &plan.Plan{Steps: steps}, Proof: proof.Result{Replay: proof.Proved, Engine: engine}}}}
}

// A lock has a line where it says something: a short one that stops only writers does not, and neither does SQLite's only one.
func TestTextOfSteps(t *testing.T) {
	var b bytes.Buffer
	report := reportOf(nil)
	writeText(&b, report, policy.Decide(report.Policy, report.Plans(), true, nil), false)
	want := `main (postgres)
  1. safe        alter column song.length
     Some reason [some-rule]
     ACCESS EXCLUSIVE: blocks reads and writes, rewrites the table
  2. safe        drop column song.key
     Some reason [some-rule]
     ACCESS EXCLUSIVE: blocks reads and writes
  3. safe        create index song.by_title
     Some reason [some-rule]
     SHARE UPDATE EXCLUSIVE: reads the table; outside a transaction
  4. safe        add unique song.title
     Some reason [some-rule]
     SHARE UPDATE EXCLUSIVE, then ACCESS EXCLUSIVE for a moment: reads the table; outside a transaction
  5. safe        alter type mood
     Some reason [some-rule]
     outside a transaction
  6. safe        add foreign key song.writer
     Some reason [some-rule]
  7. safe        rebuild table song
     Some reason [some-rule]
  read: 0 statements, 0 modelled, 0 opaque
  proof: replayed on the model: proved; not run on an engine
passed: within the ceiling review
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestTextOfProofs(t *testing.T) {
	for want, engine := range map[string]*proof.Engine{
		"not run on an engine":                        nil,
		"not run on a server: no --scratch was given": {Name: "postgres", Reason: "no --scratch was given"},
		"not run on PostgreSQL 15.20: extension postgis is not installed on the scratch server": {Name: "postgres", Version: "15.20",
			Reason: "extension postgis is not installed on the scratch server"},
		"run on PostgreSQL 15.20 with 1 row: proved": {Name: "postgres", Version: "15.20", Result: proof.Proved, Rows: 1},
		"run on PostgreSQL 15.20 with 0 rows: proved (no row was found that satisfies the constraints of a, b); not covered: 2 casts; 3 roles": {Name: "postgres", Version: "15.20",
			Result: proof.Proved, Empty: []string{"a", "b"}, LeftOut: []string{"2 casts", "3 roles"}},
	} {
		if got := proofLine(proof.Result{Replay: proof.Proved, Engine: engine}); got != "replayed on the model: proved; "+want {
			t.Errorf("it says %q, want %q", got, want)
		}
	}
}

// Whoever runs the SQL has to know which steps cannot be taken back together.
func TestSQLOutsideATransaction(t *testing.T) {
	report := reportOf(nil)
	got := string(sqlScript(report))
	for _, want := range []string{"-- main (postgres): stop at the first error and roll back; what was committed before it stays\n",
		"\n-- step 2, safe: drop column song.key\n", "\n-- step 3, safe, outside a transaction: create index song.by_title\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	plan := report.Results[0].Plan
	plan.Steps = plan.Steps[:2]
	if got := string(sqlScript(report)); !strings.HasPrefix(got, "-- main (postgres): stop at the first error and roll back\n") {
		t.Errorf("without such steps it says\n%s", got)
	}
}
