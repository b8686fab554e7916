package syntax

import (
	"fmt"
	"strings"

	"github.com/altergate/altergate/internal/schema"
	"github.com/altergate/altergate/internal/source"
)

// Limits that keep a hostile file from taking the process down: what nests deeper than anybody writes ends in an error.
const (
	maxDepth  = 1000
	maxErrors = 100
)

// parser reads one file by recursive descent. After the first error of an item it stands at the end, so that everything unwinds; the
// callers that can go on (a file, a block) set it back to where the error was.
type parser struct {
	*lexer
	file    *source.File
	i       int
	err     *schema.Error // of the item being read
	errorAt int           // the token at which it stopped
	nest    int           // recursion
	deepest int           // of the expressions made so far in the query being read
	inItem  bool          // reading an item, which needs no separator after it
	parens  int           // parentheses open around a query in the item
}

func newParser(f *source.File) *parser {
	return &parser{lexer: lex(f.Text), file: f}
}

func (p *parser) peek() token { return p.tokens[p.i] }

func (p *parser) peekAt(n int) token {
	if p.i+n < len(p.tokens) {
		return p.tokens[p.i+n]
	}
	return p.tokens[len(p.tokens)-1]
}

func (p *parser) next() token {
	t := p.tokens[p.i]
	if t.kind != end {
		p.i++
	}
	return t
}

// is tells whether these words or operators are next. A quoted name has no word and is none.
func (p *parser) is(words ...string) bool {
	for n, w := range words {
		if p.peekAt(n).word != w {
			return false
		}
	}
	return true
}

// take reads these words or operators if all are next.
func (p *parser) take(words ...string) bool {
	if !p.is(words...) {
		return false
	}
	p.i += len(words)
	return true
}

// expect reads these words or operators, or fails.
func (p *parser) expect(words ...string) {
	for _, w := range words {
		if !p.take(w) {
			p.want("`" + w + "`")
			return
		}
	}
}

// want fails with what should stand where the parser is.
func (p *parser) want(what string) {
	t := p.peek()
	switch {
	case t.kind == illegal:
		p.fail(t, p.problem)
	case t.kind == end:
		p.fail(t, "the text ends where "+what+" should stand")
	default:
		found := excerpt(p.src[t.start:t.end])
		if t.kind == word && t.class != plain && strings.HasSuffix(what, "name") {
			p.fail(t, fmt.Sprintf("%s stands where %s should; it is a reserved word: as a name it needs double quotes", found, what))
			return
		}
		p.fail(t, fmt.Sprintf("%s stands where %s should", found, what))
	}
}

// fail records the first error of an item and moves to the end.
func (p *parser) fail(at token, problem string) {
	if p.err != nil {
		return
	}
	p.err = &schema.Error{Pos: p.file.Pos(at.start), Kind: schema.KindSyntax, Text: problem}
	p.errorAt = p.i
	p.i = len(p.tokens) - 1
}

// excerpt shortens what an error shows of the file.
func excerpt(s string) string {
	shown := 0
	for i, r := range s {
		if r == '\n' || shown == 40 {
			s = s[:i] + "…"
			break
		}
		shown++
	}
	return "`" + s + "`"
}

// enter counts a step down and fails when it is one too many. Whoever it lets in calls leave.
func (p *parser) enter() bool {
	p.nest++
	if p.nest > maxDepth {
		p.nest--
		p.fail(p.peek(), fmt.Sprintf("this nests more than %d levels deep", maxDepth))
		return false
	}
	return true
}

func (p *parser) leave() { p.nest-- }

// mark gives where the next node begins.
func (p *parser) mark() int { return p.peek().start }

// since gives the span from a mark to the last token read.
func (p *parser) since(mark int) Span {
	stop := mark
	if p.i > 0 {
		stop = max(mark, p.tokens[p.i-1].end)
	}
	return Span{p.file, mark, stop}
}

// nameUse says which words may be names without quotes.
type nameUse int

const (
	strictName  nameUse = iota // indexes, views, constraints, seeds, tags, modules: no reserved word
	columnName                 // tables and columns: the contextual words too
	relationRef                // tables in statements and queries: also temp and temporary
)

func (p *parser) isName(t token, use nameUse) bool {
	switch t.kind {
	case quoted:
		return t.end-t.start > 2
	case word:
		return t.class == plain || (t.class == contextual && use != strictName) || (use == relationRef && (t.word == "temp" || t.word == "temporary"))
	default:
		return false
	}
}

// name reads a name; what says of what, for the error.
func (p *parser) name(use nameUse, what string) Name {
	t := p.peek()
	if !p.isName(t, use) {
		if t.kind == quoted {
			p.fail(t, "a name is empty")
			return Name{}
		}
		article := "a "
		if what != "" && strings.IndexByte("aeio", what[0]) >= 0 {
			article = "an "
		}
		p.want(article + what + " name")
		return Name{}
	}
	p.i++
	return Name{Span{p.file, t.start, t.end}, p.value(t)}
}

// names reads `name {, name}` up to a closing parenthesis, which it reads too. An opening one has been read.
func (p *parser) names(what string) []Name {
	var list []Name
	for {
		list = append(list, p.name(columnName, what))
		if !p.take(",") {
			break
		}
		if p.is(")") {
			break
		}
	}
	p.expect(")")
	return list
}

// qualified reads `[schema.]name`.
func (p *parser) qualified(what string) (owner, name Name) {
	name = p.name(relationRef, what)
	if p.take(".") {
		owner, name = name, p.name(relationRef, what)
	}
	return owner, name
}
