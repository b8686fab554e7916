package catalog_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/dialect/postgres/catalog"
	"github.com/altergate/altergate/internal/dialect/postgres/script"
	"github.com/altergate/altergate/internal/schema"
	"github.com/altergate/altergate/internal/source"
)

// parsed gives the statements of a file.
func parsed(t *testing.T, path, sql string) []*script.Statement {
	t.Helper()
	s, errs := script.Split(&source.File{Path: path, Text: sql})
	if errs = append(errs, script.Parse(s.Statements, nil)...); len(errs) > 0 {
		t.Fatalf("reading %s: %v", path, errs[0])
	}
	return s.Statements
}

// ran runs a file in an empty database.
func ran(t *testing.T, sql string) (*catalog.Catalog, catalog.Counts, []*schema.Error) {
	t.Helper()
	c := catalog.New()
	counts, errs := c.Run(parsed(t, "schema.sql", sql))
	return c, counts, errs
}

// facts writes down what there is besides tables, one fact a line, sorted.
func facts(c *catalog.Catalog) []string {
	var list []string
	add := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	for n, v := range c.Views {
		add("%s", viewFact(n, v))
		for _, g := range v.Triggers {
			add("%s", triggerFact(g))
		}
	}
	for n, t := range c.Types {
		add("%s", typeFact(c, n, t))
	}
	for id, f := range c.Functions {
		add("%s", functionFact(c, id, f))
	}
	for _, t := range c.Tables {
		for _, g := range t.Triggers {
			add("%s", triggerFact(g))
		}
	}
	for _, group := range []map[string]*catalog.Object{c.Schemas, c.Extensions} {
		for _, o := range group {
			add("%s", objectFact(o))
		}
	}
	for k, o := range c.Others {
		if k != [2]string{o.Kind, o.Key} {
			add("%s is under the key %s", o.Key, k)
		}
		add("%s", objectFact(o))
	}
	slices.Sort(list)
	return list
}

func viewFact(n catalog.Name, v *catalog.View) string {
	kind := "view"
	if v.Materialized {
		kind = "materialized view"
	}
	fact := fmt.Sprintf("%s %s%s %s= %s", kind, n, parens(v.Aliases), props(v.Options), strings.ReplaceAll(v.Text, "\n", "⏎"))
	for _, column := range slices.Sorted(maps.Keys(v.Columns)) {
		fact += fmt.Sprintf(" %s default %s", column, v.Columns[column].Text)
	}
	return fact + flags(map[string]bool{"no data": v.NoData, "cluster " + v.ClusterOn: v.ClusterOn != "", "owner " + v.Owner: v.Owner != ""})
}

func typeFact(c *catalog.Catalog, n catalog.Name, t *catalog.Type) string {
	fact := fmt.Sprintf("%s %s", t.Kind, n)
	if t.Kind == catalog.Enum {
		fact += parens(t.Labels)
	}
	for _, x := range t.Columns {
		fact += fmt.Sprintf(" %s %s", x.Name, c.TypeKey(x.Type))
		if x.Collation != nil {
			fact += " collate " + x.Collation.String()
		}
	}
	if t.Kind == catalog.Domain {
		fact += " " + t.Base.Text
	}
	if t.Kind == catalog.Range {
		fact += " of " + c.TypeKey(t.Subtype)
	}
	if t.Default != nil {
		fact += " default " + t.Default.Text
	}
	for _, k := range t.Checks {
		fact += fmt.Sprintf(" %s: %s [%s]", k.Name, k.Text, k.Expr.Text)
	}
	return fact + flags(map[string]bool{"not null": t.NotNull, "owner " + t.Owner: t.Owner != ""})
}

func functionFact(c *catalog.Catalog, id string, f *catalog.Function) string {
	fact := f.Kind + " " + id
	if id != f.ID {
		fact += " is under the key of " + f.ID
	}
	for _, a := range f.Args {
		fact += " " + a.Mode
		if a.Name != "" {
			fact += " " + a.Name
		}
		fact += " " + a.Type.Text
		if a.Default != nil {
			fact += " = " + a.Default.Text
		}
	}
	if f.Returns != nil {
		fact += " returns " + f.Returns.Text
	}
	fact += fmt.Sprintf("%s %s %s %s", strings.TrimRight(" "+f.Language, " "), f.Volatility, f.Parallel, props(f.Settings))
	return strings.TrimSpace(fact) + flags(map[string]bool{
		"setof": f.SetOf, "table": f.Table, "strict": f.Strict, "definer": f.SecurityDefiner, "leakproof": f.Leakproof, "window": f.Window,
		"cost " + f.Cost: f.Cost != "", "rows " + f.Rows: f.Rows != "", "body " + f.Body: f.Body != "", "symbol " + f.Symbol: f.Symbol != "",
		"support " + f.Support: f.Support != "", "sql body": f.SQLBody != nil, "owner " + f.Owner: f.Owner != "", "altered": f.Altered,
	})
}

func triggerFact(g *catalog.Trigger) string {
	fact := fmt.Sprintf("trigger %s.%s %s %s%s %s%s", g.Table, g.Name, g.Timing, strings.Join(g.Events, " or "), parens(g.Columns), strings.Join(g.Function, "."), parens(g.Args))
	if g.When != nil {
		fact += " when " + g.When.Text
	}
	return fact + flags(map[string]bool{
		"row": g.ForEachRow, "constraint": g.Constraint, "deferrable": g.Deferrable, "deferred": g.Deferred, "inherited": g.Inherited,
		"old " + g.OldTable: g.OldTable != "", "new " + g.NewTable: g.NewTable != "", "from " + fmt.Sprint(g.From): g.From != nil, g.Enabled: g.Enabled != "",
	})
}

func objectFact(o *catalog.Object) string {
	fact := o.Kind + " " + o.Key
	if o.On != nil {
		fact += " on " + o.On.String()
	}
	shown := maps.Clone(o.Props)
	for _, k := range []string{"kind", "name", "to"} { // they are in the key
		delete(shown, k)
	}
	var altered []string
	for _, at := range o.Alterations {
		altered = append(altered, at.Statement.Text)
	}
	if len(altered) > 0 {
		shown["altered"] = strings.Join(altered, ";\n")
	}
	fact += " " + props(shown)
	if o.Expr != nil {
		fact += "using " + o.Expr.Text + " "
	}
	for _, e := range o.Exprs {
		fact += "of " + e.Text + " "
	}
	if o.Check != nil {
		fact += "check " + o.Check.Text + " "
	}
	return strings.TrimSpace(fact) + flags(map[string]bool{"owner " + o.Owner: o.Owner != "", "opaque": !o.Modelled})
}

func parens(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return "(" + strings.Join(list, ",") + ")"
}

func props(m map[string]string) string {
	text := ""
	for _, k := range slices.Sorted(maps.Keys(m)) {
		if m[k] != "" {
			text += k + "=" + m[k] + " "
		}
	}
	return text
}

func flags(m map[string]bool) string {
	text := ""
	for _, k := range slices.Sorted(maps.Keys(m)) {
		if m[k] {
			text += ", " + k
		}
	}
	return text
}

// factCase is a file and the facts that it leaves.
type factCase struct{ name, sql, want string }

// checkFacts runs each case, and runs it again as one statement after the other on a clone of what there was, which must not change.
func checkFacts(t *testing.T, cases []factCase) {
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			c, _, errs := ran(t, tt.sql)
			for _, e := range errs {
				t.Errorf("unexpected: %s", e)
			}
			var want []string
			for line := range strings.Lines(tt.want) {
				if line = strings.TrimSpace(line); line != "" {
					want = append(want, line)
				}
			}
			slices.Sort(want)
			if d := cmp.Diff(want, facts(c)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			stepwise(t, tt.sql)
		})
	}
}

// stepwise applies the statements one by one, each to a clone, and checks that the original stays as it was.
func stepwise(t *testing.T, sql string) {
	t.Helper()
	c := catalog.New()
	for _, s := range parsed(t, "schema.sql", sql) {
		before := facts(c)
		next := c.Clone()
		if _, err := next.Apply(s); err != nil {
			return // files may stand in any order, single statements may not
		}
		if d := cmp.Diff(before, facts(c)); d != "" {
			t.Fatalf("running %s on a clone changed the original (-before +after):\n%s", s.Text, d)
		}
		c = next
	}
}

// errorCase is a file and the one error that it gives, with its place.
type errorCase struct{ name, sql, want string }

func checkErrors(t *testing.T, cases []errorCase) {
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			_, _, errs := ran(t, tt.sql)
			var got []string
			for _, e := range errs {
				got = append(got, e.Error())
			}
			if d := cmp.Diff(tt.want, strings.Join(got, "\n")); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

// TestAnyOrder runs declarations in many orders, which must not change what is there in the end.
func TestAnyOrder(t *testing.T) {
	const sql = `
		CREATE SCHEMA app; CREATE EXTENSION wonder; CREATE TYPE app.mood AS ENUM ('a', 'b'); CREATE TYPE pair AS (m app.mood, w miracle); CREATE DOMAIN d AS app.mood CHECK (VALUE <> 'a');
		CREATE TABLE t (id serial PRIMARY KEY, m app.mood); CREATE TABLE p (a int) PARTITION BY RANGE (a); CREATE TABLE p1 PARTITION OF p DEFAULT; CREATE INDEX t_m ON t (m);
		CREATE FUNCTION f(app.mood, pair[], d, t) RETURNS int LANGUAGE sql AS '1'; CREATE FUNCTION g() RETURNS trigger LANGUAGE plpgsql AS 'x'; CREATE FUNCTION e() RETURNS event_trigger LANGUAGE plpgsql AS 'x';
		CREATE VIEW v AS SELECT m FROM t; CREATE TRIGGER x BEFORE INSERT ON p FOR EACH ROW EXECUTE FUNCTION g(); CREATE POLICY own ON t USING (id = 1); CREATE RULE r AS ON DELETE TO t DO NOTHING;
		CREATE EVENT TRIGGER ev ON ddl_command_end EXECUTE FUNCTION e(); CREATE STATISTICS s ON id, m FROM t; CREATE PUBLICATION pub FOR TABLE t (id) WHERE (id > 1); CREATE OPERATOR === (leftarg = app.mood, rightarg = d, procedure = f);
		CREATE CAST (int AS pair) WITH INOUT; COMMENT ON TABLE t IS '1'; COMMENT ON COLUMN t.m IS '2'; COMMENT ON FUNCTION f(app.mood, pair[], d, t) IS '3'; COMMENT ON INDEX t_m IS '4'; COMMENT ON CONSTRAINT d_check ON DOMAIN d IS '5';
		COMMENT ON TRIGGER x ON p IS '6'; COMMENT ON OPERATOR === (app.mood, d) IS '7'; COMMENT ON STATISTICS s IS '8'; COMMENT ON CAST (int AS pair) IS '9'; GRANT SELECT ON v, t TO web; GRANT USAGE ON SCHEMA app TO web; GRANT EXECUTE ON FUNCTION g() TO web;
		ALTER TYPE app.mood OWNER TO bob; ALTER FUNCTION g() OWNER TO bob; ALTER VIEW v OWNER TO bob; ALTER TABLE t ENABLE TRIGGER USER; GRANT USAGE ON SEQUENCE t_id_seq TO web; REVOKE ALL ON FUNCTION g() FROM PUBLIC`
	c, _, errs := ran(t, sql)
	if len(errs) > 0 {
		t.Fatal(errs[0])
	}
	want := facts(c)
	statements := parsed(t, "schema.sql", sql)
	random := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		random.Shuffle(len(statements), func(i, j int) { statements[i], statements[j] = statements[j], statements[i] })
		again := catalog.New()
		if _, errs := again.Run(statements); len(errs) > 0 {
			t.Fatal(errs[0])
		}
		if d := cmp.Diff(want, facts(again)); d != "" {
			t.Fatalf("(-want +got):\n%s", d)
		}
	}
}
