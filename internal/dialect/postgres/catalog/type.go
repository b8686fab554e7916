package catalog

import (
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/altergate/altergate/internal/dialect/postgres/builtin"
	"github.com/altergate/altergate/internal/dialect/postgres/script"
	"github.com/altergate/altergate/internal/schema"
)

// TypeKey gives the canonical name of a type without modifiers, as format_type() prints built-in ones: "integer[]", and the type's
// name for those of the catalog. A type that is not there keeps the name it was written with.
func (c *Catalog) TypeKey(t TypeRef) string { return c.typeAt(t.Origin, t.Node) }

func (c *Catalog) typeAt(o Origin, t *pg.TypeName) string {
	key, _ := c.lookType(o, t)
	return key
}

// lookType gives the canonical name of a type, and whether it is known.
func (c *Catalog) lookType(o Origin, t *pg.TypeName) (string, bool) {
	if t == nil { // an operator's side that is not there
		return "NONE", true
	}
	if t.PctType {
		return c.columnType(o, t)
	}
	schemaName, name := apart(t.Names)
	key, ok := c.scalarType(o, schemaName, name)
	if len(t.ArrayBounds) > 0 && !strings.HasSuffix(key, "[]") {
		key += "[]"
	}
	return key, ok
}

func (c *Catalog) scalarType(o Origin, schemaName, name string) (string, bool) {
	if key, ok := builtin.TypeName(schemaName, name); ok {
		return key, true
	}
	if n, ok := c.ResolveType(o, schemaName, name); ok {
		return n.String(), true
	}
	if n, ok := c.multirange(o, schemaName, name); ok {
		return n.String(), true
	}
	for ext := range c.Extensions {
		if types, _ := builtin.ExtensionTypes(ext); slices.Contains(types, name) {
			return name, true
		}
	}
	if element, ok := strings.CutPrefix(name, "_"); ok { // the name of the type of arrays
		if key, ok := c.scalarType(o, schemaName, element); ok {
			return key + "[]", true
		}
	}
	return dotted(schemaName, name), false
}

// multirange finds the type of sets of ranges that comes with a range type.
func (c *Catalog) multirange(o Origin, schemaName, name string) (Name, bool) {
	for _, path := range c.schemasOf(o, schemaName) {
		for n, t := range c.Types {
			if t.Kind == Range && n.Schema == path && multirangeName(t) == name {
				return Name{path, name}, true
			}
		}
	}
	return Name{}, false
}

func multirangeName(t *Type) string {
	for _, d := range t.Definition {
		if d.Defname == "multirange_type_name" {
			_, name := apart(d.Arg.GetTypeName().GetNames())
			return name
		}
	}
	if strings.Contains(t.Name.Name, "range") {
		return strings.Replace(t.Name.Name, "range", "multirange", 1)
	}
	return t.Name.Name + "_multirange"
}

// columnType gives the type of a column that is named as table.column%TYPE.
func (c *Catalog) columnType(o Origin, t *pg.TypeName) (string, bool) {
	list := words(t.Names)
	written := strings.Join(list, ".") + "%TYPE"
	if len(list) < 2 {
		return written, false
	}
	schemaName, name := apart(t.Names[:len(t.Names)-1])
	n, ok := c.Resolve(o, schemaName, name)
	if !ok || c.Tables[n] == nil {
		return written, false
	}
	for _, col := range c.Tables[n].Columns {
		if col.Name == list[len(list)-1] {
			return c.lookType(col.Type.Origin, col.Type.Node)
		}
	}
	return written, false
}

// knownType gives the canonical name of a type that a name is made of, and waits until it is there. At last, an extension that is
// not known may have it.
func (c *Catalog) knownType(o Origin, t TypeRef) (string, error) {
	key, ok := c.lookType(t.Origin, t.Node)
	if !ok && !(c.final && c.unknownExtension()) {
		at := t.Origin
		if at.Statement == nil {
			at = o
		}
		return "", c.missing(at, "type %s is not there; create it, correct the name, or declare the extension that has it with CREATE EXTENSION", key)
	}
	return key, nil
}

// unknownExtension tells whether there is an extension of which it is not known what types it brings.
func (c *Catalog) unknownExtension() bool {
	for ext := range c.Extensions {
		if _, ok := builtin.ExtensionTypes(ext); !ok {
			return true
		}
	}
	return false
}

// typeNamed finds a type of the catalog. It waits for one that is not there.
func (c *Catalog) typeNamed(o Origin, names []*pg.Node) (*Type, error) {
	schemaName, name := apart(names)
	n, ok := c.ResolveType(o, schemaName, name)
	if t := c.Types[n]; ok && t != nil {
		return t, nil
	}
	return nil, c.missing(o, "type %s is not there; create it, or correct the name", dotted(schemaName, name))
}

// word names the kind of the type as SQL does.
func (t *Type) word() string {
	if t.Kind == Domain {
		return "domain"
	}
	return "type"
}

func (t *Type) column(name string) *Column {
	for _, x := range t.Columns {
		if x.Name == name {
			return x
		}
	}
	return nil
}

func (t *Type) check(name string) *Constraint {
	for _, k := range t.Checks {
		if k.Name == name {
			return k
		}
	}
	return nil
}

// putType takes a new type in. Its name may be that of a type that was only named so far.
func (c *Catalog) putType(t *Type) error {
	if old := c.Types[t.Name]; old != nil && (old.Kind != Base || old.Definition != nil || t.Kind == Composite || t.Kind == Enum || t.Kind == Domain) {
		return c.duplicate(t.Origin, t.word(), t.Name.String(), old.Origin)
	}
	// A table and a view have a type of their rows, which has their name.
	if x := c.Tables[t.Name]; x != nil {
		return c.duplicate(t.Origin, "table", t.Name.String(), x.Origin)
	}
	if x := c.Views[t.Name]; x != nil {
		return c.duplicate(t.Origin, "view", t.Name.String(), x.Origin)
	}
	c.Types[t.Name] = t
	return nil
}

// newType begins a type at the place of its name.
func (c *Catalog) newType(s *script.Statement, kind TypeKind, keyword string, names []*pg.Node) (*Type, error) {
	o := c.origin(s, max(0, firstAt(s, 0, keyword)))
	schemaName, name := apart(names)
	n, err := c.created(o, schemaName, name)
	if err != nil {
		return nil, err
	}
	return &Type{Name: n, Kind: kind, Origin: o}, nil
}

func (c *Catalog) createEnum(s *script.Statement, n *pg.CreateEnumStmt) error {
	t, err := c.newType(s, Enum, "TYPE", n.TypeName)
	if err != nil {
		return err
	}
	for _, label := range words(n.Vals) {
		if err := c.newLabel(t.Origin, t, label); err != nil {
			return err
		}
		t.Labels = append(t.Labels, label)
	}
	return c.putType(t)
}

// newLabel tells what is wrong with another label of an enum.
func (c *Catalog) newLabel(o Origin, t *Type, label string) error {
	const most = 63 // bytes, as of a name
	switch {
	case slices.Contains(t.Labels, label):
		return c.errorf(o, schema.KindSchema, "type %s already has the label %s; take one of them out", t.Name, script.Literal(label))
	case len(label) > most:
		return c.errorf(o, schema.KindSchema, "the label %s of type %s is longer than %d bytes, which PostgreSQL refuses; shorten it", script.Literal(label), t.Name, most)
	}
	return nil
}

// alterEnum adds a label or gives one another name.
func (c *Catalog) alterEnum(s *script.Statement, n *pg.AlterEnumStmt) error {
	o := c.origin(s, 0)
	t, err := c.typeNamed(o, n.TypeName)
	if err != nil {
		return err
	}
	if t.Kind != Enum {
		return c.errorf(o, schema.KindSchema, "type %s is no enum, so it has no labels", t.Name)
	}
	if n.OldVal != "" {
		return c.renameLabel(o, t, n.OldVal, n.NewVal)
	}
	if n.SkipIfNewValExists && slices.Contains(t.Labels, n.NewVal) {
		return passedOver("ALTER TYPE … ADD VALUE IF NOT EXISTS of what is there")
	}
	if err := c.newLabel(o, t, n.NewVal); err != nil {
		return err
	}
	at := len(t.Labels)
	if n.NewValNeighbor != "" {
		if at = slices.Index(t.Labels, n.NewValNeighbor); at < 0 {
			return c.missing(o, "type %s has no label %s next to which %s could stand; correct the name", t.Name, script.Literal(n.NewValNeighbor), script.Literal(n.NewVal))
		}
		if n.NewValIsAfter {
			at++
		}
	}
	t.Labels = slices.Insert(slices.Clone(t.Labels), at, n.NewVal)
	t.Altered = true
	return nil
}

func (c *Catalog) renameLabel(o Origin, t *Type, from, to string) error {
	i := slices.Index(t.Labels, from)
	if i < 0 {
		return c.missing(o, "type %s has no label %s; correct the name", t.Name, script.Literal(from))
	}
	if err := c.newLabel(o, t, to); err != nil {
		return err
	}
	t.Labels = slices.Clone(t.Labels)
	t.Labels[i] = to
	t.Altered = true
	c.logRename("label", Name{Name: from}, Name{Name: to}, t.Name)
	return nil
}

func (c *Catalog) createComposite(s *script.Statement, n *pg.CompositeTypeStmt) error {
	o := c.origin(s, int(n.Typevar.GetLocation()))
	name, err := c.newRelation(o, n.Typevar)
	if err != nil {
		return err
	}
	t := &Type{Name: name, Kind: Composite, Origin: o}
	for _, x := range n.Coldeflist {
		if err := c.addAttribute(s, t, x.GetColumnDef()); err != nil {
			return err
		}
	}
	if err := c.freeRelation(o, "type", name); err != nil {
		return err
	}
	return c.putType(t)
}

func (c *Catalog) addAttribute(s *script.Statement, t *Type, d *pg.ColumnDef) error {
	o := c.origin(s, int(d.Location))
	if t.column(d.Colname) != nil {
		return c.errorf(o, schema.KindSchema, "type %s already has an attribute %s; take one of them out", t.Name, d.Colname)
	}
	t.Columns = append(slices.Clip(t.Columns), &Column{Name: d.Colname, Type: c.typeRef(s, d.TypeName), Collation: c.collation(o, d.GetCollClause().GetCollname()), Statistics: -1, Origin: o})
	return nil
}

// alterComposite changes the attributes of a composite type.
func (c *Catalog) alterComposite(s *script.Statement, n *pg.AlterTableStmt) error {
	o := c.origin(s, int(n.Relation.GetLocation()))
	schemaName, name := n.Relation.GetSchemaname(), n.Relation.GetRelname()
	found, ok := c.ResolveType(o, schemaName, name)
	t := c.Types[found]
	if !ok || t == nil {
		return c.missing(o, "type %s is not there; create it, or correct the name", dotted(schemaName, name))
	}
	if t.Kind != Composite {
		return c.errorf(o, schema.KindSchema, "type %s has no attributes: it is of the kind %s", t.Name, t.Kind)
	}
	for _, x := range n.Cmds {
		if err := c.alterAttribute(s, o, t, x.GetAlterTableCmd()); err != nil {
			return err
		}
	}
	t.Altered = true
	return nil
}

func (c *Catalog) alterAttribute(s *script.Statement, o Origin, t *Type, cmd *pg.AlterTableCmd) error {
	d := cmd.Def.GetColumnDef()
	if cmd.Subtype == pg.AlterTableType_AT_AddColumn {
		return c.addAttribute(s, t, d)
	}
	if cmd.Subtype == pg.AlterTableType_AT_ChangeOwner {
		t.Owner = role(cmd.Newowner)
		return nil
	}
	old := t.column(cmd.Name)
	if old == nil && cmd.Subtype == pg.AlterTableType_AT_DropColumn && cmd.MissingOk {
		return nil
	}
	if old == nil {
		return c.missing(o, "type %s has no attribute %s; correct the name", t.Name, cmd.Name)
	}
	switch cmd.Subtype {
	case pg.AlterTableType_AT_DropColumn:
		t.Columns = slices.DeleteFunc(slices.Clone(t.Columns), func(x *Column) bool { return x == old })
		c.forget("column", partOf(t.Name, cmd.Name))
	case pg.AlterTableType_AT_AlterColumnType:
		old.Type, old.Collation = c.typeRef(s, d.TypeName), c.collation(o, d.GetCollClause().GetCollname())
	default:
		return c.errorf(o, schema.KindUnsupported, "this change of type %s is not understood (%s); drop the type and create it as it should be", t.Name, cmd.Subtype)
	}
	return nil
}

func (c *Catalog) createRange(s *script.Statement, n *pg.CreateRangeStmt) error {
	t, err := c.newType(s, Range, "TYPE", n.TypeName)
	if err != nil {
		return err
	}
	t.Definition = defElems(n.Params)
	for _, d := range t.Definition {
		if d.Defname == "subtype" {
			t.Subtype = c.typeRef(s, d.Arg.GetTypeName())
		}
	}
	if t.Subtype.Node == nil {
		return c.errorf(t.Origin, schema.KindSchema, "range type %s has no subtype; add subtype = …", t.Name)
	}
	return c.putType(t)
}

// createBase makes a type of its own with functions for its values, or only names it.
func (c *Catalog) createBase(s *script.Statement, n *pg.DefineStmt) error {
	t, err := c.newType(s, Base, "TYPE", n.Defnames)
	if err != nil {
		return err
	}
	t.Definition = defElems(n.Definition)
	return c.putType(t)
}

// alterBase changes the properties of a base type.
func (c *Catalog) alterBase(s *script.Statement, n *pg.AlterTypeStmt) error {
	t, err := c.typeNamed(c.origin(s, 0), n.TypeName)
	if err != nil {
		return err
	}
	t.Definition = slices.Clone(t.Definition)
	for _, d := range defElems(n.Options) {
		t.Definition = slices.DeleteFunc(t.Definition, func(x *pg.DefElem) bool { return x.Defname == d.Defname })
		t.Definition = append(t.Definition, d)
	}
	t.Altered = true
	return nil
}
