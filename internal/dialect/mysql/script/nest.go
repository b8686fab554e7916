package script

import "strings"

// Limits on what is handed to the parser: what walks its tree calls itself for each level.
const (
	maxParentheses = 500  // open at one place
	maxChain       = 2000 // operators in a row, each of which makes the tree one level deeper; and joins and set operations
)

// nested gives the place at which a text would make the tree too deep.
func nested(src string) (int, bool) {
	var operators [maxParentheses + 1]int // since the last comma, for each open parenthesis
	depth, chain, joins := 0, 0, 0        // chain is the sum of operators
	add := func() {
		operators[depth]++
		chain++
	}
	end := func() {
		chain -= operators[depth]
		operators[depth] = 0
	}
	for t := plain.next(src, 0); t.Kind != End; t = plain.next(src, t.End) {
		switch t.Kind {
		case Symbol:
			switch src[t.Start] {
			case '(':
				if depth++; depth > maxParentheses {
					return t.Start, true
				}
				operators[depth] = 0
			case ')':
				end()
				depth = max(depth-1, 0)
			case ',':
				end()
			case ';': // in a body
				end()
				joins = 0
			case '.', '@', ':', '{', '}', '[', ']', '?':
			default:
				add()
			}
		case Word:
			switch chains[strings.ToUpper(src[t.Start:min(t.End, t.Start+13)])] {
			case asOperator:
				add()
			case asJoin:
				joins++
			}
		}
		if chain > maxChain || joins > maxChain {
			return t.Start, true
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

// chains says which words make a tree deeper.
var chains = map[string]chaining{
	"AND": asOperator, "OR": asOperator, "XOR": asOperator, "NOT": asOperator, "DIV": asOperator, "MOD": asOperator, "COLLATE": asOperator, "IS": asOperator,
	"LIKE": asOperator, "BETWEEN": asOperator, "IN": asOperator, "RLIKE": asOperator, "REGEXP": asOperator, "BINARY": asOperator, "CASE": asOperator, "WHEN": asOperator,
	"ELSE": asOperator, "INTERVAL": asOperator, "JOIN": asJoin, "STRAIGHT_JOIN": asJoin, "UNION": asJoin, "EXCEPT": asJoin, "INTERSECT": asJoin,
}
