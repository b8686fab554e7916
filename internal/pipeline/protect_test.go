package pipeline

import (
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/policy"
)

// TestProtectionsReachRealPlans holds protections to the names that planners give to steps and to what they hang on.
func TestProtectionsReachRealPlans(t *testing.T) {
	const users = "CREATE TABLE users (id integer PRIMARY KEY, mail text);\n"
	const invoices = "CREATE SCHEMA billing;\nCREATE TABLE billing.invoices (id integer PRIMARY KEY, due text);\n"
	const log = "CREATE TABLE log (id integer, x text) PARTITION BY RANGE (id);\nCREATE TABLE log_1 PARTITION OF log FOR VALUES FROM (1) TO (9) PARTITION BY RANGE (id);\n" +
		"CREATE TABLE log_2 PARTITION OF log FOR VALUES FROM (9) TO (20);\n"
	const day = "CREATE TABLE log_1_a PARTITION OF log_1 FOR VALUES FROM (1) TO (2);\n"
	const heirs = "CREATE TABLE base (id integer, x text);\nCREATE TABLE middle (y integer) INHERITS (base);\nCREATE TABLE heir (z integer) INHERITS (middle);\n"
	const orders = "CREATE TABLE orders (id integer PRIMARY KEY, who integer REFERENCES users);\n"
	blanks := func(text string) string { return regexp.MustCompile(`\blog\w*`).ReplaceAllString(text, `"the $0"`) }
	tests := []struct {
		name, dialect, base, head, glob string
		want                            []string // the steps above safe that are protected
		free                            int      // and the number of those that are not
	}{
		{"a column in a schema", "postgres", invoices + users, "CREATE SCHEMA billing;\nCREATE TABLE billing.invoices (id integer PRIMARY KEY);\nCREATE TABLE users (id integer PRIMARY KEY);\n",
			"billing.*", []string{"drop_column billing.invoices.due"}, 1},
		{"an index", "postgres", invoices + "CREATE INDEX by_due ON billing.invoices (due);\n", invoices, "billing.invoices", []string{"drop_index billing.invoices.by_due"}, 0},
		{"a unique index", "postgres", users, users + "CREATE UNIQUE INDEX one ON users (mail);\n", "public.users", []string{"create_index users.one"}, 0},
		{"a foreign key to it", "postgres", users + "CREATE TABLE orders (id integer PRIMARY KEY, who integer);\n",
			users + "CREATE TABLE orders (id integer PRIMARY KEY, who integer CONSTRAINT fk REFERENCES users);\n", "users", []string{"add_foreign_key orders.fk"}, 0},
		{"a grant", "postgres", invoices, invoices + "GRANT SELECT ON billing.invoices TO bob;\n", "billing.invoices", []string{"grant table billing.invoices to bob"}, 0},
		{"a policy", "postgres", invoices + "ALTER TABLE billing.invoices ENABLE ROW LEVEL SECURITY;\nCREATE POLICY mine ON billing.invoices USING (id > 0);\n",
			invoices + "ALTER TABLE billing.invoices ENABLE ROW LEVEL SECURITY;\n", "billing.invoices", []string{"drop_policy billing.invoices.mine"}, 0},
		{"a trigger", "postgres", users + "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;\nCREATE TRIGGER log AFTER INSERT ON users EXECUTE FUNCTION f();\n",
			users + "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;\n", "users", []string{"drop_trigger users.log"}, 0},
		{"a name in quotes", "postgres", `CREATE TABLE "User.Data" (id integer, x text);`, `CREATE TABLE "User.Data" (id integer);`, "user.data", []string{`drop_column "User.Data".x`}, 0},
		{"a renamed table", "postgres", users, "-- @renamed from=users\nCREATE TABLE people (id integer CONSTRAINT users_pkey PRIMARY KEY);\n", "users",
			[]string{"rename_table people", "drop_column people.mail"}, 0},
		{"a partition", "postgres", "CREATE TABLE log (id integer) PARTITION BY RANGE (id);\nCREATE TABLE log_1 PARTITION OF log FOR VALUES FROM (1) TO (2);\n",
			"CREATE TABLE log (id integer) PARTITION BY RANGE (id);\n", "log", []string{"drop_table log_1"}, 0},
		{"a partition of a partition", "postgres", log + day, log, "log", []string{"drop_table log_1_a"}, 0},
		{"a partition of a partition, whose name holds a blank", "postgres", blanks(log + day), blanks(log), "the log", []string{"drop_table the log_1_a"}, 0},
		{"a table with partitions", "postgres", log + day, strings.Replace(log, ", x text", "", 1) + day, "log_1_a", []string{"drop_column log.x"}, 0},
		{"a partition beside", "postgres", log + day, log, "log_2", nil, 1},
		{"a partition of a table that is renamed", "postgres", log + day, "-- @renamed from=log\n" + strings.NewReplacer("TABLE log ", "TABLE journal ", "OF log ", "OF journal ").Replace(log), "log",
			[]string{"rename_table journal", "drop_table log_1_a"}, 0},
		{"a table that others inherit from", "postgres", heirs, strings.Replace(heirs, ", x text", "", 1), "heir", []string{"drop_column base.x"}, 0},
		{"a table that inherits", "postgres", heirs, strings.SplitAfter(heirs, "\n")[0] + strings.SplitAfter(heirs, "\n")[1], "base", []string{"drop_table heir"}, 0},
		{"a table that refers to it and goes", "postgres", users + orders, users, "users", []string{"drop_table orders"}, 0},
		{"a table of another schema", "postgres", invoices + users, users, "public.*", nil, 2},
		{"a view", "postgres", users + "CREATE VIEW v AS SELECT id FROM users;\n", users, "v", []string{"drop_view v"}, 0},
		{"a view of it is another thing", "postgres", users + "CREATE VIEW v AS SELECT id FROM users;\n", users, "users", nil, 1},
		{"a rebuild", "sqlite", "CREATE TABLE Users (id INTEGER PRIMARY KEY, a TEXT, b TEXT);", "CREATE TABLE Users (id INTEGER PRIMARY KEY, a INTEGER, b TEXT);", "users", []string{"rebuild_table Users"}, 0},
		{"a renamed table that is rebuilt", "sqlite", "CREATE TABLE users (id INTEGER PRIMARY KEY, a TEXT);", "-- @renamed from=users\nCREATE TABLE people (id INTEGER PRIMARY KEY, a INTEGER);", "users",
			[]string{"rename_table people", "rebuild_table people"}, 0},
		{"a virtual table", "sqlite", "CREATE TABLE a (b);\nCREATE VIRTUAL TABLE find USING fts5(x);", "CREATE TABLE a (b);", "find", []string{"opaque find"}, 0},
		{"a trigger of SQLite", "sqlite", "CREATE TABLE a (b);\nCREATE TRIGGER log AFTER INSERT ON a BEGIN DELETE FROM a; END;", "CREATE TABLE a (b);", "a", []string{"drop_trigger a.log"}, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			base, head := fstest.MapFS{"a.sql": {Data: []byte(test.base)}}, fstest.MapFS{"a.sql": {Data: []byte(test.head)}}
			p := policy.Default()
			p.MaxRisk, p.Protect = plan.Destructive, []policy.Protection{{Tables: []string{test.glob}}}
			report := Run(t.Context(), p, []Target{{Name: "main", Dialect: test.dialect, Base: Place{base, "a.sql"}, Head: Place{head, "a.sql"}}}, Options{NoEngine: true})
			if !report.Answered() {
				t.Fatal(report.Results[0].Errors)
			}
			var got []string
			for _, n := range policy.Needing(p, report.Plans()) {
				got = append(got, n.Step.Kind+" "+n.Step.Object)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("protected (-want +got):\n%s", diff)
			}
			if free := len(report.Plans()[0].Above(plan.Safe)) - len(got); free != test.free {
				t.Errorf("%d steps above safe are not protected, want %d", free, test.free)
			}
		})
	}
}
