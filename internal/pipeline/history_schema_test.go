package pipeline_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// history is a schema that changes. Names are never used twice, so that every hint stays true.
type history struct {
	*rand.Rand
	commit   int // of the change being made
	named    int
	tables   []*historyTable
	views    []*historyView
	triggers []*historyTrigger
}

// was is an old name and the commit that gave the new one, which can give no other.
type was struct {
	name   string
	commit int
}

type historyTable struct {
	name    string
	was     was
	auto    bool
	check   bool
	columns []*historyColumn
	indexes []*historyIndex
}

type historyColumn struct {
	name, kind, deflt string
	was               was
	notNull           bool
	upper             *historyColumn // whose value it computes
	parent            *historyTable
}

type historyIndex struct {
	name    string
	columns []*historyColumn
	partial bool
}

type historyView struct {
	name    string
	on      *historyTable
	over    *historyView // instead of a table
	columns []*historyColumn
}

type historyTrigger struct {
	name   string
	on     *historyTable
	view   *historyView
	column *historyColumn // of on
	into   *historyTable
	text   *historyColumn // of into
}

// writeHistory gives the texts of a schema file, one for each commit.
func writeHistory(commits int) []string {
	h := &history{Rand: rand.New(rand.NewPCG(2024, 1))}
	for range 4 {
		h.addTable()
	}
	texts := []string{h.text()}
	changes := []func(){h.addTable, h.dropTable, h.renameTable, h.addColumn, h.addColumn, h.dropColumn, h.dropColumn, h.renameColumn, h.alterColumn, h.alterColumn,
		h.addReference, h.toggleCheck, h.addIndex, h.dropIndex, h.addView, h.changeView, h.dropView, h.addTrigger, h.dropTrigger}
	for h.commit = 1; len(texts) < commits; {
		h.forget()
		for range 1 + h.IntN(3) {
			changes[h.IntN(len(changes))]()
		}
		if text := h.text(); text != texts[len(texts)-1] {
			texts = append(texts, text)
			h.commit++
		}
	}
	return texts
}

func (h *history) name(prefix string) string {
	h.named++
	return fmt.Sprintf("%s_%d", prefix, h.named)
}

// forget removes some of the hints that have been merged; others stay, as they do in real repositories.
func (h *history) forget() {
	for _, t := range h.tables {
		if h.IntN(3) == 0 {
			t.was.name = ""
		}
		for _, c := range t.columns {
			if h.IntN(3) == 0 {
				c.was.name = ""
			}
		}
	}
}

func (h *history) addTable() {
	if len(h.tables) < 12 {
		h.tables = append(h.tables, &historyTable{name: h.name("item"), was: was{commit: h.commit}, auto: h.IntN(3) == 0, columns: []*historyColumn{h.column(), h.column()}})
	}
}

func (h *history) column() *historyColumn {
	c := &historyColumn{name: h.name("field"), kind: h.kind(), was: was{commit: h.commit}}
	if h.IntN(2) == 0 {
		c.deflt, c.notNull = fmt.Sprintf("'value %d'", h.named), h.IntN(2) == 0
	}
	return c
}

func (h *history) kind() string {
	return []string{"TEXT", "VARCHAR(20)", "BLOB", "INTEGER", "NUMERIC", "REAL"}[h.IntN(6)]
}

func (h *history) table() *historyTable { return h.tables[h.IntN(len(h.tables))] }

// plain gives a column that stores a value of its own.
func (h *history) plain(t *historyTable) *historyColumn {
	for range 10 {
		if c := t.columns[h.IntN(len(t.columns))]; c.upper == nil && c.parent == nil {
			return c
		}
	}
	return t.columns[0] // a table's first column is plain and stays
}

func (h *history) dropTable() {
	t := h.table()
	for _, other := range h.tables {
		for _, c := range other.columns {
			if c.parent == t && other != t {
				return
			}
		}
	}
	used := slices.ContainsFunc(h.views, func(v *historyView) bool { return v.on == t }) ||
		slices.ContainsFunc(h.triggers, func(g *historyTrigger) bool { return g.on == t || g.into == t })
	if !used && len(h.tables) > 3 {
		h.tables = without(h.tables, t)
	}
}

func without[T comparable](list []T, x T) []T {
	return slices.DeleteFunc(slices.Clone(list), func(y T) bool { return x == y })
}

func (h *history) renameTable() {
	if t := h.table(); t.was.commit < h.commit {
		t.was = was{t.name, h.commit}
		t.name = h.name("item")
	}
}

func (h *history) renameColumn() {
	t := h.table()
	if c := t.columns[h.IntN(len(t.columns))]; c.was.commit < h.commit && c.parent == nil {
		c.was = was{c.name, h.commit}
		c.name = h.name("field")
	}
}

func (h *history) addColumn() {
	t := h.table()
	c := h.column()
	if h.IntN(4) == 0 {
		c.upper, c.deflt, c.notNull = h.plain(t), "", false
	}
	t.columns = append(t.columns, c)
}

func (h *history) addReference() {
	t := h.table()
	c := &historyColumn{name: h.name("ref"), kind: "INTEGER", was: was{commit: h.commit}, parent: h.table()}
	t.columns = append(t.columns, c)
}

func (h *history) dropColumn() {
	t := h.table()
	c := t.columns[h.IntN(len(t.columns))]
	used := c == t.columns[0] ||
		slices.ContainsFunc(t.columns, func(x *historyColumn) bool { return x.upper == c }) ||
		slices.ContainsFunc(t.indexes, func(i *historyIndex) bool { return slices.Contains(i.columns, c) }) ||
		slices.ContainsFunc(h.views, func(v *historyView) bool { return slices.Contains(v.columns, c) }) ||
		slices.ContainsFunc(h.triggers, func(g *historyTrigger) bool { return g.column == c || g.text == c })
	if !used {
		t.columns = without(t.columns, c)
	}
}

func (h *history) alterColumn() {
	switch c := h.plain(h.table()); h.IntN(3) {
	case 0:
		c.kind = h.kind()
	case 1:
		c.deflt = fmt.Sprintf("'other %d'", h.commit)
	default:
		c.deflt, c.notNull = fmt.Sprintf("'filled %d'", h.commit), !c.notNull
	}
}

func (h *history) toggleCheck() {
	t := h.table()
	t.check = !t.check
}

func (h *history) addIndex() {
	t := h.table()
	t.indexes = append(t.indexes, &historyIndex{name: h.name("index"), columns: []*historyColumn{t.columns[h.IntN(len(t.columns))]}, partial: h.IntN(2) == 0})
}

func (h *history) dropIndex() {
	if t := h.table(); len(t.indexes) > 0 {
		t.indexes = t.indexes[1:]
	}
}

func (h *history) addView() {
	v := &historyView{name: h.name("view")}
	if len(h.views) > 0 && h.IntN(3) == 0 {
		v.over = h.views[h.IntN(len(h.views))]
	} else {
		v.on = h.table()
		v.columns = []*historyColumn{v.on.columns[h.IntN(len(v.on.columns))]}
	}
	h.views = append(h.views, v)
}

func (h *history) changeView() {
	if len(h.views) == 0 {
		return
	}
	if v := h.views[h.IntN(len(h.views))]; v.on != nil {
		if c := h.plain(v.on); !slices.Contains(v.columns, c) {
			v.columns = append(v.columns, c)
		}
	}
}

func (h *history) dropView() {
	if len(h.views) == 0 {
		return
	}
	v := h.views[h.IntN(len(h.views))]
	if !slices.ContainsFunc(h.views, func(x *historyView) bool { return x.over == v }) && !slices.ContainsFunc(h.triggers, func(g *historyTrigger) bool { return g.view == v }) {
		h.views = without(h.views, v)
	}
}

func (h *history) addTrigger() {
	g := &historyTrigger{name: h.name("trigger"), into: h.tables[0]}
	g.text = h.plain(g.into)
	if g.text.notNull {
		return
	}
	if len(h.views) > 0 && h.IntN(3) == 0 {
		g.view = h.views[h.IntN(len(h.views))]
	} else {
		g.on = h.table()
		g.column = g.on.columns[h.IntN(len(g.on.columns))]
	}
	h.triggers = append(h.triggers, g)
}

func (h *history) dropTrigger() {
	if len(h.triggers) > 0 {
		h.triggers = h.triggers[1:]
	}
}

// text writes the schema file. Now and then the tables stand in another order, which changes nothing.
func (h *history) text() string {
	var b strings.Builder
	tables := slices.Clone(h.tables)
	if h.commit%5 == 0 {
		slices.Reverse(tables)
	}
	for _, t := range tables {
		t.write(&b)
	}
	for _, v := range h.views {
		if v.over != nil {
			fmt.Fprintf(&b, "CREATE VIEW %s AS SELECT id FROM %s;\n", v.name, v.over.name)
			continue
		}
		fmt.Fprintf(&b, "CREATE VIEW %s AS SELECT id, %s FROM %s;\n", v.name, columnNames(v.columns), v.on.name)
	}
	for _, g := range h.triggers {
		if g.view != nil {
			fmt.Fprintf(&b, "CREATE TRIGGER %s INSTEAD OF DELETE ON %s BEGIN\n  UPDATE %s SET %s = old.id;\nEND;\n", g.name, g.view.name, g.into.name, g.text.name)
			continue
		}
		fmt.Fprintf(&b, "CREATE TRIGGER %s AFTER UPDATE ON %s BEGIN\n  UPDATE %s SET %s = new.%s;\nEND;\n", g.name, g.on.name, g.into.name, g.text.name, g.column.name)
	}
	return b.String()
}

func columnNames(columns []*historyColumn) string {
	var names []string
	for _, c := range columns {
		names = append(names, c.name)
	}
	return strings.Join(names, ", ")
}

func (t *historyTable) write(b *strings.Builder) {
	if t.was.name != "" {
		fmt.Fprintf(b, "-- @renamed from=%s\n", t.was.name)
	}
	fmt.Fprintf(b, "CREATE TABLE %s (\n  id INTEGER PRIMARY KEY", t.name)
	if t.auto {
		b.WriteString(" AUTOINCREMENT")
	}
	hint := ""
	for _, c := range t.columns {
		fmt.Fprintf(b, ",%s\n  %s", hint, c.definition())
		if hint = ""; c.was.name != "" {
			hint = " -- @renamed from=" + c.was.name
		}
	}
	if t.check {
		fmt.Fprintf(b, ",%s\n  CONSTRAINT numbered CHECK (%s.id > 0)", hint, t.name)
		hint = ""
	}
	fmt.Fprintf(b, "%s\n);\n", hint)
	for _, i := range t.indexes {
		fmt.Fprintf(b, "CREATE INDEX %s ON %s (%s)", i.name, t.name, columnNames(i.columns))
		if i.partial {
			b.WriteString(" WHERE " + i.columns[0].name + " IS NOT NULL")
		}
		b.WriteString(";\n")
	}
}

func (c *historyColumn) definition() string {
	text := c.name + " " + c.kind
	if c.upper != nil {
		return text + " AS (upper(" + c.upper.name + "))"
	}
	if c.notNull {
		text += " NOT NULL"
	}
	if c.deflt != "" {
		text += " DEFAULT " + c.deflt
	}
	if c.parent != nil {
		text += " REFERENCES " + c.parent.name + " (id) ON DELETE SET NULL"
	}
	return text
}
