package postgres_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/altergate/altergate/internal/dialect/postgres"
	"github.com/altergate/altergate/internal/dialect/postgres/postgrestest"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
	"github.com/altergate/altergate/internal/source"
)

// said writes down what a statement does besides, in one line.
func said(a source.Acts) string {
	var parts []string
	add := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	for _, r := range a.Renames.Tables {
		add("table %s is %s", r.From, r.To)
	}
	for _, r := range a.Renames.Columns {
		add("column %s.%s is %s", r.Table, r.From, r.To)
	}
	for _, r := range a.Renames.Parts {
		add("%s %s", r.Kind, strings.TrimSpace(r.Table+" "+r.From+" is "+r.To))
	}
	for _, c := range a.Changes {
		switch c := c.(type) {
		case diff.WriteRows:
			text := c.Verb + " " + c.Table
			if c.Columns != nil {
				text += fmt.Sprint(c.Columns)
			}
			if c.All {
				text += " all"
			}
			if c.Cascade {
				text += " cascade"
			}
			if c.Copy != nil {
				text += fmt.Sprint(" copy of ", c.Copy.From, c.Copy.Columns)
			}
			add("%s", text)
		case diff.RunOpaque:
			add("opaque %s", c.What)
		case diff.RunSession:
			add("session %s", c.What)
		case diff.NoEffect:
			add("nothing: %s %v", c.Text, c.Drop)
		}
	}
	if a.Online {
		add("online")
	}
	return strings.Join(parts, "; ")
}

// TestActs has what statements do besides changing the schema, on the shelf of the tests on the server.
func TestActs(t *testing.T) {
	for _, tt := range []struct{ sql, want string }{
		{"ALTER TABLE book RENAME TO volume", "table book is volume"},
		{"ALTER TABLE book RENAME COLUMN title TO name", "column book.title is name"},
		{"ALTER TABLE book SET SCHEMA attic", "table book is attic.book"},
		{"SET search_path = attic; ALTER TABLE box RENAME TO chest", "table attic.box is attic.chest"},
		{"ALTER VIEW long_book RENAME TO l", "view long_book is l"},
		{"ALTER INDEX book_title RENAME TO t", "index book_title is t"},
		{"ALTER INDEX book_pkey RENAME TO k", "constraint book book_pkey is k"},
		{"ALTER TABLE book RENAME CONSTRAINT by TO made_by", "constraint book by is made_by"},
		{"ALTER TABLE IF EXISTS nowhere RENAME TO a", "nothing: table nowhere is not there false"},
		{"INSERT INTO book (id, title) VALUES (1, 'x')", "insert book[id title]"},
		{"INSERT INTO maker SELECT id, title FROM book", "insert maker copy of bookmap[id:id name:title]"},
		{"INSERT INTO maker (name, id) SELECT lower(title), id FROM book", "insert maker[name id] copy of bookmap[id:id name:]"},
		{"INSERT INTO maker SELECT id, title FROM book WHERE id > 5", "insert maker"},
		{"INSERT INTO maker SELECT DISTINCT id, title FROM book", "insert maker"},
		{"INSERT INTO maker SELECT id, title FROM book ON CONFLICT DO NOTHING", "insert maker"},
		{"INSERT INTO maker SELECT max(id), 'x' FROM book", "insert maker"},
		{"INSERT INTO maker SELECT generate_series(1, id), title FROM book", "insert maker"},
		{"INSERT INTO maker SELECT b.id, title FROM book b JOIN maker m ON m.id = b.id", "insert maker"},
		{"UPDATE book SET title = 'x', pages = 1", "update book[title pages] all"},
		{"UPDATE book SET title = 'x' WHERE 1 = 1", "update book[title] all"},
		{"UPDATE book SET title = 'x' WHERE id = 1", "update book[title]"},
		{"DELETE FROM book", "delete book all"},
		{"DELETE FROM book WHERE true", "delete book all"},
		{"DELETE FROM book WHERE pages IS NULL", "delete book"},
		{"TRUNCATE maker, book, child", "truncate maker all; truncate book all; truncate child all"},
		{"TRUNCATE maker CASCADE", "truncate maker all cascade"},
		{"MERGE INTO book b USING maker m ON b.maker_id = m.id WHEN MATCHED THEN DELETE", "merge book"},
		{"COPY maker (id, name) FROM stdin;\n1\tx\n\\.\n", "insert maker[id name]"},
		{"WITH gone AS (DELETE FROM child RETURNING id, name) INSERT INTO maker SELECT id, name FROM gone", "delete child all; insert maker"},
		{"EXPLAIN ANALYZE DELETE FROM book", "delete book all"},
		{"EXPLAIN (ANALYZE false) DELETE FROM book", "session EXPLAIN"},
		{"SELECT count(*) FROM book", "session SELECT"},
		{"SELECT setval('counter', 5)", "session SELECT"},
		{"SELECT touched()", "opaque call of touched"},
		{"SELECT twice(2)", "session SELECT"},
		{"SELECT nobody_knows()", "opaque call of nobody_knows"},
		{"SELECT lo_unlink(5)", "opaque call of lo_unlink"},
		{"INSERT INTO maker SELECT nobody_knows(), 'x'", "insert maker; opaque call of nobody_knows"},
		{"BEGIN", "session BEGIN"}, {"COMMIT", "session COMMIT"}, {"SET lock_timeout = '1s'", "session SET"}, {"LOCK TABLE book", "session LOCK"}, {"ANALYZE book", "session ANALYZE"},
		{"DO $$ BEGIN PERFORM 1; END $$", "opaque DO block"},
		{"DO $$ BEGIN CREATE TYPE mood AS ENUM ('a'); EXCEPTION WHEN duplicate_object THEN NULL; END $$", "nothing: what this block makes is there already false"},
		{"DO $$ BEGIN CREATE TYPE hue AS ENUM ('a'); EXCEPTION WHEN duplicate_object THEN NULL; END $$", ""},
		{"CALL something()", "opaque CALL"},
		{"PREPARE p AS SELECT 1", "opaque PREPARE"},
		{"CREATE TABLE IF NOT EXISTS maker (id int PRIMARY KEY, name text NOT NULL)", "nothing: table maker is there already false"},
		{"CREATE TABLE IF NOT EXISTS maker (id int)", "nothing: table maker is there already, and is not as this statement says false"},
		{"CREATE INDEX IF NOT EXISTS book_title ON book (title)", "nothing: index book_title is there already false"},
		{"ALTER TABLE book ADD COLUMN IF NOT EXISTS title text", "nothing: column book.title is there already false"},
		{"ALTER TABLE book DROP COLUMN IF EXISTS nothing", "nothing: column book.nothing is not there true"},
		{"DROP TABLE IF EXISTS nowhere", "nothing: table nowhere is not there true"},
		{"DROP TABLE IF EXISTS attic.nowhere, other", "nothing: table attic.nowhere, other is not there true"},
		{"ALTER TABLE IF EXISTS nowhere ADD COLUMN a int", "nothing: table nowhere is not there false"},
		{"CREATE EXTENSION IF NOT EXISTS plpgsql; CREATE SCHEMA IF NOT EXISTS attic", "nothing: schema attic is there already false"},
		{"CREATE INDEX CONCURRENTLY i ON book (pages)", "online"},
		{"DROP INDEX CONCURRENTLY book_title", "online"},
		{"ALTER TABLE book ADD CONSTRAINT n CHECK (id > 0) NOT VALID", "online"},
		{"ALTER TABLE book ADD CONSTRAINT n CHECK (id > 0)", ""},
		{"ALTER TABLE book VALIDATE CONSTRAINT by", "online"},
		{"CREATE UNIQUE INDEX u ON book (pages); ALTER TABLE book ADD CONSTRAINT u UNIQUE USING INDEX u", "online"},
		{"CREATE TEMP TABLE t (a int); INSERT INTO t VALUES (1)", "session INSERT of a temporary table"},
	} {
		_, all, err := followed(t, shelf+"\n"+tt.sql)
		if err != nil {
			t.Errorf("%s: %v", tt.sql, err)
			continue
		}
		if got := said(all[len(all)-1]); got != tt.want {
			t.Errorf("%s\n gives %s\n  want %s", tt.sql, got, tt.want)
		}
	}
}

// TestAlone has statements that the server runs in no transaction, and others that it does.
func TestAlone(t *testing.T) {
	conn := postgrestest.Connect(t)
	d := postgres.Dialect{}
	if _, err := conn.Exec(t.Context(), shelf); err != nil {
		t.Fatal(err)
	}
	l, _, err := followed(t, shelf)
	if err != nil {
		t.Fatal(err)
	}
	for _, sql := range []string{
		"CREATE INDEX CONCURRENTLY i ON book (pages)", "CREATE INDEX i ON book (pages)", "DROP INDEX CONCURRENTLY book_title", "DROP INDEX book_title", "REINDEX TABLE CONCURRENTLY book", "REINDEX (CONCURRENTLY) INDEX book_title", "REINDEX TABLE book", "REINDEX SCHEMA attic",
		"VACUUM book", "ANALYZE book", "CREATE DATABASE alone_never_made", "DROP DATABASE alone_never_made", "CREATE TABLESPACE alone LOCATION '/nowhere'", "DROP TABLESPACE alone_never_made", "ALTER SYSTEM SET work_mem = '4MB'", "CLUSTER", "DISCARD ALL", "DISCARD TEMP",
		"ALTER TABLE part DETACH PARTITION part1 CONCURRENTLY", "ALTER TABLE part DETACH PARTITION part1", "ALTER TYPE mood ADD VALUE 'so'", "REFRESH MATERIALIZED VIEW counted",
		"CREATE SUBSCRIPTION s CONNECTION 'host=127.0.0.1 port=1' PUBLICATION p", "CREATE SUBSCRIPTION s CONNECTION 'host=127.0.0.1 port=1' PUBLICATION p WITH (connect = false)",
	} {
		tx, err := conn.Begin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		_, err = conn.PgConn().Exec(t.Context(), sql).ReadAll()
		no := (*pgconn.PgError)(nil)
		want := errors.As(err, &no) && no.Code == "25001"
		if err := tx.Rollback(t.Context()); err != nil {
			t.Fatal(err)
		}
		list, err := d.Cut(&source.File{Path: "1.sql", Text: sql})
		if err != nil {
			t.Fatal(err)
		}
		_, acts, err := d.After(t.Context(), l, list[0])
		if err != nil {
			t.Errorf("%s: %v", sql, err)
		} else if got := acts.Alone != ""; got != want {
			t.Errorf("%s: alone %v, on the server %v: %v", sql, got, want, no)
		}
	}
}

// TestCut has the statements of a file as a client sends them, with their places.
func TestCut(t *testing.T) {
	list, err := postgres.Dialect{}.Cut(&source.File{Path: "1.sql", Text: "\\set x 1\n-- first\nSELECT 1 ; \nCOPY t FROM stdin;\n1\n\\.\n/* c */ CREATE TABLE t (a int) -- behind\n;"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, st := range list {
		got = append(got, st.Pos.String()+" "+st.Text)
	}
	want := []string{"1.sql:3:1 SELECT 1", "1.sql:4:1 COPY t FROM stdin", "1.sql:7:9 CREATE TABLE t (a int)"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestReadAsFollowed has histories that are the same read as a whole and followed statement by statement.
func TestReadAsFollowed(t *testing.T) {
	d := postgres.Dialect{}
	files := history(150, 40)
	whole, err := d.Read(t.Context(), files, nil)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, f := range files {
		texts = append(texts, f.Text)
	}
	l, _, err := followed(t, strings.Join(texts, ""))
	if err != nil {
		t.Fatal(err)
	}
	if changes := diff.Schemas(whole.Schema, l.Schema); len(changes) > 0 {
		t.Errorf("%d differences: %T %+v", len(changes), changes[0], changes[0])
	}
}

// TestBegin has a session that forgets the search path and the temporary tables of the one before, and keeps the side as it is.
func TestBegin(t *testing.T) {
	l, _, err := followed(t, "CREATE SCHEMA app; CREATE TABLE t (a int); SET search_path = app; CREATE TABLE t (b int); CREATE TEMP TABLE x (c int)")
	if err != nil {
		t.Fatal(err)
	}
	d := postgres.Dialect{}
	begun, err := d.Begin(l)
	if err != nil {
		t.Fatal(err)
	}
	list, err := d.Cut(&source.File{Path: "2.sql", Text: "ALTER TABLE t ADD COLUMN late int; INSERT INTO x VALUES (1)"})
	if err != nil {
		t.Fatal(err)
	}
	after, _, err := d.After(t.Context(), begun, list[0])
	if err != nil {
		t.Fatal(err)
	}
	if n, m := len(after.Schema.Table("t").Columns), len(l.Schema.Table("t").Columns); n != 2 || m != 1 {
		t.Errorf("%d columns after, %d before", n, m)
	}
	if _, _, err := d.After(t.Context(), after, list[1]); err == nil {
		t.Error("a temporary table of another session is there")
	}
	inApp, _, err := d.After(t.Context(), l, list[0])
	if err != nil || !slices.ContainsFunc(inApp.Schema.Tables, func(x *schema.Table) bool { return x.Key == "app.t" && len(x.Columns) == 2 }) {
		t.Errorf("the search path is not kept within a session: %v", err)
	}
}
