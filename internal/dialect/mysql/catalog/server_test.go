package catalog_test

import (
	"database/sql"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/dialect/mysql/catalog"
	"github.com/altergate/altergate/internal/dialect/mysql/script"
	"github.com/altergate/altergate/internal/dialect/mysql/server"
	"github.com/altergate/altergate/internal/schema"
	"github.com/altergate/altergate/internal/source"
)

// statements takes a script apart.
func statements(t testing.TB, sv server.Server, text string) []*script.Statement {
	t.Helper()
	s, errs := script.Split(&source.File{Path: "schema.sql", Text: text}, sv)
	script.Parse(s.Statements, sv, nil) // what it cannot take, the catalog reads by itself
	for _, e := range errs {
		t.Fatalf("%s\n%v", text, e)
	}
	return s.Statements
}

func run(t testing.TB, sv server.Server, text string) (*catalog.Catalog, []*schema.Error) {
	t.Helper()
	c := catalog.New(sv)
	_, errs := c.Run(statements(t, sv, text))
	return c, errs
}

// read lets a script act on an empty catalog.
func read(t testing.TB, sv server.Server, text string) *catalog.Catalog {
	t.Helper()
	c, errs := run(t, sv, text)
	if len(errs) > 0 {
		t.Fatalf("%s\n%v", text, errs)
	}
	return c
}

// lines are all tables of a catalog.
func lines(c *catalog.Catalog) []string {
	var all []string
	for _, key := range sortedKeys(c.Tables) {
		all = append(all, c.Tables[key].Lines()...)
	}
	return all
}

// dump gives what the server says of every table in a database.
func dump(t testing.TB, db *sql.DB) string {
	t.Helper()
	rows, err := db.Query("SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE() AND table_type IN ('BASE TABLE', 'SYSTEM VERSIONED') ORDER BY 1")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, name := range names {
		var text string
		if err := db.QueryRow("SHOW CREATE TABLE "+catalog.Quote(name)).Scan(&name, &text); err != nil {
			t.Fatal(err)
		}
		b.WriteString(text + ";\n")
	}
	return b.String()
}

// same loads a script on the server and wants the server's own words to read as the script does.
func same(t *testing.T, sv server.Server, db *sql.DB, text string) {
	t.Helper()
	if _, err := db.Exec(text); err != nil {
		t.Errorf("%s\nthe server refuses: %v", text, err)
		return
	}
	said := dump(t, db)
	of, errs := run(t, sv, said)
	mine, more := run(t, sv, text)
	for _, e := range append(errs, more...) {
		t.Errorf("%s\n%s\n%v", text, said, e)
	}
	if diff := cmp.Diff(lines(of), lines(mine)); diff != "" {
		t.Errorf("%s\nthe server says\n%s(-server +script)\n%s", text, said, diff)
	}
}
