package catalog

import (
	"cmp"
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/altergate/altergate/internal/dialect/postgres/script"
	"github.com/altergate/altergate/internal/schema"
)

// alterTable runs ALTER TABLE, and what the grammar takes for it: ALTER INDEX, VIEW, SEQUENCE and TYPE.
func (c *Catalog) alterTable(s *script.Statement, n *pg.AlterTableStmt) error {
	if n.GetObjtype() == pg.ObjectType_OBJECT_TYPE {
		return c.alterComposite(s, n)
	}
	o := c.origin(s, int(n.GetRelation().GetLocation()))
	name, err := c.existing(o, n.GetRelation(), n.GetMissingOk())
	if err != nil && n.GetMissingOk() && onlyDrops(n) {
		return notThere
	}
	if err != nil {
		return err
	}
	switch kind, _ := c.Relation(name); kind {
	case "view":
		return c.alterView(s, n, c.Views[name])
	case "index":
		return c.alterIndex(s, n, name)
	case "sequence":
		return c.alterSequenceAs(s, n, c.Sequences[name])
	case "composite type":
		return c.alterComposite(s, n)
	}
	return c.steps(s, &alteration{c: c, s: s, t: c.Tables[name], only: !n.GetRelation().GetInh()}, n.GetCmds())
}

// onlyDrops tells whether nothing is lost where the table is not there: dumps that are to replace a database begin so.
func onlyDrops(n *pg.AlterTableStmt) bool {
	return !slices.ContainsFunc(n.GetCmds(), func(node *pg.Node) bool {
		switch cmd := node.GetAlterTableCmd(); cmd.GetSubtype() {
		case pg.AlterTableType_AT_DropColumn, pg.AlterTableType_AT_DropConstraint, pg.AlterTableType_AT_DropInherit, pg.AlterTableType_AT_DetachPartition, pg.AlterTableType_AT_DropIdentity, pg.AlterTableType_AT_DropNotNull:
			return false
		default:
			return cmd.GetSubtype() != pg.AlterTableType_AT_ColumnDefault || cmd.GetDef() != nil
		}
	})
}

// alterSequenceAs runs the forms of ALTER SEQUENCE that are those of tables.
func (c *Catalog) alterSequenceAs(s *script.Statement, n *pg.AlterTableStmt, q *Sequence) error {
	for _, node := range n.GetCmds() {
		switch cmd := node.GetAlterTableCmd(); cmd.GetSubtype() {
		case pg.AlterTableType_AT_ChangeOwner:
			q.Owner = role(cmd.GetNewowner())
		case pg.AlterTableType_AT_SetLogged:
			q.Unlogged = false
		case pg.AlterTableType_AT_SetUnLogged:
			q.Unlogged = true
		default:
			return c.errorf(c.origin(s, int(n.GetRelation().GetLocation())), schema.KindUnsupported, "this change of sequence %s is not understood (%s)", q.Name, cmd.GetSubtype())
		}
	}
	return nil
}

// alteration is an ALTER TABLE on one table.
type alteration struct {
	c    *Catalog
	s    *script.Statement
	t    *Table
	only bool // ONLY: not the tables that inherit from it
}

// step is a part of ALTER TABLE that is done or not done as a whole.
type step struct {
	pass int
	run  func() error
}

// The order in which the server does the parts of an ALTER TABLE (AlterTablePass in tablecmds.c): what is dropped makes room for
// what is added, and columns are there before constraints name them.
const (
	passDrop = iota
	passType
	passAddColumn
	passColumn
	passKey
	passConstraint
	passMisc
)

// steps does the parts in the server's order. One that has to wait keeps those behind it waiting, and those before it are done.
func (c *Catalog) steps(s *script.Statement, a *alteration, cmds []*pg.Node) error {
	var list []step
	for i, at := range a.offsets(len(cmds)) {
		more, err := a.plan(cmds[i].GetAlterTableCmd(), at)
		if err != nil {
			return err
		}
		list = append(list, more...)
	}
	slices.SortStableFunc(list, func(a, b step) int { return cmp.Compare(a.pass, b.pass) })
	outcome, over := error(nil), 0
	for i := c.done[s]; i < len(list); i++ {
		err := list[i].run()
		if _, ok := err.(passedOver); ok {
			outcome, over = err, over+1
			continue
		}
		if waits(err) && c.done == nil {
			c.done = map[*script.Statement]int{}
		}
		if err != nil {
			if waits(err) {
				c.done[s] = i
			}
			return err
		}
	}
	delete(c.done, s)
	if over < len(list) {
		return nil
	}
	return outcome
}

// offsets gives where each of the parts begins: the tree does not say.
func (a *alteration) offsets(n int) []int {
	list := make([]int, n)
	at := behindName(a.s, int(a.s.Node.GetAlterTableStmt().GetRelation().GetLocation()))
	if star := skipBlank(a.s.Text, at); star < len(a.s.Text) && a.s.Text[star] == '*' {
		at = star + 1
	}
	if a.s.Text[a.s.Node.GetAlterTableStmt().GetRelation().GetLocation()] == '(' {
		at = a.s.After(at, ")")
	}
	for i := range list {
		at = skipBlank(a.s.Text, max(at, 0))
		list[i] = at
		if next := a.s.After(at+len(a.s.Expr(at)), ","); next >= 0 {
			at = next
		}
	}
	return list
}

func one(pass int, run func() error) ([]step, error) { return []step{{pass, run}}, nil }

// plan reads one part.
func (a *alteration) plan(cmd *pg.AlterTableCmd, at int) ([]step, error) {
	switch cmd.GetSubtype() {
	case pg.AlterTableType_AT_AddColumn:
		return a.addColumn(cmd)
	case pg.AlterTableType_AT_AddConstraint:
		return a.addConstraint(cmd)
	case pg.AlterTableType_AT_DropColumn:
		return one(passDrop, func() error { return a.dropColumn(cmd, at) })
	case pg.AlterTableType_AT_DropConstraint:
		return one(passDrop, func() error { return a.dropConstraint(cmd, at) })
	case pg.AlterTableType_AT_AlterColumnType:
		return one(passType, func() error { return a.alterType(cmd, at) })
	}
	if change, ok := columnChanges[cmd.GetSubtype()]; ok {
		return one(change.pass(cmd), func() error { return a.alterColumn(cmd, at, change) })
	}
	if change, ok := tableChanges[cmd.GetSubtype()]; ok {
		return one(passMisc, func() error { return change(a, cmd, a.c.origin(a.s, at)) })
	}
	return nil, a.c.errorf(a.c.origin(a.s, at), schema.KindUnsupported, "this change of table %s is not understood (%s)", a.t.Name, cmd.GetSubtype())
}

// addColumn adds a column, then its keys, then its other constraints.
func (a *alteration) addColumn(cmd *pg.AlterTableCmd) ([]step, error) {
	d, err := a.c.readColumn(a.s, cmd.GetDef().GetColumnDef())
	if err != nil {
		return nil, err
	}
	there := false
	list := []step{{passAddColumn, func() error {
		there = cmd.GetMissingOk() && a.t.column(d.column.Name) != nil
		switch {
		case there:
			return passedOver("ADD COLUMN IF NOT EXISTS of what is there")
		case a.only && len(a.c.children(a.t.Name)) > 0:
			return a.c.errorf(d.column.Origin, schema.KindSchema, "column %s must be on the tables that inherit from %s too; leave out ONLY", d.column.Name, a.t.Name)
		case a.t.PartitionOf != nil:
			return a.c.errorf(d.column.Origin, schema.KindSchema, "table %s is a partition; add column %s to table %s", a.t.Name, d.column.Name, *a.t.PartitionOf)
		}
		for _, k := range d.constraints {
			if k.Kind == schema.PrimaryKey {
				d.column.NotNull = true
			}
		}
		if err := a.c.addColumn(a.t, d); err != nil {
			return err
		}
		return a.c.spreadColumn(a.t, d.column)
	}}}
	for _, k := range d.constraints {
		list = append(list, step{passOf(k), func() error {
			if there {
				return nil
			}
			return a.c.addConstraint(a.t, k, a.only)
		}})
	}
	return list, nil
}

func passOf(k *Constraint) int {
	if k.isKey() {
		return passKey
	}
	return passConstraint
}

// spreadColumn brings a new column to the tables that inherit from its table.
func (c *Catalog) spreadColumn(t *Table, x *Column) error {
	for _, child := range c.children(t.Name) {
		if old := child.column(x.Name); old != nil {
			if is, want := c.TypeKey(old.Type), c.TypeKey(x.Type); is != want {
				return c.errorf(x.Origin, schema.KindSchema, "table %s has a column %s of type %s, and inherits one of type %s; rename one of them", child.Name, x.Name, is, want)
			}
			old.NotNull = old.NotNull || x.NotNull
			continue
		}
		y := x.inherited()
		child.Columns = append(child.Columns, y)
		if err := c.spreadColumn(child, y); err != nil {
			return err
		}
	}
	return nil
}

// addConstraint adds a constraint, which may take over an index.
func (a *alteration) addConstraint(cmd *pg.AlterTableCmd) ([]step, error) {
	n := cmd.GetDef().GetConstraint()
	k, err := a.c.readConstraint(a.s, n)
	if err != nil {
		return nil, err
	}
	if n.GetIndexname() != "" {
		return one(passKey, func() error { return a.useIndex(k, n.GetIndexname()) })
	}
	return one(passOf(k), func() error { return a.c.addConstraint(a.t, k.clone(), a.only) })
}

// useIndex makes a constraint of an index, which takes the constraint's name.
func (a *alteration) useIndex(k *Constraint, name string) error {
	now := a.c.nameNow(k.Time, Name{a.t.Name.Schema, name})
	x := a.c.Indexes[now]
	switch {
	case x == nil || x.Table != a.t.Name:
		return a.c.missing(k.Origin, "table %s has no index %s; create it, or correct the name", a.t.Name, name)
	case !x.Unique || x.Where != nil || elementColumns(x.Elements) == nil:
		return a.c.errorf(k.Origin, schema.KindSchema, "index %s cannot become a constraint: it must be unique, over columns, and on all rows", x.Name)
	}
	k = k.clone()
	k.Columns, k.Include, k.Options, k.Tablespace, k.NullsNotDistinct = elementColumns(x.Elements), x.Include, x.Options, x.Tablespace, x.NullsNotDistinct
	if k.Name == "" {
		k.Name = x.Name.Name
	}
	if err := a.c.checkConstraint(a.t, k); err != nil {
		return err
	}
	replica, cluster := a.t.ReplicaIdentity == "index "+x.Name.Name, a.t.ClusterOn == x.Name.Name
	if k.Name != x.Name.Name {
		if err := a.c.freeRelation(k.Origin, "the index of constraint", Name{a.t.Name.Schema, k.Name}); err != nil {
			return err
		}
		a.c.renameIndex(x.Name, Name{a.t.Name.Schema, k.Name})
	}
	comment := a.c.Others[[2]string{"comment", target{kind: "index", on: &a.t.Name, name: x.Name.String()}.String()}]
	a.c.removeIndex(x)
	if comment != nil { // it stays with the index, which is the constraint's now
		a.c.Others[[2]string{comment.Kind, comment.Key}] = comment
	}
	if replica {
		a.t.ReplicaIdentity = "index " + k.Name
	}
	if cluster {
		a.t.ClusterOn = k.Name
	}
	return a.c.addConstraint(a.t, k, a.only)
}

func (a *alteration) dropColumn(cmd *pg.AlterTableCmd, at int) error {
	o := a.c.origin(a.s, at)
	x, err := a.c.columnAt(o, a.t, cmd.GetName())
	switch {
	case err != nil && cmd.GetMissingOk():
		return passedOver("DROP COLUMN IF EXISTS of what is not there")
	case err != nil:
		return final(err)
	case x.Inherited:
		return a.c.errorf(o, schema.KindSchema, "column %s of table %s is inherited; drop it in the table that declares it", x.Name, a.t.Name)
	case a.only && a.t.Partition != nil && len(a.c.children(a.t.Name)) > 0:
		return a.c.errorf(o, schema.KindSchema, "column %s must be dropped from the partitions of %s too; leave out ONLY", x.Name, a.t.Name)
	}
	if user := a.c.columnUser(a.t, x.Name); user != "" && cmd.GetBehavior() != pg.DropBehavior_DROP_CASCADE {
		return a.c.errorf(o, schema.KindSchema, "column %s of table %s cannot be dropped: %s needs it; drop that first, or add CASCADE", x.Name, a.t.Name, user)
	}
	if cmd.GetBehavior() == pg.DropBehavior_DROP_CASCADE {
		a.c.cascadeColumn(a.t.Name, x.Name)
	}
	a.c.dropColumn(a.t, x.Name, a.only)
	return nil
}

func (a *alteration) dropConstraint(cmd *pg.AlterTableCmd, at int) error {
	o := a.c.origin(a.s, at)
	k := a.t.constraint(cmd.GetName())
	switch {
	case k == nil && cmd.GetMissingOk():
		return passedOver("DROP CONSTRAINT IF EXISTS of what is not there")
	case k == nil:
		return a.c.errorf(o, schema.KindSchema, "table %s has no constraint %s; correct the name, or add IF EXISTS", a.t.Name, cmd.GetName())
	case k.Inherited:
		return a.c.errorf(o, schema.KindSchema, "constraint %s of table %s is inherited; drop it in the table that declares it", k.Name, a.t.Name)
	}
	if user := a.c.keyUser(a.t, k); user != "" && cmd.GetBehavior() != pg.DropBehavior_DROP_CASCADE {
		return a.c.errorf(o, schema.KindSchema, "constraint %s of table %s cannot be dropped: %s needs it; drop that first, or add CASCADE", k.Name, a.t.Name, user)
	}
	if a.only {
		a.c.keepInherited(a.t, k)
	}
	a.c.dropConstraint(a.t, k)
	return nil
}

// keepInherited makes what tables have inherited of a constraint their own.
func (c *Catalog) keepInherited(t *Table, k *Constraint) {
	for _, child := range c.children(t.Name) {
		if own := child.inheritedOf(k); own != nil {
			own.Inherited = false
		}
	}
}

// setNotNull makes a column NOT NULL, in the tables that inherit it too.
func (c *Catalog) setNotNull(t *Table, x *Column, only bool) {
	if x == nil {
		return
	}
	x.NotNull = true
	if only {
		return
	}
	for _, child := range c.children(t.Name) {
		c.setNotNull(child, child.column(x.Name), false)
	}
}

// alterType changes a column's type, and that of the sequence of an identity. The collation is the new type's unless one is given.
func (a *alteration) alterType(cmd *pg.AlterTableCmd, at int) error {
	o := a.c.origin(a.s, at)
	x, err := a.c.columnAt(o, a.t, cmd.GetName())
	if err != nil {
		return err
	}
	if x.Inherited {
		return a.c.errorf(o, schema.KindSchema, "column %s of table %s is inherited; change its type in the table that declares it", x.Name, a.t.Name)
	}
	if a.only && len(a.c.children(a.t.Name)) > 0 {
		return a.c.errorf(o, schema.KindSchema, "column %s must have the same type in the tables that inherit from %s; leave out ONLY", x.Name, a.t.Name)
	}
	def := cmd.GetDef().GetColumnDef()
	from := int(def.GetTypeName().GetLocation())
	stops := columnStops(def)
	if def.GetRawDefault() != nil {
		stops = append(stops, firstAt(a.s, from, "USING"))
	}
	typ := TypeRef{Node: def.GetTypeName(), Text: a.s.Expr(from, stops...), Origin: a.c.origin(a.s, from)}
	a.c.setType(a.t, x, typ, a.c.collation(o, def.GetCollClause().GetCollname()))
	if x.Identity == nil {
		return nil
	}
	as := &pg.DefElem{Defname: "as", Arg: &pg.Node{Node: &pg.Node_TypeName{TypeName: typ.Node}}}
	return a.c.sequenceOptions(o, x.Identity.Sequence, []*pg.Node{{Node: &pg.Node_DefElem{DefElem: as}}}, "")
}

func (c *Catalog) setType(t *Table, x *Column, typ TypeRef, collate *Name) {
	x.Type, x.Collation = typ, collate
	x.Storage = "" // the server takes the new type's
	for _, child := range c.children(t.Name) {
		if y := child.column(x.Name); y != nil {
			c.setType(child, y, typ, collate)
		}
	}
}

// columnChange is an ALTER COLUMN: what it does to one column, and whether it does it in the tables that inherit it too.
type columnChange struct {
	first  int  // its pass, but for DROP DEFAULT
	spread bool // to inheriting tables, without ONLY
	apply  func(*alteration, *pg.AlterTableCmd, *Table, *Column, Origin) error
}

func (ch columnChange) pass(cmd *pg.AlterTableCmd) int {
	if cmd.GetSubtype() == pg.AlterTableType_AT_ColumnDefault && cmd.GetDef() == nil {
		return passDrop
	}
	return ch.first
}

func (a *alteration) alterColumn(cmd *pg.AlterTableCmd, at int, change columnChange) error {
	o := a.c.origin(a.s, at)
	x, err := a.c.columnAt(o, a.t, cmd.GetName())
	if err != nil {
		return err
	}
	return a.alterBelow(cmd, a.t, x, change, o)
}

func (a *alteration) alterBelow(cmd *pg.AlterTableCmd, t *Table, x *Column, change columnChange, o Origin) error {
	if err := change.apply(a, cmd, t, x, o); err != nil {
		return err
	}
	if !change.spread || a.only {
		return nil
	}
	for _, child := range a.c.children(t.Name) {
		if y := child.column(x.Name); y != nil {
			if err := a.alterBelow(cmd, child, y, change, o); err != nil {
				return err
			}
		}
	}
	return nil
}

// text gives the text behind the words of a part, wherever in the part they stand.
func (a *alteration) text(o Origin, list ...string) string {
	if i := firstAt(a.s, o.Offset, list...); i >= 0 {
		return a.s.Expr(a.s.After(i, list...))
	}
	return strings.TrimSpace(a.s.Expr(o.Offset))
}
