package catalog_test

import (
	"database/sql"
	"strings"
	"testing"

	"github.com/altergate/altergate/internal/dialect/mysql/catalog"
	"github.com/altergate/altergate/internal/dialect/mysql/mysqltest"
	"github.com/altergate/altergate/internal/dialect/mysql/server"
)

// heads are what functions take and return, each in the words of a person.
var heads = []string{
	"(a int, b varchar(10)) RETURNS varchar(10)", "(a integer unsigned) RETURNS numeric(5)", "() RETURNS numeric", "() RETURNS double precision", "() RETURNS real", "() RETURNS boolean", "() RETURNS bool", "() RETURNS tinyint",
	"() RETURNS year", "() RETURNS bit", "() RETURNS char", "() RETURNS character varying(9)", "() RETURNS enum('a','b')", "() RETURNS text CHARSET latin1", "() RETURNS int unsigned", "() RETURNS int unsigned zerofill", "() RETURNS int1",
	"() RETURNS varchar(10) CHARSET utf8mb4", "() RETURNS varchar(10) CHARACTER SET latin1 COLLATE latin1_bin", "() RETURNS json", "() RETURNS datetime(0)", "() RETURNS datetime(3)", "() RETURNS char(3) BINARY", "() RETURNS national varchar(3)",
	"() RETURNS uuid", "() RETURNS inet6", "() RETURNS mediumint(7) DETERMINISTIC COMMENT 'x'", "(`in` int, `out` text) RETURNS bigint(20) READS SQL DATA", "() RETURNS blob", "() RETURNS varbinary(3)", "() RETURNS binary", "() RETURNS text(100)",
	"() RETURNS varchar(10) CHARSET binary", "() RETURNS point", "(a enum('x','y'), b decimal(3,1)) RETURNS float(7,3) NO SQL", "() RETURNS long varchar", "() RETURNS dec(4,1) unsigned",
}

// TestHeadsOnServer has the server print functions, and wants its print to be the same function.
func TestHeadsOnServer(t *testing.T) {
	sv, db := mysqltest.Server(t), mysqltest.Connect(t)
	for _, head := range heads {
		said := "CREATE FUNCTION f" + head + " RETURN NULL"
		if _, err := db.Exec("DROP FUNCTION IF EXISTS f;" + said); err != nil {
			t.Errorf("%s: %v", said, err)
			continue
		}
		var printed string
		if err := db.QueryRow("SHOW CREATE FUNCTION f").Scan(new(string), new(string), &printed, new(sql.NullString), new(sql.NullString), new(sql.NullString)); err != nil {
			t.Fatal(err)
		}
		if a, b := headOf(t, sv, said), headOf(t, sv, printed); a != b {
			t.Errorf("%s\n is %s\n%s\n is %s", said, a, printed, b)
		}
	}
}

// TestHeadsDiffer has pairs of which each means something else than the other.
func TestHeadsDiffer(t *testing.T) {
	for _, pair := range [][2]string{
		{"(a int) RETURNS int", "(a bigint) RETURNS int"}, {"(a int) RETURNS int", "(b int) RETURNS int"}, {"() RETURNS int", "() RETURNS int unsigned"}, {"() RETURNS tinyint", "() RETURNS bool"},
		{"() RETURNS varchar(9)", "() RETURNS varchar(10)"}, {"() RETURNS varchar(9)", "() RETURNS varchar(9) CHARSET latin1"}, {"() RETURNS int", "() RETURNS int DETERMINISTIC"}, {"(a int, b int) RETURNS int", "(b int, a int) RETURNS int"},
		{"() RETURNS enum('a')", "() RETURNS enum('A')"},
	} {
		a, b := headOf(t, mariadb1011, "CREATE FUNCTION f"+pair[0]+" RETURN NULL"), headOf(t, mariadb1011, "CREATE FUNCTION f"+pair[1]+" RETURN NULL")
		if a == b {
			t.Errorf("%s and %s are both %s", pair[0], pair[1], a)
		}
	}
	for _, pair := range [][2]string{{"(in a int)", "(out a int)"}, {"(a int)", "(inout a int)"}} {
		if a, b := headOf(t, mariadb1011, "CREATE PROCEDURE f"+pair[0]+" SELECT 1"), headOf(t, mariadb1011, "CREATE PROCEDURE f"+pair[1]+" SELECT 1"); a == b {
			t.Errorf("%s and %s are both %s", pair[0], pair[1], a)
		}
	}
	for _, pair := range [][2]string{{"(a int)", "(IN A integer(11))"}, {"(out b int)", "(OUT `b` int4)"}} {
		if a, b := headOf(t, mariadb1011, "CREATE PROCEDURE f"+pair[0]+" SELECT 1"), headOf(t, mariadb1011, "CREATE PROCEDURE f"+pair[1]+" SELECT 1"); a != b {
			t.Errorf("%s is %s and %s is %s", pair[0], a, pair[1], b)
		}
	}
}

var mariadb1011 = server.Server{MariaDB: true, Major: 10, Minor: 11}

func headOf(t *testing.T, sv server.Server, text string) string {
	t.Helper()
	c := catalog.New(sv)
	if _, errs := c.Run(statements(t, sv, "ALTER DATABASE CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci;\nDELIMITER //\n"+text+"\n//\n")); len(errs) > 0 {
		t.Fatalf("%s: %v", text, errs)
	}
	for _, r := range c.Routines {
		return strings.TrimSpace(r.Canon)
	}
	t.Fatalf("%s makes no routine", text)
	return ""
}
