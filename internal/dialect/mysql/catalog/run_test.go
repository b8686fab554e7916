package catalog_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/dialect/mysql/catalog"
)

// TestAnyOrder: files of a schema stand in the order of the alphabet, so what they name may come later.
func TestAnyOrder(t *testing.T) {
	sv := version(t, "mysql", "8.0.36")
	forward := "CREATE TABLE p (id int PRIMARY KEY); CREATE TABLE t (a int, b int, FOREIGN KEY (a) REFERENCES p (id)); CREATE INDEX i ON t (b); ALTER TABLE t ADD c int; CREATE TABLE u LIKE t"
	back := "CREATE TABLE u LIKE t; CREATE INDEX i ON t (b); ALTER TABLE t ADD c int; CREATE TABLE t (a int, b int, FOREIGN KEY (a) REFERENCES p (id)); CREATE TABLE p (id int PRIMARY KEY)"
	a, b := read(t, sv, forward), read(t, sv, back)
	delete(a.Tables, "u")
	delete(b.Tables, "u") // LIKE takes what is there when it runs
	if diff := cmp.Diff(lines(a), lines(b)); diff != "" {
		t.Error(diff)
	}
	for text, want := range map[string]string{
		"ALTER TABLE nope ADD c int":                                                            "schema.sql:1:13: table nope is altered",
		"CREATE TABLE t (a int, FOREIGN KEY (a) REFERENCES p (id))":                             "schema.sql:1:24: the foreign key t_ibfk_1 of table t references table p",
		"SET foreign_key_checks = 0; CREATE TABLE t (a int, FOREIGN KEY (a) REFERENCES p (id))": "",
		"DROP TABLE t": "not there to drop",
		"CREATE TABLE t (a int) AS SELECT 1 AS a": "query",
	} {
		_, errs := run(t, sv, text)
		if want == "" && len(errs) > 0 || want != "" && (len(errs) != 1 || !strings.Contains(errs[0].Error(), want)) {
			t.Errorf("%s: %v, want %q", text, errs, want)
		}
	}
}

// TestDatabases: names are looked for in the database in use, and are shown with it.
func TestDatabases(t *testing.T) {
	c := read(t, version(t, "mysql", "8.0.36"), "CREATE DATABASE shop CHARACTER SET latin1; USE shop; CREATE TABLE users (a varchar(9)); CREATE TABLE `other`.t (a int); CREATE TABLE x (a int, b int, FOREIGN KEY (a) REFERENCES other.p (id)); CREATE TABLE other.p (id int PRIMARY KEY)")
	users := c.Tables[catalog.Name{Database: "shop", Name: "users"}.Key()]
	if users == nil || users.Name.String() != "shop.users" || users.Charset != "latin1" || c.Tables[catalog.Name{Database: "other", Name: "t"}.Key()] == nil {
		t.Errorf("%v", sortedKeys(c.Tables))
	}
	if ref := c.Tables[catalog.Name{Database: "shop", Name: "x"}.Key()].ForeignKeys[0].Ref; ref.String() != "other.p" {
		t.Errorf("the foreign key references %s", ref)
	}
}

// TestClone: what runs on a copy leaves the original alone, whatever it is.
func TestClone(t *testing.T) {
	sv := version(t, "mariadb", "10.11")
	const base = "CREATE TABLE p (id int PRIMARY KEY, v int); CREATE TABLE t (a int, b int DEFAULT 1, c int AS (a + 1), KEY k (b), UNIQUE u (a), CONSTRAINT f FOREIGN KEY (b) REFERENCES p (id), CONSTRAINT q CHECK (a > 1)) PARTITION BY HASH (a) PARTITIONS 2; CREATE SEQUENCE s; CREATE VIEW v AS SELECT a FROM t"
	for _, change := range []string{"ALTER TABLE t RENAME COLUMN a TO z", "ALTER TABLE t ALTER b SET DEFAULT 2", "ALTER TABLE t DROP COLUMN c, DROP KEY u", "ALTER TABLE t ALTER KEY k IGNORED", "ALTER TABLE t RENAME KEY k TO kk", "ALTER TABLE p RENAME TO pp",
		"ALTER TABLE p CHANGE id pid int", "ALTER TABLE t DROP FOREIGN KEY f", "ALTER TABLE t ADD PARTITION PARTITIONS 1", "ALTER TABLE t COMMENT 'x'", "ALTER TABLE t CONVERT TO CHARACTER SET latin1", "ALTER DATABASE CHARACTER SET latin1", "ALTER SEQUENCE s INCREMENT BY 2", "DROP VIEW v", "RENAME TABLE v TO w", "CREATE OR REPLACE VIEW v AS SELECT 1"} {
		c := read(t, sv, base)
		before := cmp.Diff([]string{}, lines(c)) + c.Sequences["s"].Canon + c.Views["v"].Canon + c.Databases[""].Charset
		d := c.Clone()
		if _, err := d.Apply(statements(t, sv, change)[0]); err != nil {
			t.Errorf("%s: %v", change, err)
		}
		if after := cmp.Diff([]string{}, lines(c)) + c.Sequences["s"].Canon + c.Views["v"].Canon + c.Databases[""].Charset; after != before {
			t.Errorf("%s changes the original:\n%s", change, cmp.Diff(before, after))
		}
	}
}

// TestRenames holds RenameTable and RenameColumn to what the server's own renames leave.
func TestRenames(t *testing.T) {
	sv := version(t, "mariadb", "10.11")
	const base = "CREATE TABLE p (id int PRIMARY KEY, v int); CREATE TABLE t (a int, b int DEFAULT (a + 1), c int AS (a + 1), KEY k (b, a), FOREIGN KEY (a) REFERENCES p (id), CHECK (a > 1 AND `A` < 9)) PARTITION BY RANGE (a) (PARTITION p0 VALUES LESS THAN (5)); CREATE TRIGGER g BEFORE INSERT ON t FOR EACH ROW SET NEW.b = 1"
	c, d := read(t, sv, base), read(t, sv, base+"; RENAME TABLE t TO `t 2`; ALTER TABLE `t 2` RENAME COLUMN a TO `a b`; ALTER TABLE p RENAME COLUMN id TO pid")
	if err := c.RenameTable(catalog.Name{Name: "t"}, catalog.Name{Name: "t 2"}); err != nil {
		t.Error(err)
	}
	for _, r := range [][3]string{{"t 2", "a", "a b"}, {"p", "id", "pid"}} {
		if err := c.RenameColumn(catalog.Name{Name: r[0]}, r[1], r[2]); err != nil {
			t.Error(err)
		}
	}
	if diff := cmp.Diff(lines(d), lines(c)); diff != "" {
		t.Error(diff)
	}
	if e := c.Tables["t 2"].Checks[0].Expr.Text; e != "`a b` > 1 AND `a b` < 9" {
		t.Errorf("the check's text is %s", e)
	}
	if c.Triggers["g"].Table.Name != "t 2" {
		t.Errorf("the trigger is on %s", c.Triggers["g"].Table)
	}
	if err := c.RenameTable(catalog.Name{Name: "nope"}, catalog.Name{Name: "x"}); err == nil {
		t.Error("a table that is not there is renamed")
	}
	if err := c.RenameColumn(catalog.Name{Name: "p"}, "pid", "V"); err == nil {
		t.Error("a column gets the name of another")
	}
}

// TestStored: bodies are one whatever white space and comments they have, triggers have places, and definers are kept apart.
func TestStored(t *testing.T) {
	sv := version(t, "mysql", "8.0.36")
	a := read(t, sv, "CREATE TABLE t (a int);\nDELIMITER ;;\nCREATE DEFINER=`root`@`localhost` TRIGGER g1 BEFORE INSERT ON t FOR EACH ROW BEGIN\n  -- a remark\n  SET NEW.a = 1;\nEND;;\nCREATE TRIGGER g2 BEFORE INSERT ON t FOR EACH ROW PRECEDES g1 SET NEW.a = 2;;\nCREATE FUNCTION f(x int) RETURNS int DETERMINISTIC RETURN x + 1;;\nDELIMITER ;\n")
	b := read(t, sv, "CREATE TABLE t (a int);\nDELIMITER $$\ncreate trigger g1 before insert on t for each row begin set new.a = 1; end $$\ncreate trigger g2 before insert on t for each row precedes g1 set NEW.a=2 $$\ncreate function f(x int) returns int deterministic return x+1 $$\nDELIMITER ;\n")
	for _, g := range []string{"g1", "g2"} {
		if a.Triggers[g].Canon != b.Triggers[g].Canon {
			t.Errorf("%s: %s\n%s", g, a.Triggers[g].Canon, b.Triggers[g].Canon)
		}
	}
	if a.Triggers["g2"].Place != 0 || a.Triggers["g1"].Place != 1 || a.Triggers["g1"].Definer != "`root`@`localhost`" || b.Triggers["g1"].Definer != "" {
		t.Errorf("%+v\n%+v", a.Triggers["g1"], a.Triggers["g2"])
	}
	key := catalog.RoutineKey("function", catalog.Name{Name: "f"})
	if a.Routines[key] == nil || a.Routines[key].Canon != b.Routines[key].Canon {
		t.Errorf("%+v\n%+v", a.Routines[key], b.Routines[key])
	}
	c := read(t, sv, "CREATE TABLE t (a int); CREATE TRIGGER g BEFORE INSERT ON t FOR EACH ROW SET NEW.a = 'x  y'; DROP TRIGGER g; CREATE TRIGGER g BEFORE INSERT ON t FOR EACH ROW SET NEW.a = 'x y'")
	if !strings.Contains(c.Triggers["g"].Canon, "'x y'") {
		t.Error(c.Triggers["g"].Canon)
	}
}
