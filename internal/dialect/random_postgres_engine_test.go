package dialect_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	osexec "os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/altergate/altergate/internal/dialect/postgres/postgrestest"
)

// sqlServer is the server on which plans are tried, with databases of the test's own.
type sqlServer struct {
	version               string // major
	dumps                 bool   // there is a pg_dump that is not older than the server
	filled, empty, target *sqlDatabase
}

// sqlDatabase is a database that is emptied and used again.
type sqlDatabase struct {
	name   string
	conn   *pgx.Conn
	config *pgx.ConnConfig
}

// startServer connects to the server and makes the databases.
func startServer(t *testing.T) *sqlServer {
	config, err := pgx.ParseConfig(postgrestest.URL(t))
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	admin, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		t.Fatal(err)
	}
	s := &sqlServer{}
	s.version, _, _ = strings.Cut(admin.PgConn().ParameterStatus("server_version"), ".")
	s.dumps = dumpVersion() >= number(s.version)
	t.Cleanup(func() { admin.Close(ctx) })
	for i, d := range []**sqlDatabase{&s.filled, &s.empty, &s.target} {
		name := fmt.Sprintf("altergate_random_%d_%d", os.Getpid(), i)
		if _, err := admin.Exec(ctx, "CREATE DATABASE "+name+" TEMPLATE template0"); err != nil {
			t.Fatal(err)
		}
		db := &sqlDatabase{name: name, config: config.Copy()}
		db.config.Database = name
		db.config.DefaultQueryExecMode = pgx.QueryExecModeSimpleProtocol
		for k, v := range map[string]string{"synchronous_commit": "off", "client_min_messages": "error", "TimeZone": "UTC", "statement_timeout": "20s", "application_name": "altergate test"} {
			db.config.RuntimeParams[k] = v
		}
		if db.conn, err = pgx.ConnectConfig(ctx, db.config); err != nil {
			t.Fatal(err)
		}
		*d = db
		t.Cleanup(func() {
			db.conn.Close(ctx)
			if _, err := admin.Exec(ctx, "DROP DATABASE "+name+" (FORCE)"); err != nil {
				t.Error(err)
			}
		})
	}
	return s
}

// dumpVersion gives the major version of pg_dump, 0 where there is none.
func dumpVersion() int {
	out, err := osexec.Command("pg_dump", "--version").Output()
	if words := strings.Fields(string(out)); err == nil && len(words) > 2 {
		return number(words[2])
	}
	return 0
}

// number reads the digits at the beginning of a version.
func number(version string) int {
	major, _, _ := strings.Cut(version, ".")
	n, err := strconv.Atoi(strings.TrimRight(major, "abcdeflprtv "))
	if err != nil {
		return 0
	}
	return n
}

// exec runs statements by the simple protocol.
func (d *sqlDatabase) exec(statements string) error {
	return d.conn.PgConn().Exec(context.Background(), statements).Close()
}

// rows gives what queries give, as text; NULL is "∅".
func (d *sqlDatabase) rows(queries string) ([][]string, error) {
	results, err := d.conn.PgConn().Exec(context.Background(), queries).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%w in %.200s", err, queries)
	}
	var out [][]string
	for _, r := range results {
		for _, values := range r.Rows {
			row := make([]string, len(values))
			for i, v := range values {
				row[i] = string(v)
				if v == nil {
					row[i] = "∅"
				}
			}
			out = append(out, row)
		}
	}
	return out, nil
}

// clearing drops what is in a database and puts the session back as it was.
const clearing = `ROLLBACK; RESET ALL; SET lock_timeout = '10s'; SET client_min_messages = error;
DO $do$ DECLARE r record; BEGIN
	FOR r IN SELECT nspname FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname NOT IN ('information_schema', 'public') LOOP
		EXECUTE format('DROP SCHEMA %I CASCADE', r.nspname);
	END LOOP;
	FOR r IN SELECT relname, relkind FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'S', 'f') ORDER BY relkind = 'S', NOT relispartition LOOP
		EXECUTE format('DROP %s IF EXISTS public.%I CASCADE', CASE r.relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, r.relname);
	END LOOP;
	FOR r IN SELECT oid::regprocedure AS f FROM pg_proc WHERE pronamespace = 'public'::regnamespace LOOP
		EXECUTE format('DROP ROUTINE %s CASCADE', r.f);
	END LOOP;
	FOR r IN SELECT typname FROM pg_type WHERE typnamespace = 'public'::regnamespace AND typtype IN ('e', 'd', 'c', 'r') LOOP
		EXECUTE format('DROP TYPE IF EXISTS public.%I CASCADE', r.typname);
	END LOOP;
END $do$; RESET lock_timeout`

// clear empties the database; a connection that is gone is made again.
func (d *sqlDatabase) clear() error {
	if d.conn.IsClosed() {
		conn, err := pgx.ConnectConfig(context.Background(), d.config)
		if err != nil {
			return err
		}
		d.conn = conn
	}
	for _, s := range strings.SplitN(clearing, ";", 2) {
		if err := d.exec(s); err != nil {
			return fmt.Errorf("emptying a database: %w", err)
		}
	}
	return nil
}

// build empties the database and runs statements, all in one go.
func (d *sqlDatabase) build(statements []string) error {
	if err := d.clear(); err != nil {
		return err
	}
	return d.exec("BEGIN;\n" + strings.Join(statements, ";\n") + ";\nCOMMIT")
}

// dump gives pg_dump's text of the database.
func (d *sqlDatabase) dump() (string, error) {
	cmd := osexec.Command("pg_dump", "--schema-only", "--no-owner", "--dbname", "host="+d.config.Host+" port="+fmt.Sprint(d.config.Port)+" user="+d.config.User+" dbname="+d.name)
	if d.config.Password != "" {
		cmd.Env = append(os.Environ(), "PGPASSWORD="+d.config.Password)
	}
	out, err := cmd.Output()
	var exit *osexec.ExitError
	if errors.As(err, &exit) {
		return "", fmt.Errorf("pg_dump: %w: %s", err, exit.Stderr)
	}
	return restriction.ReplaceAllString(string(out), "\\${1}restrict key"), err
}

// restriction is a line of pg_dump's that is another one each time, so that rapid would not know a failure again.
var restriction = regexp.MustCompile(`(?m)^\\(un)?restrict .*$`)

// both runs two things at the same time.
func both(a, b func() error) error {
	var wg sync.WaitGroup
	var first error
	wg.Go(func() { first = a() })
	second := b()
	wg.Wait()
	return errors.Join(first, second)
}

// stateOf gives the SQLSTATE of an error.
func stateOf(err error) string {
	var e *pgconn.PgError
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// catalogQueries ask the server for what there is; the order of a table's columns is not asked. pg_attver is a number that Debian's
// PostgreSQL 15.20 gives each column, and that no statement says.
const catalogQueries = `SET search_path = '';
SELECT 'schema ' || quote_ident(nspname) || ' ' || coalesce((SELECT string_agg(a::text, ' ' ORDER BY a::text) FROM aclexplode(nspacl) a WHERE grantee = 0), '') FROM pg_catalog.pg_namespace WHERE nspname !~ '^pg_' AND nspname <> 'information_schema';
CREATE TEMP TABLE IF NOT EXISTS ours (oid oid PRIMARY KEY, name text, kind "char");
TRUNCATE pg_temp.ours;
INSERT INTO pg_temp.ours SELECT c.oid, c.oid::regclass, relkind FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE nspname !~ '^pg_' AND nspname <> 'information_schema';
SELECT 'relation ' || CASE WHEN relispartition AND kind IN ('i', 'I') THEN '?' ELSE name END || ' ' || concat_ws(', ', kind, relpersistence, (SELECT string_agg(o, ' ' ORDER BY o) FROM unnest(reloptions) o), CASE WHEN relrowsecurity THEN 'rls' END, CASE WHEN relforcerowsecurity THEN 'forced' END,
	pg_get_partkeydef(c.oid), pg_get_expr(relpartbound, c.oid), relreplident, CASE WHEN relispopulated THEN '' ELSE 'no data' END, CASE WHEN kind <> 'I' AND kind <> 'p' THEN relam::text END,
	(SELECT string_agg(a.grantee || a.privilege_type, ' ' ORDER BY a.grantee || a.privilege_type) FROM aclexplode(relacl) a WHERE a.grantee <> relowner)) FROM pg_temp.ours o JOIN pg_class c USING (oid);
SELECT 'column ' || name || '.' || attname || ' ' || concat_ws(', ', format_type(atttypid, atttypmod), CASE WHEN attnotnull THEN 'not null' END, CASE WHEN t.typtype = 'd' OR pg_get_expr(adbin, adrelid) NOT LIKE 'NULL::%' THEN pg_get_expr(adbin, adrelid) END, nullif(attidentity, ''), nullif(attgenerated, ''),
	CASE WHEN attcollation <> t.typcollation THEN attcollation::regcollation::text END, attstorage, to_jsonb(a) ->> 'attcompression', nullif(attstattarget, -1), (SELECT string_agg(o, ' ' ORDER BY o) FROM unnest(attoptions) o WHERE o NOT LIKE 'pg_attver=%'), attislocal, attinhcount, CASE WHEN kind IN ('v', 'm', 'c') THEN (SELECT count(*) FROM pg_attribute b WHERE b.attrelid = a.attrelid AND b.attnum > 0 AND b.attnum <= a.attnum AND NOT b.attisdropped) END,
	(SELECT string_agg(a.grantee || a.privilege_type, ' ' ORDER BY a.grantee || a.privilege_type) FROM aclexplode(attacl) a))
	FROM pg_temp.ours o JOIN pg_attribute a ON attrelid = o.oid JOIN pg_type t ON t.oid = atttypid LEFT JOIN pg_attrdef d ON adrelid = attrelid AND adnum = attnum WHERE kind IN ('r', 'p', 'v', 'm', 'c', 'f') AND attnum > 0 AND NOT attisdropped;
SELECT 'constraint ' || name || '.' || CASE WHEN conparentid = 0 THEN conname ELSE '?' END || ' ' || concat_ws(', ', CASE WHEN conislocal THEN pg_get_constraintdef(k.oid) ELSE replace(pg_get_constraintdef(k.oid), ' NOT VALID', '') END, conislocal, coninhcount, connoinherit, conislocal AND convalidated, condeferrable, condeferred) FROM pg_temp.ours o JOIN pg_constraint k ON conrelid = o.oid WHERE contype NOT IN ('t', 'n') AND NOT (contype = 'f' AND conparentid <> 0);
SELECT 'index ' || concat_ws(', ', CASE WHEN inhparent IS NULL THEN name || ' ' || pg_get_indexdef(o.oid) ELSE regexp_replace(pg_get_indexdef(o.oid), 'INDEX .* ON ', 'INDEX ? ON ') END, indisvalid, indisreplident, indisclustered, inhparent::regclass) FROM pg_temp.ours o JOIN pg_index ON indexrelid = o.oid LEFT JOIN pg_inherits ON inhrelid = o.oid;
SELECT 'view ' || name || ' ' || pg_get_viewdef(oid) FROM pg_temp.ours WHERE kind IN ('v', 'm');
SELECT 'trigger ' || name || '.' || tgname || ' ' || pg_get_triggerdef(t.oid) || tgenabled::text FROM pg_temp.ours o JOIN pg_trigger t ON tgrelid = o.oid WHERE NOT tgisinternal;
SELECT 'policy ' || name || '.' || polname || ' ' || concat_ws(', ', polcmd, polpermissive, polroles::text, pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)) FROM pg_temp.ours o JOIN pg_policy ON polrelid = o.oid;
SELECT 'rule ' || name || '.' || rulename || ' ' || pg_get_ruledef(r.oid) FROM pg_temp.ours o JOIN pg_rewrite r ON ev_class = o.oid WHERE rulename <> '_RETURN';
SELECT 'sequence ' || name || ' ' || concat_ws(', ', format_type(seqtypid, NULL), seqstart, seqincrement, seqmin, seqmax, seqcache, seqcycle, (SELECT refobjid::regclass || '.' || attname || deptype::text FROM pg_depend JOIN pg_attribute ON attrelid = refobjid AND attnum = refobjsubid WHERE classid = 'pg_class'::regclass AND objid = o.oid AND deptype IN ('a', 'i') AND refclassid = 'pg_class'::regclass))
	FROM pg_temp.ours o JOIN pg_sequence ON seqrelid = o.oid;
SELECT 'inherits ' || name || ' ' || inhparent::regclass || ' ' || inhseqno FROM pg_temp.ours o JOIN pg_inherits ON inhrelid = o.oid WHERE kind NOT IN ('i', 'I');
SELECT 'function ' || p.oid::regprocedure || ' ' || pg_get_functiondef(p.oid) || coalesce((SELECT string_agg(a.grantee || a.privilege_type, ' ' ORDER BY a.grantee || a.privilege_type) FROM aclexplode(coalesce(proacl, acldefault('f', proowner))) a WHERE grantee = 0), '') FROM pg_proc p JOIN pg_namespace n ON n.oid = pronamespace WHERE nspname !~ '^pg_' AND nspname <> 'information_schema' AND prokind <> 'a';
SELECT 'type ' || t.oid::regtype || ' ' || concat_ws(', ', typtype, (SELECT string_agg(enumlabel, ', ' ORDER BY enumsortorder) FROM pg_enum WHERE enumtypid = t.oid), CASE WHEN typtype = 'd' THEN format_type(typbasetype, typtypmod) END, typnotnull, CASE WHEN typdefault NOT LIKE 'NULL::%' THEN typdefault END,
	(SELECT string_agg(conname || ' ' || pg_get_constraintdef(k.oid) || convalidated::text, ', ' ORDER BY conname) FROM pg_constraint k WHERE contypid = t.oid)) FROM pg_type t JOIN pg_namespace n ON n.oid = typnamespace WHERE nspname !~ '^pg_' AND nspname <> 'information_schema' AND typtype IN ('e', 'd', 'r');
SELECT 'comment ' || i.type || ' ' || i.identity || ' ' || description FROM pg_description d, pg_identify_object(classoid, objoid, objsubid) i WHERE objoid >= 16384;
SELECT 'extended ' || stxname || ' ' || stxrelid::regclass || ' ' || stxkind::text || (SELECT string_agg(attname, ', ' ORDER BY attname) FROM pg_attribute WHERE attrelid = stxrelid AND attnum = ANY (stxkeys::int2[])) FROM pg_statistic_ext;
SET search_path TO DEFAULT`

// spelling leaves out what the server writes in one way when it reads an expression for the first time, and in another when it has read
// what it wrote itself.
var spelling = strings.NewReplacer("ARRAY[]", "'{}'", "::character varying[]", "", "::text[]", "", "::character varying", "", "::text", "", "(", "", ")", "")

// catalog lists what the server itself says of the database, in words of the test's own.
func (d *sqlDatabase) catalog() ([]string, error) {
	rows, err := d.rows(catalogQueries)
	if err != nil {
		return nil, err
	}
	out := make([]string, len(rows))
	for i, r := range rows {
		out[i] = spelling.Replace(r[0])
	}
	slices.Sort(out)
	return out, nil
}

// fill puts rows of simple values into every table of the base; those that do not fit are left out. The same seed gives the same rows.
func (d *sqlDatabase) fill(w *sqlWorld, seed uint64) error {
	random := rand.New(rand.NewPCG(seed, 1))
	var b strings.Builder
	b.WriteString("SET search_path = public; DO $fill$ BEGIN SET CONSTRAINTS ALL IMMEDIATE;\n")
	for round := range 2 {
		for _, t := range w.all("table") {
			for range 4 {
				fmt.Fprintf(&b, "BEGIN %s; EXCEPTION WHEN OTHERS THEN NULL; END;\n", w.insert(t, random, round))
			}
		}
	}
	for _, v := range w.all("view") {
		if v.flags["materialized"] != "" {
			fmt.Fprintf(&b, "BEGIN REFRESH MATERIALIZED VIEW %s; EXCEPTION WHEN OTHERS THEN NULL; END;\n", w.ref(v))
		}
	}
	b.WriteString("END $fill$; RESET search_path")
	return d.exec(b.String())
}

// insert writes an INSERT of a random row.
func (w *sqlWorld) insert(t *thing, random *rand.Rand, round int) string {
	columns := w.parts(t.id, "column")
	for _, id := range (&thing{text: t.flags["inherits"]}).mentions() {
		columns = append(w.parts(id, "column"), columns...)
	}
	var names, values []string
	for _, c := range columns {
		if c.computed != "" || c.identity != "" && random.IntN(2) == 0 || c.identity == "ALWAYS" {
			continue
		}
		all := w.values(c.typ)
		value := "NULL"
		if len(all) > 0 && (c.notNull || random.IntN(4+round) > 0) {
			value = sqlText(all[random.IntN(len(all))])
		}
		names, values = append(names, sqlQuote(c.name)), append(values, value)
	}
	if len(names) == 0 {
		return "INSERT INTO " + w.ref(t) + " DEFAULT VALUES"
	}
	return "INSERT INTO " + w.ref(t) + " (" + strings.Join(names, ", ") + ") VALUES (" + strings.Join(values, ", ") + ")"
}

// values lists what a column of a type may hold.
func (w *sqlWorld) values(typ string) []string {
	family := w.family(typ)
	for _, id := range (&thing{text: typ}).mentions() {
		switch th := w.find(id); {
		case th.kind == "domain":
			return w.values(th.typ)
		case th.kind == "enum" && strings.HasSuffix(typ, "[]"):
			return []string{"{}", `{"` + th.list[0] + `"}`}
		case th.kind == "enum":
			return th.list
		case th.kind == "composite":
			return []string{"(1,7" + strings.Repeat(",", len(th.list)-2) + ")", "(2," + strings.Repeat(",", len(th.list)-2) + ")"}
		}
	}
	all := slices.Clone(sqlFamilies[family].values)
	for _, t := range sqlTypes {
		if t.name == typ {
			all = append(all, t.values...)
		}
	}
	return all
}
