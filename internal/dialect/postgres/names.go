package postgres

import (
	"strings"
	"unicode/utf8"

	"github.com/altergate/altergate/internal/dialect/postgres/catalog"
	"github.com/altergate/altergate/internal/dialect/postgres/script"
)

// maxName is how many bytes of a name PostgreSQL looks at (NAMEDATALEN - 1).
const maxName = 63

func quote(name string) string { return script.Quote(name) }

// parseName takes a name apart as reports write it: "users", "store.shape"; a part that holds a dot is in quotes.
func parseName(s string) catalog.Name {
	head, last := splitLast(s)
	if head == "" {
		return catalog.Name{Schema: catalog.Public, Name: fold(last)}
	}
	return catalog.Name{Schema: fold(head), Name: fold(last)}
}

// splitLast cuts the last part off a name: of a column's name, the column; what is before it is empty for a name of one part.
func splitLast(s string) (head, last string) {
	var i int
	if strings.HasSuffix(s, `"`) {
		// The part begins at the quote that is not one of a doubled pair.
		for i = len(s) - 2; i > 0; i-- {
			if s[i] != '"' {
				continue
			}
			if s[i-1] != '"' {
				break
			}
			i--
		}
	} else {
		i = strings.LastIndexByte(s, '.') + 1
	}
	if i <= 0 {
		return "", s
	}
	return s[:i-1], s[i:]
}

// sqlName writes a name of a report as SQL.
func sqlName(s string) string { return parseName(s).SQL() }

// shortened cuts a name that the plan makes up to what PostgreSQL keeps of it, at a character's border.
func shortened(name string) string {
	if len(name) <= maxName {
		return name
	}
	cut := maxName
	for !utf8.RuneStart(name[cut]) {
		cut--
	}
	return name[:cut]
}

// fold gives the form in which PostgreSQL compares a name that a person wrote: as it is in quotes, else in lower case.
func fold(name string) string {
	if len(name) >= 2 && name[0] == '"' && name[len(name)-1] == '"' {
		return strings.ReplaceAll(name[1:len(name)-1], `""`, `"`)
	}
	return name
}
