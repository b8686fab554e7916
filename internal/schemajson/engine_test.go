package schemajson

import (
	"database/sql"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
	_ "modernc.org/sqlite" // the engine that the statements are for
)

// newEngine gives an empty SQLite database of one connection.
func newEngine(t testing.TB) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1)
	return db
}

// objects lists what the database holds, and the columns of its tables.
func objects(t testing.TB, db *sql.DB) []string {
	t.Helper()
	return rows(t, db, `
		SELECT type || ' ' || name || ' on ' || tbl_name FROM sqlite_schema WHERE sql IS NOT NULL
		UNION ALL
		SELECT 'column ' || s.name || '.' || c.name || ' ' || c.type || ' null:' || (1 - c."notnull") || ' key:' || c.pk || ' default:' || ifnull(c.dflt_value, '')
		FROM sqlite_schema s, pragma_table_xinfo(s.name) c WHERE s.type = 'table'
		ORDER BY 1`)
}

func rows(t testing.TB, db *sql.DB, query string) []string {
	t.Helper()
	found, err := db.Query(query)
	if err != nil {
		t.Fatal(err)
	}
	defer found.Close()
	var all []string
	for found.Next() {
		var line string
		if err := found.Scan(&line); err != nil {
			t.Fatal(err)
		}
		all = append(all, line)
	}
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// declared lists what objects should find for a document whose types and defaults are spelt as the engine spells them.
func declared(d *Document) []string {
	var all []string
	add := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	for _, t := range d.tables.items {
		add("table %s on %s", t.name.text, t.name.text)
		keys := 0
		for _, c := range t.columns.items {
			null, key, fallback := 0, 0, ""
			if c.nullable.set {
				null = 1
			}
			if c.primaryKey.set {
				keys++
				key = keys
			}
			if c.defaultValue != nil {
				fallback = unwrapped(c.defaultValue.text)
			}
			add("column %s.%s %s null:%d key:%d default:%s", t.name.text, c.name.text, trimmed(c.dataType), null, key, fallback)
		}
		for _, i := range t.indexes.items {
			add("index %s on %s", i.name.text, t.name.text)
		}
		for _, g := range t.triggers.items {
			add("trigger %s on %s", g.name.text, t.name.text)
		}
	}
	for _, v := range d.views.items {
		add("view %s on %s", v.name.text, v.name.text)
	}
	return all
}

// unwrapped takes off the parentheses that the engine does not report.
func unwrapped(value string) string {
	if value[0] == '(' {
		return value[1 : len(value)-1]
	}
	return value
}

// TestStatementsOnEngine runs the statements of every case that has some. The database must then hold what the document
// declares and nothing else, and take a row by each trigger.
func TestStatementsOnEngine(t *testing.T) {
	ran := 0
	for _, path := range caseFiles(t) {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		c := readCase(t, archive)
		if section, _ := answer(t, c); section != "want/statements.sql" {
			continue
		}
		ran++
		t.Run(path, func(t *testing.T) {
			d, err := Decode("head.json", c.head)
			if err != nil {
				t.Fatal(err)
			}
			statements, err := d.Statements(c.dialect)
			if err != nil {
				t.Fatal(err)
			}
			db := newEngine(t)
			for _, s := range statements {
				if _, err := db.Exec(s.SQL); err != nil {
					t.Fatalf("%s: %v\n%s", s.Path, err, s.SQL)
				}
			}
			want := map[string]bool{}
			for _, line := range declared(d) {
				want[line] = true
			}
			got := map[string]bool{}
			for _, line := range objects(t, db) {
				got[line] = true
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("objects (-want +got):\n%s", d)
			}
			for _, v := range d.views.items {
				if _, err := db.Exec("SELECT * FROM " + quoted(v.name)); err != nil {
					t.Errorf("reading view %s: %v", v.name.text, err)
				}
			}
		})
	}
	if ran < 2 {
		t.Errorf("only %d cases have statements", ran)
	}
}

// TestForeignKeysOnEngine holds that what Validate takes for a key is one to the engine.
func TestForeignKeysOnEngine(t *testing.T) {
	d, err := Decode("f", []byte(`{"version": "1", "tables": [{"name": "t", "columns": [
		{"name": "a", "data_type": "INT", "nullable": false, "primary_key": true, "unique": false},
		{"name": "b", "data_type": "INT", "nullable": false, "primary_key": true, "unique": false},
		{"name": "c", "data_type": "INT", "nullable": true, "primary_key": false, "unique": true}
	], "indexes": [{"name": "i", "columns": ["b", "c"], "unique": true}], "foreign_keys": [
		{"name": "key", "columns": ["a", "b"], "referenced_table": "t", "referenced_columns": ["b", "a"]},
		{"name": "unique", "columns": ["a"], "referenced_table": "t", "referenced_columns": ["c"]},
		{"name": "index", "columns": ["a", "b"], "referenced_table": "t", "referenced_columns": ["c", "b"]}
	]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if err := Validate(nil, d, nil, SQLite); err != nil {
		t.Fatal(err)
	}
	statements, err := d.Statements(SQLite)
	if err != nil {
		t.Fatal(err)
	}
	db := newEngine(t)
	for _, s := range statements {
		if _, err := db.Exec(s.SQL); err != nil {
			t.Fatal(err)
		}
	}
	for _, sql := range []string{"PRAGMA foreign_keys = ON", "INSERT INTO t VALUES (1, 1, 1)"} {
		if _, err := db.Exec(sql); err != nil {
			t.Errorf("%s: %v", sql, err)
		}
	}
	want := []string{`a,b -> b,a`, `a -> c`, `a,b -> c,b`}
	got := rows(t, db, `SELECT group_concat("from") || ' -> ' || group_concat("to")
		FROM (SELECT * FROM pragma_foreign_key_list('t') ORDER BY id, seq) GROUP BY id ORDER BY id DESC`)
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("foreign keys (-want +got):\n%s", d)
	}
}
