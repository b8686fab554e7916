package scratch

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/altergate/altergate/internal/proof/rows"
)

// place is where a value is to stand: the row decides how it looks, the column makes it unlike its neighbours.
type place struct{ row, column int }

func (p place) number() int { return 10*(p.row+1) + p.column%10 }

// spoils tells whether the row is the one whose values are easily spoilt.
func (p place) spoils() bool { return p.row == rows.PerTable-1 }

// samples gives values of a type in its input form, the best first. written is the type with its modifiers.
func (ts *tables) samples(t *typ, written string, p place, depth int) []string {
	if depth > 4 {
		return []string{null}
	}
	switch t.kind {
	case "a":
		elem := strings.TrimSuffix(written, "[]")
		return arrays(ts.samples(ts.typeOf(t.elem, elem), elem, p, depth+1), t.delim, p)
	case "e":
		return rows.Rotated(t.labels, p.row)
	case "d":
		return append(ts.fromChecks(t, p), ts.samples(ts.typeOf(t.elem, t.modified), t.modified, p, depth+1)...)
	case "r":
		return ts.ranges(t, p, depth)
	case "m":
		inner := ts.typeOf(t.elem, "")
		return []string{"{" + ts.samples(inner, inner.name, p, depth+1)[0] + "}", "{}"}
	case "c":
		return ts.composites(t, p, depth)
	}
	return scalars(t.short(), written, p)
}

// fromChecks gives values that the checks of a domain mention.
func (ts *tables) fromChecks(t *typ, p place) []string {
	var out []string
	for _, check := range t.checks {
		out = append(out, mentioned(check, ts.isText(t), p)...)
	}
	return out
}

// isText tells whether a type holds text, whatever it is called.
func (ts *tables) isText(t *typ) bool {
	for range 8 {
		if t.kind != "d" {
			break
		}
		t = ts.typeOf(t.elem, t.modified)
	}
	switch t.short() {
	case "text", "character varying", "character", "name", "citext":
		return true
	}
	return false
}

// mentioned gives values that an expression's constants suggest for a column that it is about. A number beside a text is probably a
// length, and a text may be a pattern.
func mentioned(expr string, text bool, p place) []string {
	var exact, near []string
	for _, c := range rows.Rotated(literalsIn(expr), p.row) {
		n, err := strconv.ParseFloat(c, 64)
		switch {
		case err == nil && text && n >= 0 && n <= 1000:
			for _, length := range []int{int(n), int(n) + 1, int(n) - 1} {
				near = append(near, strings.Repeat(string(rune('a'+p.row)), max(length, 0)))
			}
			exact = append(exact, c)
		case err == nil:
			whole := int64(n)
			near = append(near, fmt.Sprint(whole+int64(p.row)+1), fmt.Sprint(whole-int64(p.row)-1))
			exact = append(exact, c)
		default:
			exact = append(exact, c)
			if text && strings.Contains(expr, "~") {
				near = append(near, rows.Matching(c, p.row))
			}
		}
	}
	return append(exact, near...)
}

// arrays gives arrays of elements.
func arrays(elements []string, delim string, p place) []string {
	quote := func(v string) string {
		if v == null {
			return "NULL"
		}
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(v) + `"`
	}
	if len(elements) == 0 {
		return []string{"{}"}
	}
	one, two := "{"+quote(elements[0])+"}", "{"+quote(elements[0])+delim+quote(elements[len(elements)-1])+"}"
	if p.spoils() {
		return []string{"{" + quote(elements[0]) + delim + "NULL}", two, one, "{}"}
	}
	return []string{two, one, "{}"}
}

// ranges gives ranges, from one value of the subtype to a later one.
func (ts *tables) ranges(t *typ, p place, depth int) []string {
	sub := ts.typeOf(t.elem, "")
	bounded := func(low, high place) string {
		a, b := ts.samples(sub, sub.name, low, depth+1)[0], ts.samples(sub, sub.name, high, depth+1)[0]
		return fmt.Sprintf(`["%s","%s")`, a, b)
	}
	later := place{p.row, p.column%5 + 4}
	out := []string{bounded(place{p.row, p.column % 4}, later), "empty"}
	if p.spoils() {
		out = []string{bounded(place{0, p.column % 4}, place{1, 0}), "(,)", "empty"}
	}
	return out
}

// composites gives rows.
func (ts *tables) composites(t *typ, p place, depth int) []string {
	var full []string
	for i, oid := range t.fields {
		field := ts.typeOf(oid, "")
		v := ts.samples(field, field.name, place{p.row, p.column + i}, depth+1)
		if len(v) == 0 || v[0] == null {
			full = append(full, "")
			continue
		}
		full = append(full, `"`+strings.NewReplacer(`\`, `\\`, `"`, `""`).Replace(v[0])+`"`)
	}
	return []string{"(" + strings.Join(full, ",") + ")", "(" + strings.Repeat(",", max(len(t.fields)-1, 0)) + ")"}
}

var modifiers = regexp.MustCompile(`\((-?\d+)(?:,(-?\d+))?\)`)

// modifiersOf gives the numbers in character varying(20), or numeric(10,2).
func modifiersOf(written string) []int {
	var out []int
	if m := modifiers.FindStringSubmatch(written); m != nil {
		for _, text := range m[1:] {
			if n, err := strconv.Atoi(text); err == nil {
				out = append(out, n)
			}
		}
	}
	return out
}

// scalars gives values of a type that has no parts.
func scalars(name, written string, p place) []string {
	n := p.number()
	mods := modifiersOf(written)
	switch name {
	case "smallint", "integer", "bigint", "oid":
		edge := map[string]int{"smallint": 32000, "integer": 2147480000, "bigint": 9007199254740993, "oid": 4294960000}[name] + n
		return spoilt(p, []string{fmt.Sprint(edge)}, fmt.Sprint(n), fmt.Sprint(p.row+1), "0", "-1")
	case "numeric":
		return numerics(mods, p)
	case "real", "double precision":
		return spoilt(p, []string{map[string]string{"real": "0.1", "double precision": "0.30000000000000004"}[name]}, fmt.Sprintf("%d.5", n), fmt.Sprintf("0.%d", p.row+1), "0")
	case "boolean":
		return rows.Rotated([]string{"t", "f"}, p.row)
	case "text", "character varying", "character", "name", "citext", `"char"`:
		return words(name, mods, p)
	case "date":
		return spoilt(p, []string{"1999-12-31"}, fmt.Sprintf("2024-0%d-1%d", p.row+1, p.column%10))
	case "timestamp without time zone":
		return spoilt(p, []string{"1999-12-31 23:59:58.987654"}, fmt.Sprintf("2024-0%d-1%d 08:09:10.123456", p.row+1, p.column%10), "2024-01-01 00:00:00")
	case "timestamp with time zone":
		return spoilt(p, []string{"1999-12-31 23:59:58.987654+00"}, fmt.Sprintf("2024-0%d-1%d 08:09:10.123456+02", p.row+1, p.column%10), "2024-01-01 00:00:00+00")
	case "bytea":
		return spoilt(p, []string{fmt.Sprintf(`\x00ff5c27%02x`, n)}, fmt.Sprintf(`\x01%02x`, n), `\x`)
	case "bit", "bit varying":
		width := 1
		if len(mods) > 0 {
			width = mods[0]
		} else if name == "bit varying" {
			width = 5
		}
		bits := fmt.Sprintf("%0*b", width, n)
		return []string{bits[len(bits)-width:]}
	}
	if s, ok := plainSamples(n)[name]; ok {
		return s
	}
	return []string{fmt.Sprint(n), "a", "", "{}", "(1,2)", fmt.Sprintf("[%s]", strings.TrimSuffix(strings.Repeat("1,", max(1, first(mods))), ","))}
}

func first(list []int) int {
	if len(list) == 0 {
		return 0
	}
	return list[0]
}

// spoilt puts values that are easily spoilt before the others in the row that is for them, and behind them else.
func spoilt(p place, edges []string, plain ...string) []string {
	if p.spoils() {
		return append(edges, plain...)
	}
	return append(plain, edges...)
}

// plainSamples are the types of which one or two values will do.
func plainSamples(n int) map[string][]string {
	two := fmt.Sprintf("%02d", n%60)
	return map[string][]string{
		"time without time zone": {"08:09:" + two + ".123456"},
		"time with time zone":    {"08:09:" + two + ".123456+02"},
		"interval":               {fmt.Sprintf("1 mon %d days 03:04:05.678901", n), "1 day"},
		"uuid":                   {fmt.Sprintf("00000000-0000-4000-8000-%012d", n)},
		"json":                   {fmt.Sprintf(`{"b": %d,  "a": [null, "x'y"], "b": 2}`, n), `{}`, `[]`, `"a"`, `1`},
		"jsonb":                  {fmt.Sprintf(`{"a": [null, "x'y"], "b": %d}`, n), `{}`, `[]`, `"a"`, `1`},
		"inet":                   {fmt.Sprintf("192.168.1.%d/24", n), "::1"},
		"cidr":                   {fmt.Sprintf("10.%d.0.0/16", n)},
		"macaddr":                {"08:00:2b:01:02:" + two},
		"macaddr8":               {"08:00:2b:01:02:03:04:" + two},
		"money":                  {fmt.Sprintf("%d.34", n)},
		"xml":                    {fmt.Sprintf("<a>%d</a>", n)},
		"tsvector":               {fmt.Sprintf("'a':1 'b%d':2", n)},
		"tsquery":                {fmt.Sprintf("'a' & 'b%d'", n)},
		"point":                  {fmt.Sprintf("(%d,2)", n)},
		"line":                   {fmt.Sprintf("{1,2,%d}", n)},
		"lseg":                   {fmt.Sprintf("[(1,2),(3,%d)]", n)},
		"box":                    {fmt.Sprintf("(%d,4),(1,2)", n)},
		"path":                   {fmt.Sprintf("((1,2),(3,%d))", n)},
		"polygon":                {fmt.Sprintf("((1,2),(3,4),(5,%d))", n)},
		"circle":                 {fmt.Sprintf("<(1,2),%d>", n)},
		"pg_lsn":                 {fmt.Sprintf("16/B374D8%02X", n)},
		"jsonpath":               {fmt.Sprintf(`$."a%d"`, n)},
		"txid_snapshot":          {"10:20:10,14,15"}, "pg_snapshot": {"10:20:10,14,15"},
		"xid": {fmt.Sprint(n)}, "xid8": {fmt.Sprint(n)}, "cid": {fmt.Sprint(n)}, "tid": {fmt.Sprintf("(0,%d)", n)},
		"regclass": {"pg_class"}, "regtype": {"integer"}, "regproc": {"now"}, "regprocedure": {"now()"}, "regnamespace": {"pg_catalog"}, "regconfig": {"simple"},
		"hstore": {fmt.Sprintf(`"a"=>"%d"`, n)},
		"ltree":  {fmt.Sprintf("a.b%d", n)},
	}
}

// numerics gives numbers that a numeric(precision, scale) can hold.
func numerics(mods []int, p place) []string {
	n := p.number()
	if len(mods) == 0 {
		return spoilt(p, []string{fmt.Sprintf("123456789012345678%d.0123456789", n)}, fmt.Sprintf("%d.25", n), fmt.Sprint(p.row+1), "0", "-1")
	}
	scale := 0
	if len(mods) > 1 {
		scale = mods[1]
	}
	if scale < 0 || scale > mods[0] {
		return []string{"0"}
	}
	full, part := strings.Repeat("987654321", mods[0]/9+1)[:mods[0]-scale], ""
	if scale > 0 {
		full += "." + strings.Repeat("7", scale)
		part = "." + strings.Repeat("25", scale)[:scale]
	}
	small := fmt.Sprint(p.row + 1)
	if mods[0]-scale == 0 {
		small = "0"
	}
	plain := []string{small + part, small, "0"}
	if mods[0]-scale >= 2 {
		plain = append([]string{fmt.Sprint(n) + part}, plain...)
	}
	return spoilt(p, []string{full}, plain...)
}

// words gives texts that fit into their column.
func words(name string, mods []int, p place) []string {
	n := p.number()
	limit := 4000
	switch {
	case len(mods) > 0:
		limit = mods[0]
	case name == "character", name == `"char"`:
		limit = 1
	case name == "name":
		limit = 63
	}
	fancy := fmt.Sprintf(` 00%d it's "ünï" \ ☃ and goes on behind the twentieth letter%s  `, n, strings.Repeat(" or so", p.row))
	if name == "character" || name == `"char"` {
		fancy = strings.Repeat(string(rune('p'+p.row)), limit) // blanks at the end do not count there
	}
	plain := []string{fmt.Sprintf("text %d", n), fmt.Sprintf("00%d", n), string(rune('a' + p.row)), "abc", "ABC", fmt.Sprint(n), fmt.Sprintf("%010d", n),
		fmt.Sprintf("ab%d@example.com", n), fmt.Sprintf("https://example.com/%d", n), "+1555010" + fmt.Sprint(n), "{}", "[]", "2024-01-01",
		fmt.Sprintf("00000000-0000-4000-8000-%012d", n), "", "#aabbcc", "EUR", "en", "a-b", "a/b", "a.b"}
	options := spoilt(p, []string{fancy}, plain...)
	var out []string
	for _, o := range options {
		if r := []rune(o); len(r) > limit {
			o = string(r[:limit])
		}
		if name == `"char"` && o != "" {
			o = o[:1]
		}
		out = append(out, o)
	}
	return out
}
