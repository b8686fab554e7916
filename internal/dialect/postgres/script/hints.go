package script

import (
	"fmt"
	"sort"
	"strings"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// definition is where a column or a constraint stands in a CREATE TABLE; a constraint has no column. Offsets are of the file.
type definition struct {
	span
	column string
}

// table is what hints need to know of a CREATE TABLE: its name, and where its definitions and the parentheses around them
// stand in the file. Without parentheses, open and close are where the name ends.
type table struct {
	schema, name string
	open, close  int
	definitions  []definition
}

// Hints finds the rename hints in the comments of a file: `@renamed from=old` and `atlas:renamed_from old`. A hint belongs
//   - to the column whose definition is before it on its line;
//   - else, alone on its line, to the column or CREATE TABLE that comes next;
//   - to the table, when it stands before the first column on the line of the opening parenthesis, or on the line of the closing one.
//
// A hint that belongs to nothing, or cannot be read, is an error: one that was overlooked would turn a rename into a drop.
// Tables go by their names with schema, if that is not public; a hint on a table that names no schema means the table's own.
func (s *Script) Hints() ([]diff.Hint, []*schema.Error) {
	var hints []diff.Hint
	var errs []*schema.Error
	tables := map[*Statement]*table{}
	for _, c := range s.hinted {
		said := s.file.Text[c.start:c.end]
		from, found, err := hintText(said)
		if !found {
			continue
		}
		fail := func(text string) {
			errs = append(errs, &schema.Error{Pos: s.file.Pos(c.start), Kind: schema.KindHint, Text: text})
		}
		if err != nil {
			fail(err.Error())
			continue
		}
		t, column, ok := s.owner(c, tables)
		if !ok || (column != "" && len(from) > 1) {
			fail(fmt.Sprintf("the hint %s belongs to no table and no column; put it on the line of the column, or on the line above CREATE TABLE", excerpt(said, 60)))
			continue
		}
		h := diff.Hint{From: from[len(from)-1], To: column, Side: schema.Head, Pos: s.file.Pos(c.start)}
		if column != "" {
			h.Table = objectName(t.schema, t.name)
		} else {
			h.To = objectName(t.schema, t.name)
			h.From = objectName(append([]string{t.schema}, from...)[len(from)-1], h.From)
		}
		hints = append(hints, h)
	}
	return hints, errs
}

// objectName is how this project names an object: with its schema, unless that is public, and in quotes where a part holds what parts
// names.
func objectName(schema, name string) string {
	part := func(s string) string {
		if strings.ContainsAny(s, `."`) {
			return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
		}
		return s
	}
	if schema == "" || schema == "public" {
		return part(name)
	}
	return part(schema) + "." + part(name)
}

// hintText reads the old name out of a comment: the name, or schema and name.
func hintText(said string) (from []string, found bool, err error) {
	for _, form := range [...]struct{ mark, joint string }{{"@renamed", "from="}, {"atlas:renamed_from", ""}} {
		i := strings.Index(said, form.mark)
		if i < 0 {
			continue
		}
		rest := strings.TrimSuffix(strings.TrimLeft(said[i+len(form.mark):], " \t"), "*/")
		if !strings.HasPrefix(rest, form.joint) {
			return nil, true, fmt.Errorf("the hint %s is not finished; write `-- @renamed from=old_name`", excerpt(said, 60))
		}
		if from = names(rest, len(form.joint)); len(from) == 0 || len(from) > 2 {
			return nil, true, fmt.Errorf("the hint %s names nothing; write `-- @renamed from=old_name`", excerpt(said, 60))
		}
		return from, true, nil
	}
	return nil, false, nil
}

// names reads the name at an offset, which may have parts with dots between them.
func names(src string, i int) []string {
	var parts []string
	for {
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

// owner finds the table that a comment belongs to, and the column if it is one's. It keeps the tables that it reads.
func (s *Script) owner(c token, tables map[*Statement]*table) (t *table, column string, ok bool) {
	read := func(st *Statement) *table {
		if _, ok := tables[st]; !ok {
			tables[st] = st.table()
		}
		return tables[st]
	}
	src := s.file.Text
	after := sort.Search(len(s.Statements), func(i int) bool { return s.Statements[i].Start > c.start })
	if after > 0 {
		st := s.Statements[after-1]
		if end := st.Start + len(st.Text); c.start < end || sameLine(src, end, c.start) {
			if t = read(st); t == nil {
				return nil, "", false
			}
			column, ok = t.inside(src, c.start)
			return t, column, ok
		}
	}
	if after == len(s.Statements) || !alone(src, c.start) {
		return nil, "", false
	}
	// Before this statement and after the one before: alone on its line, it speaks of what comes.
	t = read(s.Statements[after])
	return t, "", t != nil
}

// inside finds the column that a comment at an offset within a CREATE TABLE, or at its end, belongs to; it may be the table's.
func (t *table) inside(src string, at int) (column string, ok bool) {
	own := alone(src, at)
	after := sort.Search(len(t.definitions), func(i int) bool { return t.definitions[i].start > at })
	if after > 0 && !own {
		if d := t.definitions[after-1]; sameLine(src, min(d.end, at), at) {
			return d.column, d.column != ""
		}
	}
	if at < t.open || sameLine(src, t.open, at) || (at > t.close && !own) {
		return "", true
	}
	if after < len(t.definitions) && own {
		d := t.definitions[after]
		return d.column, d.column != ""
	}
	return "", false
}

// table reads a CREATE TABLE as far as hints need it; nil = it is none.
func (s *Statement) table() *table {
	i := s.After(0, "CREATE")
	for _, w := range [...]string{"GLOBAL", "LOCAL", "TEMPORARY", "TEMP", "UNLOGGED", "FOREIGN"} {
		i = s.skip(i, w)
	}
	if i = s.After(i, "TABLE"); i < 0 {
		return nil
	}
	i = s.skip(i, "IF", "NOT", "EXISTS")
	t := &table{}
	for {
		tok := solid(s.Text, i)
		if tok.kind != word && tok.kind != quoted {
			return nil
		}
		t.schema, t.name, i = t.name, tok.name(s.Text), tok.end
		dot := s.After(i, ".")
		if dot < 0 {
			break
		}
		i = dot
	}
	t.open, t.close = s.Start+i, s.Start+i
	if open := s.After(i, "("); open > 0 {
		t.open = s.Start + open - 1
		t.definitions, t.close = s.definitions(open)
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
func (s *Statement) definitions(i int) (list []definition, closing int) {
	current, depth := definition{span: span{start: -1}}, 0
	flush := func() {
		if current.start >= 0 {
			list = append(list, current)
		}
		current = definition{span: span{start: -1}}
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
		if current.start < 0 {
			current.start = s.Start + t.start
			if !s.startsConstraint(t) {
				current.column = t.name(s.Text)
			}
		}
		current.end = s.Start + t.end
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

// alone tells whether nothing stands before an offset on its line.
func alone(src string, offset int) bool {
	before := strings.TrimRight(src[:offset], " \t\f\v")
	return before == "" || strings.HasSuffix(before, "\n")
}

// sameLine tells whether there is no line end between two offsets.
func sameLine(src string, a, b int) bool { return !strings.Contains(src[a:b], "\n") }
