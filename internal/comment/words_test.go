package comment_test

import (
	"strings"
	"testing"

	"github.com/altergate/altergate/internal/comment"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/proof"
	"github.com/altergate/altergate/internal/schema"
)

// Every kind of change has words of its own.
func TestChangesInWords(t *testing.T) {
	table, column, view := &schema.Table{Name: "t"}, &schema.Column{Name: "c"}, &schema.View{Name: "v"}
	index, trigger, opaque := &schema.Index{Name: "i"}, &schema.Trigger{Name: "g"}, &schema.Opaque{Name: "o", Kind: "virtual table"}
	key := &schema.Constraint{Kind: schema.ForeignKey, Columns: []schema.Part{{Column: "a"}, {Column: "b"}}}
	unique, function := &schema.Constraint{Kind: schema.Unique, Name: "u"}, &schema.Object{Kind: "function", Name: "f(integer)"}
	check := &schema.Constraint{Kind: schema.Check, Expr: &schema.Expr{Text: "a > 0"}}
	tests := map[string]diff.Change{
		"create table `t`":                             diff.CreateTable{Table: table},
		"drop table `t`":                               diff.DropTable{Table: table},
		"rename table `a` to `b`":                      diff.RenameTable{From: "a", To: "b"},
		"rename column `a` to `b`":                     diff.RenameColumn{Table: "t", From: "a", To: "b"},
		"add column `c`":                               diff.AddColumn{Table: table, Column: column},
		"drop column `c`":                              diff.DropColumn{Table: table, Column: column},
		"alter column `c`":                             diff.AlterColumn{Table: table, From: column, To: column},
		"add foreign key on `a` and `b`":               diff.AddConstraint{Table: table, Constraint: key},
		"drop check `a > 0`":                           diff.DropConstraint{Table: table, Constraint: check},
		"add unique `u`":                               diff.AddConstraint{Table: table, Constraint: unique},
		"add check":                                    diff.AddConstraint{Table: table, Constraint: &schema.Constraint{Kind: schema.Check}},
		"alter the options of the table":               diff.AlterOptions{From: table, To: table},
		"create index `i`":                             diff.CreateIndex{Table: table, Index: index},
		"drop index `i`":                               diff.DropIndex{Table: table, Index: index},
		"create view `v`":                              diff.CreateView{View: view},
		"drop view `v`":                                diff.DropView{View: view},
		"replace view `v`":                             diff.ReplaceView{From: view, To: view},
		"create materialized view `m`":                 diff.CreateView{View: &schema.View{Name: "m", Materialized: true}},
		"create event trigger `e`":                     diff.CreateObject{Object: &schema.Object{Kind: "event_trigger", Name: "e"}},
		"drop function `f(integer)`":                   diff.DropObject{Object: function},
		"alter function `f(integer)`":                  diff.AlterObject{From: function, To: function},
		"validate unique `u`":                          diff.ValidateConstraint{Table: table, From: unique, To: unique},
		"rename unique `u` to `w`":                     diff.RenameConstraint{Table: table, From: unique, To: &schema.Constraint{Name: "w"}},
		"rename index `i` to `j`":                      diff.RenameIndex{Table: table, From: index, To: &schema.Index{Name: "j"}},
		"rename function `f(integer)` to `g(integer)`": diff.RenameObject{From: function, To: &schema.Object{Kind: "function", Name: "g(integer)"}},
		"create trigger `g`":                           diff.CreateTrigger{On: "t", Trigger: trigger},
		"drop trigger `g`":                             diff.DropTrigger{On: "t", Trigger: trigger},
		"create virtual table `o`":                     diff.ReplaceOpaque{To: opaque},
		"drop virtual table `o`":                       diff.ReplaceOpaque{From: opaque},
		"replace virtual table `o`":                    diff.ReplaceOpaque{From: opaque, To: opaque},
	}
	for want, c := range tests {
		s := change("rebuild_table", "t", plan.Review, "why")
		s.Changes = []diff.Change{diff.RebuildTable{From: table, To: table, Changes: []diff.Change{c}}}
		r := report(answer("main", s))
		if body := comment.Render(r, decide(r), comment.Options{}); !strings.Contains(body, "| rebuild table `t`: "+want+" |") {
			t.Errorf("%T: %q is missing in:\n%s", c, want, body)
		}
	}
}

func TestStepsInWords(t *testing.T) {
	renamed := change("rename_column", "users.email", plan.Review, "why")
	renamed.From = "users.mail"
	renamed.Changes = []diff.Change{diff.RenameColumn{Table: "users", From: "mail", To: "email"}}
	altered := change("alter_table", "users", plan.Review, "why")
	altered.Changes = []diff.Change{
		diff.DropColumn{Column: &schema.Column{Name: "a"}}, diff.AddColumn{Column: &schema.Column{Name: "b"}},
	}
	several := change("rebuild_table", "users", plan.Destructive, "why")
	for range 14 {
		several.Changes = append(several.Changes, diff.DropColumn{Column: &schema.Column{Name: "x"}})
	}
	tests := map[string]*plan.Step{
		"rename column `users.mail` to `users.email`":             renamed,
		"alter table `users`: drop column `a` and add column `b`": altered,
		"drop column `x`, drop column `x` and 4 more":             several,
		"drop materialized view `a.b`":                            change("drop_materialized_view", "a.b", plan.Review, "why"),
	}
	for want, s := range tests {
		r := report(answer("main", s))
		if body := comment.Render(r, decide(r), comment.Options{}); !strings.Contains(body, want+" |") {
			t.Errorf("%q is missing in:\n%s", want, body)
		}
	}
}

// A proof that did not run says so, and why.
func TestProofInWords(t *testing.T) {
	tests := map[string]*proof.Engine{
		"proved; on an engine: **not run**.":                                                      nil,
		"proved; **not run** on a server: no --scratch was given.":                                {Name: "postgres", Reason: "no --scratch was given"},
		"; **not run** on PostgreSQL 15.20: extension `postgis` is not installed on the scratch ": {Name: "postgres", Version: "15.20", Reason: "extension `postgis` is not installed on the scratch server"},
		"; on PostgreSQL 15.20 with 1 row in its tables: proved, while `a` stood empty. Not covered: 3 statements name roles that the server does not have": {Name: "postgres", Version: "15.20", Result: proof.Proved, Rows: 1, Empty: []string{"a"}, LeftOut: []string{"3 statements name roles that the server does not have", "<b>"}},
		"; on sqlite 3.53.3 with 7 rows in its tables: **refuted**.":                                                                                        {Name: "sqlite", Version: "3.53.3", Result: proof.Refuted, Rows: 7},
	}
	for want, engine := range tests {
		r := report(answer("main", addColumn("a", "b")))
		r.Results[0].Proof.Engine = engine
		body := comment.Render(r, decide(r), comment.Options{})
		checkInert(t, body)
		if !strings.Contains(strings.ReplaceAll(body, "\\`", "`"), want) {
			t.Errorf("%q is missing in:\n%s", want, body)
		}
	}
}
