package catalog_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/dialect/postgres/catalog"
)

// named writes a qualified name as catalog.Name.String does; it is put in the place of @(schema, name) in a query.
const named = `CASE $1 WHEN 'public' THEN '' ELSE $1 || '.' END || $2`

func query(sql string) string {
	for {
		i := strings.Index(sql, "@(")
		if i < 0 {
			return sql
		}
		j := i + strings.IndexByte(sql[i:], ')')
		schemaName, name, _ := strings.Cut(sql[i+2:j], ", ")
		sql = sql[:i] + "(" + strings.NewReplacer("$1", schemaName, "$2", name).Replace(named) + ")" + sql[j+1:]
	}
}

const (
	mine      = "n.nspname IN ('public', 'app')"
	signature = `(SELECT coalesce(string_agg(CASE WHEN typ.typname = 'char' THEN '"char"' ELSE format_type(typ.oid, NULL) END, ', ' ORDER BY ord), CASE p.prokind WHEN 'a' THEN '*' ELSE '' END) FROM unnest(p.proargtypes) WITH ORDINALITY a(o, ord) JOIN pg_type typ ON typ.oid = a.o)`
	routine   = `@(n.nspname, p.proname) || '(' || ` + signature + ` || ')'`
	kind      = `CASE p.prokind WHEN 'f' THEN 'function' WHEN 'w' THEN 'function' WHEN 'p' THEN 'procedure' ELSE 'aggregate' END`
	exploded  = `CASE x.grantee WHEN 0 THEN 'public' ELSE pg_get_userbyid(x.grantee) END || ' ' || string_agg(x.privilege_type || CASE WHEN x.is_grantable THEN '*' ELSE '' END, ',' ORDER BY (x.privilege_type || CASE WHEN x.is_grantable THEN '*' ELSE '' END) COLLATE "C")`
)

// serverQueries ask a server for what serverLikeFacts gives.
var serverQueries = map[string]string{
	"functions": query(`SELECT concat_ws(' ', ` + kind + `, ` + routine + `, provolatile, proparallel, procost, prorows, proisstrict, prosecdef, proleakproof, proretset, pronargdefaults,
		(SELECT string_agg(o, '; ' ORDER BY o COLLATE "C") FROM unnest(proconfig) o), CASE WHEN pg_get_userbyid(proowner) LIKE '%bob' THEN 'bob' END)
		FROM pg_proc p JOIN pg_namespace n ON n.oid = pronamespace WHERE ` + mine + ` AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'i')`),
	"triggers": query(`SELECT concat_ws(' ', @(n.nspname, relname) || '.' || tgname,
		CASE WHEN tgtype & 2 > 0 THEN 'before' WHEN tgtype & 64 > 0 THEN 'instead of' ELSE 'after' END,
		concat_ws(',', CASE WHEN tgtype & 8 > 0 THEN 'delete' END, CASE WHEN tgtype & 4 > 0 THEN 'insert' END, CASE WHEN tgtype & 32 > 0 THEN 'truncate' END, CASE WHEN tgtype & 16 > 0 THEN 'update' END),
		'(' || coalesce((SELECT string_agg(attname, ',' ORDER BY attname COLLATE "C") FROM pg_attribute WHERE attrelid = tgrelid AND attnum = ANY (tgattr)), '') || ')',
		tgtype & 1 > 0, tgenabled, tgqual IS NOT NULL, tgconstraint <> 0, tgdeferrable, tginitdeferred, tgparentid <> 0, tgnargs, nullif(replace(encode(tgargs, 'escape'), '\000', ';'), ''), tgoldtable, tgnewtable,
		(SELECT relname FROM pg_class WHERE oid = tgconstrrelid))
		FROM pg_trigger JOIN pg_class r ON r.oid = tgrelid JOIN pg_namespace n ON n.oid = relnamespace WHERE NOT tgisinternal`),
	"policies": query(`SELECT concat_ws(' ', @(schemaname, tablename) || '.' || policyname, lower(permissive), lower(cmd), array_to_string(roles, ','), qual IS NOT NULL, regexp_replace(with_check, '[() ]', '', 'g')) FROM pg_policies`),
	"rules": query(`SELECT concat_ws(' ', @(n.nspname, relname) || '.' || rulename, ev_type, is_instead, ev_enabled)
		FROM pg_rewrite JOIN pg_class r ON r.oid = ev_class JOIN pg_namespace n ON n.oid = relnamespace WHERE ` + mine + ` AND rulename <> '_RETURN'`),
	"enums": query(`SELECT @(n.nspname, typname) || ' ' || string_agg(enumlabel, ',' ORDER BY enumsortorder) FROM pg_enum JOIN pg_type t ON t.oid = enumtypid JOIN pg_namespace n ON n.oid = typnamespace GROUP BY n.nspname, typname`),
	"composites": query(`SELECT @(n.nspname, relname) || ' ' || string_agg(attname || ' ' || format_type(atttypid, NULL), ',' ORDER BY attnum) FROM pg_class r JOIN pg_namespace n ON n.oid = relnamespace
		JOIN pg_attribute ON attrelid = r.oid WHERE relkind = 'c' AND NOT attisdropped GROUP BY n.nspname, relname`),
	"ranges": query(`SELECT concat_ws(' ', @(n.nspname, t.typname), format_type(rngsubtype, NULL)) FROM pg_range JOIN pg_type t ON t.oid = rngtypid JOIN pg_namespace n ON n.oid = t.typnamespace WHERE ` + mine),
	"domains": query(`SELECT concat_ws(' ', @(n.nspname, typname), format_type(typbasetype, NULL), typnotnull, typdefault IS NOT NULL,
		(SELECT string_agg(conname || CASE WHEN convalidated THEN '' ELSE '!' END, ',' ORDER BY conname COLLATE "C") FROM pg_constraint WHERE contypid = t.oid)) FROM pg_type t JOIN pg_namespace n ON n.oid = typnamespace WHERE typtype = 'd' AND ` + mine),
	"statistics": query(`SELECT concat_ws(' ', @(n.nspname, stxname), (SELECT relname FROM pg_class WHERE oid = stxrelid), (SELECT string_agg(attname, ',' ORDER BY attname COLLATE "C") FROM pg_attribute WHERE attrelid = stxrelid AND attnum = ANY (stxkeys)),
		(SELECT string_agg(k, '' ORDER BY k) FROM unnest(stxkind) k WHERE k <> 'e'), stxstattarget) FROM pg_statistic_ext JOIN pg_namespace n ON n.oid = stxnamespace`),
	"event triggers":   `SELECT concat_ws(' ', evtname, evtevent, evtenabled, array_to_string(ARRAY(SELECT unnest(evttags) ORDER BY 1), ','), evtfoid::regproc || '()') FROM pg_event_trigger`,
	"publications":     `SELECT concat_ws(' ', pubname, puballtables, concat_ws(',', CASE WHEN pubdelete THEN 'delete' END, CASE WHEN pubinsert THEN 'insert' END, CASE WHEN pubtruncate THEN 'truncate' END, CASE WHEN pubupdate THEN 'update' END), pubviaroot) FROM pg_publication`,
	"published tables": `SELECT concat_ws(' ', pubname, prrelid::regclass, (SELECT string_agg(attname, ',' ORDER BY attname COLLATE "C") FROM pg_attribute WHERE attrelid = prrelid AND attnum = ANY (prattrs)), prqual IS NOT NULL) FROM pg_publication_rel JOIN pg_publication p ON p.oid = prpubid`,
	"comments":         `SELECT description FROM pg_description WHERE objoid >= 16384`,
	"views": query(`SELECT concat_ws(' ', @(n.nspname, relname), relkind, (SELECT string_agg(o, ',' ORDER BY o COLLATE "C") FROM unnest(reloptions) o), (SELECT count(*) FROM pg_attrdef WHERE adrelid = r.oid))
		FROM pg_class r JOIN pg_namespace n ON n.oid = relnamespace WHERE relkind IN ('v', 'm') AND ` + mine),
	"view columns": query(`SELECT @(n.nspname, relname) || ' ' || string_agg(attname, ',' ORDER BY attnum) FROM pg_class r JOIN pg_namespace n ON n.oid = relnamespace JOIN pg_attribute ON attrelid = r.oid AND attnum > 0
		WHERE (relname, relkind) IN (('v', 'v'), ('w', 'v'), ('counting', 'v'), ('m', 'm')) GROUP BY n.nspname, relname`),
	"grants on relations": query(`SELECT CASE relkind WHEN 'S' THEN 'sequence' ELSE 'table' END || ' ' || @(n.nspname, relname) || ' to ' || ` + exploded + `
		FROM pg_class r JOIN pg_namespace n ON n.oid = relnamespace, aclexplode(relacl) x WHERE ` + mine + ` AND x.grantee <> relowner GROUP BY relkind, n.nspname, relname, x.grantee`),
	"grants on columns": query(`SELECT 'table ' || @(n.nspname, relname) || ' to ' || ` + strings.ReplaceAll(exploded, "x.privilege_type ||", "x.privilege_type || '(' || quote_ident(attname) || ')' ||") + `
		FROM pg_class r JOIN pg_namespace n ON n.oid = relnamespace JOIN pg_attribute ON attrelid = r.oid AND NOT attisdropped, aclexplode(attacl) x WHERE ` + mine + ` AND x.grantee <> relowner GROUP BY n.nspname, relname, x.grantee`),
	"grants on functions": query(`SELECT ` + kind + ` || ' ' || ` + routine + ` || ' to ' || ` + exploded + ` FROM pg_proc p JOIN pg_namespace n ON n.oid = pronamespace, aclexplode(coalesce(proacl, acldefault('f', proowner))) x
		WHERE ` + mine + ` AND x.grantee <> proowner AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'i') GROUP BY p.prokind, p.proargtypes, n.nspname, p.proname, x.grantee`),
	"grants on schemas": `SELECT 'schema ' || nspname || ' to ' || ` + exploded + ` FROM pg_namespace n, aclexplode(nspacl) x WHERE ` + mine + ` AND x.grantee <> nspowner GROUP BY nspname, x.grantee`,
	"grants on types": query(`SELECT CASE typtype WHEN 'd' THEN 'domain' ELSE 'type' END || ' ' || @(n.nspname, typname) || ' to ' || ` + exploded + ` FROM pg_type JOIN pg_namespace n ON n.oid = typnamespace, aclexplode(typacl) x
		WHERE ` + mine + ` AND x.grantee <> typowner AND (typname = 'temper' AND x.grantee <> 0 OR typname = 'short') GROUP BY typtype, n.nspname, typname, x.grantee`),
	"grants on servers":  `SELECT 'server ' || srvname || ' to ' || ` + exploded + ` FROM pg_foreign_server, aclexplode(srvacl) x WHERE x.grantee <> srvowner GROUP BY srvname, x.grantee`,
	"default privileges": `SELECT concat_ws(' ', CASE WHEN pg_get_userbyid(defaclrole) LIKE '%bob' THEN pg_get_userbyid(defaclrole) END, 'in', nspname, 'on', CASE defaclobjtype WHEN 'r' THEN 'tables' ELSE 'functions' END, 'to', ` + exploded + `) FROM pg_default_acl JOIN pg_namespace n ON n.oid = defaclnamespace, aclexplode(defaclacl) x GROUP BY defaclrole, nspname, defaclobjtype, x.grantee`,
	"carried as text": query(`SELECT 'operator ' || @(n.nspname, oprname) || '(' || format_type(oprleft, NULL) || ', ' || format_type(oprright, NULL) || ')' FROM pg_operator JOIN pg_namespace n ON n.oid = oprnamespace WHERE ` + mine + `
		UNION ALL SELECT 'operator family ' || @(n.nspname, opfname) || ' using ' || amname FROM pg_opfamily JOIN pg_am a ON a.oid = opfmethod JOIN pg_namespace n ON n.oid = opfnamespace WHERE ` + mine + `
		UNION ALL SELECT 'cast (' || format_type(castsource, NULL) || ' AS ' || format_type(casttarget, NULL) || ')' FROM pg_cast WHERE oid >= 16384 AND castfunc >= 16384 AND castcontext = 'a'
		UNION ALL SELECT 'collation ' || @(n.nspname, collname) FROM pg_collation JOIN pg_namespace n ON n.oid = collnamespace WHERE ` + mine + `
		UNION ALL SELECT 'text search configuration ' || @(n.nspname, cfgname) FROM pg_ts_config JOIN pg_namespace n ON n.oid = cfgnamespace WHERE ` + mine + `
		UNION ALL SELECT 'text search dictionary ' || @(n.nspname, dictname) FROM pg_ts_dict JOIN pg_namespace n ON n.oid = dictnamespace WHERE ` + mine + `
		UNION ALL SELECT 'foreign data wrapper ' || fdwname FROM pg_foreign_data_wrapper UNION ALL SELECT 'server ' || srvname FROM pg_foreign_server UNION ALL SELECT 'user mapping for ' || usename || ' server ' || srvname FROM pg_user_mappings`),
	"schemas": `SELECT nspname || ' ' || pg_get_userbyid(nspowner) FROM pg_namespace WHERE nspname = 'app'`,
}

// serverLikeFacts writes what the catalog has in the words of serverQueries.
func serverLikeFacts(c *catalog.Catalog) map[string][]string {
	list := map[string][]string{}
	add := func(what string, words ...any) {
		var kept []string
		for _, w := range words {
			if s := asServer(w); s != "" {
				kept = append(kept, s)
			}
		}
		list[what] = append(list[what], strings.Join(kept, " "))
	}
	for _, f := range c.Functions {
		functionLikeServer(c, f, add)
	}
	for n, t := range c.Types {
		typeLikeServer(c, n, t, add)
	}
	for n, v := range c.Views {
		kind := "v"
		if v.Materialized {
			kind = "m"
		}
		var options []string
		for _, k := range slices.Sorted(maps.Keys(v.Options)) {
			options = append(options, k+"="+v.Options[k])
		}
		add("views", n, kind, strings.Join(options, ","), len(v.Columns))
		if len(v.Aliases) > 0 {
			add("view columns", n, strings.Join(v.Aliases, ","))
		}
		for _, g := range v.Triggers {
			triggerLikeServer(g, add)
		}
	}
	for _, t := range c.Tables {
		for _, g := range t.Triggers {
			triggerLikeServer(g, add)
		}
	}
	for _, o := range c.Others {
		objectLikeServer(o, add)
	}
	if g := c.Others[[2]string{"grant", "schema public to public"}]; g == nil || !strings.Contains(g.Props["revoked"], "USAGE") {
		add("grants on schemas", "schema public to public USAGE")
	}
	for _, o := range c.Schemas {
		add("schemas", o.Key, o.Owner)
	}
	return list
}

// asServer writes a value as concat_ws does.
func asServer(w any) string {
	switch w := w.(type) {
	case bool:
		return fmt.Sprint(w)[:1]
	case *catalog.Name:
		if w == nil {
			return ""
		}
		return w.String()
	}
	return fmt.Sprint(w)
}

type adder func(what string, words ...any)

func functionLikeServer(c *catalog.Catalog, f *catalog.Function, add adder) {
	cost, rows, defaults := "100", "0", 0
	if f.Kind == "aggregate" || f.Language == "internal" {
		cost = "1"
	}
	if f.SetOf {
		rows = "1000"
	}
	if f.Cost != "" {
		cost = f.Cost
	}
	if f.Rows != "" {
		rows = f.Rows
	}
	for _, a := range f.Args {
		if a.Default != nil {
			defaults++
		}
	}
	var settings []string
	for _, k := range slices.Sorted(maps.Keys(f.Settings)) {
		settings = append(settings, k+"="+f.Settings[k])
	}
	owner := ""
	if strings.HasSuffix(f.Owner, "bob") {
		owner = "bob"
	}
	add("functions", f.Kind, f.ID, f.Volatility[:1], f.Parallel[:1], cost, rows, f.Strict, f.SecurityDefiner, f.Leakproof, f.SetOf, defaults, strings.Join(settings, "; "), owner)
	if g := c.Others[[2]string{"grant", f.Kind + " " + f.ID + " to public"}]; g == nil || g.Props["revoked"] == "" {
		add("grants on functions", f.Kind, f.ID, "to public EXECUTE")
	}
}

func typeLikeServer(c *catalog.Catalog, n catalog.Name, t *catalog.Type, add adder) {
	var parts []string
	switch t.Kind {
	case catalog.Enum:
		add("enums", n, strings.Join(t.Labels, ","))
	case catalog.Range:
		add("ranges", n, c.TypeKey(t.Subtype))
	case catalog.Composite:
		for _, x := range t.Columns {
			parts = append(parts, x.Name+" "+c.TypeKey(x.Type))
		}
		add("composites", n, strings.Join(parts, ","))
	case catalog.Domain:
		for _, k := range t.Checks {
			name := k.Name
			if k.NotValid {
				name += "!"
			}
			parts = append(parts, name)
		}
		slices.Sort(parts)
		add("domains", n, c.TypeKey(t.Base), t.NotNull, t.Default != nil, strings.Join(parts, ","))
	}
}

func triggerLikeServer(g *catalog.Trigger, add adder) {
	enabled := map[string]string{"": "O", "disabled": "D", "replica": "R", "always": "A"}[g.Enabled]
	args := ""
	for _, a := range g.Args {
		args += a + ";"
	}
	add("triggers", g.Table.String()+"."+g.Name, g.Timing, strings.Join(g.Events, ","), "("+strings.Join(g.Columns, ",")+")", g.ForEachRow, enabled, g.When != nil,
		g.Constraint, g.Deferrable, g.Deferred, g.Inherited, len(g.Args), args, g.OldTable, g.NewTable, g.From)
}

func objectLikeServer(o *catalog.Object, add adder) {
	p := o.Props
	enabled := map[string]string{"": "O", "disabled": "D", "replica": "R", "always": "A"}[p["enabled"]]
	switch o.Kind {
	case "policy":
		check := ""
		if o.Check != nil {
			check = strings.NewReplacer("(", "", ")", "", " ", "").Replace(o.Check.Text)
		}
		add("policies", o.Key, map[string]string{"true": "permissive", "false": "restrictive"}[p["permissive"]], p["command"], p["roles"], o.Expr != nil, check)
	case "rule":
		add("rules", o.Key, map[string]string{"update": "2", "insert": "3", "delete": "4"}[p["event"]], p["instead"] == "true", enabled)
	case "statistics":
		kinds := strings.NewReplacer("dependencies", "f", "mcv", "m", "ndistinct", "d", ",", "").Replace(p["kinds"])
		letters := strings.Split(kinds, "")
		slices.Sort(letters)
		add("statistics", o.Key, o.On, p["columns"], strings.Join(letters, ""), cmpOr(p["target"], "-1"))
	case "event_trigger":
		add("event triggers", o.Key, p["event"], enabled, p["tags"], p["function"])
	case "publication":
		add("publications", o.Key, p["all_tables"] == "true", cmpOr(p["publish"], "delete,insert,truncate,update"), p["publish_via_partition_root"] == "true")
	case "publication_table":
		add("published tables", p["name"], o.On, p["columns"], o.Expr != nil)
	case "comment":
		add("comments", p["text"])
	case "opaque":
		add("carried as text", o.Key)
	case "default_privileges":
		add("default privileges", o.Key, p["privileges"])
	case "grant":
		grantLikeServer(o, add)
	}
}

func cmpOr(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

func grantLikeServer(o *catalog.Object, add adder) {
	what := "grants on " + o.Props["kind"] + "s"
	switch o.Props["kind"] {
	case "table", "sequence":
		what = "grants on relations"
	case "procedure", "aggregate", "function":
		what = "grants on functions"
		if o.Props["to"] == "public" { // everyone's are looked at with the function
			return
		}
	case "domain":
		what = "grants on types"
	}
	if o.Props["privileges"] != "" {
		add(what, o.Key, o.Props["privileges"])
	}
	if o.Props["columns"] != "" {
		add("grants on columns", o.Key, o.Props["columns"])
	}
}
