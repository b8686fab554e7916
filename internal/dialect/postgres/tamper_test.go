package postgres

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/dialect/postgres/postgrestest"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/proof"
	"github.com/altergate/altergate/internal/source"
)

const tamperedBase = `
CREATE TYPE mood AS ENUM ('sad', 'ok', 'glad');
CREATE TABLE parent (id serial PRIMARY KEY, name text, mood mood DEFAULT 'ok');
CREATE TABLE child (id int PRIMARY KEY, parent_id int, amount text);
CREATE INDEX child_amount ON child (amount);
CREATE VIEW named AS SELECT id, name FROM parent;
CREATE VIEW again AS SELECT name FROM named;
GRANT SELECT ON again TO PUBLIC;
COMMENT ON VIEW again IS 'names';
`

const tamperedHead = `
CREATE TYPE mood AS ENUM ('glad', 'ok', 'sad');
CREATE TABLE parent (id bigserial PRIMARY KEY, name text NOT NULL DEFAULT 'none', mood mood DEFAULT 'ok');
CREATE TABLE child (id int PRIMARY KEY, parent_id bigint REFERENCES parent, amount text CHECK (amount <> 'no'));
CREATE INDEX child_amount ON child (amount, id);
CREATE VIEW named AS SELECT id, name FROM parent;
CREATE VIEW again AS SELECT name FROM named;
GRANT SELECT ON again TO PUBLIC;
COMMENT ON VIEW again IS 'names';
`

// TestTamperedPlansAreRefuted spoils a good plan in the ways in which plans have been wrong elsewhere. Each has to be found out: by
// the replay, by the run on the server, or by both.
func TestTamperedPlansAreRefuted(t *testing.T) {
	url := postgrestest.URL(t)
	tests := []struct {
		name, old, new string
	}{
		{"as it is", "", ""},
		{"NULL is not filled", "UPDATE parent SET name = 'none' WHERE name IS NULL", "SELECT 1"},
		{"NULL is filled with something else", "SET name = 'none' WHERE", "SET name = 'other' WHERE"},
		{"all names are overwritten", "SET name = 'none' WHERE name IS NULL", "SET name = 'none'"},
		{"the default is forgotten", "ALTER TABLE parent ALTER COLUMN name SET DEFAULT 'none'", "SELECT 1"},
		{"the sequence stays small", "ALTER SEQUENCE parent_id_seq AS bigint", "ALTER SEQUENCE parent_id_seq AS integer"},
		{"the sequence starts again", "ALTER SEQUENCE parent_id_seq AS bigint", "ALTER SEQUENCE parent_id_seq RESTART AS bigint"},
		{"the type is not changed", "ALTER COLUMN id TYPE bigint", "ALTER COLUMN id TYPE integer"},
		{"values are changed on the way", "ALTER COLUMN id TYPE bigint", "ALTER COLUMN id TYPE bigint USING id + 1"},
		{"labels are mapped to one", "USING mood::text::mood", "USING 'ok'"},
		{"labels are in the old order", "AS ENUM ('glad', 'ok', 'sad')", "AS ENUM ('sad', 'ok', 'glad')"},
		{"the old type stays", "DROP TYPE __altergate_mood", "SELECT 1"},
		{"the view stands in the way", "DROP VIEW named", "SELECT 1"},
		{"the view does not come back", "CREATE VIEW again", "CREATE VIEW elsewhere"},
		{"the grant does not come back", "GRANT SELECT ON TABLE again TO PUBLIC", "SELECT 1"},
		{"the comment does not come back", "COMMENT ON VIEW again IS 'names'", "SELECT 1"},
		{"the foreign key is not validated", "VALIDATE CONSTRAINT child_parent_id_fkey", "ALTER CONSTRAINT child_parent_id_fkey NOT DEFERRABLE"},
		{"the check is not validated", "VALIDATE CONSTRAINT child_amount_check", "ALTER COLUMN amount DROP DEFAULT"},
		{"the check is another", "CHECK (amount <> 'no')", "CHECK (amount <> 'No')"},
		{"the new index lacks a column", "ON child (amount, id)", "ON child (amount)"},
		{"the old index stays", "DROP INDEX CONCURRENTLY child_amount", "SELECT 1"},
		{"the new index keeps its working name", "RENAME TO child_amount", "RENAME TO child_amount_2"},
		{"rows go", "ALTER SEQUENCE parent_id_seq", "DELETE FROM parent; ALTER SEQUENCE parent_id_seq"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			base, head := mustRead(t, tamperedBase), mustRead(t, tamperedHead)
			steps := mustPlan(t, base, head)
			if changed := tamper(steps, test.old, test.new); changed == (test.old == "") {
				t.Fatalf("the plan does not hold %q", test.old)
			}
			replayed := replay(base, head, steps)
			if replayed != nil && test.old != "" {
				return
			}
			result, engine := Dialect{}.Prove(context.Background(), url, base, head, diff.Renames{}, steps)
			if test.old == "" {
				if replayed != nil || engine != nil || result.Result != proof.Proved || len(result.Empty) > 0 {
					t.Fatalf("a good plan is refuted: replay %v, server %v, %+v", replayed, engine, result)
				}
				return
			}
			if engine == nil {
				t.Fatal("nobody noticed")
			}
		})
	}
}

// TestTheServersFormIsTheAuthority: what differs here and is one thing to the server makes no step where there is one to ask.
func TestTheServersFormIsTheAuthority(t *testing.T) {
	url := postgrestest.URL(t)
	base, head := mustRead(t, "CREATE TABLE t (a int, CHECK (a > 0))"), mustRead(t, "CREATE TABLE t (a int, CHECK (a > 0))")
	// As if the two spellings had not been recognised.
	head.Schema.Tables[0].Constraints[0].Canon += " in other words"
	if changes := diff.Schemas(base.Schema, head.Schema); len(changes) != 2 {
		t.Fatalf("the sides do not differ: %v", changes)
	}
	if err := (Dialect{}).Align(context.Background(), url, base, base, head, diff.Renames{}); err != nil {
		t.Fatal(err)
	}
	if changes := diff.Schemas(base.Schema, head.Schema); len(changes) != 0 {
		t.Errorf("the server was not heard: %v", changes)
	}
	if err := replay(mustRead(t, "CREATE TABLE t (a int, CHECK (a > 0))"), head, nil); err != nil {
		t.Errorf("the replay has not heard it: %v", err)
	}
	other := mustRead(t, "CREATE TABLE t (a int, CHECK (a > 1))")
	if err := (Dialect{}).Align(context.Background(), url, base, base, other, diff.Renames{}); err != nil {
		t.Fatal(err)
	}
	if changes := diff.Schemas(base.Schema, other.Schema); len(changes) != 2 {
		t.Errorf("what differs on the server became the same: %v", changes)
	}
}

// TestTheServerTellsApart what is one thing here: two spellings of a default that it keeps in two forms.
func TestTheServerTellsApart(t *testing.T) {
	url := postgrestest.URL(t)
	base, head := mustRead(t, "CREATE TABLE t (a varchar(9) DEFAULT 'x')"), mustRead(t, "CREATE TABLE t (a varchar(9) DEFAULT 'x'::text)")
	if changes := diff.Schemas(base.Schema, head.Schema); len(changes) != 0 {
		t.Fatalf("the sides differ: %v", changes)
	}
	if err := (Dialect{}).Align(context.Background(), url, base, base, head, diff.Renames{}); err != nil {
		t.Fatal(err)
	}
	steps := mustPlan(t, base, head)
	if len(steps) != 1 || steps[0].Kind != "alter_column" {
		t.Fatalf("the server was not heard: %v", steps)
	}
	base = mustRead(t, "CREATE TABLE t (a varchar(9) DEFAULT 'x')")
	if err := replay(base, head, steps); err != nil {
		t.Error(err)
	}
	if _, err := (Dialect{}).Prove(context.Background(), url, base, head, diff.Renames{}, steps); err != nil {
		t.Error(err)
	}
}

func tamper(steps []*plan.Step, old, new string) bool {
	changed := false
	for _, s := range steps {
		for _, list := range [][]string{s.Before, s.SQL, s.After} {
			for i := range list {
				if old != "" && strings.Contains(list[i], old) {
					list[i], changed = strings.ReplaceAll(list[i], old, new), true
				}
			}
		}
	}
	return changed
}

func mustRead(t *testing.T, text string) *Loaded {
	t.Helper()
	l, err := Read(context.Background(), []*source.File{{Path: "schema.sql", Text: text}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func mustPlan(t *testing.T, base, head *Loaded) []*plan.Step {
	t.Helper()
	p, _, err := Dialect{}.Planner(context.Background(), base, base, head, plan.Options{})
	if err != nil {
		t.Fatal(err)
	}
	steps, _, err := p.Steps(plan.Input{Name: "main", From: base.Schema, To: head.Schema, Changes: diff.Schemas(base.Schema, head.Schema)})
	if err != nil {
		t.Fatal(err)
	}
	return steps
}

// TestStatementsThatMayDoAnything are compared by their text: a new one is a step, one that is gone undoes nothing, and one that is on
// both sides is no change.
func TestStatementsThatMayDoAnything(t *testing.T) {
	const block = "DO $$ BEGIN EXECUTE 'DROP TABLE t'; END $$"
	without, with := "CREATE TABLE t (a int)", "CREATE TABLE t (a int);\n"+block
	for _, test := range []struct {
		name, base, head string
		want             []string
	}{
		{"new", without, with, []string{block}},
		{"gone", with, without, nil},
		{"the same", with, with, nil},
		{"a function of the schema's own", without, "CREATE TABLE t (a int); SELECT partition_all('t')", []string{"SELECT partition_all('t')"}},
		{"only reads", without, "CREATE TABLE t (a int); SELECT count(*) FROM t", nil},
	} {
		base, head := mustRead(t, test.base), mustRead(t, test.head)
		if err := (Dialect{}).Align(context.Background(), "", base, base, head, diff.Renames{}); err != nil {
			t.Fatal(err)
		}
		steps := mustPlan(t, base, head)
		var got []string
		for _, s := range steps {
			got = append(got, s.SQL...)
		}
		if d := cmp.Diff(test.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, d)
		}
		if err := replay(mustRead(t, test.base), head, steps); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

// TestBodiesThatBreakAreTold: the server does not look into the string that a function's body is, so a rename which it has not followed
// stops no plan. Whoever reviews it is told.
func TestBodiesThatBreakAreTold(t *testing.T) {
	const table = "CREATE TABLE song (id int, seconds int);\n"
	for body, want := range map[string]string{
		"SELECT sum(length) FROM song":  "the body of function total() names the column length, which is not there: it fails when it runs",
		"SELECT count(*) FROM tune":     "the body of function total() names the relation tune, which is not there: it fails when it runs",
		"SELECT sum(seconds) FROM song": "",
	} {
		l := mustRead(t, table+"CREATE FUNCTION total() RETURNS bigint LANGUAGE sql AS $$ "+body+" $$")
		var got []string
		for _, n := range l.told.Notices {
			got = append(got, n.Text)
		}
		if text := strings.Join(got, "\n"); text != want {
			t.Errorf("%s: got %q, want %q", body, text, want)
		}
	}
}
