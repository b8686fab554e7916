package catalog

import (
	"slices"
	"strings"
)

// headCanon writes a routine's parameters, what it returns and its characteristics in one form. SHOW CREATE FUNCTION prints the type that a
// function returns as it prints a column's, with the width and the character set that nobody wrote, so types are compared as those of
// columns are. A head that cannot be read so is compared by its words.
func (r *reader) headCanon(head, database string) string {
	list, ok := r.bodyTokens(head)
	if !ok {
		return strings.TrimSpace(head)
	}
	h := &headReader{reader: &reader{c: r.c, src: head, list: append(slices.Clone(list), token{off: len(head), end: len(head)}), mode: r.mode, pos: r.pos}}
	h.set, h.collation = r.c.DefaultCharset()
	if db := r.c.Databases[database]; db != nil {
		h.set, h.collation = db.Charset, db.Collation
	}
	h.parameters()
	if h.take("returns") {
		h.out = append(h.out, "returns", h.typeCanon())
	}
	if h.err != nil {
		return wordsOf(list)
	}
	if rest := h.list[h.i : len(h.list)-1]; len(rest) > 0 {
		h.out = append(h.out, wordsOf(rest))
	}
	return strings.Join(h.out, " ")
}

// headReader writes down what it reads of a routine's head.
type headReader struct {
	*reader
	set, collation string // the database's
	out            []string
}

// parameters reads what stands in parentheses before everything else.
func (h *headReader) parameters() {
	if !h.take("(") {
		return
	}
	var all []string
	for h.err == nil && !h.is(")") {
		way := "in"
		if next := h.peek(1); next.kind == tokenWord || next.kind == tokenQuoted {
			if word := h.takeAny("in", "out", "inout"); word != "" && !h.isType() {
				way = word
			} else if word != "" {
				h.i--
			}
		}
		name := strings.ToLower(h.ident())
		parameter := way + " " + Quote(name) + " " + h.typeCanon()
		if h.take("default") { // MariaDB's, from 11.8
			off := h.here().off
			for depth := 0; !h.done() && (depth > 0 || !h.is(",") && !h.is(")")); h.next() {
				switch {
				case h.is("("):
					depth++
				case h.is(")"):
					depth--
				}
			}
			parameter += " default " + h.bodyCanon(h.since(off))
		}
		all = append(all, parameter)
		if !h.take(",") {
			break
		}
	}
	h.want(")")
	h.out = append(h.out, "("+strings.Join(all, ", ")+")")
}

// isType tells whether the next token names a type and the one behind it is no type: a parameter can be called `out`.
func (h *headReader) isType() bool {
	word := strings.ToLower(h.here().text)
	_, other := aliases[word]
	next := strings.ToLower(h.peek(1).text)
	_, nextOther := aliases[next]
	return (plainTypes[word] || other) && !plainTypes[next] && !nextOther
}

// typeCanon reads a type and gives what the server makes of it.
func (h *headReader) typeCanon() string {
	s := said{at: h.here()}
	t := h.readType(&s)
	if h.take("collate") {
		s.collation, s.at = h.collationWord(), h.list[h.i-1]
	}
	if h.err != nil {
		return ""
	}
	if isText(t.Base) || s.long || t.Binary() {
		h.settleType(&t, &s, h.set, h.collation)
	}
	text := t.String()
	if t.Charset != "" {
		text += " charset " + t.Charset + " collate " + t.Collation
	}
	return text
}
