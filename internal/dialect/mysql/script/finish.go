package script

import (
	"fmt"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"github.com/altergate/altergate/internal/schema"
)

// finish gives the tree what was cut from the text and has a place in it, and refuses what cannot be known from the text.
func (w *rewriter) finish(node ast.StmtNode) *fault {
	switch n := node.(type) {
	case *ast.CreateTableStmt:
		if n.Select != nil {
			return w.unsupported("CREATE TABLE … SELECT takes columns from a query, whose types are not known from the text; write the columns out")
		}
		for i, c := range n.Constraints {
			w.unname(i, c)
		}
		return w.foreignOptions(n.Options, n.Cols)
	case *ast.AlterTableStmt:
		for i, spec := range n.Specs {
			switch w.maria.IfExists[i] {
			case "IF EXISTS":
				spec.IfExists = true
			case "IF NOT EXISTS":
				spec.IfNotExists = true
			}
			if spec.Constraint != nil {
				w.unname(i, spec.Constraint)
			}
			if f := w.foreignOptions(spec.Options, spec.NewColumns); f != nil {
				return f
			}
		}
	case *ast.CreateViewStmt:
		if w.check {
			n.CheckOption = ast.CheckOptionCascaded
		}
	case *ast.CreateIndexStmt:
		n.IfNotExists = n.IfNotExists || w.maria.IfExists[whole] != ""
	}
	return nil
}

// unname takes the name away from a foreign key that has none: TiDB's parser takes its index's for it.
func (w *rewriter) unname(number int, c *ast.Constraint) {
	if _, ok := w.maria.Keys[number]["unnamed"]; ok {
		c.Name = ""
		delete(w.maria.Keys[number], "unnamed")
	}
}

func (w *rewriter) unsupported(format string, args ...any) *fault {
	return &fault{schema.KindUnsupported, 0, fmt.Sprintf(format, args...)}
}

// foreignOptions refuses what only TiDB has: its parser reads it, MySQL and MariaDB do not.
func (w *rewriter) foreignOptions(options []*ast.TableOption, columns []*ast.ColumnDef) *fault {
	for _, o := range options {
		switch o.Tp {
		case ast.TableOptionShardRowID, ast.TableOptionPreSplitRegion, ast.TableOptionAutoIdCache, ast.TableOptionAutoRandomBase, ast.TableOptionPlacementPolicy,
			ast.TableOptionTTL, ast.TableOptionTTLEnable, ast.TableOptionTTLJobInterval, ast.TableOptionAffinity:
			return w.unsupported("this statement has an option that only TiDB knows; %s would not run it", w.sv.Name())
		}
	}
	for _, c := range columns {
		for _, o := range c.Options {
			if o.Tp == ast.ColumnOptionAutoRandom {
				return w.unsupported("AUTO_RANDOM of column %s is TiDB's; %s would not run this statement", strings.ToLower(c.Name.Name.O), w.sv.Name())
			}
		}
	}
	return nil
}
