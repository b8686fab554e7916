package scratch

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/altergate/altergate/internal/dialect/postgres/postgrestest"
	"github.com/altergate/altergate/internal/proof"
	"github.com/altergate/altergate/internal/proof/rows"
)

// TestRowsOfEveryType fills tables with whatever columns there are, under constraints that are hard to meet.
func TestRowsOfEveryType(t *testing.T) {
	url := superURL(t)
	types := `smallint integer bigint numeric numeric(10,2) numeric(3,3) numeric(5) real double_precision money text varchar varchar(3) char(4) char "char" name bytea boolean
		date time time(0) timetz timestamp timestamp(0) timestamptz interval uuid json jsonb xml inet cidr macaddr macaddr8 bit(5) bit_varying(7) varbit tsvector tsquery oid regclass regtype
		point line lseg box path polygon circle pg_lsn int4range int8range numrange daterange tsrange tstzrange jsonpath mood pair positive code span`
	var columns []string
	for i, typ := range strings.Fields(types) {
		typ = strings.ReplaceAll(typ, "_", " ")
		if typ == "pg lsn" {
			typ = "pg_lsn"
		}
		columns = append(columns, fmt.Sprintf("c%d %s", i, typ), fmt.Sprintf("r%d %s NOT NULL", i, typ), fmt.Sprintf("a%d %s[]", i, typ))
	}
	schema := `CREATE EXTENSION btree_gist; CREATE EXTENSION citext; CREATE EXTENSION hstore; CREATE EXTENSION ltree;
		CREATE TYPE mood AS ENUM ('sad', 'it''s ok', 'a,b'); CREATE TYPE pair AS (a integer, b text); CREATE DOMAIN positive AS numeric(8,2) NOT NULL CHECK (VALUE > 500);
		CREATE DOMAIN code AS text CHECK (VALUE ~ '^[A-Z]{3}-[0-9]{4}$'); CREATE TYPE span AS RANGE (subtype = numeric);
		CREATE TABLE every (` + strings.Join(columns, ", ") + `);
		CREATE TABLE extended (a citext PRIMARY KEY, b hstore, c ltree NOT NULL, d citext[]);
		CREATE TABLE checked (id integer GENERATED ALWAYS AS IDENTITY (START 1000), state text NOT NULL CHECK (state IN ('open', 'shut')), size integer NOT NULL CHECK (size BETWEEN 700 AND 710),
			key char(8) NOT NULL CHECK (length(key) = 8), mail varchar(40) CHECK (mail ~* '^[a-z]+@[a-z]+\.org$'), low date NOT NULL, high date NOT NULL, CHECK (high > low),
			twice integer GENERATED ALWAYS AS (size * 2) STORED, UNIQUE (state, size));
		CREATE TABLE rooms (room integer, during tsrange, EXCLUDE USING gist (room WITH =, during WITH &&));
		CREATE TABLE tenants (id bigint PRIMARY KEY); 
		CREATE TABLE users (tenant bigint NOT NULL REFERENCES tenants, id uuid NOT NULL, boss uuid, main bigint, PRIMARY KEY (tenant, id), FOREIGN KEY (tenant, boss) REFERENCES users);
		CREATE TABLE things (tenant bigint NOT NULL REFERENCES tenants, maker uuid NOT NULL, id smallserial PRIMARY KEY, FOREIGN KEY (tenant, maker) REFERENCES users (tenant, id));
		ALTER TABLE users ADD FOREIGN KEY (main) REFERENCES things (id);
		CREATE TABLE selfish (id integer PRIMARY KEY, other integer NOT NULL REFERENCES selfish);
		CREATE TABLE events (id bigint, at timestamptz NOT NULL, kind text NOT NULL, PRIMARY KEY (id, at, kind)) PARTITION BY RANGE (at);
		CREATE TABLE events_1 PARTITION OF events FOR VALUES FROM ('2020-01-01') TO ('2020-02-01');
		CREATE TABLE events_2 PARTITION OF events FOR VALUES FROM ('2020-02-01') TO ('2020-03-01') PARTITION BY LIST (kind);
		CREATE TABLE events_2a PARTITION OF events_2 FOR VALUES IN ('x', 'y');
		CREATE TABLE hashed (id integer) PARTITION BY HASH (id);
		CREATE TABLE hashed_0 PARTITION OF hashed FOR VALUES WITH (MODULUS 2, REMAINDER 0); CREATE TABLE hashed_1 PARTITION OF hashed FOR VALUES WITH (MODULUS 2, REMAINDER 1);
		CREATE TABLE mother (id integer PRIMARY KEY, name text); CREATE TABLE daughter (extra text) INHERITS (mother);
		CREATE TABLE nothing (); CREATE TABLE "Odd ""Name".x (); CREATE SCHEMA "Odd ""Name"; CREATE TABLE "Odd ""Name"."Ta.ble" ("Col 'umn %s" integer CHECK ("Col 'umn %s" > 3));
		CREATE TABLE ruled (id integer); CREATE RULE r AS ON INSERT TO ruled DO INSTEAD NOTHING;
		CREATE UNIQUE INDEX ON ruled ((id + 1)); CREATE TABLE yes (really boolean PRIMARY KEY CHECK (really));
		CREATE FUNCTION watch() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''no''; END'; CREATE EVENT TRIGGER w ON ddl_command_start EXECUTE FUNCTION watch();`
	started := time.Now()
	engine, err := Prove(context.Background(), url, Input{Base: side(t, schema), Head: side(t, schema)})
	if err != nil || engine.Result != proof.Proved || len(engine.Empty) > 0 || engine.Rows != 49 {
		t.Fatalf("%+v, %v", engine, err)
	}
	t.Logf("%d rows, %v", engine.Rows, time.Since(started))
}

// TestConstraintsOfTheHead gives only rows that the head takes as well.
func TestConstraintsOfTheHead(t *testing.T) {
	url := postgrestest.URL(t)
	base := "CREATE TABLE p (id integer PRIMARY KEY); CREATE TABLE t (id serial PRIMARY KEY, a text, b integer, c numeric);"
	for _, test := range []proofCase{
		{name: "a check", base: base, steps: []string{"ALTER TABLE t ADD CHECK (a LIKE 'abc%')"}},
		{name: "a check with a number", base: base, steps: []string{"ALTER TABLE t ADD CHECK (b > 5000)", "ALTER TABLE t ADD CHECK (c < 0)"}},
		{name: "a foreign key", base: base, steps: []string{"ALTER TABLE t ADD FOREIGN KEY (b) REFERENCES p"}},
		{name: "a unique key", base: base, steps: []string{"ALTER TABLE t ADD UNIQUE (a, b)"}},
		{name: "another type", base: base, steps: []string{"ALTER TABLE t ALTER c TYPE integer"}},
		{name: "an enum", base: base + "CREATE TYPE e AS ENUM ('x', 'y');", steps: []string{"ALTER TABLE t ALTER a TYPE e USING a::e"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.head = test.base + strings.Join(test.steps, ";")
			if engine := test.run(t, url); engine.Rows != 6 {
				t.Errorf("%+v", engine)
			}
		})
	}
}

// TestManyTables shows what a large schema takes, and that the tables that the plan touches are among those with rows.
func TestManyTables(t *testing.T) {
	url := postgrestest.URL(t)
	var b strings.Builder
	const n = 1000
	for i := range n {
		fmt.Fprintf(&b, "CREATE TABLE t%d (id bigint GENERATED BY DEFAULT AS IDENTITY, name text NOT NULL, made timestamptz DEFAULT now());\n", i)
	}
	for i := range n {
		fmt.Fprintf(&b, "ALTER TABLE t%d ADD PRIMARY KEY (id); CREATE INDEX i%d ON t%d (name);\n", i, i, i)
	}
	input := Input{Base: side(t, b.String()), Head: side(t, b.String()), Steps: steps("UPDATE t999 SET name = 'x'")}
	input.Steps[0].Object = "t999"
	started := time.Now()
	engine, err := Prove(context.Background(), url, input)
	t.Logf("%v", time.Since(started))
	if err == nil || !strings.Contains(err.Error(), "table t999: column name holds 'x'") || engine.Rows != 3*rows.MostTables {
		t.Errorf("%+v, %v", engine, err)
	}
}
