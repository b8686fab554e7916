package script

import (
	"strings"

	"github.com/altergate/altergate/internal/schema"
)

// The commands of the mysql client that are not harmless, and why.
var refusedCommands = map[string]string{
	"source":          "runs a file that is not read here; name that file in the source, or put its text here",
	".":               "runs a file that is not read here; name that file in the source, or put its text here",
	"system":          "runs a command of the operating system; take it out",
	"!":               "runs a command of the operating system; take it out",
	"exit":            "ends the script; take away what follows, and this line",
	"quit":            "ends the script; take away what follows, and this line",
	"q":               "ends the script; take away what follows, and this line",
	"connect":         "connects to another server; take it out",
	"r":               "connects to another server; take it out",
	"charset":         "changes the character set of the connection; save the file as UTF-8 and take it out",
	"C":               "changes the character set of the connection; save the file as UTF-8 and take it out",
	"edit":            "opens an editor; take it out",
	"e":               "opens an editor; take it out",
	"c":               "forgets the statement before it; take both out",
	"clear":           "forgets the statement before it; take both out",
	"resetconnection": "resets the session; take it out",
	"x":               "resets the session; take it out",
	"u":               "is the client's; write USE",
	"d":               "is the client's; write DELIMITER on a line of its own",
}

// harmlessCommands print something or change what is printed.
var harmlessCommands = map[string]bool{
	"?": true, "h": true, "n": true, "nopager": true, "notee": true, "t": true, "pager": true, "P": true, "print": true, "p": true, "prompt": true, "R": true,
	"rehash": true, "#": true, "status": true, "s": true, "tee": true, "T": true, "warnings": true, "W": true, "nowarning": true, "w": true,
	"ssl_session_data_print": true, "sandbox": true, "-": true,
}

// clientWord reads a command of the client that begins with a word: DELIMITER anywhere, others where a statement would begin. It gives the
// offset at which to read on; 0 = it is none.
func (s *splitter) clientWord(t Token) int {
	if s.data && s.start >= 0 && t.End-t.Start != len("DELIMITER") {
		return 0
	}
	said := s.src[t.Start:t.End]
	if strings.EqualFold(said, "DELIMITER") && (s.start < 0 || alone(s.src, t.Start)) && t.End < len(s.src) && (s.src[t.End] == ' ' || s.src[t.End] == '\t') {
		line := lineEnd(s.src, t.Start)
		s.setDelimiter(t.Start, strings.TrimSpace(s.src[t.End:line]))
		return line
	}
	if s.start >= 0 {
		return 0
	}
	low := strings.ToLower(said)
	sends := low == "go" || low == "ego"
	if len(low) < 2 || (!sends && !harmlessCommands[low] && refusedCommands[low] == "") || !alone(s.src, t.Start) {
		return 0
	}
	line := lineEnd(s.src, t.Start)
	switch {
	case refusedCommands[low] != "":
		s.errorf(t.Start, schema.KindUnsupported, "%s %s", excerpt(s.src[t.Start:line], 60), refusedCommands[low])
	case !sends:
		s.pass(Client, t.Start)
	case strings.TrimSpace(s.src[t.End:line]) != "":
		return 0
	}
	return line
}

// setDelimiter takes the argument of DELIMITER.
func (s *splitter) setDelimiter(at int, text string) {
	if s.start >= 0 {
		s.errorf(s.start, schema.KindSyntax, "%s has no end: a DELIMITER line comes before the delimiter %s", excerpt(s.src[s.start:at], 60), s.delim)
		s.statement, s.lex.inCode = none, false
	}
	if text != "" && strings.IndexByte("'\"`", text[0]) >= 0 {
		if n := strings.IndexByte(text[1:], text[0]); n > 0 {
			text = text[1 : 1+n]
		}
	} else if n := strings.IndexAny(text, " \t"); n > 0 {
		text = text[:n]
	}
	if text == "" || strings.Contains(text, `\`) {
		s.errorf(at, schema.KindSyntax, "DELIMITER needs what ends statements from here on, without a backslash; write DELIMITER ;")
		text = ";"
	}
	s.delim, s.lex.delimiter = text, ""
	if classes[text[0]]&wordPart != 0 {
		s.lex.delimiter = text
	}
}

// backslash reads a command of the client that begins with a backslash, and gives the offset at which to read on.
func (s *splitter) backslash(at int) int {
	if at+1 >= len(s.src) {
		s.errorf(at, schema.KindSyntax, "a backslash stands at the end of the file; take it out")
		return len(s.src)
	}
	name := s.src[at+1 : at+2]
	if name == "g" || name == "G" {
		s.delimiter(at)
		return at + 2
	}
	line := lineEnd(s.src, at)
	switch {
	case refusedCommands[name] != "":
		s.errorf(at, schema.KindUnsupported, "%s %s", excerpt(s.src[at:line], 60), refusedCommands[name])
		return line
	case harmlessCommands[name] && s.start < 0:
		s.pass(Client, at)
		return line
	}
	s.errorf(at, schema.KindSyntax, "%s is no statement, and no command of the mysql client that may stand here", excerpt(s.src[at:line], 60))
	return line
}
