package catalog

import (
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/altergate/altergate/internal/dialect/postgres/script"
	"github.com/altergate/altergate/internal/schema"
)

// What few schemas have is carried as text: operators and their classes, casts, collations, text search, foreign servers. Each is
// an object of the kind opaque with a key that names it as SQL does: "operator ===(integer, integer)". ALTER on one adds the
// statement to its alterations.

// define takes CREATE AGGREGATE, OPERATOR, TYPE, COLLATION and TEXT SEARCH … in.
func (c *Catalog) define(s *script.Statement, n *pg.DefineStmt) error {
	switch n.Kind {
	case pg.ObjectType_OBJECT_AGGREGATE:
		return c.createAggregate(s, n)
	case pg.ObjectType_OBJECT_TYPE:
		return c.createBase(s, n)
	case pg.ObjectType_OBJECT_OPERATOR:
		return c.createOperator(s, n)
	}
	o := c.origin(s, 0)
	schemaName, plain := apart(n.Defnames)
	name, err := c.created(o, schemaName, plain)
	if err != nil {
		return err
	}
	return c.carry(s, o, KindWord(n.Kind)+" "+name.String(), "", n.IfNotExists)
}

// carry takes an object in that is compared by its text.
func (c *Catalog) carry(s *script.Statement, o Origin, key, owner string, ifNotExists bool) error {
	if old := c.Others[[2]string{"opaque", key}]; old != nil {
		if ifNotExists {
			return passedOver("CREATE … IF NOT EXISTS of what is there")
		}
		kind, name, _ := strings.Cut(key, " ")
		return c.duplicate(o, kind, name, old.Origin)
	}
	c.Others[[2]string{"opaque", key}] = &Object{Kind: "opaque", Key: key, Node: s.Node, Props: map[string]string{}, Owner: owner, Origin: o}
	return errCarried
}

func (c *Catalog) createOperator(s *script.Statement, n *pg.DefineStmt) error {
	o := c.origin(s, 0)
	schemaName, plain := apart(n.Defnames)
	name, err := c.created(o, schemaName, plain)
	if err != nil {
		return err
	}
	types, err := c.knownTypes(s, o, sides(n)...)
	if err != nil {
		return err
	}
	return c.carry(s, o, "operator "+name.String()+arguments(types), "", false)
}

// sides gives the types on the left and on the right of an operator; nil where there is none.
func sides(n *pg.DefineStmt) []*pg.TypeName {
	types := make([]*pg.TypeName, 2)
	for _, d := range defElems(n.Definition) {
		switch strings.ToLower(d.Defname) {
		case "leftarg":
			types[0] = d.Arg.GetTypeName()
		case "rightarg":
			types[1] = d.Arg.GetTypeName()
		}
	}
	return types
}

func arguments(types []string) string { return "(" + strings.Join(types, ", ") + ")" }

// signature gives the kind and the name of what has types in its key, with the names that these have now.
func (c *Catalog) signature(x *Object) (kind, name string, ok bool) {
	if x.Kind != "opaque" || isAbout(x) {
		return "", "", false
	}
	switch n := x.Node.GetNode().(type) {
	case *pg.Node_CreateCastStmt:
		return "cast", castName(c.typeAt(x.Origin, n.CreateCastStmt.Sourcetype), c.typeAt(x.Origin, n.CreateCastStmt.Targettype)), true
	case *pg.Node_CreateTransformStmt:
		return "transform", transformName(c.typeAt(x.Origin, n.CreateTransformStmt.TypeName), n.CreateTransformStmt.Lang), true
	case *pg.Node_DefineStmt:
		operator, _, found := strings.Cut(strings.TrimPrefix(x.Key, "operator "), "(")
		if found && n.DefineStmt.Kind == pg.ObjectType_OBJECT_OPERATOR {
			types := sides(n.DefineStmt)
			return "operator", operator + arguments([]string{c.typeAt(x.Origin, types[0]), c.typeAt(x.Origin, types[1])}), true
		}
	}
	return "", "", false
}

func castName(from, to string) string { return "(" + from + " AS " + to + ")" }

func transformName(typ, language string) string { return "for " + typ + " language " + language }

// knownTypes gives the canonical names of types that a key is made of. It waits for those that are not there yet.
func (c *Catalog) knownTypes(s *script.Statement, o Origin, nodes ...*pg.TypeName) ([]string, error) {
	var types []string
	for _, n := range nodes {
		key, err := c.knownType(o, TypeRef{Node: n, Origin: c.origin(s, int(n.GetLocation()))})
		if err != nil {
			return nil, err
		}
		types = append(types, key)
	}
	return types, nil
}

// opaque takes the statements in that only few schemas have.
func (c *Catalog) opaque(s *script.Statement, node *pg.Node) error {
	o := c.origin(s, 0)
	switch n := node.GetNode().(type) {
	case *pg.Node_CreateCastStmt:
		types, err := c.knownTypes(s, o, n.CreateCastStmt.Sourcetype, n.CreateCastStmt.Targettype)
		if err != nil {
			return err
		}
		return c.carry(s, o, "cast "+castName(types[0], types[1]), "", false)
	case *pg.Node_CreateTransformStmt:
		types, err := c.knownTypes(s, o, n.CreateTransformStmt.TypeName)
		if err != nil {
			return err
		}
		if n.CreateTransformStmt.Replace {
			delete(c.Others, [2]string{"opaque", "transform " + transformName(types[0], n.CreateTransformStmt.Lang)})
		}
		return c.carry(s, o, "transform "+transformName(types[0], n.CreateTransformStmt.Lang), "", false)
	case *pg.Node_CreateOpClassStmt:
		return c.carryNamed(s, o, "operator class", n.CreateOpClassStmt.Opclassname, n.CreateOpClassStmt.Amname)
	case *pg.Node_CreateOpFamilyStmt:
		return c.carryNamed(s, o, "operator family", n.CreateOpFamilyStmt.Opfamilyname, n.CreateOpFamilyStmt.Amname)
	case *pg.Node_CreateConversionStmt:
		return c.carryNamed(s, o, "conversion", n.CreateConversionStmt.ConversionName, "")
	case *pg.Node_CreatePlangStmt:
		if n.CreatePlangStmt.Replace {
			delete(c.Others, [2]string{"opaque", "language " + n.CreatePlangStmt.Plname})
		}
		return c.carry(s, o, "language "+n.CreatePlangStmt.Plname, "", false)
	case *pg.Node_CreateAmStmt:
		return c.carry(s, o, "access method "+n.CreateAmStmt.Amname, "", false)
	}
	return c.foreign(s, o, node)
}

// carryNamed takes an object in that lives in a schema.
func (c *Catalog) carryNamed(s *script.Statement, o Origin, kind string, names []*pg.Node, method string) error {
	schemaName, plain := apart(names)
	name, err := c.created(o, schemaName, plain)
	if err != nil {
		return err
	}
	return c.carry(s, o, namedKey(kind, name, method), "", false)
}

func namedKey(kind string, name Name, method string) string {
	key := kind + " " + name.String()
	if method != "" {
		key += " using " + method
	}
	return key
}

// foreign takes statements about foreign data and subscriptions in.
func (c *Catalog) foreign(s *script.Statement, o Origin, node *pg.Node) error {
	switch n := node.GetNode().(type) {
	case *pg.Node_CreateFdwStmt:
		return c.carry(s, o, "foreign data wrapper "+n.CreateFdwStmt.Fdwname, "", false)
	case *pg.Node_AlterFdwStmt:
		return c.alterOpaque(s, o, "foreign data wrapper "+n.AlterFdwStmt.Fdwname)
	case *pg.Node_CreateForeignServerStmt:
		return c.carry(s, o, "server "+n.CreateForeignServerStmt.Servername, "", n.CreateForeignServerStmt.IfNotExists)
	case *pg.Node_AlterForeignServerStmt:
		return c.alterOpaque(s, o, "server "+n.AlterForeignServerStmt.Servername)
	case *pg.Node_CreateUserMappingStmt:
		m := n.CreateUserMappingStmt
		return c.carry(s, o, mappingKey(m.User, m.Servername), "", m.IfNotExists)
	case *pg.Node_AlterUserMappingStmt:
		return c.alterOpaque(s, o, mappingKey(n.AlterUserMappingStmt.User, n.AlterUserMappingStmt.Servername))
	case *pg.Node_DropUserMappingStmt:
		m := n.DropUserMappingStmt
		return c.dropOpaque(o, mappingKey(m.User, m.Servername), m.MissingOk)
	case *pg.Node_CreateSubscriptionStmt:
		return c.carry(s, o, "subscription "+n.CreateSubscriptionStmt.Subname, "", false)
	case *pg.Node_AlterSubscriptionStmt:
		return c.alterOpaque(s, o, "subscription "+n.AlterSubscriptionStmt.Subname)
	case *pg.Node_DropSubscriptionStmt:
		return c.dropOpaque(o, "subscription "+n.DropSubscriptionStmt.Subname, n.DropSubscriptionStmt.MissingOk)
	}
	return c.alterRare(s, o, node)
}

func mappingKey(user *pg.RoleSpec, server string) string {
	return "user mapping for " + role(user) + " server " + server
}

// alterRare takes ALTER on what lives in a schema in.
func (c *Catalog) alterRare(s *script.Statement, o Origin, node *pg.Node) error {
	find := func(kind pg.ObjectType, names []*pg.Node, method string) error {
		key, err := c.opaqueNamed(o, kind, names, method)
		if err != nil {
			return err
		}
		return c.alterOpaque(s, o, key)
	}
	switch n := node.GetNode().(type) {
	case *pg.Node_AlterTypeStmt:
		return c.alterBase(s, n.AlterTypeStmt)
	case *pg.Node_AlterCollationStmt:
		return passedOver("ALTER COLLATION … REFRESH VERSION")
	case *pg.Node_AlterOpFamilyStmt:
		return find(pg.ObjectType_OBJECT_OPFAMILY, n.AlterOpFamilyStmt.Opfamilyname, n.AlterOpFamilyStmt.Amname)
	case *pg.Node_AlterTsdictionaryStmt:
		return find(pg.ObjectType_OBJECT_TSDICTIONARY, n.AlterTsdictionaryStmt.Dictname, "")
	case *pg.Node_AlterTsconfigurationStmt:
		return find(pg.ObjectType_OBJECT_TSCONFIGURATION, n.AlterTsconfigurationStmt.Cfgname, "")
	case *pg.Node_AlterOperatorStmt:
		t, err := c.operatorTarget(o, n.AlterOperatorStmt.Opername)
		if err != nil {
			return err
		}
		return c.alterOpaque(s, o, t.String())
	case *pg.Node_AlterObjectDependsStmt:
		return c.depend(s, n.AlterObjectDependsStmt)
	}
	return c.errorf(o, schema.KindUnsupported, "%s is a statement (%s) that is not understood; take it out of the schema's files, or report it", excerpt(s.Text), kindOf(node))
}

// alterOpaque adds a statement to an object that is compared by its text.
func (c *Catalog) alterOpaque(s *script.Statement, o Origin, key string) error {
	x := c.Others[[2]string{"opaque", key}]
	if x == nil {
		return c.missing(o, "%s is not there; create it, or correct the name", key)
	}
	x.Altered = true
	x.Alterations = append(x.Alterations, c.origin(s, 0))
	return errCarried
}

func (c *Catalog) dropOpaque(o Origin, key string, missingOK bool) error {
	if c.Others[[2]string{"opaque", key}] == nil {
		return c.gone(o, key, missingOK)
	}
	c.forgetKey(c.Others[[2]string{"opaque", key}])
	delete(c.Others, [2]string{"opaque", key})
	return nil
}

// forgetKey takes away what is about an object that is gone.
func (c *Catalog) forgetKey(gone *Object) {
	key := gone.Key
	if gone.Kind != "opaque" {
		key = gone.Kind + " " + key
	}
	for k, x := range c.Others {
		if isAbout(x) && targetOf(x).String() == key {
			delete(c.Others, k)
		}
	}
}

// depend notes that something goes when an extension does.
func (c *Catalog) depend(s *script.Statement, n *pg.AlterObjectDependsStmt) error {
	o := c.origin(s, 0)
	var t target
	var err error
	if r := n.Relation; r != nil && n.ObjectType == pg.ObjectType_OBJECT_TRIGGER {
		var on Name
		if on, err = c.relation(o, r); err == nil {
			t = target{kind: "trigger", on: &on, name: word(n.Object.GetList().GetItems()[0])}
		}
	} else if r != nil {
		var on Name
		if on, err = c.relation(o, r); err == nil {
			kind, _ := c.Relation(on)
			t = c.targetOfRelation(on, kind)
		}
	} else {
		t, err = c.targetAt(o, n.ObjectType, n.Object)
	}
	if err != nil {
		return err
	}
	x := t.about(&Object{Kind: "opaque", Node: s.Node, Origin: o, Props: map[string]string{propExtension: n.Extname.GetSval()}})
	if x.Key = keyOf(x); n.Remove {
		delete(c.Others, [2]string{x.Kind, x.Key})
		return errCarried
	}
	c.Others[[2]string{x.Kind, x.Key}] = x
	return errCarried
}

// opaqueTarget finds something that is carried as text.
func (c *Catalog) opaqueTarget(o Origin, kind pg.ObjectType, object *pg.Node) (target, error) {
	switch kind {
	case pg.ObjectType_OBJECT_OPERATOR:
		return c.operatorTarget(o, object.GetObjectWithArgs())
	case pg.ObjectType_OBJECT_CAST:
		items := object.GetList().GetItems()
		return c.opaqueKey(o, "cast", castName(c.typeAt(o, items[0].GetTypeName()), c.typeAt(o, items[1].GetTypeName())))
	case pg.ObjectType_OBJECT_TRANSFORM:
		items := object.GetList().GetItems()
		return c.opaqueKey(o, "transform", transformName(c.typeAt(o, items[0].GetTypeName()), word(items[1])))
	case pg.ObjectType_OBJECT_LANGUAGE:
		switch name := word(object); name {
		case "plpgsql", "sql", "c", "internal":
			return target{kind: "language", name: name}, nil
		}
	}
	items := object.GetList().GetItems()
	if items == nil {
		return c.opaqueKey(o, KindWord(kind), word(object))
	}
	method := ""
	if kind == pg.ObjectType_OBJECT_OPCLASS || kind == pg.ObjectType_OBJECT_OPFAMILY {
		method, items = word(items[0]), items[1:]
	}
	key, err := c.opaqueNamed(o, kind, items, method)
	if err != nil {
		return target{}, err
	}
	return target{kind: KindWord(kind), name: strings.TrimPrefix(key, KindWord(kind)+" ")}, nil
}

func (c *Catalog) opaqueKey(o Origin, kind, name string) (target, error) {
	if c.Others[[2]string{"opaque", kind + " " + name}] == nil {
		return target{}, c.missing(o, "%s %s is not there; create it, or correct the name", kind, name)
	}
	return target{kind: kind, name: name}, nil
}

// opaqueNamed finds the key of something carried as text that lives in a schema. An operator class without a family makes one of
// its own name.
func (c *Catalog) opaqueNamed(o Origin, kind pg.ObjectType, names []*pg.Node, method string) (string, error) {
	schemaName, name := apart(names)
	for _, path := range c.schemasOf(o, schemaName) {
		if key := namedKey(KindWord(kind), Name{path, name}, method); c.Others[[2]string{"opaque", key}] != nil {
			return key, nil
		}
		if key := namedKey("operator class", Name{path, name}, method); kind == pg.ObjectType_OBJECT_OPFAMILY && c.Others[[2]string{"opaque", key}] != nil {
			return key, nil
		}
	}
	return "", c.missing(o, "%s %s is not there; create it, or correct the name", KindWord(kind), dotted(schemaName, name))
}

func (c *Catalog) operatorTarget(o Origin, n *pg.ObjectWithArgs) (target, error) {
	schemaName, name := apart(n.Objname)
	var types []string
	for _, a := range n.Objargs {
		types = append(types, c.typeAt(o, a.GetTypeName()))
	}
	args := arguments(types)
	for _, path := range c.schemasOf(o, schemaName) {
		if key := (Name{path, name}).String() + args; c.Others[[2]string{"opaque", "operator " + key}] != nil {
			return target{kind: "operator", name: key}, nil
		}
	}
	return target{}, c.missing(o, "operator %s%s is not there; create it, or correct the name and the types", dotted(schemaName, name), args)
}
