package migration

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/altergate/altergate/internal/source"
)

// cutOut gives a file in which everything but some spans is blank: every byte but a line end is a space, so that places stay true.
func cutOut(f *source.File, keep ...Span) *source.File {
	var b strings.Builder
	b.Grow(len(f.Text))
	at := 0
	for _, s := range keep {
		if s.Start > at {
			blank(&b, f.Text[at:s.Start])
		}
		if from := max(at, s.Start); s.End > from {
			b.WriteString(f.Text[from:s.End])
		}
		at = max(at, s.Start, s.End)
	}
	blank(&b, f.Text[at:])
	return &source.File{Path: f.Path, Text: b.String()}
}

// without takes parts out of a span.
func without(s Span, parts []Span) []Span {
	var left []Span
	for _, p := range parts {
		if p.Start >= s.Start && p.End <= s.End {
			left = append(left, Span{s.Start, p.Start})
			s.Start = p.End
		}
	}
	return append(left, s)
}

const spaces = "                                                                "

// blank writes the spaces and line ends that a text becomes.
func blank(b *strings.Builder, text string) {
	for l := range strings.Lines(text) {
		n := len(strings.TrimSuffix(l, "\n"))
		for left := n; left > 0; left -= len(spaces) {
			b.WriteString(spaces[:min(left, len(spaces))])
		}
		b.WriteString(l[n:])
	}
}

// line is one line of a text, its end left out.
type line struct {
	text  string
	start int
	next  int // where the next one begins
}

// allLines gives every line of a text.
func allLines(text string) []line {
	lines := make([]line, 0, strings.Count(text, "\n")+1)
	for at := 0; at < len(text); {
		n := lineLength(text[at:])
		next := min(len(text), at+n+1)
		lines = append(lines, line{text: text[at : at+n], start: at, next: next})
		at = next
	}
	return lines
}

// commentLines gives the lines that begin with two dashes; only they can be a tool's markers.
func commentLines(text string) []line {
	var lines []line
	for at := 0; at < len(text); {
		if !strings.HasPrefix(text[at:], "--") {
			i := strings.Index(text[at:], "\n--")
			if i < 0 {
				break
			}
			at += i + 1
		}
		end, next := len(text), len(text)
		if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
			end, next = at+i, at+i+1
		}
		lines = append(lines, line{text: text[at:end], start: at, next: next})
		at = next
	}
	return lines
}

// marked gives what stands behind a marker that opens a comment line: for "-- +goose Up" and "+goose" it is "Up".
func (l line) marked(marker string) (words []string, ok bool) {
	rest, ok := strings.CutPrefix(strings.TrimLeft(l.text[2:], " \t"), marker)
	if !ok || rest != "" && rest[0] != ' ' && rest[0] != '\t' && rest[0] != '\r' {
		return nil, false
	}
	return strings.Fields(rest), true
}

func hash(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// Normal gives a text without comments, and with white space only where it parts two words or operators. Two texts with the same
// normal form run the same statements.
func Normal(text, dialect string) string { return string(normal(text, dialect)) }

func normal(text, dialect string) []byte {
	n := normalizer{out: make([]byte, 0, len(text))}
	s := scanner{text: text, dialect: dialect}
	for {
		switch k, part := s.next(); k {
		case end:
			return n.out
		case comment:
			n.space = true
		case code:
			for _, c := range []byte(part) {
				if c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' {
					n.space = true
					continue
				}
				n.open(c)
				n.out = append(n.out, c)
			}
		default:
			n.open(part[0])
			n.out = append(n.out, part...)
		}
	}
}

// normalizer writes a normal form.
type normalizer struct {
	out   []byte
	space bool // white space or a comment has been passed over
}

// open writes the space that is wanted before a byte. Beside brackets, commas and semicolons it means nothing.
func (n *normalizer) open(next byte) {
	if n.space && len(n.out) > 0 && !loose(next) && !loose(n.out[len(n.out)-1]) {
		n.out = append(n.out, ' ')
	}
	n.space = false
}

func loose(c byte) bool { return c == '(' || c == ')' || c == ',' || c == ';' }
