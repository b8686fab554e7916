package script

import (
	"strconv"
	"strings"
)

// reader goes through the tokens of a text, comments and the marks of code comments aside.
type reader struct {
	lex lexer
	src string
	tok Token // the current one
}

// reading begins at an offset of normal text.
func reading(text string, from int) *reader {
	r := &reader{src: text}
	r.to(from)
	return r
}

// to goes to the token at or after an offset.
func (r *reader) to(i int) {
	for r.tok = r.lex.next(r.src, i); ; r.tok = r.lex.next(r.src, r.tok.End) {
		switch r.tok.Kind {
		case codeOpen:
			r.lex.inCode = true
		case codeClose:
			r.lex.inCode = false
		case Comment:
		default:
			return
		}
	}
}

// step goes on to the next token, and gives the one before it.
func (r *reader) step() Token {
	t := r.tok
	r.to(t.End)
	return t
}

func (r *reader) is(s string) bool { return r.tok.Is(r.src, s) }

// in tells whether the current token is one of the words.
func (r *reader) in(words ...string) bool {
	for _, w := range words {
		if r.is(w) {
			return true
		}
	}
	return false
}

// take goes past words or symbols that stand here in this order; it stays where it is if they do not.
func (r *reader) take(words ...string) bool {
	was := *r
	for _, w := range words {
		if !r.is(w) {
			*r = was
			return false
		}
		r.step()
	}
	return true
}

// upper is the current word in upper case; empty if it is no word.
func (r *reader) upper() string {
	if r.tok.Kind != Word {
		return ""
	}
	return strings.ToUpper(r.tok.Text(r.src))
}

// ident reads a name that may have its database before it.
func (r *reader) ident() (Ident, bool) {
	if r.tok.Kind != Word && r.tok.Kind != QuotedName {
		return Ident{}, false
	}
	id := Ident{Name: r.step().Name(r.src)}
	if r.is(".") {
		r.step()
		if r.tok.Kind != Word && r.tok.Kind != QuotedName && r.tok.Kind != Number {
			return Ident{}, false
		}
		id = Ident{Database: id.Name, Name: r.step().Name(r.src)}
	}
	return id, true
}

// user reads an account: `root`@`localhost`, 'root', CURRENT_USER(); what it gives has one form for each.
func (r *reader) user() (string, bool) {
	if r.in("CURRENT_USER", "CURRENT_ROLE") {
		who := strings.ToUpper(r.step().Text(r.src))
		r.take("(", ")")
		return who, true
	}
	if r.tok.Kind != Word && r.tok.Kind != QuotedName && r.tok.Kind != String {
		return "", false
	}
	name, host := r.step().Name(r.src), "%"
	if r.is("@") {
		at := r.tok.End
		end := at
		for end < len(r.src) && (classes[r.src[end]]&wordPart != 0 || r.src[end] == '.') { // as the server reads a host without quotes
			end++
		}
		if end > at {
			host = r.src[at:end]
			r.to(end)
		} else {
			r.step()
			if r.tok.Kind != Word && r.tok.Kind != QuotedName && r.tok.Kind != String {
				return "", false
			}
			host = r.step().Name(r.src)
		}
	}
	return Quote(name) + "@" + Quote(host), true
}

// parens goes past parentheses and what is in them, from the opening one.
func (r *reader) parens() bool {
	if !r.is("(") {
		return false
	}
	for depth := 0; ; {
		switch {
		case r.tok.Kind == End, r.tok.Kind == Illegal, r.is(";"): // which ends the statement: what is behind it would be read for each that is open
			return false
		case r.is("("):
			depth++
		case r.is(")"):
			depth--
		}
		r.step()
		if depth == 0 {
			return true
		}
	}
}

// Canonical writes a part of a statement in one form: one blank between tokens, none inside of parentheses and before commas, words in
// lower case, names without quotes they do not need, strings in single quotes.
func Canonical(text string) string {
	var b strings.Builder
	glue := true
	for t := plain.next(text, 0); t.Kind != End; t = plain.next(text, t.End) {
		if t.Kind == Comment {
			continue
		}
		s := t.Text(text)
		closes := t.Kind == Symbol && strings.ContainsAny(s, "),.@")
		if !glue && !closes {
			b.WriteByte(' ')
		}
		switch t.Kind {
		case Word:
			s = strings.ToLower(s)
		case QuotedName:
			if s = Quote(strings.ToLower(t.Name(text))); isPlain(s[1 : len(s)-1]) {
				s = s[1 : len(s)-1]
			}
		case String:
			s = canonicalString(s)
		case Number:
			s = strings.ToLower(s)
		}
		b.WriteString(s)
		glue = t.Kind == Symbol && strings.ContainsAny(s, "(.@")
	}
	return b.String()
}

func canonicalString(s string) string {
	switch c := s[0] | 0x20; {
	case s[0] != '"' && s[0] != '\'' && (c == 'x' || c == 'b'):
		return strings.ToLower(s)
	case s[0] != '"' && s[0] != '\'':
		return "n" + Literal(Unquote(s))
	}
	return Literal(Unquote(s))
}

// isPlain tells whether a name reads the same without quotes, keywords aside.
func isPlain(name string) bool {
	t := plain.next(name, 0)
	return t.Kind == Word && t.End == len(name) && t.Start == 0
}

// number reads a whole number.
func number(text string) (int, bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil
}
