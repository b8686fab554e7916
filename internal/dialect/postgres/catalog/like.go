package catalog

import (
	"github.com/altergate/altergate/internal/schema"
)

// The bits of TableLikeClause.Options (parsenodes.h).
const (
	likeComments = 1 << iota
	likeCompression
	likeConstraints
	likeDefaults
	likeGenerated
	likeIdentity
	likeIndexes
	likeStatistics
	likeStorage
)

func (l *copying) including(bit uint32) bool { return l.options&bit != 0 }

// copyColumns makes the columns of a LIKE or an OF: as new ones, with what INCLUDING asks for.
func (m *creation) copyColumns(l *copying) error {
	for _, x := range l.columns {
		y := &Column{Name: x.Name, Type: x.Type, Collation: shallow(x.Collation), NotNull: x.NotNull, Statistics: -1, Origin: l.at}
		if l.including(likeDefaults) {
			y.Default = x.Default
		}
		if l.including(likeGenerated) {
			y.Generated = x.Generated
		}
		if l.including(likeStorage) {
			y.Storage = x.Storage
		}
		if l.including(likeCompression) {
			y.Compression = x.Compression
		}
		if old := m.t.column(x.Name); old != nil && old.Inherited {
			if a, b := m.c.TypeKey(old.Type), m.c.TypeKey(y.Type); a != b {
				return m.c.errorf(l.at, schema.KindSchema, "column %s of table %s has the type %s here and inherits %s", x.Name, m.t.Name, b, a)
			}
			old.merge(y)
			y = old
		} else if err := m.c.addColumn(m.t, &definition{column: y}); err != nil {
			return err
		}
		if x.Identity != nil && l.including(likeIdentity) {
			if err := m.copyIdentity(l.at, x, y); err != nil {
				return err
			}
		}
	}
	return nil
}

// merge makes an inherited column the table's own too, as it is declared there.
func (x *Column) merge(y *Column) {
	x.Inherited, x.Origin, x.NotNull = false, y.Origin, x.NotNull || y.NotNull
	if y.Default != nil {
		x.Default = y.Default
	}
	if y.Generated != nil {
		x.Generated = y.Generated
	}
	if y.Storage != "" {
		x.Storage = y.Storage
	}
	if y.Compression != "" {
		x.Compression = y.Compression
	}
}

// copyIdentity makes a column an identity that counts as another does.
func (m *creation) copyIdentity(o Origin, from, to *Column) error {
	q := from.Identity.Sequence.clone()
	q.Name = Name{m.t.Name.Schema, m.c.chooseRelationName(m.t.Name.Schema, m.t.Name.Name, to.Name, "seq", false)}
	table := m.t.Name
	q.OwnedBy, q.OwnedColumn, q.Origin, q.Owner = &table, to.Name, o, ""
	m.c.Sequences[q.Name] = q
	to.Identity, to.NotNull = &Identity{Always: from.Identity.Always, Sequence: q}, true
	return nil
}

// expandLike copies what else INCLUDING asks for: checks keep their names, indexes get new ones.
func (m *creation) expandLike(l copying) error {
	m.c.shareHistory(l.table, m.t)
	for _, k := range l.table.Constraints {
		wanted := k.isKey() && l.including(likeIndexes) || k.Kind == schema.Check && l.including(likeConstraints)
		if !wanted {
			continue
		}
		y := k.clone()
		y.Inherited, y.Column = false, ""
		if k.isKey() {
			y.Name = ""
		}
		add := func() error { return m.c.addConstraint(m.t, y, false) }
		if !k.isKey() {
			add = func() error { return m.addCheck(y) }
		}
		if err := add(); err != nil {
			return err
		}
		m.copyComment(&l, target{kind: "constraint", on: &l.table.Name, name: k.Name}, target{kind: "constraint", on: &m.t.Name, name: y.Name})
	}
	if l.including(likeIndexes) {
		m.copyIndexes(&l)
	}
	for _, x := range l.columns {
		m.copyComment(&l, target{kind: "column", on: &l.table.Name, name: x.Name}, target{kind: "column", on: &m.t.Name, name: x.Name})
	}
	if l.including(likeStatistics) {
		return m.refuseStatistics(&l)
	}
	return nil
}

func (m *creation) copyIndexes(l *copying) {
	for _, x := range l.table.Indexes {
		y := x.clone()
		y.Table, y.Parent, y.Inherited, y.Only, y.Made, y.Origin = m.t.Name, nil, false, false, true, x.Origin
		y.Name = Name{m.t.Name.Schema, m.c.chooseIndexName(m.t.Name, chooseIndexColumnNames(x.Elements, x.Include), "")}
		m.c.addIndex(m.t, nil, y)
		m.copyComment(l, target{kind: "index", on: &l.table.Name, name: x.Name.String()}, target{kind: "index", on: &m.t.Name, name: y.Name.String()})
	}
}

// copyComment copies a comment, if there is one and it is asked for.
func (m *creation) copyComment(l *copying, from, to target) {
	old := m.c.Others[[2]string{"comment", from.String()}]
	if old == nil || !l.including(likeComments) {
		return
	}
	o := old.clone()
	on := *to.on
	to.on = &on
	to.about(o)
	m.c.Others[[2]string{o.Kind, o.Key}] = o
}

// refuseStatistics refuses to copy extended statistics, whose names the server makes up from their columns.
func (m *creation) refuseStatistics(l *copying) error {
	for _, o := range m.c.Others {
		if o.Kind == "statistics" && o.On != nil && *o.On == l.table.Name {
			return m.c.errorf(l.at, schema.KindUnsupported, "LIKE %s would copy statistics %s; add EXCLUDING STATISTICS, and create them on %s by name", l.table.Name, o.Key, m.t.Name)
		}
	}
	return nil
}
