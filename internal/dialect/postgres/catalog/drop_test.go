package catalog_test

import "testing"

func TestOthers(t *testing.T) {
	checkFacts(t, []factCase{
		{"schemas", `CREATE SCHEMA app AUTHORIZATION bob; CREATE SCHEMA IF NOT EXISTS app; CREATE SCHEMA AUTHORIZATION web; ALTER SCHEMA web OWNER TO bob; COMMENT ON SCHEMA web IS 'x'; DROP SCHEMA web`, "schema app, owner bob"},
		{"statements in a schema", "CREATE SCHEMA app\n  GRANT SELECT ON v TO web\n  CREATE VIEW v AS SELECT a FROM t\n  CREATE TABLE t (a int);\nCREATE VIEW w AS SELECT 1",
			"schema app\nview app.v = SELECT a FROM t\ngrant table app.v to web on app.v privileges=SELECT\nview w = SELECT 1"},
		{"statements in a schema that wait", "CREATE SCHEMA app\n  CREATE TABLE t (a int)\n  CREATE TRIGGER g BEFORE INSERT ON other.t EXECUTE FUNCTION f()\n  GRANT SELECT ON t TO web;\nCREATE TABLE other.t (a int); CREATE SCHEMA other",
			"schema app\nschema other\ntrigger other.t.g before insert f\ngrant table app.t to web on app.t privileges=SELECT"},
		{"extensions", `CREATE EXTENSION IF NOT EXISTS hstore WITH SCHEMA app VERSION '1.4' CASCADE; CREATE EXTENSION IF NOT EXISTS hstore; ALTER EXTENSION hstore UPDATE TO '1.5'; ALTER EXTENSION hstore SET SCHEMA ext; COMMENT ON EXTENSION hstore IS 'x'; CREATE EXTENSION citext; DROP EXTENSION citext`,
			"extension hstore schema=ext version=1.5\ncomment extension hstore text=x"},
		{"statistics", `CREATE TABLE t (a int, b int); CREATE STATISTICS app.s (ndistinct, mcv) ON b, a FROM t; CREATE STATISTICS (mcv) ON a, ((b) + 1), lower(b::text) FROM t; CREATE STATISTICS ON a, (b + 2) FROM t; ALTER STATISTICS app.s SET STATISTICS 100; ALTER STATISTICS app.s RENAME TO z; ALTER STATISTICS app.z OWNER TO bob; ALTER TABLE t RENAME a TO c`,
			`statistics app.z on t columns=b,c kinds=mcv,ndistinct schema=app target=100, owner bob
			 statistics t_a_expr_expr_stat on t columns=c kinds=mcv schema=public of ((b) + 1) of lower(b::text)
			 statistics t_a_expr_stat on t columns=c kinds=dependencies,mcv,ndistinct schema=public of (b + 2)`},
		{"publications", `CREATE TABLE a (x int, y int); CREATE TABLE b (x int); CREATE TABLE c (x int); CREATE PUBLICATION p FOR TABLE ONLY a (y, x) WHERE (x > 1), b, TABLES IN SCHEMA s, CURRENT_SCHEMA WITH (publish = 'update, insert');
			ALTER PUBLICATION p ADD TABLE c; ALTER PUBLICATION p DROP TABLE b; ALTER PUBLICATION p DROP TABLES IN SCHEMA s; ALTER PUBLICATION p SET (publish_via_partition_root); ALTER TABLE c RENAME TO d; ALTER PUBLICATION p RENAME TO q; ALTER PUBLICATION q OWNER TO bob;
			CREATE PUBLICATION everything FOR ALL TABLES WITH (publish = 'insert,update,delete,truncate')`,
			`publication q all_tables=false publish=insert,update publish_via_partition_root=true schemas=public, owner bob
			 publication_table q a on a columns=x,y only=true using x > 1
			 publication_table q d on d only=false
			 publication everything all_tables=true`},
		{"publication set anew and a dropped table", `CREATE TABLE a (x int); CREATE TABLE b (x int); CREATE TABLE c (x int); CREATE PUBLICATION p FOR TABLE a; ALTER PUBLICATION p SET TABLE b, c; DROP TABLE c`, "publication p all_tables=false\npublication_table p b on b only=false"},
		{"operators and their like", `CREATE FUNCTION eq(int, text) RETURNS bool LANGUAGE sql AS '1'; CREATE OPERATOR === (leftarg = int, rightarg = text, procedure = eq); CREATE OPERATOR app.!! (rightarg = int8, procedure = f); COMMENT ON OPERATOR === (int, text) IS 'x'; COMMENT ON OPERATOR app.!! (NONE, bigint) IS 'y';
			CREATE OPERATOR FAMILY fam USING btree; CREATE OPERATOR CLASS cls FOR TYPE int USING btree FAMILY fam AS OPERATOR 1 <; ALTER OPERATOR FAMILY fam USING btree ADD OPERATOR 2 <= (int, int); DROP OPERATOR CLASS cls USING btree;
			CREATE CAST (int AS mood) WITH FUNCTION f(int) AS IMPLICIT; CREATE TYPE mood AS ENUM ('a'); CREATE COLLATION IF NOT EXISTS de (provider = icu, locale = 'de'); ALTER COLLATION de OWNER TO bob; ALTER COLLATION de REFRESH VERSION`,
			`function eq(integer, text) in int in text returns bool sql volatile unsafe, body 1
			 enum mood(a)
			 opaque operator ===(integer, text), opaque
			 opaque operator app.!!(NONE, bigint), opaque
			 comment operator ===(integer, text) text=x
			 comment operator app.!!(NONE, bigint) text=y
			 opaque operator family fam using btree altered=ALTER OPERATOR FAMILY fam USING btree ADD OPERATOR 2 <= (int, int), opaque
			 opaque cast (integer AS mood), opaque
			 opaque collation de, opaque, owner bob`},
		{"text search and foreign data", `CREATE TEXT SEARCH CONFIGURATION app.c (copy = english); ALTER TEXT SEARCH CONFIGURATION app.c ADD MAPPING FOR word WITH simple; CREATE TEXT SEARCH DICTIONARY d (template = simple); DROP TEXT SEARCH DICTIONARY d;
			CREATE FOREIGN DATA WRAPPER w; CREATE SERVER IF NOT EXISTS s FOREIGN DATA WRAPPER w; ALTER SERVER s OPTIONS (SET a 'b'); CREATE USER MAPPING FOR PUBLIC SERVER s; DROP USER MAPPING IF EXISTS FOR bob SERVER s; COMMENT ON SERVER s IS 'x'; ALTER SERVER s OWNER TO bob; CREATE LANGUAGE plx HANDLER h`,
			`opaque text search configuration app.c altered=ALTER TEXT SEARCH CONFIGURATION app.c ADD MAPPING FOR word WITH simple, opaque
			 opaque foreign data wrapper w, opaque
			 opaque server s altered=ALTER SERVER s OPTIONS (SET a 'b'), opaque, owner bob
			 opaque user mapping for public server s, opaque
			 comment server s text=x
			 opaque language plx, opaque`},
		{"dependence on an extension", `CREATE EXTENSION hstore; CREATE FUNCTION f() RETURNS int LANGUAGE sql AS '1'; ALTER FUNCTION f() DEPENDS ON EXTENSION hstore; ALTER FUNCTION f() RENAME TO g`,
			"extension hstore\nfunction g() returns int sql volatile unsafe, altered, body 1\nopaque dependency of function g() on extension hstore extension=hstore, opaque"},
		{"a schema with all that is in it", `CREATE SCHEMA app; CREATE TYPE app.m AS ENUM ('a'); CREATE DOMAIN app.d AS app.m; CREATE TABLE app.t (id serial, m app.m); CREATE VIEW app.v AS SELECT 1; CREATE FUNCTION app.f(app.m) RETURNS app.d LANGUAGE sql AS '1'; CREATE COLLATION app.c FROM "C"; COMMENT ON TABLE app.t IS 'x'; COMMENT ON COLLATION app.c IS 'y'; GRANT USAGE ON SCHEMA app TO web; DROP SCHEMA app CASCADE`, ""},
		{"tables with what hangs on them", `CREATE TABLE p (id int PRIMARY KEY); CREATE TABLE c (id int REFERENCES p); CREATE TABLE i () INHERITS (p); CREATE POLICY x ON p; COMMENT ON TABLE p IS 'x'; DROP TABLE p CASCADE; COMMENT ON TABLE c IS 'c'`, "comment table c on c text=c"},
	})
	checkErrors(t, []errorCase{
		{"schema twice", "CREATE SCHEMA a;\nCREATE SCHEMA a", "schema.sql:2:8: schema a is already there (schema.sql:1:8); take one of the two out"},
		{"schema that holds something", "CREATE SCHEMA a; CREATE TABLE a.t (x int);\nDROP SCHEMA a", "schema.sql:2:1: schema a cannot be dropped: it holds table a.t; drop that first, or add CASCADE"},
		{"in a schema", "CREATE SCHEMA a\n  CREATE TABLE t (x int)\n  CREATE TABLE t (y int)", "schema.sql:3:16: table a.t cannot be made: there already is a table of that name (schema.sql:2:16); take one of the two out"},
		{"a table that is referenced", "CREATE TABLE p (id int PRIMARY KEY); CREATE TABLE c (id int REFERENCES p);\nDROP TABLE p", "schema.sql:2:1: table p cannot be dropped: constraint c_id_fkey of table c (schema.sql:1:61) references it; drop that first, or add CASCADE"},
		{"a sequence that is used", "CREATE TABLE t (id serial);\nDROP SEQUENCE t_id_seq", "schema.sql:2:1: sequence t_id_seq cannot be dropped: the default of column t.id takes its values from it; drop that default first, or add CASCADE"},
		{"an index that is a constraint's", "CREATE TABLE t (id int PRIMARY KEY);\nDROP INDEX t_pkey", "schema.sql:2:1: index t_pkey is that of a constraint; drop the constraint with ALTER TABLE … DROP CONSTRAINT"},
		{"something opaque renamed", "CREATE COLLATION a FROM \"C\";\nALTER COLLATION a RENAME TO b", "schema.sql:2:1: the collation a is compared by its text, in which its name stands; write its definition with the new name instead of renaming it"},
		{"members of an extension", "CREATE EXTENSION hstore; CREATE FUNCTION f() RETURNS int LANGUAGE sql AS '1';\nALTER EXTENSION hstore ADD FUNCTION f()", "schema.sql:2:1: `ALTER EXTENSION hstore ADD FUNCTION f()` is a statement (AlterExtensionContentsStmt) that is not understood; take it out of the schema's files, or report it"},
		{"statistics on what is not there", "CREATE TABLE t (a int); CREATE STATISTICS s ON a, b FROM t", "schema.sql:1:32: statistics on t name column b, which is not there; create it, or correct the name"},
	})
}
