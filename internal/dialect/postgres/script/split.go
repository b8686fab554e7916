package script

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/altergate/altergate/internal/dialect/hint"
	"github.com/altergate/altergate/internal/schema"
	"github.com/altergate/altergate/internal/source"
)

// head is what a statement's first words say about where it ends.
type head uint8

const (
	unread  head = iota // no word yet
	create              // CREATE
	or                  // CREATE OR
	replace             // CREATE OR REPLACE
	routine             // CREATE FUNCTION or PROCEDURE: semicolons stand between BEGIN ATOMIC and END
	rule                // CREATE RULE: semicolons stand in parentheses
	copying             // COPY: data may follow
	setting             // SET
	other
)

// heads says how words lead from one head to the next; a word that is not here leads to other.
var heads = map[head]map[string]head{
	unread:  {"CREATE": create, "COPY": copying, "SET": setting},
	create:  {"OR": or, "FUNCTION": routine, "PROCEDURE": routine, "RULE": rule},
	or:      {"REPLACE": replace},
	replace: {"FUNCTION": routine, "PROCEDURE": routine, "RULE": rule},
}

// splitter is the state of cutting one file.
type splitter struct {
	out  *Script
	src  string
	errs []*schema.Error
	told int        // the offset whose place was last asked for
	at   schema.Pos // that place

	start, end int // of the statement so far; start < 0 = none
	head       head
	depth      int   // of open parentheses
	open       int   // offset of the outermost one
	last       token // before the current one, comments aside
	atomic     int   // of BEGIN ATOMIC and the CASEs in it that wait for their END
	begin      int   // offset of that BEGIN
	from       bool  // COPY … FROM was the last word
	stdin      bool  // COPY … FROM STDIN
}

// Split cuts a file into statements without parsing them. What psql would read and the server would not see is passed over:
// meta-commands, and the data of COPY … FROM stdin. What psql would do differently from reading on, as to include another
// file, is an error, and so is what is opened and never closed.
//
// A semicolon ends a statement, parentheses or not, unless it is one of CREATE RULE or of a BEGIN ATOMIC body: no other
// statement may hold one, so that a forgotten parenthesis is an error of one statement and not of all behind it.
func Split(f *source.File) (*Script, []*schema.Error) {
	s := &splitter{out: &Script{file: f}, src: f.Text, at: f.Pos(0), start: -1}
	for i := 0; ; {
		t := next(s.src, i)
		i = t.end
		switch {
		case t.kind == eof:
			s.finish()
			return s.out, s.errs
		case t.kind == illegal:
			s.errorf(t.start, schema.KindSyntax, "%s %s", excerpt(s.src[t.start:], 60), unclosed(s.src[t.start:]))
			return s.out, s.errs
		case t.kind == comment:
			if strings.Contains(s.src[t.start:t.end], "renamed") {
				s.out.hinted = append(s.out.hinted, hint.Span{Start: t.start, End: t.end})
			}
		case t.kind == punctuation && s.src[t.start] == '\\':
			i = s.meta(t.start)
		case t.kind == punctuation && s.src[t.start] == ';' && !s.inside():
			i = s.semicolon(i)
		default:
			s.add(t)
		}
	}
}

// unclosed says what the illegal token at the start of a text is.
func unclosed(s string) string {
	switch {
	case strings.HasPrefix(s, "/*"):
		return "opens a comment that is never closed; comments nest in PostgreSQL"
	case s[0] == '$':
		return "opens a dollar-quoted string that is never closed"
	case s[0] == '"' || strings.HasPrefix(s[1:], `&"`):
		return "opens a quoted name that is never closed"
	}
	return "opens a string that is never closed"
}

func (s *splitter) errorf(offset int, kind schema.ErrorKind, format string, args ...any) {
	s.errs = append(s.errs, &schema.Error{Pos: s.pos(offset), Kind: kind, Text: fmt.Sprintf(format, args...)})
}

// pos gives the place of an offset as source.File.Pos does; a file that has all on one line, which that counts through each
// time, takes no longer than others since offsets are mostly asked for in order.
func (s *splitter) pos(offset int) schema.Pos {
	if offset < s.told {
		return s.out.file.Pos(offset)
	}
	between := s.src[s.told:offset]
	if i := strings.LastIndexByte(between, '\n'); i >= 0 {
		s.at.Line += strings.Count(between, "\n")
		s.at.Column = 1
		between = between[i+1:]
	}
	s.at.Column += utf8.RuneCountInString(between)
	s.told = offset
	return s.at
}

// pass notes what is passed over from start to end.
func (s *splitter) pass(what string, start, end int) {
	s.out.Passed = append(s.out.Passed, Passed{What: what, Pos: s.pos(start)})
	s.out.passed = append(s.out.passed, span{start, end})
}

// inside tells whether a semicolon here belongs to the statement.
func (s *splitter) inside() bool { return s.atomic > 0 || (s.head == rule && s.depth > 0) }

// add takes a token into the statement.
func (s *splitter) add(t token) {
	if s.start < 0 {
		s.start = t.start
	}
	s.end = t.end
	switch {
	case t.kind == word && s.head != other:
		s.word(t)
	case t.kind == punctuation && s.src[t.start] == '(':
		if s.depth == 0 {
			s.open = t.start
		}
		s.depth++
	case t.kind == punctuation && s.src[t.start] == ')' && s.depth > 0:
		s.depth--
	}
	if s.head == unread { // a statement that begins with something else than a word, as (SELECT 1)
		s.head = other
	}
	s.last = t
}

// word takes what a word says about where the statement ends.
func (s *splitter) word(t token) {
	switch s.head {
	case unread, create, or, replace:
		to, ok := heads[s.head][strings.ToUpper(s.src[t.start:t.end])]
		if !ok {
			to = other
		}
		s.head = to
	case routine:
		s.body(t)
	case copying:
		if s.depth == 0 {
			s.stdin = s.stdin || (s.from && t.is(s.src, "STDIN"))
			s.from = t.is(s.src, "FROM")
		}
	}
}

// body follows BEGIN ATOMIC … END. Behind AS or a dot any word is a name.
func (s *splitter) body(t token) {
	switch {
	case s.last.is(s.src, "AS"), s.last.is(s.src, "."):
	case s.atomic == 0:
		if t.is(s.src, "ATOMIC") && s.last.is(s.src, "BEGIN") {
			s.atomic, s.begin = 1, s.last.start
		}
	case t.is(s.src, "CASE"):
		s.atomic++
	case t.is(s.src, "END"):
		s.atomic--
	}
}

// semicolon ends the statement at one that ends at an offset, and gives the offset at which to read on.
func (s *splitter) semicolon(i int) int {
	if s.start >= 0 && s.stdin {
		return s.data(i)
	}
	s.finish()
	return i
}

// finish ends the statement.
func (s *splitter) finish() {
	switch {
	case s.start < 0:
	case s.atomic > 0:
		s.errorf(s.begin, schema.KindSyntax, "this BEGIN ATOMIC has no END: the file ends inside its body")
	case s.head == rule && s.depth > 0:
		s.errorf(s.open, schema.KindSyntax, "this parenthesis is never closed: the file ends inside the rule")
	case s.stdin:
		s.errorf(s.start, schema.KindSyntax, "unterminated COPY data: the statement has no semicolon, and no data follows")
	case s.head == setting && strings.Contains(fold(s.src[s.start:s.end]), "standard_conforming_strings") && s.last.is(s.src, "OFF"):
		s.errorf(s.start, schema.KindUnsupported, "strings in which backslashes escape are only understood as E'…'; dump the schema with standard_conforming_strings on")
	default:
		s.out.Statements = append(s.out.Statements, &Statement{Text: s.src[s.start:s.end], File: s.out.file, Start: s.start})
	}
	s.reset()
}

// reset forgets the statement.
func (s *splitter) reset() {
	*s = splitter{out: s.out, src: s.src, errs: s.errs, told: s.told, at: s.at, start: -1}
}
