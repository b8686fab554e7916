package migration_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/altergate/altergate/internal/migration"
	"github.com/altergate/altergate/internal/schema"
)

// FuzzRead holds Read to what others build on: it never panics, its errors have places, and the parts of a file keep the file's length
// and line ends, so that places in them are places in the file. A file is compared with itself without findings of its own.
func FuzzRead(f *testing.F) {
	for _, text := range []string{
		"a;", "-- +goose Up\n-- +goose StatementBegin\na;\n-- +goose StatementEnd\n-- +goose Down\nb;", "-- migrate:up transaction:false\na;\n-- migrate:down\nb;",
		"-- +migrate Up\na;\n-- +migrate Down\nb;\n-- +migrate Up\nc;", "-- Up Migration\na\n-- Down Migration\nb", formatted,
		"-- atlas:delimiter \\n\\n\na;\n\nb;", "a\n---- create above / drop below ----\nb", "DO $$ {{ a }} $$ 'é' /* \n */", "é${a}", "--liquibase formatted sql\n--changeset a:1 endDelimiter:/\na/\nb",
		`{"entries":[{"when":1,"tag":"1_a"}]}`, "databaseChangeLog:\n  - include:\n      file: 1_a.sql\n", "<databaseChangeLog><includeAll path='m'/></databaseChangeLog>",
		"h1:a\n1_a.sql h1:b\n", "provider = \"mysql\"",
	} {
		for _, name := range []string{"1_a.sql", "V1__a.sql", "1_a/migration.sql", "1_a/up.sql", "1_a.postgres.up.sql", "meta/_journal.json", "changelog.yaml", "changelog.xml", "atlas.sum", "migration_lock.toml", "1_a.rb"} {
			f.Add(name, text, uint8(0))
		}
	}
	tools := append([]string{""}, migration.Tools()...)
	f.Fuzz(func(t *testing.T, name, text string, tool uint8) {
		if name = strings.Trim(name, "/"); !fs.ValidPath("m/"+name) || strings.HasPrefix(name, "1_a.sql/") || strings.HasPrefix(name, "2_b.down.sql/") {
			return // no tree has such paths
		}
		o := migration.Options{Tool: tools[int(tool)%len(tools)], Dialect: []string{"postgres", "mysql", "sqlite"}[int(tool)%3]}
		files := tree("m/"+name, text, "m/1_a.sql", text, "m/2_b.down.sql", text, "structure.sql", text)
		if name == "1_a.sql" {
			delete(files, "m/1_a.sql")
			files["m/"+name] = tree("x", text)["x"]
		}
		d, err := migration.Read(files, "m", o)
		if err != nil {
			for _, e := range schema.Errors(err) {
				if e.Pos.File == "" || e.Kind != schema.KindSource {
					t.Fatalf("%#v", e)
				}
			}
			return
		}
		plain := strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n")
		for _, m := range d.Migrations {
			for _, part := range []string{up(m), down(m)} {
				if part == "" {
					continue
				}
				if len(part) != len(plain) {
					t.Fatalf("%s: %d bytes of %d", m.Path, len(part), len(plain))
				}
				for i := range len(part) {
					if part[i] != plain[i] && (part[i] != ' ' || plain[i] == '\n') && (part[i] != ';' || !strings.HasPrefix(plain[i:], "--> statement-breakpoint")) {
						t.Fatalf("%s: byte %d is %q, and was %q", m.Path, i, part[i], plain[i])
					}
				}
			}
			for _, s := range m.Whole {
				if s.Start < 0 || s.Start > s.End || s.End > len(plain) {
					t.Fatalf("%s: span %v of %d", m.Path, s, len(plain))
				}
			}
			_ = m.Pos()
		}
		delta, err := migration.Compare(d, d)
		if err != nil {
			return
		}
		if len(delta.New) > 0 {
			t.Fatalf("%s is new beside itself", delta.New[0].Path)
		}
		for _, finding := range delta.Findings {
			if finding.Rule != "duplicate-version" {
				t.Fatalf("%v", finding)
			}
		}
	})
}

func up(m *migration.Migration) string {
	if m.Up == nil {
		return ""
	}
	return m.Up.Text
}

func down(m *migration.Migration) string {
	if m.Down == nil {
		return ""
	}
	return m.Down.Text
}

// TestReadLinks: a link to a file is the file; one to a directory is said to be there.
func TestReadLinks(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("other/1_a.sql", "a")
	write("m/2_b.sql", "b")
	for name, to := range map[string]string{"m/1_a.sql": "../other/1_a.sql", "m/more": "../other"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	d, err := migration.Read(os.DirFS(dir), "m", migration.Options{Dialect: "postgres"})
	if err != nil {
		t.Fatal(err)
	}
	want := "plain\n1 m/1_a.sql up=a\n2 m/2_b.sql up=b\n# m/more: is a symbolic link, which is not followed; what it leads to is not read"
	if got := sketch(d); got != want {
		t.Errorf("%s", got)
	}
}

func BenchmarkRead(b *testing.B) {
	files := tree()
	for i := range 1000 {
		files[fmt.Sprintf("m/%06d_a.sql", i)] = tree("x", "-- +goose Up\nCREATE TABLE users (id bigint PRIMARY KEY, mail text NOT NULL DEFAULT '-- x');\n"+strings.Repeat("ALTER TABLE users ADD COLUMN a text; -- a comment\n", 20)+"-- +goose Down\nDROP TABLE users;\n")["x"]
	}
	for b.Loop() {
		if _, err := migration.Read(files, "m", migration.Options{Dialect: "postgres"}); err != nil {
			b.Fatal(err)
		}
	}
}
