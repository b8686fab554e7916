package catalog_test

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/altergate/altergate/internal/dialect/postgres/catalog"
	"github.com/altergate/altergate/internal/dialect/postgres/postgrestest"
	"github.com/altergate/altergate/internal/schema"
)

// lines gives the answer of a query of one text column.
func lines(t *testing.T, conn *pgx.Conn, query string) []string {
	t.Helper()
	rows, err := conn.Query(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// onServer are the queries that give what structure has for a catalog. Some builds of the server stamp each column with an option
// pg_attver that no statement has set and pg_dump does not write; it is left out.
var onServer = []string{
	`SELECT format('column %s.%s.%s%s%s%s%s%s', n.nspname, r.relname, a.attname, CASE WHEN attnotnull THEN ' not null' END, CASE WHEN NOT attislocal THEN ' inherited' END,
		CASE attidentity WHEN 'a' THEN ' always' WHEN 'd' THEN ' by default' END, CASE WHEN attgenerated <> '' THEN ' generated' END,
		CASE WHEN atthasdef AND attgenerated = '' THEN ' default' END)
	FROM pg_attribute a JOIN pg_class r ON r.oid = attrelid JOIN pg_namespace n ON n.oid = relnamespace
	WHERE relkind IN ('r', 'p', 'f') AND attnum > 0 AND NOT attisdropped AND n.nspname !~ '^(pg_|information_schema)'`,
	`SELECT format('columns %s.%s %s', n.nspname, r.relname, (SELECT string_agg(attname, ',' ORDER BY attnum) FROM pg_attribute WHERE attrelid = r.oid AND attnum > 0 AND NOT attisdropped))
	FROM pg_class r JOIN pg_namespace n ON n.oid = relnamespace WHERE relkind IN ('r', 'p', 'f') AND n.nspname !~ '^(pg_|information_schema)'`,
	`SELECT format('constraint %s.%s %s %s (%s)%s%s%s%s', n.nspname, r.relname, conname, contype,
		(SELECT string_agg(attname, ',' ORDER BY i) FROM unnest(conkey) WITH ORDINALITY AS k (num, i) JOIN pg_attribute ON attrelid = conrelid AND attnum = num WHERE contype <> 'c' AND contype <> 'x'
		 AND (contype = 'f' OR i <= (SELECT indnkeyatts FROM pg_index WHERE indexrelid = conindid))),
		CASE WHEN contype = 'f' THEN ' to ' || confrelid::regclass END, CASE WHEN NOT conislocal THEN ' inherited' END, CASE WHEN NOT convalidated THEN ' not valid' END, CASE WHEN condeferrable THEN ' deferrable' END)
	FROM pg_constraint c JOIN pg_class r ON r.oid = conrelid JOIN pg_namespace n ON n.oid = relnamespace
	WHERE contype IN ('c', 'f', 'p', 'u', 'x') AND n.nspname !~ '^(pg_|information_schema)'
	AND NOT (contype = 'f' AND conparentid <> 0 AND conrelid = (SELECT conrelid FROM pg_constraint WHERE oid = c.conparentid))`,
	`SELECT format('kept %s.%s.%s %s%s%s%s%s%s', n.nspname, r.relname, a.attname, format_type(atttypid, NULL), CASE WHEN attcollation NOT IN (0, 100) THEN ' collate ' || attcollation::regcollation END,
		CASE WHEN attstorage <> typstorage THEN ' storage ' || attstorage::text END, CASE WHEN attcompression <> '' THEN ' compression ' || attcompression::text END, CASE WHEN attstattarget > 0 THEN ' statistics ' || attstattarget END,
		(SELECT ' options ' || string_agg(o, ',' ORDER BY o) FROM unnest(attoptions || attfdwoptions) o WHERE o NOT LIKE 'pg_attver=%'))
	FROM pg_attribute a JOIN pg_class r ON r.oid = attrelid JOIN pg_namespace n ON n.oid = relnamespace JOIN pg_type t ON t.oid = atttypid
	WHERE relkind IN ('r', 'p', 'f') AND attnum > 0 AND NOT attisdropped AND n.nspname !~ '^(pg_|information_schema)'`,
	`SELECT format('table %s.%s%s%s%s%s%s%s%s', n.nspname, relname, CASE relkind WHEN 'p' THEN ' partitioned' WHEN 'f' THEN ' foreign' END, CASE relpersistence WHEN 'u' THEN ' unlogged' END, CASE WHEN relrowsecurity THEN ' secured' END, CASE WHEN relforcerowsecurity THEN ' forced' END,
		CASE WHEN relkind <> 'f' THEN CASE relreplident WHEN 'f' THEN ' full' WHEN 'n' THEN ' nothing' WHEN 'i' THEN (SELECT ' index ' || indexrelid::regclass FROM pg_index WHERE indrelid = r.oid AND indisreplident) END END,
		(SELECT ' clustered on ' || indexrelid::regclass FROM pg_index WHERE indrelid = r.oid AND indisclustered), (SELECT ' options ' || string_agg(o, ',' ORDER BY o) FROM unnest(reloptions) o))
	FROM pg_class r JOIN pg_namespace n ON n.oid = relnamespace WHERE relkind IN ('r', 'p', 'f') AND n.nspname !~ '^(pg_|information_schema)'`,
	`SELECT format('index %s.%s on %s%s%s%s', n.nspname, r.relname, indrelid::regclass, CASE WHEN indisunique THEN ' unique' END, CASE WHEN NOT indisvalid THEN ' only' END,
		(SELECT ' under ' || inhparent::regclass FROM pg_inherits WHERE inhrelid = indexrelid))
	FROM pg_index JOIN pg_class r ON r.oid = indexrelid JOIN pg_namespace n ON n.oid = relnamespace
	WHERE n.nspname !~ '^(pg_|information_schema)' AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u', 'x'))`,
	`SELECT format('sequence %s.%s %s by %s from %s in %s..%s cache %s%s%s', n.nspname, r.relname, format_type(seqtypid, NULL), seqincrement, seqstart, seqmin, seqmax, seqcache, CASE WHEN seqcycle THEN ' cycle' END,
		(SELECT format(' of %s.%s', refobjid::regclass, attname) FROM pg_depend JOIN pg_attribute ON attrelid = refobjid AND attnum = refobjsubid
		 WHERE objid = r.oid AND classid = 'pg_class'::regclass AND deptype IN ('a', 'i') AND refobjsubid > 0))
	FROM pg_sequence JOIN pg_class r ON r.oid = seqrelid JOIN pg_namespace n ON n.oid = relnamespace`,
}

// structure writes down tables, indexes and sequences, one fact a line, as onServer does.
func structure(c *catalog.Catalog) []string {
	var list []string
	add := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	for _, t := range c.Tables {
		var names []string
		for _, x := range t.Columns {
			names = append(names, x.Name)
			identity := ""
			if x.Identity != nil {
				identity = map[bool]string{true: " always", false: " by default"}[x.Identity.Always]
			}
			add("column %s.%s.%s%s%s%s%s%s", t.Name.Schema, t.Name.Name, x.Name, flag(x.NotNull, " not null"), flag(x.Inherited, " inherited"), identity,
				flag(x.Generated != nil, " generated"), flag(x.Default != nil, " default"))
		}
		for _, x := range t.Columns {
			add("kept %s.%s.%s %s%s", t.Name.Schema, t.Name.Name, x.Name, c.TypeKey(x.Type), columnDetails(x))
		}
		add("table %s.%s%s", t.Name.Schema, t.Name.Name, tableDetails(t))
		add("columns %s.%s %s", t.Name.Schema, t.Name.Name, strings.Join(names, ","))
		for _, k := range t.Constraints {
			kind := map[schema.ConstraintKind]string{schema.Check: "c", schema.ForeignKey: "f", schema.PrimaryKey: "p", schema.Unique: "u", schema.Exclusion: "x"}[k.Kind]
			to := ""
			if k.Ref != nil {
				to = " to " + k.Ref.Table.SQL()
			}
			add("constraint %s.%s %s %s (%s)%s%s%s%s", t.Name.Schema, t.Name.Name, k.Name, kind, strings.Join(k.Columns, ","), to, flag(k.Inherited, " inherited"), flag(k.NotValid, " not valid"), flag(k.Deferrable, " deferrable"))
		}
	}
	for _, x := range c.Indexes {
		under := ""
		if x.Parent != nil {
			under = " under " + x.Parent.SQL()
		}
		add("index %s.%s on %s%s%s%s", x.Name.Schema, x.Name.Name, x.Table.SQL(), flag(x.Unique, " unique"), flag(x.Only, " only"), under)
	}
	for _, q := range c.Sequences {
		of := ""
		if q.OwnedBy != nil {
			of = " of " + q.OwnedBy.SQL() + "." + q.OwnedColumn
		}
		add("sequence %s.%s %s by %d from %d in %d..%d cache %d%s%s", q.Name.Schema, q.Name.Name, q.Type, q.Increment, q.Start, q.Min, q.Max, q.Cache, flag(q.Cycle, " cycle"), of)
	}
	slices.Sort(list)
	return list
}

func columnDetails(x *catalog.Column) string {
	text := ""
	if x.Collation != nil {
		text += " collate " + strings.TrimPrefix(x.Collation.SQL(), "pg_catalog.")
	}
	text += flag(x.Storage != "", " storage "+map[string]string{"plain": "p", "external": "e", "extended": "x", "main": "m"}[x.Storage]) + flag(x.Compression != "", " compression "+map[string]string{"pglz": "p", "lz4": "l"}[x.Compression])
	return text + flag(x.Statistics > 0, fmt.Sprintf(" statistics %d", x.Statistics)) + optionDetails(x.Options)
}

func tableDetails(t *catalog.Table) string {
	return flag(t.Partition != nil, " partitioned") + flag(t.Server != "", " foreign") + flag(t.Unlogged, " unlogged") + flag(t.RowSecurity, " secured") + flag(t.ForceRowSecurity, " forced") +
		flag(t.ReplicaIdentity != "", " "+t.ReplicaIdentity) + flag(t.ClusterOn != "", " clustered on "+t.ClusterOn) + optionDetails(t.Options)
}

func optionDetails(m map[string]string) string {
	var list []string
	for k, v := range m {
		if !strings.HasPrefix(k, "toast.") { // on the server, an option of another table
			list = append(list, k+"="+v)
		}
	}
	slices.Sort(list)
	return flag(len(list) > 0, " options "+strings.Join(list, ","))
}

// withoutLocal leaves out the order of columns, and what a dump does not keep: that a child has declared what it inherits.
func withoutLocal(list []string) []string {
	list = slices.Clone(list)
	sortColumns(list)
	return list
}

func flag(is bool, word string) string {
	if is {
		return word
	}
	return ""
}

// dumped gives what pg_dump writes of the database.
func dumped(t *testing.T, conn *pgx.Conn) string {
	t.Helper()
	program, err := exec.LookPath("pg_dump")
	if err != nil {
		postgrestest.LeaveOut(t, "no pg_dump to compare with")
	}
	config := conn.Config()
	command := exec.CommandContext(t.Context(), program, "--schema-only", "-h", config.Host, "-p", fmt.Sprint(config.Port), "-U", config.User, config.Database)
	command.Env = append(os.Environ(), "PGPASSWORD="+config.Password)
	out, err := command.Output()
	if err != nil {
		t.Fatalf("pg_dump: %v", err)
	}
	return string(out)
}

// TestAgainstServer runs scripts on a server and on a catalog, and compares what both have then.
func TestAgainstServer(t *testing.T) {
	conn := postgrestest.Connect(t)
	for _, tt := range scripts {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := conn.Exec(t.Context(), `DROP SCHEMA IF EXISTS public, app, other CASCADE; CREATE SCHEMA public; SET search_path = "$user", public`); err != nil {
				t.Fatal(err)
			}
			if _, err := conn.Exec(t.Context(), tt.sql); err != nil {
				t.Fatalf("the server: %v", err)
			}
			if _, err := conn.Exec(t.Context(), `SET search_path = public`); err != nil {
				t.Fatal(err)
			}
			var want []string
			for _, query := range onServer {
				want = append(want, lines(t, conn, query)...)
			}
			slices.Sort(want)
			c, _, errs := ran(t, tt.sql)
			for _, err := range errs {
				t.Error(err)
			}
			if diff := cmp.Diff(want, structure(c)); diff != "" {
				t.Errorf("what the server has and the catalog has not (-), and the other way round (+):\n%s", diff)
			}
			if diff := cmp.Diff(want, structure(c.Clone())); diff != "" {
				t.Errorf("its clone differs:\n%s", diff)
			}
			t.Run("dump", func(t *testing.T) {
				dump := dumped(t, conn)
				d, _, errs := ran(t, dump)
				for _, err := range errs {
					t.Error(err)
				}
				if diff := cmp.Diff(withoutLocal(structure(c)), withoutLocal(structure(d))); diff != "" {
					t.Errorf("what the dump of it makes is something else (-want +got):\n%s", diff)
				}
				if t.Failed() {
					t.Log(dump)
				}
			})
		})
	}
}
