package catalog

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/altergate/altergate/internal/schema"
)

// settleLiteral gives a default that is a constant the one form that its type has: what is a number is one however it is quoted, as it is
// stored and printed.
func (r *reader) settleLiteral(d *columnDef) {
	c, l := d.column, d.literal
	t := &c.Type
	text := l.value
	switch l.kind {
	case tokenHex:
		text = hexBytes(l.value)
	case tokenBit:
		text = hexBytes(bitsToHex(l.value))
	}
	if l.minus {
		text = "-" + text
	}
	if c.Default.AsIfText == "" {
		c.Default.AsIfText = l.text
	}
	canon, ok := "", false
	switch t.Base {
	case "tinyint", "smallint", "mediumint", "int", "bigint", "decimal", "float", "double", "year":
		if l.kind == tokenHex || l.kind == tokenBit {
			text = bytesToNumber(text)
		}
		text = strings.TrimSpace(text)
		if t.Base == "year" && l.kind == tokenString && strings.Trim(text, "0") == "" && len(text) < 4 {
			text = "2000"
		}
		canon, ok = numberLiteral(t, text)
	case "bit":
		canon, ok = bitLiteral(t, l, text)
	case "date", "datetime", "timestamp", "time":
		canon, ok = timeLiteral(t, l, text, moments{invalid: r.mode.invalidDates, latest: r.c.latestTimestamp()})
	case "enum":
		canon, ok = r.memberLiteral(t, text)
		// 0 is the error value to MariaDB, a member of that name or not.
		ok = ok && !(r.c.Server.MariaDB && l.kind == tokenNumber && text == "0")
	case "set":
		canon, ok = r.setLiteral(t, text)
	default:
		if l.kind == tokenNumber {
			text = numberText(text)
		}
		canon, ok = text, t.Length < 0 || len([]rune(text)) <= t.Length
		if t.Base == "binary" {
			canon = strings.TrimRight(canon, "\x00")
		} else if t.Base == "char" {
			canon = strings.TrimRight(canon, " ")
			ok = ok || len([]rune(canon)) <= t.Length
		}
	}
	if isText(t.Base) && l.kind == tokenString && !strings.HasPrefix(l.text, "_") && strings.HasPrefix(r.c.session.names(), "utf8") {
		if c, found := lacks(t.Charset, text); found {
			r.fail(d.said.at, schema.KindSchema, "the default %s has the character %q, which column %s cannot hold under %s; give it another default, or another character set", excerpt(orElse(d.column.Default.AsIfText, text)), c, d.column.Name, t.Charset)
			return
		}
	}
	if !ok {
		r.fail(d.said.at, schema.KindSchema, "the default %s does not fit column %s, which is %s", excerpt(orElse(c.Default.AsIfText, text)), c.Name, t)
		return
	}
	c.Default.Literal = quoteText(canon)
	if t.Base == "bit" {
		c.Default.Literal = canon
	}
}

func bytesToNumber(b string) string {
	n := new(big.Int).SetBytes([]byte(b))
	return n.String()
}

// numberText is what a number is as text: without zeros in front.
func numberText(text string) string {
	if strings.ContainsAny(text, "eE") {
		if f, err := strconv.ParseFloat(text, 64); err == nil {
			return strconv.FormatFloat(f, 'g', -1, 64)
		}
	}
	sign := ""
	if strings.HasPrefix(text, "-") {
		sign, text = "-", text[1:]
	}
	for len(text) > 1 && text[0] == '0' && isDigit(text[1]) {
		text = text[1:]
	}
	if strings.HasPrefix(text, ".") {
		text = "0" + text
	}
	return sign + text
}

// ranges are the bytes of the integers.
var integerBits = map[string]uint{"tinyint": 8, "smallint": 16, "mediumint": 24, "int": 32, "bigint": 64}

// numberLiteral gives a number as a column of a type holds it.
func numberLiteral(t *Type, text string) (string, bool) {
	if strings.ContainsAny(text, "/_pPxXbBoO") {
		return "", false
	}
	v, ok := new(big.Rat).SetString(text)
	if !ok || text == "" {
		return "", false
	}
	switch t.Base {
	case "float", "double":
		if t.Decimals >= 0 {
			return roundTo(v, t.Decimals), true
		}
		f, _ := v.Float64()
		if t.Base == "float" {
			return strconv.FormatFloat(f, 'g', -1, 32), !t.Unsigned || f >= 0
		}
		return strconv.FormatFloat(f, 'g', -1, 64), !t.Unsigned || f >= 0
	case "decimal":
		canon := roundTo(v, t.Decimals)
		digits := strings.TrimLeft(strings.NewReplacer("-", "", ".", "").Replace(canon), "0")
		return canon, len(digits) <= t.Length && !(t.Unsigned && v.Sign() < 0)
	case "year":
		n, err := strconv.Atoi(roundTo(v, 0))
		if err == nil && n > 0 && n < 100 {
			n += 1900
			if n < 1970 {
				n += 100
			}
		}
		return fmt.Sprintf("%04d", n), err == nil && (n == 0 || n >= 1901 && n <= 2155)
	}
	canon := roundTo(v, 0)
	n, _ := new(big.Int).SetString(canon, 10)
	bits := integerBits[t.Base]
	low, high := big.NewInt(0), new(big.Int).Lsh(big.NewInt(1), bits)
	if !t.Unsigned {
		high.Rsh(high, 1)
		low.Neg(high)
	}
	return canon, n.Cmp(low) >= 0 && n.Cmp(high) < 0
}

// roundTo gives a number with so many digits behind the point, halves away from zero.
func roundTo(v *big.Rat, decimals int) string {
	text := v.FloatString(decimals)
	if strings.Trim(text, "-0.") == "" {
		text = strings.TrimPrefix(text, "-")
	}
	return text
}

// bitLiteral gives the default of a BIT.
func bitLiteral(t *Type, l *literal, text string) (string, bool) {
	n := new(big.Int)
	switch l.kind {
	case tokenNumber:
		if _, ok := n.SetString(text, 10); !ok {
			return "", false
		}
	default:
		n.SetBytes([]byte(text))
	}
	return "b'" + n.Text(2) + "'", n.Sign() >= 0 && n.BitLen() <= t.Length
}

// memberLiteral gives an enum's default as the member is spelled, found without regard to case unless the collation has one.
func (r *reader) memberLiteral(t *Type, text string) (string, bool) {
	text = strings.TrimRight(text, " ")
	for _, m := range t.Members {
		if m == text {
			return m, true
		}
	}
	if !strings.HasSuffix(t.Collation, "_bin") && !strings.HasSuffix(t.Collation, "_cs") && t.Collation != "binary" {
		for _, m := range t.Members {
			if strings.EqualFold(m, text) {
				return m, true
			}
		}
	}
	return "", false
}

// setLiteral gives a set's default: its members in their order, each once.
func (r *reader) setLiteral(t *Type, text string) (string, bool) {
	if text == "" {
		return "", true
	}
	in := map[string]bool{}
	for _, part := range strings.Split(text, ",") {
		m, ok := r.memberLiteral(t, part)
		if !ok {
			return "", false
		}
		in[m] = true
	}
	var list []string
	for _, m := range t.Members {
		if in[m] {
			list = append(list, m)
		}
	}
	return strings.Join(list, ","), true
}
