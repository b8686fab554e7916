package postgres_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/altergate/altergate/internal/dialect/postgres"
	"github.com/altergate/altergate/internal/dialect/postgres/postgrestest"
	"github.com/altergate/altergate/internal/schema"
	"github.com/altergate/altergate/internal/source"
)

// followed takes statements one after the other, from an empty database, and gives the error of the first that is refused.
func followed(t *testing.T, sql string) (*postgres.Loaded, []source.Acts, error) {
	t.Helper()
	d := postgres.Dialect{}
	l, err := d.Read(t.Context(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	list, err := d.Cut(&source.File{Path: "1.sql", Text: sql})
	if err != nil {
		t.Fatal(err)
	}
	var all []source.Acts
	for _, st := range list {
		next, acts, err := d.After(t.Context(), l, st)
		if err != nil {
			return l, all, err
		}
		l, all = next, append(all, acts)
	}
	return l, all, nil
}

const shelf = `CREATE TYPE mood AS ENUM ('sad', 'glad'); CREATE TABLE maker (id int PRIMARY KEY, name text NOT NULL);
CREATE TABLE book (id int PRIMARY KEY, maker_id int CONSTRAINT by REFERENCES maker, title text, pages int CHECK (pages > 0), feels mood, at date);
CREATE INDEX book_title ON book (title); CREATE VIEW long_book AS SELECT id, title FROM book WHERE pages > 100; CREATE VIEW every_maker AS SELECT * FROM maker;
CREATE MATERIALIZED VIEW counted AS SELECT maker_id, count(*) AS n FROM book GROUP BY maker_id; CREATE VIEW over_view AS SELECT title FROM long_book;
CREATE FUNCTION twice(n int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT n * 2'; CREATE FUNCTION touched() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
CREATE TRIGGER touching BEFORE UPDATE ON book FOR EACH ROW EXECUTE FUNCTION touched(); CREATE SEQUENCE counter; CREATE TABLE numbered (n int DEFAULT nextval('counter'), d int GENERATED ALWAYS AS (twice(1)) STORED);
CREATE INDEX book_twice ON book (twice(pages)); CREATE SCHEMA attic; CREATE TABLE attic.box (id int); CREATE DOMAIN positive AS int CHECK (VALUE > 0); CREATE TABLE measured (v positive);
CREATE TABLE part (id int, at date NOT NULL) PARTITION BY RANGE (at); CREATE TABLE part1 PARTITION OF part FOR VALUES FROM ('2020-01-01') TO ('2021-01-01');
CREATE TABLE child (extra int) INHERITS (maker); CREATE VIEW calls AS SELECT twice(pages) AS t FROM book; CREATE VIEW moods AS SELECT 'sad'::mood AS m;`

// refused are statements that the server refuses on the shelf.
var refused = []string{
	// names that are not there, or are taken
	"ALTER TABLE nowhere ADD COLUMN a int", "ALTER TABLE book ADD COLUMN title text", "ALTER TABLE book DROP COLUMN nothing", "ALTER TABLE book ALTER COLUMN nothing SET NOT NULL",
	"ALTER TABLE book RENAME COLUMN nothing TO a", "ALTER TABLE book RENAME COLUMN id TO title", "ALTER TABLE book RENAME TO maker", "ALTER TABLE nowhere RENAME TO a", "DROP TABLE nowhere", "DROP VIEW nowhere",
	"DROP INDEX nowhere", "DROP TYPE nowhere", "DROP FUNCTION nowhere", "DROP FUNCTION twice(text)", "DROP SEQUENCE nowhere", "DROP SCHEMA nowhere", "DROP TRIGGER nowhere ON book", "ALTER TABLE book DROP CONSTRAINT nothing",
	"CREATE TABLE book (id int)", "CREATE INDEX book_title ON book (id)", "CREATE INDEX i ON book (nothing)", "CREATE INDEX i ON nowhere (id)", "CREATE VIEW long_book AS SELECT 1 AS a", "CREATE VIEW v AS SELECT nothing FROM book",
	"CREATE VIEW v AS SELECT * FROM nowhere", "CREATE TYPE mood AS ENUM ('a')", "ALTER TYPE mood ADD VALUE 'sad'", "ALTER TYPE nowhere ADD VALUE 'x'", "CREATE TABLE t (a nowhere)", "ALTER TABLE book ADD COLUMN a nowhere",
	"CREATE TABLE t (a int REFERENCES nowhere)", "CREATE TABLE t (a int REFERENCES book (title))", "ALTER TABLE book ADD CONSTRAINT by CHECK (id > 0)", "ALTER TABLE book ADD PRIMARY KEY (title)", "ALTER TABLE book ADD CHECK (nothing > 0)",
	"CREATE TRIGGER touching BEFORE UPDATE ON book FOR EACH ROW EXECUTE FUNCTION touched()", "CREATE SEQUENCE counter", "CREATE SCHEMA attic",
	"COMMENT ON COLUMN book.nothing IS 'x'", "COMMENT ON TABLE nowhere IS 'x'", "ALTER INDEX nowhere RENAME TO a", "ALTER SEQUENCE nowhere RESTART", "ALTER VIEW nowhere RENAME TO a", "ALTER TABLE book VALIDATE CONSTRAINT nothing",
	"ALTER TABLE book RENAME CONSTRAINT nothing TO a", "CREATE FUNCTION twice(n int) RETURNS int LANGUAGE sql AS 'SELECT 1'", "ALTER TABLE book ADD CONSTRAINT u UNIQUE USING INDEX book_title",
	"CREATE TABLE t (a int, a int)", "CREATE TABLE t (LIKE nowhere)", "CREATE TABLE t () INHERITS (nowhere)", "CREATE FUNCTION f() RETURNS nowhere LANGUAGE sql AS 'SELECT 1'", "GRANT SELECT ON nowhere TO PUBLIC",
	"CREATE POLICY p ON nowhere", "DROP POLICY p ON book", "CREATE TABLE t AS SELECT nothing FROM book", "CREATE TABLE book AS SELECT 1 AS a", "SELECT 1 AS a INTO book", "REFRESH MATERIALIZED VIEW nowhere",
	// what others need
	"DROP TABLE maker", "DROP TABLE book", "DROP VIEW long_book", "ALTER TABLE book DROP COLUMN title", "ALTER TABLE book DROP COLUMN pages", "ALTER TABLE maker DROP COLUMN name", "DROP TYPE mood", "DROP FUNCTION twice", "DROP FUNCTION touched", "DROP SEQUENCE counter", "DROP SCHEMA attic", "DROP DOMAIN positive",
	"ALTER TABLE maker DROP CONSTRAINT maker_pkey", "DROP INDEX maker_pkey", "ALTER TABLE book ALTER COLUMN title TYPE varchar(10)", "ALTER TABLE book ALTER COLUMN pages TYPE bigint", "ALTER TABLE maker ALTER COLUMN name TYPE varchar(20)",
	"CREATE OR REPLACE VIEW long_book AS SELECT id FROM book", "CREATE OR REPLACE VIEW long_book AS SELECT title, id FROM book", "CREATE OR REPLACE VIEW long_book AS SELECT id, title AS name FROM book", "CREATE OR REPLACE VIEW counted AS SELECT 1 AS a",
	"CREATE OR REPLACE FUNCTION twice(n int) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT 1::text'", "CREATE OR REPLACE FUNCTION twice(other int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT 1'",
	"DROP TABLE part1, part2", "ALTER TABLE part1 DROP COLUMN id", "ALTER TABLE child DROP COLUMN name", "DROP MATERIALIZED VIEW long_book", "DROP VIEW counted", "DROP TABLE long_book", "DROP INDEX book",
	// types and values
	"ALTER TABLE book ADD FOREIGN KEY (title) REFERENCES maker", "ALTER TABLE book ALTER COLUMN id DROP NOT NULL",
	"ALTER TABLE book ADD COLUMN g int GENERATED ALWAYS AS (nothing + 1) STORED",
	"ALTER TYPE mood RENAME VALUE 'mad' TO 'angry'", "ALTER TYPE mood RENAME VALUE 'sad' TO 'glad'", "ALTER TYPE mood ADD VALUE 'so' BEFORE 'mad'",
	// rows
	"INSERT INTO nowhere VALUES (1)", "INSERT INTO book (nothing) VALUES (1)", "UPDATE book SET nothing = 1", "UPDATE nowhere SET a = 1", "DELETE FROM nowhere", "DELETE FROM book WHERE nothing = 1", "TRUNCATE nowhere", "INSERT INTO book (id) SELECT nothing FROM maker",
	"SELECT nothing FROM book", "SELECT * FROM nowhere", "WITH x AS (DELETE FROM nowhere RETURNING 1) SELECT 1", "COPY nowhere FROM '/dev/null'", "COPY book (nothing) FROM '/dev/null'", "INSERT INTO book (id) VALUES (1) ON CONFLICT (nothing) DO NOTHING",
	"MERGE INTO nowhere USING maker ON true WHEN MATCHED THEN DELETE", "LOCK TABLE nowhere", "ANALYZE nowhere", "CLUSTER nowhere", "REINDEX TABLE nowhere", "TRUNCATE maker",
	"EXPLAIN SELECT * FROM nowhere",
}

// TestRefused has statements that the server refuses, each with the same answer here, at its place.
func TestRefused(t *testing.T) {
	conn := postgrestest.Connect(t)
	if _, err := conn.Exec(t.Context(), shelf); err != nil {
		t.Fatal(err)
	}
	for _, sql := range refused {
		tx, err := conn.Begin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		_, err = conn.PgConn().Exec(t.Context(), sql).ReadAll()
		if no := (*pgconn.PgError)(nil); !errors.As(err, &no) {
			t.Errorf("the server takes %s: %v", sql, err)
		} else if _, _, err := followed(t, shelf+"\n"+sql); err == nil {
			t.Errorf("taken: %s\n server: %s", sql, no.Message)
		} else if e := (*schema.Error)(nil); !errors.As(err, &e) || e.Pos.Line != 1+strings.Count(shelf, "\n")+1 {
			t.Errorf("%s: not at its place: %v", sql, err)
		}
		if err := tx.Rollback(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// taken are statements that the server takes on the shelf.
var taken = []string{
	"DROP TABLE book CASCADE", "DROP VIEW long_book CASCADE", "ALTER TABLE book DROP COLUMN title CASCADE", "ALTER TABLE maker DROP COLUMN name CASCADE", "DROP TABLE maker CASCADE", "DROP FUNCTION twice CASCADE", "DROP TYPE mood CASCADE", "DROP SCHEMA attic CASCADE", "DROP SEQUENCE counter CASCADE", "DROP DOMAIN positive CASCADE",
	"DROP VIEW over_view, long_book", "DROP VIEW long_book, over_view", "DROP TABLE part", "ALTER TABLE book ALTER COLUMN at TYPE timestamp", "ALTER TABLE book RENAME COLUMN title TO name", "ALTER TABLE book RENAME TO volume", "ALTER TABLE book SET SCHEMA attic", "CREATE OR REPLACE VIEW long_book AS SELECT id, title, pages FROM book", "ALTER VIEW long_book RENAME COLUMN title TO name",
	"CREATE TABLE t AS SELECT b.*, count(*) OVER () AS n, 'x' AS x, now() AS at2, ARRAY[1] AS list, m.name::varchar(20) AS short FROM book b JOIN maker m ON m.id = b.maker_id", "SELECT id, title INTO t FROM book", "CREATE TABLE IF NOT EXISTS book (id int)", "CREATE TABLE t (a, b) AS VALUES (1, 'x'), (2, 'y')", "CREATE TABLE t AS TABLE book WITH NO DATA", "CREATE TABLE t AS SELECT true AS b, 1.5 AS n, null AS u, 'sad'::mood AS m, '{}'::jsonb AS j, pages + 1 AS p FROM book",
	"CREATE TEMP TABLE book (a int); ALTER TABLE book ADD COLUMN b int; INSERT INTO book (a, b) VALUES (1, 2); CREATE INDEX ON book (b); DROP TABLE book; ALTER TABLE book ADD COLUMN b int", "CREATE TEMP TABLE t AS SELECT * FROM book; UPDATE book SET title = t.title FROM t WHERE t.id = book.id; CREATE VIEW tv AS SELECT * FROM t; SELECT * FROM tv",
	"INSERT INTO book (id, title) VALUES (1, 'a') ON CONFLICT (id) DO UPDATE SET title = excluded.title", "WITH x AS (DELETE FROM child RETURNING *) INSERT INTO maker SELECT id, name FROM x", "UPDATE book SET title = m.name, pages = 2 FROM maker m WHERE m.id = maker_id", "UPDATE book b SET (title, pages) = (SELECT name, id FROM maker WHERE id = b.maker_id)", "DELETE FROM book USING maker m WHERE m.id = book.maker_id AND book.ctid IS NOT NULL",
	"MERGE INTO book b USING maker m ON b.maker_id = m.id WHEN MATCHED THEN UPDATE SET title = m.name WHEN NOT MATCHED THEN INSERT (id, title) VALUES (m.id, m.name)", "SELECT relname FROM pg_class", "SELECT table_name FROM information_schema.tables", "SELECT setval('counter', 5), nextval('counter'::regclass)", "SELECT setval(pg_get_serial_sequence('book', 'id'), 1)", "UPDATE book SET feels = 'glad' WHERE feels = 'sad'",
	"INSERT INTO long_book (id, title) VALUES (5, 'x')", "TRUNCATE maker CASCADE", "LOCK TABLE book", "ANALYZE book", "REINDEX TABLE book", "DO $$ BEGIN ALTER TABLE book ADD COLUMN extra int; EXCEPTION WHEN duplicate_column THEN NULL; END $$", "UPDATE long_book SET title = 'x'", "INSERT INTO part VALUES (1, '2020-05-05')", "SELECT * FROM long_book, LATERAL (SELECT long_book.id AS q) z", "INSERT INTO book SELECT (r).* FROM (SELECT b AS r FROM book b) q",
	"INSERT INTO book (id, feels) SELECT x, 'sad' FROM generate_series(1, 3) AS x", "INSERT INTO maker SELECT * FROM json_to_recordset('[]') AS t(id int, name text)", "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 5) INSERT INTO maker (id, name) SELECT n, 'x' FROM r", "UPDATE book SET title = book.title || maker.name FROM maker", "INSERT INTO book DEFAULT VALUES RETURNING id",
	"DROP TABLE book, maker CASCADE", "ALTER TABLE book DROP COLUMN pages CASCADE", "DROP VIEW every_maker; ALTER TABLE maker ALTER COLUMN name TYPE varchar(20)", "ALTER TABLE measured ADD COLUMN id int CONSTRAINT key PRIMARY KEY; ALTER TABLE measured DROP CONSTRAINT key, DROP COLUMN id, ADD CONSTRAINT key PRIMARY KEY (v)", "ALTER TABLE book DISABLE TRIGGER ALL", "COMMENT ON TABLE book IS 'x'", "SET LOCAL search_path = attic; ALTER TABLE box ADD COLUMN a int",
}

// TestTaken has statements that the server takes, and afterwards holds the relations and the columns that are known here.
func TestTaken(t *testing.T) {
	conn := postgrestest.Connect(t)
	if _, err := conn.Exec(t.Context(), shelf); err != nil {
		t.Fatal(err)
	}
	for _, sql := range taken {
		tx, err := conn.Begin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		_, err = conn.PgConn().Exec(t.Context(), sql).ReadAll()
		if no := (*pgconn.PgError)(nil); errors.As(err, &no) && no.Code != "23502" {
			t.Errorf("the server refuses %s: %v", sql, err)
		} else if l, _, err := followed(t, shelf+"\n"+sql); err != nil {
			t.Errorf("refused: %s: %v", sql, err)
		} else if no == nil {
			if _, err := conn.Exec(t.Context(), "SET LOCAL search_path = public"); err != nil {
				t.Fatal(err)
			}
			rows, err := conn.Query(t.Context(), `SELECT n.nspname || '.' || r.relname || '.' || attname || CASE WHEN relkind IN ('r', 'p') THEN ' ' || format_type(atttypid, atttypmod) ELSE '' END FROM pg_attribute a JOIN pg_class r ON r.oid = attrelid
				JOIN pg_namespace n ON n.oid = relnamespace WHERE relkind IN ('r', 'p', 'v', 'm') AND relpersistence = 'p' AND attnum > 0 AND NOT attisdropped AND (attislocal OR relkind NOT IN ('r', 'p')) AND nspname !~ '^(pg_|information_schema)'`)
			if err != nil {
				t.Fatal(err)
			}
			want := map[string]bool{}
			for rows.Next() {
				var s string
				if err := rows.Scan(&s); err != nil {
					t.Fatal(err)
				}
				want[s] = true
			}
			got := map[string]bool{}
			for _, x := range l.Model().Tables {
				for _, c := range x.Columns {
					got[qualifiedKey(x.Key)+"."+c.Name+" "+c.Type] = true
				}
			}
			for _, v := range l.Model().Views {
				for s := range want {
					if strings.HasPrefix(s, qualifiedKey(v.Key)+".") {
						got[s] = true
					}
				}
			}
			if a, b := lacks(want, got), lacks(got, want); a+b != "" {
				t.Errorf("%s\n only the server has: %s\n only here: %s", sql, a, b)
			}
		}
		if err := tx.Rollback(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

func qualifiedKey(key string) string {
	if strings.Contains(key, ".") {
		return key
	}
	return "public." + key
}

func lacks(a, b map[string]bool) string {
	var list []string
	for s := range a {
		if !b[s] {
			list = append(list, s)
		}
	}
	return strings.TrimSpace(fmt.Sprint(strings.Join(list, ", ")))
}
