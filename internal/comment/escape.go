package comment

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// How much of a text from the pull request is shown, in characters; the rest becomes a hash, so that two long names stay
// two names.
const (
	nameWidth     = 80
	placeWidth    = 120
	hintWidth     = 200
	sentenceWidth = 400
)

// Code puts a name from the pull request into a code span, where GitHub makes nothing of it: no mention, no link, no emoji.
// Backticks and pipes, which could end the span or a table's cell, are spelled out like characters that cannot be seen. That
// way one pair of backticks is always enough, and nothing depends on how a renderer splits cells.
func Code(name string) string { return code(name, nameWidth) }

func code(name string, width int) string {
	if name == "" {
		return "`\"\"`"
	}
	return "`" + shortened(name, width, spellInCode) + "`"
}

func spellInCode(s string, i int, r rune) string {
	switch {
	case r == '`', r == '|':
		return spelled(r)
	case r == '\\' && looksSpelled(s[i:]):
		return spelled(r)
	case r == ' ' && (i == 0 || i == len(s)-1 || s[i-1] == ' '): // would be trimmed or collapsed
		return spelled(r)
	}
	return seen(s, i, r)
}

// Text makes prose with names from the pull request in it inert, wherever in a line it stands: no markup, no HTML, no link, no
// mention, no command. Line breaks become blanks. What GitHub looks for after Markdown is rendered (@team, #1, :emoji:, URLs) is
// spelled out, because no Markdown escape survives until then.
func Text(s string) string {
	s = strings.Join(strings.FieldsFunc(s, isBlank), " ")
	var b strings.Builder
	for i, r := range s {
		b.WriteString(spellInProse(s, i, r))
	}
	return b.String()
}

// sentence is Text of limited length, for whatever there can be many of.
func sentence(s string) string { return Text(clip(s, sentenceWidth)) }

// clip shortens raw text, which is still to be escaped.
func clip(s string, width int) string {
	return shortened(s, width, func(s string, i int, _ rune) string {
		_, size := utf8.DecodeRuneInString(s[i:])
		return s[i : i+size]
	})
}

func spellInProse(s string, i int, r rune) string {
	switch r {
	case '&':
		return "&amp;"
	case '<':
		return "&lt;"
	case '>':
		return "&gt;"
	case '|': // in a table an escaped pipe is a matter of taste; an entity is not
		return "&#124;"
	case '\\':
		if looksSpelled(s[i:]) {
			return spelled(r)
		}
		return "&#92;"
	case '`', '*', '[', ']', '~', '$':
		return "\\" + string(r)
	case '_':
		if !insideWord(s, i) {
			return "\\_"
		}
	}
	switch {
	case linksOnGitHub(s, i):
		return spelled(r)
	case opensBlock(s, i):
		return "\\" + string(r)
	}
	return seen(s, i, r)
}

// linksOnGitHub tells whether the character at i would make GitHub turn text into a mention, a reference, an emoji or a link.
func linksOnGitHub(s string, i int) bool {
	before, after := s[:i], s[i+1:]
	switch s[i] {
	case '@', '#':
		return true
	case ':':
		return strings.HasPrefix(after, "//") || isShortcode(after)
	case '.':
		return i >= 3 && strings.EqualFold(before[i-3:], "www")
	case '-':
		return i >= 2 && strings.EqualFold(before[i-2:], "gh") && after != "" && isDigit(after[0])
	}
	const sha = 40
	return i+sha <= len(s) && strings.IndexFunc(s[i:i+sha], isNotHex) < 0
}

// isShortcode tells whether what follows a colon makes it an emoji: a word and another colon.
func isShortcode(after string) bool {
	end := strings.IndexByte(after, ':')
	return end > 0 && strings.IndexFunc(after[:end], func(r rune) bool {
		return r > unicode.MaxASCII || !isWord(byte(r)) && r != '+' && r != '-'
	}) < 0
}

// opensBlock tells whether the character at i could make a list, a heading's underline or a command of the line it begins.
func opensBlock(s string, i int) bool {
	switch s[i] {
	case '-', '+', '=', '/':
		return i == 0
	case '.', ')':
		numbered := i > 0 && strings.IndexFunc(s[:i], func(r rune) bool { return r < '0' || r > '9' }) < 0
		return numbered && (i+1 == len(s) || s[i+1] == ' ')
	}
	return false
}

// insideWord tells whether the underscores around i stand between letters or digits, where they emphasise nothing.
func insideWord(s string, i int) bool {
	before := strings.TrimRight(s[:i], "_")
	after := strings.TrimLeft(s[i:], "_")
	return before != "" && after != "" && isWord(before[len(before)-1]) && isWord(after[0])
}

// fence puts SQL into a fenced block that its text cannot close.
func fence(sql string) string {
	sql = strings.ReplaceAll(sql, "\r\n", "\n")
	var b strings.Builder
	longest, run := 0, 0
	for i, r := range sql {
		if r == '`' {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
		if r == '\n' || r == '\t' {
			b.WriteRune(r)
		} else {
			b.WriteString(seen(sql, i, r))
		}
	}
	marks := strings.Repeat("`", max(3, longest+1))
	return marks + "sql\n" + strings.TrimRight(b.String(), "\n") + "\n" + marks
}

// seen gives a character back if a reader can see it and tell it from others, and spells it out if not: controls, bidi marks,
// zero widths, odd blanks, bytes that are no text.
func seen(s string, i int, r rune) string {
	if ' ' <= r && r < utf8.RuneSelf-1 {
		return s[i : i+1]
	}
	if r == utf8.RuneError {
		if _, size := utf8.DecodeRuneInString(s[i:]); size == 1 {
			return fmt.Sprintf("\\x{%02X}", s[i])
		}
	}
	if !unicode.IsPrint(r) || unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) {
		return spelled(r)
	}
	return string(r)
}

func spelled(r rune) string {
	return `\u{` + strings.ToUpper(strconv.FormatInt(int64(r), 16)) + "}"
}

// looksSpelled tells whether text that begins with a backslash would be taken for a spelled-out character.
func looksSpelled(s string) bool { return strings.HasPrefix(s, `\u{`) || strings.HasPrefix(s, `\x{`) }

// shortened spells a text character by character. If that gets wider than allowed, its end is dropped, and a hash of the
// whole stands in its place.
func shortened(s string, width int, spell func(s string, i int, r rune) string) string {
	const hashed = len("~12345678") + 1 // and an ellipsis
	kept := 0                           // bytes of b that leave room for the hash
	var b strings.Builder
	wide := 0
	for i, r := range s {
		piece := spell(s, i, r)
		wide += utf8.RuneCountInString(piece)
		if wide > width {
			hash := sha256.Sum256([]byte(s))
			return b.String()[:kept] + "…~" + hex.EncodeToString(hash[:4])
		}
		b.WriteString(piece)
		if wide <= width-hashed {
			kept = b.Len()
		}
	}
	return b.String()
}

func isBlank(r rune) bool  { return strings.ContainsRune(" \t\n\v\f\r", r) }
func isDigit(b byte) bool  { return '0' <= b && b <= '9' }
func isHex(b byte) bool    { return isDigit(b) || 'a' <= b|0x20 && b|0x20 <= 'f' }
func isWord(b byte) bool   { return isDigit(b) || 'a' <= b|0x20 && b|0x20 <= 'z' || b == '_' }
func isNotHex(r rune) bool { return r > unicode.MaxASCII || !isHex(byte(r)) }
