package catalog_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/dialect/postgres/catalog"
)

// texts writes down what the catalog has kept of the author's text about a table.
func texts(t *catalog.Table) []string {
	var list []string
	add := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	at := func(o catalog.Origin) string { return fmt.Sprintf("%d:%d", o.Pos().Line, o.Pos().Column) }
	for _, x := range t.Columns {
		add("%s %s [%s]", at(x.Origin), x.Name, x.Type.Text)
		if x.Default != nil {
			add("%s default [%s]", at(x.Default.Origin), exprText(x.Default))
		}
		if x.Generated != nil {
			add("%s generated [%s]", at(x.Generated.Origin), x.Generated.Text)
		}
		if x.Collation != nil {
			add("collation %s.%s", x.Collation.Schema, x.Collation.Name)
		}
		if x.Storage+x.Compression != "" {
			add("storage %s compression %s", x.Storage, x.Compression)
		}
	}
	for _, k := range t.Constraints {
		add("%s %s [%s]", at(k.Origin), k.Name, k.Text)
		for _, e := range []*catalog.Expr{k.Expr, k.Where} {
			if e != nil {
				add("%s expression [%s]", at(e.Origin), e.Text)
			}
		}
		for i, e := range k.Elements {
			add("element %s %s", elementText(e), k.Operators[i])
		}
	}
	for _, x := range t.Indexes {
		add("%s %s", at(x.Origin), x.Name)
		for _, e := range x.Elements {
			add("element %s", elementText(e))
		}
		if x.Where != nil {
			add("%s where [%s]", at(x.Where.Origin), x.Where.Text)
		}
	}
	for _, text := range []string{t.PartitionText, t.BoundText} {
		if text != "" {
			add("[%s]", text)
		}
	}
	return list
}

func exprText(e *catalog.Expr) string {
	if e.Sequence != nil {
		return "nextval of " + e.Sequence.String()
	}
	return e.Text
}

func elementText(e *catalog.IndexElement) string {
	parts := []string{e.Column}
	if e.Expr != nil {
		parts = []string{fmt.Sprintf("%d:%d [%s]", e.Expr.Pos().Line, e.Expr.Pos().Column, e.Expr.Text)}
	}
	if e.Collation != nil {
		parts = append(parts, e.Collation.Schema+"."+e.Collation.Name)
	}
	parts = append(parts, e.OpClass)
	if e.Desc {
		parts = append(parts, "desc")
	}
	if e.NullsFirst {
		parts = append(parts, "nulls first")
	}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " ")
}

// TestTexts holds every piece of text to what the author wrote, and every place to where it stands.
func TestTexts(t *testing.T) {
	for _, tt := range []struct {
		name, sql string
		want      []string
	}{
		{"columns", `CREATE TABLE t (
  a  numeric(10, 2)  DEFAULT (1 + 2) * 3 NOT NULL, -- a comment, and more
  b  timestamp(3) with time zone DEFAULT now() CHECK ( b > now() ),
  "c d" text[] COLLATE "C" DEFAULT '{}'::text[],
  e character varying(20) STORAGE external COMPRESSION pglz DEFAULT ',)',
  f int GENERATED ALWAYS AS ( a * 2 /* twice */ ) STORED,
  g app."My Type" CONSTRAINT "x ""y" DEFAULT nextval('q'::regclass) NULL,
  h double precision DEFAULT -1.5,
  i text COLLATE app.own DEFAULT date '2020-01-01'::text,
  j int4 [3] DEFAULT ARRAY[1,2]
)`, []string{
			"2:3 a [numeric(10, 2)]", "2:31 default [(1 + 2) * 3]", "3:3 b [timestamp(3) with time zone]", "3:42 default [now()]",
			"4:3 c d [text[]]", "4:36 default ['{}'::text[]]", "collation pg_catalog.C", "5:3 e [character varying(20)]", "5:69 default [',)']", "storage external compression pglz",
			"6:3 f [int]", "6:31 generated [a * 2 /* twice */]", `7:3 g [app."My Type"]`, "7:46 default [nextval of q]", "8:3 h [double precision]", "8:30 default [-1.5]",
			"9:3 i [text]", "9:34 default [date '2020-01-01'::text]", "collation app.own", "10:3 j [int4 [3]]", "10:22 default [ARRAY[1,2]]",
			"3:48 t_b_check [CHECK ( b > now() )]", "3:56 expression [b > now()]",
		}},
		{"constraints", `CREATE TABLE t (a int CONSTRAINT pk PRIMARY KEY CONSTRAINT "the check" CHECK (a > 0) NO INHERIT REFERENCES t ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED NOT NULL, b text,
 CONSTRAINT /* why */ uq UNIQUE (a, b) INCLUDE (b) WITH (fillfactor=70), FOREIGN KEY (a) REFERENCES other (x) MATCH FULL
   ON UPDATE CASCADE,
 CHECK ((a > 1) AND (b <> ')')), EXCLUDE USING gist (a WITH =, lower(b) COLLATE "C" DESC WITH OPERATOR(pg_catalog.=), (a + 1) int4_ops WITH &&) WHERE (a > 7))`, []string{
			"1:17 a [int]", "1:169 b [text]",
			"1:49 the check [CHECK (a > 0) NO INHERIT]", "1:79 expression [a > 0]", "4:2 t_check [CHECK ((a > 1) AND (b <> ')'))]", "4:10 expression [(a > 1) AND (b <> ')')]",
			"1:23 pk [PRIMARY KEY]", "2:2 uq [UNIQUE (a, b) INCLUDE (b) WITH (fillfactor=70)]",
			`4:34 t_a_lower_expr_excl [EXCLUDE USING gist (a WITH =, lower(b) COLLATE "C" DESC WITH OPERATOR(pg_catalog.=), (a + 1) int4_ops WITH &&) WHERE (a > 7)]`, "4:152 expression [a > 7]",
			"element a =", "element 4:64 [lower(b)] pg_catalog.C desc nulls first pg_catalog.=", "element 4:119 [a + 1] int4_ops &&",
			"1:97 t_a_fkey [REFERENCES t ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED]", "2:74 t_a_fkey1 [FOREIGN KEY (a) REFERENCES other (x) MATCH FULL\n   ON UPDATE CASCADE]",
		}},
		{"indexes", `CREATE TABLE t (a int, b text);
CREATE UNIQUE INDEX i ON ONLY public.t USING btree (a DESC NULLS LAST, pg_catalog.lower ( b ) text_pattern_ops, (b || ',('), /* last */ (a)) INCLUDE (b) WITH (fillfactor = 50) WHERE a > 0 AND (b <> 'WHERE')`, []string{
			"1:17 a [int]", "1:24 b [text]", "2:1 i", "element a desc", "element 2:72 [pg_catalog.lower ( b )] text_pattern_ops", "element 2:113 [b || ',(']", "element a", "2:183 where [a > 0 AND (b <> 'WHERE')]",
		}},
		{"altering", `CREATE TABLE t (a int, b int);
ALTER TABLE ONLY public.t ADD COLUMN c numeric(3,1) DEFAULT 1.5 CHECK (c > 0), ALTER b SET DEFAULT (SELECT 1) + 2, ALTER COLUMN a TYPE varchar ( 9 ) COLLATE "C" USING a::varchar,
  ADD CONSTRAINT z CHECK (a > '') NOT VALID;
ALTER TABLE t ALTER COLUMN b SET DEFAULT ((3));`, []string{
			`1:17 a [varchar ( 9 )]`, "collation pg_catalog.C", "1:24 b [int]", "4:44 default [((3))]", "2:38 c [numeric(3,1)]", "2:61 default [1.5]",
			"2:65 t_c_check [CHECK (c > 0)]", "2:72 expression [c > 0]", "3:7 z [CHECK (a > '') NOT VALID]", "3:27 expression [a > '']",
		}},
		{"partitioned", `CREATE TABLE t (a int, b text) PARTITION /* x */ BY RANGE ( lower(b) , a ) WITH (fillfactor = 10)`, []string{"1:17 a [int]", "1:24 b [text]", "[RANGE ( lower(b) , a )]"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, _, errs := ran(t, tt.sql)
			for _, err := range errs {
				t.Error(err)
			}
			if diff := cmp.Diff(tt.want, texts(c.Tables[catalog.Name{Schema: "public", Name: "t"}])); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestBoundTexts does the same for the bounds of partitions.
func TestBoundTexts(t *testing.T) {
	c, _, errs := ran(t, `CREATE TABLE t (a int, b text) PARTITION BY RANGE (a);
CREATE TABLE p1 PARTITION OF t FOR VALUES FROM ( 1 ) TO (MAXVALUE) WITH (fillfactor = 10);
CREATE TABLE p2 PARTITION OF t DEFAULT;
CREATE TABLE p3 (a int, b text);
ALTER TABLE t ATTACH PARTITION p3 for values  from (-1) to (1);
CREATE TABLE l (a int) PARTITION BY LIST (a); CREATE TABLE l1 PARTITION OF l FOR VALUES IN (1, 2) PARTITION BY HASH (a); CREATE TABLE h1 PARTITION OF l1 FOR VALUES WITH (MODULUS 3, REMAINDER 1) TABLESPACE x`)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	got := map[string]string{}
	for n, x := range c.Tables {
		if x.PartitionOf != nil {
			got[n.Name] = x.BoundText
		}
	}
	want := map[string]string{
		"p1": "FOR VALUES FROM ( 1 ) TO (MAXVALUE)", "p2": "DEFAULT", "p3": "for values  from (-1) to (1)", "l1": "FOR VALUES IN (1, 2)", "h1": "FOR VALUES WITH (MODULUS 3, REMAINDER 1)",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
