package catalog

import (
	"slices"
	"sort"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/altergate/altergate/internal/dialect/postgres/script"
	"github.com/altergate/altergate/internal/schema"
)

// What a role may do with an object is one object of the kind grant. Its Props are lists of privileges in SQL's words, sorted:
//
//	privileges  INSERT,SELECT*             on the whole object; * = with grant option
//	columns     SELECT(email),UPDATE(id)*  on columns of a table
//	revoked     EXECUTE                    taken away though nothing has granted it: a new object gives it by default
//
// Where REVOKE takes away what GRANT has given, nothing is left, and so where GRANT gives back what is given by default.
const (
	propPrivileges = "privileges"
	propColumns    = "columns"
	propRevoked    = "revoked"
)

// privileges lists what ALL means, and with it what can be granted at all. MAINTAIN, which came with PostgreSQL 17, is in no ALL,
// so that the word means the same for all versions.
var privileges = map[string][]string{
	"table":                {"DELETE", "INSERT", "REFERENCES", "SELECT", "TRIGGER", "TRUNCATE", "UPDATE"},
	"column":               {"INSERT", "REFERENCES", "SELECT", "UPDATE"},
	"sequence":             {"SELECT", "UPDATE", "USAGE"},
	"function":             {"EXECUTE"},
	"schema":               {"CREATE", "USAGE"},
	"type":                 {"USAGE"},
	"language":             {"USAGE"},
	"server":               {"USAGE"},
	"foreign data wrapper": {"USAGE"},
}

// privilegeKind gives the entry of privileges for a kind of target.
func privilegeKind(kind string) string {
	switch kind {
	case "procedure", "aggregate":
		return "function"
	case "domain":
		return "type"
	}
	return kind
}

// grantList is what a statement grants or revokes on one object: privileges on the whole, and on columns.
type grantList struct {
	whole   []string
	columns map[string][]string // privilege to columns
}

// grant takes GRANT and REVOKE on objects in.
func (c *Catalog) grant(s *script.Statement, n *pg.GrantStmt) error {
	if slices.Contains(outside, n.Objtype) {
		return passedOver(verb(n) + " ON " + strings.ToUpper(KindWord(n.Objtype)))
	}
	o := c.origin(s, 0)
	for _, g := range n.Grantees {
		if r := g.GetRoleSpec(); n.IsGrant && n.GrantOption && r.GetRoletype() == pg.RoleSpecType_ROLESPEC_PUBLIC {
			return c.errorf(c.origin(s, int(r.GetLocation())), schema.KindSchema, "grant options can only be granted to roles, and not to PUBLIC; take WITH GRANT OPTION out")
		}
	}
	targets, err := c.granted(o, n)
	if err != nil {
		return err
	}
	changed := n.IsGrant
	for _, t := range targets {
		list, err := c.privilegesOf(o, t, n)
		if err != nil {
			return err
		}
		for _, g := range n.Grantees {
			changed = c.change(s, o, t, role(g.GetRoleSpec()), n, list) || changed
		}
	}
	if !changed {
		return passedOver("REVOKE of what was never granted")
	}
	return nil
}

func verb(n *pg.GrantStmt) string {
	if n.IsGrant {
		return "GRANT"
	}
	return "REVOKE"
}

// granted finds what the statement is about.
func (c *Catalog) granted(o Origin, n *pg.GrantStmt) ([]target, error) {
	var list []target
	if n.Targtype == pg.GrantTargetType_ACL_TARGET_ALL_IN_SCHEMA {
		for _, name := range words(n.Objects) {
			if c.Schemas[name] == nil && name != Public {
				return nil, c.missing(o, "schema %s is not there; create it, or correct the name", name)
			}
			list = append(list, c.allIn(name, n.Objtype)...)
		}
		return list, nil
	}
	for _, x := range n.Objects {
		t, err := c.grantTarget(o, n.Objtype, x)
		if err != nil {
			return nil, err
		}
		list = append(list, t)
	}
	return list, nil
}

func (c *Catalog) grantTarget(o Origin, kind pg.ObjectType, x *pg.Node) (target, error) {
	r := x.GetRangeVar()
	if r == nil {
		return c.targetAt(o, kind, x)
	}
	n, err := c.relation(o, r)
	if err != nil {
		return target{}, err
	}
	// GRANT ON TABLE is for views too, and for sequences, as it was before they had a word of their own.
	if c.Sequences[n] != nil {
		return target{kind: "sequence", name: n.String()}, nil
	}
	if is, _ := c.Relation(n); kind == pg.ObjectType_OBJECT_SEQUENCE || (is != "table" && is != "view") {
		return target{}, c.errorf(o, schema.KindSchema, "%s is a %s, on which there are no such privileges; correct the name", n, is)
	}
	return target{kind: "table", on: &n}, nil
}

// allIn gives everything of a kind in a schema.
func (c *Catalog) allIn(schemaName string, kind pg.ObjectType) []target {
	var list []target
	switch kind {
	case pg.ObjectType_OBJECT_TABLE:
		for n := range c.Tables {
			list = append(list, target{kind: "table", on: &Name{n.Schema, n.Name}})
		}
		for n := range c.Views {
			list = append(list, target{kind: "table", on: &Name{n.Schema, n.Name}})
		}
		list = slices.DeleteFunc(list, func(t target) bool { return t.on.Schema != schemaName })
	case pg.ObjectType_OBJECT_SEQUENCE:
		for n := range c.Sequences {
			if n.Schema == schemaName {
				list = append(list, target{kind: "sequence", name: n.String()})
			}
		}
	default:
		for _, f := range c.Functions {
			procedure := f.Kind == "procedure"
			if f.Name.Schema == schemaName && (kind == pg.ObjectType_OBJECT_ROUTINE || procedure == (kind == pg.ObjectType_OBJECT_PROCEDURE)) {
				list = append(list, target{kind: f.Kind, name: f.ID})
			}
		}
	}
	sort.Slice(list, func(i, j int) bool { return list[i].String() < list[j].String() })
	return list
}

// privilegesOf reads the privileges of a statement, ALL written out.
func (c *Catalog) privilegesOf(o Origin, t target, n *pg.GrantStmt) (grantList, error) {
	list := grantList{columns: map[string][]string{}}
	all := privileges[privilegeKind(t.kind)]
	if len(n.Privileges) == 0 {
		list.whole = all
		return list, nil
	}
	for _, x := range n.Privileges {
		p := x.GetAccessPriv()
		name := strings.ToUpper(p.PrivName)
		known := all
		if len(p.Cols) > 0 {
			known = privileges["column"]
		}
		switch {
		case name == "":
		case slices.Contains(known, name):
			known = []string{name}
		case name == "MAINTAIN" && t.kind == "table" && len(p.Cols) == 0:
			known = []string{name}
		default:
			return list, c.errorf(o, schema.KindSchema, "there is no privilege %s on a %s; these are: %s", name, t.kind, strings.Join(known, ", "))
		}
		if len(p.Cols) == 0 {
			list.whole = append(list.whole, known...)
			continue
		}
		if err := c.grantColumns(o, t, words(p.Cols)); err != nil {
			return list, err
		}
		for _, k := range known {
			list.columns[k] = append(list.columns[k], words(p.Cols)...)
		}
	}
	return list, nil
}

func (c *Catalog) grantColumns(o Origin, t target, columns []string) error {
	if t.on == nil {
		return c.errorf(o, schema.KindSchema, "a %s has no columns to grant on", t.kind)
	}
	if table := c.Tables[*t.on]; table != nil {
		for _, name := range columns {
			if table.column(name) == nil {
				return c.missing(o, "column %s.%s is not there; create it, or correct the name", t.on, name)
			}
		}
	}
	return nil
}

// change grants or revokes. It tells whether that made a difference.
func (c *Catalog) change(s *script.Statement, o Origin, t target, grantee string, n *pg.GrantStmt, list grantList) bool {
	x := t.about(&Object{Kind: "grant", Node: s.Node, Modelled: true, Origin: o, Props: map[string]string{propGrantee: grantee}})
	return c.changeObject(x, n, list, c.initially(t, grantee))
}

// changeObject grants or revokes on the object of the grant, which may be there already.
func (c *Catalog) changeObject(x *Object, n *pg.GrantStmt, list grantList, first initial) bool {
	key := [2]string{x.Kind, x.Key}
	if old := c.Others[key]; old != nil {
		old.Altered = true
		x = old
	}
	held := readGrants(x)
	changed := true
	if n.IsGrant {
		held.give(list, n.GrantOption, first)
	} else {
		changed = held.take(list, n.GrantOption, first)
	}
	held.write(x)
	if holds(x) {
		c.Others[key] = x
	} else {
		delete(c.Others, key)
	}
	return changed
}

// initial is what a grantee may do with a new object that nothing has granted.
type initial struct {
	privileges []string
	unsure     bool // it may be more
}

// initially gives what a grantee may do with a new object: everyone with functions, types and languages, the owner with everything,
// and those to whom default privileges give something.
func (c *Catalog) initially(t target, grantee string) initial {
	var first initial
	kind := privilegeKind(t.kind)
	owner := c.ownerOf(t)
	switch {
	case grantee == "public" && (kind == "function" || kind == "type" || kind == "language"):
		first.privileges = privileges[kind]
	case grantee == "public" && kind == "schema" && t.name == Public:
		first = initial{privileges: []string{"USAGE"}, unsure: true} // before PostgreSQL 15, CREATE too
	case grantee == "public":
	case grantee == owner:
		first.privileges = privileges[kind]
	default:
		first.unsure = owner == ""
	}
	if !c.defaults {
		return first
	}
	for _, o := range c.Others {
		if o.Kind == "default_privileges" && o.Props[propGrantee] == grantee && o.Props["on"] == kind+"s" {
			return initial{unsure: true}
		}
	}
	return first
}

// ownerOf gives the owner of what a grant is on; empty if no statement says it.
func (c *Catalog) ownerOf(t target) string {
	owner := ""
	switch {
	case t.on != nil && c.Tables[*t.on] != nil:
		owner = c.Tables[*t.on].Owner
	case t.on != nil && c.Views[*t.on] != nil:
		owner = c.Views[*t.on].Owner
	case t.kind == "schema" && c.Schemas[t.name] != nil:
		owner = c.Schemas[t.name].Owner
	case c.Functions[t.name] != nil:
		owner = c.Functions[t.name].Owner
	}
	return owner
}

// alterDefaultPrivileges notes what objects of a kind that are made from now on give to whom.
func (c *Catalog) alterDefaultPrivileges(s *script.Statement, n *pg.AlterDefaultPrivilegesStmt) error {
	o := c.origin(s, 0)
	var roles, schemas []string
	for _, d := range defElems(n.Options) {
		for _, x := range d.Arg.GetList().GetItems() {
			if r := x.GetRoleSpec(); r != nil {
				roles = append(roles, role(r))
			} else {
				schemas = append(schemas, word(x))
			}
		}
	}
	if len(roles) == 0 {
		roles = []string{""}
	}
	if len(schemas) == 0 {
		schemas = []string{""}
	}
	kind := KindWord(n.Action.Objtype)
	list, err := c.privilegesOf(o, target{kind: kind}, n.Action)
	if err != nil {
		return err
	}
	c.defaults = true
	for _, r := range roles {
		for _, in := range schemas {
			for _, g := range n.Action.Grantees {
				to := role(g.GetRoleSpec())
				x := &Object{Kind: "default_privileges", Key: defaultKey(r, in, kind, to), Node: s.Node, Modelled: true, Origin: o,
					Props: map[string]string{"role": r, "schema": in, "on": kind + "s", propGrantee: to}}
				c.changeObject(x, n.Action, list, initial{unsure: true})
			}
		}
	}
	return nil
}

// defaultKey names default privileges: "app in public on tables to reader".
func defaultKey(role, in, kind, to string) string {
	key := role
	if in != "" {
		key += " in " + in
	}
	return strings.TrimSpace(key + " on " + kind + "s to " + to)
}
