package catalog_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/altergate/altergate/internal/dialect/postgres/catalog"
	"github.com/altergate/altergate/internal/dialect/postgres/postgrestest"
)

// objectsDatabase gives a connection to an empty database. The roles app, web and bob of the statements are made under names that nothing else has.
func objectsDatabase(t *testing.T) (*pgx.Conn, func(string) string) {
	t.Helper()
	ctx := context.Background() // the roles outlive the test
	admin, err := pgx.Connect(ctx, postgrestest.URL(t))
	if err != nil {
		t.Fatal(err)
	}
	prefix := fmt.Sprintf("altergate_objects_%d_", os.Getpid())
	each := func(verb string) {
		for _, role := range testRoles {
			if _, err := admin.Exec(ctx, verb+" ROLE "+prefix+role); err != nil {
				t.Fatalf("%s %s: %v", verb, role, err)
			}
		}
	}
	each("CREATE")
	t.Cleanup(func() { // when the database in which they own things is gone
		each("DROP")
		_ = admin.Close(ctx)
	})
	return postgrestest.Connect(t), func(sql string) string { return strings.ReplaceAll(sql, "ROLE_", prefix) }
}

var testRoles = []string{"app", "web", "bob"}

// objectStatements makes, changes and drops objects of all kinds; a role is written ROLE_app. The text of each comment names it.
const objectStatements = `
CREATE SCHEMA app AUTHORIZATION ROLE_bob
  CREATE TABLE inner_table (a int)
  CREATE VIEW inner_view AS SELECT a FROM inner_table
  GRANT SELECT ON inner_view TO ROLE_web;
CREATE TYPE mood AS ENUM ('sad', 'ok');
ALTER TYPE mood ADD VALUE 'happy';
ALTER TYPE mood ADD VALUE 'first' BEFORE 'sad';
ALTER TYPE mood ADD VALUE 'second' AFTER 'first';
ALTER TYPE mood ADD VALUE IF NOT EXISTS 'ok' BEFORE 'sad';
ALTER TYPE mood RENAME VALUE 'sad' TO 'it''s sad';
CREATE TYPE app.pair AS (a int, b text COLLATE "C", c numeric(10,2));
ALTER TYPE app.pair ADD ATTRIBUTE d timestamptz, DROP ATTRIBUTE b, ALTER ATTRIBUTE a TYPE bigint;
ALTER TYPE app.pair RENAME ATTRIBUTE c TO amount;
CREATE TYPE floats AS RANGE (subtype = float8, subtype_diff = float8mi);
CREATE TYPE myrange AS RANGE (subtype = int8);
CREATE DOMAIN short AS varchar(20) DEFAULT 'x' NOT NULL CONSTRAINT filled CHECK (VALUE <> '') CHECK (length(VALUE) < 5);
ALTER DOMAIN short ADD CHECK (VALUE > 'a') NOT VALID;
ALTER DOMAIN short RENAME CONSTRAINT filled TO not_empty;
CREATE TABLE users (id serial PRIMARY KEY, mail text, "My col" mood, parent int REFERENCES users, extra int);
CREATE TABLE posts (id int PRIMARY KEY, author int, title short, body text);
CREATE TABLE events (at date, kind int) PARTITION BY RANGE (at);
CREATE TABLE events_old PARTITION OF events FOR VALUES FROM ('2000-01-01') TO ('2020-01-01') PARTITION BY RANGE (at);
CREATE TABLE events_older PARTITION OF events_old DEFAULT;
CREATE FUNCTION f(a int, OUT b varchar(20), VARIADIC c text[] DEFAULT '{}'::text[]) RETURNS character varying LANGUAGE sql STABLE STRICT
  SECURITY DEFINER LEAKPROOF PARALLEL SAFE SET search_path = app, "My App" SET work_mem TO '1MB' COST 5 AS 'select ''x''::varchar';
CREATE FUNCTION f(mood, app.pair, mood[], users) RETURNS SETOF int LANGUAGE sql ROWS 5 AS 'select 1';
CREATE FUNCTION f(a double precision, b timestamp with time zone = now(), "char" "char" = 'c', bpchar char(3) = 'x', i interval day to second = '1 day', v "char"[] = NULL) RETURNS TABLE (x int, y text) LANGUAGE plpgsql AS $$begin end$$;
CREATE FUNCTION app.f(floats, floats_multirange, myrange, mymultirange, short, _int4) RETURNS int IMMUTABLE RETURN 1;
CREATE FUNCTION nothing() RETURNS int LANGUAGE sql SET search_path = '' AS 'select 1';
CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS $$begin return new; end$$;
CREATE FUNCTION watch() RETURNS event_trigger LANGUAGE plpgsql AS $$begin end$$;
CREATE PROCEDURE p(a int, INOUT b text, OUT c int) LANGUAGE plpgsql AS $$begin end$$;
CREATE FUNCTION to_go(int, text) RETURNS int LANGUAGE sql AS 'select 1';
COMMENT ON FUNCTION to_go(int, text) IS 'function to_go';
DROP FUNCTION to_go;
ALTER FUNCTION nothing() COST 7 SET enable_seqscan = off;
ALTER FUNCTION nothing() RENAME TO something;
ALTER FUNCTION something() SET SCHEMA app;
ALTER FUNCTION app.something OWNER TO ROLE_bob;
COMMENT ON FUNCTION app.something IS 'function app.something()';
CREATE AGGREGATE total(int) (sfunc = int4pl, stype = int, initcond = '0');
CREATE AGGREGATE app.cnt(*) (sfunc = int8inc, stype = int8, initcond = '0', parallel = safe);
CREATE AGGREGATE nth(float8 ORDER BY anyelement) (sfunc = ordered_set_transition, stype = internal, finalfunc = percentile_disc_final, finalfunc_extra);
CREATE FUNCTION same(int, text) RETURNS bool LANGUAGE sql AS 'select true';
CREATE OPERATOR === (leftarg = int, rightarg = text, procedure = same);
COMMENT ON OPERATOR === (int, text) IS 'operator ===(integer, text)';
CREATE OPERATOR FAMILY app.fam USING hash;
CREATE FUNCTION to_mood(int) RETURNS mood LANGUAGE sql AS $$select 'ok'::mood$$;
CREATE CAST (int AS mood) WITH FUNCTION to_mood(int) AS ASSIGNMENT;
CREATE COLLATION app.copy FROM "C";
CREATE TEXT SEARCH CONFIGURATION conf (copy = english);
CREATE TEXT SEARCH DICTIONARY dict (template = simple);
CREATE FOREIGN DATA WRAPPER wrap;
CREATE SERVER far FOREIGN DATA WRAPPER wrap;
CREATE USER MAPPING FOR PUBLIC SERVER far;
CREATE VIEW v WITH (security_barrier) AS SELECT id, mail FROM users WITH LOCAL CHECK OPTION;
ALTER VIEW v RENAME COLUMN mail TO email;
ALTER VIEW v ALTER COLUMN email SET DEFAULT 'none';
CREATE VIEW w (a, b) AS SELECT id, title FROM posts;
CREATE OR REPLACE VIEW w (a, b) AS SELECT id, title FROM posts WHERE id > 0;
CREATE RECURSIVE VIEW counting (n) AS VALUES (1) UNION ALL SELECT n + 1 FROM counting WHERE n < 3;
CREATE MATERIALIZED VIEW app.m (x) WITH (fillfactor = 70) AS SELECT 1 WITH NO DATA;
CREATE TRIGGER t1 BEFORE INSERT OR UPDATE OF parent, mail OR DELETE ON users FOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION touch('a', '1', '');
CREATE TRIGGER t2 AFTER UPDATE ON users REFERENCING OLD TABLE AS o NEW TABLE AS n EXECUTE PROCEDURE touch();
CREATE TRIGGER t3 AFTER TRUNCATE ON users EXECUTE FUNCTION touch();
CREATE OR REPLACE TRIGGER t3 BEFORE TRUNCATE ON users EXECUTE FUNCTION touch();
CREATE CONSTRAINT TRIGGER t4 AFTER INSERT ON posts FROM users DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION touch();
CREATE TRIGGER t5 INSTEAD OF INSERT ON v FOR EACH ROW EXECUTE FUNCTION touch();
CREATE TRIGGER t6 AFTER INSERT ON events FOR EACH ROW EXECUTE FUNCTION touch();
CREATE TRIGGER t7 AFTER INSERT ON events EXECUTE FUNCTION touch();
CREATE TRIGGER gone AFTER DELETE ON events FOR EACH ROW EXECUTE FUNCTION touch();
CREATE TABLE events_new PARTITION OF events FOR VALUES FROM ('2020-01-01') TO ('2030-01-01');
CREATE TABLE events_taken (at date, kind int);
ALTER TABLE events ATTACH PARTITION events_taken DEFAULT;
ALTER TRIGGER t6 ON events RENAME TO t8;
DROP TRIGGER gone ON events;
ALTER TABLE users DISABLE TRIGGER t2;
CREATE EVENT TRIGGER ev ON ddl_command_end WHEN TAG IN ('DROP TABLE', 'CREATE TABLE') EXECUTE FUNCTION watch();
ALTER EVENT TRIGGER ev ENABLE REPLICA;
CREATE POLICY own ON users FOR UPDATE TO ROLE_web, ROLE_app USING (id = 1) WITH CHECK (id = 2);
CREATE POLICY everyone ON users AS RESTRICTIVE;
ALTER POLICY own ON users TO ROLE_app WITH CHECK (id = 3);
CREATE POLICY renamed ON posts FOR INSERT WITH CHECK (true);
ALTER POLICY renamed ON posts RENAME TO writers;
CREATE RULE quiet AS ON DELETE TO posts WHERE old.id > 1 DO INSTEAD NOTHING;
CREATE RULE loud AS ON INSERT TO posts DO ALSO NOTIFY posted;
CREATE OR REPLACE RULE loud AS ON INSERT TO posts DO ALSO (NOTIFY posted; NOTIFY more);
ALTER RULE quiet ON posts RENAME TO silent;
CREATE STATISTICS app.st (ndistinct, mcv) ON parent, mail FROM users;
CREATE STATISTICS st2 ON id, (id + 1), author FROM posts;
CREATE STATISTICS st3 (mcv) ON id, (id + 2), author FROM posts;
CREATE STATISTICS st4 ON (id + 3) FROM posts;
ALTER STATISTICS app.st SET STATISTICS 50;
CREATE PUBLICATION pub FOR TABLE users (mail, id), TABLE ONLY posts WHERE (id > 1) WITH (publish = 'update, insert');
CREATE PUBLICATION schemas FOR TABLES IN SCHEMA app, public;
ALTER PUBLICATION schemas DROP TABLES IN SCHEMA app;
ALTER PUBLICATION pub ADD TABLE events;
ALTER PUBLICATION pub SET (publish_via_partition_root = on);
CREATE PUBLICATION everything FOR ALL TABLES;
COMMENT ON TABLE users IS 'table users';
COMMENT ON COLUMN users.mail IS 'column users.mail';
COMMENT ON COLUMN v.email IS 'column v.email';
COMMENT ON CONSTRAINT users_pkey ON users IS 'constraint users.users_pkey';
COMMENT ON CONSTRAINT not_empty ON DOMAIN short IS 'constraint short.not_empty';
COMMENT ON INDEX users_pkey IS 'index users_pkey';
COMMENT ON SEQUENCE users_id_seq IS 'sequence users_id_seq';
COMMENT ON TYPE mood IS 'type mood';
COMMENT ON DOMAIN short IS 'domain short';
COMMENT ON COLUMN app.pair.amount IS 'column app.pair.amount';
COMMENT ON TRIGGER t1 ON users IS 'trigger users.t1';
COMMENT ON POLICY own ON users IS 'policy users.own';
COMMENT ON RULE silent ON posts IS 'rule posts.silent';
COMMENT ON SCHEMA app IS 'schema app';
COMMENT ON STATISTICS app.st IS 'statistics app.st';
COMMENT ON EVENT TRIGGER ev IS 'event trigger ev';
COMMENT ON PUBLICATION pub IS 'publication pub';
COMMENT ON AGGREGATE app.cnt(*) IS 'aggregate app.cnt(*)';
COMMENT ON PROCEDURE p(int, text) IS 'procedure p(integer, text)';
COMMENT ON MATERIALIZED VIEW app.m IS 'materialized view app.m';
COMMENT ON CAST (int AS mood) IS 'cast (integer AS temper)';
COMMENT ON COLLATION app.copy IS 'collation app.copy';
COMMENT ON TEXT SEARCH CONFIGURATION conf IS 'text search configuration conf';
COMMENT ON SERVER far IS 'server far';
COMMENT ON OPERATOR FAMILY app.fam USING hash IS 'operator family app.fam using hash';
COMMENT ON TABLE posts IS 'to be taken away';
COMMENT ON TABLE posts IS NULL;
GRANT SELECT (id, "My col"), INSERT ON users TO ROLE_app, ROLE_bob WITH GRANT OPTION;
GRANT SELECT, UPDATE (mail) ON users TO ROLE_app, PUBLIC;
GRANT ALL ON posts, v TO ROLE_web;
REVOKE INSERT, DELETE ON posts FROM ROLE_web;
GRANT ALL (id) ON posts TO ROLE_app;
REVOKE SELECT ON posts FROM ROLE_app;
GRANT SELECT ON events TO ROLE_bob WITH GRANT OPTION;
REVOKE GRANT OPTION FOR SELECT ON events FROM ROLE_bob;
GRANT SELECT ON events_new TO ROLE_bob;
REVOKE ALL ON events_new FROM ROLE_bob;
GRANT ALL ON SEQUENCE users_id_seq TO ROLE_app;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO ROLE_web;
GRANT SELECT ON ALL TABLES IN SCHEMA app TO ROLE_app;
GRANT EXECUTE ON FUNCTION touch() TO ROLE_app;
REVOKE ALL ON FUNCTION touch() FROM PUBLIC;
REVOKE ALL ON ALL ROUTINES IN SCHEMA app FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.cnt() TO PUBLIC;
GRANT USAGE ON SCHEMA app TO ROLE_app;
REVOKE ALL ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO PUBLIC;
GRANT USAGE ON TYPE mood TO ROLE_app;
REVOKE USAGE ON DOMAIN short FROM PUBLIC;
GRANT USAGE ON FOREIGN SERVER far TO ROLE_app;
ALTER DEFAULT PRIVILEGES IN SCHEMA app GRANT SELECT, INSERT ON TABLES TO ROLE_web WITH GRANT OPTION;
ALTER DEFAULT PRIVILEGES IN SCHEMA app REVOKE INSERT ON TABLES FROM ROLE_web;
ALTER DEFAULT PRIVILEGES FOR ROLE ROLE_bob IN SCHEMA app GRANT EXECUTE ON FUNCTIONS TO ROLE_web;
ALTER TABLE users RENAME mail TO email;
ALTER TABLE posts RENAME TO articles;
ALTER TYPE mood RENAME TO temper;
ALTER DOMAIN short SET SCHEMA app;
CREATE STATISTICS with_column ON extra, id FROM users;
CREATE STATISTICS with_expression ON (extra + 1), id FROM users;
COMMENT ON STATISTICS with_expression IS 'gone';
GRANT SELECT (extra), UPDATE (id) ON users TO ROLE_web;
COMMENT ON COLUMN users.extra IS 'gone';
ALTER TABLE users DROP COLUMN extra;
CREATE TABLE to_go (id serial);
COMMENT ON TABLE to_go IS 'to go';
COMMENT ON COLUMN to_go.id IS 'to go too';
GRANT SELECT ON to_go TO ROLE_app;
CREATE POLICY pol ON to_go;
CREATE TRIGGER trg AFTER INSERT ON to_go EXECUTE FUNCTION touch();
DROP TABLE to_go;
`

// TestObjectsAgainstServer runs the same statements here and on a server, and compares what both then have.
func TestObjectsAgainstServer(t *testing.T) {
	conn, named := objectsDatabase(t)
	c := catalog.New()
	for _, s := range parsed(t, "objects.sql", named(objectStatements)) {
		if _, err := conn.Exec(context.Background(), s.Text); err != nil {
			t.Fatalf("the server refuses %s: %v", s.Text, err)
		}
		if _, err := c.Apply(s); err != nil {
			t.Fatalf("%s: %v", s.Text, err)
		}
	}
	ours := serverLikeFacts(c)
	for _, what := range slices.Sorted(maps.Keys(serverQueries)) {
		t.Run(what, func(t *testing.T) {
			rows, err := conn.Query(context.Background(), serverQueries[what])
			if err != nil {
				t.Fatal(err)
			}
			want, err := pgx.CollectRows(rows, pgx.RowTo[string])
			if err != nil {
				t.Fatal(err)
			}
			got := ours[what]
			slices.Sort(want)
			slices.Sort(got)
			if len(want) == 0 {
				t.Fatal("the server has none of these")
			}
			if d := gocmp.Diff(want, got); d != "" {
				t.Errorf("(-server +catalog):\n%s", d)
			}
			t.Logf("%d facts agree", len(want))
		})
	}
}
