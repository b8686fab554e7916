package plan

import (
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/schema"
)

// parentsOf names the tables of a schema that a table is a partition or an heir of. How the option goes on behind the name is not known
// here, and a name may hold blanks, so each table counts whose name it may be.
func parentsOf(s *schema.Schema, t *schema.Table) []string {
	var names []string
	for _, o := range t.Options {
		rest, is := strings.CutPrefix(o, "partition of ")
		if !is {
			if rest, is = strings.CutPrefix(o, "inherits "); !is {
				continue
			}
		}
		for end := range len(rest) + 1 {
			if end < len(rest) && rest[end] != ' ' {
				continue
			}
			if parent := s.Table(rest[:end]); parent != nil {
				names = append(names, parent.Name)
			}
		}
	}
	return names
}

// lineage gives the parents of each table that has any on one side or the other.
func lineage(sides ...*schema.Schema) map[string][]string {
	all := map[string][]string{}
	for _, s := range sides {
		for _, t := range s.Tables {
			for _, parent := range parentsOf(s, t) {
				if !slices.Contains(all[t.Name], parent) {
					all[t.Name] = append(all[t.Name], parent)
				}
			}
		}
	}
	return all
}
