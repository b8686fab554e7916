package diff

import (
	"fmt"
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

// PossibleRenames lists the pairs of one drop and one add that look alike: tables with the same columns, columns of one table and
// one type. A pair that no hint can join is none.
func PossibleRenames(changes []Change, hinting Hinting) []PossibleRename {
	dropped := map[string][]string{} // by likeness, the names of what goes
	for _, c := range changes {
		switch c := c.(type) {
		case DropTable:
			key := likeTable(c.Table)
			dropped[key] = append(dropped[key], c.Table.Name)
		case DropColumn:
			key := likeColumn(c.Table, c.Column)
			dropped[key] = append(dropped[key], c.Column.Name)
		}
	}
	var found []PossibleRename
	for _, c := range changes {
		p, key := PossibleRename{}, ""
		switch c := c.(type) {
		case CreateTable:
			p, key = PossibleRename{Kind: "table", To: c.Table.Name}, likeTable(c.Table)
		case AddColumn:
			p, key = PossibleRename{Kind: "column", Table: c.Table.Name, To: c.Column.Name}, likeColumn(c.Table, c.Column)
		}
		for _, from := range dropped[key] {
			p.From = from
			if p.Hint = hinting.line(p); p.Hint != "" {
				found = append(found, p)
			}
		}
	}
	sort.SliceStable(found, func(i, j int) bool { return found[i].Kind > found[j].Kind })
	return found[:min(len(found), mostPossible)]
}

// likeTable is the same text for tables that could be one: those with the same columns.
func likeTable(t *schema.Table) string {
	var keys []string
	for _, c := range t.Columns {
		keys = append(keys, c.Key+" "+c.TypeCanon)
	}
	sort.Strings(keys)
	return "table\n" + strings.Join(keys, "\n")
}

// likeColumn is the same text for columns that could be one: those of one table and type.
func likeColumn(t *schema.Table, c *schema.Column) string {
	return fmt.Sprintf("column\n%s\n%s\n%t", t.Key, c.TypeCanon, c.Generated != nil)
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
