package sqlite

import (
	"fmt"
	"strings"

	"github.com/altergate/altergate/internal/dialect/hint"
	"github.com/altergate/altergate/internal/schema"
	"github.com/altergate/altergate/internal/source"
)

// script is a file cut into statements.
type script struct {
	file       *source.File
	statements []*statement
	comments   []hint.Span // all of the file's, in order: hints stand in them
}

// statement is one statement of a script. text is as written, from its first to its last token, without the final semicolon;
// tokens have their offsets in the file, and no comments among them.
type statement struct {
	tokens []token
	text   string
	file   *source.File
	path   string     // of the object in a JSON source, else empty
	pos    schema.Pos // set for a JSON source: positions in made-up SQL mean nothing
}

// at gives the place of a byte offset of the statement's file.
func (st *statement) at(offset int) schema.Pos {
	if st.pos.Line > 0 {
		return st.pos
	}
	return st.file.Pos(offset)
}

// start is where the statement begins.
func (st *statement) start() schema.Pos { return st.at(st.tokens[0].start) }

// has tells whether the statement begins with these keywords.
func (st *statement) has(words ...string) bool {
	if len(st.tokens) < len(words) {
		return false
	}
	for i, w := range words {
		if !st.tokens[i].is(w) {
			return false
		}
	}
	return true
}

// errorf makes an error at a token of the statement.
func (st *statement) errorf(t token, kind schema.ErrorKind, format string, args ...any) *schema.Error {
	return &schema.Error{Pos: st.at(t.start), Path: st.path, Kind: kind, Text: fmt.Sprintf(format, args...)}
}

// split cuts a file into statements. A trigger's body holds semicolons: it ends at the END that follows one.
// What cannot be a token, and a body that is not closed, is an error.
func split(f *source.File) (*script, []*schema.Error) {
	out := &script{file: f}
	var errs []*schema.Error
	current := &statement{file: f}
	flush := func() {
		if n := len(current.tokens); n > 0 {
			current.text = f.Text[current.tokens[0].start:current.tokens[n-1].end]
			out.statements = append(out.statements, current)
			current = &statement{file: f}
		}
	}
	for _, t := range lex(f.Text) {
		switch {
		case t.kind == comment:
			out.comments = append(out.comments, hint.Span{Start: t.start, End: t.end})
		case t.kind == illegal:
			// One error a line: what comes behind the first is mostly more of the same.
			if e := illegalToken(f, t); len(errs) == 0 || errs[len(errs)-1].Pos.Line != e.Pos.Line {
				errs = append(errs, e)
			}
			if len(errs) >= maxErrors {
				return out, errs
			}
		case t.is(";") && !current.insideTrigger():
			flush()
		default:
			current.tokens = append(current.tokens, t)
		}
	}
	if current.insideTrigger() {
		errs = append(errs, current.errorf(current.tokens[0], schema.KindSyntax, "this trigger has no END: the file ends inside its body"))
		return out, errs
	}
	flush()
	return out, errs
}

// maxErrors is how many errors of one kind are worth telling; a file that is no SQL at all has thousands.
const maxErrors = 20

// isTrigger tells whether the statement is CREATE TRIGGER so far.
func (st *statement) isTrigger() bool {
	return st.has("CREATE", "TRIGGER") || st.has("CREATE", "TEMP", "TRIGGER") || st.has("CREATE", "TEMPORARY", "TRIGGER")
}

// insideTrigger tells whether a semicolon here belongs to a trigger's body: it does until an END comes right after one.
func (st *statement) insideTrigger() bool {
	if !st.isTrigger() {
		return false
	}
	n := len(st.tokens)
	return !(st.tokens[n-1].is("END") && st.tokens[n-2].is(";"))
}

func illegalToken(f *source.File, t token) *schema.Error {
	what := "is not SQL that SQLite reads"
	switch {
	case strings.HasPrefix(t.text, "{"):
		what = "looks like a template; give the rendered SQL as the source"
	case strings.HasPrefix(t.text, "/*"):
		what = "opens a comment that is never closed"
	case strings.ContainsAny(t.text[:1], "'\"`["):
		what = "opens a literal or a name that is never closed"
	}
	return &schema.Error{Pos: f.Pos(t.start), Kind: schema.KindSyntax, Text: fmt.Sprintf("%s %s", excerpt(t.text), what)}
}

// excerpt shortens SQL for a message and makes it fit on one line.
func excerpt(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	const most = 40
	if runes := []rune(s); len(runes) > most {
		s = string(runes[:most-1]) + "…"
	}
	return "`" + s + "`"
}
