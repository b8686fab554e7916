package migration_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/migration"
	"github.com/altergate/altergate/internal/schema"
)

// comparing is two directories and what becomes of them.
type comparing struct {
	name       string
	base, head []string // paths below m and texts, in pairs
	tool       string
	want       string
	wantErr    string
}

func (c comparing) run(t *testing.T) {
	t.Helper()
	t.Run(c.name, func(t *testing.T) {
		read := func(files []string) *migration.Directory {
			pairs := append([]string(nil), files...)
			for i := 0; i < len(pairs); i += 2 {
				pairs[i] = "m/" + pairs[i]
			}
			if len(pairs) == 0 {
				return nil
			}
			d, err := migration.Read(tree(pairs...), "m", migration.Options{Tool: c.tool, Dialect: "postgres"})
			if err != nil {
				t.Fatal(err)
			}
			return d
		}
		delta, err := migration.Compare(read(c.base), read(c.head))
		switch {
		case c.wantErr != "":
			if err == nil || !strings.Contains(err.Error(), c.wantErr) {
				t.Errorf("error %v, want one with %q", err, c.wantErr)
			}
			for _, e := range schema.Errors(err) {
				if e.Kind != schema.KindSource || e.Pos.File == "" {
					t.Errorf("%#v is of no file of the source", e)
				}
			}
		case err != nil:
			t.Error(err)
		default:
			if diff := cmp.Diff(strings.TrimSpace(c.want), told(delta)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		}
	})
}

// told writes a delta down: the new ones, then each finding.
func told(d *migration.Delta) string {
	var b strings.Builder
	b.WriteString("new")
	for _, m := range d.New {
		b.WriteString(" " + m.Version)
	}
	for _, f := range d.Findings {
		b.WriteString("\n" + f.Rule + " " + string(f.Side) + " " + f.Pos.String() + ": " + f.Text)
		if f.Replay {
			b.WriteString(" [replay]")
		}
	}
	return b.String()
}

func TestCompare(t *testing.T) {
	for _, c := range []comparing{
		{name: "the first", head: []string{"1_a.sql", "a", "2_b.sql", "b"}, want: "new 1 2"},
		{name: "one more", base: []string{"1_a.sql", "a"}, head: []string{"1_a.sql", "a", "2_b.sql", "b"}, want: "new 2"},
		{name: "edited", base: []string{"1_a.sql", "a b"}, head: []string{"1_a.sql", "a c"}, want: `new
edited-migration head m/1_a.sql:1:1: was edited after it was merged: databases that have run it keep what it did before; undo the edit, and add a new migration [replay]`},
		{name: "edited comments", base: []string{"1_a.sql", "a ( b)"}, head: []string{"1_a.sql", "-- x\na(\n  b /* c */ )"}, want: "new"},
		{name: "edited comments where sums are kept", tool: "sqlx", base: []string{"1_a.sql", "a"}, head: []string{"1_a.sql", "-- x\na"}, want: `new
edited-migration head m/1_a.sql:1:1: has other comments or white space than when it was merged: it does the same, but sqlx complains that its checksum has changed; undo the edit`},
		{name: "edited where sums are kept", tool: "sqlx", base: []string{"1_a.sql", "a"}, head: []string{"1_a.sql", "b"}, want: `new
edited-migration head m/1_a.sql:1:1: was edited after it was merged: databases that have run it keep what it did before, and sqlx complains that its checksum has changed; undo the edit, and add a new migration [replay]`},
		{name: "a string is no comment", base: []string{"1_a.sql", "a '-- x'"}, head: []string{"1_a.sql", "a '-- y'"}, want: `new
edited-migration head m/1_a.sql:1:1: was edited after it was merged: databases that have run it keep what it did before; undo the edit, and add a new migration [replay]`},
		{name: "edited way back", base: []string{"1_a.up.sql", "a", "1_a.down.sql", "b"}, head: []string{"1_a.up.sql", "a", "1_a.down.sql", "c"}, want: `new
edited-down head m/1_a.up.sql:1:1: has another way back than when it was merged; that is harmless unless somebody has gone back with it already`},
		{name: "a comment above the way back", base: []string{"1_a.sql", "-- migrate:up\na\n-- migrate:down\nb"}, head: []string{"1_a.sql", "-- migrate:up\na\n-- x\n-- migrate:down\nb -- y"}, want: "new"},
		{name: "another transaction", base: []string{"1_a.sql", "-- +goose Up\na"}, head: []string{"1_a.sql", "-- +goose Up\n-- +goose NO TRANSACTION\na"}, want: `new
edited-migration head m/1_a.sql:3:1: says otherwise than when it was merged whether it runs in a transaction, which is of no effect where it has been run`},
		{name: "numbered files seen as another tool's", base: []string{"1_a.up.sql", "a"}, head: []string{"go.mod", "require github.com/golang-migrate/migrate/v4 v4.18.0", "1_a.up.sql", "a", "2_b.up.sql", "b"}, want: "new 2"},
		{name: "a folder's version taken over", base: []string{"1_a/up.sql", "a"}, head: []string{"1_b/up.sql", "b"}, want: `new
never-run head m/1_b/up.sql:1:1: has the version 1, which is m/1_a/up.sql at the base: databases that have run that one never run this one; give it a new version [replay]`},
		{name: "deleted way back", base: []string{"1_a.up.sql", "a", "1_a.down.sql", "b"}, head: []string{"1_a.up.sql", "a"}, want: `new
missing-down head m/1_a.up.sql:1:1: has lost its way back, which it had when it was merged`},
		{name: "renamed", base: []string{"1_a.sql", "a"}, head: []string{"1_b.sql", "a"}, want: `new
renamed-migration head m/1_b.sql:1:1: is m/1_a.sql at the base; the version and the statements are the same`},
		{name: "the version taken over", base: []string{"1_a.sql", "a"}, head: []string{"1_b.sql", "b"}, want: `new
never-run head m/1_b.sql:1:1: has the version 1, which is m/1_a.sql at the base: databases that have run that one never run this one; give it a new version [replay]`},
		{name: "deleted", base: []string{"1_a.sql", "a", "2_b.sql", "b"}, head: []string{"1_a.sql", "a"}, want: `new
deleted-migration base m/2_b.sql:1:1: was deleted after it was merged: databases that are up to date keep what was done, and new ones do not get it [replay]`},
		{name: "renumbered", base: []string{"1_a.sql", "a", "2_b.sql", "b"}, head: []string{"1_a.sql", "a", "3_b.sql", "b"}, want: `new 3
deleted-migration base m/2_b.sql:1:1: was deleted after it was merged: databases that are up to date keep what was done, and new ones do not get it; m/3_b.sql is the same under a new version, and would run again [replay]`},
		{name: "squashed", base: []string{"1_a.sql", "a", "2_b.sql", "b", "3_c.sql", "c", "4_d.sql", "d"}, head: []string{"5_all.sql", "a; b"}, want: `new 5
deleted-migration base m/1_a.sql:1:1: 4 migrations were deleted after they were merged (1_a.sql, 2_b.sql, 3_c.sql, …): databases that are up to date keep what was done, and new ones do not get it [replay]`},
		{name: "taken twice", base: []string{"1_a.sql", "a", "2_c.sql", "c"}, head: []string{"1_a.sql", "a", "2_b.sql", "b", "2_c.sql", "c"}, wantErr: "head: m/2_b.sql:1:1: has the version 2, which m/2_c.sql has already; give one of them another, as the tool would run only one or neither"},
		{name: "taken twice in one pull request", head: []string{"1_a.sql", "a", "01_b.sql", "b"}, wantErr: "has the version 1, which"},
		{name: "taken twice at the base", base: []string{"1_a.sql", "a", "1_b.sql", "b"}, head: []string{"1_a.sql", "a", "1_b.sql", "b"}, want: `new
duplicate-version head m/1_b.sql:1:1: has the version 1, as m/1_a.sql does; the base has both`},
		{name: "drizzle's folders", base: []string{"meta/_journal.json", `{"entries":[{"tag":"0_a","when":5},{"tag":"1_b","when":6}]}`, "0_a.sql", "a", "1_b.sql", "b"},
			head: []string{"20240101_a/migration.sql", "a", "20240101_a/snapshot.json", "{}", "20240102_b/migration.sql", "b", "20240103_c/migration.sql", "c"}, want: "new 20240103_c"},
		{name: "a changeset twice at the base", base: []string{"a.sql", "--liquibase formatted sql\n--changeset a:1\na;\n--changeset a:1\nb;"}, head: []string{"a.sql", "--liquibase formatted sql\n--changeset a:1\na;\n--changeset a:1\nb;"}, want: `new
duplicate-version head m/a.sql:5:1: has the version 1::a::m/a.sql, as m/a.sql does; the base has both`},
		{name: "a changeset that runs on change", base: []string{"a.sql", "--liquibase formatted sql\n--changeset a:1 runOnChange:true\na;\n--changeset a:2\nb;"}, head: []string{"a.sql", "--liquibase formatted sql\n--changeset a:1 runOnChange:true\nc;\n--changeset a:2\n-- x\nb;"}, want: `new 1::a::m/a.sql
edited-migration head m/a.sql:5:1: has other comments or white space than when it was merged: it does the same, but liquibase complains that its checksum has changed; undo the edit`},
		{name: "another tool", base: []string{"1_a.sql", "-- +goose Up\na"}, head: []string{"1_a.sql", "-- migrate:up\na"}, wantErr: "head: m: the migrations are for dbmate (by the marker -- migrate:up), and were for goose (by the marker -- +goose Up) at the base"},
		{name: "numbered is numbered", base: []string{"1_a.up.sql", "a"}, head: []string{"1_a.up.sql", "a", "atlas.sum", "h1:vz+tnslYHCP1bUwnZTMGVMCK1xh2G3BhH2WHBrHWXTk=\n1_a.up.sql h1:x"}, wantErr: "1_a.up.sql is not the file that was summed"},
		{name: "another language", head: []string{"1_a.sql", "a", "2_b.py", "b"}, want: `new 1 2
unread-migration head m/2_b.py: is written in Python: what it does cannot be seen here [replay]`},
		{name: "another language edited", base: []string{"1_a.sql", "a", "2_b.py", "b"}, head: []string{"1_a.sql", "a", "2_b.py", "c"}, want: `new
edited-migration head m/2_b.py: was edited after it was merged: databases that have run it keep what it did before; undo the edit, and add a new migration [replay]`},
		{name: "no way back among some", base: []string{"1_a.up.sql", "a", "1_a.down.sql", "a"}, head: []string{"1_a.up.sql", "a", "1_a.down.sql", "a", "2_b.up.sql", "b"}, want: `new 2
missing-down head m/2_b.up.sql:1:1: has no way back; most others here have one`},
		{name: "no way back among none", base: []string{"1_a.up.sql", "a"}, head: []string{"1_a.up.sql", "a", "2_b.up.sql", "b"}, want: "new 2"},
		{name: "dbmate wants one", head: []string{"1_a.sql", "-- migrate:up\na"}, want: `new 1
missing-down head m/1_a.sql:2:1: has no way back; dbmate demands -- migrate:down`},
		{name: "repeatable", tool: "flyway", base: []string{"V1__a.sql", "a", "R__x.sql", "x", "R__y.sql", "y", "R__z.sql", "z"}, head: []string{"V1__a.sql", "a", "V2__b.sql", "b", "R__x.sql", "xx", "R__y.sql", "-- c\ny", "R__n.sql", "n"}, want: `new 2 R n R x
deleted-migration base m/R__z.sql:1:1: the repeatable migration z is deleted: what it made stays in databases that ran it, and new ones do not get it [replay]`},
		{name: "a baseline in place of versions", base: []string{"V1__a.sql", "a"}, head: []string{"B1__b.sql", "b", "V2__c.sql", "c"}, want: `new 2
deleted-migration base m/V1__a.sql:1:1: was deleted after it was merged: databases that are up to date keep what was done, and new ones do not get it [replay]
baseline head m/B1__b.sql:1:1: is for empty databases only: those that have run the base never run it [replay]`},
	} {
		c.run(t)
	}
}

// TestCompareOutOfOrder: every tool has its own way with a migration that comes late.
func TestCompareOutOfOrder(t *testing.T) {
	const before = "out-of-order head m/2_b.sql:1:1: is new and sorts before 3_c, which the base has: "
	base, head := []string{"1_a.sql", "a", "3_c.sql", "c"}, []string{"1_a.sql", "a", "2_b.sql", "b", "3_c.sql", "c", "4_d.sql", "d"}
	journal := func(entries string) string { return `{"entries":[` + entries + `]}` }
	for _, c := range []comparing{
		{name: "plain", base: base, head: head, want: "new 2 4\n" + before + "many tools never run it then; give it a version after the newest [replay]"},
		{name: "sqlx", tool: "sqlx", base: base, head: head, want: "new 2 4\n" + before + "databases that are up to date run it after that one, new ones before [replay]"},
		{name: "supabase", tool: "supabase", base: base, head: head, want: "new 2 4\n" + before + "supabase refuses to run it; give it a version after the newest [replay]"},
		{name: "golang-migrate", tool: "golang-migrate", base: []string{"3_c.up.sql", "c"}, head: []string{"2_b.up.sql", "b", "3_c.up.sql", "c", "4_d.up.sql", "d"}, want: `new 4
never-run head m/2_b.up.sql:1:1: is new and sorts before 3_c, which the base has: golang-migrate never runs it where the base has been run; give it a version after the newest [replay]`},
		{name: "drizzle", base: []string{"meta/_journal.json", journal(`{"tag":"0_a","when":5}`), "0_a.sql", "a"},
			head: []string{"meta/_journal.json", journal(`{"tag":"0_a","when":5},{"tag":"1_b","when":4},{"tag":"2_c","when":6}`), "0_a.sql", "a", "1_b.sql", "b", "2_c.sql", "c"}, want: `new 2_c
never-run head m/1_b.sql:1:1: is new, and its time in meta/_journal.json is not after the newest that the base has: drizzle never runs it where the base has been run; give it a version after the newest [replay]`},
	} {
		c.run(t)
	}
}

func TestCompareRails(t *testing.T) {
	structure := func(versions string) string {
		return "CREATE TABLE a (b int);\nINSERT INTO schema_migrations (version) VALUES\n" + versions + ";\n"
	}
	read := func(pairs ...string) *migration.Directory {
		d, err := migration.Read(tree(pairs...), "db/migrate", migration.Options{Dialect: "postgres"})
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	base := read("db/migrate/1_a.rb", "a", "db/structure.sql", structure("('1')"))
	delta, err := migration.Compare(base, read("db/migrate/1_a.rb", "a", "db/migrate/2_b.rb", "b", "db/migrate/3_c.rb", "c", "db/structure.sql", structure("('2'),\n('1')")))
	if err != nil {
		t.Fatal(err)
	}
	want := `new 2 3
unread-migration head db/migrate/2_b.rb: is written in Ruby: what it does cannot be seen here
unread-migration head db/migrate/3_c.rb: is written in Ruby: what it does cannot be seen here
stale-structure head db/migrate/3_c.rb: db/structure.sql does not list the version 3: run the migration, and commit the file that Rails writes [replay]`
	if diff := cmp.Diff(want, told(delta)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
