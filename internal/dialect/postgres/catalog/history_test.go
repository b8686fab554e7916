package catalog_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/dialect/postgres/catalog"
)

// originOf gives where a view of the catalog is said: its body's names are those of that place.
func originOf(c *catalog.Catalog, view string) catalog.Origin { return c.Views[name(view)].Origin }

// TestResolve takes names in bodies to what they mean in the end.
func TestResolve(t *testing.T) {
	c, _, errs := ran(t, `CREATE VIEW early AS SELECT 1; CREATE TABLE a (x int); CREATE VIEW v AS SELECT 1; ALTER TABLE a RENAME TO b; CREATE VIEW w AS SELECT 1; CREATE TABLE a (y int); CREATE SCHEMA app; CREATE TABLE app.a (z int);
ALTER TABLE b SET SCHEMA app; CREATE VIEW z AS SELECT 1; SET search_path = app, public; CREATE VIEW public.p AS SELECT 1; CREATE TYPE mood AS ENUM ('x'); ALTER TYPE mood RENAME TO temper`)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	for _, tt := range []struct{ view, schemaName, name, want string }{
		{"v", "", "a", "app.b"}, {"v", "public", "a", "app.b"}, {"early", "", "a", "app.b"}, {"w", "", "a", "a"}, {"w", "", "b", "app.b"}, {"z", "", "a", "a"}, {"z", "", "b", ""}, {"z", "app", "b", "app.b"},
		{"p", "", "a", "app.a"}, {"p", "", "b", "app.b"}, {"p", "", "v", "v"}, {"p", "", "nowhere", ""}, {"v", "", "b", ""},
	} {
		n, ok := c.Resolve(originOf(c, tt.view), tt.schemaName, tt.name)
		if got := map[bool]string{true: n.String()}[ok]; got != tt.want {
			t.Errorf("%s.%s in view %s is %q, want %q", tt.schemaName, tt.name, tt.view, got, tt.want)
		}
	}
	if n, ok := c.Resolve(originOf(c, "v"), "nowhere", "x"); ok || n.String() != "nowhere.x" {
		t.Errorf("what is not there, written with its schema, is %v, %t", n, ok)
	}
	if n, ok := c.ResolveType(originOf(c, "p"), "", "mood"); !ok || n.String() != "app.temper" {
		t.Errorf("the type mood is %v, %t", n, ok)
	}
	if got := c.NameThen(originOf(c, "v").Time, catalog.Name{Schema: "app", Name: "b"}); got != name("a") {
		t.Errorf("table app.b was called %v", got)
	}
}

// TestColumnsThen takes columns back to what they were called, also those that a later table has inherited.
func TestColumnsThen(t *testing.T) {
	c, _, errs := ran(t, `CREATE TABLE t (a int CONSTRAINT k CHECK (a > 0), b int); CREATE VIEW v AS SELECT 1; ALTER TABLE t RENAME a TO b2; ALTER TABLE t RENAME TO u; ALTER TABLE u RENAME b TO a; CREATE VIEW w AS SELECT 1; ALTER TABLE u RENAME b2 TO c;
CREATE TABLE child () INHERITS (u); CREATE TABLE copy (LIKE u INCLUDING ALL); ALTER TABLE child RENAME TO kid; ALTER TABLE u RENAME c TO d`)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	check := func(view, table string, want ...string) {
		t.Helper()
		if diff := cmp.Diff(want, c.ColumnsThen(originOf(c, view).Time, c.Tables[name(table)])); diff != "" {
			t.Errorf("%s at view %s (-want +got): %s", table, view, diff)
		}
	}
	check("v", "u", "a", "b")
	check("w", "u", "b2", "a")
	for _, table := range []string{"kid", "copy"} {
		x := c.Tables[name(table)]
		if diff := cmp.Diff([]string{"a", "b"}, c.ColumnsThen(x.Constraints[0].Time, x)); diff != "" {
			t.Errorf("%s at its check (-want +got): %s", table, diff)
		}
	}
}

// TestRenameAPI renames as hints do, outside of statements.
func TestRenameAPI(t *testing.T) {
	c, _, errs := ran(t, `CREATE TABLE t (id serial PRIMARY KEY, a int, CHECK (a > 0)); CREATE TABLE u (t int REFERENCES t (id)); CREATE INDEX i ON t (a, lower(a::text)) INCLUDE (id); CREATE VIEW v AS SELECT a FROM t; COMMENT ON COLUMN t.a IS 'x'; CREATE TABLE k () INHERITS (t)`)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	c.RenameTable(name("t"), name("s"))
	c.RenameColumn(name("s"), "a", "b")
	c.RenameColumn(name("s"), "id", "key")
	if n, ok := c.Resolve(originOf(c, "v"), "", "t"); !ok || n != name("s") {
		t.Errorf("t is %v, %t", n, ok)
	}
	want := []string{
		"column public.k.b inherited", "column public.k.key not null inherited default", "column public.s.b", "column public.s.key not null default", "column public.u.t", "columns public.k key,b", "columns public.s key,b", "columns public.u t",
		"constraint public.k t_a_check c () inherited", "constraint public.s t_a_check c ()", "constraint public.s t_pkey p (key)", "constraint public.u u_t_fkey f (t) to s", "index public.i on s",
		"sequence public.t_id_seq integer by 1 from 1 in 1..2147483647 cache 1 of s.key",
	}
	got := slices.DeleteFunc(structure(c), func(line string) bool { return strings.HasPrefix(line, "kept ") || strings.HasPrefix(line, "table ") })
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	x := c.Indexes[name("i")]
	if x.Table != name("s") || x.Elements[0].Column != "b" || x.Include[0] != "key" || c.Tables[name("u")].Constraints[0].Ref.Columns[0] != "key" {
		t.Errorf("the index is on %v (%s) INCLUDE (%v), the foreign key to %v", x.Table, x.Elements[0].Column, x.Include, c.Tables[name("u")].Constraints[0].Ref)
	}
	if c.Others[[2]string{"comment", "column s.b"}] == nil {
		t.Error("the comment does not follow the column")
	}
}
