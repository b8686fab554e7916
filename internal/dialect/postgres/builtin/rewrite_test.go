package builtin

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
)

// changes are changes of a column's type, with values that show what the conversion does. The text of the values tells whether it is
// lossless, and casting them back does.
var changes = []struct {
	from     string
	fromMods []int
	to       string
	toMods   []int
	values   string // a list of SQL expressions
	rewrite  bool
	lossless bool
	worse    bool // the server can do better than we say: see Rewrites
	filled   bool // the text of the values is filled up, with zeros for example
}{
	{from: varchar, fromMods: []int{10}, to: varchar, toMods: []int{20}, values: "'a', 'b  '", lossless: true},
	{from: varchar, fromMods: []int{20}, to: varchar, toMods: []int{10}, values: "'a'", rewrite: true},
	{from: varchar, fromMods: []int{20}, to: varchar, values: "'a  '", lossless: true},
	{from: varchar, to: varchar, toMods: []int{20}, values: "'a'", rewrite: true},
	{from: varchar, fromMods: []int{20}, to: text, values: "'a  '", lossless: true},
	{from: text, to: varchar, values: "'a  '", lossless: true},
	{from: text, to: varchar, toMods: []int{50}, values: "'a'", rewrite: true},
	{from: varchar, fromMods: []int{5}, to: character, values: "'a'"},
	{from: varchar, fromMods: []int{5}, to: character, toMods: []int{5}, values: "'a'", rewrite: true},
	{from: character, fromMods: []int{5}, to: character, toMods: []int{8}, values: "'a'", rewrite: true, lossless: true},
	{from: character, fromMods: []int{8}, to: character, toMods: []int{5}, values: "'a'", rewrite: true},
	{from: character, fromMods: []int{8}, to: character, values: "'a'", lossless: true},
	{from: character, fromMods: []int{5}, to: text, values: "'a'", rewrite: true},
	{from: character, fromMods: []int{5}, to: varchar, toMods: []int{5}, values: "'a'", rewrite: true},
	{from: "name", to: text, values: "'a  '", rewrite: true, lossless: true},
	{from: "name", to: varchar, toMods: []int{63}, values: "repeat('x', 63)", rewrite: true, lossless: true},
	{from: "name", to: varchar, toMods: []int{62}, values: "'a'", rewrite: true},
	{from: text, to: "name", values: "repeat('x', 100)", rewrite: true},
	{from: "smallint", to: "integer", values: "-32768, 32767", rewrite: true, lossless: true},
	{from: "smallint", to: "bigint", values: "-32768, 32767", rewrite: true, lossless: true},
	{from: "smallint", to: "real", values: "-32768, 32767", rewrite: true, lossless: true},
	{from: "smallint", to: "double precision", values: "-32768, 32767", rewrite: true, lossless: true},
	{from: "integer", to: "bigint", values: "-2147483648, 2147483647", rewrite: true, lossless: true},
	{from: "integer", to: "smallint", values: "1", rewrite: true},
	{from: "integer", to: "real", values: "16777217", rewrite: true},
	{from: "integer", to: "double precision", values: "-2147483648, 2147483647", rewrite: true, lossless: true},
	{from: "integer", to: "numeric", values: "-2147483648", rewrite: true, lossless: true},
	{from: "integer", to: "numeric", toMods: []int{10}, values: "-2147483648", rewrite: true, lossless: true},
	{from: "integer", to: "numeric", toMods: []int{12, 2}, values: "-2147483648", rewrite: true, lossless: true, filled: true},
	{from: "integer", to: "numeric", toMods: []int{11, 2}, values: "1", rewrite: true},
	{from: "integer", to: "numeric", toMods: []int{12, -2}, values: "1234", rewrite: true},
	{from: "bigint", to: "numeric", toMods: []int{19}, values: "-9223372036854775808", rewrite: true, lossless: true},
	{from: "bigint", to: "double precision", values: "9223372036854775807", rewrite: true},
	{from: "bigint", to: "integer", values: "1", rewrite: true},
	{from: "integer", to: text, values: "-5", rewrite: true, lossless: true},
	{from: "integer", to: varchar, toMods: []int{11}, values: "-2147483648", rewrite: true, lossless: true},
	{from: "integer", to: varchar, toMods: []int{10}, values: "1", rewrite: true},
	{from: "integer", to: "boolean", rewrite: true},
	{from: "integer", to: "oid", values: "-1", rewrite: false},
	{from: "oid", to: "bigint", values: "4294967295", rewrite: true, lossless: true},
	{from: "oid", to: "integer", values: "4294967295"},
	{from: "oid", to: "regclass", values: "1259"},
	{from: "numeric", fromMods: []int{10, 2}, to: "numeric", toMods: []int{12, 2}, values: "1.25", lossless: true},
	{from: "numeric", fromMods: []int{10, 2}, to: "numeric", values: "1.25", lossless: true},
	{from: "numeric", fromMods: []int{10, 2}, to: "numeric", toMods: []int{12, 4}, values: "99999999.99", rewrite: true, lossless: true, filled: true},
	{from: "numeric", fromMods: []int{10, 2}, to: "numeric", toMods: []int{10, 4}, values: "1.25", rewrite: true},
	{from: "numeric", fromMods: []int{10, 2}, to: "numeric", toMods: []int{10, 1}, values: "1.25", rewrite: true},
	{from: "numeric", fromMods: []int{5, -2}, to: "numeric", toMods: []int{7}, values: "9999900", rewrite: true, lossless: true},
	{from: "numeric", to: "numeric", toMods: []int{10, 2}, values: "1.255", rewrite: true},
	{from: "numeric", fromMods: []int{4}, to: "integer", values: "1", rewrite: true},
	{from: "numeric", to: "double precision", values: "0.12345678901234567890", rewrite: true},
	{from: "real", to: "double precision", values: "0.1", rewrite: true},
	{from: "double precision", to: "real", values: "0.1234567890123", rewrite: true},
	{from: "double precision", to: "numeric", values: "0.12345678901234566", rewrite: true},
	{from: "real", to: "numeric", values: "0.12345678", rewrite: true},
	{from: "boolean", to: text, values: "true", rewrite: true, lossless: true},
	{from: "boolean", to: varchar, toMods: []int{5}, values: "false", rewrite: true, lossless: true},
	{from: "uuid", to: text, values: "gen_random_uuid()", rewrite: true, lossless: true},
	{from: "uuid", to: varchar, toMods: []int{36}, values: "gen_random_uuid()", rewrite: true, lossless: true},
	{from: "bytea", to: text, values: "'\\x00ff'", rewrite: true, lossless: true},
	{from: "json", to: "jsonb", values: `'{"b": 1,"a":1}'`, rewrite: true},
	{from: "jsonb", to: "json", values: `'{"b": 1,"a":1}'`, rewrite: true, lossless: true},
	{from: "json", to: text, values: `'{"b": 1,"a":1}'`, rewrite: true, lossless: true},
	{from: text, to: "json", rewrite: true},
	{from: text, to: "integer", rewrite: true},
	{from: "xml", to: text, values: "'<a/>'::xml", lossless: true},
	{from: "date", to: "timestamp without time zone", values: "'2020-02-29', 'infinity'", rewrite: true, lossless: true, filled: true},
	{from: "date", to: "timestamp with time zone", values: "'2020-02-29'", rewrite: true},
	{from: "timestamp without time zone", to: "date", values: "'2020-02-29 12:00'", rewrite: true},
	{from: "timestamp without time zone", fromMods: []int{3}, to: "timestamp without time zone", toMods: []int{6}, values: "'2020-02-29 12:00:00.123'", lossless: true},
	{from: "timestamp without time zone", fromMods: []int{3}, to: "timestamp without time zone", values: "'2020-02-29 12:00:00.123'", lossless: true},
	{from: "timestamp without time zone", to: "timestamp without time zone", toMods: []int{6}, values: "'2020-02-29 12:00:00.123456'", lossless: true},
	{from: "timestamp without time zone", fromMods: []int{6}, to: "timestamp without time zone", toMods: []int{3}, values: "'2020-02-29 12:00:00.123456'", rewrite: true},
	{from: "timestamp with time zone", fromMods: []int{1}, to: "timestamp with time zone", toMods: []int{2}, values: "'2020-02-29 12:00:00.1'", lossless: true},
	{from: "timestamp without time zone", to: "timestamp with time zone", values: "'2020-02-29 12:00'", rewrite: true},
	{from: "timestamp with time zone", to: "timestamp without time zone", values: "'2020-02-29 12:00'", rewrite: true},
	{from: "timestamp with time zone", to: text, values: "'2020-02-29 12:00'", rewrite: true, lossless: true},
	{from: "time without time zone", fromMods: []int{2}, to: "time without time zone", toMods: []int{4}, values: "'12:00:00.12'", lossless: true},
	{from: "time without time zone", fromMods: []int{2}, to: "time without time zone", toMods: []int{1}, values: "'12:00:00.12'", rewrite: true},
	{from: "time without time zone", to: "time with time zone", values: "'12:00'", rewrite: true},
	{from: "time without time zone", to: "interval", values: "'12:00:00.123456'", rewrite: true, lossless: true},
	{from: "time without time zone", to: "interval", toMods: []int{full, 3}, values: "'12:00:00.123456'", rewrite: true},
	{from: "time without time zone", fromMods: []int{2}, to: "interval", toMods: []int{full, 3}, values: "'12:00:00.12'", rewrite: true, lossless: true},
	{from: "interval", to: "time without time zone", values: "'36:00'", rewrite: true},
	{from: "interval", fromMods: []int{full, 3}, to: "interval", toMods: []int{full, 4}, values: "'1.123 s'", lossless: true},
	{from: "interval", fromMods: []int{full, 4}, to: "interval", toMods: []int{full, 3}, values: "'1.1234 s'", rewrite: true},
	{from: "interval", fromMods: []int{hour}, to: "interval", toMods: []int{day | hour | minute}, values: "'1:05'", lossless: true},
	{from: "interval", fromMods: []int{day | hour | minute}, to: "interval", toMods: []int{hour}, values: "'1:05'", rewrite: true},
	{from: "interval", fromMods: []int{year}, to: "interval", values: "'1 y'", lossless: true},
	{from: "interval", to: "interval", toMods: []int{year}, values: "'1 y 2 days'", rewrite: true},
	{from: "interval", to: "interval", toMods: []int{minute | second}, values: "'1 y 2.123456 s'", lossless: true},
	{from: "bit", fromMods: []int{4}, to: "bit", toMods: []int{8}, rewrite: true},
	{from: "bit", fromMods: []int{4}, to: "bit", values: "'0101'", lossless: true},
	{from: "bit", fromMods: []int{4}, to: "bit varying", values: "'0101'", lossless: true},
	{from: "bit", fromMods: []int{4}, to: "bit varying", toMods: []int{8}, values: "'0101'", rewrite: true, lossless: true},
	{from: "bit", fromMods: []int{4}, to: text, values: "'0101'", rewrite: true, lossless: true},
	{from: "bit varying", fromMods: []int{4}, to: "bit varying", toMods: []int{8}, values: "'0101'", lossless: true},
	{from: "bit varying", fromMods: []int{8}, to: "bit varying", toMods: []int{4}, values: "'0101'", rewrite: true},
	{from: "bit varying", fromMods: []int{8}, to: "bit", toMods: []int{4}, values: "'0101'", rewrite: true},
	{from: "cidr", to: "inet", values: "'10.0.0.0/8'", lossless: true},
	{from: "inet", to: "cidr", values: "'10.0.0.1/8'", rewrite: true},
	{from: "inet", to: text, values: "'10.0.0.1/8'", rewrite: true, lossless: true},
	{from: "macaddr", to: "macaddr8", values: "'08:00:2b:01:02:03'", rewrite: true},
	{from: "money", to: "numeric", values: "1.25", rewrite: true},
	{from: "int4range", to: text, values: "'[1,5)'", rewrite: true, lossless: true},
	{from: "int4range", to: "int4multirange", rewrite: true},
	{from: "integer[]", to: "bigint[]", values: "'{1,2}'", rewrite: true, lossless: true},
	{from: "integer[]", to: text, values: "'{1,2}'", rewrite: true, lossless: true},
	{from: "text[]", to: "character varying[]", values: "'{a}'", rewrite: true, lossless: true},
	{from: "character varying[]", fromMods: []int{5}, to: "character varying[]", toMods: []int{8}, values: "'{a}'", rewrite: true, lossless: true},
	{from: "character varying[]", fromMods: []int{5}, to: "character varying[]", values: "'{a}'", lossless: true},
	{from: "mood", to: text, values: "'sad'", rewrite: true, lossless: true},
	{from: "mood", to: varchar, toMods: []int{9}, values: "'sad'", rewrite: true},
	{from: text, to: "mood", rewrite: true},
	{from: "pair", to: text, values: "'(1,a)'", rewrite: true, lossless: true},
	{from: "age", to: "integer", values: "1", lossless: true},
	{from: "age", to: "bigint", values: "1", rewrite: true, lossless: true},
	{from: "name_of", to: varchar, values: "'a'", lossless: true},
	{from: "name_of", to: varchar, toMods: []int{5}, values: "'a'", rewrite: true},
	{from: "integer", to: "age", values: "1", rewrite: true, worse: true},
	{from: "ages", to: "age", values: "1", rewrite: true, worse: true},
	{from: text, to: text, values: "'a'", lossless: true},
	{from: "oidvector", to: "oid[]", values: "'1 2'", rewrite: true},
}

// TestRewrites changes the type of a column with values in it, and looks whether the table is another file afterwards and whether the
// values are the same.
func TestRewrites(t *testing.T) {
	conn, _ := connect(t)
	ctx := context.Background()
	for _, c := range changes {
		from, err := Format(c.from, c.fromMods)
		if err != nil {
			t.Fatal(err)
		}
		to, err := Format(c.to, c.toMods)
		if err != nil {
			t.Fatal(err)
		}
		name := from + " to " + to
		rewrite, scan, lossless := Rewrites(c.from, c.fromMods, c.to, c.toMods, testTypes{})
		if rewrite != c.rewrite || scan || lossless != c.lossless {
			t.Errorf("%s: rewrite %v, scan %v, lossless %v; want %v, false, %v", name, rewrite, scan, lossless, c.rewrite, c.lossless)
		}
		err = pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, makeTypes+`
SET LOCAL TimeZone = 'Europe/Paris';
CREATE TEMP TABLE t (c `+from+`);`); err != nil {
				return err
			}
			if c.values != "" {
				if _, err := tx.Exec(ctx, "INSERT INTO t SELECT CAST(x AS "+from+") FROM unnest(ARRAY["+c.values+"]) x"); err != nil {
					return err
				}
			}
			node, err := one(tx, "SELECT pg_relation_filenode('t')::text")
			if err != nil {
				return err
			}
			before, err := one(tx, "SELECT string_agg(c::text, '|') FROM t")
			if err != nil {
				return err
			}
			if _, err := tx.Exec(ctx, "ALTER TABLE t ALTER c TYPE "+to); err != nil {
				if lossless || !rewrite {
					t.Errorf("%s: we say rewrite %v, lossless %v, the server says %v", name, rewrite, lossless, err)
				}
				return tx.Rollback(ctx)
			}
			now, err := one(tx, "SELECT pg_relation_filenode('t')::text")
			if err != nil {
				return err
			}
			if lossless {
				after, err := one(tx, "SELECT string_agg(c::text, '|') FROM t")
				if err != nil {
					return err
				}
				back, err := one(tx, "SELECT string_agg(c::"+from+"::text, '|') FROM t")
				if err != nil {
					return err
				}
				if before != back || before != after && !c.filled {
					t.Errorf("%s: we say lossless, and %s became %s, and %s on the way back", name, before, after, back)
				}
			}
			if (now != node) != rewrite && !c.worse {
				t.Errorf("%s: we say rewrite %v, the server %v", name, rewrite, now != node)
			}
			return tx.Rollback(ctx)
		})
		if err != nil && err != pgx.ErrTxClosed {
			t.Fatalf("%s: %v", name, err)
		}
	}
	t.Logf("%d changes", len(changes))
}

// one asks for one string; NULL is "".
func one(tx pgx.Tx, query string) (string, error) {
	var s *string
	if err := tx.QueryRow(context.Background(), query, pgx.QueryExecModeSimpleProtocol).Scan(&s); err != nil || s == nil {
		return "", err
	}
	return *s, nil
}
