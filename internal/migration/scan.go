package migration

import "strings"

// kind is what a part of a text is.
type kind int

const (
	end     kind = iota
	code         // words, numbers, operators and white space
	comment      // to the end of the line, or between /* and */
	literal      // a string
	name         // a quoted identifier
	body         // a dollar-quoted string of PostgreSQL, which often is code itself
)

// scanner takes a text apart into code, strings and comments. A part that does not end reaches to the end of the text.
type scanner struct {
	text    string
	dialect string
	at      int
}

func (s *scanner) mysql() bool { return s.dialect == "mysql" || s.dialect == "mariadb" }

// next gives the next part.
func (s *scanner) next() (kind, string) {
	if s.at >= len(s.text) {
		return end, ""
	}
	start := s.at
	if k, n := s.special(start); k != end {
		s.at = start + n
		return k, s.text[start:s.at]
	}
	for s.at++; s.at < len(s.text); s.at++ {
		i := strings.IndexAny(s.text[s.at:], "'\"`[$-#/")
		if i < 0 {
			s.at = len(s.text)
			break
		}
		s.at += i
		if k, _ := s.special(s.at); k != end {
			break
		}
	}
	return code, s.text[start:s.at]
}

// special tells what begins at a place, and how long it is; end says that it is code.
func (s *scanner) special(at int) (kind, int) {
	rest := s.text[at:]
	switch c := rest[0]; {
	case c == '\'':
		return literal, s.quoted(rest, '\'', s.mysql() || s.escapes(at))
	case c == '"' && s.mysql():
		return literal, s.quoted(rest, '"', true)
	case c == '"' || c == '`' && s.dialect != "postgres":
		return name, s.quoted(rest, c, false)
	case c == '[' && s.dialect == "sqlite":
		return name, upTo(rest, "]")
	case c == '$' && s.dialect == "postgres":
		if tag := dollarTag(rest); tag != "" && (at == 0 || !wordByte(s.text[at-1])) {
			return body, len(tag) + upTo(rest[len(tag):], tag)
		}
	case strings.HasPrefix(rest, "--") && (!s.mysql() || len(rest) == 2 || rest[2] <= ' '), c == '#' && s.mysql():
		return comment, lineLength(rest)
	case strings.HasPrefix(rest, "/*"):
		// What MySQL runs though it is in a comment is no comment.
		if s.mysql() && (strings.HasPrefix(rest, "/*!") || strings.HasPrefix(rest, "/*M!")) {
			return end, 0
		}
		return comment, s.block(rest)
	}
	return end, 0
}

// escapes reports whether the string at a place is one of PostgreSQL's E'…', in which a backslash escapes.
func (s *scanner) escapes(at int) bool {
	return s.dialect == "postgres" && at > 0 && (s.text[at-1]|0x20) == 'e' && (at == 1 || !wordByte(s.text[at-2]))
}

func (s *scanner) quoted(rest string, quote byte, backslash bool) int {
	for i := 1; i < len(rest); i++ {
		switch {
		case rest[i] == '\\' && backslash:
			i++
		case rest[i] == quote && i+1 < len(rest) && rest[i+1] == quote:
			i++
		case rest[i] == quote:
			return i + 1
		}
	}
	return len(rest)
}

// block measures a comment; PostgreSQL's nest.
func (s *scanner) block(rest string) int {
	if s.dialect != "postgres" {
		return 2 + upTo(rest[2:], "*/")
	}
	depth := 1
	for i := 2; i < len(rest); i++ {
		switch {
		case strings.HasPrefix(rest[i:], "/*"):
			depth++
			i++
		case strings.HasPrefix(rest[i:], "*/"):
			depth--
			i++
			if depth == 0 {
				return i + 1
			}
		}
	}
	return len(rest)
}

func upTo(text, mark string) int {
	if i := strings.Index(text, mark); i >= 0 {
		return i + len(mark)
	}
	return len(text)
}

func lineLength(text string) int {
	if i := strings.IndexByte(text, '\n'); i >= 0 {
		return i
	}
	return len(text)
}

// dollarTag gives the $tag$ that a text begins with.
func dollarTag(text string) string {
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == '$':
			return text[:i+1]
		case !wordByte(c) || i == 1 && c >= '0' && c <= '9':
			return ""
		}
	}
	return ""
}

func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}
