package plan

import (
	"github.com/altergate/altergate/internal/diff"
)

// alterColumn: the change of a column that no other rule explains, such as the name of a NOT NULL constraint or its ON CONFLICT
// clause. It makes sure that no change of a definition goes without a finding.
var alterColumn = Rule{ID: "alter-column", Title: "the definition of a column changes", Check: func(p *Pass, c diff.Change) []Finding {
	a, ok := c.(diff.AlterColumn)
	if !ok {
		return nil
	}
	for _, r := range [...]Rule{changeType, setNotNull, dropNotNull, changeDefault, changeCollation, changeGenerated, identity, charset, moveColumn, comment} {
		if len(r.Check(p, c)) > 0 {
			return nil
		}
	}
	return onHead(Review, a.To.Pos, "The definition of %s.%s changes from \"%s\" to \"%s\"", a.Table.Name, a.To.Name, a.From.Canon, a.To.Canon)
}}
