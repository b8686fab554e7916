package plan

import (
	"github.com/altergate/altergate/internal/diff"
)

// changeGenerated: a stored value that becomes computed is replaced by what the expression gives.
var changeGenerated = Rule{ID: "change-generated", Title: "how a column is computed changes", Check: func(p *Pass, c diff.Change) []Finding {
	a, ok := c.(diff.AlterColumn)
	if !ok {
		return nil
	}
	from, to := a.From.Generated, a.To.Generated
	switch {
	case from == nil && to == nil:
	case from == nil:
		return onHead(Destructive, a.To.Pos, "The values stored in %s.%s are lost: it becomes computed", a.Table.Name, a.To.Name)
	case to == nil:
		return onHead(Review, a.To.Pos, "Column %s.%s is no longer computed: it keeps the values it has and those who insert rows have to give one", a.Table.Name, a.To.Name)
	case from.Expr.Canon != to.Expr.Canon:
		return onHead(Review, a.To.Pos, "Column %s.%s is computed in another way: every row's value changes with it", a.Table.Name, a.To.Name)
	case from.Stored != to.Stored:
		return onHead(Review, a.To.Pos, "Column %s.%s is computed at another time (stored or when read); its values stay", a.Table.Name, a.To.Name)
	}
	return nil
}}
