package online_test

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/dialect/mysql/catalog"
	"github.com/altergate/altergate/internal/dialect/mysql/mysqltest"
	"github.com/altergate/altergate/internal/dialect/mysql/online"
	"github.com/altergate/altergate/internal/dialect/mysql/server"
)

// columnTypes are types to go between, with values at their bounds, as SQL.
var columnTypes = []struct {
	sql    string
	values []string
}{
	{"tinyint", []string{"-128", "0", "127"}},
	{"tinyint unsigned", []string{"0", "255"}},
	{"tinyint(1)", []string{"-128", "0", "1", "127"}},
	{"smallint", []string{"-32768", "32767"}},
	{"smallint unsigned", []string{"0", "65535"}},
	{"mediumint", []string{"-8388608", "8388607"}},
	{"mediumint unsigned", []string{"16777215"}},
	{"int", []string{"-2147483648", "2147483647"}},
	{"int unsigned", []string{"4294967295"}},
	{"bigint", []string{"-9223372036854775808", "9223372036854775807"}},
	{"bigint unsigned", []string{"18446744073709551615"}},
	{"decimal(3,0)", []string{"-999", "999"}},
	{"decimal(2,0) unsigned", []string{"99"}},
	{"decimal(5,2)", []string{"-999.99", "999.99", "0.01"}},
	{"decimal(7,2)", []string{"-99999.99", "99999.99"}},
	{"decimal(20,0)", []string{"99999999999999999999", "-99999999999999999999"}},
	{"decimal(30,10)", []string{"99999999999999999999.9999999999"}},
	{"float", []string{"0.1", "3e38", "-1.5", "123457"}},
	{"float(5,2)", []string{"0.10", "999.99"}},
	{"float(6,3)", []string{"0.123", "999.999"}},
	{"double", []string{"0.1", "1e300", "123456789012345"}},
	{"double(10,3)", []string{"0.123", "9999999.999"}},
	{"bit(1)", []string{"b'0'", "b'1'"}},
	{"bit(8)", []string{"b'11111111'"}},
	{"bit(64)", []string{"18446744073709551615"}},
	{"year", []string{"1901", "2155", "0"}},
	{"date", []string{"'1000-01-01'", "'9999-12-31'", "'2024-02-29'"}},
	{"datetime", []string{"'1000-01-01 00:00:01'", "'9999-12-31 23:59:59'"}},
	{"datetime(3)", []string{"'2024-01-01 23:59:59.999'"}},
	{"datetime(6)", []string{"'2024-01-01 23:59:59.999999'"}},
	{"timestamp NULL", []string{"'1971-01-01 00:00:01'", "'2037-12-31 23:59:59'"}},
	{"timestamp(6) NULL", []string{"'2037-12-31 23:59:59.999999'"}},
	{"time", []string{"'-838:59:59'", "'838:59:59'", "'12:00:00'"}},
	{"time(3)", []string{"'12:00:00.999'"}},
	{"char(5)", []string{"'abc'", "'é'", "'😀'", "''"}},
	{"char(9)", []string{"'abcdefghi'", "'ééééééééé'"}},
	{"char(5) CHARACTER SET latin1", []string{"'é'", "'abcde'"}},
	{"varchar(5)", []string{"'abc  '", "'ééééé'", "'😀'"}},
	{"varchar(9)", []string{"'abcdefghi'", "'abc '", "'A'"}},
	{"varchar(9) COLLATE utf8mb4_bin", []string{"'abc'", "'ABC'"}},
	{"varchar(255)", []string{"repeat('é', 255)", "repeat('😀', 255)"}},
	{"varchar(9) CHARACTER SET latin1", []string{"'ééééééééé'", "'a  '"}},
	{"varchar(9) CHARACTER SET ascii", []string{"'abcdefghi'"}},
	{"varchar(9) CHARACTER SET utf8mb3", []string{"'ééééééééé'", "'€'"}},
	{"varchar(9) CHARACTER SET cp1251", []string{"'жжж'"}},
	{"varchar(9) CHARACTER SET ucs2", []string{"'€жé'"}},
	{"tinytext", []string{"repeat('a', 255)", "repeat('é', 127)"}},
	{"tinytext CHARACTER SET latin1", []string{"repeat('é', 255)"}},
	{"text", []string{"repeat('a', 65535)", "repeat('😀', 16383)"}},
	{"text CHARACTER SET latin1", []string{"repeat('é', 65535)"}},
	{"mediumtext", []string{"repeat('é', 40000)"}},
	{"longtext", []string{"'{\"a\": 1}'", "'x'"}},
	{"binary(3)", []string{"'abc'", "x'00'"}},
	{"binary(5)", []string{"x'ff00ff00ff'"}},
	{"varbinary(5)", []string{"x'ff00ff00ff'", "'a  '"}},
	{"varbinary(300)", []string{"repeat('a', 300)"}},
	{"tinyblob", []string{"repeat('a', 255)"}},
	{"blob", []string{"repeat('a', 65535)"}},
	{"longblob", []string{"repeat('a', 70000)"}},
	{"enum('a','b')", []string{"'a'", "'b'"}},
	{"enum('b','a')", []string{"'a'", "'b'"}},
	{"enum('a','b','c')", []string{"'c'"}},
	{"enum('1','2','3')", []string{"'1'", "'3'"}},
	{"set('a','b')", []string{"'a,b'", "''"}},
	{"set('a','b','c')", []string{"'a,c'", "''"}},
	{"uuid", []string{"'123e4567-e89b-12d3-a456-426655440000'"}},
	{"inet6", []string{"'2001:db8::ff00:42:8329'"}},
	{"inet4", []string{"'192.0.2.1'"}},
	{"point", []string{"point(1, 2)"}},
	{"polygon", []string{"st_geomfromtext('POLYGON((0 0,1 0,1 1,0 0))')"}},
	{"geometry", []string{"point(1, 2)", "st_geomfromtext('POLYGON((0 0,1 0,1 1,0 0))')"}},
}

// number tells whether a type's values are compared as numbers: how many zeroes one is shown with says nothing.
func isNumber(c catalog.Type) bool {
	switch c.Base {
	case "tinyint", "smallint", "mediumint", "int", "bigint", "decimal", "float", "double", "bit", "year":
		return true
	}
	return false
}

// random gives values of a type by chance.
func random(r *rand.Rand, c catalog.Type) []string {
	var out []string
	for range 4 {
		switch {
		case c.Base == "bit":
			out = append(out, strconv.FormatUint(r.Uint64()>>(64-c.Length), 10))
		case c.Base == "decimal":
			out = append(out, fmt.Sprintf("%.*f", c.Decimals, r.Float64()*pow10(c.Length-c.Decimals)*0.99))
		case isNumber(c) && c.Base != "year":
			bits := map[string]int{"tinyint": 8, "smallint": 16, "mediumint": 24, "int": 32, "bigint": 64}[c.Base]
			if bits == 0 {
				out = append(out, fmt.Sprintf("%.2f", r.Float64()*999))
				continue
			}
			n := int64(r.Uint64()) >> (64 - bits) >> r.IntN(bits)
			if c.Unsigned && n < 0 {
				n = -(n + 1)
			}
			out = append(out, strconv.FormatInt(n, 10))
		case c.Base == "datetime" || c.Base == "timestamp":
			out = append(out, fmt.Sprintf("'%d-%02d-%02d %02d:%02d:%02d.%06d'", 1980+r.IntN(50), 1+r.IntN(12), 1+r.IntN(28), r.IntN(24), r.IntN(60), r.IntN(60), r.IntN(1_000_000)))
		case c.Base == "time":
			out = append(out, fmt.Sprintf("'%02d:%02d:%02d.%06d'", r.IntN(800), r.IntN(60), r.IntN(60), r.IntN(1_000_000)))
		case c.Charset != "" && c.Charset != "binary" && len(c.Members) == 0:
			letters := []rune("aZ é")
			switch c.Charset {
			case "utf8mb4":
				letters = append(letters, '€', 'ж', '😀')
			case "utf8mb3", "ucs2":
				letters = append(letters, '€', 'ж')
			case "ascii", "cp1251":
				letters = []rune("aZ 7")
			}
			n := c.Length
			if n < 0 {
				n = 60
			}
			text := make([]rune, r.IntN(n+1))
			for i := range text {
				text[i] = letters[r.IntN(len(letters))]
			}
			out = append(out, "'"+string(text)+"'")
		}
	}
	return out
}

func pow10(n int) float64 {
	out := 1.0
	for range n {
		out *= 10
	}
	return out
}

// shown is how values of a type, in the column @, are compared with those of another; empty = they are not the same, whatever they are.
func shown(t, other catalog.Type) string {
	switch {
	case (t.Base == "bit" || t.Base == "year") && isNumber(other):
		return "concat(@ + 0)"
	case isNumber(t) && isNumber(other):
		return "if(@ LIKE '%.%' AND @ NOT LIKE '%e%', trim(trailing '.' from trim(trailing '0' from concat(@))), concat(@))"
	case isShape(t) && isShape(other):
		return "hex(st_aswkb(@))"
	case isShape(t) || isShape(other):
		return ""
	case t.Base == "set" && other.Base == "set", t.Base == "date" && other.Base == "datetime", t.Base == "datetime" && other.Base == "date":
		return "@ = w"
	case isTime(t.Base) && isTime(other.Base):
		return "if(@ LIKE '%.%', trim(trailing '.' from trim(trailing '0' from cast(@ as char))), cast(@ as char))"
	case t.Charset == "binary" || other.Charset == "binary":
		return "hex(@)"
	}
	return "hex(convert(@ using utf8mb4))"
}

func isShape(t catalog.Type) bool {
	return t.Base == "point" || t.Base == "polygon" || t.Base == "geometry"
}

func isTime(base string) bool {
	return base == "date" || base == "datetime" || base == "timestamp" || base == "time"
}

// TestConvertKeepsItsWord changes every type to every other on a server, in a strict sql_mode and in one that is not, over values at the
// bounds and by chance. The tables are of MyISAM, for the sake of time: values are converted by the server, for every engine. What is kept goes through with every value as it was; what is checked either does, or is refused in both modes.
func TestConvertKeepsItsWord(t *testing.T) {
	db, sv := mysqltest.Connect(t), mysqltest.Server(t)
	run(t, db, "SET time_zone = '+00:00'")
	r := rand.New(rand.NewPCG(1, 2))
	columns := make([]*catalog.Column, len(columnTypes))
	for i, c := range columnTypes {
		run(t, db, "CREATE OR REPLACE TABLE t (c "+c.sql+")")
		columns[i] = columnOf(read(t, db, "t"), "c")
	}
	counts := map[online.Fate]int{}
	unseen := 0
	all := os.Getenv("ALTERGATE_TEST_CONVERSIONS") == "all" // else a part of those that are lossy, for the sake of time
	for i, from := range columnTypes {
		var keptTypes []int
		for j, to := range columnTypes {
			c := online.Convert(columns[i], columns[j], sv)
			if c.Fate == online.Refused { // no plan has it, see TestNoCast
				continue
			}
			if c.Fate == online.Lossy && !all && r.IntN(20) > 0 {
				continue
			}
			counts[c.Fate]++
			if c.Fate == online.Kept {
				keptTypes = append(keptTypes, j)
				continue
			}
			values := append(append([]string{}, from.values...), random(r, columns[i].Type)...)
			harmed := false
			for _, mode := range []string{"STRICT_TRANS_TABLES", ""} {
				changed, failure := attempt(t, db, from.sql, to.sql, mode, values, shown(columns[i].Type, columns[j].Type), shown(columns[j].Type, columns[i].Type))
				name := fmt.Sprintf("%s to %s under '%s'", from.sql, to.sql, mode)
				switch {
				case c.Fate != online.Lossy && changed != "":
					t.Errorf("%s is %s (%s), and changes %s", name, c.Fate, c.Why, changed)
				}
				harmed = harmed || failure != nil || changed != ""
			}
			if c.Fate == online.Lossy && !harmed {
				unseen++
				t.Logf("no witness: %s to %s: %s", from.sql, to.sql, c.Why)
			}
		}
		allKept(t, db, i, keptTypes, columns, append(append([]string{}, from.values...), random(r, columns[i].Type)...))
	}
	t.Logf("%d kept, %d checked, %d lossy; no value here shows the loss of %d", counts[online.Kept], counts[online.Checked], counts[online.Lossy], unseen)
	if unseen > counts[online.Lossy]/3 {
		t.Errorf("%d of %d conversions that are lossy lose nothing", unseen, counts[online.Lossy])
	}
}

// allKept changes as many columns of one type as there are types that keep its values, each to one of them, in one statement.
func allKept(t *testing.T, db *sql.DB, from int, to []int, columns []*catalog.Column, values []string) {
	t.Helper()
	for _, mode := range []string{"STRICT_TRANS_TABLES", ""} {
		create, alter := "CREATE OR REPLACE TABLE t (n int AUTO_INCREMENT PRIMARY KEY, w "+columnTypes[from].sql, "ALTER TABLE t COMMENT = 'x'"
		var names []string
		for _, j := range to {
			name := fmt.Sprintf("c%d", j)
			names = append(names, name)
			create += ", " + name + " " + columnTypes[from].sql
			alter += ", MODIFY " + name + " " + columnTypes[j].sql
		}
		run(t, db, "SET sql_mode = ''", create+") ENGINE=MyISAM")
		for _, v := range values {
			run(t, db, "INSERT INTO t ("+strings.Join(append(names, "w"), ", ")+") VALUES ("+strings.Repeat(v+", ", len(names))+v+")")
		}
		see := func(of, j, other int) []string {
			return shownValues(t, db, shown(columns[of].Type, columns[other].Type), fmt.Sprintf("c%d", j))
		}
		before := map[int][]string{}
		for _, j := range to {
			before[j] = see(from, j, j)
		}
		run(t, db, "SET sql_mode = '"+mode+"'")
		if _, err := db.Exec(alter); err != nil {
			t.Errorf("%s: what is kept is refused under '%s': %v", alter, mode, err)
			continue
		}
		for _, j := range to {
			if d := cmp.Diff(before[j], see(j, j, from)); d != "" {
				t.Errorf("%s to %s under '%s' is kept, and changes (-before +after):\n%s", columnTypes[from].sql, columnTypes[j].sql, mode, d)
			}
		}
	}
}

// attempt runs one change, and gives the server's refusal, or the first value that is another afterwards.
func attempt(t *testing.T, db *sql.DB, from, to, mode string, values []string, shown, shownAfter string) (changed string, failure error) {
	t.Helper()
	run(t, db, "SET sql_mode = ''", "CREATE OR REPLACE TABLE t (n int AUTO_INCREMENT PRIMARY KEY, c "+from+", w "+from+") ENGINE=MyISAM")
	var rows []string
	for _, v := range values {
		rows = append(rows, "("+v+", "+v+")")
	}
	run(t, db, "INSERT INTO t (c, w) VALUES "+strings.Join(rows, ", "))
	if shown == "" {
		return "one kind of value into another", nil
	}
	before := shownValues(t, db, shown, "c")
	run(t, db, "SET sql_mode = '"+mode+"'")
	if _, err := db.Exec("ALTER TABLE t MODIFY c " + to); err != nil {
		return "", err
	}
	for i, after := range shownValues(t, db, shownAfter, "c") {
		if after != before[i] {
			return fmt.Sprintf("%s into %s", before[i], after), nil
		}
	}
	return "", nil
}

func shownValues(t *testing.T, db *sql.DB, shown, column string) []string {
	t.Helper()
	rows, err := db.Query("SELECT coalesce(" + strings.ReplaceAll(shown, "@", column) + ", 'NULL') FROM t ORDER BY n")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var all []string
	for rows.Next() {
		var v string
		if err := rows.Scan(&v); err != nil {
			t.Fatal(err)
		}
		if len(v) > 200 {
			v = fmt.Sprintf("%s… of %d", v[:150], len(v))
		}
		all = append(all, v)
	}
	return all
}

// TestConvertOnMySQL is of what differs there: JSON is a type.
func TestConvertOnMySQL(t *testing.T) {
	column := func(base string) *catalog.Column {
		c := &catalog.Column{Type: catalog.Type{Base: base, Length: -1, Decimals: -1}}
		if strings.HasSuffix(base, "text") {
			c.Type.Charset, c.Type.Collation = "utf8mb4", "utf8mb4_0900_ai_ci"
		}
		return c
	}
	for _, test := range []struct {
		from, to string
		want     online.Fate
	}{
		{"json", "json", online.Kept}, {"json", "longtext", online.Checked}, {"json", "text", online.Lossy}, {"longtext", "json", online.Lossy}, {"json", "int", online.Lossy},
	} {
		if got := online.Convert(column(test.from), column(test.to), server.Server{Major: 8}); got.Fate != test.want {
			t.Errorf("%s to %s is %s (%s), want %s", test.from, test.to, got.Fate, got.Why, test.want)
		}
	}
}

// TestNoCast holds what is refused to the server, which refuses it of an empty table; what is not refused it does.
func TestNoCast(t *testing.T) {
	db, sv := mysqltest.Connect(t), mysqltest.Server(t)
	types := []string{"bigint", "decimal(10,2)", "float", "bit(4)", "year", "date", "timestamp NULL", "time", "char(5)", "text", "varbinary(40)", "enum('a','b')", "set('a','b')", "inet6", "inet4", "uuid", "point", "geometry"}
	columns := make([]*catalog.Column, len(types))
	for i, name := range types {
		run(t, db, "CREATE OR REPLACE TEMPORARY TABLE t (c "+name+")")
		columns[i] = &catalog.Column{Name: "c", Type: typeOf(t, strings.TrimSuffix(name, " NULL"))}
		if columns[i].Type.Base == "char" || columns[i].Type.Base == "text" || columns[i].Type.Members != nil {
			columns[i].Type.Charset, columns[i].Type.Collation = "utf8mb4", "utf8mb4_general_ci"
		}
	}
	refused := 0
	for i, from := range types {
		for j, to := range types {
			run(t, db, "CREATE OR REPLACE TEMPORARY TABLE t (c "+from+")")
			_, err := db.Exec("ALTER TABLE t MODIFY c " + to)
			c := online.Convert(columns[i], columns[j], sv)
			if (err != nil) != (c.Fate == online.Refused) {
				t.Errorf("%s to %s is %s (%s), and the server says %v", from, to, c.Fate, c.Why, err)
			}
			if err != nil {
				refused++
			}
		}
	}
	if refused < 80 {
		t.Errorf("only %d are refused", refused)
	}
}
