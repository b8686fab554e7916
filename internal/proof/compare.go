package proof

import (
	"errors"
	"fmt"
	"sort"
	"strings"
)

// Fact is what a server's catalog says of one object, without names and numbers of its own.
type Fact struct {
	What, Text string // What names the object: "column bands.name"
	// Optional facts only count where both sides have them.
	Optional bool
}

// SameFacts says in words where a server's catalog after the plan differs from the one that the head's own statements make.
func SameFacts(have, want []Fact) error {
	got, wanted := map[string]string{}, map[string]bool{}
	for _, f := range have {
		got[f.What] = f.Text
	}
	for _, f := range want {
		wanted[f.What] = true
		switch text, there := got[f.What]; {
		case !there && f.Optional:
		case !there:
			return fmt.Errorf("after the plan, %s is not there, and the head has it: %s", f.What, Excerpt(f.Text))
		case text != f.Text:
			text, other := apart(text, f.Text)
			return fmt.Errorf("after the plan, %s is %q and the head has %q", f.What, text, other)
		}
	}
	for _, f := range have {
		if !wanted[f.What] && !f.Optional {
			return fmt.Errorf("after the plan, %s is there, and the head does not have it: %s", f.What, Excerpt(f.Text))
		}
	}
	return nil
}

// apart gives two texts from shortly before the place where they differ.
func apart(a, b string) (string, string) {
	const before, short = 40, 120
	x, y := []rune(a), []rune(b)
	at := 0
	for at < len(x) && at < len(y) && x[at] == y[at] {
		at++
	}
	if at <= before || len(a) <= short && len(b) <= short {
		return Excerpt(a), Excerpt(b)
	}
	return "… " + Excerpt(string(x[at-before:])), "… " + Excerpt(string(y[at-before:]))
}

// SameRows says in words where the rows of a table differ from those that it should hold, in whatever order they are. columns are the
// columns' names, and compared the places in a row that count. show gives a value as people write it.
func SameRows[V comparable](table string, columns []string, compared []int, have, want [][]V, show func(V) string) error {
	if len(have) != len(want) {
		return fmt.Errorf("table %s holds %s after the plan and should hold %d", table, Count(len(have), "row"), len(want))
	}
	have, want = without(have, want, compared), without(want, have, compared)
	if len(have) == 0 {
		return nil
	}
	// Of the rows that differ, the two that are most alike are the same row.
	best, at := -1, [2]int{}
	for a, x := range have {
		for b, y := range want {
			alike := 0
			for _, j := range compared {
				if x[j] == y[j] {
					alike++
				}
			}
			if alike > best {
				best, at = alike, [2]int{a, b}
			}
		}
	}
	x, y := have[at[0]], want[at[1]]
	for _, j := range compared {
		if x[j] != y[j] {
			return fmt.Errorf("table %s: column %s holds %s after the plan and should hold %s", table, columns[j], show(x[j]), show(y[j]))
		}
	}
	return errors.New("table " + table + " holds other rows after the plan than it should")
}

// without gives the rows that are not among others.
func without[V comparable](rows, others [][]V, compared []int) [][]V {
	of := func(r []V) string {
		var b strings.Builder
		for _, j := range compared {
			fmt.Fprintf(&b, "%#v\n", r[j])
		}
		return b.String()
	}
	left := map[string]int{}
	for _, r := range others {
		left[of(r)]++
	}
	var out [][]V
	for _, r := range rows {
		if left[of(r)]--; left[of(r)] < 0 {
			out = append(out, r)
		}
	}
	sort.SliceStable(out, func(a, b int) bool { return of(out[a]) < of(out[b]) })
	return out
}

// Excerpt gives the beginning of a text on one line.
func Excerpt(text string) string {
	const most = 160
	line := []rune(strings.Join(strings.Fields(text), " "))
	if len(line) > most {
		return string(line[:most]) + " …"
	}
	return string(line)
}

// Count gives a number with its noun: "1 row", "2 rows".
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
