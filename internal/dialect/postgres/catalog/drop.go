package catalog

import (
	"slices"
	"sort"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/altergate/altergate/internal/dialect/postgres/script"
	"github.com/altergate/altergate/internal/schema"
)

// drop takes DROP in. It never waits: it would take away what comes after it. What would have to go along is dropped with
// CASCADE, and refused without, as far as it shows without reading bodies: a view that names a dropped table stays, and is
// found to name what is not there.
func (c *Catalog) drop(s *script.Statement, n *pg.DropStmt) error {
	o := c.origin(s, 0)
	if len(n.Objects) > 1 && n.Behavior != pg.DropBehavior_DROP_CASCADE && n.RemoveType == pg.ObjectType_OBJECT_TABLE {
		c.freeAmong(o, n)
	}
	passed := 0
	var over error
	for _, x := range n.Objects {
		err := c.dropOne(o, n, x)
		if _, ok := err.(passedOver); ok {
			passed, over = passed+1, err
			continue
		}
		if err != nil {
			return err
		}
	}
	if passed == len(n.Objects) {
		return over
	}
	return nil
}

// freeAmong takes away the foreign keys between the tables that one statement drops: they do not keep each other.
func (c *Catalog) freeAmong(o Origin, n *pg.DropStmt) {
	going := map[Name]bool{}
	for _, x := range n.Objects {
		t, err := c.targetAt(o, n.RemoveType, x)
		if err != nil || t.on == nil || c.Tables[*t.on] == nil {
			continue
		}
		going[*t.on] = true
	}
	for name := range going {
		t := c.Tables[name]
		for _, k := range slices.Clone(t.Constraints) {
			if k.Ref != nil && k.Ref.Table != name && going[k.Ref.Table] {
				c.dropConstraint(t, k)
			}
		}
	}
}

func (c *Catalog) dropOne(o Origin, n *pg.DropStmt, x *pg.Node) error {
	t, err := c.targetAt(o, n.RemoveType, x)
	if err != nil {
		return c.goneFor(err, n)
	}
	cascade := n.Behavior == pg.DropBehavior_DROP_CASCADE
	switch t.kind {
	case "table", "foreign table":
		return c.dropTables(o, *t.on, cascade)
	case "view", "materialized view":
		if cascade {
			c.cascadeRelation(*t.on)
		}
		c.dropView(*t.on)
		return nil
	case "sequence":
		return c.dropSequenceNamed(o, t.name, cascade)
	case "index":
		return c.dropIndexNamed(o, t.name)
	case "function", "procedure", "aggregate":
		if t.kind == "aggregate" && n.RemoveType == pg.ObjectType_OBJECT_FUNCTION {
			return c.errorf(o, schema.KindSchema, "%s is an aggregate; drop it with DROP AGGREGATE", t.name)
		}
		return c.dropFunction(o, c.Functions[t.name], cascade)
	case "type", "domain":
		return c.dropType(o, t.name, cascade)
	case "trigger":
		if c.trigger(*t.on, t.name).Inherited {
			return c.errorf(o, schema.KindSchema, "trigger %s on %s comes from the table that this is a partition of; drop it there", t.name, t.on)
		}
		c.dropTrigger(*t.on, t.name)
		return nil
	case "policy", "rule":
		delete(c.Others, [2]string{t.kind, partOf(*t.on, t.name)})
		c.forgetPart(t.kind, *t.on, t.name)
		return nil
	case "schema":
		return c.dropSchema(o, t.name, cascade)
	}
	return c.dropOther(o, t)
}

// goneFor turns the error about something that is not there into one that does not wait, or passes it over with IF EXISTS.
func (c *Catalog) goneFor(err error, n *pg.DropStmt) error {
	if !waits(err) {
		return err
	}
	if n.MissingOk {
		return passedOver("DROP … IF EXISTS of what is not there")
	}
	e := *schema.Errors(err)[0]
	e.Text += ". A DROP takes away what stands before it; write IF EXISTS if it may not be there"
	return &e
}

// gone does the same where nothing has looked for it.
func (c *Catalog) gone(o Origin, what string, missingOK bool) error {
	if missingOK {
		return passedOver("DROP … IF EXISTS of what is not there")
	}
	return c.errorf(o, schema.KindSchema, "%s is not there, so it cannot be dropped; correct the name, or write IF EXISTS", what)
}

// dropOther takes away what is in no list of its own.
func (c *Catalog) dropOther(o Origin, t target) error {
	switch t.kind {
	case "extension":
		delete(c.Extensions, t.name)
	case "event trigger":
		delete(c.Others, [2]string{"event_trigger", t.name})
	case "publication":
		c.unpublish(t.name)
		delete(c.Others, [2]string{"publication", t.name})
	case "statistics":
		delete(c.Others, [2]string{"statistics", t.name})
	default:
		return c.dropOpaque(o, t.String(), false)
	}
	c.forget(t.kind, t.name)
	return nil
}

// dropTables drops a table with its partitions, and with CASCADE what inherits from it and what references it.
func (c *Catalog) dropTables(o Origin, n Name, cascade bool) error {
	going := map[Name]bool{}
	if err := c.goesWith(o, n, cascade, going); err != nil {
		return err
	}
	for _, name := range sortNames(going) {
		t := c.Tables[name]
		if cascade {
			c.cascadeRelation(name)
		}
		references := func(k *Constraint) bool { return k.Ref != nil && k.Ref.Table == name }
		for _, other := range c.tablesThat(func(t *Table) bool { return !going[t.Name] && slices.ContainsFunc(t.Constraints, references) }) {
			for _, k := range slices.Clone(c.Tables[other].Constraints) {
				if !references(k) {
					continue
				}
				if !cascade {
					return c.errorf(o, schema.KindSchema, "table %s cannot be dropped: constraint %s of table %s (%s) references it; drop that first, or add CASCADE", name, k.Name, other, k.Pos())
				}
				c.dropConstraint(c.Tables[other], k)
			}
		}
		for _, q := range c.ownedSequences(name) {
			if err := c.dropSequenceOf(o, q, going, cascade); err != nil {
				return err
			}
		}
		for _, x := range slices.Clone(t.Indexes) {
			c.dropIndex(x)
		}
	}
	for name := range going {
		delete(c.Tables, name)
		c.forgetRelation(name)
	}
	return nil
}

// goesWith collects the tables that go with one.
func (c *Catalog) goesWith(o Origin, n Name, cascade bool, going map[Name]bool) error {
	going[n] = true
	for _, name := range c.tablesThat(func(t *Table) bool { return slices.Contains(t.parents(), n) }) {
		t := c.Tables[name]
		if going[name] {
			continue
		}
		partition := t.PartitionOf != nil && *t.PartitionOf == n
		if !partition && !cascade {
			return c.errorf(o, schema.KindSchema, "table %s cannot be dropped: table %s inherits from it; drop that first, or add CASCADE", n, name)
		}
		if err := c.goesWith(o, name, cascade, going); err != nil {
			return err
		}
	}
	return nil
}

// tablesThat lists the tables of which something is true, by name. Few are: sorting them all would cost more than the look.
func (c *Catalog) tablesThat(is func(*Table) bool) []Name {
	var names []Name
	for n, t := range c.Tables {
		if is(t) {
			names = append(names, n)
		}
	}
	slices.SortFunc(names, compareNames)
	return names
}

func sortNames[T any](m map[Name]T) []Name {
	names := make([]Name, 0, len(m))
	for n := range m {
		names = append(names, n)
	}
	slices.SortFunc(names, compareNames)
	return names
}

func sorted[T any](m map[string]T) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

func (c *Catalog) dropView(n Name) {
	for _, x := range slices.Clone(c.Views[n].Indexes) {
		c.dropIndex(x)
	}
	delete(c.Views, n)
	c.forgetRelation(n)
}

// dropSequenceOf drops the sequence of a table that goes. Defaults of other tables may take their values from it.
func (c *Catalog) dropSequenceOf(o Origin, q *Sequence, going map[Name]bool, cascade bool) error {
	takes := func(x *Column) bool {
		return x.Default != nil && x.Default.Sequence != nil && *x.Default.Sequence == q.Name
	}
	for _, n := range c.tablesThat(func(t *Table) bool { return !going[t.Name] && slices.ContainsFunc(t.Columns, takes) }) {
		for _, x := range c.Tables[n].Columns {
			if !takes(x) {
				continue
			}
			if !cascade {
				return c.errorf(o, schema.KindSchema, "sequence %s cannot be dropped: the default of column %s.%s takes its values from it; drop that default first, or add CASCADE", q.Name, n, x.Name)
			}
			x.Default = nil
		}
	}
	c.dropSequence(q)
	return nil
}

func (c *Catalog) dropSequenceNamed(o Origin, name string, cascade bool) error {
	for n, q := range c.Sequences {
		if n.String() != name {
			continue
		}
		if q.Identity {
			return c.errorf(o, schema.KindSchema, "sequence %s belongs to the identity column %s.%s; drop the identity instead", n, q.OwnedBy, q.OwnedColumn)
		}
		return c.dropSequenceOf(o, q, nil, cascade)
	}
	return nil
}

func (c *Catalog) dropIndexNamed(o Origin, name string) error {
	for n, x := range c.Indexes {
		if n.String() != name {
			continue
		}
		if x.Parent != nil {
			return c.errorf(o, schema.KindSchema, "index %s belongs to index %s of the partitioned table; drop that", n, x.Parent)
		}
		c.dropIndex(x)
		return nil
	}
	return c.errorf(o, schema.KindSchema, "index %s is that of a constraint; drop the constraint with ALTER TABLE … DROP CONSTRAINT", name)
}

// dropFunction drops a function, and with CASCADE the triggers that call it.
func (c *Catalog) dropFunction(o Origin, f *Function, cascade bool) error {
	for _, n := range append(sortNames(c.Tables), sortNames(c.Views)...) {
		for _, t := range slices.Clone(*c.triggersOn(n)) {
			if t.Inherited || !c.calls(t, f) {
				continue
			}
			if !cascade {
				return c.errorf(o, schema.KindSchema, "%s %s cannot be dropped: trigger %s on %s (%s) calls it; drop that first, or add CASCADE", f.Kind, f.ID, t.Name, n, t.Pos())
			}
			c.dropTrigger(n, t.Name)
		}
	}
	for k, x := range c.Others {
		if x.Kind != "event_trigger" || x.Props[propFunction] != f.ID {
			continue
		}
		if !cascade {
			return c.errorf(o, schema.KindSchema, "function %s cannot be dropped: event trigger %s (%s) calls it; drop that first, or add CASCADE", f.ID, x.Key, x.Pos())
		}
		delete(c.Others, k)
		c.forget("event trigger", x.Key)
	}
	if cascade {
		c.cascadeFunction(f)
	}
	delete(c.Functions, f.ID)
	c.forget(f.Kind, f.ID)
	return nil
}

// dropType drops a type that no column, domain, type or function has. CASCADE drops the columns; where it would drop others too, it is
// refused.
func (c *Catalog) dropType(o Origin, name string, cascade bool) error {
	if cascade {
		c.cascadeType(name)
	}
	if user := c.userOf(name); user != "" {
		if cascade {
			return c.errorf(o, schema.KindUnsupported, "dropping type %s with CASCADE would drop %s too, which has that type; drop that in a statement of its own", name, user)
		}
		return c.errorf(o, schema.KindSchema, "type %s cannot be dropped: %s has that type; drop or change that first", name, user)
	}
	for _, n := range sortNames(c.Types) {
		if n.String() == name {
			t := c.Types[n]
			for _, x := range t.Columns {
				c.forget("column", name+"."+x.Name)
			}
			for _, k := range t.Checks {
				c.forget("constraint", name+"."+k.Name)
			}
			c.forget(t.word(), name)
			delete(c.Types, n)
		}
	}
	return nil
}

// userOf gives the first thing that has a type, or an array of it; "" if there is none.
func (c *Catalog) userOf(name string) string {
	has := func(t TypeRef) bool { return t.Node != nil && strings.TrimSuffix(c.TypeKey(t), "[]") == name }
	for _, n := range sortNames(c.Tables) {
		if of := c.Tables[n].OfType; of != nil && of.String() == name {
			return "table " + n.String()
		}
		for _, x := range c.Tables[n].Columns {
			if has(x.Type) {
				return "column " + partOf(n, x.Name)
			}
		}
	}
	for _, n := range sortNames(c.Types) {
		t := c.Types[n]
		if n.String() == name {
			continue
		}
		if has(t.Base) || has(t.Subtype) || slices.ContainsFunc(t.Columns, func(x *Column) bool { return has(x.Type) }) {
			return t.word() + " " + n.String()
		}
	}
	for _, id := range sorted(c.Functions) {
		f := c.Functions[id]
		if (f.Returns != nil && has(*f.Returns)) || slices.ContainsFunc(f.Args, func(a *Argument) bool { return has(a.Type) }) {
			if t := c.typeCalled(name); t == nil || t.Kind != Base { // a base type and its functions need each other
				return f.Kind + " " + id
			}
		}
	}
	return ""
}

func (c *Catalog) typeCalled(name string) *Type {
	for n, t := range c.Types {
		if n.String() == name {
			return t
		}
	}
	return nil
}

// dropSchema drops a schema, and with CASCADE everything in it.
func (c *Catalog) dropSchema(o Origin, name string, cascade bool) error {
	if first := c.firstIn(name); first != "" && !cascade {
		return c.errorf(o, schema.KindSchema, "schema %s cannot be dropped: it holds %s; drop that first, or add CASCADE", name, first)
	}
	for _, n := range sortNames(c.Tables) {
		if n.Schema == name && c.Tables[n] != nil {
			if err := c.dropTables(o, n, true); err != nil {
				return err
			}
		}
	}
	for _, n := range sortNames(c.Views) {
		if n.Schema == name {
			c.dropView(n)
		}
	}
	for _, n := range sortNames(c.Sequences) {
		if n.Schema == name && c.Sequences[n] != nil {
			if err := c.dropSequenceOf(o, c.Sequences[n], nil, true); err != nil {
				return err
			}
		}
	}
	for _, id := range sorted(c.Functions) {
		if c.Functions[id].Name.Schema == name {
			if err := c.dropFunction(o, c.Functions[id], true); err != nil {
				return err
			}
		}
	}
	if err := c.dropTypesIn(o, name); err != nil {
		return err
	}
	for k, x := range c.Others {
		if objectIn(x, name) {
			delete(c.Others, k)
			c.forgetKey(x)
		}
	}
	delete(c.Schemas, name)
	c.forget("schema", name)
	return nil
}

// dropTypesIn drops the types of a schema, those last that others are made of.
func (c *Catalog) dropTypesIn(o Origin, name string) error {
	for {
		var left error
		dropped := false
		for _, n := range sortNames(c.Types) {
			if n.Schema != name {
				continue
			}
			if err := c.dropType(o, n.String(), true); err != nil {
				left = err
			} else {
				dropped = true
			}
		}
		if left == nil || !dropped {
			return left
		}
	}
}

// objectIn tells whether something of Others lives in a schema.
func objectIn(x *Object, name string) bool {
	switch x.Kind {
	case "statistics", "default_privileges":
		return x.Props[propSchema] == name
	case "opaque":
		for _, kind := range []string{"operator ", "operator class ", "operator family ", "collation ", "conversion ", "text search configuration ", "text search dictionary ", "text search parser ", "text search template "} {
			if rest, ok := strings.CutPrefix(x.Key, kind); ok && strings.HasPrefix(rest, name+".") {
				return true
			}
		}
	}
	return false
}

// firstIn gives something that a schema holds; "" if it is empty.
func (c *Catalog) firstIn(name string) string {
	for _, n := range sortNames(c.Tables) {
		if n.Schema == name {
			return "table " + n.String()
		}
	}
	for _, n := range sortNames(c.Views) {
		if n.Schema == name {
			return "view " + n.String()
		}
	}
	for _, n := range sortNames(c.Sequences) {
		if n.Schema == name {
			return "sequence " + n.String()
		}
	}
	for _, n := range sortNames(c.Types) {
		if n.Schema == name {
			return c.Types[n].word() + " " + n.String()
		}
	}
	for _, id := range sorted(c.Functions) {
		if f := c.Functions[id]; f.Name.Schema == name {
			return f.Kind + " " + id
		}
	}
	found := ""
	c.eachObject(func(x *Object) {
		if x.Kind != "default_privileges" && objectIn(x, name) {
			found = x.Kind + " " + x.Key
		}
	})
	return found
}
