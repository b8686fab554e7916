package plan

import (
	"strings"

	"github.com/altergate/altergate/internal/diff"
)

// tableOptions: STRICT rejects values of other types, WITHOUT ROWID takes the rowid away.
var tableOptions = Rule{ID: "table-options", Title: "the options of a table change", Check: func(p *Pass, c diff.Change) []Finding {
	a, ok := c.(diff.AlterOptions)
	if !ok {
		return nil
	}
	var found []Finding
	for _, o := range a.To.Options {
		if !a.From.HasOption(o) {
			found = append(found, onHead(Review, a.To.Pos, "table %s becomes %s: %s", a.To.Name, strings.ToUpper(o), optionMeaning[o])...)
		}
	}
	for _, o := range a.From.Options {
		if !a.To.HasOption(o) {
			found = append(found, onHead(Review, a.To.Pos, "table %s is no longer %s", a.To.Name, strings.ToUpper(o))...)
		}
	}
	return found
}}

// optionMeaning says what an option does to rows that exist.
var optionMeaning = map[string]string{
	"strict":        "rows that hold a value of another type than their column stop the plan",
	"without rowid": "it has no rowid any more, and no key column can be NULL",
}
