package pipeline_test

import (
	"database/sql"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	_ "modernc.org/sqlite"

	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/proof"
)

// TestCasesOnEngine runs each plan on a database made from the base's own text and compares it with one made from the head's.
// It shares nothing with the product's proof.
func TestCasesOnEngine(t *testing.T) {
	eachCaseOf(t, "sqlite", func(t *testing.T, c *testCase) {
		if c.want["error.txt"] != "" {
			return
		}
		result := c.review(t, c.base, c.head)
		if result.Plan == nil {
			t.Fatalf("no answer:\n%s", errorText(result.Errors))
		}
		if e := result.Proof.Engine; result.Proof.Replay != proof.Proved || e == nil || e.Result != proof.Proved {
			t.Errorf("the report does not say that the plan is proved: %+v", result.Proof)
		}
		base, head := c.database(t, c.base), c.database(t, c.head)
		if base == nil || head == nil {
			return // the engine lacks something that the case is about
		}
		exec(t, base, "PRAGMA foreign_keys = ON")
		before := contents(t, base)
		for _, s := range result.Plan.Steps {
			for _, statement := range s.Statements() {
				exec(t, base, statement)
			}
		}
		if d := cmp.Diff(catalog(t, head), catalog(t, base)); d != "" {
			t.Errorf("the database after the plan (-head +plan):\n%s", d)
		}
		if d := cmp.Diff(survivors(before, result.Plan), contents(t, base)); d != "" {
			t.Errorf("rows after the plan (-base +plan):\n%s", d)
		}
		if got := query(t, base, "PRAGMA integrity_check"); !slices.Equal(got, []string{"ok"}) {
			t.Errorf("integrity_check says %v", got)
		}
		if got := query(t, base, "PRAGMA foreign_keys"); !slices.Equal(got, []string{"1"}) {
			t.Error("the plan leaves foreign_keys off")
		}
	})
}

// TestCasesOnPostgres does so on a server, in databases of its own.
func TestCasesOnPostgres(t *testing.T) {
	server := postgresServer(t)
	eachCaseOf(t, "postgres", func(t *testing.T, c *testCase) {
		if c.want["error.txt"] == "" {
			c.onPostgres(t, server)
		}
	})
}

// memory opens an empty database.
func memory(t *testing.T) *sql.Conn {
	t.Helper()
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// database makes a database from a tree's text; nil when the engine lacks a module, a function or a collation that it uses. What a JSON schema means
// as SQL only the product can say: there, it is the plan of a new schema.
func (c *testCase) database(t *testing.T, tree fstest.MapFS) *sql.Conn {
	t.Helper()
	conn := memory(t)
	var err error
	var waiting []string
	for _, name := range slices.Sorted(maps.Keys(tree)) {
		switch path.Ext(name) {
		case ".sql":
			parts, _ := declarations(string(tree[name].Data))
			waiting = append(waiting, parts...)
		case ".json":
			fresh := *c
			fresh.hints = nil
			waiting = append(waiting, planSQL(fresh.review(t, nil, tree).Plan))
		}
	}
	// A statement may stand before what it needs: it waits for the next round.
	for len(waiting) > 0 {
		var failed []string
		for _, statement := range waiting {
			_, err = conn.ExecContext(t.Context(), strings.TrimPrefix(statement, "\ufeff"))
			switch {
			case err == nil:
			case strings.Contains(err.Error(), "reserved for internal use"):
				err = nil // a table of SQLite's own, as the shell prints it
			case strings.Contains(err.Error(), "no such module"), strings.Contains(err.Error(), "no such function"), strings.Contains(err.Error(), "no such collation"):
				return nil
			default:
				failed = append(failed, statement)
			}
		}
		if len(failed) == len(waiting) {
			t.Fatalf("making a database: %v in %s", err, failed[len(failed)-1])
		}
		waiting = failed
	}
	return conn
}

func exec(t *testing.T, db *sql.Conn, statement string) {
	t.Helper()
	if _, err := db.ExecContext(t.Context(), statement); err != nil {
		t.Fatalf("%v in %s", err, statement)
	}
}

// query gives the rows of a query, each as one text.
func query(t *testing.T, db *sql.Conn, text string, args ...any) []string {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), text, args...)
	if err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for rows.Next() {
		values, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		out = append(out, strings.TrimSuffix(fmt.Sprintln(values...), "\n"))
	}
	if err := rows.Err(); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return out
}

// own are SQLite's own tables, which come and go by themselves.
const own = `name NOT LIKE 'sqlite\_s%' ESCAPE '\'`

// catalog describes a database by what SQLite says of it. Spelling and the order of columns and constraints do not show.
func catalog(t *testing.T, db *sql.Conn) []string {
	t.Helper()
	out := query(t, db, `SELECT type, lower(name), lower(tbl_name) FROM sqlite_schema WHERE name NOT LIKE 'sqlite\_%' ESCAPE '\' ORDER BY 1, 2, 3`)
	for _, table := range query(t, db, `SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND `+own+` ORDER BY lower(name)`) {
		for what, text := range map[string]string{
			"column": `SELECT lower(name), lower(type), "notnull", lower(replace(replace(replace(replace(replace(dflt_value, '"', ''), '''', ''), ' ', ''), '(', ''), ')', '')), pk, hidden FROM pragma_table_xinfo(?)`,
			"index": `SELECT CASE origin WHEN 'c' THEN lower(l.name) END, "unique", origin, partial,
				(SELECT group_concat(concat(lower(name), ' ', "desc", ' ', coll), ', ') FROM (SELECT * FROM pragma_index_xinfo(l.name) WHERE key ORDER BY seqno)) FROM pragma_index_list(?) AS l`,
			"foreign key": `SELECT lower("table"), group_concat(concat(lower("from"), ' ', lower("to")), ', '), on_update, on_delete, match
				FROM (SELECT * FROM pragma_foreign_key_list(?) ORDER BY id, seq) GROUP BY id`,
			"option": `SELECT wr, strict FROM pragma_table_list WHERE name = ?`,
		} {
			for _, line := range query(t, db, text, table) {
				out = append(out, fmt.Sprintf("%s: %s %s", strings.ToLower(table), what, line))
			}
		}
	}
	slices.Sort(out)
	return out
}

// contents says of each table how many rows it has and how far AUTOINCREMENT is.
func contents(t *testing.T, db *sql.Conn) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, name := range query(t, db, `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND `+own) {
		out[strings.ToLower(name)] = query(t, db, `SELECT count(*) FROM "`+strings.ReplaceAll(name, `"`, `""`)+`"`)[0] + " rows"
	}
	if len(query(t, db, "SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'")) > 0 {
		for _, line := range query(t, db, "SELECT lower(name), seq FROM sqlite_sequence") {
			name, mark, _ := strings.Cut(line, " ")
			out[name] += ", numbered to " + mark
		}
	}
	return out
}

// survivors says what a plan should leave of the contents: a table that is dropped goes, and a new one is empty.
func survivors(before map[string]string, p *plan.Plan) map[string]string {
	out := map[string]string{}
	for name, rows := range before {
		out[name] = rows
	}
	for _, s := range p.Steps {
		switch s.Kind {
		case "rename_table":
			out[strings.ToLower(s.Object)] = out[strings.ToLower(s.From)]
			delete(out, strings.ToLower(s.From))
		case "drop_table":
			delete(out, strings.ToLower(s.Object))
		case "create_table":
			out[strings.ToLower(s.Object)] = "0 rows"
		case "rebuild_table":
			for _, f := range s.Findings {
				if f.Rule == "autoincrement" {
					out[strings.ToLower(s.Object)], _, _ = strings.Cut(out[strings.ToLower(s.Object)], ",")
				}
			}
		}
	}
	return out
}
