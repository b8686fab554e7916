package postgres_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/altergate/altergate/internal/dialect/postgres/postgrestest"
)

// server is a connection to a database that the test may fill with databases of its own.
type server struct {
	testing.TB
	url   string
	admin *pgx.Conn
}

func connect(tb testing.TB) *server {
	tb.Helper()
	s := &server{TB: tb, url: postgrestest.URL(tb)}
	var err error
	if s.admin, err = pgx.Connect(context.Background(), s.url); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { s.admin.Close(context.Background()) })
	return s
}

// database makes a database; it is a copy of another one, if that is named.
func (s *server) database(name, template string) *pgx.Conn {
	s.Helper()
	ctx := context.Background()
	name = databaseName(name)
	create := "CREATE DATABASE " + name
	if template != "" {
		create += " TEMPLATE " + databaseName(template)
	}
	for _, sql := range []string{"DROP DATABASE IF EXISTS " + name, create} {
		if _, err := s.admin.Exec(ctx, sql); err != nil {
			s.Fatal(err)
		}
	}
	config, err := pgx.ParseConfig(s.url)
	if err != nil {
		s.Fatal(err)
	}
	config.Database = name
	c, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() {
		c.Close(ctx)
		if _, err := s.admin.Exec(ctx, "DROP DATABASE "+name); err != nil {
			s.Error(err)
		}
	})
	return c
}

func databaseName(name string) string {
	return fmt.Sprintf("altergate_large_%d_%s", os.Getpid(), strings.ReplaceAll(name, " ", "_"))
}

// load runs a script of many statements and leaves the session as a new one.
func load(tb testing.TB, c *pgx.Conn, sql string) {
	tb.Helper()
	if _, err := c.PgConn().Exec(context.Background(), sql+"\n;DISCARD PLANS; RESET ALL").ReadAll(); err != nil {
		tb.Fatal(err)
	}
}

// texts gives the rows of a query with one column.
func texts(tb testing.TB, c *pgx.Conn, sql string) []string {
	tb.Helper()
	rows, err := c.Query(context.Background(), sql)
	if err != nil {
		tb.Fatalf("%s: %v", sql, err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		tb.Fatalf("%s: %v", sql, err)
	}
	return list
}

// described says what is in a database, line by line, in the server's own words; the order of a table's columns does not count.
func described(tb testing.TB, c *pgx.Conn) []string {
	tb.Helper()
	var all []string
	for _, q := range descriptions {
		all = append(all, texts(tb, c, q)...)
	}
	return all
}

// ours leaves out what the server and extensions have of their own; n is the schema.
const ours = `n.nspname IN ('public', 'accounting')`

// free leaves out what belongs to an extension.
const free = ` AND NOT EXISTS (SELECT FROM pg_depend e WHERE e.objid = %s AND e.deptype = 'e')`

var descriptions = []string{
	`SELECT format('relation %s.%s %s %s rls=%s force=%s of %s %s', n.nspname, c.relname, c.relkind, c.reloptions, c.relrowsecurity, c.relforcerowsecurity, i.inhparent::regclass, pg_get_expr(c.relpartbound, c.oid))
		FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace LEFT JOIN pg_inherits i ON i.inhrelid = c.oid WHERE ` + ours + ` ORDER BY 1`,
	`SELECT format('column %s.%s %s %s null=%s default=%s identity=%s generated=%s', a.attrelid::regclass, a.attname, format_type(a.atttypid, a.atttypmod), a.attcollation::regcollation, NOT a.attnotnull, pg_get_expr(d.adbin, d.adrelid), a.attidentity, a.attgenerated)
		FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
		WHERE ` + ours + ` AND a.attnum > 0 AND NOT a.attisdropped AND c.relkind NOT IN ('i', 'I') ORDER BY 1`,
	`SELECT format('view %s %s', c.oid::regclass, pg_get_viewdef(c.oid)) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE ` + ours + ` AND c.relkind IN ('v', 'm') ORDER BY 1`,
	`SELECT format('constraint %s %s %s %s', k.conrelid::regclass, k.contypid::regtype, k.conname, pg_get_constraintdef(k.oid)) FROM pg_constraint k JOIN pg_namespace n ON n.oid = k.connamespace WHERE ` + ours + ` ORDER BY 1`,
	`SELECT format('index %s valid=%s', pg_get_indexdef(x.indexrelid), x.indisvalid) FROM pg_index x JOIN pg_class c ON c.oid = x.indrelid JOIN pg_namespace n ON n.oid = c.relnamespace WHERE ` + ours + ` ORDER BY 1`,
	`SELECT pg_get_functiondef(p.oid) FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE ` + ours + fmt.Sprintf(free, "p.oid") + ` ORDER BY 1`,
	`SELECT format('trigger %s %s', pg_get_triggerdef(t.oid), t.tgenabled) FROM pg_trigger t WHERE NOT t.tgisinternal ORDER BY 1`,
	`SELECT format('policy %s.%s %s %s %s %s %s', tablename, policyname, permissive, roles, cmd, qual, with_check) FROM pg_policies ORDER BY 1`,
	`SELECT format('label %s %s', e.enumtypid::regtype, string_agg(e.enumlabel, ',' ORDER BY e.enumsortorder)) FROM pg_enum e GROUP BY e.enumtypid ORDER BY 1`,
	`SELECT format('domain %s %s %s %s', t.oid::regtype, format_type(t.typbasetype, t.typtypmod), t.typnotnull, t.typdefault) FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace WHERE ` + ours + ` AND t.typtype = 'd' ORDER BY 1`,
	`SELECT format('sequence %s.%s %s %s..%s by %s from %s', schemaname, sequencename, data_type, min_value, max_value, increment_by, start_value) FROM pg_sequences ORDER BY 1`,
	`SELECT format('owned %s by %s.%s', d.objid::regclass, d.refobjid::regclass, a.attname) FROM pg_depend d JOIN pg_class c ON c.oid = d.objid AND c.relkind = 'S' JOIN pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
		WHERE d.deptype IN ('a', 'i') AND d.classid = 'pg_class'::regclass ORDER BY 1`,
	`SELECT format('comment %s %s', pg_describe_object(d.classoid, d.objoid, d.objsubid), d.description) FROM pg_description d
		JOIN LATERAL pg_identify_object(d.classoid, d.objoid, d.objsubid) o ON o.schema IN ('public', 'accounting') OR o.identity ~ '(public|accounting)\.' ORDER BY 1`,
}
