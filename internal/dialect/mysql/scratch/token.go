package scratch

import (
	"strings"
	"unicode/utf8"
)

// token is a word, a quoted name, a string or a single other character of a statement; comments are none, but what is in a versioned
// comment counts as code, since some server runs it.
type token struct {
	kind     kind
	text     string // without quotes
	from, to int    // where it stands
}

type kind byte

const (
	word   kind = 'w' // and numbers
	quoted kind = 'q' // a name in quotes
	str    kind = 's'
	other  kind = 'o'
)

// is tells whether the token is one of some keywords.
func (t token) is(words ...string) bool {
	for _, w := range words {
		if t.kind == word && strings.EqualFold(t.text, w) {
			return true
		}
	}
	return false
}

// isName tells whether the token can be a name.
func (t token) isName() bool { return t.kind == word || t.kind == quoted }

// mode is what sql_mode says about quotes.
type mode struct{ ansiQuotes, noBackslashes bool }

// tokens takes a statement apart. An unterminated string or comment goes to the end.
func tokens(text string, m mode) []token {
	var out []token
	for at := 0; at < len(text); {
		rest := text[at:]
		switch c := rest[0]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v':
			at++
		case c == '#' || strings.HasPrefix(rest, "--") && (len(rest) == 2 || rest[2] <= ' '):
			at += until(rest, "\n")
		case strings.HasPrefix(rest, "/*!"), strings.HasPrefix(rest, "/*M!"):
			at += strings.IndexByte(rest, '!') + 1
			for at < len(text) && text[at] >= '0' && text[at] <= '9' {
				at++
			}
		case strings.HasPrefix(rest, "*/"): // of a versioned comment; no statement has it elsewhere
			at += 2
		case strings.HasPrefix(rest, "/*"):
			at += 2 + until(rest[2:], "*/")
		case c == '\'' || c == '"' || c == '`':
			t := quotedToken(rest, m)
			t.from, t.to = at, at+t.to
			out = append(out, t)
			at = t.to
		case isWord(c):
			end := 1
			for end < len(rest) && isWord(rest[end]) {
				end++
			}
			out = append(out, token{word, rest[:end], at, at + end})
			at += end
		default:
			_, size := utf8.DecodeRuneInString(rest)
			out = append(out, token{other, rest[:size], at, at + size})
			at += size
		}
	}
	return out
}

// until gives the length of a text up to and with an end, or all of it.
func until(text, end string) int {
	if at := strings.Index(text, end); at >= 0 {
		return at + len(end)
	}
	return len(text)
}

func isWord(c byte) bool {
	return c == '_' || c == '$' || c >= 0x80 || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// quotedToken reads what begins with a quote; to is its length.
func quotedToken(text string, m mode) token {
	quote := text[0]
	t := token{kind: str}
	if quote == '`' || quote == '"' && m.ansiQuotes {
		t.kind = quoted
	}
	var b strings.Builder
	at := 1
	for ; at < len(text); at++ {
		c := text[at]
		if c == '\\' && t.kind == str && !m.noBackslashes && at+1 < len(text) {
			at++
			b.WriteByte(unescaped(text[at]))
			continue
		}
		if c == quote {
			if at+1 < len(text) && text[at+1] == quote {
				at++
			} else {
				at++
				break
			}
		}
		b.WriteByte(c)
	}
	t.text, t.to = b.String(), at
	return t
}

// unescaped gives what stands for a character behind a backslash.
func unescaped(c byte) byte {
	switch c {
	case '0':
		return 0
	case 'b':
		return '\b'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	case 'Z':
		return 26
	}
	return c
}

// plain gives a text with one blank between its tokens, without comments, and with case and quotes of names aside.
func plain(text string, m mode) string {
	var out []string
	for _, t := range tokens(text, m) {
		switch t.kind {
		case str:
			out = append(out, literal(t.text))
		case other:
			out = append(out, t.text)
		default:
			out = append(out, strings.ToLower(t.text))
		}
	}
	return strings.Join(out, " ")
}

// quote writes a name.
func quote(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }

// literal writes a string, for a session whose backslashes escape.
func literal(text string) string { return "'" + escapes.Replace(text) + "'" }

var escapes = strings.NewReplacer(`\`, `\\`, `'`, `''`, "\x00", `\0`)
