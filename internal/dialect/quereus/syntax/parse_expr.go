package syntax

import (
	"fmt"
	"strings"
)

// The levels of operators, loosest first. What stands at a level may hold, without parentheses, what stands at a tighter one.
const (
	levelOr = iota + 1
	levelAnd
	levelNot
	levelIs
	levelEqual
	levelCompare
	levelAdd
	levelMultiply
	levelUnary
	levelConcat
	levelCollate
	levelArrow
	levelPrimary
)

var binaryLevels = map[string]int{
	"or": levelOr, "xor": levelOr, "and": levelAnd,
	"=": levelEqual, "==": levelEqual, "!=": levelEqual, "<>": levelEqual,
	"<": levelCompare, "<=": levelCompare, ">": levelCompare, ">=": levelCompare, "like": levelCompare,
	"+": levelAdd, "-": levelAdd, "*": levelMultiply, "/": levelMultiply, "%": levelMultiply, "||": levelConcat,
}

// expression reads an expression of any kind.
func (p *parser) expression() *Expr { return p.operators(levelOr) }

// newExpr gives an expression and counts how deep it is, for a tree too deep to walk is refused while it is built.
func (p *parser) newExpr(mark int, e Expr) *Expr {
	e.Span = p.since(mark)
	depth := 0
	for _, a := range e.Args {
		depth = max(depth, a.depth)
	}
	for _, a := range [...]*Expr{e.Base, e.Else} {
		if a != nil {
			depth = max(depth, a.depth)
		}
	}
	for _, w := range e.Whens {
		depth = max(depth, w.If.depth, w.Then.depth)
	}
	e.depth = max(depth, e.depth) + 1
	p.deepest = max(p.deepest, e.depth)
	if e.depth > maxDepth {
		p.fail(p.peek(), fmt.Sprintf("this expression nests more than %d levels deep", maxDepth))
	}
	return &e
}

// operators reads an expression whose operators are all at this level or a tighter one.
func (p *parser) operators(level int) *Expr {
	mark := p.mark()
	if !p.enter() {
		return p.newExpr(mark, Expr{Kind: NullExpr})
	}
	defer p.leave()
	left := p.prefix(level)
	// After an operator of one level only that level and looser ones may follow: `a is null = b` does not read as anything.
	for limit := levelPrimary; p.err == nil; {
		t := p.peek()
		switch {
		case t.word == "is" && level <= levelIs && limit >= levelIs:
			if left = p.isTest(mark, left); left == nil {
				return p.newExpr(mark, Expr{Kind: NullExpr})
			}
			limit = levelIs - 1
		case level <= levelCompare && limit >= levelCompare && (t.word == "in" || t.word == "between" || t.word == "not" && p.notFollows()):
			left, limit = p.membership(mark, left), levelCompare
		case t.word == "collate" && level <= levelCollate && limit >= levelCollate:
			p.i++
			left = p.newExpr(mark, Expr{Kind: CollateExpr, Args: []*Expr{left}, Name: p.name(strictName, "collation").Text})
			left.Span = p.since(mark)
			limit = levelCollate - 1
		case (t.word == "->" || t.word == "->>") && level <= levelArrow && limit >= levelArrow:
			left = p.arrow(mark, left)
			limit = levelArrow
		default:
			l := binaryLevels[t.word]
			if l < level || l > limit || l == 0 {
				return left
			}
			p.i++
			op := t.word
			if op == "<>" {
				op = "!="
			}
			right := p.operators(l + 1)
			left = p.newExpr(mark, Expr{Kind: BinaryExpr, Op: op, Args: []*Expr{left, right}})
			limit = l
		}
	}
	return left
}

// notFollows tells whether the not that is next belongs to `not in`, `not between` or `not like`.
func (p *parser) notFollows() bool {
	return p.is("not", "in") || p.is("not", "between") || p.is("not", "like")
}

// prefix reads what an expression begins with.
func (p *parser) prefix(level int) *Expr {
	mark := p.mark()
	switch t := p.peek(); {
	case t.word == "not" && level <= levelNot:
		p.i++
		return p.unary(mark, "not", levelNot)
	case (t.word == "-" || t.word == "+" || t.word == "~") && level <= levelUnary:
		p.i++
		return p.unary(mark, t.word, levelUnary)
	}
	return p.primary()
}

func (p *parser) unary(mark int, op string, level int) *Expr {
	body := p.operators(level)
	return p.newExpr(mark, Expr{Kind: UnaryExpr, Op: op, Args: []*Expr{body}})
}

// isTest reads `is [not] null|true|false`.
func (p *parser) isTest(mark int, left *Expr) *Expr {
	p.i++
	op := "is "
	if p.take("not") {
		op += "not "
	}
	t := p.peek()
	if t.word != "null" && t.word != "true" && t.word != "false" {
		p.want("`null`, `true` or `false`")
		return nil
	}
	p.i++
	return p.newExpr(mark, Expr{Kind: UnaryExpr, Op: op + t.word, Args: []*Expr{left}})
}

// membership reads `[not] in (…)`, `[not] between … and …` and `not like`. Of these only between keeps its not; the others become a
// negation of the positive form, as in the engine.
func (p *parser) membership(mark int, left *Expr) *Expr {
	not := p.take("not")
	var e *Expr
	switch t := p.next(); t.word {
	case "between":
		low := p.operators(levelAdd)
		p.expect("and")
		high := p.operators(levelAdd)
		return p.newExpr(mark, Expr{Kind: BetweenExpr, Not: not, Args: []*Expr{left, low, high}})
	case "like":
		e = p.newExpr(mark, Expr{Kind: BinaryExpr, Op: "like", Args: []*Expr{left, p.operators(levelAdd)}})
	default:
		p.expect("(")
		p.parens++
		if p.atQuery() {
			e = p.withQuery(mark, Expr{Kind: InExpr, Args: []*Expr{left}})
		} else {
			args := []*Expr{left}
			for !p.is(")") && p.err == nil {
				args = append(args, p.expression())
				if !p.take(",") {
					break
				}
			}
			p.expect(")")
			e = p.newExpr(mark, Expr{Kind: InExpr, Args: args})
		}
		p.parens--
	}
	if not {
		e = p.newExpr(mark, Expr{Kind: UnaryExpr, Op: "not", Args: []*Expr{e}})
	}
	return e
}

// withQuery reads a query and the closing parenthesis after it into an expression.
func (p *parser) withQuery(mark int, e Expr) *Expr {
	outer := p.deepest
	p.deepest = 0
	e.Query = p.query()
	e.depth = p.deepest
	p.deepest = max(outer, p.deepest)
	p.expect(")")
	return p.newExpr(mark, e)
}

// arrow reads `-> path` or `->> path`, which the engine keeps as json_extract, the second one as a cast of it to text.
func (p *parser) arrow(mark int, left *Expr) *Expr {
	op := p.next()
	from := p.mark()
	var path *Expr
	switch t := p.peek(); {
	case t.kind == text:
		p.i++
		name := p.value(t)
		if !strings.HasPrefix(name, "$") {
			name = "$." + name
		}
		path = p.newExpr(from, Expr{Kind: StringExpr, Name: name})
	case t.kind == number && !strings.ContainsAny(p.value(t), ".eE"):
		p.i++
		path = p.newExpr(from, Expr{Kind: StringExpr, Name: "$[" + p.value(t) + "]"})
	default:
		path = p.primary()
	}
	e := p.newExpr(mark, Expr{Kind: CallExpr, Name: "json_extract", Args: []*Expr{left, path}})
	if op.word == "->>" {
		e = p.newExpr(mark, Expr{Kind: CastExpr, Name: "text", Args: []*Expr{e}})
	}
	return e
}

// primary reads an expression without operators.
func (p *parser) primary() *Expr {
	mark := p.mark()
	t := p.peek()
	switch t.kind {
	case number, text, blob:
		p.i++
		return p.newExpr(mark, Expr{Kind: map[kind]ExprKind{number: NumberExpr, text: StringExpr, blob: BlobExpr}[t.kind], Name: p.value(t)})
	case operator:
		return p.punctuated(mark, t)
	case word:
		switch {
		case t.word == "null":
			p.i++
			return p.newExpr(mark, Expr{Kind: NullExpr})
		case t.word == "true" || t.word == "false":
			p.i++
			return p.newExpr(mark, Expr{Kind: BoolExpr, Name: t.word})
		case t.word == "case":
			return p.caseOf(mark)
		case p.is("cast", "("):
			return p.cast(mark)
		case t.word == "exists":
			p.i++
			p.expect("(")
			p.parens++
			defer func() { p.parens-- }()
			return p.withQuery(mark, Expr{Kind: ExistsExpr})
		}
	}
	if p.peekAt(1).word == "(" && (p.isName(t, columnName) || t.word == "replace") {
		return p.call(mark)
	}
	if p.isName(t, columnName) {
		return p.column(mark)
	}
	p.want("an expression")
	return p.newExpr(mark, Expr{Kind: NullExpr})
}

// punctuated reads a parameter, or what stands in parentheses.
func (p *parser) punctuated(mark int, t token) *Expr {
	switch t.word {
	case "?":
		p.i++
		return p.newExpr(mark, Expr{Kind: ParameterExpr, Name: "?"})
	case ":", "$":
		p.i++
		n := p.peek()
		if n.kind != word && n.kind != number {
			p.want("the name of a parameter")
			return p.newExpr(mark, Expr{Kind: NullExpr})
		}
		p.i++
		return p.newExpr(mark, Expr{Kind: ParameterExpr, Name: ":" + p.value(n)})
	case "(":
		p.i++
		p.parens++
		defer func() { p.parens-- }()
		if p.atQuery() {
			return p.withQuery(mark, Expr{Kind: SubqueryExpr})
		}
		e := p.expression()
		p.expect(")")
		e.Span = p.since(mark)
		return e
	}
	p.want("an expression")
	return p.newExpr(mark, Expr{Kind: NullExpr})
}

// column reads `[[schema.]table.]column`.
func (p *parser) column(mark int) *Expr {
	e := Expr{Kind: ColumnExpr, Name: p.name(columnName, "column").Text}
	for _, up := range [...]*string{&e.Table, &e.Schema} {
		if !p.is(".") {
			break
		}
		p.i++
		if up == &e.Schema {
			e.Schema, e.Table = e.Table, e.Name
		} else {
			e.Table = e.Name
		}
		e.Name = p.name(columnName, "column").Text
	}
	return p.newExpr(mark, e)
}

func (p *parser) caseOf(mark int) *Expr {
	p.i++
	e := Expr{Kind: CaseExpr}
	if !p.is("when") {
		e.Base = p.expression()
	}
	for p.take("when") {
		w := When{If: p.expression()}
		p.expect("then")
		w.Then = p.expression()
		e.Whens = append(e.Whens, w)
	}
	if len(e.Whens) == 0 {
		p.want("`when`")
	}
	if p.take("else") {
		e.Else = p.expression()
	}
	p.expect("end")
	return p.newExpr(mark, e)
}

func (p *parser) cast(mark int) *Expr {
	p.i += 2
	p.parens++
	defer func() { p.parens-- }()
	e := Expr{Kind: CastExpr, Args: []*Expr{p.expression()}}
	p.expect("as")
	e.Name = p.typeName()
	p.expect(")")
	return p.newExpr(mark, e)
}

func (p *parser) call(mark int) *Expr {
	e := Expr{Kind: CallExpr, Name: p.value(p.next())}
	p.i++
	p.parens++
	switch {
	case p.take("*"):
		e.Star = true
	case !p.is(")"):
		e.Distinct = p.take("distinct")
		for {
			e.Args = append(e.Args, p.expression())
			if !p.take(",") {
				break
			}
		}
	}
	p.expect(")")
	p.parens--
	if p.take("over") {
		p.parens++
		outer := p.deepest
		p.deepest = 0
		e.Over = p.window()
		e.depth = p.deepest
		p.deepest = max(outer, p.deepest)
		p.parens--
	}
	return p.newExpr(mark, e)
}
