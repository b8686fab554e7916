package catalog

import (
	"encoding/json"
	"strings"
)

// Fills tells whether a column's default gives every row a value that the column takes, in every sql_mode, and never an error.
func (c *Column) Fills() bool {
	d := c.Default
	switch {
	case d == nil || d.Null:
		return !c.NotNull
	case d.Now != "":
		return true
	case d.Expr != nil:
		return d.Expr.tree.fills(&c.Type)
	}
	switch c.Type.Base {
	case "date", "datetime", "timestamp":
		return !strings.Contains(d.Literal, "-00") // sql_mode may have NO_ZERO_DATE or NO_ZERO_IN_DATE
	}
	return true
}

// result is what a function of no arguments gives: of a type, as so many characters.
type result struct {
	base   string
	length int
}

// results are functions that give a value whatever there is ("Date and Time Functions", "Miscellaneous Functions", MySQL's manual).
var results = map[string]result{
	"uuid": {"text", 36}, "curdate": {"date", 10}, "utc_date": {"date", 10}, "current_timestamp": {"datetime", 26}, "sysdate": {"datetime", 26}, "utc_timestamp": {"datetime", 26},
	"curtime": {"time", 15}, "utc_time": {"time", 15}, "unix_timestamp": {"bigint", 20}, "rand": {"double", 25}, "json_array": {"json", 2}, "json_object": {"json", 2},
}

// fills tells whether an expression without columns is certain to be a value of a type, and not NULL.
func (n *node) fills(t *Type) bool {
	switch n.op {
	case "str":
		return textFills(n.text, t)
	case "num":
		if _, ok := numberLiteral(t, n.text); ok && isNumber(t.Base) {
			return true
		}
		return isText(t.Base) && t.Members == nil && room(t) >= len(n.text)
	case "func":
		if n.text == "uuid_to_bin" && len(n.kids) > 0 && n.kids[0].op == "func" && n.kids[0].text == "uuid" {
			return t.Binary() && room(t) >= 16
		}
		r, known := results[n.text]
		if !known || len(n.kids) > 0 && (r.base == "json" || n.text == "unix_timestamp") {
			return false
		}
		return r.fills(t)
	}
	return false
}

func (r result) fills(t *Type) bool {
	switch {
	case isText(t.Base) && t.Members == nil, t.Binary():
		return room(t) >= r.length
	case r.base == t.Base:
		return true
	case r.base == "text":
		return t.Base == "uuid"
	case r.base == "date":
		return t.Base == "datetime"
	case r.base == "datetime":
		return t.Base == "timestamp" || t.Base == "date" || t.Base == "time"
	case r.base == "bigint":
		return t.Base == "double" || t.Base == "int" && t.Unsigned || t.Base == "decimal" && t.Length-t.Decimals >= 20
	case r.base == "double":
		return t.Base == "decimal" || t.Base == "float" || t.Base == "int" || t.Base == "bigint"
	}
	return false
}

// textFills tells whether a text is a value of a type.
func textFills(text string, t *Type) bool {
	switch {
	case t.Members != nil:
		return false
	case isText(t.Base):
		_, lost := lacks(t.Charset, text)
		return !lost && room(t) >= len([]rune(text))
	case t.Binary():
		return room(t) >= len(text)
	case t.Base == "json":
		return json.Valid([]byte(text))
	}
	return false
}

// room is how many characters, or bytes, a column of text holds at least.
func room(t *Type) int {
	switch {
	case t.Length >= 0:
		return t.Length
	case strings.HasPrefix(t.Base, "tiny"):
		return 255 / max(1, charsets[t.Charset].most)
	}
	return 65535 / max(1, charsets[t.Charset].most)
}

func isNumber(base string) bool {
	switch base {
	case "decimal", "float", "double":
		return true
	}
	return integerBits[base] > 0
}

// Becomes tells whether whatever the expression gives is a value of a column, where it is computed from others of its table; keeps tells the
// same of a column's values.
func (e *Expr) Becomes(t *Table, to *Column, keeps func(from, to *Column) bool) bool {
	return e.tree.becomes(t, to, keeps)
}

func (n *node) becomes(t *Table, to *Column, keeps func(from, to *Column) bool) bool {
	branches := n.kids
	switch {
	case n.op == "col":
		from := t.Column(n.text)
		return from != nil && keeps(from, to)
	case n.op == "word" && n.text == "null":
		return true
	case n.op == "str" || n.op == "num":
		return n.fills(&to.Type)
	case n.isTruth():
		return isNumber(to.Type.Base) && (to.Type.Base != "decimal" || to.Type.Length > to.Type.Decimals) || isText(to.Type.Base) && to.Type.Members == nil && room(&to.Type) > 0
	case n.op == "func":
		switch n.text {
		case "char_length", "length":
			return to.Type.Base == "bigint" || to.Type.Base == "double" || to.Type.Base == "int" && to.Type.Unsigned
		case "lower", "upper":
			return len(n.kids) == 1 && isText(to.Type.Base) && to.Type.Members == nil && n.kids[0].becomes(t, to, keeps)
		case "if":
			branches = n.kids[min(1, len(n.kids)):]
		case "nullif":
			branches = n.kids[:min(1, len(n.kids))]
		case "coalesce", "ifnull":
		default:
			return false
		}
	case n.op == "case":
		branches = nil
		for _, k := range n.kids {
			switch k.op {
			case "when":
				branches = append(branches, k.kids[1])
			case "else":
				branches = append(branches, k.kids[0])
			}
		}
	default:
		return false
	}
	for _, k := range branches {
		if !k.becomes(t, to, keeps) {
			return false
		}
	}
	return true
}
