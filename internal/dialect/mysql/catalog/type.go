package catalog

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/altergate/altergate/internal/schema"
)

// said is what a column's definition says beside what Column holds.
type said struct {
	set, collation string // as stated
	binary         bool   // the attribute BINARY: the character set's _bin collation
	serial         bool
	json           bool // MariaDB's alias
	long           bool // TEXT(n) or BLOB(n): the length picks the type
	null           bool // NULL
	at             token
	typeAt         token
}

// aliases are the names under which the servers know their types ("Using Data Types from Other Database Engines", MySQL's manual).
var aliases = map[string]string{
	"bool": "tinyint", "boolean": "tinyint", "int1": "tinyint", "int2": "smallint", "int3": "mediumint", "middleint": "mediumint", "int4": "int", "int8": "bigint",
	"integer": "int", "dec": "decimal", "numeric": "decimal", "fixed": "decimal", "float4": "float", "float8": "double", "character": "char",
	"geometrycollection": "geometrycollection", "geomcollection": "geometrycollection",
}

// plainTypes are the types that are written as they are printed.
var plainTypes = map[string]bool{"tinyint": true, "smallint": true, "mediumint": true, "int": true, "bigint": true, "decimal": true, "float": true, "double": true,
	"bit": true, "date": true, "time": true, "datetime": true, "timestamp": true, "year": true, "char": true, "varchar": true, "binary": true, "varbinary": true,
	"tinytext": true, "text": true, "mediumtext": true, "longtext": true, "tinyblob": true, "blob": true, "mediumblob": true, "longblob": true, "enum": true, "set": true,
	"json": true, "geometry": true, "point": true, "linestring": true, "polygon": true, "multipoint": true, "multilinestring": true, "multipolygon": true,
	"geometrycollection": true, "inet6": true, "inet4": true, "uuid": true, "vector": true, "xmltype": true}

// readType reads a column's type up to its attributes.
func (r *reader) readType(s *said) Type {
	s.typeAt = r.here()
	t := Type{Length: -1, Decimals: -1}
	word := strings.ToLower(r.ident())
	t.Base = word
	if a, ok := aliases[word]; ok {
		t.Base = a
	}
	switch word {
	case "bool", "boolean":
		t.Length = 1
		return t
	case "serial":
		s.serial = true
		t.Base, t.Unsigned = "bigint", true
		return t
	case "real":
		t.Base = "double"
		if r.mode.realAsFloat {
			t.Base = "float"
		}
	case "double":
		r.take("precision")
	case "national":
		s.set = "utf8mb3"
		switch {
		case r.take("varchar"), r.take("char", "varying"), r.take("character", "varying"), r.take("varcharacter"):
			t.Base = "varchar"
		case r.take("char"), r.take("character"):
			t.Base = "char"
		default:
			r.failSyntax("CHAR or VARCHAR")
		}
	case "nchar", "nvarchar":
		s.set = "utf8mb3"
		t.Base = word[1:]
		if word == "nchar" && (r.take("varying") || r.take("varchar") || r.take("varcharacter")) {
			t.Base = "varchar"
		}
	case "char", "character":
		if r.take("varying") {
			t.Base = "varchar"
		}
	case "varcharacter":
		t.Base = "varchar"
	case "long":
		t.Base = "mediumtext"
		switch {
		case r.take("varbinary"):
			t.Base = "mediumblob"
		case r.take("char", "varying"), r.take("varchar"), r.take("character", "varying"), r.take("varcharacter"):
		}
	}
	if !plainTypes[t.Base] && r.err == nil {
		r.fail(s.typeAt, schema.KindUnsupported, "the type %s is not understood; %s has none of that name that is known here", excerpt(word), r.c.Server)
		return t
	}
	r.typeBelongs(s.typeAt, &t)
	r.typeArguments(&t, s)
	r.typeAttributes(&t, s)
	return t
}

// typeBelongs refuses a type that the server does not have.
func (r *reader) typeBelongs(at token, t *Type) {
	have := true
	sv := r.c.reads
	switch t.Base {
	case "inet6":
		have = sv.MariaDB
	case "inet4":
		have = sv.Maria(10, 10, 0)
	case "uuid":
		have = sv.Maria(10, 7, 0)
	case "xmltype":
		have = sv.Maria(12, 3, 0)
	case "vector":
		have = sv.Maria(11, 7, 0) || sv.MySQL(9, 0, 0)
	}
	if !have {
		r.fail(at, schema.KindSchema, "%s has no type %s; use another, or state the version that has it", sv, t.Base)
	}
}

// typeArguments reads lengths or members.
func (r *reader) typeArguments(t *Type, s *said) {
	if t.Base == "enum" || t.Base == "set" {
		r.want("(")
		for r.err == nil {
			member := ""
			switch at := r.here(); at.kind {
			case tokenHex:
				member = hexBytes(r.next().value)
			default:
				if at.kind == tokenWord && strings.HasPrefix(at.text, "_") {
					r.next()
				}
				member = r.text()
			}
			t.Members = append(t.Members, strings.TrimRight(member, " "))
			if !r.take(",") {
				break
			}
		}
		r.want(")")
		return
	}
	length, decimals := -1, -1
	if r.take("(") {
		length = r.small()
		if r.take(",") {
			decimals = r.small()
		}
		r.want(")")
	}
	switch t.Base {
	case "tinyint":
		if length == 1 {
			t.Length = 1
		} else {
			t.Length = length // kept until it is known whether ZEROFILL follows
		}
	case "smallint", "mediumint", "int", "bigint":
		t.Length = length
	case "decimal":
		t.Length, t.Decimals = 10, 0
		if length > 0 {
			t.Length = length
		}
		if decimals >= 0 {
			t.Decimals = decimals
		}
		if t.Length > 65 || t.Decimals > 38 || t.Decimals > t.Length {
			r.fail(s.typeAt, schema.KindSchema, "decimal(%d,%d) is not possible: 65 digits are the most, 38 behind the point (30 in MySQL), and no more behind it than there are", t.Length, t.Decimals)
		}
	case "float", "double":
		switch {
		case decimals >= 0:
			t.Length, t.Decimals = length, decimals
		case length > 24 && t.Base == "float":
			t.Base = "double"
		}
	case "bit":
		t.Length = max(length, 1)
	case "char", "binary":
		t.Length = 1
		if length >= 0 {
			t.Length = length
		}
	case "varchar", "varbinary":
		if length < 0 && r.err == nil {
			r.fail(s.typeAt, schema.KindSyntax, "%s needs a length; write %s(255), say", t.Base, t.Base)
		}
		t.Length = length
	case "time", "datetime", "timestamp":
		if length > 0 {
			t.Decimals = length
		}
		if length > 6 {
			r.fail(s.typeAt, schema.KindSchema, "%s(%d) has more than the 6 digits of a second that there are", t.Base, length)
		}
	case "text", "blob":
		if length > 0 {
			t.Length, s.long = length, true
		}
	case "vector":
		t.Length = length
		if length < 0 {
			t.Length = 2048
		}
	case "json":
		if r.c.Server.MariaDB {
			t.Base, s.json = "longtext", true
		}
	}
}

func (r *reader) small() int {
	t := r.here()
	n, err := strconv.Atoi(t.text)
	if t.kind != tokenNumber || err != nil {
		r.failSyntax("a number")
		return -1
	}
	r.next()
	return n
}

// typeAttributes reads what may follow a type before all other attributes.
func (r *reader) typeAttributes(t *Type, s *said) {
	for r.err == nil {
		switch {
		case r.take("unsigned"):
			t.Unsigned = true
		case r.take("signed"):
		case r.take("zerofill"):
			t.Zerofill, t.Unsigned = true, true
		case r.take("byte"):
			s.set = "binary"
		case r.take("character", "set"), r.take("charset"), r.take("char", "set"):
			s.set = r.charsetWord()
			s.at = r.list[r.i-1]
		case r.take("ascii"):
			s.set = "latin1"
		case r.take("unicode"):
			s.set = "ucs2"
		case isText(t.Base) && r.take("binary"):
			s.binary = true
		default:
			r.trimWidth(t)
			return
		}
	}
}

// widths are how wide ZEROFILL fills where no width is stated.
var widths = map[string]int{"tinyint": 3, "smallint": 5, "mediumint": 8, "int": 10, "bigint": 20}

// trimWidth takes away an integer's width, which changes nothing but what ZEROFILL shows; tinyint(1) stays, since clients take it for a boolean.
func (r *reader) trimWidth(t *Type) {
	width, ok := widths[t.Base]
	switch {
	case !ok:
	case t.Zerofill && t.Length < 0:
		t.Length = width
	case t.Zerofill:
	case t.Base == "tinyint" && t.Length == 1 && !t.Unsigned:
	default:
		t.Length = -1
	}
}

// isText tells whether values of a type have a character set.
func isText(base string) bool {
	switch base {
	case "char", "varchar", "tinytext", "text", "mediumtext", "longtext", "enum", "set":
		return true
	}
	return false
}

// Binary tells whether the type holds bytes.
func (t *Type) Binary() bool {
	switch t.Base {
	case "binary", "varbinary", "tinyblob", "blob", "mediumblob", "longblob":
		return true
	}
	return false
}

// binaryOf are the types that a text type is under the character set binary.
var binaryOf = map[string]string{"char": "binary", "varchar": "varbinary", "tinytext": "tinyblob", "text": "blob", "mediumtext": "mediumblob", "longtext": "longblob"}

// settleType gives a text type its character set, and picks the one that a length asks for.
func (r *reader) settleType(t *Type, s *said, set, collation string) {
	if s.json {
		t.Charset, t.Collation = "utf8mb4", "utf8mb4_bin"
		return
	}
	if isText(t.Base) {
		var ok bool
		t.Charset, t.Collation, ok = r.c.settleCharset(s.set, s.collation, set, collation)
		if !ok {
			r.fail(s.at, schema.KindSchema, "the collation %s is none of the character set %s; name one that is", s.collation, s.set)
		}
		if s.binary && s.collation == "" {
			t.Collation = t.Charset + "_bin"
		}
		if t.Charset == "binary" {
			t.Collation = "binary"
			if b, ok := binaryOf[t.Base]; ok {
				t.Base, t.Charset, t.Collation = b, "", ""
			}
		}
	}
	r.fitLength(t, s)
}

// fitLength picks the type that TEXT(n) and BLOB(n) stand for, and refuses what is too long for a row.
func (r *reader) fitLength(t *Type, s *said) {
	most := max(1, charsets[t.Charset].most)
	if s.long {
		bytes := t.Length * most
		kind := "blob"
		if strings.HasSuffix(t.Base, "text") {
			kind = "text"
		}
		switch {
		case bytes < 1<<8:
			t.Base = "tiny" + kind
		case bytes < 1<<16:
			t.Base = kind
		case bytes < 1<<24:
			t.Base = "medium" + kind
		default:
			t.Base = "long" + kind
		}
		t.Length = -1
	}
	switch t.Base {
	case "varchar", "varbinary":
		if t.Length*most > 65535 {
			r.fail(s.typeAt, schema.KindSchema, "%s(%d) is longer than a row can be: %d is the most under %s; use text or blob", t.Base, t.Length, 65535/most, orElse(t.Charset, "binary"))
		}
	case "char", "binary":
		if t.Length > 255 {
			r.fail(s.typeAt, schema.KindSchema, "%s(%d) is too long: 255 is the most; use var%s", t.Base, t.Length, t.Base)
		}
	}
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

func hexBytes(digits string) string {
	if len(digits)%2 == 1 {
		digits = "0" + digits
	}
	var b strings.Builder
	for i := 0; i+1 < len(digits); i += 2 {
		n, _ := strconv.ParseUint(digits[i:i+2], 16, 8)
		b.WriteByte(byte(n))
	}
	return b.String()
}

// String writes a type as SHOW CREATE TABLE does, without its character set.
func (t Type) String() string {
	var b strings.Builder
	b.WriteString(t.Base)
	switch {
	case t.Members != nil:
		b.WriteByte('(')
		for i, m := range t.Members {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(quoteText(m))
		}
		b.WriteByte(')')
	case t.Length >= 0 && t.Decimals >= 0:
		fmt.Fprintf(&b, "(%d,%d)", t.Length, t.Decimals)
	case t.Length >= 0:
		fmt.Fprintf(&b, "(%d)", t.Length)
	case t.Decimals >= 0:
		fmt.Fprintf(&b, "(%d)", t.Decimals)
	}
	if t.Unsigned {
		b.WriteString(" unsigned")
	}
	if t.Zerofill {
		b.WriteString(" zerofill")
	}
	return b.String()
}
