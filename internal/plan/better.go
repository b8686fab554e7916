package plan

import (
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/diff"
)

// Better says in a sentence or two what the SQL of a net change does better than the migrations that come to it; nothing where it does not.
func Better(authored, net *Plan) string {
	var better []string
	if len(net.Steps) == 0 || slices.ContainsFunc(authored.Steps, fillsRows) {
		return "" // the net change writes no rows, so it is not the same
	}
	if net.Risk() < authored.Risk() {
		better = append(better, "Made at once it has the risk "+net.Risk().String()+", where the migrations have "+authored.Risk().String()+".")
	}
	if a, n := blocking(authored), blocking(net); n < a {
		switch {
		case n == 0:
			better = append(better, "It can be made while others read and write; the migrations block "+blocks[a]+".")
		default:
			better = append(better, "It can be made while others read; the migrations block "+blocks[a]+".")
		}
	}
	if rewrites(authored) && !rewrites(net) {
		better = append(better, "It writes no table again, as the migrations do.")
	}
	return strings.Join(better, " ")
}

// fillsRows tells whether a step does more than changing the schema, and keeping the rows while it does.
func fillsRows(s *Step) bool {
	for _, c := range s.Changes {
		switch c.(type) {
		case diff.CopyTable:
			return false
		case diff.WriteRows, diff.RunOpaque:
			return true
		}
	}
	return false
}

var blocks = map[int]string{2: "writes", 3: "reads and writes"}

// blocking is the weight of the strongest lock that a plan holds while rows are read or written; what it holds for a moment does not count.
func blocking(p *Plan) int {
	most := 0
	for _, s := range p.Steps {
		if w := weight(s.Lock); (s.Lock.Rewrite || s.Lock.Scan) && w >= 2 {
			most = max(most, w)
		}
	}
	return most
}

func rewrites(p *Plan) bool {
	return slices.ContainsFunc(p.Steps, func(s *Step) bool { return s.Lock.Rewrite })
}
