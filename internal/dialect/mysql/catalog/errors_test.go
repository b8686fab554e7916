package catalog_test

import (
	"strings"
	"testing"

	"github.com/altergate/altergate/internal/dialect/mysql/mysqltest"
)

// refusals are scripts whose last statement MariaDB refuses, with a word of what is said of it here.
var refusals = []struct{ text, want string }{
	{"CREATE TABLE t (a int, A int)", "two columns"},
	{"CREATE EVENT e ON SCHEDULE EVERY 1 DAY DO SET @a = 1; CREATE EVENT f ON SCHEDULE EVERY 1 DAY DO SET @a = 1; ALTER EVENT e RENAME TO f", "event f is there already"},
	{"CREATE TABLE t (a int, KEY (b))", "column b"},
	{"CREATE TABLE t (a int, KEY k (a), KEY K (a))", "key K already"},
	{"CREATE TABLE t (a int, KEY (a, a))", "twice"},
	{"CREATE TABLE t (a int PRIMARY KEY, b int, PRIMARY KEY (b))", "primary key already"},
	{"CREATE TABLE t (a int AUTO_INCREMENT)", "no key begins"},
	{"CREATE TABLE t (a int AUTO_INCREMENT, b int, KEY (b, a))", "no key begins"},
	{"CREATE TABLE t (a int AUTO_INCREMENT KEY, b int AUTO_INCREMENT UNIQUE)", "two AUTO_INCREMENT"},
	{"CREATE TABLE t (a varchar(9) AUTO_INCREMENT KEY)", "no number"},
	{"CREATE TABLE t (a int NOT NULL DEFAULT NULL)", "DEFAULT NULL"},
	{"CREATE TABLE t (a int DEFAULT 'x')", "does not fit"},
	{"CREATE TABLE t (a tinyint DEFAULT 300)", "does not fit"},
	{"CREATE TABLE t (a int unsigned DEFAULT -1)", "does not fit"},
	{"CREATE TABLE t (a enum('a') DEFAULT 'b')", "does not fit"},
	{"CREATE TABLE t (a varchar(3) DEFAULT 'abcd')", "does not fit"},
	{"CREATE TABLE t (a date DEFAULT 'x')", "does not fit"},
	{"CREATE TABLE t (a bit(2) DEFAULT 9)", "does not fit"},
	{"CREATE TABLE t (a varchar(99999))", "longer than a row"},
	{"CREATE TABLE t (a char(256))", "255"},
	{"CREATE TABLE t (a decimal(70,2))", "not possible"},
	{"CREATE TABLE t (a decimal(3,5))", "not possible"},
	{"CREATE TABLE t (a datetime(7))", "6 digits"},
	{"CREATE TABLE t (a varchar)", "needs a length"},
	{"CREATE TABLE t (a varchar(9) CHARACTER SET nope)", "no character set"},
	{"CREATE TABLE t (a varchar(9) COLLATE nope_ci)", "no collation"},
	{"CREATE TABLE t (a varchar(9) CHARACTER SET latin1 COLLATE utf8mb4_bin)", "is none of"},
	{"CREATE TABLE t (a int) CHARSET latin1 COLLATE utf8mb4_bin", "is none of"},
	{"CREATE TABLE t (a varchar(5), KEY (a(9)))", "leave the length away"},
	{"CREATE TABLE t (a int, KEY (a(3)))", "leave the length away"},
	{"CREATE TABLE t (a varchar(900) PRIMARY KEY)", "3072"},
	{"CREATE TABLE t (a text PRIMARY KEY)", "without a length"},
	{"CREATE TABLE t (a int AS (b + 1), b int AS (a + 1))", "stands behind"},
	{"CREATE TABLE t (a int AS (zz + 1))", "column zz"},
	{"CREATE TABLE t (a int, CHECK (zz > 1))", "column zz"},
	{"CREATE TABLE t (a int DEFAULT (zz + 1))", "column zz"},
	{"CREATE TABLE t (a int AS (1) DEFAULT 2)", "generated"},
	{"CREATE TABLE t (a int, CONSTRAINT c CHECK (a > 1), CONSTRAINT c CHECK (a > 2))", "check c already"},
	{"CREATE TABLE t (a int ON UPDATE now())", "ON UPDATE"},
	{"CREATE TABLE t (a int INVISIBLE)", "invisible"},
	{"CREATE TABLE t (a int) PARTITION BY HASH (b)", "column b"},
	{"CREATE TABLE t (a int); CREATE TABLE t (b int)", "there already"},
	{"CREATE TABLE t (a int); ALTER TABLE t DROP COLUMN b", "no column b"},
	{"CREATE TABLE t (a int); ALTER TABLE t DROP COLUMN a", "no column of table t is left"},
	{"CREATE TABLE t (a int); ALTER TABLE t ADD COLUMN a int", "column a already"},
	{"CREATE TABLE t (a int); ALTER TABLE t ADD COLUMN b int AFTER zz", "no column zz"},
	{"CREATE TABLE t (a int); ALTER TABLE t MODIFY b int", "no column b"},
	{"CREATE TABLE t (a int); ALTER TABLE t DROP KEY k", "no key k"},
	{"CREATE TABLE t (a int); ALTER TABLE t DROP PRIMARY KEY", "no primary key"},
	{"CREATE TABLE t (a int); ALTER TABLE t DROP FOREIGN KEY f", "no foreign key f"},
	{"CREATE TABLE t (a int); ALTER TABLE t DROP CONSTRAINT f", "no constraint f"},
	{"CREATE TABLE t (a int); ALTER TABLE t RENAME COLUMN b TO c", "no column b"},
	{"CREATE TABLE t (a int, b int); ALTER TABLE t RENAME COLUMN b TO a", "two columns"},
	{"CREATE TABLE t (a int); ALTER TABLE t RENAME INDEX b TO c", "no key b"},
	{"CREATE TABLE t (a int, KEY (a), KEY b (a)); ALTER TABLE t RENAME INDEX b TO a", "key a already"},
	{"CREATE TABLE t (a int); ALTER TABLE t ALTER b SET DEFAULT 1", "no column b"},
	{"CREATE TABLE t (a int, b int AS (a + 1)); ALTER TABLE t DROP COLUMN a", "column a"},
	{"CREATE TABLE t (a int, b int, CHECK (a < b)); ALTER TABLE t DROP COLUMN a", "column a"},
	{"CREATE TABLE t (a int, b int, UNIQUE (a,b)); ALTER TABLE t DROP COLUMN a", "unique key"},
	{"CREATE TABLE t (a int AUTO_INCREMENT KEY); ALTER TABLE t DROP PRIMARY KEY", "no key begins"},
	{"CREATE TABLE t (a int AS (1) VIRTUAL, b int); ALTER TABLE t MODIFY a int", "cannot become"},
	{"CREATE TABLE t (a int, b int AS (1) STORED); ALTER TABLE t MODIFY b int AS (1) VIRTUAL", "cannot become"},
	{"CREATE TABLE t (a int); RENAME TABLE t TO u; DROP TABLE t", "not there"},
	{"CREATE TABLE t (a int); CREATE TABLE u (a int); RENAME TABLE t TO u", "there already"},
	{"CREATE TABLE t (a int); CREATE INDEX i ON t (b)", "column b"},
	{"CREATE TABLE t (a int); DROP INDEX i ON t", "no key i"},
	{"CREATE TABLE t (a int) PARTITION BY RANGE (a) (PARTITION p0 VALUES LESS THAN (1)); ALTER TABLE t DROP PARTITION p1", "no partition p1"},
	{"CREATE TABLE t (a int); ALTER TABLE t DROP PARTITION p1", "not partitioned"},
	{"CREATE TABLE p (a int); CREATE TABLE t (b int, FOREIGN KEY (b) REFERENCES p (a))", "no key begins"},
	{"CREATE TABLE p (a bigint PRIMARY KEY); CREATE TABLE t (b int, FOREIGN KEY (b) REFERENCES p (a))", "make the types the same"},
	{"CREATE TABLE p (a int unsigned PRIMARY KEY); CREATE TABLE t (b int, FOREIGN KEY (b) REFERENCES p (a))", "make the types the same"},
	{"CREATE TABLE p (a varchar(9) PRIMARY KEY); CREATE TABLE t (b varchar(9) CHARACTER SET latin1, FOREIGN KEY (b) REFERENCES p (a))", "make the types the same"},
	{"CREATE TABLE p (a int PRIMARY KEY); CREATE TABLE t (b int NOT NULL, FOREIGN KEY (b) REFERENCES p (a) ON DELETE SET NULL)", "NOT NULL"},
	{"CREATE TABLE t (b int, FOREIGN KEY (b) REFERENCES p (a))", "not there"},
	{"CREATE TABLE p (a int PRIMARY KEY); CREATE TABLE t (b int, FOREIGN KEY (b) REFERENCES p (zz))", "column zz"},
	{"CREATE TABLE p (a int PRIMARY KEY); CREATE TABLE t (b int, FOREIGN KEY (c) REFERENCES p (a))", "column c"},
	{"CREATE TABLE p (a int PRIMARY KEY); CREATE TABLE t (b int, FOREIGN KEY (b) REFERENCES p (a, a))", "as many"},
	{"CREATE TABLE p (a int PRIMARY KEY); CREATE TABLE t (b int, FOREIGN KEY (b) REFERENCES p (a)); DROP TABLE p", "cannot go"},
	{"CREATE TABLE p (a int PRIMARY KEY); CREATE TABLE t (b int, c int, FOREIGN KEY (b) REFERENCES p (a)); ALTER TABLE t DROP KEY b", "needs a key"},
	{"CREATE TABLE p (a int PRIMARY KEY); CREATE TABLE t (b int, c int, FOREIGN KEY (b) REFERENCES p (a)); ALTER TABLE p DROP PRIMARY KEY", "needs a key"},
	{"CREATE TABLE p (a int PRIMARY KEY); CREATE TABLE t (b int, c int, FOREIGN KEY (b) REFERENCES p (a)); ALTER TABLE t DROP COLUMN b", "cannot go"},
	{"CREATE TABLE p (a int PRIMARY KEY); CREATE TABLE t (b int, c int, FOREIGN KEY (b) REFERENCES p (a)); ALTER TABLE t MODIFY b bigint", "cannot become"},
	{"CREATE TABLE p (a int PRIMARY KEY); CREATE TABLE t (b int, c int, FOREIGN KEY (b) REFERENCES p (a)); ALTER TABLE p MODIFY a bigint", "cannot become"},
	{"CREATE TABLE p (a varchar(9) PRIMARY KEY) CHARSET latin1; CREATE TABLE t (b varchar(9), FOREIGN KEY (b) REFERENCES p (a)) CHARSET latin1; ALTER TABLE t CONVERT TO CHARACTER SET utf8mb4", "cannot be converted"},
}

// TestRefusalsOnServer wants the last statement refused on both sides, with a place, and those before it on neither.
func TestRefusalsOnServer(t *testing.T) { wantRefused(t, refusals) }

func wantRefused(t *testing.T, list []struct{ text, want string }) {
	t.Helper()
	sv, db := mysqltest.Server(t), mysqltest.Connect(t)
	for _, r := range list {
		clean(t, db)
		list := statements(t, sv, r.text)
		c := read(t, sv, "")
		for i, s := range list {
			_, here := c.Apply(s)
			_, there := db.Exec(s.SQL)
			switch {
			case i < len(list)-1 && (here != nil || there != nil):
				t.Errorf("%s\n%s is refused: here %v, there %v", r.text, s.SQL, here, there)
			case i < len(list)-1:
			case there == nil:
				t.Errorf("%s\nthe server takes it", r.text)
			case here == nil || !strings.Contains(here.Error(), r.want) || !strings.HasPrefix(here.Error(), "schema.sql:1:"):
				t.Errorf("%s\nhere %v; the server %v", r.text, here, there)
			}
		}
	}
}
