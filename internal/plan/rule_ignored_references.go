package plan

import (
	"regexp"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// ignoredReferences: MySQL before 9 reads REFERENCES behind a column and forgets it (manual 15.1.20.5, "FOREIGN KEY Constraints").
var ignoredReferences = Rule{ID: "ignored-references", Title: "a column's REFERENCES makes no foreign key", Check: func(p *Pass, c diff.Change) []Finding {
	if p.To.Dialect != "mysql" {
		return nil
	}
	var found []Finding
	t, columns := columnsOf(c)
	for _, col := range columns {
		if references.MatchString(withoutStrings(col.Text)) && !hasForeignKey(t, col.Key) {
			found = append(found, onHead(Review, col.Pos, "REFERENCES behind column %s.%s makes no foreign key before MySQL 9: it is read and forgotten; write FOREIGN KEY (%s) REFERENCES … behind the columns", t.Name, col.Name, col.Name)...)
		}
	}
	return found
}}

var (
	references = regexp.MustCompile(`(?i)\bREFERENCES\b`)
	strung     = regexp.MustCompile("(?s)'(?:[^'\\\\]|\\\\.|'')*'|\"(?:[^\"\\\\]|\\\\.|\"\")*\"|`[^`]*`")
)

// withoutStrings takes strings and quoted names out of a definition.
func withoutStrings(text string) string { return strung.ReplaceAllString(text, " ") }

func hasForeignKey(t *schema.Table, column string) bool {
	for _, k := range t.Constraints {
		if k.Kind == schema.ForeignKey && len(k.Columns) == 1 && k.Columns[0].Column == column {
			return true
		}
	}
	return false
}
