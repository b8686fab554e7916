package builtin

// CommonType gives the type to which the branches of CASE, COALESCE, GREATEST, ARRAY[], VALUES and UNION are brought (PostgreSQL 15,
// section 10.5). UNION of more than two is done two by two. It is not ok when the server finds none, or when a type that matters is
// not known.
func CommonType(types []string, u Types) (string, bool) {
	if len(types) == 0 {
		return "", false
	}
	r := resolver{facts(), u}
	t, a := r.common(types)
	return t, a == yes
}

// common is CommonType (PostgreSQL 15, parse_coerce.c: select_common_type and verify_common_type).
func (r resolver) common(types []string) (string, answer) {
	for _, t := range types {
		if t == "" {
			return "", asked
		}
	}
	common := types[0]
	if common != unknown && allAre(types, common) {
		return common, yes
	}
	common = r.base(common)
	for _, t := range types[1:] {
		t = r.base(t)
		switch {
		case t == unknown || t == common:
		case common == unknown:
			common = t
		case r.opaque(t) || r.opaque(common):
			return "", guessed
		case r.category(t) != r.category(common):
			return "", no
		case !r.preferred(common) && r.implicit(common, t) == yes && r.implicit(t, common) == no:
			common = t
		}
	}
	if common == unknown {
		common = text
	}
	for _, t := range types {
		if r.implicit(t, common) != yes {
			return "", no
		}
	}
	return common, yes
}

func allAre(types []string, t string) bool {
	for _, other := range types {
		if other != t {
			return false
		}
	}
	return true
}
