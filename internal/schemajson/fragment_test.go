package schemajson

import (
	"strings"
	"testing"
)

// fragmentCases are pieces of SQL that are what they claim to be, and pieces that only look so.
type fragmentCases struct {
	dialect        Dialect
	kind           fragmentKind
	accept, refuse []string
}

var allFragmentCases = []fragmentCases{
	{SQLite, dataType,
		[]string{"TEXT", "integer", "double precision", "VARCHAR(255)", "DECIMAL( 10 , -2 )", "NATIVE CHARACTER (70)", "int8", " TEXT\n"},
		[]string{
			"", " ", "'TEXT'", `"TEXT"`, "(10)", "10", "TEXT()", "TEXT(10", "TEXT)", "TEXT(10)(11)", "TEXT(a)", "TEXT('a')", "TEXT(10) UNSIGNED",
			"TEXT PRIMARY KEY", "TEXT primary\tkey", "TEXT DEFAULT 1", "TEXT REFERENCES x", "TEXT, evil INT", "TEXT UNIQUE", "TEXT NOT NULL",
			"TEXT CHECK (1)", "TEXT COLLATE NOCASE", "TEXT CONSTRAINT c", "TEXT GENERATED ALWAYS", "TEXT AS (1)", "INTEGER AUTOINCREMENT",
			"TEXT \ufeffPRIMARY KEY", "TEXT\u00a0NOT\u00a0NULL", "TEXT -- x", "TEXT /* x */", "TEXT; DROP TABLE t", "TEXT\x00", "TEXT\v", "TEXT[]", "public.mood",
			"TEXT` PRIMARY KEY", "TEXT ?1", "$t",
		}},
	{SQLite, defaultValue,
		[]string{
			"1", "-1", "+ 1.5e10", ".5", "0x1F", "'a'", "'it''s'", "'a;b--c/*'", "''", "'line\nbreak'", "x'00ff'", "X''", "NULL", "true", "False",
			"current_timestamp", "(1 + 2)", "(datetime('now'))", "((1))", "('a' || ';')", "([a;b])", "(`--`)", `("a""b")`,
		},
		[]string{
			"", "a", `"a"`, "a()", "now()", "1 2", "1 NOT NULL", "1 UNIQUE", "'a' COLLATE NOCASE", "'a' 'b'", "'a''", "'a", "--1", "- -1", "1;", "1; DROP TABLE t",
			"NULL, evil INT", "NULL CHECK (1)", "()", "(1) NOT NULL", "(1)(2)", "(1", "1)", "(1))", "(1) + (2)", "1 -- x", "(1 /* x */)", "(1 /*)", "E'a'", "E'a\\''; DROP TABLE t; --'",
			"'a\\'; DROP TABLE t; --'", "x'0'", "x'0g'", "x'", "1_000", "1e", "1a", "1.2.3", "0x", "?", ":a", "@a", "$a", "($a(;))", "#1", "\\", "(')", "(\")", "([)", "(`)", "'\x01'", "'\x00'", "'\x7f'", "(\ufeff1)",
		}},
	{SQLite, checkExpression,
		[]string{"a > 0", "a IN ('x', 'y;')", "(a) OR (b)", "a -> '$.b' IS NOT NULL", "CASE WHEN a THEN 1 ELSE 0 END", "length(a) BETWEEN 1 AND 9", "a\n>\n0", "a - -1 > 0"},
		[]string{"", "a > 0) CHECK (1", ")(", "a > 0); DROP TABLE t; --", "a > 0 -- )", "a /* ) */ > 0", "a, b", "a > 'x", "a LIKE 'x' ESCAPE '\\' || '", "[a", "a]", "a{b", "a LIKE'x'"}},
	{SQLite, viewDefinition,
		[]string{
			"SELECT 1", "select * from t", "VALUES (1), (2)", "WITH a AS (SELECT 1) SELECT * FROM a", "WITH a AS (SELECT 1), b(x, y) AS (VALUES (1, 2)) SELECT * FROM a, b",
			"WITH RECURSIVE a(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM a) VALUES ((SELECT max(n) FROM a))", "WITH \"select\" AS NOT MATERIALIZED (SELECT 1) SELECT 1", "SELECT ';', \"a;b\", [--] FROM t",
		},
		[]string{
			"", "DELETE FROM t", "(SELECT 1)", "'SELECT'", "SELECT 1;", "SELECT 1; DROP TABLE t", "SELECT 1 -- x", "SELECT (1", "SELECT 1)", "WITH a AS (SELECT 1) DELETE FROM t",
			"WITH a(x) AS (SELECT 1), b AS (SELECT 2) INSERT INTO t SELECT 1", "WITH a AS (SELECT 1) REPLACE INTO t VALUES (1)", "WITH a", "WITH a AS (SELECT 1)", "EXPLAIN SELECT 1", "SELECTED", "SELECT ?",
		}},
	{SQLite, triggerAction,
		[]string{
			"BEGIN SELECT 1; END", "for each row begin select 1; end", "WHEN new.a > 0 BEGIN DELETE FROM t; END", "WHEN new.begin BEGIN SELECT 1; END",
			"WHEN CASE WHEN new.a THEN 1 END BEGIN SELECT 1; END", "WHEN (SELECT begin FROM t) BEGIN SELECT 1; END",
			"BEGIN UPDATE t SET a = CASE WHEN b THEN CASE c WHEN 1 THEN 2 END END; SELECT RAISE(ABORT, 'END; DROP TABLE t'); END",
			"BEGIN -- END; DROP TABLE t\n SELECT /* ; END; */ 1; END", "BEGIN REPLACE INTO t VALUES (new.end); END", "BEGIN SELECT \"end\" FROM t; WITH a AS (SELECT 1) SELECT * FROM a; END",
		},
		[]string{
			"", "END", "BEGIN END", "BEGIN SELECT 1 END", "BEGIN SELECT 1; END;", "BEGIN SELECT 1; END; DROP TABLE t", "BEGIN SELECT 1; END; DROP TABLE t; SELECT 1; END",
			"BEGIN SELECT 1; END; CREATE TRIGGER x AFTER INSERT ON t BEGIN SELECT 1; END", "BEGIN SELECT 1; DROP TABLE t; END", "BEGIN ; END", "BEGIN SELECT 1;; END", "BEGIN SELECT (1; ); END",
			"BEGIN SELECT CASE WHEN 1 THEN 2 END; END; DROP TABLE t; SELECT CASE WHEN 1 THEN 2 END; END", "BEGIN SELECT CASE WHEN 1 THEN 2; END; DROP TABLE t; END",
			"BEGIN SELECT 1 END; END", "BEGIN SELECT 1; END -- x", "BEGIN SELECT 1; END -- x\n", "BEGIN SELECT 1; END /* x */", "BEGIN SELECT 1; -- END", "BEGIN SELECT 1; /* END", "BEGIN SELECT 1; END END",
			"BEGIN BEGIN SELECT 1; END; END", "BEGIN SELECT begin; END", "WHEN BEGIN SELECT 1; END", "WHEN 1; BEGIN SELECT 1; END", "WHEN (1;) BEGIN SELECT 1; END", "BEGIN SELECT CASE 1; END", "WHEN 1", "FOR EACH STATEMENT BEGIN SELECT 1; END", "UPDATE OF a BEGIN SELECT 1; END",
			"OF a BEGIN SELECT 1; END", "SELECT 1; END", "EXECUTE FUNCTION f()", "BEGIN SELECT '; END", "BEGIN COMMIT; END", "BEGIN PRAGMA x; END", "BEGIN SELECT ?; END",
		}},
	{Postgres, dataType,
		[]string{"text", "numeric(10, 2)", "timestamp(3) with time zone", "integer[]", "int[3][]", `public."Mood"`, "geometry(Point, 4326)", "character varying(20)[]"},
		[]string{"text PRIMARY KEY", `"text" UNIQUE`, "text[] NOT NULL", "text STORAGE MAIN", "text COMPRESSION lz4", "numeric(1)(2)", "text, evil int", "int[a]", "int[", "int]", "text DEFAULT 1", "int GENERATED BY DEFAULT AS IDENTITY", "text COLLATE \"C\"", "t%TYPE", "enum('a')"}},
	{Postgres, defaultValue,
		[]string{
			"1", "-1", "'a'", "'a'::text", "'{}'::public.\"Mood\"[]", "now()", "nextval('a;b'::regclass)", "(now() + interval '1 day')", "E'a\\'b'", "E'\\\\'", "$$a;b$$", "$x$ $$; $x$", "pg_catalog.now()::timestamp(3)", "'\\d+'", "B'01'", "null", "CURRENT_DATE",
		},
		[]string{
			`E'a\''; DROP TABLE t; SELECT '`, `E'a\\'; DROP TABLE t; --'`, `e'\'`, `E'\\\'`, "E'a'\n'b\\''; DROP TABLE t; --'", "'a'\n'b'", "x'00'\n'1'", `'a\'; DROP TABLE t; --'`, `'\'`, "$$a$$; DROP TABLE t", "$a$ $b$", "$a", "$1", "$$", "a$$;$$",
			"1 UNIQUE", "1 NOT NULL", "now() UNIQUE", "(1) PRIMARY KEY", "1 CHECK (true)", "1, evil int", "'a'::text UNIQUE", "'a'::text COLLATE \"C\"", "1::", "U&'\\0061'", `U&"a"()`, "N'a'", "`a`", "1 /* */", "now(", "f.()", "'a' :b", "\\gexec", "a.b",
		}},
	{Postgres, checkExpression,
		[]string{"a > 0 AND b[1] = '[('", "a ~ '^\\d+$'", "a::text <> ''", "a @> '{}'", "a = ANY (ARRAY[1, 2])"},
		[]string{"a > 0) CHECK (true", "a[1", "a(1]", "a = $$x", "a = $1", "a = E'\\'", "a > 0; SELECT 1"}},
	{Postgres, viewDefinition,
		[]string{"SELECT $$;$$", "WITH a AS (SELECT 1) SELECT * FROM a"},
		[]string{"SELECT E'\\''; DROP TABLE t; --'", "WITH a AS (SELECT 1) DELETE FROM t", "TABLE t"}},
	{Postgres, triggerAction,
		[]string{"EXECUTE FUNCTION f()", "FOR EACH ROW EXECUTE PROCEDURE public.f('a', 1)", "FOR STATEMENT WHEN (new.a > 0) EXECUTE FUNCTION \"F\"()"},
		[]string{"", "FOR EACH ROW", "EXECUTE FUNCTION f", "EXECUTE FUNCTION f();", "EXECUTE FUNCTION f() DROP", "EXECUTE FUNCTION f(); DROP TABLE t", "WHEN true EXECUTE FUNCTION f()", "WHEN EXECUTE FUNCTION f()", "WHEN () EXECUTE FUNCTION f()", "BEGIN SELECT 1; END", "EXECUTE FUNCTION", "EXECUTE FUNCTION f() -- x\n"}},
}

func TestFragments(t *testing.T) {
	for _, c := range allFragmentCases {
		t.Run(string(c.dialect)+" "+string(c.kind), func(t *testing.T) {
			r, err := c.dialect.rules()
			if err != nil {
				t.Fatal(err)
			}
			for _, sql := range c.accept {
				if err := r.fragment(c.kind, sql); err != nil {
					t.Errorf("%q is refused: %v", sql, err)
				}
			}
			for _, sql := range c.refuse {
				err := r.fragment(c.kind, sql)
				if err == nil {
					t.Errorf("%q is accepted", sql)
				} else if text := err.Error(); !strings.HasPrefix(text, string(c.kind)) || strings.ContainsAny(text, "\n\x00") {
					t.Errorf("%q gives a message that is not one line about %s: %q", sql, c.kind, text)
				}
			}
		})
	}
}

func TestLongFragment(t *testing.T) {
	r, err := SQLite.rules()
	if err != nil {
		t.Fatal(err)
	}
	if err := r.fragment(checkExpression, strings.Repeat("(", maxFragment+1)); err == nil {
		t.Error("it is accepted")
	}
}
