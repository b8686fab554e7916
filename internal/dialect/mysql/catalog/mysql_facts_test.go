package catalog_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/dialect/mysql/catalog"
	"github.com/altergate/altergate/internal/dialect/mysql/server"
)

func version(t testing.TB, dialect, text string) server.Server {
	t.Helper()
	sv, err := server.Parse(dialect, text)
	if err != nil {
		t.Fatal(err)
	}
	return sv
}

// TestMySQLPrint reads what a person writes and what MySQL's manual has SHOW CREATE TABLE print of it, and wants them to be one.
func TestMySQLPrint(t *testing.T) {
	for _, c := range []struct{ version, written, printed string }{
		// "Numeric Type Syntax": display width is deprecated and, from 8.0.19, not printed but for tinyint(1) and ZEROFILL.
		{"8.0", "CREATE TABLE t (a int(11), b bigint(20) unsigned, c tinyint(1), d int(5) zerofill)",
			"CREATE TABLE `t` (`a` int DEFAULT NULL, `b` bigint unsigned DEFAULT NULL, `c` tinyint(1) DEFAULT NULL, `d` int(5) unsigned zerofill DEFAULT NULL) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci"},
		// "Server Character Set and Collation", 5.7: latin1 and latin1_swedish_ci.
		{"5.7", "CREATE TABLE t (a varchar(9))", "CREATE TABLE `t` (`a` varchar(9) DEFAULT NULL) ENGINE=InnoDB DEFAULT CHARSET=latin1"},
		{"5.7", "CREATE TABLE t (a varchar(9)) CHARSET utf8mb4", "CREATE TABLE `t` (`a` varchar(9) DEFAULT NULL) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci"},
		{"8.0", "CREATE TABLE t (a varchar(9)) CHARSET utf8", "CREATE TABLE `t` (`a` varchar(9) DEFAULT NULL) ENGINE=InnoDB DEFAULT CHARSET=utf8mb3"},
		// "CHECK Constraints": a name is the table's with _chk_ and a number; expressions are printed in parentheses.
		{"8.0.36", "CREATE TABLE t (a int CHECK (a > 1), b int, CHECK (a < b AND NOT b = 0), CONSTRAINT x CHECK (b <> 5) NOT ENFORCED)",
			"CREATE TABLE `t` (`a` int DEFAULT NULL, `b` int DEFAULT NULL, CONSTRAINT `t_chk_1` CHECK ((`a` > 1)), CONSTRAINT `t_chk_2` CHECK (((`a` < `b`) and (`b` <> 0))), CONSTRAINT `x` CHECK ((`b` <> 5)) /*!80016 NOT ENFORCED */)"},
		// "FOREIGN KEY Constraints": the key that a constraint needs has the constraint's name, or its first column's.
		{"8.0", "CREATE TABLE p (id int PRIMARY KEY); CREATE TABLE t (a int, b int, CONSTRAINT f FOREIGN KEY (a) REFERENCES p (id), FOREIGN KEY (b) REFERENCES p (id) ON DELETE NO ACTION)",
			"CREATE TABLE `p` (`id` int NOT NULL, PRIMARY KEY (`id`)); CREATE TABLE `t` (`a` int DEFAULT NULL, `b` int DEFAULT NULL, KEY `f` (`a`), KEY `b` (`b`), CONSTRAINT `f` FOREIGN KEY (`a`) REFERENCES `p` (`id`), CONSTRAINT `t_ibfk_1` FOREIGN KEY (`b`) REFERENCES `p` (`id`))"},
		// "CREATE INDEX Statement": DESC was parsed and ignored before 8.0; functional key parts came with 8.0.13.
		{"5.7", "CREATE TABLE t (a int, KEY k (a DESC))", "CREATE TABLE `t` (`a` int(11) DEFAULT NULL, KEY `k` (`a`))"},
		{"8.0.13", "CREATE TABLE t (a int, KEY ((a + 1)), KEY (a DESC))", "CREATE TABLE `t` (`a` int DEFAULT NULL, KEY `functional_index` ((`a` + 1)), KEY `a` (`a` DESC))"},
		// "Data Type Default Values": expressions stand in parentheses, from 8.0.13.
		{"8.0.13", "CREATE TABLE t (a json DEFAULT (json_array()), b varchar(36) DEFAULT (uuid()))", "CREATE TABLE `t` (`a` json DEFAULT (json_array()), `b` varchar(36) DEFAULT (uuid()))"},
		// String introducers in printed expressions ("Character Set Introducers").
		{"8.0", "CREATE TABLE t (a varchar(9), b varchar(20) AS (concat(a, 'x')) STORED)", "CREATE TABLE `t` (`a` varchar(9) DEFAULT NULL, `b` varchar(20) GENERATED ALWAYS AS (concat(`a`,_utf8mb4'x')) STORED)"},
		{"8.0", "CREATE TABLE t (a int, b int AS (a AND 1 OR NOT a))", "CREATE TABLE `t` (`a` int DEFAULT NULL, `b` int GENERATED ALWAYS AS ((((0 <> `a`) and 1) or (0 = `a`))) VIRTUAL)"},
		// "Invisible Columns" 8.0.23, "Invisible Indexes" 8.0.
		{"8.0.23", "CREATE TABLE t (a int, b int INVISIBLE, KEY k (a) INVISIBLE)", "CREATE TABLE `t` (`a` int DEFAULT NULL, `b` int DEFAULT NULL /*!80023 INVISIBLE */, KEY `k` (`a`) /*!80000 INVISIBLE */)"},
		{"8.0.36", "CREATE TABLE t (a point NOT NULL SRID 4326, SPATIAL KEY (a))", "CREATE TABLE `t` (`a` point NOT NULL /*!80003 SRID 4326 */, SPATIAL KEY `a` (`a`))"},
		{"8.0", "CREATE TABLE t (a int) PARTITION BY HASH (a) PARTITIONS 2", "CREATE TABLE `t` (`a` int DEFAULT NULL)\n/*!50100 PARTITION BY HASH (`a`)\nPARTITIONS 2 */"},
		// "Automatic Initialization and Updating for TIMESTAMP and DATETIME", 5.7, without explicit_defaults_for_timestamp.
		{"5.7", "CREATE TABLE t (a timestamp, b timestamp, c timestamp NULL)",
			"CREATE TABLE `t` (`a` timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP, `b` timestamp NOT NULL DEFAULT '0000-00-00 00:00:00', `c` timestamp NULL DEFAULT NULL)"},
		{"8.0.2", "CREATE TABLE t (a timestamp, b timestamp NULL)", "CREATE TABLE `t` (`a` timestamp NULL DEFAULT NULL, `b` timestamp NULL DEFAULT NULL)"},
		{"8.0", "CREATE TABLE t (a int, b text) STATS_PERSISTENT=1 COMPRESSION='zlib'", "CREATE TABLE `t` (`a` int DEFAULT NULL, `b` text) ENGINE=InnoDB STATS_PERSISTENT=1 COMPRESSION='ZLIB'"},
	} {
		sv := version(t, "mysql", c.version)
		if diff := cmp.Diff(lines(read(t, sv, c.printed)), lines(read(t, sv, c.written))); diff != "" {
			t.Errorf("%s\n(-printed +written)\n%s", c.written, diff)
		}
	}
}

// TestServersDiffer wants scripts refused, or remarked upon, by some servers.
func TestServersDiffer(t *testing.T) {
	for _, c := range []struct{ dialect, version, text, want string }{
		{"mysql", "5.7", "CREATE TABLE t (a int DEFAULT (1+1))", "8.0.13"},
		{"mysql", "8.0", "CREATE TABLE t (a int, b int DEFAULT 1 CHECK (a > 1)); ALTER TABLE t RENAME COLUMN a TO c", "cannot be renamed"},
		{"mysql", "8.0", "CREATE TABLE t (a int, b int AS (a + 1)); ALTER TABLE t CHANGE a c int", "cannot be renamed"},
		{"mysql", "5.7", "CREATE TABLE t (a int); ALTER TABLE t RENAME COLUMN a TO c", "no RENAME COLUMN"},
		{"mysql", "8.0", "CREATE TABLE t (a text DEFAULT 'x')", "no literal default"},
		{"mysql", "8.0", "CREATE TABLE t (a text, KEY (a))", "without a length"},
		{"mysql", "8.0", "CREATE TABLE t (a inet6)", "no type inet6"},
		{"mysql", "8.0", "CREATE TABLE t (a datetime(3) DEFAULT now())", "digits"},
		{"mysql", "8.0", "CREATE TABLE p (a int PRIMARY KEY); CREATE TABLE t (b int, FOREIGN KEY (b) REFERENCES p (a) ON DELETE SET DEFAULT)", "SET DEFAULT"},
		{"mysql", "5.7", "CREATE TABLE t (a varchar(9) COLLATE utf8mb4_0900_ai_ci)", "no collation"},
		{"mysql", "5.7", "CREATE TABLE t (a int, KEY ((a + 1)))", "8.0.13"},
		{"mysql", "8.0.13", "CREATE TABLE t (a int, b int INVISIBLE)", "8.0.23"},
		{"mysql", "8.0", "CREATE SEQUENCE s", "no sequences"},
		{"mariadb", "10.6", "CREATE TABLE t (a uuid)", "no type uuid"},
	} {
		_, errs := run(t, version(t, c.dialect, c.version), c.text)
		if len(errs) == 0 || !strings.Contains(errs[0].Error(), c.want) {
			t.Errorf("%s %s: %s\n%v, want %q", c.dialect, c.version, c.text, errs, c.want)
		}
	}
	for _, c := range []struct{ dialect, version, text, want string }{
		{"mysql", "8.0", "CREATE TABLE p (a int PRIMARY KEY); CREATE TABLE t (b int REFERENCES p (a))", "makes no foreign key"},
		{"mysql", "5.7", "CREATE TABLE t (b int CHECK (b > 1))", "ignored by MySQL 5.7"},
		{"mysql", "8.0", "CREATE TABLE Users (b int); CREATE TABLE users (b int)", "differ in case alone"},
	} {
		n, errs := catalog.New(version(t, c.dialect, c.version)).Run(statements(t, version(t, c.dialect, c.version), c.text))
		if len(errs) > 0 || len(n.Notices) != 1 || !strings.Contains(n.Notices[0].Text, c.want) {
			t.Errorf("%s %s: %s\n%v %v, want %q", c.dialect, c.version, c.text, errs, n.Notices, c.want)
		}
	}
}

// TestReferencesBehindColumn: MySQL 9.0 makes a foreign key of it ("FOREIGN KEY Constraints", its manual), MariaDB does from 10.5.
func TestReferencesBehindColumn(t *testing.T) {
	for dialect, want := range map[string]int{"mysql 8.4": 0, "mysql 9.0": 1, "mariadb 10.5": 1} {
		name, v, _ := strings.Cut(dialect, " ")
		c := read(t, version(t, name, v), "CREATE TABLE p (a int PRIMARY KEY); CREATE TABLE t (b int REFERENCES p (a))")
		if got := len(c.Tables["t"].ForeignKeys); got != want {
			t.Errorf("%s: %d foreign keys, want %d", dialect, got, want)
		}
	}
}
