package sqlite

import (
	"github.com/altergate/altergate/internal/dialect/hint"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// hints finds the rename hints in the comments of a file; see hint.Dialect.Read.
func (s *script) hints() ([]diff.Hint, []*schema.Error) {
	var all []hint.Statement
	for _, st := range s.statements {
		all = append(all, hint.Statement{Span: hint.Span{Start: st.tokens[0].start, End: st.tokens[len(st.tokens)-1].end}, Table: st.table})
	}
	d := hint.Dialect{Name: hintName, Object: func(n hint.Name) string { return n.Name }, Excerpt: excerpt}
	return d.Read(s.file, s.comments, all)
}

// hintName reads the name that a text begins with.
func hintName(src string) (hint.Name, bool) {
	tokens := newParser(src).tokens
	if len(tokens) == 0 || (tokens[0].kind != word && tokens[0].kind != quoted && tokens[0].kind != text) {
		return hint.Name{}, false
	}
	return hint.Name{Name: tokens[0].name()}, true
}

// table reads a CREATE TABLE as far as hints need it; nil = it is none.
func (st *statement) table() *hint.Table {
	if !st.has("CREATE", "TABLE") {
		return nil
	}
	_, name := st.created()
	t := &hint.Table{Name: hint.Name{Name: name}}
	for i, open := range st.tokens {
		if !open.is("(") {
			continue
		}
		t.Open, t.Close = open.start, open.start
		n := closes(st.tokens[i:])
		if n < 0 {
			return t
		}
		t.Close = st.tokens[i+n].start
		for _, def := range commas(st.tokens[i+1 : i+n]) {
			if len(def) == 0 {
				continue
			}
			d := hint.Definition{Span: hint.Span{Start: def[0].start, End: def[len(def)-1].end}}
			p := &tableParser{parser: &parser{src: st.text, tokens: def}}
			if !p.startsTableConstraint() {
				d.Column = def[0].name()
			}
			t.Definitions = append(t.Definitions, d)
		}
		return t
	}
	return t
}
