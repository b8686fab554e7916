package schemajson

import (
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

var hintKeys = []key{{"tables", true}, {"columns", true}}

// DecodeHints reads a hints JSON: {"tables": [["old", "new"]], "columns": [["table in head", "old", "new"]]}. It is as
// strict as Decode. A hint that renames nothing (old and new are the same) is left out; whether the others fit the two
// schemas is checked where they are applied.
func DecodeHints(file string, src []byte) ([]diff.Hint, error) {
	root, err := parse(file, src, `{"tables": [], "columns": []}`)
	if err != nil {
		return nil, err
	}
	var p problems
	o := readObject(&p, root, "hints", hintKeys)
	var hints []diff.Hint
	for _, row := range o.rows("tables", `["old", "new"]`, 2) {
		hints = append(hints, diff.Hint{
			From: row[0].text, To: row[1].text, Path: join("hints.tables", row[0].text), Pos: row[0].pos,
		})
	}
	for _, row := range o.rows("columns", `["table in head", "old", "new"]`, 3) {
		hints = append(hints, diff.Hint{
			Table: row[0].text, From: row[1].text, To: row[2].text,
			Path: join(join("hints.columns", row[0].text), row[1].text), Pos: row[0].pos,
		})
	}
	p.byPosition()
	if err := joined(&p); err != nil {
		return nil, err
	}
	return renames(hints), nil
}

func renames(hints []diff.Hint) []diff.Hint {
	var kept []diff.Hint
	for _, h := range hints {
		if h.From != h.To {
			kept = append(kept, h)
		}
	}
	return kept
}

// rows reads an array of arrays of so many names. An empty name is refused here: no object has one, and a hint without a
// table is a hint for a table.
func (o object) rows(key, shape string, width int) [][]*node {
	n, ok := o.value(key, arrayNode)
	if !ok {
		return nil
	}
	var rows [][]*node
	for i, element := range n.items {
		if !isRow(element, width) {
			o.problems.add(schema.KindSyntax, nth(join(o.path, key), i), element.pos, "expected %s, all of them names", shape)
			continue
		}
		rows = append(rows, element.items)
	}
	return rows
}

func isRow(n *node, width int) bool {
	if n.kind != arrayNode || len(n.items) != width {
		return false
	}
	for _, name := range n.items {
		if name.kind != stringNode || name.text == "" || len(name.text) > maxName {
			return false
		}
	}
	return true
}
