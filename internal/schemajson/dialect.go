package schemajson

import (
	"strings"

	"github.com/altergate/altergate/internal/schema"
)

// Dialect is the SQL that the fragments of a document are written in.
type Dialect string

// The dialects that documents are written for. Postgres is validated, and has no statements yet.
const (
	SQLite   Dialect = "sqlite"
	Postgres Dialect = "postgres"
)

// rules is everything in which validation differs between dialects.
type rules struct {
	title   string // for messages
	lexicon lexicon
	types   typeShape

	// fold gives the form in which the engine compares two names.
	fold func(name string) string
	// reserved are beginnings of names, besides Altergate's own, that the engine keeps for itself.
	reserved []string
	// maxName is how many bytes of a name the engine looks at; 0 is all of them.
	maxName int
	// sharedTriggers says that a trigger's name is unique in the schema, not in its table.
	sharedTriggers bool

	defaultValue  func(fragment) error
	triggerAction func(fragment) error
	// transition notes what no plan of this dialect can do to a table that is there already.
	transition func(*validator, lineage)
}

// ownPrefixes begin the names that plans make for themselves: Altergate's, and those of plans that are older than it.
var ownPrefixes = []string{"__altergate_", "__msp_"}

func (d Dialect) rules() (rules, error) {
	switch d {
	case SQLite:
		return rules{
			title:          "SQLite",
			lexicon:        sqliteLexicon,
			types:          typeShape{},
			fold:           foldASCII,
			reserved:       []string{"sqlite_"},
			sharedTriggers: true,
			defaultValue:   sqliteDefault,
			triggerAction:  sqliteTrigger,
			transition:     sqliteTransition,
		}, nil
	case Postgres:
		return rules{
			title:         "PostgreSQL",
			lexicon:       postgresLexicon,
			types:         typeShape{quoted: true, arrays: true, wordArguments: true, wordsAfter: true},
			fold:          func(name string) string { return name }, // every identifier is printed in quotes
			maxName:       63,
			defaultValue:  postgresDefault,
			triggerAction: postgresTrigger,
			transition:    postgresTransition,
		}, nil
	}
	return rules{}, d.unsupported()
}

func (d Dialect) unsupported() error {
	return &schema.Error{Kind: schema.KindUnsupported, Text: "a schema JSON cannot be read as " + excerpt(string(d)) +
		"; declare the schema as SQL instead"}
}

// foldASCII folds the letters that SQLite folds, and no others.
func foldASCII(name string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, name)
}
