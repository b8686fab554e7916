package catalog

import (
	"strings"
)

// queryReader reads the queries of views that hold no query inside: SELECT … FROM … WHERE … GROUP BY … HAVING … ORDER BY … LIMIT, and unions of
// them. All others are compared word by word.
type queryReader struct {
	*exprReader
	tables []aliased // of the FROM that is read
}

// aliased is a table under the name that a query calls it.
type aliased struct {
	name  Name
	alias string
}

// queryCanon gives the one form of a query whose tokens these are; ok is false if it is not understood.
func (c *Catalog) queryCanon(r *reader, list []token, home string) (string, bool) {
	sub := &reader{c: c, src: r.src, list: append(append([]token(nil), list...), token{off: len(r.src), end: len(r.src)}), mode: r.mode, pos: r.pos}
	q := &queryReader{exprReader: &exprReader{reader: sub}}
	q.exprReader.bind = q.bind
	var parts []string
	for {
		part, ok := q.block(home)
		if !ok {
			return "", false
		}
		parts = append(parts, part)
		switch {
		case q.take("union", "all"):
			parts = append(parts, "union all")
		case q.take("union"):
			q.take("distinct")
			parts = append(parts, "union")
		default:
			return strings.Join(parts, " "), q.done() && !q.failed && sub.err == nil
		}
	}
}

// bind gives a column's name its table's alias, where that is certain.
func (q *queryReader) bind(path []string) string {
	column := path[len(path)-1]
	if len(path) > 1 {
		return Quote(path[len(path)-2]) + "." + Quote(strings.ToLower(column))
	}
	found := ""
	for _, a := range q.tables {
		t := q.c.Tables[a.name.Key()]
		if t == nil && len(q.tables) > 1 {
			return Quote(strings.ToLower(column)) // what the table holds is not known
		}
		if t == nil || t.Column(column) != nil {
			if found != "" {
				return Quote(strings.ToLower(column))
			}
			found = a.alias
		}
	}
	if found == "" {
		return Quote(strings.ToLower(column))
	}
	return Quote(found) + "." + Quote(strings.ToLower(column))
}

// block reads one SELECT. Its FROM is read before its columns, since that says what they are.
func (q *queryReader) block(home string) (string, bool) {
	if !q.take("select") {
		return "", false
	}
	out := "select "
	if q.take("distinct") || q.take("distinctrow") {
		out += "distinct "
	}
	q.take("all")
	columns := q.i
	for depth := 0; !q.done() && (depth > 0 || !q.is("from") && !q.is("union")); q.next() {
		if q.is("(") {
			depth++
		} else if q.is(")") {
			depth--
		}
	}
	q.tables = nil
	from := ""
	if q.take("from") {
		from = " from " + q.from(home)
	}
	rest := q.i
	q.i = columns
	items, ok := q.items()
	if !ok || q.failed || from != "" && !q.is("from") {
		return "", false
	}
	q.i = rest
	out += items + from
	text := func(n *node) string {
		var b strings.Builder
		n.write(&b, true)
		return b.String()
	}
	if q.take("where") {
		out += " where " + text(q.condition())
	}
	if q.take("group", "by") {
		out += " group by " + q.sorts(text)
	}
	if q.take("having") {
		out += " having " + text(q.condition())
	}
	if q.take("order", "by") {
		out += " order by " + q.sorts(text)
	}
	if q.take("limit") {
		out += " limit " + q.next().text
		if q.is(",") || q.is("offset") {
			out += " " + strings.ToLower(q.next().text) + " " + q.next().text
		}
	}
	return out, !q.failed && q.err == nil
}

func (q *queryReader) condition() *node { return truth(q.or()) }

// sorts reads the list of an ORDER BY or GROUP BY.
func (q *queryReader) sorts(text func(*node) string) string {
	var list []string
	for !q.failed {
		s := text(q.or())
		if q.take("desc") {
			s += " desc"
		} else {
			q.take("asc")
		}
		list = append(list, s)
		if !q.take(",") {
			break
		}
	}
	return strings.Join(list, ",")
}

// items reads what is selected: each under its name, which is its text where it has none.
func (q *queryReader) items() (string, bool) {
	var list []string
	for !q.failed {
		if q.is("*") {
			return "", false
		}
		off := q.here().off
		n := q.or()
		raw := q.since(off)
		if q.failed {
			return "", false
		}
		name := raw
		if n.op == "col" {
			name = n.text
		}
		if q.take("as") {
			name = q.word()
		} else if q.isName() && !q.is("from") && !q.is("union") {
			name = q.ident()
		} else if n.op != "col" && strings.ContainsAny(raw, "'\"`\n\t\\") {
			return "", false // what name the server makes of it depends on how it is written
		}
		var b strings.Builder
		n.write(&b, true)
		list = append(list, b.String()+" as "+Quote(name))
		if !q.take(",") {
			break
		}
	}
	return strings.Join(list, ","), true
}

// from reads tables and joins.
func (q *queryReader) from(home string) string {
	type join struct {
		text string
		on   int // place of its condition; 0 = none
		seen int // how many tables it may name
	}
	var joins []join
	// The servers print a chain of joins in parentheses from the left, which change nothing.
	opened := 0
	for q.is("(") {
		q.next()
		opened++
	}
	out := q.table(home)
	commas := 0
	for !q.failed && q.err == nil {
		word := ""
		switch {
		case opened > 0 && q.take(")"):
			opened--
			continue
		case q.take(","):
			word = " join "
			commas++
		case q.take("join"), q.take("inner", "join"), q.take("cross", "join"):
			word = " join "
		case q.take("straight_join"):
			word = " straight_join "
		case q.take("left", "join"), q.take("left", "outer", "join"):
			word = " left join "
		case q.take("right", "join"), q.take("right", "outer", "join"):
			word = " right join "
		}
		if word == "" {
			break
		}
		j := join{text: word + q.table(home)}
		j.seen = len(q.tables)
		if q.take("on") {
			j.on = q.i
			q.or()
		} else if q.is("using") {
			q.failed = true
		}
		joins = append(joins, j)
	}
	// A comma binds less than JOIN does, so a mixture of them is left alone.
	q.failed = q.failed || opened > 0 || commas > 0 && commas < len(joins)
	end, tables := q.i, q.tables
	for _, j := range joins {
		q.tables = tables[:j.seen]
		out += j.text
		if j.on > 0 { // read again, now that all tables are known
			q.i = j.on
			var b strings.Builder
			q.condition().write(&b, true)
			out += " on(" + b.String() + ")"
		}
	}
	q.i, q.tables = end, tables
	return out
}

// clauseWords end a table that has no alias.
var clauseWords = wordSet("where group having order limit union on using join inner left right cross straight_join natural with for procedure into window except intersect")

func (q *queryReader) table(home string) string {
	if !q.isName() {
		q.failed = true
		return ""
	}
	n := q.name()
	a := aliased{n, n.Name}
	if q.take("as") {
		a.alias = q.ident()
	} else if q.isName() && !(q.here().kind == tokenWord && clauseWords[strings.ToLower(q.here().text)]) {
		a.alias = q.ident()
	}
	q.tables = append(q.tables, a)
	text := Quote(n.Name)
	if n.Database != home {
		text = Quote(n.Database) + "." + text
	}
	if a.alias != n.Name {
		text += " " + Quote(a.alias)
	}
	return text
}
