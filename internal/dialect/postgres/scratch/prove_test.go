package scratch

import (
	"testing"

	"github.com/altergate/altergate/internal/dialect/postgres/postgrestest"
	"github.com/altergate/altergate/internal/diff"
)

const peopleBase = `
CREATE TYPE mood AS ENUM ('sad', 'ok', 'glad');
CREATE TABLE teams (id serial PRIMARY KEY, name text NOT NULL UNIQUE);
CREATE TABLE people (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	team_id integer REFERENCES teams (id),
	boss_id bigint REFERENCES people (id),
	name varchar(40) NOT NULL,
	nick text,
	mood mood,
	score numeric(6,2) CHECK (score > 100),
	born date,
	seen timestamptz DEFAULT now()
);
CREATE INDEX people_name ON people (name);
CREATE VIEW names AS SELECT id, name FROM people;
CREATE FUNCTION stamp() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.nick := ''spoilt''; RETURN NEW; END';
CREATE TRIGGER stamp BEFORE INSERT OR UPDATE ON people FOR EACH ROW EXECUTE FUNCTION stamp();
`

func TestProve(t *testing.T) {
	url := postgrestest.URL(t)
	const table = "CREATE TABLE t (id serial PRIMARY KEY, a text, b integer);"
	tests := []proofCase{
		{name: "nothing to do", base: peopleBase, head: peopleBase},
		{name: "everything is new", head: peopleBase, steps: []string{peopleBase}},
		{name: "everything goes", base: table, steps: []string{"DROP TABLE t"}},
		{name: "a column with a default", base: table, head: "CREATE TABLE t (id serial PRIMARY KEY, a text, b integer, c text NOT NULL DEFAULT 'none');",
			steps: []string{"ALTER TABLE t ADD COLUMN c text NOT NULL DEFAULT 'none'"}},
		{name: "a column with a volatile default", base: table, head: "CREATE TABLE t (id serial PRIMARY KEY, a text, b integer, c uuid NOT NULL DEFAULT gen_random_uuid());",
			steps: []string{"ALTER TABLE t ADD COLUMN c uuid NOT NULL DEFAULT gen_random_uuid()"}},
		{name: "NULLs get the default", base: table, head: "CREATE TABLE t (id serial PRIMARY KEY, a text NOT NULL DEFAULT 'none', b integer);",
			steps: []string{"ALTER TABLE t ALTER COLUMN a SET DEFAULT 'none'", "UPDATE t SET a = 'none' WHERE a IS NULL", "ALTER TABLE t ALTER COLUMN a SET NOT NULL"}},
		{name: "renames", base: table, head: "CREATE TABLE u (id serial PRIMARY KEY, x text, b integer);",
			renames: diff.Renames{Tables: []diff.RenameTable{{From: "t", To: "u"}}, Columns: []diff.RenameColumn{{Table: "u", From: "a", To: "x"}}},
			steps:   []string{"ALTER TABLE t RENAME TO u", "ALTER TABLE u RENAME COLUMN a TO x", "ALTER INDEX t_pkey RENAME TO u_pkey", "ALTER SEQUENCE t_id_seq RENAME TO u_id_seq"}},
		{name: "an index beside the writers", base: table, head: table + "CREATE UNIQUE INDEX t_a ON t (lower(a));",
			steps: []string{"SET lock_timeout = '2s'", "CREATE UNIQUE INDEX CONCURRENTLY t_a ON t (lower(a))", "RESET lock_timeout"}},
		{name: "a type that is narrower", base: table, head: "CREATE TABLE t (id serial PRIMARY KEY, a varchar(5), b smallint);",
			steps: []string{"ALTER TABLE t ALTER COLUMN a TYPE varchar(5), ALTER COLUMN b TYPE smallint"}},
		{name: "text becomes a number", base: table, head: "CREATE TABLE t (id serial PRIMARY KEY, a integer, b text);",
			steps: []string{"ALTER TABLE t ALTER COLUMN a TYPE integer USING a::integer, ALTER COLUMN b TYPE text"}},
		{name: "an enum without a label", base: "CREATE TYPE m AS ENUM ('a', 'b', 'c'); CREATE TABLE t (id integer PRIMARY KEY, m m);", head: "CREATE TYPE m AS ENUM ('a', 'c'); CREATE TABLE t (id integer PRIMARY KEY, m m);",
			steps: []string{"BEGIN", "ALTER TYPE m RENAME TO old", "CREATE TYPE m AS ENUM ('a', 'c')", "ALTER TABLE t ALTER COLUMN m TYPE m USING m::text::m", "DROP TYPE old", "COMMIT"}},
		{name: "a foreign key checked later", base: table + "CREATE TABLE p (id integer PRIMARY KEY);", head: "CREATE TABLE t (id serial PRIMARY KEY, a text, b integer CONSTRAINT fk REFERENCES p); CREATE TABLE p (id integer PRIMARY KEY);",
			steps: []string{"ALTER TABLE t ADD CONSTRAINT fk FOREIGN KEY (b) REFERENCES p NOT VALID", "ALTER TABLE t VALIDATE CONSTRAINT fk"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			engine := test.run(t, url)
			if len(engine.Empty) > 0 || len(engine.LeftOut) > 0 || (test.base != "") != (engine.Rows > 0) {
				t.Errorf("%d rows, empty tables %v, left out %v", engine.Rows, engine.Empty, engine.LeftOut)
			}
		})
	}
}

// TestSpoiltPlansAreRefuted spoils right plans in the ways in which plans have been wrong elsewhere.
func TestSpoiltPlansAreRefuted(t *testing.T) {
	url := postgrestest.URL(t)
	const base = "CREATE TABLE t (id serial PRIMARY KEY, a text, b integer);"
	tests := []proofCase{
		{name: "a default is lost", base: base, head: "CREATE TABLE t (id serial PRIMARY KEY, a text, b integer DEFAULT 7);",
			refuted: `after the plan, column t.b is "integer" and the head has "integer, default 7"`},
		{name: "an index is lost", base: base + "CREATE INDEX i ON t (a);", head: base + "CREATE INDEX i ON t (a);", steps: []string{"DROP INDEX i"},
			refuted: "after the plan, index i is not there, and the head has it"},
		{name: "an index is left", base: base + "CREATE INDEX i ON t (a);", head: base, refuted: "after the plan, index i is there, and the head does not have it"},
		{name: "values are lost", base: base, head: base, steps: []string{"UPDATE t SET a = NULL"}, refuted: "table t: column a holds NULL after the plan and should hold"},
		{name: "values change places", base: "CREATE TABLE t (id integer PRIMARY KEY, a text, b text);", head: "CREATE TABLE t (id integer PRIMARY KEY, a text, b text);",
			steps: []string{"ALTER TABLE t RENAME a TO x", "ALTER TABLE t RENAME b TO a", "ALTER TABLE t RENAME x TO b"}, refuted: "table t: column a holds"},
		{name: "values are cut", base: base, head: "CREATE TABLE t (id serial PRIMARY KEY, a varchar(30), b integer);", steps: []string{"ALTER TABLE t ALTER a TYPE varchar(30) USING left(a, 3)"},
			refuted: "table t: column a holds"},
		{name: "rows are lost", base: base, head: base, steps: []string{"DELETE FROM t WHERE b IS NULL"}, refuted: "table t holds 2 rows after the plan and should hold 3"},
		{name: "a sequence begins again", base: base, head: base, steps: []string{"ALTER SEQUENCE t_id_seq RESTART"}, refuted: "sequence t_id_seq would give out 1 next, and t.id holds"},
		{name: "a sequence goes back", base: base, head: base, steps: []string{"SELECT setval('t_id_seq', (SELECT max(id) FROM t))"}, refuted: "sequence t_id_seq would give out numbers again"},
		{name: "a new identity begins behind its rows", base: "CREATE TABLE t (id integer PRIMARY KEY);", head: "CREATE TABLE t (id integer GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY);",
			steps: []string{"ALTER TABLE t ALTER id ADD GENERATED BY DEFAULT AS IDENTITY"}, refuted: "would give out 1 next"},
		{name: "a constraint is not validated", base: base, head: "CREATE TABLE t (id serial PRIMARY KEY, a text, b integer, CONSTRAINT c CHECK (b > 0));",
			steps: []string{"ALTER TABLE t ADD CONSTRAINT c CHECK (b > 0) NOT VALID"}, refuted: "NOT VALID"},
		{name: "NULLs are not filled", base: base, head: "CREATE TABLE t (id serial PRIMARY KEY, a text NOT NULL DEFAULT 'x', b integer);",
			steps:   []string{"ALTER TABLE t ALTER a SET DEFAULT 'x'", "ALTER TABLE t ALTER a SET NOT NULL"},
			refuted: "step 2 (alter_table t) fails on PostgreSQL "},
		{name: "NULLs are filled with something else", base: base, head: "CREATE TABLE t (id serial PRIMARY KEY, a text NOT NULL DEFAULT 'x', b integer);",
			steps:   []string{"ALTER TABLE t ALTER a SET DEFAULT 'x'", "UPDATE t SET a = 'y' WHERE a IS NULL", "ALTER TABLE t ALTER a SET NOT NULL"},
			refuted: "table t: column a holds 'y' after the plan and should hold 'x'"},
		{name: "a transaction stays open", base: base, head: base, steps: []string{"BEGIN"}, refuted: "leaves a transaction open"},
		{name: "a trigger stays off", base: peopleBase, head: peopleBase, steps: []string{"ALTER TABLE people DISABLE TRIGGER stamp"}, refuted: "trigger people.stamp"},
		{name: "a trigger spoils what is filled", base: peopleBase, head: peopleBase, steps: []string{"UPDATE people SET id = DEFAULT WHERE false", "UPDATE people SET name = name"}, refuted: "column nick holds 'spoilt'"},
		{name: "a privilege is lost", base: base + "GRANT SELECT ON t TO PUBLIC;", head: base + "GRANT SELECT ON t TO PUBLIC;", steps: []string{"REVOKE ALL ON t FROM PUBLIC"}, refuted: "privileges on table t"},
		{name: "an option of a column is lost", base: base + "ALTER TABLE t ALTER a SET (n_distinct = 5);", head: base + "ALTER TABLE t ALTER a SET (n_distinct = 5);",
			steps: []string{"ALTER TABLE t ALTER a RESET (n_distinct)"}, refuted: `after the plan, column t.a is "text" and the head has "text, options n_distinct=5"`},
		{name: "a comment is lost", base: base + "COMMENT ON COLUMN t.a IS 'x';", head: base + "COMMENT ON COLUMN t.a IS 'x';", steps: []string{"COMMENT ON COLUMN t.a IS NULL"}, refuted: "comment on column a of table t is not there"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { test.run(t, url) })
	}
}

// TestUnfinishedIndexIsRefuted leaves what CREATE INDEX CONCURRENTLY leaves when it is stopped.
func TestUnfinishedIndexIsRefuted(t *testing.T) {
	const base = "CREATE TABLE t (id integer PRIMARY KEY);"
	proofCase{base: base, head: base + "CREATE INDEX i ON t (id);", steps: []string{"CREATE INDEX i ON t (id)", "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'i'::regclass"},
		refuted: `after the plan, index i is "CREATE INDEX ON public.t USING btree (id), INVALID" and the head has "CREATE INDEX ON public.t USING btree (id)"`}.run(t, superURL(t))
}
