package catalog

import (
	"strings"
)

// call reads a call after its opening parenthesis.
func (x *exprReader) call(name string) *node {
	switch name {
	case "cast", "convert":
		v := x.or()
		switch {
		case name == "convert" && x.take("using"):
			n := &node{op: "using", text: charsetName(x.word()), kids: []*node{v}}
			return x.closed(n)
		case name == "cast" && x.take("as"), name == "convert" && x.take(","):
			return x.closed(castTo(v, x.castType()))
		}
		return x.bad()
	case "trim":
		side := x.takeAny("both", "leading", "trailing")
		if side != "" && x.take("from") {
			return x.closed(&node{op: "func", text: trimName(side), kids: []*node{x.or()}})
		}
		v := x.or()
		if x.take("from") {
			if side == "" {
				side = "both"
			}
			return x.closed(&node{op: "trim " + side, kids: []*node{v, x.or()}})
		}
		return x.closed(call("trim", v))
	case "extract", "timestampadd", "timestampdiff", "get_format":
		unit := &node{op: "word", text: strings.TrimPrefix(strings.ToLower(x.ident()), "sql_tsi_")}
		if !x.take("from") && !x.take(",") {
			return x.bad()
		}
		return call(name, append([]*node{unit}, x.list()...)...)
	case "position":
		v := x.bits(0)
		if !x.take("in") {
			return x.bad()
		}
		return x.closed(call("locate", v, x.or()))
	case "substring", "substr", "mid":
		args := []*node{x.or()}
		for x.take("from") || x.take("for") || x.take(",") {
			args = append(args, x.or())
		}
		return x.closed(call("substr", args...))
	case "date_add", "date_sub", "adddate", "subdate":
		v := x.or()
		if !x.take(",") {
			return x.bad()
		}
		op := "+"
		if name == "date_sub" || name == "subdate" {
			op = "-"
		}
		if x.take("interval") {
			return x.closed(x.interval(op, v))
		}
		return x.closed(&node{op: op + " interval", text: "day", kids: []*node{v, x.or()}})
	case "char":
		n := call("char", x.or())
		for x.take(",") {
			n.kids = append(n.kids, x.or())
		}
		if x.take("using") {
			n = &node{op: "using", text: charsetName(x.word()), kids: []*node{n}}
		}
		return x.closed(n)
	case "count", "sum", "avg", "min", "max":
		if x.bind != nil {
			return x.aggregate(name)
		}
	case "interval", "values", "group_concat", "match", "row_number":
		return x.bad()
	}
	return call(name, x.list()...)
}

// aggregate reads the argument of an aggregate; count(*) is count(0), as the servers print it.
func (x *exprReader) aggregate(name string) *node {
	if name == "count" && x.take("*", ")") {
		return call("count", &node{op: "num", text: "0"})
	}
	if x.take("distinct") {
		name += " distinct"
	}
	n := call(name, x.list()...)
	if x.is("over") {
		return x.bad()
	}
	return n
}

func trimName(side string) string {
	return map[string]string{"both": "trim", "leading": "ltrim", "trailing": "rtrim"}[side]
}

func (x *exprReader) closed(n *node) *node {
	if !x.take(")") {
		return x.bad()
	}
	return n
}

// castType reads the type of a CAST.
func (x *exprReader) castType() string {
	word := strings.ToLower(x.ident())
	args := ""
	if x.take("(") {
		args = "(" + x.word()
		if x.take(",") {
			args += "," + x.word()
		}
		args += ")"
		if !x.take(")") {
			x.failed = true
		}
	}
	switch word {
	case "signed", "unsigned":
		x.takeAny("integer", "int")
		return word
	case "integer", "int":
		return "signed"
	case "binary":
		return "char" + args + " charset binary"
	case "char", "character", "nchar":
		charset := "utf8mb3"
		if word != "nchar" {
			charset = x.c.session.names()
		}
		switch {
		case x.take("charset"), x.take("character", "set"):
			charset = charsetName(x.word())
		case x.take("binary"):
		case x.take("ascii"):
			charset = "latin1"
		case x.take("unicode"):
			charset = "ucs2"
		}
		return "char" + args + " charset " + charset
	case "dec":
		word = "decimal"
	case "double":
		x.take("precision")
	case "real":
		word = "double"
	}
	if word == "decimal" {
		switch {
		case args == "":
			args = "(10,0)"
		case !strings.Contains(args, ","):
			args = strings.TrimSuffix(args, ")") + ",0)"
		}
	}
	if args == "(0)" {
		args = ""
	}
	if x.take("array") {
		args += " array"
	}
	return word + args
}
