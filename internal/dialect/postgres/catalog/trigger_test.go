package catalog_test

import "testing"

func TestTriggers(t *testing.T) {
	checkFacts(t, []factCase{
		{"all clauses", `CREATE TABLE app.t (a int, b int); CREATE TRIGGER g AFTER UPDATE OF b, a ON app.t REFERENCING OLD TABLE AS o NEW TABLE n FOR EACH STATEMENT EXECUTE FUNCTION app.f('x', 1, y);
			CREATE TRIGGER h BEFORE INSERT OR UPDATE OR DELETE ON app.t FOR EACH ROW WHEN (OLD.a IS DISTINCT FROM NEW.a) EXECUTE PROCEDURE f()`,
			"trigger app.t.g after update(a,b) app.f(x,1,y), new n, old o\ntrigger app.t.h before delete or insert or update f when OLD.a IS DISTINCT FROM NEW.a, row"},
		{"constraint", `CREATE TABLE t (a int); CREATE TABLE u (a int); CREATE CONSTRAINT TRIGGER g AFTER INSERT ON t FROM u DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE PROCEDURE f()`,
			"trigger t.g after insert f, constraint, deferrable, deferred, from u, row"},
		{"on a view", `CREATE VIEW v AS SELECT 1; CREATE TRIGGER g INSTEAD OF INSERT ON v FOR EACH ROW EXECUTE FUNCTION f()`, "view v = SELECT 1\ntrigger v.g instead of insert f, row"},
		{"before its table", `CREATE TRIGGER g AFTER TRUNCATE ON t EXECUTE FUNCTION f(); CREATE TABLE t (a int)`, "trigger t.g after truncate f"},
		{"replaced", `CREATE TABLE t (a int); CREATE TRIGGER g BEFORE INSERT ON t EXECUTE FUNCTION f(); CREATE OR REPLACE TRIGGER g AFTER DELETE ON t EXECUTE FUNCTION h()`, "trigger t.g after delete h"},
		{"on a partitioned table", `CREATE TABLE p (a int) PARTITION BY RANGE (a); CREATE TABLE p1 PARTITION OF p FOR VALUES FROM (0) TO (1) PARTITION BY RANGE (a); CREATE TABLE p2 PARTITION OF p1 DEFAULT;
			CREATE TRIGGER g AFTER INSERT ON p FOR EACH ROW EXECUTE FUNCTION f(); CREATE TRIGGER s AFTER INSERT ON p EXECUTE FUNCTION f(); ALTER TRIGGER g ON p RENAME TO h`,
			`trigger p.h after insert f, row
			 trigger p1.h after insert f, inherited, row
			 trigger p2.h after insert f, inherited, row
			 trigger p.s after insert f`},
		{"partition made later", `CREATE TABLE p (a int) PARTITION BY RANGE (a); CREATE TRIGGER g AFTER INSERT ON p FOR EACH ROW EXECUTE FUNCTION f(); CREATE TABLE p1 PARTITION OF p DEFAULT;
			CREATE TABLE p2 (a int); ALTER TABLE p ATTACH PARTITION p2 FOR VALUES FROM (0) TO (1); ALTER TABLE p DETACH PARTITION p2`,
			"trigger p.g after insert f, row\ntrigger p1.g after insert f, inherited, row"},
		{"dropped from a partitioned table", `CREATE TABLE p (a int) PARTITION BY RANGE (a); CREATE TABLE p1 PARTITION OF p DEFAULT; CREATE TRIGGER g AFTER INSERT ON p FOR EACH ROW EXECUTE FUNCTION f(); DROP TRIGGER g ON p; DROP TRIGGER IF EXISTS g ON p`, ""},
		{"renamed with its comment", `CREATE TABLE t (a int); CREATE TRIGGER g AFTER INSERT ON t EXECUTE FUNCTION f(); COMMENT ON TRIGGER g ON t IS 'x'; ALTER TRIGGER g ON t RENAME TO h; ALTER TABLE t RENAME TO u`,
			"trigger u.h after insert f\ncomment trigger u.h on u text=x"},
		{"event trigger", `CREATE FUNCTION f() RETURNS event_trigger LANGUAGE plpgsql AS 'x'; CREATE EVENT TRIGGER e ON ddl_command_end WHEN tag IN ('DROP TABLE', 'create table') EXECUTE FUNCTION f(); ALTER EVENT TRIGGER e ENABLE REPLICA; ALTER EVENT TRIGGER e OWNER TO app; COMMENT ON EVENT TRIGGER e IS 'x'; ALTER EVENT TRIGGER e RENAME TO ev`,
			"function f() returns event_trigger plpgsql volatile unsafe, body x\nevent_trigger ev enabled=replica event=ddl_command_end function=f() tags=CREATE TABLE,DROP TABLE, owner app\ncomment event trigger ev text=x"},
	})
	checkErrors(t, []errorCase{
		{"twice", "CREATE TABLE t (a int); CREATE TRIGGER g BEFORE INSERT ON t EXECUTE FUNCTION f();\nCREATE TRIGGER g AFTER INSERT ON t EXECUTE FUNCTION f()", "schema.sql:2:8: trigger t.g is already there (schema.sql:1:32); take one of the two out"},
		{"instead of on a table", "CREATE TABLE t (a int); CREATE TRIGGER g INSTEAD OF INSERT ON t FOR EACH ROW EXECUTE FUNCTION f()", "schema.sql:1:32: trigger g cannot be on t: it is a table, and INSTEAD OF is for views; write BEFORE or AFTER"},
		{"no table", "CREATE TRIGGER g BEFORE INSERT ON t EXECUTE FUNCTION f()", "schema.sql:1:35: there is no relation t; create it, or correct the name"},
		{"no column", "CREATE TABLE t (a int); CREATE TRIGGER g BEFORE UPDATE OF b ON t EXECUTE FUNCTION f()", "schema.sql:1:32: trigger g names column t.b, which is not there; create it, or correct the name"},
	})
}
