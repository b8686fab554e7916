package scratch

import (
	"context"
	"errors"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/altergate/altergate/internal/dialect/mysql/mysqltest"
	flavours "github.com/altergate/altergate/internal/dialect/mysql/server"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/proof"
	"github.com/altergate/altergate/internal/schema"
)

func prove(t *testing.T, url string, ctx context.Context, base, head string, statements ...string) (*proof.Engine, error) {
	t.Helper()
	return Prove(ctx, url, Input{Base: side(t, base), Head: side(t, head), Steps: steps(plan.Destructive, statements...)})
}

func TestUnreachableServer(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close() // it takes connections and never answers
	for _, url := range []string{"mysql://root:hush@" + listener.Addr().String() + "/", "mysql://root:hush@127.0.0.1:1/", "mysql://:hush@[x", "root:hush@tcp(127.0.0.1:3306)/", "mysql://root@h/?socket=/nowhere/hush.sock&password=hush"} {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		_, err := prove(t, url, ctx, "", "")
		cancel()
		var u *proof.Unavailable
		if errors.Is(err, context.DeadlineExceeded) && strings.Contains(url, listener.Addr().String()) {
			continue // the review's own time was up first
		}
		if !errors.As(err, &u) || !strings.Contains(err.Error(), "check --scratch") || strings.Contains(err.Error(), "hush") && !strings.Contains(url, "hush.sock") {
			t.Errorf("%s: %v", url, err)
		}
	}
}

// TestWrongPasswordStaysSecret has the server refuse us.
func TestWrongPasswordStaysSecret(t *testing.T) {
	url := strings.Replace(mysqltest.URL(t), "root@", "altergate_nobody:hush@", 1)
	_, err := prove(t, url, context.Background(), "", "")
	var u *proof.Unavailable
	if !errors.As(err, &u) || strings.Contains(err.Error(), "hush") || !strings.Contains(err.Error(), "Access denied") {
		t.Errorf("%v", err)
	}
}

// TestNotRun has statements that reach outside, on either side and in the plan, and what this server does not know.
func TestNotRun(t *testing.T) {
	url := mysqltest.URL(t)
	for sql, want := range map[string]string{
		"CREATE USER eve;\n":                                                                                                `statements such as "CREATE USER eve" are not run`,
		"INSTALL PLUGIN x SONAME 'x.so';\n":                                                                                 "are not run",
		"LOAD DATA INFILE '/etc/passwd' INTO TABLE t;\n":                                                                    "are not run",
		"GRANT ALL ON *.* TO eve;\n":                                                                                        "are not run",
		"CREATE FUNCTION f RETURNS STRING SONAME 'x.so';\n":                                                                 "loads a library",
		"CREATE TEMPORARY TABLE t (a int);\n":                                                                               "are not run",
		"CREATE VIEW v AS SELECT LOAD_FILE('/etc/passwd');\n":                                                               "files of the server",
		"CREATE TABLE t (a int) ENGINE=FEDERATED CONNECTION='mysql://h/x';\n":                                               "FEDERATED",
		"CREATE TABLE t (a int) ENGINE = /*!50100 CONNECT */;\n":                                                            "CONNECT",
		"CREATE TABLE t (a int) DATA DIRECTORY='/tmp';\n":                                                                   "DIRECTORY",
		"CREATE TABLE t AS SELECT * FROM mysql.user;\n":                                                                     "names the database mysql",
		"CREATE VIEW v AS SELECT * FROM `mysql` . `user`;\n":                                                                "names the database mysql",
		"CREATE TRIGGER r BEFORE INSERT ON t FOR EACH ROW SET GLOBAL max_connections = 1;\n":                                "variable of the whole server",
		"CREATE TRIGGER r BEFORE INSERT ON t FOR EACH ROW SET @@global.max_connections = 1;\n":                              "variable of the whole server",
		"CREATE PROCEDURE p() SELECT 1 INTO OUTFILE '/tmp/x';\n":                                                            "files of the server",
		"CREATE PROCEDURE p() DROP USER root;\n":                                                                            "the server's users",
		"CREATE TABLE t (a int) ENGINE=InnoDB;\nCREATE TRIGGER r BEFORE UPDATE ON t FOR EACH ROW DELETE FROM mysql.user;\n": "names the database mysql",
	} {
		engine, err := prove(t, url, context.Background(), sql, "")
		if err != nil || engine.Result != proof.NotRun || !strings.Contains(engine.Reason, want) {
			t.Errorf("%s: %+v, %v; wanted %q", sql, engine, err, want)
		}
		engine, err = prove(t, url, context.Background(), "CREATE TABLE t (a int);\n", "CREATE TABLE t (a int);\n", strings.TrimSuffix(sql, ";\n"))
		if strings.Contains(sql, ";\nCREATE") {
			continue
		}
		if err != nil || engine.Result != proof.NotRun || !strings.Contains(engine.Reason, want) {
			t.Errorf("%s in a plan: %+v, %v; wanted %q", sql, engine, err, want)
		}
	}
}

// TestTwoStatementsInOneAreNone hides a statement behind another one.
func TestTwoStatementsInOneAreNone(t *testing.T) {
	const table = "CREATE TABLE t (a int);\n"
	_, err := prove(t, mysqltest.URL(t), context.Background(), table, table, "SELECT 1; DROP TABLE t")
	if err == nil || !strings.Contains(err.Error(), "You have an error in your SQL syntax") {
		t.Errorf("%v", err)
	}
}

func TestRefusedSide(t *testing.T) {
	_, err := prove(t, mysqltest.URL(t), context.Background(), "", "CREATE TABLE t (\n  a int);\n\n  CREATE VIEW v AS SELECT nothing FROM t;\n")
	var at *schema.Error
	if !errors.As(err, &at) || at.Side != schema.Head || at.Pos.Line != 4 || at.Pos.Column != 3 || !strings.Contains(at.Text, "Unknown column 'nothing'") || strings.Contains(at.Text, "altergate") {
		t.Errorf("%v", err)
	}
}

// TestOrderOfFiles has what is needed come later.
func TestOrderOfFiles(t *testing.T) {
	const tables = "CREATE VIEW w AS SELECT * FROM v;\nCREATE VIEW v AS SELECT id FROM t;\nCREATE TABLE t (id int PRIMARY KEY, p int, FOREIGN KEY (p) REFERENCES p (id));\nCREATE TABLE p (id int PRIMARY KEY);\n"
	engine, err := prove(t, mysqltest.URL(t), context.Background(), tables, tables)
	if err != nil || engine.Result != proof.Proved || engine.Rows != 6 {
		t.Errorf("%+v, %v", engine, err)
	}
}

// TestOtherFlavour has what the server of this flavour does not know.
func TestOtherFlavour(t *testing.T) {
	const base = "CREATE TABLE t (a int, b varchar(9));\n"
	in := Input{Server: flavours.Server{Major: 8}, Base: side(t, base), Head: side(t, "CREATE TABLE t (a int, b varchar(9), KEY k ((a + 1)));\n")}
	engine, err := Prove(context.Background(), mysqltest.URL(t), in)
	if err != nil || engine.Result != proof.NotRun || !strings.Contains(engine.Reason, "does not take what stands at schema.sql:1:1 and is meant for MySQL 8.0.0") {
		t.Errorf("%+v, %v", engine, err)
	}
	in.Head = side(t, "CREATE TABLE t (a bigint, b varchar(9));\n")
	in.Steps = steps(plan.Safe, "ALTER TABLE t MODIFY a bigint, ALGORITHM=INSTANT")
	engine, err = Prove(context.Background(), mysqltest.URL(t), in)
	want := []string{"1 statement states an ALGORITHM or LOCK that this server does not have for it, and ran without", "the plan is meant for MySQL 8.0, and MariaDB ran it"}
	if err != nil || engine.Name != "mariadb" || engine.Result != proof.Proved || !slices.Equal(engine.LeftOut, want) {
		t.Errorf("%+v, %v", engine, err)
	}
}

// TestOtherReadingOfReferences: what MySQL 8 forgets is a foreign key to MariaDB, and to MySQL 9.
func TestOtherReadingOfReferences(t *testing.T) {
	const base = "CREATE TABLE h (id int PRIMARY KEY);\nCREATE TABLE g (a int REFERENCES h (id));\n"
	in := Input{Server: flavours.Server{Major: 8}, Base: side(t, base), Head: side(t, base)}
	engine, err := Prove(context.Background(), mysqltest.URL(t), in)
	if err != nil || engine.Result != proof.NotRun || !strings.Contains(engine.Reason, "REFERENCES behind a column, at schema.sql:2:1") {
		t.Errorf("%+v, %v", engine, err)
	}
	in.Server = flavours.Server{Major: 9}
	if engine, err = Prove(context.Background(), mysqltest.URL(t), in); err != nil || engine.Result != proof.Proved {
		t.Errorf("%+v, %v", engine, err)
	}
}

func TestEmptyTablesAreNamed(t *testing.T) {
	const impossible = "CREATE TABLE t (a int NOT NULL, CHECK (a <> a));\nCREATE TABLE u (a int);\n"
	engine, err := prove(t, mysqltest.URL(t), context.Background(), impossible, impossible)
	if err != nil || !slices.Equal(engine.Empty, []string{"t"}) || engine.Rows != 3 {
		t.Errorf("%+v, %v", engine, err)
	}
}

// TestDatabasesAreGone looks after runs of every ending.
func TestDatabasesAreGone(t *testing.T) {
	url := mysqltest.URL(t)
	before := leftovers(t)
	const named = "CREATE DATABASE shop;\nUSE shop;\n" + peopleBase
	prove(t, url, context.Background(), named, named)
	prove(t, url, context.Background(), peopleBase, "CREATE VIEW v AS SELECT nothing FROM t;\n")
	prove(t, url, context.Background(), peopleBase, peopleBase, "SELECT nothing")
	for _, after := range []time.Duration{time.Millisecond, 50 * time.Millisecond, 150 * time.Millisecond, 400 * time.Millisecond} {
		ctx, cancel := context.WithTimeout(context.Background(), after)
		if _, err := prove(t, url, ctx, peopleBase, peopleBase, "SELECT SLEEP(5) FROM people"); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("stopped after %v: %v", after, err)
		}
		cancel()
	}
	for _, name := range leftovers(t) {
		if !slices.Contains(before, name) {
			t.Errorf("%s is left behind", name)
		}
	}
}
