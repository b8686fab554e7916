package online

import (
	"strconv"

	"github.com/altergate/altergate/internal/dialect/mysql/catalog"
)

// intBits are the bits of integers.
var intBits = map[string]int{"tinyint": 8, "smallint": 16, "mediumint": 24, "int": 32, "bigint": 64}

// limits gives the least and the greatest value of an integer type, the first as how far it goes below zero.
func limits(t catalog.Type) (below, above uint64) {
	n := intBits[t.Base]
	if t.Unsigned {
		return 0, 1<<n - 1
	}
	return 1 << (n - 1), 1<<(n-1) - 1
}

func integers(f, t catalog.Type) Conversion {
	fromBelow, fromAbove := limits(f)
	below, above := limits(t)
	switch {
	case fromBelow > below && fromAbove > above:
		return lossy("values below %s and above %s do not fit", negative(below), strconv.FormatUint(above, 10))
	case fromBelow > below:
		return lossy("values below %s do not fit", negative(below))
	case fromAbove > above:
		return lossy("values above %s do not fit", strconv.FormatUint(above, 10))
	}
	return kept("every value fits")
}

func negative(n uint64) string {
	if n == 0 {
		return "0"
	}
	return "-" + strconv.FormatUint(n, 10)
}

// digits is how many digits a number takes.
func digits(n uint64) int { return len(strconv.FormatUint(n, 10)) }

// numbers are of numbers of which at least one is no integer.
func numbers(f, t catalog.Type, fk, tk kind) Conversion {
	switch {
	case fk == exactNumber && tk == exactNumber:
		return decimals(f, t)
	case fk == bits && tk == bits:
		if t.Length < f.Length {
			return lossy("values of more than %d bits do not fit", t.Length)
		}
		return kept("every value fits")
	case tk == year:
		return lossy("numbers that are no year from 1901 to 2155 do not fit, and small ones become one")
	case tk == bits:
		if fk == integer && f.Unsigned && intBits[f.Base] <= t.Length {
			return kept("every value fits")
		}
		return lossy("values that are negative or take more than %d bits do not fit", t.Length)
	case fk == bits || fk == year:
		return numbers(asInteger(f), t, integer, tk)
	case fk == integer && tk == integer: // of a bit or a year
		return integers(f, t)
	case fk == integer && tk == exactNumber:
		return intoDecimal(f, t)
	case fk == integer && tk == approximate:
		return intoFloat(f, t)
	case fk == exactNumber && tk == integer:
		return decimalIntoInteger(f, t)
	case fk == exactNumber:
		return lossy("exact numbers become approximate ones")
	case fk == approximate && tk == approximate:
		return floats(f, t)
	}
	return lossy("approximate numbers are rounded, and large ones do not fit")
}

// asInteger gives the smallest integer type that holds a bit field or a year.
func asInteger(t catalog.Type) catalog.Type {
	if t.Base == "year" {
		return catalog.Type{Base: "smallint", Unsigned: true, Length: -1, Decimals: -1}
	}
	for _, base := range []string{"tinyint", "smallint", "mediumint", "int"} {
		if t.Length <= intBits[base] {
			return catalog.Type{Base: base, Unsigned: true, Length: -1, Decimals: -1}
		}
	}
	return catalog.Type{Base: "bigint", Unsigned: true, Length: -1, Decimals: -1}
}

func decimals(f, t catalog.Type) Conversion {
	switch whole := t.Length - t.Decimals; {
	case t.Unsigned && !f.Unsigned:
		return lossy("values below 0 do not fit")
	case whole < f.Length-f.Decimals:
		return lossy("values with more than %d digits before the point do not fit", whole)
	case t.Decimals < f.Decimals:
		return lossy("values are rounded to %d digits after the point", t.Decimals)
	}
	return kept("every value fits")
}

func intoDecimal(f, t catalog.Type) Conversion {
	below, above := limits(f)
	switch whole := t.Length - t.Decimals; {
	case below > 0 && t.Unsigned:
		return lossy("values below 0 do not fit")
	case digits(max(below, above)) > whole:
		return lossy("values with more than %d digits before the point do not fit", whole)
	}
	return kept("every value fits")
}

func decimalIntoInteger(f, t catalog.Type) Conversion {
	below, above := limits(t)
	switch {
	case f.Decimals > 0:
		return lossy("values are rounded to whole numbers")
	case f.Length >= digits(above) || !f.Unsigned && (below == 0 || f.Length >= digits(below)):
		return lossy("values below %s and above %s do not fit", negative(below), strconv.FormatUint(above, 10))
	}
	return kept("every value fits")
}

// floatDigits are the decimal digits that an approximate number keeps; a FLOAT shows no more than six (manual 13.1.4).
func floatDigits(t catalog.Type) int {
	if t.Base == "float" {
		return 6
	}
	return 15
}

func intoFloat(f, t catalog.Type) Conversion {
	below, above := limits(f)
	n := digits(max(below, above))
	switch {
	case below > 0 && t.Unsigned:
		return lossy("values below 0 do not fit")
	case n > floatDigits(t):
		return lossy("values with more than %d digits are rounded", floatDigits(t))
	case t.Decimals >= 0 && (n > t.Length-t.Decimals || t.Length > floatDigits(t)):
		return lossy("values with more than %d digits before the point do not fit", t.Length-t.Decimals)
	}
	return kept("every value fits")
}

func floats(f, t catalog.Type) Conversion {
	switch {
	case t.Unsigned && !f.Unsigned:
		return lossy("values below 0 do not fit")
	case f.Base == t.Base && f.Decimals == t.Decimals && f.Length == t.Length:
		return kept("every value fits")
	case f.Base == "float" && t.Base == "double":
		return lossy("values show digits that nobody wrote: 0.1 becomes 0.10000000149011612")
	case f.Base == "double" && t.Base == "float":
		return lossy("values are rounded to about six digits")
	case f.Decimals >= 0 && f.Length <= floatDigits(t) && (t.Decimals < 0 || t.Length <= floatDigits(t) && t.Decimals >= f.Decimals && t.Length-t.Decimals >= f.Length-f.Decimals):
		return kept("every value fits")
	case t.Decimals < 0:
		return lossy("values are shown with other digits")
	}
	return lossy("values are rounded to %d digits after the point, and large ones do not fit", t.Decimals)
}
