package bind

import (
	"slices"

	"github.com/altergate/altergate/internal/dialect/postgres/catalog"
	"github.com/altergate/altergate/internal/schema"
)

// groupedByKey notes the primary keys that a grouped query needs: it groups by all columns of one and selects others of its table,
// which the server allows, and makes the query depend on the key (PostgreSQL 15, parse_agg.c: check_ungrouped_columns_walker).
func (r *run) groupedByKey(grouped []string, selected []Ref, s *scope) {
	for _, i := range s.items {
		t := r.b.catalog.Tables[r.b.known.rows[i.row]]
		if i.table == "" || t == nil {
			continue
		}
		at := slices.IndexFunc(t.Constraints, func(k *catalog.Constraint) bool { return k.Kind == schema.PrimaryKey })
		if at < 0 {
			continue
		}
		whole, more := true, false
		for _, c := range i.columns {
			switch by := slices.Contains(grouped, ident(i.shown)+"."+c.text); {
			case slices.Contains(t.Constraints[at].Columns, c.of):
				whole = whole && by
			case !by:
				more = more || slices.Contains(selected, Ref{"column", c.table, c.of})
			}
		}
		if whole && more {
			r.ref("constraint", i.table, t.Constraints[at].Name)
		}
	}
}
