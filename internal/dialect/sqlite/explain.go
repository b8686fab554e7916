package sqlite

import (
	"context"
	"strings"

	"github.com/altergate/altergate/internal/schema"
)

// explain turns SQLite's error for a statement into one with a place in the author's file.
func explain(ctx context.Context, e *engine, s *statement, err error) *schema.Error {
	m := message(err)
	switch {
	case strings.HasPrefix(m, "near "):
		t := s.culprit(ctx, e, m)
		return s.errorf(t, schema.KindSyntax, "SQLite cannot read this statement: it stops at %s", excerpt(t.text))
	case m == "incomplete input":
		t := s.tokens[len(s.tokens)-1]
		return s.errorf(token{start: t.end}, schema.KindSyntax, "the statement that begins with %s is not finished", excerpt(s.text))
	case strings.HasPrefix(m, "no such "):
		name := m[strings.LastIndexAny(m, " .")+1:]
		for _, t := range s.tokens {
			if (t.kind == word || t.kind == quoted) && fold(t.name()) == fold(name) {
				return s.errorf(t, schema.KindSchema, "SQLite refuses %s: %s", excerpt(s.text), m)
			}
		}
	}
	return s.errorf(s.tokens[0], schema.KindSchema, "SQLite refuses %s: %s", excerpt(s.text), m)
}

// culprit finds the token at which SQLite stopped reading. Its message quotes the token but does not say which one of that
// text it is, so the statement is read again up to each of them.
func (st *statement) culprit(ctx context.Context, e *engine, m string) token {
	quotedText := strings.TrimSuffix(strings.TrimPrefix(m, `near "`), `": syntax error`)
	first := st.tokens[0]
	start := first.start
	for _, t := range st.tokens {
		if t.text != quotedText {
			continue
		}
		err := e.exec(ctx, "EXPLAIN "+st.text[:t.end-start])
		if err != nil && strings.HasPrefix(message(err), "near ") {
			return t
		}
		first = t
	}
	return first
}
