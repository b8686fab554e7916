package builtin

import (
	"context"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// testTypes are the user types of the tests.
type testTypes struct{}

func (testTypes) Enum(t string) bool { return t == "mood" }

func (testTypes) Base(t string) string {
	return map[string]string{"age": "integer", "name_of": "text", "list": "integer[]", "feeling": "mood", "ages": "age", "couple": "pair"}[t]
}

func (testTypes) Range(t string) (string, bool) {
	return "double precision", t == "floats"
}

func (testTypes) Composite(t string) bool { return t == "pair" }

const makeTypes = `
CREATE TYPE pg_temp.mood AS ENUM ('sad', 'glad');
CREATE TYPE pg_temp.pair AS (a int, b text);
CREATE TYPE pg_temp.floats AS RANGE (SUBTYPE = float8);
CREATE DOMAIN pg_temp.age AS int;
CREATE DOMAIN pg_temp.ages AS pg_temp.age;
CREATE DOMAIN pg_temp.name_of AS text;
CREATE DOMAIN pg_temp.list AS int[];
CREATE DOMAIN pg_temp.feeling AS pg_temp.mood;
CREATE DOMAIN pg_temp.couple AS pg_temp.pair;`

// operandTypes are those that are combined with each other.
var operandTypes = []string{
	unknown, "boolean", "smallint", "integer", "bigint", "numeric", "real", "double precision", "money", "oid", "regclass",
	text, varchar, character, `"char"`, "name", "bytea", "bit", "bit varying", "uuid", "json", "jsonb", "xml", "jsonpath",
	"date", "time without time zone", "time with time zone", "timestamp without time zone", "timestamp with time zone", "interval",
	"inet", "cidr", "macaddr", "point", "box", "path", "polygon", "circle", "tsvector", "tsquery", "int2vector", "oidvector", "pg_lsn",
	"int4range", "numrange", "tstzrange", "int4multirange", "integer[]", "bigint[]", "text[]", "character varying[]", "date[]", "numeric[]",
	"mood", "mood[]", "pair", "pair[]", "floats", "age", "ages", "name_of", "list", "feeling", "couple", "age[]", "int4range[]",
}

// ask gives for each expression the type that the server finds for it and the form in which it keeps it in a view, or an error's
// SQLSTATE. The column of type operandTypes[i] is called "c" and i. Nothing is evaluated, and nothing stays.
func ask(t *testing.T, conn *pgx.Conn, expressions []string) [][2]string {
	t.Helper()
	ctx := context.Background()
	tx, err := conn.Begin(ctx)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tx.Rollback(ctx) })
	var columns []string
	for i, name := range operandTypes {
		if name != unknown {
			columns = append(columns, "c"+strconv.Itoa(i)+" "+name)
		}
	}
	if _, err := tx.Exec(ctx, makeTypes+"CREATE TEMP TABLE t ("+strings.Join(columns, ", ")+`);
CREATE FUNCTION pg_temp.ask(e text) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE answer text[];
BEGIN
  BEGIN
    EXECUTE 'CREATE TEMP VIEW v AS SELECT ' || e || ' AS x FROM t';
    SELECT ARRAY[format_type(atttypid, NULL), pg_get_viewdef('v'::regclass)] INTO answer
      FROM pg_attribute WHERE attrelid = 'v'::regclass AND attnum = 1;
    RAISE EXCEPTION USING ERRCODE = 'ZZ999';
  EXCEPTION WHEN OTHERS THEN
    IF SQLSTATE <> 'ZZ999' THEN answer = ARRAY['error ' || SQLSTATE, SQLERRM]; END IF;
  END;
  RETURN answer;
END $$`); err != nil {
		t.Fatal(err)
	}
	rows, err := tx.Query(ctx, "SELECT a[1], a[2] FROM unnest($1::text[]) WITH ORDINALITY x(e, n), LATERAL (SELECT pg_temp.ask(e) AS a OFFSET 0) y ORDER BY n", expressions)
	if err != nil {
		t.Fatal(err)
	}
	answers, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (a [2]string, err error) {
		return a, row.Scan(&a[0], &a[1])
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := tx.Rollback(ctx); err != nil {
		t.Fatal(err)
	}
	for i, a := range answers {
		a[1], _, _ = strings.Cut(a[1], "\n")
		a[1] = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(a[1]), "SELECT "), " AS x")
		answers[i] = a
	}
	return answers
}

// sampled picks one of n, always the same ones.
func sampled(key string, n uint32) bool {
	h := fnv.New32a()
	_, _ = h.Write([]byte(key))
	return h.Sum32()%n == 0
}

// operand writes operandTypes[i] as the operand of an expression, and as the server keeps it after it was coerced.
func operand(i int, to string) (given, kept string) {
	from := operandTypes[i]
	target, err := Format(to, nil)
	if err != nil {
		target = to
	}
	if from == unknown {
		if to == unknown {
			return "NULL", "NULL"
		}
		return "NULL", "NULL::" + target
	}
	name := "c" + strconv.Itoa(i)
	if from == to {
		return name, "t." + name
	}
	return name, "(t." + name + ")::" + target
}

// TestOperators compares ResolveOperator with the server, over operators and types that are combined blindly: the type of the result,
// and what the operands are coerced to. What the server refuses is not to be resolved, and what it takes is.
func TestOperators(t *testing.T) {
	conn, _ := connect(t)
	type call struct {
		name        string
		left, right int
	}
	var calls []call
	var expressions []string
	for _, name := range slices.Sorted(maps.Keys(facts().operators)) {
		for left := -1; left < len(operandTypes); left++ {
			for right := range operandTypes {
				alike := left == right || left == 0 || right == 0
				n := uint32(120)
				if alike {
					n = 8 // which the server refuses less often
				}
				if !sampled(fmt.Sprint(name, left, right), n) {
					continue
				}
				r, _ := operand(right, "")
				e := name + " " + r
				if left >= 0 {
					l, _ := operand(left, "")
					e = l + " " + e
				}
				calls, expressions = append(calls, call{name, left, right}), append(expressions, e)
			}
		}
	}
	answers, taken := ask(t, conn, expressions), 0
	for i, c := range calls {
		left := ""
		if c.left >= 0 {
			left = operandTypes[c.left]
		}
		o, ok := ResolveOperator(c.name, left, operandTypes[c.right], testTypes{})
		server := answers[i]
		if refused := strings.HasPrefix(server[0], "error"); refused || !ok {
			if refused == ok {
				t.Errorf("%s %s %s: we say %v %+v, the server says %q", left, c.name, operandTypes[c.right], ok, o, server)
			}
			continue
		}
		taken++
		_, right := operand(c.right, o.Right)
		want := "(" + c.name + " " + right + ")"
		if c.left >= 0 {
			_, l := operand(c.left, o.Left)
			want = "(" + l + " " + c.name + " " + right + ")"
		}
		if server[0] != o.Result || server[1] != want {
			t.Errorf("%s %s %s: we say %+v, %s, the server says %q", left, c.name, operandTypes[c.right], o, want, server)
		}
	}
	t.Logf("%d checks, of which the server takes %d", len(calls), taken)
}
