// Package rows looks for rows with which a plan is proved on a server: in which order tables are filled, and which combinations of values
// are tried until one satisfies the constraints. It asks no server, and does not know what the values are.
package rows

import "slices"

const (
	// PerTable is how many rows each table is given for a proof: one with a value everywhere, one with NULL wherever it may stand, and one
	// with values that are easily spoilt.
	PerTable = 3
	// Attempts is how many combinations of values are tried for one row.
	Attempts = 120
	// MostTables is how many tables are given rows.
	MostTables = 200
)

// Row is one row of a table: values by column.
type Row map[string]string

// Link is a foreign key of either side in terms of the base.
type Link[T comparable] struct {
	Parent       T
	Columns, Far []string
}

// Choose gives the tables to fill, those that they refer to first, as far as there are no circles, and how many are left out. Where there
// are too many it takes those that the plan touches, and what they refer to.
func Choose[T comparable](all []T, links func(T) []Link[T], touched func(T) bool) (chosen []T, left int) {
	ordered := parentsFirst(all, links)
	if len(ordered) <= MostTables {
		return ordered, 0
	}
	keep := map[T]bool{}
	var take func(t T)
	take = func(t T) {
		if keep[t] || len(keep) >= MostTables {
			return
		}
		keep[t] = true
		for _, l := range links(t) {
			take(l.Parent)
		}
	}
	for _, wanted := range []bool{true, false} {
		for _, t := range ordered {
			if touched(t) == wanted {
				take(t)
			}
		}
	}
	left = len(ordered) - len(keep)
	return slices.DeleteFunc(ordered, func(t T) bool { return !keep[t] }), left
}

// parentsFirst puts tables behind those that they refer to.
func parentsFirst[T comparable](all []T, links func(T) []Link[T]) []T {
	var out []T
	seen, filled := map[T]bool{}, map[T]bool{}
	for _, t := range all {
		filled[t] = true
	}
	var visit func(t T)
	visit = func(t T) {
		if seen[t] {
			return
		}
		seen[t] = true
		for _, l := range links(t) {
			visit(l.Parent)
		}
		out = append(out, t)
	}
	for _, t := range all {
		visit(t)
	}
	return slices.DeleteFunc(out, func(t T) bool { return !filled[t] })
}

// Rotated gives values from another one on: each row begins with one of its own.
func Rotated(values []string, by int) []string {
	if len(values) == 0 {
		return nil
	}
	by %= len(values)
	return append(append([]string{}, values[by:]...), values[:by]...)
}
