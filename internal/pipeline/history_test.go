package pipeline_test

import (
	"database/sql"
	"fmt"
	"io/fs"
	"os"
	command "os/exec"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/gitdiff"
	"github.com/altergate/altergate/internal/pipeline"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/policy"
	"github.com/altergate/altergate/internal/proof"
)

// historyCommits is how many commits change the schema file of the test repository. With -short there are few: the race detector
// makes SQLite 25 times slower.
func historyCommits() int {
	if testing.Short() {
		return 12
	}
	return 200
}

// TestHistory walks the history of a repository, commit by commit, as pull requests would have gone: both sides read from git,
// every plan proved. Each plan is also run on one database that lives through it all with rows in its tables, and that has to be
// what each commit declares.
func TestHistory(t *testing.T) {
	texts := writeHistory(historyCommits())
	repo, commits := historyRepository(t, texts)
	living := historyDatabase(t, texts[0])
	seen := map[string]int{}
	for i := 1; i < len(commits); i++ {
		base, head := historyTree(t, repo, commits[i-1]), historyTree(t, repo, commits[i])
		p := historyPlan(t, base, head)
		if p == nil {
			t.Fatalf("from commit %d to the next\n%s\n---\n%s", i, texts[i-1], texts[i])
		}
		rebuilt := map[string]bool{}
		before := contents(t, living)
		for _, s := range p.Steps {
			seen[s.Kind]++
			if s.Kind == "rebuild_table" && rebuilt[s.Object] {
				t.Errorf("commit %d: table %s is rebuilt twice", i, s.Object)
			}
			rebuilt[s.Object] = s.Kind == "rebuild_table"
			if strings.Contains(strings.Join(s.SQL, "\n"), "DROP COLUMN") {
				t.Errorf("commit %d: a column is dropped in place: %s", i, s.SQL)
			}
		}
		if err := runScript(t, living, p); err != nil {
			t.Fatalf("commit %d: %v in\n%s", i, err, planSQL(p))
		}
		if d := cmp.Diff(survivors(before, p), contents(t, living)); d != "" {
			t.Fatalf("commit %d: rows (-before +after the plan):\n%s", i, d)
		}
		if d := cmp.Diff(catalog(t, historyDatabase(t, texts[i])), catalog(t, living)); d != "" {
			t.Fatalf("commit %d: the living database (-declared +migrated):\n%s", i, d)
		}
		historyRows(t, living, i)
	}
	t.Logf("steps: %v", seen)
	for _, kind := range []string{"create_table", "drop_table", "rename_table", "rename_column", "add_column", "rebuild_table",
		"create_index", "drop_index", "create_view", "drop_view", "create_trigger", "drop_trigger"} {
		if seen[kind] < 5 && !testing.Short() {
			t.Errorf("the history makes only %d steps %s", seen[kind], kind)
		}
	}
}

// historyPlan reviews two trees; nil when there is no proved plan.
func historyPlan(t *testing.T, base, head fs.FS) *plan.Plan {
	t.Helper()
	const path = "db/schema.sql"
	target := pipeline.Target{Name: "main", Dialect: "sqlite", Base: pipeline.Place{FS: base, Path: path}, Head: pipeline.Place{FS: head, Path: path}}
	r := pipeline.Run(t.Context(), policy.Default(), []pipeline.Target{target}, pipeline.Options{}).Results[0]
	if r.Plan == nil {
		t.Errorf("no answer:\n%s", errorText(r.Errors))
		return nil
	}
	if e := r.Proof.Engine; r.Proof.Replay != proof.Proved || e == nil || e.Result != proof.Proved || e.Rows == 0 || len(e.Empty) > 0 {
		t.Errorf("the plan is not proved with rows in every table: %+v %+v", r.Proof, e)
		return nil
	}
	return r.Plan
}

// historyRepository makes a repository with one commit for each text.
func historyRepository(t *testing.T, texts []string) (*gitdiff.Repo, []gitdiff.Commit) {
	t.Helper()
	dir := t.TempDir()
	var stream strings.Builder
	for i, text := range texts {
		fmt.Fprintf(&stream, "commit refs/heads/main\ncommitter Ann <ann@example.com> %d +0000\ndata 6\nchange\nM 100644 inline db/schema.sql\ndata %d\n%s\n", 1700000000+i, len(text), text)
	}
	git := func(stdin string, args ...string) string {
		cmd := command.Command("git", args...)
		cmd.Dir, cmd.Stdin = dir, strings.NewReader(stdin)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	git("", "init", "--quiet", "--initial-branch=main")
	git(stream.String(), "fast-import", "--quiet")
	repo, err := gitdiff.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { repo.Close() })
	var commits []gitdiff.Commit
	for _, id := range strings.Fields(git("", "rev-list", "--reverse", "main")) {
		commits = append(commits, gitdiff.Commit(id))
	}
	if len(commits) != len(texts) {
		t.Fatalf("the repository has %d commits, not %d", len(commits), len(texts))
	}
	return repo, commits
}

func historyTree(t *testing.T, repo *gitdiff.Repo, c gitdiff.Commit) fs.FS {
	t.Helper()
	tree, err := repo.FS(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// historyDatabase makes a database from a text, in which every statement stands behind what it needs.
func historyDatabase(t *testing.T, text string) *sql.Conn {
	t.Helper()
	conn := memory(t)
	exec(t, conn, text+";PRAGMA foreign_keys = ON")
	return conn
}

// historyRows puts a row of values that no other row has into every table that has few.
func historyRows(t *testing.T, db *sql.Conn, n int) {
	t.Helper()
	for _, table := range query(t, db, `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'`) {
		if len(query(t, db, "SELECT 1 FROM "+table)) >= 5 {
			continue
		}
		var names, values []string
		for _, c := range query(t, db, "SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0 AND pk = 0 AND name NOT LIKE 'ref%'", table) {
			names, values = append(names, c), append(values, fmt.Sprintf("'%s %d'", c, n))
		}
		if len(names) == 0 {
			exec(t, db, "INSERT INTO "+table+" DEFAULT VALUES")
			continue
		}
		exec(t, db, fmt.Sprintf("INSERT INTO %s (%s) VALUES (%s)", table, strings.Join(names, ", "), strings.Join(values, ", ")))
	}
}

// TestShards reads a schema of many tables, which SQLite is given in parts, and the same once more with statements that force all
// of it into one database: they are the same schema, and the plan for a change is the same.
func TestShards(t *testing.T) {
	var text strings.Builder
	n := 100
	if testing.Short() {
		n = 20
	}
	for i := range n {
		fmt.Fprintf(&text, "CREATE TABLE t%02d (id INTEGER PRIMARY KEY, a TEXT, ref INTEGER REFERENCES t%02d (id) ON DELETE CASCADE);\n", i, (i+57)%n)
		fmt.Fprintf(&text, "CREATE INDEX i%02d ON t%02d (a);\nCREATE VIEW v%02d AS SELECT x.id, y.a FROM t%02d AS x JOIN t%02d AS y ON x.id = y.ref;\n", i, i, i, i, (i+43)%n)
		fmt.Fprintf(&text, "CREATE TRIGGER g%02d AFTER INSERT ON t%02d BEGIN UPDATE t%02d SET a = new.a; END;\n", i, i, (i+31)%n)
	}
	parts := fstest.MapFS{"db/schema.sql": {Data: []byte(text.String())}}
	whole := fstest.MapFS{"db/schema.sql": {Data: []byte("CREATE TABLE scratch (a);\nDROP TABLE scratch;\n" + text.String())}}
	changed := fstest.MapFS{"db/schema.sql": {Data: []byte(strings.Replace(text.String(), "id INTEGER PRIMARY KEY, a TEXT", "id INTEGER PRIMARY KEY, a VARCHAR(9), b TEXT", 1))}}
	for name, trees := range map[string][2]fs.FS{"parts to whole": {parts, whole}, "whole to parts": {whole, parts}} {
		if p := historyPlan(t, trees[0], trees[1]); p == nil || len(p.Steps) > 0 {
			t.Errorf("%s: the same schema makes steps:\n%s", name, planText(p))
		}
	}
	a, b := historyPlan(t, parts, changed), historyPlan(t, whole, changed)
	if a == nil || b == nil {
		return
	}
	if d := cmp.Diff(planSQL(a), planSQL(b)); d != "" || len(a.Steps) == 0 {
		t.Errorf("the plan (-from parts +from the whole):\n%s", d)
	}
}

// TestGuard runs plans on rows that violate foreign keys: a violation that the plan brings stops it and leaves everything as it was,
// and one that was there before does not.
func TestGuard(t *testing.T) {
	const owner = "CREATE TABLE owner (id INTEGER PRIMARY KEY);\n"
	const free = owner + "CREATE TABLE dog (id INTEGER PRIMARY KEY, owner_id INTEGER);\n"
	const bound = owner + "CREATE TABLE dog (id INTEGER PRIMARY KEY, owner_id INTEGER REFERENCES owner (id));\n"
	const named = owner + "CREATE TABLE dog (id INTEGER PRIMARY KEY, owner_id INTEGER REFERENCES owner (id), name TEXT CHECK (name <> ''));\n"
	for _, test := range []struct{ name, base, head, rows, stopsAt string }{
		{"a key that every row satisfies", free, bound, "INSERT INTO owner VALUES (1); INSERT INTO dog VALUES (1, 1), (2, NULL)", ""},
		{"a key that a row violates", free, bound, "INSERT INTO owner VALUES (1); INSERT INTO dog VALUES (1, 1), (2, 7)", "CHECK constraint failed: new_violations = 0"},
		{"a row that violated the key before", bound, named, "INSERT INTO dog VALUES (2, 7)", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			trees := [2]fs.FS{fstest.MapFS{"db/schema.sql": {Data: []byte(test.base)}}, fstest.MapFS{"db/schema.sql": {Data: []byte(test.head)}}}
			p := historyPlan(t, trees[0], trees[1])
			db := historyDatabase(t, test.base)
			exec(t, db, "PRAGMA foreign_keys = OFF; "+test.rows+"; PRAGMA foreign_keys = ON")
			rows, want := query(t, db, "SELECT * FROM dog"), catalog(t, historyDatabase(t, test.head))
			err := runScript(t, db, p)
			if test.stopsAt != "" {
				exec(t, db, "ROLLBACK")
				want = catalog(t, historyDatabase(t, test.base))
			}
			if (err == nil) != (test.stopsAt == "") || err != nil && !strings.Contains(err.Error(), test.stopsAt) {
				t.Errorf("the plan ends with %v", err)
			}
			if d := cmp.Diff(want, catalog(t, db)); d != "" {
				t.Errorf("the catalog (-want +got):\n%s", d)
			}
			for i, row := range query(t, db, "SELECT * FROM dog") {
				if !strings.HasPrefix(row, rows[i]) {
					t.Errorf("row %q has become %q", rows[i], row)
				}
			}
		})
	}
}

// runScript runs a plan as a client that stops at the first error does.
func runScript(t *testing.T, db *sql.Conn, p *plan.Plan) error {
	t.Helper()
	for _, s := range p.Steps {
		for _, statement := range s.Statements() {
			if _, err := db.ExecContext(t.Context(), statement); err != nil {
				return err
			}
		}
	}
	return nil
}

// TestDefaultNull: DEFAULT NULL means what no default means, but the engine's catalog shows it, so it is a difference.
func TestDefaultNull(t *testing.T) {
	tree := func(text string) fs.FS { return fstest.MapFS{"db/schema.sql": {Data: []byte(text)}} }
	p := historyPlan(t, tree("CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT)"), tree("CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT DEFAULT NULL)"))
	if p != nil && p.Risk() != plan.Review {
		t.Errorf("the plan is\n%s", planText(p))
	}
}
