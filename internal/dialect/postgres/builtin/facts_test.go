package builtin

import (
	"bytes"
	"context"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/altergate/altergate/internal/dialect/postgres/postgrestest"
)

var update = flag.Bool("update", false, "write facts.tsv anew from the server's catalog (PostgreSQL 15)")

// factsQuery gives the lines of facts.tsv, each with the number of its section. Types that are the arrays of other types are left
// out: the line of the element type says how the array is called.
const factsQuery = `
WITH t AS (
  SELECT t.*, a.typname AS arr
  FROM pg_type t LEFT JOIN pg_type a ON a.oid = t.typarray
  WHERE t.typnamespace = 'pg_catalog'::regnamespace
    AND NOT EXISTS (SELECT FROM pg_type e WHERE e.typarray = t.oid)
), p AS (
  SELECT p.*,
    (SELECT coalesce(string_agg(typname, ',' ORDER BY n), '')
      FROM unnest(p.proargtypes) WITH ORDINALITY x(o, n) JOIN pg_type ON pg_type.oid = o) AS args,
    coalesce((SELECT typname FROM pg_type WHERE oid = provariadic), '') AS rest,
    (SELECT typname FROM pg_type WHERE oid = prorettype) AS ret
  FROM pg_proc p WHERE pronamespace = 'pg_catalog'::regnamespace
)
SELECT 0 AS section, concat_ws(E'\t', typname,
  CASE WHEN format_type(t.oid, NULL) <> typname THEN format_type(t.oid, NULL) ELSE '' END,
  concat(typtype, typcategory, CASE WHEN typispreferred THEN 'p' ELSE '-' END, i.provolatile, o.provolatile),
  CASE WHEN arr = '_' || typname THEN '' ELSE coalesce(arr, '-') END,
  CASE
    WHEN typsubscript = 'array_subscript_handler'::regproc AND typelem <> 0
      THEN (SELECT e.typname FROM pg_type e WHERE e.oid = t.typelem)
    WHEN typtype = 'r' THEN (SELECT e.typname FROM pg_range r JOIN pg_type e ON e.oid = r.rngsubtype WHERE r.rngtypid = t.oid)
    WHEN typtype = 'm' THEN (SELECT e.typname FROM pg_range r JOIN pg_type e ON e.oid = r.rngtypid WHERE r.rngmultitypid = t.oid)
    ELSE '' END) COLLATE "C" AS line
FROM t JOIN pg_proc i ON i.oid = typinput JOIN pg_proc o ON o.oid = typoutput
UNION ALL
SELECT 1, concat_ws(E'\t', s.typname, d.typname, concat(castcontext, castmethod, coalesce(f.provolatile, 'i')))
FROM pg_cast c JOIN pg_type s ON s.oid = castsource JOIN pg_type d ON d.oid = casttarget LEFT JOIN pg_proc f ON f.oid = castfunc
WHERE castsource <> casttarget
  AND s.typnamespace = 'pg_catalog'::regnamespace AND d.typnamespace = 'pg_catalog'::regnamespace
UNION ALL
SELECT 2, concat_ws(E'\t', oprname, coalesce(l.typname, ''), r.typname, e.typname, f.provolatile)
FROM pg_operator o LEFT JOIN pg_type l ON l.oid = oprleft JOIN pg_type r ON r.oid = oprright JOIN pg_type e ON e.oid = oprresult
  JOIN pg_proc f ON f.oid = oprcode
WHERE oprnamespace = 'pg_catalog'::regnamespace
UNION ALL
SELECT 3, concat_ws(E'\t', proname,
  concat(CASE WHEN a.aggkind <> 'n' THEN 'o' ELSE prokind END, provolatile, CASE WHEN proisstrict THEN 's' ELSE '-' END, CASE WHEN proretset THEN 'r' ELSE '-' END, pronargdefaults),
  args, rest, ret)
FROM p LEFT JOIN pg_aggregate a ON a.aggfnoid = p.oid
ORDER BY section, line`

// connect gives a connection to the server of the tests, and the server's major version.
func connect(t *testing.T) (*pgx.Conn, int) {
	t.Helper()
	conn, err := pgx.Connect(context.Background(), postgrestest.URL(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	var version int
	if err := conn.QueryRow(context.Background(), "SELECT current_setting('server_version_num')::int / 10000").Scan(&version); err != nil {
		t.Fatal(err)
	}
	return conn, version
}

// TestFacts compares facts.tsv with the server's catalog.
func TestFacts(t *testing.T) {
	conn, version := connect(t)
	rows, err := conn.Query(context.Background(), factsQuery)
	if err != nil {
		t.Fatal(err)
	}
	var sections [4][]string
	var section int
	var line string
	if _, err := pgx.ForEachRow(rows, []any{&section, &line}, func() error {
		sections[section] = append(sections[section], line)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	got.WriteString(factsHead)
	for i, name := range sectionNames {
		got.WriteString("== " + name + "\n" + strings.Join(sections[i], "\n") + "\n")
	}
	switch {
	case version != 15 && *update:
		t.Fatalf("the facts are those of PostgreSQL 15, and this is %d", version)
	case version != 15:
		stillThere(t, got.String())
	case *update:
		if err := os.WriteFile("facts.tsv", got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		if diff := cmp.Diff(strings.Split(got.String(), "\n"), strings.Split(factsText, "\n")); diff != "" {
			t.Errorf("facts.tsv is not what the server says (-server +file); run the test with -update:\n%s", diff)
		}
	}
}

// stillThere checks that a server of another version has what PostgreSQL 15 has. Functions that only administrators or the server
// itself call (pg_…, those that take or give "internal") come and go, and are not looked at.
func stillThere(t *testing.T, catalog string) {
	have := map[string]bool{}
	identities(catalog, func(id string) { have[id] = true })
	var missing []string
	identities(factsText, func(id string) {
		if !have[id] && !strings.HasPrefix(id, "functions pg_") && !strings.Contains(id, "internal") {
			missing = append(missing, id)
		}
	})
	slices.Sort(missing)
	if len(missing) > 0 {
		t.Errorf("this server has no\n%s", strings.Join(missing, "\n"))
	}
}

// identities calls f with what tells each fact from others of its section: the types' names, both types of a cast, an operator's or
// function's name and types.
func identities(text string, f func(string)) {
	for i, name := range sectionNames {
		for line := range strings.Lines(section(text, i)) {
			p := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
			switch name {
			case "types":
				f(name + " " + p[0] + " " + p[1])
			case "casts":
				f(name + " " + p[0] + " " + p[1])
			case "operators":
				f(name + " " + strings.Join(p[:3], " "))
			case "functions":
				f(name + " " + p[0] + " " + p[2])
			}
		}
	}
}
