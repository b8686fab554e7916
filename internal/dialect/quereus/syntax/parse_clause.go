package syntax

import "strconv"

// module reads what follows using: a name, which may be missing before parentheses in a declared table, and arguments.
func (p *parser) module(mayLackName bool) *Module {
	mark := p.mark()
	m := &Module{}
	if !mayLackName || !p.is("(") {
		m.Name = p.name(strictName, "module")
	}
	if p.take("(") {
		m.Args = []*Argument{}
		position := 0
		for !p.is(")") && p.err == nil {
			m.Args = append(m.Args, p.argument(&position))
			if !p.take(",") {
				break
			}
		}
		if t := p.peek(); p.err == nil && !p.is(")") && mayLackName {
			p.fail(t, "the parentheses after the module hold its arguments, and this is none; for columns write `using MODULE () (columns)` or `using MODULE {columns}`")
		}
		p.expect(")")
	}
	m.Span = p.since(mark)
	return m
}

// argument reads one argument of a module. Truth is kept as 1 and 0, as the engine does.
func (p *parser) argument(position *int) *Argument {
	mark := p.mark()
	a := &Argument{}
	t := p.peek()
	if t.kind == text || t.kind == number {
		a.Key = strconv.Itoa(*position)
		*position++
		a.Value = p.tagValue()
	} else {
		a.Key = Fold(p.name(strictName, "argument").Text)
		switch {
		case !p.take("="):
			a.Value = Value{Kind: TextValue, Text: a.Key}
		case p.isName(p.peek(), strictName):
			a.Value = Value{Kind: TextValue, Text: p.value(p.next())}
		default:
			a.Value = p.tagValue()
		}
	}
	if a.Value.Kind == BoolValue {
		a.Value = Value{Kind: NumberValue, Text: map[string]string{"true": "1", "false": "0"}[a.Value.Text]}
	}
	a.Span = p.since(mark)
	return a
}

// tags reads `with tags (…)`, tagList what stands after tags.
func (p *parser) tags() *Tags {
	p.expect("with", "tags")
	return p.tagList()
}

func (p *parser) tagList() *Tags {
	mark := p.mark()
	p.expect("(")
	t := &Tags{}
	seen := map[string]bool{}
	for !p.is(")") && p.err == nil {
		at := p.peek()
		from := p.mark()
		tag := &Tag{Key: p.name(strictName, "tag").Text}
		if p.err == nil && p.is(".") {
			p.fail(p.peek(), "a tag with a dot in its name needs double quotes: \""+tag.Key+".…\"")
		}
		p.expect("=")
		tag.Value = p.tagValue()
		tag.Span = p.since(from)
		if seen[tag.Key] {
			p.fail(at, "the tag "+excerpt(tag.Key)+" stands twice")
		}
		seen[tag.Key] = true
		t.List = append(t.List, tag)
		if !p.take(",") {
			break
		}
	}
	p.expect(")")
	t.Span = p.since(mark)
	return t
}

func (p *parser) tagValue() Value {
	t := p.peek()
	switch {
	case t.kind == text:
		p.i++
		return Value{Kind: TextValue, Text: p.value(t)}
	case t.kind == number:
		p.i++
		return Value{Kind: NumberValue, Text: numberText(p.value(t))}
	case p.is("-") && p.peekAt(1).kind == number:
		p.i += 2
		return Value{Kind: NumberValue, Text: numberText("-" + p.value(p.tokens[p.i-1]))}
	case p.take("null"):
		return Value{Kind: NullValue}
	case p.is("true"), p.is("false"):
		p.i++
		return Value{Kind: BoolValue, Text: t.word}
	}
	p.want("a value (a string, a number, `true`, `false` or `null`)")
	return Value{}
}
