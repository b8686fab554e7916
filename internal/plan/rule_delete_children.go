package plan

import (
	"fmt"
	"strings"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// deleteChildren names the tables whose foreign keys point at a table that is dropped or rebuilt and act on deletes: if the plan
// is run with foreign_keys on after all (inside another transaction the PRAGMA does nothing), their rows are deleted or changed.
var deleteChildren = Rule{ID: "delete-children", Title: "children of a dropped or rebuilt table", Check: func(p *Pass, c diff.Change) []Finding {
	if p.From.Dialect != "sqlite" {
		return nil // elsewhere a table that is dropped deletes no rows of others
	}
	var t *schema.Table
	switch c := c.(type) {
	case diff.RebuildTable:
		t = c.From
	case diff.CopyTable:
		t = c.From
	case diff.DropTable:
		t = c.Table
	default:
		return nil
	}
	var children []string
	for _, child := range p.From.Tables {
		for _, k := range child.Constraints {
			if k.Ref != nil && k.Ref.Table == t.Key && k.Ref.OnDelete != "" && k.Ref.OnDelete != "restrict" {
				children = append(children, fmt.Sprintf("%s (ON DELETE %s)", child.Name, strings.ToUpper(k.Ref.OnDelete)))
			}
		}
	}
	if len(children) > 0 && p.Step.Authored && p.Step.Enforced {
		return onBase(Destructive, t.Pos, "Rows of %s hang on table %s, and are deleted or changed when it is dropped wherever foreign keys are on: write PRAGMA foreign_keys=off before, outside any transaction, where alone it works", strings.Join(children, ", "), t.Name)
	}
	if len(children) > 0 && p.Step.Authored {
		return nil
	}
	if len(children) > 0 {
		return onBase(Review, t.Pos, "Rows of %s hang on table %s: run the plan as it is, outside any other transaction, since foreign_keys must be off while the table is dropped", strings.Join(children, ", "), t.Name)
	}
	return nil
}}
