package sqlite

import (
	"context"
	"strings"
	"testing"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/proof"
	"github.com/altergate/altergate/internal/source"
)

const provenBase = `
CREATE TABLE parent (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT);
CREATE TABLE child (id INTEGER PRIMARY KEY, parent_id INTEGER REFERENCES parent (id) ON DELETE CASCADE);
CREATE TABLE loose (a TEXT, b TEXT);
CREATE VIEW named AS SELECT name FROM parent;
CREATE TRIGGER kept AFTER INSERT ON loose BEGIN UPDATE parent SET name = NEW.a WHERE id = 0; END;
`

const provenHead = `
CREATE TABLE parent (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL DEFAULT 'none');
CREATE TABLE child (id INTEGER PRIMARY KEY, parent_id INTEGER REFERENCES parent (id) ON DELETE CASCADE);
CREATE TABLE loose (a TEXT, b TEXT CHECK (b <> ''));
CREATE VIEW named AS SELECT name FROM parent;
CREATE TRIGGER kept AFTER INSERT ON loose BEGIN UPDATE parent SET name = NEW.a WHERE id = 0; END;
`

// TestTamperedPlansAreRefuted spoils a good plan in the ways in which plans have been wrong elsewhere. Each has to be found out:
// by the replay, by the run on the engine, or by both.
func TestTamperedPlansAreRefuted(t *testing.T) {
	tests := []struct {
		name, old, new string
	}{
		{"as it is", "", ""},
		{"rows of children go with a rebuilt parent", "PRAGMA foreign_keys = OFF", "SELECT 1"},
		{"the pragma stands inside the transaction", "BEGIN IMMEDIATE", "PRAGMA foreign_keys = ON; BEGIN IMMEDIATE"},
		{"enforcement stays off", "PRAGMA foreign_keys = ON", "SELECT 1"},
		{"NULL is not filled", "COALESCE(name, 'none')", "name"},
		{"NULL is filled with something else", "COALESCE(name, 'none')", "COALESCE(name, 'other')"},
		{"values change places", "SELECT rowid, a, b", "SELECT rowid, b, a"},
		{"rows are numbered anew", "(rowid, a, b) SELECT rowid, a, b", "(a, b) SELECT a, b"},
		{"rows are left out", "SELECT rowid, a, b FROM loose", "SELECT rowid, a, b FROM loose WHERE rowid > 11"},
		{"the high-water mark is lost", "SELECT '__altergate_new_parent', seq FROM", "SELECT '__altergate_new_parent', 0 FROM"},
		{"the view does not come back", "CREATE VIEW named AS SELECT name FROM parent", "SELECT 1"},
		{"the trigger comes back empty", "UPDATE parent SET name = NEW.a WHERE id = 0;", "SELECT 1;"},
		{"the check is forgotten", "CHECK (b <> '')", ""},
		{"the view stands in the way", "DROP VIEW named", "SELECT 1"},
		{"the transaction stays open", "COMMIT", "SELECT 1"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			base, head := mustRead(t, provenBase), mustRead(t, provenHead)
			steps := mustPlan(t, base, head)
			if changed := tamper(steps, test.old, test.new); changed == (test.old == "") {
				t.Fatalf("the plan does not hold %q", test.old)
			}
			replay := Replay(base, base, head, steps)
			result, engine := Prove(context.Background(), base, head, diff.Renames{}, steps)
			if test.old == "" {
				if replay != nil || engine != nil || result.Result != proof.Proved || len(result.Empty) > 0 {
					t.Fatalf("a good plan is refuted: replay %v, engine %v, %+v", replay, engine, result)
				}
				return
			}
			if replay == nil && engine == nil {
				t.Fatal("nobody noticed")
			}
		})
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
	steps, _, err := p.Steps(inputOf(base, head))
	if err != nil {
		t.Fatal(err)
	}
	return steps
}
