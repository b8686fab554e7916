package mysql_test

import (
	"context"
	"database/sql"
	"strings"
	"testing"

	"github.com/altergate/altergate/internal/dialect/mysql"
	"github.com/altergate/altergate/internal/dialect/mysql/mysqltest"
	"github.com/altergate/altergate/internal/source"
)

// start is the schema on which statements are tried.
const start = `
CREATE TABLE people (id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, mail varchar(100) NOT NULL, age int, city varchar(40), full_name varchar(90) AS (concat(mail, '!')) VIRTUAL,
  UNIQUE KEY by_mail (mail), KEY by_city (city), CONSTRAINT grown CHECK (age > 17));
CREATE TABLE pets (id bigint NOT NULL PRIMARY KEY, owner bigint, tag varchar(20), KEY by_owner (owner), CONSTRAINT pets_owner FOREIGN KEY (owner) REFERENCES people (id));
CREATE TABLE parted (id int NOT NULL, day date NOT NULL, PRIMARY KEY (id, day)) PARTITION BY RANGE (id) (PARTITION p0 VALUES LESS THAN (10), PARTITION p1 VALUES LESS THAN (20));
CREATE TABLE notes (id int, body text);
CREATE VIEW grown_ups AS SELECT id, mail FROM people WHERE age > 20;
CREATE TRIGGER stamp BEFORE INSERT ON notes FOR EACH ROW SET NEW.id = 1;
CREATE PROCEDURE tidy() DELETE FROM notes;
CREATE SEQUENCE counter;
`

// refused are statements that a server does not run on that schema.
var refused = []string{
	"ALTER TABLE nobody ADD COLUMN x int",
	"ALTER TABLE people ADD COLUMN mail int",
	"ALTER TABLE people ADD COLUMN (x int, mail int)",
	"ALTER TABLE people DROP COLUMN nothing",
	"ALTER TABLE people DROP COLUMN id",
	"ALTER TABLE people DROP COLUMN mail",
	"ALTER TABLE people MODIFY nothing int",
	"ALTER TABLE people CHANGE nothing x int",
	"ALTER TABLE people CHANGE mail city varchar(100)",
	"ALTER TABLE people RENAME COLUMN nothing TO x",
	"ALTER TABLE people RENAME COLUMN mail TO city",
	"ALTER TABLE people MODIFY id int NOT NULL",
	"ALTER TABLE people ADD COLUMN x int AFTER nothing",
	"ALTER TABLE people ALTER COLUMN nothing SET DEFAULT 3",
	"ALTER TABLE people ADD INDEX by_mail (mail)",
	"ALTER TABLE people ADD INDEX i (nothing)",
	"ALTER TABLE people DROP INDEX nothing",
	"ALTER TABLE people RENAME INDEX nothing TO x",
	"ALTER TABLE people RENAME INDEX by_mail TO by_city",
	"ALTER TABLE people ADD PRIMARY KEY (mail)",
	"ALTER TABLE people DROP PRIMARY KEY",
	"ALTER TABLE notes DROP PRIMARY KEY",
	"ALTER TABLE notes ADD PRIMARY KEY (body)",
	"ALTER TABLE pets DROP INDEX by_owner",
	"DROP INDEX by_owner ON pets",
	"DROP INDEX nothing ON pets",
	"DROP INDEX x ON nobody",
	"CREATE INDEX by_mail ON people (mail)",
	"CREATE INDEX i ON people (nothing)",
	"CREATE INDEX i ON nobody (id)",
	"ALTER TABLE pets DROP FOREIGN KEY nothing",
	"ALTER TABLE pets ADD CONSTRAINT pets_owner FOREIGN KEY (owner) REFERENCES people (id)",
	"ALTER TABLE pets ADD FOREIGN KEY (owner) REFERENCES nobody (id)",
	"ALTER TABLE pets ADD FOREIGN KEY (owner) REFERENCES people (nothing)",
	"ALTER TABLE pets ADD FOREIGN KEY (nothing) REFERENCES people (id)",
	"ALTER TABLE pets ADD FOREIGN KEY (tag) REFERENCES people (id)",
	"ALTER TABLE pets ADD FOREIGN KEY (owner) REFERENCES people (age)",
	"ALTER TABLE people DROP CONSTRAINT nothing",
	"ALTER TABLE people ADD CONSTRAINT grown CHECK (age < 200)",
	"ALTER TABLE people ADD CHECK (nothing > 1)",
	"ALTER TABLE people RENAME TO pets",
	"ALTER TABLE people RENAME TO grown_ups",
	"ALTER TABLE people ADD COLUMN x int AS (nothing + 1) STORED",
	"ALTER TABLE people ADD COLUMN number int AUTO_INCREMENT",
	"ALTER TABLE people CONVERT TO CHARACTER SET nothing",
	"ALTER TABLE people DEFAULT CHARACTER SET utf8mb4 COLLATE latin1_bin",
	"ALTER TABLE people ADD COLUMN x varchar(10) CHARACTER SET latin1 COLLATE utf8mb4_bin",
	"ALTER TABLE people ADD COLUMN x int DEFAULT 'many'",
	"ALTER TABLE people MODIFY age int NOT NULL DEFAULT NULL",
	"ALTER TABLE notes ADD COLUMN x varchar(70000)",
	"ALTER TABLE parted DROP PARTITION nothing",
	"ALTER TABLE notes DROP PARTITION p0",
	"ALTER TABLE parted ADD PARTITION (PARTITION p1 VALUES LESS THAN (30))",
	"ALTER TABLE parted ADD PARTITION (PARTITION p2 VALUES LESS THAN (15))",
	"ALTER TABLE parted DROP PRIMARY KEY, ADD PRIMARY KEY (day)",
	"ALTER TABLE parted ADD UNIQUE KEY (day)",
	"ALTER TABLE parted ADD FOREIGN KEY (id) REFERENCES notes (id)",
	"CREATE TABLE people (id int)",
	"CREATE TABLE grown_ups (id int)",
	"CREATE TABLE counter (id int)",
	"CREATE TABLE x (id int, id int)",
	"CREATE TABLE x (id int, PRIMARY KEY (nothing))",
	"CREATE TABLE x (id int PRIMARY KEY, n int AUTO_INCREMENT)",
	"CREATE TABLE x (id int PRIMARY KEY, PRIMARY KEY (id))",
	"CREATE TABLE x (owner bigint, FOREIGN KEY (owner) REFERENCES nobody (id))",
	"CREATE TABLE x (owner int, FOREIGN KEY (owner) REFERENCES people (id))",
	"CREATE TABLE x (mail varchar(10) CHARACTER SET latin1, FOREIGN KEY (mail) REFERENCES people (mail))",
	"CREATE TABLE x LIKE nobody",
	"DROP TABLE nobody",
	"DROP TABLE people",
	"DROP TABLE notes, nobody",
	"DROP TABLE grown_ups",
	"RENAME TABLE nobody TO somebody",
	"RENAME TABLE notes TO pets",
	"RENAME TABLE notes TO x, notes TO y",
	"TRUNCATE TABLE nobody",
	"TRUNCATE TABLE people",
	"CREATE VIEW grown_ups AS SELECT 1",
	"CREATE VIEW people AS SELECT 1",
	"CREATE VIEW v AS SELECT id FROM nobody",
	"CREATE VIEW v AS SELECT nothing FROM people",
	"ALTER VIEW v AS SELECT 1",
	"DROP VIEW v",
	"DROP VIEW people",
	"CREATE TRIGGER stamp AFTER DELETE ON notes FOR EACH ROW SET @x = 1",
	"CREATE TRIGGER t BEFORE INSERT ON nobody FOR EACH ROW SET NEW.age = 20",
	"CREATE TRIGGER t BEFORE INSERT ON grown_ups FOR EACH ROW SET NEW.id = 20",
	"DROP TRIGGER nothing",
	"CREATE PROCEDURE tidy() DELETE FROM notes",
	"DROP PROCEDURE nothing",
	"ALTER PROCEDURE nothing COMMENT 'x'",
	"DROP FUNCTION nothing",
	"DROP EVENT nothing",
	"DROP SEQUENCE nothing",
	"CREATE SEQUENCE counter",
	"CREATE SEQUENCE people",
	"INSERT INTO nobody VALUES (1)",
	"INSERT INTO notes (id, nothing) VALUES (1, 2)",
	"INSERT INTO notes SELECT * FROM nobody",
	"INSERT INTO notes SELECT id, nothing FROM people",
	"INSERT INTO notes SELECT id FROM people",
	"INSERT INTO notes VALUES (1)",
	"INSERT INTO notes (id) VALUES (1, 2)",
	"REPLACE INTO nobody (id) VALUES (1)",
	"UPDATE nobody SET x = 1",
	"UPDATE notes SET nothing = 1",
	"UPDATE notes SET id = 1 WHERE nothing = 1",
	"UPDATE notes JOIN nobody ON notes.id = nobody.id SET notes.body = 'x'",
	"UPDATE notes n JOIN pets p ON n.id = p.id SET x.body = 'x'",
	"DELETE FROM nobody",
	"DELETE FROM notes WHERE nothing = 1",
	"DELETE x FROM notes JOIN pets ON notes.id = pets.id",
	"ALTER TABLE people ADD COLUMN x int, ADD COLUMN x int",
	"ALTER TABLE people DROP COLUMN age, DROP COLUMN age",
	"ALTER TABLE people RENAME COLUMN city TO town, DROP COLUMN city",
	"ALTER TABLE pets ADD COLUMN x int, RENAME TO notes",
	"ALTER TABLE people MODIFY mail varchar(100) NOT NULL FIRST, ADD KEY (nothing)",
}

// taken are statements that it does run, each on that schema as it was.
var taken = []string{
	"ALTER TABLE people ADD COLUMN mail2 int AFTER mail",
	"ALTER TABLE people RENAME COLUMN city TO town, RENAME INDEX by_city TO by_town",
	"ALTER TABLE people CHANGE city town varchar(60) NOT NULL DEFAULT '' FIRST",
	"ALTER TABLE people RENAME COLUMN city TO age, RENAME COLUMN age TO city",
	"ALTER TABLE notes CHANGE id body int, CHANGE body id text",
	"ALTER TABLE people DROP COLUMN city",
	"ALTER TABLE people DROP INDEX by_city, ADD INDEX by_city (city, age)",
	"ALTER TABLE people DROP CONSTRAINT grown, DROP COLUMN age",
	"ALTER TABLE pets DROP FOREIGN KEY pets_owner, DROP INDEX by_owner",
	"ALTER TABLE pets DROP FOREIGN KEY pets_owner, DROP COLUMN owner",
	"ALTER TABLE pets DROP INDEX by_owner, ADD INDEX by_both (owner, tag)",
	"ALTER TABLE pets DROP PRIMARY KEY, ADD PRIMARY KEY (id, tag)",
	"ALTER TABLE people DROP PRIMARY KEY, ADD PRIMARY KEY (id)",
	"ALTER TABLE people DROP COLUMN IF EXISTS nothing, ADD COLUMN IF NOT EXISTS mail int",
	"ALTER TABLE IF EXISTS nobody ADD COLUMN x int",
	"ALTER TABLE people CONVERT TO CHARACTER SET latin1",
	"ALTER TABLE parted REORGANIZE PARTITION p1 INTO (PARTITION p1 VALUES LESS THAN (15), PARTITION p2 VALUES LESS THAN MAXVALUE)",
	"ALTER TABLE parted REMOVE PARTITIONING",
	"ALTER TABLE parted DROP PARTITION p0",
	"ALTER TABLE parted TRUNCATE PARTITION p0",
	"ALTER TABLE notes ADD COLUMN id2 serial",
	"ALTER TABLE notes ADD PRIMARY KEY (id)",
	"CREATE TABLE IF NOT EXISTS people (id int)",
	"CREATE TABLE x LIKE people",
	"CREATE OR REPLACE TABLE notes (id int)",
	"DROP TABLE IF EXISTS nobody, notes",
	"DROP TABLE pets, people",
	"RENAME TABLE notes TO x, pets TO notes, x TO pets",
	"RENAME TABLE people TO persons",
	"TRUNCATE notes",
	"CREATE OR REPLACE VIEW grown_ups AS SELECT 1 AS one",
	"DROP VIEW IF EXISTS nothing",
	"CREATE OR REPLACE PROCEDURE tidy() SELECT 1",
	"DROP TRIGGER IF EXISTS nothing",
	"DROP SEQUENCE IF EXISTS nothing",
	"CREATE SEQUENCE IF NOT EXISTS counter",
	"INSERT INTO notes VALUES (1, 'x'), (2, 'y')",
	"INSERT INTO notes () VALUES ()",
	"INSERT INTO notes SET id = 3, body = 'x'",
	"INSERT INTO notes (id) SELECT id FROM people",
	"INSERT INTO notes SELECT 1, 'x' UNION SELECT 2, 'y'",
	"INSERT INTO grown_ups (mail) VALUES ('x')",
	"INSERT INTO notes (id, body) SELECT p.id, p.mail FROM people p JOIN pets ON pets.owner = p.id WHERE p.age > 3 ON DUPLICATE KEY UPDATE body = 'x'",
	"UPDATE people p, pets q SET p.age = 30, q.tag = 'x' WHERE p.id = q.owner",
	"UPDATE people p LEFT JOIN (SELECT owner, count(*) n FROM pets GROUP BY owner) x ON x.owner = p.id SET age = 20 + x.n",
	"UPDATE notes SET body = (SELECT max(mail) FROM people) WHERE id IN (SELECT id FROM pets) ORDER BY id LIMIT 3",
	"DELETE p FROM pets p LEFT JOIN people o ON o.id = p.owner WHERE o.id IS NULL",
	"DELETE FROM pets USING pets INNER JOIN people ON people.id = pets.owner",
	"DELETE FROM notes WHERE 1 = 1 LIMIT 1",
	"LOCK TABLES notes WRITE", "UNLOCK TABLES", "START TRANSACTION", "COMMIT", "SET @x = 3", "SELECT 1", "SHOW TABLES", "ANALYZE TABLE notes",
	"CREATE TEMPORARY TABLE t (id int)",
	"DO sleep(0)",
	"CALL tidy()",
	"BEGIN NOT ATOMIC DECLARE n int DEFAULT 0; SET n = 1; IF n > 1 THEN DELETE FROM notes; END IF; END",
	"IF (SELECT count(*) FROM notes) > 3 THEN DELETE FROM notes; END IF",
	"SET STATEMENT max_statement_time = 100 FOR ALTER TABLE notes ADD COLUMN x int",
	"WITH x AS (SELECT id FROM people) SELECT * FROM x",
	"INSERT INTO notes (id) WITH x AS (SELECT id FROM people) SELECT id FROM x",
}

// TestAfterRefusesWhatTheServerRefuses runs each statement on both, on a schema of its own.
func TestAfterRefusesWhatTheServerRefuses(t *testing.T) {
	ctx, d := context.Background(), mariaDB()
	begun, err := d.Read(ctx, []*source.File{{Path: "start.sql", Text: start}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	db := mysqltest.Connect(t)
	stands := false // the schema stands on the server as it should
	try := func(sql string, want bool) {
		if !stands {
			restart(t, db)
		}
		_, err := db.Exec(sql)
		if (err == nil) != want {
			t.Errorf("%s\nthe server says %v", sql, err)
		}
		stands = err != nil && !strings.HasPrefix(sql, "DROP TABLE") // of several, those that are there go
		if _, err := after(d, begun, sql); (err == nil) != want {
			t.Errorf("%s\nAfter says %v", sql, err)
		} else if err != nil && !strings.HasPrefix(err.Error(), "m.sql:1:") {
			t.Errorf("%s\nthe error has no place: %v", sql, err)
		}
	}
	for _, sql := range refused {
		try(sql, false)
	}
	for _, sql := range taken {
		try(sql, true)
	}
}

// restart makes the schema that statements are tried on in a database that may hold anything.
func restart(t *testing.T, db *sql.DB) {
	t.Helper()
	names, err := db.Query("SELECT CONCAT('DROP ', IF(table_type IN ('VIEW', 'SEQUENCE'), table_type, 'TABLE'), ' IF EXISTS `', table_name, '`') FROM information_schema.tables WHERE table_schema = DATABASE()" +
		" UNION ALL SELECT CONCAT('DROP PROCEDURE ', routine_name) FROM information_schema.routines WHERE routine_schema = DATABASE()")
	if err != nil {
		t.Fatal(err)
	}
	reset := "UNLOCK TABLES; ROLLBACK; SET foreign_key_checks = 0;"
	for names.Next() {
		var drop string
		if err := names.Scan(&drop); err != nil {
			t.Fatal(err)
		}
		reset += drop + ";"
	}
	if err := names.Err(); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(reset + "SET foreign_key_checks = 1;" + start); err != nil {
		t.Fatal(err)
	}
}

// after runs the statements of a text in a session of their own.
func after(d mysql.Dialect, l *mysql.Loaded, sql string) (*mysql.Loaded, error) {
	list, err := d.Cut(&source.File{Path: "m.sql", Text: sql})
	if err != nil {
		return nil, err
	}
	if l, err = d.Begin(l); err != nil {
		return nil, err
	}
	for _, st := range list {
		if l, _, err = d.After(context.Background(), l, st); err != nil {
			return nil, err
		}
	}
	return l, nil
}
