package pipeline

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/policy"
	"github.com/altergate/altergate/internal/schema"
)

const fullConfig = `
schemas:
  - name: main
    dialect: sqlite
    version: 3.40
    source: db/schema.sql
    hints: db/hints.json
    online: false
policy:
  max-risk: safe
  renames: require-hint
  approvers: {roles: [maintain, db-owner], teams: [acme/dba], users: [ann], codeowners: true}
  min-approvals: 2
  author-may-approve: true
  require-digest: true
  protect:
    - "users"
    - billing.*
    - tables: ["audit_*", accounts]
      approvers: {roles: [admin], teams: [acme/audit], users: [bob], codeowners: true}
      min-approvals: 3
    - {tables: [logs]}
`

func TestConfig(t *testing.T) {
	got, err := parseConfig("altergate.yml", []byte(fullConfig))
	if err != nil {
		t.Fatal(err)
	}
	want := &Config{
		Schemas: []SchemaConfig{{Name: "main", Dialect: "sqlite", Version: "3.40", Source: "db/schema.sql", Hints: "db/hints.json", Plain: true}},
		Policy: policy.Policy{MaxRisk: plan.Safe, Renames: diff.RequireHint, MinApprovals: 2, AuthorMayApprove: true, RequireDigest: true,
			Approvers: policy.Approvers{Roles: []string{"maintain", "db-owner"}, Teams: []string{"acme/dba"}, Users: []string{"ann"}, CodeOwners: true},
			Protect: []policy.Protection{
				{Tables: []string{"users"}}, {Tables: []string{"billing.*"}},
				{Tables: []string{"audit_*", "accounts"}, MinApprovals: 3,
					Approvers: &policy.Approvers{Roles: []string{"admin"}, Teams: []string{"acme/audit"}, Users: []string{"bob"}, CodeOwners: true}},
				{Tables: []string{"logs"}},
			}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestConfigErrors(t *testing.T) {
	one := "schemas: [{name: a, dialect: sqlite, source: a.sql}]\n"
	type problem struct{ place, text string }
	tests := []struct {
		name, text string
		want       []problem
	}{
		{"nothing", "", []problem{{"1:1", `names no schema`}}},
		{"no YAML", "schemas: [\n", []problem{{"", ``}}},
		{"a key misspelt", one + "polcy: {}\n", []problem{{"2:1", `did you mean "policy"`}}},
		{"keys misspelt inside", "schemas:\n  - {name: a, dialect: sqlite, sorce: a.sql}\npolicy:\n  max_risk: safe\n", []problem{{"2:32", `did you mean "source"`}, {"4:3", `did you mean "max-risk"`}}},
		{"an unknown dialect", "schemas: [{name: a, dialect: oracle, source: a.sql}]\n", []problem{{"1:30", `unknown dialect "oracle"`}}},
		{"an unknown risk and policy", one + "policy: {max-risk: high, renames: maybe}\n", []problem{{"2:20", `unknown risk`}, {"2:35", `unknown rename policy`}}},
		{"a scratch server, whose URL holds a password", "schemas: [{name: a, dialect: sqlite, source: a.sql, scratch: x}]\n", []problem{{"1:53", `unknown key "scratch"`}}},
		{"online forms that are neither on nor off", "schemas: [{name: a, dialect: sqlite, source: a.sql, online: maybe}]\n", []problem{{"1:61", ``}}},
		{"a name twice", "schemas: [{name: a, dialect: sqlite, source: a.sql}, {name: a, dialect: sqlite, source: b.sql}]\n", []problem{{"", `two schemas are called "a"`}}},
		{"a path out of the repository", "schemas: [{name: a, dialect: sqlite, source: ../a.sql}]\n", []problem{{"", `is no path inside the repository`}}},
		{"no source", "schemas: [{name: a, dialect: sqlite}]\n", []problem{{"", `has no source`}}},
		{"a team without its organisation", one + "policy: {approvers: {teams: [dba]}}\n", []problem{{"", `org/team`}}},
		{"nobody needs to approve", one + "policy: {min-approvals: 0}\n", []problem{{"", `at least 1`}}},
		{"protections that are none", one + "policy:\n  protect:\n    - users\n    - \"a[\"\n    - \"\"\n    - {tables: [\"[x\"]}\n    - {min-approvals: 0}\n    - {tables: []}\n    - ~\n",
			[]problem{{"5:7", `"a[" is no glob`}, {"6:7", `"" is no glob`}, {"7:17", `"[x" is no glob`}, {"8:", `names no tables`}, {"8:23", `at least 1`}, {"9:", `names no tables`}, {"10:7", `names no tables`}}},
		{"keys of a protection misspelt", one + "policy:\n  protect:\n    - {table: [users], approvers: {team: [acme/dba]}, min-approval: 2}\n",
			[]problem{{"4:8", `unknown key "table" in "protect"; did you mean "tables"?`}, {"4:36", `did you mean "teams"?`}, {"4:55", `did you mean "min-approvals"?`}}},
		{"approvers of a protection", one + "policy: {protect: [{tables: [a], approvers: {teams: [dba]}}, {tables: [a], approvers: {}}]}\n",
			[]problem{{"2:54", `org/team`}, {"2:87", `names nobody`}}},
		{"a protection that is no list", one + "policy: {protect: users}\n", []problem{{"2:19", ``}}},
		{"a protection that is a list", one + "policy: {protect: [[users]]}\n", []problem{{"2:", ``}}},
		{"fewer people than none", one + "policy: {min-approvals: -2}\n", []problem{{"2:25", `min-approvals is -2 and has to be at least 1`}}},
		{"parts of people", one + "policy: {min-approvals: 2.9, protect: [{tables: [a], min-approvals: 1.0}, {tables: [b], min-approvals: 2e1}]}\n",
			[]problem{{"2:25", `min-approvals is 2.9 and has to be a whole number`}, {"2:69", `whole number`}, {"2:104", `whole number`}}},
		{"people in words", one + "policy: {min-approvals: two, protect: [{tables: [a], min-approvals: [1]}]}\n", []problem{{"2:25", `whole number`}, {"2:", `whole number`}}},
		{"keys behind an anchor", "schemas: &all [&one {name: a, dialect: sqlite, source: a.sql, hint: x}]\npolicy: &p {max_risk: safe}\n",
			[]problem{{"1:63", `did you mean "hints"`}, {"2:13", `did you mean "max-risk"`}}},
		{"keys behind a tag", one + "policy: !!map {max_risk: safe}\n", []problem{{"2:1", `did you mean "max-risk"`}}},
		{"keys behind a tag and an anchor", one + "policy: !!map &p {max_risk: safe}\n", []problem{{"2:1", ``}}},
		{"keys of the whole behind an anchor", "--- &all\n" + one + "polcy: {}\n", []problem{{"3:1", `did you mean "policy"`}}},
		{"keys that an alias takes elsewhere", one + "policy: {protect: [&a {tables: [x], approvers: {users: [u]}}, {tables: [y], approvers: *a}]}\n",
			[]problem{{"2:24", `unknown key "tables" in "approvers"`}, {"2:37", `unknown key "approvers" in "approvers"`}}},
		{"keys that are merged", one + "policy:\n  <<: {max-risk: safe}\n", []problem{{"3:3", `unknown key "<<"`}}},
		{"an alias of nothing", one + "policy: *p\n", []problem{{"2:10", `could not find alias`}}},
		{"an alias of itself", one + "policy: &p *p\n", []problem{{"2:", ``}}},
		{"two documents", one + "---\n" + one, []problem{{"", `more than one YAML document`}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := parseConfig("altergate.yml", []byte(test.text))
			errs := schema.Errors(err)
			if len(errs) != len(test.want) {
				t.Fatalf("%d errors, want %d: %v", len(errs), len(test.want), err)
			}
			for i, e := range errs {
				place := strings.TrimPrefix(e.Pos.String(), "altergate.yml:")
				if text := place + " " + e.Text; !strings.Contains(text, test.want[i].text) || !strings.HasPrefix(text, test.want[i].place) {
					t.Errorf("got %q, want %q at %q", text, test.want[i].text, test.want[i].place)
				}
			}
		})
	}
}

// TestConfigAliases shows that anchors are no mistake.
func TestConfigAliases(t *testing.T) {
	got, err := parseConfig("altergate.yml", []byte("schemas: &all [{name: a, dialect: sqlite, source: a.sql, version: &v 3.40}, {name: b, dialect: sqlite, source: b.sql, version: *v}]\n"+
		"policy: &p {approvers: &us {users: [ann]}, min-approvals: &two 2, protect: [{tables: [x], approvers: *us, min-approvals: *two}]}\n"))
	if err != nil {
		t.Fatal(err)
	}
	ann := policy.Approvers{Users: []string{"ann"}}
	p := policy.Default()
	p.Approvers, p.MinApprovals, p.Protect = ann, 2, []policy.Protection{{Tables: []string{"x"}, Approvers: &ann, MinApprovals: 2}}
	want := &Config{Policy: p, Schemas: []SchemaConfig{{Name: "a", Dialect: "sqlite", Source: "a.sql", Version: "3.40"}, {Name: "b", Dialect: "sqlite", Source: "b.sql", Version: "3.40"}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestRemovedSource shows that a file that is gone is never taken for a wish to drop everything, unless somebody says so.
func TestRemovedSource(t *testing.T) {
	full := fstest.MapFS{"a.sql": {Data: []byte("CREATE TABLE t (a);")}}
	empty := fstest.MapFS{"a.sql": {Data: []byte("\n")}}
	none := fstest.MapFS{}
	tests := []struct {
		name       string
		base, head fs.FS
		dropped    bool
		want       string // kinds of steps, or "error"
	}{
		{"new", none, full, false, "create_table"},
		{"removed", full, none, false, "error"},
		{"removed, and said so", full, none, true, "drop_table"},
		{"emptied", full, empty, false, "error"},
		{"emptied, whatever is said", full, empty, true, "error"},
		{"never there", none, none, false, "error"},
		{"never there, and dropped", none, none, true, "error"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			target := Target{Name: "main", Dialect: "sqlite", Base: Place{test.base, "a.sql"}, Head: Place{test.head, "a.sql"}, Dropped: test.dropped}
			report := Run(t.Context(), policy.Default(), []Target{target}, Options{})
			got := "error"
			if report.Answered() {
				got = ""
				for _, s := range report.Results[0].Plan.Steps {
					got += s.Kind
				}
			}
			if got != test.want {
				t.Errorf("got %s, want %s (%v)", got, test.want, report.Results[0].Errors)
			}
		})
	}
}
