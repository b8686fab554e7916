package bind_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/dialect/postgres/bind"
	"github.com/altergate/altergate/internal/dialect/postgres/catalog"
)

func public(name string) catalog.Name { return catalog.Name{Schema: "public", Name: name} }

// check binds a condition over the table users of the schema in testdata.
func check(t *testing.T, expr string, more ...string) bind.Bound {
	t.Helper()
	c := load(t, append(more, "ALTER TABLE users ADD CONSTRAINT this CHECK ("+expr+")")...)
	for _, table := range c.Tables {
		for _, k := range table.Constraints {
			if k.Name == "this" {
				return bind.New(c).TableExpr(table, k.Expr, "boolean")
			}
		}
	}
	t.Fatal("no check")
	return bind.Bound{}
}

func TestFacts(t *testing.T) {
	for _, test := range []struct {
		expr, facts string // t total, n not null, v volatile
	}{
		{"true", "tn"},
		{"active", "tn"},
		{"verified", "t"},
		{"NULL", "t"},
		{"age > 0", "t"},
		{"name = 'x'", "tn"},
		{"nick = 'x'", "t"},
		{"nick IS NULL", "tn"},
		{"name IN ('a', 'b')", "tn"},
		{"age + 1 > 0", ""},
		{"age / small > 0", ""},
		{"age::bigint > 5", "t"},
		{"age::smallint > 5", ""},
		{"name::integer > 5", ""},
		{"lower(name) = name", "tn"},
		{"lower(nick) = nick", "t"},
		{"substr(name, 1, -1) = name", ""},
		{"coalesce(nick, name) = name", "tn"},
		{"coalesce(nick, 'x') IS NOT NULL", "tn"},
		{"name || nick = ''", "t"},
		{"random() < 1", "tnv"},
		{"slug(name) = name", ""},
		{"unheard_of(name) = 1", "v"},
		{"status = 'new'", "tn"},
		{"name LIKE 'a%'", ""},
		{"data ->> 'a' = 'b'", ""},
		{"now() > updated", "tn"},
		{"active AND age > 0", "t"},
		{"active OR name = 'x'", "tn"},
		{"NOT active", "tn"},
		{"CASE WHEN active THEN name = 'x' ELSE false END", "tn"},
		{"CASE WHEN active THEN name = 'x' END", "t"},
		{"age IS DISTINCT FROM 1", "tn"},
		{"nullif(name, 'x') = 'y'", "t"},
	} {
		b := check(t, test.expr)
		facts := ""
		for _, f := range []struct {
			is   bool
			word string
		}{{b.Total, "t"}, {b.NotNull, "n"}, {b.Volatile, "v"}} {
			if f.is {
				facts += f.word
			}
		}
		if facts != test.facts {
			t.Errorf("%s: facts are %q, want %q (%s)", test.expr, facts, test.facts, b.Canon)
		}
	}
}

func TestConstants(t *testing.T) {
	for i, test := range [][3]string{
		{"integer", "5", "5"},
		{"integer", "-5", "-5"},
		{"integer", "'7'", "7"},
		{"bigint", "5", "5"},
		{"numeric(10,2)", "1.50", "1.50"},
		{"numeric(10,2)", "1::numeric", "1"},
		{"integer", "1 + 1", ""},
		{"boolean", "'t'", "true"},
		{"boolean", "false", "false"},
		{"text", "'x'", "'x'"},
		{"text", "'it''s'::varchar", "'it''s'"},
		{"character varying(20)", "'x'::text", "'x'"},
		{"character varying(20)", "'x'::character varying(20)", "'x'"},
		{"character varying(2)", "'xyz'::character varying(2)", ""},
		{"text", "NULL", "null"},
		{"text", "NULL::text", "null"},
		{"jsonb", "'{}'", "'{}'"},
		{"text[]", "'{}'", "'{}'"},
		{"text[]", "ARRAY[]::text[]", ""},
		{"status", "'new'", "'new'"},
		{"email", "'a@b'", "'a@b'"},
		{"amount", "0", "0"},
		{"timestamp with time zone", "now()", ""},
		{"date", "'2020-01-01'", "'2020-01-01'"},
		{"text", "upper('x')", ""},
	} {
		name := fmt.Sprintf("c%d", i)
		c := load(t, fmt.Sprintf("CREATE TABLE %s (x %s DEFAULT %s)", name, test[0], test[1]))
		b, table := bind.New(c), c.Tables[public(name)]
		if table.Columns[0].Default == nil && test[2] == "null" {
			continue
		}
		_, base, _, _, _ := b.Type(table.Columns[0].Type)
		if got := b.TableExpr(table, table.Columns[0].Default, base).Constant; got != test[2] {
			t.Errorf("%s DEFAULT %s: constant is %q, want %q", test[0], test[1], got, test[2])
		}
	}
}

func TestRefs(t *testing.T) {
	for _, test := range [][2]string{
		{"age > 0 AND age < 9", "column users.age"},
		{"slug(name) = 'x'", "column users.name; function slug(text)"},
		{"twice(age) > twice('x')::integer", "column users.age; function twice(integer); function twice(text)"},
		{"status = 'new'", "column users.status"},
		{"'new'::status = status", "column users.status; type status"},
		{"nextval('billing.numbers') > age", "column users.age; relation billing.numbers"},
		{"(home).zip = 'x'", "column place.zip; column users.home"},
	} {
		if got := refs(check(t, test[0])); got != test[1] {
			t.Errorf("%s refers to %q, want %q", test[0], got, test[1])
		}
	}
}

func refs(b bind.Bound) string {
	var out []string
	for _, r := range b.Refs {
		s := r.Kind + " " + r.Name
		if r.Column != "" {
			s += "." + r.Column
		}
		out = append(out, s)
	}
	return strings.Join(out, "; ")
}

func TestUnknownNames(t *testing.T) {
	for _, test := range []struct{ view, want string }{
		{"SELECT nothing FROM users", "column nothing"},
		{"SELECT u.nothing FROM users u", "column u.nothing"},
		{"SELECT x.id FROM users", "column x.id"},
		{"SELECT u.length, u.shout FROM users u", "column u.length"},
		{"SELECT 1 FROM nowhere", "relation nowhere"},
		{"SELECT 1 FROM other.nowhere", "relation other.nowhere"},
		{"SELECT a FROM nowhere", "relation nowhere"},
		{"SELECT unheard(id) FROM users", "function unheard"},
		{"SELECT id::strange FROM users", "type strange"},
		{"SELECT 'nowhere'::regclass", "relation nowhere"},
		{"SELECT relname, anything FROM pg_class", ""},
		{"SELECT x FROM information_schema.columns", ""},
		{"SELECT id FROM users ORDER BY nothing", "column nothing"},
	} {
		c := load(t, "CREATE VIEW this AS "+test.view)
		var got []string
		for _, u := range bind.New(c).View(c.Views[public("this")]).Unknown {
			got = append(got, u.Kind+" "+u.Name)
		}
		if strings.Join(got, "; ") != test.want {
			t.Errorf("%s: not known are %q, want %q", test.view, got, test.want)
		}
	}
}

func TestUnknownMayBeAnExtensions(t *testing.T) {
	for _, test := range []struct {
		expr, extension string
		unknown, maybe  bool
	}{
		{"uuid_generate_v4() = token", "", true, false},
		{"uuid_generate_v4() = token", "CREATE EXTENSION \"uuid-ossp\"", true, true},
		{"name::citext = 'x'", "CREATE EXTENSION citext", false, false},
		{"name::strange = 'x'", "CREATE EXTENSION citext", true, false},
		{"name::strange = 'x'", "CREATE EXTENSION of_my_own", true, true},
	} {
		b := check(t, test.expr, test.extension)
		if unknown := len(b.Unknown) > 0; unknown != test.unknown || unknown && b.Unknown[0].Maybe != test.maybe {
			t.Errorf("%s after %q: not known are %v", test.expr, test.extension, b.Unknown)
		}
	}
}

// TestRenamesAreFollowed says things before a rename, and compares them with the same things said after it.
func TestRenamesAreFollowed(t *testing.T) {
	const said = `
CREATE TABLE {t} ({c} integer, other integer, kind {k}, n integer DEFAULT nextval('{s}'), CONSTRAINT k CHECK ({c} > 0 AND {t}.{c} < {f}(other)));
CREATE INDEX x ON {t} (({c} + 1)) WHERE kind = '{l}';
CREATE VIEW v AS SELECT {t}.{c} AS a, '{t}'::regclass AS r FROM {t} WHERE {t}.kind = '{l}'::{k};
CREATE VIEW w AS SELECT * FROM {v2};`
	words := func(names ...string) string {
		return strings.NewReplacer("{t}", names[0], "{c}", names[1], "{k}", names[2], "{l}", names[3], "{f}", names[4], "{s}", names[5], "{v2}", names[6]).Replace(said)
	}
	made := func(names ...string) string {
		return strings.NewReplacer("{k}", names[2], "{l}", names[3], "{f}", names[4], "{s}", names[5]).Replace(`
CREATE TYPE {k} AS ENUM ('{l}', 'z');
CREATE SEQUENCE {s};
CREATE FUNCTION {f}(integer) RETURNS integer LANGUAGE sql AS 'SELECT 1';`)
	}
	before := []string{"old", "old_column", "old_kind", "old_label", "old_function", "old_sequence", "v"}
	after := []string{"new", "new_column", "new_kind", "new_label", "new_function", "new_sequence", "v"}
	renamed := loadText(t, made(before...)+words(before...)+`
ALTER TABLE old RENAME TO new;
ALTER TABLE new RENAME COLUMN old_column TO new_column;
ALTER TYPE old_kind RENAME TO new_kind;
ALTER TYPE new_kind RENAME VALUE 'old_label' TO 'new_label';
ALTER FUNCTION old_function(integer) RENAME TO new_function;
ALTER SEQUENCE old_sequence RENAME TO new_sequence;`)
	fresh := loadText(t, made(after...)+words(after...))
	if diff := cmp.Diff(all(fresh), all(renamed)); diff != "" {
		t.Errorf("what was said before the renames is not what is said after them (-fresh +renamed):\n%s", diff)
	}
}

// all binds the expressions of the table new, and the views.
func all(c *catalog.Catalog) map[string]bind.Bound {
	b, table := bind.New(c), c.Tables[public("new")]
	out := map[string]bind.Bound{}
	for _, k := range table.Constraints {
		out[k.Name] = b.TableExpr(table, k.Expr, "boolean")
	}
	for _, col := range table.Columns {
		if col.Default != nil {
			out[col.Name] = b.TableExpr(table, col.Default, "integer")
		}
	}
	for _, x := range table.Indexes {
		out[x.Name.Name] = b.TableExpr(table, x.Elements[0].Expr, "")
		out[x.Name.Name+" where"] = b.TableExpr(table, x.Where, "boolean")
	}
	for n, v := range c.Views {
		out[n.Name] = b.View(v)
	}
	return out
}

// TestStarIsOfItsTime adds a column to a table after a view has taken all of its columns.
func TestStarIsOfItsTime(t *testing.T) {
	c := load(t, "CREATE VIEW this AS SELECT * FROM nodes", "ALTER TABLE nodes ADD COLUMN extra integer", "CREATE VIEW that AS SELECT * FROM nodes")
	b := bind.New(c)
	for view, want := range map[string]string{"this": "id parent title", "that": "id parent title extra"} {
		var got []string
		columns, _ := b.ViewColumns(c.Views[public(view)])
		for _, x := range columns {
			got = append(got, x.Name)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("view %s has the columns %v, want %s", view, got, want)
		}
	}
}

// TestViewOnItself makes a circle of views, which no server has; it must only end.
func TestViewOnItself(t *testing.T) {
	c := load(t, "CREATE VIEW this AS SELECT * FROM that", "CREATE VIEW that AS SELECT * FROM this")
	if v := c.Views[public("this")]; v != nil {
		if _, ok := bind.New(c).ViewColumns(v); ok {
			t.Error("the columns of a view on itself are known")
		}
	}
}

// TestSpellingsOfFunctionBodies compares bodies of functions in SQL, which the server keeps as they are written.
func TestSpellingsOfFunctionBodies(t *testing.T) {
	body := func(t *testing.T, text string) bind.Bound {
		c := load(t, "CREATE FUNCTION this(n integer, words text[]) RETURNS bigint LANGUAGE sql "+text)
		b, ok := bind.New(c).FunctionBody(c.Functions["this(integer, text[])"])
		if !ok {
			t.Fatalf("%s: not bound", text)
		}
		for _, u := range b.Unknown {
			t.Errorf("%s: %s %s is not known", text, u.Kind, u.Name)
		}
		return b
	}
	for _, pair := range [][2]string{
		{"AS 'SELECT id FROM users WHERE age > n'", "AS 'select users.id from public.users where (users.age > $1)'"},
		{"AS 'SELECT id FROM users WHERE name = ANY (words)'", "AS 'SELECT id FROM users WHERE name = ANY (this.words)'"},
		{"AS 'INSERT INTO nodes (id) VALUES (n) RETURNING id'", "AS 'INSERT INTO nodes (id) SELECT $1 RETURNING nodes.id'"},
		{"AS 'UPDATE nodes SET parent = n, title = ''x'' WHERE id = 1; SELECT 1'", "AS 'UPDATE nodes SET parent = $1, title = ''x''::text WHERE nodes.id = 1; SELECT 1'"},
		{"AS 'DELETE FROM nodes WHERE id = n; SELECT 1'", "AS 'delete from nodes where nodes.id = this.n ; select 1;'"},
		{"RETURN n + 1", "RETURN $1 + 1"},
		{"BEGIN ATOMIC SELECT id FROM users; END", "BEGIN ATOMIC SELECT users.id FROM public.users; END"},
	} {
		one, two := body(t, pair[0]), body(t, pair[1])
		if !strings.Contains(pair[0], "INSERT") && one.Canon != two.Canon {
			t.Errorf("%s is %s\n%s is %s", pair[0], one.Canon, pair[1], two.Canon)
		}
		if !slices.Equal(one.Refs, two.Refs) {
			t.Errorf("%s refers to %s\n%s refers to %s", pair[0], refs(one), pair[1], refs(two))
		}
	}
	c := load(t, "CREATE FUNCTION this() RETURNS integer LANGUAGE plpgsql AS 'BEGIN RETURN 1; END'")
	if _, ok := bind.New(c).FunctionBody(c.Functions["this()"]); ok {
		t.Error("a body in plpgsql is bound")
	}
}

func BenchmarkExpressions(b *testing.B) {
	var more []string
	list := lines(b, "checks.sql")
	for i, text := range list {
		more = append(more, fmt.Sprintf("ALTER TABLE users ADD CONSTRAINT c%d CHECK (%s)", i, text))
	}
	c := load(b, more...)
	table := c.Tables[public("users")]
	b.ReportAllocs()
	for b.Loop() {
		binder := bind.New(c)
		for _, k := range table.Constraints {
			if k.Expr != nil {
				binder.TableExpr(table, k.Expr, "boolean")
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(list)), "ns/expr")
}

func BenchmarkViews(b *testing.B) {
	var more []string
	list := lines(b, "views.sql")
	for i, text := range list {
		more = append(more, fmt.Sprintf("CREATE VIEW v%d AS %s", i, text))
	}
	c := load(b, more...)
	b.ReportAllocs()
	for b.Loop() {
		binder := bind.New(c)
		for _, v := range c.Views {
			binder.View(v)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(list)), "ns/view")
}
