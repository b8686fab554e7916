package syntax

import (
	"slices"
	"strings"
)

// printer writes nodes as the engine does.
type printer struct {
	strings.Builder
}

func (w *printer) puts(parts ...string) {
	for _, s := range parts {
		w.WriteString(s)
	}
}

// list writes things with a separator between them.
func list[T any](w *printer, separator string, items []T, write func(T)) {
	for i, item := range items {
		if i > 0 {
			w.WriteString(separator)
		}
		write(item)
	}
}

func (w *printer) names(names []Name) {
	list(w, ", ", names, func(n Name) { w.puts(Quote(n.Text)) })
}

// String prints an expression as the engine does.
func (e *Expr) String() string {
	w := &printer{}
	w.expr(e)
	return w.String()
}

// level gives how tightly an expression holds together, as the parser reads it.
func (e *Expr) level() int {
	switch e.Kind {
	case BinaryExpr:
		return binaryLevels[e.Op]
	case UnaryExpr:
		switch {
		case e.Op == "not":
			return levelNot
		case strings.HasPrefix(e.Op, "is "):
			return levelIs
		}
		return levelUnary
	case InExpr, BetweenExpr:
		return levelCompare
	case CollateExpr:
		return levelCollate
	default:
		return levelPrimary
	}
}

// tight writes an expression, in parentheses if it is looser than the level.
func (w *printer) tight(e *Expr, level int) {
	if e.level() < level {
		w.puts("(")
		w.expr(e)
		w.puts(")")
		return
	}
	w.expr(e)
}

func (w *printer) expr(e *Expr) {
	switch e.Kind {
	case NumberExpr, BoolExpr, ParameterExpr:
		w.puts(e.Name)
	case StringExpr:
		w.puts(Literal(e.Name))
	case BlobExpr:
		w.puts("x'", e.Name, "'")
	case NullExpr:
		w.puts("null")
	case ColumnExpr:
		w.qualified(e.Schema, e.Table, e.Name)
	case UnaryExpr:
		w.unary(e)
	case BinaryExpr:
		w.binary(e)
	case CallExpr:
		w.call(e)
	case CastExpr:
		w.puts("cast(")
		w.expr(e.Args[0])
		w.puts(" as ", strings.ToLower(e.Name), ")")
	case CaseExpr:
		w.caseOf(e)
	case InExpr:
		w.tight(e.Args[0], levelCompare)
		w.puts(" in (")
		if e.Query != nil {
			w.query(e.Query)
		} else {
			w.exprs(e.Args[1:])
		}
		w.puts(")")
	case BetweenExpr:
		w.tight(e.Args[0], levelCompare)
		if e.Not {
			w.puts(" not")
		}
		w.puts(" between ")
		w.tight(e.Args[1], levelAdd)
		w.puts(" and ")
		w.tight(e.Args[2], levelAdd)
	case CollateExpr:
		w.tight(e.Args[0], levelArrow)
		w.puts(" collate ", Quote(Fold(e.Name)))
	case ExistsExpr:
		w.puts("exists (")
		w.query(e.Query)
		w.puts(")")
	case SubqueryExpr:
		w.puts("(")
		w.query(e.Query)
		w.puts(")")
	}
}

func (w *printer) exprs(exprs []*Expr) { list(w, ", ", exprs, w.expr) }

func (w *printer) qualified(parts ...string) {
	first := true
	for _, s := range parts {
		if s == "" {
			continue
		}
		if !first {
			w.puts(".")
		}
		first = false
		w.puts(Quote(s))
	}
}

// unary puts every binary body in parentheses, as the engine does, and others where they would read as something else.
func (w *printer) unary(e *Expr) {
	body := e.Args[0]
	level := e.level()
	after := level == levelIs
	if after {
		level = levelEqual
	}
	if body.Kind == BinaryExpr {
		level = levelPrimary
	}
	switch {
	case after:
		w.tight(body, level)
		w.puts(" ", e.Op)
	case e.Op == "not":
		w.puts("not ")
		w.tight(body, level)
	default:
		w.puts(e.Op)
		if body.Kind == UnaryExpr && body.Op == e.Op {
			w.puts(" ") // two of them would begin a comment
		}
		w.tight(body, level)
	}
}

// chains are the operators that need no parentheses around these on their right. The engine leaves them out between `or` and `xor` and
// between `*` and `/` too, and reads something else then.
var chains = map[string][]string{"and": {"and"}, "or": {"or"}, "xor": {"xor"}, "+": {"+", "-"}, "*": {"*"}, "||": {"||"}}

func (w *printer) binary(e *Expr) {
	level := binaryLevels[e.Op]
	left, right := e.Args[0], e.Args[1]
	w.tight(left, level)
	w.puts(" ", e.Op, " ")
	if !chain(e.Op, level, right) {
		level++
	}
	w.tight(right, level)
}

// chain tells whether the right operand of an operator may go on without parentheses: all that it begins with on the same level has to.
func chain(op string, level int, right *Expr) bool {
	for right.Kind == BinaryExpr && binaryLevels[right.Op] == level {
		if !slices.Contains(chains[op], right.Op) {
			return false
		}
		right = right.Args[0]
	}
	return right.level() != level
}

func (w *printer) call(e *Expr) {
	w.puts(quoteCall(e.Name), "(")
	switch {
	case e.Star, len(e.Args) == 0 && Fold(e.Name) == "count":
		w.puts("*")
	case e.Distinct:
		w.puts("distinct ")
	}
	w.exprs(e.Args)
	w.puts(")")
	if e.Over != nil {
		w.puts(" over (")
		w.window(e.Over)
		w.puts(")")
	}
}

func (w *printer) caseOf(e *Expr) {
	w.puts("case")
	if e.Base != nil {
		w.puts(" ")
		w.expr(e.Base)
	}
	for _, c := range e.Whens {
		w.puts(" when ")
		w.expr(c.If)
		w.puts(" then ")
		w.expr(c.Then)
	}
	if e.Else != nil {
		w.puts(" else ")
		w.expr(e.Else)
	}
	w.puts(" end")
}

func (w *printer) window(d *Window) {
	separator := ""
	if len(d.Partition) > 0 {
		w.puts("partition by ")
		w.exprs(d.Partition)
		separator = " "
	}
	if len(d.Order) > 0 {
		w.puts(separator)
		w.orderBy(d.Order)
		separator = " "
	}
	if f := d.Frame; f != nil {
		w.puts(separator, f.Unit, " ")
		if f.End.Kind == "" {
			w.bound(f.Start)
			return
		}
		w.puts("between ")
		w.bound(f.Start)
		w.puts(" and ")
		w.bound(f.End)
	}
}

func (w *printer) bound(b Bound) {
	if b.Value != nil {
		w.expr(b.Value)
		w.puts(" ")
	}
	w.puts(b.Kind)
}

func (w *printer) orderBy(terms []*Order) {
	w.puts("order by ")
	list(w, ", ", terms, func(o *Order) {
		w.expr(o.Expr)
		if o.Desc {
			w.puts(" desc")
		}
		if o.Nulls != "" {
			w.puts(" nulls ", o.Nulls)
		}
	})
}
