package script

import (
	"bytes"
	"context"
	"fmt"
	"net/url"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/altergate/altergate/internal/dialect/postgres/postgrestest"
	"github.com/altergate/altergate/internal/source"
)

// server gives a new database of the test server, by its URL.
func server(t *testing.T) string {
	t.Helper()
	u, err := url.Parse(postgrestest.URL(t))
	if err != nil {
		t.Fatal(err)
	}
	u.Path = "/" + postgrestest.Database(t)
	return u.String()
}

// run runs a program with an input and gives its output.
func run(t *testing.T, input string, name string, args ...string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, name, args...)
	var out, errs bytes.Buffer
	c.Stdin, c.Stdout, c.Stderr = strings.NewReader(input), &out, &errs
	if err := c.Run(); err != nil {
		return "", fmt.Errorf("%s: %w: %s", name, err, errs.String())
	}
	return out.String(), nil
}

// TestDump takes what pg_dump prints, with data, of a database that has all that is odd to a lexer.
func TestDump(t *testing.T) {
	server := server(t)
	const text = `
CREATE SCHEMA "Odd; name";
CREATE TABLE "Odd; name"."a""b" (id serial PRIMARY KEY, "ü;" text DEFAULT 'it''s \;' CHECK ("ü;" <> E'\\;'));
INSERT INTO "Odd; name"."a""b" ("ü;") VALUES ('a;b'), (E'\\.'), (E'c\nd''');
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $x$ BEGIN RETURN $$1;$$; END $x$;
CREATE FUNCTION g(a int) RETURNS int LANGUAGE sql BEGIN ATOMIC SELECT CASE WHEN a > 0 THEN 1 ELSE 2 END; SELECT a AS "end"; END;
CREATE PROCEDURE h() LANGUAGE sql BEGIN ATOMIC END;
CREATE VIEW v AS SELECT id, CASE WHEN "ü;" = ';' THEN 1 END AS "case" FROM "Odd; name"."a""b";
CREATE RULE r AS ON INSERT TO v DO INSTEAD (DELETE FROM "Odd; name"."a""b" WHERE "ü;" = ')'; SELECT 1;);
CREATE TABLE p (a int, b text) PARTITION BY RANGE (a);
CREATE TABLE p1 PARTITION OF p FOR VALUES FROM (1) TO (10);
COMMENT ON TABLE p IS '-- no comment; /* none';
`
	if _, err := run(t, text, "psql", server, "-X", "-q", "-v", "ON_ERROR_STOP=1"); err != nil {
		t.Fatal(err)
	}
	dumped, err := run(t, "", "pg_dump", server)
	if err != nil {
		t.Fatal(err)
	}
	f := &source.File{Path: "dump.sql", Text: dumped}
	s, errs := Split(f)
	for _, e := range append(errs, Parse(s.Statements, nil)...) {
		t.Error(e)
	}
	var copied int
	for _, p := range s.Passed {
		if p.What == CopyData {
			copied++
		}
	}
	if copied != 2 {
		t.Errorf("%d tables have data", copied)
	}
	begins := map[string]int{}
	for _, st := range s.Statements {
		words := strings.Fields(st.Text)
		begins[strings.Join(words[:2], " ")]++
	}
	for _, what := range []string{"CREATE SCHEMA", "CREATE FUNCTION", "CREATE PROCEDURE", "CREATE RULE", "CREATE VIEW", "COMMENT ON", "CREATE TABLE"} {
		if begins[what] == 0 {
			t.Errorf("no statement is %s: %v", what, begins)
		}
	}

	// What this package takes for one statement, the server does, too.
	if _, err := run(t, `DROP SCHEMA public CASCADE; DROP SCHEMA "Odd; name" CASCADE; CREATE SCHEMA public`, "psql", server, "-X", "-q", "-v", "ON_ERROR_STOP=1"); err != nil {
		t.Fatal(err)
	}
	var args []string
	for _, st := range s.Statements {
		args = append(args, "-c", st.Text)
	}
	if _, err := run(t, "", "psql", append([]string{server, "-X", "-q", "-1", "-v", "ON_ERROR_STOP=1"}, args...)...); err != nil {
		t.Error(err)
	}
}

// TestQuoteServer compares Quote and Literal with the functions of the server.
func TestQuoteServer(t *testing.T) {
	server := server(t)
	names := []string{"users", "Users", "a b", "a\"b", "ü", "1a", "_"}
	query := `SELECT word FROM pg_get_keywords() ORDER BY 1`
	words, err := run(t, query, "psql", server, "-X", "-q", "-At", "-v", "ON_ERROR_STOP=1")
	if err != nil {
		t.Fatal(err)
	}
	names = append(names, strings.Fields(words)...)
	var sql, want strings.Builder
	for _, n := range names {
		fmt.Fprintf(&sql, "SELECT quote_ident(%s);\n", Literal(n))
		fmt.Fprintln(&want, Quote(n))
	}
	for _, text := range []string{"", "it's", `a\b`, `\'`} {
		fmt.Fprintf(&sql, "SELECT quote_literal(%s);\n", Literal(text))
		fmt.Fprintln(&want, Literal(text))
	}
	got, err := run(t, sql.String(), "psql", server, "-X", "-q", "-At", "-v", "ON_ERROR_STOP=1")
	if err != nil {
		t.Fatal(err)
	}
	g, w := strings.Split(got, "\n"), strings.Split(want.String(), "\n")
	for i := range min(len(g), len(w)) {
		// Versions differ in few keywords: what this one has more is quoted for later servers.
		if g[i] != w[i] && w[i] != `"`+g[i]+`"` {
			t.Errorf("the server writes %s, we %s", g[i], w[i])
		}
	}
	if len(g) != len(w) {
		t.Errorf("%d lines, want %d", len(g), len(w))
	}
}
