package bind

import (
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"
)

// caseOf binds CASE in both its forms (PostgreSQL 15, parse_expr.c: transformCaseExpr).
func (r *run) caseOf(n *pg.CaseExpr, s *scope) value {
	var subject value
	simple := n.GetArg() != nil
	if simple {
		if subject = r.expr(n.GetArg(), s); subject.typ == unknown {
			subject = r.coerce(subject, textType)
		}
	}
	results := []value{r.expr(n.GetDefresult(), s)} // the server looks at ELSE first when it seeks a common type
	conditions := make([]value, len(n.GetArgs()))
	for i, a := range n.GetArgs() {
		when := a.GetCaseWhen()
		if conditions[i] = r.expr(when.GetExpr(), s); simple {
			test, _, right := r.compare("=", subject, conditions[i])
			test.text = right.text
			conditions[i] = test
		} else {
			conditions[i] = r.coerce(conditions[i], boolType)
		}
		results = append(results, r.expr(when.GetResult(), s))
	}
	typ, results := r.common(results)
	var b strings.Builder
	b.WriteString("case ")
	if simple {
		b.WriteString(subject.text + " ")
	}
	for i, c := range conditions {
		b.WriteString("when " + c.text + " then " + results[i+1].text + " ")
	}
	b.WriteString("else " + results[0].text + " end")
	v := value{text: b.String(), typ: typ, full: sameFull(results), total: allTotal(results...) && allTotal(conditions...), notNull: allNotNull(results...)}
	v.mix(results...)
	v.mix(conditions...)
	v.mix(subject)
	return v
}

func (r *run) coalesce(n *pg.CoalesceExpr, s *scope) value {
	typ, args := r.common(r.exprs(n.GetArgs(), s))
	v := value{text: "coalesce(" + texts(args, ", ") + ")", typ: typ, full: sameFull(args), total: allTotal(args...)}
	for _, a := range args {
		v.notNull = v.notNull || a.notNull
	}
	v.mix(args...)
	return v
}

func (r *run) minMax(n *pg.MinMaxExpr, s *scope) value {
	name := "greatest"
	if n.GetOp() == pg.MinMaxOp_IS_LEAST {
		name = "least"
	}
	typ, args := r.common(r.exprs(n.GetArgs(), s))
	v := value{text: name + "(" + texts(args, ", ") + ")", typ: typ, full: sameFull(args), total: allTotal(args...)}
	for _, a := range args {
		v.notNull = v.notNull || a.notNull
	}
	v.mix(args...)
	return v
}

// nullIf binds NULLIF(a, b), which compares and gives the first as it is.
func (r *run) nullIf(a, b value) value {
	test, left, right := r.compare("=", a, b)
	v := value{text: "nullif(" + left.text + ", " + right.text + ")", typ: left.typ, full: left.full, total: test.total}
	v.mix(test)
	return v
}
