package syntax

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// The words that items and statements begin with, for the errors that name the nearest one.
var (
	itemNames      = []string{"table", "index", "unique index", "view", "materialized view", "seed", "assertion", "domain", "collation", "import"}
	statementNames = []string{"declare", "create", "drop", "alter", "apply", "diff", "insert", "update", "delete", "select", "values", "with", "begin",
		"commit", "rollback", "savepoint", "release", "pragma", "analyze", "explain", "refresh",
		"table", "index", "unique", "view", "materialized", "seed", "assertion"}
)

// unknown refuses a word that begins nothing. The engine would skip it in silence, and what it was meant to declare would be dropped.
func (p *parser) unknown(t token, what string, known []string) {
	found := p.value(t)
	msg := excerpt(found) + " begins no " + what
	if near := nearest(strings.ToLower(found), known); near != "" {
		msg += "; did you mean `" + near + "`?"
	} else if what == "item" {
		msg += " of a declare block; the items are " + strings.Join(known, ", ")
	}
	p.fail(t, msg)
}

// item reads one item of a declare block.
func (p *parser) item() Item {
	mark := p.mark()
	t := p.peek()
	switch {
	case t.kind != word:
		p.want("an item")
	case p.take("table"):
		return p.table(mark, false)
	case p.take("index"):
		return p.index(mark, false, false)
	case p.take("unique"):
		p.expect("index")
		return p.index(mark, true, false)
	case p.take("view"):
		return p.view(mark, false, false)
	case p.take("materialized"):
		p.expect("view")
		return p.view(mark, true, false)
	case p.take("assertion"):
		return p.assertion(mark)
	case p.take("seed"):
		return p.seed(mark)
	case itemWords[t.word]:
		return p.ignored(mark, t)
	case t.word == "using":
		p.fail(t, "the module of a declared table stands before its columns: `table NAME using MODULE () (columns)`")
	case statementWords[t.word] || otherWords[t.word]:
		p.fail(t, excerpt(p.value(t))+" begins a statement; a declare block holds only items, without `create`")
	default:
		p.unknown(t, "item", itemNames)
	}
	return nil
}

// ignored steps over an item that the engine ignores: to its semicolon, to the bracket that closes the block, or to the next item. Brackets
// inside are stepped over as a whole. What the engine would step over too, and looks like another item, is refused.
func (p *parser) ignored(mark int, t token) Item {
	p.i++
	if u := p.peek(); (u.kind == word || u.kind == quoted) && !itemWords[u.word] && !p.firstInLine(u) {
		p.i++ // its name, which can be any
	}
	var open []string // what closes the brackets that are open
	for ; ; p.i++ {
		u := p.peek()
		switch inside := len(open) > 0; {
		case !inside && (u.kind == end || u.word == ";" || u.word == "}" || u.kind == word && itemWords[u.word]):
			return &Ignored{Span: p.since(mark), Word: t.word}
		case u.word == "(":
			open = append(open, ")")
		case u.word == "{":
			open = append(open, "}")
		case inside && u.word == open[len(open)-1]:
			open = open[:len(open)-1]
		case inside && (u.kind == end || u.word == ")" || u.word == "}"):
			p.want("`" + open[len(open)-1] + "`")
			return nil
		case u.kind == illegal || u.word == ")":
			p.want("the end of an item")
			return nil
		case !inside && u.kind == word && p.begins(u):
			p.swallowed(t, u)
			return nil
		}
	}
}

// begins tells whether a word in what is stepped over looks like the first of something else: it is nearly one that begins an item, or
// stands first in its line and is no word of the grammar that could go on there.
func (p *parser) begins(t token) bool {
	return nearest(strings.ToLower(p.value(t)), slices.Sorted(maps.Keys(itemWords))) != "" || p.firstInLine(t) && (t.class == plain || statementWords[t.word])
}

func (p *parser) firstInLine(t token) bool {
	before := p.tokens[p.i-1] // there is one, which begins the item
	return strings.Contains(p.src[before.end:t.start], "\n")
}

func (p *parser) swallowed(t, u token) {
	msg := fmt.Sprintf("%s stands in what is skipped after %s", excerpt(p.value(u)), excerpt(p.value(t)))
	if near := nearest(strings.ToLower(p.value(u)), slices.Sorted(maps.Keys(itemWords))); near != "" {
		msg += " (did you mean `" + near + "`?)"
	}
	p.fail(u, msg+"; end that with a semicolon, or write the word in double quotes if it belongs there")
}

// itemName reads the name of what is declared; in a create statement a schema may stand before it.
func (p *parser) itemName(created bool, use nameUse, what string) (owner, name Name) {
	if created {
		return p.qualified(what)
	}
	return Name{}, p.name(use, what)
}

func (p *parser) table(mark int, created bool) Item {
	t := &Table{}
	t.Schema, t.Name = p.itemName(created, columnName, "table")
	if !created && p.take("using") {
		t.Module = p.module(true)
	}
	closing := ")"
	switch {
	case p.take("("):
	case !created && p.take("{"):
		closing = "}"
	case p.is("as"):
		p.fail(p.peek(), "a table cannot be created from a query; declare its columns, or a materialized view")
	case t.Module != nil && t.Module.Args != nil:
		p.fail(p.peek(), "the parentheses after the module hold its arguments; write `using MODULE () (columns)` or `using MODULE {columns}`")
	default:
		p.want("`(`")
	}
	for !p.is(closing) && p.err == nil {
		if p.atTableConstraint() {
			t.Constraints = append(t.Constraints, p.tableConstraint())
		} else {
			t.Columns = append(t.Columns, p.columnDefinition())
		}
		if !p.take(",") && !p.is(closing) {
			p.want("`,` or `" + closing + "`")
		}
	}
	p.expect(closing)
	if created && p.take("using") {
		t.Module = p.module(false)
	}
	if p.is("maintained") && (p.peekAt(1).word == "as" || p.peekAt(1).word == "(") {
		t.Maintained = p.maintained()
	}
	for p.err == nil {
		switch {
		case p.is("with", "context") && t.Context != nil, p.is("with", "tags") && t.Tags != nil:
			p.fail(p.peek(), "this clause stands twice")
		case p.take("with", "context"):
			t.Context = p.context()
		case p.is("with", "tags"):
			t.Tags = p.tags()
		default:
			t.Span = p.since(mark)
			return t
		}
	}
	return t
}

// maintained reads `maintained [(columns)] as query`.
func (p *parser) maintained() *Maintained {
	mark := p.mark()
	p.expect("maintained")
	m := &Maintained{}
	if p.take("(") {
		m.Columns = p.names("column")
	}
	p.expect("as")
	m.Query = p.query()
	m.Span = p.since(mark)
	return m
}

func (p *parser) context() []*ContextVariable {
	p.expect("(")
	list := []*ContextVariable{}
	for {
		mark := p.mark()
		v := &ContextVariable{Name: p.name(columnName, "variable")}
		if p.isName(p.peek(), strictName) {
			v.Type = p.typeName()
		}
		v.Null = p.take("null")
		v.Span = p.since(mark)
		list = append(list, v)
		if !p.take(",") {
			break
		}
	}
	p.expect(")")
	return list
}

func (p *parser) index(mark int, unique, created bool) Item {
	x := &Index{Unique: unique}
	x.Schema, x.Name = p.itemName(created, strictName, "index")
	p.expect("on")
	x.TableSchema, x.Table = p.itemName(created, strictName, "table")
	p.expect("(")
	p.parens++
	for {
		x.Columns = append(x.Columns, p.indexColumn())
		if !p.take(",") {
			break
		}
	}
	p.expect(")")
	p.parens--
	if p.take("where") {
		x.Where = p.expression()
	}
	if p.is("with", "tags") {
		x.Tags = p.tags()
	}
	x.Span = p.since(mark)
	return x
}

func (p *parser) indexColumn() *IndexColumn {
	mark := p.mark()
	at := p.peek()
	c := &IndexColumn{Expr: p.expression()}
	inner := c.Expr
	if inner.Kind == CollateExpr {
		inner, c.Collation = inner.Args[0], inner.Name
	}
	if inner.Kind == ColumnExpr && inner.Table == "" {
		c.Name = Name{Span{p.file, at.start, at.end}, inner.Name}
	} else {
		c.Collation = ""
	}
	if !p.take("asc") {
		c.Desc = p.take("desc")
	}
	c.Span = p.since(mark)
	return c
}

func (p *parser) view(mark int, materialized, created bool) Item {
	v := &View{Materialized: materialized}
	v.Schema, v.Name = p.itemName(created, strictName, "view")
	if p.take("(") {
		v.Columns = p.names("column")
	}
	if materialized && p.take("using") {
		v.Module = p.module(false)
	}
	p.expect("as")
	v.Query = p.query()
	if p.is("with", "tags") {
		v.Tags = p.tags()
	}
	v.Span = p.since(mark)
	return v
}

func (p *parser) assertion(mark int) Item {
	a := &Assertion{Name: p.name(columnName, "assertion")}
	if p.take(".") {
		a.Schema, a.Name = a.Name, p.name(columnName, "assertion")
	}
	p.expect("check", "(")
	p.parens++
	a.Check = p.expression()
	p.expect(")")
	p.parens--
	if p.is("with", "tags") {
		p.fail(p.peek(), "an assertion takes no tags")
	}
	a.Span = p.since(mark)
	return a
}

func (p *parser) seed(mark int) Item {
	s := &Seed{Table: p.name(strictName, "table")}
	if p.take("values") {
		p.expect("(")
		s.Columns = p.names("column")
		p.expect("values")
	}
	p.expect("(")
	p.parens++
	for {
		p.expect("(")
		row := []*Expr{}
		for !p.is(")") && p.err == nil {
			row = append(row, p.literal())
			if !p.take(",") {
				break
			}
		}
		p.expect(")")
		s.Rows = append(s.Rows, row)
		if !p.take(",") {
			break
		}
	}
	p.expect(")")
	p.parens--
	s.Span = p.since(mark)
	return s
}
