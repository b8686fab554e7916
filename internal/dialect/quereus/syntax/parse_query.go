package syntax

import "fmt"

// atQuery tells whether a query is next; it always begins with one of these words.
func (p *parser) atQuery() bool {
	t := p.peek()
	return t.kind == word && (t.word == "select" || t.word == "values" || t.word == "with")
}

// query reads a query to its end: with, select or values, what it is compounded with, order by, limit and defaults.
func (p *parser) query() *Query {
	mark := p.mark()
	if !p.enter() {
		return &Query{Span: p.since(mark)}
	}
	defer p.leave()
	var with *With
	if p.is("with") {
		with = p.with()
	}
	q := p.body()
	q.With = with
	if p.take("order") {
		q.OrderBy = p.orderBy()
	}
	if p.take("limit") {
		q.Limit = p.expression()
		switch {
		case p.take("offset"):
			q.Offset = p.expression()
		case p.take(","): // limit offset, count
			q.Offset = q.Limit
			q.Limit = p.expression()
		}
	}
	if p.is("with", "defaults") {
		q.Defaults = p.defaults()
	}
	q.Span = p.since(mark)
	return q
}

// body reads a select or values with what it is compounded with. Each part but the last holds the rest.
func (p *parser) body() *Query {
	mark := p.mark()
	q := &Query{}
	if !p.enter() {
		return q
	}
	defer p.leave()
	switch {
	case p.take("select"):
		p.selects(q)
	case p.take("values"):
		q.Values = p.rows()
	case p.is("insert"), p.is("update"), p.is("delete"):
		p.fail(p.peek(), "a body that writes rows cannot be followed; give the rows with `select` or `values`")
	default:
		p.want("`select` or `values`")
	}
	if op := p.compoundOp(); op != "" {
		at := p.peek()
		q.Compound = &Compound{Op: op, Exist: p.existences(false)}
		if op == "diff" && q.Compound.Exist != nil {
			p.fail(at, "`exists` cannot stand after `diff`: a row may come from either side")
		}
		switch {
		case p.take("("):
			p.parens++
			if p.is("with") {
				q.Compound.Query = p.query()
			} else {
				q.Compound.Query = p.body()
			}
			p.expect(")")
			p.parens--
		case p.is("with"):
			q.Compound.Query = p.query()
		default:
			q.Compound.Query = p.body()
		}
	}
	q.Span = p.since(mark)
	return q
}

func (p *parser) compoundOp() string {
	switch t := p.peek(); {
	case t.kind != word:
		return ""
	case p.take("union", "all"):
		return "union all"
	case t.word == "union" || t.word == "intersect" || t.word == "except" || t.word == "diff":
		p.i++
		return t.word
	}
	return ""
}

// existences reads `exists left|right as name {, exists …}`; in a join the side may be left out.
func (p *parser) existences(join bool) []Existence {
	var list []Existence
	for p.is("exists", "left") || p.is("exists", "right") || join && p.is("exists", "as") {
		p.i++
		e := Existence{}
		if !p.is("as") {
			e.Side = p.next().word
		}
		p.expect("as")
		e.Name = p.name(columnName, "column")
		list = append(list, e)
		if !p.is(",") || p.peekAt(1).word != "exists" {
			break
		}
		p.i++
	}
	return list
}

// rows reads `(…) {, (…)}`.
func (p *parser) rows() [][]*Expr {
	rows := [][]*Expr{}
	for {
		row := []*Expr{}
		p.expect("(")
		p.parens++
		for !p.is(")") && p.err == nil {
			row = append(row, p.expression())
			if !p.take(",") {
				break
			}
		}
		p.expect(")")
		p.parens--
		rows = append(rows, row)
		if !p.take(",") {
			return rows
		}
	}
}

// selects reads a select from its columns to having.
func (p *parser) selects(q *Query) {
	q.Distinct = p.take("distinct")
	q.All = !q.Distinct && p.take("all")
	for {
		q.Columns = append(q.Columns, p.resultColumn())
		if !p.take(",") {
			break
		}
	}
	if p.take("from") {
		for {
			if len(q.From) == maxDepth {
				p.fail(p.peek(), fmt.Sprintf("this reads from more than %d sources", maxDepth))
			}
			q.From = append(q.From, p.source(0))
			if !p.take(",") {
				break
			}
		}
	}
	if p.take("where") {
		q.Where = p.expression()
	}
	if p.take("group") {
		p.expect("by")
		for {
			q.GroupBy = append(q.GroupBy, p.expression())
			if !p.take(",") {
				break
			}
		}
	}
	if p.take("having") {
		q.Having = p.expression()
	}
	if p.take("with", "schema") {
		for {
			q.SchemaPath = append(q.SchemaPath, p.name(strictName, "schema"))
			if !p.take(",") {
				break
			}
		}
	}
}

func (p *parser) resultColumn() *ResultColumn {
	mark := p.mark()
	c := &ResultColumn{}
	switch {
	case p.take("*"):
		c.Star = true
	case p.isName(p.peek(), columnName) && p.peekAt(1).word == "." && p.peekAt(2).word == "*":
		c.Star = true
		c.Table = p.name(columnName, "table")
		p.i += 2
	default:
		c.Expr = p.expression()
		if p.take("as") {
			if t := p.peek(); t.kind == text && t.end-t.start > 2 {
				p.i++
				c.Alias = Name{Span{p.file, t.start, t.end}, p.value(t)}
			} else {
				c.Alias = p.name(columnName, "column")
			}
		} else {
			c.Alias = p.bareAlias()
		}
	}
	c.Span = p.since(mark)
	return c
}

// itemWords begin the next item. Since items need no separator, none of them can be an alias without `as` at the end of an item.
var itemWords = map[string]bool{"table": true, "index": true, "unique": true, "materialized": true, "view": true, "seed": true, "assertion": true,
	"domain": true, "collation": true, "import": true}

// bareAlias reads an alias without `as`, if there is one.
func (p *parser) bareAlias() Name {
	t := p.peek()
	if !p.isName(t, strictName) {
		return Name{}
	}
	if t.kind == word && p.inItem && p.parens == 0 && itemWords[t.word] {
		return Name{}
	}
	return p.name(strictName, "alias")
}

// source reads one source with the joins after it.
func (p *parser) source(depth int) *Source {
	mark := p.mark()
	s := p.oneSource()
	for p.err == nil {
		join := ""
		switch {
		case p.take("join"), p.take("inner", "join"):
			join = "inner"
		case p.take("left", "join"), p.take("left", "outer", "join"):
			join = "left"
		case p.take("right", "join"), p.take("right", "outer", "join"):
			join = "right"
		case p.take("full", "join"), p.take("full", "outer", "join"):
			join = "full"
		case p.take("cross", "join"):
			join = "cross"
		case p.is("natural"):
			p.fail(p.peek(), "Quereus has no natural join; name the columns with `using`")
			return s
		default:
			return s
		}
		if depth++; depth > maxDepth {
			p.fail(p.peek(), fmt.Sprintf("this joins more than %d sources", maxDepth))
			return s
		}
		j := &Source{Kind: JoinSource, Join: join, Left: s, Lateral: p.take("lateral"), Right: p.oneSource()}
		switch {
		case p.take("on"):
			j.On = p.expression()
		case p.take("using"):
			p.expect("(")
			j.Using = p.names("column")
		case join != "cross":
			p.want("`on` or `using`")
		}
		at := p.peek()
		j.Exist = p.existences(true)
		for i := range j.Exist {
			p.side(at, join, &j.Exist[i])
		}
		j.Span = p.since(mark)
		s = j
	}
	return s
}

// side settles which side an existence column of a join is about: one that may be missing.
func (p *parser) side(at token, join string, e *Existence) {
	allowed := map[string]string{"left": "right", "right": "left"}[join]
	switch {
	case join == "full" && e.Side != "":
	case join == "full":
		p.fail(at, "in a full join `exists` needs its side: `exists left as` or `exists right as`")
	case allowed == "" || e.Side != "" && e.Side != allowed:
		p.fail(at, "`exists` is about a side that is never missing in this join")
	default:
		e.Side = allowed
	}
}

func (p *parser) oneSource() *Source {
	mark := p.mark()
	s := &Source{}
	if p.is("(") {
		s.Kind = QuerySource
		p.i++
		p.parens++
		if !p.atQuery() {
			p.want("`select`, `values` or `with`")
		}
		s.Query = p.query()
		p.expect(")")
		p.parens--
	} else {
		s.Schema, s.Name = p.qualified("table")
		if p.is("(") {
			s.Kind = FunctionSource
			p.i++
			p.parens++
			for !p.is(")") && p.err == nil {
				s.Args = append(s.Args, p.expression())
				if !p.take(",") {
					break
				}
			}
			p.expect(")")
			p.parens--
		}
	}
	if p.take("as") {
		s.Alias = p.name(columnName, "alias")
	} else {
		s.Alias = p.bareAlias()
	}
	if s.Kind != TableSource && s.Alias.Text != "" && p.take("(") {
		s.Columns = p.names("column")
	}
	s.Span = p.since(mark)
	return s
}

// with reads the common tables before a query.
func (p *parser) with() *With {
	p.expect("with")
	w := &With{Recursive: p.take("recursive")}
	for {
		mark := p.mark()
		t := &CommonTable{Name: p.name(columnName, "table")}
		if p.take("(") {
			t.Columns = p.names("column")
		}
		p.expect("as")
		switch {
		case p.take("materialized"):
			t.Hint = "materialized"
		case p.take("not", "materialized"):
			t.Hint = "not materialized"
		}
		p.expect("(")
		p.parens++
		t.Query = p.query()
		p.expect(")")
		p.parens--
		t.Span = p.since(mark)
		w.Tables = append(w.Tables, t)
		if !p.take(",") {
			break
		}
	}
	if p.take("option") {
		p.expect("(", "maxrecursion")
		if t := p.peek(); t.kind == number {
			w.MaxRecursion = p.value(t)
			p.i++
		} else {
			p.want("a number")
		}
		p.expect(")")
	}
	return w
}

// defaults reads `with defaults (column = expression, …)`.
func (p *parser) defaults() []*DefaultFor {
	p.expect("with", "defaults", "(")
	p.parens++
	var list []*DefaultFor
	for {
		d := &DefaultFor{Column: p.name(columnName, "column")}
		p.expect("=")
		d.Value = p.expression()
		list = append(list, d)
		if !p.take(",") {
			break
		}
	}
	p.expect(")")
	p.parens--
	return list
}
