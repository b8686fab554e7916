package catalog

import (
	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/altergate/altergate/internal/dialect/postgres/script"
	"github.com/altergate/altergate/internal/schema"
)

// QueryColumn is a column that a query gives.
type QueryColumn struct{ Name, Type string }

// QueryColumns tells the columns of a query, which takes an understanding of expressions that a catalog does not have. missing is a
// relation or a column that the query names and that is not there.
type QueryColumns func(c *Catalog, o Origin, query *pg.Node) (columns []QueryColumn, missing string)

// queried is a table that takes its columns from a query.
type queried struct {
	into     *pg.IntoClause
	query    *pg.Node
	missing  bool // IF NOT EXISTS
	selected bool // SELECT INTO
}

// createFromQuery runs CREATE TABLE AS and SELECT INTO: the columns have the names and the types of the query's, and nothing else.
func (c *Catalog) createFromQuery(s *script.Statement, q queried) error {
	into := q.into.GetRel()
	o := c.origin(s, int(into.GetLocation()))
	name, err := c.newRelation(o, into)
	if err != nil {
		return err
	}
	if _, there := c.Relation(name); there && q.missing {
		return passedOver("CREATE TABLE IF NOT EXISTS of what is there")
	}
	if err := c.freeRelation(o, "table", name); err != nil {
		return err
	}
	var columns []QueryColumn
	missing := ""
	if c.Columns != nil && q.query.GetExecuteStmt() == nil {
		columns, missing = c.Columns(c, c.origin(s, 0), q.query)
	}
	if missing != "" {
		return c.missing(c.origin(s, 0), "the query of table %s names the %s, which is not there", name, missing)
	}
	names := words(q.into.GetColNames())
	t := &Table{Name: name, Origin: o, Unlogged: into.GetRelpersistence() == "u", AccessMethod: accessMethod(q.into.GetAccessMethod()), Tablespace: spaceName(q.into.GetTableSpaceName()), Options: tableOptions(q.into.GetOptions())}
	for i, x := range columns {
		if i < len(names) {
			x.Name = names[i]
		}
		made, ok := queryColumn(x)
		if !ok {
			return c.unread(s, name, q)
		}
		if t.column(made.Name) != nil {
			return c.errorf(o, schema.KindSchema, "table %s would have two columns %s; give the query's columns other names with AS", name, made.Name)
		}
		made.Origin, made.Type.Origin = o, Origin{Statement: s, Path: defaultPath, Time: c.now}
		t.Columns = append(t.Columns, made)
	}
	if len(columns) == 0 {
		return c.unread(s, name, q)
	}
	c.Tables[name] = t
	return nil
}

// unread refuses a query whose columns are not known.
func (c *Catalog) unread(s *script.Statement, name Name, q queried) error {
	o := c.origin(s, 0)
	if q.selected {
		return c.errorf(o, schema.KindUnsupported, "SELECT INTO %s makes a table whose columns come from a query, and not all of their types can be told here; declare it with CREATE TABLE", name)
	}
	return c.errorf(o, schema.KindUnsupported, "table %s takes its columns from a query, and not all of their types can be told here; declare the columns with CREATE TABLE", name)
}

// queryColumn makes a column of one of a query. It is not ok where the type is not known.
func queryColumn(x QueryColumn) (*Column, bool) {
	if x.Type == "" || x.Name == "" {
		return nil, false
	}
	cast := &script.Statement{Text: "SELECT NULL::" + x.Type}
	if bad := script.Parse([]*script.Statement{cast}, nil); len(bad) > 0 {
		return nil, false
	}
	targets := cast.Node.GetSelectStmt().GetTargetList()
	if len(targets) != 1 {
		return nil, false
	}
	node := targets[0].GetResTarget().GetVal().GetTypeCast().GetTypeName()
	return &Column{Name: x.Name, Type: TypeRef{Node: node, Text: x.Type}, Statistics: -1}, node != nil
}
