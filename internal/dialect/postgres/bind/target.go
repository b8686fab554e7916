package bind

import (
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/altergate/altergate/internal/dialect/postgres/builtin"
	"github.com/altergate/altergate/internal/dialect/postgres/catalog"
	"github.com/altergate/altergate/internal/dialect/postgres/script"
)

// targets binds the columns of a SELECT or a RETURNING.
func (r *run) targets(q *query, list []*pg.Node, s *scope, v *value) {
	for _, n := range list {
		t := n.GetResTarget()
		if fields := t.GetVal().GetColumnRef().GetFields(); len(fields) > 0 && fields[len(fields)-1].GetAStar() != nil {
			outputs := r.star(names(fields[:len(fields)-1]), t.GetVal().GetColumnRef().GetLocation(), s)
			q.outputs = append(q.outputs, outputs...)
			r.noteStar(names(fields[:len(fields)-1]), t.GetVal().GetColumnRef().GetLocation(), s, outputs)
			for _, o := range outputs {
				q.open = q.open || strings.HasSuffix(o.value.text, ".*")
			}
			continue
		}
		if ind := t.GetVal().GetAIndirection(); ind != nil {
			if steps := ind.GetIndirection(); len(steps) > 0 && steps[len(steps)-1].GetAStar() != nil {
				q.outputs = append(q.outputs, r.expand(ind, s)...)
				continue
			}
		}
		o := output{t.GetName(), r.expr(t.GetVal(), s)}
		if o.name == "" {
			o.name = figureName(t.GetVal())
		}
		v.mix(o.value)
		q.outputs = append(q.outputs, o)
	}
}

// star gives the columns that * stands for, or t.*.
func (r *run) star(list []string, location int32, s *scope) []output {
	if len(list) > 0 {
		schema, name := "", list[len(list)-1]
		if len(list) > 1 {
			schema = list[len(list)-2]
		}
		for level := s; level != nil; level = level.parent {
			if i := level.named(schema, name); i != nil {
				return r.starOf(i, single("", i).all)
			}
		}
		r.miss("relation", strings.Join(list, "."), location)
		return []output{{"*", value{text: "?." + ident(name) + ".*"}}}
	}
	var out []output
	for _, p := range s.all {
		out = append(out, output{p.column.name, r.columnValue(p.item, p.column)})
	}
	for _, i := range s.items {
		if i.open && !i.merged && !i.byName {
			out = append(out, output{"*", value{text: ident(i.shown) + ".*"}})
		}
	}
	return out
}

// noteStar keeps what a * stands for, so that it can be written out.
func (r *run) noteStar(list []string, location int32, s *scope, outputs []output) {
	star := Star{Offset: int(location)}
	places := s.all
	if len(list) > 0 {
		schema := ""
		if len(list) > 1 {
			schema = list[len(list)-2]
		}
		i := s.named(schema, list[len(list)-1])
		if i == nil {
			return
		}
		places = single("", i).all
	}
	for _, p := range places {
		text := script.Quote(p.column.name)
		if !p.item.merged {
			text = script.Quote(p.item.alias) + "." + text
		}
		star.Columns = append(star.Columns, text)
		if p.item.table != "" {
			star.Tables = append(star.Tables, p.item.table)
		}
	}
	if len(star.Columns) == len(outputs) { // else some are not known
		r.stars = append(r.stars, star)
	}
}

func (r *run) starOf(i *item, list []place) []output {
	var out []output
	for _, p := range list {
		out = append(out, output{p.column.name, r.columnValue(i, p.column)})
	}
	if i.open {
		out = append(out, output{"*", value{text: ident(i.shown) + ".*"}})
	}
	return out
}

// expand gives the columns of (x).*.
func (r *run) expand(n *pg.A_Indirection, s *scope) []output {
	inner := &pg.A_Indirection{Arg: n.GetArg(), Indirection: n.GetIndirection()[:len(n.GetIndirection())-1]}
	v := r.indirection(inner, s)
	columns, ok := r.fieldsOf(r.b.underlying(v.typ))
	if !ok {
		return []output{{"*", value{text: "(" + v.text + ").*", volatile: v.volatile}}}
	}
	var out []output
	for _, c := range columns {
		out = append(out, output{c.name, r.field(v, c.name)})
	}
	return out
}

// fieldsOf gives the columns of a composite type or of a relation's rows.
func (r *run) fieldsOf(typ string) ([]column, bool) {
	if t := r.b.known.types[typ]; t != nil && len(t.Columns) > 0 {
		list := make([]string, len(t.Columns))
		for i, c := range t.Columns {
			list[i] = c.Name
		}
		then := r.b.catalog.NamesThen(r.o.Time, t.Name, list)
		columns := make([]column, len(t.Columns))
		for i, c := range t.Columns {
			own := &run{b: r.b, o: c.Type.Origin}
			info := own.typeOf(c.Type.Node)
			columns[i] = column{name: then[i], text: ident(c.Name), typ: info.base, full: info.full, table: typ, of: c.Name}
		}
		return columns, true
	}
	n, ok := r.b.known.rows[typ]
	if !ok {
		return nil, false
	}
	if t := r.b.catalog.Tables[n]; t != nil {
		return r.tableColumns(t), true
	}
	columns, open := r.viewColumns(r.b.catalog.Views[n])
	return columns, !open
}

// figureName gives the name of an output that is given none (PostgreSQL 15, parse_target.c: FigureColname).
func figureName(n *pg.Node) string {
	name, _ := catalog.ColumnName(n)
	if name == "" {
		return "?column?"
	}
	return name
}

// commonOf gives the common type of two.
func (r *run) commonOf(a, b string) (string, bool) {
	return builtin.CommonType([]string{a, b}, &r.b.known)
}
