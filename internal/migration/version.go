package migration

import (
	"cmp"
	"slices"
	"strings"
)

// number gives the digits that a name begins with, without leading zeros, and what follows them.
func number(name string) (version, rest string, ok bool) {
	n := 0
	for n < len(name) && name[n] >= '0' && name[n] <= '9' {
		n++
	}
	if n == 0 {
		return "", name, false
	}
	return unpadded(name[:n]), name[n:], true
}

// unpadded takes leading zeros off a number; versions can be longer than any integer type.
func unpadded(digits string) string {
	if s := strings.TrimLeft(digits, "0"); s != "" {
		return s
	}
	return "0"
}

// compareNumbers compares numbers without leading zeros.
func compareNumbers(a, b string) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
}

func (d *Directory) sortByNumber() {
	slices.SortStableFunc(d.Migrations, func(a, b *Migration) int { return compareNumbers(a.Version, b.Version) })
}

func (d *Directory) sortByVersion() {
	slices.SortStableFunc(d.Migrations, func(a, b *Migration) int { return cmp.Compare(a.Version, b.Version) })
}

// fitsIn reports whether a number without leading zeros is at most another.
func fitsIn(number, most string) bool { return compareNumbers(number, most) <= 0 }

const (
	maxInt64  = "9223372036854775807"
	maxUint64 = "18446744073709551615"
)
