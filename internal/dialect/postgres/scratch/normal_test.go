package scratch

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/dialect/postgres/postgrestest"
	"github.com/altergate/altergate/internal/diff"
)

func TestNormal(t *testing.T) {
	url := postgrestest.URL(t)
	sql := `CREATE SCHEMA billing;
		CREATE DOMAIN positive AS integer CHECK (VALUE > 0);
		CREATE TABLE a (id serial PRIMARY KEY, x varchar(20) DEFAULT 'x' CHECK (x IN ('x', 'y')), twice integer GENERATED ALWAYS AS (id * 2) STORED);
		CREATE TABLE b (id positive PRIMARY KEY);
		CREATE INDEX i ON a (lower(x)) WHERE x <> '';
		CREATE VIEW v AS SELECT x FROM a WHERE id BETWEEN 1 AND 2;
		CREATE FUNCTION f(n integer) RETURNS integer RETURN n + 1;
		ALTER TABLE a ENABLE ROW LEVEL SECURITY;
		CREATE POLICY p ON a USING (x = current_user) WITH CHECK (true);
		CREATE RULE r AS ON DELETE TO b DO INSTEAD NOTHING;`
	renames := diff.Renames{Tables: []diff.RenameTable{{From: "a", To: "b"}, {From: "b", To: "billing.a"}}, Columns: []diff.RenameColumn{{Table: "b", From: "x", To: "y"}}}
	forms, err := Normal(context.Background(), url, side(t, sql), renames)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"constraint b.a_pkey": "PRIMARY KEY (id)", "constraint billing.a.b_pkey": "PRIMARY KEY (id)", "constraint positive.positive_check": "CHECK ((VALUE > 0))",
		"constraint b.a_x_check": "CHECK (((y)::text = ANY ((ARRAY['x'::character varying, 'y'::character varying])::text[])))",
		"default b.id":           "nextval('a_id_seq'::regclass)", "default b.y": "'x'::character varying", "generated b.twice": "(id * 2)", "function f(integer)": "RETURN (n + 1)",
		"index i":    "CREATE INDEX i ON public.b USING btree (lower((y)::text)) WHERE ((y)::text <> ''::text)",
		"policy b.p": "USING ((y)::text = CURRENT_USER) WITH CHECK true", "rule billing.a.r": "CREATE RULE r AS\n    ON DELETE TO billing.a DO INSTEAD NOTHING;",
		"type of b.id": "integer", "type of b.twice": "integer", "type of b.y": "character varying(20)", "type of billing.a.id": "positive", "type of v.x": "character varying(20)",
		"view v": " SELECT b.y AS x\n   FROM b\n  WHERE ((b.id >= 1) AND (b.id <= 2));",
	}
	if d := cmp.Diff(want, forms.Text); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	forms, err = Normal(context.Background(), url, side(t, "CREATE EXTENSION nobody_has_this"), diff.Renames{})
	if err != nil || forms.Reason == "" {
		t.Errorf("%+v, %v", forms, err)
	}
}
