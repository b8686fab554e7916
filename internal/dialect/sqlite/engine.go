package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"slices"
	"strings"

	"modernc.org/sqlite"
	"modernc.org/sqlite/lib"
	"modernc.org/sqlite/vtab"
)

// engine is one SQLite database in memory, on one connection. It has no file, cannot attach one and loads no extension.
type engine struct {
	db   *sql.DB
	conn *sql.Conn
}

// connector opens connections of a driver of our own, so that the modules a schema needs are registered for it alone.
type connector struct{ driver *sqlite.Driver }

func (c connector) Driver() driver.Driver                        { return c.driver }
func (c connector) Connect(context.Context) (driver.Conn, error) { return c.driver.Open(":memory:") }

// extras are what a schema uses and this SQLite does not have; an application registers them. Stubs stand for them, so that the
// schema can be read, and its objects are compared by their text as always.
type extras struct {
	modules    []string // of virtual tables
	functions  []string
	collations []string
}

// and gives what two schemas use together: a plan runs the head's statements on the base.
func (x extras) and(y extras) extras {
	union := func(a, b []string) []string { return slices.Compact(slices.Sorted(slices.Values(slices.Concat(a, b)))) }
	return extras{union(x.modules, y.modules), union(x.functions, y.functions), union(x.collations, y.collations)}
}

// openEngine starts an empty database with stubs for what SQLite does not have.
func openEngine(ctx context.Context, x extras) (*engine, error) {
	d := &sqlite.Driver{}
	for _, name := range x.modules {
		if err := d.RegisterModule(name, stubModule{}); err != nil {
			return nil, fmt.Errorf("standing in for the virtual table module %s: %w", name, err)
		}
	}
	for _, name := range x.functions {
		null := func(*sqlite.FunctionContext, []driver.Value) (driver.Value, error) { return nil, nil }
		if err := d.RegisterDeterministicScalarFunction(name, -1, null); err != nil {
			return nil, fmt.Errorf("standing in for the function %s: %w", name, err)
		}
	}
	for _, name := range x.collations {
		if err := d.RegisterCollationUtf8(name, strings.Compare); err != nil {
			return nil, fmt.Errorf("standing in for the collation %s: %w", name, err)
		}
	}
	db := sql.OpenDB(connector{d})
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, fmt.Errorf("starting SQLite: %w", err)
	}
	if _, err := sqlite.Limit(conn, sqlite3.SQLITE_LIMIT_ATTACHED, 0); err != nil {
		return nil, fmt.Errorf("limiting SQLite: %w", err)
	}
	return &engine{db, conn}, nil
}

func (e *engine) close() {
	e.conn.Close()
	e.db.Close()
}

// exec runs one or more statements.
func (e *engine) exec(ctx context.Context, sql string) error {
	_, err := e.conn.ExecContext(ctx, sql)
	return err
}

// query runs a statement and gives its rows, values as Go values.
func (e *engine) query(ctx context.Context, query string, args ...any) ([][]any, error) {
	rows, err := e.conn.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	var out [][]any
	for rows.Next() {
		row := make([]any, len(columns))
		into := make([]any, len(columns))
		for i := range row {
			into[i] = &row[i]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		out = append(out, row)
	}
	return out, rows.Err()
}

// version gives the embedded engine's own version.
func (e *engine) version(ctx context.Context) string {
	rows, err := e.query(ctx, "SELECT sqlite_version()")
	if err != nil || len(rows) != 1 {
		return "unknown"
	}
	return fmt.Sprint(rows[0][0])
}

// message gives SQLite's own words of an error, without the driver's additions.
func message(err error) string {
	text := strings.TrimPrefix(err.Error(), "SQL logic error: ")
	text = strings.TrimPrefix(text, "constraint failed: ")
	if i := strings.LastIndex(text, " ("); i > 0 && strings.HasSuffix(text, ")") {
		if code := text[i+2 : len(text)-1]; code != "" && strings.Trim(code, "0123456789") == "" {
			return text[:i]
		}
	}
	return text
}

// entry is a row of sqlite_schema.
type entry struct{ kind, name, table, sql string }

// catalog reads the statements that made the database, in the order in which they can make it again. SQLite's own tables, the
// indexes behind constraints and the tables behind virtual tables are left out: they come by themselves.
func (e *engine) catalog(ctx context.Context) ([]entry, error) {
	rows, err := e.query(ctx, `SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\_%' ESCAPE '\' ORDER BY rowid`)
	if err != nil {
		return nil, fmt.Errorf("reading SQLite's catalog: %w", err)
	}
	var entries []entry
	virtual := false
	for _, r := range rows {
		x := entry{r[0].(string), r[1].(string), r[2].(string), r[3].(string)}
		virtual = virtual || isVirtual(x.sql)
		entries = append(entries, x)
	}
	if !virtual {
		return entries, nil
	}
	return e.withoutShadows(ctx, entries)
}

// withoutShadows leaves out the tables in which virtual tables keep their data.
func (e *engine) withoutShadows(ctx context.Context, entries []entry) ([]entry, error) {
	rows, err := e.query(ctx, `SELECT name FROM pragma_table_list WHERE type = 'shadow'`)
	if err != nil {
		return nil, fmt.Errorf("reading SQLite's list of tables: %w", err)
	}
	shadow := map[string]bool{}
	for _, r := range rows {
		shadow[r[0].(string)] = true
	}
	kept := entries[:0]
	for _, x := range entries {
		if !shadow[x.table] {
			kept = append(kept, x)
		}
	}
	return kept, nil
}

func isVirtual(sql string) bool {
	const prefix = "CREATE VIRTUAL TABLE"
	return len(sql) > len(prefix) && strings.EqualFold(sql[:len(prefix)], prefix)
}

// stubModule stands for a virtual table module that this SQLite does not have: its tables have the columns that their
// arguments name and hold nothing.
type stubModule struct{}

func (m stubModule) Connect(ctx vtab.Context, args []string) (vtab.Table, error) {
	return m.Create(ctx, args)
}

// Create declares a column for each argument that looks like one, and the hidden columns that full-text modules have.
func (stubModule) Create(ctx vtab.Context, args []string) (vtab.Table, error) {
	var columns []string
	seen := map[string]bool{}
	add := func(name, suffix string) {
		if key := fold(name); key != "" && !seen[key] {
			seen[key] = true
			columns = append(columns, quote(name)+suffix)
		}
	}
	for _, a := range args[3:] {
		if tokens := newParser(a).tokens; len(tokens) > 0 && !(len(tokens) > 1 && tokens[1].is("=")) {
			add(tokens[0].name(), "")
		}
	}
	if len(columns) == 0 {
		add("content", "")
	}
	for _, hidden := range []string{args[2], "docid", "rank", "langid"} {
		add(hidden, " HIDDEN")
	}
	return stubTable{}, ctx.Declare("CREATE TABLE x(" + strings.Join(columns, ", ") + ")")
}

type stubTable struct{}

func (stubTable) BestIndex(*vtab.IndexInfo) error          { return nil }
func (stubTable) Open() (vtab.Cursor, error)               { return stubCursor{}, nil }
func (stubTable) Disconnect() error                        { return nil }
func (stubTable) Destroy() error                           { return nil }
func (stubTable) Rename(string) error                      { return nil }
func (stubTable) Insert([]vtab.Value, *int64) error        { return nil }
func (stubTable) Update(int64, []vtab.Value, *int64) error { return nil }
func (stubTable) Delete(int64) error                       { return nil }

type stubCursor struct{}

func (stubCursor) Filter(int, string, []vtab.Value) error { return nil }
func (stubCursor) Next() error                            { return nil }
func (stubCursor) Eof() bool                              { return true }
func (stubCursor) Column(int) (vtab.Value, error)         { return nil, nil }
func (stubCursor) Rowid() (int64, error)                  { return 0, nil }
func (stubCursor) Close() error                           { return nil }
