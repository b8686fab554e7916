// Package migration reads a directory of migrations the way the tool that runs it does: which files count, in which order they
// run, which part of a file goes up and which goes down, and what runs in a transaction. It compares two such directories. It
// knows tools, files and order, and of SQL no more than where strings and comments end.
package migration

import (
	"github.com/altergate/altergate/internal/schema"
	"github.com/altergate/altergate/internal/source"
)

// Directory is a directory of migrations as its tool sees it.
type Directory struct {
	Tool       string // one of Tools
	Why        string // what the tool was known by, as a clause for people
	Path       string // where the migrations are; below the path that was asked for where each dialect has a directory of its own
	Migrations []*Migration
	Notices    []schema.Notice // files that are there and are not read, and why
	Structure  string          // the file that holds the schema where the migrations themselves are no SQL: rails' structure.sql
	Ledger     []string        // the tool's own tables, with their schemas where they are fixed
	OutOfOrder OutOfOrder
	Checksums  bool            // the tool keeps checksums of what it has run, and complains of a file that has changed since
	Together   bool            // one transaction spans all migrations of a run
	Detects    bool            // the tool leaves the transaction out by itself for statements that cannot run in one
	folders    bool            // drizzle's newer form, in which each migration has a folder
	listed     map[string]bool // the versions that structure.sql stands for
	sum        error           // why the file of checksums does not fit the files
}

// OutOfOrder is what a tool does with a new migration that sorts before one that has been run.
type OutOfOrder string

// What tools do with a migration that comes late. The zero value is a tool of which it is not known.
const (
	Unknown OutOfOrder = ""
	Runs    OutOfOrder = "runs"    // it is run, after others that sort behind it
	Skips   OutOfOrder = "skips"   // it is never run, and nothing says so
	Refuses OutOfOrder = "refuses" // the tool stops with an error
)

// Migration is one step of the history: a file, a folder, or a changeset in a file.
type Migration struct {
	Version     string       // as the tool compares it: without leading zeros where it compares numbers; unique but for mistakes
	Name        string       // for people
	Path        string       // the file with the up part
	Up          *source.File // the whole file with everything but the up part blanked (a breakpoint of drizzle may be a semicolon); nil where it is no SQL
	Down        *source.File // the same for the down part; nil where there is none
	DownPath    string
	Language    string // of one that is no SQL: "Go", "Ruby", "TypeScript"
	Transaction bool   // the tool runs the up part in a transaction
	Implicit    bool   // that is only the one that a server opens around several statements which are sent at once
	Repeatable  bool   // it is run again whenever its text has changed; Flyway's stand behind all others
	Baseline    bool   // it is only run on an empty database, in place of those before it
	Whole       []Span // parts of Up which the file marks as one statement
	Hash        string // of the up part's statements, without comments and white space between words
	downHash    string // the same of the down part
	raw         string // of everything that a tool's checksum may cover
	when        int64  // by which drizzle tells what is new
}

// Span is a part of a text, in bytes.
type Span struct{ Start, End int }

// Pos is where the migration begins.
func (m *Migration) Pos() schema.Pos {
	if m.Up == nil {
		return schema.Pos{File: m.Path}
	}
	for i, c := range []byte(m.Up.Text) {
		if c != ' ' && c != '\n' && c != '\t' {
			return m.Up.Pos(i)
		}
	}
	return schema.Pos{File: m.Path}
}

// SameStatements reports whether both would run the same statements: comments and white space may differ.
func (m *Migration) SameStatements(other *Migration) bool {
	return m.Hash == other.Hash && m.Language == other.Language
}

// SameText reports whether both are the same to the byte, line ends aside.
func (m *Migration) SameText(other *Migration) bool { return m.raw == other.raw }

// runner names the tool in a sentence.
func (d *Directory) runner() string {
	if d.Tool == "plain" {
		return "the tool"
	}
	return d.Tool
}
