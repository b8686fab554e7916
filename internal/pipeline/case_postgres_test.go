package pipeline_test

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"net/url"
	"os"
	command "os/exec"
	"path"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/altergate/altergate/internal/dialect/postgres/postgrestest"
	"github.com/altergate/altergate/internal/pipeline"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/proof"
)

// caseRoles are the roles that cases may name. Roles are not in a database, so those that the server lacks are made for the tests.
var caseRoles = []string{"reader", "writer", "keeper"}

// postgresServer gives the URL of the server that cases are run on, with the roles in it.
func postgresServer(t *testing.T) string {
	t.Helper()
	server := postgrestest.URL(t)
	conn, err := pgx.Connect(t.Context(), server)
	if err != nil {
		t.Fatal(err)
	}
	withRoles(t, conn)
	return server
}

// withRoles makes the roles that are not there, and drops them when the last of the tests that use them at one time has ended: each
// of these holds a lock. A role that the tests have not made has no such comment, and stays.
func withRoles(t *testing.T, conn *pgx.Conn) {
	t.Helper()
	const comment, lock = "made by the tests of altergate", 20030514
	ctx := context.Background() // longer than the test's own
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock_shared($1)", lock); err != nil {
		t.Fatal(err)
	}
	for _, role := range caseRoles {
		if _, err := conn.Exec(ctx, "CREATE ROLE "+role); err == nil {
			postgresExec(t, conn, "COMMENT ON ROLE "+role+" IS '"+comment+"'")
		}
	}
	t.Cleanup(func() {
		defer conn.Close(ctx)
		var last bool
		if err := conn.QueryRow(ctx, "SELECT pg_advisory_unlock_shared($1) AND pg_try_advisory_lock($1)", lock).Scan(&last); err != nil || !last {
			return
		}
		for _, role := range caseRoles {
			conn.Exec(ctx, "DO $$ BEGIN IF shobj_description('"+role+"'::regrole, 'pg_authid') = '"+comment+"' THEN DROP ROLE "+role+"; END IF; END $$")
		}
	})
}

// onPostgres runs the plan on a database made from the base's own text and compares it with one made from the head's.
func (c *testCase) onPostgres(t *testing.T, server string) {
	if postgresVersion(t, server) < c.version {
		return // the plan says what the server cannot
	}
	options := pipeline.Options{Scratch: pipeline.Scratch{"postgres": server}}
	if testing.Short() {
		options = pipeline.Options{NoEngine: true} // the product's own proof takes as long as all of this
	}
	result := c.run(t, c.base, c.head, options)
	if result.Plan == nil {
		t.Fatalf("no answer:\n%s", errorText(result.Errors))
	}
	switch e := result.Proof.Engine; {
	case testing.Short():
	case result.Proof.Replay != proof.Proved || e == nil:
		t.Errorf("the report does not say that the plan is proved: %+v", result.Proof)
	case e.Result != proof.Proved:
		t.Logf("the product does not run the plan: %s", e.Reason)
	}
	base, head := c.postgres(t, server, c.base), c.postgres(t, server, c.head)
	postgresExec(t, base, c.rows)
	before, unfilled := postgresContents(t, base), append(postgresQuery(t, base, unpopulated), postgresQuery(t, head, unpopulated)...)
	old := strings.Join(append(postgresQuery(t, base, "SELECT oid::text FROM pg_class WHERE relkind IN ('r', 'p', 'm', 'v') AND oid >= 16384"), "0"), ", ")
	for _, s := range result.Plan.Steps {
		stepOnPostgres(t, base, s, old)
	}
	if d := cmp.Diff(postgresCatalog(t, head), postgresCatalog(t, base)); d != "" {
		t.Errorf("the database after the plan (-head +plan):\n%s", d)
	}
	if d := cmp.Diff(postgresSurvivors(before, result.Plan), postgresContents(t, base)); d != "" {
		t.Errorf("rows after the plan (-base +plan):\n%s", d)
	}
	for _, name := range postgresQuery(t, base, unpopulated) {
		if !slices.Contains(unfilled, name) {
			t.Errorf("the plan leaves the materialized view %s without its rows", name)
		}
	}
	if got := postgresQuery(t, base, "SHOW lock_timeout"); !slices.Equal(got, []string{"0"}) || base.PgConn().TxStatus() != 'I' {
		t.Errorf("the plan leaves lock_timeout at %v, and the transaction's state %c", got, base.PgConn().TxStatus())
	}
	if want, ok := c.want["rows.txt"]; ok {
		got := postgresRows(t, base)
		if *update {
			c.rewrite(t, "want/rows.txt", got)
		} else if d := cmp.Diff(want, got); d != "" {
			t.Errorf("want/rows.txt (-want +got):\n%s", d)
		}
	}
}

var databases atomic.Int64

// postgresVersion gives the server's major version.
func postgresVersion(t *testing.T, server string) int {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), server)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	var version int
	if err := conn.QueryRow(t.Context(), "SELECT current_setting('server_version_num')::integer / 10000").Scan(&version); err != nil {
		t.Fatal(err)
	}
	return version
}

// postgres makes a database from a tree's text.
func (c *testCase) postgres(t *testing.T, server string, tree fstest.MapFS) *pgx.Conn {
	t.Helper()
	ctx := context.Background() // databases are dropped after the test's own context has ended
	admin, err := pgx.Connect(ctx, server)
	if err != nil {
		t.Fatal(err)
	}
	defer admin.Close(ctx)
	name := fmt.Sprintf("altergate_case_%d_%d", os.Getpid(), databases.Add(1))
	if _, err := admin.Exec(ctx, "CREATE DATABASE "+name+" TEMPLATE template0"); err != nil {
		t.Fatal(err)
	}
	location, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	location.Path = "/" + name
	conn, err := pgx.Connect(ctx, location.String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		conn.Close(ctx)
		if admin, err := pgx.Connect(ctx, server); err == nil {
			admin.Exec(ctx, "DROP DATABASE "+name+" WITH (FORCE)")
			admin.Close(ctx)
		}
	})
	c.fill(t, conn, location.String(), c.statements(t, tree, postgresVersion(t, server)))
	return conn
}

// statements gives the text of a tree. What a JSON schema means as SQL only the product can say: there, it is the plan of a new schema.
func (c *testCase) statements(t *testing.T, tree fstest.MapFS, version int) string {
	t.Helper()
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(tree)) {
		switch path.Ext(name) {
		case ".sql":
			text.Write(tree[name].Data)
			text.WriteString("\n")
		case ".json":
			fresh := *c
			fresh.hints = nil
			text.WriteString(planSQL(fresh.reviewOnModel(t, nil, tree).Plan))
		}
	}
	if version < 17 {
		return strings.ReplaceAll(text.String(), "SET transaction_timeout = 0;\n", "") // which newer dumps begin with
	}
	return text.String()
}

// fill runs a text in a database. psql is asked first, since dumps are written for it. Where a statement stands before what it needs, the
// statements are run one by one, and those that fail once more behind the others.
func (c *testCase) fill(t *testing.T, conn *pgx.Conn, database, text string) {
	t.Helper()
	psql := command.Command("psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "--single-transaction", "-o", os.DevNull, "-d", database)
	psql.Stdin = strings.NewReader(text)
	var told bytes.Buffer
	psql.Stderr = &told
	if psql.Run() == nil {
		return
	}
	waiting, _ := declarations(text)
	for len(waiting) > 0 {
		var failed []string
		var err error
		for _, statement := range waiting {
			if _, one := conn.PgConn().Exec(t.Context(), statement).ReadAll(); one != nil {
				failed, err = append(failed, statement), one
			}
		}
		if len(failed) == len(waiting) {
			t.Fatalf("making a database: %v in %s\npsql said: %s", err, failed[len(failed)-1], told.String())
		}
		waiting = failed
	}
	postgresExec(t, conn, "RESET ALL")
}

func postgresExec(t *testing.T, conn *pgx.Conn, statement string) {
	t.Helper()
	if _, err := conn.PgConn().Exec(t.Context(), statement).ReadAll(); err != nil {
		t.Fatalf("%v in %s", err, statement)
	}
}

// postgresQuery gives the rows of a query that has one column.
func postgresQuery(t *testing.T, conn *pgx.Conn, text string) []string {
	t.Helper()
	rows, err := conn.Query(t.Context(), text)
	if err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	out, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return out
}

// heldLocks gives the locks that the transaction holds on what was there before the plan, by its oids.
func heldLocks(t *testing.T, conn *pgx.Conn, old string) []string {
	t.Helper()
	return postgresQuery(t, conn, "SELECT mode || ' ' || relation::regclass FROM pg_locks WHERE pid = pg_backend_pid() AND relation IN ("+old+")")
}

// strength gives the place of a lock among all: those that conflict with more stand behind. It takes the names of pg_locks, and what a
// plan calls them. A step that says "none" may do what those who read and write rows do.
func strength(lock string) int {
	modes := []string{"accessshare", "rowshare", "rowexclusive", "shareupdateexclusive", "share", "sharerowexclusive", "exclusive", "accessexclusive"}
	word, _, _ := strings.Cut(strings.ReplaceAll(lock, ",", " "), " for a moment")
	word, _, _ = strings.Cut(word, " on every")
	word = strings.TrimSuffix(strings.ToLower(strings.ReplaceAll(word, " ", "")), "lock")
	if word == "none" {
		word = "rowexclusive"
	}
	return slices.Index(modes, word)
}

// stepOnPostgres runs a step and looks whether it locks and writes no more than it says: what was there before the plan has these oids.
func stepOnPostgres(t *testing.T, conn *pgx.Conn, s *plan.Step, old string) {
	t.Helper()
	files := "SELECT oid::regclass || ' ' || relfilenode FROM pg_class WHERE relkind IN ('r', 'm') AND oid IN (" + old + ") ORDER BY 1"
	before := postgresQuery(t, conn, files)
	for _, statement := range s.Statements() {
		if statement == "COMMIT" || conn.PgConn().TxStatus() != 'T' {
			postgresExec(t, conn, statement)
			continue
		}
		held := heldLocks(t, conn, old)
		postgresExec(t, conn, statement)
		for _, lock := range heldLocks(t, conn, old) {
			if mode, relation, _ := strings.Cut(lock, " "); !slices.Contains(held, lock) && strength(mode) > strength(s.Lock.Level) {
				t.Errorf("%s takes %s on %s, and the step says %q", statement, mode, relation, s.Lock.Level)
			}
		}
	}
	rewritten := slices.ContainsFunc(postgresQuery(t, conn, files), func(now string) bool {
		name, _, _ := strings.Cut(now, " ")
		was := slices.IndexFunc(before, func(line string) bool { return strings.HasPrefix(line, name+" ") })
		return was >= 0 && before[was] != now
	})
	if rewritten != s.Lock.Rewrite {
		t.Errorf("%s %s: a table is written again: %v, and the step says %v", s.Kind, s.Object, rewritten, s.Lock.Rewrite)
	}
}

// unpopulated lists the materialized views without rows, which nobody can read.
const unpopulated = `SELECT oid::regclass::text FROM pg_class WHERE relkind = 'm' AND NOT relispopulated`

// postgresTables lists the tables, with partitions and without what they are partitions of.
const postgresTables = `SELECT c.oid::regclass::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
	WHERE c.relkind = 'r' AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' ORDER BY 1`

// postgresContents says of each table how many rows it has.
func postgresContents(t *testing.T, conn *pgx.Conn) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, name := range postgresQuery(t, conn, postgresTables) {
		out[strings.ReplaceAll(name, `"`, "")] = postgresQuery(t, conn, "SELECT count(*)::text FROM ONLY "+name)[0]
	}
	return out
}

// postgresRows writes all rows of all tables, and how far sequences are.
func postgresRows(t *testing.T, conn *pgx.Conn) string {
	t.Helper()
	var b strings.Builder
	for _, name := range postgresQuery(t, conn, postgresTables) {
		for _, row := range postgresQuery(t, conn, "SELECT r::text FROM ONLY "+name+" AS r ORDER BY 1") {
			fmt.Fprintf(&b, "%s %s\n", name, row)
		}
	}
	for _, name := range postgresQuery(t, conn, `SELECT seqrelid::regclass::text FROM pg_sequence ORDER BY 1`) {
		fmt.Fprintf(&b, "%s %s\n", name, postgresQuery(t, conn, "SELECT CASE WHEN is_called THEN 'gave ' ELSE 'gives ' END || last_value FROM "+name)[0])
	}
	return b.String()
}

// postgresSurvivors says what a plan should leave of the contents: a table that is dropped goes, and a new one is empty.
func postgresSurvivors(before map[string]string, p *plan.Plan) map[string]string {
	out := maps.Clone(before)
	for _, s := range p.Steps {
		switch s.Kind {
		case "rename_table":
			out[s.Object] = out[s.From]
			delete(out, s.From)
		case "drop_table":
			delete(out, s.Object)
		case "create_table":
			if !strings.Contains(strings.Join(s.SQL, ";"), "PARTITION BY") && !strings.Contains(s.SQL[0], "FOREIGN TABLE") {
				out[s.Object] = "0"
			}
		}
	}
	return out
}
