package catalog

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/altergate/altergate/internal/schema"
)

// tokenKind is what a token is.
type tokenKind byte

const (
	tokenEnd    tokenKind = iota
	tokenWord             // a bare word: a keyword or a name
	tokenQuoted           // a name in quotes
	tokenString
	tokenNumber
	tokenHex // 0x41, x'41'; its value is the digits
	tokenBit // 0b01, b'01'; its value is the digits
	tokenVar // @x, @@x
	tokenOp
)

// token is one word of a statement.
type token struct {
	kind     tokenKind
	text     string // as written
	value    string // a name without quotes, a string's characters
	off, end int
}

// mode is what sql_mode says about how a text is read.
type mode struct {
	ansiQuotes, pipesConcat, noBackslash, realAsFloat, highNot bool

	loose        bool // no strict mode is in it; the servers come with one
	invalidDates bool // ALLOW_INVALID_DATES
}

// lexer takes a statement apart. Comments that are code for the server are code here.
type lexer struct {
	src      string
	i        int
	mode     mode
	inCode   int  // depth of /*! … */ that are read as code
	maria    bool // whose comments
	number   int  // the server's version as comments state it: 80036, 101106
	keepEnds bool // semicolons are words, as in bodies; else they are blank
	err      string
	at       int // of err
}

// all gives the tokens of a text, with one at the end that is tokenEnd.
func (x *lexer) all() []token {
	return x.into(make([]token, 0, len(x.src)/6+2))
}

// into does so in a list that is there.
func (x *lexer) into(list []token) []token {
	for {
		t := x.next()
		list = append(list, t)
		if t.kind == tokenEnd {
			return list
		}
	}
}

func (x *lexer) fail(at int, text string) token {
	if x.err == "" {
		x.err, x.at = text, at
	}
	x.i = len(x.src)
	return token{off: at, end: x.i}
}

// blank skips white space and comments.
func (x *lexer) blank() bool {
	for x.i < len(x.src) {
		rest := x.src[x.i:]
		switch {
		case strings.IndexByte(" \t\r\n\f\v", rest[0]) >= 0, rest[0] == ';' && !x.keepEnds:
			x.i++
		case rest[0] == '#', strings.HasPrefix(rest, "--") && (len(rest) == 2 || rest[2] <= ' '):
			end := strings.IndexByte(rest, '\n')
			if end < 0 {
				end = len(rest) - 1
			}
			x.i += end + 1
		case strings.HasPrefix(rest, "*/") && x.inCode > 0:
			x.inCode--
			x.i += 2
		case strings.HasPrefix(rest, "/*"):
			if !x.comment(rest) {
				return false
			}
		default:
			return true
		}
	}
	return true
}

// comment goes past a comment, or into one that is code.
func (x *lexer) comment(rest string) bool {
	skip, mine := 3, strings.HasPrefix(rest, "/*!")
	if strings.HasPrefix(rest, "/*M!") {
		skip, mine = 4, x.maria
	}
	if mine {
		n, digits := 0, 0
		for skip+digits < len(rest) && digits < 6 && isDigit(rest[skip+digits]) {
			n = n*10 + int(rest[skip+digits]-'0')
			digits++
		}
		if digits < 5 {
			n, digits = 0, 0
		}
		// MariaDB passes over what MySQL 5.7 and later wrote for itself ("Comment Syntax", MariaDB's manual).
		if n <= x.number && (!x.maria || n < 50700 || n > 99999 || strings.HasPrefix(rest, "/*M!")) {
			x.inCode++
			x.i += skip + digits
			return true
		}
	}
	end := strings.Index(rest[2:], "*/")
	if end < 0 {
		x.fail(x.i, "a comment has no end; close it with */")
		return false
	}
	x.i += end + 4
	return true
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isWord(c byte) bool {
	return c == '_' || c == '$' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || isDigit(c) || c >= utf8.RuneSelf
}

func (x *lexer) next() token {
	if !x.blank() || x.i >= len(x.src) {
		return token{off: len(x.src), end: len(x.src)}
	}
	start, rest := x.i, x.src[x.i:]
	c := rest[0]
	switch {
	case c == '`' || c == '"' && x.mode.ansiQuotes:
		return x.quoted(start, tokenQuoted, c)
	case c == '\'' || c == '"':
		return x.quoted(start, tokenString, c)
	case c == '@':
		x.i++
		for x.i < len(x.src) && (isWord(x.src[x.i]) || x.src[x.i] == '@' || x.src[x.i] == '.') {
			x.i++
		}
		return x.token(start, tokenVar)
	case len(rest) > 1 && rest[1] == '\'' && strings.IndexByte("xXbBnN", c) >= 0:
		return x.prefixed(start, c)
	case isDigit(c), c == '.' && len(rest) > 1 && isDigit(rest[1]) && !x.afterName(start):
		return x.numeral(start)
	case isWord(c):
		for x.i < len(x.src) && isWord(x.src[x.i]) {
			x.i++
		}
		t := x.token(start, tokenWord)
		t.value = t.text
		return t
	}
	for _, op := range [...]string{"<=>", "->>", "->", "<<", ">>", "<=", ">=", "<>", "!=", "&&", "||", ":="} {
		if strings.HasPrefix(rest, op) {
			x.i += len(op)
			return x.token(start, tokenOp)
		}
	}
	x.i++
	return x.token(start, tokenOp)
}

// afterName tells whether a point belongs to a name before it, as in t.1a.
func (x *lexer) afterName(i int) bool { return i > 0 && (isWord(x.src[i-1]) || x.src[i-1] == '`') }

func (x *lexer) token(start int, kind tokenKind) token {
	return token{kind: kind, text: x.src[start:x.i], off: start, end: x.i}
}

// prefixed reads x'41', b'01' and N'text'.
func (x *lexer) prefixed(start int, c byte) token {
	x.i++
	t := x.quoted(start, tokenString, '\'')
	switch c {
	case 'x', 'X':
		t.kind, t.value = tokenHex, strings.ToUpper(t.value)
	case 'b', 'B':
		t.kind = tokenBit
	}
	return t
}

// numeral reads a number, 0x41, 0b01, or a name that begins with a digit.
func (x *lexer) numeral(start int) token {
	src := x.src
	if src[x.i] == '0' && x.i+2 < len(src) && (src[x.i+1] == 'x' || src[x.i+1] == 'b') {
		digits, kind := "0123456789abcdefABCDEF", tokenHex
		if src[x.i+1] == 'b' {
			digits, kind = "01", tokenBit
		}
		end := x.i + 2
		for end < len(src) && strings.IndexByte(digits, src[end]) >= 0 {
			end++
		}
		if end > x.i+2 && (end == len(src) || !isWord(src[end])) {
			x.i = end
			t := x.token(start, kind)
			t.value = strings.ToUpper(t.text[2:])
			return t
		}
	}
	for x.i < len(src) && isDigit(src[x.i]) {
		x.i++
	}
	if x.afterPoint(start) {
		for x.i < len(src) && isWord(src[x.i]) {
			x.i++
		}
		t := x.token(start, tokenWord)
		t.value = t.text
		return t
	}
	if x.i < len(src) && src[x.i] == '.' {
		x.i++
		for x.i < len(src) && isDigit(src[x.i]) {
			x.i++
		}
	}
	if x.i+1 < len(src) && (src[x.i] == 'e' || src[x.i] == 'E') {
		end := x.i + 1
		if src[end] == '-' || src[end] == '+' {
			end++
		}
		if end < len(src) && isDigit(src[end]) {
			for end < len(src) && isDigit(src[end]) {
				end++
			}
			x.i = end
		}
	}
	if x.i < len(src) && isWord(src[x.i]) && strings.IndexByte(src[start:x.i], '.') < 0 {
		for x.i < len(src) && isWord(src[x.i]) {
			x.i++
		}
		t := x.token(start, tokenWord)
		t.value = t.text
		return t
	}
	t := x.token(start, tokenNumber)
	t.value = t.text
	return t
}

// afterPoint tells whether what begins here stands after a name and a point, as in db.1a: a name.
func (x *lexer) afterPoint(start int) bool {
	return start > 1 && x.src[start-1] == '.' && x.afterName(start-1)
}

// quoted reads what stands in quotes; x.i is at the quote.
func (x *lexer) quoted(start int, kind tokenKind, quote byte) token {
	var b strings.Builder
	src := x.src
	x.i++
	for x.i < len(src) {
		c := src[x.i]
		switch {
		case c == quote && x.i+1 < len(src) && src[x.i+1] == quote:
			b.WriteByte(quote)
			x.i += 2
		case c == quote:
			x.i++
			t := x.token(start, kind)
			t.value = b.String()
			return t
		case c == '\\' && kind == tokenString && !x.mode.noBackslash && x.i+1 < len(src):
			x.i += 2
			writeEscape(&b, src[x.i-1])
		default:
			b.WriteByte(c)
			x.i++
		}
	}
	return x.fail(start, fmt.Sprintf("%c has no second one; close the quotes", quote))
}

// writeEscape writes what a backslash with a character means ("String Literals", MySQL's manual).
func writeEscape(b *strings.Builder, c byte) {
	switch c {
	case '0':
		b.WriteByte(0)
	case 'b':
		b.WriteByte('\b')
	case 'n':
		b.WriteByte('\n')
	case 'r':
		b.WriteByte('\r')
	case 't':
		b.WriteByte('\t')
	case 'Z':
		b.WriteByte(26)
	case '%', '_':
		b.WriteByte('\\')
		b.WriteByte(c)
	default:
		b.WriteByte(c)
	}
}

// reader reads a statement by its tokens. The first error stays, and ends the text.
type reader struct {
	c    *Catalog
	src  string
	list []token
	i    int
	mode mode
	pos  func(int) schema.Pos
	path string
	err  error
}

func (r *reader) here() token { return r.list[r.i] }

func (r *reader) peek(n int) token {
	if r.i+n >= len(r.list) {
		return r.list[len(r.list)-1]
	}
	return r.list[r.i+n]
}

func (r *reader) next() token {
	t := r.list[r.i]
	if r.i < len(r.list)-1 {
		r.i++
	}
	return t
}

// fail notes an error at a token.
func (r *reader) fail(t token, kind schema.ErrorKind, format string, args ...any) {
	if r.err == nil {
		r.err = &schema.Error{Pos: r.pos(t.off), Path: r.path, Kind: kind, Text: fmt.Sprintf(format, args...)}
	}
	r.i = len(r.list) - 1
}

// failSyntax notes that something else was wanted.
func (r *reader) failSyntax(wanted string) {
	t := r.here()
	got := "the statement ends"
	if t.kind != tokenEnd {
		got = excerpt(t.text) + " stands"
	}
	r.fail(t, schema.KindSyntax, "%s where %s is wanted; write the statement as %s takes it", got, wanted, r.c.Server.Name())
}

// is tells whether the words come next.
func (r *reader) is(words ...string) bool {
	for n, w := range words {
		t := r.peek(n)
		if t.kind == tokenOp && t.text == w {
			continue
		}
		if t.kind != tokenWord || !strings.EqualFold(t.text, w) {
			return false
		}
	}
	return true
}

// take goes past the words if they come next.
func (r *reader) take(words ...string) bool {
	if !r.is(words...) {
		return false
	}
	for range words {
		r.next()
	}
	return true
}

// takeAny goes past the first of some words that comes next, and gives it.
func (r *reader) takeAny(words ...string) string {
	for _, w := range words {
		if r.take(w) {
			return w
		}
	}
	return ""
}

// want goes past the words, which have to come next.
func (r *reader) want(words ...string) {
	for _, w := range words {
		if !r.take(w) {
			r.failSyntax("`" + w + "`")
		}
	}
}

func (r *reader) done() bool { return r.here().kind == tokenEnd }

// ident reads a name.
func (r *reader) ident() string {
	t := r.here()
	if t.kind != tokenWord && t.kind != tokenQuoted {
		r.failSyntax("a name")
		return ""
	}
	r.next()
	return t.value
}

// isName tells whether a name comes next.
func (r *reader) isName() bool {
	k := r.here().kind
	return k == tokenWord || k == tokenQuoted
}

// name reads a name with or without its database.
func (r *reader) name() Name {
	first := r.ident()
	if r.take(".") {
		return r.c.named(first, r.ident())
	}
	return r.c.named("", first)
}

// text reads a string.
func (r *reader) text() string {
	t := r.here()
	if t.kind != tokenString {
		r.failSyntax("a string")
		return ""
	}
	r.next()
	value := t.value
	for r.here().kind == tokenString {
		value += r.next().value
	}
	return value
}

// word reads a word, a name, a string or a number as an option has it.
func (r *reader) word() string {
	t := r.next()
	switch t.kind {
	case tokenWord, tokenQuoted, tokenString, tokenNumber:
		return t.value
	}
	r.i--
	r.failSyntax("a value")
	return ""
}

// number reads a whole number.
func (r *reader) number() uint64 {
	t := r.here()
	var n uint64
	if t.kind == tokenNumber {
		for _, c := range t.text {
			if c < '0' || c > '9' || n > 1<<60 {
				r.failSyntax("a whole number")
				return 0
			}
			n = n*10 + uint64(c-'0')
		}
		r.next()
		return n
	}
	r.failSyntax("a number")
	return 0
}

// since gives the text from an offset up to the last token that was read.
func (r *reader) since(off int) string {
	if r.i == 0 || r.list[r.i-1].end < off {
		return ""
	}
	return r.src[off:r.list[r.i-1].end]
}

// excerpt shortens a statement for a message.
func excerpt(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	const most = 60
	if len(text) <= most {
		return "`" + text + "`"
	}
	return "`" + strings.ToValidUTF8(text[:most], "") + "…`"
}
