package catalog

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// charmaps are the single-byte character sets whose characters are known here: where the servers have others than the table, it is left out.
var charmaps = map[string]*charmap.Charmap{
	"cp1250": charmap.Windows1250, "cp1251": charmap.Windows1251, "cp1256": charmap.Windows1256, "cp1257": charmap.Windows1257,
	"cp850": charmap.CodePage850, "cp852": charmap.CodePage852, "koi8r": charmap.KOI8R, "latin1": charmap.Windows1252, "latin2": charmap.ISO8859_2, "latin5": charmap.ISO8859_9,
	"latin7": charmap.ISO8859_13, "macroman": charmap.Macintosh,
}

// lacks gives the first character of a text that a character set does not hold; ok is false where it is not known of one.
func lacks(set, text string) (c rune, ok bool) {
	if !utf8.ValidString(text) {
		return 0, false
	}
	for _, c := range text {
		if c >= 0x80 && !holds(set, c) {
			return c, true
		}
	}
	return 0, false
}

// holds tells whether a character set may hold a character; where it is not known it does.
func holds(set string, c rune) bool {
	switch set {
	case "utf8mb4", "utf16", "utf16le", "utf32", "gb18030", "binary", "":
		return true
	case "ascii":
		return false
	}
	if c > 0xFFFF {
		return false // "The utf8mb4 Character Set", MySQL's manual: the others have no supplementary characters
	}
	m := charmaps[set]
	if m == nil || c < 0xA0 || set == "latin1" && strings.ContainsRune("\u0081\u008d\u008f\u0090\u009d", c) {
		return true
	}
	_, ok := m.EncodeRune(c)
	return ok
}
