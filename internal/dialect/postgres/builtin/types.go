package builtin

import (
	"strings"
)

// Types tells of types that are not built in. A nil Types knows none.
type Types interface {
	// Enum tells whether t is an enum.
	Enum(t string) bool
	// Base gives the type under a domain, "" when t is no domain.
	Base(t string) string
	// Range gives the subtype of a range type.
	Range(t string) (subtype string, ok bool)
	// Composite tells whether t is a composite type; the row types of tables are.
	Composite(t string) bool
}

// The types that the rules name.
const (
	unknown   = "unknown"
	text      = "text"
	varchar   = "character varying"
	character = "character"
	record    = "record"
	anything  = `"any"` // a parameter that takes whatever comes; not polymorphic
)

// spellings are the names of types that SQL has and the catalog has not (PostgreSQL 15, gram.y: Numeric, Bit, Character,
// ConstDatetime). The canonical names are understood besides.
var spellings = map[string]string{
	"int":                        "integer",
	"dec":                        "numeric",
	"decimal":                    "numeric",
	"float":                      "double precision",
	"char varying":               varchar,
	"national character varying": varchar,
	"national char varying":      varchar,
	"nchar varying":              varchar,
	"nchar":                      character,
	"national character":         character,
	"national char":              character,
}

// TypeName gives the canonical name of a built-in type from a spelling: the catalog's ("int4", "_int4", "bpchar"), or, with no
// schema, SQL's ("int", "decimal") or the canonical one itself ("character varying", "integer[]"). Only the schemas "" and
// "pg_catalog" hold built-in types. A "char" that the parser gives as a name is the quoted one, the type "\"char\"": SQL's own char
// has become pg_catalog.bpchar by then. (PostgreSQL 15, pg_type)
func TypeName(schema, name string) (string, bool) {
	if schema != "" && schema != "pg_catalog" {
		return "", false
	}
	c := facts()
	if t, ok := c.names[name]; ok {
		return t, true
	}
	if schema != "" {
		return "", false
	}
	if t, ok := spellings[name]; ok {
		return t, true
	}
	if t, ok := c.types[name]; ok {
		return t.name, true
	}
	if element, ok := strings.CutSuffix(name, "[]"); ok {
		if t, ok := TypeName("", element); ok {
			if strings.HasSuffix(t, "[]") {
				return t, true // arrays have no fixed number of dimensions
			}
			array := resolver{c, nil}.array(t)
			return array, array != ""
		}
	}
	return "", false
}

// Category gives the category of a type (PostgreSQL 15, table 53.65: 'S' string, 'N' number, 'A' array, …), and 0 when it is not
// known: for "", and for user types that u knows nothing of.
func Category(t string, u Types) byte { return resolver{facts(), u}.category(t) }

// Preferred tells whether a type is the preferred one of its category, or one of them (PostgreSQL 15, pg_type.typispreferred).
func Preferred(t string) bool { return resolver{facts(), nil}.preferred(t) }

// Element gives the type of the elements of an array type; int2vector and oidvector are arrays too. A domain over an array is none.
func Element(t string) (string, bool) {
	element := resolver{facts(), nil}.element(t)
	return element, element != ""
}

// resolver is the catalog together with what the caller says of user types.
type resolver struct {
	*catalog
	u Types
}

// opaque tells whether nothing is known of a type: it is not built in, the caller knows nothing of it (a base type that some
// extension made, say), and it is no array of what is known.
func (r resolver) opaque(t string) bool {
	if t == "" {
		return true
	}
	if element, ok := strings.CutSuffix(t, "[]"); ok {
		return r.opaque(element)
	}
	if r.types[t] != nil {
		return false
	}
	if base := r.base(t); base != t {
		return r.opaque(base)
	}
	return !r.enum(t) && !r.composite(t) && r.subtype(t) == ""
}

// base gives the type under a domain, at the end of a chain of domains, and other types as they are.
func (r resolver) base(t string) string {
	for range 100 { // a chain that long is a circle
		if r.u == nil || t == "" || r.types[t] != nil || strings.HasSuffix(t, "[]") {
			return t
		}
		under := r.u.Base(t)
		if under == "" {
			return t
		}
		t = under
	}
	return t
}

func (r resolver) user(t string) bool {
	return r.u != nil && t != "" && r.types[t] == nil && !strings.HasSuffix(t, "[]")
}

// enum tells whether a type is an enum; a domain over one is none.
func (r resolver) enum(t string) bool { return r.user(t) && r.u.Enum(t) }

// composite tells whether a type has columns (PostgreSQL 15, parse_type.h: ISCOMPLEX). A domain over such a type counts.
func (r resolver) composite(t string) bool {
	t = r.base(t)
	if f := r.types[t]; f != nil {
		return f.kind == 'c'
	}
	return r.user(t) && r.u.Composite(t)
}

// subtype gives the subtype of a range type, "" when it is none.
func (r resolver) subtype(t string) string {
	if f := r.types[t]; f != nil {
		if f.kind == 'r' {
			return f.over
		}
		return ""
	}
	if r.user(t) {
		if s, ok := r.u.Range(t); ok {
			return s
		}
	}
	return ""
}

// rangeOf gives the range type of a multirange type, "" when it is none. Multiranges of user ranges are not known.
func (r resolver) rangeOf(t string) string {
	if f := r.types[t]; f != nil && f.kind == 'm' {
		return f.over
	}
	return ""
}

// element gives the type of an array's elements (PostgreSQL 15, lsyscache.c: get_element_type).
func (r resolver) element(t string) string {
	if element, ok := strings.CutSuffix(t, "[]"); ok {
		return element
	}
	if f := r.types[t]; f != nil {
		return f.element
	}
	return ""
}

// array gives the type of arrays of t, "" when there are none: arrays have no arrays, and few pseudo-types have.
func (r resolver) array(t string) string {
	if f := r.types[t]; f != nil {
		return f.array
	}
	if t == "" || strings.HasSuffix(t, "[]") {
		return ""
	}
	return t + "[]"
}

func (r resolver) category(t string) byte {
	t = r.base(t)
	if f := r.types[t]; f != nil {
		return f.category
	}
	switch {
	case t == "record[]" || t == "cstring[]":
		return 'P'
	case strings.HasSuffix(t, "[]"):
		return 'A'
	case r.enum(t):
		return 'E'
	case r.composite(t):
		return 'C'
	case r.subtype(t) != "":
		return 'R'
	}
	return 0
}

func (r resolver) preferred(t string) bool {
	f := r.types[t]
	return f != nil && f.preferred
}
