package online

import (
	"slices"

	"github.com/altergate/altergate/internal/dialect/mysql/catalog"
)

// storage is what a change of type does to the bytes in which values are kept.
type storage int

// From the least to the most. What is between is no order but for sameBytes and otherBytes.
const (
	sameBytes   storage = iota // all of it is the same
	otherDigits                // how a number is shown changes: int(5) to int(11), ZEROFILL, float(7,3)
	longer                     // more characters, and their number takes as many bytes as before
	members                    // more members at the end of an enum or a set that is as wide as before
	unicodeWide                // utf8mb3 becomes utf8mb4, in as many bytes for the length as before
	collated                   // the collation alone
	anyShape                   // a point becomes a geometry; a SRID comes, goes or changes
	otherBytes                 // anything else
)

var lengthTypes = []string{"varchar", "varbinary"}

// lengthBytes is the number of bytes that hold the length of a value.
func lengthBytes(t catalog.Type) int {
	if maxBytes(t) > 255 {
		return 2
	}
	return 1
}

// maxBytes is the longest value of a type with a length.
func maxBytes(t catalog.Type) int {
	if t.Base == "varbinary" || t.Base == "binary" {
		return t.Length
	}
	return t.Length * charBytes(t.Charset)
}

// step tells whether a longer type needs another number of bytes for the length of its values. MariaDB keeps lengths up to 127 in the
// same way before and after, and all of them in a table with ROW_FORMAT=REDUNDANT (MDEV-15563).
func (a Alter) step(from, to catalog.Type) bool {
	if lengthBytes(from) == lengthBytes(to) {
		return false
	}
	return !a.Server.MariaDB || maxBytes(from) > 127 && a.table().RowFormat != "REDUNDANT"
}

// enumBytes is the size of a value of an enum or a set: manual 13.7, "Data Type Storage Requirements".
func enumBytes(t catalog.Type) int {
	n := len(t.Members)
	switch {
	case t.Base == "enum" && n < 256:
		return 1
	case t.Base == "enum":
		return 2
	case n > 32:
		return 8
	case n > 24:
		return 4
	}
	return (n + 7) / 8
}

// appended tells whether members were only added behind the others.
func appended(from, to catalog.Type) bool {
	return len(to.Members) >= len(from.Members) && slices.Equal(from.Members, to.Members[:len(from.Members)])
}

// storageChange says what the change of a column's type does to the bytes.
func (a Alter) storageChange(from, to *catalog.Column) storage {
	f, t := from.Type, to.Type
	if f.Base != t.Base {
		if geometry(f.Base) && t.Base == "geometry" {
			return anyShape
		}
		if f.Base == "varchar" && f.Charset == "binary" && t.Base == "varbinary" && t.Length >= f.Length && !a.step(f, t) {
			return longer
		}
		return otherBytes
	}
	switch {
	case len(f.Members) > 0 || len(t.Members) > 0:
		switch {
		case f.Charset != t.Charset || f.Collation != t.Collation || !appended(f, t) || enumBytes(f) != enumBytes(t):
			return otherBytes
		case len(f.Members) < len(t.Members):
			return members
		}
		return sameBytes
	case geometry(f.Base):
		if from.SRID != to.SRID {
			return anyShape
		}
		return sameBytes
	case f.Charset != "" || t.Charset != "":
		return a.textChange(f, t)
	case number[f.Base]:
		return numberChange(f, t)
	case f.Unsigned != t.Unsigned:
		return otherBytes
	case f.Length != t.Length && f.Base == "varbinary" && t.Length > f.Length && !a.step(f, t):
		return longer
	case f.Length != t.Length || f.Decimals != t.Decimals && max(f.Decimals, 0) != max(t.Decimals, 0):
		return otherBytes
	case f.Zerofill != t.Zerofill:
		return otherDigits
	}
	return sameBytes
}

// number are the types whose width says nothing of what they hold.
var number = map[string]bool{"tinyint": true, "smallint": true, "mediumint": true, "int": true, "bigint": true, "float": true, "double": true}

func numberChange(f, t catalog.Type) storage {
	switch {
	case f.Unsigned != t.Unsigned:
		return otherBytes
	case t.Decimals >= 0 && (f.Decimals < 0 || t.Decimals < f.Decimals):
		return otherBytes // digits that are no longer shown would stay, and an index would not find the number by those that are
	case f.Length != t.Length, f.Decimals != t.Decimals, f.Zerofill != t.Zerofill:
		return otherDigits
	}
	return sameBytes
}

// textChange is of types that hold text, or bytes.
func (a Alter) textChange(f, t catalog.Type) storage {
	sized := slices.Contains(lengthTypes, f.Base)
	switch {
	case f.Length != t.Length && (!sized || t.Length < f.Length):
		return otherBytes
	case sized && a.step(f, t):
		return otherBytes
	case f.Charset == "utf8mb3" && t.Charset == "utf8mb4":
		return unicodeWide
	case f.Charset != t.Charset:
		return otherBytes
	case f.Collation != t.Collation && f.Length != t.Length:
		return otherBytes // each of the two would do; together nobody says so
	case f.Collation != t.Collation:
		return collated
	case f.Length != t.Length:
		return longer
	}
	return sameBytes
}

func geometry(base string) bool {
	switch base {
	case "geometry", "point", "linestring", "polygon", "multipoint", "multilinestring", "multipolygon", "geometrycollection":
		return true
	}
	return false
}
