package catalog

import (
	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/altergate/altergate/internal/dialect/postgres/script"
	"github.com/altergate/altergate/internal/schema"
)

// alterOwner takes ALTER … OWNER TO in for what is no relation.
func (c *Catalog) alterOwner(s *script.Statement, n *pg.AlterOwnerStmt) error {
	switch n.ObjectType {
	case pg.ObjectType_OBJECT_DATABASE, pg.ObjectType_OBJECT_TABLESPACE, pg.ObjectType_OBJECT_LARGEOBJECT:
		return passedOver("ALTER … OWNER TO of what is outside of a schema")
	}
	o := c.origin(s, 0)
	t, err := c.targetAt(o, n.ObjectType, n.Object)
	if err != nil {
		return err
	}
	owner := c.owner(t)
	if owner == nil {
		return c.errorf(o, schema.KindUnsupported, "who owns the %s is not understood; take the statement out", t)
	}
	*owner = role(n.Newowner)
	return nil
}

// owner gives the place where the owner of something is kept, or nil.
func (c *Catalog) owner(t target) *string {
	switch t.kind {
	case "function", "procedure", "aggregate":
		return &c.Functions[t.name].Owner
	case "type", "domain":
		for n, x := range c.Types {
			if n.String() == t.name {
				return &x.Owner
			}
		}
	case "schema":
		if c.Schemas[t.name] == nil { // public, which is there without being declared
			c.Schemas[t.name] = &Object{Kind: "schema", Key: t.name, Props: map[string]string{}, Modelled: true}
		}
		return &c.Schemas[t.name].Owner
	case "event trigger":
		return &c.Others[[2]string{"event_trigger", t.name}].Owner
	case "publication", "statistics":
		return &c.Others[[2]string{t.kind, t.name}].Owner
	}
	if x := c.Others[[2]string{"opaque", t.String()}]; x != nil {
		return &x.Owner
	}
	return nil
}

// renameOther takes ALTER … RENAME in for what is no relation and no part of a table.
func (c *Catalog) renameOther(s *script.Statement, n *pg.RenameStmt) error {
	o := c.origin(s, int(n.GetRelation().GetLocation()))
	switch n.RenameType {
	case pg.ObjectType_OBJECT_FUNCTION, pg.ObjectType_OBJECT_PROCEDURE, pg.ObjectType_OBJECT_ROUTINE, pg.ObjectType_OBJECT_AGGREGATE:
		f, err := c.function(o, n.RenameType, n.Object.GetObjectWithArgs())
		if err != nil {
			return err
		}
		return c.renameFunction(o, f, Name{f.Name.Schema, n.Newname})
	case pg.ObjectType_OBJECT_TYPE, pg.ObjectType_OBJECT_DOMAIN:
		t, err := c.typeNamed(o, n.Object.GetList().GetItems())
		if err != nil {
			return err
		}
		return c.renameType(o, t, Name{t.Name.Schema, n.Newname})
	case pg.ObjectType_OBJECT_ATTRIBUTE:
		return c.renameAttribute(o, n)
	case pg.ObjectType_OBJECT_DOMCONSTRAINT:
		return c.renameDomainCheck(o, n)
	case pg.ObjectType_OBJECT_TRIGGER:
		on, err := c.relation(o, n.Relation)
		if err != nil {
			return err
		}
		return c.renameTrigger(o, on, n.Subname, n.Newname)
	case pg.ObjectType_OBJECT_POLICY, pg.ObjectType_OBJECT_RULE:
		return c.renamePart(o, n)
	}
	return c.renameObject(o, n)
}

func (c *Catalog) renameFunction(o Origin, f *Function, to Name) error {
	from := f.Name
	var types []string
	for _, a := range f.inputs() {
		types = append(types, c.TypeKey(a.Type))
	}
	id := routineID(to, f.Kind, types)
	if old := c.Functions[id]; old != nil {
		return c.duplicate(o, old.Kind, id, old.Origin)
	}
	f.Name, f.Altered = to, true
	c.moveFunction(f, id)
	c.logRename("function", from, to, Name{})
	return nil
}

// renameType gives a type another name, or another schema.
func (c *Catalog) renameType(o Origin, t *Type, to Name) error {
	from := t.Name
	if old := c.Types[to]; old != nil {
		return c.duplicate(o, "type", to.String(), old.Origin)
	}
	if err := c.freeRelation(o, "type", to); err != nil {
		return err
	}
	delete(c.Types, from)
	t.Name, t.Altered = to, true
	c.Types[to] = t
	for _, other := range c.Tables {
		if other.OfType != nil && *other.OfType == from {
			other.OfType = &Name{to.Schema, to.Name}
		}
	}
	c.follow(t.word(), from.String(), to.String())
	for _, x := range t.Columns {
		c.follow("column", partOf(from, x.Name), partOf(to, x.Name))
	}
	for _, k := range t.Checks {
		c.follow("constraint", partOf(from, k.Name), partOf(to, k.Name))
	}
	c.logRename("type", from, to, Name{})
	c.renameSignatures()
	return nil
}

func (c *Catalog) renameAttribute(o Origin, n *pg.RenameStmt) error {
	found, ok := c.ResolveType(o, n.Relation.GetSchemaname(), n.Relation.GetRelname())
	t := c.Types[found]
	switch {
	case !ok || t == nil:
		return c.missing(o, "type %s is not there; create it, or correct the name", dotted(n.Relation.GetSchemaname(), n.Relation.GetRelname()))
	case t.column(n.Subname) == nil:
		return c.missing(o, "type %s has no attribute %s; correct the name", t.Name, n.Subname)
	case t.column(n.Newname) != nil:
		return c.errorf(o, schema.KindSchema, "type %s already has an attribute %s", t.Name, n.Newname)
	}
	t.column(n.Subname).Name = n.Newname
	t.Altered = true
	c.follow("column", partOf(t.Name, n.Subname), partOf(t.Name, n.Newname))
	c.logRename("column", Name{Name: n.Subname}, Name{Name: n.Newname}, t.Name)
	return nil
}

func (c *Catalog) renameDomainCheck(o Origin, n *pg.RenameStmt) error {
	t, err := c.typeNamed(o, n.Object.GetList().GetItems())
	if err != nil {
		return err
	}
	k := t.check(n.Subname)
	switch {
	case k == nil:
		return c.missing(o, "domain %s has no constraint %s; correct the name", t.Name, n.Subname)
	case t.check(n.Newname) != nil:
		return c.errorf(o, schema.KindSchema, "domain %s already has a constraint %s", t.Name, n.Newname)
	}
	k.Name, t.Altered = n.Newname, true
	c.follow("constraint", partOf(t.Name, n.Subname), partOf(t.Name, n.Newname))
	return nil
}

// renamePart gives a policy or a rule another name.
func (c *Catalog) renamePart(o Origin, n *pg.RenameStmt) error {
	kind := KindWord(n.RenameType)
	on, err := c.existing(o, n.Relation, n.MissingOk)
	if err != nil {
		return err
	}
	x := c.Others[[2]string{kind, partOf(on, n.Subname)}]
	if x == nil {
		return c.missing(o, "%s %s on %s is not there; create it, or correct the name", kind, n.Subname, on)
	}
	if old := c.Others[[2]string{kind, partOf(on, n.Newname)}]; old != nil {
		return c.duplicate(o, kind, old.Key, old.Origin)
	}
	x.Props[propName] = n.Newname
	x.Altered = true
	c.rekey(x)
	c.followPart(kind, on, n.Subname, n.Newname)
	return nil
}

// renameObject gives an event trigger, a publication or statistics another name. Of what is carried as text, the name is in the text.
func (c *Catalog) renameObject(o Origin, n *pg.RenameStmt) error {
	t, err := c.targetAt(o, n.RenameType, n.Object)
	if err != nil {
		return err
	}
	kind, to := "", n.Newname
	switch n.RenameType {
	case pg.ObjectType_OBJECT_EVENT_TRIGGER:
		kind = "event_trigger"
	case pg.ObjectType_OBJECT_PUBLICATION:
		kind = "publication"
	case pg.ObjectType_OBJECT_STATISTIC_EXT:
		x := c.Others[[2]string{"statistics", t.name}]
		x.Props[propName] = n.Newname
		kind, to = "statistics", Name{x.Props[propSchema], n.Newname}.String()
	default:
		return c.errorf(o, schema.KindUnsupported, "the %s is compared by its text, in which its name stands; write its definition with the new name instead of renaming it", t)
	}
	return c.moveObject(o, kind, t, to)
}

// moveObject puts an object under another key; what is about it goes along.
func (c *Catalog) moveObject(o Origin, kind string, t target, to string) error {
	if old := c.Others[[2]string{kind, to}]; old != nil {
		return c.duplicate(o, t.kind, to, old.Origin)
	}
	x := c.Others[[2]string{kind, t.name}]
	delete(c.Others, [2]string{kind, x.Key})
	x.Key, x.Altered = to, true
	c.Others[[2]string{kind, to}] = x
	c.follow(t.kind, t.name, to)
	if kind == "publication" {
		c.eachObject(func(p *Object) {
			if p.Kind == "publication_table" && p.Props[propName] == t.name {
				p.Props[propName] = to
				c.rekey(p)
			}
		})
	}
	return nil
}

// setSchemaOther takes ALTER … SET SCHEMA in for what is no relation.
func (c *Catalog) setSchemaOther(s *script.Statement, n *pg.AlterObjectSchemaStmt) error {
	o := c.origin(s, 0)
	switch n.ObjectType {
	case pg.ObjectType_OBJECT_FUNCTION, pg.ObjectType_OBJECT_PROCEDURE, pg.ObjectType_OBJECT_ROUTINE, pg.ObjectType_OBJECT_AGGREGATE:
		f, err := c.function(o, n.ObjectType, n.Object.GetObjectWithArgs())
		if err != nil || f.Name.Schema == n.Newschema {
			return err
		}
		return c.renameFunction(o, f, Name{n.Newschema, f.Name.Name})
	case pg.ObjectType_OBJECT_TYPE, pg.ObjectType_OBJECT_DOMAIN:
		t, err := c.typeNamed(o, n.Object.GetList().GetItems())
		if err != nil || t.Name.Schema == n.Newschema {
			return err
		}
		return c.renameType(o, t, Name{n.Newschema, t.Name.Name})
	}
	t, err := c.targetAt(o, n.ObjectType, n.Object)
	if err != nil {
		return err
	}
	switch n.ObjectType {
	case pg.ObjectType_OBJECT_EXTENSION:
		if x := c.Extensions[t.name]; x != nil {
			x.Props[propSchema], x.Altered = n.Newschema, true
		}
		return nil
	case pg.ObjectType_OBJECT_STATISTIC_EXT:
		x := c.Others[[2]string{"statistics", t.name}]
		x.Props[propSchema] = n.Newschema
		return c.moveObject(o, "statistics", t, Name{n.Newschema, x.Props[propName]}.String())
	}
	return c.errorf(o, schema.KindUnsupported, "the %s is compared by its text, in which its schema stands; write its definition with the new schema instead of moving it", t)
}
