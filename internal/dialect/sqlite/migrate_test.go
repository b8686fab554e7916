package sqlite

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
	"github.com/altergate/altergate/internal/source"
)

// follow lets the statements of a file act one by one, from l on.
func follow(l *Loaded, sql string) (*Loaded, source.Acts, error) {
	var acts source.Acts
	statements, err := Dialect{}.Cut(&source.File{Path: "m.sql", Text: sql})
	for _, st := range statements {
		if err != nil {
			break
		}
		var after *Loaded
		if after, acts, err = (Dialect{}).After(context.Background(), l, st); err == nil {
			l = after
		}
	}
	return l, acts, err
}

// empty is the side before the first migration.
func empty() *Loaded { return &Loaded{Schema: &schema.Schema{}, known: parsed{}} }

// must is follow without an error.
func must(t *testing.T, l *Loaded, sql string) (*Loaded, source.Acts) {
	t.Helper()
	l, acts, err := follow(l, sql)
	if err != nil {
		t.Fatal(err)
	}
	return l, acts
}

// acted writes what a statement does besides.
func acted(a source.Acts) string {
	var all []string
	for _, r := range a.Renames.Tables {
		all = append(all, "table "+r.From+" → "+r.To)
	}
	for _, r := range a.Renames.Columns {
		all = append(all, "column "+r.Table+"."+r.From+" → "+r.To)
	}
	for _, c := range a.Changes {
		switch c := c.(type) {
		case diff.NoEffect:
			all = append(all, "nothing: "+c.Text)
		case diff.RunSession:
			all = append(all, "session "+c.What)
		case diff.RunOpaque:
			all = append(all, "opaque "+c.What)
		case diff.WriteRows:
			one := c.Verb + " " + c.Table
			if len(c.Columns) > 0 {
				one += "(" + strings.Join(c.Columns, ",") + ")"
			}
			if c.All {
				one += " all"
			}
			if c.Copy != nil {
				one += " copy of " + c.Copy.From
			}
			all = append(all, one)
		}
	}
	if a.Alone != "" {
		all = append(all, "alone: "+a.Alone)
	}
	return strings.Join(all, "; ")
}

func TestActs(t *testing.T) {
	const start = `CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT, mail TEXT UNIQUE);
CREATE TABLE orders (id INTEGER PRIMARY KEY, user_id INTEGER REFERENCES users (id) ON DELETE CASCADE ON UPDATE CASCADE, note TEXT);
CREATE TABLE items (id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders ON DELETE SET NULL);
CREATE TABLE log (what TEXT);
CREATE TABLE keyed (id INTEGER PRIMARY KEY, k TEXT UNIQUE ON CONFLICT REPLACE);
CREATE TABLE lax (id INTEGER PRIMARY KEY, k TEXT UNIQUE ON CONFLICT IGNORE);
CREATE TABLE plain (id INTEGER PRIMARY KEY, a TEXT, b TEXT);
CREATE TABLE "copy" (id INTEGER PRIMARY KEY, a TEXT, b TEXT);
CREATE VIEW v AS SELECT id, what FROM orders, log;
CREATE TRIGGER gone AFTER DELETE ON log BEGIN DELETE FROM plain WHERE a = old.what; INSERT INTO keyed (k) VALUES (CASE 1 WHEN 1 THEN old.what END); END;
CREATE TRIGGER renamed AFTER UPDATE OF note ON orders BEGIN UPDATE log SET what = 'x'; END;
CREATE TRIGGER through INSTEAD OF DELETE ON v BEGIN DELETE FROM "copy"; END;
CREATE TABLE dropped (id INTEGER); DROP TABLE dropped;
CREATE TEMP TABLE aside (id INTEGER, a TEXT, b TEXT);`
	l, _ := must(t, empty(), start)
	for _, test := range []struct{ sql, want string }{
		{"ALTER TABLE plain RENAME TO other", "table plain → other"},
		{"ALTER TABLE Plain RENAME COLUMN a TO c", "column plain.a → c"},
		{"ALTER TABLE plain RENAME a TO c", "column plain.a → c"},
		{"ALTER TABLE plain ADD COLUMN c", ""},
		{"CREATE TABLE IF NOT EXISTS log (what TEXT)", "nothing: table log is there already"},
		{"CREATE TABLE IF NOT EXISTS log (what INTEGER)", "nothing: table log is there already, with another definition than this one"},
		{"CREATE TABLE IF NOT EXISTS log AS SELECT id FROM users", "nothing: table log is there already"},
		{"CREATE VIEW IF NOT EXISTS v AS SELECT 1", "nothing: view v is there already"},
		{"DROP TABLE IF EXISTS absent", "nothing: there is no table absent to drop"},
		{"DROP TABLE IF EXISTS log", ""},
		{"VACUUM", "session VACUUM; alone: VACUUM cannot run inside a transaction"},
		{"BEGIN IMMEDIATE", "session BEGIN"},
		{"COMMIT", "session COMMIT"},
		{"PRAGMA foreign_keys = 0", "session PRAGMA foreign_keys=off"},
		{"PRAGMA foreign_keys(ON)", "session PRAGMA foreign_keys=on"},
		{"SELECT 1", "session SELECT"},
		{"WITH x AS (SELECT 1) SELECT * FROM x", "session SELECT"},

		{"INSERT INTO plain (a, b) VALUES (1, 2)", "insert plain(a,b)"},
		{"INSERT OR IGNORE INTO plain SELECT * FROM \"copy\"", "insert plain"},
		{"INSERT OR REPLACE INTO plain SELECT * FROM \"copy\"", "replace plain"},
		{"REPLACE INTO plain (a) VALUES (1)", "replace plain(a)"},
		{"WITH x AS (SELECT 1 AS y) INSERT INTO plain (a) SELECT y FROM x", "insert plain(a)"},
		{"WITH x AS (SELECT 1 AS y) DELETE FROM plain WHERE id IN (SELECT y FROM x)", "delete plain"},
		{"UPDATE plain SET a = 1", "update plain(a) all"},
		{"UPDATE plain SET a = 1, b = (SELECT 2) WHERE 1", "update plain(a,b) all"},
		{"UPDATE plain SET (a, b) = (SELECT 1, 2) WHERE id = 4", "update plain(a,b)"},
		{"DELETE FROM plain", "delete plain all"},
		{"DELETE FROM plain WHERE (1=1)", "delete plain all"},
		{"DELETE FROM plain WHERE id IN (1)", "delete plain"},
		{"DELETE FROM aside", "delete temp.aside all"},

		// what the statement does not name
		{"UPDATE OR REPLACE plain SET id = 1 WHERE id = 2", "update plain(id); replace plain"},
		{"UPDATE OR IGNORE keyed SET k = 1 WHERE id = 2", "update keyed(k)"},
		{"UPDATE keyed SET k = 1 WHERE id = 2", "update keyed(k); replace keyed"},
		{"INSERT INTO keyed (k) VALUES (1)", "replace keyed(k)"},
		{"INSERT OR ABORT INTO keyed (k) VALUES (1)", "insert keyed(k)"},
		{"INSERT INTO plain (id, a) VALUES (1, 2) ON CONFLICT (id) DO UPDATE SET a = excluded.a, b = NULL", "insert plain(id,a); update plain(a,b)"},
		{"INSERT INTO plain (id, a) VALUES (1, 2) ON CONFLICT DO NOTHING", "insert plain(id,a)"},
		{"DELETE FROM users WHERE id = 1", "delete users; delete orders; update items(order_id)"},
		{"REPLACE INTO users (id) VALUES (1)", "replace users(id); delete orders; update items(order_id)"},
		{"UPDATE users SET id = 2 WHERE id = 1", "update users(id); update orders(user_id)"},
		{"UPDATE users SET name = 'x' WHERE id = 1", "update users(name)"},
		{"DELETE FROM log WHERE what = 'x'", "delete log; delete plain; replace keyed(k)"},
		{"UPDATE orders SET note = 'x' WHERE id = 1", "update orders(note); update log(what) all"},
		{"UPDATE orders SET user_id = 1 WHERE id = 1", "update orders(user_id)"},
		{"DELETE FROM v WHERE id = 1", "delete v; delete copy all"},

		// tables of the application's own
		{"INSERT INTO migrations (v) VALUES (1)", "opaque INSERT of rows of migrations, a table that no migration makes,"},
		{"UPDATE main.settings SET v = 1", "opaque UPDATE of rows of settings, a table that no migration makes,"},
		{"WITH x AS (SELECT 1) DELETE FROM settings", "opaque DELETE of rows of settings, a table that no migration makes,"},
	} {
		_, acts, err := follow(l, test.sql)
		if err != nil {
			t.Errorf("%s: %v", test.sql, err)
		} else if got := acted(acts); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.sql, got, test.want)
		}
	}
	for _, test := range []struct{ sql, want string }{
		{"SELECT 1; INSERT INTO dropped VALUES (1)", "m.sql:1:23: SQLite refuses `INSERT INTO dropped VALUES (1)`: no such table: dropped"},
		{"INSERT INTO plain (a) SELECT x FROM settings", "no such table: settings"},
		{"INSERT INTO plain (zzz) VALUES (1)", "no column named zzz"},
		{"ALTER TABLE settings ADD COLUMN x", "no such table: settings"},
		{"DROP TABLE settings", "no such table: settings"},
		{"CREATE INDEX i ON settings (x)", "settings"},
		{"DELETE FROM other.settings", "other.settings"},
		{"DELETE FROM sqlite_sequence", "sqlite_sequence"},
	} {
		if _, _, err := follow(l, test.sql); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", test.sql, err, test.want)
		}
	}
}

// TestCopy runs each statement with rows in its table: what is called a copy brings every row once.
func TestCopy(t *testing.T) {
	const start = `CREATE TABLE a (id INTEGER PRIMARY KEY, x TEXT, y TEXT); CREATE TABLE b (id INTEGER PRIMARY KEY, x TEXT, y TEXT);
CREATE TABLE u (id INTEGER PRIMARY KEY, x TEXT UNIQUE ON CONFLICT IGNORE, y TEXT); CREATE TABLE w (id INTEGER, x TEXT, y TEXT);
CREATE TRIGGER no BEFORE INSERT ON w BEGIN SELECT RAISE(IGNORE); END;
CREATE TEMP TABLE aside (id INTEGER, x TEXT, y TEXT)`
	for _, test := range []struct {
		sql, into string
		want      map[string]string // nil = it is no copy
	}{
		{"INSERT INTO b SELECT * FROM a", "b", map[string]string{"id": "id", "x": "x", "y": "y"}},
		{"INSERT INTO b SELECT a.* FROM a", "b", map[string]string{"id": "id", "x": "x", "y": "y"}},
		{"INSERT INTO b (id, y) SELECT id, x FROM a ORDER BY id", "b", map[string]string{"id": "id", "y": "x"}},
		{`INSERT INTO b ("id", x) SELECT o.id, upper(o.x) AS x FROM a AS o`, "b", map[string]string{"id": "id", "x": ""}},
		{"INSERT INTO b (id, x) SELECT id, coalesce(x, 'none') FROM a o", "b", map[string]string{"id": "id", "x": ""}},
		{"INSERT INTO temp.aside SELECT * FROM a", "aside", map[string]string{"id": "id", "x": "x", "y": "y"}},
		{"CREATE TABLE c AS SELECT id, x AS z FROM a", "c", map[string]string{"id": "id", "z": "x"}},
		{"CREATE TEMPORARY TABLE d AS SELECT * FROM a", "d", map[string]string{"id": "id", "x": "x", "y": "y"}},
		{"INSERT INTO b (x) SELECT count(*) FROM a", "b", nil},
		{"INSERT INTO b (x) SELECT 'n' || max(id) FROM a", "b", nil},
		{"INSERT INTO b (x) SELECT DISTINCT y FROM a", "b", nil},
		{"INSERT INTO b (x) SELECT a.x FROM a JOIN a AS o", "b", nil},
		{"INSERT INTO b (x) SELECT a.x FROM a, a AS o", "b", nil},
		{"INSERT INTO b (id) SELECT id FROM a WHERE id > 1", "b", nil},
		{"INSERT INTO b (id) SELECT id FROM a LIMIT 1", "b", nil},
		{"INSERT INTO b (x) SELECT x FROM a GROUP BY y", "b", nil},
		{"INSERT INTO b (x) SELECT x FROM a UNION ALL SELECT x FROM a", "b", nil},
		{"INSERT INTO u SELECT * FROM a", "u", nil},
		{"INSERT INTO w SELECT * FROM a", "w", nil},
	} {
		l, _ := must(t, empty(), start)
		_, acts := must(t, l, test.sql)
		var got map[string]string
		if w, ok := acts.Changes[0].(diff.WriteRows); !ok {
			t.Errorf("%s: no rows are written", test.sql)
		} else if w.Copy != nil {
			got = w.Copy.Columns
		}
		if d := cmp.Diff(test.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", test.sql, d)
		}
		e, err := l.openWithTemporary(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if err := e.exec(t.Context(), "INSERT INTO a VALUES (1, 'p', 's'), (2, 'p', 's'), (3, 'q', 't'); "+test.sql); err != nil {
			t.Errorf("%s: %v", test.sql, err)
		}
		rows, err := e.query(t.Context(), "SELECT count(*) FROM "+test.into)
		if err != nil || rows[0][0] == int64(3) != (test.want != nil) {
			t.Errorf("%s brings %v of 3 rows: %v", test.sql, rows, err)
		}
		e.close()
	}
}

func TestCut(t *testing.T) {
	statements, err := Dialect{}.Cut(&source.File{Path: "m.sql", Text: "  CREATE TABLE a (x); -- why\n\nCREATE TEMP TABLE b (y);\n/* x */ CREATE TRIGGER g AFTER INSERT ON a BEGIN SELECT 1; END;"})
	var got []string
	for _, st := range statements {
		got = append(got, st.Pos.String()+" "+st.Text)
	}
	want := []string{"m.sql:1:3 CREATE TABLE a (x)", "m.sql:3:1 CREATE TEMP TABLE b (y)", "m.sql:4:9 CREATE TRIGGER g AFTER INSERT ON a BEGIN SELECT 1; END"}
	if d := cmp.Diff(want, got); err != nil || d != "" {
		t.Errorf("%v (-want +got):\n%s", err, d)
	}
	_, err = Dialect{}.Cut(&source.File{Path: "m.sql", Text: "ATTACH 'x' AS y;\nEXECUTE z"})
	if at := schema.Errors(err); len(at) != 2 || at[0].Pos.Line != 1 || at[1].Pos.Line != 2 {
		t.Errorf("errors: %v", err)
	}
}

func TestBeginForgetsTemporaryTables(t *testing.T) {
	l, _ := must(t, empty(), "CREATE TABLE a (x); CREATE TEMP TABLE b AS SELECT * FROM a; INSERT INTO b VALUES (1)")
	fresh, err := Dialect{}.Begin(l)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := follow(fresh, "DROP TABLE b"); err == nil {
		t.Error("the temporary table is still there")
	}
	must(t, l, "DROP TABLE b; INSERT INTO a VALUES (1)")
}

func TestAfterPlaces(t *testing.T) {
	l, _ := must(t, empty(), "CREATE TABLE a (x TEXT,\n  y TEXT);\nCREATE INDEX i ON a (x)")
	was := fmt.Sprint(l.entries, l.Schema.Tables[0].Name, len(l.Schema.Tables[0].Columns))
	after, _ := must(t, l, "\n\n\n\nALTER TABLE a ADD COLUMN z TEXT;\nALTER TABLE a RENAME COLUMN x TO w;\nALTER TABLE a RENAME TO b")
	if now := fmt.Sprint(l.entries, l.Schema.Tables[0].Name, len(l.Schema.Tables[0].Columns)); now != was {
		t.Errorf("the side before has changed: %s → %s", was, now)
	}
	var got []string
	for _, c := range after.Schema.Table("b").Columns {
		got = append(got, fmt.Sprint(c.Key, " ", c.Canon != "", " ", c.Pos.Line > 0))
	}
	if d := cmp.Diff([]string{"w true true", "y true true", "z true true"}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	_, _, err := follow(l, "CREATE TABLE b (x);\nCREATE INDEX j ON c (x);\nCREATE TABLE c (x)")
	if at := schema.Errors(err); len(at) != 1 || at[0].Pos.Line != 2 {
		t.Errorf("an index that comes before its table: %v", err)
	}
}

// TestReadMigrationsAsOneByOne: reading migrations at once comes to what their statements come to one by one.
func TestReadMigrationsAsOneByOne(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		names := []string{"a", "b", "c"}
		pick := func(of []string) string { return rapid.SampledFrom(of).Draw(r, "name") }
		side := empty()
		var files []*source.File
		for i := range rapid.IntRange(1, 14).Draw(r, "statements") {
			table, column, other := pick(names), pick([]string{"p", "q", "s"}), pick(names)
			sql := rapid.SampledFrom([]string{
				fmt.Sprintf("CREATE TABLE %s (id INTEGER PRIMARY KEY, %s TEXT)", table, column),
				fmt.Sprintf("CREATE TABLE IF NOT EXISTS %s (id INTEGER PRIMARY KEY, %s TEXT, o INTEGER REFERENCES %s (id))", table, column, other),
				fmt.Sprintf("ALTER TABLE %s ADD COLUMN %s TEXT", table, column),
				fmt.Sprintf("ALTER TABLE %s DROP COLUMN %s", table, column),
				fmt.Sprintf("ALTER TABLE %s RENAME COLUMN %s TO %s", table, column, pick([]string{"p", "q", "s"})),
				fmt.Sprintf("ALTER TABLE %s RENAME TO %s", table, other),
				fmt.Sprintf("CREATE TABLE new_%[1]s (id INTEGER PRIMARY KEY, %[2]s TEXT NOT NULL);\nINSERT INTO new_%[1]s (id) SELECT id FROM %[1]s;\nDROP TABLE %[1]s;\nALTER TABLE new_%[1]s RENAME TO %[1]s", table, column),
				fmt.Sprintf("CREATE VIEW v%s AS SELECT id FROM %s", other, table),
				fmt.Sprintf("CREATE TRIGGER g%s AFTER INSERT ON %s BEGIN DELETE FROM %s; END", other, table, other),
				fmt.Sprintf("CREATE INDEX i%s ON %s (%s)", other, table, column),
				fmt.Sprintf("DROP TABLE IF EXISTS %s", table),
				fmt.Sprintf("DROP INDEX i%s", other),
				fmt.Sprintf("DROP VIEW v%s", other),
			}).Draw(r, "sql")
			after, _, err := follow(side, sql)
			if err != nil {
				continue // the half of it that went through is not kept either
			}
			side = after
			files = append(files, &source.File{Path: fmt.Sprintf("%03d.sql", i), Text: sql})
		}
		got, err := Dialect{}.ReadMigrations(context.Background(), files, nil)
		if err != nil {
			r.Fatal(err)
		}
		sorted := func(l *Loaded) []string {
			var all []string
			for _, x := range l.entries {
				all = append(all, x.kind+" "+x.table+" "+x.sql)
			}
			slices.Sort(all)
			return all
		}
		if d := cmp.Diff(sorted(side), sorted(got)); d != "" {
			r.Fatalf("one by one and at once (-one +at once):\n%s", d)
		}
		if d := diff.Schemas(side.Schema, got.Schema); len(d) > 0 {
			r.Fatalf("the models differ: %v", d)
		}
	})
}

// TestFamiliesShareNames: what would go through in databases of their own and does not in one is an error.
func TestFamiliesShareNames(t *testing.T) {
	for _, sql := range []string{
		"CREATE TABLE a (x); CREATE TABLE b (x); CREATE INDEX b ON a (x)",
		"CREATE TABLE a (x); CREATE TABLE b (x); ALTER TABLE a RENAME TO b",
		"CREATE TABLE a (x); CREATE TABLE b (x); CREATE INDEX i ON a (x); CREATE INDEX i ON b (x); DROP TABLE b",
		"CREATE TABLE a (x); CREATE VIEW v AS SELECT x FROM a; ALTER TABLE a DROP COLUMN x",
	} {
		if _, err := (Dialect{}).ReadMigrations(t.Context(), []*source.File{{Path: "m.sql", Text: sql}}, nil); err == nil {
			t.Errorf("%s: no error", sql)
		}
	}
	l, err := Dialect{}.ReadMigrations(t.Context(), []*source.File{{Path: "m.sql", Text: "CREATE TABLE a (x PRIMARY KEY); CREATE TABLE b (y REFERENCES [A] (x)); ALTER TABLE a RENAME x TO z; ALTER TABLE A RENAME TO c"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if r := l.Schema.Table("b").Constraints[0].Ref; r.Table != "c" || r.Columns[0] != "z" {
		t.Errorf("the reference leads to %s (%s)", r.Table, r.Columns[0])
	}
}
