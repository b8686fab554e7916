package bind

import (
	"github.com/altergate/altergate/internal/dialect/postgres/catalog"
)

// viewResult is what is known of a view's columns.
type viewResult struct {
	columns []column
	open    bool // there may be others
	ok      bool // its query has been bound
}

// ViewColumns gives the columns of a view. It is not ok when they cannot all be told, and for a view that rests on itself.
func (b *Binder) ViewColumns(v *catalog.View) ([]Column, bool) {
	x := b.view(v)
	list := make([]Column, len(x.columns))
	for i, c := range x.columns {
		list[i] = Column{Name: c.name, Type: c.typ, Full: c.fullType(), NotNull: c.notNull}
	}
	return list, x.ok && !x.open
}

// view binds a view's query once.
func (b *Binder) view(v *catalog.View) *viewResult {
	if x := b.views[v]; x != nil {
		return x // not ok is a view on itself, of which nothing is known
	}
	x := &viewResult{open: true}
	b.views[v] = x
	r := &run{b: b, o: v.Origin}
	q := r.statement(v.Query, nil)
	q.settle(r)
	q.rename(v.Aliases)
	for _, c := range q.columns() {
		c.table, c.of = v.Name.String(), c.name
		x.columns = append(x.columns, c)
	}
	x.open, x.ok = q.open, true
	return x
}

// viewColumns gives the columns of a view by the names that the run's statement knew.
func (r *run) viewColumns(v *catalog.View) (columns []column, open bool) {
	x := r.b.view(v)
	list := make([]string, len(x.columns))
	for i, c := range x.columns {
		list[i] = c.name
	}
	then := r.b.catalog.NamesThen(r.o.Time, v.Name, list)
	columns = make([]column, len(x.columns))
	for i, c := range x.columns {
		columns[i] = c
		columns[i].name = then[i]
	}
	return columns, x.open
}
