package syntax_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/dialect/quereus/syntax"
	"github.com/altergate/altergate/internal/schema"
	"github.com/altergate/altergate/internal/source"
)

// itemTests are items, how they are printed in a declare block, and the statement that creates them.
var itemTests = []struct{ text, item, create string }{
	{"table t (id integer primary key)", "table t (id integer primary key)", "create table t (id integer primary key)"},
	{"TABLE Pet { Id INTEGER PRIMARY KEY, Label Text NOT NULL, }", "table Pet (Id INTEGER primary key, Label Text not null)", "create table Pet (Id INTEGER primary key, Label Text not null)"},
	{"table t ()", "table t ()", "create table t ()"},
	{"table t (a)", "table t (a)", "create table t (a)"},
	{"table t using memory { a integer }", "table t using memory () (a integer)", "create table t (a integer) using memory"},
	{"table t using store('x', 2, Path = 'p', on_disk = true, cold = false, mode = fast, gap = -1.50, no_value = null, flag) (a integer)",
		"table t using store ('x', 2, path = 'p', on_disk = 1, cold = 0, mode = 'fast', gap = -1.5, no_value = null, flag = 'flag') (a integer)",
		"create table t (a integer) using store ('x', 2, path = 'p', on_disk = 1, cold = 0, mode = 'fast', gap = -1.5, no_value = null, flag = 'flag')"},
	{"table t using (k = 1) (a integer)", "table t using (k = 1) (a integer)", "create table t (a integer)"},
	{"table t (a decimal( 12 , 2 ), b varchar (20))", "table t (a decimal(12,2), b varchar(20))", "create table t (a decimal(12,2), b varchar(20))"},
	{"table \"order\" (id integer, \"group\" text, \"two words\" text null)", `table "order" (id integer, "group" text, "two words" text null)`, `create table "order" (id integer, "group" text, "two words" text null)`},
	{"table t (key integer, action text, \"check\" text)", `table t ("key" integer, "action" text, "check" text)`, `create table t ("key" integer, "action" text, "check" text)`},
	{"table t (a integer primary key asc on conflict abort, b integer not null on conflict fail null unique on conflict ignore)",
		"table t (a integer primary key, b integer not null on conflict fail null unique on conflict ignore)",
		"create table t (a integer primary key, b integer not null on conflict fail null unique on conflict ignore)"},
	{"table t (a integer primary key desc on conflict replace)", "table t (a integer primary key desc on conflict replace)", "create table t (a integer primary key desc on conflict replace)"},
	{"table t (a text collate NoCase default 'x', b text default (1 + 2) check (b > 0), c integer default -1)",
		"table t (a text collate nocase default 'x', b text default 1 + 2 check (b > 0), c integer default -1)",
		"create table t (a text collate nocase default 'x', b text default 1 + 2 check (b > 0), c integer default -1)"},
	{"table t (a integer default 1 not null, b integer default null null)", "table t (a integer default 1 not null, b integer default null null)", "create table t (a integer default 1 not null, b integer default null null)"},
	{"table t (q integer, u real, a real generated always as (q * u) stored, b real generated always as (q) virtual)",
		"table t (q integer, u real, a real generated always as (q * u) stored, b real generated always as (q))",
		"create table t (q integer, u real, a real generated always as (q * u) stored, b real generated always as (q))"},
	{"table t (a integer references p, b integer constraint fk references main.p(id, k) on delete set null on update set default not deferrable initially immediate)",
		"table t (a integer references p, b integer constraint fk references main.p(id, k) on delete set null on update set default not deferrable initially immediate)",
		"create table t (a integer references p, b integer constraint fk references main.p(id, k) on delete set null on update set default not deferrable initially immediate)"},
	{"table t (a integer, foreign key (a) references p (id) on update no action on delete cascade deferrable initially deferred)",
		"table t (a integer, foreign key (a) references p(id) on delete cascade on update restrict deferrable initially deferred)",
		"create table t (a integer, foreign key (a) references p(id) on delete cascade on update restrict deferrable initially deferred)"},
	{"table t (primary key (a, b desc), a integer, unique (a, b) on conflict rollback, b integer, constraint k check on update, insert (a > 0) on conflict fail)",
		"table t (a integer, b integer, primary key (a, b desc), unique (a, b) on conflict rollback, constraint k check on update, insert (a > 0) on conflict fail)",
		"create table t (a integer, b integer, primary key (a, b desc), unique (a, b) on conflict rollback, constraint k check on update, insert (a > 0) on conflict fail)"},
	{"table cfg (v integer, primary key ())", "table cfg (v integer, primary key ())", "create table cfg (v integer, primary key ())"},
	{"table t (a integer check (a > 0) with tags (x = 1), b integer constraint u unique with tags (y = 'z') with tags (w = true), unique (a) with tags (v = null))",
		"table t (a integer check (a > 0) with tags (x = 1), b integer constraint u unique with tags (y = 'z') with tags (w = true), unique (a) with tags (v = null))",
		"create table t (a integer check (a > 0) with tags (x = 1), b integer constraint u unique with tags (y = 'z') with tags (w = true), unique (a) with tags (v = null))"},
	{`table t (a integer) with tags (s = 'it''s', n = -2.50, m = 1e3, t = TRUE, f = false, z = null, "odd key" = 'v', "quereus.id" = 't-1') with context (actor text null, dept integer)`,
		`table t (a integer) with context (actor text null, dept integer) with tags (s = 'it''s', n = -2.5, m = 1000, t = true, f = false, z = null, "odd key" = 'v', "quereus.id" = 't-1')`,
		`create table t (a integer) with context (actor text null, dept integer) with tags (s = 'it''s', n = -2.5, m = 1000, t = true, f = false, z = null, "odd key" = 'v', "quereus.id" = 't-1')`},
	{"table t (a integer) with tags ()", "table t (a integer)", "create table t (a integer)"},
	{"table c (id integer primary key, kg real) maintained (id, kg) as select id, kg from pet with tags (a = 1)",
		"table c (id integer primary key, kg real) maintained (id, kg) as select id, kg from pet with tags (a = 1)",
		"create table c (id integer primary key, kg real) maintained (id, kg) as select id, kg from pet with tags (a = 1)"},
	{"index i on t (a, b desc, c collate NoCase asc) where a is not null with tags (p = 'r')",
		"index i on t (a, b desc, c collate nocase) where a is not null with tags (p = 'r')",
		"create index i on t (a, b desc, c collate nocase) where a is not null with tags (p = 'r')"},
	{"unique index i on t (lower(a))", "unique index i on t (lower(a))", "create unique index i on t (lower(a))"},
	{"view v as select id from t", "view v as select id from t", "create view v as select id from t"},
	{"view v (a, b) as select id, mail from o order by id limit 5 with defaults (x = 1) with tags (k = 'v')",
		"view v (a, b) as select id, mail from o order by id limit 5 with defaults (x = 1) with tags (k = 'v')",
		"create view v (a, b) as select id, mail from o order by id limit 5 with defaults (x = 1) with tags (k = 'v')"},
	{"materialized view m as select 1 as a", "materialized view m as select 1 as a", "create materialized view m as select 1 as a"},
	{"materialized view m (a) using memory(shard = 2) as select 1 with tags (c = 'hot')",
		"materialized view m (a) using memory (shard = 2) as select 1 with tags (c = 'hot')",
		"create materialized view m (a) using memory (shard = 2) as select 1 with tags (c = 'hot')"},
	{"assertion a check (not exists (select 1 from t where k < 0))", "assertion a check (not exists (select 1 from t where k < 0))", "create assertion a check (not exists (select 1 from t where k < 0))"},
	{"assertion main.a check (1)", "assertion main.a check (1)", "create assertion main.a check (1)"},
	{"seed kind ((1, 'cat'), (-2, x'00'), ())", "seed kind ((1, 'cat'), (-2, x'00'), ())", ""},
	{"seed kind values (id, label) values ((1, null))", "seed kind values (id, label) values ((1, null))", ""},
	// How schemas of this engine check what a transaction does.
	{"table Member (Key text primary key, Name string check (length(Name) between 1 and 255), constraint InsertOnly check on update, delete (false), constraint Signed check on insert (old.Key is null and (select count(1) from committed.Member) = 0 or exists (select 1 from committed.Member M where M.Key = context.Actor and verify(digest('add', new.Key), context.Signature, M.Key)))) with context ( Actor text null, now datetime )",
		"table Member (\"Key\" text primary key, Name string check (length(Name) between 1 and 255), constraint InsertOnly check on update, delete (false), constraint Signed check on insert (old.\"Key\" is null and (select count(1) from committed.Member) = 0 or exists (select 1 from committed.Member as M where M.\"Key\" = context.Actor and verify(digest('add', new.\"Key\"), context.Signature, M.\"Key\")))) with context (Actor text null, now datetime)",
		"create table Member (\"Key\" text primary key, Name string check (length(Name) between 1 and 255), constraint InsertOnly check on update, delete (false), constraint Signed check on insert (old.\"Key\" is null and (select count(1) from committed.Member) = 0 or exists (select 1 from committed.Member as M where M.\"Key\" = context.Actor and verify(digest('add', new.\"Key\"), context.Signature, M.\"Key\")))) with context (Actor text null, now datetime)"},
	{"domain tables as real\n  check (value > 0) not null\n  default 1", "domain tables as real\n  check (value > 0) not null\n  default 1", ""},
	{"domain money as real check (x { ; } y)", "domain money as real check (x { ; } y)", ""},
}

func TestItems(t *testing.T) {
	for _, test := range itemTests {
		i := item(t, test.text)
		got := syntax.PrintItem(i)
		if got != test.item {
			t.Errorf("%s\nprints %s\n want  %s", test.text, got, test.item)
		}
		if again := syntax.PrintItem(item(t, got)); again != got {
			t.Errorf("%s\nprints    %s\nand again %s", test.text, got, again)
		}
		if got := syntax.PrintCreate(i, ""); got != test.create {
			t.Errorf("%s\nis created by %s\n want         %s", test.text, got, test.create)
		}
		if i.At().Written() != test.text {
			t.Errorf("%s was written as %s", test.text, i.At().Written())
		}
		if want := (schema.Pos{File: "s.sql", Line: 2, Column: 1}); i.At().Pos() != want {
			t.Errorf("%s stands at %v", test.text, i.At().Pos())
		}
	}
}

// TestNumbers holds that the numbers of tags print as the engine prints a number of which it has kept the value only.
func TestNumbers(t *testing.T) {
	for text, want := range map[string]string{
		"1": "1", "007": "7", "-0": "0", "1.0": "1", "-2.50": "-2.5", "0.0": "0", "1e3": "1000", "1E-3": "0.001", "123456789012345678901234567890": "123456789012345678901234567890",
		"1e21": "1e+21", "1.5e-7": "1.5e-7", "0.000001": "0.000001", "1e400": "1e400", "123456789012345680000.0": "123456789012345680000",
	} {
		tags := item(t, "table t (a) with tags (n = "+text+")").(*syntax.Table).Tags
		if got := tags.List[0].Value.String(); got != want {
			t.Errorf("%s prints as %s, want %s", text, got, want)
		}
	}
}

func TestPrintColumn(t *testing.T) {
	c := item(t, "table t (Key TEXT NOT NULL Constraint k UNIQUE with tags (a = 1))").(*syntax.Table).Columns[0]
	if got, want := syntax.PrintColumn(c), `"Key" TEXT not null constraint k unique with tags (a = 1)`; got != want {
		t.Errorf("the column is %s, want %s", got, want)
	}
	if got, want := syntax.PrintConstraint(c.Constraints[1], "Key"), `constraint k unique ("Key") with tags (a = 1)`; got != want {
		t.Errorf("the constraint is %s, want %s", got, want)
	}
}

// TestCreatePrefix holds the rule for schemas other than main: an index has the schema before its own name and before its table's.
func TestCreatePrefix(t *testing.T) {
	for text, want := range map[string]string{
		"table pet (id integer)":  "create table clinic.pet (id integer)",
		"index ix on pet (label)": "create index clinic.ix on clinic.pet (label)",
		"view vp as select 1":     "create view clinic.vp as select 1",
	} {
		if got := syntax.PrintCreate(item(t, text), "clinic"); got != want {
			t.Errorf("%s is created by %s, want %s", text, got, want)
		}
	}
}

func TestTagSites(t *testing.T) {
	const text = `table t (a integer check (a > 0) with tags (one = 1), b integer constraint k check (b > 0) with tags (two = 2), unique (a) with tags (three = 3)) with tags (four = 4)`
	tb := item(t, text).(*syntax.Table)
	got := []string{
		tb.Columns[0].Tags.ListString(), tb.Columns[0].Constraints[0].Tags.ListString(),
		tb.Columns[1].Tags.ListString(), tb.Columns[1].Constraints[0].Tags.ListString(),
		tb.Constraints[0].Tags.ListString(), tb.Tags.ListString(),
	}
	// Behaviour 102: tags after an unnamed inline constraint are the column's, those after a named one its own; between the columns a
	// constraint has its own tags, named or not.
	want := []string{"(one = 1)", "()", "()", "(two = 2)", "(three = 3)", "(four = 4)"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("tags (-want +got):\n%s", diff)
	}
	if at := tb.Columns[1].Constraints[0].Tags.List[0].Pos(); at.Column != 1+strings.Index(text, "two") {
		t.Errorf("the tag of the constraint is said to stand at %v", at)
	}
}

// TestItemErrors holds what is refused in an item, with the place.
func TestItemErrors(t *testing.T) {
	for text, want := range map[string]string{
		"tabel x (id integer)":                                          "2:1: `tabel` begins no item; did you mean `table`?",
		"vew v as select 1":                                             "2:1: `vew` begins no item; did you mean `view`?",
		"asertion a check (1)":                                          "2:1: `asertion` begins no item; did you mean `assertion`?",
		"something else":                                                "2:1: `something` begins no item of a declare block; the items are table, index, unique index, view, materialized view, seed, assertion, domain, collation, import",
		"create table t (a integer)":                                    "2:1: `create` begins a statement; a declare block holds only items, without `create`",
		"'table'":                                                       "2:1: `'table'` stands where an item should",
		"\"table\" t (a integer)":                                       "2:1: `\"table\"` stands where an item should",
		"table (a integer)":                                             "2:7: `(` stands where a table name should",
		"table select (a integer)":                                      "2:7: `select` stands where a table name should; it is a reserved word: as a name it needs double quotes",
		"table main.t (a integer)":                                      "2:11: `.` stands where `(` should",
		"table t using memory (id integer)":                             "2:26: the parentheses after the module hold its arguments, and this is none; for columns write `using MODULE () (columns)` or `using MODULE {columns}`",
		"table t using memory (id)":                                     "3:1: the parentheses after the module hold its arguments; write `using MODULE () (columns)` or `using MODULE {columns}`",
		"table t as select 1":                                           "2:9: a table cannot be created from a query; declare its columns, or a materialized view",
		"table t (a integer b integer)":                                 "2:20: `b` stands where `,` or `)` should",
		"table t (a double precision)":                                  "2:19: `precision` stands where `,` or `)` should",
		"table t (a integer,, b integer)":                               "2:20: `,` stands where a column name should",
		"table t (row integer)":                                         "2:10: `row` stands where a column name should; it is a reserved word: as a name it needs double quotes",
		"table t (a integer primary key autoincrement)":                 "2:32: Quereus has no autoincrement: rows are addressed by their key",
		"table t (a integer references)":                                "2:30: `)` stands where a table name should",
		"table t (a integer references p on delete)":                    "2:42: `)` stands where `set null`, `set default`, `cascade`, `restrict` or `no action` should",
		"table t (a integer on conflict abort)":                         "2:20: `on` stands where `,` or `)` should",
		"table t (a integer unique on conflict x)":                      "2:39: `x` stands where `rollback`, `abort`, `fail`, `ignore` or `replace` should",
		"table t (a integer constraint k)":                              "2:32: `)` stands where a constraint should",
		"table t (constraint k default 1)":                              "2:23: `default` stands where `primary key`, `unique`, `check` or `foreign key` should",
		"table t (a integer) with tags (a = 1) with tags (b = 1)":       "2:39: this clause stands twice",
		"table t (a integer) with tags (a = 1, a = 2)":                  "2:39: the tag `a` stands twice",
		"table t (a integer) with tags (a = b)":                         "2:36: `b` stands where a value (a string, a number, `true`, `false` or `null`) should",
		"table t (a integer) with tags (quereus.id = 'x')":              "2:39: a tag with a dot in its name needs double quotes: \"quereus.…\"",
		"table t (a integer) with something":                            "2:21: `with` begins a statement; a declare block holds only items, without `create`",
		"table t (a integer}":                                           "2:19: `}` stands where `,` or `)` should",
		"table t {a integer)":                                           "2:19: `)` stands where `,` or `}` should",
		"table t (a varchar(20)":                                        "3:1: `}` stands where `,` or `)` should",
		"table t (a varchar(20":                                         "3:1: `}` stands where `)` should",
		"unique t (a)":                                                  "2:8: `t` stands where `index` should",
		"index on t (a)":                                                "2:7: `on` stands where an index name should; it is a reserved word: as a name it needs double quotes",
		"index i t (a)":                                                 "2:9: `t` stands where `on` should",
		"index i on t ()":                                               "2:15: `)` stands where an expression should",
		"view v select 1":                                               "2:8: `select` stands where `as` should",
		"view key as select 1":                                          "2:6: `key` stands where a view name should; it is a reserved word: as a name it needs double quotes",
		"materialized v as select 1":                                    "2:14: `v` stands where `view` should",
		"assertion a (1)":                                               "2:13: `(` stands where `check` should",
		"assertion a check (1) with tags (a = 1)":                       "2:23: an assertion takes no tags",
		"seed t ((a))":                                                  "2:10: only a constant can stand here",
		"seed t ((1 + 1))":                                              "2:12: `+` stands where `)` should",
		"table t (a integer) using memory":                              "2:21: the module of a declared table stands before its columns: `table NAME using MODULE () (columns)`",
		"table \"\" (a integer)":                                        "2:7: a name is empty",
		"table t (\"a\nb\" \"c\" \"d\")":                                "3:8: `\"d\"` stands where `,` or `)` should",
		"table t (a \"x\ny\" check b)":                                  "3:10: `b` stands where `(` should",
		"collation (a":                                                  "3:1: `}` stands where `)` should",
		"import x ) y":                                                  "2:10: `)` stands where the end of an item should",
		"domain tables as real tabel t (a integer)":                     "2:23: `tabel` stands in what is skipped after `domain` (did you mean `table`?); end that with a semicolon, or write the word in double quotes if it belongs there",
		"domain m as real unqiue index i on t (a)":                      "2:18: `unqiue` stands in what is skipped after `domain` (did you mean `unique`?); end that with a semicolon, or write the word in double quotes if it belongs there",
		"domain m as real\n  check (value > 0)\n  tbl t (a integer)":    "4:3: `tbl` stands in what is skipped after `domain`; end that with a semicolon, or write the word in double quotes if it belongs there",
		"collation\nindx i on t (a)":                                    "3:1: `indx` stands in what is skipped after `collation` (did you mean `index`?); end that with a semicolon, or write the word in double quotes if it belongs there",
		"import 'a'\ncreate table t (a integer)":                        "3:1: `create` stands in what is skipped after `import`; end that with a semicolon, or write the word in double quotes if it belongs there",
		"domain x as 'open":                                             "2:13: a string is not closed",
		"seed kind ((1, 'a'), (2, " + strings.Repeat("long", 20) + "))": "2:26: only a constant can stand here",
		"table t (a " + strings.Repeat("x", 50) + " " + strings.Repeat("y", 50) + ")": "2:63: `" + strings.Repeat("y", 40) + "…` stands where `,` or `)` should",
		"domain x as (": "2:1: ",
	} {
		_, errs := syntax.Parse(&source.File{Path: "s.sql", Text: "declare schema main {\n" + text + "\n}"})
		if len(errs) == 0 {
			t.Errorf("%s is taken", text)
			continue
		}
		got := strings.TrimPrefix(errs[0].Error(), "s.sql:")
		if got != want && text != "domain x as (" {
			t.Errorf("%s gives\n     %s\nwant %s", text, got, want)
		}
		if errs[0].Kind != schema.KindSyntax {
			t.Errorf("%s gives an error of kind %s", text, errs[0].Kind)
		}
	}
}

// TestAllErrorsAreNamed holds that reading goes on after an error, and that one mistake makes one error.
func TestAllErrorsAreNamed(t *testing.T) {
	for text, want := range map[string][]string{
		"tabel a (id integer)\ntable b (id integer primry key)\nindex i on b (id)\nvew v as select 1;\ntable c (id integer)": {"s.sql:2:1", "s.sql:3:21", "s.sql:5:1"},
		"table a (id integer\ntable b (id integer)":                       {"s.sql:3:1"},
		"table a (b integer)) table c (d integer)\n} table d (e e e) } )": {"s.sql:2:20", "s.sql:3:16"},
		"view v as select (1\n; table a (b c d); index":                   {"s.sql:3:1", "s.sql:3:16", "s.sql:4:1"},
		"table a (b integer default);; table c (d integer check);":        {"s.sql:2:27", "s.sql:2:55"},
	} {
		_, errs := syntax.Parse(&source.File{Path: "s.sql", Text: "declare schema main {\n" + text + "\n}"})
		var got []string
		for _, err := range errs {
			got = append(got, err.Pos.String())
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s\n%v", text, diff, errs)
		}
	}
}
