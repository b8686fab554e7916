package migration_test

import (
	"errors"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/migration"
	"github.com/altergate/altergate/internal/schema"
	"github.com/altergate/altergate/internal/source"
)

// tree makes a tree of paths and texts, in pairs.
func tree(pairs ...string) fstest.MapFS {
	t := fstest.MapFS{}
	for i := 0; i < len(pairs); i += 2 {
		t[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	return t
}

// sketch writes a directory down in lines: the tool, then each migration with what it runs.
func sketch(d *migration.Directory) string {
	var b strings.Builder
	b.WriteString(d.Tool)
	for _, m := range d.Migrations {
		b.WriteString("\n" + m.Version + " " + m.Path)
		if m.Up != nil {
			b.WriteString(" up=" + migration.Normal(m.Up.Text, "postgres"))
		}
		if m.Down != nil {
			b.WriteString(" down=" + migration.Normal(m.Down.Text, "postgres"))
		}
		for _, flag := range []struct {
			on   bool
			name string
		}{{m.Transaction, "tx"}, {m.Implicit, "implicit"}, {m.Repeatable, "repeatable"}, {m.Baseline, "baseline"}, {m.Language != "", m.Language}} {
			if flag.on {
				b.WriteString(" " + flag.name)
			}
		}
	}
	for _, n := range d.Notices {
		b.WriteString("\n# " + n.Pos.String() + ": " + n.Text)
	}
	return b.String()
}

func TestReadMissing(t *testing.T) {
	if _, err := migration.Read(tree("a", "b"), "migrations", migration.Options{}); !errors.Is(err, source.ErrMissing) {
		t.Errorf("%v", err)
	}
}

// reading is one directory and what is read of it.
type reading struct {
	name    string
	files   []string // paths below m and texts, in pairs
	o       migration.Options
	want    string
	wantErr string // a part of the error; the files must then not be read
}

func (r reading) run(t *testing.T) {
	t.Helper()
	t.Run(r.name, func(t *testing.T) {
		pairs := append([]string(nil), r.files...)
		for i := 0; i < len(pairs); i += 2 {
			if !strings.HasPrefix(pairs[i], "/") {
				pairs[i] = "m/" + pairs[i]
			}
			pairs[i] = strings.TrimPrefix(pairs[i], "/")
		}
		if r.o.Dialect == "" {
			r.o.Dialect = "postgres"
		}
		d, err := migration.Read(tree(pairs...), "m", r.o)
		switch {
		case r.wantErr != "":
			if err == nil || !strings.Contains(err.Error(), r.wantErr) {
				t.Errorf("error %v, want one with %q", err, r.wantErr)
			}
			for _, e := range schema.Errors(err) {
				if e.Kind != schema.KindSource || e.Pos.File == "" {
					t.Errorf("%#v is of no file of the source", e)
				}
			}
		case err != nil:
			t.Error(err)
		default:
			if diff := cmp.Diff(strings.TrimSpace(r.want), sketch(d)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		}
	})
}

func TestReadRefuses(t *testing.T) {
	for _, r := range []reading{
		{name: "a file", files: []string{"/m", "x"}, wantErr: "m: is a file; name the directory"},
		{name: "nothing that is a migration", files: []string{"README.md", "x"}, wantErr: "m: holds no migration that the tool would run"},
		{name: "Django", files: []string{"0001_initial.py", "x", "__init__.py", ""}, wantErr: "m: holds no migration that the tool would run; its files are in Python, which is not read: name a directory with SQL"},
		{name: "the directory above", files: []string{"db/migrations/1_a.go", "x"}, wantErr: "is m/db/migrations meant?"},
		{name: "an unknown tool", o: migration.Options{Tool: "phinx"}, files: []string{"1_a.sql", "a"}, wantErr: `"phinx" is no tool that is known; use one of atlas, dbmate,`},
		{name: "a binary file", files: []string{"1_a.sql", "a\x00b"}, wantErr: "m/1_a.sql:1:2: this is a binary file"},
		{name: "not UTF-8", files: []string{"1_a.sql", "a\n\xff"}, wantErr: "m/1_a.sql:2:1: the file is not UTF-8"},
		{name: "the text of a link", files: []string{"1_a.sql", "../other/1_a.sql"}, wantErr: "m/1_a.sql:1:1: holds only the path ../other/1_a.sql"},
		{name: "two tools", files: []string{"1_a.sql", "-- +goose Up\n", "2_b.sql", "-- migrate:up\n"},
			wantErr: "holds files of two tools: goose (m/1_a.sql: by the marker -- +goose Up) and dbmate (m/2_b.sql: by the marker -- migrate:up); set tool"},
		{name: "two tools by name", files: []string{"V1__a.sql", "a", "1/up.sql", "b"}, wantErr: "holds files of two tools: diesel (m/1/up.sql: by folders with up.sql) and flyway"},
		{name: "a tool that is not read", files: []string{"1_a.sql", "-- +micrate Up\nCREATE TABLE a (b int);\n-- +micrate Down\nDROP TABLE a;"}, wantErr: "m/1_a.sql: this is a file of micrate, which is not read here"},
		{name: "Play", files: []string{"1.sql", "# --- !Ups\na;\n# --- !Downs\nb;"}, wantErr: "a file of Play evolutions"},
		{name: "rambler", files: []string{"1_a.sql", "-- rambler up\na;\n-- rambler down\nb;"}, wantErr: "a file of rambler"},
		{name: "MyBatis", files: []string{"1_a.sql", "a;\n-- //@UNDO\nb;"}, wantErr: "a file of MyBatis Migrations"},
	} {
		r.run(t)
	}
}

// TestReadDialects: a directory for each database.
func TestReadDialects(t *testing.T) {
	both := []string{"postgres/1_a.sql", "p", "mysql/1_a.sql", "m", "sqlite3/1_a.sql", "s"}
	for _, r := range []reading{
		{name: "its own", files: both, o: migration.Options{Dialect: "sqlite"}, want: `
plain
1 m/sqlite3/1_a.sql up=s
# m/sqlite3: of the directories for each database the one for sqlite is read`},
		{name: "mariadb reads mysql's", files: both, o: migration.Options{Dialect: "mariadb"}, want: `
plain
1 m/mysql/1_a.sql up=m
# m/mysql: of the directories for each database the one for mariadb is read`},
		{name: "mariadb has its own", files: []string{"mysql/1.sql", "m", "mariadb/1.sql", "n"}, o: migration.Options{Dialect: "mariadb"}, want: `
plain
1 m/mariadb/1.sql up=n
# m/mariadb: of the directories for each database the one for mariadb is read`},
		{name: "none", files: []string{"mysql/1_a.sql", "m", "oracle/1_a.sql", "o"}, wantErr: "m: has directories for mysql, oracle, and none for postgres"},
		{name: "several", files: []string{"pg/1_a.sql", "m", "postgres/1_a.sql", "o"}, wantErr: "m: has several directories for postgres: pg, postgres"},
		{name: "and one for all", files: append(both, "common/1_a.sql", "c"), wantErr: "m: has SQL files in postgres and in common"},
		{name: "others' beside files", files: []string{"V1__a.sql", "a", "mysql/V2__b.sql", "b", "postgres/V3__c.sql", "c"}, want: `
flyway
1 m/V1__a.sql up=a tx
3 m/postgres/V3__c.sql up=c tx
# m/mysql: is not read: the directory is for another database than postgres`},
	} {
		r.run(t)
	}
}

// TestReadLimits: a directory has the limits of a schema.
func TestReadLimits(t *testing.T) {
	files := tree()
	for i := range source.MaxFiles + 1 {
		files["m/"+strconv.Itoa(i)+"_a.sql"] = &fstest.MapFile{Data: []byte("a")}
	}
	if _, err := migration.Read(files, "m", migration.Options{}); err == nil || !strings.Contains(err.Error(), "holds more than 5000 SQL files") {
		t.Errorf("%v", err)
	}
	files = tree("m/1.sql", strings.Repeat(" ", source.MaxBytes), "m/2.sql", "b")
	if _, err := migration.Read(files, "m", migration.Options{}); err == nil || !strings.Contains(err.Error(), "m/2.sql: is larger than the 16 MiB") {
		t.Errorf("%v", err)
	}
}

// TestTools: each word can be set, and reads or refuses what is no directory of its own.
func TestTools(t *testing.T) {
	for _, tool := range migration.Tools() {
		if _, err := migration.Read(tree("m/README", "x"), "m", migration.Options{Tool: tool}); err == nil {
			t.Errorf("%s finds migrations in nothing", tool)
		}
	}
	d, err := migration.Read(tree("m/1_a.sql", "-- +goose Up\na"), "m", migration.Options{Tool: "plain"})
	if err != nil {
		t.Fatal(err)
	}
	if got := sketch(d); d.Why != "the configuration says so" || !strings.Contains(got, "# m/1_a.sql: looks like goose: by the marker -- +goose Up") {
		t.Errorf("%s: %s", d.Why, got)
	}
}
