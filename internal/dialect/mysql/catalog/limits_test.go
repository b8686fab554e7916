package catalog_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/altergate/altergate/internal/dialect/mysql/mysqltest"
)

// keys writes so many keys of a column.
func keys(n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("KEY k%d (a)", i)
	}
	return strings.Join(list, ", ")
}

// limits are scripts whose last statement MariaDB refuses in its own sql_mode, for what a table, a name or a value cannot be.
var limits = []struct{ text, want string }{
	{"CREATE TABLE t (a int COMMENT '" + strings.Repeat("é", 1025) + "')", "1024 are the most"},
	{"CREATE TABLE t (a int) COMMENT '" + strings.Repeat("x", 2049) + "'", "2048 are the most"},
	{"CREATE TABLE t (a int, KEY k (a) COMMENT '" + strings.Repeat("x", 1025) + "')", "1024 are the most"},
	{"CREATE TABLE t (a int); ALTER TABLE t COMMENT '" + strings.Repeat("x", 2049) + "'", "2048 are the most"},
	{"CREATE TABLE t (a int, " + keys(65) + ")", "more than 64 keys"},
	{"CREATE TABLE t (a int PRIMARY KEY, " + keys(64) + ")", "more than 64 keys"},
	{"CREATE TABLE t (a int, " + keys(64) + "); CREATE INDEX more ON t (a)", "more than 64 keys"},

	{"CREATE TABLE t (a varchar(9000), b varchar(9000))", "bytes long"},
	{"CREATE TABLE t (a varchar(16000), b varchar(383))", "bytes long"},
	{"CREATE TABLE t (a varchar(9000), b varchar(9000) AS (a) VIRTUAL)", "bytes long"},
	{"CREATE TABLE t (a varchar(9000)); ALTER TABLE t ADD b varchar(9000)", "bytes long"},
	{"CREATE TABLE t (a varchar(40000), b varchar(30000)) CHARSET latin1 ENGINE=MyISAM", "bytes long"},

	{"CREATE TABLE t (a int, b int, UNIQUE (b)) PARTITION BY HASH (a)", "has to"},
	{"CREATE TABLE t (a int, b int, UNIQUE (b)) PARTITION BY HASH (a + b)", "has to"},
	{"CREATE TABLE t (a date, b int, PRIMARY KEY (b)) PARTITION BY RANGE (year(a)) (PARTITION p VALUES LESS THAN MAXVALUE)", "has to"},
	{"CREATE TABLE t (a int, b int, UNIQUE (a)) PARTITION BY LIST COLUMNS (b) (PARTITION p VALUES IN (1))", "has to"},
	{"CREATE TABLE t (a int, b int, UNIQUE (b)) PARTITION BY RANGE (b) SUBPARTITION BY HASH (a) SUBPARTITIONS 2 (PARTITION p VALUES LESS THAN MAXVALUE)", "has to"},
	{"CREATE TABLE t (a varchar(9), UNIQUE (a(3))) PARTITION BY KEY (a)", "has to"},
	{"CREATE TABLE t (a int, b int, PRIMARY KEY (a), UNIQUE (b)) PARTITION BY KEY ()", "has to"},
	{"CREATE TABLE t (a int NOT NULL, b int NOT NULL, UNIQUE (a), UNIQUE (b)) PARTITION BY KEY ()", "has to"},
	{"CREATE TABLE t (a int, b int) PARTITION BY HASH (a); ALTER TABLE t ADD UNIQUE (b)", "has to"},
	{"CREATE TABLE t (a int, b int) PARTITION BY HASH (1 + 1)", "names no column"},

	{"CREATE TABLE `t ` (a int)", "ends in a blank"},
	{"CREATE TABLE `t\t` (a int)", "ends in a blank"},
	{"CREATE TABLE t (`a ` int)", "ends in a blank"},
	{"CREATE TABLE t (`` int)", "is empty"},
	{"CREATE TABLE t (a int, KEY `k ` (a))", "ends in a blank"},
	{"CREATE TABLE p (a int PRIMARY KEY); CREATE TABLE t (a int, CONSTRAINT `c ` FOREIGN KEY (a) REFERENCES p (a))", "ends in a blank"},
	{"CREATE TABLE t (a int) PARTITION BY RANGE (a) (PARTITION `p ` VALUES LESS THAN (1))", "ends in a blank"},
	{"CREATE VIEW `v ` AS SELECT 1 AS a", "ends in a blank"},
	{"CREATE TABLE t (a int); CREATE TRIGGER `g ` BEFORE INSERT ON t FOR EACH ROW SET @a = 1", "ends in a blank"},
	{"CREATE PROCEDURE `p ` () SELECT 1", "ends in a blank"},
	{"CREATE FUNCTION `f ` () RETURNS int RETURN 1", "ends in a blank"},
	{"CREATE EVENT `e ` ON SCHEDULE EVERY 1 DAY DO SELECT 1", "ends in a blank"},
	{"CREATE DATABASE `d `", "ends in a blank"},
	{"CREATE SEQUENCE `s `", "ends in a blank"},
	{"CREATE TABLE t (a int); RENAME TABLE t TO `u `", "ends in a blank"},
	{"CREATE TABLE t (a int); ALTER TABLE t RENAME TO `u `", "ends in a blank"},
	{"CREATE TABLE t (a int); ALTER TABLE t RENAME COLUMN a TO `b `", "ends in a blank"},
	{"CREATE TABLE t (a int); ALTER TABLE t CHANGE a `b ` int", "ends in a blank"},
	{"CREATE TABLE t (a int, KEY k (a)); ALTER TABLE t RENAME KEY k TO `l `", "ends in a blank"},
	{"CREATE TABLE t (a int); CREATE INDEX `i ` ON t (a)", "ends in a blank"},

	{"CREATE TABLE t (a int NOT NULL, UNIQUE k (a) IGNORED)", "primary key"},
	{"CREATE TABLE t (a int, PRIMARY KEY (a) IGNORED)", "primary key"},
	{"CREATE TABLE t (a int NOT NULL, b int NOT NULL, UNIQUE j (a) IGNORED, UNIQUE k (b))", "primary key"},
	{"CREATE TABLE t (a int NOT NULL, b int, UNIQUE j (b), UNIQUE k (a) IGNORED)", "primary key"},
	{"CREATE TABLE t (a int NOT NULL, UNIQUE k (a)); ALTER TABLE t ALTER KEY k IGNORED", "primary key"},
	{"CREATE TABLE t (a int NOT NULL, b int PRIMARY KEY, UNIQUE k (a) IGNORED); ALTER TABLE t DROP PRIMARY KEY", "primary key"},

	{"CREATE TABLE t (a enum('1','0') DEFAULT 0)", "does not fit"},
	{"CREATE TABLE t (a enum('a','b') DEFAULT 1)", "does not fit"},
	{"CREATE TABLE t (a enum('a'))  ; ALTER TABLE t ALTER a SET DEFAULT 'b'", "does not fit"},
	{"CREATE TABLE t (a varchar(9) DEFAULT 'я') CHARSET latin1", "cannot hold"},
	{"CREATE TABLE t (a text DEFAULT ('é')) CHARSET ascii", "cannot hold"},
	{"CREATE TABLE t (a varchar(9) DEFAULT '😀') CHARSET utf8mb3", "cannot hold"},
	{"CREATE TABLE t (a varchar(9) DEFAULT 'é') CHARSET cp1251", "cannot hold"},
	{"CREATE TABLE t (a enum('я') DEFAULT 'я') CHARSET latin1", "cannot hold"},
	{"CREATE TABLE t (a varchar(9) DEFAULT 'я'); ALTER TABLE t CONVERT TO CHARACTER SET latin1", "does not hold"},
}

// moments are literals that no column of the type takes.
var moments = map[string][]string{
	"date": {"'2020-02-32'", "'2021-02-29'", "'2020-13-01'", "'2020-04-31'", "''", "20201301", "20200230", "'20200230'", "'101'", "1", "'2020-01'", "'2020-01-01x'", "-20200101"},
	"datetime": {"'2020-01-01 25:00:00'", "'2020-01-01 24:00:00'", "'2020-01-01 23:60:00'", "'2020-01-01 23:59:60'", "'2020-01-01 x'", "20200101251112", "'202001011011'", "'10000-01-01'",
		"1.5", "'2020-Jan-01'", "'20200101T251112'", "'2020-01-01T10:11:12Z'"},
	"timestamp NULL": {"'2039-01-01 00:00:00'", "'1960-01-01'", "'2020-02-30'", "'2020-00-01'", "'0000-00-00 10:00:00'", "''"},
	"time":           {"'839:00:00'", "'-839:00:00'", "'10:60:00'", "'10:00:60'", "'x'", "''", "8390000", "1060", "'34 23:00:00'", "'106012'", "'10:11:12:13'", "':10:11'", "'10:11:12pm'", "'2020-01-01 25:00:00'"},
}

// TestLimitsOnServer refuses what the server refuses of whole tables, of names and of defaults.
func TestLimitsOnServer(t *testing.T) {
	wantRefused(t, limits)
	var list []struct{ text, want string }
	for _, typ := range sortedKeys(moments) {
		for _, v := range moments[typ] {
			list = append(list, struct{ text, want string }{"CREATE TABLE t (a " + typ + " DEFAULT " + v + ")", "does not fit"})
		}
	}
	wantRefused(t, list)
}

// taken are statements just within the limits, which MariaDB takes: in its own sql_mode, or in that which stands before them.
var taken = []string{
	"CREATE TABLE t (a int COMMENT '" + strings.Repeat("é", 1024) + "', KEY k (a) COMMENT '" + strings.Repeat("x", 1024) + "') COMMENT '" + strings.Repeat("x", 2048) + "'",
	"SET sql_mode = ''; CREATE TABLE t (a int COMMENT '" + strings.Repeat("é", 1025) + "', KEY k (a) COMMENT '" + strings.Repeat("x", 1025) + "') COMMENT '" + strings.Repeat("x", 2049) + "'",
	"CREATE TABLE t (a int PRIMARY KEY, " + keys(63) + ")",
	"CREATE TABLE t (a varchar(16000), b varchar(382))",
	"CREATE TABLE t (a varchar(65000), b varchar(530)) CHARSET latin1",
	"CREATE TABLE t (a varchar(9000), b text, c varchar(7370), d json)",
	"CREATE TABLE t (a int, b int, KEY (b)) PARTITION BY HASH (a)",
	"CREATE TABLE t (a int, b int, PRIMARY KEY (a, b), UNIQUE (b, a)) PARTITION BY HASH (a)",
	"CREATE TABLE t (a int, b int, PRIMARY KEY (a), UNIQUE (a, b)) PARTITION BY KEY ()",
	"CREATE TABLE t (a int, b int AS (a + 1) STORED, UNIQUE (b)) PARTITION BY HASH (b)",
	"CREATE TABLE ` t` (` a` int, `b\u00a0` int, CONSTRAINT `c ` CHECK (` a` > 1))",
	"CREATE TABLE p (a int PRIMARY KEY); CREATE TABLE t (a int, KEY (a), CONSTRAINT `c ` FOREIGN KEY (a) REFERENCES p (a))",
	"CREATE TABLE t (a int, UNIQUE k (a) IGNORED)",
	"CREATE TABLE t (a int PRIMARY KEY, b int NOT NULL, UNIQUE k (b) IGNORED)",
	"CREATE TABLE t (a int NOT NULL, b int NOT NULL, UNIQUE j (a), UNIQUE k (b) IGNORED)",
	"CREATE TABLE t (a varchar(20) NOT NULL, UNIQUE k (a(5)) IGNORED)",
	"CREATE TABLE t (a text NOT NULL, UNIQUE k (a) IGNORED)",
	"CREATE TABLE t (a enum('1','0') DEFAULT '0', b enum('1') DEFAULT 1)",
	"CREATE TABLE t (a varchar(9) DEFAULT 'é€', b varchar(9) CHARACTER SET cp1251 DEFAULT '€ж', c varchar(9) CHARACTER SET sjis DEFAULT '日') CHARSET latin1",
	"SET sql_mode = ''; CREATE TABLE t (a date DEFAULT '2020-00-00', b date DEFAULT '0000-00-00', c datetime DEFAULT 0, d timestamp NULL DEFAULT 0)",
	"CREATE TABLE t (a date DEFAULT '2020-02-29', b date DEFAULT 101, c date DEFAULT '20.01.01', d date DEFAULT 20200101, e date DEFAULT '2020-1-1')",
	"CREATE TABLE t (a datetime DEFAULT 20200101101112, b datetime DEFAULT '2001011213', c datetime DEFAULT '2020/01/01 10-11-12', d datetime DEFAULT '2020-01-01 1', e datetime DEFAULT '20200101T101112')",
	"CREATE TABLE t (a timestamp NULL DEFAULT '1970-01-01 00:00:01', b timestamp NULL DEFAULT '2038-01-19 03:14:07')",
	"CREATE TABLE t (a time DEFAULT '838:59:59', b time DEFAULT '-838:59:59', c time DEFAULT '10:5', d time DEFAULT 8385959, e time DEFAULT 0)",
}

// TestTakenOnServer takes what the server takes, as the server shows it.
func TestTakenOnServer(t *testing.T) {
	sv, db := mysqltest.Server(t), mysqltest.Connect(t)
	for _, text := range taken {
		clean(t, db)
		same(t, sv, db, text)
		if _, err := db.Exec("SET sql_mode = DEFAULT"); err != nil {
			t.Fatal(err)
		}
	}
}

// TestInvalidDatesOnServer takes the 30th of February where sql_mode does.
func TestInvalidDatesOnServer(t *testing.T) {
	sv, db := mysqltest.Server(t), mysqltest.Connect(t)
	clean(t, db)
	const text = "SET sql_mode = 'ALLOW_INVALID_DATES'; CREATE TABLE t (a date DEFAULT '2020-02-30', b datetime DEFAULT '2021-02-29 10:00:00')"
	if _, err := db.Exec(text); err != nil {
		t.Error(err)
	}
	read(t, sv, text)
}

// rowTypes are types of one column each; what is between their bytes and a row's limit is filled up.
var rowTypes = []string{"tinyint", "smallint", "mediumint", "int", "bigint", "float", "double", "decimal(10,2)", "decimal(65,30)", "decimal(9,0)", "date", "time", "time(3)", "datetime",
	"datetime(6)", "timestamp", "timestamp(1)", "year", "enum('a')", "set('a','b','c','d','e','f','g','h','i')", "text", "tinytext", "mediumtext", "longtext", "json", "blob", "point",
	"char(10)", "binary(7)", "varbinary(10)", "varbinary(300)", "uuid", "inet6", "bit(16)"}

// TestRowSizeOnServer finds for each type how much else a row may hold, and wants the server to find the same.
func TestRowSizeOnServer(t *testing.T) {
	sv, db := mysqltest.Server(t), mysqltest.Connect(t)
	for _, typ := range rowTypes {
		most := 0
		text := func(n int) string {
			return fmt.Sprintf("CREATE TABLE t (x %s NOT NULL, a varchar(60000) NOT NULL, b varchar(%d) NOT NULL) CHARSET latin1", typ, n)
		}
		for n := 5531; n > 5000 && most == 0; n-- {
			if _, errs := run(t, sv, text(n)); len(errs) == 0 {
				most = n
			}
		}
		for n, fits := range map[int]bool{most: true, most + 1: false} {
			clean(t, db)
			if _, err := db.Exec(text(n)); (err == nil) != fits {
				t.Errorf("%s\nfits here: %v; the server: %v", text(n), fits, err)
			}
		}
	}
}

// TestMySQLLimits holds a table of MySQL to what its manual has of such limits, where MariaDB has others.
func TestMySQLLimits(t *testing.T) {
	sv := version(t, "mysql", "8.0")
	for text, want := range map[string]string{
		"CREATE TABLE t (a int PRIMARY KEY, " + keys(64) + ")":                                  "",
		"CREATE TABLE t (a int PRIMARY KEY, " + keys(65) + ")":                                  "more than 64 keys",
		"CREATE TABLE t (a int NOT NULL, UNIQUE k (a) INVISIBLE)":                               "INVISIBLE",
		"CREATE TABLE t (a int NOT NULL, b int NOT NULL, UNIQUE j (a), UNIQUE k (b) INVISIBLE)": "",
		"CREATE TABLE t (a int, b int, UNIQUE (b)) PARTITION BY HASH (a)":                       "has to",
		"CREATE TABLE t (a varchar(9000), b varchar(9000) AS (a) VIRTUAL)":                      "",
		"CREATE TABLE t (a datetime DEFAULT '2020-01-01 10:11:12+01:00')":                       "",
		"CREATE TABLE t (a datetime DEFAULT '2021-02-29')":                                      "does not fit",
	} {
		_, errs := run(t, sv, text)
		switch {
		case want == "" && len(errs) > 0:
			t.Errorf("%s\n%v", text, errs)
		case want != "" && (len(errs) == 0 || !strings.Contains(errs[0].Error(), want)):
			t.Errorf("%s\n%v, want %q", text, errs, want)
		}
	}
}
