package scratch

import (
	"context"
	"errors"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/altergate/altergate/internal/dialect/postgres/postgrestest"
	"github.com/altergate/altergate/internal/dialect/postgres/script"
	"github.com/altergate/altergate/internal/proof"
	"github.com/altergate/altergate/internal/schema"
	"github.com/altergate/altergate/internal/source"
)

func prove(t *testing.T, url string, ctx context.Context, base, head string, statements ...string) (*proof.Engine, error) {
	t.Helper()
	return Prove(ctx, url, Input{Base: side(t, base), Head: side(t, head), Steps: steps(statements...)})
}

func TestUnreachableServer(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close() // it takes connections and never answers
	for _, url := range []string{"postgres://postgres@" + listener.Addr().String() + "/postgres?connect_timeout=1&sslmode=disable", "postgres://postgres:hush@127.0.0.1:1/postgres", "postgres://:hush@[x"} {
		started := time.Now()
		_, err := prove(t, url, context.Background(), "", "")
		var u *proof.Unavailable
		if !errors.As(err, &u) || !strings.Contains(err.Error(), "check --scratch") || strings.Contains(err.Error(), "hush") {
			t.Errorf("%s: %v", url, err)
		}
		if spent := time.Since(started); spent > 5*time.Second {
			t.Errorf("%s took %v", url, spent)
		}
	}
}

func TestNotRun(t *testing.T) {
	url := postgrestest.URL(t)
	for sql, want := range map[string]string{
		"CREATE EXTENSION nobody_has_this; CREATE TABLE t (a nobody_type);":                                            "extension nobody_has_this is not installed on the scratch server",
		"CREATE TABLE t (a integer) TABLESPACE nowhere;":                                                               `tablespace "nowhere" does not exist`,
		`CREATE TABLE t (a text COLLATE "xx_XX");`:                                                                     `collation "xx_XX"`,
		"CREATE FUNCTION f() RETURNS integer LANGUAGE c AS 'nothing', 'f';":                                            "functions in the language c are not run on a scratch server",
		"CREATE FUNCTION f() RETURNS integer LANGUAGE plpython3u AS 'return 1';":                                       "functions in the language plpython3u are not run",
		"CREATE FUNCTION f() RETURNS integer LANGUAGE internal AS 'pg_ls_dir';":                                        "functions in the language internal are not run",
		"COPY (SELECT 1) TO PROGRAM 'true';":                                                                           "are not run on a scratch server",
		"ALTER SYSTEM SET work_mem = '1GB';":                                                                           "are not run on a scratch server",
		"CREATE SERVER s FOREIGN DATA WRAPPER nobody;  CREATE SCHEMA x; IMPORT FOREIGN SCHEMA a FROM SERVER s INTO x;": "are not run on a scratch server",
		"CREATE SCHEMA AUTHORIZATION altergate_nobody;":                                                                "no role altergate_nobody",
		"DO LANGUAGE plpgsql 'BEGIN END';":                                                                             "are not run on a scratch server",
		"CREATE TABLE t AS SELECT 1 AS a;":                                                                             "are not run on a scratch server",
		"INSERT INTO t VALUES (1);":                                                                                    "are not run on a scratch server",
	} {
		engine, err := prove(t, url, context.Background(), "", sql)
		if err != nil || engine.Result != proof.NotRun || !strings.Contains(engine.Reason, want) {
			t.Errorf("%s: %+v, %v", sql, engine, err)
		}
	}
	for _, sql := range []string{"SET ROLE postgres", "COPY t TO PROGRAM 'true'", "CREATE DATABASE altergate_x", "DO LANGUAGE plpython3u ''", "SET session_authorization = root"} {
		if engine, err := prove(t, url, context.Background(), "", "", sql); err != nil || engine.Reason == "" {
			t.Errorf("%s is run: %+v, %v", sql, engine, err)
		}
	}
}

func TestRefusedSide(t *testing.T) {
	url := postgrestest.URL(t)
	_, err := prove(t, url, context.Background(), "CREATE TABLE t (a integer);", "CREATE TABLE t (a integer);\nCREATE VIEW v AS SELECT nothing FROM t;\nCREATE VIEW w AS SELECT * FROM v;\nCREATE TABLE x (a integer DEFAULT 'x');")
	errs := schema.Errors(err)
	if len(errs) != 1 || errs[0].Side != schema.Head || errs[0].Pos.Line != 4 || errs[0].Kind != schema.KindSchema || !strings.Contains(errs[0].Text, "refuses this: invalid input syntax for type integer") {
		t.Errorf("%v", err)
	}
	_, err = prove(t, url, context.Background(), "CREATE TABLE t (a integer REFERENCES missing);", "")
	if errs = schema.Errors(err); len(errs) != 1 || errs[0].Side != schema.Base || !strings.Contains(errs[0].Text, `relation "missing" does not exist`) {
		t.Errorf("%v", err)
	}
}

// TestStatementsInAnyOrder turns a schema round: every statement comes before what it needs.
func TestStatementsInAnyOrder(t *testing.T) {
	url := postgrestest.URL(t)
	backwards := side(t, peopleBase)
	slices.Reverse(backwards.Statements)
	engine, err := Prove(context.Background(), url, Input{Base: backwards, Head: side(t, peopleBase)})
	if err != nil || engine.Result != proof.Proved {
		t.Fatalf("%+v, %v", engine, err)
	}
}

func TestRolesThatAreNotThere(t *testing.T) {
	url := postgrestest.URL(t)
	base := `CREATE TABLE t (id integer PRIMARY KEY); ALTER TABLE t OWNER TO altergate_nobody; GRANT SELECT ON t TO altergate_nobody; COMMENT ON DATABASE postgres IS 'x';
		ALTER TABLE t ENABLE ROW LEVEL SECURITY; ALTER TABLE t FORCE ROW LEVEL SECURITY; ALTER DEFAULT PRIVILEGES FOR ROLE altergate_nobody GRANT SELECT ON TABLES TO PUBLIC;
		CREATE POLICY p ON t TO "altergate_nobody", Altergate_Nobody2 USING (id > 0);`
	head := base + "CREATE POLICY q ON t TO altergate_nobody USING (id > 10); GRANT INSERT ON t TO altergate_nobody;"
	engine, err := prove(t, url, context.Background(), base, head, "CREATE POLICY q ON t TO altergate_nobody USING (id > 10)", "GRANT INSERT ON t TO altergate_nobody")
	want := []string{"1 statement concerns something outside the database", "2 statements make policies for roles that the server does not have, and were tried with its own role",
		"4 statements name roles that the server does not have, or its role may not act for"}
	if err != nil || engine.Result != proof.Proved || engine.Rows != 3 || !slices.Equal(engine.LeftOut, want) {
		t.Errorf("%+v, %v", engine, err)
	}
}

// TestDatabasesAreGone looks after runs of every ending.
func TestDatabasesAreGone(t *testing.T) {
	url := postgrestest.URL(t)
	before := leftovers(t, url)
	prove(t, url, context.Background(), peopleBase, peopleBase)
	prove(t, url, context.Background(), peopleBase, "CREATE VIEW v AS SELECT nothing FROM t;")
	prove(t, url, context.Background(), peopleBase, peopleBase, "SELECT nothing")
	prove(t, url, context.Background(), peopleBase, peopleBase, "SELECT pg_terminate_backend(pg_backend_pid())")
	for _, after := range []time.Duration{time.Millisecond, 50 * time.Millisecond, 150 * time.Millisecond, 400 * time.Millisecond} {
		ctx, cancel := context.WithTimeout(context.Background(), after)
		if _, err := prove(t, url, ctx, peopleBase, peopleBase, "SELECT pg_sleep(5)"); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("stopped after %v: %v", after, err)
		}
		cancel()
	}
	for _, name := range leftovers(t, url) {
		if !slices.Contains(before, name) {
			t.Errorf("%s is left behind", name)
		}
	}
}

func TestRoleThatMayNotMakeDatabases(t *testing.T) {
	url, ctx := superURL(t), context.Background()
	s, err := connect(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := s.open(ctx, s.config.Database)
	if err != nil {
		t.Fatal(err)
	}
	defer hangUp(ctx, conn)
	if _, err := run(ctx, conn, "SET ROLE pg_monitor"); err != nil { // every server has it
		t.Fatal(err)
	}
	var u *proof.Unavailable
	if err := s.ask(ctx, conn); !errors.As(err, &u) || !strings.Contains(err.Error(), "the role pg_monitor may not create databases") {
		t.Errorf("%v", err)
	}
}

// TestWithOwnRole shows that a role is replaced where it stands and nowhere else.
func TestWithOwnRole(t *testing.T) {
	s, _ := script.Split(&source.File{Path: "x.sql", Text: `CREATE POLICY bob ON bob TO bob, "b""ob" USING (bob = 'bob')`})
	if errs := script.Parse(s.Statements, nil); len(errs) > 0 {
		t.Fatal(errs[0])
	}
	st := s.Statements[0]
	got := withOwnRole(st.Text, (&server{}).missing(st.Node))
	if want := `CREATE POLICY bob ON bob TO CURRENT_USER, CURRENT_USER USING (bob = 'bob')`; got != want {
		t.Errorf("%s", got)
	}
}
