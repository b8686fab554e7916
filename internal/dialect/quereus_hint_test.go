package dialect

import (
	"context"
	"strings"
	"testing"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/source"
)

// TestQuereusHintsWork pastes every hint that a plan offers, where HINT stands in the head, and wants it to make one rename. Where nothing
// makes the old object the new one, no hint is offered.
func TestQuereusHintsWork(t *testing.T) {
	const main = "declare schema main { table keep (id integer primary key) }\n"
	for name, test := range map[string]struct{ base, head, rename string }{
		"in main": {`declare schema main { table a (id integer primary key) }`, `declare schema main { table b (id integer primary key) HINT }`, "ALTER TABLE a RENAME TO b"},
		"in another schema": {main + `declare schema X { table a (id integer primary key) }`, main + `declare schema x { table b (id integer primary key) HINT }`,
			"ALTER TABLE X.a RENAME TO b"},
		"a dot in a name": {main + `declare schema x { table "a.b" (id integer primary key) }`, main + `declare schema x { table c (id integer primary key) HINT }`,
			`ALTER TABLE x."a.b" RENAME TO c`},
		"a dot in a name of main":        {`declare schema main { table "a.b" (id integer primary key) }`, `declare schema main { table c (id integer primary key) HINT }`, `ALTER TABLE "a.b" RENAME TO c`},
		"a quote in a name":              {`declare schema main { table "a'b""" (id integer primary key) }`, `declare schema main { table c (id integer primary key) HINT }`, `ALTER TABLE "a'b""" RENAME TO c`},
		"a column":                       {`declare schema main { table t (id integer primary key, "x.y" text) }`, `declare schema main { table t (id integer primary key, z text HINT) }`, `ALTER TABLE t RENAME COLUMN "x.y" TO z`},
		"a column elsewhere":             {main + `declare schema x { table t (id integer primary key, y text) }`, main + `declare schema x { table t (id integer primary key, z text HINT) }`, `ALTER TABLE x.t RENAME COLUMN y TO z`},
		"across schemas":                 {main + `declare schema x { table a (id integer primary key, y text) }`, main + `declare schema x { } declare schema y { table a (id integer primary key, y text) }`, ""},
		"into main":                      {main + `declare schema x { table a (id integer primary key, y text) }`, main[:len(main)-2] + `table b (id integer primary key, y text) } declare schema x { }`, ""},
		"a comma in a name":              {`declare schema main { table "a,b" (id integer primary key) }`, `declare schema main { table c (id integer primary key) }`, ""},
		"a comma in the name of columns": {`declare schema main { table t (id integer primary key, "x,y" text) }`, `declare schema main { table t (id integer primary key, z text) }`, ""},
		"a blank before a name":          {`declare schema main { table " a" (id integer primary key) }`, `declare schema main { table c (id integer primary key) }`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			ask := func(head string) Answer {
				answer := All["quereus"](context.Background(), Question{Name: "main", Renames: diff.Allow,
					Base: Text{Files: []*source.File{{Path: "base.sql", Text: test.base}}}, Head: Text{Files: []*source.File{{Path: "head.sql", Text: head}}}})
				if answer.Plan == nil {
					t.Fatalf("no plan: %v", answer.Errors)
				}
				return answer
			}
			possible := ask(strings.Replace(test.head, "HINT", "", 1)).Plan.PossibleRenames
			if test.rename == "" {
				if len(possible) > 0 {
					t.Errorf("a hint is offered: %+v", possible)
				}
				return
			}
			if len(possible) != 1 {
				t.Fatalf("possible renames: %+v", possible)
			}
			steps := ask(strings.Replace(test.head, "HINT", possible[0].Hint, 1)).Plan.Steps
			if len(steps) != 1 || steps[0].SQL[0] != test.rename {
				t.Errorf("with the hint %s: %+v, want %s", possible[0].Hint, steps, test.rename)
			}
		})
	}
}
