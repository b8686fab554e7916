package quereus

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/dialect/quereus/syntax"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// hintTo writes the tag that says a former name.
func hintTo(former string) string {
	return fmt.Sprintf("with tags (%q = %s)", previousTag, syntax.Literal(former))
}

// hintFor gives the tag that makes a rename of a drop and an add: a former name is said without its schema. There is none across schemas,
// nor for a name that mark would not read back, since commas part names and blanks around them are dropped.
func hintFor(r diff.PossibleRename) string {
	former := r.From
	if r.Kind == "table" {
		from, name := split(r.From)
		if to, _ := split(r.To); syntax.Fold(to) != syntax.Fold(from) {
			return ""
		}
		former = name
	}
	if strings.Contains(former, ",") || strings.TrimSpace(former) != former || former == "" {
		return ""
	}
	return hintTo(former)
}

// mark reads the hints in an object's tags. in is the schema of tables, views and indexes, whose former names stand without it; nil for
// columns and constraints.
func mark(in *space, name string, tags *syntax.Tags, at schema.Pos) diff.Marked {
	m := diff.Marked{Name: name, Key: syntax.Fold(name), Pos: at}
	if in != nil {
		m.Name, m.Key = in.display(name), in.object(name)
	}
	if id := tag(tags, idTag); id.Kind == syntax.TextValue {
		m.ID = strings.TrimSpace(id.Text)
	}
	if m.ID != "" && in != nil && in.key != mainSchema {
		m.ID = in.key + "." + m.ID // renames do not leave their schema
	}
	previous := tag(tags, previousTag)
	if previous.Kind != syntax.TextValue {
		return m
	}
	for former := range strings.SplitSeq(previous.Text, ",") {
		if former = strings.TrimSpace(former); former == "" {
			continue
		}
		if in != nil {
			m.Former = append(m.Former, in.object(former))
		} else {
			m.Former = append(m.Former, syntax.Fold(former))
		}
	}
	return m
}

// inOrder gives marks in the order of declaration, so that the second of two that claim the same is the one at fault.
func inOrder(list []diff.Marked) []diff.Marked {
	slices.SortStableFunc(list, func(a, b diff.Marked) int {
		return cmp.Or(strings.Compare(a.Pos.File, b.Pos.File), cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Column, b.Pos.Column))
	})
	return list
}

func (c *catalog) tableMarks() []diff.Marked {
	var list []diff.Marked
	for _, key := range sorted(c.tables) {
		if t := c.tables[key]; !t.managed() {
			list = append(list, mark(t.in, t.Name.Text, t.Tags, t.Pos()))
		}
	}
	return inOrder(list)
}

func (c *catalog) viewMarks() []diff.Marked {
	var list []diff.Marked
	for _, key := range sorted(c.views) {
		v := c.views[key]
		list = append(list, mark(v.in, v.Name.Text, v.Tags, v.Pos()))
	}
	return inOrder(list)
}

func (c *catalog) indexMarks() []diff.Marked {
	var list []diff.Marked
	for _, key := range sorted(c.indexes) {
		x := c.indexes[key]
		list = append(list, mark(x.in, x.Name.Text, x.Tags, x.Pos()))
	}
	return inOrder(list)
}

// hinted tells whether a column or a constraint of the table has tags at all.
func (t *table) hinted() bool {
	for _, c := range t.Columns {
		if c.Tags != nil || slices.ContainsFunc(c.Constraints, tagged) {
			return true
		}
	}
	return slices.ContainsFunc(t.Constraints, tagged)
}

func tagged(k *syntax.Constraint) bool { return k.Tags != nil }

func (t *table) columnMarks() []diff.Marked {
	var list []diff.Marked
	for _, column := range t.Columns {
		list = append(list, mark(nil, column.Name.Text, column.Tags, column.Pos()))
	}
	return list
}

func (t *table) constraintMarks() []diff.Marked {
	var list []diff.Marked
	for _, k := range t.allConstraints() {
		if _, ok := constraintKinds[k.Kind]; ok && k.Kind != syntax.PrimaryKey && k.Name.Text != "" && !engineMade(k) {
			list = append(list, mark(nil, k.Name.Text, k.Tags, k.Pos()))
		}
	}
	return list
}

// marked gives the renames that tags mean: of tables, views and indexes, then of the columns and constraints of each table that is on
// both sides. given are hints from a file, which can rename a table whose columns have tags.
func marked(base, head *catalog, given []diff.Hint) ([]diff.Hint, error) {
	var hints []diff.Hint
	var errs []error
	old := map[string]string{} // new key -> old key
	resolve := func(m diff.Marks) {
		found, err := m.Hints()
		hints = append(hints, found...)
		errs = append(errs, err)
	}
	resolve(diff.Marks{Kind: "table", Base: base.tableMarks(), Head: head.tableMarks()})
	for _, h := range slices.Concat(hints, given) {
		if h.Table != "" || h.Part != "" {
			continue
		}
		old[syntax.Fold(h.To)] = syntax.Fold(h.From)
	}
	resolve(diff.Marks{Kind: "view", Base: base.viewMarks(), Head: head.viewMarks()})
	resolve(diff.Marks{Kind: "index", Base: base.indexMarks(), Head: head.indexMarks()})
	for _, key := range sorted(head.tables) {
		t := head.tables[key]
		from := base.tables[cmp.Or(old[key], key)]
		if from == nil || t.managed() {
			continue
		}
		if !t.hinted() && !from.hinted() {
			continue // most tables
		}
		name := t.in.display(t.Name.Text)
		resolve(diff.Marks{Kind: "column", Table: name, Base: from.columnMarks(), Head: t.columnMarks()})
		resolve(diff.Marks{Kind: "constraint", Table: name, Base: from.constraintMarks(), Head: t.constraintMarks()})
	}
	return hints, errors.Join(errs...)
}
