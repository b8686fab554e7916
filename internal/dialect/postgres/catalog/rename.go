package catalog

import (
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/altergate/altergate/internal/dialect/postgres/script"
	"github.com/altergate/altergate/internal/schema"
)

// RenameTable gives a table another name as ALTER TABLE … RENAME does: everything that names the table goes along, and its
// constraints, indexes and sequences keep their names.
func (c *Catalog) RenameTable(from, to Name) {
	t := c.Tables[from]
	if t == nil {
		return
	}
	delete(c.Tables, from)
	t.Name = to
	c.Tables[to] = t
	for _, x := range t.Indexes {
		x.Table = to
	}
	for _, g := range t.Triggers {
		g.Table = to
	}
	for _, s := range c.Sequences {
		if s.OwnedBy != nil && *s.OwnedBy == from {
			s.OwnedBy = &to
		}
	}
	for _, other := range c.Tables {
		other.followTable(from, to)
	}
	c.heirs[to] = append(c.heirs[to], c.heirs[from]...)
	for _, k := range t.Constraints {
		c.nameConstraint(t, k)
	}
	c.followRelation(from, to)
	c.logRename("relation", from, to, Name{})
	c.renameSignatures()
}

// MoveTable gives a table a name that may be in another schema: its indexes and its own sequences go there with it.
func (c *Catalog) MoveTable(from, to Name) error {
	c.RenameTable(from, to)
	if from.Schema == to.Schema {
		return nil
	}
	return c.moveParts(Origin{Time: c.now}, from, to)
}

// followTable changes the names of another table where this one names it.
func (t *Table) followTable(from, to Name) {
	for i, p := range t.Inherits {
		if p == from {
			t.Inherits = slices.Clone(t.Inherits)
			t.Inherits[i] = to
		}
	}
	if t.PartitionOf != nil && *t.PartitionOf == from {
		t.PartitionOf = &to
	}
	for _, k := range t.Constraints {
		if k.Ref != nil && k.Ref.Table == from {
			k.Ref.Table = to
		}
	}
	for _, g := range t.Triggers {
		if g.From != nil && *g.From == from {
			g.From = &to
		}
	}
}

// renameView gives a view another name.
func (c *Catalog) renameView(from, to Name) {
	v := c.Views[from]
	delete(c.Views, from)
	v.Name = to
	c.Views[to] = v
	for _, x := range v.Indexes {
		x.Table = to
	}
	for _, g := range v.Triggers {
		g.Table = to
	}
	c.followRelation(from, to)
	c.logRename("relation", from, to, Name{})
	c.renameSignatures()
}

// renameSequence gives a sequence another name, in the defaults that take their values from it too.
func (c *Catalog) renameSequence(from, to Name) {
	q := c.Sequences[from]
	delete(c.Sequences, from)
	q.Name = to
	c.Sequences[to] = q
	for _, t := range c.Tables {
		for _, x := range t.Columns {
			if d := x.Default; d != nil && d.Sequence != nil && *d.Sequence == from {
				e := *d
				e.Sequence = &to
				x.Default = &e
			}
		}
	}
	c.follow("sequence", from.String(), to.String())
	c.logRename("relation", from, to, Name{})
}

// renameIndex gives an index another name, and its constraint if it is that of one.
func (c *Catalog) renameIndex(from, to Name) {
	t, k := c.keyNamed(from)
	if x := c.Indexes[from]; x != nil {
		delete(c.Indexes, from)
		x.Name = to
		c.Indexes[to] = x
		t = c.Tables[x.Table]
	} else if k != nil {
		k.Name = to.Name
		c.nameConstraint(t, k)
		c.followPart("constraint", t.Name, from.Name, to.Name)
	}
	for _, x := range c.Indexes {
		if x.Parent != nil && *x.Parent == from {
			x.Parent = &to
		}
	}
	if t != nil && from.Name != to.Name {
		if t.ReplicaIdentity == "index "+from.Name {
			t.ReplicaIdentity = "index " + to.Name
		}
		if t.ClusterOn == from.Name {
			t.ClusterOn = to.Name
		}
	}
	if t == nil {
		c.clusterViewOn(from, to)
	}
	c.follow("index", from.String(), to.String())
	c.logRename("relation", from, to, Name{})
}

func (c *Catalog) clusterViewOn(from, to Name) {
	if x := c.Indexes[to]; x != nil && c.Views[x.Table] != nil && c.Views[x.Table].ClusterOn == from.Name {
		c.Views[x.Table].ClusterOn = to.Name
	}
}

// RenameColumn gives a column of a table another name as ALTER TABLE … RENAME COLUMN does: in everything that names it, and in the
// tables that inherit it.
func (c *Catalog) RenameColumn(table Name, from, to string) {
	t := c.Tables[table]
	if t == nil || t.column(from) == nil {
		return
	}
	t.column(from).Name = to
	for _, k := range t.Constraints {
		k.renameColumn(from, to)
	}
	for _, x := range t.Indexes {
		renameElements(x.Elements, from, to)
		x.Include = replaced(x.Include, from, to)
	}
	for _, g := range t.Triggers {
		g.Columns = replaced(g.Columns, from, to)
		slices.Sort(g.Columns)
	}
	for _, q := range c.Sequences {
		if q.OwnedBy != nil && *q.OwnedBy == table && q.OwnedColumn == from {
			q.OwnedColumn = to
		}
	}
	for _, other := range c.Tables {
		for _, k := range other.Constraints {
			if k.Ref != nil && k.Ref.Table == table {
				k.Ref.Columns = replaced(k.Ref.Columns, from, to)
			}
		}
	}
	c.followPart("column", table, from, to)
	c.logRename("column", Name{Name: from}, Name{Name: to}, table)
	for _, child := range c.children(table) {
		c.RenameColumn(child.Name, from, to)
	}
}

func (k *Constraint) renameColumn(from, to string) {
	k.Columns = replaced(k.Columns, from, to)
	k.Include = replaced(k.Include, from, to)
	renameElements(k.Elements, from, to)
	if k.Column == from {
		k.Column = to
	}
	if k.Ref != nil {
		k.Ref.SetColumns = replaced(k.Ref.SetColumns, from, to)
	}
}

func renameElements(elements []*IndexElement, from, to string) {
	for _, e := range elements {
		if e.Column == from {
			e.Column = to
		}
	}
}

// rename runs ALTER … RENAME.
func (c *Catalog) rename(s *script.Statement, n *pg.RenameStmt) error {
	o := c.origin(s, int(n.GetRelation().GetLocation()))
	switch n.GetRenameType() {
	case pg.ObjectType_OBJECT_TABLE, pg.ObjectType_OBJECT_FOREIGN_TABLE, pg.ObjectType_OBJECT_VIEW, pg.ObjectType_OBJECT_MATVIEW, pg.ObjectType_OBJECT_SEQUENCE, pg.ObjectType_OBJECT_INDEX:
		return c.renameRelation(o, n)
	case pg.ObjectType_OBJECT_COLUMN:
		return c.renameColumn(o, n)
	case pg.ObjectType_OBJECT_TABCONSTRAINT:
		return c.renameConstraint(o, n)
	case pg.ObjectType_OBJECT_ROLE, pg.ObjectType_OBJECT_DATABASE, pg.ObjectType_OBJECT_TABLESPACE:
		return passedOver("ALTER " + KindWord(n.GetRenameType()) + " RENAME")
	case pg.ObjectType_OBJECT_SCHEMA:
		return c.renameSchema(o, n)
	}
	return c.renameOther(s, n)
}

// renameRelation renames what the name means, whatever the statement calls it: the server takes ALTER TABLE for views and indexes.
func (c *Catalog) renameRelation(o Origin, n *pg.RenameStmt) error {
	from, err := c.existing(o, n.GetRelation(), n.GetMissingOk())
	if err != nil {
		return err
	}
	to := Name{from.Schema, n.GetNewname()}
	kind, _ := c.Relation(from)
	if err := c.freeRelation(o, kind, to); err != nil {
		return err
	}
	return c.move(o, from, to)
}

// move gives a relation another name, or another schema.
func (c *Catalog) move(o Origin, from, to Name) error {
	switch kind, _ := c.Relation(from); kind {
	case "table":
		c.RenameTable(from, to)
	case "view":
		c.renameView(from, to)
	case "sequence":
		c.renameSequence(from, to)
	case "index":
		c.renameIndex(from, to)
	default:
		return c.errorf(o, schema.KindSchema, "%s is a %s; change it with ALTER TYPE", from, kind)
	}
	return nil
}

// renameColumn runs ALTER TABLE … RENAME COLUMN, also for views and composite types.
func (c *Catalog) renameColumn(o Origin, n *pg.RenameStmt) error {
	name, err := c.existing(o, n.GetRelation(), n.GetMissingOk())
	if err != nil {
		return err
	}
	if v := c.Views[name]; v != nil {
		return c.renameViewColumn(o, v, n.GetSubname(), n.GetNewname())
	}
	t, err := c.table(o, n.GetRelation())
	if err != nil {
		return err
	}
	x, err := c.columnAt(o, t, n.GetSubname())
	switch {
	case err != nil:
		return err
	case x.Inherited:
		return c.errorf(o, schema.KindSchema, "column %s of table %s is inherited; rename it in the table that declares it", x.Name, t.Name)
	case t.column(n.GetNewname()) != nil:
		return c.errorf(o, schema.KindSchema, "table %s already has a column %s", t.Name, n.GetNewname())
	case !n.GetRelation().GetInh() && len(c.children(t.Name)) > 0:
		return c.errorf(o, schema.KindSchema, "column %s of table %s is inherited by others, so it cannot be renamed in ONLY that table", x.Name, t.Name)
	}
	c.RenameColumn(t.Name, x.Name, n.GetNewname())
	return nil
}

// renameConstraint runs ALTER TABLE … RENAME CONSTRAINT: the index of a key has the same name.
func (c *Catalog) renameConstraint(o Origin, n *pg.RenameStmt) error {
	if _, err := c.existing(o, n.GetRelation(), n.GetMissingOk()); err != nil {
		return err
	}
	t, err := c.table(o, n.GetRelation())
	if err != nil {
		return err
	}
	k := t.constraint(n.GetSubname())
	switch {
	case k == nil:
		return c.missing(o, "table %s has no constraint %s; correct the name", t.Name, n.GetSubname())
	case t.constraint(n.GetNewname()) != nil:
		return c.errorf(o, schema.KindSchema, "table %s already has a constraint %s", t.Name, n.GetNewname())
	case k.Kind == schema.Check && k.Inherited:
		return c.errorf(o, schema.KindSchema, "constraint %s of table %s is inherited; rename it in the table that declares it", k.Name, t.Name)
	case k.isKey():
		to := Name{t.Name.Schema, n.GetNewname()}
		if err := c.freeRelation(o, "index", to); err != nil {
			return err
		}
		c.renameIndex(Name{t.Name.Schema, k.Name}, to)
		return nil
	}
	c.renameCheck(t, n.GetSubname(), n.GetNewname(), k.Kind == schema.Check && !k.NoInherit)
	return nil
}

func (c *Catalog) renameCheck(t *Table, from, to string, inherited bool) {
	k := t.constraint(from)
	if k == nil {
		return
	}
	k.Name = to
	c.nameConstraint(t, k)
	c.followPart("constraint", t.Name, from, to)
	if inherited {
		for _, child := range c.children(t.Name) {
			c.renameCheck(child, from, to, true)
		}
	}
}

// setSchema runs ALTER … SET SCHEMA: a table's indexes, constraints and own sequences move with it.
func (c *Catalog) setSchema(s *script.Statement, n *pg.AlterObjectSchemaStmt) error {
	switch n.GetObjectType() {
	case pg.ObjectType_OBJECT_TABLE, pg.ObjectType_OBJECT_FOREIGN_TABLE, pg.ObjectType_OBJECT_VIEW, pg.ObjectType_OBJECT_MATVIEW, pg.ObjectType_OBJECT_SEQUENCE:
	default:
		return c.setSchemaOther(s, n)
	}
	o := c.origin(s, int(n.GetRelation().GetLocation()))
	from, err := c.existing(o, n.GetRelation(), n.GetMissingOk())
	if err != nil {
		return err
	}
	to := Name{n.GetNewschema(), from.Name}
	if from == to {
		return nil
	}
	for _, part := range c.partsToMove(from) {
		if err := c.freeRelation(o, "relation", Name{to.Schema, part.Name}); err != nil {
			return err
		}
	}
	if q := c.Sequences[from]; q != nil && q.OwnedBy != nil {
		return c.errorf(o, schema.KindSchema, "sequence %s belongs to table %s and moves with it; move the table", from, *q.OwnedBy)
	}
	if err := c.move(o, from, to); err != nil {
		return err
	}
	return c.moveParts(o, from, to)
}

// partsToMove lists a relation with what takes names in its schema and moves with it.
func (c *Catalog) partsToMove(n Name) []Name {
	list := []Name{n}
	if t := c.Tables[n]; t != nil {
		for _, x := range t.Indexes {
			list = append(list, x.Name)
		}
		for _, k := range t.Constraints {
			if k.isKey() {
				list = append(list, Name{n.Schema, k.Name})
			}
		}
		for _, q := range c.ownedSequences(n) {
			list = append(list, q.Name)
		}
	}
	if v := c.Views[n]; v != nil {
		for _, x := range v.Indexes {
			list = append(list, x.Name)
		}
	}
	return list
}

// moveParts takes the indexes and the own sequences of a relation to the schema where it is now.
func (c *Catalog) moveParts(o Origin, from, to Name) error {
	for _, part := range c.partsToMove(to) {
		if part == to || part.Schema == to.Schema && c.Indexes[part] == nil && c.Sequences[part] == nil {
			continue // a key's index has no schema of its own
		}
		if err := c.move(o, part, Name{to.Schema, part.Name}); err != nil {
			return err
		}
	}
	t := c.Tables[to]
	if t == nil {
		return nil
	}
	for _, k := range t.Constraints {
		if k.isKey() { // bodies and comments may name the index
			c.follow("index", Name{from.Schema, k.Name}.String(), Name{to.Schema, k.Name}.String())
			c.logRename("relation", Name{from.Schema, k.Name}, Name{to.Schema, k.Name}, Name{})
		}
	}
	return nil
}

// renameSchema runs ALTER SCHEMA … RENAME: everything in the schema moves.
func (c *Catalog) renameSchema(o Origin, n *pg.RenameStmt) error {
	from, to := n.GetSubname(), n.GetNewname()
	x := c.Schemas[from]
	switch {
	case x == nil && from == Public:
		return c.errorf(o, schema.KindUnsupported, "the schema public cannot be renamed here, since names without a schema mean it; create another schema")
	case x == nil:
		return c.missing(o, "there is no schema %s; create it, or correct the name", from)
	case c.Schemas[to] != nil || to == Public:
		return c.errorf(o, schema.KindSchema, "schema %s cannot be renamed to %s, which is there already", from, to)
	}
	for _, key := range c.inSchema(from) {
		return c.errorf(o, schema.KindUnsupported, "schema %s cannot be renamed here: the %s in it is known by its text, in which the schema stands; write the new name in the files instead", from, key)
	}
	delete(c.Schemas, from)
	x.Key, x.Altered = to, true
	c.Schemas[to] = x
	c.follow("schema", from, to)
	return c.moveAll(o, from, to)
}

// inSchema lists what stands in a schema, or is about one, and is neither a relation nor a type nor a function.
func (c *Catalog) inSchema(name string) []string {
	var keys []string
	for _, x := range c.Others {
		if x.Props["schema"] == name || (!x.Modelled && strings.Contains(x.Key, name+".")) {
			keys = append(keys, strings.ReplaceAll(x.Kind, "_", " ")+" "+x.Key)
		}
	}
	slices.Sort(keys)
	return keys
}

// moveAll takes all relations, types and functions of a schema to another.
func (c *Catalog) moveAll(o Origin, from, to string) error {
	var names []Name
	names = append(names, sortNames(c.Tables)...)
	names = append(names, sortNames(c.Views)...)
	for _, n := range names {
		if n.Schema != from {
			continue
		}
		there := Name{to, n.Name}
		if err := c.move(o, n, there); err != nil {
			return err
		}
		if err := c.moveParts(o, n, there); err != nil {
			return err
		}
	}
	for _, n := range sortNames(c.Sequences) {
		if n.Schema == from {
			c.renameSequence(n, Name{to, n.Name})
		}
	}
	for _, n := range sortNames(c.Types) {
		if n.Schema == from {
			if err := c.renameType(o, c.Types[n], Name{to, n.Name}); err != nil {
				return err
			}
		}
	}
	for _, id := range sorted(c.Functions) {
		if f := c.Functions[id]; f.Name.Schema == from {
			if err := c.renameFunction(o, f, Name{to, f.Name.Name}); err != nil {
				return err
			}
		}
	}
	return nil
}
