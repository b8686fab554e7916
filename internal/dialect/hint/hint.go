// Package hint reads the rename hints in the comments of a schema's file, `@renamed from=old` and `atlas:renamed_from old`, and finds what
// each belongs to. It does not know how a dialect writes comments, names and tables: a dialect says where they stand.
package hint

import (
	"fmt"
	"sort"
	"strings"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
	"github.com/altergate/altergate/internal/source"
)

// Span is a part of a file, in bytes.
type Span struct{ Start, End int }

// Name is the name of a table or a column. A table's may have a schema, which MySQL calls a database, before it.
type Name struct{ Schema, Name string }

// Statement is one statement of a file.
type Statement struct {
	Span                // without the final semicolon
	Table func() *Table // reads it, when a hint stands beside it; nil = it is no CREATE TABLE
}

// Table is a CREATE TABLE: its name, and where its definitions and the parentheses around them stand in the file. Without parentheses,
// Open and Close are where the name ends.
type Table struct {
	Name        Name
	Open, Close int
	Definitions []Definition // in order
}

// Definition is where a column, or something else between a table's parentheses, stands in the file.
type Definition struct {
	Span
	Column string // empty for what is no column
}

// Dialect is how a dialect writes what hints speak of.
type Dialect struct {
	Name    func(text string) (Name, bool) // reads the name that a text begins with
	Object  func(table Name) string        // gives the name by which a schema knows a table
	Excerpt func(text string) string       // shortens a text for a message
}

// Read finds the hints in the comments of a file. A hint belongs
//   - to the column whose definition is before it on its line;
//   - else, alone on its line, to the column or CREATE TABLE that comes next;
//   - to the table, when it stands before the first column on the line of the opening parenthesis, or on the line of the closing one.
//
// A hint that belongs to nothing, or cannot be read, is an error: one that was overlooked would turn a rename into a drop. A hint on a table
// that names no schema means the table's own. Comments and statements come in the order of the file.
func (d Dialect) Read(f *source.File, comments []Span, statements []Statement) ([]diff.Hint, []*schema.Error) {
	var hints []diff.Hint
	var errs []*schema.Error
	r := &reader{src: f.Text, statements: statements, tables: map[int]*Table{}}
	for _, c := range comments {
		said := f.Text[c.Start:c.End]
		from, found, err := d.from(said)
		if !found {
			continue
		}
		fail := func(text string) {
			errs = append(errs, &schema.Error{Pos: f.Pos(c.Start), Kind: schema.KindHint, Text: text})
		}
		if err != nil {
			fail(err.Error())
			continue
		}
		t, column, ok := r.owner(c.Start)
		if !ok || (column != "" && from.Schema != "") {
			fail(fmt.Sprintf("the hint %s belongs to no table and no column; put it on the line of the column, or on the line above CREATE TABLE", d.Excerpt(said)))
			continue
		}
		h := diff.Hint{From: from.Name, To: column, Side: schema.Head, Pos: f.Pos(c.Start)}
		if column != "" {
			h.Table = d.Object(t.Name)
		} else {
			if from.Schema == "" {
				from.Schema = t.Name.Schema
			}
			h.From, h.To = d.Object(from), d.Object(t.Name)
		}
		hints = append(hints, h)
	}
	return hints, errs
}

// from reads the old name out of a comment.
func (d Dialect) from(said string) (from Name, found bool, err error) {
	for _, form := range [...]struct{ mark, joint string }{{"@renamed", "from="}, {"atlas:renamed_from", ""}} {
		i := strings.Index(said, form.mark)
		if i < 0 {
			continue
		}
		rest := strings.TrimSuffix(strings.TrimLeft(said[i+len(form.mark):], " \t"), "*/")
		if !strings.HasPrefix(rest, form.joint) {
			return Name{}, true, fmt.Errorf("the hint %s is not finished; write `-- @renamed from=old_name`", d.Excerpt(said))
		}
		from, ok := d.Name(rest[len(form.joint):])
		if !ok {
			return Name{}, true, fmt.Errorf("the hint %s names nothing; write `-- @renamed from=old_name`", d.Excerpt(said))
		}
		return from, true, nil
	}
	return Name{}, false, nil
}

// reader finds what hints belong to. It keeps the tables that it reads, by the place of their statement.
type reader struct {
	src        string
	statements []Statement
	tables     map[int]*Table
}

func (r *reader) table(statement int) *Table {
	if _, ok := r.tables[statement]; !ok {
		r.tables[statement] = r.statements[statement].Table()
	}
	return r.tables[statement]
}

// owner finds the table that a comment at an offset belongs to, and the column if it is one's.
func (r *reader) owner(at int) (t *Table, column string, ok bool) {
	after := sort.Search(len(r.statements), func(i int) bool { return r.statements[i].Start > at })
	if after > 0 {
		if end := r.statements[after-1].End; at < end || sameLine(r.src, end, at) {
			if t = r.table(after - 1); t == nil {
				return nil, "", false
			}
			column, ok = t.inside(r.src, at)
			return t, column, ok
		}
	}
	if after == len(r.statements) || !alone(r.src, at) {
		return nil, "", false
	}
	// Before this statement and after the one before: alone on its line, it speaks of what comes.
	t = r.table(after)
	return t, "", t != nil
}

// inside finds the column that a comment at an offset within a CREATE TABLE, or at its end, belongs to; it may be the table's.
func (t *Table) inside(src string, at int) (column string, ok bool) {
	own := alone(src, at)
	after := sort.Search(len(t.Definitions), func(i int) bool { return t.Definitions[i].Start > at })
	if after > 0 && !own {
		if d := t.Definitions[after-1]; sameLine(src, min(d.End, at), at) {
			return d.Column, d.Column != ""
		}
	}
	if at < t.Open || sameLine(src, t.Open, at) || (at > t.Close && !own) {
		return "", true
	}
	if after < len(t.Definitions) && own {
		d := t.Definitions[after]
		return d.Column, d.Column != ""
	}
	return "", false
}

// alone tells whether nothing stands before an offset on its line.
func alone(src string, offset int) bool {
	return strings.Trim(src[strings.LastIndexByte(src[:offset], '\n')+1:offset], " \t\r\f\v") == ""
}

// sameLine tells whether there is no line end between two offsets.
func sameLine(src string, a, b int) bool { return !strings.Contains(src[a:b], "\n") }
