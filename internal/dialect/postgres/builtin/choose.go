package builtin

import "slices"

// candidate is an operator or a function by its name, brought to the number of arguments of a call.
type candidate struct {
	params     []string
	result     string
	kind       byte // prokind: 'f' function, 'a' aggregate, 'w' window function; 'o' ordered-set aggregate; 0 for operators
	volatility byte
	strict     bool
	set        bool
	rest       string // the type of each argument behind VARIADIC, "" without
	defaults   int    // how many parameters at the end may be left out
	gathered   int    // how many arguments at the end become one array, in a call of a function with VARIADIC
}

// choose finds the one candidate for arguments of the given types: all coercions are possible, and it is better than the others
// (PostgreSQL 15, sections 10.2 and 10.3, from the step that follows the exact match). With arguments that are not known it must be the
// only one that is possible.
func (r resolver) choose(candidates []candidate, args []string) (candidate, bool) {
	possible, doubt := r.possible(candidates, args)
	switch {
	case len(possible) == 0 || doubt == guessed:
		return candidate{}, false
	case len(possible) == 1:
		return possible[0], true
	case doubt == asked:
		return candidate{}, false
	}
	return r.best(possible, args)
}

// possible leaves the candidates that take the arguments, and says on what it rests that they do.
func (r resolver) possible(candidates []candidate, args []string) ([]candidate, answer) {
	var possible []candidate
	doubt := yes
	for _, c := range candidates {
		if a := r.accepts(c.params, args); a != no {
			possible = append(possible, c)
			doubt = doubt.and(a)
		}
	}
	return possible, doubt
}

// best is PostgreSQL 15, parse_func.c: func_select_candidate, in its order.
func (r resolver) best(candidates []candidate, args []string) (candidate, bool) {
	args = slices.Clone(args)
	unknowns := 0
	for i, t := range args {
		args[i] = r.base(t)
		if t == unknown {
			unknowns++
		}
	}
	// Most exact matches, then most matches that are exact or to the preferred type of the argument's category.
	candidates = most(candidates, func(c candidate) (n int) {
		for i, t := range args {
			if t != unknown && c.params[i] == t {
				n++
			}
		}
		return n
	})
	if len(candidates) == 1 {
		return candidates[0], true
	}
	candidates = most(candidates, func(c candidate) (n int) {
		for i, t := range args {
			if t != unknown && (c.params[i] == t || r.preferred(c.params[i]) && r.category(c.params[i]) == r.category(t)) {
				n++
			}
		}
		return n
	})
	if len(candidates) == 1 {
		return candidates[0], true
	}
	if unknowns == 0 {
		return candidate{}, false
	}
	candidates = r.byCategory(candidates, args)
	if len(candidates) == 1 {
		return candidates[0], true
	}
	return r.alike(candidates, args, unknowns)
}

// most keeps the candidates that score highest.
func most(candidates []candidate, score func(candidate) int) []candidate {
	var best []candidate
	highest := -1
	for _, c := range candidates {
		n := score(c)
		if n > highest {
			best, highest = nil, n
		}
		if n == highest {
			best = append(best, c)
		}
	}
	return best
}

// byCategory lets the candidates decide on the category of each unknown argument, strings before others, and keeps those that accept
// it, and its preferred type where one of them does. Where they do not agree, all stay.
func (r resolver) byCategory(candidates []candidate, args []string) []candidate {
	category := make([]byte, len(args))
	preferred := make([]bool, len(args))
	for i, t := range args {
		if t != unknown {
			continue
		}
		conflict := false
		for _, c := range candidates {
			its, prefers := r.category(c.params[i]), r.preferred(c.params[i])
			switch {
			case category[i] == 0:
				category[i], preferred[i] = its, prefers
			case category[i] == its:
				preferred[i] = preferred[i] || prefers
			case its == 'S':
				category[i], preferred[i] = its, prefers
			default:
				conflict = true
			}
		}
		if conflict && category[i] != 'S' {
			return candidates
		}
	}
	var kept []candidate
	for _, c := range candidates {
		keep := true
		for i, t := range args {
			if t == unknown && (r.category(c.params[i]) != category[i] || preferred[i] && !r.preferred(c.params[i])) {
				keep = false
			}
		}
		if keep {
			kept = append(kept, c)
		}
	}
	if len(kept) == 0 {
		return candidates
	}
	return kept
}

// alike takes the unknown arguments to be of the type that all the known ones have, and looks for the one candidate that takes them.
func (r resolver) alike(candidates []candidate, args []string, unknowns int) (candidate, bool) {
	if unknowns == len(args) {
		return candidate{}, false
	}
	known := unknown
	for _, t := range args {
		if t == unknown {
			continue
		}
		if known != unknown && known != t {
			return candidate{}, false
		}
		known = t
	}
	same := slices.Repeat([]string{known}, len(args))
	possible, _ := r.possible(candidates, same)
	if len(possible) != 1 {
		return candidate{}, false
	}
	return possible[0], true
}

// agreed gives what all possible candidates have in common, when no single one can be found: the result's type, "" when they differ,
// and the worst volatility.
func (r resolver) agreed(candidates []candidate, args []string) (result string, volatility byte) {
	possible, doubt := r.possible(candidates, args)
	if doubt != asked {
		return "", 0
	}
	for i, c := range possible {
		_, t, ok := r.concrete(c, args)
		if !ok || i > 0 && t != result {
			t = ""
		}
		if result = t; result == "" {
			return "", 0
		}
		volatility = worse(volatility, c.volatility)
	}
	return result, volatility
}
