package scratch

import (
	"testing"

	"github.com/altergate/altergate/internal/dialect/mysql/mysqltest"
)

// TestSpoiltPlansAreRefuted spoils right plans in the ways in which plans have been wrong elsewhere.
func TestSpoiltPlansAreRefuted(t *testing.T) {
	url := mysqltest.URL(t)
	const base = "CREATE TABLE t (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, a varchar(40), b int);\n"
	const keyed = "CREATE TABLE t (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, a varchar(40), b int, KEY i (a));\n"
	tests := []proofCase{
		{name: "a default is lost", base: base, head: "CREATE TABLE t (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, a varchar(40), b int DEFAULT 7);\n",
			refuted: "after the plan, column t.b is \"`b` int(11) DEFAULT NULL\" and the head has \"`b` int(11) DEFAULT 7\""},
		{name: "an attribute is lost by omission", base: "CREATE TABLE t (id int, a varchar(9) NOT NULL DEFAULT 'x' COMMENT 'why');\n", head: "CREATE TABLE t (id int, a varchar(10) NOT NULL DEFAULT 'x' COMMENT 'why');\n",
			steps: []string{"ALTER TABLE t MODIFY a varchar(10)"}, refuted: "column t.a is"},
		{name: "an index is lost", base: keyed, head: keyed, steps: []string{"DROP INDEX i ON t"}, refuted: "after the plan, index t.i is not there, and the head has it"},
		{name: "an index is left", base: keyed, head: base, refuted: "after the plan, index t.i is there, and the head does not have it"},
		{name: "a table is lost", base: base, head: base, steps: []string{"DROP TABLE t"}, refuted: "after the plan, table t is not there"},
		{name: "columns in another order", base: base, head: "CREATE TABLE t (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, c int, a varchar(40), b int);\n", steps: []string{"ALTER TABLE t ADD c int"},
			refuted: `the order of columns of t is "id, a, b, c" and the head has "id, c, a, b"`},
		{name: "values are lost", base: base, head: base, steps: []string{"UPDATE t SET a = NULL"}, refuted: "table t: column a holds NULL after the plan and should hold"},
		{name: "values change places", base: "CREATE TABLE t (id int PRIMARY KEY, a varchar(40), b varchar(40));\n", head: "CREATE TABLE t (id int PRIMARY KEY, a varchar(40), b varchar(40));\n",
			steps: []string{"ALTER TABLE t CHANGE a x varchar(40)", "ALTER TABLE t CHANGE b a varchar(40)", "ALTER TABLE t CHANGE x b varchar(40) AFTER a"}, refuted: "table t: column a holds"},
		{name: "a column is dropped and added", base: base, head: "CREATE TABLE t (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, a varchar(60), b int);\n",
			steps: []string{"ALTER TABLE t DROP a, ADD a varchar(60) AFTER id"}, refuted: "table t: column a holds NULL after the plan"},
		{name: "values are cut without strict mode", base: base, head: "CREATE TABLE t (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, a varchar(40), b int);\n", steps: []string{"SET SESSION sql_mode = ''", "ALTER TABLE t MODIFY a varchar(3)", "ALTER TABLE t MODIFY a varchar(40)"},
			refuted: "table t: column a holds"},
		{name: "rows are lost", base: base, head: base, steps: []string{"DELETE FROM t WHERE b IS NULL"}, refuted: "table t holds 2 rows after the plan and should hold 3"},
		{name: "rows are lost in a safe plan", safe: true, base: base, head: base, steps: []string{"DELETE FROM t WHERE b IS NULL"}, refuted: "table t holds 2 rows after the plan and should hold 3"},
		{name: "a safe plan fails on rows", safe: true, base: base, head: "CREATE TABLE t (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, a varchar(3), b int);\n", steps: []string{"ALTER TABLE t MODIFY a varchar(3)"},
			refuted: "step 1 (alter_table t) fails on MariaDB "},
		{name: "a safe plan loses what strict mode lets go", safe: true, base: "CREATE TABLE t (id int PRIMARY KEY, n decimal(8,3));\n", head: "CREATE TABLE t (id int PRIMARY KEY, n decimal(8,1));\n",
			steps: []string{"ALTER TABLE t MODIFY n decimal(8,1)"}, refuted: "a row is not there any more with the values that it had"},
		{name: "a safe plan takes NULLs away", safe: true, base: base, head: "CREATE TABLE t (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, a varchar(40), b int NOT NULL);\n", steps: []string{"UPDATE t SET b = 0 WHERE b IS NULL", "ALTER TABLE t MODIFY b int NOT NULL"},
			refuted: "every step is safe, and table t holds a row that its new definition does not take: Column 'b' cannot be null"},
		{name: "counting begins again", base: base, head: base, steps: []string{"ALTER TABLE t AUTO_INCREMENT = 1"}, refuted: "table t would give out numbers again"},
		{name: "a foreign key is lost", base: peopleBase, head: peopleBase, steps: []string{"ALTER TABLE people DROP FOREIGN KEY people_boss"}, refuted: "foreign key people.people_boss is not there"},
		{name: "a foreign key does something else", base: peopleBase, head: peopleBase, steps: []string{"ALTER TABLE people DROP FOREIGN KEY people_team", "ALTER TABLE people ADD CONSTRAINT people_team FOREIGN KEY (team_id) REFERENCES teams (id)"}, refuted: "foreign key people.people_team is"},
		{name: "a check is lost", base: "CREATE TABLE t (a int, CONSTRAINT c CHECK (a > 0));\n", head: "CREATE TABLE t (a int, CONSTRAINT c CHECK (a > 0));\n", steps: []string{"ALTER TABLE t DROP CONSTRAINT c"}, refuted: "check t.c is not there"},
		{name: "a trigger is lost", base: peopleBase, head: peopleBase, steps: []string{"DROP TRIGGER stamp"}, refuted: "trigger stamp is not there"},
		{name: "a trigger's body is another", base: peopleBase, head: peopleBase, steps: []string{"DROP TRIGGER stamp", "CREATE TRIGGER stamp BEFORE UPDATE ON people FOR EACH ROW SET NEW.nick = 'Spoilt'"}, refuted: "trigger stamp is"},
		{name: "triggers in another order", base: peopleBase + "CREATE TRIGGER second BEFORE UPDATE ON people FOR EACH ROW SET NEW.nick = 'y';\n", head: peopleBase + "CREATE TRIGGER second BEFORE UPDATE ON people FOR EACH ROW SET NEW.nick = 'y';\n",
			steps: []string{"DROP TRIGGER stamp", "CREATE TRIGGER stamp BEFORE UPDATE ON people FOR EACH ROW SET NEW.nick = 'spoilt'"}, refuted: "the order of triggers BEFORE UPDATE ON people"},
		{name: "a trigger spoils what is filled", base: peopleBase, head: peopleBase, steps: []string{"UPDATE people SET name = name"}, refuted: "column nick holds 'spoilt'"},
		{name: "a routine's body is another", base: peopleBase, head: peopleBase, steps: []string{"DROP FUNCTION twice", "CREATE FUNCTION twice(n int) RETURNS int DETERMINISTIC RETURN 3 * n"}, refuted: "function twice is"},
		{name: "a routine's parameter is another", base: peopleBase, head: peopleBase, steps: []string{"DROP FUNCTION twice", "CREATE FUNCTION twice(n bigint) RETURNS int DETERMINISTIC RETURN 2 * n"}, refuted: "function twice is"},
		{name: "an event is another", base: "CREATE TABLE t (a int);\nCREATE EVENT e ON SCHEDULE EVERY 1 DAY DO DELETE FROM t;\n", head: "CREATE TABLE t (a int);\nCREATE EVENT e ON SCHEDULE EVERY 1 DAY DO DELETE FROM t;\n",
			steps: []string{"ALTER EVENT e DISABLE"}, refuted: "event e is"},
		{name: "a view is another", base: peopleBase, head: peopleBase, steps: []string{"CREATE OR REPLACE VIEW names AS SELECT id, nick AS name FROM people"}, refuted: "view names is"},
		{name: "a view is broken", base: peopleBase, head: peopleBase + "CREATE TABLE x (a int);\n", steps: []string{"CREATE TABLE x (a int)", "ALTER TABLE people RENAME COLUMN name TO name2"}, refuted: "the order of columns of people is"},
		{name: "a view over what is gone", base: "CREATE TABLE t (a int, b int);\nCREATE VIEW v AS SELECT b FROM t;\n", head: "CREATE TABLE t (a int);\n", steps: []string{"ALTER TABLE t DROP b"}, refuted: "view v is there"},
		{name: "a character set is lost", base: "CREATE TABLE t (a varchar(9) CHARACTER SET latin1 COLLATE latin1_bin);\n", head: "CREATE TABLE t (a varchar(10) CHARACTER SET latin1 COLLATE latin1_bin);\n",
			steps: []string{"ALTER TABLE t MODIFY a varchar(10)"}, refuted: "column t.a is"},
		{name: "a partition is lost", base: "CREATE TABLE t (a int NOT NULL) PARTITION BY RANGE (a) (PARTITION p0 VALUES LESS THAN (5), PARTITION p1 VALUES LESS THAN (100));\n",
			head: "CREATE TABLE t (a int NOT NULL) PARTITION BY RANGE (a) (PARTITION p0 VALUES LESS THAN (5), PARTITION p1 VALUES LESS THAN (100));\n", steps: []string{"ALTER TABLE t DROP PARTITION p1"}, refuted: "table t is"},
		{name: "rows of a partition are lost", base: "CREATE TABLE t (a int NOT NULL) PARTITION BY RANGE (a) (PARTITION p0 VALUES LESS THAN (5), PARTITION p1 VALUES LESS THAN (100));\n",
			head: "CREATE TABLE t (a int NOT NULL) PARTITION BY RANGE (a) (PARTITION p0 VALUES LESS THAN (5), PARTITION p1 VALUES LESS THAN (100));\n", steps: []string{"ALTER TABLE t DROP PARTITION p1", "ALTER TABLE t ADD PARTITION (PARTITION p1 VALUES LESS THAN (100))"}, refuted: "table t holds"},
		{name: "an engine is another", base: base, head: base, steps: []string{"ALTER TABLE t ENGINE=MyISAM"}, refuted: "table t is"},
		{name: "the database's collation is another", base: base, head: base, steps: []string{"ALTER DATABASE COLLATE utf8mb4_bin"}, refuted: "after the plan, the database is"},
		{name: "an algorithm that the server does not have for it", base: base, head: "CREATE TABLE t (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, a varchar(40), b bigint);\n", steps: []string{"ALTER TABLE t MODIFY b bigint, ALGORITHM=INSTANT"},
			refuted: "ALGORITHM=INSTANT is not supported"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { test.run(t, url) })
	}
}
