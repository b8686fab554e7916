package mysql

import (
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"github.com/altergate/altergate/internal/dialect/mysql/script"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// committing are the words of statements without a Kind that commit the transaction that is open ("Statements That Cause an Implicit
// Commit", MySQL's manual; "SQL statements That Cause an Implicit Commit", MariaDB's).
var committing = []string{"ANALYZE", "ANALYZE TABLE", "CACHE", "CHECK", "CHECK TABLE", "FLUSH", "GRANT", "REVOKE", "INSTALL PLUGIN", "UNINSTALL PLUGIN", "LOAD INDEX", "LOCK TABLES", "LOCK TABLE", "OPTIMIZE", "OPTIMIZE TABLE",
	"REPAIR", "REPAIR TABLE", "RESET", "BEGIN", "START TRANSACTION", "SET PASSWORD", "CHANGE", "START", "STOP", "BACKUP", "COMMIT"}

// commits tells whether a statement commits the transaction that is open.
func commits(s *script.Sent) bool {
	switch s.Kind {
	case script.Use, script.Set:
		return false
	case "":
	default:
		return true
	}
	if strings.HasPrefix(s.What, "CREATE TEMPORARY") || strings.HasPrefix(s.What, "DROP TEMPORARY") || s.What == "DROP of a temporary table" {
		return false
	}
	for _, w := range committing {
		if s.What == w {
			return true
		}
	}
	for _, verb := range [...]string{"CREATE ", "ALTER ", "DROP ", "RENAME ", "INSTALL ", "UNINSTALL "} {
		if strings.HasPrefix(s.What, verb) {
			return true
		}
	}
	return s.What == "TRUNCATE of a temporary table" || s.What == "index of a temporary table"
}

// asksOnline tells whether a statement says that it is to keep others going.
func asksOnline(s *script.Sent) bool {
	said := script.Stated(s.Statement)
	return said.Algorithm == "INSTANT" || said.Algorithm == "NOCOPY" || said.Algorithm == "INPLACE" || said.Lock == "NONE"
}

// madeAgain gives what one statement drops and makes again, which the schemas before and after it do not show: columns of an ALTER TABLE,
// and the table of MariaDB's CREATE OR REPLACE TABLE.
func (l *Loaded) madeAgain(s *script.Sent, pos schema.Pos) []diff.Change {
	var made []diff.Change
	switch n := s.Node.(type) {
	case *ast.CreateTableStmt:
		name := n.Table.Name.O
		if s.Maria != nil && s.Maria.OrReplace && l.Schema.Table(l.catalog.Named(n.Table.Schema.O, name).String()) != nil {
			made = append(made, diff.MadeAgain{What: "table", Name: name, Pos: pos})
		}
	case *ast.AlterTableStmt:
		dropped := map[string]bool{}
		for _, spec := range n.Specs {
			if spec.Tp == ast.AlterTableDropColumn && spec.OldColumnName != nil {
				dropped[spec.OldColumnName.Name.L] = true
			}
		}
		for _, spec := range n.Specs {
			for _, c := range spec.NewColumns {
				if spec.Tp == ast.AlterTableAddColumns && dropped[c.Name.Name.L] {
					made = append(made, diff.MadeAgain{What: "column", Name: n.Table.Name.O + "." + c.Name.Name.O, Pos: pos})
				}
			}
		}
	}
	return made
}
