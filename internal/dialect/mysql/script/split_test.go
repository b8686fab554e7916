package script

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/dialect/mysql/server"
	"github.com/altergate/altergate/internal/schema"
	"github.com/altergate/altergate/internal/source"
)

var (
	mysql80 = server.Server{Major: 8, Minor: 0, Patch: 0}
	mysql84 = server.Server{Major: 8, Minor: 4, Patch: 0}
	maria   = server.Server{MariaDB: true, Major: 10, Minor: 11, Patch: 0}
)

// splitCase is a text, and what Split makes of it: statements, then what is passed over, errors and notices with their places.
type splitCase struct {
	name, text string
	want       []string
	rest       []string
}

const block = "BEGIN IF a THEN SET x = CASE WHEN b THEN 1 ELSE 2 END; END IF; END"

var splitCases = []splitCase{
	{"nothing", "", nil, nil},
	{"blanks and comments", " \n-- a; b\n# c; d\n/* e; /* f; */\n--\n--\tx;\n", nil, nil},
	{"empty statements", ";; ;\n;", nil, nil},
	{"two statements", "DROP TABLE a;\n DROP TABLE b ;", []string{"DROP TABLE a", "DROP TABLE b"}, nil},
	{"no semicolon at the end", "DROP TABLE a; DROP TABLE b\n", []string{"DROP TABLE a", "DROP TABLE b"}, nil},
	{"comments around", "-- a\nDROP /* b; */ TABLE t # c;\n; -- d", []string{"DROP /* b; */ TABLE t"}, nil},
	{"two dashes that begin no comment", "CREATE VIEW v AS SELECT 1--1;DROP TABLE a", []string{"CREATE VIEW v AS SELECT 1--1", "DROP TABLE a"}, nil},
	{"strings", `CREATE VIEW v AS SELECT ';', 'a'';b', "c"";", 'd\';', '\\'; DROP TABLE t`, []string{`CREATE VIEW v AS SELECT ';', 'a'';b', "c"";", 'd\';', '\\'`, "DROP TABLE t"}, nil},
	{"names", "DROP TABLE `a;``b`; DROP TABLE `\\`;", []string{"DROP TABLE `a;``b`", "DROP TABLE `\\`"}, nil},
	{"client commands that send", "DROP TABLE a\\g\nDROP TABLE b\\G DROP TABLE c\ngo\n;", []string{"DROP TABLE a", "DROP TABLE b", "DROP TABLE c\ngo"}, nil},

	{"delimiter", "DELIMITER $$\nCREATE PROCEDURE p() " + block + "$$\ndelimiter ;\nDROP TABLE t;", []string{"CREATE PROCEDURE p() " + block, "DROP TABLE t"}, nil},
	{"delimiters of all kinds", "DELIMITER //\nDROP TABLE a//\nDELIMITER ;;\nDROP TABLE b;;\nDELIMITER |\nDROP TABLE c|\nDELIMITER end_it\nDROP TABLE d end_it\nDELIMITER ';'\nDROP TABLE e;",
		[]string{"DROP TABLE a", "DROP TABLE b", "DROP TABLE c", "DROP TABLE d", "DROP TABLE e"}, nil},
	{"the server ends statements at semicolons too", "DELIMITER $$\nDROP TRIGGER IF EXISTS a; CREATE TRIGGER a AFTER DELETE ON t FOR EACH ROW SET @x = 1; $$\n", []string{
		"DROP TRIGGER IF EXISTS a", "CREATE TRIGGER a AFTER DELETE ON t FOR EACH ROW SET @x = 1"}, nil},
	{"a body in one statement", "CREATE TRIGGER a AFTER DELETE ON t FOR EACH ROW SET @x = 1; DROP TABLE t", []string{"CREATE TRIGGER a AFTER DELETE ON t FOR EACH ROW SET @x = 1", "DROP TABLE t"}, nil},
	{"a body without DELIMITER", "CREATE TRIGGER a AFTER DELETE ON t FOR EACH ROW " + block + ";\nDROP TABLE t", []string{"CREATE TRIGGER a AFTER DELETE ON t FOR EACH ROW " + block, "DROP TABLE t"}, nil},
	{"an event", "CREATE EVENT e ON SCHEDULE EVERY 1 DAY DO BEGIN DELETE FROM t; END; ALTER EVENT e DO BEGIN END; DROP EVENT e", []string{
		"CREATE EVENT e ON SCHEDULE EVERY 1 DAY DO BEGIN DELETE FROM t; END", "ALTER EVENT e DO BEGIN END", "DROP EVENT e"}, nil},
	{"words that are names", "CREATE TABLE `begin` (`end` int, begin int, end int);CREATE VIEW v AS SELECT a.begin, CASE a WHEN 1 THEN 2 END FROM a;", []string{
		"CREATE TABLE `begin` (`end` int, begin int, end int)", "CREATE VIEW v AS SELECT a.begin, CASE a WHEN 1 THEN 2 END FROM a"}, nil},
	{"a delimiter line inside of a statement", "DELIMITER $$\nCREATE PROCEDURE p() BEGIN SELECT 1; END\nDELIMITER ;\nDROP TABLE t;", []string{"DROP TABLE t"}, []string{
		"2:1 `CREATE PROCEDURE p() BEGIN SELECT 1; END` has no end: a DELIMITER line comes before the delimiter $$"}},
	{"the delimiter never comes", "DELIMITER $$\nCREATE PROCEDURE p() BEGIN SELECT 1; END\n", nil, []string{
		"2:1 `CREATE PROCEDURE p() BEGIN SELECT 1; END` has no end: the file ends before the delimiter $$, which DELIMITER set"}},
	{"no END", "CREATE PROCEDURE p()\nBEGIN\n SELECT 1;", nil, []string{"2:1 this BEGIN has no END: the file ends inside the body that begins here"}},
	{"no END before the delimiter", "DELIMITER //\nCREATE PROCEDURE p()\nBEGIN\n IF a THEN SELECT 1;\nEND//\n", nil, []string{"3:1 this BEGIN has no END before the delimiter //"}},
	{"END without BEGIN", "DELIMITER //\nCREATE PROCEDURE p() SELECT 1; SELECT 2; END//\n", []string{"CREATE PROCEDURE p() SELECT 1"}, []string{
		"2:32 SELECT", "2:42 `END` ends a block that was not begun; if it belongs to the body of a stored program, its BEGIN is missing"}},
	{"a delimiter of nothing", "DELIMITER  \nDROP TABLE t;", []string{"DROP TABLE t"}, []string{
		"1:1 DELIMITER needs what ends statements from here on, without a backslash; write DELIMITER ;"}},

	{"a string that is not closed", "DROP TABLE a;\nCREATE TABLE t (a int COMMENT 'x);\nDROP TABLE b;", []string{"DROP TABLE a"}, []string{
		"2:31 `'x); DROP TABLE b;` opens a string that is never closed"}},
	{"a name that is not closed", "DROP TABLE `a;", nil, []string{"1:12 ``a;` opens a quoted name that is never closed"}},
	{"a comment that is not closed", "DROP TABLE a;\n/* b", []string{"DROP TABLE a"}, []string{"2:1 `/* b` opens a comment that is never closed"}},
	{"code that is not closed", "/*!50001 DROP TABLE a;", nil, []string{"1:1 `/*!50001 DROP TABLE a` opens a comment with code that is not closed before the statement ends"}},

	{"code comments", "/*!40101 SET NAMES utf8 */;\n/*!50001 CREATE ALGORITHM=MERGE */\n/*!50013 DEFINER=`a`@`b` SQL SECURITY DEFINER */\n/*!50001 VIEW v AS SELECT 1 */;\n/*! DROP TABLE t */;",
		[]string{"SET NAMES utf8", "CREATE ALGORITHM=MERGE   \n         DEFINER=`a`@`b` SQL SECURITY DEFINER   \n         VIEW v AS SELECT 1", "DROP TABLE t"}, nil},
	{"code for newer servers", "CREATE TABLE t (a int /*!80401 INVISIBLE */, b int /*!80401 INVISIBLE */);\n/*!80100 DROP TABLE t */;", []string{
		"CREATE TABLE t (a int                      , b int                      )"}, []string{
		"2:1 notice: `/*!80100 …*/` is code for other servers than MySQL 8.0.0, so what it says here was left out: `/*!80100 DROP TABLE t */`",
		"1:23 notice: `/*!80401 …*/` is code for other servers than MySQL 8.0.0, and was left out: `/*!80401 INVISIBLE */` (2 comments, of which this is the first)"}},
	{"code for a later patch of the version", "CREATE TABLE t (a int /*!80023 INVISIBLE */, b int CHECK (b > 0) /*!80016 NOT ENFORCED */)", []string{
		"CREATE TABLE t (a int          INVISIBLE   , b int CHECK (b > 0)          NOT ENFORCED   )"}, nil},
	{"code of MariaDB", "/*M!100300 CREATE SEQUENCE s */;\n/*M! x */", nil, []string{
		"1:1 notice: `/*M!100300 …*/` is code for other servers than MySQL 8.0.0, so what it says here was left out: `/*M!100300 CREATE SEQUENCE s */`",
		"2:1 notice: `/*M! …*/` is code for other servers than MySQL 8.0.0, and was left out: `/*M! x */`"}},
	{"MariaDB's mark of a dump", "/*!999999\\- enable the sandbox mode */ \nDROP TABLE a;", []string{"DROP TABLE a"}, nil},
	{"comments inside of code", "/*!50003 CREATE TRIGGER a BEFORE INSERT ON t FOR EACH ROW BEGIN /* x */ SET @a = '*/'; END */;;", []string{
		"CREATE TRIGGER a BEFORE INSERT ON t FOR EACH ROW BEGIN /* x */ SET @a = '*/'; END"}, nil},

	{"names in double quotes", "SET sql_mode = 'ANSI_QUOTES';\nCREATE TABLE \"t;\" (\"a\"\"b`\" int DEFAULT 'x');SET sql_mode = DEFAULT; CREATE TABLE u (a text DEFAULT \"x\")", []string{
		"SET sql_mode = ''", "CREATE TABLE `t;` (`a\"b``` int DEFAULT 'x')", "SET sql_mode = DEFAULT", "CREATE TABLE u (a text DEFAULT \"x\")"}, []string{
		"1:1 notice: sql_mode is set here: from here on text in double quotes is read as a name"}},
	{"backslashes that escape nothing", "SET @@session.sql_mode := 'STRICT_TRANS_TABLES,NO_BACKSLASH_ESCAPES';\nCREATE TABLE t (a int COMMENT 'x\\');DROP TABLE t", []string{
		"SET @@session.sql_mode := 'STRICT_TRANS_TABLES'", `CREATE TABLE t (a int COMMENT 'x\\')`, "DROP TABLE t"}, []string{
		"1:1 notice: sql_mode is set here: from here on a backslash in a string is read as itself"}},
	{"modes that are kept and come back", "SET @old = @@sql_mode, sql_mode = 'ANSI_QUOTES';\nDROP TABLE \"a\";\nSET sql_mode = @old;\nCREATE TABLE t (a text DEFAULT \"x\");SET sql_mode = CONCAT(@@sql_mode, ',STRICT_ALL_TABLES');SET sql_mode = IFNULL(@old, '')", []string{
		"SET @old = @@sql_mode, sql_mode = ''", "DROP TABLE `a`", "SET sql_mode = @old", "CREATE TABLE t (a text DEFAULT \"x\")", "SET sql_mode = CONCAT(@@sql_mode, ',STRICT_ALL_TABLES')", "SET sql_mode = IFNULL(@old, '')"}, []string{
		"1:1 notice: sql_mode is set here: from here on text in double quotes is read as a name"}},
	{"modes that nobody knows", "SET sql_mode = REPLACE(@@sql_mode, 'ANSI_QUOTES', '');SET sql_mode = 'ORACLE';SET GLOBAL sql_mode = 'ORACLE';SET sql_mode = 4", []string{
		"SET sql_mode = REPLACE(@@sql_mode, 'ANSI_QUOTES', '')", "SET sql_mode = 'ORACLE'", "SET sql_mode = 4"}, []string{
		"1:79 SET",
		"1:1 sql_mode is set to `REPLACE(@@sql_mode, 'ANSI_QUOTES', '')`: what it becomes is not known; set it to a list of modes in quotes, without this one",
		"1:55 sql_mode is set to `'ORACLE'`: ORACLE has another grammar; set it to a list of modes in quotes, without this one",
		"1:110 sql_mode is set to `4`: what it becomes is not known; set it to a list of modes in quotes, without this one"}},
	{"modes in groups", "SET sql_mode = 'ansi,STRICT_ALL_TABLES', @x = 'NO_BACKSLASH_ESCAPES', foreign_key_checks = 0;DROP TABLE \"a\"", []string{
		"SET sql_mode = 'IGNORE_SPACE,STRICT_ALL_TABLES', @x = '', foreign_key_checks = 0", "DROP TABLE `a`"}, []string{"1:1 notice: sql_mode is set here: from here on text in double quotes is read as a name"}},
	{"bars that join", "SET sql_mode = 'PIPES_AS_CONCAT';CREATE VIEW v AS SELECT 'a' || 'b'", []string{"SET sql_mode = ''", "CREATE VIEW v AS SELECT 'a' || 'b'"}, []string{
		"1:62 || joins strings here, since sql_mode has PIPES_AS_CONCAT; write CONCAT(…), which means the same under every sql_mode"}},

	{"data", "INSERT INTO t VALUES ('a;\\'b', \"c;\", 1 /* ; */), (2) -- ;\n;REPLACE t VALUES (1);LOCK TABLES `t` WRITE;/*!40000 ALTER TABLE `t` DISABLE KEYS */;UNLOCK TABLES;LOAD DATA INFILE 'x' INTO TABLE t;UPDATE t SET a=1;DELETE FROM t;(SELECT 1);WITH a AS (SELECT 1) SELECT 1;COMMIT",
		nil, []string{"1:1 INSERT", "2:2 REPLACE", "2:23 LOCK TABLES", "2:54 ALTER TABLE … KEYS", "2:86 UNLOCK TABLES", "2:100 LOAD DATA", "2:134 UPDATE", "2:151 DELETE", "2:165 SELECT", "2:176 WITH", "2:206 COMMIT"}},
	{"sets", "SET NAMES utf8mb4;SET @a = 1;SET time_zone = '+00:00';SET foreign_key_checks=0, unique_checks=0;SET @saved_cs_client = @@character_set_client;SET @@GLOBAL.GTID_PURGED='';SET PASSWORD = 'x';SET default_storage_engine=MyISAM",
		[]string{"SET NAMES utf8mb4", "SET foreign_key_checks=0, unique_checks=0", "SET @saved_cs_client = @@character_set_client", "SET default_storage_engine=MyISAM"},
		[]string{"1:19 SET", "1:30 SET", "1:143 SET", "1:171 SET PASSWORD"}},
	{"of the server", "CREATE USER a;GRANT ALL ON *.* TO a;FLUSH PRIVILEGES;ANALYZE TABLE t;CREATE TABLESPACE x ADD DATAFILE 'y';DROP ROLE IF EXISTS r;CREATE FUNCTION f RETURNS STRING SONAME 'x.so';",
		nil, []string{"1:1 CREATE USER", "1:15 GRANT", "1:37 FLUSH", "1:54 ANALYZE TABLE", "1:70 CREATE TABLESPACE", "1:107 DROP ROLE", "1:129 CREATE FUNCTION … SONAME"}},
	{"temporary tables", "CREATE TEMPORARY TABLE x (a int);ALTER TABLE x ADD b int;CREATE INDEX i ON x (a);DROP TABLE x;DROP TABLE x;DROP TEMPORARY TABLE IF EXISTS y", []string{"DROP TABLE x"}, []string{
		"1:1 CREATE TEMPORARY TABLE", "1:34 ALTER of a temporary table", "1:58 index of a temporary table", "1:82 DROP of a temporary table", "1:108 DROP TEMPORARY TABLE",
		"1:1 notice: the temporary table `x` is gone with its session, and is none of the schema"}},
	{"what may do anything", "CALL p();EXECUTE s;BEGIN;BEGIN NOT ATOMIC DROP TABLE t; END;SET STATEMENT a=1 FOR DROP TABLE t;IMPORT TABLE FROM 'x'", nil, []string{
		"1:20 BEGIN",
		"1:1 `CALL p()` runs a procedure, which may change the schema; write out what it does",
		"1:10 `EXECUTE s` runs a statement that is made while it runs; write the statement out",
		"1:26 `BEGIN NOT ATOMIC DROP TABLE t` is a block that may change anything; write its statements out",
		"1:57 `END` ends a block that was not begun; if it belongs to the body of a stored program, its BEGIN is missing",
		"1:61 `SET STATEMENT a=1 FOR DROP TABLE t` sets a variable for one statement, which is not understood; write SET before it and after it",
		"1:96 `IMPORT TABLE FROM 'x'` takes a table from files of a server; write its CREATE TABLE"}},
	{"no statement", "SELEC 1;\n{{ x }};CREATE THING x", nil, []string{
		"1:1 `SELEC 1` begins with no word that a statement of MySQL begins with; correct it, or take it out",
		"2:1 `{{ x }}` is no statement",
		"2:9 `CREATE THING x` is not understood: what CREATE is about is none of the kinds of objects that are read"}},
	{"commands of the client", "source a.sql\n\\. b.sql\nsystem ls\n\\! ls\nstatus\nDROP TABLE t;\n\\W\nquit\n", []string{"DROP TABLE t"}, []string{
		"5:1 command of the mysql client", "7:1 command of the mysql client",
		"1:1 `source a.sql` runs a file that is not read here; name that file in the source, or put its text here",
		"2:1 `\\. b.sql` runs a file that is not read here; name that file in the source, or put its text here",
		"3:1 `system ls` runs a command of the operating system; take it out",
		"4:1 `\\! ls` runs a command of the operating system; take it out",
		"8:1 `quit` ends the script; take away what follows, and this line"}},
	{"a command inside of a statement", "DROP TABLE \\W t;", []string{"DROP TABLE"}, []string{"1:12 `\\W t;` is no statement, and no command of the mysql client that may stand here"}},
	{"use", "USE a\nDROP TABLE t;USE b;", []string{"USE a", "DROP TABLE t", "USE b"}, nil},
}

// told is what Split says of a text.
func told(f *source.File, sv server.Server) (s *Script, statements, rest []string) {
	s, errs := Split(f, sv)
	for _, st := range s.Statements {
		statements = append(statements, st.SQL)
	}
	say := func(at schema.Pos, text string) {
		rest = append(rest, fmt.Sprintf("%d:%d %s", at.Line, at.Column, text))
	}
	for _, p := range s.Passed {
		say(p.Pos, p.What)
	}
	for _, e := range errs {
		say(e.Pos, e.Text)
	}
	for _, n := range s.Notices {
		say(n.Pos, "notice: "+n.Text)
	}
	return s, statements, rest
}

func TestSplit(t *testing.T) {
	for _, tt := range splitCases {
		t.Run(tt.name, func(t *testing.T) {
			f := &source.File{Path: "a.sql", Text: tt.text}
			s, statements, rest := told(f, mysql80)
			if d := cmp.Diff(tt.want, statements); d != "" {
				t.Errorf("statements (-want +got):\n%s", d)
			}
			if d := cmp.Diff(tt.rest, rest); d != "" {
				t.Errorf("rest (-want +got):\n%s", d)
			}
			places(t, s, f)
		})
	}
}

// places checks that every token of every statement has its place in the file.
func places(t *testing.T, s *Script, f *source.File) {
	t.Helper()
	for _, st := range s.Statements {
		for _, tok := range Tokens(st.SQL) {
			at := st.inFile(tok.Start)
			if at < 0 || at >= len(f.Text) || (tok.Kind == Word && !strings.HasPrefix(f.Text[at:], tok.Text(st.SQL))) {
				t.Fatalf("%q of %q is not at %d", tok.Text(st.SQL), st.SQL, at)
			}
		}
	}
}

// TestSplitOnMariaDB has what MariaDB runs: code of versions up to its own, none of MySQL's own from 5.7 on, and its own.
func TestSplitOnMariaDB(t *testing.T) {
	text := "/*!50699 DROP TABLE a */;/*!50700 DROP TABLE b */;/*!80016 DROP TABLE c */;/*!99999 DROP TABLE d */;/*!100000 DROP TABLE e */;" +
		"/*!101200 DROP TABLE f */;/*M!50701 DROP TABLE g */;/*M!101200 DROP TABLE h */;/*M! DROP TABLE i */;/*!5069 DROP TABLE j */"
	_, statements, rest := told(&source.File{Path: "a.sql", Text: text}, maria)
	if d := cmp.Diff([]string{"DROP TABLE a", "DROP TABLE e", "DROP TABLE g", "DROP TABLE i"}, statements); d != "" {
		t.Errorf("statements (-want +got):\n%s", d)
	}
	if len(rest) != 6 || !strings.Contains(rest[0], "5069") || !strings.Contains(rest[5], "/*M!101200") {
		t.Errorf("the rest is %q", rest)
	}
}

// TestSplitLarge wants rows to be passed over as fast as they are read, and statements to be cut in linear time.
func TestSplitLarge(t *testing.T) {
	row := "(1,'it''s \\' a text; with -- much /* in it',NULL,0x41,'2020-01-01'),"
	insert := "INSERT INTO t VALUES " + strings.Repeat(row, 200_000) + "(2);\n"
	many := strings.Repeat("DROP TABLE t; ", 200_000)
	start := time.Now()
	s, errs := Split(&source.File{Path: "a.sql", Text: insert + many}, mysql80)
	if len(errs) > 0 || len(s.Passed) != 1 || len(s.Statements) != 200_000 {
		t.Fatalf("%d statements, %d passed over, %v", len(s.Statements), len(s.Passed), errs)
	}
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("%d MB took %v", (len(insert)+len(many))>>20, took)
	}
}

// TestSplitHostile wants texts that make readers look far ahead, or back, to take no longer than others.
func TestSplitHostile(t *testing.T) {
	for _, piece := range []string{"CREATE PROCEDURE p(;", "CREATE EVENT e ON SCHEDULE (;", "\\g", "go ", "/*!99999 DROP TABLE t */;", "/*!50001 x", "SELECT \\W", "DELIMITER ;\n", "CREATE TEMPORARY TABLE t (a int);",
		"USE a\n", "x;", "SET sql_mode = 'x", "CREATE TABLE t (", "CREATE DEFINER=a@b TRIGGER t ", "SET @a = (", "a:", "CREATE TRIGGER a AFTER INSERT ON t FOR EACH ROW BEGIN ", "\"", "/*", "CREATE TABLE t (a int DEFAULT f(;"} {
		start := time.Now()
		s, _ := Split(&source.File{Path: "a.sql", Text: strings.Repeat(piece, 2_000_000/len(piece))}, mysql80)
		Parse(s.Statements, mysql80, nil)
		s.Hints()
		if took := time.Since(start); took > 8*time.Second {
			t.Errorf("%q takes %v", piece, took)
		}
	}
}

func FuzzSplit(f *testing.F) {
	for _, tt := range splitCases {
		f.Add(tt.text, false)
		f.Add(tt.text, true)
	}
	for _, tt := range parseCases {
		f.Add(tt.text, tt.sv.MariaDB)
	}
	f.Fuzz(func(t *testing.T, text string, onMaria bool) {
		sv := mysql84
		if onMaria {
			sv = maria
		}
		file := &source.File{Path: "a.sql", Text: text}
		s, errs := Split(file, sv)
		for _, e := range errs {
			if e.Pos.Line == 0 || e.Text == "" {
				t.Errorf("an error without place or text: %+v", e)
			}
		}
		places(t, s, file)
		if !slices.IsSortedFunc(s.Statements, func(a, b *Statement) int { return a.Offset - b.Offset }) {
			t.Error("the statements are not in order")
		}
		for _, e := range Parse(s.Statements, sv, nil) {
			if e.Kind == schema.KindInternal {
				t.Error(e)
			}
		}
		s.Hints()
	})
}
