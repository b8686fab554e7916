package builtin

import "slices"

// extension is what an extension makes that schemas name.
type extension struct {
	types     []string
	relations []string
}

// extensions are those that PostgreSQL 15 brings (contrib) and those of others that are met often. What is made is said for the
// newest versions. Arrays and the row types of relations are left out.
var extensions = map[string]extension{
	// PostgreSQL 15, appendix F
	"adminpack":          {},
	"amcheck":            {},
	"autoinc":            {},
	"bloom":              {},
	"btree_gin":          {},
	"btree_gist":         {types: []string{"gbtreekey16", "gbtreekey2", "gbtreekey32", "gbtreekey4", "gbtreekey8", "gbtreekey_var"}},
	"citext":             {types: []string{"citext"}},
	"cube":               {types: []string{"cube"}},
	"dblink":             {types: []string{"dblink_pkey_results"}},
	"dict_int":           {},
	"dict_xsyn":          {},
	"earthdistance":      {types: []string{"earth"}},
	"file_fdw":           {},
	"fuzzystrmatch":      {},
	"hstore":             {types: []string{"ghstore", "hstore"}},
	"insert_username":    {},
	"intagg":             {},
	"intarray":           {types: []string{"intbig_gkey", "query_int"}},
	"isn":                {types: []string{"ean13", "isbn", "isbn13", "ismn", "ismn13", "issn", "issn13", "upc"}},
	"lo":                 {types: []string{"lo"}},
	"ltree":              {types: []string{"lquery", "ltree", "ltree_gist", "ltxtquery"}},
	"moddatetime":        {},
	"old_snapshot":       {},
	"pageinspect":        {},
	"pg_buffercache":     {relations: []string{"pg_buffercache"}},
	"pg_freespacemap":    {},
	"pg_prewarm":         {},
	"pg_stat_statements": {relations: []string{"pg_stat_statements", "pg_stat_statements_info"}},
	"pg_surgery":         {},
	"pg_trgm":            {types: []string{"gtrgm"}},
	"pg_visibility":      {},
	"pg_walinspect":      {},
	"pgcrypto":           {},
	"pgrowlocks":         {},
	"pgstattuple":        {},
	"plpgsql":            {},
	"postgres_fdw":       {},
	"refint":             {},
	"seg":                {types: []string{"seg"}},
	"sslinfo":            {},
	"tablefunc":          {types: []string{"tablefunc_crosstab_2", "tablefunc_crosstab_3", "tablefunc_crosstab_4"}},
	"tcn":                {},
	"tsm_system_rows":    {},
	"tsm_system_time":    {},
	"unaccent":           {},
	"uuid-ossp":          {},
	"xml2":               {},

	// Others: PostGIS 3, pgvector 0.8, pg_cron 1.6, pg_partman 5
	"postgis": {
		types:     []string{"box2d", "box2df", "box3d", "geography", "geometry", "geometry_dump", "gidx", "spheroid", "valid_detail"},
		relations: []string{"geography_columns", "geometry_columns", "spatial_ref_sys"},
	},
	"postgis_raster": {
		types: []string{"addbandarg", "agg_count", "agg_samealignment", "geomval", "quantile", "rastbandarg", "raster", "reclassarg",
			"summarystats", "summarystatsagg", "unionarg", "valuecount"},
		relations: []string{"raster_columns", "raster_overviews"},
	},
	"vector":      {types: []string{"halfvec", "sparsevec", "vector"}},
	"pg_cron":     {},
	"pg_partman":  {types: []string{"check_default_table"}, relations: []string{"part_config", "part_config_sub", "table_privs"}},
	"timescaledb": {},
}

// ExtensionTypes gives the names of the types that an extension makes, without schema and sorted. It is not ok when the extension is
// not known: it can make whatever it likes. What an extension makes in a schema of its own, under a name it does not share with
// the schema it is installed in, is left out (PostgreSQL 15, appendix F, and the extensions' scripts).
func ExtensionTypes(extension string) (types []string, ok bool) {
	e, ok := extensions[extension]
	return slices.Clone(e.types), ok
}

// ExtensionRelations gives the names of the tables and views that an extension makes, without schema and sorted; none for an
// extension that is not known.
func ExtensionRelations(extension string) []string {
	return slices.Clone(extensions[extension].relations)
}
