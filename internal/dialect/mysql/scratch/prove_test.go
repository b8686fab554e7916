package scratch

import (
	"testing"

	"github.com/altergate/altergate/internal/dialect/mysql/mysqltest"
	flavours "github.com/altergate/altergate/internal/dialect/mysql/server"
	"github.com/altergate/altergate/internal/diff"
)

var flavours80 = flavours.Server{Major: 8}

const peopleBase = `
CREATE TABLE teams (id int unsigned NOT NULL AUTO_INCREMENT, name varchar(40) NOT NULL, PRIMARY KEY (id), UNIQUE KEY name (name));
CREATE TABLE people (
	id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY,
	team_id int unsigned,
	boss_id bigint,
	name varchar(40) NOT NULL,
	nick text,
	mood enum('sad', 'ok', 'glad'),
	likes set('tea', 'coffee'),
	score decimal(6,2) CHECK (score > 100),
	doubled decimal(8,2) AS (score * 2) STORED,
	born date,
	seen timestamp NULL DEFAULT current_timestamp,
	extra json,
	KEY people_name (name),
	CONSTRAINT people_team FOREIGN KEY (team_id) REFERENCES teams (id) ON DELETE SET NULL,
	CONSTRAINT people_boss FOREIGN KEY (boss_id) REFERENCES people (id)
);
CREATE VIEW names AS SELECT id, name FROM people;
CREATE TRIGGER stamp BEFORE UPDATE ON people FOR EACH ROW SET NEW.nick = 'spoilt';
CREATE FUNCTION twice(n int) RETURNS int DETERMINISTIC RETURN 2 * n;
`

// everything has every type there is, and keys in a circle.
const everything = `
CREATE TABLE a (id int NOT NULL PRIMARY KEY, b_id int NOT NULL, CONSTRAINT a_b FOREIGN KEY (b_id) REFERENCES b (id));
CREATE TABLE b (id int NOT NULL PRIMARY KEY, a_id int, CONSTRAINT b_a FOREIGN KEY (a_id) REFERENCES a (id));
CREATE TABLE kinds (ti tinyint, ui tinyint unsigned, si smallint, mi mediumint, i int, bi bigint unsigned, de decimal(10,3), fl float, dbl double, bt bit(5), y year, d date, dt datetime(3), ts timestamp(6) NULL,
	tm time(2), c char(3), v varchar(300), l varchar(20) CHARACTER SET latin1, tt tinytext, tx text, bn binary(4), vb varbinary(9), bl blob, e enum('it''s','b'), s set('x','y'), j json, p point NOT NULL, g geometry, SPATIAL KEY (p), FULLTEXT KEY (tx));
CREATE TABLE ranges (id int NOT NULL, d date NOT NULL, PRIMARY KEY (id, d)) PARTITION BY RANGE (YEAR(d)) (PARTITION p0 VALUES LESS THAN (2000), PARTITION p1 VALUES LESS THAN (2010));
CREATE TABLE lists (k int NOT NULL, n int) PARTITION BY LIST (k) (PARTITION p0 VALUES IN (7, 8), PARTITION p1 VALUES IN (77));
CREATE TABLE columns (d date NOT NULL, n int) PARTITION BY RANGE COLUMNS (d) (PARTITION p0 VALUES LESS THAN ('1980-01-01'));
CREATE TABLE checks (age int NOT NULL CHECK (age BETWEEN 18 AND 21), code varchar(10) NOT NULL CHECK (code REGEXP '^[A-Z]{3}-[0-9]+$'), size varchar(5) NOT NULL, CHECK (size IN ('s', 'm')), CHECK (char_length(code) > 4));
CREATE TABLE old (id int NOT NULL PRIMARY KEY, x varchar(9)) ENGINE=MyISAM;
`

func TestProve(t *testing.T) {
	url := mysqltest.URL(t)
	const table = "CREATE TABLE t (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, a varchar(40), b int);\n"
	tests := []proofCase{
		{name: "nothing to do", base: peopleBase, head: peopleBase, safe: true},
		{name: "everything", base: everything, head: everything, safe: true},
		{name: "everything goes", base: table, steps: []string{"DROP TABLE t"}},
		{name: "a table is new", head: table, steps: []string{"CREATE TABLE t (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, a varchar(40), b int)"}},
		{name: "a column with a default", safe: true, base: table, head: "CREATE TABLE t (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, a varchar(40), b int, c varchar(9) NOT NULL DEFAULT 'none');\n",
			steps: []string{"ALTER TABLE t ADD COLUMN c varchar(9) NOT NULL DEFAULT 'none', ALGORITHM=INSTANT"}},
		{name: "a column without a default", safe: true, base: table, head: "CREATE TABLE t (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, a varchar(40), b int, c int NOT NULL);\n",
			steps: []string{"ALTER TABLE t ADD COLUMN c int NOT NULL"}},
		{name: "a column with a volatile default", base: table, head: "CREATE TABLE t (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, a varchar(40), b int, c varchar(40) NOT NULL DEFAULT (uuid()));\n",
			steps: []string{"ALTER TABLE t ADD COLUMN c varchar(40) NOT NULL DEFAULT (uuid())"}},
		{name: "a key in the middle", safe: true, base: table, head: "CREATE TABLE t (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, a varchar(40), b int, KEY b (b), KEY a (a));\n",
			steps: []string{"ALTER TABLE t ADD KEY a (a), ALGORITHM=INPLACE, LOCK=NONE", "CREATE INDEX b ON t (b) ALGORITHM=INPLACE LOCK=NONE"}},
		{name: "renames", base: table, head: "CREATE TABLE u (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, x varchar(40), b int);\n",
			renames: diff.Renames{Tables: []diff.RenameTable{{From: "t", To: "u"}}, Columns: []diff.RenameColumn{{Table: "u", From: "a", To: "x"}}},
			steps:   []string{"RENAME TABLE t TO u", "ALTER TABLE u RENAME COLUMN a TO x"}},
		{name: "types that are wider", safe: true, base: table, head: "CREATE TABLE t (id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, a varchar(60), b decimal(12,2));\n",
			steps: []string{"ALTER TABLE t MODIFY id bigint NOT NULL AUTO_INCREMENT, MODIFY a varchar(60), MODIFY b decimal(12,2)"}},
		{name: "types that are narrower", base: table, head: "CREATE TABLE t (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, a varchar(5), b tinyint);\n",
			steps: []string{"ALTER TABLE t MODIFY a varchar(5), MODIFY b tinyint"}},
		{name: "text becomes a number", base: table, head: "CREATE TABLE t (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, a int, b varchar(9));\n",
			steps: []string{"ALTER TABLE t MODIFY a int, MODIFY b varchar(9)"}},
		{name: "an enum without a member", base: "CREATE TABLE t (id int PRIMARY KEY, m enum('a','b','c'));\n", head: "CREATE TABLE t (id int PRIMARY KEY, m enum('a','c'));\n",
			steps: []string{"ALTER TABLE t MODIFY m enum('a','c')"}},
		{name: "not null", base: table, head: "CREATE TABLE t (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, a varchar(40) NOT NULL, b int);\n", steps: []string{"ALTER TABLE t MODIFY a varchar(40) NOT NULL"}},
		{name: "a foreign key", base: table + "CREATE TABLE p (id int NOT NULL PRIMARY KEY);\n", head: "CREATE TABLE p (id int NOT NULL PRIMARY KEY);\nCREATE TABLE t (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, a varchar(40), b int, CONSTRAINT fk FOREIGN KEY (b) REFERENCES p (id));\n",
			steps: []string{"SET FOREIGN_KEY_CHECKS = 1", "ALTER TABLE t ADD CONSTRAINT fk FOREIGN KEY (b) REFERENCES p (id)"}},
		{name: "databases of its own", base: "CREATE DATABASE shop;\nUSE shop;\nCREATE TABLE t (id int PRIMARY KEY, n int);\nCREATE VIEW v AS SELECT shop.t.id FROM shop.t WHERE 'shop.t' <> '';\n",
			head:  "CREATE DATABASE shop;\nUSE shop;\nCREATE TABLE t (id int PRIMARY KEY, n int, m int);\nCREATE VIEW v AS SELECT shop.t.id FROM shop.t WHERE 'shop.t' <> '';\n",
			steps: []string{"ALTER TABLE `shop`.`t` ADD COLUMN m int"}},
		{name: "words of a dump", base: "SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='NO_AUTO_VALUE_ON_ZERO';\nSET NAMES latin1;\n" + table + "SET SQL_MODE=@OLD_SQL_MODE;\n", head: table},
		{name: "another flavour's collation", server: flavours80, base: "CREATE TABLE t (a varchar(9) COLLATE utf8mb4_0900_ai_ci);\n", head: "CREATE TABLE t (a varchar(9) COLLATE utf8mb4_0900_as_cs);\n",
			steps: []string{"ALTER TABLE t MODIFY a varchar(9) COLLATE utf8mb4_0900_as_cs, ALGORITHM=INSTANT"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			engine := test.run(t, url)
			if len(engine.Empty) > 0 || test.server.Major == 0 && len(engine.LeftOut) > 0 || (test.base != "") != (engine.Rows > 0) {
				t.Errorf("%d rows, empty tables %v, left out %v", engine.Rows, engine.Empty, engine.LeftOut)
			}
			if test.server.Major > 0 && len(engine.LeftOut) != 2 {
				t.Errorf("left out: %q", engine.LeftOut)
			}
		})
	}
}
