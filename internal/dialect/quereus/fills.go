package quereus

import (
	"regexp"
	"strings"

	"github.com/altergate/altergate/internal/schema"
)

var (
	integerLiteral = regexp.MustCompile(`^[+-]?[0-9]+$`)
	numberLiteral  = regexp.MustCompile(`^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)(e[+-]?[0-9]+)?$`)
	clockCall      = regexp.MustCompile(`^(date|time|datetime)\( *'now' *\)$`)
)

// clocks are the types of what a call for the current moment gives.
var clocks = map[string]map[string]bool{
	"date":     {"text": true, "any": true, "date": true},
	"time":     {"text": true, "any": true, "time": true},
	"datetime": {"text": true, "any": true, "datetime": true},
}

// Fills implements plan.Planner: a literal of the column's own type is a value of it, and so is the current moment. The engine converts other
// literals, and ends where it cannot.
func (Planner) Fills(c *schema.Column) bool {
	if m := clockCall.FindStringSubmatch(strings.ToLower(strings.Trim(c.Default.Canon, "() ") + ")")); m != nil && c.Default.Constant == "" {
		return clocks[m[1]][c.TypeCanon]
	}
	text := strings.ToLower(c.Default.Constant)
	switch {
	case text == "":
		return false
	case text == "null":
		return !c.Required
	}
	switch c.TypeCanon {
	case "any", "":
		return true
	case "integer":
		return integerLiteral.MatchString(text) && len(text) <= 18
	case "real", "numeric":
		return numberLiteral.MatchString(text)
	case "text":
		return strings.HasPrefix(text, "'")
	case "blob":
		return strings.HasPrefix(text, "x'")
	case "boolean":
		return text == "true" || text == "false" || text == "0" || text == "1"
	}
	return false
}
