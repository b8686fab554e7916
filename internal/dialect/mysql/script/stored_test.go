package script

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/source"
)

func TestStored(t *testing.T) {
	const who = "`root`@`localhost`"
	tests := []struct {
		text string
		want Stored
	}{
		{"CREATE TRIGGER a BEFORE INSERT ON t FOR EACH ROW SET NEW.x = 1", Stored{What: "trigger", Name: Ident{"", "a"}, Table: Ident{"", "t"}, Time: "BEFORE", Event: "INSERT", Body: "SET NEW.x = 1"}},
		{"create or replace definer=root@localhost trigger if not exists d.`a b` after delete on `d`.t for each row precedes `z` begin end", Stored{What: "trigger", OrReplace: true, IfNotExists: true,
			Definer: who, Name: Ident{"d", "a b"}, Table: Ident{"d", "t"}, Time: "AFTER", Event: "DELETE", Order: "PRECEDES", Beside: "z", Body: "begin end"}},
		{"CREATE DEFINER='root'@'localhost' PROCEDURE p(IN `a` INT(11), OUT B varchar(5), INOUT c enum('x')) COMMENT 'it''s' DETERMINISTIC SQL SECURITY DEFINER READS SQL DATA begin end", Stored{
			What: "procedure", Definer: who, Name: Ident{"", "p"}, Head: "(a int (11), out b varchar (5), inout c enum ('x')) comment 'it''s' deterministic reads sql data", Body: "begin end"}},
		{"CREATE DEFINER=CURRENT_USER() FUNCTION f() RETURNS varchar(5) CHARSET utf8mb4 COLLATE utf8mb4_bin NO SQL NOT DETERMINISTIC LANGUAGE SQL RETURN 'x'", Stored{What: "function", Definer: "CURRENT_USER",
			Name: Ident{"", "f"}, Head: "() returns varchar (5) charset utf8mb4 collate utf8mb4_bin no sql", Body: "RETURN 'x'"}},
		{"CREATE FUNCTION f(a int) RETURNS int unsigned RETURN a", Stored{What: "function", Name: Ident{"", "f"}, Head: "(a int) returns int unsigned", Body: "RETURN a"}},
		{"CREATE AGGREGATE FUNCTION f(a int) RETURNS set('x') BEGIN END", Stored{What: "function", Name: Ident{"", "f"}, Head: "aggregate (a int) returns set ('x')", Body: "BEGIN END"}},
		{"CREATE DEFINER=`root` EVENT e ON SCHEDULE EVERY (1 + 1) DAY STARTS '2024-01-01 00:00:00' ON COMPLETION NOT PRESERVE ENABLE COMMENT '' DO CALL p()", Stored{What: "event", Definer: "`root`@`%`",
			Name: Ident{"", "e"}, Head: "on schedule every (1 + 1) day starts '2024-01-01 00:00:00'", Body: "CALL p()"}},
		{"CREATE EVENT IF NOT EXISTS e ON SCHEDULE AT now() ON COMPLETION PRESERVE DISABLE ON SLAVE COMMENT 'x' DO BEGIN END", Stored{What: "event", IfNotExists: true,
			Name: Ident{"", "e"}, Head: "on schedule at now () on completion preserve disable on slave comment 'x'", Body: "BEGIN END"}},
		{"ALTER EVENT e RENAME TO d.f ENABLE", Stored{What: "event", Name: Ident{"", "e"}, NewName: Ident{"d", "f"}, Head: "enable"}},
		{"ALTER DEFINER=root@127.0.0.1 EVENT e ON COMPLETION NOT PRESERVE DO SELECT 1", Stored{What: "event", Definer: "`root`@`127.0.0.1`", Name: Ident{"", "e"}, Head: "on completion not preserve", Body: "SELECT 1"}},
		{"ALTER PROCEDURE p SQL SECURITY INVOKER COMMENT ''", Stored{What: "procedure", Name: Ident{"", "p"}, Head: "comment '' sql security invoker"}},
		{"DROP TRIGGER IF EXISTS d.a", Stored{What: "trigger", IfExists: true, Name: Ident{"d", "a"}}},
		{"DROP FUNCTION f", Stored{What: "function", Name: Ident{"", "f"}}},
	}
	for _, tt := range tests {
		s, errs := parsed(tt.text, maria, nil)
		if len(errs) > 0 || len(s.Statements) != 1 || s.Statements[0].Stored == nil {
			t.Errorf("%s: %v", tt.text, errs)
			continue
		}
		got := *s.Statements[0].Stored
		if got.Body != "" && tt.text[got.BodyAt:] != got.Body {
			t.Errorf("%s: the body is not at %d", tt.text, got.BodyAt)
		}
		got.BodyAt = 0
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.text, d)
		}
	}
}

// TestBodies wants a body to end where its first block ends, whatever stands in it.
func TestBodies(t *testing.T) {
	for _, body := range []string{
		"BEGIN END",
		"BEGIN BEGIN END; SELECT 1; END",
		"a: BEGIN LEAVE a; END a",
		"BEGIN IF a THEN SELECT 1; ELSEIF b THEN BEGIN END; ELSE IF c THEN SELECT 2; END IF; END IF; END",
		"IF a THEN SELECT 1; END IF",
		"BEGIN CASE a WHEN 1 THEN SELECT 1; WHEN 2 THEN BEGIN END; ELSE CASE WHEN b THEN SELECT 3; END CASE; END CASE; END",
		"BEGIN SET a = CASE WHEN b THEN CASE c WHEN 1 THEN 2 END ELSE IF(d, 1, 2) END; END",
		"BEGIN SELECT IF(a, b, c), REPEAT('x', 3), (CASE a WHEN 1 THEN 2 END) FROM t; END",
		"BEGIN l: LOOP SELECT 1; IF a THEN LEAVE l; END IF; END LOOP l; END",
		"BEGIN WHILE a < 5 DO SET a = a + 1; END WHILE; REPEAT SET a = a - 1; UNTIL a = 0 END REPEAT; END",
		"BEGIN DECLARE c CURSOR FOR SELECT CASE WHEN a THEN 1 END FROM t; DECLARE CONTINUE HANDLER FOR NOT FOUND SET d = 1; END",
		"BEGIN DECLARE EXIT HANDLER FOR SQLEXCEPTION, SQLSTATE VALUE '23000', 1062 BEGIN ROLLBACK; END; SELECT 1; END",
		"BEGIN DECLARE CONTINUE HANDLER FOR SQLSTATE '02000' IF a THEN SET b = 1; END IF; SELECT 2; END",
		"BEGIN DECLARE CONTINUE HANDLER FOR c SET x = CASE WHEN y THEN 1 END; END",
		"BEGIN FOR i IN 1..3 DO SELECT i; END FOR; FOR r IN (SELECT a FROM t) DO SELECT r.a; END FOR; END",
		"BEGIN DROP TABLE IF EXISTS x; CREATE TABLE IF NOT EXISTS x (`end` int, `begin` int); INSERT INTO x (`end`) VALUES ('end;'); DO SLEEP(1); END",
		"BEGIN SELECT t.end, t.begin FROM t; SELECT @end, @begin; END",
		"BEGIN /* END; */ SELECT 1; -- END;\n # END;\n END",
		"BEGIN START TRANSACTION; COMMIT; PREPARE s FROM 'BEGIN'; END",
		"BEGIN NOT ATOMIC SELECT 1; END",
		"SELECT CASE WHEN 1 THEN 2 END",
		"SELECT 1",
	} {
		for _, head := range []string{"CREATE PROCEDURE p() ", "CREATE FUNCTION p(a int) RETURNS int DETERMINISTIC ", "CREATE TRIGGER p AFTER UPDATE ON t FOR EACH ROW FOLLOWS x ", "CREATE EVENT p ON SCHEDULE EVERY 1 DAY DO "} {
			for _, around := range [][2]string{{"", ";"}, {"DELIMITER $$\n", "$$"}, {"DELIMITER ;;\n/*!50003 ", " */;;"}} {
				text := around[0] + head + body + around[1] + "\nDELIMITER ;\nDROP TABLE t;"
				s, errs := Split(&source.File{Path: "a.sql", Text: text}, maria)
				if len(errs) > 0 || len(s.Statements) != 2 || s.Statements[0].SQL != head+body {
					t.Errorf("%s: %v, %d statements", text, errs, len(s.Statements))
				}
			}
		}
	}
}
