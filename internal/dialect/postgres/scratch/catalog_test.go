package scratch

import (
	"context"
	"strings"
	"testing"

	"github.com/altergate/altergate/internal/schema"
)

// rareObjects holds one of each kind that the server's catalog has and few schemas do.
const rareObjects = `
CREATE SCHEMA a; CREATE SCHEMA b;
CREATE TYPE a.mood AS ENUM ('x', 'y'); CREATE TYPE a.pair AS (n integer, t text COLLATE "C"); CREATE TYPE a.span AS RANGE (subtype = float8, subtype_diff = float8mi);
CREATE DOMAIN b.positive AS integer DEFAULT 1 NOT NULL CONSTRAINT above CHECK (VALUE > 0);
CREATE UNLOGGED TABLE a.t (id integer GENERATED ALWAYS AS IDENTITY (START 5 CACHE 3), m a.mood, p a.pair, d b.positive, long text COLLATE "C", s a.span) WITH (fillfactor = 70, toast.autovacuum_enabled = off);
ALTER TABLE a.t ALTER m SET STATISTICS 7, ALTER long SET STORAGE EXTERNAL, ALTER id SET (n_distinct = 5), REPLICA IDENTITY FULL;
CREATE INDEX i ON a.t USING hash (long); CREATE INDEX e ON a.t ((id + 1)); ALTER INDEX a.e ALTER COLUMN 1 SET STATISTICS 9; CREATE STATISTICS a.st ON id, m FROM a.t;
CREATE FUNCTION a.plus(x a.pair, y a.pair DEFAULT NULL) RETURNS a.pair LANGUAGE sql IMMUTABLE AS 'SELECT x';
CREATE PROCEDURE a.go(INOUT n integer) LANGUAGE plpgsql AS 'BEGIN n := 1; END'; CREATE AGGREGATE a.total(a.pair) (SFUNC = a.plus, STYPE = a.pair);
CREATE FUNCTION a.lt(text, text) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT $1 < $2'; CREATE FUNCTION a.compare(text, text) RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT 1';
CREATE OPERATOR a.<<< (FUNCTION = a.lt, LEFTARG = text, RIGHTARG = text); CREATE OPERATOR FAMILY a.fam USING btree;
CREATE OPERATOR CLASS a.cls FOR TYPE text USING btree FAMILY a.fam AS OPERATOR 1 a.<<<, FUNCTION 1 a.compare(text, text);
CREATE FUNCTION a.number(a.pair) RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT $1.n'; CREATE CAST (a.pair AS integer) WITH FUNCTION a.number(a.pair) AS ASSIGNMENT;
CREATE COLLATION a.c (PROVIDER = icu, LOCALE = 'de'); CREATE CONVERSION a.conv FOR 'LATIN1' TO 'UTF8' FROM iso8859_1_to_utf8;
CREATE TEXT SEARCH DICTIONARY a.dict (TEMPLATE = simple, ACCEPT = false); CREATE TEXT SEARCH CONFIGURATION a.conf (COPY = simple); ALTER TEXT SEARCH CONFIGURATION a.conf ALTER MAPPING FOR word WITH a.dict;
CREATE EXTENSION file_fdw; CREATE SERVER s FOREIGN DATA WRAPPER file_fdw; CREATE FOREIGN TABLE a.f (x text) SERVER s OPTIONS (filename '/dev/null'); CREATE USER MAPPING FOR PUBLIC SERVER s;
CREATE TABLE a.parts (id integer NOT NULL, at date NOT NULL) PARTITION BY RANGE (at, (id + 1)); CREATE TABLE a.part PARTITION OF a.parts FOR VALUES FROM ('2024-01-01', 1) TO ('2025-01-01', 1); CREATE INDEX ON a.parts (id);
CREATE TABLE a.ref (id integer PRIMARY KEY, CONSTRAINT ex EXCLUDE (id WITH =) DEFERRABLE); CREATE TABLE a.child (more text) INHERITS (a.ref); ALTER TABLE a.parts ADD FOREIGN KEY (id) REFERENCES a.ref;
CREATE MATERIALIZED VIEW a.mv AS SELECT id FROM a.t WITH NO DATA; CREATE VIEW b.v WITH (security_barrier) AS SELECT id FROM a.t WHERE id > 1 WITH CHECK OPTION;
CREATE RULE r AS ON DELETE TO a.ref DO ALSO NOTHING; ALTER TABLE a.ref DISABLE RULE r;
CREATE FUNCTION a.tr() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'; CREATE TRIGGER tr AFTER INSERT ON a.parts FOR EACH ROW EXECUTE FUNCTION a.tr(); CREATE CONSTRAINT TRIGGER ct AFTER INSERT ON a.ref DEFERRABLE FOR EACH ROW EXECUTE FUNCTION a.tr();
ALTER TABLE a.ref ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY; CREATE POLICY p ON a.ref AS RESTRICTIVE FOR SELECT TO pg_monitor, PUBLIC USING (id > 0);
CREATE PUBLICATION pub FOR TABLE a.ref WITH (publish = 'insert'); CREATE SEQUENCE b.seq AS smallint INCREMENT -2 MAXVALUE 100 START 50 CYCLE;
COMMENT ON TABLE a.t IS 'it''s'; COMMENT ON COLUMN a.t.id IS 'x'; COMMENT ON CONSTRAINT ex ON a.ref IS 'c'; COMMENT ON FUNCTION a.plus IS 'f'; COMMENT ON SCHEMA public IS 'mine';
GRANT SELECT, INSERT (id) ON a.t TO pg_monitor WITH GRANT OPTION; REVOKE EXECUTE ON FUNCTION a.plus FROM PUBLIC; GRANT USAGE ON SCHEMA a, b TO PUBLIC; REVOKE USAGE ON TYPE a.mood FROM PUBLIC; ALTER DEFAULT PRIVILEGES IN SCHEMA a GRANT SELECT ON TABLES TO pg_monitor;
ALTER TABLE a.child OWNER TO pg_monitor;
CREATE FUNCTION a.watch() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN END'; CREATE EVENT TRIGGER w ON ddl_command_end WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION a.watch(); COMMENT ON EVENT TRIGGER w IS 'w';
`

// TestRareObjects shows that no fact holds a number that differs from one database to the next, and that each of many small changes is
// noticed.
func TestRareObjects(t *testing.T) {
	url := superURL(t)
	proofCase{base: "CREATE TABLE x (a integer, b integer); CREATE TYPE y AS ENUM ('z');" + rareObjects, head: rareObjects, steps: []string{"DROP TABLE x", "DROP TYPE y"}}.run(t, url)
	ctx := context.Background()
	s, err := connect(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	pair, err := s.create(ctx, 2)
	if err != nil {
		t.Fatal(err)
	}
	defer drop(ctx, pair)
	for i, d := range pair {
		b, err := d.build(ctx, []schema.Side{schema.Base, schema.Head}[i], side(t, rareObjects), leftOut{})
		if err != nil {
			t.Fatal(err)
		}
		if err := b.finish(ctx); err != nil {
			t.Fatal(err)
		}
	}
	for statement, want := range map[string]string{
		"ALTER TYPE a.mood ADD VALUE 'between' BEFORE 'y'":                          "type a.mood",
		"ALTER DOMAIN b.positive DROP NOT NULL":                                     "type b.positive",
		"ALTER TABLE a.t RESET (toast.autovacuum_enabled)":                          "table a.t",
		"ALTER TABLE a.t SET LOGGED":                                                "table a.t",
		"ALTER TABLE a.t REPLICA IDENTITY DEFAULT":                                  "table a.t",
		"ALTER TABLE a.t ALTER long SET STORAGE EXTENDED":                           "column a.t.long",
		"ALTER TABLE a.t ALTER m SET STATISTICS -1":                                 "column a.t.m",
		"ALTER INDEX a.e ALTER COLUMN 1 SET STATISTICS -1":                          "index a.e",
		"ALTER TABLE a.t ALTER id SET GENERATED BY DEFAULT":                         "column a.t.id",
		"ALTER TABLE a.t ALTER id SET CACHE 1":                                      "sequence a.t_id_seq",
		"ALTER FUNCTION a.plus(a.pair, a.pair) STABLE":                              "function a.plus(a.pair, a.pair)",
		"ALTER VIEW b.v RESET (security_barrier)":                                   "view b.v",
		"ALTER TABLE a.ref ENABLE RULE r":                                           "rule a.ref.r",
		"ALTER TABLE a.parts DISABLE TRIGGER tr":                                    "trigger a.part",
		"ALTER POLICY p ON a.ref TO pg_monitor":                                     "policy a.ref.p",
		"ALTER PUBLICATION pub SET TABLE a.ref, a.parts":                            "of publication pub",
		"ALTER TABLE a.child NO INHERIT a.ref":                                      "table a.child",
		"ALTER TABLE a.child OWNER TO pg_read_all_stats":                            "owner of table a.child",
		"REVOKE INSERT (id) ON a.t FROM pg_monitor":                                 "privileges on column a.t.id",
		"GRANT EXECUTE ON FUNCTION a.plus TO PUBLIC":                                "privileges on function a.plus",
		"ALTER DEFAULT PRIVILEGES IN SCHEMA a REVOKE ALL ON TABLES FROM pg_monitor": "default privileges of",
		"ALTER TEXT SEARCH CONFIGURATION a.conf DROP MAPPING FOR word":              "text search configuration",
		"ALTER EVENT TRIGGER w DISABLE":                                             "event trigger w",
		"DROP CAST (a.pair AS integer)":                                             "cast from a.pair to integer",
		"ALTER FOREIGN TABLE a.f OPTIONS (SET filename '/dev/zero')":                "foreign table a.f",
		"DROP INDEX a.parts_id_idx":                                                 "index a.parts_id_idx",
		"COMMENT ON SCHEMA public IS NULL":                                          "comment on schema public",
	} {
		if err := pair[0].exec(ctx, "BEGIN; "+statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
		if err := sameCatalogs(ctx, pair[0], pair[1]); err == nil || !strings.HasPrefix(err.Error(), "after the plan, ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the difference is %v, and should be about %s", statement, err, want)
		}
		if err := pair[0].exec(ctx, "ROLLBACK"); err != nil {
			t.Fatal(err)
		}
	}
}
