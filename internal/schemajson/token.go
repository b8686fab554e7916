package schemajson

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

type tokenKind int

const (
	wordToken    tokenKind = iota // an identifier without quotes, or a keyword
	quotedToken                   // an identifier in quotes
	stringToken                   // a literal
	blobToken                     // x'0f'
	numberToken                   // without a sign
	symbolToken                   // one character, or the :: of a cast
	commentToken                  // closed, with its marks
)

// token is a piece of a fragment. Its text is as written, except that a quoted identifier is without its quotes.
type token struct {
	kind tokenKind
	text string
}

// is tells whether the token is that keyword.
func (t token) is(keyword string) bool {
	return t.kind == wordToken && strings.EqualFold(t.text, keyword)
}

// sign tells whether the token is that character.
func (t token) sign(character string) bool {
	return t.kind == symbolToken && t.text == character
}

// literal tells whether the token is a literal in quotes.
func (t token) literal() bool {
	return t.kind == stringToken || t.kind == blobToken
}

// lexicon is where the lexical rules of dialects part.
type lexicon struct {
	symbols  string          // what may stand outside quotes besides words, numbers and parentheses
	quotes   map[byte]string // what opens a quoted identifier, and what closes it
	prefixes string          // letters that make one literal with the quote they touch: x'0f'
	escapes  string          // those of them that give the backslash a meaning: E'\''
	dollars  bool            // $tag$ … $tag$ is a literal
	casts    bool            // value::type
	strict   bool            // two literals in a row, and \' in a plain one, mean different things in different places
}

var (
	sqliteLexicon = lexicon{
		symbols:  `(),.;+-*/%=<>!|&~`,
		quotes:   map[byte]string{'"': `"`, '`': "`", '[': "]"},
		prefixes: "xX",
	}
	postgresLexicon = lexicon{
		symbols:  `(),.;+-*/%=<>!|&~[]^@#?`,
		quotes:   map[byte]string{'"': `"`},
		prefixes: "xXbBeE",
		escapes:  "eE",
		dollars:  true,
		casts:    true,
		strict:   true,
	}
)

var (
	sqlNumber  = regexp.MustCompile(`^(0[xX][0-9a-fA-F]+|([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?)`)
	dollarMark = regexp.MustCompile(`^\$([A-Za-z_\x{80}-\x{10FFFF}][A-Za-z_0-9\x{80}-\x{10FFFF}]*)?\$`)
)

// tokens takes a fragment apart, or says why it cannot be sure where a literal, a name or a comment ends.
func (l lexicon) tokens(src string) ([]token, error) {
	var tokens []token
	for at := 0; at < len(src); {
		if strings.IndexByte(" \t\r\n", src[at]) >= 0 {
			at++
			continue
		}
		t, size, err := l.next(src[at:])
		if err != nil {
			return nil, err
		}
		for _, r := range src[at : at+size] {
			if r < ' ' && r != '\t' && r != '\r' && r != '\n' || r == 0x7f {
				return nil, fmt.Errorf("holds the control character %q; take it out", r)
			}
		}
		if l.strict && t.kind == stringToken && len(tokens) > 0 && tokens[len(tokens)-1].literal() {
			return nil, errors.New("has two literals in a row, which may be read as one; write one literal")
		}
		tokens = append(tokens, t)
		at += size
	}
	return tokens, nil
}

// next reads the token that src begins with.
func (l lexicon) next(src string) (token, int, error) {
	c := src[0]
	closing, quoted := l.quotes[c]
	switch {
	case strings.HasPrefix(src, "--") || strings.HasPrefix(src, "/*"):
		return comment(src)
	case strings.HasPrefix(src, "\ufeff"):
		return token{}, 0, errors.New("holds a byte order mark, which an engine may read as a blank; take it out")
	case c == '\'':
		return l.literal(src, 0)
	case quoted:
		size := closed(src, closing)
		if size < 0 {
			return token{}, 0, fmt.Errorf("opens a name with %s and does not close it", src[:1])
		}
		name := src[1 : size-1]
		if closing != "]" {
			name = strings.ReplaceAll(name, closing+closing, closing)
		}
		return token{quotedToken, name}, size, nil
	case c == '$' && l.dollars:
		mark := dollarMark.FindString(src)
		end := strings.Index(src[len(mark):], mark)
		if mark == "" || end < 0 {
			return token{}, 0, errors.New("has a $ that is neither a closed $tag$ literal nor part of a name; parameters have no place in a schema")
		}
		size := len(mark) + end + len(mark)
		return token{stringToken, src[:size]}, size, nil
	case startsName(c):
		return l.word(src)
	case strings.HasPrefix(src, "::") && l.casts:
		return token{symbolToken, "::"}, 2, nil
	}
	if number := sqlNumber.FindString(src); number != "" {
		if rest := src[len(number):]; rest != "" && (continuesName(rest[0]) || rest[0] == '.') {
			return token{}, 0, fmt.Errorf("has a number that runs into something else at %s; write a blank between, and no _ inside", excerpt(src))
		}
		return token{numberToken, number}, len(number), nil
	}
	if strings.IndexByte(l.symbols, c) < 0 {
		r, _ := utf8.DecodeRuneInString(src)
		return token{}, 0, fmt.Errorf("holds %q outside quotes, which is not understood here", r)
	}
	if l.strict && c == '&' && len(src) > 1 && (src[1] == '\'' || src[1] == '"') {
		return token{}, 0, errors.New("has an & that touches a quote, which may be Unicode escapes; write the characters themselves, or a blank between")
	}
	return token{symbolToken, src[:1]}, 1, nil
}

// word reads a name or keyword; one that touches a quote is a literal with a prefix, or not understood.
func (l lexicon) word(src string) (token, int, error) {
	size := 1
	for size < len(src) && continuesName(src[size]) {
		size++
	}
	if size == len(src) || src[size] != '\'' {
		return token{wordToken, src[:size]}, size, nil
	}
	if size > 1 || strings.IndexByte(l.prefixes, src[0]) < 0 {
		return token{}, 0, fmt.Errorf("has a word that touches a literal at %s; write a plain '…' literal, or a blank between", excerpt(src))
	}
	return l.literal(src, 1)
}

// literal reads '…' after a prefix of that size.
func (l lexicon) literal(src string, prefix int) (token, int, error) {
	size := closed(src[prefix:], "'")
	if prefix > 0 && strings.Contains(l.escapes, src[:prefix]) {
		size = closedWithEscapes(src[prefix:])
	}
	if size < 0 {
		return token{}, 0, errors.New("opens a literal with ' and does not close it; a quote inside a literal is written ''")
	}
	text := src[:prefix+size]
	switch {
	case prefix == 0 && l.strict && strings.Contains(text, `\'`):
		return token{}, 0, errors.New(`has a backslash before a quote, which some settings take for the end of the literal and some do not; write E'…' and double the backslash`)
	case prefix > 0 && strings.Contains("xX", text[:1]):
		if digits := text[2 : len(text)-1]; len(digits)%2 != 0 || strings.Trim(digits, "0123456789abcdefABCDEF") != "" {
			return token{}, 0, fmt.Errorf("has the blob %s, which is not pairs of hexadecimal digits", excerpt(text))
		}
		return token{blobToken, text}, len(text), nil
	}
	return token{stringToken, text}, len(text), nil
}

// closed gives the size of the quoted text that src begins with; its closing quote is doubled inside, save for ].
// -1 says that it is not closed.
func closed(src, closing string) int {
	for at := 1; at < len(src); at++ {
		if src[at] != closing[0] {
			continue
		}
		if closing == "]" || at+1 == len(src) || src[at+1] != closing[0] {
			return at + 1
		}
		at++
	}
	return -1
}

// closedWithEscapes is closed for a literal in which a backslash takes the next character as it is.
func closedWithEscapes(src string) int {
	for at := 1; at < len(src); at++ {
		switch {
		case src[at] == '\\':
			at++
		case src[at] == '\'' && (at+1 == len(src) || src[at+1] != '\''):
			return at + 1
		case src[at] == '\'':
			at++
		}
	}
	return -1
}

func comment(src string) (token, int, error) {
	end := "\n"
	if src[0] == '/' {
		end = "*/"
	}
	i := strings.Index(src[2:], end)
	if i < 0 {
		return token{}, 0, errors.New("has a comment that does not end")
	}
	size := 2 + i + len(end)
	return token{commentToken, src[:size]}, size, nil
}

// startsName and continuesName know the engines' identifiers: every byte of a character beyond ASCII is part of one.
func startsName(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c >= utf8.RuneSelf
}

func continuesName(c byte) bool {
	return startsName(c) || '0' <= c && c <= '9' || c == '$'
}
