package plan

import (
	"strings"

	"github.com/altergate/altergate/internal/diff"
)

// engine: what a table promises to those who use it is its engine's. Some engines do not even keep the rows.
var engine = Rule{ID: "engine", Title: "a table moves to another storage engine", Check: func(_ *Pass, c diff.Change) []Finding {
	a, ok := c.(diff.AlterOptions)
	if !ok {
		return nil
	}
	from, to := optionValue(a.From.Options, "engine "), optionValue(a.To.Options, "engine ")
	switch {
	case from == to || to == "":
		return nil
	case to == "blackhole":
		return onHead(Destructive, a.To.Pos, "Table %s moves to the engine BLACKHOLE, which keeps no row", a.To.Name)
	case to == "memory":
		return onHead(Destructive, a.To.Pos, "Table %s moves to the engine MEMORY, which loses every row when the server stops", a.To.Name)
	case to == "innodb":
		return onHead(Review, a.To.Pos, "Table %s moves from the engine %s to InnoDB: locks, counts of rows and the space that it takes are others", a.To.Name, from)
	}
	return onHead(Review, a.To.Pos, "Table %s moves from the engine %s to %s: transactions, foreign keys and what is left after a crash are that engine's", a.To.Name, from, to)
}}

// optionValue gives what stands behind a word among options.
func optionValue(options []string, word string) string {
	for _, o := range options {
		if value, ok := strings.CutPrefix(o, word); ok {
			return value
		}
	}
	return ""
}
