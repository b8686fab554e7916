package builtin

import "strings"

// polymorphic tells whether a type stands for others that a call decides (PostgreSQL 15, section 38.2.5).
func polymorphic(t string) bool {
	if !strings.HasPrefix(t, "any") {
		return false
	}
	switch t {
	case "anyelement", "anynonarray", "anyenum", "anyarray", "anyrange", "anymultirange",
		"anycompatible", "anycompatiblenonarray", "anycompatiblearray", "anycompatiblerange", "anycompatiblemultirange":
		return true
	}
	return false
}

// bindings are what the polymorphic types of a call stand for; "" is what the call does not decide.
type bindings struct {
	element, array, rangeType, multirange string

	compatible       string
	compatibleRange  string
	compatibleMulti  string
	compatibleTypes  []string // of the arguments that have one
	compatibleSub    string   // what the range says compatible must be
	nonArray, isEnum bool
	compatibleNoArr  bool
	compatibleRanges bool // a parameter is a compatible range or multirange
	missing          bool // some argument is "" that is passed for a polymorphic parameter
}

// once sets a binding, and tells whether it agrees with what is set already.
func once(binding *string, t string) bool {
	if *binding == "" {
		*binding = t
	}
	return *binding == t
}

// bind decides what polymorphic parameters stand for, and whether the arguments agree on it (PostgreSQL 15, parse_coerce.c:
// check_generic_type_consistency).
func (r resolver) bind(params, args []string) (*bindings, answer) {
	b := &bindings{}
	for i, p := range params {
		if polymorphic(p) && !r.bindOne(b, p, args[i]) {
			return b, no
		}
	}
	if b.array != "" && b.array != "anyarray" {
		if e := r.element(b.array); e == "" || !once(&b.element, e) {
			return b, no
		}
	}
	if b.array == "anyarray" && (b.element != "" || b.nonArray || b.isEnum) {
		return b, no
	}
	if b.multirange != "" {
		if t := r.rangeOf(b.multirange); t == "" || !once(&b.rangeType, t) {
			return b, no
		}
	}
	if b.rangeType != "" {
		if s := r.subtype(b.rangeType); s == "" || !once(&b.element, s) {
			return b, no
		}
	}
	if b.nonArray && r.element(r.base(b.element)) != "" {
		return b, no
	}
	if b.isEnum && !r.enum(b.element) && (b.element != "" || !b.missing) {
		return b, no
	}
	a := yes
	if b.missing {
		a = asked
	}
	return b, a.and(r.bindCompatible(b))
}

// bindOne takes one argument into account.
func (r resolver) bindOne(b *bindings, param, arg string) bool {
	switch param {
	case "anynonarray":
		b.nonArray = true
	case "anyenum":
		b.isEnum = true
	case "anycompatiblenonarray":
		b.compatibleNoArr = true
	case "anycompatiblerange", "anycompatiblemultirange":
		b.compatibleRanges = true
	}
	switch arg {
	case unknown:
		return true
	case "":
		b.missing = true
		return true
	}
	base := r.base(arg)
	switch param {
	case "anyelement", "anynonarray", "anyenum":
		return once(&b.element, arg)
	case "anyarray":
		return (base == "anyarray" || r.element(base) != "") && once(&b.array, base)
	case "anyrange":
		return once(&b.rangeType, base)
	case "anymultirange":
		return once(&b.multirange, base)
	case "anycompatible", "anycompatiblenonarray":
		b.compatibleTypes = append(b.compatibleTypes, arg)
	case "anycompatiblearray":
		e := r.element(base)
		b.compatibleTypes = append(b.compatibleTypes, e)
		return e != ""
	case "anycompatiblerange":
		s := r.subtype(base)
		b.compatibleTypes = append(b.compatibleTypes, s)
		return s != "" && once(&b.compatibleRange, base) && once(&b.compatibleSub, s)
	case "anycompatiblemultirange":
		s := r.subtype(r.rangeOf(base))
		b.compatibleTypes = append(b.compatibleTypes, s)
		return s != "" && once(&b.compatibleMulti, base) && once(&b.compatibleRange, r.rangeOf(base)) && once(&b.compatibleSub, s)
	}
	return true
}

// bindCompatible decides on the type to which the compatible arguments are brought.
func (r resolver) bindCompatible(b *bindings) answer {
	if len(b.compatibleTypes) == 0 {
		return yes
	}
	t, a := r.common(b.compatibleTypes)
	if a != yes {
		return a
	}
	b.compatible = t
	if b.compatibleNoArr && r.element(r.base(t)) != "" || b.compatibleSub != "" && b.compatibleSub != t {
		return no
	}
	return yes
}

// concrete gives parameters and result of a candidate with polymorphic types replaced by those that the arguments decide
// (PostgreSQL 15, parse_coerce.c: enforce_generic_type_consistency). A type that an argument "" leaves open is "". It is not ok when
// the server would refuse the call.
func (r resolver) concrete(c candidate, args []string) (params []string, result string, ok bool) {
	b, a := r.bind(c.params, args)
	if a == no {
		return nil, "", false
	}
	if b.compatible == "" && !b.missing && len(b.compatibleTypes) == 0 && !b.compatibleRanges {
		b.compatible = text
	}
	params = make([]string, len(c.params))
	for i, p := range c.params {
		switch {
		case polymorphic(p):
			params[i] = r.bound(b, p)
			if known := args[i]; known != unknown && known != "" && !strings.HasPrefix(p, "anycompatible") {
				params[i] = known
				if p != "anyelement" && p != "anynonarray" && p != "anyenum" {
					params[i] = r.base(known)
				}
			}
			if params[i] == "" && !b.missing {
				return nil, "", false
			}
		case p == anything, (p == record || p == "record[]") && args[i] != unknown:
			params[i] = args[i] // passed as it is
		default:
			params[i] = p
		}
	}
	result = c.result
	if polymorphic(result) {
		result = r.bound(b, result)
		if result == "" && !b.missing {
			return nil, "", false
		}
	}
	return params, result, true
}

// bound gives what a polymorphic type stands for.
func (r resolver) bound(b *bindings, t string) string {
	switch t {
	case "anyelement", "anynonarray", "anyenum":
		return b.element
	case "anyarray":
		if b.array != "" {
			return b.array
		}
		return r.array(b.element)
	case "anyrange":
		return b.rangeType
	case "anymultirange":
		if b.multirange != "" {
			return b.multirange
		}
		return r.multiranges[b.rangeType]
	case "anycompatible", "anycompatiblenonarray":
		return b.compatible
	case "anycompatiblearray":
		return r.array(b.compatible)
	case "anycompatiblerange":
		return b.compatibleRange
	case "anycompatiblemultirange":
		if b.compatibleMulti != "" {
			return b.compatibleMulti
		}
		return r.multiranges[b.compatibleRange]
	}
	return t
}
