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
			found = append(found, onHead(Review, a.To.Pos, "Table %s becomes %s: %s", a.To.Name, strings.ToUpper(o), optionMeaning[o])...)
		}
	}
	for _, o := range a.From.Options {
		if !a.To.HasOption(o) {
			found = append(found, onHead(Review, a.To.Pos, "Table %s is no longer %s", a.To.Name, strings.ToUpper(o))...)
			if o == "strict" {
				found = append(found, looseAny(a)...)
			}
		}
	}
	return found
}}

// optionMeaning says what an option does to rows that exist.
var optionMeaning = map[string]string{
	"strict":        "rows that hold a value of another type than their column stop the plan",
	"without rowid": "it has no rowid any more, and no key column can be NULL",
}

// looseAny finds the columns of type ANY that stay in a table which is no longer STRICT: there ANY means NUMERIC, and text that
// looks like a number becomes one (sqlite.org/stricttables.html, section 2).
func looseAny(a diff.AlterOptions) []Finding {
	var found []Finding
	for _, c := range a.To.Columns {
		if old := a.From.Column(c.Key); old != nil && c.TypeCanon == "any" && old.TypeCanon == "any" {
			found = append(found, onHead(Destructive, c.Pos, "Without STRICT the type ANY of %s.%s turns text such as '007' into the number 7", a.To.Name, c.Name)...)
		}
	}
	return found
}
