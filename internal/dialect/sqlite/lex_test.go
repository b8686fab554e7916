package sqlite

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/schema"
	"github.com/altergate/altergate/internal/source"
)

func TestLex(t *testing.T) {
	names := map[kind]string{word: "word", quoted: "quoted", text: "text", number: "number", blob: "blob", parameter: "parameter", operator: "operator", comment: "comment", illegal: "illegal"}
	tests := []struct{ sql, want string }{
		{"select*from t", "word:select operator:* word:from word:t"},
		{`"a""b" 'it''s' [x y] ` + "`q`", `quoted:"a""b" text:'it''s' quoted:[x y] quoted:` + "`q`"},
		{"x'0fF0' X'' x'0'", "blob:x'0fF0' blob:X'' illegal:x'0'"},
		{"1 1.5 .5 1e3 1.e-3 0x1F 1_000", "number:1 number:1.5 number:.5 number:1e3 number:1.e-3 number:0x1F number:1_000"},
		{"12ab", "illegal:12ab"},
		{"a->>b->c||d<>e==f!=g<=h<<i", "word:a operator:->> word:b operator:-> word:c operator:|| word:d operator:<> word:e operator:== word:f operator:!= word:g operator:<= word:h operator:<< word:i"},
		{"-- to the end\na /* in */ b", "comment:-- to the end word:a comment:/* in */ word:b"},
		{"?1 :a @b $c", "parameter:?1 parameter::a parameter:@b parameter:$c"},
		{"größe $x é", "word:größe parameter:$x word:é"},
		{"'open", "illegal:'open"},
		{`"open`, `illegal:"open`},
		{"[open", "illegal:[open"},
		{"/* open", "illegal:/* open"},
		{"{{ x }}", "illegal:{ illegal:{ word:x illegal:} illegal:}"},
		{"\x00", "illegal:\x00"},
	}
	for _, test := range tests {
		var got []string
		for _, tok := range lex(test.sql) {
			got = append(got, fmt.Sprintf("%s:%s", names[tok.kind], tok.text))
		}
		if diff := cmp.Diff(test.want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%q (-want +got):\n%s", test.sql, diff)
		}
	}
}

func TestSplit(t *testing.T) {
	sql := "CREATE TABLE a (x);\n;; CREATE TRIGGER g AFTER INSERT ON a BEGIN SELECT CASE 1 WHEN 1 THEN 2 END; DELETE FROM a; END;\n" +
		"/* ; */ CREATE VIEW v AS SELECT ';' -- ;\n;\nSELECT 1"
	s, errs := split(&source.File{Path: "s.sql", Text: sql})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	var got []string
	for _, st := range s.statements {
		got = append(got, st.start().String()+" "+strings.Join(strings.Fields(st.text)[:2], " "))
	}
	want := []string{"s.sql:1:1 CREATE TABLE", "s.sql:2:4 CREATE TRIGGER", "s.sql:3:9 CREATE VIEW", "s.sql:5:1 SELECT 1"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestCanonical holds spellings of one thing together, and different things apart.
func TestCanonical(t *testing.T) {
	known := columnsOf(map[string]bool{"a": true, "b": true})
	same := [][2]string{
		{"a = 1", "A==1"}, {"a <> 1", "a != 1"}, {"(a > 0)", "a>0"}, {"((a))", "a"}, {`"a" > 'x'`, "a > 'x'"}, {"`a`", "[A]"}, {`a = "no column"`, "a = 'no column'"},
		{"a /* c */ + b", "a+b -- c"}, {"LENGTH(a)", "length ( a )"}, {"t.a", `"t".a`}, {`"length"(a)`, "length(a)"},
	}
	apart := [][2]string{
		{"a = 'x'", "a = 'X'"}, {"a = b", "b = a"}, {"(a) + (b)", "a + b"}, {`a = "word"`, "a = word"}, {"(a = 1) or (b = 1)", "a = 1 or b = 1"}, {"a || 'b'", "a || b"},
	}
	form := func(sql string) string { return expression(newParser(sql).tokens, known) }
	for _, p := range same {
		if form(p[0]) != form(p[1]) {
			t.Errorf("%q is %q and %q is %q", p[0], form(p[0]), p[1], form(p[1]))
		}
	}
	for _, p := range apart {
		if form(p[0]) == form(p[1]) {
			t.Errorf("%q and %q are both %q", p[0], p[1], form(p[0]))
		}
	}
}

func TestUsesOf(t *testing.T) {
	tests := []struct {
		sql, tables string
		open        bool
	}{
		{"CREATE VIEW v AS SELECT a, status FROM t JOIN u ON t.x = u.status, w", "t u w", false},
		{"CREATE VIEW v AS SELECT * FROM (a JOIN b USING (c)) WHERE d IN e", "a b e", true},
		{"CREATE VIEW v AS SELECT a FROM t WHERE b IN (1, 2) AND c IN u AND d > e", "t u", false},
		{"CREATE VIEW v AS WITH c AS (SELECT x FROM t) SELECT count(*) * 2 FROM c", "c t", false},
		{"CREATE VIEW v AS SELECT 1 FROM main.t NATURAL JOIN 'u'", "main t u", true},
		{"CREATE TRIGGER g AFTER UPDATE OF a ON t WHEN NEW.a IN (SELECT b FROM u) BEGIN INSERT INTO w (x) SELECT y FROM z; UPDATE OR IGNORE q SET a = 1; DELETE FROM r; END", "t u w z q r", false},
	}
	for _, test := range tests {
		got := usesOf(newParser(test.sql).tokens)
		for _, want := range strings.Fields(test.tables) {
			if !got.Tables[want] {
				t.Errorf("%s is not found in %s: %v", want, test.sql, got.Tables)
			}
			delete(got.Tables, want)
		}
		for extra := range got.Tables {
			if extra != "or" && extra != "ignore" && extra != "natural" && extra != "of" && extra != "a" { // too many is allowed where it cannot be helped
				t.Errorf("%s is found in %s", extra, test.sql)
			}
		}
		if got.Open != test.open {
			t.Errorf("open is %t for %s", got.Open, test.sql)
		}
	}
}

func TestHintsBelongToWhatTheyStandBeside(t *testing.T) {
	tests := []struct{ name, sql, want string }{
		{"behind a column", "CREATE TABLE t (\n  a INT, -- @renamed from=x\n  b INT\n);", "t.a from x"},
		{"behind the last column", "CREATE TABLE t (\n  a INT,\n  b INT -- @renamed from=x\n);", "t.b from x"},
		{"above a column", "CREATE TABLE t (\n  a INT,\n  -- @renamed from=x\n  b INT\n);", "t.b from x"},
		{"in the middle of a definition", "CREATE TABLE t (\n  a /* @renamed from=x */ INT\n);", "t.a from x"},
		{"in a one-line table", "CREATE TABLE t (a INT, b INT); -- @renamed from=x", "t.b from x"},
		{"behind the opening parenthesis", "CREATE TABLE t ( -- @renamed from=x\n  a INT\n);", "t from x"},
		{"behind the closing one", "CREATE TABLE t (\n  a INT\n); -- @renamed from=x", "t from x"},
		{"above the table", "SELECT 1;\n-- atlas:renamed_from x\nCREATE TABLE t (a INT);", "t from x"},
		{"above the table, with a blank line and words", "-- the table\n  -- atlas:renamed_from \"x y\"\n\n-- of things\nCREATE TABLE t (a INT);", "t from x y"},
		{"two on one table", "-- @renamed from=x\nCREATE TABLE t (\n  a INT -- @renamed from=`y`\n);", "t from x, t.a from y"},
		{"behind two statements", "CREATE TABLE t (a INT); CREATE TABLE u (b INT); -- @renamed from=x", "u.b from x"},
		{"in a string", "CREATE TABLE t (a TEXT DEFAULT '-- @renamed from=x');", ""},
		{"behind a constraint", "CREATE TABLE t (\n  a INT,\n  CHECK (a > 0) -- @renamed from=x\n);", "error"},
		{"behind an index", "CREATE TABLE t (a INT);\nCREATE INDEX i ON t (a); -- @renamed from=x", "error"},
		{"in a trigger", "CREATE TABLE t (a INT);\nCREATE TRIGGER g AFTER INSERT ON t BEGIN\n  SELECT 1; -- @renamed from=x\nEND;", "error"},
		{"at the end of the file", "CREATE TABLE t (a INT);\n\n-- @renamed from=x\n", "error"},
		{"behind another statement", "SELECT 1; -- @renamed from=x\nCREATE TABLE t (a INT);", "error"},
		{"without a name", "CREATE TABLE t (a INT -- @renamed from=\n);", "error"},
		{"without from", "CREATE TABLE t (a INT -- @renamed x\n);", "error"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s, errs := split(&source.File{Path: "s.sql", Text: test.sql})
			if len(errs) > 0 {
				t.Fatal(errs)
			}
			hints, errs := s.hints()
			var got []string
			for _, h := range hints {
				object := h.To
				if h.Table != "" {
					object = h.Table + "." + h.To
				}
				got = append(got, object+" from "+h.From)
			}
			for range errs {
				got = append(got, "error")
			}
			if strings.Join(got, ", ") != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestClassify(t *testing.T) {
	tests := []struct {
		sql  string
		want use
	}{
		{"CREATE TABLE t (a)", run}, {"create unique index i on t (a)", run}, {"ALTER TABLE t ADD b", run}, {"DROP VIEW IF EXISTS v", run},
		{"CREATE TABLE sqlite_sequence(name,seq)", pass},
		{"INSERT INTO t VALUES (1)", pass}, {"BEGIN TRANSACTION", pass}, {"PRAGMA foreign_keys=OFF", pass}, {"PRAGMA main.user_version = 3", pass}, {"VACUUM", pass}, {"SELECT 1", pass},
		{"ATTACH 'x.db' AS x", refuse}, {"VACUUM INTO 'x.db'", refuse}, {"VACUUM main INTO 'x.db'", refuse}, {"SELECT load_extension('x')", refuse}, {`SELECT "load_extension"('x')`, refuse},
		{"PRAGMA writable_schema = ON", refuse}, {"PRAGMA main.writable_schema=1", refuse}, {"PRAGMA legacy_alter_table = ON", refuse}, {"PRAGMA temp_store_directory = '/'", refuse},
		{"INSERT INTO sqlite_master VALUES (1)", refuse}, {"UPDATE sqlite_schema SET sql = ''", refuse}, {"CREATE VIEW v AS SELECT writefile('a', 'b')", refuse},
		{"CREATE TABLE main.t (a)", run}, {"CREATE TABLE IF NOT EXISTS temp.t (a)", refuse}, {"CREATE INDEX temp.i ON t (a)", refuse},
		{"CREATE TEMP TABLE t (a)", refuse}, {"ROLLBACK", refuse}, {"GRANT ALL ON t TO x", refuse}, {".read other.sql", refuse},
	}
	for _, test := range tests {
		s, errs := split(&source.File{Path: "s.sql", Text: test.sql})
		if len(errs) > 0 || len(s.statements) != 1 {
			t.Fatalf("%s: %v", test.sql, errs)
		}
		got, err := classify(s.statements[0])
		if got != test.want || (got == refuse) != (err != nil) {
			t.Errorf("%s: got %d, %v; want %d", test.sql, got, err, test.want)
		}
	}
}

// TestConverts follows sqlite.org/datatype3.html, section 3.1.1, for the affinities.
func TestConverts(t *testing.T) {
	affinities := map[string]string{"INT": "INTEGER", "BIGINT UNSIGNED": "INTEGER", "POINT": "INTEGER", "VARCHAR(9)": "TEXT", "CLOB": "TEXT", "BLOB": "BLOB", "": "BLOB",
		"DOUBLE PRECISION": "REAL", "FLOAT": "REAL", "DECIMAL(10,5)": "NUMERIC", "BOOLEAN": "NUMERIC", "DATETIME": "NUMERIC", "STRING": "NUMERIC", "ANY": "ANY"}
	for declared, want := range affinities {
		if got := affinity(&schema.Column{TypeCanon: strings.ToLower(declared)}); got != want {
			t.Errorf("%s has affinity %s, want %s", declared, got, want)
		}
	}
}

// TestFitsStrict follows what SQLite 3.54 answers to INSERT … DEFAULT VALUES.
func TestFitsStrict(t *testing.T) {
	for _, declared := range []string{"int", "integer", "real", "text", "blob", "any"} {
		for _, constant := range []string{"1", "-1", "1.5", "2.0", "1e3", "0x1f", "'5'", "'5.5'", "'heavy'", "''", "x'00'", "null", "true"} {
			l, err := Read(t.Context(), []*source.File{{Path: "s.sql", Text: fmt.Sprintf("CREATE TABLE t (a INT, b %s DEFAULT %s) STRICT;", declared, constant)}}, nil)
			if err != nil {
				t.Fatal(err)
			}
			e, err := l.open(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			taken := e.exec(t.Context(), "INSERT INTO t DEFAULT VALUES") == nil
			e.close()
			column := l.Schema.Table("t").Column("b")
			if got := fitsStrict(column.TypeCanon, column.Default.Constant); got != taken {
				t.Errorf("%s DEFAULT %s: got %t, SQLite says %t", declared, constant, got, taken)
			}
		}
	}
}

func TestTotal(t *testing.T) {
	for sql, want := range map[string]bool{
		"a || b": true, "upper(a)": true, "CASE WHEN a IN (1, 2) THEN length(b) END": true, "a = 1 AND (b > 2)": true, "coalesce(a, 'json_extract(')": true,
		"json_extract(a, '$.x')": false, "a ->> 'x'": false, "abs(a)": false, "upper(json(a))": false, "\"json\"(a)": false, "own_function(a)": false,
	} {
		if got := (Planner{}).Total(schema.Expr{Text: sql}); got != want {
			t.Errorf("%s: got %t", sql, got)
		}
	}
}
