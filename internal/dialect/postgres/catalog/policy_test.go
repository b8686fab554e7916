package catalog_test

import "testing"

func TestPoliciesAndRules(t *testing.T) {
	checkFacts(t, []factCase{
		{"all clauses", `CREATE TABLE t (a int, b bool); CREATE POLICY p ON t AS RESTRICTIVE FOR UPDATE TO zoe, "App", CURRENT_USER USING (a = 1 OR (b)) WITH CHECK (b)`,
			`policy t.p on t command=update permissive=false roles="App",current_user,zoe using a = 1 OR (b) check b`},
		{"defaults", `CREATE TABLE t (a int); CREATE POLICY p ON t; CREATE POLICY q ON t FOR SELECT TO app, PUBLIC USING (true)`,
			"policy t.p on t command=all permissive=true roles=public\npolicy t.q on t command=select permissive=true roles=public using true"},
		{"altered", `CREATE TABLE t (a int); CREATE POLICY p ON t USING (a > 0) WITH CHECK (a > 1); ALTER POLICY p ON t TO app WITH CHECK (a > 2); COMMENT ON POLICY p ON t IS 'x'; ALTER POLICY p ON t RENAME TO q; ALTER TABLE t RENAME TO u`,
			"policy u.q on u command=all permissive=true roles=app using a > 0 check a > 2\ncomment policy u.q on u text=x"},
		{"dropped", `CREATE TABLE t (a int); CREATE POLICY p ON t; COMMENT ON POLICY p ON t IS 'x'; DROP POLICY p ON t; CREATE POLICY q ON t; DROP TABLE t`, ""},
		{"rules", `CREATE TABLE t (a int); CREATE VIEW v AS SELECT 1 AS a; CREATE RULE r AS ON INSERT TO v WHERE new.a > 1 AND (new.a < 5) DO INSTEAD (INSERT INTO t VALUES (new.a); NOTIFY x);
			CREATE RULE s AS ON DELETE TO t DO NOTHING; CREATE OR REPLACE RULE s AS ON DELETE TO t DO INSTEAD NOTHING; COMMENT ON RULE s ON t IS 'x'; ALTER RULE s ON t RENAME TO z`,
			"view v = SELECT 1 AS a\nrule v.r on v event=insert instead=true using new.a > 1 AND (new.a < 5)\nrule t.z on t event=delete instead=true\ncomment rule t.z on t text=x"},
	})
	checkErrors(t, []errorCase{
		{"twice", "CREATE TABLE t (a int); CREATE POLICY p ON t;\nCREATE POLICY p ON t", "schema.sql:2:8: policy t.p is already there (schema.sql:1:32); take one of the two out"},
		{"no table", "CREATE POLICY p ON t", "schema.sql:1:20: there is no relation t; create it, or correct the name"},
		{"select", "CREATE TABLE t (a int); CREATE RULE \"_RETURN\" AS ON SELECT TO t DO INSTEAD SELECT 1", "schema.sql:1:32: rule _RETURN on t is ON SELECT, which makes a view of a table; declare it with CREATE VIEW"},
	})
}
