package catalog

import (
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/altergate/altergate/internal/dialect/postgres/script"
	"github.com/altergate/altergate/internal/schema"
)

// shape is what makes two indexes equal, those of constraints among them.
type shape struct {
	unique, nullsNotDistinct bool
	method                   string
	elements                 []*IndexElement
	include, operators       []string
	where                    *Expr
}

func (x *Index) shape() shape {
	return shape{x.Unique, x.NullsNotDistinct, x.Method, x.Elements, x.Include, nil, x.Where}
}

func (k *Constraint) shape() shape {
	if k.Kind == schema.Exclusion {
		return shape{false, false, k.Method, k.Elements, k.Include, k.Operators, k.Where}
	}
	var elements []*IndexElement
	for _, name := range k.Columns {
		elements = append(elements, &IndexElement{Column: name})
	}
	return shape{true, k.NullsNotDistinct, "btree", elements, k.Include, nil, nil}
}

// equal tells whether two indexes are the same but for their names. Expressions are the same if their trees are.
func (a shape) equal(b shape) bool {
	return a.unique == b.unique && a.nullsNotDistinct == b.nullsNotDistinct && a.method == b.method && slices.Equal(a.include, b.include) &&
		slices.Equal(a.operators, b.operators) && sameExpr(a.where, b.where) && slices.EqualFunc(a.elements, b.elements, sameElement)
}

func sameElement(a, b *IndexElement) bool {
	sameCollation := a.Collation == nil && b.Collation == nil || a.Collation != nil && b.Collation != nil && *a.Collation == *b.Collation
	return a.Column == b.Column && sameExpr(a.Expr, b.Expr) && sameCollation && a.Desc == b.Desc && a.NullsFirst == b.NullsFirst &&
		strings.TrimPrefix(a.OpClass, "pg_catalog.") == strings.TrimPrefix(b.OpClass, "pg_catalog.")
}

// sameExpr tells whether two expressions are written the same, wherever they stand.
func sameExpr(a, b *Expr) bool {
	switch {
	case a == nil || b == nil:
		return a == b
	case a.Sequence != nil || b.Sequence != nil:
		return a.Sequence != nil && b.Sequence != nil && *a.Sequence == *b.Sequence
	case a.Node == b.Node:
		return true
	}
	return proto.Equal(placeless(a.Node), placeless(b.Node))
}

// placeless gives a copy of a tree without the places of its parts.
func placeless(n *pg.Node) proto.Message {
	m := proto.Clone(n)
	walk(m.ProtoReflect(), func(m protoreflect.Message) {
		if field := m.Descriptor().Fields().ByName("location"); field != nil {
			m.Clear(field)
		}
	})
	return m
}

// uses tells whether an index is about a column of a table.
func (a shape) uses(c *Catalog, t *Table, column string) bool {
	if slices.Contains(a.include, column) || slices.Contains(c.columnsIn(t, a.where), column) {
		return true
	}
	return slices.ContainsFunc(a.elements, func(e *IndexElement) bool {
		return e.Column == column || slices.Contains(c.columnsIn(t, e.Expr), column)
	})
}

func (x *Index) uses(c *Catalog, t *Table, column string) bool { return x.shape().uses(c, t, column) }

// elementColumns lists the columns of elements; nil if one is an expression.
func elementColumns(elements []*IndexElement) []string {
	var names []string
	for _, e := range elements {
		if e.Column == "" {
			return nil
		}
		names = append(names, e.Column)
	}
	return names
}

// elementOffsets gives the offsets of the elements in the first parentheses behind an offset: the tree has none for them.
func elementOffsets(s *script.Statement, from int) []int {
	open := from
	for open < len(s.Text) && s.After(open, "(") < 0 {
		open = skipBlank(s.Text, behindToken(s.Text, open))
	}
	var list []int
	for at := s.After(open, "("); at >= 0; {
		at = skipBlank(s.Text, at)
		list = append(list, at)
		at = s.After(at+len(s.Expr(at)), ",")
	}
	return list
}

// behindToken gives the offset behind the name or the character at an offset.
func behindToken(text string, i int) int {
	if end := behindIdentifier(text, i); end > i {
		return end
	}
	return i + 1
}

// offsetAt gives the i-th offset, or the last one.
func offsetAt(list []int, i int) int {
	if len(list) == 0 {
		return 0
	}
	return list[min(i, len(list)-1)]
}

// readElement reads an element of an index whose text begins at an offset.
func (c *Catalog) readElement(s *script.Statement, n *pg.IndexElem, at int) *IndexElement {
	o := c.origin(s, at)
	e := &IndexElement{Path: o.Path, Column: n.GetName(), Collation: c.collation(o, n.GetCollation()), OpClass: strings.Join(words(n.GetOpclass()), "."), Desc: n.GetOrdering() == pg.SortByDir_SORTBY_DESC}
	if len(n.GetOpclassopts()) > 0 {
		e.OpClassOptions = options(n.GetOpclassopts())
	}
	switch n.GetNullsOrdering() {
	case pg.SortByNulls_SORTBY_NULLS_FIRST:
		e.NullsFirst = true
	case pg.SortByNulls_SORTBY_NULLS_LAST:
	default:
		e.NullsFirst = e.Desc
	}
	if n.GetExpr() != nil {
		e.Expr = &Expr{Node: n.GetExpr(), Text: elementText(s, at), Origin: o}
		c.simplify(e)
	}
	return e
}

// simplify takes (a) for a and (a COLLATE "C") for a COLLATE "C", as ComputeIndexAttrs does.
func (c *Catalog) simplify(e *IndexElement) {
	tree := e.Expr.Node
	for tree.GetCollateClause() != nil {
		if e.Collation == nil {
			e.Collation = c.collation(e.Expr.Origin, tree.GetCollateClause().GetCollname())
		}
		tree = tree.GetCollateClause().GetArg()
	}
	e.Expr.Node = tree
	if fields := tree.GetColumnRef().GetFields(); len(fields) > 0 {
		if name, _ := lastName(fields[len(fields)-1:]); name != "" {
			e.Column, e.Expr = name, nil
		}
	}
}

// elementText gives the text of an expression in an index: in parentheses, or the call of a function.
func elementText(s *script.Statement, at int) string {
	if s.After(at, "(") >= 0 {
		text, _, _ := s.Parens(at)
		return text
	}
	if name := behindName(s, at); s.After(name, "(") >= 0 {
		_, end, _ := s.Parens(name)
		return s.Text[at:end]
	}
	return s.Expr(at)
}

// createIndex runs CREATE INDEX.
func (c *Catalog) createIndex(s *script.Statement, n *pg.IndexStmt) error {
	o := c.origin(s, int(n.GetRelation().GetLocation()))
	on, err := c.relation(o, n.GetRelation())
	if err != nil {
		return err
	}
	t, v := c.Tables[on], c.Views[on]
	if t == nil && (v == nil || !v.Materialized) {
		kind, _ := c.Relation(on)
		return c.errorf(o, schema.KindSchema, "%s is a %s, which has no indexes", on, kind)
	}
	x := c.readIndex(s, n, on)
	x.Origin = c.indexOrigin(s, o)
	if _, there := c.Relation(x.Name); there && n.GetIfNotExists() {
		return passedOver("CREATE INDEX IF NOT EXISTS of what is there")
	}
	if err := c.checkIndex(o, t, x); err != nil {
		return err
	}
	if x.Name.Name == "" {
		x.Name.Name, x.Made = c.chooseIndexName(on, chooseIndexColumnNames(x.Elements, x.Include), ""), true
	} else if err := c.freeRelation(x.Origin, "index", x.Name); err != nil {
		return err
	}
	c.addIndex(t, v, x)
	if t != nil && t.Partition != nil {
		x.Only = !n.GetRelation().GetInh() && len(c.children(on)) > 0
		if !x.Only {
			c.indexPartitions(t, x)
		}
	}
	return nil
}

// indexOrigin is where an index is said to be: at its statement, whose beginning has no offset in the tree.
func (c *Catalog) indexOrigin(s *script.Statement, o Origin) Origin {
	if s.Node.GetIndexStmt() != nil {
		o.Offset = 0
	}
	return o
}

// readIndex reads an index; one without a name has none yet.
func (c *Catalog) readIndex(s *script.Statement, n *pg.IndexStmt, on Name) *Index {
	from := behindName(s, int(n.GetRelation().GetLocation()))
	x := &Index{
		Name: Name{on.Schema, n.GetIdxname()}, Table: on, Unique: n.GetUnique(), NullsNotDistinct: n.GetNullsNotDistinct(), Method: n.GetAccessMethod(), Tablespace: spaceName(n.GetTableSpace()),
	}
	at := elementOffsets(s, from)
	for i, e := range n.GetIndexParams() {
		x.Elements = append(x.Elements, c.readElement(s, e.GetIndexElem(), offsetAt(at, i)))
	}
	for _, e := range n.GetIndexIncludingParams() {
		x.Include = append(x.Include, e.GetIndexElem().GetName())
	}
	if len(n.GetOptions()) > 0 {
		x.Options = options(n.GetOptions())
	}
	if n.GetWhereClause() != nil {
		x.Where = c.exprBehind(s, from, n.GetWhereClause(), "WHERE")
	}
	return x
}

// checkIndex gives the columns of an index the names that they have by now. Which columns a materialized view has is not known.
func (c *Catalog) checkIndex(o Origin, t *Table, x *Index) error {
	if t == nil {
		return nil
	}
	for _, e := range x.Elements {
		if e.Column == "" {
			continue
		}
		column, err := c.columnAt(o, t, e.Column)
		if err != nil {
			return err
		}
		e.Column = column.Name
	}
	for i, name := range x.Include {
		column, err := c.columnAt(o, t, name)
		if err != nil {
			return err
		}
		x.Include[i] = column.Name
	}
	return nil
}

// addIndex puts an index in the catalog and in the list of its table or view.
func (c *Catalog) addIndex(t *Table, v *View, x *Index) {
	c.Indexes[x.Name] = x
	if t != nil {
		t.Indexes = append(t.Indexes, x)
		return
	}
	v.Indexes = append(v.Indexes, x)
}

// dropIndex takes an index away, and those of the partitions with it.
func (c *Catalog) dropIndex(x *Index) {
	under := c.indexesUnder(x)
	c.removeIndex(x)
	for _, child := range under {
		c.dropIndex(child)
	}
}

// removeIndex takes an index out of all lists.
func (c *Catalog) removeIndex(x *Index) {
	delete(c.Indexes, x.Name)
	same := func(y *Index) bool { return y == x }
	if t := c.Tables[x.Table]; t != nil {
		t.Indexes = slices.DeleteFunc(slices.Clone(t.Indexes), same)
		t.forgetIndex(x.Name.Name)
	}
	if v := c.Views[x.Table]; v != nil {
		v.Indexes = slices.DeleteFunc(slices.Clone(v.Indexes), same)
		if v.ClusterOn == x.Name.Name {
			v.ClusterOn = ""
		}
	}
	c.forget("index", x.Name.String())
}

// indexesUnder lists the indexes of partitions that belong to an index.
func (c *Catalog) indexesUnder(x *Index) []*Index {
	var list []*Index
	for _, child := range c.children(x.Table) {
		for _, y := range child.Indexes {
			if y.Parent != nil && *y.Parent == x.Name {
				list = append(list, y)
			}
		}
	}
	return list
}

// alterIndex runs ALTER INDEX on an index that is not one of a constraint, or is: that has fewer properties.
func (c *Catalog) alterIndex(s *script.Statement, n *pg.AlterTableStmt, name Name) error {
	o := c.origin(s, int(n.GetRelation().GetLocation()))
	x := c.Indexes[name]
	_, k := c.keyNamed(name)
	for _, node := range n.GetCmds() {
		cmd := node.GetAlterTableCmd()
		var set *map[string]string
		var tablespace *string
		if x != nil {
			set, tablespace = &x.Options, &x.Tablespace
		} else {
			set, tablespace = &k.Options, &k.Tablespace
		}
		switch cmd.GetSubtype() {
		case pg.AlterTableType_AT_SetRelOptions:
			*set = withOptions(*set, cmd.GetDef().GetList().GetItems())
		case pg.AlterTableType_AT_ResetRelOptions:
			*set = withoutOptions(*set, cmd.GetDef().GetList().GetItems())
		case pg.AlterTableType_AT_SetTableSpace:
			*tablespace = spaceName(cmd.GetName())
		case pg.AlterTableType_AT_AttachPartition:
			if err := c.attachIndex(o, name, cmd.GetDef().GetPartitionCmd()); err != nil {
				return err
			}
		case pg.AlterTableType_AT_SetStatistics:
			return c.errorf(o, schema.KindUnsupported, "the statistics target of a column of index %s is not understood; take the statement out", name)
		default:
			return c.errorf(o, schema.KindUnsupported, "this change of index %s is not understood (%s); drop the index and create it as it should be", name, cmd.GetSubtype())
		}
	}
	return nil
}

// withOptions gives options with more of them, or other values; the old map stays as it is.
func withOptions(old map[string]string, nodes []*pg.Node) map[string]string {
	m := map[string]string{}
	for k, v := range old {
		m[k] = v
	}
	for k, v := range options(nodes) {
		m[k] = v
	}
	return m
}

// withoutOptions gives options without some of them; nil if none is left.
func withoutOptions(old map[string]string, nodes []*pg.Node) map[string]string {
	m := map[string]string{}
	for k, v := range old {
		m[k] = v
	}
	for _, n := range nodes {
		delete(m, optionName(n.GetDefElem()))
	}
	if len(m) == 0 {
		return nil
	}
	return m
}

// spaceName gives the name of a tablespace; the default one has none.
func spaceName(name string) string {
	if name == "pg_default" {
		return ""
	}
	return name
}
