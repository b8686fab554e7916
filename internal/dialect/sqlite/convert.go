package sqlite

import (
	"fmt"
	"strings"

	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/schema"
)

// affinity gives the affinity that a declared type has (sqlite.org/datatype3.html, section 3.1): the first of these rules.
func affinity(c *schema.Column) string {
	t := c.TypeCanon
	switch {
	case t == "any":
		return "ANY" // of its own in a STRICT table, where it converts nothing
	case strings.Contains(t, "int"):
		return "INTEGER"
	case strings.Contains(t, "char"), strings.Contains(t, "clob"), strings.Contains(t, "text"):
		return "TEXT"
	case strings.Contains(t, "blob"), t == "":
		return "BLOB"
	case strings.Contains(t, "real"), strings.Contains(t, "floa"), strings.Contains(t, "doub"):
		return "REAL"
	}
	return "NUMERIC"
}

// Converts implements plan.Planner. SQLite stores what a column's affinity makes of a value, and ignores lengths and
// precisions, so types of one affinity store the same. INTEGER and NUMERIC differ only in CAST.
func (Planner) Converts(from, to *schema.Column) (plan.Conversion, string) {
	a, b := affinity(from), affinity(to)
	if a == b || (a == "INTEGER" && b == "NUMERIC") || (a == "NUMERIC" && b == "INTEGER") {
		return plan.Unchanged, fmt.Sprintf("both store values by %s affinity, so no value changes (SQLite does not enforce lengths)", b)
	}
	switch b {
	case "TEXT":
		return plan.Converted, "numbers are stored as text from now on, and compare as text"
	case "INTEGER", "NUMERIC":
		return plan.Converted, "text that looks like a number becomes one, so '007' is 7 and cannot be told back"
	case "REAL":
		return plan.Converted, "values become floating point, so large integers lose digits"
	}
	return plan.Converted, "values are no longer converted when they are stored, so new rows can compare unlike old ones"
}

// RowidName implements plan.Planner.
func (Planner) RowidName(t *schema.Table) *schema.Column { return rowidAlias(t) }
