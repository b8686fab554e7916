package mysql

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/altergate/altergate/internal/dialect/mysql/mysqltest"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/proof"
	"github.com/altergate/altergate/internal/source"
)

const tamperedBase = `
CREATE TABLE parent (id int NOT NULL AUTO_INCREMENT, name varchar(40) NOT NULL DEFAULT 'none' COMMENT 'who', mood enum('sad','ok') DEFAULT 'ok', PRIMARY KEY (id), KEY parent_name (name));
CREATE TABLE child (id int NOT NULL PRIMARY KEY, parent_id int, amount decimal(8,2), note varchar(20) CHARACTER SET latin1);
CREATE VIEW named AS SELECT id, name FROM parent;
CREATE TRIGGER stamp BEFORE UPDATE ON child FOR EACH ROW SET NEW.note = 'changed';
CREATE FUNCTION twice(n int) RETURNS int DETERMINISTIC RETURN 2 * n;
`

const tamperedHead = `
CREATE TABLE parent (id int NOT NULL AUTO_INCREMENT, name varchar(60) NOT NULL DEFAULT 'none' COMMENT 'who', mood enum('sad','ok','glad') DEFAULT 'ok', PRIMARY KEY (id), KEY parent_name (name, mood));
CREATE TABLE child (id int NOT NULL PRIMARY KEY, extra int DEFAULT 7, parent_id int, amount decimal(10,2), note varchar(20) CHARACTER SET utf8mb4, CONSTRAINT child_parent FOREIGN KEY (parent_id) REFERENCES parent (id) ON DELETE CASCADE, CONSTRAINT child_amount CHECK (amount > -5));
CREATE VIEW named AS SELECT id, name, mood FROM parent;
CREATE TRIGGER stamp BEFORE UPDATE ON child FOR EACH ROW SET NEW.note = 'other';
CREATE FUNCTION twice(n int) RETURNS int DETERMINISTIC RETURN 3 * n;
`

// tampered gives what a spoilt statement becomes; false leaves it as it is.
type tampered func(sql string) (string, bool)

// instead has one text for another, in the statements that hold it.
func instead(old, changed string) tampered {
	return func(sql string) (string, bool) {
		return strings.Replace(sql, old, changed, 1), strings.Contains(sql, old)
	}
}

// without leaves a statement out that holds all of some texts.
func without(texts ...string) tampered {
	return func(sql string) (string, bool) {
		return "SELECT 1", !slices.ContainsFunc(texts, func(t string) bool { return !strings.Contains(sql, t) })
	}
}

// after puts a statement behind the one that holds a text.
func after(text, also string) tampered {
	return func(sql string) (string, bool) { return sql + "\x00" + also, strings.Contains(sql, text) }
}

// TestTamperedPlansAreRefuted spoils a good plan in the ways in which plans have been wrong elsewhere. Each has to be found out: by
// the replay, by the run on the server, or by both.
func TestTamperedPlansAreRefuted(t *testing.T) {
	url := mysqltest.URL(t)
	tests := []struct {
		name string
		do   tampered
	}{
		{"as it is", nil},
		{"a default is forgotten", instead("DEFAULT 'none'", "")},
		{"NOT NULL is forgotten", instead("NOT NULL DEFAULT 'none'", "DEFAULT 'none'")},
		{"a comment is forgotten", instead("COMMENT 'who'", "")},
		{"the type stays", instead("varchar(60)", "varchar(40)")},
		{"the type is too short", instead("varchar(60)", "varchar(6)")},
		{"members in another order", instead("'sad','ok','glad'", "'glad','sad','ok'")},
		{"a member is lost", instead("'sad','ok','glad'", "'sad','glad'")},
		{"decimals are lost", instead("decimal(10,2)", "decimal(10,0)")},
		{"the column is unsigned", instead("decimal(10,2)", "decimal(10,2) unsigned")},
		{"the character set stays", instead("utf8mb4", "latin1")},
		{"the new column stands last", instead(" AFTER `id`", "")},
		{"the new default is another", instead("DEFAULT 7", "DEFAULT 8")},
		{"the key lacks a column", instead("(`name`, `mood`)", "(`name`)")},
		{"the foreign key does nothing", instead("ON DELETE CASCADE", "")},
		{"the check is another", instead("> -5", "> -50")},
		{"the view is the old one", instead(", mood FROM parent", " FROM parent")},
		{"the trigger is the old one", instead("'other'", "'changed'")},
		{"the function is the old one", instead("3 * n", "2 * n")},
		{"the view is left out", without("VIEW named")},
		{"the trigger does not come back", without("CREATE", "TRIGGER")},
		{"rows go", after("ALTER TABLE", "DELETE FROM parent")},
		{"values go", after("ALTER TABLE", "UPDATE child SET amount = NULL")},
		{"counting begins again", after("ALTER TABLE", "ALTER TABLE parent AUTO_INCREMENT = 1")},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			base, head := mustLoad(t, tamperedBase), mustLoad(t, tamperedHead)
			steps := planned(t, base, head)
			if changed := tamper(steps, test.do); test.do != nil && !changed {
				t.Fatalf("the plan has no place for it:\n%s", sqlOf(steps))
			}
			replayed := replay(base, head, steps)
			if replayed != nil && test.do != nil {
				return
			}
			result, engine := dialectOf(t).Prove(context.Background(), url, base, head, diff.Renames{}, steps)
			if test.do == nil {
				if replayed != nil || engine != nil || result.Result != proof.Proved || len(result.Empty) > 0 {
					t.Fatalf("a good plan is refuted: replay %v, server %v, %+v\n%s", replayed, engine, result, sqlOf(steps))
				}
				return
			}
			if engine == nil {
				t.Fatalf("nobody noticed: %+v\n%s", result, sqlOf(steps))
			}
		})
	}
}

// tamper spoils the first statement for which there is something to spoil.
func tamper(steps []*plan.Step, do tampered) bool {
	for _, s := range steps {
		for i, sql := range s.SQL {
			if do == nil {
				continue
			}
			if spoilt, ok := do(sql); ok {
				s.SQL = slices.Replace(s.SQL, i, i+1, strings.Split(spoilt, "\x00")...)
				return true
			}
		}
	}
	return false
}

func sqlOf(steps []*plan.Step) string {
	var out []string
	for _, s := range steps {
		out = append(out, s.Statements()...)
	}
	return strings.Join(out, ";\n")
}

// dialectOf is that of the server which tests run on.
func dialectOf(t *testing.T) Dialect {
	t.Helper()
	s := mysqltest.Server(t)
	return Dialect{Oldest: s, Newest: s}
}

func mustLoad(t *testing.T, sql string) *Loaded {
	t.Helper()
	l, err := dialectOf(t).Read(context.Background(), []*source.File{{Path: "schema.sql", Text: sql}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// planned makes the plan from one side to the other.
func planned(t *testing.T, base, head *Loaded) []*plan.Step {
	t.Helper()
	d, ctx := dialectOf(t), context.Background()
	renamed, err := d.Rename(ctx, base, diff.Renames{})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Align(ctx, "", base, renamed, head, diff.Renames{}); err != nil {
		t.Fatal(err)
	}
	planner, _, err := d.Planner(ctx, base, renamed, head, plan.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := plan.Build(plan.Input{Name: "main", From: renamed.Schema, To: head.Schema, Changes: diff.Schemas(renamed.Schema, head.Schema)}, planner)
	if err != nil {
		t.Fatal(err)
	}
	return p.Steps
}
