package diff

import (
	"sort"
	"strings"

	"github.com/altergate/altergate/internal/schema"
)

// PossibleRename is a drop and an add that could be one rename. Nothing is assumed of it: it is shown with the hint to paste.
type PossibleRename struct {
	Kind     string // "table" or "column"
	Table    string // of a column, the head's table; of a table empty
	From, To string
	Hint     string // the line to paste beside the new object
}

// mostPossible is how many possible renames are worth showing; a table of twenty dropped and twenty added columns has 400.
const mostPossible = 10

// PossibleRenames lists the pairs of one drop and one add that look alike: columns of one table and one type, tables with the
// same columns.
func PossibleRenames(changes []Change) []PossibleRename {
	var found []PossibleRename
	for _, a := range changes {
		for _, b := range changes {
			if p, ok := possible(a, b); ok {
				found = append(found, p)
			}
		}
	}
	sort.SliceStable(found, func(i, j int) bool { return found[i].Kind > found[j].Kind })
	return found[:min(len(found), mostPossible)]
}

func possible(dropped, added Change) (PossibleRename, bool) {
	switch d := dropped.(type) {
	case DropTable:
		if c, ok := added.(CreateTable); ok && columnList(d.Table) == columnList(c.Table) {
			return PossibleRename{Kind: "table", From: d.Table.Name, To: c.Table.Name, Hint: hintLine(d.Table.Name)}, true
		}
	case DropColumn:
		a, ok := added.(AddColumn)
		if ok && a.Table.Key == d.Table.Key && a.Column.TypeCanon == d.Column.TypeCanon && (a.Column.Generated == nil) == (d.Column.Generated == nil) {
			return PossibleRename{Kind: "column", Table: a.Table.Name, From: d.Column.Name, To: a.Column.Name, Hint: hintLine(d.Column.Name)}, true
		}
	}
	return PossibleRename{}, false
}

func columnList(t *schema.Table) string {
	var keys []string
	for _, c := range t.Columns {
		keys = append(keys, c.Key+" "+c.TypeCanon)
	}
	sort.Strings(keys)
	return strings.Join(keys, "\n")
}

// hintLine writes a hint, with quotes where the name needs them.
func hintLine(from string) string {
	for i, c := range from {
		letter := c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
		if !letter && (i == 0 || c < '0' || c > '9') {
			from = `"` + strings.ReplaceAll(from, `"`, `""`) + `"`
			break
		}
	}
	return "-- @renamed from=" + from
}
