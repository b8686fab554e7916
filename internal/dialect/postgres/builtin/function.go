package builtin

import "slices"

// Function is what a function's name means for arguments of some types.
type Function struct {
	// Args are the types to which the arguments are coerced, one for each argument that was given: those behind VARIADIC too, but none
	// for parameters that take their default. An argument of a polymorphic parameter, or of "any", stays as it is: "unknown" stays
	// "unknown", and "" stays "".
	Args         []string
	Result       string // "record" for a function with more than one OUT parameter
	Volatility   byte   // 'i' immutable, 's' stable, 'v' volatile
	Aggregate    bool   // ordered-set aggregates are too
	WithinGroup  bool   // it is an ordered-set aggregate and needs WITHIN GROUP; its direct arguments come before the ordered ones
	Window       bool   // it needs OVER
	Strict       bool   // it gives NULL when an argument is NULL
	SetReturning bool
	// Variadic is the number of arguments at the end that the server gathers into one array, and keeps as VARIADIC ARRAY[…]. It is 0
	// for VARIADIC "any", which it keeps as written.
	Variadic int
	Cast     bool // it is no function, but the name of a type, and the call is another spelling of the explicit cast
}

// ResolveFunction finds the built-in function for arguments of the given types (PostgreSQL 15, section 10.3; pg_proc). It is not ok
// when the server refuses the arguments, and when an argument's type is not known ("") and more than one function is possible. Then
// the function holds what is certain all the same: Result and Volatility, when all possible functions agree on the result, or else
// nothing.
func ResolveFunction(name string, args []string, u Types) (Function, bool) {
	r := resolver{facts(), u}
	var candidates []candidate
	for _, f := range r.function(name) {
		if c, ok := f.withArguments(len(args)); ok {
			candidates = append(candidates, c)
		}
	}
	c, ok := exact(candidates, args)
	if !ok {
		if f, ok := r.castByName(name, args); ok {
			return f, true
		}
		if r.mayCast(name, args) {
			return Function{}, false
		}
		c, ok = r.choose(candidates, args)
	}
	if !ok {
		result, volatility := r.agreed(candidates, args)
		return Function{Result: result, Volatility: volatility}, false
	}
	return r.call(c, args)
}

// ResolveVariadic is ResolveFunction for a call whose last argument is written VARIADIC: an array that stands for the arguments.
func ResolveVariadic(name string, args []string, u Types) (Function, bool) {
	r := resolver{facts(), u}
	var candidates []candidate
	for _, f := range r.function(name) {
		if f.rest != "" && len(f.params) == len(args) {
			candidates = append(candidates, f)
		}
	}
	c, ok := exact(candidates, args)
	if !ok {
		c, ok = r.choose(candidates, args)
	}
	if !ok {
		return Function{}, false
	}
	return r.call(c, args)
}

// HasFunction tells whether there is a built-in function of the name, of whatever kind.
func HasFunction(name string) bool { return facts().functions[name] != "" }

// Volatility gives the worst volatility of all built-in functions of the name: 'i' immutable, 's' stable, 'v' volatile.
func Volatility(name string) (byte, bool) {
	worst := byte(0)
	for _, f := range facts().function(name) {
		worst = worse(worst, f.volatility)
	}
	return worst, worst != 0
}

// withArguments brings a function to the number of arguments of a call: without parameters that take their defaults, and with as many
// of the variadic one as there are arguments (PostgreSQL 15, namespace.c: FuncnameGetCandidates).
func (c candidate) withArguments(n int) (candidate, bool) {
	switch given := len(c.params); {
	case given > n:
		if given-n > c.defaults {
			return c, false
		}
		c.params = c.params[:n]
	case c.rest != "":
		c.params = slices.Concat(c.params[:given-1], slices.Repeat([]string{c.rest}, n-given+1))
		if c.rest != anything {
			c.gathered = n - given + 1
		}
	case given < n:
		return c, false
	}
	return c, true
}

// call is the call of a function that was found.
func (r resolver) call(c candidate, args []string) (Function, bool) {
	params, result, ok := r.concrete(c, args)
	if !ok {
		return Function{}, false
	}
	return Function{
		Args:         params,
		Result:       result,
		Volatility:   c.volatility,
		Aggregate:    c.kind == 'a' || c.kind == 'o',
		WithinGroup:  c.kind == 'o',
		Variadic:     c.gathered,
		Window:       c.kind == 'w',
		Strict:       c.strict,
		SetReturning: c.set,
	}, result != ""
}

// castByName reads a call such as float8(x) or date('today') as a cast: the name is that of a type, and the type of the argument casts
// to it without a function (PostgreSQL 15, parse_func.c: func_get_detail).
func (r resolver) castByName(name string, args []string) (Function, bool) {
	to, ok := TypeName("pg_catalog", name)
	if !ok || len(args) != 1 || r.composite(to) || r.opaque(args[0]) {
		return Function{}, false
	}
	if f := r.types[to]; f != nil && f.kind == 'p' {
		return Function{}, false
	}
	from := args[0]
	f := Function{Args: []string{from}, Result: to, Volatility: 'i', Strict: true, Cast: true}
	if from == unknown {
		f.Volatility = r.reads(to)
		return f, true
	}
	c, ok := r.pathway(from, to)
	f.Volatility = c.Volatility
	if c.Method == 'i' && (from == record || r.composite(from)) && r.category(to) == 'S' {
		return f, false
	}
	return f, ok && (c.Method == 'b' || c.Method == 'i') && !r.throughElements(from, to)
}

// mayCast tells whether a call could be a cast by the name of a type, were the argument's type known.
func (r resolver) mayCast(name string, args []string) bool {
	if len(args) != 1 || !r.opaque(args[0]) {
		return false
	}
	to, ok := TypeName("pg_catalog", name)
	return ok && !r.composite(to)
}

// throughElements tells whether an array is cast element by element, which is another way than the one its elements take.
func (r resolver) throughElements(from, to string) bool {
	from, to = r.base(from), r.base(to)
	_, direct := r.casts[castKey{from, to}]
	return from != to && !direct && r.element(from) != "" && r.element(to) != "" && to != "int2vector" && to != "oidvector"
}
