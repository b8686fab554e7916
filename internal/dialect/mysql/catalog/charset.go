package catalog

import (
	"strings"
)

// charset is a character set: the collation that goes with it unless another is named, and its longest character in bytes.
type charset struct {
	collation string
	most      int
}

// charsets are the character sets of both servers, as information_schema.character_sets has them.
var charsets = map[string]charset{
	"armscii8": {"armscii8_general_ci", 1},
	"ascii":    {"ascii_general_ci", 1},
	"big5":     {"big5_chinese_ci", 2},
	"binary":   {"binary", 1},
	"cp1250":   {"cp1250_general_ci", 1},
	"cp1251":   {"cp1251_general_ci", 1},
	"cp1256":   {"cp1256_general_ci", 1},
	"cp1257":   {"cp1257_general_ci", 1},
	"cp850":    {"cp850_general_ci", 1},
	"cp852":    {"cp852_general_ci", 1},
	"cp866":    {"cp866_general_ci", 1},
	"cp932":    {"cp932_japanese_ci", 2},
	"dec8":     {"dec8_swedish_ci", 1},
	"eucjpms":  {"eucjpms_japanese_ci", 3},
	"euckr":    {"euckr_korean_ci", 2},
	"gb18030":  {"gb18030_chinese_ci", 4},
	"gb2312":   {"gb2312_chinese_ci", 2},
	"gbk":      {"gbk_chinese_ci", 2},
	"geostd8":  {"geostd8_general_ci", 1},
	"greek":    {"greek_general_ci", 1},
	"hebrew":   {"hebrew_general_ci", 1},
	"hp8":      {"hp8_english_ci", 1},
	"keybcs2":  {"keybcs2_general_ci", 1},
	"koi8r":    {"koi8r_general_ci", 1},
	"koi8u":    {"koi8u_general_ci", 1},
	"latin1":   {"latin1_swedish_ci", 1},
	"latin2":   {"latin2_general_ci", 1},
	"latin5":   {"latin5_turkish_ci", 1},
	"latin7":   {"latin7_general_ci", 1},
	"macce":    {"macce_general_ci", 1},
	"macroman": {"macroman_general_ci", 1},
	"sjis":     {"sjis_japanese_ci", 2},
	"swe7":     {"swe7_swedish_ci", 1},
	"tis620":   {"tis620_thai_ci", 1},
	"ucs2":     {"ucs2_general_ci", 2},
	"ujis":     {"ujis_japanese_ci", 3},
	"utf16":    {"utf16_general_ci", 4},
	"utf16le":  {"utf16le_general_ci", 4},
	"utf32":    {"utf32_general_ci", 4},
	"utf8mb3":  {"utf8mb3_general_ci", 3},
	"utf8mb4":  {"utf8mb4_general_ci", 4},
}

// charsetName gives a character set's name as the servers print it today: utf8 is utf8mb3.
func charsetName(name string) string {
	name = strings.ToLower(name)
	if name == "utf8" {
		return "utf8mb3"
	}
	return name
}

// collationName does the same for a collation.
func collationName(name string) string {
	name = strings.ToLower(name)
	if rest, ok := strings.CutPrefix(name, "utf8_"); ok {
		return "utf8mb3_" + rest
	}
	return name
}

// DefaultCollation gives the collation that goes with a character set where none is stated. MySQL 8.0 took utf8mb4_0900_ai_ci ("Unicode
// Character Sets", its manual); MariaDB 11.5 took uca1400_ai_ci for all Unicode sets (character_set_collations, its manual).
func (c *Catalog) DefaultCollation(name string) string {
	switch {
	case name == "utf8mb4" && c.reads.MySQL(8, 0, 0):
		return "utf8mb4_0900_ai_ci"
	case c.reads.Maria(11, 5, 0) && (strings.HasPrefix(name, "utf8mb") || name == "ucs2" || name == "utf16" || name == "utf32"):
		return name + "_uca1400_ai_ci"
	}
	return charsets[name].collation
}

// DefaultCharset gives the character set and the collation of a database for which none are stated: those that the server comes with
// ("Server Character Set and Collation", MySQL's manual; character_set_server, MariaDB's: utf8mb4 from 11.6, and in the packages of
// distributions long before).
func (c *Catalog) DefaultCharset() (string, string) {
	name := "utf8mb4"
	if !c.Server.MariaDB && !c.reads.MySQL(8, 0, 0) {
		name = "latin1"
	}
	return name, c.DefaultCollation(name)
}

// charsetOf gives the character set of a collation; empty = there is none of that name.
func charsetOf(collation string) string {
	name, rest, found := strings.Cut(collation, "_")
	if _, ok := charsets[name]; !ok {
		return ""
	}
	if found == (name == "binary") || found && !strings.HasSuffix(rest, "_ci") && !strings.HasSuffix(rest, "_cs") && !strings.HasSuffix(rest, "bin") && !strings.HasSuffix(rest, "_ks") {
		return ""
	}
	return name
}

// charsetWord reads a character set's name and holds it to those that there are.
func (r *reader) charsetWord() string {
	t := r.here()
	name := charsetName(r.word())
	if name == "default" && t.kind == tokenWord {
		return ""
	}
	if _, ok := charsets[name]; !ok && r.err == nil {
		r.fail(t, "schema", "there is no character set %q; name one that SHOW CHARACTER SET lists", name)
	}
	return name
}

// collationWord reads a collation's name. MariaDB's uca1400 collations may stand without their character set.
func (r *reader) collationWord() string {
	t := r.here()
	name := collationName(r.word())
	if name == "default" && t.kind == tokenWord {
		return ""
	}
	if r.c.Server.MariaDB && strings.HasPrefix(name, "uca1400_") {
		return name
	}
	set := charsetOf(name)
	known := set != ""
	if strings.Contains(name, "_0900_") {
		known = set == "utf8mb4" && (r.c.reads.MySQL(8, 0, 0) || r.c.reads.Maria(11, 4, 5))
	}
	if strings.Contains(name, "_uca1400_") {
		known = known && r.c.reads.Maria(10, 10, 1)
	}
	if !known && r.err == nil {
		r.fail(t, "schema", "%s has no collation %q; name one that SHOW COLLATION lists", r.c.Server, name)
	}
	return name
}

// settleCharset works out a character set and a collation from what is stated of both, and from what is inherited. ok is false where
// the collation is not one of the character set.
func (c *Catalog) settleCharset(set, collation, inheritedSet, inheritedCollation string) (string, string, bool) {
	if strings.HasPrefix(collation, "uca1400_") {
		if set == "" {
			set = inheritedSet
		}
		return set, set + "_" + collation, true
	}
	switch {
	case set == "" && collation == "":
		return inheritedSet, inheritedCollation, true
	case collation == "":
		return set, c.DefaultCollation(set), true
	case set == "":
		return charsetOf(collation), collation, true
	}
	return set, collation, set == charsetOf(collation)
}
