package dialect

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/schema"
)

// crossCheck holds the schema file beside the migrations against what they lead to, and says each difference with both places.
func (w *walk[L]) crossCheck(ctx context.Context) ([]diff.Remark, error) {
	if w.Question.Check == nil {
		return nil, nil
	}
	replayed, err := w.side(ctx, w.Question.Head, w.head)
	if err != nil {
		return nil, err
	}
	declared, err := w.side(ctx, *w.Question.Check, replayed)
	if err != nil {
		return nil, err
	}
	if err := w.Align(ctx, w.Question.Scratch, replayed, replayed, declared, diff.Renames{}); err != nil {
		return nil, err
	}
	var all []diff.Remark
	for _, c := range diff.Schemas(replayed.Model(), declared.Model()) {
		if w.isLedger(c) {
			continue
		}
		here, there := plan.Places(c)
		text := "The schema file and the migrations differ: " + plan.Lacks(c)
		pos := there
		switch {
		case here == schema.Pos{}:
			text = strings.Replace(text, " is missing", " is made by no migration", 1)
		case there == schema.Pos{}:
			text = strings.Replace(text, " is left over", " is not in the schema file", 1) + fmt.Sprintf(" (the migrations make it at %s)", here)
			pos = here
		default:
			text += fmt.Sprintf(" (the migrations make it at %s)", here)
		}
		all = append(all, remark("cross-check", schema.Head, pos, "%s", text))
	}
	return all, nil
}

// isLedger tells whether a change is about the table in which the tool keeps what it has run, which only one of the two sources knows.
func (w *walk[L]) isLedger(c diff.Change) bool {
	var key string
	switch c := c.(type) {
	case diff.CreateTable:
		key = c.Table.Key
	case diff.DropTable:
		key = c.Table.Key
	case diff.CreateObject:
		key = c.Object.On
	case diff.DropObject:
		key = c.Object.On
	case diff.CreateTrigger:
		key = c.On
	}
	if key == "" {
		return false
	}
	return slices.ContainsFunc(w.Question.Head.Migrations.Ledger, func(name string) bool {
		_, last, _ := strings.Cut("."+name, ".")
		return strings.EqualFold(name, key) || strings.EqualFold(last, key)
	})
}
