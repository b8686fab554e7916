package plan_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/schema"
)

// planner is a dialect that has its steps ready.
type planner struct {
	steps      []*plan.Step
	conversion plan.Conversion
	rowid      *schema.Column
	partial    bool // an expression can end in an error
}

func (p *planner) Steps(plan.Input) ([]*plan.Step, []schema.Notice, error) { return p.steps, nil, nil }
func (p *planner) RowidName(*schema.Table) *schema.Column                  { return p.rowid }
func (p *planner) Total(schema.Expr) bool                                  { return !p.partial }

func (p *planner) Fills(c *schema.Column) bool { return c.Default.Constant != "" }
func (p *planner) Converts(_, _ *schema.Column) (plan.Conversion, string) {
	return p.conversion, "this dialect says so"
}

// The objects that changes are about.
var (
	at     = schema.Pos{File: "schema.sql", Line: 1, Column: 1}
	expr   = &schema.Expr{Text: "1", Canon: "1", Constant: "1"}
	mail   = &schema.Column{Name: "mail", Key: "mail", Type: "TEXT", TypeCanon: "text", Canon: "mail text", Pos: at}
	key    = &schema.Constraint{Kind: schema.PrimaryKey, Columns: []schema.Part{{Column: "mail"}}, Canon: "primary key", Text: "PRIMARY KEY", Pos: at}
	unique = &schema.Constraint{Kind: schema.Unique, Columns: []schema.Part{{Column: "mail"}}, Canon: "unique", Text: "UNIQUE", Pos: at}
	check  = &schema.Constraint{Kind: schema.Check, Expr: expr, Canon: "check", Text: "CHECK (1)", Pos: at}
	parent = &schema.Constraint{Kind: schema.ForeignKey, Columns: []schema.Part{{Column: "mail"}}, Ref: &schema.Reference{Table: "t", Name: "t"}, Canon: "references", Pos: at}
	index  = &schema.Index{Name: "i", Key: "i", Canon: "i", Pos: at}
	view   = &schema.View{Name: "v", Key: "v", Canon: "v", Pos: at}
	fires  = &schema.Trigger{Name: "g", Key: "g", Canon: "g", Pos: at}
	search = &schema.Opaque{Name: "o", Key: "o", Kind: "virtual table", Canon: "o", Pos: at}
	fn     = &schema.Object{Kind: "function", Name: "f()", Key: "f()", Canon: "f", Pos: at}
	mood   = &schema.Object{Kind: "type", Name: "mood", Key: "mood", Labels: []string{"sad", "glad"}, Canon: "enum", Pos: at}
	remark = &schema.Object{Kind: "comment", Name: "table t", Key: "table t", Canon: "old", Pos: at}
	guard  = &schema.Object{Kind: "policy", Name: "t.p", Key: "t.p", On: "t", Canon: "p", Pos: at}
	users  = &schema.Table{Name: "t", Key: "t", Columns: []*schema.Column{mail}, Pos: at}
)

// changes are one change of each kind there is, with the least risk that it can ever have.
var changes = []struct {
	change diff.Change
	least  plan.Risk
}{
	{diff.CreateTable{Table: users}, plan.Safe},
	{diff.DropTable{Table: users}, plan.Destructive},
	{diff.RenameTable{From: "a", To: "t", Pos: at}, plan.Review},
	{diff.RenameColumn{Table: "t", From: "a", To: "mail", Pos: at}, plan.Review},
	{diff.AddColumn{Table: users, Column: mail}, plan.Safe},
	{diff.DropColumn{Table: users, Column: mail}, plan.Destructive},
	{diff.AlterColumn{Table: users, From: mail, To: &schema.Column{Name: "mail", Key: "mail", TypeCanon: "text", Canon: "mail text not null on conflict ignore", Pos: at}}, plan.Review},
	{diff.AddConstraint{Table: users, Constraint: key}, plan.Review},
	{diff.AddConstraint{Table: users, Constraint: unique}, plan.Review},
	{diff.AddConstraint{Table: users, Constraint: check}, plan.Review},
	{diff.AddConstraint{Table: users, Constraint: parent}, plan.Review},
	{diff.DropConstraint{Table: users, Constraint: key}, plan.Review},
	{diff.DropConstraint{Table: users, Constraint: unique}, plan.Review},
	{diff.DropConstraint{Table: users, Constraint: check}, plan.Review},
	{diff.DropConstraint{Table: users, Constraint: parent}, plan.Review},
	{diff.AlterOptions{From: users, To: &schema.Table{Name: "t", Key: "t", Options: []string{"strict"}, Pos: at}}, plan.Review},
	{diff.CreateIndex{Table: users, Index: index}, plan.Review},
	{diff.DropIndex{Table: users, Index: index}, plan.Review},
	{diff.CreateView{View: view}, plan.Safe},
	{diff.DropView{View: view}, plan.Review},
	{diff.CreateTrigger{On: "t", Trigger: fires}, plan.Review},
	{diff.DropTrigger{On: "t", Trigger: fires}, plan.Review},
	{diff.ReplaceOpaque{To: search}, plan.Review},
	{diff.ReplaceOpaque{From: search}, plan.Destructive},
	{diff.ReplaceOpaque{From: search, To: search}, plan.Destructive},
	{diff.CreateObject{Object: fn}, plan.Safe},
	{diff.DropObject{Object: fn}, plan.Review},
	{diff.AlterObject{From: fn, To: &schema.Object{Kind: "function", Name: "f()", Key: "f()", Canon: "g", Pos: at}}, plan.Review},
	{diff.AlterObject{From: mood, To: &schema.Object{Kind: "type", Name: "mood", Key: "mood", Labels: []string{"sad", "so-so", "glad"}, Canon: "e", Pos: at}}, plan.Safe},
	{diff.AlterObject{From: mood, To: &schema.Object{Kind: "type", Name: "mood", Key: "mood", Labels: []string{"glad", "sad"}, Canon: "e", Pos: at}}, plan.Review},
	{diff.AlterObject{From: mood, To: &schema.Object{Kind: "type", Name: "mood", Key: "mood", Labels: []string{"glad"}, Canon: "e", Pos: at}}, plan.Destructive},
	{diff.CreateObject{Object: remark}, plan.Safe},
	{diff.DropObject{Object: guard}, plan.Review},
	{diff.ReplaceView{From: view, To: view}, plan.Review},
	{diff.ValidateConstraint{Table: users, From: check, To: check}, plan.Review},
	{diff.RenameConstraint{Table: users, From: unique, To: unique}, plan.Review},
	{diff.RenameIndex{Table: users, From: index, To: index}, plan.Review},
	{diff.RenameObject{From: fn, To: fn}, plan.Review},
	{diff.RebuildTable{From: users, To: users}, plan.Review},
}

// judged builds a plan of one step that makes one change.
func judged(c diff.Change, p *planner) (*plan.Plan, error) {
	p.steps = []*plan.Step{{Kind: "step", Object: "object", Changes: []diff.Change{c}}}
	s := &schema.Schema{Dialect: "sqlite", Tables: []*schema.Table{users}}
	return plan.Build(plan.Input{Name: "main", From: s, To: s}, p)
}

// TestRulesTable holds the table of rules to its form: IDs are stable names that reports, documentation and suppressions use.
func TestRulesTable(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range plan.Rules {
		if !regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`).MatchString(r.ID) {
			t.Errorf("the ID %q is not words joined by dashes", r.ID)
		}
		if seen[r.ID] {
			t.Errorf("two rules are called %s", r.ID)
		}
		seen[r.ID] = true
		if r.Title == "" || strings.HasSuffix(r.Title, ".") || r.Title != strings.TrimSpace(r.Title) || len(r.Title) > 60 {
			t.Errorf("the title %q of %s is not a few words", r.Title, r.ID)
		}
		if r.Check == nil {
			t.Errorf("%s checks nothing", r.ID)
		}
	}
}

// TestRulesJudgeEveryChange gives each kind of change a finding, with a place, a rule and a sentence, at the risk it must have at least.
func TestRulesJudgeEveryChange(t *testing.T) {
	for _, tt := range changes {
		p, err := judged(tt.change, &planner{})
		if err != nil {
			t.Errorf("%T: %v", tt.change, err)
			continue
		}
		s := p.Steps[0]
		if s.Risk != tt.least {
			t.Errorf("%T is %s, want %s", tt.change, s.Risk, tt.least)
		}
		for _, f := range s.Findings {
			if f.Rule == "" || f.Pos != at || (f.Side != schema.Base && f.Side != schema.Head) {
				t.Errorf("%T: the finding has no rule, place or side: %+v", tt.change, f)
			}
			if f.Text == "" || strings.HasSuffix(f.Text, ".") || strings.Contains(f.Text, "%!") {
				t.Errorf("%T: %s says %q", tt.change, f.Rule, f.Text)
			}
			if f.Risk > s.Risk {
				t.Errorf("%T: the finding %s is above the step's %s", tt.change, f.Rule, s.Risk)
			}
		}
	}
}

// TestEveryChangeIsTried reads the closed set of changes where it is declared: a new one needs a rule, and a line above.
func TestEveryChangeIsTried(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "../diff/change.go", nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	tried := map[string]bool{}
	for _, tt := range changes {
		tried[fmt.Sprintf("%T", tt.change)] = true
	}
	kinds := 0
	for _, d := range file.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.Name == "change" {
			kinds++
			if name := "diff." + fn.Recv.List[0].Type.(*ast.Ident).Name; !tried[name] {
				t.Errorf("no rule is tried on %s", name)
			}
		}
	}
	if kinds == 0 {
		t.Error("no change was found in internal/diff/change.go")
	}
}

// TestRenamesAreNeverSafe: SQL outside the schema may still use the old name, and nobody here can see it.
func TestRenamesAreNeverSafe(t *testing.T) {
	for _, c := range []diff.Change{diff.RenameTable{From: "a", To: "t"}, diff.RenameColumn{Table: "t", From: "a", To: "mail"}} {
		if p, err := judged(c, &planner{}); err != nil || p.Risk() != plan.Review {
			t.Errorf("%T: %v, %v", c, p.Risk(), err)
		}
	}
}

// TestRebuildIsNeverSafe, whatever the reason for it.
func TestRebuildIsNeverSafe(t *testing.T) {
	p := &planner{steps: []*plan.Step{{Kind: "rebuild_table", Object: "t", Changes: []diff.Change{
		diff.RebuildTable{From: users, To: users}, diff.AddColumn{Table: users, Column: mail}}}}}
	s := &schema.Schema{Tables: []*schema.Table{users}}
	made, err := plan.Build(plan.Input{From: s, To: s}, p)
	if err != nil || made.Risk() != plan.Review {
		t.Errorf("a rebuild for a safe change is %v, %v", made.Risk(), err)
	}
}

// TestTypeChangeAsksTheDialect: only a dialect knows what becomes of stored values, and what it does not know is destructive. It is safe
// only where no value changes and no row is written.
func TestTypeChangeAsksTheDialect(t *testing.T) {
	c := diff.AlterColumn{Table: users, From: mail, To: &schema.Column{Name: "mail", Key: "mail", Type: "BLOB", TypeCanon: "blob", Canon: "mail blob"}}
	for _, test := range []struct {
		conversion plan.Conversion
		rewrite    bool
		want       plan.Risk
	}{
		{plan.Unchanged, true, plan.Review}, {plan.Unchanged, false, plan.Safe}, {plan.Checked, true, plan.Review}, {plan.Checked, false, plan.Review},
		{plan.Converted, true, plan.Destructive}, {plan.Converted, false, plan.Destructive}, {plan.Conversion(9), false, plan.Destructive},
	} {
		step := &plan.Step{Kind: "alter_column", Object: "t.mail", Changes: []diff.Change{c}, Lock: plan.Lock{Rewrite: test.rewrite}}
		s := &schema.Schema{Tables: []*schema.Table{users}}
		p, err := plan.Build(plan.Input{From: s, To: s}, &planner{conversion: test.conversion, steps: []*plan.Step{step}})
		if err != nil || p.Risk() != test.want {
			t.Errorf("%+v is %v, %v", test, p.Risk(), err)
		}
	}
}

// TestComputedColumnIsSafeOnlyIfItHasAValue that it may have, in every row there can be.
func TestComputedColumnIsSafeOnlyIfItHasAValue(t *testing.T) {
	for _, test := range []struct {
		partial, notNull bool
		want             plan.Risk
	}{{false, false, plan.Safe}, {true, false, plan.Review}, {false, true, plan.Review}, {true, true, plan.Review}} {
		column := &schema.Column{Name: "loud", Key: "loud", NotNull: test.notNull, Generated: &schema.Generated{Expr: *expr}}
		p, err := judged(diff.AddColumn{Table: users, Column: column}, &planner{partial: test.partial})
		if err != nil || p.Risk() != test.want {
			t.Errorf("%+v: got %v, %v", test, p.Risk(), err)
		}
	}
}

// TestSecurityDefinerNeedsAPath of its own, and is told once: not again for a function that was so before.
func TestSecurityDefinerNeedsAPath(t *testing.T) {
	function := func(canon string) *schema.Object {
		return &schema.Object{Kind: "function", Name: "f()", Key: "f()", Canon: canon, Pos: at}
	}
	const open = "function () returns integer language sql security definer as 'SELECT 1'"
	for _, test := range []struct {
		from, to string
		want     bool
	}{
		{"", open, true},
		{"", "function () returns integer language sql security definer set search_path=pg_catalog as 'SELECT 1'", false},
		{"", "function () returns integer language sql as 'security definer'", false},
		{"function () returns integer language sql as 'SELECT 1'", open, true},
		{open, open + " ", false},
	} {
		from, change := &schema.Schema{}, diff.Change(diff.CreateObject{Object: function(test.to)})
		if test.from != "" {
			from.Objects = []*schema.Object{function(test.from)}
			change = diff.AlterObject{From: from.Objects[0], To: function(test.to)}
		}
		p := &planner{steps: []*plan.Step{{Kind: "step", Object: "f()", Changes: []diff.Change{change}}}}
		made, err := plan.Build(plan.Input{From: from, To: &schema.Schema{Objects: []*schema.Object{function(test.to)}}}, p)
		if err != nil {
			t.Fatal(err)
		}
		if got := found(made, "security-definer"); got != test.want {
			t.Errorf("from %q to %q: got %v", test.from, test.to, got)
		}
	}
}

// TestDeleteActionOfNewTables is nothing to tell: nobody deletes rows of a table that is not there yet.
func TestDeleteActionOfNewTables(t *testing.T) {
	other := &schema.Table{Name: "other", Key: "other", Columns: []*schema.Column{mail}, Pos: at}
	cascade := *parent
	cascade.Ref = &schema.Reference{Table: "t", Name: "t", Columns: []string{"mail"}, OnDelete: "cascade"}
	for _, test := range []struct {
		before []*schema.Table
		want   bool
	}{{nil, false}, {[]*schema.Table{users}, true}, {[]*schema.Table{other, users}, true}} {
		p := &planner{steps: []*plan.Step{{Kind: "step", Object: "key", Changes: []diff.Change{diff.AddConstraint{Table: other, Constraint: &cascade}}}}}
		keyed := &schema.Table{Name: "t", Key: "t", Columns: []*schema.Column{mail}, Constraints: []*schema.Constraint{key}, Pos: at}
		made, err := plan.Build(plan.Input{From: &schema.Schema{Tables: test.before}, To: &schema.Schema{Tables: []*schema.Table{other, keyed}}}, p)
		if err != nil || found(made, "delete-action") != test.want {
			t.Errorf("with %d tables before: %v, %+v", len(test.before), err, made.Steps[0].Findings)
		}
	}
}

// TestDeleteChildrenIsOfSQLite: elsewhere a table that is dropped deletes no rows of others.
func TestDeleteChildrenIsOfSQLite(t *testing.T) {
	cascade := *parent
	cascade.Ref = &schema.Reference{Table: "t", Name: "t", OnDelete: "cascade"}
	child := &schema.Table{Name: "child", Key: "child", Columns: []*schema.Column{mail}, Constraints: []*schema.Constraint{&cascade}, Pos: at}
	for dialect, want := range map[string]bool{"sqlite": true, "postgres": false} {
		p := &planner{steps: []*plan.Step{{Kind: "drop_table", Object: "t", Changes: []diff.Change{diff.DropTable{Table: users}}}}}
		made, err := plan.Build(plan.Input{From: &schema.Schema{Dialect: dialect, Tables: []*schema.Table{child, users}}, To: &schema.Schema{Dialect: dialect}}, p)
		if err != nil || found(made, "delete-children") != want {
			t.Errorf("%s: %v", dialect, err)
		}
	}
}

// found tells whether a rule found something in the first step.
func found(p *plan.Plan, rule string) bool {
	return slices.ContainsFunc(p.Steps[0].Findings, func(f plan.Finding) bool { return f.Rule == rule })
}

// TestBuildRefusesWhatNoRuleJudges: silence is not safety.
func TestBuildRefusesWhatNoRuleJudges(t *testing.T) {
	c := diff.AlterOptions{From: users, To: users} // nothing differs, so no rule has anything to say
	_, err := judged(c, &planner{})
	if want := "no rule judges diff.AlterOptions in step step object"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %q", err, want)
	}
}

// TestBuildRefusesTwins: an approval of one of two steps with one ID would be an approval of both.
func TestBuildRefusesTwins(t *testing.T) {
	p := &planner{steps: []*plan.Step{dropMail(), dropMail()}}
	_, err := plan.Build(plan.Input{From: &schema.Schema{}, To: &schema.Schema{}}, p)
	if want := "two steps are the same: rebuild_table users"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %q", err, want)
	}
}

// TestStepTakesTheHighestRisk of everything that is found in it.
func TestStepTakesTheHighestRisk(t *testing.T) {
	p := &planner{steps: []*plan.Step{{Kind: "rebuild_table", Object: "t", Changes: []diff.Change{
		diff.RebuildTable{From: users, To: users}, diff.DropColumn{Table: users, Column: mail}, diff.AddColumn{Table: users, Column: mail}}}}}
	s := &schema.Schema{Tables: []*schema.Table{users}}
	made, err := plan.Build(plan.Input{From: s, To: s}, p)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, f := range made.Steps[0].Findings {
		found = append(found, f.Risk.String()+" "+f.Rule)
	}
	if d := cmp.Diff([]string{"review rebuild-table", "destructive drop-column", "safe add-column"}, found); d != "" {
		t.Errorf("findings (-want +got):\n%s", d)
	}
	if made.Steps[0].Risk != plan.Destructive || made.Risk() != plan.Destructive {
		t.Errorf("the step is %s and the plan %s", made.Steps[0].Risk, made.Risk())
	}
}
