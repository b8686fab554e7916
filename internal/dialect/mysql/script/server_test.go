package script_test

import (
	"strings"
	"testing"

	"github.com/altergate/altergate/internal/dialect/mysql/mysqltest"
	"github.com/altergate/altergate/internal/dialect/mysql/script"
	"github.com/altergate/altergate/internal/source"
)

// onServer are statements on which this package and a MariaDB server have to agree: either both read them, or neither does. Each is run in
// a database that has what stands in before.
const before = "CREATE TABLE p (id int PRIMARY KEY, a int, b int); CREATE SEQUENCE s1; CREATE TABLE w (id int, a int, b int, KEY i (a), KEY j (b)); CREATE TABLE v1 (a int) WITH SYSTEM VERSIONING"

var onServer = []string{
	"CREATE OR REPLACE TABLE x (a int)",
	"CREATE TABLE x (a INET4, b INET6 DEFAULT '::1', c UUID DEFAULT uuid(), d int INVISIBLE DEFAULT 5, e varchar(100) COMPRESSED, f text DEFAULT 'x', g int DEFAULT (1 + 2), h int DEFAULT length('abc'))",
	"CREATE TABLE x (a int DEFAULT 1 + 2)",
	"CREATE TABLE x (a int DEFAULT CASE WHEN 1 THEN 2 END)",
	"CREATE TABLE x (a int, b int PERSISTENT AS (a))",
	"CREATE TABLE x (a int, b int AS (a + 1) PERSISTENT, c int GENERATED ALWAYS AS (a) VIRTUAL)",
	"CREATE TABLE x (a int, b int WITHOUT SYSTEM VERSIONING, s TIMESTAMP(6) GENERATED ALWAYS AS ROW START, e TIMESTAMP(6) GENERATED ALWAYS AS ROW END INVISIBLE, PERIOD FOR SYSTEM_TIME (s, e)) WITH SYSTEM VERSIONING",
	"CREATE TABLE x (PERIOD FOR p (s, e), s date, e date, k int, UNIQUE (k, p WITHOUT OVERLAPS))",
	"CREATE TABLE x (a int) WITH SYSTEM VERSIONING PARTITION BY SYSTEM_TIME INTERVAL 1 MONTH STARTS '2020-01-01 00:00:00' AUTO",
	"CREATE TABLE x (a int) WITH SYSTEM VERSIONING PARTITION BY SYSTEM_TIME LIMIT 1000 (PARTITION p0 HISTORY, PARTITION p1 CURRENT)",
	"CREATE TABLE x (a int, KEY k (a) IGNORED, KEY l (a) NOT IGNORED) PAGE_COMPRESSED=1, COMMENT='x', STATS_PERSISTENT=1 PACK_KEYS=0",
	"CREATE TABLE x (a int) ENGINE=Aria ROW_FORMAT=PAGE TRANSACTIONAL=0, PAGE_CHECKSUM=1",
	"CREATE TABLE x (a int CHECK (a > 1), CONSTRAINT c CHECK (a < 5), CHECK (a <> 3), b int DEFAULT (a + 1) COMMENT 'x' CHECK (b > 0))",
	"CREATE TABLE x (a int PRIMARY KEY DEFAULT NEXT VALUE FOR s1, b int DEFAULT nextval(s1), c int DEFAULT (NEXT VALUE FOR s1))",
	"CREATE TABLE x (a geometry REF_SYSTEM_ID=4326, b point NOT NULL, c multipolygon, SPATIAL INDEX (b))",
	"CREATE TABLE x (a NATIONAL CHAR(5), b NCHAR(5), c NVARCHAR(5), d NCHAR VARYING(5), e char(5) ASCII, f char(5) UNICODE, g char BYTE, h text CHARSET ucs2 COLLATE ucs2_bin, i SERIAL)",
	"CREATE TABLE x (a int, CONSTRAINT f FOREIGN KEY k (a) REFERENCES p (id), FOREIGN KEY l (a) REFERENCES p (id) ON DELETE CASCADE, CONSTRAINT u UNIQUE KEY m USING BTREE (a))",
	"CREATE TABLE x (a int,)",
	"CREATE TABLE x (\"a\" int)",
	"CREATE TABLE x (a int b int)",
	"CREATE TABLE groups (window int, `a` int, rank int, row int, KEY lead (row), CHECK (rank > 0))",
	"CREATE TABLE x (a int) COLLATE utf8mb4_uca1400_ai_ci",
	"CREATE TABLE x LIKE p",
	"CREATE TABLE x (a int) PARTITION BY RANGE (a) SUBPARTITION BY HASH (a) SUBPARTITIONS 2 (PARTITION p0 VALUES LESS THAN (10), PARTITION p1 VALUES LESS THAN MAXVALUE)",
	"ALTER TABLE w ADD COLUMN IF NOT EXISTS c int, ADD INDEX IF NOT EXISTS k (a), DROP COLUMN IF EXISTS zz, MODIFY COLUMN IF EXISTS zz int, DROP INDEX IF EXISTS zz, DROP FOREIGN KEY IF EXISTS zz, DROP CONSTRAINT IF EXISTS zz, RENAME COLUMN IF EXISTS zz TO l, RENAME INDEX IF EXISTS zz TO n",
	"ALTER TABLE IF EXISTS w NOWAIT ADD c int",
	"ALTER ONLINE TABLE w ADD c int, ALGORITHM=NOCOPY, LOCK=NONE",
	"ALTER TABLE w ADD SYSTEM VERSIONING",
	"CREATE TABLE x (a int CHECK (a > 1) NOT ENFORCED)",
	"CREATE TABLE x (a int, CHECK (a > 1) ENFORCED)",
	"CREATE TABLE x (a int, b varchar(9), KEY k ((a + 1)), KEY (b(2)))",
	"CREATE TABLE x (a int, b varchar(9), KEY k (a, b(2) DESC))",
	"CREATE TABLE x (a point SRID 4326)",
	"CREATE TABLE x (a int ENGINE_ATTRIBUTE '{}')",
	"CREATE TABLE x (a int, KEY (a) INVISIBLE)",
	"CREATE TABLE x (a int VISIBLE)",
	"CREATE TABLE x (a int) START TRANSACTION",
	"CREATE INDEX x ON w (a) INVISIBLE",
	"CREATE VIEW x AS SELECT a->'$.x' FROM w",
	"ALTER TABLE w ALTER INDEX i INVISIBLE",
	"ALTER TABLE w DROP CHECK c",
	"ALTER TABLE w ALTER COLUMN a SET INVISIBLE",
	"ALTER TABLE v1 DROP SYSTEM VERSIONING",
	"ALTER TABLE w ALTER INDEX i IGNORED, ALTER KEY j NOT IGNORED",
	"ALTER TABLE w PAGE_COMPRESSED=1, ADD c int, COMMENT='x' PAGE_COMPRESSION_LEVEL=5",
	"ALTER TABLE w ADD COLUMN c INET6 NOT NULL DEFAULT '::' AFTER a, ADD (x INET4, y int DEFAULT (1 + 1)), ALTER b SET DEFAULT (uuid()), ALTER a SET DEFAULT 5",
	"ALTER TABLE w PARTITION BY RANGE (a) (PARTITION q VALUES LESS THAN (1)), COMMENT 'x'",
	"CREATE SEQUENCE x START WITH 5 INCREMENT BY 2 MINVALUE 1 MAXVALUE 100 CACHE 10 CYCLE ENGINE=InnoDB",
	"CREATE OR REPLACE SEQUENCE x NOCACHE NOMAXVALUE NO MINVALUE NOCYCLE INCREMENT -1",
	"CREATE SEQUENCE x STOP 5",
	"ALTER SEQUENCE IF EXISTS s1 RESTART 50 MAXVALUE=1000",
	"DROP SEQUENCE IF EXISTS s1, s2",
	"DROP TABLE IF EXISTS x WAIT 5",
	"TRUNCATE TABLE w WAIT 3",
	"RENAME TABLE IF EXISTS w WAIT 5 TO w2, p TO p2",
	"RENAME TABLES w TO w2",
	"CREATE OR REPLACE INDEX i ON w (a)",
	"CREATE UNIQUE INDEX IF NOT EXISTS x ON w (a) WAIT 5 IGNORED",
	"CREATE INDEX x ON w (a) IGNORED WAIT 5",
	"DROP INDEX IF EXISTS i ON w NOWAIT",
	"CREATE VIEW IF NOT EXISTS x AS SELECT a FROM w WITH CHECK OPTION",
	"CREATE VIEW x AS SELECT * FROM v1 FOR SYSTEM_TIME ALL",
	"CREATE VIEW x AS SELECT a FROM JSON_TABLE('[1]', '$[*]' COLUMNS (a int PATH '$')) AS j",
	"CREATE OR REPLACE DEFINER=root@localhost TRIGGER x BEFORE INSERT ON w FOR EACH ROW SET NEW.a = 1",
	"CREATE TRIGGER x BEFORE SELECT ON w FOR EACH ROW SET NEW.a = 1",
	"CREATE TRIGGER x BEFORE INSERT ON w FOR EACH ROW",
	"CREATE DEFINER=root@127.0.0.1 PROCEDURE x(IN a INT, OUT b varchar(5)) COMMENT 'x' READS SQL DATA SQL SECURITY INVOKER BEGIN END",
	"CREATE FUNCTION x(a int) RETURNS int unsigned DETERMINISTIC RETURN a",
	"CREATE FUNCTION x(a int) DETERMINISTIC RETURN a",
	"CREATE AGGREGATE FUNCTION IF NOT EXISTS x(x INT) RETURNS INT BEGIN DECLARE s INT DEFAULT 0; DECLARE CONTINUE HANDLER FOR NOT FOUND RETURN s; LOOP FETCH GROUP NEXT ROW; SET s = s + x; END LOOP; END",
	"CREATE OR REPLACE EVENT x ON SCHEDULE EVERY 1 DAY STARTS '2024-01-01' ON COMPLETION PRESERVE DISABLE COMMENT 'x' DO DELETE FROM w",
	"CREATE EVENT x ON SCHEDULE EVERY 1 DAY DELETE FROM w",
}

// TestMariaDBReadsTheSame runs each statement on a server: what that cannot parse has to be an error here, and what it can must not.
func TestMariaDBReadsTheSame(t *testing.T) {
	sv := mysqltest.Server(t)
	for _, sql := range onServer {
		db := mysqltest.Connect(t)
		if _, err := db.Exec(before); err != nil {
			t.Fatal(err)
		}
		_, refused := db.Exec(sql)
		s, errs := script.Split(&source.File{Path: "a.sql", Text: sql}, sv)
		errs = append(errs, script.Parse(s.Statements, sv, nil)...)
		syntax := refused != nil && strings.Contains(refused.Error(), "1064")
		// NOWAIT ends at once where the server itself holds the table, as it does now and then after CREATE. It has been read by then.
		waited := refused != nil && strings.Contains(refused.Error(), "1205") && strings.Contains(sql, "NOWAIT")
		if refused != nil && !syntax && !waited {
			t.Errorf("%s: the server says %v, which says nothing of how it reads it", sql, refused)
		}
		if syntax != (len(errs) > 0) {
			t.Errorf("%s: the server says %v, and here it is %v", sql, refused, errs)
		}
	}
}

// TestMariaDBRunsTheSameComments compares which code comments are code.
func TestMariaDBRunsTheSameComments(t *testing.T) {
	sv := mysqltest.Server(t)
	db := mysqltest.Connect(t)
	for _, opening := range []string{"/*!", "/*!50699", "/*!50700", "/*!80016", "/*!99999", "/*!100000", "/*!100100", "/*!101199", "/*!999999", "/*!050600", "/*M!", "/*M!50701", "/*M!80016", "/*M!100300", "/*M!999999"} {
		var ran bool
		if err := db.QueryRow("SELECT 0 " + opening + " + 1 */ > 0").Scan(&ran); err != nil {
			t.Fatal(err)
		}
		s, _ := script.Split(&source.File{Path: "a.sql", Text: opening + " DROP TABLE t */;"}, sv)
		if (len(s.Statements) == 1) != ran {
			t.Errorf("%s: the server runs it: %v, here there are %d statements", opening, ran, len(s.Statements))
		}
	}
}
