package pipeline_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// postgresCatalog describes a database by what its server says of it. Spelling and the order of a table's columns do not show, nor does
// pg_attver, a number that Debian's PostgreSQL 15.20 gives each column.
func postgresCatalog(t *testing.T, conn *pgx.Conn) []string {
	t.Helper()
	postgresExec(t, conn, "SET search_path = pg_catalog")
	var out []string
	for _, what := range slices.Sorted(maps.Keys(catalogQueries)) {
		for _, line := range postgresQuery(t, conn, strings.NewReplacer("{ours}", oursQuery, "{own}", "oid >= 16384").Replace(catalogQueries[what])) {
			out = append(out, what+" "+line)
		}
	}
	postgresExec(t, conn, "RESET search_path")
	slices.Sort(out)
	return out
}

// oursQuery gives the schemas that are not the server's own.
const oursQuery = `(SELECT oid FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname <> 'information_schema')`

// privileges writes who may do what, for the kind of objects that acldefault calls by a letter.
func privileges(list, kind, owner string) string {
	return `'may', (SELECT string_agg(concat_ws(' ', CASE grantee WHEN 0 THEN 'public' ELSE grantee::regrole::text END, privilege_type, is_grantable), ', '
		ORDER BY grantee::regrole::text, privilege_type) FROM aclexplode(coalesce(` + list + `, acldefault(` + kind + `, ` + owner + `))))`
}

var catalogQueries = map[string]string{
	"relation": `SELECT concat_ws(' ', c.relkind, c.oid::regclass, c.relpersistence, c.relrowsecurity, c.relforcerowsecurity, c.relreplident,
		'with', (SELECT string_agg(o, ', ' ORDER BY o) FROM unnest(c.reloptions) o), (SELECT string_agg('toast.' || o, ', ' ORDER BY o) FROM pg_class x, unnest(x.reloptions) o WHERE x.oid = c.reltoastrelid),
		'by', pg_get_partkeydef(c.oid), pg_get_expr(c.relpartbound, c.oid), 'from', (SELECT string_agg(i.inhparent::regclass::text, ', ' ORDER BY i.inhseqno) FROM pg_inherits i WHERE i.inhrelid = c.oid),
		(SELECT amname FROM pg_am WHERE oid = c.relam), 'in', c.reltablespace, 'of', nullif(c.reloftype, 0)::regtype, 'owner', c.relowner::regrole,
		` + privileges("c.relacl", `CASE c.relkind WHEN 'S' THEN 's'::"char" ELSE 'r'::"char" END`, "c.relowner") + `)
		FROM pg_class c WHERE c.relnamespace IN {ours} AND c.relkind NOT IN ('i', 'I', 't', 'c')`,
	"column": `SELECT concat_ws(' ', a.attrelid::regclass || '.' || quote_ident(a.attname), CASE WHEN c.relkind IN ('r', 'p', 'f') THEN NULL ELSE rank() OVER (PARTITION BY a.attrelid ORDER BY a.attnum) END,
		format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity, a.attgenerated, a.attstorage, to_jsonb(a) ->> 'attcompression', a.attstattarget, a.attislocal, a.attinhcount,
		(SELECT collname FROM pg_collation WHERE oid = a.attcollation), 
		array_to_string(ARRAY(SELECT o FROM unnest(a.attoptions) o WHERE o NOT LIKE 'pg\_attver=%' ORDER BY o), ', '), a.attfdwoptions, 'default', pg_get_expr(d.adbin, d.adrelid),
		'may', (SELECT string_agg(concat_ws(' ', grantee::regrole, privilege_type), ', ' ORDER BY grantee, privilege_type) FROM aclexplode(a.attacl)))
		FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
		WHERE c.relnamespace IN {ours} AND c.relkind NOT IN ('i', 'I', 't', 'S') AND a.attnum > 0 AND NOT a.attisdropped`,
	"constraint": `SELECT concat_ws(' ', coalesce(nullif(conrelid, 0)::regclass::text, contypid::regtype::text), conname, pg_get_constraintdef(oid), conislocal, coninhcount)
		FROM pg_constraint WHERE connamespace IN {ours} AND contype <> 'n'`,
	"index": `SELECT concat_ws(' ', pg_get_indexdef(i.indexrelid), i.indisvalid, i.indisclustered, i.indisreplident,
		(SELECT inhparent::regclass FROM pg_inherits WHERE inhrelid = i.indexrelid)) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE c.relnamespace IN {ours}`,
	"view": `SELECT concat_ws(' ', oid::regclass, pg_get_viewdef(oid)) FROM pg_class WHERE relnamespace IN {ours} AND relkind IN ('v', 'm')`,
	"trigger": `SELECT concat_ws(' ', regexp_replace(pg_get_triggerdef(oid), ' UPDATE OF .*? ON ', ' UPDATE ON '),
		(SELECT string_agg(attname, ', ' ORDER BY attname) FROM pg_attribute WHERE attrelid = tgrelid AND attnum = ANY (tgattr)), tgenabled, tgparentid <> 0) FROM pg_trigger WHERE NOT tgisinternal`,
	"function": `SELECT concat_ws(' ', CASE prokind WHEN 'a' THEN oid::regprocedure::text ELSE pg_get_functiondef(oid) END, proowner::regrole, ` + privileges("proacl", "'f'", "proowner") + `)
		FROM pg_proc WHERE pronamespace IN {ours} AND {own}`,
	"aggregate": `SELECT concat_ws(' ', aggfnoid::regprocedure, aggtransfn, aggfinalfn, aggtranstype::regtype, agginitval, aggsortop::regoperator) FROM pg_aggregate WHERE aggfnoid >= 16384`,
	"type": `SELECT concat_ws(' ', t.oid::regtype, t.typtype, nullif(t.typbasetype, 0)::regtype, t.typtypmod, t.typnotnull, t.typdefault, (SELECT collname FROM pg_collation WHERE oid = t.typcollation),
		(SELECT string_agg(quote_literal(enumlabel), ', ' ORDER BY enumsortorder) FROM pg_enum WHERE enumtypid = t.oid),
		(SELECT concat_ws(' ', rngsubtype::regtype, rngcanonical, rngsubdiff) FROM pg_range WHERE rngtypid = t.oid), t.typowner::regrole, ` + privileges("t.typacl", "'T'", "t.typowner") + `)
		FROM pg_type t WHERE t.typnamespace IN {ours} AND t.typtype NOT IN ('c', 'p')`,
	"sequence": `SELECT concat_ws(' ', s.seqrelid::regclass, s.seqtypid::regtype, s.seqstart, s.seqincrement, s.seqmin, s.seqmax, s.seqcache, s.seqcycle,
		(SELECT concat_ws(' ', d.deptype, d.refobjid::regclass, a.attname) FROM pg_depend d JOIN pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
			WHERE d.classid = 'pg_class'::regclass AND d.objid = s.seqrelid AND d.deptype IN ('a', 'i'))) FROM pg_sequence s`,
	"policy": `SELECT concat_ws(' ', polrelid::regclass, polname, polcmd, polpermissive, (SELECT string_agg(CASE r WHEN 0 THEN 'public' ELSE r::regrole::text END, ', ' ORDER BY r) FROM unnest(polroles) r),
		pg_get_expr(polqual, polrelid), 'check', pg_get_expr(polwithcheck, polrelid)) FROM pg_policy`,
	"rule":          `SELECT concat_ws(' ', pg_get_ruledef(oid), ev_enabled) FROM pg_rewrite WHERE rulename <> '_RETURN' AND {own}`,
	"comment":       `SELECT concat_ws(' ', pg_describe_object(classoid, objoid, objsubid), 'is', description) FROM pg_description WHERE objoid >= 16384 OR classoid = 'pg_namespace'::regclass`,
	"statistics":    `SELECT concat_ws(' ', pg_get_statisticsobjdef(oid), stxstattarget) FROM pg_statistic_ext`,
	"publication":   `SELECT concat_ws(' ', pubname, puballtables, pubinsert, pubupdate, pubdelete, pubtruncate, pubviaroot, (SELECT string_agg(t::text, ', ' ORDER BY t::text) FROM pg_publication_tables t WHERE t.pubname = p.pubname)) FROM pg_publication p`,
	"event trigger": `SELECT concat_ws(' ', evtname, evtevent, evtfoid::regproc, evtenabled, evttags) FROM pg_event_trigger`,
	"defaults": `SELECT concat_ws(' ', defaclrole::regrole, nullif(defaclnamespace, 0)::regnamespace, defaclobjtype,
		(SELECT string_agg(concat_ws(' ', grantee::regrole, privilege_type, is_grantable), ', ' ORDER BY grantee, privilege_type) FROM aclexplode(defaclacl))) FROM pg_default_acl`,
	"schema":    `SELECT concat_ws(' ', nspname, nspowner::regrole, ` + privileges("nspacl", "'n'", "nspowner") + `) FROM pg_namespace WHERE oid IN {ours}`,
	"extension": `SELECT concat_ws(' ', extname, extnamespace::regnamespace, extversion) FROM pg_extension`,
	"server":    `SELECT concat_ws(' ', srvname, fdwname, (SELECT string_agg(o, ', ' ORDER BY o) FROM unnest(srvoptions) o)) FROM pg_foreign_server JOIN pg_foreign_data_wrapper w ON w.oid = srvfdw`,
	"foreign":   `SELECT concat_ws(' ', ftrelid::regclass, srvname, (SELECT string_agg(o, ', ' ORDER BY o) FROM unnest(ftoptions) o)) FROM pg_foreign_table JOIN pg_foreign_server s ON s.oid = ftserver`,
	"operator":  `SELECT concat_ws(' ', oid::regoperator, oprcode, oprcom::regoperator, oprnegate::regoperator, oprrest, oprjoin) FROM pg_operator WHERE {own}`,
	"cast":      `SELECT concat_ws(' ', castsource::regtype, casttarget::regtype, nullif(castfunc, 0)::regprocedure, castcontext, castmethod) FROM pg_cast WHERE {own}`,
	"collation": `SELECT concat_ws(' ', collname, collprovider, collisdeterministic, collcollate, to_jsonb(c) ->> 'colliculocale') FROM pg_collation c WHERE {own}`,
	"search": `SELECT concat_ws(' ', c.cfgname, (SELECT string_agg(concat_ws(' ', maptokentype, mapseqno, mapdict::regdictionary), ', ' ORDER BY maptokentype, mapseqno) FROM pg_ts_config_map WHERE mapcfg = c.oid))
		FROM pg_ts_config c WHERE {own}`,
}
