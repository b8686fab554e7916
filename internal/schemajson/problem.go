package schemajson

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/altergate/altergate/internal/schema"
)

// maxProblems keeps a hostile document from growing into a report many times its size.
const maxProblems = 1000

// problems collects everything that is wrong on one side.
type problems struct {
	side schema.Side
	all  []*schema.Error
	more bool // no more are taken, and nothing needs to be looked for
}

// add notes a problem. The text says what is wrong and what to do next.
func (p *problems) add(kind schema.ErrorKind, path string, pos schema.Pos, format string, args ...any) {
	switch {
	case p.more:
		return
	case len(p.all) == maxProblems:
		p.more = true
		kind, path, format, args = schema.KindUnsupported, "", "there are more than %d problems; only so many are listed", []any{maxProblems}
	}
	p.all = append(p.all, &schema.Error{Side: p.side, Pos: pos, Path: path, Kind: kind, Text: fmt.Sprintf(format, args...)})
}

// byPath puts the problems in order of path, then text, so that the order of a document never shows.
func (p *problems) byPath() {
	slices.SortStableFunc(p.all, func(a, b *schema.Error) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Text, b.Text))
	})
}

// byPosition puts the problems in the order of the file.
func (p *problems) byPosition() {
	slices.SortStableFunc(p.all, func(a, b *schema.Error) int {
		return cmp.Or(cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Column, b.Pos.Column))
	})
}

// joined makes one error of all problems, or nil of none.
func joined(sides ...*problems) error {
	var errs []error
	for _, side := range sides {
		for _, e := range side.all {
			errs = append(errs, e)
		}
	}
	return errors.Join(errs...)
}

// excerpt quotes a piece of the document for a message: on one line, escaped, and never longer than a line.
func excerpt(text string) string {
	const limit = 60
	runes := 0
	for at := range text {
		if runes++; runes > limit {
			return strconv.Quote(text[:at]) + "…"
		}
	}
	return strconv.Quote(text)
}
