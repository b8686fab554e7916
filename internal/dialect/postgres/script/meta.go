package script

import (
	"strings"

	"github.com/altergate/altergate/internal/schema"
)

// effect is what a psql meta-command does to the reading of a file.
type effect uint8

const (
	passes    effect = iota // nothing
	wholeLine               // nothing, but its arguments go to the end of the line, backslashes or not
	copies                  // as wholeLine; data may follow
	sends                   // ends the statement before it, as a semicolon does
	refused
)

// metaCommand is how a psql meta-command is treated, and why if it is refused.
type metaCommand struct {
	effect effect
	why    string
}

const (
	includes    = "includes a file that is not read; name that file in the source, or put its text here"
	conditional = "makes what follows depend on the run of psql, which is not done; keep the statements that should hold"
)

// metaCommands lists the psql meta-commands that do more than print or set something; all others pass.
var metaCommands = map[string]metaCommand{
	"i": {refused, includes}, "ir": {refused, includes}, "include": {refused, includes}, "include_relative": {refused, includes},
	"if": {refused, conditional}, "elif": {refused, conditional}, "else": {refused, conditional}, "endif": {refused, conditional},
	"gexec": {refused, "runs what a query gives, which is not known; write the statements out"},
	"q":     {refused, "ends the script; take away what follows, and this line"},
	"quit":  {refused, "ends the script; take away what follows, and this line"},
	".":     {refused, "ends no COPY data: none was begun"},
	"g":     {effect: sends}, "gx": {effect: sends}, "gset": {effect: sends}, "gdesc": {effect: sends}, "crosstabview": {effect: sends}, "watch": {effect: sends},
	"copy": {effect: copies},
	"!":    {effect: wholeLine}, "ef": {effect: wholeLine}, "ev": {effect: wholeLine}, "sf": {effect: wholeLine}, "sv": {effect: wholeLine}, "h": {effect: wholeLine}, "help": {effect: wholeLine},
}

// meta reads the psql meta-command whose backslash is at an offset, and gives the offset behind it.
func (s *splitter) meta(at int) int {
	if strings.HasPrefix(s.src[at:], `\;`) { // a semicolon that psql does not act on, and the server does
		s.finish()
		return at + 2
	}
	n := at + 1
	for n < len(s.src) && classes[s.src[n]]&blank == 0 && s.src[n] != '\\' && s.src[n] != ';' {
		n++
	}
	m := metaCommands[s.src[at+1:n]]
	stop := s.metaEnd(at+1, m.effect == wholeLine || m.effect == copies)
	said := excerpt(s.src[at:stop], 60)
	switch {
	case m.effect == refused:
		s.errorf(at, schema.KindUnsupported, "%s %s", said, m.why)
		return stop
	case m.effect == sends:
		if s.stdin {
			return s.data(stop)
		}
		s.finish()
	case s.start >= 0:
		s.errorf(at, schema.KindUnsupported, "the psql command %s stands inside a statement; end the statement before it, with a semicolon", said)
		return stop
	case m.effect == copies && has(s.src[at:stop], "FROM"):
		s.copies(at+1, stop) // COPY reads as \copy does
		if has(s.src[at:stop], "STDIN") {
			s.start = at
			return s.data(stop)
		}
		s.pass(CopyData, at, stop)
		return stop
	}
	s.pass(MetaCommand, at, stop)
	return stop
}

// metaEnd gives the offset behind a meta-command: the end of its line, or the next backslash outside of quotes.
func (s *splitter) metaEnd(i int, line bool) int {
	if line {
		return lineEnd(s.src, i)
	}
	quote := byte(0)
	for n := i; n < len(s.src); n++ {
		switch c := s.src[n]; {
		case c == '\n':
			return n
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'', c == '"', c == '`':
			quote = c
		case strings.HasPrefix(s.src[n:], `\\`): // does nothing but to end the command
			return n + 2
		case c == '\\':
			return n
		}
	}
	return len(s.src)
}

// copies keeps a COPY whose data are passed over.
func (s *splitter) copies(start, end int) {
	s.out.Copies = append(s.out.Copies, &Statement{Text: s.src[start:end], File: s.out.file, Start: start})
}

// data passes over a COPY … FROM stdin that ends at an offset, with the rows on the lines behind it up to the line \., and
// gives the offset behind that line.
func (s *splitter) data(i int) int {
	at := s.start
	if s.src[at] != '\\' {
		s.copies(at, s.end)
	}
	defer s.reset()
	line := lineEnd(s.src, i)
	if t := next(s.src[:line], i); t.kind != eof && t.kind != comment {
		s.errorf(t.start, schema.KindUnsupported, "%s stands on the line of a COPY … FROM stdin, whose data begin on the next; put it on a line of its own", excerpt(s.src[t.start:line], 60))
	}
	for n := line + 1; n < len(s.src); n = lineEnd(s.src, n) + 1 {
		if e := lineEnd(s.src, n); s.src[n:e] == `\.` {
			s.pass(CopyData, at, e)
			return e
		}
	}
	s.errorf(at, schema.KindSyntax, `unterminated COPY data: no line holds only \. behind it`)
	return len(s.src)
}

// has tells whether a text holds a keyword outside of quotes.
func has(src, keyword string) bool {
	for t := next(src, 0); t.kind != eof; t = next(src, t.end) {
		if t.kind == word && t.is(src, keyword) {
			return true
		}
	}
	return false
}
