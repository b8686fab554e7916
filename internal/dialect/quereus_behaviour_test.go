package dialect

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/source"
)

// behaviour is one behaviour of Quereus's own differ, by its number in docs/quereus.md, or what is done in its place. The sides are what
// stands inside `declare schema main { … }`, or whole files if they begin with declare. What is wanted are the plan's statements in their
// order; a line that begins with "error: " or "notice: " is part of one.
type behaviour struct {
	name       string
	policy     diff.RenamePolicy
	base, head string
	want       string
}

const (
	allow   = diff.Allow
	require = diff.RequireHint
	deny    = diff.Deny
)

// TestQuereusBehaviours holds the dialect to the behaviours, and every plan to its proof.
func TestQuereusBehaviours(t *testing.T) {
	for _, list := range [][]behaviour{quereusRenames, quereusTables, quereusConstraints, quereusObjects, quereusTags} {
		for _, b := range list {
			t.Run(b.name, func(t *testing.T) { b.check(t) })
		}
	}
}

func (b behaviour) check(t *testing.T) {
	whole := func(side string) string {
		if strings.HasPrefix(side, "declare") {
			return side
		}
		return "declare schema main {\n" + side + "\n}\n"
	}
	answer := All["quereus"](context.Background(), Question{Name: "main", Renames: b.policy,
		Base: Text{Files: []*source.File{{Path: "base.sql", Text: whole(b.base)}}}, Head: Text{Files: []*source.File{{Path: "head.sql", Text: whole(b.head)}}}})
	var got []string
	for _, e := range answer.Errors {
		got = append(got, "error: "+e.Error())
	}
	if answer.Plan != nil {
		for _, s := range answer.Plan.Steps {
			got = append(got, s.Statements()...)
		}
		for _, n := range answer.Plan.Notices {
			got = append(got, "notice: "+n.Text)
		}
	}
	var want []string
	for line := range strings.Lines(b.want) {
		if line = strings.TrimSpace(line); line != "" {
			want = append(want, line)
		}
	}
	for i := range got { // of messages, only that they hold the words that matter
		if i >= len(want) {
			break
		}
		for _, kind := range []string{"error: ", "notice: "} {
			if words, ok := strings.CutPrefix(want[i], kind); ok && strings.HasPrefix(got[i], kind) && holds(got[i], words) {
				got[i] = want[i]
			}
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s\nbase: %s\nhead: %s", d, b.base, b.head)
	}
}

// holds tells whether a text has all words that are written between " … ", in order.
func holds(text, words string) bool {
	for word := range strings.SplitSeq(words, " … ") {
		_, rest, ok := strings.Cut(text, word)
		if !ok {
			return false
		}
		text = rest
	}
	return true
}

var quereusRenames = []behaviour{
	{"001 the policies", deny, `table a (id integer primary key)`, `table b (id integer primary key) with tags ("quereus.previous_name" = 'a')`, `
		create table b (id integer primary key) with tags ("quereus.previous_name" = 'a')
		DROP TABLE IF EXISTS a
		notice: hints were not read`},
	{"002 an id, then a former name", allow, `table a (id integer primary key) with tags ("quereus.id" = 'x') table c (id integer primary key)`,
		`table b (id integer primary key) with tags ("quereus.id" = 'x') table d (id integer primary key) with tags ("quereus.id" = 'y', "quereus.previous_name" = 'c')`, `
		ALTER TABLE a RENAME TO b
		ALTER TABLE c RENAME TO d`},
	{"003 an id comes before a former name", allow, `table a (id integer primary key) with tags ("quereus.id" = 'x') table c (id integer primary key)`,
		`table b (id integer primary key) with tags ("quereus.id" = 'x', "quereus.previous_name" = 'c') table c (id integer primary key)`, `ALTER TABLE a RENAME TO b`},
	{"004 an id that the base does not have", allow, `table a (id integer primary key)`, `table b (id integer primary key) with tags ("quereus.id" = 'x')`, `
		create table b (id integer primary key) with tags ("quereus.id" = 'x')
		DROP TABLE IF EXISTS a`},
	{"005 the first former name that exists", allow, `table a (id integer primary key) table b (id integer primary key)`,
		`table c (id integer primary key) with tags ("quereus.previous_name" = 'z, B , a')`, `
		ALTER TABLE b RENAME TO c
		DROP TABLE IF EXISTS a`},
	{"006 its own name, blank, unknown", allow, `table a (id integer primary key)`,
		`table a (id integer primary key) with tags ("quereus.previous_name" = 'A, ,') table b (id integer primary key) with tags ("quereus.previous_name" = 'nobody')`, `
		create table b (id integer primary key) with tags ("quereus.previous_name" = 'nobody')`},
	{"007 a hint of another kind", allow, `table a (id integer primary key) view v as select id from a`,
		`table a (id integer primary key) table b (id integer primary key) with tags ("quereus.previous_name" = 'v')`, `
		DROP VIEW IF EXISTS v
		create table b (id integer primary key) with tags ("quereus.previous_name" = 'v')`},
	{"008 a hint that has been carried out", require, `table b (id integer primary key) with tags ("quereus.previous_name" = 'a')`,
		`table b (id integer primary key) with tags ("quereus.previous_name" = 'a')`, ``},
	{"009 case of names", allow, `table pet (id integer primary key, x text) index i on pet (x)`, `table Pet (ID integer primary key, X text) index I on PET (x)`, ``},
	{"010 no hint", allow, `table a (id integer primary key, x text, constraint k check (x > ''))`, `table a (id integer primary key, y text, constraint l check (y > ''))`, `
		ALTER TABLE a DROP CONSTRAINT k
		ALTER TABLE a ADD COLUMN y text
		ALTER TABLE a ADD constraint l check (y > '')
		ALTER TABLE a DROP COLUMN x`},
	{"011 require-hint counts tables", require, `table a (id integer primary key)`, `table b (id integer primary key)`, `error: require-hint … tables … quereus.previous_name`},
	{"011 require-hint counts columns", require, `table a (id integer primary key, x text)`, `table a (id integer primary key, y text)`, `error: require-hint … columns … a.x … a.y`},
	{"011 require-hint counts views", require, `view v as select 1 as x`, `view w as select 2 as x`, `error: require-hint … views … (v) … (w)`},
	{"011 require-hint counts indexes", require, `table a (id integer primary key) index i on a (id)`, `table a (id integer primary key) index j on a (id)`, `error: require-hint … indexes … (i) … (j)`},
	{"011 require-hint counts constraints", require, `table a (id integer primary key, constraint k check (id > 0))`, `table a (id integer primary key, constraint l check (id > 0))`,
		`error: require-hint … constraints … (a.k) … (a.l)`},
	{"012 require-hint lets one of the two be", require, `table a (id integer primary key, x text, y text) view v as select 1 as x`, `table a (id integer primary key, x text) table b (id integer primary key)`, `
		DROP VIEW IF EXISTS v
		create table b (id integer primary key)
		ALTER TABLE a DROP COLUMN y`},
	{"013 require-hint does not count what comes back", require,
		`table a (id integer primary key, constraint k check (id > 0)) index i on a (id) view v as select id from a assertion s check (1 = 1)`,
		`table a (id integer primary key, constraint k check (id > 1)) unique index i on a (id) view w as select id from a with tags ("quereus.previous_name" = 'v') assertion r check (1 = 1)`, `
		DROP ASSERTION IF EXISTS s
		DROP INDEX IF EXISTS i
		DROP VIEW IF EXISTS v
		ALTER TABLE a DROP CONSTRAINT k
		create view w as select id from a with tags ("quereus.previous_name" = 'v')
		create unique index i on a (id)
		ALTER TABLE a ADD constraint k check (id > 1)
		create assertion r check (1 = 1)`},
	{"014 deny reads no hint, and no conflict", deny, `table a (id integer primary key) table b (id integer primary key)`,
		`table a (id integer primary key) with tags ("quereus.previous_name" = 'b') table b (id integer primary key)`, ``},
	{"015 tags are looked at first", allow, `table a (id integer primary key) table b (id integer primary key)`,
		`table b (id integer primary key) with tags ("quereus.previous_name" = 'a', "quereus.typo" = 1)`, `error: quereus.typo`},
	{"016 name and hint mean two tables", require, `table a (id integer primary key) table b (id integer primary key)`,
		`table b (id integer primary key) with tags ("quereus.previous_name" = 'a')`, `error: table b exists … former name … it is a`},
	{"017 two claim one", allow, `table a (id integer primary key)`,
		`table b (id integer primary key) with tags ("quereus.previous_name" = 'a') table c (id integer primary key) with tags ("quereus.previous_name" = 'a')`,
		`error: table b and table c both say that they were a`},
	{"018 one id twice", allow, `table a (id integer primary key) with tags ("quereus.id" = 'x') table b (id integer primary key) with tags ("quereus.id" = 'x')`,
		`table a (id integer primary key) with tags ("quereus.id" = 'x') table b (id integer primary key) with tags ("quereus.id" = 'x')`, `error: "x" … both a and b`},
	{"019 a swap", allow, `table a (id integer primary key) table b (id integer primary key)`,
		`table a (id integer primary key) with tags ("quereus.previous_name" = 'b') table b (id integer primary key) with tags ("quereus.previous_name" = 'a')`, `
		error: name and hint mean two objects
		error: name and hint mean two objects`},
	{"019 a chain", allow, `table a (id integer primary key) table b (id integer primary key)`,
		`table b (id integer primary key) with tags ("quereus.previous_name" = 'a') table c (id integer primary key) with tags ("quereus.previous_name" = 'b')`, `
		error: table b exists
		error: table c says that it was b … still declared`},
	{"020 the old name is still declared", allow, `table a (id integer primary key, code text)`,
		`table a (id integer primary key, code text, old_code text with tags ("quereus.previous_name" = 'code'))`, `error: column old_code says that it was code, and code is still declared`},
	{"021 a conflict of columns says column", allow, `table a (id integer primary key, x text, y text)`,
		`table a (id integer primary key, y text with tags ("quereus.previous_name" = 'x'))`, `error: column y exists`},
	{"022 one name twice", allow, ``, `table a (id integer primary key) materialized view A as select 1 as x`, `error: A is declared as both a table and a materialized view`},
	{"022 one index on two tables", allow, ``, `table a (id integer primary key) table b (id integer primary key) index a on a (id) index A on b (id)`, `error: index A is declared more than once … on a and on b`},
	{"022 two seeds", allow, ``, `table a (id integer primary key) seed a ((1)) seed a ((2))`, `error: table a … seeded twice`},
}

var quereusTables = []behaviour{
	{"023 a column, by its new name from then on", allow, `table a (id integer primary key, x integer)`,
		`table a (id integer primary key, y integer default 1 with tags ("quereus.previous_name" = 'x'))`, `
		ALTER TABLE a RENAME COLUMN x TO y
		ALTER TABLE a ALTER COLUMN y SET DEFAULT 1`},
	{"024 a table, a column and one more", allow, `table a (id integer primary key, x integer)`,
		`table b (id integer primary key, y integer with tags ("quereus.previous_name" = 'x'), z integer) with tags ("quereus.previous_name" = 'a')`, `
		ALTER TABLE a RENAME TO b
		ALTER TABLE b RENAME COLUMN x TO y
		ALTER TABLE b ADD COLUMN z integer`},
	{"025 what is compared of a column", allow, `table a (id integer primary key, x integer default 1, y text null collate nocase)`, `table a (id integer primary key, x real, y text not null)`, `
		ALTER TABLE a ALTER COLUMN x SET DATA TYPE real
		ALTER TABLE a ALTER COLUMN x DROP DEFAULT
		ALTER TABLE a ALTER COLUMN y SET COLLATE BINARY
		ALTER TABLE a ALTER COLUMN y SET NOT NULL`},
	{"026 a type that is left out", allow, `table a (id integer primary key, x integer)`, `table a (id integer primary key, x)`, `notice: the type of column a.x was integer`},
	{"026 null that is left out", allow, `table a (id integer primary key, x integer null)`, `table a (id integer primary key, x integer)`, `notice: column a.x was said to be null`},
	{"026 not null that is left out", allow, `table a (id integer primary key, x integer not null)`, `table a (id integer primary key, x integer)`, `notice: column a.x was said to be not null`},
	{"026 an unnamed foreign key that can be deferred", allow, `table a (id integer primary key, x integer references a(id), foreign key (x) references a)`,
		`table a (id integer primary key, x integer references a(id), foreign key (x) references a deferrable)`, `
		notice: whether it can be deferred, of the unnamed foreign key (x) references a of table a is now deferrable and was not said`},
	{"026 a renamed foreign key that can be deferred", allow, `table a (id integer primary key, x integer, constraint f foreign key (x) references a(id))`,
		`table a (id integer primary key, x integer, constraint g foreign key (x) references a(id) deferrable with tags ("quereus.previous_name" = 'f'))`, `
		ALTER TABLE a RENAME CONSTRAINT f TO g
		notice: whether it can be deferred, of constraint g`},
	{"026 what comes with a new column or constraint is no difference", allow, `table a (id integer primary key, x integer)`,
		`table a (id integer primary key, x integer, y integer null on conflict ignore, constraint f foreign key (x) references a(id) deferrable)`, `
		ALTER TABLE a ADD COLUMN y integer null on conflict ignore
		ALTER TABLE a ADD constraint f foreign key (x) references a(id) deferrable`},
	{"026 tags where no statement sets them", allow, `table a (id integer, x integer, unique (x), constraint n primary key (id), constraint _c check (x > 0))`,
		`table a (id integer, x integer constraint nn not null with tags (a = 1), unique (x) with tags (b = 1), constraint n primary key (id) with tags (c = 1), constraint _c check (x > 0) with tags (d = 1))`, `
		notice: the list of tags of constraint nn of column x of table a is now 'a' = 1
		notice: the list of tags of the unnamed unique (x) of table a is now 'b' = 1
		notice: the list of tags of the primary key of table a is now 'c' = 1
		notice: the list of tags of constraint _c of table a is now 'd' = 1`},
	{"026 order, conflicts, names of keys, context", allow,
		`table a (id integer primary key, x text, y text, constraint f foreign key (x) references a(id)) with context (who text)`,
		`table a (id integer primary key on conflict replace, y text, x text, constraint f foreign key (x) references a(id) deferrable initially deferred) with context (who integer null)`, `
		notice: conflict action of the primary key
		notice: whether it can be deferred, of constraint f
		notice: variable who
		notice: columns … another order`},
	{"026 an unnamed check", allow, `table a (id integer primary key, check (id > 0))`, `table a (id integer primary key, check (id > 1))`, `
		error: the check (id > 0) of table a … no name
		error: the check (id > 1) of table a … no name`},
	{"026 an unnamed foreign key", allow, `table a (id integer primary key)`, `table a (id integer primary key references a(id))`, `error: the foreign key to a of table a … no name`},
	{"026 a generated column", allow, `table a (id integer primary key, x integer generated always as (id + 1) stored)`,
		`table a (id integer primary key, x integer generated always as (id + 2) stored)`, `error: column a.x changes from generated always as (id + 1) stored`},
	{"026 a table's module", allow, `table a (id integer primary key)`, `table a using store(x = 1) (id integer primary key)`, `error: move to another module`},
	{"027 not null is the default", allow, `table a (id integer primary key, x integer)`, `table a (id integer primary key, x integer not null)`, ``},
	{"028 defaults are compared by how they are written", allow, `table a (id integer primary key, x real default 1.0, y integer default (1 + 2), z integer null)`,
		`table a (id integer primary key, x real default 1.00, y integer default ( 1+2 ), z integer null default null)`, `
		ALTER TABLE a ALTER COLUMN x SET DEFAULT 1.00
		ALTER TABLE a ALTER COLUMN z SET DEFAULT null`},
	{"029 types are the engine's", allow, `table a (id INTEGER primary key, x varchar(20), y bigint)`, `table a (id int primary key, x varchar(20), y bigint)`, ``},
	{"030 a type without collations", allow, `table a (id integer primary key, x text collate nocase)`, `table a (id integer primary key, x date)`, `
		ALTER TABLE a ALTER COLUMN x SET COLLATE BINARY
		ALTER TABLE a ALTER COLUMN x SET DATA TYPE date`},
	{"030 and back", allow, `table a (id integer primary key, x date)`, `table a (id integer primary key, x text collate nocase)`, `
		ALTER TABLE a ALTER COLUMN x SET DATA TYPE text
		ALTER TABLE a ALTER COLUMN x SET COLLATE NOCASE`},
	{"031 a default in the way of a type", allow, `table a (id integer primary key, x text default 'abc')`, `table a (id integer primary key, x integer default 4)`, `
		ALTER TABLE a ALTER COLUMN x DROP DEFAULT
		ALTER TABLE a ALTER COLUMN x SET DATA TYPE integer
		ALTER TABLE a ALTER COLUMN x SET DEFAULT 4`},
	{"032 rows are not looked at", allow, `table a (id integer primary key, x integer null)`, `table a (id integer primary key, x integer not null, y integer)`, `
		ALTER TABLE a ADD COLUMN y integer
		ALTER TABLE a ALTER COLUMN x SET NOT NULL`},
	{"068 a column of the key is renamed", allow, `table a (x integer, y integer)`, `table a (x integer, z integer with tags ("quereus.previous_name" = 'y'))`, `ALTER TABLE a RENAME COLUMN y TO z`},
	{"069 another key, on top of a rename", allow, `table a (x integer, y integer, primary key (x))`, `table a (z integer with tags ("quereus.previous_name" = 'x'), y integer, primary key (y, z desc))`, `
		ALTER TABLE a RENAME COLUMN x TO z
		ALTER TABLE a ALTER PRIMARY KEY (y, z desc)`},
	{"070 all columns are the key", allow, `table a (x integer, y integer)`, `table a (x integer, y integer, primary key (x, y))`, ``},
	{"070 and one more", allow, `table a (x integer, y integer)`, `table a (x integer, y integer, z integer default 0)`, `
		ALTER TABLE a ADD COLUMN z integer default 0
		ALTER TABLE a ALTER PRIMARY KEY (x, y, z)`},
	{"070 and one less", allow, `table a (x integer, y integer)`, `table a (x integer)`, `
		ALTER TABLE a ALTER PRIMARY KEY (x)
		ALTER TABLE a DROP COLUMN y`},
	{"071 a table of one row", allow, `table a (x integer, primary key ())`, `table a (x integer, primary key (x))`, `ALTER TABLE a ALTER PRIMARY KEY (x)`},
	{"072 a column that becomes the key", allow, `table a (id integer null, x integer, primary key (x))`, `table a (id integer primary key, x integer)`, `
		ALTER TABLE a ALTER COLUMN id SET NOT NULL
		ALTER TABLE a ALTER PRIMARY KEY (id)`},
	{"105 seeds and words that are skipped", allow, `table a (id integer primary key) seed a ((1))`, `table a (id integer primary key) domain money as real; seed a ((1), (2))`, `
		notice: domain
		notice: seeded`},
	{"105 seeds on one side", allow, `table a (id integer primary key) table b (id integer primary key) seed b ((1)) table c (id integer primary key) seed c ((1))`,
		`table a (id integer primary key) seed a ((1)) table b (id integer primary key)`, `
		DROP TABLE IF EXISTS c
		notice: table a is seeded with rows, and was not
		notice: table b is not seeded with rows any more`},
	{"105 a seed follows a rename", allow, `table a (id integer primary key, x integer) seed a values (id, x) values ((1, 2))`,
		`table b (id integer primary key, y integer with tags ("quereus.previous_name" = 'x')) with tags ("quereus.previous_name" = 'a') seed b values (id, y) values ((1, 2))`, `
		ALTER TABLE a RENAME TO b
		ALTER TABLE b RENAME COLUMN x TO y`},
	{"105 an empty head", allow, `table a (id integer primary key) index i on a (id) view v as select id from a`, ``, `
		DROP INDEX IF EXISTS i
		DROP VIEW IF EXISTS v
		DROP TABLE IF EXISTS a`},
	{"104 statements that declare nothing", allow, `declare schema main { table a (id integer primary key) }`,
		`declare schema main { table a (id integer primary key) } apply schema main to version '2' options (dry_run = true); diff schema main;`, `
		notice: apply: 1 statement was passed over
		notice: diff: 1 statement was passed over`},
	{"106 children go first", allow, `table a (id integer primary key) table b (id integer primary key, constraint f foreign key (id) references a(id))`, `
		table z (id integer primary key, constraint f foreign key (id) references y(id)) table y (id integer primary key)`, `
		create table y (id integer primary key)
		create table z (id integer primary key, constraint f foreign key (id) references y(id))
		DROP TABLE IF EXISTS b
		DROP TABLE IF EXISTS a`},
	{"106 a column that references a table goes before it", allow, `table a (id integer primary key) table b (id integer primary key, x integer null references a(id), y integer)`, `table b (id integer primary key)`, `
		ALTER TABLE b DROP COLUMN x
		DROP TABLE IF EXISTS a
		ALTER TABLE b DROP COLUMN y`},
	{"107 a new table takes a name over", allow, `declare schema main { table p (id integer primary key) } declare schema x { view v as select id from p }`,
		`declare schema main { table p (id integer primary key) } declare schema x { table p (id integer primary key) view v as select id from p }`, `error: head.sql:1: … view x.v stays as it is and reads p, which is main.p at the base and x.p after`},
	{"107 a renamed table takes a name over", allow, `declare schema main { table p (id integer primary key) } declare schema x { table q (id integer primary key) assertion a check (not exists (select 1 from p)) }`,
		`declare schema main { table p (id integer primary key) } declare schema x { table p (id integer primary key) with tags ("quereus.previous_name" = 'q') assertion a check (not exists (select 1 from p)) }`, `error: assertion x.a stays as it is`},
	{"107 a table that goes leaves its name", allow, `declare schema main { table p (id integer primary key) } declare schema x { table p (id integer primary key) table c (id integer primary key, constraint k check (id in (select id from p))) }`,
		`declare schema main { table p (id integer primary key) } declare schema x { table c (id integer primary key, constraint k check (id in (select id from p))) }`, `error: check x.c.k stays as it is and reads p, which is x.p at the base and main.p`},
	{"107 a body that is new, renamed along or says the schema", allow, `declare schema main { table p (id integer primary key) } declare schema x { table a (id integer primary key) view v as select id from main.p view w as select id from a }`,
		`declare schema main { table p (id integer primary key) } declare schema x { table p (id integer primary key) with tags ("quereus.previous_name" = 'a') view v as select id from main.p view w as select id from p view z as select id from p }`, `
		ALTER TABLE x.a RENAME TO p
		create view x.z as select id from p`},
	{"107 a logical schema", allow, `declare logical schema x { table a (id integer primary key) }`, `declare logical schema x { table a (id integer primary key, y text) }`, `
		notice: schema x is logical
		notice: logical schema x is another one`},
	{"107 a schema that is left out", allow, `declare schema clinic { table a (id integer primary key) }`, `declare schema main { }`, `error: schema clinic is declared at the base`},
	{"107 names that cross schemas", allow,
		`declare schema main { table a (id integer primary key) }
		declare schema clinic { table pet (id integer primary key, constraint f foreign key (id) references main.a(id)) view v as select pet.id from pet, main.a as x assertion s check (1 = 1) }`,
		`declare schema main { table b (id integer primary key) with tags ("quereus.previous_name" = 'a') }
		declare schema clinic { table pet (id integer primary key, constraint f foreign key (id) references main.b(id)) view v as select pet.id from pet, main.b as x assertion s check (2 = 2) }`, `
		ALTER TABLE a RENAME TO b
		DROP ASSERTION IF EXISTS clinic.s
		create assertion clinic.s check (2 = 2)`},
	{"107 two schemas", allow, `declare schema main { table a (id integer primary key) } declare schema clinic { table a (id integer primary key) }`,
		`declare schema main { table a (id integer primary key) } declare schema clinic { table b (id integer primary key) with tags ("quereus.previous_name" = 'a') index i on b (id) }`, `
		ALTER TABLE clinic.a RENAME TO b
		create index clinic.i on clinic.b (id)`},
}
