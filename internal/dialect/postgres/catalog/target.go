package catalog

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/altergate/altergate/internal/dialect/postgres/script"
	"github.com/altergate/altergate/internal/schema"
)

// target is what a comment, a label, a grant or a dependency is about. A part of a table or a view is named by the relation it is
// on and its own name; what stands by itself, by its name alone.
type target struct {
	kind string // "table", "column", "function", "text search configuration" …
	on   *Name  // the table or view
	name string
}

// String gives the key: "table users", "column users.email", "function f(integer)".
func (t target) String() string {
	switch {
	case t.on == nil || t.kind == "index":
		return t.kind + " " + t.name
	case t.name == "":
		return t.kind + " " + t.on.String()
	}
	return t.kind + " " + partOf(*t.on, t.name)
}

// Props that tell what an object is about. They are in its key too, which is made anew when a name changes.
const (
	propKind      = "kind"
	propName      = "name"
	propGrantee   = "to"
	propExtension = "extension"
	propSchema    = "schema"
	propFunction  = "function" // of an event trigger, by its ID
)

// about makes an object about a target.
func (t target) about(o *Object) *Object {
	o.On = t.on
	o.Props[propKind], o.Props[propName] = t.kind, t.name
	o.Key = keyOf(o)
	return o
}

// partOf names a part of a relation or a type in keys: "users.email".
func partOf(of Name, part string) string { return of.String() + "." + Part(part) }

// targetOf is the inverse of about.
func targetOf(o *Object) target {
	return target{kind: o.Props[propKind], on: o.On, name: o.Props[propName]}
}

// keyOf makes the key of an object whose name is made of other names.
func keyOf(o *Object) string {
	switch o.Kind {
	case "comment", "label":
		return strings.TrimSpace(targetOf(o).String() + " " + o.Props["provider"])
	case "grant":
		return targetOf(o).String() + " to " + o.Props[propGrantee]
	case "policy", "rule", "publication_table":
		return partKey(o)
	case "opaque":
		if o.Props[propExtension] != "" {
			return "dependency of " + targetOf(o).String() + " on extension " + o.Props[propExtension]
		}
	}
	return o.Key
}

func partKey(o *Object) string {
	if o.Kind == "publication_table" {
		return o.Props[propName] + " " + o.On.String()
	}
	return partOf(*o.On, o.Props[propName])
}

// isAbout tells whether an object is about something, and so goes and is renamed with it.
func isAbout(o *Object) bool { return o.Props[propKind] != "" }

// rekey puts an object under the key that its parts now make.
func (c *Catalog) rekey(o *Object) {
	delete(c.Others, [2]string{o.Kind, o.Key})
	o.Key = keyOf(o)
	c.Others[[2]string{o.Kind, o.Key}] = o
}

// eachObject calls f with the objects that are about something, in the order of their keys.
func (c *Catalog) eachObject(f func(*Object)) {
	keys := make([][2]string, 0, len(c.Others))
	for k := range c.Others {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool { return keys[i][0]+" "+keys[i][1] < keys[j][0]+" "+keys[j][1] })
	for _, k := range keys {
		if o := c.Others[k]; o != nil {
			f(o)
		}
	}
}

// forget takes away what is about something that stands by itself and is gone: a function, a type, a sequence, an index.
func (c *Catalog) forget(kind, name string) {
	for k, o := range c.Others {
		if isAbout(o) && o.Props[propKind] == kind && o.Props[propName] == name && (o.On == nil || kind == "index") {
			delete(c.Others, k)
		}
	}
}

// forgetRelation takes away everything on a table or a view that is gone.
func (c *Catalog) forgetRelation(n Name) {
	for k, o := range c.Others {
		if o.On != nil && *o.On == n {
			delete(c.Others, k)
		}
	}
}

// forgetPart takes away what is about a part of a table or a view that is gone: a column, a constraint, a trigger, a policy, a rule.
func (c *Catalog) forgetPart(kind string, on Name, name string) {
	for k, o := range c.Others {
		if isAbout(o) && o.On != nil && *o.On == on && o.Props[propKind] == kind && o.Props[propName] == name {
			delete(c.Others, k)
		}
	}
	if kind == "column" {
		c.forgetColumn(on, name)
	}
}

// follow lets what is about something that stands by itself go with its new name.
func (c *Catalog) follow(kind, from, to string) {
	c.eachObject(func(o *Object) {
		if isAbout(o) && o.Props[propKind] == kind && o.Props[propName] == from && (o.On == nil || kind == "index") {
			o.Props[propName] = to
			c.rekey(o)
		}
	})
}

// followRelation lets everything on a table or a view go with its new name.
func (c *Catalog) followRelation(from, to Name) {
	c.eachObject(func(o *Object) {
		if o.On != nil && *o.On == from {
			o.On = &Name{Schema: to.Schema, Name: to.Name}
			c.rekey(o)
		}
	})
}

// followPart lets what is about a part of a table or a view go with its new name.
func (c *Catalog) followPart(kind string, on Name, from, to string) {
	c.eachObject(func(o *Object) {
		if isAbout(o) && o.On != nil && *o.On == on && o.Props[propKind] == kind && o.Props[propName] == from {
			o.Props[propName] = to
			c.rekey(o)
		}
	})
	if kind == "column" {
		c.eachColumn(on, func(columns []string) []string { return replaced(columns, from, to) })
	}
}

// eachColumn changes the lists of columns in the grants, the statistics and the publications on a table.
func (c *Catalog) eachColumn(on Name, change func(columns []string) []string) {
	for _, o := range c.Others {
		if o.On == nil || *o.On != on {
			continue
		}
		switch o.Kind {
		case "grant":
			changeGrantColumns(o, change)
		case "statistics", "publication_table":
			o.Props[propColumns] = joinNames(change(SplitNames(o.Props[propColumns])))
		}
	}
}

// forgetColumn takes a column that is gone out of the grants on it. Statistics and publications of it go as a whole.
func (c *Catalog) forgetColumn(on Name, name string) {
	for k, o := range c.Others {
		if o.On == nil || *o.On != on {
			continue
		}
		switch o.Kind {
		case "grant":
			if changeGrantColumns(o, func(columns []string) []string { return without(columns, name) }); !holds(o) {
				delete(c.Others, k)
			}
		case "statistics", "publication_table":
			if slices.Contains(SplitNames(o.Props[propColumns]), name) || c.statisticsUse(o, name) {
				delete(c.Others, k)
				c.forgetKey(o)
			}
		}
	}
}

// statisticsUse tells whether an expression of extended statistics names a column.
func (c *Catalog) statisticsUse(o *Object, name string) bool {
	then := c.NamesThen(o.Time, *o.On, []string{name})[0]
	found := false
	for _, x := range o.Node.GetCreateStatsStmt().GetExprs() {
		walk(x.ProtoReflect(), func(m protoreflect.Message) {
			ref, ok := m.Interface().(*pg.ColumnRef)
			found = found || (ok && slices.Contains(words(ref.GetFields()), then))
		})
	}
	return found
}

func without(list []string, name string) []string {
	var kept []string
	for _, x := range list {
		if x != name {
			kept = append(kept, x)
		}
	}
	return kept
}

func replaced(list []string, from, to string) []string {
	var out []string
	for _, x := range list {
		if x == from {
			x = to
		}
		out = append(out, x)
	}
	return out
}

// joinNames writes names as a list, sorted and quoted where they have to be.
func joinNames(names []string) string {
	var list []string
	for _, n := range names {
		list = append(list, script.Quote(n))
	}
	sort.Strings(list)
	return strings.Join(list, ",")
}

// SplitNames reads a list of names as Props hold it.
func SplitNames(text string) []string {
	var names []string
	for _, part := range SplitList(text) {
		if strings.HasPrefix(part, `"`) {
			part = strings.ReplaceAll(part[1:len(part)-1], `""`, `"`)
		}
		names = append(names, part)
	}
	return names
}

// SplitList cuts a list as Props hold it at its commas, those in quotes and parentheses left alone.
func SplitList(text string) []string {
	var parts []string
	start, depth, quoted := 0, 0, false
	for i := range len(text) {
		switch {
		case text[i] == '"':
			quoted = !quoted
		case quoted:
		case text[i] == '(':
			depth++
		case text[i] == ')':
			depth--
		case text[i] == ',' && depth == 0:
			parts = append(parts, text[start:i])
			start = i + 1
		}
	}
	if text == "" {
		return nil
	}
	return append(parts, text[start:])
}

// targetAt finds what a statement such as COMMENT ON is about. It waits for what is not there.
func (c *Catalog) targetAt(o Origin, kind pg.ObjectType, object *pg.Node) (target, error) {
	switch kind {
	case pg.ObjectType_OBJECT_TABLE, pg.ObjectType_OBJECT_VIEW, pg.ObjectType_OBJECT_MATVIEW, pg.ObjectType_OBJECT_FOREIGN_TABLE, pg.ObjectType_OBJECT_SEQUENCE, pg.ObjectType_OBJECT_INDEX:
		return c.relationTarget(o, object.GetList().GetItems(), KindWord(kind))
	case pg.ObjectType_OBJECT_COLUMN:
		return c.columnTarget(o, object.GetList().GetItems())
	case pg.ObjectType_OBJECT_TABCONSTRAINT, pg.ObjectType_OBJECT_TRIGGER, pg.ObjectType_OBJECT_POLICY, pg.ObjectType_OBJECT_RULE:
		return c.partTarget(o, KindWord(kind), object.GetList().GetItems())
	case pg.ObjectType_OBJECT_DOMCONSTRAINT:
		return c.domainConstraintTarget(o, object.GetList().GetItems())
	case pg.ObjectType_OBJECT_TYPE, pg.ObjectType_OBJECT_DOMAIN:
		return c.typeTarget(o, object)
	case pg.ObjectType_OBJECT_FUNCTION, pg.ObjectType_OBJECT_PROCEDURE, pg.ObjectType_OBJECT_ROUTINE, pg.ObjectType_OBJECT_AGGREGATE:
		f, err := c.function(o, kind, object.GetObjectWithArgs())
		if err != nil {
			return target{}, err
		}
		return target{kind: f.Kind, name: f.ID}, nil
	}
	return c.otherTarget(o, kind, object)
}

// otherTarget finds what is neither a relation nor a part of one, nor a type or a function.
func (c *Catalog) otherTarget(o Origin, kind pg.ObjectType, object *pg.Node) (target, error) {
	t := target{kind: KindWord(kind), name: word(object)}
	there := false
	switch kind {
	case pg.ObjectType_OBJECT_SCHEMA:
		there = c.Schemas[t.name] != nil || t.name == Public
	case pg.ObjectType_OBJECT_EXTENSION:
		there = c.Extensions[t.name] != nil || t.name == "plpgsql"
	case pg.ObjectType_OBJECT_EVENT_TRIGGER:
		there = c.Others[[2]string{"event_trigger", t.name}] != nil
	case pg.ObjectType_OBJECT_PUBLICATION:
		there = c.Others[[2]string{"publication", t.name}] != nil
	case pg.ObjectType_OBJECT_STATISTIC_EXT:
		x, err := c.other(o, "statistics", "statistics", object.GetList().GetItems())
		if err != nil {
			return t, err
		}
		return target{kind: t.kind, name: x.Key}, nil
	default:
		return c.opaqueTarget(o, kind, object)
	}
	if !there {
		return t, c.missing(o, "%s %s is not there; create it, or correct the name", t.kind, t.name)
	}
	return t, nil
}

// relationTarget finds a table, a view, a sequence or an index.
func (c *Catalog) relationTarget(o Origin, names []*pg.Node, kind string) (target, error) {
	schemaName, name := apart(names)
	n, is, err := c.relationAt(o, kind, schemaName, name)
	if err != nil {
		return target{}, err
	}
	if is != kind {
		return target{}, c.errorf(o, schema.KindSchema, "%s is a %s and no %s; say %s", n, is, kind, strings.ToUpper(is))
	}
	return c.targetOfRelation(n, is), nil
}

func (c *Catalog) targetOfRelation(n Name, kind string) target {
	switch kind {
	case "sequence":
		return target{kind: kind, name: n.String()}
	case "index":
		return target{kind: kind, name: n.String(), on: c.tableOfIndex(n)}
	}
	return target{kind: kind, on: &n}
}

// tableOfIndex gives the table or the view that an index is on; the index may be that of a constraint.
func (c *Catalog) tableOfIndex(n Name) *Name {
	if x := c.Indexes[n]; x != nil {
		return &Name{x.Table.Schema, x.Table.Name}
	}
	if t, _ := c.keyNamed(n); t != nil {
		return &Name{t.Name.Schema, t.Name.Name}
	}
	return nil
}

// relationAt finds a relation by name, and says what it is. It waits for one that is not there.
func (c *Catalog) relationAt(o Origin, kind, schemaName, name string) (Name, string, error) {
	n, ok := c.Resolve(o, schemaName, name)
	if !ok {
		return n, "", c.missing(o, "%s %s is not there; create it, or correct the name", kind, dotted(schemaName, name))
	}
	if t := c.Tables[n]; t != nil && t.Server != "" {
		return n, "foreign table", nil
	}
	if v := c.Views[n]; v != nil && v.Materialized {
		return n, "materialized view", nil
	}
	is, _ := c.Relation(n)
	return n, is, nil
}

func dotted(schemaName, name string) string {
	if schemaName == "" {
		return name
	}
	return schemaName + "." + name
}

func (c *Catalog) columnTarget(o Origin, names []*pg.Node) (target, error) {
	if len(names) < 2 {
		return target{}, c.errorf(o, schema.KindSchema, "column %s is named without its table; write table.column", word(names[0]))
	}
	column := word(names[len(names)-1])
	schemaName, name := apart(names[:len(names)-1])
	n, is, err := c.relationAt(o, "table", schemaName, name)
	if err != nil {
		return target{}, err
	}
	switch t := c.Types[n]; {
	case t != nil && is != "table":
		if t.column(column) == nil {
			return target{}, c.missing(o, "type %s has no attribute %s; correct the name", n, column)
		}
		return target{kind: "column", name: partOf(n, column)}, nil
	case c.Tables[n] != nil && c.Tables[n].column(column) == nil:
		return target{}, c.missing(o, "column %s.%s is not there; create it, or correct the name", n, column)
	}
	return target{kind: "column", on: &n, name: column}, nil
}

// partTarget finds a constraint, a trigger, a policy or a rule.
func (c *Catalog) partTarget(o Origin, kind string, names []*pg.Node) (target, error) {
	part := word(names[len(names)-1])
	schemaName, name := apart(names[:len(names)-1])
	n, _, err := c.relationAt(o, "table", schemaName, name)
	if err != nil {
		return target{}, err
	}
	if !c.hasPart(kind, n, part) {
		return target{}, c.missing(o, "%s %s on %s is not there; create it, or correct the name", kind, part, n)
	}
	return target{kind: kind, on: &n, name: part}, nil
}

func (c *Catalog) hasPart(kind string, on Name, name string) bool {
	switch kind {
	case "constraint":
		if t := c.Tables[on]; t != nil {
			return t.constraint(name) != nil
		}
		return false
	case "trigger":
		return c.trigger(on, name) != nil
	}
	return c.Others[[2]string{kind, partOf(on, name)}] != nil
}

func (c *Catalog) domainConstraintTarget(o Origin, items []*pg.Node) (target, error) {
	t, err := c.typeNamed(o, items[0].GetTypeName().GetNames())
	if err != nil {
		return target{}, err
	}
	name := word(items[1])
	if t.check(name) == nil {
		return target{}, c.missing(o, "domain %s has no constraint %s; add it, or correct the name", t.Name, name)
	}
	return target{kind: "constraint", name: partOf(t.Name, name)}, nil
}

// typeTarget finds a type, which may be the row type of a table.
func (c *Catalog) typeTarget(o Origin, object *pg.Node) (target, error) {
	names := object.GetTypeName().GetNames()
	if l := object.GetList(); l != nil {
		names = l.GetItems()
	}
	t, err := c.typeNamed(o, names)
	if err != nil {
		return target{}, err
	}
	return target{kind: t.word(), name: t.Name.String()}, nil
}

// KindWord is the word for a kind of objects as statements name it, in lower case.
func KindWord(kind pg.ObjectType) string {
	switch kind {
	case pg.ObjectType_OBJECT_MATVIEW:
		return "materialized view"
	case pg.ObjectType_OBJECT_FOREIGN_SERVER:
		return "server"
	case pg.ObjectType_OBJECT_FDW:
		return "foreign data wrapper"
	case pg.ObjectType_OBJECT_OPCLASS:
		return "operator class"
	case pg.ObjectType_OBJECT_OPFAMILY:
		return "operator family"
	case pg.ObjectType_OBJECT_STATISTIC_EXT:
		return "statistics"
	case pg.ObjectType_OBJECT_TABCONSTRAINT, pg.ObjectType_OBJECT_DOMCONSTRAINT:
		return "constraint"
	case pg.ObjectType_OBJECT_TSCONFIGURATION:
		return "text search configuration"
	case pg.ObjectType_OBJECT_TSDICTIONARY:
		return "text search dictionary"
	case pg.ObjectType_OBJECT_TSPARSER:
		return "text search parser"
	case pg.ObjectType_OBJECT_TSTEMPLATE:
		return "text search template"
	case pg.ObjectType_OBJECT_PARAMETER_ACL:
		return "parameter"
	case pg.ObjectType_OBJECT_LARGEOBJECT:
		return "large object"
	}
	return strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(fmt.Sprint(kind), "OBJECT_"), "_", " "))
}
