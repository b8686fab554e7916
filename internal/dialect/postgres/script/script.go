// Package script cuts the text of PostgreSQL files into statements and gives each its parse tree, its place, and the rename
// hints in its comments. It knows the lexical rules of PostgreSQL and psql; it does not know what a statement means, and
// neither runs nor judges one.
package script

import (
	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/altergate/altergate/internal/dialect/hint"
	"github.com/altergate/altergate/internal/schema"
	"github.com/altergate/altergate/internal/source"
)

// Script is one file, cut into statements.
type Script struct {
	Statements []*Statement
	Passed     []Passed
	Copies     []*Statement // those whose data were passed over, without the data

	file   *source.File
	hinted []hint.Span // the comments that hold a rename hint
	passed []span      // where what is in Passed stands
}

// Passed is something that is tolerated and declares nothing.
type Passed struct {
	What string // MetaCommand, CopyData, or a word of the caller's, for counting
	Pos  schema.Pos
}

// What Split passes over.
const (
	MetaCommand = "psql meta-command"
	CopyData    = "COPY data"
)

// Statement is one SQL statement.
type Statement struct {
	Text  string // as written, without leading comments, trailing comments and the final semicolon
	File  *source.File
	Start int         // byte offset of Text in File.Text
	Node  *pg.Node    // its parse tree, set by Parse and shared with equal texts: nobody may change it; its locations are byte offsets into Text
	Path  string      // of the value in a JSON source that the statement was made from, else empty
	At    *schema.Pos // set for a JSON source: positions in made-up SQL mean nothing
}

// span is a part of a file, in bytes.
type span struct{ start, end int }

// Pos gives the place of a byte offset into Text.
func (s *Statement) Pos(offset int) schema.Pos {
	switch {
	case s.At != nil:
		return *s.At
	case s.File == nil:
		return schema.Pos{}
	}
	return s.File.Pos(s.Start + min(max(offset, 0), len(s.Text)))
}
