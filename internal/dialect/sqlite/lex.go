package sqlite

import (
	"strings"
	"unicode/utf8"
)

// kind is the class of a token.
type kind int

const (
	word      kind = iota // a keyword or an unquoted name
	quoted                // "x", `x` or [x]
	text                  // 'x'
	number                // 1, 1.5e3, 0x1F
	blob                  // x'00'
	parameter             // ?1, :a, @a, $a
	operator              // one of the operators and punctuation marks, at most three bytes
	comment               // -- to the end of the line, or /* to */
	illegal               // what SQLite's tokenizer does not take, and what is not closed
)

// token is one lexical element; start and end are byte offsets in the text it was read from.
type token struct {
	kind       kind
	text       string
	start, end int
}

// is tells whether the token is the given keyword (upper case) or operator. A quoted name is never a keyword.
func (t token) is(s string) bool {
	return (t.kind == word && strings.EqualFold(t.text, s)) || (t.kind == operator && t.text == s)
}

// name gives the name a token stands for, without quotes.
func (t token) name() string {
	switch t.kind {
	case quoted, text:
		q := t.text[0]
		inner := t.text[1 : len(t.text)-1]
		if q == '[' {
			return inner
		}
		return strings.ReplaceAll(inner, string([]byte{q, q}), string(q))
	default:
		return t.text
	}
}

// lex splits SQL into tokens the way SQLite's own tokenizer does (tokenize.c, SQLite 3.54). White space is dropped; comments
// are kept, since hints are written in them. It never fails: what is not SQL becomes an illegal token.
func lex(src string) []token {
	tokens := make([]token, 0, len(src)/4)
	for i := 0; i < len(src); {
		if isSpace(src[i]) {
			i++
			continue
		}
		k, n := next(src[i:])
		tokens = append(tokens, token{k, src[i : i+n], i, i + n})
		i += n
	}
	return tokens
}

// next reads the token at the start of a text that does not begin with white space.
func next(s string) (kind, int) {
	c := s[0]
	switch {
	case strings.HasPrefix(s, "--"):
		if i := strings.IndexByte(s, '\n'); i >= 0 {
			return comment, i
		}
		return comment, len(s)
	case strings.HasPrefix(s, "/*"):
		if i := strings.Index(s[2:], "*/"); i >= 0 {
			return comment, i + 4
		}
		return illegal, len(s)
	case c == '\'':
		return closed(text, delimited(s, '\''), s)
	case c == '"', c == '`':
		return closed(quoted, delimited(s, c), s)
	case c == '[':
		return closed(quoted, strings.IndexByte(s, ']')+1, s)
	case (c == 'x' || c == 'X') && len(s) > 1 && s[1] == '\'':
		return blobToken(s)
	case isDigit(c), c == '.' && len(s) > 1 && isDigit(s[1]):
		return numberToken(s)
	case isNameStart(c):
		return word, nameEnd(s)
	case c == '?':
		n := 1
		for n < len(s) && isDigit(s[n]) {
			n++
		}
		return parameter, n
	case c == '$', c == '@', c == ':', c == '#':
		if n := 1 + nameEnd(s[1:]); n > 1 {
			return parameter, n
		}
		return illegal, 1
	}
	return operatorToken(s)
}

// operatorToken reads the longest operator.
func operatorToken(s string) (kind, int) {
	for _, op := range [...]string{"->>", "||", "->", "<<", ">>", "<=", ">=", "<>", "!=", "=="} {
		if strings.HasPrefix(s, op) {
			return operator, len(op)
		}
	}
	if strings.IndexByte("()+-*/%,;.=<>&|~", s[0]) >= 0 {
		return operator, 1
	}
	_, n := utf8.DecodeRuneInString(s)
	return illegal, n
}

// closed makes a token that was not closed (n <= 0) an illegal one that takes the rest of the text.
func closed(k kind, n int, s string) (kind, int) {
	if n <= 0 {
		return illegal, len(s)
	}
	return k, n
}

// delimited gives the length of a token in quotes, the quote doubled being the only escape; 0 = not closed.
func delimited(s string, q byte) int {
	for i := 1; i < len(s); i++ {
		if s[i] != q {
			continue
		}
		if i+1 < len(s) && s[i+1] == q {
			i++
			continue
		}
		return i + 1
	}
	return 0
}

func blobToken(s string) (kind, int) {
	n := 2
	for n < len(s) && isHex(s[n]) {
		n++
	}
	if n >= len(s) || s[n] != '\'' || n%2 != 0 {
		return illegal, min(n+1, len(s))
	}
	return blob, n + 1
}

func numberToken(s string) (kind, int) {
	if len(s) > 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X') && isHex(s[2]) {
		n := 2
		for n < len(s) && (isHex(s[n]) || s[n] == '_') {
			n++
		}
		return numberEnd(s, n)
	}
	n := digits(s, 0)
	if n < len(s) && s[n] == '.' {
		n = digits(s, n+1)
	}
	if n < len(s) && (s[n] == 'e' || s[n] == 'E') {
		m := n + 1
		if m < len(s) && (s[m] == '+' || s[m] == '-') {
			m++
		}
		if m < len(s) && isDigit(s[m]) {
			n = digits(s, m)
		}
	}
	return numberEnd(s, n)
}

// numberEnd refuses a number that runs into a name, as SQLite does: 12abc.
func numberEnd(s string, n int) (kind, int) {
	if n < len(s) && isNameByte(s[n]) {
		return illegal, n + nameEnd(s[n:])
	}
	return number, n
}

func digits(s string, n int) int {
	for n < len(s) && (isDigit(s[n]) || s[n] == '_') {
		n++
	}
	return n
}

func nameEnd(s string) int {
	n := 0
	for n < len(s) && isNameByte(s[n]) {
		n++
	}
	return n
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'
}
func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isHex(c byte) bool {
	return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')
}
func isNameStart(c byte) bool {
	return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c >= 0x80
}
func isNameByte(c byte) bool { return isNameStart(c) || isDigit(c) || c == '$' }

// fold gives the form in which SQLite compares names: ASCII letters in lower case, everything else as it is.
func fold(name string) string {
	for i := 0; i < len(name); i++ {
		if name[i] >= 'A' && name[i] <= 'Z' {
			b := []byte(name)
			for j := i; j < len(b); j++ {
				if b[j] >= 'A' && b[j] <= 'Z' {
					b[j] += 'a' - 'A'
				}
			}
			return string(b)
		}
	}
	return name
}

// quote writes a name so that SQLite reads it back as that name, whatever it holds.
func quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// literal writes a string literal.
func literal(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
