package catalog

import (
	"slices"

	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/altergate/altergate/internal/dialect/postgres/script"
	"github.com/altergate/altergate/internal/schema"
)

// creation is a CREATE TABLE: it is read first, in full, and then run, so that one that has to wait leaves nothing behind.
type creation struct {
	c       *Catalog
	s       *script.Statement
	t       *Table
	parents []*Table
	parent  *Table // that it is a partition of
	like    []copying
	items   []item
	checks  []*Constraint
	keys    []*Constraint
	foreign []*Constraint
}

// copying is LIKE with the table or the type that it copies.
type copying struct {
	table   *Table
	columns []*Column
	options uint32
	at      Origin
}

// item is a column or a LIKE: columns stand in the order of both.
type item struct {
	column *definition
	like   *copying
}

// createTable runs CREATE TABLE.
func (c *Catalog) createTable(s *script.Statement, n *pg.CreateStmt) error {
	return c.makeTable(s, n, &Table{})
}

// createForeignTable runs CREATE FOREIGN TABLE.
func (c *Catalog) createForeignTable(s *script.Statement, n *pg.CreateForeignTableStmt) error {
	t := &Table{Server: n.GetServername()}
	if len(n.GetOptions()) > 0 {
		t.ServerOptions = options(n.GetOptions())
	}
	return c.makeTable(s, n.GetBaseStmt(), t)
}

func (c *Catalog) makeTable(s *script.Statement, n *pg.CreateStmt, t *Table) error {
	o := c.origin(s, int(n.GetRelation().GetLocation()))
	name, err := c.newRelation(o, n.GetRelation())
	if err != nil {
		return err
	}
	if _, there := c.Relation(name); there && n.GetIfNotExists() {
		return passedOver("CREATE TABLE IF NOT EXISTS of what is there")
	}
	if err := c.freeRelation(o, "table", name); err != nil {
		return err
	}
	t.Name, t.Origin, t.Unlogged = name, o, n.GetRelation().GetRelpersistence() == "u"
	t.AccessMethod, t.Tablespace = accessMethod(n.GetAccessMethod()), spaceName(n.GetTablespacename())
	t.Partition, t.PartitionText = n.GetPartspec(), partitionText(s, n.GetPartspec())
	t.Options = tableOptions(n.GetOptions())
	m := &creation{c: c, s: s, t: t}
	if err := m.read(n); err != nil {
		return err
	}
	return final(m.run())
}

// final makes an error that would wait one that does not: the statement has been run.
func final(err error) error {
	if w, ok := err.(waiting); ok {
		return w.err
	}
	return err
}

// accessMethod gives the name of a table access method; heap is the default.
func accessMethod(name string) string {
	if name == "heap" {
		return ""
	}
	return name
}

// tableOptions gives storage parameters; OIDS has had no meaning since PostgreSQL 12, and is still written by old dumps.
func tableOptions(nodes []*pg.Node) map[string]string {
	m := options(nodes)
	if m["oids"] == "false" {
		delete(m, "oids")
	}
	if len(m) == 0 {
		return nil
	}
	return m
}

// read reads all that is named and all that is declared. Only here may the statement wait.
func (m *creation) read(n *pg.CreateStmt) error {
	if err := m.readParents(n); err != nil {
		return err
	}
	if n.GetOfTypename() != nil {
		if err := m.readType(n.GetOfTypename()); err != nil {
			return err
		}
	}
	for _, e := range n.GetTableElts() {
		if err := m.readElement(e); err != nil {
			return err
		}
	}
	for _, e := range n.GetConstraints() {
		if err := m.readElement(e); err != nil {
			return err
		}
	}
	return nil
}

func (m *creation) readParents(n *pg.CreateStmt) error {
	for _, r := range n.GetInhRelations() {
		o := m.c.origin(m.s, int(r.GetRangeVar().GetLocation()))
		p, err := m.c.table(o, r.GetRangeVar())
		if err != nil {
			return err
		}
		if n.GetPartbound() == nil {
			m.parents = append(m.parents, p)
			m.t.Inherits = append(m.t.Inherits, p.Name)
			continue
		}
		if p.Partition == nil {
			return m.c.errorf(o, schema.KindSchema, "table %s is not partitioned, so table %s cannot be its partition", p.Name, m.t.Name)
		}
		m.parent = p
		m.t.Bound, m.t.BoundText = n.GetPartbound(), boundText(m.s, n.GetPartbound())
	}
	return nil
}

// readType takes the columns of a composite type, for OF.
func (m *creation) readType(n *pg.TypeName) error {
	o := m.c.origin(m.s, int(n.GetLocation()))
	t, err := m.c.typeNamed(o, n.GetNames())
	if err != nil {
		return err
	}
	if t.Kind != Composite {
		return m.c.errorf(o, schema.KindSchema, "type %s is no composite type, so table %s cannot be of it", t.Name, m.t.Name)
	}
	name := t.Name
	m.t.OfType = &name
	m.items = append(m.items, item{like: &copying{columns: t.Columns, at: o}})
	return nil
}

// readElement reads what stands between the parentheses.
func (m *creation) readElement(e *pg.Node) error {
	switch n := e.GetNode().(type) {
	case *pg.Node_ColumnDef:
		d, err := m.c.readColumn(m.s, n.ColumnDef)
		if err != nil {
			return err
		}
		m.items = append(m.items, item{column: d})
		for _, k := range d.constraints {
			m.sort(k)
		}
		return nil
	case *pg.Node_Constraint:
		k, err := m.c.readConstraint(m.s, n.Constraint)
		if err != nil {
			return err
		}
		m.sort(k)
		return nil
	case *pg.Node_TableLikeClause:
		return m.readLike(n.TableLikeClause)
	}
	return m.c.errorf(m.t.Origin, schema.KindUnsupported, "table %s holds something that is not understood (%s)", m.t.Name, kindOf(e))
}

// sort puts a constraint with others of its kind: the server makes checks first, then keys, then foreign keys. A new table has no
// rows that could break one, so none is NOT VALID.
func (m *creation) sort(k *Constraint) {
	k.NotValid = false
	switch {
	case k.isKey():
		m.keys = append(m.keys, k)
	case k.Kind == schema.ForeignKey:
		m.foreign = append(m.foreign, k)
	default:
		m.checks = append(m.checks, k)
	}
}

func (m *creation) readLike(n *pg.TableLikeClause) error {
	o := m.c.origin(m.s, int(n.GetRelation().GetLocation()))
	name, err := m.c.relation(o, n.GetRelation())
	if err != nil {
		return err
	}
	l := &copying{options: n.GetOptions(), at: o}
	switch {
	case m.c.Tables[name] != nil:
		l.table, l.columns = m.c.Tables[name], m.c.Tables[name].Columns
	case m.c.Types[name] != nil:
		l.columns = m.c.Types[name].Columns
	default:
		return m.c.errorf(o, schema.KindUnsupported, "table %s takes its columns from view %s, whose query is not run here; declare the columns", m.t.Name, name)
	}
	m.items = append(m.items, item{like: l})
	if l.table != nil {
		m.like = append(m.like, *l)
	}
	return nil
}

// run makes the table and what belongs to it, in the order of the server, which shows in the names that it makes up.
func (m *creation) run() error {
	c, t := m.c, m.t
	c.Tables[t.Name] = t
	if err := m.addColumns(); err != nil {
		return err
	}
	for _, k := range m.keys { // a primary key's columns are NOT NULL before any other constraint counts
		if k.Kind == schema.PrimaryKey {
			for _, name := range k.Columns {
				if x := t.column(name); x != nil {
					x.NotNull = true
				}
			}
		}
	}
	for _, p := range m.allParents() {
		c.shareHistory(p, t)
		if err := m.inheritChecks(p); err != nil {
			return err
		}
	}
	for _, k := range m.checks {
		if err := m.addCheck(k); err != nil {
			return err
		}
	}
	if m.parent != nil {
		if err := c.enter(m.parent, t); err != nil {
			return err
		}
	}
	for _, l := range m.like {
		if err := m.expandLike(l); err != nil {
			return err
		}
	}
	for _, k := range slices.Concat(m.distinctKeys(), m.foreign) {
		if err := c.addConstraint(t, k, false); err != nil {
			return err
		}
	}
	return nil
}

func (m *creation) allParents() []*Table {
	if m.parent != nil {
		return []*Table{m.parent}
	}
	return m.parents
}

// addColumns makes the columns: those of the parents, then the table's own, which may repeat one of theirs.
func (m *creation) addColumns() error {
	for _, p := range m.allParents() {
		m.c.noteParent(m.t, p.Name)
		for _, x := range p.Columns {
			if err := m.inheritColumn(p, x); err != nil {
				return err
			}
		}
	}
	for _, i := range m.items {
		var err error
		if i.like != nil {
			err = m.copyColumns(i.like)
		} else {
			err = m.addColumn(i.column)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// inheritColumn takes a column of a parent; one of the same name of another parent becomes one with it.
func (m *creation) inheritColumn(p *Table, x *Column) error {
	y := x.inherited()
	old := m.t.column(x.Name)
	if old == nil {
		m.t.Columns = append(m.t.Columns, y)
		return nil
	}
	if a, b := m.c.TypeKey(old.Type), m.c.TypeKey(x.Type); a != b {
		return m.c.errorf(m.t.Origin, schema.KindSchema, "table %s inherits column %s as %s and, from table %s, as %s", m.t.Name, x.Name, a, p.Name, b)
	}
	old.NotNull = old.NotNull || x.NotNull
	if old.Default == nil {
		old.Default = y.Default
	}
	return nil
}

// inherited gives a column as a child has it: it is no identity there.
func (x *Column) inherited() *Column {
	return &Column{
		Name: x.Name, Type: x.Type, Collation: shallow(x.Collation), NotNull: x.NotNull, Default: x.Default, Generated: x.Generated,
		Storage: x.Storage, Compression: x.Compression, Statistics: -1, Inherited: true, Origin: x.Origin,
	}
}

// addColumn makes a column, or changes the one that is inherited, or comes with the table's type, as its definition says.
func (m *creation) addColumn(d *definition) error {
	x := d.column
	old := m.t.column(x.Name)
	if old == nil && d.node.GetTypeName() == nil {
		return m.c.errorf(x.Origin, schema.KindSchema, "table %s gives options to a column %s that it does not get; correct the name", m.t.Name, x.Name)
	}
	if old == nil || (!old.Inherited && m.t.OfType == nil) {
		return m.c.addColumn(m.t, d)
	}
	if d.node.GetTypeName() != nil {
		if a, b := m.c.TypeKey(old.Type), m.c.TypeKey(x.Type); a != b {
			return m.c.errorf(x.Origin, schema.KindSchema, "column %s of table %s has the type %s here and inherits %s", x.Name, m.t.Name, b, a)
		}
		old.Inherited, old.Type, old.Origin = false, x.Type, x.Origin
		if m.t.OfType != nil {
			return m.c.errorf(x.Origin, schema.KindSchema, "column %s of table %s comes with its type; write WITH OPTIONS", x.Name, m.t.Name)
		}
	}
	old.NotNull = old.NotNull || x.NotNull
	if x.Default != nil || d.noDefault {
		old.Default = x.Default
	}
	if x.Generated != nil {
		old.Generated = x.Generated
	}
	if x.Storage != "" {
		old.Storage = x.Storage
	}
	if x.Compression != "" {
		old.Compression = x.Compression
	}
	if d.identity != nil {
		old.Default = nil
	}
	return m.c.addSequence(m.t, &definition{column: old, serial: d.serial, identity: d.identity, node: d.node})
}

// inheritChecks takes the checks of a parent.
func (m *creation) inheritChecks(p *Table) error {
	for _, k := range p.Constraints {
		if k.Kind == schema.Check && !k.NoInherit {
			if err := m.c.giveConstraint(p, m.t, k); err != nil {
				return err
			}
		}
	}
	return nil
}

// addCheck puts a check on the table; an inherited one of the same name becomes the table's own.
func (m *creation) addCheck(k *Constraint) error {
	if old := m.t.constraint(k.Name); k.Name != "" && old != nil && old.Inherited && old.Kind == schema.Check {
		if !sameExpr(old.Expr, k.Expr) {
			return m.c.errorf(k.Origin, schema.KindSchema, "constraint %s of table %s differs from the inherited one of that name; rename it", k.Name, m.t.Name)
		}
		*old = *k
		return nil
	}
	return m.c.addConstraint(m.t, k, false)
}

// distinctKeys gives the keys that need an index of their own, the primary key first: one that repeats another is one with it, as
// in UNIQUE PRIMARY KEY.
func (m *creation) distinctKeys() []*Constraint {
	var list []*Constraint
	for _, primary := range []bool{true, false} {
		for _, k := range m.keys {
			if (k.Kind == schema.PrimaryKey) != primary {
				continue
			}
			same := slices.IndexFunc(list, func(p *Constraint) bool { return k.Kind != schema.PrimaryKey && repeats(p, k) })
			switch {
			case same < 0:
				list = append(list, k)
			case list[same].Name == "":
				list[same].Name = k.Name
			}
		}
	}
	return list
}

func repeats(a, b *Constraint) bool {
	if a.Kind == schema.Exclusion || b.Kind == schema.Exclusion {
		return a.Kind == b.Kind && a.equal(b)
	}
	return a.shape().equal(b.shape()) && a.Deferrable == b.Deferrable && a.Deferred == b.Deferred
}
