package script

import (
	"sort"

	"github.com/altergate/altergate/internal/dialect/hint"
	"github.com/altergate/altergate/internal/schema"
	"github.com/altergate/altergate/internal/source"
)

// Script is one file, cut into statements.
type Script struct {
	Statements []*Statement
	Passed     []Passed
	Sent       []*Sent         // of Cut: all statements in their order
	Notices    []schema.Notice // which reading of sql_mode was taken, which code comments were left out, which tables are temporary

	file   *source.File
	hinted []hint.Span // the comments that hold a rename hint
}

// Passed is something that is tolerated and changes no schema.
type Passed struct {
	What string // its first words, in upper case, or Client; for counting
	Pos  schema.Pos
}

// Client is what commands of the mysql client are counted as.
const Client = "command of the mysql client"

// shift says that from an offset of SQL on the file is so many bytes ahead of the SQL (or behind it).
type shift struct{ at, by int }

// Pos gives the place of a byte offset into SQL.
func (s *Statement) Pos(offset int) schema.Pos {
	switch {
	case s.At != nil:
		return *s.At
	case s.File == nil:
		return schema.Pos{}
	}
	return s.File.Pos(min(s.inFile(min(max(offset, 0), len(s.SQL))), len(s.File.Text)))
}

// inFile gives the offset in the file of an offset of SQL.
func (s *Statement) inFile(offset int) int {
	return s.Offset + through(s.shifts, through(s.again, offset))
}

// through gives the offset before edits of one behind them.
func through(shifts []shift, offset int) int {
	n := sort.Search(len(shifts), func(i int) bool { return shifts[i].at > offset })
	if n == 0 {
		return offset
	}
	return offset + shifts[n-1].by
}

// edit is a part of a file that reads otherwise in a statement's SQL.
type edit struct {
	start, end int
	text       string
}

// apply makes a statement's SQL of the part of a file, by edits in order.
func apply(src string, start, end int, edits []edit) (string, []shift) {
	if len(edits) == 0 {
		return src[start:end], nil
	}
	out := make([]byte, 0, end-start+16)
	var shifts []shift
	for _, e := range edits {
		if e.start >= end {
			break
		}
		out = append(out, src[start:e.start]...)
		out = append(out, e.text...)
		start = e.end
		by := 0
		if len(shifts) > 0 {
			by = shifts[len(shifts)-1].by
		}
		if n := e.end - e.start - len(e.text); n != 0 {
			shifts = append(shifts, shift{len(out), by + n})
		}
	}
	return string(append(out, src[min(start, end):end]...)), shifts
}
