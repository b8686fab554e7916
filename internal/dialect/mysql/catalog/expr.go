package catalog

import (
	"slices"
	"strconv"
	"strings"
)

// newExpr makes an expression of its tree; off is where its text began when it was read.
func newExpr(text string, tree *node, off int, m mode) *Expr {
	e := &Expr{Text: text, tree: tree, mode: m}
	shift(tree, -off)
	e.settle()
	return e
}

// shift moves the places of names.
func shift(n *node, by int) {
	if n.op == "col" || n.op == "word" {
		n.off, n.end = n.off+by, n.end+by
	}
	for _, k := range n.kids {
		shift(k, by)
	}
}

// settle works out what follows from the tree.
func (e *Expr) settle() {
	var b strings.Builder
	e.tree.write(&b, true)
	e.Canon, e.Columns = b.String(), nil
	e.tree.walk(func(n *node) {
		if n.op == "col" {
			if k := columnKey(n.text); !slices.Contains(e.Columns, k) {
				e.Columns = append(e.Columns, k)
			}
		}
	})
	slices.Sort(e.Columns)
	e.Total = e.tree.total()
}

// renamed gives the expression with columns under other names, by their old keys.
func (e *Expr) renamed(renames map[string]string) *Expr {
	if !slices.ContainsFunc(e.Columns, func(key string) bool { _, ok := renames[key]; return ok }) {
		return e
	}
	f := &Expr{mode: e.mode, tree: e.tree.clone()}
	var at []*node
	f.tree.walk(func(n *node) {
		if _, ok := renames[columnKey(n.text)]; n.op == "col" && ok {
			at = append(at, n)
		}
	})
	slices.SortStableFunc(at, func(a, b *node) int { return a.off - b.off })
	var b strings.Builder
	done := 0
	moves := [][2]int{} // offset in the old text, and how far what stands behind it moves
	for _, n := range at {
		if n.off < done {
			continue // the same place, in a part of the tree that stands twice
		}
		name := Quote(renames[columnKey(n.text)])
		b.WriteString(e.Text[done:n.off] + name)
		moves = append(moves, [2]int{n.off, len(name) - (n.end - n.off)})
		done = n.end
	}
	f.Text = b.String() + e.Text[done:]
	f.tree.walk(func(n *node) {
		if n.op != "col" {
			return
		}
		by := 0
		for _, m := range moves {
			if m[0] < n.off {
				by += m[1]
			}
		}
		length := n.end - n.off
		if to, ok := renames[columnKey(n.text)]; ok {
			n.text, length = to, len(Quote(to))
		}
		n.off, n.end = n.off+by, n.off+by+length
	})
	f.settle()
	return f
}

func (n *node) clone() *node {
	m := *n
	m.kids = nil
	for _, k := range n.kids {
		m.kids = append(m.kids, k.clone())
	}
	return &m
}

func (n *node) walk(visit func(*node)) {
	visit(n)
	for _, k := range n.kids {
		k.walk(visit)
	}
}

// Quote writes a name in the servers' own quotes.
func Quote(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }

// quoteText writes a string as both servers print it.
func quoteText(s string) string {
	var b strings.Builder
	b.WriteByte('\'')
	for i := range len(s) {
		switch c := s[i]; c {
		case '\'':
			b.WriteString("''")
		case '\\':
			b.WriteString(`\\`)
		case 0:
			b.WriteString(`\0`)
		case '\n':
			b.WriteString(`\n`)
		case '\r':
			b.WriteString(`\r`)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('\'')
	return b.String()
}

func binary(op string, l, r *node) *node { return &node{op: op, kids: []*node{l, r}} }

// compare makes a comparison; MySQL prints `0 <> a` where MariaDB prints `a <> 0`.
func compare(op string, l, r *node) *node {
	if (op == "=" || op == "<>") && l.op == "num" && l.text == "0" && r.op != "num" {
		l, r = r, l
	}
	return binary(op, l, r)
}

// chain joins what AND or OR joins, which is the same in any grouping. Operands that are no truth values are compared with 0, as the
// servers do.
func chain(op string, l, r *node) *node {
	n := &node{op: op}
	for _, k := range []*node{l, r} {
		if k.op == op {
			n.kids = append(n.kids, k.kids...)
		} else {
			n.kids = append(n.kids, truth(k))
		}
	}
	return n
}

var negations = map[string]string{"=": "<>", "<>": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">", "is null": "is not null", "is not null": "is null",
	"in": "not in", "not in": "in", "between": "not between", "not between": "between", "like": "not like", "not like": "like"}

// isTruth tells whether a value is one of true, false and unknown.
func (n *node) isTruth() bool {
	if _, ok := negations[n.op]; ok {
		return true
	}
	switch n.op {
	case "and", "or", "xor", "<=>", "not", "is true", "is false", "is not true", "is not false", "member of":
		return true
	case "func":
		switch n.text {
		case "regexp_like", "json_valid", "json_contains", "json_contains_path", "st_contains", "st_within", "st_isvalid", "st_intersects":
			return true
		}
	}
	return false
}

func truth(n *node) *node {
	if n.isTruth() || n.op == "num" || n.op == "word" && n.text == "null" || n.op == "raw" {
		return n
	}
	return binary("<>", n, &node{op: "num", text: "0"})
}

// negate makes NOT x as the servers resolve it: a comparison turns round, AND and OR change places.
func negate(n *node) *node {
	if op, ok := negations[n.op]; ok {
		return &node{op: op, text: n.text, kids: n.kids}
	}
	switch {
	case n.op == "and" || n.op == "or":
		m := &node{op: map[string]string{"and": "or", "or": "and"}[n.op]}
		for _, k := range n.kids {
			k = negate(k)
			if k.op == m.op {
				m.kids = append(m.kids, k.kids...)
			} else {
				m.kids = append(m.kids, k)
			}
		}
		return m
	case n.op == "xor":
		return binary("xor", negate(n.kids[0]), n.kids[1])
	case n.op == "not":
		return truth(n.kids[0])
	case n.isTruth(), n.op == "raw", n.op == "bad":
		return &node{op: "not", kids: []*node{n}}
	}
	return binary("=", n, &node{op: "num", text: "0"})
}

// in makes x IN (…); a list of one is a comparison.
func in(l *node, list []*node) *node {
	if len(list) == 1 {
		return compare("=", l, list[0])
	}
	return &node{op: "in", kids: append([]*node{l}, list...)}
}

func castTo(v *node, to string) *node {
	if to == "date" {
		return &node{op: "cast", text: "date", kids: []*node{v}}
	}
	return &node{op: "cast", text: to, kids: []*node{v}}
}

// introduced is a literal with a character set before it. Where the text is ASCII, no set of those that hold ASCII as it is changes it.
func introduced(charset string, n *node) *node {
	switch charset {
	case "binary", "ucs2", "utf16", "utf16le", "utf32":
		return &node{op: "introduced", text: charset, kids: []*node{n}}
	}
	if n.op == "str" && (isASCII(n.text) || charset == "utf8mb4" || charset == "utf8mb3") {
		return n
	}
	return &node{op: "introduced", text: charset, kids: []*node{n}}
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// bitsToHex turns the digits of b'…' into those of x'…'.
func bitsToHex(bits string) string {
	for len(bits)%8 != 0 {
		bits = "0" + bits
	}
	var b strings.Builder
	for ; bits != ""; bits = bits[8:] {
		n, _ := strconv.ParseUint(bits[:8], 2, 8)
		b.WriteString(strings.ToUpper(strconv.FormatUint(n>>4, 16) + strconv.FormatUint(n&15, 16)))
	}
	return b.String()
}

// synonyms are names of one and the same function.
var synonyms = map[string]string{"substring": "substr", "mid": "substr", "lcase": "lower", "ucase": "upper", "octet_length": "length",
	"character_length": "char_length", "power": "pow", "ceil": "ceiling", "day": "dayofmonth", "now": "current_timestamp", "localtime": "current_timestamp",
	"localtimestamp": "current_timestamp", "current_date": "curdate", "current_time": "curtime", "schema": "database", "sha": "sha1", "st_srid": "srid",
	"session_user": "user", "system_user": "user", "st_geometryfromtext": "st_geomfromtext"}

// call makes a call of a function under its one name.
func call(name string, args ...*node) *node {
	if s, ok := synonyms[name]; ok {
		name = s
	}
	switch {
	case name == "mod" && len(args) == 2:
		return binary("%", args[0], args[1])
	case name == "isnull" && len(args) == 1:
		return &node{op: "is null", kids: args}
	case name == "date" && len(args) == 1:
		return castTo(args[0], "date")
	case name == "instr" && len(args) == 2:
		name, args = "locate", []*node{args[1], args[0]}
	case (name == "bin" || name == "oct") && len(args) == 1:
		args = []*node{args[0], {op: "num", text: "10"}, {op: "num", text: map[string]string{"bin": "2", "oct": "8"}[name]}}
		name = "conv"
	case name == "datediff" && len(args) == 2:
		return binary("-", call("to_days", args[0]), call("to_days", args[1]))
	case name == "timestampadd" && len(args) == 3:
		return &node{op: "+ interval", text: args[0].text, kids: []*node{args[2], args[1]}}
	case (name == "current_timestamp" || name == "curtime") && len(args) == 1 && args[0].text == "0":
		args = nil
	}
	return &node{op: "func", text: name, kids: args}
}

// write prints a tree; top tells that no parentheses are needed.
func (n *node) write(b *strings.Builder, top bool) {
	switch n.op {
	case "col":
		b.WriteString(orElse(n.bound, Quote(strings.ToLower(n.text))))
	case "str":
		b.WriteString(quoteText(n.text))
	case "num", "word":
		b.WriteString(n.text)
	case "hex":
		b.WriteString("0x" + n.text)
	case "hex string":
		b.WriteString("x'" + n.text + "'")
	case "typed":
		b.WriteString(n.text)
		n.kids[0].write(b, true)
	case "introduced":
		b.WriteString("_" + n.text)
		n.kids[0].write(b, true)
	case "func":
		b.WriteString(n.text)
		n.writeList(b)
	case "row":
		n.writeList(b)
	case "cast", "using":
		b.WriteString(map[string]string{"cast": "cast(", "using": "convert("}[n.op])
		n.kids[0].write(b, true)
		b.WriteString(map[string]string{"cast": " as ", "using": " using "}[n.op] + n.text + ")")
	case "raw":
		for i, k := range n.kids {
			if i > 0 {
				b.WriteByte(' ')
			}
			k.write(b, true)
		}
	default:
		if !top {
			b.WriteByte('(')
		}
		n.writeOperator(b)
		if !top {
			b.WriteByte(')')
		}
	}
}

func (n *node) writeList(b *strings.Builder) {
	b.WriteByte('(')
	for i, k := range n.kids {
		if i > 0 {
			b.WriteByte(',')
		}
		k.write(b, true)
	}
	b.WriteByte(')')
}

func (n *node) writeOperator(b *strings.Builder) {
	kid := func(i int) { n.kids[i].write(b, false) }
	switch n.op {
	case "neg", "~", "not":
		b.WriteString(map[string]string{"neg": "-", "~": "~", "not": "not "}[n.op])
		kid(0)
	case "is null", "is not null", "is true", "is not true", "is false", "is not false":
		kid(0)
		b.WriteString(" " + n.op)
	case "between", "not between":
		kid(0)
		b.WriteString(" " + n.op + " ")
		kid(1)
		b.WriteString(" and ")
		kid(2)
	case "in", "not in", "member of":
		kid(0)
		b.WriteString(" " + n.op + " ")
		(&node{kids: n.kids[1:]}).writeList(b)
	case "like", "not like":
		kid(0)
		b.WriteString(" " + n.op + " ")
		kid(1)
		if len(n.kids) > 2 {
			b.WriteString(" escape ")
			kid(2)
		}
	case "+ interval", "- interval":
		kid(0)
		b.WriteString(" " + n.op + " ")
		kid(1)
		b.WriteString(" " + n.text)
	case "collate":
		kid(0)
		b.WriteString(" collate " + n.text)
	case "case":
		b.WriteString("case")
		for _, k := range n.kids {
			b.WriteByte(' ')
			if k.op != "when" && k.op != "else" {
				k.write(b, false)
				continue
			}
			b.WriteString(k.op + " ")
			k.kids[0].write(b, false)
			if k.op == "when" {
				b.WriteString(" then ")
				k.kids[1].write(b, false)
			}
		}
		b.WriteString(" end")
	case "trim both", "trim leading", "trim trailing":
		b.WriteString("trim(" + n.op[5:] + " ")
		kid(0)
		b.WriteString(" from ")
		kid(1)
		b.WriteByte(')')
	default:
		for i := range n.kids {
			if i > 0 {
				b.WriteString(" " + n.op + " ")
			}
			kid(i)
		}
	}
}

// total tells whether a tree is certain to give a value without an error. Arithmetic overflows, conversions fail, functions refuse arguments.
func (n *node) total() bool {
	switch n.op {
	case "col", "str", "num", "hex", "=", "<>", "<", ">", "<=", ">=", "<=>", "and", "or", "xor", "not", "is null", "is not null", "is true", "is not true",
		"is false", "is not false", "in", "not in", "between", "not between", "case", "when", "else":
	case "word":
		if n.text != "null" {
			return false
		}
	case "func":
		switch n.text {
		case "coalesce", "ifnull", "if", "nullif", "char_length", "length", "lower", "upper":
		default:
			return false
		}
	default:
		return false
	}
	for _, k := range n.kids {
		if !k.total() {
			return false
		}
	}
	return true
}
