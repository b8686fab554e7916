package syntax_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/dialect/quereus/syntax"
	"github.com/altergate/altergate/internal/source"
)

// statements are those of plans, and those that people write beside declare blocks. Each is printed as it stands here: the engine's
// templates are in capitals, what it prints from a tree is not.
var statements = []string{
	"ALTER TABLE pet RENAME TO animal",
	`ALTER TABLE clinic."order" RENAME TO "select"`,
	"ALTER TABLE pet RENAME COLUMN nick TO label",
	`ALTER TABLE "order" RENAME COLUMN "group" TO "select"`,
	"ALTER TABLE pet ADD COLUMN age integer not null default 3 collate nocase",
	`ALTER TABLE pet ADD COLUMN age text null with tags ("quereus.previous_name" = 'old')`,
	"ALTER TABLE pet DROP COLUMN age",
	"ALTER TABLE pet ADD constraint k check (kg > 0) with tags (owner = 'ops')",
	"ALTER TABLE pet ADD constraint u unique (a, b) on conflict replace",
	"ALTER TABLE pet ADD constraint f foreign key (a) references main.owner(id) on delete cascade",
	"ALTER TABLE pet ADD unique (a)",
	"ALTER TABLE pet DROP CONSTRAINT k",
	"ALTER TABLE pet RENAME CONSTRAINT k TO l",
	"ALTER TABLE pet ALTER PRIMARY KEY (a, b desc)",
	"ALTER TABLE pet ALTER PRIMARY KEY ()",
	"ALTER TABLE pet ALTER COLUMN kg SET DATA TYPE varchar(20)",
	"ALTER TABLE pet ALTER COLUMN kg SET DEFAULT 1 + 2",
	"ALTER TABLE pet ALTER COLUMN kg DROP DEFAULT",
	"ALTER TABLE pet ALTER COLUMN kg SET NOT NULL",
	"ALTER TABLE pet ALTER COLUMN kg DROP NOT NULL",
	"ALTER TABLE pet ALTER COLUMN kg SET COLLATE NOCASE",
	"ALTER TABLE pet ALTER COLUMN kg SET TAGS (pii = true)",
	"ALTER TABLE pet ALTER COLUMN kg DROP TAGS (pii, b)",
	"ALTER TABLE pet ALTER CONSTRAINT k SET TAGS (a = 1)",
	"ALTER TABLE pet SET TAGS ()",
	"ALTER TABLE pet ADD TAGS (a = null)",
	"ALTER TABLE m DROP MAINTAINED",
	"alter table m set maintained as select id, fee from visit",
	"alter table m set maintained (a, c) as select id, w from ship where w > 1",
	"ALTER VIEW v SET TAGS (audience = 'desk')",
	"ALTER MATERIALIZED VIEW m SET TAGS (cache = 'hot')",
	"ALTER INDEX clinic.ix ADD TAGS (a = 1)",
	"DROP TABLE IF EXISTS pet",
	"DROP TABLE pet",
	"DROP VIEW IF EXISTS clinic.vp",
	"DROP MATERIALIZED VIEW IF EXISTS m",
	"DROP INDEX IF EXISTS ix",
	"DROP ASSERTION IF EXISTS a",
	"create table t (id integer primary key)",
	"create table if not exists main.t (id integer primary key)",
	"create unique index if not exists i on t (a)",
	"create index clinic.ix on clinic.animal (label)",
	"create view if not exists clinic.vp as select id, 1 as one from animal",
	"create materialized view if not exists m using memory (k = 1) as select id from ship",
	"create assertion a check (1)",
	"apply schema main",
	"apply schema main to version '1.2' with seed options (rename_policy = 'deny', dry_run = true, n = 1)",
	"diff schema clinic",
	"insert into t values (1, 'a;b')",
	"begin transaction",
	"pragma foreign_keys = off",
	"with a as (select 1) select * from a",
	"declare schema main {\n}",
	"declare logical schema lens {\n  table t (id integer);\n}",
	"declare schema clinic version '1.4.0' using (default_vtab_module = 'memory', default_vtab_args = '{}', other = 3) {\n  table t (id integer);\n  domain d as real;\n  view v as select 1;\n}",
}

func TestStatements(t *testing.T) {
	for _, text := range statements {
		s, err := syntax.ParseStatement(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := syntax.PrintStatement(s); got != text {
			t.Errorf("%s\nprints %s", text, got)
		}
		// Words of the language may be in any letters, and a semicolon may follow.
		if strings.ContainsAny(text, `'"`) {
			continue
		}
		for _, other := range []string{strings.ToLower(text), "\n" + text + " ; "} {
			if _, err := syntax.ParseStatement(other); err != nil {
				t.Errorf("%s: %v", other, err)
			}
		}
	}
}

// TestOptionalWords holds the short forms the engine reads too.
func TestOptionalWords(t *testing.T) {
	for text, want := range map[string]string{
		"alter table t add c integer":                          "ALTER TABLE t ADD COLUMN c integer",
		"alter table t drop c":                                 "ALTER TABLE t DROP COLUMN c",
		"alter table t alter column c set collate \"no case\"": `ALTER TABLE t ALTER COLUMN c SET COLLATE "NO CASE"`,
		"declare schema temp { }":                              "declare schema \"temp\" {\n}",
	} {
		s, err := syntax.ParseStatement(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if got := syntax.PrintStatement(s); got != want {
			t.Errorf("%s prints %s, want %s", text, got, want)
		}
	}
}

func TestStatementErrors(t *testing.T) {
	for text, want := range map[string]string{
		"declar schema main {}":                 "s.sql:1:1: `declar` begins no statement; did you mean `declare`?",
		"alter table t foo":                     "s.sql:1:15: `foo` stands where `rename`, `add`, `drop`, `set` or `alter` should",
		"alter table t set foo":                 "s.sql:1:19: `foo` stands where `tags` or `maintained` should",
		"alter table t alter column c foo":      "s.sql:1:30: `foo` stands where `set` or `drop` should",
		"alter table t rename c to d":           "s.sql:1:22: `c` stands where `column` should",
		"alter assertion a set tags ()":         "s.sql:1:7: an assertion cannot be altered; drop it and create it anew",
		"alter view v rename to w":              "s.sql:1:14: `rename` stands where `set tags`, `add tags` or `drop tags` should",
		"drop trigger t":                        "s.sql:1:6: `trigger` stands where `table`, `view`, `materialized view`, `index` or `assertion` should",
		"create temp table t (a)":               "s.sql:1:8: Quereus has no temporary tables",
		"create trigger t":                      "s.sql:1:8: `trigger` stands where `table`, `index`, `view`, `materialized view` or `assertion` should",
		"create unique table t (a)":             "s.sql:1:15: `table` stands where `index` should",
		"create table t as select 1":            "s.sql:1:16: a table cannot be created from a query; declare its columns, or a materialized view",
		"drop table t u":                        "s.sql:1:14: `u` begins no statement",
		"declare schema { }":                    "s.sql:1:16: `{` stands where a schema name should",
		"declare main { }":                      "s.sql:1:9: `main` stands where `schema` should",
		"declare schema main version 1 { }":     "s.sql:1:29: `1` stands where a version in quotes should",
		"declare schema main { table t (a) ":    "s.sql:1:35: the text ends where `}`, which closes the declare block, should stand",
		"declare schema main { table t (a) } }": "s.sql:1:37: `}` stands where a statement should",
		"declare schema main table t (a)":       "s.sql:1:21: `table` stands where `{` should",
		"declare lens for a over b { }":         "s.sql:1:9: `declare lens` maps a logical schema onto another; it holds no tables of its own: move it to a file that is not reviewed",
		"{ }":                                   "s.sql:1:1: `{` stands where a statement should",
		"(table t (a))":                         "s.sql:1:1: `(` stands where a statement should",
		"insert into t values ('a":              "s.sql:1:23: a string is not closed",
		"pragma a = 1 delcare schema main { }":  "s.sql:1:34: `{` stands in a statement that is passed over, which begins with `pragma`; end that with a semicolon",
		"apply schema main options (a = b.c)":   "s.sql:1:33: `.` stands where `)` should",
	} {
		_, errs := syntax.Parse(&source.File{Path: "s.sql", Text: text})
		if len(errs) == 0 || errs[0].Error() != want {
			t.Errorf("%s gives %v\nwant %s", text, errs, want)
		}
	}
	for _, text := range []string{"", ";", "begin; commit", "-- nothing"} {
		if s, err := syntax.ParseStatement(text); err == nil {
			t.Errorf("%q is one statement: %T", text, s)
		}
	}
}

// TestPassedOverEnds holds that a statement which declares nothing takes none with it that does, though no semicolon parts them.
func TestPassedOverEnds(t *testing.T) {
	f := parse(t, "pragma foreign_keys = on\ndeclare schema main { table a (id integer) }\ninsert into a values (1) alter table a add column b text\nexplain drop table a")
	var got []string
	for _, s := range f.Statements {
		got = append(got, fmt.Sprintf("%T", s))
	}
	if diff := cmp.Diff([]string{"*syntax.Other", "*syntax.Declare", "*syntax.Other", "*syntax.AlterTable", "*syntax.Other"}, got); diff != "" {
		t.Errorf("statements (-want +got):\n%s", diff)
	}
}

// TestFile holds that a file may have several schemas, statements and items outside any block, with or without separators between them,
// and that comments are kept with their places.
func TestFile(t *testing.T) {
	f := parse(t, `-- first
declare schema main { table a (id integer); table b { id integer, } }
declare schema clinic { view v as select 1 } ;;
declare logical schema l { table x (id) }
table loose (id integer) // why
view u as select id from loose
index i on loose (id)
create table t (a integer)
alter table t add column b text
drop view v
apply schema main;
/* last */`)
	var got []string
	for _, s := range f.Statements {
		what := fmt.Sprintf("%d %T", s.At().Pos().Line, s)
		switch s := s.(type) {
		case *syntax.Declare:
			what += fmt.Sprintf(" %s %v %d", s.Name.Text, s.Logical, len(s.Items))
		case *syntax.Bare:
			what += " " + syntax.PrintItem(s.Item)
		}
		got = append(got, what)
	}
	want := []string{
		"2 *syntax.Declare main false 2", "3 *syntax.Declare clinic false 1", "4 *syntax.Declare l true 1",
		"5 *syntax.Bare table loose (id integer)", "6 *syntax.Bare view u as select id from loose", "7 *syntax.Bare index i on loose (id)",
		"8 *syntax.Create", "9 *syntax.AlterTable", "10 *syntax.Drop", "11 *syntax.Apply",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("statements (-want +got):\n%s", diff)
	}
	got = nil
	for _, c := range f.Comments {
		got = append(got, fmt.Sprintf("%d %s", c.Pos().Line, c.Written()))
	}
	if diff := cmp.Diff([]string{"1 -- first", "5 // why", "12 /* last */"}, got); diff != "" {
		t.Errorf("comments (-want +got):\n%s", diff)
	}
}
