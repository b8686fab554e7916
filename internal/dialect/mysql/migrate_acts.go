package mysql

import (
	"strings"

	"github.com/altergate/altergate/internal/dialect/mysql/script"
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
