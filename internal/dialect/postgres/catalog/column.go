package catalog

import (
	"regexp"
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/altergate/altergate/internal/dialect/postgres/script"
	"github.com/altergate/altergate/internal/schema"
)

// definition is what was read of a column's definition and waits for the table to be there.
type definition struct {
	column      *Column
	constraints []*Constraint // written in it
	serial      string        // the type of its sequence; empty = not serial
	identity    *pg.Constraint
	noDefault   bool // DEFAULT NULL, which is to have none, whatever a parent has
	node        *pg.ColumnDef
}

// serials are the types that are none, by the type of the column that they make.
var serials = map[string]string{"smallserial": "smallint", "serial2": "smallint", "serial": "integer", "serial4": "integer", "bigserial": "bigint", "serial8": "bigint"}

// typeNames are the server's names of the types of serial columns.
var typeNames = map[string]string{"smallint": "int2", "integer": "int4", "bigint": "int8"}

// readColumn reads a column's definition.
func (c *Catalog) readColumn(s *script.Statement, def *pg.ColumnDef) (*definition, error) {
	at := int(def.GetLocation())
	x := &Column{Name: def.GetColname(), Statistics: -1, Compression: compression(def.GetCompression()), Origin: c.origin(s, at)}
	d := &definition{column: x, node: def}
	if len(def.GetFdwoptions()) > 0 {
		x.Options = options(def.GetFdwoptions())
	}
	if err := c.readType(s, d); err != nil {
		return nil, err
	}
	if def.GetStorageName() != "" {
		x.Storage = c.storage(x, def.GetStorageName())
	}
	x.Collation = c.collation(x.Origin, def.GetCollClause().GetCollname())
	for i, n := range def.GetConstraints() {
		if err := c.columnConstraint(s, d, def.GetConstraints()[:i], n.GetConstraint()); err != nil {
			return nil, err
		}
	}
	if x.Default != nil && c.isNull(x, x.Default.Node) {
		x.Default, x.NullDefault, d.noDefault = nil, true, true
	}
	return d, nil
}

// isNull tells whether a default is NULL, for which the server keeps no default: but for a domain, whose own default it overrides.
func (c *Catalog) isNull(x *Column, n *pg.Node) bool {
	if cast := n.GetTypeCast(); cast != nil && len(cast.GetTypeName().GetTypmods()) == 0 {
		n = cast.GetArg()
	}
	if !n.GetAConst().GetIsnull() {
		return false
	}
	schemaName, name := apart(x.Type.Node.GetNames())
	key, known := c.lookType(x.Type.Origin, x.Type.Node)
	t, ok := c.ResolveType(x.Type.Origin, schemaName, name)
	return known && !(ok && t.String() == key && c.Types[t] != nil && c.Types[t].Kind == Domain)
}

// readType reads the type; serial is an integer that is NOT NULL and has a sequence.
func (c *Catalog) readType(s *script.Statement, d *definition) error {
	t := d.node.GetTypeName()
	if t == nil { // a column of a parent, or of a type, that is only given options
		return nil
	}
	o := c.origin(s, int(t.GetLocation()))
	d.column.Type = TypeRef{Node: t, Text: typeText(s, d.node), Origin: o}
	if t.GetPctType() || t.GetSetof() {
		return c.errorf(o, schema.KindUnsupported, "column %s has the type %s, which is not understood; name the type itself", d.column.Name, d.column.Type.Text)
	}
	if names := words(t.GetNames()); len(names) == 1 && serials[names[0]] != "" {
		if len(t.GetArrayBounds()) > 0 {
			return c.errorf(o, schema.KindSchema, "column %s cannot be an array of %s", d.column.Name, names[0])
		}
		d.serial = serials[names[0]]
		d.column.Type = TypeRef{Node: builtinType(typeNames[d.serial]), Text: d.serial, Origin: o}
		d.column.NotNull = true
	}
	return nil
}

func builtinType(name string) *pg.TypeName {
	return &pg.TypeName{Names: []*pg.Node{pg.MakeStrNode("pg_catalog"), pg.MakeStrNode(name)}, Typemod: -1, Location: -1}
}

// typeText gives a column's type as written. Behind it may stand much that has no offset in the tree.
func typeText(s *script.Statement, def *pg.ColumnDef) string {
	from := int(def.GetTypeName().GetLocation())
	stops := columnStops(def)
	for _, w := range []struct {
		there bool
		word  string
	}{{def.GetStorageName() != "", "STORAGE"}, {def.GetCompression() != "", "COMPRESSION"}, {len(def.GetFdwoptions()) > 0, "OPTIONS"}} {
		if w.there {
			stops = append(stops, firstAt(s, from, w.word))
		}
	}
	return s.Expr(from, stops...)
}

// columnStops lists where the parts of a column's definition begin.
func columnStops(def *pg.ColumnDef) []int {
	var stops []int
	if def.GetCollClause() != nil {
		stops = append(stops, int(def.GetCollClause().GetLocation()))
	}
	for _, n := range def.GetConstraints() {
		if k := n.GetConstraint(); !isAttribute(k) {
			stops = append(stops, int(k.GetLocation()))
		}
	}
	return stops
}

// isAttribute tells whether a node of a list of constraints says something about the one before it: DEFERRABLE and the like.
func isAttribute(k *pg.Constraint) bool {
	switch k.GetContype() {
	case pg.ConstrType_CONSTR_ATTR_DEFERRABLE, pg.ConstrType_CONSTR_ATTR_NOT_DEFERRABLE, pg.ConstrType_CONSTR_ATTR_DEFERRED, pg.ConstrType_CONSTR_ATTR_IMMEDIATE:
		return true
	}
	return false
}

// columnConstraint takes what stands behind a column's type.
func (c *Catalog) columnConstraint(s *script.Statement, d *definition, before []*pg.Node, n *pg.Constraint) error {
	x, at, stops := d.column, int(n.GetLocation()), columnStops(d.node)
	o := c.origin(s, at)
	switch n.GetContype() {
	case pg.ConstrType_CONSTR_NULL:
	case pg.ConstrType_CONSTR_NOTNULL:
		x.NotNull = true
	case pg.ConstrType_CONSTR_DEFAULT:
		if x.Default != nil || d.serial != "" {
			return c.errorf(o, schema.KindSchema, "column %s has two defaults; take one out", x.Name)
		}
		from := max(s.After(c.constraintBody(s, n), "DEFAULT"), at)
		x.Default = c.defaultExpr(s, n.GetRawExpr(), s.Expr(from, stops...))
	case pg.ConstrType_CONSTR_GENERATED:
		text, _, _ := s.Parens(c.constraintBody(s, n))
		x.Generated = &Expr{Node: n.GetRawExpr(), Text: text, Origin: c.origin(s, max(firstLocation(n.GetRawExpr()), at))}
	case pg.ConstrType_CONSTR_IDENTITY:
		d.identity, x.NotNull = n, true
	case pg.ConstrType_CONSTR_ATTR_DEFERRABLE, pg.ConstrType_CONSTR_ATTR_NOT_DEFERRABLE, pg.ConstrType_CONSTR_ATTR_DEFERRED, pg.ConstrType_CONSTR_ATTR_IMMEDIATE:
		if len(d.constraints) == 0 || len(before) == 0 {
			return c.errorf(o, schema.KindSchema, "DEFERRABLE and the like must follow a constraint of column %s", x.Name)
		}
		d.constraints[len(d.constraints)-1].attribute(n)
	default:
		k, err := c.readConstraint(s, n, stops...)
		if err != nil {
			return err
		}
		k.Column = x.Name
		if k.isKey() || k.Kind == schema.ForeignKey {
			k.Columns = []string{x.Name}
		}
		d.constraints = append(d.constraints, k)
	}
	return nil
}

// attribute takes DEFERRABLE and the like into a constraint.
func (k *Constraint) attribute(n *pg.Constraint) {
	switch n.GetContype() {
	case pg.ConstrType_CONSTR_ATTR_DEFERRABLE:
		k.Deferrable = true
	case pg.ConstrType_CONSTR_ATTR_NOT_DEFERRABLE:
		k.Deferrable = false
	case pg.ConstrType_CONSTR_ATTR_DEFERRED:
		k.Deferrable, k.Deferred = true, true
	case pg.ConstrType_CONSTR_ATTR_IMMEDIATE:
		k.Deferred = false
	}
}

// defaultExpr makes the expression of a default.
func (c *Catalog) defaultExpr(s *script.Statement, tree *pg.Node, text string) *Expr {
	return c.sequenceDefault(&Expr{Node: tree, Text: text, Origin: c.origin(s, firstLocation(tree))}, false)
}

// locale matches the names of collations that come with the system's libraries.
var locale = regexp.MustCompile(`^([a-z]{2,3}(_[A-Z]{2})?([.@][A-Za-z0-9-]+)*|C|POSIX|C\..*|ucs_basic|unicode|pg_c_utf8|pg_unicode_fast|.*-x-icu)$`)

// collation gives the full name of a collation; nil for none, and for the default one.
func (c *Catalog) collation(o Origin, nodes []*pg.Node) *Name {
	schemaName, name := apart(nodes)
	if schemaName == "" {
		for _, in := range o.Path { // one of the schema's own may be called as one of the system's would be
			if n := (Name{in, name}); c.Others[[2]string{"opaque", "collation " + n.String()}] != nil {
				return &n
			}
		}
	}
	switch {
	case name == "" || name == "default" && (schemaName == "" || schemaName == "pg_catalog"):
		return nil
	case schemaName != "":
		return &Name{schemaName, name}
	case locale.MatchString(name) || len(o.Path) == 0:
		return &Name{"pg_catalog", name}
	}
	return &Name{o.Path[0], name}
}

// storage gives a way of storing as the catalog keeps it: empty where it is the type's own.
func (c *Catalog) storage(x *Column, way string) string {
	way = strings.ToLower(way)
	key := c.TypeKey(x.Type)
	own := "extended"
	switch {
	case strings.HasSuffix(key, "[]"):
	case key == "numeric" || key == "inet" || key == "cidr":
		own = "main"
	case fixed[key]:
		own = "plain"
	}
	if way == own || way == "default" {
		return ""
	}
	return way
}

// fixed are the built-in types whose values are never stored out of line.
var fixed = func() map[string]bool {
	set := map[string]bool{}
	for _, name := range strings.Split("boolean,\"char\",bigint,smallint,integer,oid,tid,xid,cid,xid8,real,double precision,point,lseg,box,line,circle,money,macaddr,macaddr8,date,time without time zone,"+
		"timestamp without time zone,timestamp with time zone,interval,time with time zone,uuid,pg_lsn,tsquery,name,regproc,regprocedure,regoper,regoperator,regclass,regcollation,regtype,regrole,regnamespace,regconfig,regdictionary", ",") {
		set[name] = true
	}
	return set
}()

func compression(method string) string {
	if method == "default" {
		return ""
	}
	return method
}

// addColumn puts a column that was read at the end of a table, with its sequence; its constraints are the caller's.
func (c *Catalog) addColumn(t *Table, d *definition) error {
	if t.column(d.column.Name) != nil {
		return c.errorf(d.column.Origin, schema.KindSchema, "table %s has two columns %s; take one out or rename it", t.Name, d.column.Name)
	}
	t.Columns = append(t.Columns, d.column)
	return c.addSequence(t, d)
}

// addSequence makes the sequence of a serial or an identity column.
func (c *Catalog) addSequence(t *Table, d *definition) error {
	x := d.column
	if d.serial != "" {
		q, err := c.columnSequence(x.Origin, t, x.Name, d.serial, nil)
		if err != nil {
			return err
		}
		q.Serial = true
		name := q.Name
		x.Default = &Expr{Sequence: &name, Origin: x.Origin}
	}
	if d.identity == nil {
		return nil
	}
	switch {
	case x.Default != nil:
		return c.errorf(x.Origin, schema.KindSchema, "column %s of table %s has a default and is an identity; take one out", x.Name, t.Name)
	case x.Generated != nil:
		return c.errorf(x.Origin, schema.KindSchema, "column %s of table %s is generated and an identity; take one out", x.Name, t.Name)
	}
	return c.addIdentity(x.Origin, t, x, d.identity.GetGeneratedWhen() == "a", d.identity.GetOptions())
}

// addIdentity makes a column an identity.
func (c *Catalog) addIdentity(o Origin, t *Table, x *Column, always bool, options []*pg.Node) error {
	typ := c.TypeKey(x.Type)
	if _, ok := limits[typ]; !ok {
		return c.errorf(o, schema.KindSchema, "column %s of table %s has the type %s; an identity must be smallint, integer or bigint", x.Name, t.Name, typ)
	}
	q, err := c.columnSequence(o, t, x.Name, typ, options)
	if err != nil {
		return err
	}
	q.Identity = true
	x.Identity, x.NotNull = &Identity{Always: always, Sequence: q}, true
	return nil
}

// column gives the column of that name, or nil.
func (t *Table) column(name string) *Column {
	for _, x := range t.Columns {
		if x.Name == name {
			return x
		}
	}
	return nil
}

// columnAt gives a column that a statement names. It waits for one that is not there.
func (c *Catalog) columnAt(o Origin, t *Table, name string) (*Column, error) {
	if x := t.column(c.columnNow(o.Time, t, name)); x != nil {
		return x, nil
	}
	return nil, c.missing(o, "table %s has no column %s; it has %s", t.Name, name, strings.Join(columnNames(t.Columns), ", "))
}

// dropColumn takes a column out of a table, with what the server drops along: constraints and indexes with it, its sequences, and
// the same column of the tables that inherit it and do not declare it.
func (c *Catalog) dropColumn(t *Table, name string, only bool) {
	for _, k := range slices.Clone(t.Constraints) {
		if k.uses(c, t, name) {
			c.dropConstraint(t, k)
		}
	}
	for _, x := range slices.Clone(t.Indexes) {
		if x.uses(c, t, name) {
			c.dropIndex(x)
		}
	}
	for _, x := range slices.Clone(t.Columns) {
		if x.Name != name && slices.Contains(c.columnsIn(t, x.Generated), name) {
			c.dropColumn(t, x.Name, only)
		}
	}
	t.Columns = slices.DeleteFunc(slices.Clone(t.Columns), func(x *Column) bool { return x.Name == name })
	for _, other := range c.Tables {
		for _, k := range slices.Clone(other.Constraints) {
			if k.Ref != nil && k.Ref.Table == t.Name && slices.Contains(k.Ref.Columns, name) {
				c.dropConstraint(other, k)
			}
		}
	}
	for _, q := range c.ownedSequences(t.Name) {
		if q.OwnedColumn == name {
			c.dropSequence(q)
		}
	}
	c.forgetPart("column", t.Name, name)
	for _, child := range c.children(t.Name) {
		x := child.column(name)
		switch {
		case x == nil || !x.Inherited || c.inheritsColumn(child, name):
		case only:
			x.Inherited = false
		default:
			c.dropColumn(child, name, false)
		}
	}
}

// columnUser names what keeps a column from being dropped without CASCADE, as far as it shows without reading bodies; empty = nothing.
func (c *Catalog) columnUser(t *Table, name string) string {
	for _, x := range t.Columns {
		if x.Name != name && slices.Contains(c.columnsIn(t, x.Generated), name) {
			return "generated column " + x.Name
		}
	}
	return c.referencing(t, func(k *Constraint) bool { return slices.Contains(k.Ref.Columns, name) })
}

// referencing names a foreign key of another table to this one that is of a kind; empty = there is none.
func (c *Catalog) referencing(t *Table, which func(*Constraint) bool) string {
	for _, n := range sortNames(c.Tables) {
		for _, k := range c.Tables[n].Constraints {
			if k.Ref != nil && k.Ref.Table == t.Name && n != t.Name && which(k) {
				return "foreign key " + k.Name + " of table " + n.String()
			}
		}
	}
	return ""
}

// inheritsColumn tells whether a parent of the table has the column.
func (c *Catalog) inheritsColumn(t *Table, name string) bool {
	return slices.ContainsFunc(t.parents(), func(n Name) bool { p := c.Tables[n]; return p != nil && p.column(name) != nil })
}
