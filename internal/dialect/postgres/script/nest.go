package script

import "strings"

// Limits on what is handed to the parser: it recurses, in C, for each level of the tree, and dies of a stack that is full.
const (
	maxParentheses = 500  // open at one place; brackets count
	maxChain       = 2000 // operators in a row, each of which makes the tree one level deeper; and joins and set operations
)

// nested gives the place at which a text would make the parse tree too deep. Comparisons do not count, since they cannot
// follow each other without parentheses; AND and OR make flat lists.
func nested(src string) (int, bool) {
	var operators [maxParentheses + 1]int // since the last comma, for each open parenthesis
	depth, chain, joins := 0, 0, 0        // chain is the sum of operators
	for t := next(src, 0); t.kind != eof; t = next(src, t.end) {
		switch t.kind {
		case punctuation:
			switch src[t.start] {
			case '(', '[':
				if depth++; depth > maxParentheses {
					return t.start, true
				}
				operators[depth] = 0
			case ')', ']':
				chain -= operators[depth]
				operators[depth] = 0
				depth = max(depth-1, 0)
			case ',', ';':
				chain -= operators[depth]
				operators[depth] = 0
			case ':':
				if strings.HasPrefix(src[t.end:], ":") { // the first of a cast's two
					operators[depth]++
					chain++
				}
			}
		case operator:
			if !strings.ContainsAny(src[t.start:t.end], "=<>") {
				operators[depth]++
				chain++
			}
		case word:
			switch chains(src[t.start:t.end]) {
			case asOperator:
				operators[depth]++
				chain++
			case asJoin:
				joins++
			}
		}
		if chain > maxChain || joins > maxChain {
			return t.start, true
		}
	}
	return 0, false
}

// chaining is how a word makes a tree deeper.
type chaining uint8

const (
	asNothing chaining = iota
	asOperator
	asJoin
)

// chains tells how a word makes a tree deeper.
func chains(w string) chaining {
	switch len(w) {
	case 2:
		if strings.EqualFold(w, "AT") {
			return asOperator
		}
	case 3:
		if strings.EqualFold(w, "NOT") {
			return asOperator
		}
	case 4:
		if strings.EqualFold(w, "JOIN") {
			return asJoin
		}
	case 5:
		if strings.EqualFold(w, "UNION") {
			return asJoin
		}
	case 6:
		if strings.EqualFold(w, "EXCEPT") {
			return asJoin
		}
	case 7:
		if strings.EqualFold(w, "COLLATE") {
			return asOperator
		}
	case 9:
		if strings.EqualFold(w, "INTERSECT") {
			return asJoin
		}
	}
	return asNothing
}
