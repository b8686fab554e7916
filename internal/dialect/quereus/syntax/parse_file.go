package syntax

import (
	"fmt"

	"github.com/altergate/altergate/internal/schema"
	"github.com/altergate/altergate/internal/source"
)

// Parse reads a file. It goes on after an error, so that all are named; a file with errors has no meaning.
func Parse(f *source.File) (*File, []*schema.Error) {
	p := newParser(f)
	file := &File{Source: f}
	for _, c := range p.comments {
		file.Comments = append(file.Comments, Span{f, c[0], c[1]})
	}
	var errs []*schema.Error
	for p.peek().kind != end && len(errs) < maxErrors {
		if p.take(";") {
			continue
		}
		start := p.i
		s := p.statement(&errs)
		if p.err == nil && s != nil {
			file.Statements = append(file.Statements, s)
			continue
		}
		if p.err != nil {
			errs = append(errs, p.err)
			p.recover(start, false)
		}
	}
	return file, errs
}

// ParseStatement reads one statement, which a semicolon may follow.
func ParseStatement(sql string) (Statement, *schema.Error) {
	f, errs := Parse(&source.File{Text: sql})
	switch {
	case len(errs) > 0:
		return nil, errs[0]
	case len(f.Statements) != 1:
		return nil, &schema.Error{Kind: schema.KindSyntax, Text: fmt.Sprintf("%d statements stand where one should", len(f.Statements))}
	}
	return f.Statements[0], nil
}

// statementWords are those at which reading can begin again after an error.
var statementWords = map[string]bool{"declare": true, "create": true, "drop": true, "alter": true, "apply": true, "diff": true}

// recover moves from an error to where reading can go on: behind a semicolon, at the bracket that closes the block, or at a word that
// begins the next item or statement. Brackets that are open at the error are closed first; but a semicolon ends an item in any of them.
func (p *parser) recover(start int, item bool) {
	next := statementWords
	if item {
		next = itemWords
	}
	p.err = nil
	depth := 0
	for i := start; ; i++ {
		t := p.tokens[i]
		past := i >= p.errorAt
		switch {
		case t.kind == end || t.kind == illegal:
			p.i = len(p.tokens) - 1
			return
		case t.word == "(" || t.word == "{":
			depth++
		case (t.word == ")" || t.word == "}") && depth > 0:
			depth--
		case t.word == "}" && past && item:
			p.i = i
			return
		case t.word == ";" && past && (item || depth == 0):
			p.i = i + 1
			return
		case t.kind == word && next[t.word] && i > p.errorAt && depth == 0:
			p.i = i
			return
		}
	}
}

// reset prepares for the next item or statement.
func (p *parser) reset(item bool) {
	p.err, p.nest, p.deepest, p.parens, p.inItem = nil, 0, 0, 0, item
}

// otherWords begin statements that the engine knows and that declare nothing.
var otherWords = map[string]bool{"insert": true, "update": true, "delete": true, "select": true, "values": true, "with": true, "begin": true,
	"commit": true, "rollback": true, "savepoint": true, "release": true, "pragma": true, "analyze": true, "explain": true, "refresh": true}

// declaring are the words that begin statements which declare something.
var declaring = map[string]bool{"declare": true, "create": true, "drop": true, "alter": true}

func (p *parser) statement(errs *[]*schema.Error) Statement {
	p.reset(false)
	mark := p.mark()
	t := p.peek()
	switch {
	case t.kind != word:
		p.want("a statement")
	case t.word == "declare":
		return p.declare(errs)
	case t.word == "create":
		return p.create()
	case t.word == "drop":
		return p.drop()
	case t.word == "alter":
		return p.alter()
	case t.word == "apply":
		return p.apply()
	case t.word == "diff":
		p.i++
		p.expect("schema")
		return p.done(&Diff{Schema: p.name(relationRef, "schema")}, mark)
	case itemWords[t.word]:
		p.reset(true)
		return p.done(&Bare{Item: p.item()}, mark)
	case otherWords[t.word]:
		return p.other(mark, t)
	default:
		p.unknown(t, "statement", statementNames)
	}
	return nil
}

// done gives a statement its span. What follows it is for the next round to judge: a semicolon, another statement or the end.
func (p *parser) done(s Statement, mark int) Statement {
	if p.err != nil {
		return nil
	}
	span := p.since(mark)
	switch s := s.(type) {
	case *Declare:
		s.Span = span
	case *Bare:
		s.Span = span
	case *Create:
		s.Span = span
	case *Drop:
		s.Span = span
	case *AlterTable:
		s.Span = span
	case *AlterObject:
		s.Span = span
	case *Apply:
		s.Span = span
	case *Diff:
		s.Span = span
	case *Other:
		s.Span = span
	}
	return s
}

// other steps over a statement that declares nothing, up to its semicolon, or to a statement that declares something: the engine needs
// no semicolon, and no such word is a name.
func (p *parser) other(mark int, t token) Statement {
	for u := p.peek(); u.kind != end && u.word != ";"; u = p.peek() {
		if u.kind == illegal {
			p.want("the rest of a statement")
			return nil
		}
		if p.i > 0 && declaring[u.word] && p.tokens[p.i-1].word != "explain" {
			break
		}
		if u.word == "{" || u.word == "}" {
			p.fail(u, excerpt(u.word)+" stands in a statement that is passed over, which begins with "+excerpt(p.value(t))+"; end that with a semicolon")
			return nil
		}
		p.i++
	}
	return p.done(&Other{Word: t.word}, mark)
}

// declare reads a declare block. What is wrong with one item does not keep the others from being read.
func (p *parser) declare(errs *[]*schema.Error) Statement {
	mark := p.mark()
	p.i++
	d := &Declare{}
	if p.is("lens") {
		p.fail(p.peek(), "`declare lens` maps a logical schema onto another; it holds no tables of its own: move it to a file that is not reviewed")
	}
	d.Logical = p.take("logical")
	p.expect("schema")
	d.Name = p.name(relationRef, "schema")
	if p.take("version") {
		d.Version = p.stringLiteral("a version in quotes")
	}
	if p.take("using") {
		p.expect("(")
		if !p.take(")") {
			d.Options = p.options()
		}
	}
	p.expect("{")
	for p.err == nil {
		for p.take(";") {
		}
		if p.take("}") {
			return p.done(d, mark)
		}
		if len(*errs) >= maxErrors {
			return nil
		}
		if p.peek().kind == end {
			p.want("`}`, which closes the declare block,")
			return nil
		}
		start := p.i
		p.reset(true)
		item := p.item()
		if p.err == nil {
			d.Items = append(d.Items, item)
			continue
		}
		*errs = append(*errs, p.err)
		p.recover(start, true)
		if p.peek().kind == end {
			// The brackets of the block are lost with the item; that it is not closed would be no news.
			return p.done(d, mark)
		}
	}
	return nil
}

func (p *parser) stringLiteral(what string) *Expr {
	mark := p.mark()
	t := p.peek()
	if t.kind != text {
		p.want(what)
		return nil
	}
	p.i++
	return p.newExpr(mark, Expr{Kind: StringExpr, Name: p.value(t)})
}

// options reads `name = value {, name = value}` and the closing parenthesis.
func (p *parser) options() []*Option {
	var list []*Option
	for {
		mark := p.mark()
		o := &Option{Name: p.name(strictName, "option")}
		p.expect("=")
		at := p.mark()
		switch t := p.peek(); {
		case t.kind == word && t.class == plain && t.word != "null":
			p.i++
			o.Value = p.newExpr(at, Expr{Kind: ColumnExpr, Name: p.value(t)})
		default:
			o.Value = p.literal()
		}
		o.Span = p.since(mark)
		list = append(list, o)
		if !p.take(",") {
			break
		}
	}
	p.expect(")")
	return list
}

// literal reads a constant, a number with a sign too.
func (p *parser) literal() *Expr {
	mark := p.mark()
	e := p.operators(levelUnary)
	inner := e
	if e.Kind == UnaryExpr && e.Op == "-" {
		inner = e.Args[0]
	}
	switch {
	case p.err != nil:
	case inner.Kind == NumberExpr:
	case inner == e && (e.Kind == StringExpr || e.Kind == BlobExpr || e.Kind == NullExpr || e.Kind == BoolExpr):
	default:
		p.err = &schema.Error{Pos: p.file.Pos(mark), Kind: schema.KindSyntax, Text: "only a constant can stand here"}
		p.errorAt = p.i
		p.i = len(p.tokens) - 1
	}
	return e
}

func (p *parser) apply() Statement {
	mark := p.mark()
	p.i++
	p.expect("schema")
	a := &Apply{Schema: p.name(relationRef, "schema")}
	if p.take("to", "version") {
		a.Version = p.stringLiteral("a version in quotes")
	}
	a.Seed = p.take("with", "seed")
	if p.take("options", "(") && !p.take(")") {
		a.Options = p.options()
	}
	return p.done(a, mark)
}
