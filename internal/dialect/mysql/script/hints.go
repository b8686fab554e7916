package script

import (
	"sort"
	"strings"

	"github.com/altergate/altergate/internal/dialect/hint"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// Hints finds the rename hints in the comments of a file; see hint.Dialect.Read. Tables go by the names with which they are written, with
// their database before it if that is written too, or was chosen by USE.
func (s *Script) Hints() ([]diff.Hint, []*schema.Error) {
	var all []hint.Statement
	for _, st := range s.Statements {
		all = append(all, hint.Statement{Span: hint.Span{Start: st.Offset, End: st.inFile(len(st.SQL))}, Table: func() *hint.Table { return s.table(st) }})
	}
	d := hint.Dialect{Name: hintName, Object: objectName, Excerpt: func(text string) string { return excerpt(text, 60) }}
	return d.Read(s.file, s.hinted, all)
}

// objectName is how this dialect names an object: with its database, if one was named or used.
func objectName(n hint.Name) string {
	if n.Schema == "" {
		return n.Name
	}
	return n.Schema + "." + n.Name
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

// hintName reads the name that a text begins with, which may have its database before it. Either may stand in quotes of any kind.
func hintName(text string) (hint.Name, bool) {
	name := func(t Token) (string, bool) {
		return t.Name(text), t.Kind == Word || t.Kind == QuotedName || (t.Kind == String && strings.IndexByte(`'"`, text[t.Start]) >= 0)
	}
	first := plain.next(text, 0)
	id, ok := name(first)
	if !ok || id == "" {
		return hint.Name{}, false
	}
	if strings.HasPrefix(text[first.End:], ".") {
		if second, ok := name(plain.next(text, first.End+1)); ok && first.End+1 < len(text) && classes[text[first.End+1]]&blank == 0 {
			return hint.Name{Schema: id, Name: second}, true
		}
	}
	return hint.Name{Name: id}, true
}

// table reads a CREATE TABLE as far as hints need it; nil = it is none.
func (s *Script) table(st *Statement) *hint.Table {
	if st.Kind != CreateTable {
		return nil
	}
	w := &rewriter{reader: reading(st.SQL, 0), kind: st.Kind}
	w.step()
	w.take("OR", "REPLACE")
	w.take("TABLE")
	w.take("IF", "NOT", "EXISTS")
	id, ok := w.ident()
	if !ok {
		return nil
	}
	if id.Database == "" {
		id.Database = s.used(st.Offset)
	}
	end := st.inFile(w.before(0))
	t := &hint.Table{Name: hint.Name{Schema: id.Database, Name: id.Name}, Open: end, Close: end}
	if w.is("(") {
		t.Open = st.inFile(w.step().Start)
		w.definitions()
		t.Close = st.inFile(w.tok.Start)
		for _, d := range w.parts {
			t.Definitions = append(t.Definitions, hint.Definition{Span: hint.Span{Start: st.inFile(d.Start), End: st.inFile(d.End)}, Column: d.Column})
		}
	}
	return t
}
