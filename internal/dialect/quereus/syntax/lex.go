package syntax

import (
	"strings"
	"unicode/utf8"
)

// kind is the class of a token.
type kind uint8

const (
	end      kind = iota // after the last token
	word                 // a keyword or an unquoted name
	quoted               // "x", `x` or [x]
	text                 // 'x'
	number               // 1, 1.5e3
	blob                 // x'00'
	operator             // an operator or a punctuation mark
	illegal              // what the engine's lexer does not take
)

// token is one lexical element.
type token struct {
	kind       kind
	class      wordClass
	start, end int
	word       string // the word in lower case if the grammar knows it, or the operator
}

// lexer splits a text into tokens; comments are kept apart.
type lexer struct {
	src      string
	tokens   []token
	comments [][2]int
	problem  string // why the last token, an illegal one, is illegal
}

// lex reads all tokens. It stops at the first that is illegal: what comes after it could mean anything.
func lex(src string) *lexer {
	l := &lexer{src: src, tokens: make([]token, 0, len(src)/3+8)}
	i := 0
	for i < len(src) && l.problem == "" {
		if c := src[i]; c == ' ' || c == '\t' || c == '\n' || c == '\r' {
			i++
			continue
		}
		i = l.next(i)
	}
	l.tokens = append(l.tokens, token{kind: end, start: i, end: i})
	return l
}

// next reads the token or comment at i and gives where it ends.
func (l *lexer) next(i int) int {
	s := l.src[i:]
	switch c := s[0]; {
	case (c == '-' || c == '/') && len(s) > 1 && s[1] == c:
		n := strings.IndexByte(s, '\n')
		if n < 0 {
			n = len(s)
		}
		l.comments = append(l.comments, [2]int{i, i + n})
		return i + n
	case c == '/' && len(s) > 1 && s[1] == '*':
		return l.block(i)
	case (c == 'x' || c == 'X') && len(s) > 1 && s[1] == '\'':
		return l.blob(i)
	case isLetter(c):
		return l.word(i)
	case isDigit(c):
		return l.number(i)
	case c == '\'':
		return l.delimited(text, i, '\'', "a string")
	case c == '"':
		return l.delimited(quoted, i, '"', "a quoted name")
	case c == '`', c == '[':
		// These know no escape.
		closing := byte('`')
		if c == '[' {
			closing = ']'
		}
		n := strings.IndexByte(s[1:], closing)
		if n < 0 {
			return l.illegal(i, len(l.src), "a quoted name is not closed")
		}
		return l.add(token{kind: quoted, start: i, end: i + n + 2})
	}
	return l.operator(i)
}

func (l *lexer) add(t token) int {
	l.tokens = append(l.tokens, t)
	return t.end
}

func (l *lexer) illegal(start, end int, problem string) int {
	l.problem = problem
	return l.add(token{kind: illegal, start: start, end: end})
}

// block reads a comment in which others may nest.
func (l *lexer) block(start int) int {
	depth := 0
	for i := start; i+1 < len(l.src); {
		switch l.src[i : i+2] {
		case "/*":
			depth++
			i += 2
		case "*/":
			depth--
			i += 2
			if depth == 0 {
				l.comments = append(l.comments, [2]int{start, i})
				return i
			}
		default:
			i++
		}
	}
	return l.illegal(start, len(l.src), "a comment is not closed; comments nest, so each `/*` needs its own `*/`")
}

func (l *lexer) word(start int) int {
	i := start
	for i < len(l.src) && (isLetter(l.src[i]) || isDigit(l.src[i])) {
		i++
	}
	t := token{kind: word, start: start, end: i}
	if n := i - start; n <= 13 { // the longest word of the grammar has 13 letters
		var lower [13]byte
		for j := range n {
			c := l.src[start+j]
			if c >= 'A' && c <= 'Z' {
				c += 'a' - 'A'
			}
			lower[j] = c
		}
		if e, ok := words[string(lower[:n])]; ok {
			t.word, t.class = e.text, e.class
		}
	}
	return l.add(t)
}

func (l *lexer) number(start int) int {
	i := start
	digits := func() {
		for i < len(l.src) && isDigit(l.src[i]) {
			i++
		}
	}
	digits()
	if i+1 < len(l.src) && l.src[i] == '.' && isDigit(l.src[i+1]) {
		i++
		digits()
	}
	if i < len(l.src) && (l.src[i] == 'e' || l.src[i] == 'E') {
		j := i + 1
		if j < len(l.src) && (l.src[j] == '+' || l.src[j] == '-') {
			j++
		}
		if j < len(l.src) && isDigit(l.src[j]) {
			i = j
			digits()
		}
	}
	if i < len(l.src) && isLetter(l.src[i]) {
		return l.illegal(start, i+1, "a number runs into a name")
	}
	return l.add(token{kind: number, start: start, end: i})
}

func (l *lexer) blob(start int) int {
	n := strings.IndexByte(l.src[start+2:], '\'')
	if n < 0 {
		return l.illegal(start, len(l.src), "a blob is not closed")
	}
	digits := 0
	for _, c := range []byte(l.src[start+2 : start+2+n]) {
		switch {
		case isHex(c):
			digits++
		case c != ' ' && c != '\t' && c != '\n' && c != '\r':
			return l.illegal(start, start+n+3, "a blob holds something other than hexadecimal digits")
		}
	}
	if digits%2 != 0 {
		return l.illegal(start, start+n+3, "a blob has an odd number of digits")
	}
	return l.add(token{kind: blob, start: start, end: start + n + 3})
}

// delimited reads what stands in quotes, the quote doubled being the only escape.
func (l *lexer) delimited(k kind, start int, quote byte, what string) int {
	for i := start + 1; i < len(l.src); i++ {
		if l.src[i] != quote {
			continue
		}
		if i+1 < len(l.src) && l.src[i+1] == quote {
			i++
			continue
		}
		return l.add(token{kind: k, start: start, end: i + 1})
	}
	return l.illegal(start, len(l.src), what+" is not closed")
}

// operators of two and three bytes, each before those that it begins with; single ones are given by marks.
var operators = [...]string{"->>", "||", "->", "<=", ">=", "<>", "!=", "=="}

const marks = "(){}+-*/%,;.=<>~?:$"

func (l *lexer) operator(start int) int {
	s := l.src[start:]
	if strings.IndexByte("-|<>!=", s[0]) >= 0 {
		for _, op := range operators {
			if strings.HasPrefix(s, op) {
				return l.add(token{kind: operator, start: start, end: start + len(op), word: op})
			}
		}
	}
	if i := strings.IndexByte(marks, s[0]); i >= 0 {
		return l.add(token{kind: operator, start: start, end: start + 1, word: marks[i : i+1]})
	}
	_, n := utf8.DecodeRuneInString(s)
	if s[0] >= utf8.RuneSelf {
		return l.illegal(start, start+n, "a name with other letters than a to z needs double quotes")
	}
	return l.illegal(start, start+n, "this character means nothing in Quereus")
}

// value gives what a token stands for, without quotes; a word as it is.
func (l *lexer) value(t token) string {
	s := l.src[t.start:t.end]
	switch t.kind {
	case quoted, text:
		inner := s[1 : len(s)-1]
		if s[0] == '"' || s[0] == '\'' {
			q := s[:1]
			return strings.ReplaceAll(inner, q+q, q)
		}
		return inner
	case blob:
		return strings.ToLower(strings.Join(strings.Fields(s[2:len(s)-1]), ""))
	default:
		return s
	}
}
