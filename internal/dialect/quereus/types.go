package quereus

import "strings"

// logicalType gives the type that the engine keeps for a declared one: it has few, and knows the others by what is in their names
// (behaviour 29). Types that are kept as the same one do not differ, though the engine's own differ takes `varchar(20)` for a change
// at every run.
func logicalType(declared string) string {
	name, _, _ := strings.Cut(strings.ToLower(declared), "(")
	name = strings.TrimSpace(name)
	switch name {
	case "", "integer", "real", "text", "blob", "boolean", "numeric", "any", "date", "time", "datetime", "timespan", "json", "null":
		return name
	case "bool":
		return "boolean"
	case "timestamp":
		return "datetime"
	}
	for _, part := range []struct{ in, is string }{
		{"int", "integer"}, {"char", "text"}, {"clob", "text"}, {"text", "text"}, {"blob", "blob"}, {"real", "real"}, {"floa", "real"}, {"doub", "real"},
		{"num", "numeric"}, {"dec", "numeric"}, {"bool", "boolean"},
	} {
		if strings.Contains(name, part.in) {
			return part.is
		}
	}
	return "unknown " + name
}

// binaryOnly are the types that take no collation but BINARY: a column is given that one before it is given the type.
var binaryOnly = map[string]bool{"date": true, "time": true, "datetime": true, "timespan": true, "json": true}
