package catalog

import (
	"cmp"
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/altergate/altergate/internal/dialect/postgres/script"
	"github.com/altergate/altergate/internal/schema"
)

// parents lists the tables that a table inherits from or is a partition of.
func (t *Table) parents() []Name {
	if t.PartitionOf == nil {
		return t.Inherits
	}
	return append(slices.Clone(t.Inherits), *t.PartitionOf)
}

// noteParent notes that a table has a parent, for children.
func (c *Catalog) noteParent(t *Table, parent Name) {
	if !slices.Contains(c.heirs[parent], t) {
		c.heirs[parent] = append(c.heirs[parent], t)
	}
}

// children lists the tables that inherit from a table or are its partitions, in the order in which they were made. What was noted
// is checked, so that nothing needs to be noted when one goes.
func (c *Catalog) children(n Name) []*Table {
	noted, ok := c.heirs[n]
	if !ok {
		return nil
	}
	var list []*Table
	for _, t := range noted {
		if c.Tables[t.Name] == t && slices.Contains(t.parents(), n) {
			list = append(list, t)
		}
	}
	slices.SortFunc(list, func(a, b *Table) int { return cmp.Or(cmp.Compare(a.Time, b.Time), compareNames(a.Name, b.Name)) })
	return list
}

func compareNames(a, b Name) int {
	return cmp.Or(cmp.Compare(a.Schema, b.Schema), cmp.Compare(a.Name, b.Name))
}

// passOn brings a constraint to the tables that inherit from this one: a check to all of them, keys and foreign keys to partitions.
func (c *Catalog) passOn(t *Table, k *Constraint, only bool) error {
	kids := c.children(t.Name)
	if len(kids) == 0 || k.NoInherit || (k.Kind != schema.Check && t.Partition == nil) {
		return nil
	}
	if only && !k.isKey() {
		return c.errorf(k.Origin, schema.KindSchema, "constraint %s must be on the tables that inherit from %s too; leave out ONLY", k.Name, t.Name)
	}
	for _, child := range kids {
		if only {
			break
		}
		if err := c.giveConstraint(t, child, k); err != nil {
			return err
		}
	}
	return nil
}

// giveConstraint brings a constraint to a child: an equal one of the child's own is taken, as the server does.
func (c *Catalog) giveConstraint(t, child *Table, k *Constraint) error {
	own := child.matching(k)
	if k.Kind == schema.Check {
		own = child.constraint(k.Name)
	}
	switch {
	case own != nil && k.Kind == schema.Check && !(own.Kind == schema.Check && sameExpr(own.Expr, k.Expr)):
		return c.errorf(own.Origin, schema.KindSchema, "constraint %s of table %s differs from the one of that name that comes from table %s; rename one of the two", k.Name, child.Name, t.Name)
	case own != nil:
		own.Inherited = own.Inherited || child.PartitionOf != nil
		return nil
	}
	copied := k.clone()
	copied.Inherited, copied.Column = true, ""
	switch {
	case k.isKey():
		sh := k.shape()
		copied.Name, copied.Made = c.chooseIndexName(child.Name, chooseIndexColumnNames(sh.elements, sh.include), k.Kind), true
	case k.Kind == schema.ForeignKey && child.constraint(k.Name) != nil:
		copied.Name, copied.Made = c.chooseConstraintName(child.Name.Schema, child.Name.Name, nameAddition(k.Columns), "fkey"), true
	}
	child.Constraints = append(child.Constraints, copied)
	c.nameConstraint(child, copied)
	if k.Kind == schema.PrimaryKey {
		for _, name := range k.Columns {
			if x := child.column(name); x != nil {
				c.setNotNull(child, x, false)
			}
		}
	}
	return c.passOn(child, copied, false)
}

// matching gives a key or a foreign key of the table that is equal to one of its parent and has not been taken for another.
func (t *Table) matching(k *Constraint) *Constraint {
	for _, own := range t.Constraints {
		if !own.Inherited && own.equal(k) {
			return own
		}
	}
	return nil
}

// equal tells whether two constraints demand the same, whatever their names.
func (k *Constraint) equal(other *Constraint) bool {
	if k.Kind != other.Kind || k.Deferrable != other.Deferrable || k.Deferred != other.Deferred {
		return false
	}
	switch k.Kind {
	case schema.Check:
		return sameExpr(k.Expr, other.Expr)
	case schema.ForeignKey:
		a, b := k.Ref, other.Ref
		return slices.Equal(k.Columns, other.Columns) && a.Table == b.Table && slices.Equal(a.Columns, b.Columns) && a.Match == b.Match &&
			a.OnDelete == b.OnDelete && a.OnUpdate == b.OnUpdate && slices.Equal(a.SetColumns, b.SetColumns)
	}
	return k.shape().equal(other.shape())
}

// inheritedOf gives what the table has inherited of a parent's constraint, or nil.
func (t *Table) inheritedOf(k *Constraint) *Constraint {
	for _, own := range t.Constraints {
		if own.Inherited && own.equal(k) && (k.Kind != schema.Check || own.Name == k.Name) {
			return own
		}
	}
	return nil
}

// inheritsConstraint tells whether a constraint still comes from a parent.
func (c *Catalog) inheritsConstraint(t *Table, k *Constraint) bool {
	for _, n := range t.parents() {
		p := c.Tables[n]
		if p != nil && slices.ContainsFunc(p.Constraints, func(pk *Constraint) bool { return t.inheritedOf(pk) == k }) {
			return true
		}
	}
	return false
}

// indexPartitions brings an index to the partitions of its table.
func (c *Catalog) indexPartitions(t *Table, x *Index) {
	for _, child := range c.children(t.Name) {
		c.giveIndex(child, x)
	}
}

// giveIndex brings an index to a partition: an equal one of the partition's own is taken, or that of a constraint.
func (c *Catalog) giveIndex(child *Table, x *Index) {
	for _, own := range child.Indexes {
		if own.Parent == nil && own.shape().equal(x.shape()) {
			parent := x.Name
			own.Parent, own.Inherited = &parent, true
			return
		}
	}
	for _, k := range child.Constraints {
		if k.isKey() && !k.Inherited && k.Kind != schema.Exclusion && k.shape().equal(x.shape()) {
			return
		}
	}
	copied, parent := x.clone(), x.Name
	copied.Table, copied.Parent, copied.Inherited, copied.Made, copied.Only = child.Name, &parent, true, true, false
	copied.Name = Name{child.Name.Schema, c.chooseIndexName(child.Name, chooseIndexColumnNames(x.Elements, x.Include), "")}
	c.addIndex(child, nil, copied)
	if child.Partition != nil {
		c.indexPartitions(child, copied)
	}
}

// attachIndex runs ALTER INDEX … ATTACH PARTITION, for plain indexes and those of constraints.
func (c *Catalog) attachIndex(o Origin, parent Name, cmd *pg.PartitionCmd) error {
	name, err := c.relation(o, cmd.GetName())
	if err != nil {
		return err
	}
	x, child := c.Indexes[parent], c.Indexes[name]
	pt, pk := c.keyNamed(parent)
	ct, ck := c.keyNamed(name)
	if x != nil {
		pt = c.Tables[x.Table]
	}
	if child != nil {
		ct = c.Tables[child.Table]
	}
	fits := pt != nil && ct != nil && ct.PartitionOf != nil && *ct.PartitionOf == pt.Name
	switch {
	case !fits && pt != nil && ct != nil && ct.PartitionOf == nil:
		return c.missing(o, "index %s is on table %s, which is no partition of table %s; attach the table first", name, ct.Name, pt.Name)
	case !fits:
		return c.errorf(o, schema.KindSchema, "index %s cannot be attached to %s: it is not on a partition of the same table", name, parent)
	case x != nil && child != nil && child.shape().equal(x.shape()):
		if child.Parent != nil && *child.Parent != parent {
			return c.errorf(o, schema.KindSchema, "index %s is attached to %s already", name, *child.Parent)
		}
		child.Parent, child.Inherited = &parent, true
	case x != nil && ck != nil && ck.shape().equal(x.shape()):
	case pk != nil && ck != nil && ck.equal(pk):
		ck.Inherited = true
	default:
		return c.errorf(o, schema.KindSchema, "index %s cannot be attached to %s: the two are not defined alike", name, parent)
	}
	c.completeIndex(x)
	return nil
}

// completeIndex notes that an index ON ONLY a table is on all its partitions by now, and so the one that it is attached to may be.
func (c *Catalog) completeIndex(x *Index) {
	if x == nil || !x.Only || slices.ContainsFunc(c.children(x.Table), func(t *Table) bool { return !t.hasUnder(x) }) {
		return
	}
	x.Only = false
	if x.Parent != nil {
		c.completeIndex(c.Indexes[*x.Parent])
	}
}

// hasUnder tells whether a partition has its part of an index, in full.
func (t *Table) hasUnder(x *Index) bool {
	return slices.ContainsFunc(t.Indexes, func(y *Index) bool { return y.Parent != nil && *y.Parent == x.Name && !y.Only }) ||
		slices.ContainsFunc(t.Constraints, func(k *Constraint) bool {
			return k.isKey() && k.Kind != schema.Exclusion && k.shape().equal(x.shape())
		})
}

// enter makes a table that has the columns of a partitioned one its partition, with the keys, indexes, triggers and foreign keys.
func (c *Catalog) enter(parent, child *Table) error {
	name := parent.Name
	child.PartitionOf = &name
	c.noteParent(child, name)
	for _, k := range parent.Constraints {
		if k.isKey() {
			if err := c.giveConstraint(parent, child, k); err != nil {
				return err
			}
		}
	}
	for _, x := range parent.Indexes {
		c.giveIndex(child, x)
	}
	if err := c.cloneTriggers(parent, child); err != nil {
		return err
	}
	for _, k := range parent.Constraints {
		if k.Kind == schema.ForeignKey {
			if err := c.giveConstraint(parent, child, k); err != nil {
				return err
			}
		}
	}
	return nil
}

// attach runs ALTER TABLE … ATTACH PARTITION.
func (c *Catalog) attach(o Origin, t *Table, cmd *pg.PartitionCmd) error {
	child, err := c.table(o, cmd.GetName())
	if err != nil {
		return err
	}
	switch {
	case t.Partition == nil:
		return c.errorf(o, schema.KindSchema, "table %s is not partitioned, so table %s cannot be attached to it", t.Name, child.Name)
	case child.PartitionOf != nil:
		return c.errorf(o, schema.KindSchema, "table %s is a partition of %s already", child.Name, *child.PartitionOf)
	case len(child.Inherits) > 0:
		return c.errorf(o, schema.KindSchema, "table %s inherits from %s, so it cannot be a partition", child.Name, child.Inherits[0])
	}
	for _, x := range child.Columns {
		if t.column(x.Name) == nil {
			return c.missing(o, "table %s has a column %s that table %s has not, so it cannot be its partition", child.Name, x.Name, t.Name)
		}
	}
	if err := c.conform(o, t, child); err != nil {
		return err
	}
	child.Bound, child.BoundText = cmd.GetBound(), boundText(o.Statement, cmd.GetBound())
	return c.enter(t, child)
}

// conform checks that a table has the columns and checks of one that becomes its parent, and notes that they come from it. Those of
// a partition are the parent's alone.
func (c *Catalog) conform(o Origin, parent, child *Table) error {
	for _, x := range parent.Columns {
		own := child.column(x.Name)
		switch {
		case own == nil:
			return c.missing(o, "table %s has no column %s, which table %s has", child.Name, x.Name, parent.Name)
		case x.NotNull && !own.NotNull:
			return c.missing(o, "column %s of table %s must be NOT NULL, as it is in table %s", x.Name, child.Name, parent.Name)
		}
	}
	for _, k := range parent.Constraints {
		if k.Kind != schema.Check || k.NoInherit {
			continue
		}
		if own := child.constraint(k.Name); own == nil || own.Kind != schema.Check {
			return c.missing(o, "table %s has no constraint %s, which table %s has; add it", child.Name, k.Name, parent.Name)
		}
	}
	if parent.Partition == nil {
		return nil
	}
	for _, x := range child.Columns {
		x.Inherited = true
	}
	for _, k := range parent.Constraints {
		if own := child.constraint(k.Name); k.Kind == schema.Check && !k.NoInherit && own != nil {
			own.Inherited = true
		}
	}
	return nil
}

// detach runs ALTER TABLE … DETACH PARTITION: what came from the parent is the table's own now, but for the triggers, which go.
func (c *Catalog) detach(o Origin, t *Table, cmd *pg.PartitionCmd) error {
	child, err := c.table(o, cmd.GetName())
	if err != nil {
		return err
	}
	if child.PartitionOf == nil || *child.PartitionOf != t.Name {
		return c.missing(o, "table %s is no partition of table %s", child.Name, t.Name)
	}
	child.PartitionOf, child.Bound, child.BoundText = nil, nil, ""
	for _, x := range child.Columns {
		x.Inherited = false
	}
	for _, k := range child.Constraints {
		k.Inherited = false
	}
	for _, x := range child.Indexes {
		x.Inherited, x.Parent = false, nil
	}
	c.dropClones(child, "")
	return nil
}

// boundText gives a partition's bound as written: FOR VALUES …, or DEFAULT.
func boundText(s *script.Statement, b *pg.PartitionBoundSpec) string {
	at := int(b.GetLocation())
	switch {
	case b == nil || s == nil:
		return ""
	case b.GetIsDefault():
		return "DEFAULT"
	}
	_, end, ok := s.Parens(at)
	if to := s.After(end, "TO"); ok && to >= 0 {
		_, end, _ = s.Parens(to)
	}
	from := strings.LastIndex(strings.ToUpper(s.Text[:at]), "FOR")
	if from < 0 {
		return "FOR VALUES " + s.Text[at:end]
	}
	return s.Text[from:end]
}

// partitionText gives what a table is partitioned by, as written: RANGE (created_at).
func partitionText(s *script.Statement, p *pg.PartitionSpec) string {
	from := s.After(int(p.GetLocation()), "PARTITION", "BY")
	if p == nil || from < 0 {
		return ""
	}
	from = skipBlank(s.Text, from)
	_, end, _ := s.Parens(from)
	return s.Text[from:end]
}
