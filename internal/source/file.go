package source

import (
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/altergate/altergate/internal/schema"
)

// File is one text file of a source: valid UTF-8, without a byte order mark, with LF line ends.
type File struct {
	Path  string // slash-separated, from the root of the tree
	Text  string
	lines []int // byte offsets at which lines begin; filled when a position is first asked for
}

// Pos gives the place of a byte offset, in lines and code points counted from 1.
func (f *File) Pos(offset int) schema.Pos {
	if f.lines == nil {
		f.lines = []int{0}
		for i := strings.IndexByte(f.Text, '\n'); i >= 0; {
			f.lines = append(f.lines, i+1)
			j := strings.IndexByte(f.Text[i+1:], '\n')
			if j < 0 {
				break
			}
			i += j + 1
		}
	}
	line := sort.SearchInts(f.lines, offset+1)
	column := utf8.RuneCountInString(f.Text[f.lines[line-1]:offset]) + 1
	return schema.Pos{File: f.Path, Line: line, Column: column}
}
