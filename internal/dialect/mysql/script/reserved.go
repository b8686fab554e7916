package script

import (
	"strings"

	"github.com/altergate/altergate/internal/dialect/mysql/server"
)

// Words that TiDB's parser takes for no name: those that MySQL reserves as well, from the version on that says so (manual, "Keywords and
// Reserved Words"), and those that it never does. MariaDB 10.11 takes every one of them for a column, a key and a table.
var (
	reservedFrom57 = wordSet("DATABASE GENERATED OPTION SCHEMA STORED VIRTUAL")
	reservedFrom80 = wordSet(`CUME_DIST DENSE_RANK FIRST_VALUE GROUPS LAG LAST_VALUE LATERAL LEAD NTH_VALUE NTILE OF PERCENT_RANK RANK ROW TABLESAMPLE WINDOW`)
	neverReserved  = wordSet("ARRAY ILIKE UNTIL")
)

// Words behind which a name stands, and those behind which one stands even if a parenthesis follows it.
var (
	beforeName  = wordSet("COLUMN MODIFY CHANGE TO ON AFTER CONSTRAINT FROM JOIN AS SELECT BY WHERE AND OR SET , ( . = < > + - * /")
	beforeNames = wordSet("TABLE EXISTS KEY INDEX REFERENCES VIEW ADD DROP")
)

// quoteNames quotes what a server takes for a name and TiDB's parser does not; it tells whether there is any. Where a word could be either, a
// keyword or a name, what stands before it decides, so it is asked only for a text that could not be read otherwise.
func quoteNames(text string, sv server.Server) (string, bool) {
	var edits []edit
	last := Token{}
	for _, t := range Tokens(text) {
		if t.Kind == Comment {
			continue
		}
		if word := strings.ToUpper(t.Text(text)); t.Kind == Word && free(word, sv) && last.Kind != End {
			before := strings.ToUpper(last.Text(text))
			next := plain.next(text, t.End)
			if beforeNames[before] || (beforeName[before] && !next.Is(text, "(")) {
				edits = append(edits, edit{t.Start, t.End, Quote(t.Text(text))})
			}
		}
		last = t
	}
	quoted, _ := apply(text, 0, len(text), edits)
	return quoted, len(edits) > 0
}

// free tells whether the server takes a word for a name that TiDB's parser does not.
func free(word string, sv server.Server) bool {
	switch {
	case neverReserved[word]:
		return true
	case reservedFrom57[word]:
		return sv.MariaDB
	case reservedFrom80[word]:
		return sv.MariaDB || !sv.MySQL(8, 0, 0)
	}
	return false
}
