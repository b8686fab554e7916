package script

import "strings"

// kind is the class of a token.
type kind uint8

const (
	eof         kind = iota // the end of the text
	word                    // a keyword or an unquoted name
	quoted                  // "x" or U&"x"
	text                    // 'x', E'x', U&'x', B'x', X'x' or $tag$x$tag$
	number                  // 1, 0x1F, $1; 1.5 is three tokens
	operator                // one or more of the characters that operators are made of
	punctuation             // any other single character
	comment                 // -- to the end of the line, or /* to */, which nests
	illegal                 // what is opened and never closed
)

// token is one lexical element; start and end are byte offsets in the text it was read from.
type token struct {
	kind       kind
	start, end int
}

// is tells whether the token is the given keyword (upper case) or punctuation mark. A quoted name is never a keyword.
func (t token) is(src, s string) bool {
	return t.end-t.start == len(s) && strings.EqualFold(src[t.start:t.end], s)
}

// name gives the name a token stands for, as PostgreSQL reads it: in lower case unless quoted.
func (t token) name(src string) string {
	s := src[t.start:t.end]
	switch t.kind {
	case quoted:
		s = s[strings.IndexByte(s, '"')+1 : len(s)-1]
		return strings.ReplaceAll(s, `""`, `"`)
	case text:
		return strings.ReplaceAll(strings.Trim(s, "'"), "''", "'")
	}
	return fold(s)
}

// class is what a byte can be outside of quotes.
type class uint8

const (
	blank      class = 1 << iota
	wordStart        // may begin a name
	wordPart         // may go on with a name
	digit            //
	operatorOf       // operators are made of it
)

// classes has the class of each byte.
var classes = func() (c [256]class) {
	for _, b := range []byte(" \t\n\r\f\v") {
		c[b] = blank
	}
	for b := range c {
		switch {
		case b >= 'a' && b <= 'z', b >= 'A' && b <= 'Z', b == '_', b >= 0x80:
			c[b] = wordStart | wordPart
		case b >= '0' && b <= '9':
			c[b] = digit | wordPart
		case b == '$':
			c[b] = wordPart
		}
	}
	for _, b := range []byte("~!@#^&|`?+-*/%<>=") {
		c[b] = operatorOf
	}
	return c
}()

// next reads the token at or after an offset, the way scan.l of PostgreSQL does with standard_conforming_strings on.
// It never fails: what is not closed becomes an illegal token that takes the rest of the text.
func next(src string, i int) token {
	for i < len(src) && classes[src[i]]&blank != 0 {
		i++
	}
	if i >= len(src) {
		return token{eof, len(src), len(src)}
	}
	c := src[i]
	switch k := classes[c]; {
	case k&wordStart != 0:
		return wordAt(src, i)
	case c == '\'':
		return closed(src, text, i, quotedEnd(src, i, '\''))
	case c == '"':
		return closed(src, quoted, i, quotedEnd(src, i, '"'))
	case c == '-' && strings.HasPrefix(src[i:], "--"):
		return token{comment, i, lineEnd(src, i)}
	case c == '/' && strings.HasPrefix(src[i:], "/*"):
		return closed(src, comment, i, commentEnd(src, i))
	case c == '$':
		return dollarAt(src, i)
	case k&digit != 0:
		n := i + 1
		for n < len(src) && src[n] != '$' && classes[src[n]]&wordPart != 0 {
			n++
		}
		return token{number, i, n}
	case k&operatorOf != 0:
		return token{operator, i, operatorEnd(src, i)}
	}
	return token{punctuation, i, i + 1}
}

// solid reads the token at or after an offset that is no comment.
func solid(src string, i int) token {
	t := next(src, i)
	for t.kind == comment {
		t = next(src, t.end)
	}
	return t
}

// wordAt reads a word, or what a prefix of one or two letters makes of the quote behind it: E”, B”, X”, N”, U&”, U&"".
func wordAt(src string, i int) token {
	n := i + 1
	for n < len(src) && classes[src[n]]&wordPart != 0 {
		n++
	}
	if n != i+1 || n >= len(src) {
		return token{word, i, n}
	}
	switch c := src[i] | 0x20; {
	case c == 'e' && src[n] == '\'':
		return closed(src, text, i, escapedEnd(src, n))
	case (c == 'b' || c == 'x' || c == 'n') && src[n] == '\'':
		return closed(src, text, i, quotedEnd(src, n, '\''))
	case c == 'u' && strings.HasPrefix(src[n:], "&'"):
		return closed(src, text, i, quotedEnd(src, n+1, '\''))
	case c == 'u' && strings.HasPrefix(src[n:], `&"`):
		return closed(src, quoted, i, quotedEnd(src, n+1, '"'))
	}
	return token{word, i, n}
}

// closed makes a token that has no end (n < 0) an illegal one.
func closed(src string, k kind, i, n int) token {
	if n < 0 {
		return token{illegal, i, len(src)}
	}
	return token{k, i, n}
}

// quotedEnd gives the offset behind the quotes opened at i, the quote doubled being the only escape; -1 = not closed.
func quotedEnd(src string, i int, q byte) int {
	for n := i + 1; ; n += 2 {
		j := strings.IndexByte(src[n:], q)
		if j < 0 {
			return -1
		}
		n += j
		if n+1 >= len(src) || src[n+1] != q {
			return n + 1
		}
	}
}

// escapedEnd gives the offset behind the string with backslashes whose quote is at i; -1 = not closed. As in all strings of
// SQL, a quote behind a line end goes on with the string before; here that keeps its backslashes escapes.
func escapedEnd(src string, i int) int {
	for n := i + 1; n < len(src); n++ {
		switch src[n] {
		case '\\':
			n++
		case '\'':
			if n+1 < len(src) && src[n+1] == '\'' {
				n++
				continue
			}
			more := continued(src, n+1)
			if more < 0 {
				return n + 1
			}
			n = more
		}
	}
	return -1
}

// continued gives the offset of the quote that goes on with the string that ends before i, or -1: only blanks and comments
// may stand between, with a line end among them.
func continued(src string, i int) int {
	line := false
	for ; i < len(src); i++ {
		switch c := src[i]; {
		case c == '\n':
			line = true
		case c == '\'' && line:
			return i
		case strings.HasPrefix(src[i:], "--"):
			i = lineEnd(src, i) - 1
		case classes[c]&blank == 0:
			return -1
		}
	}
	return -1
}

// dollarAt reads a dollar-quoted string, a parameter, or a single dollar sign.
func dollarAt(src string, i int) token {
	n := i + 1
	if n < len(src) && classes[src[n]]&digit != 0 {
		for n < len(src) && classes[src[n]]&digit != 0 {
			n++
		}
		return token{number, i, n}
	}
	for n < len(src) && src[n] != '$' && classes[src[n]]&wordPart != 0 {
		n++
	}
	if n >= len(src) || src[n] != '$' {
		return token{punctuation, i, i + 1}
	}
	n++
	tag := src[i:n]
	j := strings.Index(src[n:], tag)
	if j < 0 {
		return token{illegal, i, len(src)}
	}
	return token{text, i, n + j + len(tag)}
}

// commentEnd gives the offset behind the comment in slashes and stars at i; -1 = not closed. Such comments nest.
func commentEnd(src string, i int) int {
	depth := 1
	for n := i + 2; n+1 < len(src); n++ {
		switch {
		case src[n] == '*' && src[n+1] == '/':
			n++
			if depth--; depth == 0 {
				return n + 1
			}
		case src[n] == '/' && src[n+1] == '*':
			n++
			depth++
		}
	}
	return -1
}

// operatorEnd gives the offset behind the operator at i: a comment ends one.
func operatorEnd(src string, i int) int {
	n := i + 1
	for n < len(src) && classes[src[n]]&operatorOf != 0 && !strings.HasPrefix(src[n:], "--") && !strings.HasPrefix(src[n:], "/*") {
		n++
	}
	return n
}

// lineEnd gives the offset of the line end at or after i, or of the text's end.
func lineEnd(src string, i int) int {
	if j := strings.IndexByte(src[i:], '\n'); j >= 0 {
		return i + j
	}
	return len(src)
}

// fold gives the form in which PostgreSQL keeps an unquoted name: ASCII letters in lower case, everything else as it is.
func fold(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, name)
}

// excerpt shortens SQL for a message to so many bytes at most and makes it fit on one line.
func excerpt(s string, most int) string {
	if len(s) > 8*most {
		s = s[:8*most]
	}
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > most {
		cut := 0
		for i := range s {
			if i > most-len("…") {
				break
			}
			cut = i
		}
		s = s[:cut] + "…"
	}
	return "`" + strings.ToValidUTF8(s, "") + "`"
}
