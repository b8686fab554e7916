package scratch

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/altergate/altergate/internal/proof/rows"
)

// null is the expression for NULL.
const null = "NULL"

// place is where a value is to stand: the row decides how it looks, the column makes it unlike its neighbours.
type place struct{ row, column int }

func (p place) number() int { return 10*(p.row+1) + p.column%10 }

// spoils tells whether the row is the one whose values are easily spoilt.
func (p place) spoils() bool { return p.row == rows.PerTable-1 }

// samples gives values of a column as SQL expressions, the best first.
func samples(c *column, p place) []string {
	n := p.number()
	switch c.typ {
	case "tinyint", "smallint", "mediumint", "int", "bigint":
		return integers(c, p)
	case "decimal":
		return decimals(c, p)
	case "float", "double":
		edge := map[string]string{"float": "0.1", "double": "0.30000000000000004"}[c.typ]
		return spoilt(p, []string{edge}, fmt.Sprintf("%d.5", n), fmt.Sprintf("0.%d", p.row+1), "0", strconv.Itoa(n))
	case "bit":
		width := max(1, c.precision)
		bits := fmt.Sprintf("%0*b", width, n)
		return spoilt(p, []string{"b'" + strings.Repeat("1", width) + "'"}, "b'"+bits[len(bits)-width:]+"'", "b'1'", "b'0'")
	case "year":
		return spoilt(p, []string{"2155", "1901"}, fmt.Sprint(2001+n%50))
	case "date":
		return spoilt(p, []string{"'1999-12-31'"}, fmt.Sprintf("'2024-0%d-1%d'", p.row+1, p.column%10), "'2010-06-15'", "'2035-01-02'")
	case "datetime", "timestamp":
		return spoilt(p, []string{"'1999-12-31 23:59:58" + fraction(c, "987654") + "'"}, fmt.Sprintf("'2024-0%d-1%d 08:09:10%s'", p.row+1, p.column%10, fraction(c, "123456")), "'2024-01-01 00:00:00'", "'2010-06-15 12:00:00'", "'2035-01-02 00:00:00'")
	case "time":
		return spoilt(p, []string{"'-838:59:58" + fraction(c, "987654") + "'"}, fmt.Sprintf("'08:09:%02d%s'", n%60, fraction(c, "123456")))
	case "enum":
		members := literals(c.members)
		if p.spoils() && len(members) > 0 {
			return rows.Rotated(members, len(members)-1)
		}
		return rows.Rotated(members, p.row)
	case "set":
		return sets(c, p)
	case "json":
		return documents(n)
	case "char", "varchar", "tinytext", "text", "mediumtext", "longtext":
		return words(c, p)
	case "binary", "varbinary", "tinyblob", "blob", "mediumblob", "longblob":
		return bytesOf(c, p)
	case "uuid":
		return []string{fmt.Sprintf("'00000000-0000-4000-8000-%012d'", n)}
	case "inet6":
		return []string{fmt.Sprintf("'2001:db8::%d'", n), "'::1'"}
	case "inet4":
		return []string{fmt.Sprintf("'10.0.0.%d'", n)}
	case "vector":
		return []string{"VEC_FromText('[" + strings.TrimSuffix(strings.Repeat(fmt.Sprintf("%d,", n), max(1, sizeOf(c))), ",") + "]')"}
	case "geometry", "point", "linestring", "polygon", "multipoint", "multilinestring", "multipolygon", "geometrycollection", "geomcollection":
		return []string{shape(c, n)}
	}
	return []string{strconv.Itoa(n), literal(fmt.Sprint(n)), "'a'", "''"}
}

// sizeOf gives the number in vector(3).
func sizeOf(c *column) int {
	for _, t := range tokens(c.written, mode{}) {
		if n, err := strconv.Atoi(t.text); err == nil {
			return n
		}
	}
	return 1
}

func literals(texts []string) []string {
	var out []string
	for _, t := range texts {
		out = append(out, literal(t))
	}
	return out
}

// spoilt puts values that are easily spoilt before the others in the row that is for them, and behind them else.
func spoilt(p place, edges []string, plain ...string) []string {
	if p.spoils() {
		return append(edges, plain...)
	}
	return append(plain, edges...)
}

func integers(c *column, p place) []string {
	edges := map[string][2]string{"tinyint": {"127", "255"}, "smallint": {"32767", "65535"}, "mediumint": {"8388607", "16777215"}, "int": {"2147483647", "4294967295"}, "bigint": {"9223372036854775807", "18446744073709551615"}}[c.typ]
	plain := []string{strconv.Itoa(p.number()), strconv.Itoa(p.row + 1), "0"}
	edge := edges[1]
	if !c.unsigned() {
		edge = edges[0]
		plain = append(plain, "-1")
	}
	if c.auto { // a large number would leave it none to give
		return []string{strconv.Itoa(p.row + 1), strconv.Itoa(p.number())}
	}
	return spoilt(p, []string{edge}, plain...)
}

func decimals(c *column, p place) []string {
	scale := max(0, c.scale)
	whole := max(0, c.precision-scale)
	full, part := strings.Repeat("9", whole), ""
	if scale > 0 {
		full += "." + strings.Repeat("7", scale)
		part = "." + strings.Repeat("25", scale)[:scale]
	}
	if whole == 0 {
		return spoilt(p, []string{"0" + full}, "0"+part, "0")
	}
	small := fmt.Sprint(p.row + 1)
	plain := []string{small + part, small, "0"}
	if whole >= 2 {
		plain = append([]string{fmt.Sprint(p.number()) + part}, plain...)
	}
	return spoilt(p, []string{full}, plain...)
}

// fraction gives as many digits of a second as the column keeps.
func fraction(c *column, digits string) string {
	_, rest, found := strings.Cut(c.written, "(")
	if !found {
		return ""
	}
	n, err := strconv.Atoi(strings.TrimRight(rest, ")"))
	if err != nil || n < 1 || n > len(digits) {
		return ""
	}
	return "." + digits[:n]
}

func sets(c *column, p place) []string {
	if len(c.members) == 0 {
		return []string{"''"}
	}
	all, first, last := literal(strings.Join(c.members, ",")), literal(c.members[0]), literal(c.members[len(c.members)-1])
	return spoilt(p, []string{all}, first, last, "''")
}

func documents(n int) []string {
	return []string{fmt.Sprintf(`'{"a": [null, "x''y"], "b": %d}'`, n), "'{}'", "'[]'", `'"a"'`, "'1'"}
}

// shape gives a geometry of a column's type.
func shape(c *column, n int) string {
	text := map[string]string{"linestring": "LINESTRING(0 0,1 %d)", "polygon": "POLYGON((0 0,0 %[1]d,%[1]d %[1]d,0 0))", "multipoint": "MULTIPOINT(0 0,1 %d)", "multilinestring": "MULTILINESTRING((0 0,1 %d))",
		"multipolygon": "MULTIPOLYGON(((0 0,0 %[1]d,%[1]d %[1]d,0 0)))", "geometrycollection": "GEOMETRYCOLLECTION(POINT(1 %d))", "geomcollection": "GEOMETRYCOLLECTION(POINT(1 %d))"}[c.typ]
	if text == "" {
		text = "POINT(1 %d)"
	}
	text = literal(fmt.Sprintf(text, n))
	if c.srid != "" && c.srid != "0" {
		return "ST_GeomFromText(" + text + ", " + c.srid + ")"
	}
	return "ST_GeomFromText(" + text + ")"
}

// words gives texts that fit into their column and its character set.
func words(c *column, p place) []string {
	n := p.number()
	limit := c.length
	if limit < 0 || limit > 60000 {
		limit = 60000
	}
	letters := map[string]string{"utf8mb4": "ünï ☃ 😀", "utf8mb3": "ünï ☃", "utf8": "ünï ☃", "latin1": "ünï", "utf16": "ünï ☃ 😀", "utf32": "ünï ☃ 😀", "ucs2": "ünï ☃"}[c.charset]
	fancy := fmt.Sprintf(`00%d it's "x" \ %s and goes on behind the twentieth letter%s`, n, letters, strings.Repeat(" or so", p.row))
	if limit <= 255 && limit > 60 {
		fancy += strings.Repeat("x", max(0, limit-len([]rune(fancy))))
	}
	plain := []string{fmt.Sprintf("text %d", n), fmt.Sprintf("00%d", n), string(rune('a' + p.row)), "abc", "ABC", fmt.Sprint(n), fmt.Sprintf("%010d", n),
		fmt.Sprintf("ab%d@example.com", n), fmt.Sprintf("https://example.com/%d", n), "+1555010" + fmt.Sprint(n), fmt.Sprintf(`{"a": %d}`, n), "{}", "[]", "2024-01-01",
		fmt.Sprintf("00000000-0000-4000-8000-%012d", n), "", "#aabbcc", "EUR", "en", "a-b", "a/b", "a.b"}
	var out []string
	for _, o := range spoilt(p, []string{fancy}, plain...) {
		if r := []rune(o); len(r) > limit {
			o = string(r[:limit])
		}
		if c.typ == "char" {
			o = strings.TrimRight(o, " ") // blanks at the end do not count there
		}
		out = append(out, literal(o))
	}
	return out
}

func bytesOf(c *column, p place) []string {
	n := p.number()
	limit := c.length
	if limit < 0 || limit > 60000 {
		limit = 60000
	}
	var out []string
	for _, o := range spoilt(p, []string{fmt.Sprintf("00ff5c27%02xff01", n)}, fmt.Sprintf("61%02x", n), fmt.Sprintf("%02x", n), "") {
		if len(o) > 2*limit {
			o = o[:2*limit]
		}
		out = append(out, "x'"+o+"'")
	}
	return out
}

// implied is what a column without a default holds in rows that were there before it, as an expression; empty = that is not known.
func implied(c *column) string {
	switch c.typ {
	case "tinyint", "smallint", "mediumint", "int", "bigint", "decimal", "float", "double", "bit", "year":
		return "0"
	case "char", "varchar", "tinytext", "text", "mediumtext", "longtext", "binary", "varbinary", "tinyblob", "blob", "mediumblob", "longblob", "set":
		return "''"
	case "enum":
		if len(c.members) > 0 {
			return literal(c.members[0])
		}
	case "time":
		return "'00:00:00'"
	}
	return ""
}

// mentioned gives values that an expression's constants suggest for a column that it is about. A number beside a text is probably a
// length, and a text may be a pattern.
func mentioned(expr string, c *column, p place) []string {
	var exact, near []string
	text := c.charset != ""
	patterns := strings.Contains(strings.ToLower(expr), "regexp") || strings.Contains(strings.ToLower(expr), "rlike")
	for _, o := range rows.Rotated(literalsIn(expr), p.row) {
		n, err := strconv.ParseFloat(o, 64)
		switch {
		case err == nil && text && n >= 0 && n <= 1000:
			for _, length := range []int{int(n), int(n) + 1, int(n) - 1} {
				near = append(near, literal(strings.Repeat(string(rune('a'+p.row)), max(length, 0))))
			}
			exact = append(exact, literal(o))
		case err == nil:
			whole := int64(n)
			near = append(near, fmt.Sprint(whole+int64(p.row)+1), fmt.Sprint(whole-int64(p.row)-1))
			exact = append(exact, o)
		default:
			exact = append(exact, literal(o))
			if text && patterns {
				near = append(near, literal(rows.Matching(o, p.row)))
			}
			if text && strings.Contains(o, "%") {
				near = append(near, literal(strings.ReplaceAll(o, "%", string(rune('a'+p.row)))))
			}
		}
	}
	return append(exact, near...)
}

// literalsIn gives the constants in an expression as the server writes it.
func literalsIn(expr string) []string {
	var out []string
	ts := tokens(expr, mode{})
	for i, t := range ts {
		switch {
		case t.kind == str:
			out = append(out, t.text)
		case t.kind == word && t.text[0] >= '0' && t.text[0] <= '9':
			o := t.text
			if i+2 < len(ts) && ts[i+1].text == "." && ts[i+1].from == t.to && ts[i+2].from == ts[i+1].to {
				o += "." + ts[i+2].text
			}
			if i > 0 && ts[i-1].text == "-" && ts[i-1].to == t.from {
				o = "-" + o
			}
			if i > 1 && ts[i-1].text == "." && ts[i-1].to == t.from && ts[i-2].kind == word {
				continue // the digits behind a point
			}
			out = append(out, o)
		}
	}
	return out
}
