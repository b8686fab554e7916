package dialect_test

// sqlType is a type that a random column may have.
type sqlType struct {
	name, family string
	also         []string // other names of it
	values       []string // besides those of its family
}

var sqlTypes = []sqlType{
	{"integer", "int", []string{"int", "int4"}, []string{"2147483647", "-2147483648"}},
	{"bigint", "int", []string{"int8"}, []string{"9007199254740993"}},
	{"smallint", "int", []string{"int2"}, nil},
	{"numeric(10,2)", "num", []string{"decimal(10, 2)"}, []string{"12345678.90"}},
	{"numeric(12,4)", "num", nil, []string{"0.0001"}},
	{"numeric", "num", []string{"decimal"}, []string{"1.500", "123456789012345678901234567890.5"}},
	{"double precision", "float", []string{"float8", "float"}, []string{"1e100", "0.30000000000000004"}},
	{"real", "float", []string{"float4"}, nil},
	{"text", "text", nil, []string{"a much longer text than any other of these"}},
	{"character varying(20)", "text", []string{"varchar(20)"}, nil},
	{"character varying(50)", "text", []string{"varchar(50)"}, []string{"a text of more than twenty characters"}},
	{"character varying", "text", []string{"varchar"}, nil},
	{"character(8)", "char", []string{"char(8)"}, nil},
	{"boolean", "bool", []string{"bool"}, nil},
	{"date", "date", nil, nil},
	{"timestamp without time zone", "ts", []string{"timestamp"}, []string{"2024-05-06 07:08:09.123456"}},
	{"timestamp(3) without time zone", "ts", []string{"timestamp(3)"}, []string{"2024-05-06 07:08:09.123"}},
	{"timestamp with time zone", "tstz", []string{"timestamptz"}, []string{"2024-05-06 07:08:09.123456+02"}},
	{"timestamp(0) with time zone", "tstz", []string{"timestamptz(0)"}, nil},
	{"time without time zone", "time", []string{"time"}, nil},
	{"interval", "interval", nil, nil},
	{"uuid", "uuid", nil, nil},
	{"json", "json", nil, nil},
	{"jsonb", "jsonb", nil, nil},
	{"bytea", "bytea", nil, nil},
	{"inet", "inet", nil, nil},
	{"int4range", "range", nil, nil},
	{"integer[]", "int[]", []string{"int[]", "int4 array"}, nil},
	{"text[]", "text[]", nil, nil},
}

// sqlFamily is what can be said of the columns of a family. In expressions $ is the column.
type sqlFamily struct {
	values   []string // as literals without quotes around them
	defaults []string
	checks   []string
	computed [][2]string // expressions, and their types
	indexes  []string    // expressions
	shown    [][2]string // expressions of views, and their types ("" = of no matter)
}

var sqlFamilies = map[string]sqlFamily{
	"int": {values: []string{"0", "1", "2", "3", "7", "-3", "32767"},
		defaults: []string{"0", "7", "-1", "(1 + 2)", "'5'", "NULL", "(+3)", "abs(-4)"},
		checks: []string{"$ > -10", "$ >= -100 AND $ < 3000000000", "$ IN (0, 1, 2, 3, 7, -3)", "$ BETWEEN -5 AND 500000", "$ <> 5 OR $ IS NULL", "NOT ($ = 4)", "abs($ / 2) < 99999999", "$ % 2 >= 0 OR $ < 0",
			"$ = ANY (ARRAY[1, 2, 3, 7])", "$ NOT IN (4, 5)", "$ IS DISTINCT FROM 9", "coalesce($, 0) > -50", "(CASE WHEN $ > 5 THEN 1 ELSE 2 END) > 0", "$::numeric > -100.5", "$ > -10 AND ($ < 5 OR $ > 6) AND $ <> 8"},
		computed: [][2]string{{"$ / 2", "bigint"}, {"$ % 10", "integer"}, {"($::bigint + 1)", "bigint"}, {"$::text || '!'", "text"}, {"CASE WHEN $ > 2 THEN 'big' ELSE 'small' END", "text"}, {"$ > 0", "boolean"}},
		indexes:  []string{"($ % 7)", "abs($ / 3)", "($ IS NULL)"},
		shown:    [][2]string{{"$ / 2", ""}, {"$::text", "text"}, {"coalesce($, 0)", ""}, {"CASE WHEN $ > 1 THEN 'x' END", "text"}, {"-$", ""}, {"round($ / 2.0, 1)", "numeric"}, {"($ % 10)::smallint", "smallint"}}},
	"num": {values: []string{"0", "1.5", "-2.25", "7.00", "12.30"},
		defaults: []string{"0", "1.50", "'2.5'", "0.0", "1::numeric", "NULL", "(-1)"},
		checks:   []string{"$ >= -100", "$ > -1000.5", "$ <> 0.13", "$ BETWEEN -10 AND 1e40", "round($, 1) IS NOT NULL OR $ IS NULL", "$ IN (0, 1.5, -2.25, 7, 12.3, 12345678.9)"},
		computed: [][2]string{{"round($, 1)", "numeric"}, {"$ * 2", "numeric"}, {"$ > 0", "boolean"}}, indexes: []string{"round($, 0)", "($ * 2)"},
		shown: [][2]string{{"round($, 1)", "numeric"}, {"$ * 1.2", "numeric"}, {"$::text", "text"}}},
	"float": {values: []string{"0", "0.1", "-2.5", "7"}, defaults: []string{"0", "1.5", "'0.1'", "0.5::real", "NULL"},
		checks: []string{"$ >= -1000", "$ <> 1.25", "$ < 'infinity'", "$ > -1e10"}, computed: [][2]string{{"$ * 2", "double precision"}}, indexes: []string{"floor($)"}, shown: [][2]string{{"$ * 2", ""}}},
	"text": {values: []string{"007", "x ", `it''s "q"`, "A", "a", "ü", "NULL", "b, {c}", "1"},
		defaults: []string{"'a'", "'it''s'", "''", "'x'::text", "'y'::character varying", "NULL", "upper('z')", "'a' || 'b'", "CURRENT_USER", "'v'::varchar(20)", "E'tab\\t'", "lower('Q'::text)"},
		checks: []string{"$ <> ''", "length($) > 0", "char_length($) <= 200", "$ LIKE '%'", "$ NOT LIKE 'zz%'", "$ ILIKE '%' OR $ = 'none'", "$ !~ '^[0-9]{9}$'", "$ IN ('007', 'a', 'A', '1', 'x ')", "$ NOT IN ('bad', 'worse')", "lower($) <> 'bad'", "upper($::text) <> 'X'",
			"$ IS NULL OR trim($) <> ''", "coalesce($, 'x') <> 'y'", "position('xx' in $) = 0", "substring($ from 1 for 2) <> 'zz'", "$ SIMILAR TO '%'", "$ || 'x' <> 'yx'", "CASE WHEN $ = 'a' THEN true ELSE length($) > 0 END", "$ = ANY (ARRAY['007', 'a', 'A']::text[]) OR length($) > 1",
			"$ > '' AND $ < 'zzzz'", "$::text ~~ '%'::text", "NOT $ = 'no'", "$ IS NOT NULL", "$ = 'q' OR $ = 'r' OR $ <> 's'"},
		computed: [][2]string{{"upper($)", "text"}, {"length($)", "integer"}, {"$ || 'x'", "text"}, {"coalesce($, 'none')", "text"}, {"lower(left($, 3))", "character varying"}, {"$ = 'a' OR $ IS NULL", "boolean"}, {"md5($)", "text"}},
		indexes:  []string{"lower($)", "upper($)", "($ || 'x')", "length($)", "coalesce($, '')", "md5($)"},
		shown:    [][2]string{{"upper($)", "text"}, {"$ || '!'", "text"}, {"length($)", "integer"}, {"coalesce($, 'none')", ""}, {"$::text", "text"}, {"nullif($, '')", ""}, {"substring($ from 1 for 3)", "text"}, {"$ LIKE 'a%'", "boolean"}, {"trim(both from $)", "text"}, {"concat($, '-')", "text"}}},
	"char": {values: []string{"007", "x", "A", "a b"}, defaults: []string{"'a'", "'b'::bpchar", "NULL"}, checks: []string{"$ <> 'bad'", "$ IN ('007', 'x', 'A', 'a b')", "length($) >= 0"}, computed: [][2]string{{"upper($)", "text"}}, indexes: []string{"lower($)"}, shown: [][2]string{{"$::text", "text"}}},
	"bool": {values: []string{"t", "f"}, defaults: []string{"true", "false", "'t'", "(NOT true)", "NULL"}, checks: []string{"$ OR NOT $", "$ IS NOT NULL", "$ IN (true, false)", "$ = true OR $ IS NOT TRUE"},
		computed: [][2]string{{"NOT $", "boolean"}, {"CASE WHEN $ THEN 'y' ELSE 'n' END", "text"}}, indexes: []string{"(NOT $)"}, shown: [][2]string{{"NOT $", "boolean"}, {"$ IS TRUE", "boolean"}, {"$::integer", "integer"}}},
	"date": {values: []string{"2024-05-06", "1999-12-31", "infinity"}, defaults: []string{"CURRENT_DATE", "'2024-01-02'", "'2024-01-02'::date", "now()", "NULL"}, checks: []string{"$ > '1900-01-01'", "$ >= DATE '1900-01-01'", "$ BETWEEN '1900-01-01' AND '9999-01-01' OR $ = 'infinity'"},
		computed: [][2]string{{"$ + 1", "date"}, {"$ - DATE '2000-01-01'", "integer"}}, indexes: []string{"($ + 1)"}, shown: [][2]string{{"$ + 1", "date"}, {"extract(year from $)", "numeric"}, {"$ + interval '1 day'", ""}}},
	"ts": {values: []string{"2024-05-06 07:08:09", "1999-12-31 23:59:59.999"}, defaults: []string{"now()", "CURRENT_TIMESTAMP", "LOCALTIMESTAMP", "'2024-01-02 03:04:05'", "timezone('utc', now())", "(now() AT TIME ZONE 'utc')", "NULL"},
		checks: []string{"$ > '1900-01-01'", "$ > timestamp '1900-01-01 00:00:00'", "date_trunc('day', $) > '1900-01-01'"}, computed: [][2]string{{"date_trunc('day', $)", "timestamp without time zone"}, {"$::date", "date"}, {"extract(year from $)::integer", "integer"}},
		indexes: []string{"date_trunc('month', $)", "($::date)"}, shown: [][2]string{{"$::date", "date"}, {"date_trunc('day', $)", "timestamp without time zone"}, {"$ - interval '1 hour'", ""}, {"date_part('hour', $)", "double precision"}}},
	"tstz": {values: []string{"2024-05-06 07:08:09+00", "1999-12-31 23:59:59-05"}, defaults: []string{"now()", "CURRENT_TIMESTAMP", "clock_timestamp()", "'2024-01-02 03:04:05+00'", "now() + interval '1 day'", "statement_timestamp()", "NULL", "CURRENT_TIMESTAMP(0)", "'infinity'::timestamptz"},
		checks: []string{"$ > '1900-01-01 00:00:00+00'", "$ IS NOT NULL", "$ < 'infinity'::timestamptz"}, computed: [][2]string{{"($ AT TIME ZONE 'UTC')", "timestamp without time zone"}}, indexes: []string{"($ AT TIME ZONE 'UTC')"},
		shown: [][2]string{{"$ AT TIME ZONE 'UTC'", "timestamp without time zone"}, {"now() - $", "interval"}, {"date_trunc('day', $)", ""}}},
	"time":      {values: []string{"07:08:09.5", "00:00:00", "23:59:59.999999"}, defaults: []string{"'12:00'", "LOCALTIME", "'12:00'::time", "NULL"}, checks: []string{"$ >= '00:00'", "$ < time '24:00'"}, indexes: []string{"($ - interval '1 hour')"}, shown: [][2]string{{"$ + interval '1 hour'", ""}}},
	"interval":  {values: []string{"1 day", "2 hours 3 minutes", "1 mon -1 days"}, defaults: []string{"'1 day'", "interval '1 hour'", "'01:00:00'", "'1 year'::interval", "NULL"}, checks: []string{"$ < interval '100 years'", "$ > '-1 year'"}, computed: [][2]string{{"$ * 2", "interval"}}, indexes: []string{"($ * 2)"}, shown: [][2]string{{"$ * 2", "interval"}, {"justify_hours($)", "interval"}}},
	"uuid":      {values: []string{"00000000-0000-0000-0000-000000000001", "6ba7b810-9dad-11d1-80b4-00c04fd430c8"}, defaults: []string{"gen_random_uuid()", "'00000000-0000-0000-0000-000000000000'", "NULL"}, checks: []string{"$ <> '00000000-0000-0000-0000-00000000ffff'"}, computed: [][2]string{{"$::text", "text"}}, indexes: []string{"($::text)"}, shown: [][2]string{{"$::text", "text"}}},
	"json":      {values: []string{`{"a":  1}`, "[1, 2]", `"x"`, "null"}, defaults: []string{"'{}'", "'[]'::json", "json_build_object('a', 1)", "NULL"}, checks: []string{"json_typeof($) <> 'number'"}, computed: [][2]string{{"$ ->> 'a'", "text"}}, indexes: []string{"($ ->> 'a')"}, shown: [][2]string{{"$ ->> 'a'", "text"}, {"$ -> 'b'", ""}}},
	"jsonb":     {values: []string{`{"a": 1}`, "[1, 2]", `{"a": "x", "b": {"c": 1.50}}`, "null"}, defaults: []string{"'{}'", "'{}'::jsonb", "'{\"a\": [1, 2]}'", "jsonb_build_object('a', 1)", "NULL"}, checks: []string{"jsonb_typeof($) <> 'number'", "NOT $ ? 'forbidden'", "$ @> '{}' OR jsonb_typeof($) <> 'object'"}, computed: [][2]string{{"$ ->> 'a'", "text"}, {"jsonb_typeof($)", "text"}, {"$ ? 'a'", "boolean"}}, indexes: []string{"($ ->> 'a')", "($ -> 'b' ->> 'c')"}, shown: [][2]string{{"$ ->> 'a'", "text"}, {"$ -> 'b'", "jsonb"}, {"$ #>> '{b,c}'", "text"}, {"jsonb_typeof($)", "text"}}},
	"bytea":     {values: []string{`\x00ff`, `\x`, "abc"}, defaults: []string{`'\x00'`, "''::bytea", "NULL"}, checks: []string{"length($) < 1000", "octet_length($) >= 0"}, computed: [][2]string{{"length($)", "integer"}, {"encode($, 'hex')", "text"}}, indexes: []string{"length($)"}, shown: [][2]string{{"encode($, 'hex')", "text"}}},
	"inet":      {values: []string{"127.0.0.1", "10.0.0.0/8", "::1"}, defaults: []string{"'127.0.0.1'", "'10.0.0.1'::inet", "inet '::1'", "NULL"}, checks: []string{"family($) IN (4, 6)", "$ <> '1.2.3.4'"}, computed: [][2]string{{"host($)", "text"}}, indexes: []string{"host($)"}, shown: [][2]string{{"host($)", "text"}}},
	"range":     {values: []string{"[1,5)", "empty", "[10,20]", "(,3]"}, defaults: []string{"'empty'", "int4range(1, 2)", "'[1,2)'::int4range", "NULL"}, checks: []string{"NOT $ @> 999", "$ <> '[5,6)'"}, computed: [][2]string{{"lower($)", "integer"}}, indexes: []string{"lower($)"}, shown: [][2]string{{"upper($)", "integer"}, {"$ @> 3", "boolean"}}},
	"int[]":     {values: []string{"{1,2}", "{}", "{7,NULL}"}, defaults: []string{"'{}'", "ARRAY[1, 2]", "'{1,2}'::integer[]", "ARRAY[]::integer[]", "NULL"}, checks: []string{"cardinality($) < 10", "NOT 9 = ANY ($)", "array_position($, 99) IS NULL"}, computed: [][2]string{{"cardinality($)", "integer"}, {"$[1]", "integer"}}, indexes: []string{"cardinality($)", "($[1])"}, shown: [][2]string{{"cardinality($)", "integer"}, {"$[1]", "integer"}, {"$ || 5", ""}}},
	"text[]":    {values: []string{"{a,b}", "{}", `{"x y",007}`}, defaults: []string{"'{}'", "ARRAY['a']", "'{}'::text[]", "ARRAY[]::text[]", "NULL"}, checks: []string{"cardinality($) < 10", "NOT 'bad' = ANY ($)", "$ <@ ARRAY['a', 'b', 'x y', '007']"}, computed: [][2]string{{"cardinality($)", "integer"}, {"$[1]", "text"}}, indexes: []string{"cardinality($)"}, shown: [][2]string{{"array_to_string($, ',')", "text"}, {"$[1]", "text"}, {"'a' = ANY ($)", "boolean"}}},
	"enum":      {defaults: []string{"'LABEL'", "'LABEL'::TYPE", "NULL"}, checks: []string{"$ <> 'LABEL' OR $ IS NULL", "$ >= 'LABEL' OR $ < 'LABEL'", "$ IN ('LABEL') OR $ IS NOT NULL", "$ = ANY (ARRAY['LABEL'::TYPE]) OR true"}, computed: [][2]string{{"CASE WHEN $ = 'LABEL' THEN 1 ELSE 2 END", "integer"}, {"$ = 'LABEL'", "boolean"}}, indexes: []string{"($ = 'LABEL')"}, shown: [][2]string{{"$::text", "text"}, {"$ = 'LABEL'", "boolean"}, {"CASE $ WHEN 'LABEL' THEN 'x' ELSE 'y' END", "text"}}},
	"enum[]":    {values: []string{"{}"}, defaults: []string{"'{}'", "ARRAY['LABEL']::TYPE[]", "NULL"}, checks: []string{"cardinality($) < 10", "NOT 'LABEL' = ANY ($) OR cardinality($) > 0"}, computed: [][2]string{{"cardinality($)", "integer"}}, indexes: []string{"cardinality($)"}, shown: [][2]string{{"cardinality($)", "integer"}, {"$::text[]", "text[]"}}},
	"composite": {defaults: []string{"NULL"}, checks: []string{"$ IS NULL OR $ IS NOT NULL", "($).a IS NULL OR ($).a > -100"}, computed: [][2]string{{"($).a", "integer"}}, indexes: []string{"(($).a)"}, shown: [][2]string{{"($).a", "integer"}}},
}
