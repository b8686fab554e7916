package script

import (
	"fmt"
	"sort"
	"strings"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// table is what hints need to know of a CREATE TABLE: its name, and where its definitions and the parentheses around them stand, in
// offsets of the file. Without parentheses, open and close are where the name ends.
type table struct {
	name        Ident
	open, close int
	definitions []Part
}

// Hints finds the rename hints in the comments of a file: `@renamed from=old` and `atlas:renamed_from old`. A hint belongs
//   - to the column whose definition is before it on its line;
//   - else, alone on its line, to the column or CREATE TABLE that comes next;
//   - to the table, when it stands before the first column on the line of the opening parenthesis, or on the line of the closing one.
//
// A hint that belongs to nothing, or cannot be read, is an error: one that was overlooked would turn a rename into a drop.
// Tables go by the names with which they are written, with their database before it if that is written too, or was chosen by USE; a hint on
// a table that names no database means the table's own.
func (s *Script) Hints() ([]diff.Hint, []*schema.Error) {
	var hints []diff.Hint
	var errs []*schema.Error
	tables := map[*Statement]*table{}
	for _, c := range s.hinted {
		said := s.file.Text[c.Start:c.End]
		from, found, err := hintText(said)
		if !found {
			continue
		}
		fail := func(text string) {
			errs = append(errs, &schema.Error{Pos: s.file.Pos(c.Start), Kind: schema.KindHint, Text: text})
		}
		if err != nil {
			fail(err.Error())
			continue
		}
		t, column, ok := s.owner(c, tables)
		if !ok || (column != "" && from.Database != "") {
			fail(fmt.Sprintf("the hint %s belongs to no table and no column; put it on the line of the column, or on the line above CREATE TABLE", excerpt(said, 60)))
			continue
		}
		h := diff.Hint{From: from.Name, To: column, Side: schema.Head, Pos: s.file.Pos(c.Start)}
		if column != "" {
			h.Table = ObjectName(t.name)
		} else {
			h.To = ObjectName(t.name)
			if from.Database == "" {
				from.Database = t.name.Database
			}
			h.From = ObjectName(from)
		}
		hints = append(hints, h)
	}
	return hints, errs
}

// ObjectName is how this dialect names an object: with its database, if one was named or used.
func ObjectName(id Ident) string {
	if id.Database == "" {
		return id.Name
	}
	return id.Database + "." + id.Name
}

// used gives the database that statements behind an offset of the file are about, if they name none: that of the last USE before it.
func (s *Script) used(offset int) string {
	n := sort.Search(len(s.Statements), func(i int) bool { return s.Statements[i].Offset >= offset })
	for n--; n >= 0; n-- {
		if st := s.Statements[n]; st.Kind == Use {
			r := reading(st.SQL, 0)
			r.step()
			return r.tok.Name(st.SQL)
		}
	}
	return ""
}

// hintText reads the old name out of a comment.
func hintText(said string) (from Ident, found bool, err error) {
	for _, form := range [...]struct{ mark, joint string }{{"@renamed", "from="}, {"atlas:renamed_from", ""}} {
		i := strings.Index(said, form.mark)
		if i < 0 {
			continue
		}
		rest := strings.TrimSuffix(strings.TrimLeft(said[i+len(form.mark):], " \t"), "*/")
		if !strings.HasPrefix(rest, form.joint) {
			return from, true, fmt.Errorf("the hint %s is not finished; write `-- @renamed from=old_name`", excerpt(said, 60))
		}
		var ok bool
		if from, ok = hintName(rest[len(form.joint):]); !ok {
			return from, true, fmt.Errorf("the hint %s names nothing; write `-- @renamed from=old_name`", excerpt(said, 60))
		}
		return from, true, nil
	}
	return from, false, nil
}

// hintName reads the name that a text begins with, which may have its database before it. Either may stand in quotes of any kind.
func hintName(text string) (Ident, bool) {
	name := func(t Token) (string, bool) {
		return t.Name(text), t.Kind == Word || t.Kind == QuotedName || (t.Kind == String && strings.IndexByte(`'"`, text[t.Start]) >= 0)
	}
	first := plain.next(text, 0)
	id, ok := name(first)
	if !ok || id == "" {
		return Ident{}, false
	}
	if strings.HasPrefix(text[first.End:], ".") {
		if second, ok := name(plain.next(text, first.End+1)); ok && first.End+1 < len(text) && classes[text[first.End+1]]&blank == 0 {
			return Ident{Database: id, Name: second}, true
		}
	}
	return Ident{Name: id}, true
}

// owner finds the table that a comment belongs to, and the column if it is one's. It keeps the tables that it reads.
func (s *Script) owner(c Token, tables map[*Statement]*table) (t *table, column string, ok bool) {
	read := func(st *Statement) *table {
		if _, ok := tables[st]; !ok {
			t := st.table()
			if t != nil && t.name.Database == "" {
				t.name.Database = s.used(st.Offset)
			}
			tables[st] = t
		}
		return tables[st]
	}
	src := s.file.Text
	after := sort.Search(len(s.Statements), func(i int) bool { return s.Statements[i].Offset > c.Start })
	if after > 0 {
		st := s.Statements[after-1]
		if end := st.inFile(len(st.SQL)); c.Start < end || sameLine(src, end, c.Start) {
			if t = read(st); t == nil {
				return nil, "", false
			}
			column, ok = t.inside(src, c.Start)
			return t, column, ok
		}
	}
	if after == len(s.Statements) || !alone(src, c.Start) {
		return nil, "", false
	}
	// Before this statement and after the one before: alone on its line, it speaks of what comes.
	t = read(s.Statements[after])
	return t, "", t != nil
}

// inside finds the column that a comment at an offset within a CREATE TABLE, or at its end, belongs to; it may be the table's.
func (t *table) inside(src string, at int) (column string, ok bool) {
	own := alone(src, at)
	after := sort.Search(len(t.definitions), func(i int) bool { return t.definitions[i].Start > at })
	if after > 0 && !own {
		if d := t.definitions[after-1]; sameLine(src, min(d.End, at), at) {
			return d.Column, d.Column != ""
		}
	}
	if at < t.open || sameLine(src, t.open, at) || (at > t.close && !own) {
		return "", true
	}
	if after < len(t.definitions) && own {
		d := t.definitions[after]
		return d.Column, d.Column != ""
	}
	return "", false
}

// table reads a CREATE TABLE as far as hints need it; nil = it is none.
func (s *Statement) table() *table {
	if s.Kind != CreateTable {
		return nil
	}
	w := &rewriter{reader: reading(s.SQL, 0), kind: s.Kind}
	w.step()
	w.take("OR", "REPLACE")
	w.take("TABLE")
	w.take("IF", "NOT", "EXISTS")
	id, ok := w.ident()
	if !ok {
		return nil
	}
	t := &table{name: id}
	end := s.inFile(w.before(0))
	t.open, t.close = end, end
	if w.is("(") {
		t.open = s.inFile(w.step().Start)
		w.definitions()
		t.close = s.inFile(w.tok.Start)
		for _, d := range w.parts {
			d.Start, d.End = s.inFile(d.Start), s.inFile(d.End)
			t.definitions = append(t.definitions, d)
		}
	}
	return t
}

// sameLine tells whether there is no line end between two offsets.
func sameLine(src string, a, b int) bool { return !strings.Contains(src[min(a, b):b], "\n") }
