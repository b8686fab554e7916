package bind_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/altergate/altergate/internal/dialect/postgres/bind"
	"github.com/altergate/altergate/internal/dialect/postgres/catalog"
	"github.com/altergate/altergate/internal/dialect/postgres/postgrestest"
	"github.com/altergate/altergate/internal/dialect/postgres/script"
	"github.com/altergate/altergate/internal/schema"
	"github.com/altergate/altergate/internal/source"
)

// engine makes a database of the test's own on a server, with the schema in testdata.
func engine(t *testing.T) *pgx.Conn {
	t.Helper()
	c := postgrestest.Connect(t)
	run(t, c, read(t, "schema.sql"))
	return c
}

func run(t *testing.T, c *pgx.Conn, sql string) {
	t.Helper()
	if _, err := c.Exec(context.Background(), sql); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

// look makes the server print what it has as pg_dump sees it, every name with its schema, or as a user sees it, by turns.
func look(t *testing.T, c *pgx.Conn, turn int) {
	t.Helper()
	run(t, c, []string{"SET search_path = ''", "SET search_path = public"}[turn%2])
}

func ask(t *testing.T, c *pgx.Conn, sql string, args ...any) string {
	t.Helper()
	var s string
	if err := c.QueryRow(context.Background(), sql, args...).Scan(&s); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return s
}

func read(t testing.TB, file string) string {
	t.Helper()
	b, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func lines(t testing.TB, file string) []string {
	return strings.Split(strings.TrimSpace(read(t, file)), "\n")
}

// load makes a catalog of the schema in testdata and more statements.
func load(t testing.TB, more ...string) *catalog.Catalog {
	t.Helper()
	return loadText(t, read(t, "schema.sql")+"\n"+strings.Join(more, ";\n")+";\n")
}

func loadText(t testing.TB, text string) *catalog.Catalog {
	t.Helper()
	one, bad := script.Split(&source.File{Path: "schema.sql", Text: text})
	fail(t, bad)
	fail(t, script.Parse(one.Statements, nil))
	c := catalog.New()
	_, bad = c.Run(one.Statements)
	fail(t, bad)
	return c
}

func fail(t testing.TB, errs []*schema.Error) {
	t.Helper()
	for _, e := range errs {
		t.Fatal(e)
	}
}

// spelling is one thing said by an author and as the server gives it back.
type spelling struct {
	text, server string
	canon        string
}

// plain leaves the schema public out, which the server prints or not by the search path.
func plain(def string) string { return strings.ReplaceAll(def, "public.", "") }

// differ checks that no two things have one canonical text which the server tells apart.
func differ(t *testing.T, all []spelling) {
	t.Helper()
	for i, a := range all {
		for _, b := range all[:i] {
			if a.canon == b.canon && a.server != b.server && !slices.Contains(alike, [2]string{b.text, a.text}) {
				t.Errorf("%s\nand %s\nhave one canonical text, %s\nbut the server has %s\nand %s", a.text, b.text, a.canon, a.server, b.server)
			}
		}
	}
}

// alike are pairs that the server tells apart though they mean the same, so that it does no harm that they come out the same.
var alike = [][2]string{
	{"(age > 0) AND ((small > 0) AND (ratio > 0))", "age > 0 AND small > 0 AND ratio > 0"},
	{"ratio > 0.5", "ratio > '0.5'"},
	{"timestamp without time zone: timezone('utc', now())", "timestamp without time zone: (now() AT TIME ZONE 'utc')"},
	{"text[]: '{}'", "text[]: ARRAY[]::text[]"},
	{"character varying(20): 'x'", "character varying(20): 'x'::text"},
	{"text: 'x'", "text: 'x'::varchar"},
	{"SELECT id FROM users WHERE status = ANY ('{new,open}')", "SELECT id FROM users WHERE status = ANY (ARRAY['new', 'open']::status[])"},
}

// apart are spellings of which the server makes something that is not known here. They are different from it, and nothing else.
var apart = []string{"price > '1'", "price * 2 > '1'::money", "jsonb_path_exists(data, '$.a')", "data @? '$.b'", "data @@ '$.b > 1'",
	"SELECT c.relname FROM pg_catalog.pg_class c WHERE c.relkind = 'r'"}

func same(t *testing.T, text, server string, b, again bind.Bound) {
	t.Helper()
	if b.Canon != again.Canon && !slices.Contains(apart, text) {
		t.Errorf("%s\nhas the canonical text   %s\nthe server's own form has %s\nwhich is %s", text, b.Canon, again.Canon, server)
	}
	for _, u := range b.Unknown {
		t.Errorf("%s: %s %s is not known", text, u.Kind, u.Name)
	}
}

func TestChecksAsTheServer(t *testing.T) {
	c := engine(t)
	list := lines(t, "checks.sql")
	var author, server []string
	defs := make([]string, len(list))
	for i, text := range list {
		s := fmt.Sprintf("ALTER TABLE users ADD CONSTRAINT c%d CHECK (%s)", i, text)
		look(t, c, 1)
		run(t, c, s)
		look(t, c, i)
		defs[i] = ask(t, c, "SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = $1", fmt.Sprintf("c%d", i))
		author, server = append(author, s), append(server, fmt.Sprintf("ALTER TABLE users ADD CONSTRAINT c%d %s", i, defs[i]))
	}
	one, two := load(t, author...), load(t, server...)
	checks := func(c *catalog.Catalog) []bind.Bound {
		b, table := bind.New(c), c.Tables[catalog.Name{Schema: "public", Name: "users"}]
		out := make([]bind.Bound, len(list))
		for _, k := range table.Constraints {
			var i int
			if _, err := fmt.Sscanf(k.Name, "c%d", &i); err == nil && k.Expr != nil {
				out[i] = b.TableExpr(table, k.Expr, "boolean")
			}
		}
		return out
	}
	a, b := checks(one), checks(two)
	var all []spelling
	for i, text := range list {
		same(t, text, defs[i], a[i], b[i])
		if a[i].Type != "boolean" {
			t.Errorf("%s: is of type %q", text, a[i].Type)
		}
		all = append(all, spelling{text, plain(defs[i]), a[i].Canon})
	}
	differ(t, all)
}

func TestDefaultsAsTheServer(t *testing.T) {
	c := engine(t)
	list := lines(t, "defaults.sql")
	var author, server []string
	defs := make([]string, len(list))
	for i, line := range list {
		typ, text, _ := strings.Cut(line, ": ")
		s := fmt.Sprintf("CREATE TABLE d%d (x %s DEFAULT %s)", i, typ, text)
		run(t, c, s)
		defs[i] = ask(t, c, "SELECT coalesce((SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef WHERE adrelid = $1::text::regclass), 'NULL')", fmt.Sprintf("d%d", i))
		author, server = append(author, s), append(server, fmt.Sprintf("CREATE TABLE d%d (x %s DEFAULT %s)", i, typ, defs[i]))
	}
	one, two := load(t, author...), load(t, server...)
	byType := map[string][]spelling{}
	ba, bb := bind.New(one), bind.New(two)
	for i, line := range list {
		name := catalog.Name{Schema: "public", Name: fmt.Sprintf("d%d", i)}
		bound := func(b *bind.Binder, c *catalog.Catalog) bind.Bound {
			col := c.Tables[name].Columns[0]
			_, base, _, _, _ := b.Type(col.Type)
			if col.Default == nil {
				return bind.Bound{Canon: "none"}
			}
			return b.TableExpr(c.Tables[name], col.Default, base)
		}
		a, b := bound(ba, one), bound(bb, two)
		if a.Constant == "null" || b.Constant == "null" {
			a.Canon, b.Canon = "none", "none"
		}
		same(t, line, defs[i], a, b)
		typ, _, _ := strings.Cut(line, ": ")
		byType[typ] = append(byType[typ], spelling{line, defs[i], a.Canon})
	}
	for _, all := range byType {
		differ(t, all)
	}
}

func TestIndexesAsTheServer(t *testing.T) {
	c := engine(t)
	list := lines(t, "indexes.sql")
	var author, server, defs []string
	for i, text := range list {
		s := fmt.Sprintf("CREATE INDEX i%d ON users USING btree (%s)", i, text)
		if !immutable(c, s) {
			t.Fatalf("%s: cannot be indexed", text)
		}
		def := ask(t, c, "SELECT pg_get_indexdef($1::text::regclass)", fmt.Sprintf("i%d", i))
		author, server, defs = append(author, s), append(server, def), append(defs, def)
	}
	one, two := load(t, author...), load(t, server...)
	ba, bb := bind.New(one), bind.New(two)
	var all []spelling
	for i, text := range list {
		name := catalog.Name{Schema: "public", Name: fmt.Sprintf("i%d", i)}
		bound := func(b *bind.Binder, c *catalog.Catalog) bind.Bound {
			e := c.Indexes[name].Elements[0].Expr
			if e == nil {
				t.Fatalf("%s: no expression", text)
			}
			return b.TableExpr(c.Tables[catalog.Name{Schema: "public", Name: "users"}], e, "")
		}
		a, b := bound(ba, one), bound(bb, two)
		same(t, text, defs[i], a, b)
		_, def, _ := strings.Cut(defs[i], " btree ")
		all = append(all, spelling{text, def, a.Canon})
	}
	differ(t, all)
}

func immutable(c *pgx.Conn, s string) bool {
	_, err := c.Exec(context.Background(), s)
	return err == nil
}

func TestViewsAsTheServer(t *testing.T) {
	c := engine(t)
	list := lines(t, "views.sql")
	var author, server []string
	defs := make([]string, len(list))
	for i, text := range list {
		s := fmt.Sprintf("CREATE VIEW v%d AS %s", i, text)
		look(t, c, 1)
		run(t, c, s)
		look(t, c, i)
		defs[i] = strings.TrimSuffix(ask(t, c, "SELECT pg_get_viewdef($1::text::regclass)", fmt.Sprintf("public.v%d", i)), ";")
		author, server = append(author, s), append(server, fmt.Sprintf("CREATE VIEW v%d AS %s", i, defs[i]))
	}
	one, two := load(t, author...), load(t, server...)
	ba, bb := bind.New(one), bind.New(two)
	var all []spelling
	for i, text := range list {
		name := catalog.Name{Schema: "public", Name: fmt.Sprintf("v%d", i)}
		a, b := ba.View(one.Views[name]), bb.View(two.Views[name])
		same(t, text, defs[i], a, b)
		all = append(all, spelling{text, plain(defs[i]), a.Canon})
		var got []string
		columns, _ := ba.ViewColumns(one.Views[name])
		for _, x := range columns {
			got = append(got, x.Name+" "+x.Full)
		}
		want := plain(ask(t, c, `SELECT string_agg(attname || ' ' || format_type(atttypid, atttypmod), ', ' ORDER BY attnum) FROM pg_attribute WHERE attrelid = $1::text::regclass`, "public."+name.Name))
		if strings.Join(got, ", ") != want && !strings.Contains(text, "pg_") && !strings.Contains(text, "information_schema") {
			t.Errorf("%s\nhas the columns %s\nwant            %s", text, strings.Join(got, ", "), want)
		}
	}
	differ(t, all)
}

// objectDefinitions asks the server for the statements that would make its triggers, rules, functions and so on again.
const objectDefinitions = `
SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
UNION ALL SELECT rtrim(pg_get_ruledef(oid), ';') FROM pg_rewrite WHERE rulename ~ '^r[0-9]'
UNION ALL SELECT format('CREATE POLICY %I ON %s FOR %s USING (%s) WITH CHECK (%s)', polname, polrelid::regclass, CASE polcmd WHEN 'a' THEN 'INSERT' ELSE 'ALL' END,
	pg_get_expr(polqual, polrelid), coalesce(pg_get_expr(polwithcheck, polrelid), 'true')) FROM pg_policy WHERE polqual IS NOT NULL
UNION ALL SELECT format('CREATE POLICY %I ON %s FOR INSERT WITH CHECK (%s)', polname, polrelid::regclass, pg_get_expr(polwithcheck, polrelid)) FROM pg_policy WHERE polqual IS NULL
UNION ALL SELECT format('CREATE DOMAIN %I AS %s CONSTRAINT %I %s', typname, format_type(typbasetype, typtypmod), conname, pg_get_constraintdef(c.oid))
	FROM pg_type t JOIN pg_constraint c ON contypid = t.oid WHERE typname ~ '^d[0-9]'
UNION ALL SELECT rtrim(pg_get_functiondef(oid), E'\n') FROM pg_proc WHERE proname ~ '^b[0-9]'
UNION ALL SELECT format('CREATE TABLE g (%s)', string_agg(format('%I %s %s', attname, format_type(atttypid, atttypmod),
	(SELECT format('GENERATED ALWAYS AS (%s) STORED', pg_get_expr(adbin, adrelid)) FROM pg_attrdef WHERE adrelid = attrelid AND adnum = attnum)), ', ' ORDER BY attnum))
	FROM pg_attribute WHERE attrelid = 'public.g'::regclass AND attnum > 0
UNION ALL SELECT 'ALTER TABLE nodes ADD CONSTRAINT ex ' || pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = 'ex'`

func TestObjectsAsTheServer(t *testing.T) {
	c := engine(t)
	author := lines(t, "objects.sql")
	for _, s := range author {
		run(t, c, s)
	}
	look(t, c, 0)
	rows, err := c.Query(context.Background(), objectDefinitions)
	if err != nil {
		t.Fatal(err)
	}
	server, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	a, b := objects(load(t, author...)), objects(load(t, append(server, author[0])...))
	if len(b) < 30 {
		t.Errorf("only %d objects are compared", len(b))
	}
	for name, x := range b {
		same(t, name, strings.Join(server, "\n"), a[name], x)
	}
}

// objects binds all that is no check, default, index or view.
func objects(c *catalog.Catalog) map[string]bind.Bound {
	b, out := bind.New(c), map[string]bind.Bound{}
	for _, table := range c.Tables {
		for _, g := range table.Triggers {
			out["trigger "+g.Name] = b.TriggerWhen(g)
		}
		for _, col := range table.Columns {
			if col.Generated != nil {
				_, base, _, _, _ := b.Type(col.Type)
				out["column "+col.Name] = b.TableExpr(table, col.Generated, base)
			}
		}
		for _, k := range table.Constraints {
			if k.Where != nil {
				out["exclusion "+k.Name] = b.TableExpr(table, k.Where, "boolean")
				out["exclusion "+k.Name+" of"] = b.TableExpr(table, k.Elements[0].Expr, "")
			}
		}
	}
	for _, typ := range c.Types {
		for _, k := range typ.Checks {
			_, base, _, _, _ := b.Type(typ.Base)
			out["domain "+typ.Name.Name] = b.FreeExpr(k.Origin, k.Expr, "boolean", base)
		}
	}
	for id, f := range c.Functions {
		if x, ok := b.FunctionBody(f); ok && f.SQLBody != nil {
			out["function "+id] = x
		}
	}
	for key, o := range c.Others {
		switch key[0] {
		case "rule":
			out["rule "+key[1]] = b.RuleAction(o)
		case "policy":
			if o.Expr != nil {
				out["policy "+key[1]] = b.TableExpr(c.Tables[*o.On], o.Expr, "boolean")
			}
			if o.Check != nil && o.Expr == nil {
				out["policy "+key[1]+" check"] = b.TableExpr(c.Tables[*o.On], o.Check, "boolean")
			}
		}
	}
	return out
}
