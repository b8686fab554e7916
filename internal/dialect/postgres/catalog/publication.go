package catalog

import (
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/altergate/altergate/internal/dialect/postgres/script"
	"github.com/altergate/altergate/internal/schema"
)

// A publication is one object, and each of its tables another, of the kind publication_table, so that a table takes its place in a
// publication along when it is dropped or gets another name. The schemas whose tables it has are in Props["schemas"].

func (c *Catalog) createPublication(s *script.Statement, n *pg.CreatePublicationStmt) error {
	o := c.origin(s, max(0, firstAt(s, 0, "PUBLICATION")))
	x := &Object{Kind: "publication", Key: n.Pubname, Node: s.Node, Modelled: true, Origin: o, Props: map[string]string{"all_tables": yes(n.ForAllTables)}}
	if err := c.publicationOptions(o, x, n.Options); err != nil {
		return err
	}
	tables, schemas, err := c.published(s, o, n.Pubname, n.Pubobjects)
	if err != nil {
		return err
	}
	if err := c.put(x); err != nil {
		return err
	}
	x.Props["schemas"] = joinNames(schemas)
	for _, t := range tables {
		if err := c.put(t); err != nil {
			return err
		}
	}
	return nil
}

// publicationOptions takes WITH (…) in. What is the default is left out.
func (c *Catalog) publicationOptions(o Origin, x *Object, nodes []*pg.Node) error {
	for name, value := range options(nodes) {
		switch name {
		case "publish":
			list := strings.Split(strings.ReplaceAll(strings.ToLower(value), " ", ""), ",")
			slices.Sort(list)
			if value = strings.Join(list, ","); value == "delete,insert,truncate,update" {
				value = ""
			}
			x.Props[name] = value
		case "publish_via_partition_root":
			if x.Props[name] = "true"; slices.Contains([]string{"false", "off", "no", "0"}, strings.ToLower(value)) {
				x.Props[name] = ""
			}
		default:
			return c.errorf(o, schema.KindUnsupported, "the option %s of publication %s is not understood; take it out", name, x.Key)
		}
		if x.Props[name] == "" {
			delete(x.Props, name)
		}
	}
	return nil
}

// published gives the tables and the schemas that a statement lists.
func (c *Catalog) published(s *script.Statement, o Origin, publication string, nodes []*pg.Node) (tables []*Object, schemas []string, err error) {
	for _, node := range nodes {
		spec := node.GetPublicationObjSpec()
		switch spec.Pubobjtype {
		case pg.PublicationObjSpecType_PUBLICATIONOBJ_TABLE:
			t, err := c.publishedTable(s, o, publication, spec.Pubtable)
			if err != nil {
				return nil, nil, err
			}
			tables = append(tables, t)
		case pg.PublicationObjSpecType_PUBLICATIONOBJ_TABLES_IN_SCHEMA:
			schemas = append(schemas, spec.Name)
		case pg.PublicationObjSpecType_PUBLICATIONOBJ_TABLES_IN_CUR_SCHEMA:
			if len(o.Path) == 0 {
				return nil, nil, c.errorf(o, schema.KindSchema, "publication %s takes the current schema, and the search path is empty here; write its name", publication)
			}
			schemas = append(schemas, o.Path[0])
		default:
			return nil, nil, c.errorf(o, schema.KindUnsupported, "publication %s lists something (%s) that is not understood", publication, spec.Pubobjtype)
		}
	}
	return tables, schemas, nil
}

func (c *Catalog) publishedTable(s *script.Statement, o Origin, publication string, p *pg.PublicationTable) (*Object, error) {
	from := int(p.Relation.GetLocation())
	t, err := c.table(c.origin(s, from), p.Relation)
	if err != nil {
		return nil, err
	}
	on := t.Name
	x := &Object{Kind: "publication_table", On: &on, Node: s.Node, Modelled: true, Origin: c.origin(s, from), Props: map[string]string{
		propName: publication, "columns": joinNames(words(p.Columns)), "only": yes(!p.Relation.GetInh()),
	}}
	for _, name := range words(p.Columns) {
		if t.column(name) == nil {
			return nil, c.missing(x.Origin, "publication %s names column %s.%s, which is not there; create it, or correct the name", publication, t.Name, name)
		}
	}
	x.Expr = c.exprIn(s, from, p.WhereClause, "WHERE")
	x.Key = keyOf(x)
	return x, nil
}

// alterPublication changes the options of a publication, or what it has.
func (c *Catalog) alterPublication(s *script.Statement, n *pg.AlterPublicationStmt) error {
	o := c.origin(s, max(0, firstAt(s, 0, "PUBLICATION")))
	x := c.Others[[2]string{"publication", n.Pubname}]
	if x == nil {
		return c.missing(o, "publication %s is not there; create it, or correct the name", n.Pubname)
	}
	x.Altered = true
	if len(n.Options) > 0 {
		return c.publicationOptions(o, x, n.Options)
	}
	tables, schemas, err := c.published(s, o, n.Pubname, n.Pubobjects)
	if err != nil {
		return err
	}
	before := SplitNames(x.Props["schemas"])
	switch n.Action {
	case pg.AlterPublicationAction_AP_SetObjects:
		c.unpublish(n.Pubname)
		x.Props["schemas"] = joinNames(schemas)
	case pg.AlterPublicationAction_AP_AddObjects:
		x.Props["schemas"] = joinNames(append(before, schemas...))
	case pg.AlterPublicationAction_AP_DropObjects:
		return c.dropPublished(o, x, tables, schemas)
	}
	for _, t := range tables {
		if err := c.put(t); err != nil {
			return err
		}
	}
	return nil
}

func (c *Catalog) dropPublished(o Origin, x *Object, tables []*Object, schemas []string) error {
	for _, t := range tables {
		key := [2]string{t.Kind, t.Key}
		if c.Others[key] == nil {
			return c.errorf(o, schema.KindSchema, "publication %s does not have table %s, so it cannot be dropped from it", x.Key, t.On)
		}
		delete(c.Others, key)
	}
	left := SplitNames(x.Props["schemas"])
	for _, name := range schemas {
		if !slices.Contains(left, name) {
			return c.errorf(o, schema.KindSchema, "publication %s does not have the tables of schema %s, so they cannot be dropped from it", x.Key, name)
		}
		left = without(left, name)
	}
	x.Props["schemas"] = joinNames(left)
	return nil
}

// unpublish takes all tables out of a publication.
func (c *Catalog) unpublish(publication string) {
	for k, o := range c.Others {
		if o.Kind == "publication_table" && o.Props[propName] == publication {
			delete(c.Others, k)
		}
	}
}
