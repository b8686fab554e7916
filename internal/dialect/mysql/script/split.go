package script

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/altergate/altergate/internal/dialect/hint"
	"github.com/altergate/altergate/internal/dialect/mysql/server"
	"github.com/altergate/altergate/internal/schema"
	"github.com/altergate/altergate/internal/source"
)

// splitter is the state of cutting one file.
type splitter struct {
	out      *Script
	sv       server.Server
	src      string
	errs     []*schema.Error
	lex      lexer
	delim    string
	told     int        // the offset whose place was last asked for
	at       schema.Pos // that place
	saved    map[string]Mode
	temps    map[string]bool // temporary tables
	hidden   []hidden
	modes    map[Mode]bool // those that were told
	prepared prepared      // texts that are run later
	sends    bool          // every statement counts, not only those that act on a schema

	statement
}

// statement is what is known of the statement so far.
type statement struct {
	start, end int // start < 0 = none
	edits      []edit
	data       bool  // it holds rows, and is passed over
	body       *body // of a stored program, from its first token on
	bodyAt     int   // where that begins; -1 = nowhere
	code       int   // of the code comment that is open; -1 = none
	line       bool  // it may end with its line: USE
}

var none = statement{start: -1, bodyAt: -1, code: -1}

// Split cuts a file into statements without parsing them, and tells of each what it is about. What the mysql client would do differently
// from reading on, as to run another file, is an error, and so is what is opened and never closed. What changes no schema is passed over.
//
// A semicolon ends a statement whatever the client's delimiter is, since the server knows no other; only those in the body of a stored
// program do not.
func Split(f *source.File, sv server.Server) (*Script, []*schema.Error) {
	s := newSplitter(f, sv)
	s.run()
	return s.out, s.errs
}

func newSplitter(f *source.File, sv server.Server) *splitter {
	s := &splitter{out: &Script{file: f}, sv: sv, src: f.Text, at: f.Pos(0), delim: ";", saved: map[string]Mode{}, temps: map[string]bool{},
		modes: map[Mode]bool{}, statement: none}
	s.lex.runs = func(code string) (int, bool) { return codeComment(code, sv) }
	return s
}

// run goes through the file.
func (s *splitter) run() {
	for i := 0; i >= 0; {
		i = s.step(i)
	}
	s.tellHidden()
}

// step reads on from an offset, and gives the next; less than 0 = there is no more.
func (s *splitter) step(i int) int {
	if s.data && !s.sends {
		for i < len(s.src) && classes[s.src[i]]&marking == 0 && s.src[i] != s.delim[0] {
			i++
		}
	}
	for i < len(s.src) && classes[s.src[i]]&blank != 0 {
		if s.line && s.src[i] == '\n' {
			s.finish(i)
		}
		i++
	}
	if i >= len(s.src) {
		s.eof()
		return -1
	}
	switch {
	case strings.HasPrefix(s.src[i:], s.delim):
		s.delimiter(i)
		return i + len(s.delim)
	case s.src[i] == ';' && (s.body == nil || len(s.body.open) == 0):
		s.finish(i)
		return i + 1
	case s.src[i] == '-' && strings.HasPrefix(s.src[i:], breakpoint):
		s.delimiter(i)
		return i + len(breakpoint)
	case s.src[i] == '\\':
		return s.backslash(i)
	}
	t := s.lex.next(s.src, i)
	switch t.Kind {
	case Illegal:
		s.errorf(t.Start, schema.KindSyntax, "%s %s", excerpt(s.src[t.Start:], 60), s.unclosed(t.Start))
		return -1
	case Comment:
		s.comment(t)
		return t.End
	case codeOpen:
		s.lex.inCode, s.code = true, t.Start
		s.blank(t)
		return t.End
	case codeClose:
		s.lex.inCode, s.code = false, -1
		s.blank(t)
		return t.End
	case Word:
		if n := s.clientWord(t); n > 0 {
			return n
		}
	}
	s.add(t)
	return t.End
}

// breakpoint is where drizzle ends a statement; no server takes it.
const breakpoint = "--> statement-breakpoint"

// unclosed says what the illegal token at an offset is.
func (s *splitter) unclosed(at int) string {
	switch c := s.src[at]; {
	case c == '/':
		return "opens a comment that is never closed"
	case c == '`', c == '"' && s.lex.mode.AnsiQuotes:
		return "opens a quoted name that is never closed"
	}
	return "opens a string that is never closed"
}

func (s *splitter) errorf(offset int, kind schema.ErrorKind, format string, args ...any) {
	if len(s.errs) < maxErrors {
		s.errs = append(s.errs, &schema.Error{Pos: s.pos(offset), Kind: kind, Text: fmt.Sprintf(format, args...)})
	}
}

// pos gives the place of an offset as source.File.Pos does; a file that has all on one line, which that counts through each time, takes no
// longer than others since offsets are mostly asked for in order.
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

// blank takes the marks of a code comment out of the statement.
func (s *splitter) blank(t Token) {
	if s.start >= 0 {
		s.edits = append(s.edits, edit{t.Start, t.End, strings.Repeat(" ", t.End-t.Start)})
	}
}

// comment takes in a comment: it may hold a hint, or code that the server does not run.
func (s *splitter) comment(t Token) {
	said := s.src[t.Start:t.End]
	if strings.Contains(said, "renamed") {
		s.out.hinted = append(s.out.hinted, hint.Span{Start: t.Start, End: t.End})
	}
	if strings.HasPrefix(said, "/*!") || strings.HasPrefix(said, "/*M!") {
		s.hide(t)
		s.edits = append(s.edits, edit{t.Start, t.End, blanked(said)})
		if s.start < 0 {
			s.edits = nil
		}
	}
}

// blanked is a text of the same length that says nothing, its line ends kept.
func blanked(text string) string {
	b := []byte(text)
	for i, c := range b {
		if c != '\n' {
			b[i] = ' '
		}
	}
	return string(b)
}

// add takes a token into the statement.
func (s *splitter) add(t Token) {
	if s.start < 0 {
		s.begin(t)
	}
	s.end = t.End
	switch {
	case s.data && !s.sends:
		return
	case t.Kind == QuotedName && s.src[t.Start] == '"':
		s.edits = append(s.edits, edit{t.Start, t.End, Quote(t.Name(s.src))})
	case t.Kind == String && s.lex.mode.NoBackslashEscapes && strings.Contains(s.src[t.Start:t.End], `\`):
		s.edits = append(s.edits, edit{t.Start, t.End, strings.ReplaceAll(s.src[t.Start:t.End], `\`, `\\`)})
	case s.data:
		return
	case s.lex.mode.pipes && t.Kind == Symbol && strings.HasPrefix(s.src[t.Start:], "||"):
		s.errorf(t.Start, schema.KindUnsupported, "|| joins strings here, since sql_mode has PIPES_AS_CONCAT; write CONCAT(…), which means the same under every sql_mode")
	case s.lex.mode.realAsFloat && t.Is(s.src, "REAL"):
		s.errorf(t.Start, schema.KindUnsupported, "REAL is FLOAT here, since sql_mode has REAL_AS_FLOAT; write FLOAT or DOUBLE, which mean the same under every sql_mode")
	}
	if s.bodyAt >= 0 && t.Start >= s.bodyAt {
		if s.body == nil {
			s.body = &body{first: true}
		}
		upper := ""
		if t.Kind == Word && t.End-t.Start <= len("SQLSTATE") {
			upper = strings.ToUpper(s.src[t.Start:t.End])
		}
		s.body.add(s.src, t, upper)
	}
}

// begin starts a statement with a token.
func (s *splitter) begin(t Token) {
	code := s.code
	s.statement = none
	s.start, s.code = t.Start, code
	if t.Kind != Word {
		return
	}
	upper := strings.ToUpper(s.src[t.Start:t.End])
	s.data = dataVerbs[upper]
	s.line = upper == "USE"
	if s.sends && s.compound(t, upper) {
		s.bodyAt = t.Start
	}
	if upper == "CREATE" || upper == "ALTER" {
		r := &reader{lex: s.lex, src: s.src}
		r.to(t.Start)
		if p := readProgram(r); p != nil && p.body >= 0 {
			s.bodyAt = p.body
		}
	}
}

// delimiter ends the statement at the client's delimiter.
func (s *splitter) delimiter(i int) {
	if s.body != nil && len(s.body.open) > 0 {
		at := s.body.open[len(s.body.open)-1]
		if s.delim == ";" {
			// Between BEGIN and END. The mysql client would end the statement here; other tools do not.
			s.add(Token{Symbol, i, i + 1})
			return
		}
		s.errorf(at, schema.KindSyntax, "this %s has no END before the delimiter %s", strings.ToUpper(s.word(at)), s.delim)
		s.statement = none
		return
	}
	s.finish(i)
}

// word is the word at an offset.
func (s *splitter) word(at int) string {
	t := s.lex.next(s.src, at)
	return s.src[t.Start:t.End]
}

// eof ends the file.
func (s *splitter) eof() {
	switch {
	case s.start < 0 && s.code < 0:
	case s.body != nil && len(s.body.open) > 0:
		at := s.body.open[len(s.body.open)-1]
		s.errorf(at, schema.KindSyntax, "this %s has no END: the file ends inside the body that begins here", strings.ToUpper(s.word(at)))
	case s.start >= 0 && s.delim != ";":
		s.errorf(s.start, schema.KindSyntax, "%s has no end: the file ends before the delimiter %s, which DELIMITER set", excerpt(s.src[s.start:], 60), s.delim)
	default:
		s.finish(len(s.src))
	}
}

// finish ends the statement, if there is one, at an offset.
func (s *splitter) finish(i int) {
	defer func() { s.statement, s.lex.inCode = none, false }()
	if s.code >= 0 {
		s.errorf(s.code, schema.KindSyntax, "%s opens a comment with code that is not closed before the statement ends", excerpt(s.src[s.code:i], 60))
		return
	}
	if s.start < 0 {
		return
	}
	if s.data && len(s.prepared.texts) > 0 && strings.Contains(s.src[s.start:i], "@") {
		clear(s.prepared.texts)
	}
	if s.data && !s.sends {
		s.pass(passedAs(s.src[s.start:min(s.end, s.start+200)]), s.start)
		return
	}
	sql, shifts := apply(s.src, s.start, s.end, s.edits)
	st := &Statement{SQL: sql, File: s.out.file, Offset: s.start, shifts: shifts}
	if !s.data {
		s.follow(sql)
	}
	if text, known := s.executed(sql); known && !s.data {
		at := s.pos(s.start)
		*st = Statement{SQL: text, File: s.out.file, Offset: s.start, At: &at}
		sql = text
		s.data = dataVerbs[reading(sql, 0).upper()]
	}
	if s.sends {
		s.send(st)
		return
	}
	if s.data { // of EXECUTE
		s.pass(passedAs(sql), s.start)
		return
	}
	kind, passed, fault := s.classify(sql)
	switch {
	case fault != "":
		s.errorf(s.start, schema.KindUnsupported, "%s", fault)
	case passed != "":
		s.pass(passed, s.start)
	default:
		st.Kind = kind
		if kind == Set {
			st.SQL, st.again = apply(sql, 0, len(sql), neutral(sql))
		}
		s.out.Statements = append(s.out.Statements, st)
	}
}

// pass notes what is passed over.
func (s *splitter) pass(what string, at int) {
	s.out.Passed = append(s.out.Passed, Passed{What: what, Pos: s.pos(at)})
}
