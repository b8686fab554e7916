package catalog_test

import "testing"

func TestComments(t *testing.T) {
	checkFacts(t, []factCase{
		{"on all parts of a table", `COMMENT ON TABLE app.t IS 'a'; COMMENT ON COLUMN app.t.id IS 'b'; COMMENT ON CONSTRAINT t_pkey ON app.t IS 'c'; COMMENT ON INDEX app.t_pkey IS 'd'; COMMENT ON INDEX app.i IS 'e'; COMMENT ON SEQUENCE app.t_id_seq IS 'f';
			CREATE TABLE app.t (id serial PRIMARY KEY, x text); CREATE INDEX i ON app.t (x)`,
			`comment table app.t on app.t text=a
			 comment column app.t.id on app.t text=b
			 comment constraint app.t.t_pkey on app.t text=c
			 comment index app.t_pkey on app.t text=d
			 comment index app.i on app.t text=e
			 comment sequence app.t_id_seq text=f`},
		{"taken away", `CREATE TABLE t (a int); COMMENT ON TABLE t IS 'x'; COMMENT ON COLUMN t.a IS 'y'; COMMENT ON TABLE t IS NULL; COMMENT ON COLUMN t.a IS ''`, ""},
		{"the last one counts", `CREATE TABLE t (a int); COMMENT ON TABLE t IS 'x'; COMMENT ON TABLE t IS 'y'`, "comment table t on t text=y"},
		{"on the rest", `CREATE SCHEMA app; CREATE EXTENSION pgcrypto; COMMENT ON SCHEMA app IS 'a'; COMMENT ON SCHEMA public IS 'b'; COMMENT ON EXTENSION pgcrypto IS 'c'; COMMENT ON LANGUAGE plpgsql IS 'd'; COMMENT ON TYPE p IS 'e'; COMMENT ON COLUMN p.a IS 'f'; CREATE TYPE p AS (a int); COMMENT ON DATABASE x IS 'passed'; COMMENT ON ROLE app IS 'passed'`,
			"schema app\nextension pgcrypto\ncomposite p a integer\ncomment schema app text=a\ncomment schema public text=b\ncomment extension pgcrypto text=c\ncomment language plpgsql text=d\ncomment type p text=e\ncomment column p.a text=f"},
		{"what is gone takes its comment along", `CREATE TABLE t (a serial, b int); CREATE INDEX i ON t (b); COMMENT ON COLUMN t.a IS 'x'; COMMENT ON SEQUENCE t_a_seq IS 'y'; COMMENT ON INDEX i IS 'z'; ALTER TABLE t DROP COLUMN a; DROP INDEX i`, ""},
		{"what is renamed takes its comment along", `CREATE TABLE t (a serial PRIMARY KEY, b int); CREATE INDEX i ON t (b); COMMENT ON COLUMN t.a IS 'x'; COMMENT ON SEQUENCE t_a_seq IS 'y'; COMMENT ON INDEX i IS 'z'; COMMENT ON CONSTRAINT t_pkey ON t IS 'k';
			ALTER TABLE t RENAME a TO c; ALTER SEQUENCE t_a_seq RENAME TO q; ALTER INDEX i RENAME TO j; ALTER TABLE t RENAME CONSTRAINT t_pkey TO pk; ALTER TABLE t RENAME TO u`,
			"comment column u.c on u text=x\ncomment sequence q text=y\ncomment index j on u text=z\ncomment constraint u.pk on u text=k"},
		{"security labels", `CREATE TABLE t (a int); SECURITY LABEL FOR selinux ON TABLE t IS 'x'; SECURITY LABEL FOR anon ON TABLE t IS 'y'; SECURITY LABEL FOR anon ON TABLE t IS NULL`, "label table t selinux on t provider=selinux text=x"},
	})
	checkErrors(t, []errorCase{
		{"nothing there", "COMMENT ON TABLE t IS 'x'", "schema.sql:1:1: table t is not there; create it, or correct the name"},
		{"no column", "CREATE TABLE t (a int);\nCOMMENT ON COLUMN t.b IS 'x'", "schema.sql:2:1: column t.b is not there; create it, or correct the name"},
		{"a view called a table", "CREATE VIEW v AS SELECT 1;\nCOMMENT ON TABLE v IS 'x'", "schema.sql:2:1: v is a view and no table; say VIEW"},
		{"no function", "COMMENT ON FUNCTION f(int) IS 'x'", "schema.sql:1:1: function f(integer) is not there; create it, or correct the name and the types of its arguments"},
		{"no constraint", "CREATE TABLE t (a int);\nCOMMENT ON CONSTRAINT c ON t IS 'x'", "schema.sql:2:1: constraint c on t is not there; create it, or correct the name"},
	})
}
