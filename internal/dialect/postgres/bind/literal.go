package bind

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	pg "github.com/pganalyze/pg_query_go/v6"
)

// constant binds a literal.
func (r *run) constant(n *pg.A_Const) value {
	if n.GetIsnull() {
		return value{text: "null::unknown", typ: unknown, literal: nullLiteral, total: true}
	}
	switch c := n.GetVal().(type) {
	case *pg.A_Const_Ival:
		raw := strconv.FormatInt(int64(c.Ival.GetIval()), 10)
		return value{text: raw, typ: intType, literal: numberLiteral, raw: raw, total: true, notNull: true}
	case *pg.A_Const_Fval:
		raw := number(c.Fval.GetFval())
		typ := naturalType(raw)
		if written := c.Fval.GetFval(); strings.ContainsAny(written, ".eE") && !strings.HasPrefix(written, "0x") && !strings.HasPrefix(written, "0X") {
			typ = numericType // also where nothing is behind the point
		}
		return value{text: numeral(raw, typ), typ: typ, literal: numberLiteral, raw: raw, total: true, notNull: true}
	case *pg.A_Const_Boolval:
		return boolean(c.Boolval.GetBoolval())
	case *pg.A_Const_Sval:
		raw := c.Sval.GetSval()
		return value{text: quoted(raw) + "::unknown", typ: unknown, literal: stringLiteral, raw: raw, total: true, notNull: true}
	case *pg.A_Const_Bsval:
		return r.typed(bits(c.Bsval.GetBsval()), "bit")
	}
	return value{text: "null::unknown", typ: unknown, literal: nullLiteral, total: true}
}

// boolean is TRUE or FALSE.
func boolean(b bool) value {
	raw := strconv.FormatBool(b)
	return value{text: raw, typ: boolType, literal: boolLiteral, raw: raw, total: true, notNull: true}
}

// number writes a numeral as the server stores it: whole numbers in decimal, no exponents, a leading zero.
func number(s string) string {
	s = strings.ReplaceAll(s, "_", "")
	if i, err := strconv.ParseInt(s, 0, 64); err == nil && !(len(s) > 1 && s[0] == '0' && s[1] >= '0' && s[1] <= '9') {
		return strconv.FormatInt(i, 10)
	}
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = "-", s[1:]
	}
	digits, exponent, scientific := strings.Cut(strings.ToLower(s), "e")
	whole, fraction, _ := strings.Cut(digits, ".")
	if scientific {
		e, err := strconv.Atoi(exponent)
		if err != nil || e > 1000 || e < -1000 {
			return sign + s
		}
		for ; e > 0; e-- {
			if fraction == "" {
				fraction = "0"
			}
			whole, fraction = whole+fraction[:1], fraction[1:]
		}
		for ; e < 0; e++ {
			if whole == "" {
				whole = "0"
			}
			whole, fraction = whole[:len(whole)-1], whole[len(whole)-1:]+fraction
		}
	}
	if whole = strings.TrimLeft(whole, "0"); whole == "" {
		whole = "0"
	}
	if fraction == "" {
		return sign + whole
	}
	return sign + whole + "." + fraction
}

// naturalType is the type that the grammar gives a numeral.
func naturalType(raw string) string {
	if i, err := strconv.ParseInt(raw, 10, 64); err == nil {
		if i == int64(int32(i)) {
			return intType
		}
		return bigintType
	}
	return numericType
}

// isNumber tells whether numerals are literals of a type.
func isNumber(t string) bool {
	switch t {
	case "smallint", intType, bigintType, numericType, "real", "double precision":
		return true
	}
	return false
}

// fits tells whether a numeral is a value of a type as it stands, not rounded and in range.
func fits(raw, t string) bool {
	size := map[string]int{"smallint": 16, intType: 32, bigintType: 64}[t]
	if size == 0 {
		return true
	}
	_, err := strconv.ParseInt(raw, 10, size)
	return err == nil
}

// numeral prints a numeral of a type.
func numeral(raw, t string) string {
	if naturalType(raw) == t {
		return raw
	}
	return raw + "::" + t
}

// bits gives the digits of b'101' or x'1F', which the parser marks with a letter.
func bits(s string) string {
	if rest, ok := strings.CutPrefix(s, "b"); ok {
		return rest
	}
	s = strings.TrimPrefix(s, "x")
	var b strings.Builder
	for _, c := range s {
		d, err := strconv.ParseUint(string(c), 16, 8)
		if err != nil {
			return "x" + s
		}
		four := strconv.FormatUint(d+16, 2) // the leading one keeps the zeros
		b.WriteString(four[1:])
	}
	return b.String()
}

// timestamps are the plain spellings of a date and a time without fractions.
var timestamps = []string{"2006-01-02 15:04:05", "2006-01-02", "2006-01-02 15:04", "2006-01-02T15:04:05", "20060102"}

// zonedTimestamps are timestamps with an offset.
var zonedTimestamps = []string{"2006-01-02 15:04:05Z07", "2006-01-02 15:04:05Z07:00", "2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05Z07"}

// moment writes a timestamp in one form. One with more digits than the server keeps is left alone.
func moment(raw string, layouts []string) (string, bool) {
	if strings.EqualFold(raw, "epoch") {
		return "1970-01-01 00:00:00", true
	}
	for _, layout := range layouts {
		if at, err := time.Parse(layout, raw); err == nil {
			return at.UTC().Format("2006-01-02 15:04:05.999999"), at.Nanosecond()%1000 == 0
		}
	}
	return "", false
}

var plainNumber = regexp.MustCompile(`^-?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?$`)

// endless are the numbers that are written in words.
var endless = map[string]string{"infinity": "Infinity", "inf": "Infinity", "+infinity": "Infinity", "+inf": "Infinity", "-infinity": "-Infinity", "-inf": "-Infinity", "nan": "NaN"}

func isInteger(t string) bool { return t == "smallint" || t == intType || t == bigintType }

// typed gives a string literal the type it is read as. Spellings that the server reads as the same value come out the same where that
// is simple; the others stay as they are.
func (r *run) typed(raw, t string) value {
	v := value{typ: t, literal: stringLiteral, raw: raw, total: true, notNull: true}
	switch t {
	case textType, varcharType:
		v.text = quoted(raw) + "::text"
		return v
	case boolType:
		if b, ok := truth(raw); ok {
			return boolean(b)
		}
	case "smallint", intType, bigintType, numericType, "real", "double precision":
		if s := strings.TrimSpace(raw); plainNumber.MatchString(s) && fits(number(s), t) {
			s = number(s)
			if t == "real" || t == "double precision" {
				s = shortest(s, t)
			}
			v.literal, v.raw, v.text = numberLiteral, s, numeral(s, t)
			return v
		}
		if s := endless[strings.ToLower(strings.TrimSpace(raw))]; s != "" && !isInteger(t) {
			v.text = quoted(s) + "::" + t
			return v
		}
	case "regclass":
		return r.relationLiteral(v)
	case "regconfig":
		return r.carriedLiteral(v, "text search configuration")
	case "regdictionary":
		return r.carriedLiteral(v, "text search dictionary")
	case "interval":
		v.text = quoted(duration(raw)) + "::interval"
		return v
	case "time without time zone":
		if at, ok := parseClock(raw); ok && at >= 0 && at <= perDay {
			v.text = quoted(clock(at)) + "::" + t
			return v
		}
	case "timestamp without time zone":
		if text, ok := moment(raw, timestamps); ok {
			v.text = quoted(text) + "::" + t
			return v
		}
	case "timestamp with time zone": // without an offset it depends on the session
		if text, ok := moment(raw, zonedTimestamps); ok {
			v.text = quoted(text+"+00") + "::" + t
			return v
		}
	case "date":
		for _, layout := range timestamps {
			if at, err := time.Parse(layout, raw); err == nil {
				v.text = quoted(at.Format(time.DateOnly)) + "::" + t
				return v
			}
		}
	case "uuid":
		v.text = quoted(strings.ToLower(raw)) + "::uuid"
		return v
	case "jsonb":
		if text, ok := document(raw); ok {
			v.text = quoted(text) + "::jsonb"
			return v
		}
	case "bytea":
		v.text = quoted(bytes(raw)) + "::bytea"
		return v
	default:
		if of := element(t); of != "" {
			if list, ok := arrayElements(raw); ok {
				return r.arrayLiteral(v, list, of)
			}
		}
		if r.b.known.Enum(t) {
			return r.label(v)
		}
	}
	v.text = quoted(raw) + "::" + r.b.spelled(t)
	return v
}

// shortest gives the fewest digits that are the same number to the type.
func shortest(s, t string) string {
	size := 64
	if t == "real" {
		size = 32
	}
	f, err := strconv.ParseFloat(s, size)
	if err != nil {
		return s
	}
	return strconv.FormatFloat(f, 'f', -1, size)
}

// bytes writes the literal of a byte string in hexadecimal.
func bytes(raw string) string {
	if digits, ok := strings.CutPrefix(raw, `\x`); ok {
		return `\x` + strings.ToLower(digits)
	}
	if strings.Contains(raw, `\`) {
		return raw
	}
	return fmt.Sprintf(`\x%x`, raw)
}

// truth reads a boolean as the server does: any beginning of true, false, yes, no, and on, off, 1, 0.
func truth(s string) (b, ok bool) {
	s = strings.ToLower(strings.TrimSpace(s))
	switch s {
	case "":
		return false, false
	case "on", "1":
		return true, true
	case "of", "off", "0":
		return false, true
	}
	switch {
	case strings.HasPrefix("true", s), strings.HasPrefix("yes", s):
		return true, true
	case strings.HasPrefix("false", s), strings.HasPrefix("no", s):
		return false, true
	}
	return false, false
}

// arrayLiteral takes the literal of an array apart: behind ANY and ALL '{a,b}' is ARRAY['a', 'b'], elsewhere the server keeps the two
// apart, though they are one value.
func (r *run) arrayLiteral(v value, list []*string, of string) value {
	v.array = true
	for _, s := range list {
		e := value{text: "null::unknown", typ: unknown, literal: nullLiteral, total: true}
		if s != nil {
			e = value{typ: unknown, literal: stringLiteral, raw: *s, total: true, notNull: true}
		}
		v.elements = append(v.elements, r.coerce(e, of))
	}
	v.text = "literal " + r.arrayText(v.elements, v.typ)
	return v
}

// arrayElements reads the literal of an array of one dimension; nil is NULL.
func arrayElements(raw string) ([]*string, bool) {
	s := strings.TrimSpace(raw)
	if len(s) < 2 || s[0] != '{' || s[len(s)-1] != '}' {
		return nil, false
	}
	s = s[1 : len(s)-1]
	if strings.TrimSpace(s) == "" {
		return nil, true
	}
	var list []*string
	for {
		e, rest, ok := arrayElement(s)
		if !ok {
			return nil, false
		}
		list = append(list, e)
		if rest == "" {
			return list, true
		}
		s = rest[1:]
	}
}

// arrayElement reads one element; rest begins with the comma behind it.
func arrayElement(s string) (e *string, rest string, ok bool) {
	s = strings.TrimLeft(s, " \t\n\r\v\f")
	if strings.HasPrefix(s, `"`) {
		var b strings.Builder
		for i := 1; i < len(s); i++ {
			switch s[i] {
			case '\\':
				if i++; i < len(s) {
					b.WriteByte(s[i])
				}
			case '"':
				text := b.String()
				rest = strings.TrimLeft(s[i+1:], " \t\n\r\v\f")
				return &text, rest, rest == "" || rest[0] == ','
			default:
				b.WriteByte(s[i])
			}
		}
		return nil, "", false
	}
	end := strings.IndexByte(s, ',')
	if end < 0 {
		end = len(s)
	}
	word := strings.TrimRight(s[:end], " \t\n\r\v\f")
	if word == "" || strings.ContainsAny(word, `{}"\`) {
		return nil, "", false
	}
	if strings.EqualFold(word, "null") {
		return nil, s[end:], true
	}
	return &word, s[end:], true
}

// relationLiteral is 'name'::regclass, which stands for the relation and not for its name.
func (r *run) relationLiteral(v value) value {
	schema, name, ok := parseName(v.raw)
	if !ok {
		v.text = quoted(v.raw) + "::regclass"
		return v
	}
	v.total = false
	if n, ok := r.b.catalog.Resolve(r.o, schema, name); ok {
		r.ref("relation", n.String(), "")
		v.raw = n.String()
	} else if !isSystem(schema, name) && !r.b.foreign[name] {
		r.miss("relation", v.raw, 0)
	}
	v.text = quoted(v.raw) + "::regclass"
	return v
}

// carriedLiteral is the like for what the catalog carries as text. What it does not have is the server's or an extension's.
func (r *run) carriedLiteral(v value, kind string) value {
	if schema, name, ok := parseName(v.raw); ok {
		v.raw = name
		if key, found := r.other(kind, schema, name); found {
			r.ref(kind, key, "")
			v.raw = key
		}
	}
	v.text = quoted(v.raw) + "::" + v.typ
	return v
}

// parseName reads a name, qualified perhaps, in the text of a literal.
func parseName(s string) (schema, name string, ok bool) {
	var parts []string
	for s != "" {
		var part string
		if s[0] == '"' {
			end := 1
			for end < len(s) && (s[end] != '"' || end+1 < len(s) && s[end+1] == '"') {
				if s[end] == '"' {
					end++
				}
				end++
			}
			if end >= len(s) {
				return "", "", false
			}
			part, s = strings.ReplaceAll(s[1:end], `""`, `"`), s[end+1:]
		} else {
			end := strings.IndexByte(s, '.')
			if end < 0 {
				end = len(s)
			}
			part, s = strings.ToLower(s[:end]), s[end:]
		}
		parts = append(parts, part)
		if s == "" {
			break
		}
		if s[0] != '.' || len(s) == 1 {
			return "", "", false
		}
		s = s[1:]
	}
	switch len(parts) {
	case 1:
		return "", parts[0], parts[0] != ""
	case 2, 3:
		return parts[len(parts)-2], parts[len(parts)-1], true
	}
	return "", "", false
}

// label gives an enum's label the name that it has today.
func (r *run) label(v value) value {
	t := r.b.known.types[v.typ]
	v.total = false
	for i, then := range r.b.catalog.LabelsThen(r.o.Time, t) {
		if then == v.raw {
			v.raw, v.total = t.Labels[i], true
			break
		}
	}
	v.text = quoted(v.raw) + "::" + r.b.spelled(v.typ)
	return v
}
