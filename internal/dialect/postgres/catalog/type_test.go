package catalog_test

import "testing"

func TestTypes(t *testing.T) {
	checkFacts(t, []factCase{
		{"enum", `CREATE TYPE app.mood AS ENUM ('sad', 'it''s', 'B'); ALTER TYPE app.mood ADD VALUE 'last'; ALTER TYPE app.mood ADD VALUE 'first' BEFORE 'sad';
			ALTER TYPE app.mood ADD VALUE 'second' AFTER 'first'; ALTER TYPE app.mood ADD VALUE IF NOT EXISTS 'last' BEFORE 'sad'; ALTER TYPE app.mood RENAME VALUE 'B' TO 'b'`,
			"enum app.mood(first,second,sad,it's,b,last)"},
		{"composite", `CREATE TYPE pair AS (a int, b text COLLATE "C"); ALTER TYPE pair ADD ATTRIBUTE c numeric(10,2) CASCADE, DROP ATTRIBUTE IF EXISTS x, ALTER ATTRIBUTE a TYPE text COLLATE "de_DE", DROP ATTRIBUTE b;
			ALTER TYPE pair RENAME ATTRIBUTE c TO d; ALTER TYPE pair OWNER TO app`,
			"composite pair a text collate pg_catalog.de_DE d numeric, owner app"},
		{"range", `CREATE TYPE r AS RANGE (subtype = float8, subtype_diff = float8mi); CREATE FUNCTION f(r_multirange) RETURNS int LANGUAGE sql AS '1'; CREATE TYPE myrange AS RANGE (subtype = int, multirange_type_name = many)`,
			"range r of double precision\nrange myrange of integer\nfunction f(r_multirange) in r_multirange returns int sql volatile unsafe, body 1"},
		{"base type that is named first", `CREATE TYPE box2; CREATE FUNCTION box2_in(cstring) RETURNS box2 LANGUAGE internal AS 'x'; CREATE FUNCTION box2_out(box2) RETURNS cstring LANGUAGE internal AS 'y';
			CREATE TYPE box2 (input = box2_in, output = box2_out)`,
			"base box2\nfunction box2_in(cstring) in cstring returns box2 internal volatile unsafe, body x\nfunction box2_out(box2) in box2 returns cstring internal volatile unsafe, body y"},
		{"domain", `CREATE DOMAIN d AS varchar(20) COLLATE "C" DEFAULT ('a' || 'b') NOT NULL CONSTRAINT ck CHECK (VALUE <> '') CHECK (length(VALUE) < 5);
			ALTER DOMAIN d ADD CHECK (VALUE > 'a') NOT VALID; ALTER DOMAIN d DROP NOT NULL; ALTER DOMAIN d RENAME CONSTRAINT ck TO filled; ALTER DOMAIN d SET DEFAULT 'z'; ALTER DOMAIN d DROP CONSTRAINT IF EXISTS nix`,
			"domain d varchar(20) default 'z' filled: CHECK (VALUE <> '') [VALUE <> ''] d_check: CHECK (length(VALUE) < 5) [length(VALUE) < 5] d_check1: CHECK (VALUE > 'a') NOT VALID [VALUE > 'a']"},
		{"domain without", `CREATE DOMAIN d AS int DEFAULT 1; ALTER DOMAIN d DROP DEFAULT; ALTER DOMAIN d SET NOT NULL; ALTER DOMAIN d ADD CONSTRAINT c CHECK (VALUE > 0); ALTER DOMAIN d DROP CONSTRAINT c`,
			"domain d int, not null"},
		{"moved", `CREATE TYPE mood AS ENUM ('a'); CREATE DOMAIN d AS text CONSTRAINT c CHECK (VALUE <> ''); COMMENT ON TYPE mood IS 'x'; COMMENT ON DOMAIN d IS 'y'; COMMENT ON CONSTRAINT c ON DOMAIN d IS 'z'; GRANT USAGE ON DOMAIN d TO app;
			ALTER TYPE mood SET SCHEMA app; ALTER DOMAIN d RENAME TO e; ALTER DOMAIN e OWNER TO app`,
			`enum app.mood(a)
			 domain e text c: CHECK (VALUE <> '') [VALUE <> ''], owner app
			 comment type app.mood text=x
			 comment domain e text=y
			 comment constraint e.c text=z
			 grant domain e to app privileges=USAGE`},
		{"dropped", `CREATE TYPE mood AS ENUM ('a'); CREATE DOMAIN d AS mood; COMMENT ON TYPE mood IS 'x'; DROP DOMAIN d; DROP TYPE IF EXISTS mood, nix`, ""},
		{"altered before it is there", `ALTER TYPE mood ADD VALUE 'b'; CREATE TYPE mood AS ENUM ('a')`, "enum mood(a,b)"},
	})
	checkErrors(t, []errorCase{
		{"twice", "CREATE TYPE mood AS ENUM ('a');\nCREATE DOMAIN mood AS text", "schema.sql:2:8: domain mood is already there (schema.sql:1:8); take one of the two out"},
		{"a table has the name", "CREATE TABLE mood (a int);\nCREATE TYPE mood AS ENUM ('a')", "schema.sql:2:8: table mood is already there (schema.sql:1:14); take one of the two out"},
		{"a label twice", "CREATE TYPE mood AS ENUM ('a', 'a')", "schema.sql:1:8: type mood already has the label 'a'; take one of them out"},
		{"no such label", "CREATE TYPE mood AS ENUM ('a');\nALTER TYPE mood ADD VALUE 'c' AFTER 'b'", "schema.sql:2:1: type mood has no label 'b' next to which 'c' could stand; correct the name"},
		{"dropped though used", "CREATE TYPE mood AS ENUM ('a');\nCREATE TABLE t (m mood[]);\nDROP TYPE mood", "schema.sql:3:1: type mood cannot be dropped: column t.m has that type; drop or change that first"},
		{"dropped with what uses it", "CREATE TYPE mood AS ENUM ('a');\nCREATE FUNCTION f(m mood) RETURNS int LANGUAGE sql AS 'SELECT 1';\nDROP TYPE mood CASCADE", "schema.sql:3:1: dropping type mood with CASCADE would drop function f(mood) too, which has that type; drop that in a statement of its own"},
		{"an attribute twice", "CREATE TYPE p AS (a int,\n a text)", "schema.sql:2:2: type p already has an attribute a; take one of them out"},
		{"no domain", "CREATE TYPE p AS (a int);\nALTER DOMAIN p SET NOT NULL", "schema.sql:2:7: type p is no domain: it is of the kind composite"},
	})
}
