package online

import (
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/dialect/mysql/catalog"
)

// names tells whether an expression names a column.
func names(e catalog.Expr, column string) bool {
	return slices.ContainsFunc(e.Columns, func(c string) bool { return strings.EqualFold(c, column) })
}

// computedFrom gives the columns that are computed from one, by themselves or by way of others.
func (a Alter) computedFrom(column string) []*catalog.Column {
	var found []*catalog.Column
	for at, from := 0, column; ; at++ {
		for _, c := range a.table().Columns {
			if c.Generated != nil && names(c.Generated.Expr, from) && !slices.Contains(found, c) {
				found = append(found, c)
			}
		}
		if at == len(found) {
			return found
		}
		from = found[at].Name
	}
}

// keptFrom says where values are kept that were computed from a column; empty = nowhere. A server that changes the column in place
// computes none of them anew: what is stored then is what nobody would compute, and what an index holds is found no more.
func (a Alter) keptFrom(column string) string {
	for _, k := range a.table().Keys {
		if slices.ContainsFunc(k.Parts, func(p catalog.KeyPart) bool { return p.Expr != nil && names(*p.Expr, column) }) {
			return "an index holds what is computed from the column"
		}
	}
	for _, c := range a.computedFrom(column) {
		switch {
		case stored(c):
			return "a stored column is computed from it"
		case len(a.keysOf(c.Name)) > 0:
			return "an index holds what is computed from the column"
		case a.spreadBy(c.Name):
			return "rows are spread over partitions by what is computed from the column"
		}
	}
	return ""
}

// checkedBy tells whether a check reads a column. Only a copy applies it to the rows that are there.
func (a Alter) checkedBy(column string) bool {
	return slices.ContainsFunc(a.table().Checks, func(k *catalog.Check) bool { return names(k.Expr, column) })
}

// spreadBy tells whether rows are spread over partitions by a column. KEY without columns is of the key by which rows are stored.
func (a Alter) spreadBy(column string) bool {
	p := a.table().Partitions
	if p == nil {
		return false
	}
	how := strings.ToLower(p.Method + " " + p.Sub)
	if strings.Contains(how, "key ()") && (a.clustered() == nil || in(a.clustered(), column)) {
		return true
	}
	return strings.Contains(how, catalog.Quote(strings.ToLower(column)))
}

// spreadByComputed tells whether rows are spread by a column that is computed.
func (a Alter) spreadByComputed() bool {
	return slices.ContainsFunc(a.table().Columns, func(c *catalog.Column) bool { return c.Generated != nil && a.spreadBy(c.Name) })
}

// defaultRead tells whether a column is computed from the default of another: DEFAULT(a).
func (a Alter) defaultRead(c *catalog.Column) bool {
	return c != nil && slices.ContainsFunc(a.table().Columns, func(o *catalog.Column) bool {
		return o.Generated != nil && names(o.Generated.Expr, c.Name) && strings.Contains(strings.ToLower(o.Generated.Expr.Canon), "default(")
	})
}

// before tells whether a column stands before a virtual one, which gets another place when it goes.
func (a Alter) before(column string) bool {
	columns := a.table().Columns
	at := slices.IndexFunc(columns, func(c *catalog.Column) bool { return strings.EqualFold(c.Name, column) })
	return at >= 0 && slices.ContainsFunc(columns[at+1:], virtual)
}

// dropped is what it takes that a column goes, where not the metadata alone changes.
func (a Alter) dropped(c *catalog.Column, why string) fact {
	if a.before(c.Name) {
		return copied("a virtual column gets another place")
	}
	return rebuilt(why)
}
