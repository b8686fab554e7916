package policy

import (
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/plan"
)

// kin knows which tables share rows: a partition's rows are those of the table that it is part of, and of all above that; and what is done
// to a table is done to all its partitions and heirs, down to the last.
type kin struct{ above, below map[string][]string }

func kinOf(p *plan.Plan) kin {
	k := kin{map[string][]string{}, map[string][]string{}}
	for child, parents := range p.Parents {
		for _, parent := range parents {
			k.above[same(child)] = append(k.above[same(child)], parent)
			k.below[same(parent)] = append(k.below[same(parent)], child)
		}
	}
	for _, side := range []map[string][]string{k.above, k.below} {
		for _, names := range side {
			slices.Sort(names)
		}
	}
	return k
}

// same is how two spellings of one name compare.
func same(name string) string { return strings.ToLower(name) }

// of gives all the ancestors and descendants of a table, near ones first. Those beside it share no rows with it.
func (k kin) of(name string) []string {
	return append(reach(name, k.above), reach(name, k.below)...)
}

func reach(name string, next map[string][]string) []string {
	var all []string
	seen := map[string]bool{same(name): true}
	for at := []string{name}; len(at) > 0; at = at[1:] {
		for _, n := range next[same(at[0])] {
			if !seen[same(n)] {
				seen[same(n)] = true
				all, at = append(all, n), append(at, n)
			}
		}
	}
	return all
}
