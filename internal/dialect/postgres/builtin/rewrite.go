package builtin

import (
	"slices"
	"strings"
)

// Rewrites tells what ALTER TABLE … ALTER COLUMN … TYPE does to a table, for types with modifiers as Format takes them (PostgreSQL
// 15, tablecmds.c: ATColumnChangeRequiresRewrite, and the support functions of length coercions).
//
// With rewrite, the server writes every row anew. With scan, it reads every row to check it and writes none; no change of a type
// alone does that, but the CHECK constraints over a column whose type changes are checked again. With lossless, the conversion keeps
// every value, and the text in which the value is written; only digits after a point that are zero, a time of 00:00:00, the /32 of
// a host and the blanks that fill up character(n) may come and go. When an answer is not certain, it is the worse one: the table is
// rewritten, and values are lost. So it is for types that are not known, for conversions that need USING, to domains, which can have
// constraints, and between timestamps with and without time zone, which are rewritten unless the session's time zone is UTC.
func Rewrites(from string, fromMods []int, to string, toMods []int, u Types) (rewrite, scan, lossless bool) {
	r := resolver{facts(), u}
	fromMods, err := modifiers(strings.TrimSuffix(from, "[]"), fromMods)
	if err != nil || from == "" {
		return true, false, false
	}
	if toMods, err = modifiers(strings.TrimSuffix(to, "[]"), toMods); err != nil || to == "" {
		return true, false, false
	}
	if from == to && slices.Equal(fromMods, toMods) {
		return false, false, true
	}
	if r.base(to) != to {
		return true, false, false
	}
	base := r.base(from)
	c, ok := FindCast(base, to, u)
	_, array := strings.CutSuffix(to, "[]")
	switch {
	case !ok || c.Context == 'e':
		return true, false, false
	case base == to:
		rewrite = len(toMods) > 0 && (array || !keepsLength(to, fromMods, toMods))
	default:
		rewrite = c.Method != 'b' || len(toMods) > 0 || array
	}
	return rewrite, false, r.lossless(base, fromMods, to, toMods)
}

// keepsLength tells whether the server knows that every value with the old modifiers is one with the new ones, as it is stored.
func keepsLength(t string, from, to []int) bool {
	switch {
	case len(to) == 0 || slices.Equal(from, to):
		return true
	case t == "interval":
		return keepsFields(from, to)
	case precise[t]:
		return to[0] == maxFraction || len(from) > 0 && from[0] <= to[0]
	case len(from) == 0:
		return false
	case t == varchar, t == "bit varying":
		return from[0] <= to[0]
	case t == "numeric":
		return from[1] == to[1] && from[0] <= to[0]
	}
	return false
}

// keepsFields is PostgreSQL 15, timestamp.c: interval_support. The smallest field may become smaller, and the precision larger.
func keepsFields(from, to []int) bool {
	_, smallest := intervalFields(full)
	had := smallest
	if len(from) > 0 {
		_, had = intervalFields(from[0])
	}
	_, has := intervalFields(to[0])
	return has <= had && (had > 0 || fraction(to) >= fraction(from))
}

// fraction gives the digits of a second that an interval keeps.
func fraction(mods []int) int {
	if len(mods) == 2 {
		return mods[1]
	}
	return maxFraction
}

// lossless tells whether a conversion keeps every value.
func (r resolver) lossless(from string, fromMods []int, to string, toMods []int) bool {
	f, fromArray := strings.CutSuffix(from, "[]")
	t, toArray := strings.CutSuffix(to, "[]")
	if fromArray && toArray {
		return f == t && keepsValues(f, fromMods, toMods) || f != t && r.lossless(f, fromMods, t, toMods)
	}
	switch {
	case from == to:
		return keepsValues(to, fromMods, toMods)
	case to == text || to == varchar:
		return r.losslessText(from, fromMods, toMods)
	case to == "numeric":
		n, ok := digits[from]
		return ok && (len(toMods) == 0 || toMods[1] >= 0 && toMods[0]-toMods[1] >= n)
	case to == "bit varying":
		return from == "bit" && (len(toMods) == 0 || len(fromMods) > 0 && fromMods[0] <= toMods[0])
	case to == "interval":
		return from == "time without time zone" && keepsFields(append([]int{full}, fromMods...), append(toMods, full)[:max(1, len(toMods))])
	}
	return slices.Contains(wider[from], to)
}

// wider are the types that hold every value of a type, written alike.
var wider = map[string][]string{
	"smallint": {"integer", "bigint", "real", "double precision"},
	"integer":  {"bigint", "double precision"},
	"oid":      {"bigint"},
	"date":     {"timestamp without time zone"}, // days after the year 294276 are refused
	"jsonb":    {"json"},
	"cidr":     {"inet"},
}

// digits are the decimal digits of integers.
var digits = map[string]int{"smallint": 5, "integer": 10, "bigint": 19}

// longest are the numbers of characters that the text of a value takes at most.
var longest = map[string]int{
	"boolean": 5, "smallint": 6, "integer": 11, "bigint": 20, "oid": 10, "uuid": 36, "macaddr": 17, "macaddr8": 23, "name": 63,
}

// losslessText tells whether text keeps every value of a type.
func (r resolver) losslessText(from string, fromMods, toMods []int) bool {
	switch {
	case from == character || r.opaque(from):
		return false // blanks at the end are lost
	case len(toMods) == 0:
		return true
	}
	n, ok := longest[from]
	if from == "bit" && len(fromMods) > 0 {
		n, ok = fromMods[0], true
	}
	return ok && n <= toMods[0]
}

// keepsValues tells whether every value with the old modifiers is one with the new ones, perhaps after it was filled up.
func keepsValues(t string, from, to []int) bool {
	switch {
	case keepsLength(t, from, to):
		return true
	case len(from) == 0:
		return false
	case t == "numeric":
		return from[1] <= to[1] && from[0]-from[1] <= to[0]-to[1]
	case t == character:
		return from[0] <= to[0]
	}
	return false
}
