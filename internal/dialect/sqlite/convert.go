package sqlite

import (
	"fmt"
	"math"
	"strconv"
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

// total are functions that give a value, or NULL, for whatever they are given (sqlite.org/lang_corefunc.html). Others can end in an
// error, as json_extract does for text that is no JSON, and abs for the smallest integer.
var total = set("coalesce hex ifnull iif instr length lower ltrim max min nullif quote replace round rtrim sign substr substring trim typeof unicode upper")

// Total implements plan.Planner. It knows the operators that take JSON apart, and functions by name.
func (Planner) Total(e schema.Expr) bool {
	tokens := newParser(e.Text).tokens
	for i, t := range tokens {
		called := i+1 < len(tokens) && tokens[i+1].is("(") && (t.kind == word || t.kind == quoted)
		if t.is("->") || t.is("->>") || (called && !total[fold(t.name())] && !keywords[fold(t.name())]) {
			return false
		}
	}
	return true
}

// RowidName implements plan.Planner.
func (Planner) RowidName(t *schema.Table) *schema.Column { return rowidAlias(t) }

// fitsStrict tells whether a column of a STRICT table takes a literal (sqlite.org/stricttables.html, section 2): a value is first
// converted as by affinity, and then has to be of the type. What is no literal is not judged.
func fitsStrict(declared, constant string) bool {
	tokens := lex(constant)
	if len(tokens) == 0 || constant == "null" || declared == "any" {
		return true
	}
	last := tokens[len(tokens)-1] // behind a sign
	switch {
	case last.kind == blob || declared == "blob":
		return last.kind == blob && declared == "blob"
	case last.kind == word || declared == "text": // TRUE and FALSE are numbers, and a number becomes text
		return true
	}
	value := strings.TrimSpace(strings.ReplaceAll(last.name(), "_", ""))
	if _, err := strconv.ParseInt(value, 0, 64); err == nil {
		return true
	}
	f, err := strconv.ParseFloat(value, 64)
	return err == nil && (declared == "real" || f == math.Trunc(f))
}
