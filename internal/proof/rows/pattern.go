package rows

import (
	"regexp/syntax"
	"strings"
)

// Matching gives a text that fits a pattern, as far as the server's patterns and ours agree; each row has one of its own.
func Matching(pattern string, row int) string {
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return pattern
	}
	var b strings.Builder
	match(&b, tree, row)
	return b.String()
}

func match(b *strings.Builder, r *syntax.Regexp, row int) {
	times := 1
	switch r.Op {
	case syntax.OpLiteral:
		b.WriteString(string(r.Rune))
	case syntax.OpCharClass:
		if len(r.Rune) > 0 {
			at := r.Rune[len(r.Rune)-2]
			b.WriteRune(min(at+rune(row), r.Rune[len(r.Rune)-1]))
		}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteRune('a' + rune(row))
	case syntax.OpAlternate:
		match(b, r.Sub[row%len(r.Sub)], row)
		return
	case syntax.OpRepeat:
		times = max(r.Min, min(1, max(r.Max, 0)))
	}
	for range times {
		for _, sub := range r.Sub {
			match(b, sub, row)
		}
	}
}
