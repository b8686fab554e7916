package script

import "strings"

// TokenKind is the class of a token.
type TokenKind uint8

// The classes of tokens.
const (
	End        TokenKind = iota // the end of the text
	Word                        // a keyword or an unquoted name; it may begin with a digit
	QuotedName                  // `x`, and "x" under ANSI_QUOTES
	String                      // 'x', "x", N'x', X'41', B'01'; a character set before it is a word
	Number                      // 1, 1.5, 1e3, 0x41, 0b01
	Symbol                      // any other single character
	Comment                     // # or -- to the end of the line, or /* to */
	Illegal                     // what is opened and never closed
	codeOpen                    // /*!50110 where the server runs what follows
	codeClose                   // the */ of that
)

// Token is one lexical element; Start and End are byte offsets in the text it was read from.
type Token struct {
	Kind       TokenKind
	Start, End int
}

// Tokens takes a text apart, comments and all; the last is no End. The text is one of Statement.SQL, or a part of it: backslashes
// escape and double quotes are strings, whatever sql_mode the file was written for.
func Tokens(text string) []Token {
	list := make([]Token, 0, len(text)/5+4)
	for t := plain.next(text, 0); t.Kind != End; t = plain.next(text, t.End) {
		list = append(list, t)
	}
	return list
}

// Solid is Tokens without the comments.
func Solid(text string) []Token {
	list := Tokens(text)
	solid := list[:0]
	for _, t := range list {
		if t.Kind != Comment {
			solid = append(solid, t)
		}
	}
	return solid
}

// Is tells whether the token is the given keyword (whatever its case) or symbol. A quoted name is never a keyword.
func (t Token) Is(text, s string) bool {
	return (t.Kind == Word || t.Kind == Symbol) && t.End-t.Start == len(s) && strings.EqualFold(text[t.Start:t.End], s)
}

// Text is the token as written.
func (t Token) Text(text string) string { return text[t.Start:t.End] }

// Name gives the name that a word or a quoted name stands for, its case as written; a string stands for one in some places.
func (t Token) Name(text string) string {
	s := text[t.Start:t.End]
	switch t.Kind {
	case QuotedName:
		q := s[:1]
		return strings.ReplaceAll(s[1:len(s)-1], q+q, q)
	case String:
		return Unquote(s)
	}
	return s
}

// class is what a byte can be outside of quotes.
type class uint8

const (
	blank    class = 1 << iota
	wordPart       // names are made of it
	digit
	marking // in data: what may begin a string, a comment, a delimiter or a command of the client
)

// classes has the class of each byte.
var classes = func() (c [256]class) {
	for _, b := range []byte(" \t\n\r\f\v") {
		c[b] = blank
	}
	for b := range c {
		switch {
		case b >= 'a' && b <= 'z', b >= 'A' && b <= 'Z', b == '_', b == '$', b >= 0x80:
			c[b] = wordPart
		case b >= '0' && b <= '9':
			c[b] = digit | wordPart
		}
	}
	for _, b := range []byte("'\"`#-/;\\*") {
		c[b] |= marking
	}
	return c
}()

// Mode is what of sql_mode changes how text is read.
type Mode struct {
	AnsiQuotes         bool // "x" is a name
	NoBackslashEscapes bool // a backslash in a string is one
	pipes              bool // PIPES_AS_CONCAT
	realAsFloat        bool // REAL_AS_FLOAT
}

// lexer reads tokens of a file, or of a normal text if it is plain.
type lexer struct {
	mode      Mode
	runs      func(code string) (int, bool) // what opens a code comment, and whether the server runs it; nil: code comments are comments
	inCode    bool                          // inside one that runs
	delimiter string                        // that words may hold; empty = none
}

// plain reads normal text.
var plain = &lexer{}

// next reads the token at or after an offset as the server does. It never fails: what is not closed becomes an illegal token that takes
// the rest of the text.
func (l *lexer) next(src string, i int) Token {
	for i < len(src) && classes[src[i]]&blank != 0 {
		i++
	}
	if i >= len(src) {
		return Token{End, len(src), len(src)}
	}
	switch c := src[i]; {
	case classes[c]&wordPart != 0:
		return l.word(src, i)
	case c == '\'':
		return closed(src, String, i, l.quotedEnd(src, i))
	case c == '"' && !l.mode.AnsiQuotes:
		return closed(src, String, i, l.quotedEnd(src, i))
	case c == '"', c == '`':
		return closed(src, QuotedName, i, nameEnd(src, i))
	case c == '#', c == '-' && isDash(src, i):
		return Token{Comment, i, lineEnd(src, i)}
	case c == '/' && strings.HasPrefix(src[i:], "/*"):
		return l.comment(src, i)
	case c == '*' && l.inCode && strings.HasPrefix(src[i:], "*/"):
		return Token{codeClose, i, i + 2}
	case c == '.' && i+1 < len(src) && classes[src[i+1]]&digit != 0 && (i == 0 || classes[src[i-1]]&wordPart == 0 && src[i-1] != '`' && src[i-1] != '"'):
		return Token{Number, i, exponentEnd(src, digitsEnd(src, i+1))}
	}
	return Token{Symbol, i, i + 1}
}

// comment reads what begins with /* at an offset. One that the server runs gives only its opening. In one that it does not run another
// may stand, one level deep.
func (l *lexer) comment(src string, i int) Token {
	if l.runs != nil && !l.inCode {
		if n, run := l.runs(src[i:]); n > 0 {
			if run {
				return Token{codeOpen, i, i + n}
			}
			return closed(src, Comment, i, skippedEnd(src, i+2))
		}
	}
	n := strings.Index(src[i+2:], "*/")
	if n < 0 {
		return Token{Illegal, i, len(src)}
	}
	return Token{Comment, i, i + 2 + n + 2}
}

// skippedEnd gives the end of a code comment that is not run; -1 = it has none.
func skippedEnd(src string, i int) int {
	for nested := false; ; {
		n := strings.IndexAny(src[i:], "*/")
		switch {
		case n < 0:
			return -1
		case strings.HasPrefix(src[i+n:], "*/"):
			i += n + 2
			if !nested {
				return i
			}
			nested = false
		case strings.HasPrefix(src[i+n:], "/*") && !nested:
			i, nested = i+n+2, true
		default:
			i += n + 1
		}
	}
}

// word reads a word or a number, or a string with a letter before it.
func (l *lexer) word(src string, i int) Token {
	n := i + 1
	for n < len(src) && classes[src[n]]&wordPart != 0 {
		n++
	}
	if l.delimiter != "" {
		if at := strings.Index(src[i:min(n+len(l.delimiter), len(src))], l.delimiter); at > 0 && i+at < n {
			n = i + at
		}
	}
	if n == i+1 && n < len(src) && src[n] == '\'' {
		switch src[i] | 0x20 {
		case 'x', 'b':
			return closed(src, String, i, nameEnd(src, n))
		case 'n':
			return closed(src, String, i, l.quotedEnd(src, n))
		}
	}
	if classes[src[i]]&digit == 0 || (i > 0 && src[i-1] == '.') {
		return Token{Word, i, n}
	}
	digits := digitsEnd(src, i)
	switch {
	case digits == n && n < len(src) && src[n] == '.':
		return Token{Number, i, exponentEnd(src, digitsEnd(src, n+1))}
	case digits == n, based(src[i:n]):
		return Token{Number, i, n}
	}
	if e := exponentEnd(src, digits); e >= n && e > digits {
		return Token{Number, i, e}
	}
	return Token{Word, i, n}
}

// based tells whether a word is a number to the base 16 or 2.
func based(w string) bool {
	if len(w) < 3 || w[0] != '0' || (w[1] != 'x' && w[1] != 'b') {
		return false
	}
	digits := "0123456789abcdefABCDEF"
	if w[1] == 'b' {
		digits = "01"
	}
	return strings.Trim(w[2:], digits) == ""
}

func digitsEnd(src string, i int) int {
	for i < len(src) && classes[src[i]]&digit != 0 {
		i++
	}
	return i
}

// exponentEnd gives the end of an exponent at an offset, or the offset.
func exponentEnd(src string, i int) int {
	if i >= len(src) || src[i]|0x20 != 'e' {
		return i
	}
	n := i + 1
	if n < len(src) && (src[n] == '+' || src[n] == '-') {
		n++
	}
	if e := digitsEnd(src, n); e > n {
		return e
	}
	return i
}

// closed makes a token that has no end (n < 0) an illegal one.
func closed(src string, k TokenKind, i, n int) Token {
	if n < 0 {
		return Token{Illegal, i, len(src)}
	}
	return Token{k, i, n}
}

// quotedEnd gives the end of the string whose quote is at an offset; -1 = it has none.
func (l *lexer) quotedEnd(src string, i int) int {
	if l.mode.NoBackslashEscapes {
		return nameEnd(src, i)
	}
	q := src[i]
	for i++; i < len(src); i++ {
		switch src[i] {
		case '\\':
			i++
		case q:
			if i+1 == len(src) || src[i+1] != q {
				return i + 1
			}
			i++
		}
	}
	return -1
}

// nameEnd gives the end of what is quoted from an offset on, where backslashes mean nothing; -1 = it has none.
func nameEnd(src string, i int) int {
	q := src[i]
	for i++; ; i += 2 {
		n := strings.IndexByte(src[i:], q)
		if n < 0 {
			return -1
		}
		if i += n; i+1 >= len(src) || src[i+1] != q {
			return i + 1
		}
	}
}

// isDash tells whether a comment begins at an offset with --, which a blank or a control character has to follow.
func isDash(src string, i int) bool {
	return strings.HasPrefix(src[i:], "--") && (i+2 == len(src) || src[i+2] <= ' ' || src[i+2] == 0x7f)
}

// lineEnd gives the offset of the end of the line.
func lineEnd(src string, i int) int {
	if n := strings.IndexByte(src[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(src)
}
