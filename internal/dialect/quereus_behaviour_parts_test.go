package dialect

var quereusConstraints = []behaviour{
	{"033 the life of a constraint", allow, `table a (x integer primary key, constraint old check (x > 0), constraint was unique (x), constraint body check (x > 1))`,
		`table a (x integer primary key, constraint fresh check (x > 0), constraint now unique (x) with tags ("quereus.previous_name" = 'was'), constraint body check (x > 2))`, `
		ALTER TABLE a DROP CONSTRAINT body
		ALTER TABLE a DROP CONSTRAINT old
		ALTER TABLE a RENAME CONSTRAINT was TO now
		ALTER TABLE a ADD constraint body check (x > 2)
		ALTER TABLE a ADD constraint fresh check (x > 0)`},
	{"034 inside a column or behind it", allow, `table a (x integer primary key constraint k check (x > 0))`, `table a (x integer primary key, constraint k check (x > 0))`, ``},
	{"035 names of the engine's kind", allow, `table a (x integer primary key, constraint _k check (x > 0))`, `table a (x integer primary key, constraint _k check (x > 1))`,
		`notice: constraint _k … does not compare`},
	{"035 a column that one of them names goes", allow, `table a (x integer primary key, y integer, constraint _k check (y > 0))`, `table a (x integer primary key)`,
		`error: column a.y goes, and constraint _k names it`},
	{"036 renamed and changed", allow, `table a (x integer primary key, y integer, constraint k unique (x))`,
		`table a (x integer primary key, y integer, constraint l unique (x, y) with tags ("quereus.previous_name" = 'k', t = 1))`, `
		ALTER TABLE a DROP CONSTRAINT k
		ALTER TABLE a ADD constraint l unique (x, y) with tags ("quereus.previous_name" = 'k', t = 1)`},
	{"037 tags alone", allow, `table a (x integer primary key, constraint k unique (x))`, `table a (x integer primary key, constraint k unique (x) with tags (t = 1))`,
		`ALTER TABLE a ALTER CONSTRAINT k SET TAGS (t = 1)`},
	{"037 tags and body", allow, `table a (x integer primary key, constraint k check (x > 0))`, `table a (x integer primary key, constraint k check (x > 1) with tags (t = 1))`, `
		ALTER TABLE a DROP CONSTRAINT k
		ALTER TABLE a ADD constraint k check (x > 1) with tags (t = 1)`},
	{"038 renamed, with other tags", allow, `table a (x integer primary key, constraint k check (x > 0) with tags (t = 1))`,
		`table a (x integer primary key, constraint l check (x > 0) with tags ("quereus.previous_name" = 'k', t = 2))`, `
		ALTER TABLE a RENAME CONSTRAINT k TO l
		ALTER TABLE a ALTER CONSTRAINT l SET TAGS ("quereus.previous_name" = 'k', t = 2)`},
	{"039 another class", allow, `table a (x integer primary key, constraint k check (x > 0))`, `table a (x integer primary key, constraint k unique (x))`, `
		ALTER TABLE a DROP CONSTRAINT k
		ALTER TABLE a ADD constraint k unique (x)`},
	{"042 a check of a column that goes", allow, `table a (x integer primary key, y integer, constraint k check (y > 0))`, `table a (x integer primary key, constraint k check (y > 0))`,
		`error: check a.k names the column a.y, which this change drops`},
	{"043 what is no change of a check", allow, `table a (x integer primary key, constraint k check ((x <> 0) and (abs(x) < 9)))`,
		`table a (x integer primary key, constraint k CHECK ON update, insert (X != 0 AND ABS(x) < 9) on conflict abort)`, ``},
	{"044 what is one", allow, `table a (x integer primary key, constraint k check (x = 0), constraint l check (x > 'a'))`,
		`table a (x integer primary key, constraint k check (x == 0), constraint l check (x > 'A'))`, `
		ALTER TABLE a DROP CONSTRAINT k
		ALTER TABLE a DROP CONSTRAINT l
		ALTER TABLE a ADD constraint k check (x == 0)
		ALTER TABLE a ADD constraint l check (x > 'A')`},
	{"045 what is no change of a foreign key", allow, `table a (x integer primary key, constraint f foreign key (x) references a(x))`,
		`table a (x integer primary key, constraint f foreign key (x) references main.A(x) on delete restrict on update no action not deferrable)`, ``},
	{"046 a parent with and without columns", allow, `table a (x integer primary key, constraint f foreign key (x) references a)`, `table a (x integer primary key, constraint f foreign key (x) references a(x))`, `
		ALTER TABLE a DROP CONSTRAINT f
		ALTER TABLE a ADD constraint f foreign key (x) references a(x)`},
	{"047 a parent in another schema", allow, `table a (x integer primary key, constraint f foreign key (x) references b(x)) table b (x integer primary key)`,
		`table a (x integer primary key, constraint f foreign key (x) references other.b(x)) table b (x integer primary key)`, `
		ALTER TABLE a DROP CONSTRAINT f
		ALTER TABLE a ADD constraint f foreign key (x) references other.b(x)`},
	{"048 a check follows", allow, `table a (x integer primary key, y integer, constraint k check (y > 0), constraint l check (y < 9))`,
		`table a (x integer primary key, z integer with tags ("quereus.previous_name" = 'y'), constraint k check (z > 0), constraint l check (z < 8))`, `
		ALTER TABLE a DROP CONSTRAINT l
		ALTER TABLE a RENAME COLUMN y TO z
		ALTER TABLE a ADD constraint l check (z < 8)`},
	{"049 a check with other tables in it", allow, `table lim (k integer primary key, top integer) table a (x integer primary key, constraint q check (a.x <= (select max(top) from lim)))`,
		`table lid (k integer primary key, high integer with tags ("quereus.previous_name" = 'top')) with tags ("quereus.previous_name" = 'lim')
		table b (x integer primary key, constraint q check (b.x <= (select max(high) from lid))) with tags ("quereus.previous_name" = 'a')`, `
		ALTER TABLE a RENAME TO b
		ALTER TABLE lim RENAME TO lid
		ALTER TABLE lid RENAME COLUMN top TO high`},
	{"050 two renames that cross in one check", allow, `table lim (k integer primary key, cap integer) table a (x integer primary key, qty integer, constraint q check (qty <= (select max(cap) from lim)))`,
		`table lim (k integer primary key, capacity integer with tags ("quereus.previous_name" = 'cap'))
		table a (x integer primary key, cap integer with tags ("quereus.previous_name" = 'qty'), constraint q check (cap <= (select max(capacity) from lim)))`, `
		ALTER TABLE a RENAME COLUMN qty TO cap
		ALTER TABLE lim RENAME COLUMN cap TO capacity`},
	{"051 keys follow", allow, `table p (id integer primary key) table a (x integer primary key, y integer, constraint u unique (y), constraint f foreign key (y) references p(id), constraint s foreign key (y) references a(x))`,
		`table q (qid integer primary key with tags ("quereus.previous_name" = 'id')) with tags ("quereus.previous_name" = 'p')
		table a (w integer primary key with tags ("quereus.previous_name" = 'x'), z integer with tags ("quereus.previous_name" = 'y'), constraint u unique (z), constraint f foreign key (z) references q(qid), constraint s foreign key (z) references a(w))`, `
		ALTER TABLE p RENAME TO q
		ALTER TABLE a RENAME COLUMN x TO w
		ALTER TABLE a RENAME COLUMN y TO z
		ALTER TABLE q RENAME COLUMN id TO qid`},
	{"052 following is no change under require-hint", require, `table a (x integer primary key, y integer, constraint k check (y > 0)) index i on a (y)`,
		`table a (x integer primary key, z integer with tags ("quereus.previous_name" = 'y'), constraint k check (z > 0)) index i on a (z)`, `ALTER TABLE a RENAME COLUMN y TO z`},
	{"053 a parent is renamed and its child altered", allow, `table p (id integer primary key) table a (x integer primary key, constraint f foreign key (x) references p(id))`,
		`table q (id integer primary key) with tags ("quereus.previous_name" = 'p') table a (x integer primary key, y integer default 1, constraint f foreign key (x) references q(id))`, `
		ALTER TABLE p RENAME TO q
		ALTER TABLE a ADD COLUMN y integer default 1`},
	{"055 a common table of the table's name", allow, `table a (x integer primary key) view v as with a as (select 1 as x) select x from a`,
		`table b (x integer primary key) with tags ("quereus.previous_name" = 'a') view v as with a as (select 1 as x) select x from a`, `ALTER TABLE a RENAME TO b`},
	{"056 a stale check", allow, `table a (x integer primary key, y integer, constraint k check (y > 0))`,
		`table a (x integer primary key, z integer with tags ("quereus.previous_name" = 'y'), constraint k check (y > 0))`, `error: check a.k names the column a.y, which this change renames to z`},
	{"056 a stale unique constraint", allow, `table a (x integer primary key, y integer, constraint u unique (y))`,
		`table a (x integer primary key, z integer with tags ("quereus.previous_name" = 'y'), constraint u unique (y))`, `error: constraint a.u names the column a.y, which this change renames to z`},
	{"056 a stale foreign key", allow, `table p (id integer primary key) table a (x integer primary key, constraint f foreign key (x) references p(id))`,
		`table q (id integer primary key) with tags ("quereus.previous_name" = 'p') table a (x integer primary key, constraint f foreign key (x) references p(id))`, `error: constraint a.f names p, which this change renames to q`},
	{"056 a stale index", allow, `table a (x integer primary key, y integer) index i on a (x) where y > 0`,
		`table a (x integer primary key, z integer with tags ("quereus.previous_name" = 'y')) index i on a (x) where y > 0`, `error: index i names the column a.y, which this change renames to z`},
	{"056 a stale view", allow, `table a (x integer primary key, y integer) view v as select y from a`,
		`table a (x integer primary key, z integer with tags ("quereus.previous_name" = 'y')) view v as select y from a`, `error: view v names the column a.y, which this change renames to z`},
	{"056 a stale materialized view", allow, `table a (x integer primary key) materialized view v as select x from a`,
		`table b (x integer primary key) with tags ("quereus.previous_name" = 'a') materialized view v as select x from a`, `error: materialized view v names a, which this change renames to b`},
	{"056 a stale assertion", allow, `table a (x integer primary key) assertion s check (not exists (select 1 from a))`,
		`table b (x integer primary key) with tags ("quereus.previous_name" = 'a') assertion s check (not exists (select 1 from a))`, `error: assertion s names a, which this change renames to b`},
}

var quereusObjects = []behaviour{
	{"057 what is compared of an index", allow, `table a (x integer primary key, y text) index i on a (x, y) where y = 'a' index j on a (x)`,
		`table a (x integer primary key, y text) index i on a (X asc, Y) where Y = 'a' index j on a (x desc)`, `
		DROP INDEX IF EXISTS j
		create index j on a (x desc)`},
	{"058 a collation that the column has", allow, `table a (x text primary key collate nocase) index i on a (x)`, `table a (x text primary key collate nocase) index i on a (x collate nocase)`, ``},
	{"058 another collation of the column", allow, `table a (x integer primary key, y text) index i on a (y)`, `table a (x integer primary key, y text collate nocase) index i on a (y)`, `
		DROP INDEX IF EXISTS i
		ALTER TABLE a ALTER COLUMN y SET COLLATE NOCASE
		create index i on a (y)`},
	{"059 an index follows", allow, `table a (x integer primary key, y text) index i on a (y) where a.y > ''`,
		`table b (x integer primary key, z text with tags ("quereus.previous_name" = 'y')) with tags ("quereus.previous_name" = 'a') index i on b (z) where b.z > ''`, `
		ALTER TABLE a RENAME TO b
		ALTER TABLE b RENAME COLUMN y TO z`},
	{"060 tags of an index", allow, `table a (x integer primary key) index i on a (x)`, `table a (x integer primary key) index i on a (x) with tags (t = 1)`, `ALTER INDEX i SET TAGS (t = 1)`},
	{"061 an index is renamed", require, `table a (x integer primary key, y text) index i on a (y)`,
		`table a (x integer primary key, z text with tags ("quereus.previous_name" = 'y')) index j on a (z) with tags ("quereus.previous_name" = 'i')`, `
		DROP INDEX IF EXISTS i
		ALTER TABLE a RENAME COLUMN y TO z
		create index j on a (z) with tags ("quereus.previous_name" = 'i')`},
	{"062 an index moves", allow, `table a (x integer primary key) table b (x integer primary key) index i on a (x)`, `table a (x integer primary key) table b (x integer primary key) index i on b (x)`, `
		DROP INDEX IF EXISTS i
		create index i on b (x)`},
	{"063 an index on a new column", allow, `table a (x integer primary key)`, `table a (x integer primary key, y integer default 0) index i on a (y)`, `
		ALTER TABLE a ADD COLUMN y integer default 0
		create index i on a (y)`},
	{"063 an index on a renamed column", allow, `table a (x integer primary key, y integer)`, `table a (x integer primary key, z integer with tags ("quereus.previous_name" = 'y')) index i on a (z)`, `
		ALTER TABLE a RENAME COLUMN y TO z
		create index i on a (z)`},
	{"064 an index on a column that goes", allow, `table a (x integer primary key, y integer) index i on a (y)`, `table a (x integer primary key) index i on a (y)`,
		`error: index i names the column a.y, which this change drops`},
	{"065 an index on an expression", allow, ``, `table a (x integer primary key) index i on a (x + 1)`, `error: an expression where a column is expected`},
	{"066 the index behind a constraint", allow, `table a (x integer primary key, constraint u unique (x))`,
		`table a (x integer primary key, constraint u unique (x) with tags ("quereus.expose_implicit_index" = true))`, `ALTER TABLE a ALTER CONSTRAINT u SET TAGS ("quereus.expose_implicit_index" = true)`},
	{"067 the constraint behind an index", allow, `table a (x integer primary key) unique index u on a (x)`, `table a (x integer primary key) unique index u on a (x)`, ``},
	{"073 what is compared of a view", allow, `table a (x integer primary key) view v as select x from a view w (p) as select x from a`,
		`table a (x integer primary key) view v as SELECT  x FROM a view w (q) as select x from a`, `
		DROP VIEW IF EXISTS w
		create view w (q) as select x from a`},
	{"073 its case", allow, `table a (x integer primary key) view v as select x from a`, `table a (x integer primary key) view v as select X from a`, `
		DROP VIEW IF EXISTS v
		create view v as select X from a`},
	{"074 tags of a view", allow, `view v as select 1 as x`, `view v as select 1 as x with tags (t = 1)`, `ALTER VIEW v SET TAGS (t = 1)`},
	{"074 a view is renamed", require, `view v as select 1 as x`, `view w as select 1 as x with tags ("quereus.previous_name" = 'v')`, `
		DROP VIEW IF EXISTS v
		create view w as select 1 as x with tags ("quereus.previous_name" = 'v')`},
	{"075 a view follows", allow, `table a (x integer primary key) view v as select x from a`,
		`table b (y integer primary key with tags ("quereus.previous_name" = 'x')) with tags ("quereus.previous_name" = 'a') view v as select y from b`, `
		ALTER TABLE a RENAME TO b
		ALTER TABLE b RENAME COLUMN x TO y`},
	{"075 a view of a view whose column has another name now", allow, `table a (x integer primary key) view v as select x from a view w as select x from v`,
		`table a (y integer primary key with tags ("quereus.previous_name" = 'x')) view v as select y from a view w as select x from v`, `error: view w names the column v.x`},
	{"076 a view and its column are renamed", allow, `table a (x integer primary key) view v as select x from a`,
		`table a (y integer primary key with tags ("quereus.previous_name" = 'x')) view w as select y from a with tags ("quereus.previous_name" = 'v')`, `
		DROP VIEW IF EXISTS v
		ALTER TABLE a RENAME COLUMN x TO y
		create view w as select y from a with tags ("quereus.previous_name" = 'v')`},
	{"077 a view over a column that is added and one that is renamed", allow, `table a (x integer primary key) view v as select x from a`,
		`table a (y integer primary key with tags ("quereus.previous_name" = 'x'), z integer default 0) view v as select y as x, z from a`, `
		DROP VIEW IF EXISTS v
		ALTER TABLE a RENAME COLUMN x TO y
		ALTER TABLE a ADD COLUMN z integer default 0
		create view v as select y as x, z from a`},
	{"079 a view becomes a table", allow, `view v as select 1 as x`, `table v (x integer primary key)`, `
		DROP VIEW IF EXISTS v
		create table v (x integer primary key)`},
	{"079 a table becomes a view", allow, `table v (x integer primary key)`, `view v as select 1 as x`, `
		DROP TABLE IF EXISTS v
		create view v as select 1 as x`},
	{"079 what references a table that becomes a view goes before it", allow, `table v (x integer primary key)
		table b (x integer primary key, constraint f foreign key (x) references v(x)) table c (x integer primary key references b(x))
		table d (x integer primary key, constraint f foreign key (x) references v(x)) table e (x integer primary key, y integer null references v(x), z integer generated always as (y + 1))`,
		`view v as select 1 as x table d (x integer primary key) table e (x integer primary key)`, `
		ALTER TABLE e DROP COLUMN z
		ALTER TABLE d DROP CONSTRAINT f
		ALTER TABLE e DROP COLUMN y
		DROP TABLE IF EXISTS c
		DROP TABLE IF EXISTS b
		DROP TABLE IF EXISTS v
		create view v as select 1 as x`},
	{"079 a view is left behind", allow, `table a (x integer primary key) view v as select x from a`, `view v as select x from a`, `
		DROP TABLE IF EXISTS a
		notice: view v still reads a, which this change drops`},
	{"079 a view that is made is not left behind", allow, `table a (x integer primary key, y integer) view v as select x from a`, `table a (x integer primary key) view v as select y as x from a`,
		`error: view v names the column a.y, which this change drops`},
	{"079 a view of nothing", allow, ``, `view v as select x from nobody`, `error: view v names nobody, which is not declared`},
	{"080 another query of a materialized view", allow, `table a (x integer primary key) materialized view m as select x from a`, `table a (x integer primary key) materialized view m (y) as select x + 1 as y from a`,
		`alter table m set maintained (y) as select x + 1 as y from a`},
	{"081 a materialized view is renamed", require, `table a (x integer primary key) materialized view m as select x from a`,
		`table a (x integer primary key) materialized view n as select x from a with tags ("quereus.previous_name" = 'm')`, `ALTER TABLE m RENAME TO n`},
	{"082 tags of a materialized view", allow, `table a (x integer primary key) materialized view m as select x from a`, `table a (x integer primary key) materialized view m as select x + 1 as x from a with tags (t = 1)`, `
		alter table m set maintained as select x + 1 as x from a
		ALTER MATERIALIZED VIEW m SET TAGS (t = 1)`},
	{"083 attached, detached, and two forms of one", allow,
		`table a (x integer primary key) table m (x integer primary key) materialized view n as select x from a table o (x integer primary key) maintained as select x from a`,
		`table a (x integer primary key) materialized view m as select x from a table n (x integer primary key) materialized view o as select x from a`, `
		ALTER TABLE n DROP MAINTAINED
		alter table m set maintained as select x from a
		notice: table m keeps what its columns are declared with
		notice: the columns of table n are those of its query at the base
		notice: table o keeps what its columns are declared with`},
	{"083 what a materialized view has no place for stays", allow,
		`table a (x integer primary key) table o (x integer primary key with tags (t = 1), constraint k check (x > 0), unique (x)) maintained as select x from a with context (who text)`,
		`table a (x integer primary key) materialized view o as select x from a`, `notice: (types, null, collations, key, the tags of column x, constraint k, the unnamed unique (x), the variable who)`},
	{"083 what a materialized view has no place for comes in a change of its own", allow, `table a (x integer primary key) materialized view o as select x from a`,
		`table a (x integer primary key) table o (x integer default 1 constraint k check (x > 0) with tags (t = 1), primary key (x))`,
		`error: table o is a materialized view at the base … the default of column x, constraint k; state its columns`},
	{"083 a query that gives other columns", allow, `table a (x integer primary key) table m (x integer primary key, y integer)`, `table a (x integer primary key) materialized view m as select x from a`,
		`error: table m has the columns x, y`},
	{"084 a materialized view goes", allow, `table a (x integer primary key) materialized view m as select x from a`, `table a (x integer primary key)`, `DROP TABLE IF EXISTS m`},
	{"084 what references it goes before it", allow, `table a (x integer primary key) table m (x integer primary key) maintained as select x from a table b (x integer primary key, constraint f foreign key (x) references m(x))
		table c (x integer primary key, constraint f foreign key (x) references m(x))`, `table a (x integer primary key) table c (x integer primary key)`, `
		ALTER TABLE c DROP CONSTRAINT f
		DROP TABLE IF EXISTS b
		DROP TABLE IF EXISTS m`},
	{"085 another module", allow, `table a (x integer primary key) materialized view m as select x from a index i on m (x)`,
		`table a (x integer primary key) materialized view m using memory(k = 1) as select x from a index i on m (x)`, `
		DROP INDEX IF EXISTS i
		DROP TABLE IF EXISTS m
		create materialized view m using memory (k = 1) as select x from a
		create index i on m (x)`},
	{"085 memory said in three ways", allow, `table a (x integer primary key) materialized view m as select x from a`, `table a using mem { x integer primary key } materialized view m using memory() as select x from a`, ``},
	{"086 another name and module", allow, `table a (x integer primary key) materialized view m as select x from a`,
		`table a (x integer primary key) materialized view n using memory(k = 1) as select x from a with tags ("quereus.previous_name" = 'm')`, `
		ALTER TABLE m RENAME TO n
		DROP TABLE IF EXISTS n
		create materialized view n using memory (k = 1) as select x from a with tags ("quereus.previous_name" = 'm')`},
	{"087 another query and other columns", allow, `table a (x integer primary key, y integer) table m (x integer primary key) maintained as select x from a`,
		`table a (x integer primary key, y integer) table m (x integer primary key, y integer) maintained as select x, y from a`, `
		ALTER TABLE m ADD COLUMN y integer
		alter table m set maintained as select x, y from a`},
	{"089 an assertion changes", allow, `table a (x integer primary key) assertion s check (not exists (select 1 from a where x < 0))`, `table a (x integer primary key) assertion s check (not exists (select 1 from a where X < 0))`, `
		DROP ASSERTION IF EXISTS s
		create assertion s check (not exists (select 1 from a where X < 0))`},
	{"090 an assertion that follows", allow, `table a (x integer primary key) assertion s check (not exists (select 1 from a))`,
		`table b (x integer primary key) with tags ("quereus.previous_name" = 'a') assertion s check (not exists (select 1 from b))`, `
		ALTER TABLE a RENAME TO b
		DROP ASSERTION IF EXISTS s
		create assertion s check (not exists (select 1 from b))`},
	{"091 an assertion over what comes back", allow, `table a (x integer primary key) view v as select x from a assertion s check (not exists (select 1 from v))`,
		`table a (x integer primary key) view v as select x + 1 as x from a assertion s check (not exists (select 1 from v))`, `
		DROP ASSERTION IF EXISTS s
		DROP VIEW IF EXISTS v
		create view v as select x + 1 as x from a
		create assertion s check (not exists (select 1 from v))`},
	{"091 an assertion over what goes", allow, `table a (x integer primary key) assertion s check (not exists (select 1 from a))`, `assertion s check (not exists (select 1 from a))`,
		`error: assertion s names a, which this change drops`},
	{"092 an assertion over a new column", allow, `table a (x integer primary key)`, `table a (x integer primary key, y integer default 0) assertion s check (not exists (select 1 from a where y < 0))`, `
		ALTER TABLE a ADD COLUMN y integer default 0
		create assertion s check (not exists (select 1 from a where y < 0))`},
}

var quereusTags = []behaviour{
	{"093 tags on every site", allow, `table a (x integer primary key with tags (t = 1)) with tags (b = 2, a = 1)`, `table a (x integer primary key) with tags (a = 1, b = 2, c = 3)`, `
		ALTER TABLE a SET TAGS (a = 1, b = 2, c = 3)
		ALTER TABLE a ALTER COLUMN x SET TAGS ()`},
	{"093 order does not count", allow, `table a (x integer primary key) with tags (a = 1, b = 'x')`, `table a (x integer primary key) with tags (b = 'x', a = 1)`, ``},
	{"094 hints are written along, and not compared", allow, `table a (x integer primary key) table b (x integer primary key)`,
		`table a (x integer primary key) with tags ("quereus.id" = 'i') table b (x integer primary key) with tags ("quereus.id" = 'j', t = 1)`, `ALTER TABLE b SET TAGS ("quereus.id" = 'j', t = 1)`},
	{"094 other letters make another tag", allow, `table a (x integer primary key) table b (x integer primary key)`,
		`table a (x integer primary key) with tags ("Quereus.id" = 'i') table c (x integer primary key) with tags ("quereus.Previous_name" = 'b')`,
		`error: quereus.Previous_name`},
	{"094 other letters before the dot", allow, `table a (x integer primary key)`, `table a (x integer primary key) with tags ("Quereus.id" = 'i')`, `ALTER TABLE a SET TAGS ("Quereus.id" = 'i')`},
	{"095 values", allow, `table a (x integer primary key)`, `table a (x integer primary key) with tags (s = 'it''s', n = -2.5, t = true, f = false, z = null, "odd key" = 'v')`,
		`ALTER TABLE a SET TAGS (s = 'it''s', n = -2.5, t = true, f = false, z = null, "odd key" = 'v')`},
	{"095 text and number differ", allow, `table a (x integer primary key) with tags (t = 1)`, `table a (x integer primary key) with tags (t = '1')`, `ALTER TABLE a SET TAGS (t = '1')`},
	{"097 a key that is not known", deny, ``, `table a (x integer primary key with tags ("quereus.nope" = 1))`, `error: head.sql … quereus.nope`},
	{"097 other capitals are no reserved key", allow, `table a (x integer primary key)`, `table a (x integer primary key) with tags ("Quereus.nope" = 'x')`, `ALTER TABLE a SET TAGS ("Quereus.nope" = 'x')`},
	{"098 a key at the wrong place", allow, ``, `table a (x integer primary key) with tags ("quereus.expose_implicit_index" = true)`, `error: quereus.expose_implicit_index`},
	{"099 a value of the wrong kind", allow, ``, `table a (x integer primary key) with tags ("quereus.id" = 7)`, `error: quereus.id`},
	{"100 a table that the engine keeps", allow, `table a (x integer primary key) with tags ("quereus.engine_managed" = true) index i on a (x)`, `table b (x integer primary key)`, `
		create table b (x integer primary key)
		notice: table a is not declared any more`},
	{"100 a new one", allow, ``, `table a (x integer primary key) with tags ("quereus.engine_managed" = true)`, `notice: table a is new and kept by the engine itself`},
	{"101 a key comes before names", allow, ``, `table a (x integer primary key) table b (x integer primary key) with tags ("quereus.typo" = 1)`, `error: quereus.typo`},
	{"102 tags of an unnamed constraint are the column's", allow, ``, `table a (x integer primary key, y integer check (y > 0) with tags ("quereus.expose_implicit_index" = true))`, `error: quereus.expose_implicit_index`},
	{"102 tags of a named one are its own", allow, `table a (x integer primary key, y text)`, `table a (x integer primary key, y text constraint u unique with tags ("quereus.expose_implicit_index" = true))`,
		`ALTER TABLE a ADD constraint u unique (y) with tags ("quereus.expose_implicit_index" = true)`},
}
