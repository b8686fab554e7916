package bind

import (
	"strings"
)

// The types that the grammar's own constructs are of.
const (
	unknown     = "unknown"
	textType    = "text"
	varcharType = "character varying"
	boolType    = "boolean"
	intType     = "integer"
	bigintType  = "bigint"
	numericType = "numeric"
	recordType  = "record"
)

// literalKind says which literal a value is.
type literalKind byte

const (
	noLiteral literalKind = iota
	stringLiteral
	numberLiteral
	boolLiteral
	nullLiteral
)

// value is an expression that has been bound.
type value struct {
	text string // canonical; what is compound is in parentheses
	typ  string // without modifiers; unknown for a literal that still takes any type, "" when it is not known
	full string // typ with modifiers, "" without them

	literal  literalKind
	raw      string  // of a literal: the string, the numeral, "true"
	elements []value // of an array constructor with at least one element, or of an array literal that was taken apart
	array    bool    // it is an array constructor, also of no elements
	fields   []value // of a row constructor

	columns  bool // a column of the query it stands in occurs in it
	volatile bool
	total    bool
	notNull  bool
}

// known gives the type for those outside, to whom a literal without a type has none.
func (v value) known() string {
	if v.typ == unknown {
		return ""
	}
	return v.typ
}

// fullType gives the type with its modifiers.
func (v value) fullType() string {
	if v.full != "" {
		return v.full
	}
	return unlimited(v.known())
}

// unlimited is how format_type prints a type without modifiers; of two types the plain name means a length of 1.
func unlimited(t string) string {
	switch t {
	case "character":
		return "bpchar"
	case "bit":
		return `"bit"`
	case "character[]":
		return "bpchar[]"
	case "bit[]":
		return `"bit"[]`
	}
	return t
}

// constant gives the literal alone.
func (v value) constant() string {
	switch v.literal {
	case stringLiteral:
		return quoted(v.raw)
	case numberLiteral, boolLiteral:
		return v.raw
	case nullLiteral:
		return "null"
	}
	return ""
}

// mix takes over what holds of an expression when it holds of its parts.
func (v *value) mix(parts ...value) {
	for _, p := range parts {
		v.columns = v.columns || p.columns
		v.volatile = v.volatile || p.volatile
	}
}

// allTotal tells whether none of the parts can fail.
func allTotal(parts ...value) bool {
	for _, p := range parts {
		if !p.total {
			return false
		}
	}
	return true
}

// allNotNull tells whether none of the parts can be NULL.
func allNotNull(parts ...value) bool {
	for _, p := range parts {
		if !p.notNull {
			return false
		}
	}
	return true
}

// texts joins the canonical texts of values.
func texts(list []value, separator string) string {
	switch len(list) {
	case 0:
		return ""
	case 1:
		return list[0].text
	}
	var b strings.Builder
	for i, v := range list {
		if i > 0 {
			b.WriteString(separator)
		}
		b.WriteString(v.text)
	}
	return b.String()
}

// typesOf lists the types of values.
func typesOf(list []value) []string {
	types := make([]string, len(list))
	for i, v := range list {
		types[i] = v.typ
	}
	return types
}

// quoted writes a string literal. Canonical text has one spelling for each: backslashes mean themselves.
func quoted(s string) string {
	return "'" + strings.ReplaceAll(s, "'", "''") + "'"
}
