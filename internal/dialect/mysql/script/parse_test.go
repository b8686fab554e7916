package script

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pingcap/tidb/pkg/parser/ast"

	"github.com/altergate/altergate/internal/dialect/mysql/server"
	"github.com/altergate/altergate/internal/source"
)

// parsed cuts a text and parses it; all errors come together.
func parsed(text string, sv server.Server, cache *Cache) (*Script, []string) {
	s, errs := Split(&source.File{Path: "a.sql", Text: text}, sv)
	var told []string
	for _, e := range append(errs, Parse(s.Statements, sv, cache)...) {
		told = append(told, fmt.Sprintf("%s %s", e.Kind, e))
	}
	return s, told
}

const onlyMaria = " is MariaDB's, and MySQL does not know it here; if the server is MariaDB, say so with the dialect mariadb"

const onlyMySQL = " is MySQL's, and MariaDB does not know it; if the server is MySQL, say so with the dialect mysql"

// parseCase is a text that is read, or the errors that it gives.
type parseCase struct {
	name string
	sv   server.Server
	text string
	want []string
}

const next = "; correct the statement, or take it out of the source and manage what it does elsewhere"

var parseCases = []parseCase{
	{"each error", mysql80, "DROP TABLE a;\nCREATE TABLE t (a int b int);\n  DROP TABEL x; DROP TABLE", []string{
		"unsupported a.sql:3:3: `DROP TABEL x` is not understood: what DROP is about is none of the kinds of objects that are read",
		"syntax a.sql:2:23: CREATE TABLE cannot be read as MySQL from here on: `CREATE TABLE t (a int b int)`" + next,
		"syntax a.sql:3:17: DROP TABLE cannot be read as MySQL from here on: `DROP TABLE`" + next}},
	{"a place behind what was rewritten", maria, "CREATE OR REPLACE TABLE t (\n a INET6 INVISIBLE,\n b UUID DEFAULT uuid(), c int oops\n);", []string{
		"syntax a.sql:3:31: CREATE TABLE cannot be read as MariaDB from here on: `b UUID DEFAULT uuid(), c int oops`" + next}},
	{"a place behind code", mysql80, "/*!50001 CREATE TABLE */ t (\n  ü int 'x'\n);", []string{
		"syntax a.sql:2:9: CREATE TABLE cannot be read as MySQL from here on: `ü int 'x'`" + next}},
	{"names in strings", mysql80, "CREATE TABLE t (\"a\" int)", []string{
		"syntax a.sql:1:17: CREATE TABLE cannot be read as MySQL from here on: `CREATE TABLE t (\"a\" int)`; double quotes are strings here, names take backticks, or set sql_mode to ANSI_QUOTES in the file" + next}},
	{"a trailing comma", mysql80, "CREATE TABLE t (\n  a int,\n);", []string{
		"syntax a.sql:3:1: CREATE TABLE cannot be read as MySQL from here on: `)`" + next}},
	{"columns of a query", mysql80, "CREATE TABLE t AS SELECT 1; CREATE TABLE u (a int) SELECT 1 AS a", []string{
		"unsupported a.sql:1:1: CREATE TABLE … SELECT takes columns from a query, whose types are not known from the text; write the columns out",
		"unsupported a.sql:1:29: CREATE TABLE … SELECT takes columns from a query, whose types are not known from the text; write the columns out"}},
	{"rows that go", mysql80, "ALTER IGNORE TABLE t ADD UNIQUE (a)", []string{
		"unsupported a.sql:1:7: ALTER IGNORE TABLE deletes rows that a new key would not allow; delete them by a statement of your own, and take IGNORE out"}},
	{"expressions without parentheses", mysql80, "CREATE TABLE t (a char(36) DEFAULT uuid())", []string{
		"unsupported a.sql:1:36: MySQL takes an expression as a default only in parentheses; write DEFAULT (uuid())"}},
	{"sequences", mysql80, "CREATE SEQUENCE s", []string{"unsupported a.sql:1:1: MySQL has no sequences; if the server is MariaDB, say so with the dialect mariadb"}},
	{"a sequence's options", maria, "CREATE SEQUENCE s START 1 STOP 5", []string{"syntax a.sql:1:27: this is no option of a sequence: `CREATE SEQUENCE s START 1 STOP 5`"}},
	{"TiDB's own", mysql80, "CREATE TABLE t (a bigint AUTO_RANDOM); CREATE TABLE u (a int) SHARD_ROW_ID_BITS=4", []string{
		"unsupported a.sql:1:1: AUTO_RANDOM of column a is TiDB's; MySQL would not run this statement",
		"unsupported a.sql:1:40: this statement has an option that only TiDB knows; MySQL would not run it"}},
	{"MariaDB's own", mysql80, "CREATE OR REPLACE TABLE t (a int);CREATE TABLE t (a INET6);CREATE TABLE t (a int) WITH SYSTEM VERSIONING;ALTER TABLE t DROP INDEX IF EXISTS i;CREATE TABLE t (a int, KEY (a) IGNORED);DROP TABLE t NOWAIT", []string{
		"unsupported a.sql:1:8: OR REPLACE" + onlyMaria, "unsupported a.sql:1:53: the type INET6" + onlyMaria, "unsupported a.sql:1:83: WITH SYSTEM VERSIONING" + onlyMaria,
		"unsupported a.sql:1:131: IF EXISTS, or IF NOT EXISTS," + onlyMaria, "unsupported a.sql:1:174: IGNORED" + onlyMaria, "unsupported a.sql:1:196: WAIT, or NOWAIT," + onlyMaria}},
	{"MySQL's own", maria, "CREATE TABLE t (a int VISIBLE);CREATE TABLE t (a int, KEY ((a + 1)))", []string{
		"unsupported a.sql:1:23: VISIBLE of a column" + onlyMySQL, "unsupported a.sql:1:60: a key on an expression" + onlyMySQL}},
	{"a view that is there", mysql84, "CREATE VIEW IF NOT EXISTS v AS SELECT 1", []string{
		"unsupported a.sql:1:13: IF NOT EXISTS of a view needs MySQL 9.1; write CREATE OR REPLACE VIEW, or state the version"}},
	{"a trigger's head", mysql80, "CREATE TRIGGER a BEFORE SELECT ON t FOR EACH ROW SET @a = 1;CREATE TRIGGER a AFTER INSERT ON t FOR EACH ROW;CREATE PROCEDURE p SELECT 1", []string{
		"syntax a.sql:1:25: INSERT, UPDATE or DELETE is expected here: `CREATE TRIGGER a BEFORE SELECT ON t FOR EACH ROW SET @a = 1`",
		"syntax a.sql:1:108: the body of the trigger is missing: `CREATE TRIGGER a AFTER INSERT ON t FOR EACH ROW`",
		"syntax a.sql:1:128: the parameters are expected here, in parentheses: `CREATE PROCEDURE p SELECT 1`"}},
	{"reserved words", mysql80, "CREATE TABLE groups (a int)", []string{
		"syntax a.sql:1:14: CREATE TABLE cannot be read as MySQL from here on: `CREATE TABLE groups (a int)`" + next}},
	{"reserved elsewhere", maria, "CREATE TABLE groups (window int, `a` int, rank int, KEY lead (row), CHECK (rank > 0)); CREATE VIEW v AS SELECT rank FROM groups", nil},
	{"reserved later", server.Server{Major: 5, Minor: 7}, "CREATE TABLE groups (rank int)", nil},
	{"beyond the parser", mysql80, "CREATE VIEW v AS SELECT * FROM JSON_TABLE('[1]', '$[*]' COLUMNS (a int PATH '$')) AS j", nil},
}

func TestParse(t *testing.T) {
	for _, tt := range parseCases {
		t.Run(tt.name, func(t *testing.T) {
			_, got := parsed(tt.text, tt.sv, nil)
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

// TestParseKeeps wants what TiDB's parser does not keep of a statement to be kept beside its tree.
func TestParseKeeps(t *testing.T) {
	kept := func(m Maria) *Maria { return &m }
	tests := []struct {
		text string
		want *Maria
	}{
		{"CREATE TABLE t (a int NOT NULL DEFAULT 1 COMMENT 'x', KEY k (a)) ENGINE=InnoDB", nil},
		{"CREATE OR REPLACE TABLE t (a int)", kept(Maria{OrReplace: true})},
		{"CREATE TABLE t (a INET6 INVISIBLE, `B` UUID DEFAULT uuid() COMMENT 'x', c varchar(9) COMPRESSED, d int DEFAULT (1 + 1), e point REF_SYSTEM_ID=4326)", kept(Maria{Columns: map[string]map[string]string{
			"a": {"type": "inet6", "invisible": ""}, "b": {"type": "uuid", "default": "uuid()"}, "c": {"compressed": ""}, "d": {"default": "1 + 1"}, "e": {"type": "point", "srid": "4326"}}})},
		{"CREATE TABLE t (a NCHAR(3), b char(3) ascii, c int DEFAULT NEXT VALUE FOR s, d int WITHOUT SYSTEM VERSIONING, e int `x`=5, f int CHECK (f > 0) DEFAULT (NULL))",
			kept(Maria{Columns: map[string]map[string]string{"a": {"national": ""}, "b": {"charset": "latin1"}, "c": {"default": "NEXT VALUE FOR s"},
				"d": {"without system versioning": ""}, "e": {"option X": "5"}, "f": {"default": "NULL"}}})},
		{"CREATE TABLE t (s timestamp(6) GENERATED ALWAYS AS ROW START, e timestamp(6) AS ROW END, PERIOD FOR SYSTEM_TIME (s, e)) WITH SYSTEM VERSIONING", kept(Maria{
			Versioning: "with system versioning", Options: map[string]string{"PERIOD FOR SYSTEM_TIME": "(s, e)"}, Columns: map[string]map[string]string{"s": {"row": "start"}, "e": {"row": "end"}}})},
		{"CREATE TABLE t (PERIOD FOR p (s, e), s date, e date, UNIQUE (s, p WITHOUT OVERLAPS), KEY k (e) IGNORED, SPATIAL (s), CONSTRAINT u UNIQUE KEY i (s), FOREIGN KEY f (s) REFERENCES p (s))", kept(Maria{
			Options: map[string]string{"PERIOD FOR P": "(s, e)"},
			Keys:    map[int]map[string]string{0: {"without overlaps": ""}, 1: {"ignored": ""}, 2: {"spatial": ""}, 3: {"index": "i"}, 4: {"index": "f"}}})},
		{"CREATE TABLE t (a int) PAGE_COMPRESSED=1, COMMENT='x', STATS_PERSISTENT=0 PACK_KEYS 1 ROW_FORMAT=PAGE ENGINE=Aria", kept(Maria{Options: map[string]string{
			"PAGE_COMPRESSED": "1", "STATS_PERSISTENT": "0", "PACK_KEYS": "1", "ROW_FORMAT": "PAGE"}})},
		{"CREATE TABLE t (a int) PARTITION BY SYSTEM_TIME LIMIT 5 AUTO PARTITIONS 3", kept(Maria{Options: map[string]string{"PARTITION BY": "PARTITION BY SYSTEM_TIME LIMIT 5 AUTO PARTITIONS 3"}})},
		{"ALTER TABLE t ADD COLUMN IF NOT EXISTS a UUID, DROP CONSTRAINT IF EXISTS c, ALTER b SET DEFAULT (uuid()), ADD SYSTEM VERSIONING, ALTER INDEX i IGNORED, ALGORITHM=NOCOPY, PAGE_COMPRESSED=1", kept(Maria{
			Columns: map[string]map[string]string{"a": {"type": "uuid"}}, IfExists: map[int]string{0: "IF NOT EXISTS", 1: "IF EXISTS"}, Options: map[string]string{"PAGE_COMPRESSED": "1"},
			Clauses: map[int]string{1: "DROP CONSTRAINT IF EXISTS c", 2: "ALTER b SET DEFAULT (uuid())", 3: "ADD SYSTEM VERSIONING", 4: "ALTER INDEX i IGNORED", 5: "ALGORITHM=NOCOPY",
				6: "PAGE_COMPRESSED=1"}})},
		{"CREATE VIEW IF NOT EXISTS v AS SELECT 1", kept(Maria{IfExists: map[int]string{whole: "IF NOT EXISTS"}})},
		{"CREATE OR REPLACE SEQUENCE d.s START WITH 5 INCREMENT -1 NOCACHE NO MAXVALUE CYCLE", kept(Maria{OrReplace: true, Name: Ident{"d", "s"},
			Sequence: map[string]string{"start": "5", "increment": "-1", "cache": "no", "maxvalue": "no", "cycle": "yes"}})},
		{"CREATE VIEW v AS SELECT * FROM t FOR SYSTEM_TIME ALL", kept(Maria{Opaque: "FOR SYSTEM_TIME"})},
		{"CREATE DATABASE d COMMENT 'x'", kept(Maria{Options: map[string]string{"COMMENT": "'x'"}})},
	}
	for _, tt := range tests {
		s, errs := parsed(tt.text, maria, nil)
		if len(errs) > 0 || len(s.Statements) != 1 {
			t.Errorf("%s: %v", tt.text, errs)
			continue
		}
		got := s.Statements[0].Maria
		if got != nil && got.Sequence != nil && len(got.Sequence) == 0 {
			got.Sequence = nil
		}
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.text, d)
		}
	}
}

// TestParseTrees wants the trees to say what the text says, where it was rewritten on its way.
func TestParseTrees(t *testing.T) {
	s, errs := parsed("CREATE VIEW v AS SELECT a FROM t WITH CHECK OPTION; ALTER VIEW v AS SELECT 1; CREATE TABLE t (a int, FOREIGN KEY f (a) REFERENCES p (a), CONSTRAINT g FOREIGN KEY h (a) REFERENCES p (a));"+
		"ALTER TABLE t DROP INDEX IF EXISTS i, FORCE; CREATE TABLE u (a text COLLATE utf8mb4_uca1400_ai_ci)", maria, nil)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	if n := s.Statements[0].Node.(*ast.CreateViewStmt); n.CheckOption != ast.CheckOptionCascaded {
		t.Errorf("the check option is %v", n.CheckOption)
	}
	if n := s.Statements[1].Node.(*ast.CreateViewStmt); n.ViewName.Name.O != "v" || s.Statements[1].Kind != AlterView {
		t.Errorf("the view is %v", n.ViewName)
	}
	if n := s.Statements[2].Node.(*ast.CreateTableStmt); n.Constraints[0].Name != "" || n.Constraints[1].Name != "g" {
		t.Errorf("the foreign keys are %q and %q", n.Constraints[0].Name, n.Constraints[1].Name)
	}
	if n := s.Statements[3].Node.(*ast.AlterTableStmt); !n.Specs[0].IfExists || n.Specs[1].IfExists {
		t.Error("IF EXISTS is not where it was")
	}
}

// TestParts wants definitions and clauses to be where they are written.
func TestParts(t *testing.T) {
	s, errs := parsed("CREATE TABLE t ( `a` int DEFAULT (1, 2) , KEY k (a, b), c enum('x,)') /* y */ );ALTER TABLE t ADD a int AFTER b, DROP KEY k, ENGINE=InnoDB COMMENT 'x, y'", maria, nil)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	var got []string
	for _, st := range s.Statements {
		for _, p := range st.Parts {
			got = append(got, p.Column+": "+st.SQL[p.Start:p.End])
		}
	}
	want := []string{"a: `a` int DEFAULT (1, 2)", ": KEY k (a, b)", "c: c enum('x,)') /* y */", "a: ADD a int AFTER b", ": DROP KEY k", ": ENGINE=InnoDB COMMENT 'x, y'"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestParseNested takes statements that would fill the stack, which ends the process.
func TestParseNested(t *testing.T) {
	const n = 100_000
	deep := fmt.Sprintf("this statement nests too deep here: at most %d parentheses, and %d operators or joins in a row, are read", maxParentheses, maxChain)
	for i, text := range []string{
		"CREATE VIEW v AS SELECT " + strings.Repeat("(", n) + "1" + strings.Repeat(")", n),
		"CREATE TABLE t (a int CHECK (" + strings.Repeat("NOT ", n) + "a))",
		"CREATE TABLE t (a int CHECK (a" + strings.Repeat(" + a", n) + "))",
		"CREATE TABLE t (a int CHECK (" + strings.Repeat("!", n) + "a))",
		"CREATE TABLE t (a int CHECK (a" + strings.Repeat(" AND a", n) + "))",
		"CREATE TABLE t (a int DEFAULT (" + strings.Repeat("f(", n) + ")",
		"CREATE VIEW v AS SELECT " + strings.Repeat("CASE WHEN a THEN ", n) + "1" + strings.Repeat(" END", n),
		"CREATE VIEW v AS SELECT 1" + strings.Repeat(" UNION SELECT 1", n),
		"CREATE VIEW v AS SELECT 1 FROM a" + strings.Repeat(" JOIN a", n),
		"CREATE VIEW v AS SELECT 1 FROM a" + strings.Repeat(" STRAIGHT_JOIN a", n),
		"CREATE VIEW v AS SELECT * FROM " + strings.Repeat("(SELECT * FROM ", n) + "a",
		"CREATE VIEW v AS SELECT a" + strings.Repeat(" COLLATE utf8mb4_bin", n),
		"CREATE VIEW v AS SELECT a" + strings.Repeat("->'$.x'", n),
		"CREATE PROCEDURE p() SET x = " + strings.Repeat("(", n) + "1" + strings.Repeat(")", n),
	} {
		_, got := parsed(text, mysql84, nil)
		if len(got) != 1 || !strings.HasSuffix(got[0], deep) {
			t.Errorf("%d: %.300v", i, got)
		}
	}
	for _, text := range []string{
		"CREATE TABLE t (a int DEFAULT 1" + strings.Repeat(", b int DEFAULT (1 + 1)", 10_000) + ")",
		"CREATE TABLE t (a enum('x'" + strings.Repeat(",'y'", 60_000) + "))",
		"CREATE PROCEDURE p() BEGIN " + strings.Repeat("SET a = a + 1 UNION SELECT 1; ", 10_000) + "END",
		"CREATE PROCEDURE p() " + strings.Repeat("BEGIN ", n) + strings.Repeat("END; ", n-1) + "END",
	} {
		if _, got := parsed(text, mysql84, nil); len(got) > 0 {
			t.Errorf("%.60s: %.300v", text, got)
		}
	}
}

// TestParseShares wants equal texts to be parsed once, by whoever comes first.
func TestParseShares(t *testing.T) {
	cache := &Cache{}
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			if s, errs := parsed(strings.Repeat("CREATE TABLE t (a int);DROP TABLE t;", 100), mysql80, cache); len(errs) > 0 || s.Statements[0].Node != s.Statements[2].Node {
				t.Errorf("the trees differ, or %v", errs)
			}
		})
	}
	wait.Wait()
	if len(cache.parsed) != 2 {
		t.Errorf("the cache holds %d", len(cache.parsed))
	}
	a, _ := parsed("DROP TABLE t", mysql80, cache)
	b, _ := parsed("\n\nDROP TABLE t", mysql80, cache)
	if a.Statements[0].Node != b.Statements[0].Node {
		t.Error("the trees differ")
	}
}
