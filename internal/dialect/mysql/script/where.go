package script

import (
	"github.com/pingcap/tidb/pkg/parser"
	"github.com/pingcap/tidb/pkg/parser/ast"
)

// ColumnsNamed are the columns that an UPDATE or a DELETE of one table names anywhere, as written; nil if it has a query in it, or is not
// read by TiDB's parser.
func ColumnsNamed(sql string) []Ident {
	nodes, _, err := parser.New().Parse(sql, "", "")
	if err != nil || len(nodes) != 1 {
		return nil
	}
	v := &columnsNamed{}
	nodes[0].Accept(v)
	if v.query {
		return nil
	}
	return v.names
}

type columnsNamed struct {
	names []Ident
	query bool
}

// Enter implements ast.Visitor.
func (v *columnsNamed) Enter(n ast.Node) (ast.Node, bool) {
	switch n := n.(type) {
	case *ast.SelectStmt, *ast.SetOprStmt, *ast.SubqueryExpr, *ast.WithClause:
		v.query = true
	case *ast.ColumnName:
		v.names = append(v.names, Ident{Database: n.Table.O, Name: n.Name.O})
	}
	return n, v.query
}

// Leave implements ast.Visitor.
func (v *columnsNamed) Leave(n ast.Node) (ast.Node, bool) { return n, !v.query }
