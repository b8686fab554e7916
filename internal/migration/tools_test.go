package migration_test

import (
	"testing"

	"github.com/altergate/altergate/internal/migration"
)

func TestReadNumbered(t *testing.T) {
	for _, r := range []reading{
		{name: "numbers, not names", files: []string{"10_c.sql", "c", "9_b.sql", "b", "0001_a.sql", "a", "99999999999999999999999_d.sql", "d"}, want: `
plain
1 m/0001_a.sql up=a
9 m/9_b.sql up=b
10 m/10_c.sql up=c
99999999999999999999999 m/99999999999999999999999_d.sql up=d
# m/10_c.sql: runs after 9_b.sql: numbers are compared as numbers`},
		{name: "dates", files: []string{"2024-01-31_b.sql", "b", "2024_01_05_120000-a.sql", "a", "2024-02-01.sql", "c"}, want: `
plain
20240131 m/2024-01-31_b.sql up=b
20240201 m/2024-02-01.sql up=c
20240105120000 m/2024_01_05_120000-a.sql up=a`},
		{name: "a number before a word", files: []string{"0001_2fa.sql", "a", "2024_x.sql", "b"}, want: `
plain
1 m/0001_2fa.sql up=a
2024 m/2024_x.sql up=b`},
		{name: "ways back", files: []string{"1_a.up.sql", "a", "1_a.down.sql", "b", "2_b.sql", "c", "2_b.rollback.sql", "d", "3_c_up.sql", "e", "3_c_down.sql", "f", "4-undo.sql", "h", "4.sql", "g"}, want: `
plain
1 m/1_a.up.sql up=a down=b
2 m/2_b.sql up=c down=d
3 m/3_c_up.sql up=e down=f
4 m/4.sql up=g down=h`},
		{name: "a way back from nothing", files: []string{"1_a.sql", "a", "2_b.down.sql", "b"}, want: `
plain
1 m/1_a.sql up=a
# m/2_b.down.sql: is a way back from nothing: no file goes up to the version 2; it is not run`},
		{name: "perhaps a way back", files: []string{"1_a.sql", "a", "2_slow_down.sql", "b"}, wantErr: "m/2_slow_down.sql:1:1: its name says that it is a way back, and no file goes up to the version 2"},
		{name: "no numbers", files: []string{"b.sql", "b", "a.sql", "a", "a.down.sql", "c"}, want: `
plain
a m/a.sql up=a down=c
b m/b.sql up=b
# m/a.down.sql: has no number: the files are read in the order of their names`},
		{name: "only below", files: []string{"v2/a.sql", "b", "v1/z.sql", "a", "v1/z.undo.sql", "x", "down/a.sql", "x"}, want: `
plain
v1/z.sql m/v1/z.sql up=a
v2/a.sql m/v2/a.sql up=b
# m/down/a.sql: is not run: its name says that it is a way back
# m/v1/z.sql: the files below are read in the order of their paths: no tool is known that reads such a directory
# m/v1/z.undo.sql: is not run: its name says that it is a way back`},
		{name: "other languages", files: []string{"1_a.sql", "a", "2_b.py", "b", "2_b_test.go", "x", "embed.go", "x", "README.md", "x"}, want: `
plain
1 m/1_a.sql up=a
2 m/2_b.py Python`},
		{name: "tern", files: []string{"001_a.sql", "a\n---- create above / drop below ----\nb\n"}, want: `
plain
1 m/001_a.sql up=a down=b`},
		{name: "below", files: []string{"1_a.sql", "a", "seed/1.sql", "s", "seed/2.sql", "s"}, want: `
plain
1 m/1_a.sql up=a
# m/seed: is not read: few tools look below the directory of the migrations; 2 SQL files`},
		{name: "empty", files: []string{"1_a.sql", "-- nothing\n"}, want: `
plain
1 m/1_a.sql up=
# m/1_a.sql: holds no statement that goes up`},
	} {
		r.run(t)
	}
}

func TestReadGolangMigrate(t *testing.T) {
	for _, r := range []reading{
		{name: "six digits", files: []string{"000002_b.up.sql", "b", "000001_a.up.sql", "a", "000001_a.down.sql", "z"}, want: `
golang-migrate
1 m/000001_a.up.sql up=a down=z tx implicit
2 m/000002_b.up.sql up=b tx implicit`},
		{name: "by go.mod", o: migration.Options{Dialect: "sqlite"}, files: []string{"/go.mod", "require github.com/golang-migrate/migrate/v4 v4.0.0", "20240101_a.up.sql", "a"}, want: `
golang-migrate
20240101 m/20240101_a.up.sql up=a tx`},
		{name: "mysql has no transaction", o: migration.Options{Tool: "golang-migrate", Dialect: "mysql"}, files: []string{"1_a.up.sql", "a", "2_b.sql", "b"}, want: `
golang-migrate
1 m/1_a.up.sql up=a
# m/2_b.sql: is not read: golang-migrate does not run a file with this name`},
		{name: "the version is a uint64", o: migration.Options{Tool: "golang-migrate"}, files: []string{"18446744073709551615_a.up.sql", "a", "18446744073709551616_b.up.sql", "b"}, wantErr: "m/18446744073709551616_b.up.sql:1:1: the version 18446744073709551616 is larger than"},
	} {
		r.run(t)
	}
}

func TestReadSqlx(t *testing.T) {
	for _, r := range []reading{
		{name: "by Cargo.toml", files: []string{"/Cargo.toml", "sqlx = \"0.8\"", "1_fix.sql", "a", "20240101_b.sql", "-- no-transaction\nb", "20240102_c.up.sql", "c", "20240102_c.down.sql", "d", "x.sql", "x"}, want: `
sqlx
1 m/1_fix.sql up=a tx
20240101 m/20240101_b.sql up=b
20240102 m/20240102_c.up.sql up=c down=d tx
# m/x.sql: is not read: sqlx does not run a file with this name`},
	} {
		r.run(t)
	}
}

func TestReadSupabase(t *testing.T) {
	d, err := migration.Read(tree("supabase/migrations/2_b.sql", "b", "supabase/migrations/10_a.sql", "a"), "supabase/migrations", migration.Options{Dialect: "postgres"})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := sketch(d), "supabase\n10 supabase/migrations/10_a.sql up=a tx\n2 supabase/migrations/2_b.sql up=b tx"; got != want {
		t.Errorf("%s", got)
	}
}

func TestReadGoose(t *testing.T) {
	for _, r := range []reading{
		{name: "parts", files: []string{"00002_b.sql", "-- a comment\n-- +goose up\nb;\n", "00001_a.sql", "-- +goose Up\n-- +goose StatementBegin\na;\n-- +goose StatementEnd\n-- +goose Down\nz;\n",
			"00003_c.go", "package m", "00003_c_test.go", "x", "embed.go", "x", "4_d.sql", "-- +goose NO TRANSACTION\n-- +goose Up\nd;"}, want: `
goose
1 m/00001_a.sql up=a; down=z; tx
2 m/00002_b.sql up=b; tx
3 m/00003_c.go Go
4 m/4_d.sql up=d;`},
		{name: "no marker", files: []string{"1_a.sql", "-- +goose Up\na", "2_b.sql", "b"}, wantErr: "m/2_b.sql:1:1: has no -- +goose Up"},
		{name: "twice", files: []string{"1_a.sql", "-- +goose Up\na;\n-- +goose Up\nb;"}, wantErr: "m/1_a.sql:3:1: a second -- +goose Up"},
		{name: "down first", files: []string{"1_a.sql", "-- +goose Down\na;\n-- +goose Up\nb;"}, wantErr: "m/1_a.sql:1:1: -- +goose Down must follow"},
		{name: "open", files: []string{"1_a.sql", "-- +goose Up\n-- +goose StatementBegin\na;\n"}, wantErr: "m/1_a.sql:3:1: -- +goose StatementBegin without StatementEnd"},
		{name: "closed", files: []string{"1_a.sql", "-- +goose Up\na;\n-- +goose StatementEnd\n"}, wantErr: "m/1_a.sql:3:1: -- +goose StatementEnd without StatementBegin"},
		{name: "before", files: []string{"1_a.sql", "-- x\n  SET a;\n-- +goose Up\na;"}, wantErr: "m/1_a.sql:2:3: a statement before the first marker of goose never runs"},
		{name: "unknown", files: []string{"1_a.sql", "-- +goose Up\n-- +goose Sideways\na;"}, wantErr: "m/1_a.sql:2:1: -- +goose Sideways is no marker that goose knows"},
		{name: "variables", files: []string{"1_a.sql", "-- +goose Up\n-- +goose ENVSUB ON\nGRANT a TO $WHO;"}, wantErr: "m/1_a.sql:3:12: goose puts an environment variable here"},
		{name: "variables going down", files: []string{"1_a.sql", "-- +goose Up\na $1;\n-- +goose Down\n-- +goose ENVSUB ON\nDROP $WHO;\n-- +goose ENVSUB OFF\n"}, want: `
goose
1 m/1_a.sql up=a $1; down=DROP $WHO; tx`},
		{name: "too large", files: []string{"9223372036854775808_a.sql", "-- +goose Up\na;"}, wantErr: "is larger than 9223372036854775807"},
	} {
		r.run(t)
	}
}

func TestReadDbmate(t *testing.T) {
	for _, r := range []reading{
		{name: "parts", files: []string{"2_b.sql", "-- migrate:up transaction:false\nb;\n-- migrate:down\nz;", "1_a.sql", "-- migrate:up\na;\n\n-- migrate:down\n"}, want: `
dbmate
1 m/1_a.sql up=a; down= tx
2 m/2_b.sql up=b; down=z;`},
		{name: "down first", files: []string{"1_a.sql", "-- migrate:down\na;\n-- migrate:up\nb;"}, wantErr: "m/1_a.sql:1:1: -- migrate:down stands before -- migrate:up"},
		{name: "no up", files: []string{"1_a.sql", "-- migrate:down\na;\n"}, wantErr: "m/1_a.sql:1:1: has no -- migrate:up"},
	} {
		r.run(t)
	}
}

func TestReadSQLMigrate(t *testing.T) {
	for _, r := range []reading{
		{name: "parts", files: []string{"10_c.sql", "-- +migrate Up notransaction\nc;\n", "2_b.sql", "-- x\n-- +migrate Up\nb;\n-- +migrate Down\nz;\n-- +migrate Up\nbb;", "1-a.sql", "-- +migrate Up\n-- +migrate StatementBegin\na;\n-- +migrate StatementEnd", "x.sql", "-- +migrate Down\nx;\n"}, want: `
sql-migrate
1-a.sql m/1-a.sql up=a; tx
2_b.sql m/2_b.sql up=b;bb; down=z; tx
10_c.sql m/10_c.sql up=c;
x.sql m/x.sql up= down=x; tx
# m/x.sql: holds no statement that goes up`},
		{name: "no marker", files: []string{"1_a.sql", "-- +migrate Up\na;", "2_b.sql", "b"}, wantErr: "m/2_b.sql:1:1: has no -- +migrate Up"},
		{name: "unknown", files: []string{"1_a.sql", "-- +migrate Up\n-- +migrate Left\na;"}, wantErr: "m/1_a.sql:2:1: -- +migrate Left is no marker"},
		{name: "open", files: []string{"1_a.sql", "-- +migrate Up\n-- +migrate StatementBegin\na;"}, wantErr: "m/1_a.sql:3:1: -- +migrate StatementBegin without"},
		{name: "before", files: []string{"1_a.sql", "x;\n-- +migrate Up\na;"}, wantErr: "m/1_a.sql:1:1: a statement before the first marker of sql-migrate"},
	} {
		r.run(t)
	}
}

func TestReadNodePgMigrate(t *testing.T) {
	for _, r := range []reading{
		{name: "parts", files: []string{"1_a.sql", "-- Up Migration\na;\n-- Down Migration\nz;", "2_b.sql", "b;", "3_c.ts", "c", "3_c.d.ts", "x", "4_d.sql", "-- down migration\nz;\n-- up migration\nd;"}, want: `
node-pg-migrate
1_a m/1_a.sql up=a; down=z; tx
2_b m/2_b.sql up=b; tx
3_c m/3_c.ts tx TypeScript
4_d m/4_d.sql up=d; down=z; tx`},
	} {
		r.run(t)
	}
}

func TestReadDiesel(t *testing.T) {
	for _, r := range []reading{
		{name: "folders", files: []string{"2024-01-02-000000_b/up.sql", "b", "2024-01-02-000000_b/metadata.toml", "# x\nrun_in_transaction = false # no\n", "20240101000000_a/up.sql", "a", "20240101000000_a/down.sql", "z", "2025_c/down.sql", "y"}, want: `
diesel
20240101000000 m/20240101000000_a/up.sql up=a down=z tx
20240102000000 m/2024-01-02-000000_b/up.sql up=b
# m/2025_c/down.sql: is a way back from nothing: there is no up.sql beside it`},
	} {
		r.run(t)
	}
}

func TestReadPrisma(t *testing.T) {
	lock := "# x\nprovider = \"postgresql\"\n"
	for _, r := range []reading{
		{name: "folders", files: []string{"migration_lock.toml", lock, "20240102_b/migration.sql", "b", "20240101_a/migration.sql", "a", "20240101_a/down.sql", "z"}, want: `
prisma
20240101_a m/20240101_a/migration.sql up=a tx implicit
20240102_b m/20240102_b/migration.sql up=b tx implicit
# m/20240101_a/down.sql: is not read: prisma runs no way back`},
		{name: "provider", o: migration.Options{Dialect: "mysql"}, files: []string{"migration_lock.toml", lock, "1_a/migration.sql", "a"}, wantErr: "m/migration_lock.toml:2:1: the migrations are for the provider postgresql, and the dialect is mysql"},
	} {
		r.run(t)
	}
}

func TestReadDrizzle(t *testing.T) {
	for _, r := range []reading{
		{name: "journal", files: []string{"meta/_journal.json", `{"entries":[{"idx":0,"when":5,"tag":"0001_b"},{"idx":1,"when":9,"tag":"0000_a"}]}`, "0000_a.sql", "a--> statement-breakpoint\nb", "0001_b.sql", "b", "0002_c.sql", "c", "meta/0000_snapshot.json", "{}"}, want: `
drizzle
0001_b m/0001_b.sql up=b tx
0000_a m/0000_a.sql up=a;b tx
# m/0002_c.sql: is never run: meta/_journal.json does not list it`},
		{name: "no journal", files: []string{"0001_b.sql", "b", "0000_a.sql", "a;\n--> statement-breakpoint\nb"}, want: `
drizzle
0000_a m/0000_a.sql up=a;b tx
0001_b m/0001_b.sql up=b tx`},
		{name: "folders", files: []string{"20240102_b/migration.sql", "b", "20240101_a/migration.sql", "a", "20240101_a/snapshot.json", "{}"}, want: `
drizzle
20240101_a m/20240101_a/migration.sql up=a tx
20240102_b m/20240102_b/migration.sql up=b tx`},
		{name: "listed and missing", files: []string{"meta/_journal.json", "{\"entries\":[\n{\"tag\":\"0000_a\"}]}", "0001_b.sql", "b"}, wantErr: "m/meta/_journal.json:2:8: lists 0000_a, and there is no 0000_a.sql"},
		{name: "twice", files: []string{"meta/_journal.json", "{\"entries\":[{\"tag\":\"0000_a\"},{\"tag\":\"0000_a\"}]}", "0000_a.sql", "b"}, wantErr: "lists 0000_a twice"},
		{name: "broken", files: []string{"meta/_journal.json", "{\n\"entries\" 3}", "0001_b.sql", "b"}, wantErr: "m/meta/_journal.json:2:12: is no journal of drizzle"},
	} {
		r.run(t)
	}
}

func TestReadFlyway(t *testing.T) {
	for _, r := range []reading{
		{name: "order", files: []string{"V1_10__c.sql", "c", "V1_2__b.sql", "b", "sub/V1__a.sql", "a", "U1_2__b.sql", "z", "R__y.sql", "y", "R__a_x.sql", "x", "V2.0__d.java", "d", "beforeMigrate.sql", "s", "V1_2__b.sql.conf", "executeInTransaction=false\n", "notes.sql", "n"}, want: `
flyway
1 m/sub/V1__a.sql up=a tx
1.2 m/V1_2__b.sql up=b down=z
1.10 m/V1_10__c.sql up=c tx
2 m/V2.0__d.java tx Java
R a x m/R__a_x.sql up=x tx repeatable
R y m/R__y.sql up=y tx repeatable
# m/beforeMigrate.sql: is a callback (beforeMigrate), not a migration: what it does is not looked at
# m/notes.sql: is not read: flyway does not run a file with this name`},
		{name: "baseline with its versions", files: []string{"V1__a.sql", "a", "V2__b.sql", "b", "B2__c.sql", "c"}, want: `
flyway
1 m/V1__a.sql up=a tx
2 m/V2__b.sql up=b tx
# m/B2__c.sql: is a baseline, which only an empty database runs; the versions that it stands for are read instead`},
		{name: "baseline alone", files: []string{"V3__a.sql", "a", "B2__c.sql", "c", "B1__d.sql", "d"}, want: `
flyway
2 m/B2__c.sql up=c tx baseline
3 m/V3__a.sql up=a tx
# m/B1__d.sql: is a baseline, which only an empty database runs; the versions that it stands for are read instead`},
		{name: "undone twice", files: []string{"V1__a.sql", "a", "U1__a.sql", "b", "U1.0__b.sql", "c"}, wantErr: "undoes the version 1, as m/U1.0__b.sql does"},
		{name: "placeholder in a string", files: []string{"V1__a.sql", "a '${x}'"}, want: `
flyway
1 m/V1__a.sql up=a '${x}' tx
# m/V1__a.sql:1:4: flyway replaces what looks like a placeholder here, unless it is set not to; the text is read as it is written`},
		{name: "placeholder", files: []string{"V1__a.sql", "CREATE TABLE ${schema}.a (b text DEFAULT '${x}')"}, wantErr: "m/V1__a.sql:1:14: holds a placeholder (${schema}) that flyway replaces"},
	} {
		r.run(t)
	}
}

func TestReadPop(t *testing.T) {
	files := []string{"20200101_a.postgres.up.sql", "p", "20200101_a.up.sql", "g", "20200101_a.down.sql", "z", "20200101_a.mysql.up.sql", "m", "20200102_b.up.fizz", "f", "20200102_b.down.fizz", "f", "20200103_c.sqlite3.autocommit.up.sql", "s", "20200104_d.autocommit.up.sql", "d", "20200105_e.down.sql", "e", "x.sql", "x"}
	for _, r := range []reading{
		{name: "postgres", files: files, want: `
pop
20200101 m/20200101_a.postgres.up.sql up=p down=z tx
20200102 m/20200102_b.up.fizz tx Fizz
20200104 m/20200104_d.autocommit.up.sql up=d
# m/20200101_a.mysql.up.sql: is not read: it is for another database, or postgres has a file of its own; so for 3 files
# m/20200105_e.down.sql: is a way back from nothing: there is no file that goes up
# m/x.sql: is not read: pop does not run a file with this name`},
		{name: "mariadb", files: files[:8], o: migration.Options{Dialect: "mariadb"}, want: `
pop
20200101 m/20200101_a.mysql.up.sql up=m down=z tx
# m/20200101_a.postgres.up.sql: is not read: it is for another database, or mariadb has a file of its own; so for 2 files`},
		{name: "sqlite", files: files[:14], o: migration.Options{Dialect: "sqlite"}, want: `
pop
20200101 m/20200101_a.up.sql up=g down=z tx
20200102 m/20200102_b.up.fizz tx Fizz
20200103 m/20200103_c.sqlite3.autocommit.up.sql up=s
# m/20200101_a.mysql.up.sql: is not read: it is for another database, or sqlite has a file of its own; so for 2 files`},
	} {
		r.run(t)
	}
}

func TestReadRails(t *testing.T) {
	structure := "CREATE TABLE a (b int);\n\nINSERT INTO \"schema_migrations\" (version) VALUES\n('20240102000000'),\n('20240101000000');\n"
	ruby := []string{"20240102000000_b.rb", "class B; disable_ddl_transaction!", "20240101000000_a.rb", "class A", "20240103000000_c.sql", "x"}
	for _, r := range []reading{
		{name: "beside", files: append(ruby, "/structure.sql", structure), want: `
rails
20240101000000 m/20240101000000_a.rb tx Ruby
20240102000000 m/20240102000000_b.rb Ruby
# m/20240103000000_c.sql: is not read: rails does not run a file with this name`},
		{name: "no structure", files: ruby, wantErr: "m: the migrations are Ruby, and there is no structure.sql to take the schema from; set config.active_record.schema_format = :sql"},
		{name: "schema.rb", files: append(ruby, "/schema.rb", "x"), wantErr: "m: the migrations and schema.rb are Ruby, which is not read, and there is no structure.sql; set config.active_record.schema_format = :sql"},
	} {
		r.run(t)
	}
	d, err := migration.Read(tree("db/animals_migrate/1_a.rb", "x", "db/animals_structure.sql", structure), "db/animals_migrate", migration.Options{Dialect: "postgres"})
	if err != nil || d.Structure != "db/animals_structure.sql" {
		t.Errorf("%v %v", d, err)
	}
}
