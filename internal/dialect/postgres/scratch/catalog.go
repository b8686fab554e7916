package scratch

import (
	"context"
	"fmt"
	"strings"

	"github.com/altergate/altergate/internal/proof"
)

// ownerOf begins the facts that only count where both databases have them: an owner that nobody declared is whoever ran the statements,
// and one that only a side declares makes no step for what is there.
const ownerOf = "owner of "

// relation, and its like below, name an object as reports do.
var relation = named("n.nspname", "c.relname")

// with joins what is not NULL.
func with(parts ...string) string { return "concat_ws(', ', " + strings.Join(parts, ", ") + ")" }

// flag says something where a condition holds.
func flag(condition, text string) string {
	return "CASE WHEN " + condition + " THEN '" + text + "' END"
}

// sorted gives a list of options as one text.
func sorted(list string) string {
	return "(SELECT string_agg(o, ', ' ORDER BY o) FROM unnest(" + list + ") o)"
}

// declared is sorted without pg_attver, which Debian's PostgreSQL 15.20 puts on every column: a number from when the column was made,
// which differs from one database to the next and stays whatever a statement says of it.
func declared(list string) string {
	return "(SELECT string_agg(o, ', ' ORDER BY o) FROM unnest(" + list + ") o WHERE o NOT LIKE 'pg\\_attver=%')"
}

// mayDo lists privileges, with the default ones where nothing was said. The owner is not named.
func mayDo(acl, kind, owner string) string {
	return "(SELECT string_agg(DISTINCT CASE x.grantee WHEN 0 THEN 'PUBLIC' WHEN " + owner + " THEN 'owner' ELSE x.grantee::regrole::text END || ': ' || x.privilege_type || " +
		"CASE WHEN x.is_grantable AND x.grantee <> " + owner + " THEN ' with grant option' ELSE '' END, ', ') FROM aclexplode(coalesce(" + acl + ", acldefault('" + kind + "', " + owner + "))) x)"
}

// describe names any object.
func describe(class, oid string) string {
	return "pg_describe_object('" + class + "'::regclass, " + oid + ", 0)"
}

const relationKind = `CASE c.relkind WHEN 'r' THEN 'table' WHEN 'p' THEN 'partitioned table' WHEN 'v' THEN 'view' WHEN 'm' THEN 'materialized view'
	WHEN 'f' THEN 'foreign table' WHEN 'S' THEN 'sequence' WHEN 'c' THEN 'composite type' END`

// fromRelations reads relations of some kinds that are the schema's own.
func fromRelations(kinds, joins string) string {
	return " FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace " + joins + " WHERE c.relkind IN (" + kinds + ") AND " + ours("pg_class", "c.oid")
}

// factQueries give the facts, in the order in which a difference is best understood.
func factQueries() []string {
	index := `regexp_replace(pg_get_indexdef(i.indexrelid), '^(CREATE (UNIQUE )?INDEX )(?:"(?:[^"]|"")*"|\S+) ', '\1')`
	partOf := `(SELECT ` + named("pn.nspname", "p.relname") + ` FROM pg_inherits h JOIN pg_class p ON p.oid = h.inhparent JOIN pg_namespace pn ON pn.oid = p.relnamespace WHERE h.inhrelid = c.oid ORDER BY h.inhseqno LIMIT 1)`
	return []string{
		`SELECT 'schema ' || n.nspname, 'there' FROM pg_namespace n WHERE ` + ours("pg_namespace", "n.oid"),
		`SELECT 'extension ' || x.extname, ` + with("x.extversion", "n.nspname") + ` FROM pg_extension x JOIN pg_namespace n ON n.oid = x.extnamespace`,

		`SELECT 'type ' || ` + named("n.nspname", "t.typname") + `, CASE t.typtype
				WHEN 'e' THEN (SELECT 'enum (' || string_agg(quote_literal(e.enumlabel), ', ' ORDER BY e.enumsortorder) || ')' FROM pg_enum e WHERE e.enumtypid = t.oid)
				WHEN 'd' THEN ` + with("'domain over ' || format_type(t.typbasetype, t.typtypmod)", flag("t.typnotnull", "not null"), "'default ' || pg_get_expr(t.typdefaultbin, 0)",
			"CASE WHEN t.typcollation <> b.typcollation THEN 'collation ' || t.typcollation::regcollation END") + `
				WHEN 'r' THEN (SELECT ` + with("'range of ' || format_type(r.rngsubtype, NULL)", "'collation ' || nullif(r.rngcollation, 0)::regcollation", "'opclass ' || o.opcname", "r.rngcanonical::text", "r.rngsubdiff::text") + `
					FROM pg_range r LEFT JOIN pg_opclass o ON o.oid = r.rngsubopc WHERE r.rngtypid = t.oid)
				ELSE ` + with("'base type'", "t.typlen::text", "t.typinput::text", "t.typoutput::text", "t.typcategory::text", "t.typdefault") + ` END
		FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace LEFT JOIN pg_type b ON b.oid = t.typbasetype
		WHERE t.typtype IN ('e', 'd', 'r', 'b') AND NOT (t.typelem <> 0 AND EXISTS (SELECT FROM pg_type e WHERE e.typarray = t.oid)) AND ` + ours("pg_type", "t.oid"),

		`SELECT ` + relationKind + ` || ' ' || ` + relation + `, ` + with(relationKind, flag("c.relpersistence = 'u'", "unlogged"), "'partition by ' || CASE WHEN c.relkind = 'p' THEN pg_get_partkeydef(c.oid) END",
			"CASE WHEN c.relispartition THEN 'partition of ' || "+partOf+" || ' ' || pg_get_expr(c.relpartbound, c.oid) END",
			"CASE WHEN NOT c.relispartition THEN (SELECT 'inherits ' || string_agg(h.inhparent::regclass::text, ', ' ORDER BY h.inhseqno) FROM pg_inherits h WHERE h.inhrelid = c.oid) END",
			"'of ' || format_type(nullif(c.reloftype, 0), NULL)", "'options ' || "+sorted("c.reloptions"), "(SELECT 'toast options ' || "+sorted("x.reloptions")+" FROM pg_class x WHERE x.oid = c.reltoastrelid)",
			"(SELECT 'tablespace ' || s.spcname FROM pg_tablespace s WHERE s.oid = c.reltablespace)", "(SELECT 'using ' || m.amname FROM pg_am m WHERE m.oid = c.relam AND m.amname <> 'heap')",
			flag("c.relrowsecurity", "row security"), flag("c.relforcerowsecurity", "row security forced"),
			"CASE c.relreplident WHEN 'n' THEN 'replica identity nothing' WHEN 'f' THEN 'replica identity full' WHEN 'i' THEN 'replica identity by index' END",
			"(SELECT 'server ' || s.srvname || coalesce(' ' || "+sorted("f.ftoptions")+", '') FROM pg_foreign_table f JOIN pg_foreign_server s ON s.oid = f.ftserver WHERE f.ftrelid = c.oid)") +
			fromRelations("'r', 'p', 'v', 'm', 'f', 'c'", ""),

		`SELECT 'column ' || ` + relation + ` || '.' || a.attname, ` + with("format_type(a.atttypid, a.atttypmod)", "CASE WHEN a.attcollation <> t.typcollation THEN 'collation ' || a.attcollation::regcollation END",
			flag("a.attnotnull", "not null"), "CASE a.attgenerated WHEN 's' THEN 'generated ' WHEN 'v' THEN 'virtual ' ELSE 'default ' END || pg_get_expr(d.adbin, d.adrelid)",
			"CASE a.attidentity WHEN 'a' THEN 'identity always' WHEN 'd' THEN 'identity by default' END", "CASE WHEN a.attstorage <> t.typstorage THEN 'storage ' || a.attstorage::text END",
			"'compression ' || nullif(to_jsonb(a) ->> 'attcompression', '')", "'statistics ' || nullif(nullif(to_jsonb(a) ->> 'attstattarget', '-1'), '')",
			"'options ' || "+declared("a.attoptions"), "'foreign options ' || "+sorted("a.attfdwoptions"), flag("NOT a.attislocal", "inherited")) +
			fromRelations("'r', 'p', 'v', 'm', 'f', 'c'", "JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped JOIN pg_type t ON t.oid = a.atttypid LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum"),

		`SELECT 'constraint ' || ` + relation + ` || '.' || k.conname, ` + with("pg_get_constraintdef(k.oid)", flag("k.contype = 't'", "trigger"), flag("NOT k.conislocal", "inherited")) +
			fromRelations("'r', 'p', 'f'", "JOIN pg_constraint k ON k.conrelid = c.oid AND k.conparentid = 0 AND (k.contype <> 'n' OR NOT k.convalidated)"),
		`SELECT 'constraint ' || ` + named("n.nspname", "t.typname") + ` || '.' || k.conname, pg_get_constraintdef(k.oid) FROM pg_constraint k JOIN pg_type t ON t.oid = k.contypid JOIN pg_namespace n ON n.oid = t.typnamespace
		WHERE k.contype <> 'n' AND ` + ours("pg_type", "t.oid"),

		// A partition's part of an index has a name that the server made up, from what was free then.
		`SELECT CASE WHEN c.relispartition THEN 'part of index ' || ` + partOf + ` || ' on ' || i.indrelid::regclass ELSE 'index ' || ` + relation + ` END, ` + with(index, flag("NOT i.indisvalid", "INVALID"), flag("NOT i.indisready", "not ready"),
			flag("i.indisreplident", "replica identity"), flag("i.indisclustered", "clustered"), flag("NOT i.indimmediate", "deferrable"),
			"(SELECT 'tablespace ' || s.spcname FROM pg_tablespace s WHERE s.oid = c.reltablespace)",
			"(SELECT 'statistics ' || string_agg(a.attname || ' ' || (to_jsonb(a) ->> 'attstattarget'), ' ' ORDER BY a.attnum) FROM pg_attribute a WHERE a.attrelid = c.oid AND (to_jsonb(a) ->> 'attstattarget') NOT IN ('-1', ''))") +
			fromRelations("'i', 'I'", "JOIN pg_index i ON i.indexrelid = c.oid"),

		`SELECT ` + relationKind + ` || ' ' || ` + relation + ` || ' (query)', pg_get_viewdef(c.oid)` + fromRelations("'v', 'm'", ""),

		`SELECT 'sequence ' || ` + relation + `, ` + with("format_type(s.seqtypid, NULL)", "'start ' || s.seqstart", "'increment ' || s.seqincrement", "'min ' || s.seqmin", "'max ' || s.seqmax", "'cache ' || s.seqcache", flag("s.seqcycle", "cycle"),
			"(SELECT 'of column ' || d.refobjid::regclass || '.' || a.attname FROM pg_depend d JOIN pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.refclassid = 'pg_class'::regclass AND d.deptype IN ('a', 'i'))",
			flag("c.relpersistence = 'u'", "unlogged")) + fromRelations("'S'", "JOIN pg_sequence s ON s.seqrelid = c.oid"),

		`SELECT CASE p.prokind WHEN 'p' THEN 'procedure ' WHEN 'a' THEN 'aggregate ' ELSE 'function ' END || ` + named("n.nspname", "p.proname") + ` || '(' || oidvectortypes(p.proargtypes) || ')',
			CASE WHEN p.prokind <> 'a' THEN pg_get_functiondef(p.oid) ELSE (SELECT ` + with("pg_get_function_arguments(p.oid)", "pg_get_function_result(p.oid)", "g.aggtransfn::text", "g.aggfinalfn::text", "g.aggcombinefn::text", "g.aggserialfn::text",
			"g.aggdeserialfn::text", "g.aggmtransfn::text", "g.aggminvtransfn::text", "g.aggmfinalfn::text", "g.aggtranstype::regtype::text", "g.agginitval", "g.aggminitval", "g.aggkind::text", "g.aggsortop::regoperator::text", "g.aggfinalmodify::text", "p.proparallel::text") + ` FROM pg_aggregate g WHERE g.aggfnoid = p.oid) END
		FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE ` + ours("pg_proc", "p.oid") + ` AND NOT EXISTS (SELECT FROM pg_depend i WHERE i.classid = 'pg_proc'::regclass AND i.objid = p.oid AND i.deptype = 'i')`,

		`SELECT 'trigger ' || ` + relation + ` || '.' || t.tgname, ` + with("regexp_replace(pg_get_triggerdef(t.oid), ' UPDATE OF .*? ON ', ' UPDATE OF ' || (SELECT string_agg(quote_ident(a.attname), ', ' ORDER BY a.attname) FROM pg_attribute a WHERE a.attrelid = t.tgrelid AND a.attnum = ANY (t.tgattr)) || ' ON ')", "CASE t.tgenabled WHEN 'D' THEN 'disabled' WHEN 'R' THEN 'replica' WHEN 'A' THEN 'always' END") +
			fromRelations("'r', 'p', 'v', 'm', 'f'", "JOIN pg_trigger t ON t.tgrelid = c.oid AND NOT t.tgisinternal"),
		`SELECT 'policy ' || ` + relation + ` || '.' || p.polname, ` + with("CASE p.polcmd WHEN '*' THEN 'all' WHEN 'r' THEN 'select' WHEN 'a' THEN 'insert' WHEN 'w' THEN 'update' WHEN 'd' THEN 'delete' END", flag("NOT p.polpermissive", "restrictive"),
			"(SELECT 'to ' || string_agg(CASE r WHEN 0 THEN 'public' ELSE r::regrole::text END, ', ' ORDER BY r) FROM unnest(p.polroles) r)", "'using ' || pg_get_expr(p.polqual, p.polrelid)", "'with check ' || pg_get_expr(p.polwithcheck, p.polrelid)") +
			fromRelations("'r', 'p'", "JOIN pg_policy p ON p.polrelid = c.oid"),
		`SELECT 'rule ' || ` + relation + ` || '.' || r.rulename, ` + with("pg_get_ruledef(r.oid)", "CASE r.ev_enabled WHEN 'D' THEN 'disabled' WHEN 'R' THEN 'replica' WHEN 'A' THEN 'always' END") +
			fromRelations("'r', 'p', 'v', 'm', 'f'", "JOIN pg_rewrite r ON r.ev_class = c.oid AND r.rulename <> '_RETURN'"),

		`SELECT 'statistics ' || ` + named("n.nspname", "s.stxname") + `, ` + with("pg_get_statisticsobjdef(s.oid)", "'target ' || nullif(nullif(to_jsonb(s) ->> 'stxstattarget', '-1'), '')") + ` FROM pg_statistic_ext s JOIN pg_namespace n ON n.oid = s.stxnamespace WHERE ` + ours("pg_statistic_ext", "s.oid"),
		`SELECT 'publication ' || p.pubname, (to_jsonb(p) - 'oid' - 'pubowner')::text FROM pg_publication p`,
		`SELECT 'table ' || p.schemaname || '.' || p.tablename || ' of publication ' || p.pubname, to_jsonb(p)::text FROM pg_publication_tables p`,
		`SELECT 'event trigger ' || e.evtname, ` + with("e.evtevent", "e.evtfoid::regproc::text", "e.evtenabled::text", "e.evttags::text") + ` FROM pg_event_trigger e`,

		`SELECT ` + describe("pg_operator", "o.oid") + `, ` + with("o.oprcode::text", "o.oprcom::regoperator::text", "o.oprnegate::regoperator::text", "o.oprrest::text", "o.oprjoin::text", flag("o.oprcanmerge", "merges"), flag("o.oprcanhash", "hashes")) +
			` FROM pg_operator o JOIN pg_namespace n ON n.oid = o.oprnamespace WHERE ` + ours("pg_operator", "o.oid"),
		`SELECT ` + describe("pg_cast", "k.oid") + `, ` + with("k.castfunc::regprocedure::text", "k.castcontext::text", "k.castmethod::text") + ` FROM pg_cast k WHERE k.oid >= 16384 AND NOT EXISTS (SELECT FROM pg_depend e WHERE e.classid = 'pg_cast'::regclass AND e.objid = k.oid AND e.deptype = 'e')`,
		`SELECT ` + describe("pg_opclass", "o.oid") + `, ` + with("o.opcintype::regtype::text", flag("o.opcdefault", "default")) + ` FROM pg_opclass o JOIN pg_namespace n ON n.oid = o.opcnamespace WHERE ` + ours("pg_opclass", "o.oid"),
		`SELECT 'member of ' || ` + describe("pg_opfamily", "f.oid") + ` || ': ' || m.what, 'there' FROM pg_opfamily f JOIN pg_namespace n ON n.oid = f.opfnamespace JOIN (SELECT o.amopfamily, o.amopstrategy || ' ' || o.amopopr::regoperator FROM pg_amop o
			UNION ALL SELECT p.amprocfamily, p.amprocnum || ' ' || p.amproc::regprocedure || ' for ' || p.amproclefttype::regtype || ', ' || p.amprocrighttype::regtype FROM pg_amproc p) m (family, what) ON m.family = f.oid WHERE ` + ours("pg_opfamily", "f.oid"),
		`SELECT ` + describe("pg_collation", "c.oid") + `, (to_jsonb(c) - 'oid' - 'collnamespace' - 'collowner' - 'collversion')::text FROM pg_collation c JOIN pg_namespace n ON n.oid = c.collnamespace WHERE ` + ours("pg_collation", "c.oid"),
		`SELECT ` + describe("pg_conversion", "c.oid") + `, ` + with("c.conforencoding::text", "c.contoencoding::text", "c.conproc::text", "c.condefault::text") + ` FROM pg_conversion c JOIN pg_namespace n ON n.oid = c.connamespace WHERE ` + ours("pg_conversion", "c.oid"),
		`SELECT ` + describe("pg_ts_dict", "d.oid") + `, ` + with("t.tmplname", "d.dictinitoption") + ` FROM pg_ts_dict d JOIN pg_namespace n ON n.oid = d.dictnamespace JOIN pg_ts_template t ON t.oid = d.dicttemplate WHERE ` + ours("pg_ts_dict", "d.oid"),
		`SELECT ` + describe("pg_ts_config", "c.oid") + `, ` + with("p.prsname", "(SELECT string_agg(m.maptokentype || ' ' || m.mapseqno || ' ' || m.mapdict::regdictionary, ', ' ORDER BY m.maptokentype, m.mapseqno) FROM pg_ts_config_map m WHERE m.mapcfg = c.oid)") +
			` FROM pg_ts_config c JOIN pg_namespace n ON n.oid = c.cfgnamespace JOIN pg_ts_parser p ON p.oid = c.cfgparser WHERE ` + ours("pg_ts_config", "c.oid"),
		`SELECT 'foreign-data wrapper ' || w.fdwname, ` + with("w.fdwhandler::regproc::text", "w.fdwvalidator::regproc::text", sorted("w.fdwoptions")) + ` FROM pg_foreign_data_wrapper w`,
		`SELECT 'server ' || s.srvname, ` + with("w.fdwname", "s.srvtype", "s.srvversion", sorted("s.srvoptions")) + ` FROM pg_foreign_server s JOIN pg_foreign_data_wrapper w ON w.oid = s.srvfdw`,
		`SELECT 'user mapping for ' || u.usename || ' on ' || u.srvname, coalesce(` + sorted("u.umoptions") + `, '') FROM pg_user_mappings u`,
		`SELECT 'language ' || l.lanname, ` + with("l.lanpltrusted::text", "l.lanplcallfoid::regproc::text") + ` FROM pg_language l`,
		`SELECT 'access method ' || m.amname, ` + with("m.amtype::text", "m.amhandler::text") + ` FROM pg_am m`,
		`SELECT ` + describe("pg_transform", "t.oid") + `, ` + with("t.trffromsql::text", "t.trftosql::text") + ` FROM pg_transform t`,

		`SELECT 'comment on ' || pg_describe_object(d.classoid, d.objoid, d.objsubid), d.description FROM pg_description d WHERE d.objoid >= 16384 OR d.classoid = 'pg_namespace'::regclass`,
		`SELECT 'privileges on ' || ` + relationKind + ` || ' ' || ` + relation + `, CASE c.relkind WHEN 'S' THEN ` + mayDo("c.relacl", "s", "c.relowner") + ` ELSE ` + mayDo("c.relacl", "r", "c.relowner") + ` END` + fromRelations("'r', 'p', 'v', 'm', 'f', 'S'", ""),
		`SELECT 'privileges on column ' || ` + relation + ` || '.' || a.attname, ` + mayDo("a.attacl", "c", "c.relowner") + fromRelations("'r', 'p', 'v', 'm', 'f'", "JOIN pg_attribute a ON a.attrelid = c.oid AND a.attacl <> '{}' AND NOT a.attisdropped"),
		`SELECT 'privileges on ' || ` + describe("pg_proc", "p.oid") + `, ` + mayDo("p.proacl", "f", "p.proowner") + ` FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE ` + ours("pg_proc", "p.oid"),
		`SELECT 'privileges on type ' || ` + named("n.nspname", "t.typname") + `, ` + mayDo("t.typacl", "T", "t.typowner") + ` FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace WHERE t.typacl IS NOT NULL AND ` + ours("pg_type", "t.oid"),
		`SELECT 'privileges on schema ' || n.nspname, ` + mayDo("n.nspacl", "n", "n.nspowner") + ` FROM pg_namespace n WHERE ` + ours("pg_namespace", "n.oid"),
		`SELECT 'privileges on server ' || s.srvname, ` + mayDo("s.srvacl", "S", "s.srvowner") + ` FROM pg_foreign_server s`,
		`SELECT 'privileges on foreign-data wrapper ' || w.fdwname, ` + mayDo("w.fdwacl", "F", "w.fdwowner") + ` FROM pg_foreign_data_wrapper w`,
		`SELECT 'privileges on language ' || l.lanname, ` + mayDo("l.lanacl", "l", "l.lanowner") + ` FROM pg_language l`,
		`SELECT 'default privileges of ' || d.defaclrole::regrole || coalesce(' in ' || n.nspname, '') || ' on ' || d.defaclobjtype::text, ` + mayDo("d.defaclacl", "r", "d.defaclrole") + ` FROM pg_default_acl d LEFT JOIN pg_namespace n ON n.oid = d.defaclnamespace`,

		`SELECT '` + ownerOf + `' || ` + relationKind + ` || ' ' || ` + relation + `, c.relowner::regrole::text` + fromRelations("'r', 'p', 'v', 'm', 'f', 'S', 'c'", "") + ` AND c.relowner <> current_user::regrole`,
		`SELECT '` + ownerOf + `' || ` + describe("pg_proc", "p.oid") + `, p.proowner::regrole::text FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE p.proowner <> current_user::regrole AND ` + ours("pg_proc", "p.oid"),
		`SELECT '` + ownerOf + `type ' || ` + named("n.nspname", "t.typname") + `, t.typowner::regrole::text FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace WHERE t.typtype IN ('e', 'd', 'r') AND t.typowner <> current_user::regrole AND ` + ours("pg_type", "t.oid"),
		`SELECT '` + ownerOf + `schema ' || n.nspname, n.nspowner::regrole::text FROM pg_namespace n WHERE n.nspowner <> current_user::regrole AND ` + ours("pg_namespace", "n.oid"),
	}
}

// facts reads the database's catalog, in the order of the queries.
func (d *database) facts(ctx context.Context) ([]proof.Fact, error) {
	queries := factQueries()
	results, err := d.results(ctx, "SET search_path = pg_catalog, public;\n"+strings.Join(queries, ";\n")+"; SET search_path = public")
	if err != nil {
		return nil, fmt.Errorf("reading the catalog of a scratch database: %w", err)
	}
	var all []proof.Fact
	for _, result := range results {
		for _, r := range texts(result) {
			all = append(all, proof.Fact{What: r[0], Text: orEmpty(r[1]), Optional: strings.HasPrefix(r[0], ownerOf)})
		}
	}
	return all, nil
}

// sameCatalogs says in words where the catalog after the plan differs from the head's.
func sameCatalogs(ctx context.Context, after, head *database) error {
	have, err := after.facts(ctx)
	if err != nil {
		return err
	}
	want, err := head.facts(ctx)
	if err != nil {
		return err
	}
	return proof.SameFacts(have, want)
}
