package catalog

import (
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/altergate/altergate/internal/dialect/postgres/script"
	"github.com/altergate/altergate/internal/schema"
)

// constraintKinds are the kinds by the parser's names.
var constraintKinds = map[pg.ConstrType]schema.ConstraintKind{
	pg.ConstrType_CONSTR_CHECK: schema.Check, pg.ConstrType_CONSTR_PRIMARY: schema.PrimaryKey, pg.ConstrType_CONSTR_UNIQUE: schema.Unique,
	pg.ConstrType_CONSTR_EXCLUSION: schema.Exclusion, pg.ConstrType_CONSTR_FOREIGN: schema.ForeignKey,
}

// isKey tells whether the constraint has an index, which has its name.
func (k *Constraint) isKey() bool {
	return k.Kind == schema.PrimaryKey || k.Kind == schema.Unique || k.Kind == schema.Exclusion
}

// constraint gives the constraint of that name, or nil.
func (t *Table) constraint(name string) *Constraint {
	for _, k := range t.Constraints {
		if k.Name == name {
			return k
		}
	}
	return nil
}

// primaryKey gives the table's primary key, or nil.
func (t *Table) primaryKey() *Constraint {
	for _, k := range t.Constraints {
		if k.Kind == schema.PrimaryKey {
			return k
		}
	}
	return nil
}

// readConstraint reads a constraint of a table. Its text ends at the first of the stops, at the latest.
func (c *Catalog) readConstraint(s *script.Statement, n *pg.Constraint, stops ...int) (*Constraint, error) {
	o := c.origin(s, int(n.GetLocation()))
	body := c.constraintBody(s, n)
	k := &Constraint{
		Name: n.GetConname(), Kind: constraintKinds[n.GetContype()], Deferrable: n.GetDeferrable(), Deferred: n.GetInitdeferred(), NotValid: n.GetSkipValidation(),
		NoInherit: n.GetIsNoInherit(), NullsNotDistinct: n.GetNullsNotDistinct(), Text: s.Expr(body, stops...), Origin: o,
	}
	switch k.Kind {
	case schema.Check:
		text, _, _ := s.Parens(body)
		k.Expr = &Expr{Node: n.GetRawExpr(), Text: text, Origin: c.origin(s, max(firstLocation(n.GetRawExpr()), o.Offset))}
	case schema.PrimaryKey, schema.Unique:
		k.Columns = words(n.GetKeys())
	case schema.Exclusion:
		c.readExclusion(s, k, n, body)
	case schema.ForeignKey:
		k.Columns = words(n.GetFkAttrs())
		k.Ref = reference(n)
	default:
		return nil, c.errorf(o, schema.KindUnsupported, "a constraint of this kind (%s) is not understood", n.GetContype())
	}
	if k.isKey() {
		k.Include, k.Tablespace = words(n.GetIncluding()), spaceName(n.GetIndexspace())
		if len(n.GetOptions()) > 0 {
			k.Options = options(n.GetOptions())
		}
	}
	return k, nil
}

// constraintBody gives the offset of a constraint without CONSTRAINT and its name.
func (c *Catalog) constraintBody(s *script.Statement, n *pg.Constraint) int {
	at := int(n.GetLocation())
	behind := s.After(at, "CONSTRAINT")
	if behind < 0 {
		return at
	}
	return behindName(s, skipBlank(s.Text, behind))
}

// skipBlank gives the offset of what stands at or behind an offset, blanks and comments left out.
func skipBlank(text string, i int) int {
	for i < len(text) {
		switch rest := text[i:]; {
		case strings.IndexByte(" \t\n\r\f\v", text[i]) >= 0:
			i++
		case strings.HasPrefix(rest, "--"):
			if n := strings.IndexByte(rest, '\n'); n >= 0 {
				i += n
			} else {
				return len(text)
			}
		case strings.HasPrefix(rest, "/*"):
			i = skipComment(text, i)
		default:
			return i
		}
	}
	return i
}

// skipComment gives the offset behind a comment in slashes and stars, which nests.
func skipComment(text string, i int) int {
	for depth := 0; i < len(text); {
		switch {
		case strings.HasPrefix(text[i:], "/*"):
			depth++
			i += 2
		case strings.HasPrefix(text[i:], "*/"):
			depth--
			i += 2
		default:
			i++
		}
		if depth == 0 {
			return i
		}
	}
	return i
}

// reference reads the far side of a foreign key; the table is as written until resolveReference.
func reference(n *pg.Constraint) *Reference {
	r := &Reference{
		Table: Name{n.GetPktable().GetSchemaname(), n.GetPktable().GetRelname()}, Schema: n.GetPktable().GetSchemaname() != "", Columns: words(n.GetPkAttrs()),
		OnDelete: action(n.GetFkDelAction()), OnUpdate: action(n.GetFkUpdAction()), SetColumns: words(n.GetFkDelSetCols()),
	}
	if n.GetFkMatchtype() == "f" {
		r.Match = "full"
	}
	return r
}

func action(letter string) string {
	return map[string]string{"c": "cascade", "n": "set null", "d": "set default", "r": "restrict"}[letter]
}

// resolveReference finds the table that a foreign key is to; if it is to come yet, where it would be made.
func (c *Catalog) resolveReference(k *Constraint) {
	if k.Ref == nil || k.Inherited {
		return
	}
	n, ok := c.Resolve(k.Origin, k.Ref.Table.Schema, k.Ref.Table.Name)
	switch {
	case ok || k.Ref.Schema:
		k.Ref.Table = n
	case len(k.Path) > 0:
		k.Ref.Table.Schema = k.Path[0]
		c.unsettled = c.unsettled || len(k.Path) > 1
	default:
		k.Ref.Table.Schema = "pg_catalog"
	}
}

// readExclusion reads the elements of EXCLUDE USING method (element WITH operator, …) WHERE (…).
func (c *Catalog) readExclusion(s *script.Statement, k *Constraint, n *pg.Constraint, body int) {
	k.Method = n.GetAccessMethod()
	at := elementOffsets(s, body)
	for i, pair := range n.GetExclusions() {
		items := pair.GetList().GetItems()
		k.Elements = append(k.Elements, c.readElement(s, items[0].GetIndexElem(), offsetAt(at, i)))
		k.Operators = append(k.Operators, strings.Join(words(items[1].GetList().GetItems()), "."))
	}
	if n.GetWhereClause() != nil {
		first := firstLocation(n.GetWhereClause())
		text, _, _ := s.Parens(max(behindLast(s, body, first, "WHERE"), body))
		k.Where = &Expr{Node: n.GetWhereClause(), Text: text, Origin: c.origin(s, first)}
	}
}

// addConstraint puts a constraint on a table, under a made-up name if it has none, and on the tables that inherit it.
func (c *Catalog) addConstraint(t *Table, k *Constraint, only bool) error {
	c.resolveReference(k)
	if err := c.checkConstraint(t, k); err != nil {
		return err
	}
	if k.Name == "" {
		k.Name, k.Made = c.makeConstraintName(t, k), true
	} else if k.isKey() {
		if err := c.freeRelation(k.Origin, "the index of constraint", Name{t.Name.Schema, k.Name}); err != nil {
			return err
		}
	}
	t.Constraints = append(t.Constraints, k)
	c.nameConstraint(t, k)
	if k.Kind == schema.PrimaryKey {
		for _, name := range k.Columns {
			c.setNotNull(t, t.column(name), only)
		}
	}
	return c.passOn(t, k, only)
}

// checkConstraint refuses what the server would refuse, as far as names go.
func (c *Catalog) checkConstraint(t *Table, k *Constraint) error {
	if k.Name != "" && t.constraint(k.Name) != nil {
		return c.errorf(k.Origin, schema.KindSchema, "table %s has two constraints %s; take one out or rename it", t.Name, k.Name)
	}
	if old := t.primaryKey(); k.Kind == schema.PrimaryKey && old != nil {
		return c.errorf(k.Origin, schema.KindSchema, "table %s has two primary keys, %s and this one; take one out", t.Name, old.Name)
	}
	named := slices.Concat(k.Columns, k.Include)
	for _, e := range k.Elements {
		if e.Column != "" {
			named = append(named, e.Column)
		}
	}
	for i, name := range named {
		if _, err := c.columnAt(k.Origin, t, name); err != nil {
			return err
		}
		if i < len(k.Columns) && slices.Contains(k.Columns[:i], name) {
			return c.errorf(k.Origin, schema.KindSchema, "column %s stands twice in a key of table %s", name, t.Name)
		}
	}
	c.columnsNow(t, k)
	return nil
}

// columnsNow gives a constraint that waited the names that its columns have by now.
func (c *Catalog) columnsNow(t *Table, k *Constraint) {
	if k.Inherited || len(c.since(k.Time)) == 0 {
		return
	}
	now := func(name string) string { return c.columnNow(k.Time, t, name) }
	k.Columns, k.Include = mapped(k.Columns, now), mapped(k.Include, now)
	for _, e := range k.Elements {
		if e.Column != "" {
			e.Column = now(e.Column)
		}
	}
}

func mapped(list []string, f func(string) string) []string {
	var out []string
	for _, x := range list {
		out = append(out, f(x))
	}
	return out
}

// makeConstraintName makes up the name of a constraint.
func (c *Catalog) makeConstraintName(t *Table, k *Constraint) string {
	switch k.Kind {
	case schema.Check:
		column := ""
		if used := c.columnsIn(t, k.Expr); len(used) == 1 {
			column = used[0]
		}
		return c.chooseConstraintName(t.Name.Schema, t.Name.Name, column, "check")
	case schema.ForeignKey:
		return c.chooseConstraintName(t.Name.Schema, t.Name.Name, nameAddition(k.Columns), "fkey")
	}
	sh := k.shape()
	return c.chooseIndexName(t.Name, chooseIndexColumnNames(sh.elements, sh.include), k.Kind)
}

// systemColumns are what every table has besides its own columns.
var systemColumns = []string{"tableoid", "ctid", "xmin", "xmax", "cmin", "cmax"}

// columnsIn lists the columns of a table that an expression names, by their names now; the whole row counts as a column without
// a name.
func (c *Catalog) columnsIn(t *Table, e *Expr) []string {
	var used []string
	if e == nil || e.Node == nil {
		return nil
	}
	add := func(name string) {
		if !slices.Contains(used, name) {
			used = append(used, name)
		}
	}
	walk(e.Node.ProtoReflect(), func(m protoreflect.Message) {
		ref, ok := m.Interface().(*pg.ColumnRef)
		if !ok {
			return
		}
		for _, f := range ref.GetFields() { // the column is the first that is one: what stands before are the table and its schema
			name := c.columnNow(e.Time, t, word(f))
			if t.column(name) != nil || slices.Contains(systemColumns, name) {
				add(name)
				return
			}
		}
		add("")
	})
	return used
}

// uses tells whether a constraint is about a column.
func (k *Constraint) uses(c *Catalog, t *Table, column string) bool {
	switch k.Kind {
	case schema.Check:
		return slices.Contains(c.columnsIn(t, k.Expr), column)
	case schema.ForeignKey:
		return slices.Contains(k.Columns, column)
	}
	return k.shape().uses(c, t, column)
}

// dropConstraint takes a constraint away, with what depends on it: the foreign keys to a key, and what tables have inherited of it.
func (c *Catalog) dropConstraint(t *Table, k *Constraint) {
	i := slices.Index(t.Constraints, k)
	if i < 0 {
		return
	}
	t.Constraints = slices.Delete(slices.Clone(t.Constraints), i, i+1)
	c.forgetPart("constraint", t.Name, k.Name)
	if k.isKey() {
		c.forget("index", Name{t.Name.Schema, k.Name}.String())
		t.forgetIndex(k.Name)
		c.dropReferences(t, k)
	}
	for _, child := range c.children(t.Name) {
		if inherited := child.inheritedOf(k); inherited != nil && !c.inheritsConstraint(child, inherited) {
			c.dropConstraint(child, inherited)
		}
	}
}

// forgetIndex takes an index out of where the table names it.
func (t *Table) forgetIndex(name string) {
	if t.ReplicaIdentity == "index "+name {
		t.ReplicaIdentity = ""
	}
	if t.ClusterOn == name {
		t.ClusterOn = ""
	}
}

// dropReferences drops the foreign keys to a key that is gone, unless another one serves them.
func (c *Catalog) dropReferences(t *Table, key *Constraint) {
	for _, other := range c.Tables {
		for _, k := range slices.Clone(other.Constraints) {
			if k.Ref != nil && k.Ref.Table == t.Name && k.needs(t, key) {
				c.dropConstraint(other, k)
			}
		}
	}
}

// needs tells whether a foreign key to a table is to that key of it, and no other key serves it.
func (k *Constraint) needs(t *Table, key *Constraint) bool {
	switch {
	case key.Kind == schema.Exclusion:
		return false
	case len(k.Ref.Columns) == 0:
		return key.Kind == schema.PrimaryKey
	}
	return sameNames(k.Ref.Columns, key.Columns) && !t.hasKey(k.Ref.Columns, key)
}

// keyUser names a foreign key that keeps a key from being dropped without CASCADE; empty = there is none.
func (c *Catalog) keyUser(t *Table, key *Constraint) string {
	if !key.isKey() {
		return ""
	}
	return c.referencing(t, func(k *Constraint) bool { return k.needs(t, key) })
}

// hasKey tells whether a foreign key may be to the columns, even without one of the keys.
func (t *Table) hasKey(columns []string, without *Constraint) bool {
	for _, k := range t.Constraints {
		if k != without && (k.Kind == schema.PrimaryKey || k.Kind == schema.Unique) && sameNames(k.Columns, columns) {
			return true
		}
	}
	return slices.ContainsFunc(t.Indexes, func(x *Index) bool {
		return x.Unique && x.Where == nil && sameNames(elementColumns(x.Elements), columns)
	})
}

// sameNames tells whether two lists hold the same names, in whatever order.
func sameNames(a, b []string) bool {
	a, b = slices.Clone(a), slices.Clone(b)
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(a, b)
}
