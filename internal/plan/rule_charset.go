package plan

import (
	"strings"

	"github.com/altergate/altergate/internal/diff"
)

// charset: text is written in other bytes. What programs put in under a wrong name is damaged by that, and longer characters need more
// room in rows and indexes. Whether characters are lost is told by change-type.
var charset = Rule{ID: "charset", Title: "the character set of a column changes", Check: func(p *Pass, c diff.Change) []Finding {
	a, ok := c.(diff.AlterColumn)
	if !ok || !p.mysql() {
		return nil
	}
	from, to := charsetOf(a.From.TypeCanon), charsetOf(a.To.TypeCanon)
	switch {
	case from == to || from == "" || to == "":
		return nil
	case from == "utf8mb3" && to == "utf8mb4":
		return onHead(Review, a.To.Pos, "Characters of %s.%s may take four bytes from then on: an index on it that becomes longer than the server allows stops the plan", a.Table.Name, a.To.Name)
	}
	return onHead(Review, a.To.Pos, "The text in %s.%s is written in %s instead of %s: if programs stored other bytes in it than its character set says, such as UTF-8 in latin1, they are encoded twice", a.Table.Name, a.To.Name, to, from)
}}

// charsetOf gives the character set in a canonical type; empty = it is none of text.
func charsetOf(typeCanon string) string {
	const words = " character set "
	if i := strings.LastIndex(typeCanon, words); i >= 0 && !strings.ContainsAny(typeCanon[i+len(words):], " ')") {
		return typeCanon[i+len(words):]
	}
	return ""
}
