package sqlite

import (
	"fmt"
	"strings"
)

// parser reads a statement that SQLite has accepted, so it follows SQLite's grammar (parse.y, 3.54) and need not check it.
// What it does not understand is an error all the same: a guess here would be a wrong plan later.
type parser struct {
	src    string  // the text the tokens' offsets are in
	tokens []token // without comments
	i      int
}

// parseError says at which token reading stopped.
type parseError struct {
	at   token
	want string
}

func (e *parseError) Error() string {
	if e.at.text == "" {
		return fmt.Sprintf("the statement ends where %s should stand", e.want)
	}
	return fmt.Sprintf("%s stands where %s should", excerpt(e.at.text), e.want)
}

func newParser(src string) *parser {
	all := lex(src)
	tokens := all[:0]
	for _, t := range all {
		if t.kind != comment {
			tokens = append(tokens, t)
		}
	}
	return &parser{src: src, tokens: tokens}
}

// peek gives the next token; at the end a zero one, which is no keyword and no operator.
func (p *parser) peek() token { return p.peekAt(0) }

func (p *parser) peekAt(n int) token {
	if p.i+n < len(p.tokens) {
		return p.tokens[p.i+n]
	}
	return token{kind: illegal, start: len(p.src), end: len(p.src)}
}

func (p *parser) done() bool { return p.i >= len(p.tokens) }

// take reads these words or operators if they are all next.
func (p *parser) take(words ...string) bool {
	for i, w := range words {
		if !p.peekAt(i).is(w) {
			return false
		}
	}
	p.i += len(words)
	return true
}

func (p *parser) expect(word string) error {
	if p.take(word) {
		return nil
	}
	return &parseError{p.peek(), "`" + word + "`"}
}

// name reads a name, quoted or not. SQLite takes a string literal as a name where only a name can stand.
func (p *parser) name() (string, error) {
	t := p.peek()
	if t.kind != word && t.kind != quoted && t.kind != text {
		return "", &parseError{t, "a name"}
	}
	p.i++
	return t.name(), nil
}

// qualifiedName reads [schema.]name and gives the name.
func (p *parser) qualifiedName() (string, error) {
	n, err := p.name()
	if err == nil && p.take(".") {
		return p.name()
	}
	return n, err
}

// group reads a parenthesised group and gives the tokens between the outer parentheses.
func (p *parser) group() ([]token, error) {
	if err := p.expect("("); err != nil {
		return nil, err
	}
	start, depth := p.i, 1
	for ; !p.done(); p.i++ {
		switch {
		case p.peek().is("("):
			depth++
		case p.peek().is(")"):
			if depth--; depth == 0 {
				inner := p.tokens[start:p.i]
				p.i++
				return inner, nil
			}
		}
	}
	return nil, &parseError{p.peek(), "`)`"}
}

// since gives the text from the token at index start to the last one read.
func (p *parser) since(start int) string {
	if start >= p.i {
		return ""
	}
	return p.src[p.tokens[start].start:p.tokens[p.i-1].end]
}

// textOf gives the text from the first to the last of some tokens, comments inside it included.
func (p *parser) textOf(tokens []token) string {
	if len(tokens) == 0 {
		return ""
	}
	return p.src[tokens[0].start:tokens[len(tokens)-1].end]
}

// commas cuts tokens at the commas that stand outside parentheses.
func commas(tokens []token) [][]token {
	var out [][]token
	depth, start := 0, 0
	for i, t := range tokens {
		switch {
		case t.is("("):
			depth++
		case t.is(")"):
			depth--
		case depth == 0 && t.is(","):
			out = append(out, tokens[start:i])
			start = i + 1
		}
	}
	return append(out, tokens[start:])
}

// withoutComments replaces every comment in a piece of SQL by one blank, so that the piece can be put on a line with others.
func withoutComments(src string) string {
	if !strings.Contains(src, "--") && !strings.Contains(src, "/*") {
		return src
	}
	var b strings.Builder
	last := 0
	for _, t := range lex(src) {
		if t.kind == comment {
			b.WriteString(strings.TrimRight(src[last:t.start], " \t\n"))
			b.WriteByte(' ')
			last = t.end
			for last < len(src) && isSpace(src[last]) {
				last++
			}
		}
	}
	if last == 0 {
		return src
	}
	b.WriteString(src[last:])
	return strings.TrimSpace(b.String())
}
