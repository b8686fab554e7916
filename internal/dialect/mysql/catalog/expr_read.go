package catalog

import (
	"strings"
)

// node is an expression taken apart, in one spelling: what two servers or two people write differently and mean the same is one tree.
type node struct {
	op       string // col, str, num, hex, word, func, list, or an operator
	text     string // of a name, a literal, a function
	bound    string // of a name in a query: with its table
	kids     []*node
	off, end int // of a name, in the text that was read
}

// exprReader reads expressions by the precedence of operators ("Operator Precedence", MySQL's manual).
type exprReader struct {
	*reader
	failed bool
	bind   func(path []string) string // of a query: gives a name its table
}

// expression reads what stands between parentheses; the opening one is past. What its grammar does not know is kept word by word.
func (r *reader) expression() *Expr {
	start := r.i
	off := r.here().off
	x := &exprReader{reader: r}
	tree := x.or()
	if x.failed || !r.is(")") {
		r.i = start
		tree = r.rawTree()
	}
	text := strings.TrimSpace(r.since(off))
	r.want(")")
	return newExpr(text, tree, off, r.mode)
}

// bareExpression reads an expression that has no parentheses around it.
func (r *reader) bareExpression() *Expr {
	off := r.here().off
	x := &exprReader{reader: r}
	tree := x.bits(0)
	if x.failed {
		r.failSyntax("an expression")
		return &Expr{}
	}
	return newExpr(r.since(off), tree, off, r.mode)
}

// rawTree takes the words up to the closing parenthesis as they stand.
func (r *reader) rawTree() *node {
	tree := &node{op: "raw"}
	for depth := 0; !r.done(); {
		if r.is("(") {
			depth++
		}
		if r.is(")") {
			if depth == 0 {
				break
			}
			depth--
		}
		t := r.next()
		k := &node{op: "word", text: t.text, off: t.off, end: t.end}
		switch {
		case t.kind == tokenQuoted, t.kind == tokenWord && !r.is("("):
			k = &node{op: "col", text: t.value, off: t.off, end: t.end}
		case t.kind == tokenWord:
			k.text = strings.ToLower(t.text)
		case t.kind == tokenString:
			k = &node{op: "str", text: t.value}
		}
		tree.kids = append(tree.kids, k)
	}
	return tree
}

func (x *exprReader) bad() *node {
	x.failed = true
	return &node{op: "bad"}
}

func (x *exprReader) or() *node {
	l := x.xor()
	for !x.failed && (x.take("or") || !x.mode.pipesConcat && x.take("||")) {
		l = chain("or", l, x.xor())
	}
	return l
}

func (x *exprReader) xor() *node {
	l := x.and()
	for !x.failed && x.take("xor") {
		l = binary("xor", l, x.and())
	}
	return l
}

func (x *exprReader) and() *node {
	l := x.not()
	for !x.failed && (x.take("and") || x.take("&&")) {
		l = chain("and", l, x.not())
	}
	return l
}

func (x *exprReader) not() *node {
	if !x.mode.highNot && x.take("not") {
		return negate(x.not())
	}
	return x.comparison()
}

// comparison reads IS, comparisons and what stands below them.
func (x *exprReader) comparison() *node {
	l := x.predicate()
	for !x.failed {
		switch {
		case x.take("is"):
			not := x.take("not")
			word := x.takeAny("null", "true", "false", "unknown")
			switch word {
			case "":
				return x.bad()
			case "unknown":
				word = "null"
			}
			l = &node{op: "is " + map[bool]string{true: "not "}[not] + word, kids: []*node{l}}
			continue
		}
		op := x.takeAny("=", "<=>", "<>", "!=", "<=", ">=", "<", ">")
		if op == "" {
			return l
		}
		if op == "!=" {
			op = "<>"
		}
		l = compare(op, l, x.predicate())
	}
	return l
}

// predicate reads IN, BETWEEN, LIKE, REGEXP, SOUNDS LIKE.
func (x *exprReader) predicate() *node {
	l := x.bits(0)
	not := false
	if x.is("not") {
		if x.peek(1).kind != tokenWord || !isPredicate(x.peek(1).text) {
			return l
		}
		not = x.take("not")
	}
	var p *node
	switch {
	case x.take("in"):
		x.take("(")
		list := x.list()
		p = in(l, list)
	case x.take("between"):
		low := x.bits(0)
		if !x.take("and") {
			return x.bad()
		}
		p = &node{op: "between", kids: []*node{l, low, x.predicate()}}
	case x.take("like"):
		p = &node{op: "like", kids: []*node{l, x.bits(levelUnary)}}
		if x.take("escape") {
			if e := x.primary(); e.op != "str" || e.text != `\` {
				p.kids = append(p.kids, e)
			}
		}
	case x.take("regexp"), x.take("rlike"):
		p = call("regexp_like", l, x.bits(0))
	case x.take("sounds", "like"):
		p = compare("=", call("soundex", l), call("soundex", x.bits(0)))
	case x.take("member", "of"):
		x.take("(")
		p = &node{op: "member of", kids: append([]*node{l}, x.list()...)}
	default:
		return l
	}
	if not {
		p = negate(p)
	}
	return p
}

func isPredicate(word string) bool {
	switch strings.ToLower(word) {
	case "in", "between", "like", "regexp", "rlike":
		return true
	}
	return false
}

const levelUnary = 7

// level gives how tightly an operator on bits binds; 0 = it is none of them.
func (x *exprReader) level() (string, int) {
	t := x.here()
	if t.kind == tokenOp {
		switch t.text {
		case "|":
			return "|", 1
		case "&":
			return "&", 2
		case "<<", ">>":
			return t.text, 3
		case "+", "-":
			return t.text, 4
		case "*", "/", "%":
			return t.text, 5
		case "^":
			return "^", 6
		case "||":
			if x.mode.pipesConcat {
				return "||", 6
			}
		}
		return "", 0
	}
	if t.kind == tokenWord {
		switch {
		case strings.EqualFold(t.text, "div"):
			return "div", 5
		case strings.EqualFold(t.text, "mod"):
			return "%", 5
		}
	}
	return "", 0
}

// bits reads arithmetic, whose operators all go from left to right.
func (x *exprReader) bits(above int) *node {
	l := x.unary()
	for !x.failed {
		op, level := x.level()
		if op == "" || level <= above {
			return l
		}
		x.next()
		if (op == "+" || op == "-") && x.is("interval") {
			x.next()
			l = x.interval(op, l)
			continue
		}
		r := x.bits(level)
		switch op {
		case "||":
			l = call("concat", l, r)
		default:
			l = binary(op, l, r)
		}
	}
	return l
}

// interval reads what follows the word, up to the unit.
func (x *exprReader) interval(op string, l *node) *node {
	n := x.or()
	unit := x.here()
	if unit.kind != tokenWord {
		return x.bad()
	}
	x.next()
	return &node{op: op + " interval", text: strings.ToLower(unit.text), kids: []*node{l, n}}
}

func (x *exprReader) unary() *node {
	switch {
	case x.take("-"):
		k := x.unary()
		if k.op == "num" && !strings.HasPrefix(k.text, "-") {
			return &node{op: "num", text: "-" + k.text}
		}
		return &node{op: "neg", kids: []*node{k}}
	case x.take("+"):
		return x.unary()
	case x.take("~"):
		return &node{op: "~", kids: []*node{x.unary()}}
	case x.take("!"):
		return negate(x.unary())
	case x.mode.highNot && x.take("not"):
		return negate(x.unary())
	case x.is("binary") && !(x.peek(1).kind == tokenOp && x.peek(1).text != "("):
		x.next()
		return castTo(x.unary(), "char charset binary")
	case x.is("interval") && !x.peekIs(1, "("):
		x.next()
		n := x.interval("+", &node{op: "nothing"})
		if !x.take("+") {
			return x.bad()
		}
		n.kids[0] = x.bits(4)
		return n
	}
	p := x.primary()
	for !x.failed {
		switch {
		case x.take("collate"):
			p = &node{op: "collate", text: collationName(x.word()), kids: []*node{p}}
		case x.is("->"), x.is("->>"):
			long := x.next().text == "->>"
			p = call("json_extract", p, x.primary())
			if long {
				p = call("json_unquote", p)
			}
		default:
			return p
		}
	}
	return p
}

func (x *exprReader) peekIs(n int, op string) bool {
	t := x.peek(n)
	return t.kind == tokenOp && t.text == op
}

// list reads expressions up to a closing parenthesis; the opening one is past.
func (x *exprReader) list() []*node {
	var list []*node
	if x.take(")") {
		return nil
	}
	for !x.failed {
		list = append(list, x.or())
		if !x.take(",") {
			break
		}
	}
	if !x.take(")") {
		x.failed = true
	}
	return list
}

// primary reads a literal, a name, a call, or something in parentheses.
func (x *exprReader) primary() *node {
	t := x.here()
	switch t.kind {
	case tokenEnd:
		return x.bad()
	case tokenString:
		return &node{op: "str", text: x.text()}
	case tokenNumber:
		x.next()
		return &node{op: "num", text: strings.ToLower(t.text)}
	case tokenHex:
		x.next()
		if x.c.Server.MariaDB && t.text[0] != '0' {
			// "Hexadecimal Literals", MariaDB's manual: x'41' is always a string, 0x41 may be a number.
			return &node{op: "hex string", text: t.value}
		}
		return &node{op: "hex", text: t.value}
	case tokenBit:
		x.next()
		return &node{op: "hex", text: bitsToHex(t.value)}
	case tokenOp:
		if x.take("(") {
			list := x.list()
			if len(list) == 1 {
				return list[0]
			}
			if len(list) == 0 {
				return x.bad()
			}
			return &node{op: "row", kids: list}
		}
		return x.bad()
	case tokenVar:
		return x.bad()
	case tokenQuoted:
		return x.column()
	}
	word := strings.ToLower(t.text)
	switch word {
	case "null":
		x.next()
		return &node{op: "word", text: "null"}
	case "true":
		x.next()
		return &node{op: "num", text: "1"}
	case "false":
		x.next()
		return &node{op: "num", text: "0"}
	case "case":
		x.next()
		return x.cases()
	case "select", "exists", "with":
		return x.bad()
	case "date", "time", "timestamp":
		if x.peek(1).kind == tokenString {
			x.next()
			return &node{op: "typed", text: word, kids: []*node{{op: "str", text: x.text()}}}
		}
	case "current_timestamp", "current_date", "current_time", "localtime", "localtimestamp", "utc_date", "utc_time", "utc_timestamp", "current_user":
		if !x.peekIs(1, "(") {
			x.next()
			return call(word)
		}
	}
	if word[0] == '_' && (x.peek(1).kind == tokenString || x.peek(1).kind == tokenHex || x.peek(1).kind == tokenBit) {
		if _, ok := charsets[charsetName(word[1:])]; ok {
			x.next()
			return introduced(charsetName(word[1:]), x.primary())
		}
	}
	if x.peekIs(1, "(") && !x.peekIs(-1, ".") {
		x.next()
		x.next()
		return x.call(word)
	}
	return x.column()
}

// column reads a name; what stands before its last point is the table's, which is the one that the expression stands in.
func (x *exprReader) column() *node {
	t := x.here()
	off := t.off
	name := x.ident()
	path := []string{name}
	for x.is(".") {
		x.next()
		off = x.here().off
		name = x.ident()
		path = append(path, name)
	}
	if x.err != nil {
		return x.bad()
	}
	if x.bind != nil {
		return &node{op: "col", text: name, bound: x.bind(path)}
	}
	return &node{op: "col", text: name, off: off, end: x.list0().end}
}

func (x *exprReader) list0() token { return x.reader.list[x.i-1] }

// cases reads a CASE after its word.
func (x *exprReader) cases() *node {
	n := &node{op: "case"}
	if !x.is("when") {
		n.text = "of"
		n.kids = append(n.kids, x.or())
	}
	for x.take("when") {
		k := x.or()
		if !x.take("then") {
			return x.bad()
		}
		n.kids = append(n.kids, &node{op: "when", kids: []*node{k, x.or()}})
	}
	if x.take("else") {
		n.kids = append(n.kids, &node{op: "else", kids: []*node{x.or()}})
	}
	if !x.take("end") {
		return x.bad()
	}
	return n
}
