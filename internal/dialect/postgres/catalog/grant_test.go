package catalog_test

import "testing"

func TestGrants(t *testing.T) {
	checkFacts(t, []factCase{
		{"tables and columns", `CREATE TABLE t (id int, "My col" text); CREATE TABLE u (a int); GRANT SELECT (id, "My col"), INSERT ON TABLE t TO app, web WITH GRANT OPTION; GRANT SELECT ON t, u TO app; GRANT UPDATE (id) ON t TO app`,
			`grant table t to app on t columns=SELECT("My col")*,SELECT(id)*,UPDATE(id) privileges=INSERT*,SELECT
			 grant table t to web on t columns=SELECT("My col")*,SELECT(id)* privileges=INSERT*
			 grant table u to app on u privileges=SELECT`},
		{"all", `CREATE TABLE t (id int); CREATE SEQUENCE s; CREATE VIEW v AS SELECT 1; CREATE FUNCTION f(int) RETURNS int LANGUAGE sql AS '1'; CREATE SCHEMA app; GRANT ALL ON t, v TO app; GRANT ALL PRIVILEGES ON SEQUENCE s TO app; GRANT ALL ON TABLE s TO old; GRANT ALL ON FUNCTION f(int) TO app; GRANT ALL ON SCHEMA app TO app; GRANT ALL (id) ON t TO web`,
			`view v = SELECT 1
			 schema app
			 function f(integer) in int returns int sql volatile unsafe, body 1
			 grant table t to app on t privileges=DELETE,INSERT,REFERENCES,SELECT,TRIGGER,TRUNCATE,UPDATE
			 grant table v to app on v privileges=DELETE,INSERT,REFERENCES,SELECT,TRIGGER,TRUNCATE,UPDATE
			 grant table t to web on t columns=INSERT(id),REFERENCES(id),SELECT(id),UPDATE(id)
			 grant sequence s to app privileges=SELECT,UPDATE,USAGE
			 grant sequence s to old privileges=SELECT,UPDATE,USAGE
			 grant function f(integer) to app privileges=EXECUTE
			 grant schema app to app privileges=CREATE,USAGE`},
		{"all in a schema", `CREATE TABLE t (id serial); CREATE VIEW app.v AS SELECT 1; CREATE SCHEMA app; CREATE PROCEDURE p() LANGUAGE sql AS '1'; GRANT SELECT ON ALL TABLES IN SCHEMA public, app TO r; GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO r; GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public TO r; GRANT EXECUTE ON ALL ROUTINES IN SCHEMA public TO s`,
			`view app.v = SELECT 1
			 schema app
			 procedure p() sql volatile unsafe, body 1
			 grant table t to r on t privileges=SELECT
			 grant table app.v to r on app.v privileges=SELECT
			 grant sequence t_id_seq to r privileges=USAGE
			 grant procedure p() to s privileges=EXECUTE`},
		{"revoked", `CREATE TABLE t (id int); GRANT SELECT, INSERT, UPDATE (id) ON t TO app WITH GRANT OPTION; REVOKE GRANT OPTION FOR SELECT ON t FROM app; REVOKE INSERT ON t FROM app CASCADE; GRANT SELECT ON t TO web; REVOKE ALL ON t FROM web; GRANT SELECT (id) ON t TO old; REVOKE SELECT ON t FROM old`,
			"grant table t to app on t columns=UPDATE(id)* privileges=SELECT"},
		{"revoked though never granted", `CREATE FUNCTION f() RETURNS int LANGUAGE sql AS '1'; REVOKE ALL ON FUNCTION f() FROM PUBLIC; REVOKE CREATE ON SCHEMA public FROM PUBLIC; GRANT EXECUTE ON FUNCTION f() TO PUBLIC; REVOKE EXECUTE ON FUNCTION f() FROM PUBLIC`,
			"function f() returns int sql volatile unsafe, body 1\ngrant function f() to public revoked=EXECUTE\ngrant schema public to public revoked=CREATE"},
		{"given back", `CREATE FUNCTION f() RETURNS int LANGUAGE sql AS '1'; GRANT EXECUTE ON FUNCTION f() TO PUBLIC; REVOKE ALL ON FUNCTION f() FROM PUBLIC; GRANT EXECUTE ON FUNCTION f() TO PUBLIC`, "function f() returns int sql volatile unsafe, body 1"},
		{"revoked to no effect", `CREATE TABLE t (a int); CREATE TABLE u (a int); ALTER TABLE t OWNER TO bob; REVOKE ALL ON t FROM PUBLIC; REVOKE ALL ON t FROM web; REVOKE INSERT ON t FROM bob; REVOKE SELECT ON u FROM bob; GRANT SELECT ON t TO bob`,
			"grant table t to bob on t revoked=INSERT\ngrant table u to bob on u revoked=SELECT"},
		{"where functions give nothing by default", `ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC; CREATE FUNCTION f() RETURNS int LANGUAGE sql AS '1'; GRANT EXECUTE ON FUNCTION f() TO PUBLIC`,
			"default_privileges on functions to public on=functions revoked=EXECUTE\nfunction f() returns int sql volatile unsafe, body 1\ngrant function f() to public privileges=EXECUTE"},
		{"granted again", `REVOKE ALL ON SCHEMA public FROM PUBLIC; GRANT USAGE ON SCHEMA public TO PUBLIC`, "grant schema public to public revoked=CREATE"},
		{"on the rest", `CREATE TYPE m AS ENUM ('a'); GRANT USAGE ON TYPE m TO app; GRANT USAGE ON LANGUAGE plpgsql TO app; CREATE EXTENSION postgres_fdw; CREATE SERVER far FOREIGN DATA WRAPPER postgres_fdw; GRANT USAGE ON FOREIGN SERVER far TO app; GRANT CONNECT ON DATABASE d TO app; GRANT app TO web`,
			`enum m(a)
			 extension postgres_fdw
			 opaque server far, opaque
			 grant type m to app privileges=USAGE
			 grant language plpgsql to app privileges=USAGE
			 grant server far to app privileges=USAGE`},
		{"with the names", `CREATE TABLE t (id int); GRANT SELECT (id), INSERT ON t TO app; ALTER TABLE t RENAME id TO key; ALTER TABLE t RENAME TO u`, "grant table u to app on u columns=SELECT(key) privileges=INSERT"},
		{"with the column", `CREATE TABLE t (id int, a int); GRANT SELECT (id), SELECT (a) ON t TO app; GRANT SELECT (a) ON t TO web; ALTER TABLE t DROP COLUMN a`, "grant table t to app on t columns=SELECT(id)"},
		{"default privileges", `CREATE SCHEMA s; ALTER DEFAULT PRIVILEGES FOR ROLE a, b IN SCHEMA s GRANT SELECT ON TABLES TO r; ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC; ALTER DEFAULT PRIVILEGES FOR ROLE b IN SCHEMA s REVOKE ALL ON TABLES FROM r`,
			"schema s\ndefault_privileges a in s on tables to r on=tables privileges=SELECT role=a schema=s\ndefault_privileges on functions to public on=functions revoked=EXECUTE"},
	})
	checkErrors(t, []errorCase{
		{"no table", "GRANT SELECT ON t TO app", "schema.sql:1:1: there is no relation t; create it, or correct the name"},
		{"no such privilege", "CREATE TABLE t (a int);\nGRANT USAGE ON t TO app", "schema.sql:2:1: there is no privilege USAGE on a table; these are: DELETE, INSERT, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE"},
		{"no column", "CREATE TABLE t (a int);\nGRANT SELECT (b) ON t TO app", "schema.sql:2:1: column t.b is not there; create it, or correct the name"},
		{"everyone granting on", "CREATE TABLE t (a int);\nGRANT SELECT ON t TO PUBLIC WITH GRANT OPTION", "schema.sql:2:22: grant options can only be granted to roles, and not to PUBLIC; take WITH GRANT OPTION out"},
		{"no schema", "GRANT SELECT ON ALL TABLES IN SCHEMA nix TO app", "schema.sql:1:1: schema nix is not there; create it, or correct the name"},
	})
}
