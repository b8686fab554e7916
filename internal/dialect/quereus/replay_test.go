package quereus

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/source"
)

const provenBase = `declare schema main {
  table depot (id integer primary key, code text)
  table stock (sku text primary key, qty integer default 0, depot_id integer null, old text,
    constraint fk foreign key (depot_id) references depot(id), constraint enough check (qty >= 0)) with tags (owner = 'ops')
  table junk (id integer primary key)
  index by_qty on stock (qty)
  view empty as select sku from stock where qty = 0
  assertion few check (not exists (select 1 from empty))
}`

const provenHead = `declare schema main {
  table hub (id integer primary key, code text collate nocase) with tags ("quereus.previous_name" = 'depot')
  table stock (sku text primary key, amount integer default 1 with tags ("quereus.previous_name" = 'qty'), depot_id integer null, note text default '',
    constraint fk foreign key (depot_id) references hub(id) on delete cascade, constraint enough check (amount >= 1)) with tags (owner = 'dev')
  index by_qty on stock (amount, note)
  view empty as select sku, note from stock where amount = 0
  assertion few check (not exists (select 1 from empty))
}`

// TestTamperedPlansAreRefuted spoils a good plan in ways in which plans can be wrong. The replay has to notice each.
func TestTamperedPlansAreRefuted(t *testing.T) {
	tests := []struct {
		name, old, new string
	}{
		{"as it is", "", ""},
		{"a table keeps its name", "RENAME TO hub", "RENAME TO depot"},
		{"a table gets another name", "RENAME TO hub", "RENAME TO hubs"},
		{"a column keeps its name", "RENAME COLUMN qty TO amount", "RENAME COLUMN qty TO qty"},
		{"another column is renamed", "RENAME COLUMN qty TO amount", "RENAME COLUMN old TO amount"},
		{"the default is another one", "SET DEFAULT 1", "SET DEFAULT 2"},
		{"the collation is forgotten", "SET COLLATE NOCASE", "SET COLLATE BINARY"},
		{"a constraint that goes stays", "ALTER TABLE stock DROP CONSTRAINT fk", "ALTER TABLE stock DROP TAGS (none)"},
		{"the foreign key restricts", "on delete cascade", ""},
		{"the check lets more in", "amount >= 1", "amount >= 0"},
		{"the index is over less", "(amount, note)", "(amount)"},
		{"the view is another one", "create view empty as select sku, note", "create view empty as select sku"},
		{"the assertion is in the way", "DROP ASSERTION IF EXISTS few", "DROP ASSERTION IF EXISTS many"},
		{"the assertion does not come back", "create assertion few", "create assertion many"},
		{"a table is left", "DROP TABLE IF EXISTS junk", "DROP TABLE IF EXISTS junks"},
		{"another table goes", "DROP TABLE IF EXISTS junk", "DROP TABLE IF EXISTS hub"},
		{"a column is left", "DROP COLUMN old", "DROP TAGS (none)"},
		{"tags are not set", "SET TAGS (owner = 'dev')", "SET TAGS (owner = 'ops')"},
		{"two statements in one", "DROP COLUMN old", "DROP COLUMN old; DROP TABLE junk"},
		{"no statement at all", "DROP COLUMN old", "DROP COLUMN"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			base, renamed, head, steps := proven(t)
			if changed := tamper(steps, test.old, test.new); changed == (test.old == "") {
				t.Fatalf("the plan does not hold %q", test.old)
			}
			err := replay(base, renamed, head, steps)
			if (err == nil) != (test.old == "") {
				t.Errorf("the replay says: %v", err)
			}
		})
	}
}

// TestOrderIsProved moves each step to the end and to the front: a replay takes that only where nothing depends on the order.
func TestOrderIsProved(t *testing.T) {
	refused := map[string]bool{}
	_, _, _, steps := proven(t)
	for i := range steps {
		for _, to := range []int{0, len(steps) - 1} {
			base, renamed, head, steps := proven(t)
			moved := steps[i]
			steps = slices.Insert(slices.Delete(steps, i, i+1), to, moved)
			if replay(base, renamed, head, steps) != nil {
				refused[moved.Kind+" "+moved.Object] = true
			}
		}
	}
	for _, name := range []string{"create_index stock.by_qty", "create_view empty", "add_check stock.enough", "rename_table hub", "add_column stock.note", "create_assertion few"} {
		if !refused[name] {
			t.Errorf("%s can stand anywhere, and should not", name)
		}
	}
}

// TestForgottenStepsAreRefuted leaves out each step, and all.
func TestForgottenStepsAreRefuted(t *testing.T) {
	base, renamed, head, steps := proven(t)
	if replay(base, renamed, head, nil) == nil {
		t.Error("a plan without steps was proved")
	}
	for i, s := range steps {
		base, renamed, head, _ := proven(t)
		if replay(base, renamed, head, slices.Delete(slices.Clone(steps), i, i+1)) == nil {
			t.Errorf("nobody missed %s %s", s.Kind, s.Object)
		}
	}
}

func proven(t *testing.T) (base, renamed, head *Loaded, steps []*plan.Step) {
	t.Helper()
	base, head = mustRead(t, provenBase), mustRead(t, provenHead)
	d, ctx := Dialect{}, context.Background()
	hints, err := d.Marked(base, head, nil)
	if err != nil {
		t.Fatal(err)
	}
	renames, _, err := diff.Resolve(diff.NamesOf(base.schema), diff.NamesOf(head.schema), hints, nil, diff.Allow, d.Key)
	if err != nil {
		t.Fatal(err)
	}
	if renamed, err = d.Rename(ctx, base, renames); err != nil {
		t.Fatal(err)
	}
	if err := d.Align(ctx, "", base, renamed, head, renames); err != nil {
		t.Fatal(err)
	}
	p, _, err := d.Planner(ctx, base, renamed, head, plan.Options{})
	if err != nil {
		t.Fatal(err)
	}
	steps, _, err = p.Steps(plan.Input{Name: "main", From: renamed.schema, To: head.schema, Renames: renames, Changes: diff.Schemas(renamed.schema, head.schema)})
	if err != nil {
		t.Fatal(err)
	}
	return base, renamed, head, steps
}

func mustRead(t *testing.T, text string) *Loaded {
	t.Helper()
	l, err := read([]*source.File{{Path: "schema.sql", Text: text}})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func tamper(steps []*plan.Step, old, new string) bool {
	changed := false
	for _, s := range steps {
		for i := range s.SQL {
			if old != "" && strings.Contains(s.SQL[i], old) {
				s.SQL[i], changed = strings.ReplaceAll(s.SQL[i], old, new), true
			}
		}
	}
	return changed
}
