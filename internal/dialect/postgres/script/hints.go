package script

import (
	"strings"

	"github.com/altergate/altergate/internal/dialect/hint"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// Hints finds the rename hints in the comments of a file; see hint.Dialect.Read. Tables go by their names with schema, if that is not public.
func (s *Script) Hints() ([]diff.Hint, []*schema.Error) {
	var all []hint.Statement
	for _, st := range s.Statements {
		all = append(all, hint.Statement{Span: hint.Span{Start: st.Start, End: st.Start + len(st.Text)}, Table: st.table})
	}
	d := hint.Dialect{Name: hintName, Object: objectName, Excerpt: func(text string) string { return excerpt(text, 60) }}
	return d.Read(s.file, s.hinted, all)
}

// objectName is how this project names an object: with its schema, unless that is public, and in quotes where a part holds what parts
// names.
func objectName(n hint.Name) string {
	part := func(s string) string {
		if strings.ContainsAny(s, `."`) {
			return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
		}
		return s
	}
	if n.Schema == "" || n.Schema == "public" {
		return part(n.Name)
	}
	return part(n.Schema) + "." + part(n.Name)
}

// hintName reads the name that a text begins with, which may have its schema before it.
func hintName(text string) (hint.Name, bool) {
	switch parts := names(text); len(parts) {
	case 1:
		return hint.Name{Name: parts[0]}, true
	case 2:
		return hint.Name{Schema: parts[0], Name: parts[1]}, true
	}
	return hint.Name{}, false
}

// names reads the name that a text begins with, which may have parts with dots between them.
func names(src string) []string {
	var parts []string
	for i := 0; ; {
		t := next(src, i)
		if t.kind != word && t.kind != quoted && (t.kind != text || len(parts) > 0) {
			return parts
		}
		parts = append(parts, t.name(src))
		if i = t.end; !strings.HasPrefix(src[i:], ".") || i+1 == len(src) || classes[src[i+1]]&blank != 0 {
			return parts
		}
		i++
	}
}

// table reads a CREATE TABLE as far as hints need it; nil = it is none.
func (s *Statement) table() *hint.Table {
	i := s.After(0, "CREATE")
	for _, w := range [...]string{"GLOBAL", "LOCAL", "TEMPORARY", "TEMP", "UNLOGGED", "FOREIGN"} {
		i = s.skip(i, w)
	}
	if i = s.After(i, "TABLE"); i < 0 {
		return nil
	}
	i = s.skip(i, "IF", "NOT", "EXISTS")
	t := &hint.Table{}
	for {
		tok := solid(s.Text, i)
		if tok.kind != word && tok.kind != quoted {
			return nil
		}
		t.Name, i = hint.Name{Schema: t.Name.Name, Name: tok.name(s.Text)}, tok.end
		dot := s.After(i, ".")
		if dot < 0 {
			break
		}
		i = dot
	}
	t.Open, t.Close = s.Start+i, s.Start+i
	if open := s.After(i, "("); open > 0 {
		t.Open = s.Start + open - 1
		t.Definitions, t.Close = s.definitions(open)
	}
	return t
}

// skip gives the offset behind words, or the one given if they are not there.
func (s *Statement) skip(i int, words ...string) int {
	if n := s.After(i, words...); n >= 0 {
		return n
	}
	return i
}

// definitions finds what stands between the commas from an offset of Text to the parenthesis that closes, and the offset of
// that parenthesis; all offsets given are of the file.
func (s *Statement) definitions(i int) (list []hint.Definition, closing int) {
	none := hint.Definition{Span: hint.Span{Start: -1}}
	current, depth := none, 0
	flush := func() {
		if current.Start >= 0 {
			list = append(list, current)
		}
		current = none
	}
	for t := next(s.Text, i); t.kind != eof; t = next(s.Text, t.end) {
		if t.kind == comment {
			continue
		}
		switch c := s.Text[t.start]; {
		case t.kind != punctuation:
		case c == '(', c == '[':
			depth++
		case c == ')' && depth == 0:
			flush()
			return list, s.Start + t.start
		case c == ')', c == ']':
			depth--
		case c == ',' && depth == 0:
			flush()
			continue
		}
		if current.Start < 0 {
			current.Start = s.Start + t.start
			if !s.startsConstraint(t) {
				current.Column = t.name(s.Text)
			}
		}
		current.End = s.Start + t.end
	}
	flush()
	return list, s.Start + len(s.Text)
}

// startsConstraint tells whether a definition that begins with a token is a constraint, or LIKE, and no column.
func (s *Statement) startsConstraint(t token) bool {
	if t.kind != word {
		return false
	}
	switch strings.ToUpper(s.Text[t.start:t.end]) {
	case "CONSTRAINT", "CHECK", "UNIQUE", "PRIMARY", "FOREIGN", "LIKE":
		return true
	case "EXCLUDE": // a column may have this name
		return s.After(t.end, "USING") >= 0 || s.After(t.end, "(") >= 0
	}
	return false
}
