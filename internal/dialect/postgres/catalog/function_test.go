package catalog_test

import "testing"

func TestFunctions(t *testing.T) {
	checkFacts(t, []factCase{
		{"all clauses", `CREATE FUNCTION f(a int, OUT b varchar(20), VARIADIC c text[] DEFAULT '{}'::text[]) RETURNS character varying LANGUAGE sql STABLE STRICT
			SECURITY DEFINER LEAKPROOF PARALLEL SAFE SET search_path = app, "My App" SET work_mem TO '1MB' COST 5 AS 'select 1'`,
			`function f(integer, text[]) in a int out b varchar(20) variadic c text[] = '{}'::text[] returns character varying sql stable safe search_path=app, "My App" work_mem=1MB, body select 1, cost 5, definer, leakproof, strict`},
		{"defaults said or not", `CREATE FUNCTION f(int) RETURNS SETOF int LANGUAGE sql VOLATILE COST 100 ROWS 1000 CALLED ON NULL INPUT SECURITY INVOKER PARALLEL UNSAFE AS 'x'`,
			`function f(integer) in int returns int sql volatile unsafe, body x, setof`},
		{"a table", `CREATE FUNCTION f(a double precision = (1 + 2), b timestamp with time zone) RETURNS TABLE (x int, y text) LANGUAGE plpgsql AS $$begin end$$`,
			`function f(double precision, timestamp with time zone) in a double precision = (1 + 2) in b timestamp with time zone table x int table y text plpgsql volatile unsafe, body begin end, setof, table`},
		{"library", `CREATE FUNCTION f() RETURNS void LANGUAGE c COST 1 AS 'lib', 'sym'`, `function f() returns void c volatile unsafe, body lib, symbol sym`},
		{"body of SQL", `CREATE FUNCTION f(a int) RETURNS int RETURN a + 1`, `function f(integer) in a int returns int sql volatile unsafe, sql body`},
		{"empty search path", `CREATE FUNCTION f() RETURNS int LANGUAGE sql SET search_path TO '' AS 'select 1'`, `function f() returns int sql volatile unsafe search_path="", body select 1`},
		{"procedure", `CREATE PROCEDURE p(a int, INOUT b text, OUT c int) LANGUAGE plpgsql AS 'x'`, `procedure p(integer, text) in a int inout b text out c int plpgsql volatile unsafe, body x`},
		{"types of the catalog", `CREATE FUNCTION f(a mood, b app.pair, c mood[], d users) RETURNS int LANGUAGE sql AS '1';
			CREATE TYPE mood AS ENUM ('a'); CREATE TYPE app.pair AS (a int); CREATE TABLE users (id int)`,
			"function f(mood, app.pair, mood[], users) in a mood in b app.pair in c mood[] in d users returns int sql volatile unsafe, body 1\nenum mood(a)\ncomposite app.pair a integer"},
		{"types of an extension", `CREATE EXTENSION citext; CREATE FUNCTION f(a citext, b public.citext) RETURNS int LANGUAGE sql AS '1'`,
			"extension citext\nfunction f(citext, citext) in a citext in b public.citext returns int sql volatile unsafe, body 1"},
		{"types of an unknown extension", `CREATE EXTENSION wonder; CREATE FUNCTION f(a miracle) RETURNS int LANGUAGE sql AS '1'`,
			"extension wonder\nfunction f(miracle) in a miracle returns int sql volatile unsafe, body 1"},
		{"overloaded", `CREATE FUNCTION f(int) RETURNS int LANGUAGE sql AS '1'; CREATE FUNCTION f(text) RETURNS int LANGUAGE sql AS '1'; DROP FUNCTION f(int)`,
			"function f(text) in text returns int sql volatile unsafe, body 1"},
		{"replaced", `CREATE FUNCTION f(int) RETURNS int LANGUAGE sql AS '1'; ALTER FUNCTION f OWNER TO app; CREATE OR REPLACE FUNCTION f(a integer) RETURNS int4 LANGUAGE sql AS '2'`,
			"function f(integer) in a integer returns int4 sql volatile unsafe, body 2, owner app"},
		{"altered", `CREATE FUNCTION f(int) RETURNS int LANGUAGE sql SET a = b AS '1'; ALTER FUNCTION f(int4) IMMUTABLE STRICT RESET ALL SET c.d TO 1 COST 0.5`,
			"function f(integer) in int returns int sql immutable unsafe c.d=1, altered, body 1, cost 0.5, strict"},
		{"renamed and moved", `CREATE FUNCTION f(int) RETURNS int LANGUAGE sql AS '1'; COMMENT ON FUNCTION f(int) IS 'x'; GRANT EXECUTE ON FUNCTION f(int) TO app;
			ALTER FUNCTION f(int) RENAME TO g; ALTER FUNCTION g(int) SET SCHEMA app`,
			"function app.g(integer) in int returns int sql volatile unsafe, altered, body 1\ncomment function app.g(integer) text=x\ngrant function app.g(integer) to app privileges=EXECUTE"},
		{"its types renamed", `CREATE TYPE mood AS ENUM ('a'); CREATE FUNCTION f(mood) RETURNS int LANGUAGE sql AS '1'; COMMENT ON FUNCTION f(mood) IS 'x'; ALTER TYPE mood RENAME TO temper`,
			"enum temper(a)\nfunction f(temper) in mood returns int sql volatile unsafe, body 1\ncomment function f(temper) text=x"},
		{"a table whose rows it takes renamed", `CREATE TABLE t (a int); CREATE FUNCTION f(t) RETURNS int LANGUAGE sql AS '1'; ALTER TABLE t RENAME TO u`, "function f(u) in t returns int sql volatile unsafe, body 1"},
		{"aggregates", `CREATE AGGREGATE agg(int) (sfunc = int4pl, stype = int, initcond = '0'); CREATE AGGREGATE cnt(*) (sfunc = int8inc, stype = int8, initcond = '0');
			CREATE AGGREGATE old (basetype = text, sfunc = textcat, stype = text); COMMENT ON AGGREGATE cnt(*) IS 'x'; DROP AGGREGATE old(text)`,
			"aggregate agg(integer) in int returns int immutable unsafe\naggregate cnt(*) returns int8 immutable unsafe\ncomment aggregate cnt(*) text=x"},
		{"procedure by all its arguments", `CREATE PROCEDURE p(a int, OUT b text) LANGUAGE sql AS '1'; DROP PROCEDURE p(int, text)`, ""},
		{"dropped with the triggers", `CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS 'x'; CREATE TABLE t (a int); CREATE TRIGGER g BEFORE INSERT ON t EXECUTE FUNCTION f(); DROP FUNCTION f CASCADE`, ""},
	})
	checkErrors(t, []errorCase{
		{"called under its old name", "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS 'x'; CREATE TABLE t (a int); CREATE TRIGGER g BEFORE INSERT ON t EXECUTE FUNCTION f(); ALTER FUNCTION f() RENAME TO h;\nDROP FUNCTION h()",
			"schema.sql:2:1: function h() cannot be dropped: trigger g on t (schema.sql:1:93) calls it; drop that first, or add CASCADE"},
		{"twice", "CREATE FUNCTION f(int) RETURNS int LANGUAGE sql AS '1';\nCREATE FUNCTION f(integer, OUT x int) RETURNS int LANGUAGE sql AS '1'",
			"schema.sql:2:8: function f(integer) is already there (schema.sql:1:8); take one of the two out"},
		{"another return type", "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS '1';\nCREATE OR REPLACE FUNCTION f() RETURNS text LANGUAGE sql AS '1'",
			"schema.sql:2:19: CREATE OR REPLACE cannot change the return type of function f(), which is at schema.sql:1:8; drop that first"},
		{"another name of an argument", "CREATE FUNCTION f(a int) RETURNS int LANGUAGE sql AS '1';\nCREATE OR REPLACE FUNCTION f(b int) RETURNS int LANGUAGE sql AS '1'",
			"schema.sql:2:19: CREATE OR REPLACE cannot change the name of argument a of function f(integer), which is at schema.sql:1:8; drop that first"},
		{"no such type", "CREATE FUNCTION f(a mood) RETURNS int LANGUAGE sql AS '1'", "schema.sql:1:21: type mood is not there; create it, correct the name, or declare the extension that has it with CREATE EXTENSION"},
		{"not unique", "CREATE FUNCTION f(int) RETURNS int LANGUAGE sql AS '1'; CREATE FUNCTION f(text) RETURNS int LANGUAGE sql AS '1';\nDROP FUNCTION f",
			"schema.sql:2:1: function f is not unique: there are f(integer) and f(text); add the types of its arguments"},
		{"setting that is not known", "CREATE FUNCTION f() RETURNS int LANGUAGE sql SET work_mem FROM CURRENT AS '1'",
			"schema.sql:1:46: what function f sets work_mem to is not known from its text; write SET work_mem TO with a value"},
		{"called by a trigger", "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS 'x'; CREATE TABLE t (a int); CREATE TRIGGER g BEFORE INSERT ON t EXECUTE FUNCTION f();\nDROP FUNCTION f()",
			"schema.sql:2:1: function f() cannot be dropped: trigger g on t (schema.sql:1:93) calls it; drop that first, or add CASCADE"},
		{"procedure dropped as a function", "CREATE PROCEDURE p() LANGUAGE sql AS '1';\nDROP FUNCTION p()",
			"schema.sql:2:1: function p() is not there; create it, or correct the name and the types of its arguments. A DROP takes away what stands before it; write IF EXISTS if it may not be there"},
		{"no language", "CREATE FUNCTION f() RETURNS int AS '1'", "schema.sql:1:8: function f names no language; add LANGUAGE"},
	})
}
