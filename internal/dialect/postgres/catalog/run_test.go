package catalog_test

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/dialect/postgres/catalog"
	"github.com/altergate/altergate/internal/dialect/postgres/script"
	"github.com/altergate/altergate/internal/schema"
	"github.com/altergate/altergate/internal/source"
)

func name(n string) catalog.Name { return catalog.Name{Schema: "public", Name: n} }

// TestRunCounts counts what is passed over, and what may have done anything.
func TestRunCounts(t *testing.T) {
	_, counts, errs := ran(t, `SET statement_timeout = 0; SET LOCAL lock_timeout = 1; RESET lock_timeout; SELECT pg_catalog.set_config('search_path', '', false); SELECT setval('public.s', 5, true);
BEGIN; SAVEPOINT a; COMMIT; INSERT INTO t VALUES (1); UPDATE t SET a = 1; DELETE FROM t; WITH x AS (SELECT 1) SELECT * FROM x; TRUNCATE t; ANALYZE; VACUUM t; LOCK TABLE t; NOTIFY x; EXPLAIN SELECT 1; REINDEX TABLE t; DISCARD ALL;
REFRESH MATERIALIZED VIEW v; CREATE DATABASE d; CREATE ROLE r; ALTER ROLE r SET x = 1; ALTER SYSTEM SET x = 1; COMMENT ON DATABASE d IS 'x'; COMMENT ON ROLE r IS 'x'; DROP TABLE IF EXISTS t; ALTER TABLE IF EXISTS nowhere ADD COLUMN a int; ALTER TABLE IF EXISTS t DROP COLUMN z; GRANT r TO r2;
SELECT create_hypertable('t', 'a');
 DO $$ BEGIN END $$;
CREATE TABLE t (a int); CREATE TABLE IF NOT EXISTS t (a int); CREATE INDEX i ON t (a); CREATE INDEX IF NOT EXISTS i ON t (a); CREATE CAST (text AS int) WITH INOUT`)
	for _, err := range errs {
		t.Error(err)
	}
	if counts.Modelled != 2 || counts.Opaque != 1 {
		t.Errorf("%d modelled and %d opaque, want 2 and 1", counts.Modelled, counts.Opaque)
	}
	passed := 0
	for _, n := range counts.Passed {
		passed += n
	}
	if passed != 35 {
		t.Errorf("%d are passed over, want 35: %v", passed, counts.Passed)
	}
	var doubts []string
	for _, d := range counts.Doubtful {
		doubts = append(doubts, d.What+" "+d.Pos.String())
	}
	if diff := cmp.Diff([]string{"SELECT schema.sql:4:1", "DO schema.sql:5:2"}, doubts); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestErrors has what cannot be run, with its place.
func TestErrors(t *testing.T) {
	long := strings.Repeat("x", 64)
	for _, tt := range []struct{ sql, want string }{
		{"CREATE TABLE t (a int);\n CREATE TABLE t (b int)", "2:15: table t cannot be made: there already is a table of that name (schema.sql:1:14); take one of the two out"},
		{"CREATE TABLE t (a int, a text)", "1:24: table t has two columns a"},
		{"CREATE TABLE t (a int PRIMARY KEY, PRIMARY KEY (a))", "1:36: table t has two primary keys, t_pkey and this one"},
		{"CREATE TABLE t (a int, UNIQUE (b))", "1:24: table t has no column b; it has a"},
		{"CREATE TABLE t (a int, CONSTRAINT x CHECK (a > 0), CONSTRAINT x CHECK (a > 1))", "1:52: table t has two constraints x"},
		{"CREATE INDEX i ON nowhere (a)", "1:19: there is no relation nowhere; create it, or correct the name"},
		{"CREATE TABLE t (a int); ALTER TABLE t ADD COLUMN b int, DROP COLUMN c", "1:57: table t has no column c"},
		{"CREATE TABLE t (a int); ALTER TABLE t ALTER a SET DEFAULT 1,\n VALIDATE CONSTRAINT nope", "2:2: table t has no constraint nope"},
		{"CREATE TABLE t AS SELECT 1", "1:1: table t takes its columns from a query, and not all of their types can be told here; declare the columns"},
		{"SELECT 1 INTO t", "1:1: SELECT INTO t makes a table whose columns come from a query, and not all of their types can be told here"},
		{"SET search_path = ''; CREATE TABLE t (a int)", "1:36: no schema has been selected to create t in"},
		{"SET search_path = nowhere, public; CREATE TABLE t (a int)", "1:49: t would go to the schema nowhere"},
		{"SELECT set_config('search_path', '', false); CREATE INDEX ON t (a)", "1:62: there is no relation t: the search path is empty here"},
		{"CREATE TABLE t (" + long + " int)", "1:17: the name " + long + " has 64 bytes, and PostgreSQL cuts it after 63"},
		{"CREATE TABLE " + long + " (a int)", "1:14: the name " + long},
		{"CREATE TABLE t (a int); CREATE INDEX " + long + " ON t (a)", "the name " + long},
		{"CREATE TABLE t (a int); ALTER TABLE t RENAME TO " + long, "1:49: the name " + long},
		{"CREATE TABLE t (a int); CREATE TABLE c (b text) INHERITS (t); ALTER TABLE t ADD COLUMN b int", "1:88: table c has a column b of type text, and inherits one of type integer"},
		{"CREATE TABLE t (a int); CREATE TABLE c () INHERITS (t); ALTER TABLE c DROP COLUMN a", "1:71: column a of table c is inherited"},
		{"CREATE TABLE t (a int PRIMARY KEY); CREATE TABLE u (a int REFERENCES t); ALTER TABLE t DROP CONSTRAINT t_pkey", "1:88: constraint t_pkey of table t cannot be dropped: foreign key u_a_fkey of table u needs it"},
		{"CREATE TABLE t (a int PRIMARY KEY); ALTER TABLE t ALTER a DROP NOT NULL", "1:51: column a of table t is in its primary key"},
		{"CREATE SEQUENCE s MINVALUE 5 MAXVALUE 3", "1:17: the MINVALUE of sequence s (5) must be less than its MAXVALUE (3)"},
		{"CREATE TABLE t (a text GENERATED ALWAYS AS IDENTITY)", "1:17: column a of table t has the type text; an identity must be"},
		{"CREATE TABLE t (a int DEFAULT length($$" + long + "$$), b text DEFAULT 'x" + long + "y', c text DEFAULT e'\\'" + long + "', \"" + long + "\" int)", "the name " + long},
		{"ALTER TABLE IF EXISTS t ADD COLUMN b int; CREATE TABLE t (a int)", "1:23: t is made only behind this, so a server passes this over"},
		{"CREATE VIEW v AS SELECT 1 AS a; CREATE TABLE t (LIKE v)", "1:54: table t takes its columns from view v"},
		{"CREATE TABLE t (a int) PARTITION BY LIST (a); CREATE TABLE c (a int, b int); ALTER TABLE t ATTACH PARTITION c DEFAULT", "1:92: table c has a column b that table t has not"},
	} {
		_, _, errs := ran(t, tt.sql)
		if len(errs) != 1 || !strings.Contains(errs[0].Error(), tt.want) {
			t.Errorf("%s\n gives %v\n  want %s", tt.sql, errs, tt.want)
		}
	}
}

// TestRunReportsAll has all errors of a source, not the first.
func TestRunReportsAll(t *testing.T) {
	_, _, errs := ran(t, "CREATE INDEX ON a (x);\nCREATE TABLE t (a int);\nCREATE TABLE t (a int);\nALTER TABLE t DROP COLUMN z;\nALTER TABLE t DROP COLUMN y;")
	var places []int
	for _, err := range errs {
		places = append(places, err.Pos.Line)
	}
	slices.Sort(places)
	if diff := cmp.Diff([]int{1, 3, 4, 5}, places); diff != "" {
		t.Errorf("(-want +got): %s\n%v", diff, errs)
	}
}

// TestRunAnyOrder runs the statements of a schema in many orders, which all make the same.
func TestRunAnyOrder(t *testing.T) {
	sql := `CREATE SCHEMA app; CREATE TABLE app.p (id int, at date NOT NULL, k int) PARTITION BY RANGE (at); CREATE TABLE app.p1 PARTITION OF app.p FOR VALUES FROM ('2020-01-01') TO ('2021-01-01');
CREATE TABLE t (a int PRIMARY KEY, b int REFERENCES u (x)); CREATE TABLE u (x int CONSTRAINT ux UNIQUE, y int); CREATE INDEX ti ON t (b); CREATE TABLE c (z int) INHERITS (t); CREATE TABLE l (LIKE u INCLUDING DEFAULTS, q int);
CREATE SEQUENCE s; ALTER SEQUENCE s OWNED BY t.a; ALTER TABLE t ALTER a SET DEFAULT nextval('s'); ALTER TABLE t ADD CONSTRAINT tc CHECK (b > 0), ADD COLUMN late int, ADD CONSTRAINT lc CHECK (late > 0); CREATE INDEX latei ON t (late); ALTER TABLE u REPLICA IDENTITY USING INDEX ux;
CREATE VIEW v AS SELECT * FROM t; COMMENT ON COLUMN t.late IS 'x'; ALTER TABLE app.p ADD CONSTRAINT pc CHECK (k > 0); CREATE TABLE o OF comp; CREATE TYPE comp AS (a int, b text)`
	want := []string(nil)
	for seed := range int64(300) {
		statements := parsed(t, "schema.sql", sql)
		if seed > 0 {
			rand.New(rand.NewSource(seed)).Shuffle(len(statements), func(i, j int) { statements[i], statements[j] = statements[j], statements[i] })
		}
		c := catalog.New()
		_, errs := c.Run(statements)
		for _, err := range errs {
			t.Fatalf("order %d: %v", seed, err)
		}
		got := structure(c)
		if seed == 0 {
			want = got
		}
		// Only where a column that another statement adds is put differs from order to order.
		sortColumns(want)
		sortColumns(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("order %d (-first +this):\n%s", seed, diff)
		}
	}
}

func sortColumns(list []string) {
	for i, line := range list {
		if rest, ok := strings.CutPrefix(line, "columns "); ok {
			table, names, _ := strings.Cut(rest, " ")
			columns := strings.Split(names, ",")
			slices.Sort(columns)
			list[i] = "columns " + table + " " + strings.Join(columns, ",")
		}
	}
}

// TestRunFiles begins each file with the default search path.
func TestRunFiles(t *testing.T) {
	statements := slices.Concat(parsed(t, "a.sql", "CREATE SCHEMA app; SET search_path = app; CREATE TABLE t (a int)"), parsed(t, "b.sql", "CREATE TABLE t (a int)"))
	c := catalog.New()
	if _, errs := c.Run(statements); len(errs) > 0 {
		t.Fatal(errs)
	}
	for _, n := range []catalog.Name{{Schema: "app", Name: "t"}, name("t")} {
		if c.Tables[n] == nil {
			t.Errorf("there is no %s", n)
		}
	}
}

// TestApply runs statements one by one, strictly.
func TestApply(t *testing.T) {
	c := catalog.New()
	for _, s := range parsed(t, "plan.sql", "CREATE TABLE t (a int); CREATE INDEX i ON t (a); SET search_path = ''; ALTER TABLE public.t ADD b int") {
		if _, err := c.Apply(s); err != nil {
			t.Error(err)
		}
	}
	if _, err := c.Apply(parsed(t, "plan.sql", "CREATE INDEX j ON t (b)")[0]); err == nil || err.Kind != schema.KindSchema {
		t.Errorf("the name of a table found with an empty search path: %v", err)
	}
}

// TestClone changes a clone in every way there is, and the original stays as it is.
func TestClone(t *testing.T) {
	for _, tt := range scripts {
		statements := parsed(t, "schema.sql", tt.sql)
		c := catalog.New()
		for i, s := range statements {
			before := fmt.Sprint(structure(c), everything(c))
			clone := c.Clone()
			if _, err := clone.Apply(s); err != nil {
				t.Fatalf("%s: %v", tt.name, err)
			}
			if after := fmt.Sprint(structure(c), everything(c)); before != after {
				t.Fatalf("%s: statement %d run on a clone changed the original:\n%s", tt.name, i, cmp.Diff(before, after))
			}
			c = clone
		}
	}
}

// everything writes down what structure leaves out.
func everything(c *catalog.Catalog) []string {
	var list []string
	for _, t := range c.Tables {
		list = append(list, fmt.Sprint(texts(t), t.Options, t.Inherits, t.ReplicaIdentity, t.ClusterOn, len(t.Triggers)))
	}
	slices.Sort(list)
	return list
}

// BenchmarkRun runs a schema of a thousand tables.
func BenchmarkRun(b *testing.B) {
	var sql strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&sql, "CREATE TABLE t%d (id bigserial PRIMARY KEY, a int NOT NULL REFERENCES t%d, b text DEFAULT 'x' CHECK (b <> ''), c timestamptz DEFAULT now(), UNIQUE (a, b));\nCREATE INDEX ON t%d (lower(b));\nCREATE INDEX ON t%d (c) WHERE a > 0;\nALTER TABLE t%d ADD CONSTRAINT x%d CHECK (a > 0);\nCOMMENT ON TABLE t%d IS 'x';\n", i, (i+1)%1000, i, i, i, i, i)
	}
	s, errs := script.Split(&source.File{Path: "schema.sql", Text: sql.String()})
	if errs = append(errs, script.Parse(s.Statements, nil)...); len(errs) > 0 {
		b.Fatal(errs[0])
	}
	for b.Loop() {
		if _, errs := catalog.New().Run(s.Statements); len(errs) > 0 {
			b.Fatal(errs[0])
		}
	}
}
