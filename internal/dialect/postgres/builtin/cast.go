package builtin

// Cast is how a value becomes one of another type.
type Cast struct {
	Context    byte // when it is done: 'i' implicitly, 'a' on assignment too, 'e' only where it is written
	Method     byte // 'b' nothing is done to the stored value, 'f' a function is called, 'i' through the value's text
	Volatility byte // 'i' immutable, 's' stable, 'v' volatile: of what is called
}

// FindCast gives the cast from one type to another (PostgreSQL 15, parse_coerce.c: find_coercion_pathway; pg_cast). It is not ok when
// the server has none, and when a type is not known. A domain casts as the type under it; what the domain demands of values is
// checked besides. An array casts as its elements. Every type casts to string types on assignment and from them explicitly, through
// its text. A literal ("unknown") becomes any type. Casts that users made are not known.
func FindCast(from, to string, u Types) (Cast, bool) {
	r := resolver{facts(), u}
	if r.opaque(from) || r.opaque(to) {
		return r.castOfOpaque(from, to)
	}
	switch {
	case from == to:
		return Cast{'i', 'b', 'i'}, true
	case to == unknown:
		return Cast{}, false
	case from == unknown:
		return Cast{'i', 'i', r.reads(to)}, true
	}
	if c, ok := r.pathway(from, to); ok {
		return c, true
	}
	switch {
	case from == record && r.composite(to):
		return Cast{'i', 'f', 'i'}, true
	case to == record && r.composite(from), to == "record[]" && r.composite(r.element(from)):
		return Cast{'i', 'b', 'i'}, true
	}
	return Cast{}, false
}

// castOfOpaque gives the casts that even a type has of which nothing else is known.
func (r resolver) castOfOpaque(from, to string) (Cast, bool) {
	switch {
	case from == "" || to == "":
		return Cast{}, false
	case from == to || r.base(from) == r.base(to):
		return Cast{'i', 'b', 'i'}, true
	case from == unknown:
		return Cast{'i', 'i', 's'}, true
	}
	return Cast{}, false
}

// pathway is find_coercion_pathway, for types that are known.
func (r resolver) pathway(from, to string) (Cast, bool) {
	from, to = r.base(from), r.base(to)
	if from == to {
		return Cast{'i', 'b', 'i'}, true
	}
	if c, ok := r.casts[castKey{from, to}]; ok {
		return c, true
	}
	if f, t := r.element(from), r.element(to); f != "" && t != "" && to != "oidvector" && to != "int2vector" {
		if c, ok := r.pathway(f, t); ok {
			return c, true
		}
	}
	text := Cast{'e', 'i', worse(r.writes(from), r.reads(to))}
	if r.category(to) == 'S' {
		text.Context = 'a'
		return text, true
	}
	return text, r.category(from) == 'S'
}

// reads gives the volatility of reading a type from text. All that is no built-in base type is read by functions that look into the
// catalog, which are stable.
func (r resolver) reads(t string) byte {
	if f := r.types[t]; f != nil {
		return f.input
	}
	return 's'
}

// writes gives the volatility of writing a type as text.
func (r resolver) writes(t string) byte {
	if f := r.types[t]; f != nil {
		return f.output
	}
	return 's'
}

// worse gives the more volatile of two.
func worse(a, b byte) byte {
	if a == 'v' || b == 'v' {
		return 'v'
	}
	return max(a, b) // 'i' < 's'
}

// answer is what can be said of a candidate when types are missing.
type answer int

const (
	no      answer = iota
	asked          // it depends on a type "" that the caller does not know
	guessed        // it depends on what an opaque type can do, of which others may make something else
	yes
)

// and gives the weaker of two answers, of which no is the weakest. What rests on a guess is a guess.
func (a answer) and(b answer) answer {
	switch {
	case a == no || b == no:
		return no
	case a == guessed || b == guessed:
		return guessed
	}
	return min(a, b)
}

// implicit tells whether a type becomes another one implicitly (PostgreSQL 15, parse_coerce.c: can_coerce_type, for one type that is
// not polymorphic).
func (r resolver) implicit(from, to string) answer {
	switch {
	case from == "":
		return asked
	case from == to, to == anything, from == unknown:
		return yes
	case r.opaque(from) || r.opaque(to):
		if r.base(from) == r.base(to) {
			return yes
		}
		if t := r.types[to]; t != nil && t.kind == 'p' {
			return no
		}
		return guessed
	}
	if c, ok := r.pathway(from, to); ok && c.Context == 'i' {
		return yes
	}
	switch {
	case from == record && r.composite(to),
		to == record && r.composite(from),
		to == "record[]" && r.composite(r.element(from)):
		return yes
	}
	return no
}

// accepts tells whether arguments of the given types can be passed for the parameters (PostgreSQL 15, parse_coerce.c:
// can_coerce_type).
func (r resolver) accepts(params, args []string) answer {
	all := yes
	generic := false
	for i, p := range params {
		if polymorphic(p) {
			generic = true
			continue
		}
		if all = all.and(r.implicit(args[i], p)); all == no {
			return no
		}
	}
	if generic {
		_, a := r.bind(params, args)
		all = all.and(a)
	}
	return all
}
