package sqlite

import (
	"fmt"
	"strings"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// span is where a column's definition or a constraint stands in the author's file; a constraint has no column.
type span struct {
	column     string
	start, end int
}

// hints finds the rename hints in the comments of a file: `@renamed from=old` and `atlas:renamed_from old`. A hint belongs
//   - to the column whose definition is before it on its line;
//   - else, alone on its line, to the column or CREATE TABLE that comes next;
//   - to the table, when it stands before the first column on the line of the opening parenthesis, or on the line of the closing one.
//
// A hint that belongs to nothing, or cannot be read, is an error: one that was overlooked would turn a rename into a drop.
func (s *script) hints() ([]diff.Hint, []*schema.Error) {
	var hints []diff.Hint
	var errs []*schema.Error
	for _, c := range s.comments {
		from, found, err := hintText(c.text)
		switch {
		case !found:
			continue
		case err != nil:
			errs = append(errs, &schema.Error{Pos: s.file.Pos(c.start), Kind: schema.KindHint, Text: err.Error()})
			continue
		}
		h, ok := s.owner(c)
		if !ok {
			errs = append(errs, &schema.Error{Pos: s.file.Pos(c.start), Kind: schema.KindHint,
				Text: fmt.Sprintf("the hint %s belongs to no table and no column; put it on the line of the column, or on the line above CREATE TABLE", excerpt(c.text))})
			continue
		}
		h.From, h.Side, h.Pos = from, schema.Head, s.file.Pos(c.start)
		hints = append(hints, h)
	}
	return hints, errs
}

// hintText reads the old name out of a comment.
func hintText(comment string) (from string, found bool, err error) {
	for _, form := range [...]struct{ mark, joint string }{{"@renamed", "from="}, {"atlas:renamed_from", ""}} {
		i := strings.Index(comment, form.mark)
		if i < 0 {
			continue
		}
		rest := strings.TrimLeft(comment[i+len(form.mark):], " \t")
		rest = strings.TrimSuffix(rest, "*/")
		if !strings.HasPrefix(rest, form.joint) {
			return "", true, fmt.Errorf("the hint %s is not finished; write `-- @renamed from=old_name`", excerpt(comment))
		}
		tokens := newParser(rest[len(form.joint):]).tokens
		if len(tokens) == 0 || (tokens[0].kind != word && tokens[0].kind != quoted && tokens[0].kind != text) {
			return "", true, fmt.Errorf("the hint %s names nothing; write `-- @renamed from=old_name`", excerpt(comment))
		}
		return tokens[0].name(), true, nil
	}
	return "", false, nil
}

// owner finds what a comment belongs to.
func (s *script) owner(c token) (diff.Hint, bool) {
	for i, st := range s.statements {
		first, last := st.tokens[0], st.tokens[len(st.tokens)-1]
		src := st.file.Text
		switch {
		case c.start < first.start:
			// Before this statement and after the one before: alone on its line, it speaks of what comes.
			return st.hint(diff.Hint{}), alone(src, c.start) && st.has("CREATE", "TABLE")
		case c.start < last.start:
			return st.inside(c)
		case sameLine(src, last.end, c.start):
			return st.inside(c)
		case i == len(s.statements)-1:
			return diff.Hint{}, false
		}
	}
	return diff.Hint{}, false
}

// hint completes a hint with the name of the statement's object.
func (st *statement) hint(h diff.Hint) diff.Hint {
	_, name := st.created()
	if h.To == "" {
		h.To = name
		return h
	}
	h.Table = name
	return h
}

// inside finds what a comment within a CREATE TABLE, or at its end, belongs to.
func (st *statement) inside(c token) (diff.Hint, bool) {
	if !st.has("CREATE", "TABLE") {
		return diff.Hint{}, false
	}
	spans, open, end := tableSpans(st)
	src := st.file.Text
	own := alone(src, c.start)
	for i := len(spans) - 1; i >= 0 && !own; i-- {
		if sp := spans[i]; sp.start < c.start && sameLine(src, min(sp.end, c.start), c.start) {
			return st.hint(diff.Hint{To: sp.column}), sp.column != ""
		}
	}
	if c.start < open || sameLine(src, open, c.start) || (c.start > end && !own) {
		return st.hint(diff.Hint{}), true
	}
	for _, sp := range spans {
		if sp.start > c.start && own {
			return st.hint(diff.Hint{To: sp.column}), sp.column != ""
		}
	}
	return diff.Hint{}, false
}

// tableSpans gives the places of the definitions in a CREATE TABLE statement, and those of its outer parentheses.
func tableSpans(st *statement) (spans []span, open, end int) {
	for i, t := range st.tokens {
		if !t.is("(") {
			continue
		}
		open = t.start
		n := closes(st.tokens[i:])
		if n < 0 {
			return nil, open, open
		}
		for _, def := range commas(st.tokens[i+1 : i+n]) {
			if len(def) == 0 {
				continue
			}
			sp := span{start: def[0].start, end: def[len(def)-1].end}
			p := &tableParser{parser: &parser{src: st.text, tokens: def}}
			if !p.startsTableConstraint() {
				sp.column = def[0].name()
			}
			spans = append(spans, sp)
		}
		return spans, open, st.tokens[i+n].start
	}
	return nil, 0, 0
}

// alone tells whether nothing stands before an offset on its line.
func alone(src string, offset int) bool {
	return strings.TrimSpace(src[strings.LastIndexByte(src[:offset], '\n')+1:offset]) == ""
}

// sameLine tells whether there is no line end between two offsets.
func sameLine(src string, a, b int) bool { return !strings.Contains(src[a:b], "\n") }
