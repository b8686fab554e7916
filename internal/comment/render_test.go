package comment_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/comment"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/pipeline"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/policy"
	"github.com/altergate/altergate/internal/proof"
	"github.com/altergate/altergate/internal/schema"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestRender compares each body with testdata/<name>.md.
func TestRender(t *testing.T) {
	tests := map[string]func() string{
		"destructive":   func() string { return onPullRequest(destructive()) },
		"within-policy": func() string { return onPullRequest(report(answer("main", setNotNull("a", "b"), addColumn("a", "c")))) },
		"no-change":     func() string { return onPullRequest(report(answer("main"))) },
		"local":         func() string { r := destructive(); return comment.Render(r, decide(r), comment.Options{}) },
		"no-answer":     noAnswer,
		"several":       several,
		"approved":      approved,
		"two-approvals": twoApprovals,
		"some-approved": someApproved,
		"rebuild":       rebuild,
		"review":        review,
		"hostile":       hostile,
		"cut":           cut,
		"protected":     protected,
		"all-protected": allProtected,
	}
	for name, render := range tests {
		t.Run(name, func(t *testing.T) {
			got := render() + "\n"
			golden := filepath.Join("testdata", name+".md")
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", golden, diff)
			}
		})
	}
}

func onPullRequest(r *pipeline.Report, approvals ...policy.Approval) string {
	return comment.Render(r, decide(r, approvals...), options())
}

func noAnswer() string {
	r := report(answer("main", dropColumn("users", "mail")), failure("ledger",
		syntaxError(3, "near \"COLUM\": expected COLUMN or CONSTRAINT"),
		&schema.Error{Side: schema.Base, Pos: schema.Pos{File: "db/ledger.json"}, Path: "tables.users.columns.email.data_type",
			Kind: schema.KindSchema, Text: "the type is empty; write one, or remove the column"},
	))
	r.Errors = []*schema.Error{{Kind: schema.KindHint, Pos: schema.Pos{File: "db/hints.json", Line: 4, Column: 9},
		Text: "the hint renames table logs, and the base has no table of that name; remove the hint"}}
	return onPullRequest(r, approvalBy("ann", digestOf(r)))
}

func several() string {
	billing := answer("billing", addColumn("invoices", "note"))
	billing.Proof.Engine = nil
	return onPullRequest(report(answer("main", setNotNull("users", "email"), dropColumn("users", "mail")), answer("audit"), billing, answer("search")))
}

func approved() string {
	r := destructive()
	return onPullRequest(r, approvalBy("ann", digestOf(r)), approvalBy("christine", digestOf(report(answer("main", dropColumn("x", "y"))))))
}

func twoApprovals() string {
	r := destructive()
	r.Policy.MinApprovals = 2
	r.Policy.AuthorMayApprove = true
	outsider := approvalBy("mallory", digestOf(r))
	outsider.Role, outsider.Level = "read", "read"
	edited := approvalBy("edith-k", digestOf(r))
	edited.Edited = true
	step := approvalBy("bo", "")
	step.Steps = []string{"0123456789abcdef"}
	return onPullRequest(r, approvalBy("ann", digestOf(r)[:24]), outsider, edited, step)
}

// someApproved has two destructive steps, of which one is approved by its ID.
func someApproved() string {
	r := report(answer("main", dropColumn("users", "mail"), dropColumn("users", "phone")), answer("audit", dropColumn("log", "who")))
	one := approvalBy("ann", "")
	one.Steps = []string{r.Results[0].Plan.Steps[1].ID}
	return onPullRequest(r, one)
}

// protected has a step above the ceiling, and others on tables that the policy protects, one of which has its approval.
func protected() string {
	r := report(answer("main", addColumn("billing.invoices", "note"), setNotNull("billing.invoices", "due"), setNotNull("users", "name"),
		setNotNull("orders", "placed_at"), dropColumn("orders", "note"), dropColumn("billing.lines", "tax")))
	r.Policy.Protect = []policy.Protection{
		{Tables: []string{"billing.*"}, Approvers: &policy.Approvers{Teams: []string{"acme/billing"}, CodeOwners: true}, MinApprovals: 2},
		{Tables: []string{"users"}},
		{Tables: []string{"*.lines"}, Approvers: &policy.Approvers{Users: []string{"tess"}}},
	}
	r.Policy.Protect = append(r.Policy.Protect, policy.Protection{Tables: []string{"unrelated"}})
	one := approvalBy("ann", digestOf(r))
	return onPullRequest(r, one)
}

// allProtected has nothing that waits but what the policy protects.
func allProtected() string {
	r := report(answer("main", setNotNull("users", "name"), addColumn("users", "age"), dropColumn("orders", "note")))
	r.Policy.MaxRisk = plan.Destructive
	r.Policy.Protect = []policy.Protection{{Tables: []string{"users"}, Approvers: &policy.Approvers{Roles: []string{"admin"}}}}
	outsider := approvalBy("mallory", digestOf(r))
	return onPullRequest(r, outsider)
}

func rebuild() string {
	table := &schema.Table{Name: "users"}
	s := change("rebuild_table", "users", plan.Destructive, "Every value in column mail of table users is lost.",
		"CREATE TABLE altergate_new_users (id INTEGER PRIMARY KEY, email TEXT NOT NULL)",
		"INSERT INTO altergate_new_users (id, email) SELECT id, email FROM users",
		"DROP TABLE users", "ALTER TABLE altergate_new_users RENAME TO users")
	s.Changes = []diff.Change{diff.RebuildTable{From: table, To: table, Changes: []diff.Change{
		diff.DropColumn{Table: table, Column: &schema.Column{Name: "mail"}},
		diff.AlterColumn{Table: table, From: &schema.Column{Name: "email"}, To: &schema.Column{Name: "email"}},
		diff.AddConstraint{Table: table, Constraint: &schema.Constraint{Kind: schema.Unique, Columns: []schema.Part{{Column: "email"}}}},
	}}}
	s.Findings = append(s.Findings, plan.Finding{Risk: plan.Review, Text: "Column email must hold a value from now on; it fails if a row holds NULL."})
	s.Lock = plan.Lock{Level: "EXCLUSIVE", Blocks: "writes", Rewrite: true}
	s.Before, s.After = []string{"PRAGMA foreign_keys = OFF", "BEGIN IMMEDIATE"}, []string{"COMMIT", "PRAGMA foreign_keys = ON"}
	main := answer("main", s)
	main.Dialect = "sqlite"
	main.Proof.Engine = &proof.Engine{Name: "sqlite", Version: "3.53.3", Result: proof.Proved, Rows: 7, Empty: []string{"log", "audit"}}
	main.Plan.Notices = []schema.Notice{{Text: "2 INSERT statements change no schema and were passed over.",
		Side: schema.Head, Pos: schema.Pos{File: "db/main.sql", Line: 40, Column: 1}}}
	r := report(main)
	r.Notices = []schema.Notice{{Text: "There is no configuration at the base yet, so the default policy applies."}}
	return onPullRequest(r)
}

func review() string {
	r := report(answer("main", setNotNull("users", "email"), addColumn("users", "note")))
	r.Policy.MaxRisk = plan.Safe
	return onPullRequest(r)
}

// hostile has names that try to be something else in every place a name can stand.
func hostile() string {
	s := dropColumn("@acme/everyone", "a|b`c</details><!-- altergate -->\n#1 :smile: https://evil.example ![x](y)")
	s.SQL = append(s.SQL, "-- ```\n</details>\n````\nSELECT '\u202Egnp.exe'")
	main := answer("ma`in", s, addColumn("*bold* _x_ user_id", "\u202Eabc\u200B"))
	main.Plan.PossibleRenames = []diff.PossibleRename{{Kind: "column", Table: "a|b", From: "`x`", To: "[y](z)", Hint: "-- @renamed from=`x`|y"}}
	main.Plan.Notices = []schema.Notice{{Text: "- [ ] /approve destructive ~~x~~ $x$ www.evil.example GH-12 <b>"}}
	return onPullRequest(report(main), approvalBy("ann|@bob", digestOf(report(answer("x", s)))))
}

// cut is a plan too long for the limit it is given.
func cut() string {
	steps := []*plan.Step{dropColumn("users", "mail"), setNotNull("orders", "placed_at")}
	for _, column := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
		steps = append(steps, addColumn("wide_table_of_many_columns", column))
	}
	r, o := report(answer("main", steps...)), options()
	o.Limit = comment.Limit{Units: 2_200, Bytes: 10_000}
	return comment.Render(r, decide(r), o)
}
