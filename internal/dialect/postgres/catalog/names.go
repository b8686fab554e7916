package catalog

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/altergate/altergate/internal/schema"
)

// The names that the server makes up for what has none are made up here in the same way: the functions are called as they are in
// its sources (indexcmds.c, heap.c, parse_target.c), and a test compares the names with a server's.

// nameConstraint notes that a table has a constraint of that name, for constraintsNamed.
func (c *Catalog) nameConstraint(t *Table, k *Constraint) {
	n := Name{t.Name.Schema, k.Name}
	if !slices.Contains(c.named[n], t) {
		c.named[n] = append(c.named[n], t)
	}
}

// constraintsNamed gives the tables that have a constraint of a name in a schema. What was noted is checked, so that nothing needs
// to be noted when a constraint or a table goes.
func (c *Catalog) constraintsNamed(n Name) []*Table {
	noted, ok := c.named[n]
	if !ok {
		return nil
	}
	var tables []*Table
	for _, t := range noted {
		if t.Name.Schema == n.Schema && c.Tables[t.Name] == t && t.constraint(n.Name) != nil {
			tables = append(tables, t)
		}
	}
	return tables
}

// keyNamed gives the primary key, unique or exclusion constraint whose index has the name, and its table.
func (c *Catalog) keyNamed(n Name) (*Table, *Constraint) {
	for _, t := range c.constraintsNamed(n) {
		if k := t.constraint(n.Name); k.isKey() {
			return t, k
		}
	}
	return nil, nil
}

// constraintNameExists tells whether a constraint of a table or of a domain has the name.
func (c *Catalog) constraintNameExists(n Name) bool {
	if len(c.constraintsNamed(n)) > 0 {
		return true
	}
	for _, t := range c.Types {
		if t.Name.Schema == n.Schema && slices.ContainsFunc(t.Checks, func(k *Constraint) bool { return k.Name == n.Name }) {
			return true
		}
	}
	return false
}

// makeObjectName joins names with underscores and shortens the longer of the first two until it all fits.
func makeObjectName(name1, name2, label string) string {
	room := maxName
	if name2 != "" {
		room--
	}
	if label != "" {
		room -= len(label) + 1
	}
	n1, n2 := len(name1), len(name2)
	for n1+n2 > room {
		if n1 > n2 {
			n1--
		} else {
			n2--
		}
	}
	out := clip(name1, n1)
	if name2 != "" {
		out += "_" + clip(name2, n2)
	}
	if label != "" {
		out += "_" + label
	}
	return out
}

// clip cuts a name to so many bytes, at the border of a character.
func clip(name string, n int) string {
	if n >= len(name) {
		return name
	}
	for n > 0 && !utf8.RuneStart(name[n]) {
		n--
	}
	return name[:n]
}

// chooseRelationName makes up the name of an index or a sequence that no other relation of the schema has; that of a constraint's
// index is not one of any other constraint either.
func (c *Catalog) chooseRelationName(schemaName, name1, name2, label string, constraint bool) string {
	for pass := 0; ; pass++ {
		n := Name{schemaName, makeObjectName(name1, name2, numbered(label, pass))}
		if _, taken := c.Relation(n); !taken && !(constraint && c.constraintNameExists(n)) {
			return n.Name
		}
	}
}

// chooseConstraintName makes up the name of a check or a foreign key.
func (c *Catalog) chooseConstraintName(schemaName, name1, name2, label string) string {
	for pass := 0; ; pass++ {
		n := Name{schemaName, makeObjectName(name1, name2, numbered(label, pass))}
		if !c.constraintNameExists(n) {
			return n.Name
		}
	}
}

func numbered(label string, pass int) string {
	if pass == 0 {
		return label
	}
	return label + strconv.Itoa(pass)
}

// chooseIndexName makes up the name of an index from those of its columns.
func (c *Catalog) chooseIndexName(table Name, columns []string, kind schema.ConstraintKind) string {
	switch addition := nameAddition(columns); kind {
	case schema.PrimaryKey:
		return c.chooseRelationName(table.Schema, table.Name, "", "pkey", true)
	case schema.Exclusion:
		return c.chooseRelationName(table.Schema, table.Name, addition, "excl", true)
	case schema.Unique:
		return c.chooseRelationName(table.Schema, table.Name, addition, "key", true)
	default:
		return c.chooseRelationName(table.Schema, table.Name, addition, "idx", false)
	}
}

// nameAddition joins the names of columns as ChooseIndexNameAddition and ChooseForeignKeyConstraintNameAddition do.
func nameAddition(columns []string) string {
	var b strings.Builder
	for _, name := range columns {
		if b.Len() > 0 {
			b.WriteByte('_')
		}
		b.WriteString(name)
		if b.Len() > maxName {
			break
		}
	}
	return b.String()
}

// chooseIndexColumnNames gives the columns of an index the names that they have in it.
func chooseIndexColumnNames(elements []*IndexElement, include []string) []string {
	var names []string
	add := func(name string) {
		unique := name
		for i := 1; slices.Contains(names, unique); i++ {
			n := strconv.Itoa(i)
			unique = clip(name, maxName-len(n)) + n
		}
		names = append(names, unique)
	}
	for _, e := range elements {
		switch {
		case e.Column != "":
			add(e.Column)
		case e.Expr == nil:
			add("expr")
		default:
			add(figureIndexColname(e.Expr.Node))
		}
	}
	for _, name := range include {
		add(name)
	}
	return names
}

// figureIndexColname gives the name of an expression in an index: that of its outermost function, or "expr".
func figureIndexColname(n *pg.Node) string {
	if name, _ := ColumnName(n); name != "" {
		return name
	}
	return "expr"
}

// ColumnName gives the name that PostgreSQL makes up for an expression, in an index or the output of a query, and how good it is: 2 of
// a column or a function, 1 of a type or CASE, which anything better replaces, 0 for none (PostgreSQL 15, parse_target.c:
// FigureColnameInternal).
func ColumnName(n *pg.Node) (string, int) {
	switch n := n.GetNode().(type) {
	case *pg.Node_ColumnRef:
		return lastName(n.ColumnRef.GetFields())
	case *pg.Node_AIndirection:
		if name, strength := lastName(n.AIndirection.GetIndirection()); strength > 0 {
			return name, strength
		}
		return ColumnName(n.AIndirection.GetArg())
	case *pg.Node_FuncCall:
		return lastName(n.FuncCall.GetFuncname())
	case *pg.Node_AExpr:
		if n.AExpr.GetKind() == pg.A_Expr_Kind_AEXPR_NULLIF {
			return "nullif", 2
		}
	case *pg.Node_TypeCast:
		if name, strength := ColumnName(n.TypeCast.GetArg()); strength > 1 {
			return name, strength
		}
		name, _ := lastName(n.TypeCast.GetTypeName().GetNames())
		return name, 1
	case *pg.Node_CollateClause:
		return ColumnName(n.CollateClause.GetArg())
	case *pg.Node_CaseExpr:
		if name, strength := ColumnName(n.CaseExpr.GetDefresult()); strength > 1 {
			return name, strength
		}
		return "case", 1
	}
	return figureSyntax(n)
}

// figureSyntax names what looks like a function.
func figureSyntax(n *pg.Node) (string, int) {
	switch n := n.GetNode().(type) {
	case *pg.Node_GroupingFunc:
		return "grouping", 2
	case *pg.Node_SubLink:
		return figureSubLink(n.SubLink)
	case *pg.Node_AArrayExpr:
		return "array", 2
	case *pg.Node_RowExpr:
		return "row", 2
	case *pg.Node_CoalesceExpr:
		return "coalesce", 2
	case *pg.Node_MinMaxExpr:
		if n.MinMaxExpr.GetOp() == pg.MinMaxOp_IS_LEAST {
			return "least", 2
		}
		return "greatest", 2
	case *pg.Node_SqlvalueFunction:
		return sqlValueNames[n.SqlvalueFunction.GetOp()], 2
	case *pg.Node_XmlExpr:
		return xmlNames[n.XmlExpr.GetOp()], 2
	case *pg.Node_XmlSerialize:
		return "xmlserialize", 2
	case *pg.Node_JsonObjectConstructor:
		return "json_object", 2
	case *pg.Node_JsonArrayConstructor, *pg.Node_JsonArrayQueryConstructor:
		return "json_array", 2
	}
	return "", 0
}

func figureSubLink(n *pg.SubLink) (string, int) {
	switch n.GetSubLinkType() {
	case pg.SubLinkType_EXISTS_SUBLINK:
		return "exists", 2
	case pg.SubLinkType_ARRAY_SUBLINK:
		return "array", 2
	case pg.SubLinkType_EXPR_SUBLINK:
		q := n.GetSubselect().GetSelectStmt()
		for q.GetLarg() != nil { // the first of a UNION
			q = q.GetLarg()
		}
		targets := q.GetTargetList()
		switch {
		case len(q.GetValuesLists()) > 0:
			return "column1", 2
		case len(targets) == 0:
			return "", 0
		}
		first := targets[0].GetResTarget()
		if first.GetName() != "" {
			return first.GetName(), 2
		}
		return ColumnName(first.GetVal())
	}
	return "", 0
}

var sqlValueNames = map[pg.SQLValueFunctionOp]string{
	pg.SQLValueFunctionOp_SVFOP_CURRENT_DATE: "current_date", pg.SQLValueFunctionOp_SVFOP_CURRENT_TIME: "current_time", pg.SQLValueFunctionOp_SVFOP_CURRENT_TIME_N: "current_time",
	pg.SQLValueFunctionOp_SVFOP_CURRENT_TIMESTAMP: "current_timestamp", pg.SQLValueFunctionOp_SVFOP_CURRENT_TIMESTAMP_N: "current_timestamp",
	pg.SQLValueFunctionOp_SVFOP_LOCALTIME: "localtime", pg.SQLValueFunctionOp_SVFOP_LOCALTIME_N: "localtime",
	pg.SQLValueFunctionOp_SVFOP_LOCALTIMESTAMP: "localtimestamp", pg.SQLValueFunctionOp_SVFOP_LOCALTIMESTAMP_N: "localtimestamp",
	pg.SQLValueFunctionOp_SVFOP_CURRENT_ROLE: "current_role", pg.SQLValueFunctionOp_SVFOP_CURRENT_USER: "current_user", pg.SQLValueFunctionOp_SVFOP_USER: "user",
	pg.SQLValueFunctionOp_SVFOP_SESSION_USER: "session_user", pg.SQLValueFunctionOp_SVFOP_CURRENT_CATALOG: "current_catalog", pg.SQLValueFunctionOp_SVFOP_CURRENT_SCHEMA: "current_schema",
}

var xmlNames = map[pg.XmlExprOp]string{
	pg.XmlExprOp_IS_XMLCONCAT: "xmlconcat", pg.XmlExprOp_IS_XMLELEMENT: "xmlelement", pg.XmlExprOp_IS_XMLFOREST: "xmlforest",
	pg.XmlExprOp_IS_XMLPARSE: "xmlparse", pg.XmlExprOp_IS_XMLPI: "xmlpi", pg.XmlExprOp_IS_XMLROOT: "xmlroot", pg.XmlExprOp_IS_XMLSERIALIZE: "xmlserialize",
}

// lastName gives the last name of a list that holds subscripts and stars too.
func lastName(nodes []*pg.Node) (string, int) {
	for i := len(nodes) - 1; i >= 0; i-- {
		if s := nodes[i].GetString_(); s != nil {
			return s.GetSval(), 2
		}
	}
	return "", 0
}
