package builtin

import "slices"

// Operator is what an operator's name means for operands of some types.
type Operator struct {
	Left       string // the type to which the left operand is coerced; "" for a prefix operator
	Right      string // the type to which the right operand is coerced
	Result     string
	Volatility byte // 'i' immutable, 's' stable, 'v' volatile
	Volatile   bool // Volatility is 'v'
}

// ResolveOperator finds the operator for operands of the given types; left is "" for a prefix operator, so a left operand that is not
// known has to be given as Unresolved (PostgreSQL 15, section 10.2; pg_operator). It is not ok when the server refuses the operands,
// and when an operand's type is not known and more than one operator is possible. Then the operator holds what is certain all the
// same: Result and Volatility, when all possible operators agree on the result, or else nothing.
func ResolveOperator(name, left, right string, u Types) (Operator, bool) {
	args := []string{left, right}
	if left == "" {
		args = args[1:]
	}
	for i, t := range args {
		if t == Unresolved {
			args[i] = ""
		}
	}
	r := resolver{facts(), u}
	var candidates []candidate
	for _, c := range r.operators[name] {
		if len(c.params) == len(args) {
			candidates = append(candidates, c)
		}
	}
	c, ok := r.exactOperator(candidates, args)
	if !ok {
		c, ok = r.choose(candidates, args)
	}
	if !ok {
		result, volatility := r.agreed(candidates, args)
		return Operator{Result: result, Volatility: volatility, Volatile: volatility == 'v'}, false
	}
	params, result, ok := r.concrete(c, args)
	o := Operator{Result: result, Volatility: c.volatility, Volatile: c.volatility == 'v'}
	if !ok {
		return Operator{}, false
	}
	o.Right = params[len(params)-1]
	if len(params) == 2 {
		o.Left = params[0]
	}
	return o, result != "" && !slices.Contains(params, "")
}

// Unresolved is the type of an operand that is not known, where "" would say that there is no operand. Anywhere else "" means the
// same.
const Unresolved = "?"

// exactOperator finds the operator that takes just these types; a literal is first taken to be of the other operand's type
// (PostgreSQL 15, parse_oper.c: binary_oper_exact).
func (r resolver) exactOperator(candidates []candidate, args []string) (candidate, bool) {
	args = slices.Clone(args)
	literal := false
	if len(args) == 2 {
		switch {
		case args[0] == unknown && args[1] != unknown:
			args[0], literal = args[1], true
		case args[1] == unknown && args[0] != unknown:
			args[1], literal = args[0], true
		}
	}
	if c, ok := exact(candidates, args); ok || !literal {
		return c, ok
	}
	base := r.base(args[0])
	return exact(candidates, []string{base, base})
}

// exact finds the candidate that takes just these types.
func exact(candidates []candidate, args []string) (candidate, bool) {
	if slices.Contains(args, "") {
		return candidate{}, false
	}
	for _, c := range candidates {
		if slices.Equal(c.params, args) {
			return c, true
		}
	}
	return candidate{}, false
}
