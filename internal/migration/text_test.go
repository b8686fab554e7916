package migration_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/altergate/altergate/internal/migration"
)

func TestNormal(t *testing.T) {
	for _, tt := range []struct{ dialect, text, want string }{
		{"postgres", "a  b -- c\n/* d /* e */ f */ g", "a b g"},
		{"postgres", "a 'x -- y' \"b -- c\" $$ d -- e $$ $t$ $$ $t$", "a 'x -- y' \"b -- c\" $$ d -- e $$ $t$ $$ $t$"},
		{"postgres", `a E'\' -- b' c`, `a E'\' -- b' c`},
		{"postgres", `a '\' -- b`, `a '\'`},
		{"postgres", "a # b; c$1$ -- d", "a # b;c$1$"},
		{"mysql", `a '\' -- b' "c -- d" # e`, `a '\' -- b' "c -- d"`},
		{"mysql", "a --b /*! c */ `d # e` /* /* f */ g", "a --b /*! c */ `d # e` g"},
		{"mariadb", "a /*M! b */", "a /*M! b */"},
		{"sqlite", "[a -- b] `c -- d` # e", "[a -- b] `c -- d` # e"},
		{"sqlite", "a /* b /* c */ d */", "a d */"},
		{"postgres", "'open -- x", "'open -- x"},
		{"postgres", "a /* open", "a"},
		{"postgres", "f ( a , b ) ; c - - d", "f(a,b);c - - d"},
		{"postgres", "'a''b' 'c'", "'a''b' 'c'"},
	} {
		if got := migration.Normal(tt.text, tt.dialect); got != tt.want {
			t.Errorf("%s: %s\ngot  %s\nwant %s", tt.dialect, tt.text, got, tt.want)
		}
	}
}

// TestTemplates: what a template engine would replace is an error in code, and data elsewhere.
func TestTemplates(t *testing.T) {
	for _, tt := range []struct {
		dialect, text, want string // want is empty where there is no template
	}{
		{"postgres", "CREATE TABLE {{ .Name }} ();", "m/1_a.sql:1:14: holds a template ({{ .Name }}): what would run is not what is written; name a directory with the rendered SQL"},
		{"postgres", "a;\n  {% if x %}", "m/1_a.sql:2:3: holds a template ({% if x %})"},
		{"postgres", "CREATE TABLE ${a}.b ();", "m/1_a.sql:1:14: holds a template (${a})"},
		{"postgres", "CREATE TABLE <%= a %> ();", "m/1_a.sql:1:14: holds a template (<%= a %>)"},
		{"postgres", `CREATE TABLE "{{schema}}".a ();`, `m/1_a.sql:1:15: holds a template ({{schema}})`},
		{"mysql", "CREATE TABLE `{{schema}}`.a ();", "m/1_a.sql:1:15: holds a template ({{schema}})"},
		{"postgres", "DO $$ BEGIN DROP TABLE {{ index .Options \"Namespace\" }}.a; END $$;", `m/1_a.sql:1:24: holds a template ({{ index .Options "Namespace" }})`},
		{"postgres", "a {{", "m/1_a.sql:1:3: holds a template ({{)"},
		{"postgres", "SELECT '{{1,2},{3,4}}'::int[], $${{1,2},{3,4}}$$, $a${{a,b}}$a$;", ""},
		{"postgres", "-- {{ a }} ${b}\n/* <%= c %> */ SELECT '{{ d }} ${e}', a <% b;", ""},
		{"postgres", "SELECT $${\"a\": {\"b\": {}}}$$;", ""},
		{"mysql", "SELECT \"{{ a }}\", '${b}';", ""},
	} {
		_, err := migration.Read(tree("m/1_a.sql", tt.text), "m", migration.Options{Dialect: tt.dialect})
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: %v, want %q", tt.text, err, tt.want)
		}
	}
}

// TestWhole: what a file marks as one statement is one, whatever is in it.
func TestWhole(t *testing.T) {
	for _, tt := range []struct {
		text, sum string
		want      []string
	}{
		{"-- +goose Up\na;\n-- +goose StatementBegin\nb; c;\n-- +goose StatementEnd\n-- +goose Down\n-- +goose StatementBegin\nd;\n-- +goose StatementEnd\n", "", []string{"b; c;\n"}},
		{"-- +migrate Up\n-- +migrate StatementBegin\nb; c;\n-- +migrate StatementEnd\n", "", []string{"b; c;\n"}},
		{"--liquibase formatted sql\n--changeset a:1 endDelimiter:GO\na;\nGO\nb; c;\nGO\n", "", []string{"a;\n", "\nb; c;\n"}},
		{"--liquibase formatted sql\n--changeset a:1 splitStatements:false\na; b;", "", []string{"a; b;"}},
		{"-- atlas:delimiter //\n\na; b;//\nc;", "h1:x", []string{"\na; b;", "\nc;"}},
	} {
		files := tree("m/1_a.sql", tt.text)
		if tt.sum != "" {
			files["m/atlas.sum"] = tree("x", tt.sum)["x"]
		}
		d, err := migration.Read(files, "m", migration.Options{Dialect: "mysql"})
		if err != nil {
			t.Errorf("%s: %v", tt.text, err)
			continue
		}
		var got []string
		for _, s := range d.Migrations[0].Whole {
			got = append(got, d.Migrations[0].Up.Text[s.Start:s.End])
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.text, got, tt.want)
		}
	}
}

// TestMarkersAreNoSQL: a marker without a space behind the dashes is a comment to its tool, and none to MySQL.
func TestMarkersAreNoSQL(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"--+goose Up\n--+goose StatementBegin\na;\n--+goose StatementEnd\n--+goose Down\nb;", "a;"},
		{"--migrate:up\na;\n--migrate:down\nb;", "a;"},
		{"a;\n--> statement-breakpoint\nb", "a;b"},
		{"--liquibase formatted sql\n--changeset a:1\n--comment: x\n--x\n  --precondition-sql-check expectedResult:0 SELECT 1\na;\n--rollback b;", "a;"},
	} {
		d, err := migration.Read(tree("m/1_a.sql", tt.text), "m", migration.Options{Dialect: "mysql"})
		if err != nil {
			t.Errorf("%s: %v", tt.text, err)
			continue
		}
		if got := migration.Normal(d.Migrations[0].Up.Text, "mysql"); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.text, got, tt.want)
		}
	}
}
