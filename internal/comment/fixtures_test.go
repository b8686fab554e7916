package comment_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/altergate/altergate/internal/comment"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/pipeline"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/policy"
	"github.com/altergate/altergate/internal/proof"
	"github.com/altergate/altergate/internal/schema"
	"github.com/altergate/altergate/internal/source"
)

// change is a step as a planner and its rules would make it.
func change(kind, object string, risk plan.Risk, why string, sql ...string) *plan.Step {
	id := sha256.Sum256([]byte(kind + object))
	return &plan.Step{
		ID: hex.EncodeToString(id[:8]), Identity: hex.EncodeToString(id[:]), Kind: kind, Object: object, Risk: risk, SQL: sql, Transaction: true,
		Findings: []plan.Finding{{Rule: kind, Risk: risk, Text: why}},
	}
}

func dropColumn(table, column string) *plan.Step {
	s := change("drop_column", table+"."+column, plan.Destructive,
		fmt.Sprintf("Every value in column %s of table %s is lost.", column, table),
		fmt.Sprintf("ALTER TABLE %s DROP COLUMN %s", table, column))
	s.Lock = plan.Lock{Level: "ACCESS EXCLUSIVE", Blocks: "reads and writes"}
	return s
}

func setNotNull(table, column string) *plan.Step {
	s := change("alter_column", table+"."+column, plan.Review,
		fmt.Sprintf("Column %s of table %s must hold a value from now on; it fails if a row holds NULL.", column, table),
		fmt.Sprintf("ALTER TABLE %s ALTER COLUMN %s SET NOT NULL", table, column))
	s.Lock = plan.Lock{Level: "ACCESS EXCLUSIVE", Blocks: "reads and writes", Scan: true}
	return s
}

func addColumn(table, column string) *plan.Step {
	return change("add_column", table+"."+column, plan.Safe, "Column "+column+" can hold NULL, so existing rows stay valid.",
		fmt.Sprintf("ALTER TABLE %s ADD COLUMN %s text", table, column))
}

func createIndex(table, index, column string) *plan.Step {
	s := change("create_index", table+"."+index, plan.Safe, "The index is built without blocking writes.",
		fmt.Sprintf("CREATE INDEX CONCURRENTLY %s ON %s (%s)", index, table, column))
	s.Transaction = false
	s.Lock = plan.Lock{Level: "SHARE UPDATE EXCLUSIVE", Blocks: "nothing", Scan: true}
	return s
}

// answer is a schema that was answered.
func answer(name string, steps ...*plan.Step) *pipeline.Result {
	return &pipeline.Result{
		Name: name, Dialect: "postgres", Source: "db/" + name + ".sql",
		Plan:     &plan.Plan{Dialect: "postgres", Schema: name, Steps: steps},
		Coverage: source.Coverage{Statements: 214, Modelled: 210, Opaque: 2},
		Proof: proof.Result{Replay: proof.Proved, Engine: &proof.Engine{
			Name: "postgres", Version: "16.4", Result: proof.Proved, Rows: 12,
		}},
	}
}

// failure is a schema that was not.
func failure(name string, errors ...*schema.Error) *pipeline.Result {
	return &pipeline.Result{Name: name, Dialect: "mysql", Source: "db/" + name + ".sql", Errors: errors}
}

func syntaxError(line int, text string) *schema.Error {
	return &schema.Error{
		Side: schema.Head, Pos: schema.Pos{File: "db/ledger.sql", Line: line, Column: 7}, Kind: schema.KindSyntax, Text: text,
	}
}

func report(results ...*pipeline.Result) *pipeline.Report {
	return &pipeline.Report{Policy: policy.Default(), Results: results}
}

// decide is the verdict on a report under its own policy.
func decide(r *pipeline.Report, approvals ...policy.Approval) policy.Verdict {
	return policy.Decide(r.Policy, r.Plans(), r.Answered(), approvals)
}

// digestOf is what an approval of a report is bound to.
func digestOf(r *pipeline.Report) string { return decide(r).Digest }

func approvalBy(login, digest string) policy.Approval {
	return policy.Approval{
		Login: login, Risk: plan.Destructive, Digest: digest, Role: "maintain", Level: "maintain",
		URL: "https://github.com/acme/shop/pull/7#issuecomment-" + fmt.Sprint(len(login)),
		At:  time.Date(2026, 9, 27, 14, len(login), 0, 0, time.UTC),
	}
}

// options are those of a run on a pull request.
func options() comment.Options {
	return comment.Options{
		Mark:   comment.Mark{Key: comment.KeyOf("altergate"), Head: "c0ffee0123456789c0ffee0123456789c0ffee01", Run: 9876543210, Attempt: 1},
		Base:   "ba5eba11ba5eba11ba5eba11ba5eba11ba5eba11",
		Head:   "c0ffee0123456789c0ffee0123456789c0ffee01",
		JobURL: "https://github.com/acme/shop/actions/runs/9876543210",
	}
}

// destructive is the report that README shows: an unhinted change of a name, among harmless things.
func destructive() *pipeline.Report {
	main := answer("main", addColumn("users", "email"), createIndex("users", "users_email", "email"),
		setNotNull("orders", "placed_at"), dropColumn("users", "mail"))
	main.Plan.PossibleRenames = []diff.PossibleRename{
		{Kind: "column", Table: "users", From: "mail", To: "email", Hint: "-- @renamed from=mail"},
	}
	r := report(main)
	r.Policy.Approvers = policy.Approvers{Roles: []string{"maintain", "admin"}, Teams: []string{"acme/dba"}, CodeOwners: true}
	return r
}
