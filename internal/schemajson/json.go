package schemajson

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/altergate/altergate/internal/schema"
)

// A schema JSON nests six deep; one larger than maxSize is no schema a person reviews.
const (
	maxSize  = 16 << 20
	maxDepth = 32
)

// nodeKind is a kind of JSON value, in the words of a message.
type nodeKind string

const (
	objectNode  nodeKind = "an object"
	arrayNode   nodeKind = "an array"
	stringNode  nodeKind = "a string"
	numberNode  nodeKind = "a number"
	booleanNode nodeKind = "true or false"
	nullNode    nodeKind = "null"
)

// node is a JSON value with its position, which encoding/json does not keep.
type node struct {
	kind   nodeKind
	pos    schema.Pos
	text   string   // of a string
	truth  bool     // of a boolean
	items  []*node  // of an array
	fields []member // of an object, in order, repeated keys included
}

type member struct {
	key   string
	pos   schema.Pos
	value *node
}

var jsonNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?`)

// parse reads src as exactly one JSON value; whoever left the file empty is told how one that declares nothing looks. The
// first problem ends it: what follows a slip of syntax means nothing.
func parse(file string, src []byte, nothing string) (*node, error) {
	src = bytes.TrimPrefix(src, []byte("\ufeff"))
	s := &scanner{src: src, mark: schema.Pos{File: file, Line: 1, Column: 1}}
	switch {
	case len(src) > maxSize:
		return nil, s.problem(0, schema.KindSource, "the file is larger than %d MiB; a schema JSON is not", maxSize>>20)
	case !utf8.Valid(src):
		return nil, s.problem(validPrefix(src), schema.KindSource, "the file is not UTF-8 text; save it as UTF-8")
	}
	if s.skipSpace(); s.at == len(src) {
		return nil, s.problem(0, schema.KindSource, "the file is empty; to declare nothing, write %s", nothing)
	}
	root, err := s.value(1)
	if err != nil {
		return nil, err
	}
	if s.skipSpace(); s.at < len(src) {
		return nil, s.syntax(s.at, "there is more text after the end of the JSON value; take it out")
	}
	return root, nil
}

func validPrefix(src []byte) int {
	at := 0
	for at < len(src) {
		r, size := utf8.DecodeRune(src[at:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		at += size
	}
	return at
}

// scanner walks over the text. Positions are asked for from front to back, so mark only ever moves on.
type scanner struct {
	src    []byte
	at     int
	mark   schema.Pos // the position of markAt
	markAt int
}

func (s *scanner) pos(at int) schema.Pos {
	for ; s.markAt < at; s.markAt++ {
		switch c := s.src[s.markAt]; {
		case c == '\n':
			s.mark.Line, s.mark.Column = s.mark.Line+1, 1
		case utf8.RuneStart(c):
			s.mark.Column++
		}
	}
	return s.mark
}

func (s *scanner) problem(at int, kind schema.ErrorKind, format string, args ...any) error {
	return &schema.Error{Pos: s.pos(at), Kind: kind, Text: fmt.Sprintf(format, args...)}
}

func (s *scanner) syntax(at int, format string, args ...any) error {
	return s.problem(at, schema.KindSyntax, "this is not valid JSON: "+format, args...)
}

func (s *scanner) skipSpace() {
	for s.at < len(s.src) && strings.IndexByte(" \t\r\n", s.src[s.at]) >= 0 {
		s.at++
	}
}

// next skips space and gives the character that follows; 0 is the end.
func (s *scanner) next() byte {
	if s.skipSpace(); s.at < len(s.src) {
		return s.src[s.at]
	}
	return 0
}

// unexpected says what stands here instead of what was wanted.
func (s *scanner) unexpected(wanted string) error {
	if s.at >= len(s.src) {
		return s.syntax(len(s.src), "it ends where %s should be", wanted)
	}
	r, _ := utf8.DecodeRune(s.src[s.at:])
	return s.syntax(s.at, "%q stands where %s should be", r, wanted)
}

func (s *scanner) value(depth int) (*node, error) {
	c := s.next()
	n := &node{pos: s.pos(s.at)}
	if depth > maxDepth {
		return nil, s.syntax(s.at, "it nests more than %d deep; a schema JSON does not", maxDepth)
	}
	switch {
	case c == '{':
		n.kind = objectNode
		return n, s.object(n, depth)
	case c == '[':
		n.kind = arrayNode
		return n, s.array(n, depth)
	case c == '"':
		n.kind = stringNode
		var err error
		n.text, err = s.text()
		return n, err
	case c == '-' || '0' <= c && c <= '9':
		n.kind = numberNode
		digits := jsonNumber.Find(s.src[s.at:])
		if digits == nil {
			return nil, s.unexpected("a number")
		}
		s.at += len(digits)
		return n, nil
	}
	for _, word := range []struct {
		text string
		kind nodeKind
	}{{"true", booleanNode}, {"false", booleanNode}, {"null", nullNode}} {
		if bytes.HasPrefix(s.src[s.at:], []byte(word.text)) {
			s.at += len(word.text)
			n.kind, n.truth = word.kind, word.text == "true"
			return n, nil
		}
	}
	return nil, s.unexpected("a value")
}

func (s *scanner) object(n *node, depth int) error {
	s.at++
	for s.next() != '}' {
		if len(n.fields) > 0 {
			if s.next() != ',' {
				return s.unexpected(`"," or "}"`)
			}
			s.at++
		}
		if s.next() != '"' {
			return s.unexpected("a key in double quotes")
		}
		m := member{pos: s.pos(s.at)}
		var err error
		if m.key, err = s.text(); err != nil {
			return err
		}
		if s.next() != ':' {
			return s.unexpected(`":"`)
		}
		s.at++
		if m.value, err = s.value(depth + 1); err != nil {
			return err
		}
		n.fields = append(n.fields, m)
	}
	s.at++
	return nil
}

func (s *scanner) array(n *node, depth int) error {
	s.at++
	for s.next() != ']' {
		if len(n.items) > 0 {
			if s.next() != ',' {
				return s.unexpected(`"," or "]"`)
			}
			s.at++
		}
		element, err := s.value(depth + 1)
		if err != nil {
			return err
		}
		n.items = append(n.items, element)
	}
	s.at++
	return nil
}

// text reads a string. Half a surrogate pair and U+0000 are refused: the first has no UTF-8, and an engine ends its
// reading at the second.
func (s *scanner) text() (string, error) {
	start, plain := s.at, true
	for s.at++; s.at < len(s.src); s.at++ {
		switch c := s.src[s.at]; {
		case c == '"' && plain:
			s.at++
			return string(s.src[start+1 : s.at-1]), nil
		case c == '"':
			s.at++
			var text string
			if err := json.Unmarshal(s.src[start:s.at], &text); err != nil {
				return "", s.syntax(start, "%v", err)
			}
			return text, nil
		case c < ' ':
			return "", s.syntax(s.at, "a string holds the control character %q; write it as an escape such as \\n", c)
		case c != '\\':
			continue
		}
		plain = false
		s.at++
		if s.at == len(s.src) || s.src[s.at] != 'u' {
			continue // json.Unmarshal knows the other escapes
		}
		if err := s.unicodeEscape(); err != nil {
			return "", err
		}
	}
	return "", s.syntax(start, "this string has no closing quote")
}

// unicodeEscape checks the \uXXXX (or the pair of them) whose u is here, and stops on its last digit.
func (s *scanner) unicodeEscape() error {
	start := s.at - 1
	r := s.hex(start)
	switch {
	case r < 0:
		return s.syntax(start, "\\u needs four hexadecimal digits")
	case r == 0:
		return s.problem(start, schema.KindUnsupported, "a string holds \\u0000, where an engine stops reading; take it out")
	case utf16.IsSurrogate(r):
		if utf16.DecodeRune(r, s.hex(start+6)) == utf8.RuneError {
			return s.syntax(start, "this is half of a surrogate pair; write both halves, or the character itself")
		}
		s.at += 6
	}
	s.at += 4
	return nil
}

// hex reads the escape \uXXXX at that place; -1 says there is none.
func (s *scanner) hex(at int) rune {
	if at+6 > len(s.src) || s.src[at] != '\\' || s.src[at+1] != 'u' {
		return -1
	}
	code, err := strconv.ParseUint(string(s.src[at+2:at+6]), 16, 16)
	if err != nil {
		return -1
	}
	return rune(code)
}
