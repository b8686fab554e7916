package catalog_test

import "testing"

func TestViews(t *testing.T) {
	checkFacts(t, []factCase{
		{"the query as written", "CREATE VIEW v AS\n  SELECT a, b -- both\n  FROM t", "view v = SELECT a, b -- both⏎  FROM t"},
		{"columns, options and check", `CREATE OR REPLACE VIEW "My View" (a, "B c") WITH (security_barrier, security_invoker=off) AS SELECT 1, 2 WITH LOCAL CHECK OPTION`,
			`view My View(a,B c) check_option=local security_barrier=true security_invoker=off = SELECT 1, 2`},
		{"check option in full", "CREATE VIEW v AS SELECT 1 WITH CASCADED /* so */ CHECK OPTION", "view v check_option=cascaded = SELECT 1"},
		{"a query that begins with WITH", "CREATE VIEW app.v AS WITH x AS (SELECT 1 AS a) SELECT a FROM x", "view app.v = WITH x AS (SELECT 1 AS a) SELECT a FROM x"},
		{"recursive", "CREATE RECURSIVE VIEW v (n) AS VALUES (1) UNION ALL SELECT n+1 FROM v WHERE n < 100",
			"view v(n) = WITH RECURSIVE v (n) AS (VALUES (1) UNION ALL SELECT n+1 FROM v WHERE n < 100) SELECT n FROM v"},
		{"materialized", "CREATE MATERIALIZED VIEW IF NOT EXISTS m (x) USING heap WITH (fillfactor=70) TABLESPACE fast AS SELECT 1 WITH NO DATA",
			"materialized view m(x) fillfactor=70 = SELECT 1, no data"},
		{"materialized twice if not there", "CREATE MATERIALIZED VIEW m AS SELECT 1; CREATE MATERIALIZED VIEW IF NOT EXISTS m AS SELECT 2", "materialized view m = SELECT 1"},
		{"replaced", `CREATE VIEW v WITH (security_barrier) AS SELECT 1; ALTER VIEW v OWNER TO app; CREATE OR REPLACE VIEW v AS SELECT 2`, "view v = SELECT 2, owner app"},
		{"altered", `CREATE VIEW v AS SELECT 1 AS a, 2 AS b; ALTER VIEW v SET (security_barrier = true, check_option = local); ALTER VIEW v RESET (check_option);
			ALTER VIEW v ALTER COLUMN a SET DEFAULT (1 + 2); ALTER VIEW v RENAME COLUMN b TO c; ALTER TABLE v OWNER TO app`,
			"view v(a,c) security_barrier=true = SELECT 1 AS a, 2 AS b a default (1 + 2), owner app"},
		{"a renamed column of what was listed", "CREATE VIEW v (a, b) AS SELECT * FROM t; ALTER VIEW v RENAME a TO c", "view v(c,b) = SELECT * FROM t"},
		{"dropped with what is on it", `CREATE VIEW v AS SELECT 1 AS a; COMMENT ON VIEW v IS 'x'; COMMENT ON COLUMN v.a IS 'y'; GRANT SELECT ON v TO app; DROP VIEW v`, ""},
		{"dropped and made again", `DROP VIEW IF EXISTS v; CREATE VIEW v AS SELECT 1`, "view v = SELECT 1"},
		{"what names it follows", `CREATE VIEW v AS SELECT 1 AS a; COMMENT ON VIEW v IS 'x'; COMMENT ON COLUMN v.a IS 'y'; ALTER VIEW v RENAME COLUMN a TO b; ALTER VIEW v RENAME TO w`,
			"view w(b) = SELECT 1 AS a\ncomment view w on w text=x\ncomment column w.b on w text=y"},
	})
	checkErrors(t, []errorCase{
		{"twice", "CREATE VIEW v AS SELECT 1;\nCREATE VIEW v AS SELECT 2", "schema.sql:2:13: view v cannot be made: there already is a view of that name (schema.sql:1:13); take one of the two out"},
		{"a type has the name", "CREATE TYPE v AS ENUM ('a');\nCREATE VIEW v AS SELECT 1", "schema.sql:2:13: type v is already there (schema.sql:1:8); take one of the two out"},
		{"a column of a star", "CREATE VIEW v AS SELECT * FROM t;\nALTER VIEW v RENAME COLUMN a TO b", "schema.sql:2:12: which column of view v is a cannot be told from its query; list the columns in CREATE VIEW v (…), or name them in its SELECT"},
		{"no such column", "CREATE VIEW v AS SELECT 1 AS a;\nALTER VIEW v RENAME COLUMN b TO c", "schema.sql:2:12: view v has no column b; it has a"},
		{"not a view", "CREATE TABLE v (a int);\nDROP VIEW v", "schema.sql:2:1: v is a table and no view; say TABLE"},
		{"dropped before it is there", "DROP VIEW v;\nCREATE VIEW v AS SELECT 1", "schema.sql:1:1: view v is not there; create it, or correct the name. A DROP takes away what stands before it; write IF EXISTS if it may not be there"},
	})
}
