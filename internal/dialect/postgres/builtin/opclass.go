package builtin

import "strings"

// ordered are the operator classes that both btree and hash have for a type when none is named (PostgreSQL 15, pg_opclass.opcdefault).
var ordered = map[string]string{
	"anyarray": "array_ops", "boolean": "bool_ops", "character": "bpchar_ops", "bytea": "bytea_ops", `"char"`: "char_ops", "date": "date_ops",
	"anyenum": "enum_ops", "real": "float4_ops", "double precision": "float8_ops", "inet": "inet_ops", "smallint": "int2_ops", "integer": "int4_ops",
	"bigint": "int8_ops", "interval": "interval_ops", "jsonb": "jsonb_ops", "macaddr8": "macaddr8_ops", "macaddr": "macaddr_ops", "anymultirange": "multirange_ops",
	"name": "name_ops", "numeric": "numeric_ops", "oid": "oid_ops", "oidvector": "oidvector_ops", "pg_lsn": "pg_lsn_ops", "anyrange": "range_ops", "record": "record_ops",
	"text": "text_ops", "tid": "tid_ops", "time without time zone": "time_ops", "timestamp without time zone": "timestamp_ops",
	"timestamp with time zone": "timestamptz_ops", "time with time zone": "timetz_ops", "uuid": "uuid_ops", "xid8": "xid8_ops",
}

// opClasses are those of one method alone.
var opClasses = map[string]map[string]string{
	"btree":  {"bit": "bit_ops", "money": "money_ops", "tsquery": "tsquery_ops", "tsvector": "tsvector_ops", "bit varying": "varbit_ops"},
	"hash":   {"aclitem": "aclitem_ops", "cid": "cid_ops", "xid": "xid_ops"},
	"gin":    {"anyarray": "array_ops", "jsonb": "jsonb_ops", "tsvector": "tsvector_ops"},
	"gist":   {"box": "box_ops", "circle": "circle_ops", "anymultirange": "multirange_ops", "point": "point_ops", "polygon": "poly_ops", "anyrange": "range_ops", "tsquery": "tsquery_ops", "tsvector": "tsvector_ops"},
	"spgist": {"box": "box_ops", "inet": "inet_ops", "polygon": "poly_ops", "point": "quad_point_ops", "anyrange": "range_ops", "text": "text_ops"},
}

// DefaultOpClass gives the operator class that an index of a method has for a type when none is named, "" when it is not known.
func DefaultOpClass(method, t string, u Types) string {
	r := resolver{facts(), u}
	t = r.base(t)
	switch {
	case r.enum(t):
		t = "anyenum"
	case t == varchar:
		t = text
	case t == "cidr":
		t = "inet"
	case strings.HasSuffix(t, "[]"):
		t = "anyarray"
	case r.subtype(t) != "":
		t = "anyrange"
	case r.rangeOf(t) != "":
		t = "anymultirange"
	}
	if class := opClasses[method][t]; class != "" || method != "btree" && method != "hash" {
		return class
	}
	return ordered[t]
}
