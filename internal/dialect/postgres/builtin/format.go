package builtin

import (
	"fmt"
	"strconv"
	"strings"
)

// Format gives a type with its modifiers, as format_type() prints it: "numeric(8,2)", "timestamp(3) without time zone". The modifiers
// are the constants that the parser gives for them: for interval a mask of fields, and after it a precision. A type of fixed length
// without modifiers is not the same as one of length 1, which is what SQL's CHAR and BIT mean, and has another name: "bpchar" and
// "\"bit\"". Array types take the modifiers of their elements. It is an error when a modifier is out of range, and when the type takes
// none, or none that is known, as a user type (PostgreSQL 15, format_type.c and the typmodin functions).
func Format(t string, mods []int) (string, error) {
	if element, ok := strings.CutSuffix(t, "[]"); ok {
		s, err := Format(element, mods)
		return s + "[]", err
	}
	mods, err := modifiers(t, mods)
	if err != nil {
		return "", err
	}
	switch {
	case t == character && len(mods) == 0:
		return "bpchar", nil
	case t == "bit" && len(mods) == 0:
		return `"bit"`, nil
	case len(mods) == 0:
		return t, nil
	case t == "interval":
		return interval(mods), nil
	}
	var numbers []string
	for _, m := range mods {
		numbers = append(numbers, strconv.Itoa(m))
	}
	list := "(" + strings.Join(numbers, ",") + ")"
	if name, rest, ok := strings.Cut(t, " "); ok && precise[t] {
		return name + list + " " + rest, nil
	}
	return t + list, nil
}

// Limits of modifiers (PostgreSQL 15, htup_details.h: MaxAttrSize; numeric.h; timestamp.h).
const (
	maxLength    = 10 * 1024 * 1024
	maxPrecision = 1000
	maxFraction  = 6 // digits of a second; more are read as 6, with a warning
)

// precise are the types whose modifier is a number of digits of a second.
var precise = map[string]bool{
	"time without time zone":      true,
	"time with time zone":         true,
	"timestamp without time zone": true,
	"timestamp with time zone":    true,
}

// modifiers checks the modifiers of a type, and gives them in full: the scale of numeric(8) is 0, and a precision is not above 6. No
// modifiers at all, or those of an interval that say nothing, are nil.
func modifiers(t string, mods []int) ([]int, error) {
	if len(mods) == 0 {
		return nil, nil
	}
	most, low, high := 1, 1, 0
	switch {
	case t == varchar || t == character:
		high = maxLength
	case t == "bit" || t == "bit varying":
		high = maxLength * 8
	case t == "numeric":
		most, high = 2, maxPrecision
	case precise[t]:
		low, high = 0, 1<<31-1
	case t == "interval":
		return intervalModifiers(mods)
	case facts().types[t] != nil:
		return nil, fmt.Errorf("type %s takes no modifier", t)
	default:
		return nil, fmt.Errorf("what modifiers of type %s mean is not known", t)
	}
	switch {
	case len(mods) > most:
		return nil, fmt.Errorf("type %s takes %d modifiers at most, not %d", t, most, len(mods))
	case mods[0] < low || mods[0] > high:
		return nil, fmt.Errorf("modifier %d of type %s is not between %d and %d", mods[0], t, low, high)
	case precise[t]:
		return []int{min(mods[0], maxFraction)}, nil
	case t != "numeric":
		return mods, nil
	case len(mods) == 1:
		return []int{mods[0], 0}, nil
	case mods[1] < -maxPrecision || mods[1] > maxPrecision:
		return nil, fmt.Errorf("scale %d of type numeric is not between %d and %d", mods[1], -maxPrecision, maxPrecision)
	}
	return mods, nil
}

// The fields of an interval, as bits of its first modifier (PostgreSQL 15, datetime.h).
const (
	month  = 1 << 1
	year   = 1 << 2
	day    = 1 << 3
	hour   = 1 << 10
	minute = 1 << 11
	second = 1 << 12
	full   = 0x7FFF
)

// fields are the sets of fields an interval can be limited to. The last column is the rank of the smallest field.
var fields = []struct {
	mask int
	name string
	rank int
}{
	{full, "", 0},
	{year, " year", 5},
	{month, " month", 4},
	{year | month, " year to month", 4},
	{day, " day", 3},
	{hour, " hour", 2},
	{day | hour, " day to hour", 2},
	{minute, " minute", 1},
	{day | hour | minute, " day to minute", 1},
	{hour | minute, " hour to minute", 1},
	{second, " second", 0},
	{day | hour | minute | second, " day to second", 0},
	{hour | minute | second, " hour to second", 0},
	{minute | second, " minute to second", 0},
}

// intervalModifiers checks the modifiers of an interval: a mask, and a precision perhaps.
func intervalModifiers(mods []int) ([]int, error) {
	if len(mods) > 2 {
		return nil, fmt.Errorf("type interval takes 2 modifiers at most, not %d", len(mods))
	}
	if name, _ := intervalFields(mods[0]); name == "?" {
		return nil, fmt.Errorf("mask %#x of type interval names no fields that go together", mods[0])
	}
	switch {
	case len(mods) == 2 && mods[1] < 0:
		return nil, fmt.Errorf("precision %d of type interval is negative", mods[1])
	case len(mods) == 2:
		return []int{mods[0], min(mods[1], maxFraction)}, nil
	case mods[0] == full:
		return nil, nil
	}
	return mods, nil
}

// intervalFields gives the name of a set of fields with a blank before it, and the rank of the smallest one.
func intervalFields(mask int) (name string, rank int) {
	for _, f := range fields {
		if f.mask == mask {
			return f.name, f.rank
		}
	}
	return "?", 0
}

func interval(mods []int) string {
	name, _ := intervalFields(mods[0])
	if len(mods) == 2 {
		return fmt.Sprintf("interval%s(%d)", name, mods[1])
	}
	return "interval" + name
}
