package plan

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/altergate/altergate/internal/schema"
)

// lookalikes are notices about the names of a plan's steps that deceive the eye: a word in the letters of several scripts, or a name that
// looks like another one of either side.
func lookalikes(in Input, steps []*Step) []schema.Notice {
	var touched, gone []named
	for _, s := range steps {
		for _, c := range Elements(s.Changes) {
			touched = append(touched, namesOf(in, c)...)
			gone = append(gone, oldNames(in, c)...)
		}
	}
	if len(touched) == 0 {
		return nil
	}
	others := map[string][]named{} // by what they look like
	for _, n := range slices.Concat(allNames(in.From, schema.Base), allNames(in.To, schema.Head), gone) {
		look := n.among + "\x00" + looks(n.name)
		others[look] = append(others[look], n)
	}
	var notices []schema.Notice
	said := map[string]bool{}
	for _, n := range touched {
		if said[n.among+"\x00"+n.name] {
			continue
		}
		said[n.among+"\x00"+n.name] = true
		var texts []string
		if scripts := mixed(n.name); scripts != nil {
			texts = append(texts, "mixes letters of several scripts in one word ("+strings.Join(scripts, ", ")+"), which can pass for another name")
		}
		if i := slices.IndexFunc(others[n.among+"\x00"+looks(n.name)], n.passesFor); i >= 0 {
			other := others[n.among+"\x00"+looks(n.name)][i]
			texts = append(texts, fmt.Sprintf("looks the same as %s %s", other.kind, codePoints(other.name)))
		}
		if len(texts) > 0 {
			notices = append(notices, schema.Notice{Side: n.side, Pos: n.pos,
				Text: fmt.Sprintf("the name of %s %s %s", n.kind, codePoints(n.name), strings.Join(texts, ", and it "))})
		}
	}
	return notices
}

// passesFor tells whether another name that looks the same is another one. A rename that changes the case alone deceives nobody.
func (n named) passesFor(o named) bool {
	return o.name != n.name && o.key != n.key && !(o.old && strings.EqualFold(o.name, n.name))
}

// mixed gives the scripts of the first word that has letters of more than one. Latin beside the scripts of Chinese, Japanese or Korean
// is how these are written (Unicode UTS 39, highly restrictive).
func mixed(name string) []string {
	inWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) }
	for word := range strings.FieldsFuncSeq(name, func(r rune) bool { return !inWord(r) }) {
		found := map[string]bool{}
		for _, r := range word {
			if script := scriptOf(r); script != "" {
				found[script] = true
			}
		}
		if len(found) > 1 && !slices.ContainsFunc(together, func(scripts []string) bool { return within(found, scripts) }) {
			return sortedKeys(found)
		}
	}
	return nil
}

var together = [][]string{{"Latin", "Han", "Hiragana", "Katakana"}, {"Latin", "Han", "Bopomofo"}, {"Latin", "Han", "Hangul"}}

func within(found map[string]bool, scripts []string) bool {
	for script := range found {
		if !slices.Contains(scripts, script) {
			return false
		}
	}
	return true
}

func sortedKeys(found map[string]bool) []string {
	var keys []string
	for key := range found {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// scriptOf gives the script of a letter; what all scripts share has none.
func scriptOf(r rune) string {
	if r <= unicode.MaxASCII {
		if unicode.IsLetter(r) {
			return "Latin"
		}
		return ""
	}
	for name, table := range unicode.Scripts { // a character is in one of them
		if name != "Common" && name != "Inherited" && unicode.Is(table, r) {
			return name
		}
	}
	return ""
}

// looks gives the same for names that look the same: with lookalikes of Latin letters, other widths and forms of letters, other case,
// and without what cannot be seen.
func looks(name string) string {
	if !strings.ContainsFunc(name, func(r rune) bool { return r > unicode.MaxASCII }) {
		return strings.ToLower(name)
	}
	name = strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) {
			return -1
		}
		return r
	}, name)
	return strings.ToLower(norm.NFKC.String(drawnAlike.Replace(name)))
}

// drawnAlike has the letters of Cyrillic and Greek, and a few beyond ASCII of Latin, that are drawn like a letter of ASCII. They are
// written as numbers here, since nobody could tell them from it.
var drawnAlike = strings.NewReplacer(
	"\u0410", "A", "\u0412", "B", "\u0415", "E", "\u041A", "K", "\u041C", "M", "\u041D", "H",
	"\u041E", "O", "\u0420", "P", "\u0421", "C", "\u0422", "T", "\u0423", "Y", "\u0425", "X",
	"\u0406", "I", "\u0408", "J", "\u0405", "S", "\u050C", "G", "\u051A", "Q", "\u051C", "W",
	"\u0430", "a", "\u0435", "e", "\u043E", "o", "\u0440", "p", "\u0441", "c", "\u0443", "y",
	"\u0445", "x", "\u0456", "i", "\u0458", "j", "\u0455", "s", "\u0501", "d", "\u051B", "q",
	"\u051D", "w", "\u04BB", "h", "\u04CF", "l", "\u0391", "A", "\u0392", "B", "\u0395", "E",
	"\u0396", "Z", "\u0397", "H", "\u0399", "I", "\u039A", "K", "\u039C", "M", "\u039D", "N",
	"\u039F", "O", "\u03A1", "P", "\u03A4", "T", "\u03A5", "Y", "\u03A7", "X", "\u03B1", "a",
	"\u03BF", "o", "\u03BD", "v", "\u03C1", "p", "\u03B9", "i", "\u03BA", "k", "\u03B3", "y",
	"\u03C5", "u", "\u03F2", "c", "\u03F3", "j", "\u0131", "i", "\u0261", "g", "\u0251", "a",
)

// codePoints spells what a reader could take for something else: us{U+0435}rs.
func codePoints(name string) string {
	var b strings.Builder
	for _, r := range name {
		if r > unicode.MaxASCII || !unicode.IsPrint(r) {
			fmt.Fprintf(&b, "{U+%04X}", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}
