package mysql_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/dialect/mysql"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/schema"
	"github.com/altergate/altergate/internal/source"
)

// told writes what a statement does besides, a line for each thing.
func told(acts source.Acts) []string {
	var lines []string
	say := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	for _, r := range acts.Renames.Tables {
		say("rename table %s to %s", r.From, r.To)
	}
	for _, r := range acts.Renames.Columns {
		say("rename column %s.%s to %s", r.Table, r.From, r.To)
	}
	for _, r := range acts.Renames.Parts {
		say("rename %s %s.%s to %s", r.Kind, r.Table, r.From, r.To)
	}
	for _, c := range acts.Changes {
		switch c := c.(type) {
		case diff.WriteRows:
			line := c.Verb + " " + c.Table
			if c.Columns != nil {
				line += " (" + strings.Join(c.Columns, ", ") + ")"
			}
			if c.All {
				line += " all"
			}
			if c.Copy != nil {
				line += " copy of " + c.Copy.From
				var pairs []string
				for to, from := range c.Copy.Columns {
					pairs = append(pairs, to+"="+from)
				}
				slices.Sort(pairs)
				line += " " + strings.Join(pairs, " ")
			}
			say("%s", line)
		case diff.RunOpaque:
			say("opaque %s", c.What)
		case diff.RunSession:
			say("session %s", c.What)
		case diff.NoEffect:
			say("nothing: %s%s", c.Text, map[bool]string{true: " (drop)"}[c.Drop])
		}
	}
	if acts.Online {
		say("online")
	}
	if acts.Commits {
		say("commits")
	}
	return lines
}

// follow runs the statements of a text after those of another, and tells what each does besides.
func follow(t *testing.T, d mysql.Dialect, before, sql string) (*mysql.Loaded, [][]string) {
	t.Helper()
	ctx := context.Background()
	l, err := d.Read(ctx, []*source.File{{Path: "start.sql", Text: before}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	list, err := d.Cut(&source.File{Path: "m.sql", Text: sql})
	if err != nil {
		t.Fatalf("%s\n%v", sql, err)
	}
	if l, err = d.Begin(l); err != nil {
		t.Fatal(err)
	}
	var all [][]string
	for _, st := range list {
		next, acts, err := d.After(ctx, l, st)
		if err != nil {
			t.Fatalf("%s\n%v", sql, err)
		}
		renamed, err := d.Rename(ctx, l, acts.Renames)
		if err != nil {
			t.Fatalf("%s\nrenaming: %v", sql, err)
		}
		if !acts.Renames.None() && len(diff.Schemas(l.Schema, next.Schema)) <= len(diff.Schemas(renamed.Schema, next.Schema)) {
			t.Errorf("%s\nthe renames do not bring the schema before nearer to the one after", sql)
		}
		all = append(all, told(acts))
		l = next
	}
	return l, all
}

// TestAfterTells says what each statement does beside changing the schema, on the schema of start.
func TestAfterTells(t *testing.T) {
	for sql, want := range map[string][]string{
		"RENAME TABLE notes TO remarks":                                           {"rename table notes to remarks", "commits"},
		"RENAME TABLE notes TO x, pets TO notes, x TO pets":                       {"rename table notes to x", "rename table pets to notes", "rename table x to pets", "commits"},
		"ALTER TABLE people RENAME COLUMN city TO town":                           {"rename column people.city to town", "commits"},
		"ALTER TABLE people RENAME COLUMN city TO age, RENAME COLUMN age TO city": {"rename column people.age to city", "rename column people.city to age", "commits"},
		"ALTER TABLE people CHANGE City Town varchar(60), RENAME TO persons":      {"rename table people to persons", "rename column persons.city to town", "commits"},
		"ALTER TABLE people CHANGE city city varchar(60)":                         {"commits"},
		"ALTER TABLE people CHANGE city City varchar(40)":                         {"commits"},
		"ALTER TABLE people RENAME INDEX by_city TO by_town":                      {"rename index people.by_city to by_town", "commits"},

		"INSERT INTO notes (id, Body) VALUES (1, 'x')":                                           {"insert notes (id, body)"},
		"INSERT INTO notes SELECT id, mail FROM people":                                          {"insert notes copy of people body=mail id=id"},
		"INSERT INTO notes (body, id) SELECT upper(mail) AS m, p.id FROM people p":               {"insert notes (body, id) copy of people body= id=id"},
		"INSERT INTO notes (id) (SELECT id FROM people ORDER BY id)":                             {"insert notes (id) copy of people id=id"},
		"INSERT INTO notes SELECT * FROM notes":                                                  {"insert notes copy of notes body=body id=id"},
		"INSERT INTO notes SELECT n.* FROM notes n":                                              {"insert notes copy of notes body=body id=id"},
		"INSERT INTO notes (id, body) SELECT id, NULL FROM people":                               {"insert notes (id, body) copy of people body= id=id"},
		"INSERT INTO notes (id) SELECT id FROM people WHERE age > 3":                             {"insert notes (id)"},
		"INSERT INTO notes (id) SELECT id FROM people LIMIT 3":                                   {"insert notes (id)"},
		"INSERT INTO notes (id) SELECT DISTINCT age FROM people":                                 {"insert notes (id)"},
		"INSERT INTO notes (id) SELECT max(id) FROM people":                                      {"insert notes (id)"},
		"INSERT INTO notes (id) SELECT age FROM people GROUP BY age":                             {"insert notes (id)"},
		"INSERT INTO notes (id) SELECT p.id FROM people p, pets":                                 {"insert notes (id)"},
		"INSERT INTO notes (id) SELECT id FROM people UNION SELECT id FROM pets":                 {"insert notes (id)"},
		"INSERT IGNORE INTO notes (id) SELECT id FROM people":                                    {"insert notes (id)"},
		"INSERT INTO notes (id) SELECT id FROM people ON DUPLICATE KEY UPDATE id = 1":            {"merge notes (id)"},
		"REPLACE INTO notes (id) SELECT id FROM people":                                          {"merge notes (id)"},
		"INSERT INTO notes SET id = 1, body = concat('a', ',', 'b')":                             {"insert notes (id, body)"},
		"UPDATE notes SET body = 'x'":                                                            {"update notes (body) all"},
		"UPDATE notes SET body = 'x', id = id + 1 WHERE 1 = 1":                                   {"update notes (body, id) all"},
		"UPDATE notes SET body = 'x' WHERE id = 1":                                               {"update notes (body)"},
		"UPDATE notes SET body = 'x' LIMIT 5":                                                    {"update notes (body)"},
		"UPDATE notes SET body = (SELECT max(mail) FROM people WHERE id > 3)":                    {"update notes (body) all"},
		"UPDATE people p JOIN pets q ON q.owner = p.id SET p.age = 30, tag = 'x'":                {"update people (age)", "update pets (tag)"},
		"UPDATE people p LEFT JOIN pets q ON q.owner = p.id SET p.age = 30":                      {"update people (age) all"},
		"UPDATE people p, pets q SET p.age = 30":                                                 {"update people (age) all"},
		"DELETE FROM notes":                                                                      {"delete notes all"},
		"DELETE FROM notes WHERE TRUE":                                                           {"delete notes all"},
		"DELETE FROM notes WHERE id = 1 OR TRUE":                                                 {"delete notes"},
		"DELETE FROM notes ORDER BY id LIMIT 3":                                                  {"delete notes"},
		"DELETE p, q FROM people p JOIN pets q ON q.owner = p.id":                                {"delete people", "delete pets"},
		"DELETE FROM p.* USING people p, pets":                                                   {"delete people all"},
		"WITH old AS (SELECT id FROM people) DELETE FROM notes WHERE id IN (SELECT id FROM old)": {"delete notes"},
		"TRUNCATE TABLE notes":                                                                   {"truncate notes all", "commits"},
		"LOAD DATA LOCAL INFILE 'x.csv' INTO TABLE notes FIELDS TERMINATED BY ','":               {"insert notes"},
		"INSERT INTO schema_migrations (version) VALUES (3)":                                     {"insert schema_migrations (version)"},

		"CREATE TABLE IF NOT EXISTS notes (id int, body text)":    {"nothing: table notes is there already", "commits"},
		"CREATE TABLE IF NOT EXISTS notes (id bigint, body text)": {"nothing: table notes is there already, and not as it is declared here", "commits"},
		"DROP TABLE IF EXISTS nobody, notes":                      {"nothing: table nobody is not there (drop)", "commits"},
		"DROP VIEW IF EXISTS v":                                   {"nothing: view v is not there (drop)", "commits"},
		"DROP PROCEDURE IF EXISTS p":                              {"nothing: procedure p is not there (drop)", "commits"},
		"CREATE PROCEDURE IF NOT EXISTS tidy() SELECT 1":          {"nothing: procedure tidy is there already, and not as it is declared here", "commits"},
		"ALTER TABLE notes ADD COLUMN IF NOT EXISTS body text":    {"nothing: table notes has the column body already", "commits"},
		"ALTER TABLE notes ADD COLUMN IF NOT EXISTS id bigint":    {"nothing: table notes has the column id already, as int, and not as it is declared here", "commits"},
		"ALTER TABLE notes DROP COLUMN IF EXISTS x":               {"nothing: table notes has no column x (drop)", "commits"},
		"CREATE INDEX IF NOT EXISTS by_city ON people (city)":     {"nothing: table people has the index by_city already", "commits"},
		"CREATE INDEX IF NOT EXISTS by_city ON people (age)":      {"nothing: table people has the index by_city already, and not as it is declared here", "commits"},

		"SELECT * FROM people":    {"session SELECT"},
		"SET NAMES utf8mb4":       {"session SET"},
		"SET @x = 3":              {"session SET"},
		"START TRANSACTION":       {"session START TRANSACTION", "commits"},
		"COMMIT":                  {"session COMMIT", "commits"},
		"LOCK TABLES notes WRITE": {"session LOCK TABLES", "commits"},
		"ANALYZE TABLE notes":     {"session ANALYZE TABLE", "commits"},
		"CALL tidy()":             {"opaque CALL"},
		"ALTER TABLE parted TRUNCATE PARTITION p0":                  {"truncate parted", "commits"},
		"ALTER TABLE parted EXCHANGE PARTITION p0 WITH TABLE notes": {"opaque EXCHANGE PARTITION", "commits"},
		"DO sleep(1)":                         {"opaque DO"},
		"EXECUTE p":                           {"opaque EXECUTE"},
		"ANALYZE UPDATE notes SET body = 'x'": {"opaque ANALYZE", "commits"},
		"BEGIN NOT ATOMIC DELETE FROM notes; DELETE FROM pets; END": {"opaque BEGIN"},

		"ALTER TABLE notes ADD COLUMN x int, ALGORITHM=INSTANT":                {"online", "commits"},
		"ALTER TABLE notes ADD INDEX i (id), ALGORITHM=INPLACE, LOCK=NONE":     {"online", "commits"},
		"ALTER TABLE notes ADD COLUMN x int, ALGORITHM=COPY, LOCK=SHARED":      {"commits"},
		"ALTER TABLE notes ADD COLUMN x int COMMENT 'ALGORITHM=INSTANT'":       {"commits"},
		"CREATE INDEX i ON notes (id) ALGORITHM=INPLACE LOCK=NONE":             {"online", "commits"},
		"CREATE TEMPORARY TABLE t (id int)":                                    {"session CREATE TEMPORARY TABLE"},
		"EXECUTE IMMEDIATE 'RENAME TABLE notes TO remarks'":                    {"rename table notes to remarks", "commits"},
		"SET STATEMENT max_statement_time = 9 FOR DELETE FROM notes":           {"delete notes all"},
		"SET STATEMENT lock_wait_timeout = 9 FOR RENAME TABLE notes TO others": {"rename table notes to others", "commits"},
	} {
		_, got := follow(t, mariaDB(), start, sql)
		if diff := cmp.Diff([][]string{want}, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", sql, diff)
		}
	}
}

// TestAfterKeepsASession: what one statement leaves to the next.
func TestAfterKeepsASession(t *testing.T) {
	for name, c := range map[string]struct {
		sql  string
		want [][]string
	}{
		"a temporary table is none of the schema": {"CREATE TEMPORARY TABLE t (id int); INSERT INTO t VALUES (1); INSERT INTO notes (id) SELECT id FROM t; DROP TEMPORARY TABLE t",
			[][]string{{"session CREATE TEMPORARY TABLE"}, {"session INSERT"}, {"insert notes (id)"}, {"session DROP TEMPORARY TABLE"}}},
		"a prepared statement with a literal": {"PREPARE s FROM 'DELETE FROM notes'; EXECUTE s; DEALLOCATE PREPARE s",
			[][]string{{"session PREPARE"}, {"delete notes all"}, {"session DEALLOCATE"}}},
		"one with a variable": {"SET @t = 'notes'; SET @s = CONCAT('RENAME TABLE ', @t, ' TO others'); PREPARE s FROM @s; EXECUTE s",
			[][]string{{"session SET"}, {"session SET"}, {"session PREPARE"}, {"rename table notes to others", "commits"}}},
		"one that hangs on the server": {"SET @s = (SELECT IF(COUNT(*) = 0, 'DROP TABLE notes', 'SELECT 1') FROM information_schema.tables); PREPARE s FROM @s; EXECUTE s",
			[][]string{{"session SET"}, {"session PREPARE"}, {"opaque EXECUTE"}}},
		"a variable that a query may have changed": {"SET @s = 'DELETE FROM notes'; SELECT 'DROP TABLE notes' INTO @s; PREPARE s FROM @s; EXECUTE s",
			[][]string{{"session SET"}, {"session SELECT"}, {"session PREPARE"}, {"opaque EXECUTE"}}},
		"a name that was prepared anew": {"PREPARE s FROM 'DELETE FROM notes'; PREPARE s FROM @other; EXECUTE s",
			[][]string{{"session PREPARE"}, {"session PREPARE"}, {"opaque EXECUTE"}}},
		"double quotes are names under ANSI_QUOTES": {`SET sql_mode = 'ANSI_QUOTES'; DELETE FROM "notes" WHERE "id" = 'x'`,
			[][]string{{"session SET"}, {"delete notes"}}},
		"foreign keys are not looked at": {"SET foreign_key_checks = 0; DROP TABLE people",
			[][]string{{"session SET"}, {"commits"}}},
		"a dump of a procedure": {"DELIMITER $$\nCREATE PROCEDURE p() BEGIN DELETE FROM notes; END$$\nDELIMITER ;\nCALL p();",
			[][]string{{"commits"}, {"opaque CALL"}}},
		"a procedure without DELIMITER": {"CREATE PROCEDURE p() BEGIN DELETE FROM notes; IF 1 THEN DELETE FROM pets; END IF; END;\nDROP PROCEDURE p;",
			[][]string{{"commits"}, {"commits"}}},
		"what the database gives is no part of a table that is there": {"ALTER DATABASE CHARACTER SET latin1; CREATE TABLE IF NOT EXISTS notes (id int, body text CHARACTER SET utf8mb4) CHARSET utf8mb4",
			[][]string{{"commits"}, {"nothing: table notes is there already", "commits"}}},
		"drizzle's breakpoints": {"ALTER TABLE notes ADD a int\n--> statement-breakpoint\nALTER TABLE notes ADD b int;--> statement-breakpoint\nDELETE FROM notes",
			[][]string{{"commits"}, {"commits"}, {"delete notes all"}}},
	} {
		t.Run(name, func(t *testing.T) {
			_, got := follow(t, mariaDB(), start, c.sql)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s (-want +got)\n%s", c.sql, diff)
			}
		})
	}
}

// TestAfterLeavesTheSideBefore: one side can be gone on from in several ways.
func TestAfterLeavesTheSideBefore(t *testing.T) {
	d, ctx := mariaDB(), context.Background()
	l, err := d.Read(ctx, []*source.File{{Path: "start.sql", Text: start}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	again, err := d.Read(ctx, []*source.File{{Path: "start.sql", Text: start}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, sql := range taken {
		next, err := after(d, l, sql)
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Align(ctx, "", nil, l, next, diff.Renames{}); err != nil {
			t.Fatal(err)
		}
		if changes := diff.Schemas(again.Schema, l.Schema); len(changes) > 0 {
			t.Fatalf("%s\nchanges the side before: %v", sql, changes)
		}
	}
}

// TestBeside: what counts only beside the other side is seen from one statement to the next, and in neither side else.
func TestBeside(t *testing.T) {
	d := mariaDB()
	for sql, want := range map[string]string{
		"ALTER DATABASE CHARACTER SET latin1":                                                         "database DATABASE() ",
		"SET sql_mode = ''; CREATE OR REPLACE PROCEDURE tidy() DELETE FROM notes":                     "procedure tidy ",
		"SET sql_mode = ''; CREATE OR REPLACE TRIGGER g BEFORE UPDATE ON notes FOR EACH ROW SET @a=1": "trigger notes.g ",
	} {
		before, err := after(d, empty(t), start+"SET sql_mode = 'ANSI'; CREATE OR REPLACE PROCEDURE tidy() DELETE FROM notes; CREATE TRIGGER g BEFORE UPDATE ON notes FOR EACH ROW SET @a=1;")
		if err != nil {
			t.Fatal(err)
		}
		next, err := after(d, before, sql)
		if err != nil {
			t.Fatal(err)
		}
		if changes := diff.Schemas(before.Schema, next.Schema); len(changes) > 0 {
			t.Errorf("%s\nis seen without the other side: %v", sql, changes)
		}
		from, to := d.Beside(before, next)
		changes := diff.Schemas(from.Schema, to.Schema)
		if len(changes) == 0 || !strings.HasPrefix(plan.Lacks(changes[0]), want) {
			t.Errorf("%s\ncomes to %v, want %s", sql, changes, want)
		}
		if changes := diff.Schemas(before.Schema, next.Schema); len(changes) > 0 {
			t.Errorf("%s\nis left in the sides: %v", sql, changes)
		}
	}
}

// TestAfterIsStrict: what a schema's files may refer to before it is declared, a migration may not.
func TestAfterIsStrict(t *testing.T) {
	for _, sql := range []string{
		"CREATE VIEW v AS SELECT id FROM later; CREATE TABLE later (id int)",
		"CREATE TABLE a (id int PRIMARY KEY, b int, FOREIGN KEY (b) REFERENCES later (id)); CREATE TABLE later (id int PRIMARY KEY)",
		"CREATE INDEX i ON later (id); CREATE TABLE later (id int)",
		"INSERT INTO later VALUES (1); CREATE TABLE later (id int)",
	} {
		if _, err := after(mariaDB(), empty(t), sql); err == nil {
			t.Errorf("%s\nis taken", sql)
		} else if e := schema.Errors(err); len(e) != 1 || e[0].Pos.File != "m.sql" || e[0].Pos.Line != 1 {
			t.Errorf("%s\n%v", sql, err)
		}
	}
}

func empty(t *testing.T) *mysql.Loaded {
	t.Helper()
	l, err := mariaDB().Read(context.Background(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestHistoryReadsAlike: statement by statement and as one source, the same schema comes out.
func TestHistoryReadsAlike(t *testing.T) {
	d, ctx := mariaDB(), context.Background()
	files := history(20, 140)
	whole, err := d.Read(ctx, files, nil)
	if err != nil {
		t.Fatal(err)
	}
	l := empty(t)
	for _, f := range files {
		if l, err = after(d, l, f.Text); err != nil {
			t.Fatalf("%s\n%v", f.Text, err)
		}
	}
	if err := d.Align(ctx, "", nil, l, whole, diff.Renames{}); err != nil {
		t.Fatal(err)
	}
	if changes := diff.Schemas(l.Schema, whole.Schema); len(changes) > 0 {
		t.Errorf("%v", changes)
	}
}

// TestAfterRemembersWhatItDoesNotKnow: an error behind code that nobody read says so.
func TestAfterRemembersWhatItDoesNotKnow(t *testing.T) {
	_, err := after(mariaDB(), empty(t), "CREATE PROCEDURE p() CREATE TABLE made (id int);\nCALL p();\nALTER TABLE made ADD COLUMN x int;")
	if err == nil || !strings.Contains(err.Error(), "m.sql:3:13: table made is altered and is not there") || !strings.Contains(err.Error(), "what CALL at m.sql:2:1 did is not known here") {
		t.Error(err)
	}
}
