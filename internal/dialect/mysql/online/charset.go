package online

import "strings"

// charsets are the character sets that say more of themselves than their name: the longest character in bytes, and which of them keep
// every character of another. For one that is not here the longest is four bytes and no other keeps it, which is the cautious answer.
var charsets = map[string]struct {
	bytes int
	in    []string // the sets that have all its characters
}{
	"ascii":    {1, []string{"latin1", "latin2", "latin5", "latin7", "cp1250", "cp1251", "cp1256", "cp1257", "cp850", "cp852", "cp866", "greek", "hebrew", "koi8r", "koi8u", "utf8mb3", "utf8mb4", "utf16", "utf16le", "utf32", "ucs2", "gb18030"}},
	"latin1":   {1, unicode},
	"latin2":   {1, unicode},
	"latin5":   {1, unicode},
	"latin7":   {1, unicode},
	"cp1250":   {1, unicode},
	"cp1251":   {1, unicode},
	"cp1256":   {1, unicode},
	"cp1257":   {1, unicode},
	"cp850":    {1, unicode},
	"cp852":    {1, unicode},
	"cp866":    {1, unicode},
	"greek":    {1, unicode},
	"hebrew":   {1, unicode},
	"koi8r":    {1, unicode},
	"koi8u":    {1, unicode},
	"binary":   {1, nil},
	"ucs2":     {2, unicode},
	"utf8mb3":  {3, []string{"utf8mb4", "utf16", "utf16le", "utf32", "ucs2"}},
	"utf8mb4":  {4, []string{"utf16", "utf16le", "utf32"}},
	"utf16":    {4, []string{"utf8mb4", "utf16le", "utf32"}},
	"utf16le":  {4, []string{"utf8mb4", "utf16", "utf32"}},
	"utf32":    {4, []string{"utf8mb4", "utf16", "utf16le"}},
	"gbk":      {2, nil},
	"gb2312":   {2, nil},
	"big5":     {2, nil},
	"sjis":     {2, nil},
	"cp932":    {2, nil},
	"euckr":    {2, nil},
	"ujis":     {3, nil},
	"eucjpms":  {3, nil},
	"swe7":     {1, nil},
	"hp8":      {1, nil},
	"dec8":     {1, nil},
	"armscii8": {1, nil},
	"geostd8":  {1, nil},
	"keybcs2":  {1, nil},
	"macce":    {1, nil},
	"macroman": {1, nil},
	"tis620":   {1, nil},
}

var unicode = []string{"utf8mb3", "utf8mb4", "utf16", "utf16le", "utf32", "ucs2"}

// charBytes gives the longest character of a set in bytes.
func charBytes(charset string) int {
	if c, ok := charsets[charset]; ok {
		return c.bytes
	}
	return 4
}

// keepsAll tells whether every character of one set is in another.
func keepsAll(from, to string) bool {
	if from == to {
		return true
	}
	for _, c := range charsets[from].in {
		if c == to {
			return true
		}
	}
	return false
}

// sameOrder tells whether two collations of different character sets compare what both can hold in the same way. The pairs are those for
// which MariaDB keeps an index.
func sameOrder(from, to string) bool {
	for _, suffix := range []string{"_general_ci", "_unicode_ci", "_bin"} {
		if from == "utf8mb3"+suffix && to == "utf8mb4"+suffix {
			return true
		}
	}
	return from == to
}

// exact tells whether a collation tells apart whatever differs in its characters, so that no two values become equal under it.
func exact(collation string) bool {
	return collation == "binary" || strings.HasSuffix(collation, "_bin")
}
