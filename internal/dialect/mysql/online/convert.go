package online

import (
	"fmt"

	"github.com/altergate/altergate/internal/dialect/mysql/catalog"
	"github.com/altergate/altergate/internal/dialect/mysql/server"
	"github.com/altergate/altergate/internal/plan"
)

// Fate is what becomes of the values in a column whose type changes. The values are ordered.
type Fate int

// Kept is every value as it is. Checked is every value as it is, or the plan stops: nothing is cut off in silence, in no sql_mode. Lossy is
// everything else that the server does: where sql_mode is strict, a value that does not fit stops the plan, and where it is not, the value
// is changed. Refused is what a server in its default, strict sql_mode does not do, whatever the
// values are, and with none at all.
const (
	Kept Fate = iota
	Checked
	Lossy
	Refused
)

// String gives the word.
func (f Fate) String() string { return [...]string{"kept", "checked", "lossy", "refused"}[f] }

// Conversion is what becomes of the values, and why, as a clause.
type Conversion struct {
	Fate Fate
	Why  string
}

// Plan is the conversion as rules read it.
func (c Conversion) Plan() (plan.Conversion, string) {
	return [...]plan.Conversion{plan.Unchanged, plan.Checked, plan.Converted, plan.Converted}[c.Fate], c.Why
}

func kept(why string, args ...any) Conversion { return Conversion{Kept, fmt.Sprintf(why, args...)} }
func checked(why string, args ...any) Conversion {
	return Conversion{Checked, fmt.Sprintf(why, args...)}
}
func lossy(why string, args ...any) Conversion { return Conversion{Lossy, fmt.Sprintf(why, args...)} }

// kind is what types have to share for one value to mean the same in both.
type kind int

const (
	unknown kind = iota
	integer
	exactNumber // decimal
	approximate // float, double
	bits
	year
	temporal
	text
	bytes
	member // enum, set
	document
	shape
)

var kinds = map[string]kind{
	"tinyint": integer, "smallint": integer, "mediumint": integer, "int": integer, "bigint": integer,
	"decimal": exactNumber, "float": approximate, "double": approximate, "bit": bits, "year": year,
	"date": temporal, "datetime": temporal, "timestamp": temporal, "time": temporal,
	"char": text, "varchar": text, "tinytext": text, "text": text, "mediumtext": text, "longtext": text,
	"binary": bytes, "varbinary": bytes, "tinyblob": bytes, "blob": bytes, "mediumblob": bytes, "longblob": bytes,
	"enum": member, "set": member, "json": document,
}

func kindOf(t catalog.Type) kind {
	switch {
	case geometry(t.Base):
		return shape
	case kinds[t.Base] == text && t.Charset == "binary":
		return bytes
	}
	return kinds[t.Base]
}

// Convert says what becomes of the values of a column whose type changes, its character set and collation included. NULL is no value: what
// becomes of it hangs on NOT NULL.
func Convert(from, to *catalog.Column, sv server.Server) Conversion {
	f, t := from.Type, to.Type
	fk, tk := kindOf(f), kindOf(t)
	if sv.MariaDB { // there JSON is another name of a text with a check
		f, fk = asText(f, fk)
		t, tk = asText(t, tk)
		if a, b := castClass(f, fk), castClass(t, tk); a != "" && b != "" && a != b && !(a == "inet4" && b == "inet6" && sv.Maria(11, 3, 0)) {
			return Conversion{Refused, fmt.Sprintf("MariaDB makes no %s of %s", t.Base, f.Base)}
		}
	}
	switch {
	case fk == unknown || tk == unknown:
		if f.Base == t.Base && f.Length == t.Length && f.Decimals == t.Decimals {
			return kept("it is the same type")
		}
		return lossy("values of %s become values of another kind", f.Base)
	case fk == integer && tk == integer:
		return integers(f, t)
	case fk == text && tk == text:
		return texts(f, t)
	case fk == bytes && tk == bytes:
		return byteStrings(f, t)
	case fk == member && tk == member:
		return memberLists(f, t)
	case fk == member && tk == text:
		return memberText(f, t)
	case fk == temporal && tk == temporal:
		return temporals(f, t)
	case fk == shape && tk == shape:
		return shapes(from, to)
	case fk == year && tk == year:
		return kept("it is the same type")
	case fk <= year && tk <= year:
		return numbers(f, t, fk, tk)
	case fk == document && tk == document:
		return kept("it is the same type")
	case fk == document && t.Base == "longtext" && charBytes(t.Charset) == 4:
		return checked("a document becomes its text, which is compared in another way and no longer has to be JSON")
	case tk == document:
		return lossy("text that is no JSON stops the plan, and other text is written in the server's own form")
	case fk == text && tk == bytes:
		return lossy("text becomes its bytes, which are compared in another way and belong to no character set")
	case fk == bytes && tk == text:
		return lossy("bytes that are no text in %s are cut off or stop the plan", t.Charset)
	case tk == member:
		return lossy("a value that is none of the members becomes empty or stops the plan")
	}
	return lossy("%s becomes %s, a value of another kind, which is compared and sorted in another way", article(fk, f), article(tk, t))
}

// castClass is the class of types that MariaDB casts into each other in an assignment; empty for text and bytes, which go into all and of
// all. Between two others it answers error 4078, in an empty table too.
func castClass(t catalog.Type, k kind) string {
	switch k {
	case integer, exactNumber, approximate, bits, year, temporal:
		return "number"
	case shape:
		return "shape"
	}
	switch t.Base {
	case "inet4", "inet6", "uuid":
		return t.Base
	}
	return ""
}

// asText makes of MariaDB's JSON what it is.
func asText(t catalog.Type, k kind) (catalog.Type, kind) {
	if k == document {
		t.Base, t.Charset, t.Collation, k = "longtext", "utf8mb4", "utf8mb4_bin", text
	}
	return t, k
}

func article(k kind, t catalog.Type) string {
	switch k {
	case integer, exactNumber, approximate, bits:
		return "a number"
	case text:
		return "text"
	case bytes:
		return "a string of bytes"
	case document:
		return "a JSON document"
	case shape:
		return "a geometry"
	case member:
		return "a member of a list"
	}
	return "a " + t.Base
}

// shapes are of geometries. A shape of another kind, and a value in another reference system, are refused whatever sql_mode is.
func shapes(from, to *catalog.Column) Conversion {
	switch {
	case from.Type.Base != to.Type.Base && to.Type.Base != "geometry" && from.Type.Base != "geometry":
		return lossy("a %s is no %s", from.Type.Base, to.Type.Base)
	case from.Type.Base != to.Type.Base && to.Type.Base != "geometry":
		return checked("a geometry that is no %s stops the plan", to.Type.Base)
	case from.SRID != to.SRID && to.SRID != "":
		return checked("a geometry in another reference system stops the plan")
	}
	return kept("every %s is one still", from.Type.Base)
}
