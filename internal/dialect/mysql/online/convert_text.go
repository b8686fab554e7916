package online

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/altergate/altergate/internal/dialect/mysql/catalog"
)

// longBytes are the bytes that types without a length of their own hold.
var longBytes = map[string]int{
	"tinytext": 255, "text": 65_535, "mediumtext": 16_777_215, "longtext": 4_294_967_295,
	"tinyblob": 255, "blob": 65_535, "mediumblob": 16_777_215, "longblob": 4_294_967_295,
}

// longest gives the characters that a type surely holds, and those that it may hold: they differ where the limit is one of bytes.
func longest(t catalog.Type) (surely, perhaps int) {
	if n, ok := longBytes[t.Base]; ok {
		return n / charBytes(t.Charset), n / leastBytes(t.Charset)
	}
	return t.Length, t.Length
}

// leastBytes is the shortest character of a set.
func leastBytes(charset string) int {
	switch charset {
	case "ucs2", "utf16", "utf16le":
		return 2
	case "utf32":
		return 4
	}
	return 1
}

// texts are of text with text. CHAR gives its values without blanks at the end, so they go when another type becomes one.
func texts(f, t catalog.Type) Conversion {
	if !keepsAll(f.Charset, t.Charset) {
		return lossy("characters that are not in %s become ? or stop the plan", t.Charset)
	}
	surely, _ := longest(t)
	_, perhaps := longest(f)
	same := f.Charset == t.Charset && longBytes[t.Base] > 0 && longBytes[t.Base] >= longBytes[f.Base] && longBytes[f.Base] > 0
	switch {
	case perhaps > surely && !same && longBytes[t.Base] > 0 && longBytes[f.Base] > 0 && longBytes[t.Base] >= longBytes[f.Base]*charBytes(t.Charset)/leastBytes(f.Charset):
		// as many bytes as it can take
	case perhaps > surely && !same && longBytes[t.Base] > 0:
		return lossy("text longer than %d bytes is cut off or stops the plan", longBytes[t.Base])
	case perhaps > surely && !same:
		return lossy("text longer than %d characters is cut off or stops the plan", surely)
	case t.Base == "char" && f.Base != "char":
		return lossy("blanks at the end are cut off")
	}
	return collations(f, t)
}

// collations is of text that keeps its characters: which values are equal can change with the collation.
func collations(f, t catalog.Type) Conversion {
	switch {
	case f.Collation == t.Collation, f.Charset != t.Charset && sameOrder(f.Collation, t.Collation), f.Charset != t.Charset && exact(t.Collation):
		return kept("every character has its place in %s", t.Charset)
	case exact(t.Collation):
		return checked("values that were equal are no longer, and come in another order")
	}
	return checked("values that were different can be equal, so that a unique key stops the plan")
}

// byteStrings are of bytes with bytes. BINARY fills its values with zero bytes at the end.
func byteStrings(f, t catalog.Type) Conversion {
	surely, _ := longest(asBytes(t))
	_, perhaps := longest(asBytes(f))
	switch {
	case perhaps > surely:
		return lossy("values longer than %d bytes are cut off or stop the plan", surely)
	case t.Base == "binary" && (f.Base != "binary" || f.Length != t.Length):
		return lossy("values shorter than %d bytes are filled with zero bytes", t.Length)
	case t.Base == "char" && f.Base != "char":
		return lossy("blanks at the end are cut off")
	}
	return kept("every byte stays")
}

func asBytes(t catalog.Type) catalog.Type {
	t.Charset = "binary"
	return t
}

// memberLists are of an enum or a set with another. Values go over by their text.
func memberLists(f, t catalog.Type) Conversion {
	if !keepsMembers(f, t.Charset) {
		return lossy("characters that are not in %s become ? or stop the plan", t.Charset)
	}
	var gone []string
	for _, m := range f.Members {
		if !slices.Contains(t.Members, m) {
			gone = append(gone, m)
		}
	}
	switch {
	case len(gone) > 0:
		return lossy("a row that holds %s, which is gone, loses it or stops the plan", quoted(gone))
	case f.Base == "set" && t.Base == "enum":
		return lossy("a row that holds several members becomes empty or stops the plan")
	case f.Base != t.Base:
		return checked("members are numbered in another way")
	case !appended(f, t):
		return checked("members are in another order, by which values are sorted and compared")
	case enumBytes(f) != enumBytes(t):
		return checked("values take more room, and a row that holds none of the members stops the plan")
	}
	if f.Collation != t.Collation {
		return checked("members are compared in another way")
	}
	return kept("no value that is stored changes")
}

// keepsMembers tells whether every member of a list can be written in a character set.
func keepsMembers(t catalog.Type, charset string) bool {
	if keepsAll(t.Charset, charset) {
		return true
	}
	plain := func(m string) bool { return strings.IndexFunc(m, func(r rune) bool { return r > 127 }) < 0 }
	return keepsAll("ascii", charset) && !slices.ContainsFunc(t.Members, func(m string) bool { return !plain(m) })
}

func quoted(members []string) string {
	var all []string
	for i, m := range members {
		if i == 3 {
			all = append(all, "…")
			break
		}
		all = append(all, "'"+m+"'")
	}
	return strings.Join(all, " or ")
}

// memberText is of an enum or a set that becomes text, which its members are already.
func memberText(f, t catalog.Type) Conversion {
	n, most := 0, 0
	for _, m := range f.Members {
		n += utf8.RuneCountInString(m) + 1
		most = max(most, utf8.RuneCountInString(m))
	}
	if f.Base == "set" {
		most = n - 1
	}
	surely, _ := longest(t)
	switch {
	case !keepsMembers(f, t.Charset):
		return lossy("characters that are not in %s become ? or stop the plan", t.Charset)
	case most > surely:
		return lossy("text longer than %d characters is cut off or stops the plan", surely)
	}
	return checked("values become their text, by which they are sorted from then on")
}
