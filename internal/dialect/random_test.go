package dialect_test

import (
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/altergate/altergate/internal/diff"
)

// world is a random schema: enough of SQLite to make planning hard, small enough to be made by the thousand.
type world struct {
	tables   []*table
	views    []*view
	triggers []*trigger
}

type table struct {
	name    string
	columns []*column
	key     string // column of the primary key, "" = none
	auto    bool
	strict  bool
	noRowid bool
	uniques []string // columns
	checks  []check
	foreign []foreign
	indexes []index
	quoted  bool // the style of the text: quotes, and constraints written after the columns
}

type column struct {
	name, kind, deflt, collate, computed string
	notNull                              bool
}

type check struct{ name, column, text string }

type foreign struct{ column, parent, action string }

type index struct {
	name    string
	columns []string
	unique  bool
	where   string // a column that is not null
	form    string // "%s", or an expression over the column
}

type view struct {
	name, from string // a table or another view
	columns    []string
	star       bool
	instead    bool // it has an INSTEAD OF trigger
}

type trigger struct{ name, on, column, into, target string }

var kinds = []string{"INTEGER", "TEXT", "REAL", "BLOB", "VARCHAR(20)", "NUMERIC", "INT"}
var strictKinds = []string{"INTEGER", "TEXT", "REAL", "BLOB", "INT", "ANY"}

func pick[T any](t *rapid.T, from []T, label string) T { return rapid.SampledFrom(from).Draw(t, label) }
func coin(t *rapid.T, label string) bool               { return rapid.Bool().Draw(t, label) }
func oneIn(t *rapid.T, n int, label string) bool       { return rapid.IntRange(1, n).Draw(t, label) == 1 }

// drawWorld makes a base.
func drawWorld(t *rapid.T) *world {
	w := &world{}
	for i := range rapid.IntRange(1, 4).Draw(t, "tables") {
		w.tables = append(w.tables, drawTable(t, fmt.Sprintf(pick(t, []string{"t%d", "t%d", "T %d", "order%d", "größe%d", "Mixed%d", "it's%d"}, "table name"), i)))
	}
	for i, tb := range w.tables {
		if oneIn(t, 2, "foreign") {
			w.foreign(t, tb)
		}
		if oneIn(t, 3, "view") {
			w.views = append(w.views, &view{fmt.Sprintf("v%d", i), tb.name, []string{tb.columns[0].name}, oneIn(t, 4, "star"), oneIn(t, 4, "instead")})
		}
		if oneIn(t, 4, "trigger") {
			w.trigger(t, tb, fmt.Sprintf("g%d", i))
		}
	}
	if len(w.views) > 0 && coin(t, "view on view") {
		v := w.views[0]
		w.views = append(w.views, &view{"vv", v.name, v.columns, false, false})
	}
	return w
}

func drawTable(t *rapid.T, name string) *table {
	tb := &table{name: name, quoted: coin(t, "quoted"), strict: oneIn(t, 5, "strict")}
	for i := range rapid.IntRange(1, 4).Draw(t, "columns") {
		tb.columns = append(tb.columns, drawColumn(t, tb, fmt.Sprintf(pick(t, []string{"c%d", "c%d", "C%d", "select %d", "\"%d"}, "column name"), i)))
	}
	if coin(t, "key") {
		tb.columns[0].computed, tb.columns[0].deflt = "", ""
		tb.key = tb.columns[0].name
		if coin(t, "integer key") {
			tb.columns[0].kind = "INTEGER"
			tb.auto = oneIn(t, 3, "auto") && !tb.noRowid
		}
		tb.noRowid = !tb.auto && oneIn(t, 6, "without rowid")
	}
	if oneIn(t, 3, "check") {
		tb.check(t)
	}
	if oneIn(t, 3, "unique") {
		tb.uniques = append(tb.uniques, pick(t, tb.columns, "unique column").name)
	}
	if oneIn(t, 2, "index") {
		tb.index(t, "i_"+name)
	}
	return tb
}

func drawColumn(t *rapid.T, tb *table, name string) *column {
	c := &column{name: name}
	if tb.strict {
		c.kind = pick(t, strictKinds, "kind")
	} else {
		c.kind = pick(t, kinds, "kind")
	}
	if oneIn(t, 3, "default") {
		c.deflt = drawDefault(t, c.kind)
	}
	if oneIn(t, 3, "not null") {
		c.notNull = true
	}
	if oneIn(t, 6, "collate") {
		c.collate = pick(t, []string{"NOCASE", "RTRIM", "BINARY"}, "collation")
	}
	if oneIn(t, 8, "computed") && len(tb.columns) > 0 {
		c.computed = "upper(" + q(tb.columns[0].name) + ")"
		c.computed += pick(t, []string{" VIRTUAL", " STORED"}, "storage")
		c.deflt, c.notNull, c.kind = "", false, "TEXT"
	}
	return c
}

// q writes a name that needs quotes with them, and any other without.
func q(name string) string {
	for _, c := range name {
		if c != '_' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
		}
	}
	return name
}

func drawDefault(t *rapid.T, kind string) string {
	switch kind {
	case "INTEGER", "INT", "NUMERIC", "REAL":
		return pick(t, []string{"0", "-1", "7", "NULL", "(1 + 2)"}, "number")
	case "BLOB":
		return pick(t, []string{"x'00'", "NULL"}, "blob")
	}
	return pick(t, []string{"'a'", "'it''s'", "\"word\"", "NULL", "CURRENT_TIMESTAMP", "(lower('X'))"}, "text")
}

func (tb *table) column(name string) *column {
	for _, c := range tb.columns {
		if c.name == name {
			return c
		}
	}
	return nil
}

func (tb *table) check(t *rapid.T) {
	c := pick(t, tb.columns, "checked").name
	text := pick(t, []string{"%s IS NULL OR length(%s) < 50", "TABLE.%s IS NULL OR TABLE.%s <> 'forbidden' /* of TABLE */", "%s <> 'forbidden' OR %s IS NULL", "coalesce(%s, 0) <> 99 OR %s = 'x'"}, "check")
	name := ""
	if coin(t, "named") {
		name = "ck_" + c
	}
	tb.checks = append(tb.checks, check{name, c, text})
}

func (tb *table) index(t *rapid.T, name string) {
	x := index{name: name, columns: []string{pick(t, tb.columns, "indexed").name}, unique: oneIn(t, 4, "unique index"), form: pick(t, []string{"%s", "%s", "%s DESC", "lower(%s)", "%s COLLATE NOCASE"}, "index form")}
	if oneIn(t, 3, "partial") {
		x.where = pick(t, tb.columns, "where").name
	}
	tb.indexes = append(tb.indexes, x)
}

// foreign references a table with a key of one column.
func (w *world) foreign(t *rapid.T, tb *table) {
	var parents []*table
	for _, p := range w.tables {
		if p.key != "" {
			parents = append(parents, p)
		}
	}
	if len(parents) == 0 {
		return
	}
	c := pick(t, tb.columns, "referring")
	if c.computed != "" {
		return
	}
	tb.foreign = append(tb.foreign, foreign{c.name, pick(t, parents, "parent").name, pick(t, []string{"", " ON DELETE CASCADE", " ON DELETE SET NULL", " DEFERRABLE INITIALLY DEFERRED"}, "action")})
}

func (w *world) trigger(t *rapid.T, tb *table, name string) {
	into := pick(t, w.tables, "into")
	if into.columns[0].computed != "" || into.key == into.columns[0].name {
		return
	}
	w.triggers = append(w.triggers, &trigger{name, tb.name, tb.columns[0].name, into.name, into.columns[0].name})
}

// clone copies a world so that it can be changed.
func (w *world) clone() *world {
	out := &world{}
	for _, tb := range w.tables {
		c := *tb
		c.columns = nil
		for _, col := range tb.columns {
			cc := *col
			c.columns = append(c.columns, &cc)
		}
		c.uniques, c.checks, c.foreign = slices.Clone(tb.uniques), slices.Clone(tb.checks), slices.Clone(tb.foreign)
		c.indexes = nil
		for _, x := range tb.indexes {
			x.columns = slices.Clone(x.columns)
			c.indexes = append(c.indexes, x)
		}
		out.tables = append(out.tables, &c)
	}
	for _, v := range w.views {
		c := *v
		c.columns = slices.Clone(v.columns)
		out.views = append(out.views, &c)
	}
	for _, g := range w.triggers {
		c := *g
		out.triggers = append(out.triggers, &c)
	}
	return out
}

// repair removes what names something that is gone.
func (w *world) repair() {
	find := func(name string) *table {
		for _, tb := range w.tables {
			if tb.name == name {
				return tb
			}
		}
		return nil
	}
	for _, tb := range w.tables {
		has := func(c string) bool { return tb.column(c) != nil }
		if !has(tb.key) {
			tb.key, tb.auto, tb.noRowid = "", false, false
		}
		if k := tb.column(tb.key); k != nil && (k.kind != "INTEGER" || tb.noRowid) {
			tb.auto = false
		}
		tb.uniques = slices.DeleteFunc(tb.uniques, func(c string) bool { return !has(c) })
		tb.checks = slices.DeleteFunc(tb.checks, func(c check) bool { return !has(c.column) })
		tb.foreign = slices.DeleteFunc(tb.foreign, func(f foreign) bool {
			p := find(f.parent)
			return !has(f.column) || p == nil || p.key == "" || tb.column(f.column).computed != ""
		})
		tb.indexes = slices.DeleteFunc(tb.indexes, func(x index) bool {
			return slices.ContainsFunc(x.columns, func(c string) bool { return !has(c) }) || (x.where != "" && !has(x.where))
		})
		for _, c := range tb.columns {
			if c.computed != "" && !slices.ContainsFunc(tb.columns, func(x *column) bool { return strings.HasPrefix(c.computed, "upper("+q(x.name)+")") }) {
				c.computed = ""
			}
		}
	}
	for changed := true; changed; {
		n := len(w.views)
		w.views = slices.DeleteFunc(w.views, func(v *view) bool {
			if tb := find(v.from); tb != nil {
				return slices.ContainsFunc(v.columns, func(c string) bool { return tb.column(c) == nil })
			}
			for _, other := range w.views {
				if other.name == v.from {
					return slices.ContainsFunc(v.columns, func(c string) bool { return !slices.Contains(other.columns, c) })
				}
			}
			return true
		})
		changed = n != len(w.views)
	}
	w.triggers = slices.DeleteFunc(w.triggers, func(g *trigger) bool {
		on, into := find(g.on), find(g.into)
		return on == nil || into == nil || on.column(g.column) == nil || into.column(g.target) == nil || into.column(g.target).computed != ""
	})
}

// mutate changes a world in one way and returns the hints that go with it.
func (w *world) mutate(t *rapid.T, n int) []diff.Hint {
	tb := pick(t, w.tables, "changed table")
	c := pick(t, tb.columns, "changed column")
	fresh := fmt.Sprintf("n%d", n)
	switch pick(t, []string{"add column", "drop column", "type", "default", "not null", "nullable", "collate", "check", "unique", "foreign", "index", "strict",
		"without rowid", "add table", "drop table", "rename table", "rename column", "view", "trigger", "auto", "reorder", "style", "drop constraints", "key"}, "mutation") {
	case "add column":
		tb.columns = slices.Insert(tb.columns, rapid.IntRange(0, len(tb.columns)).Draw(t, "place"), drawColumn(t, tb, fresh))
	case "drop column":
		if len(tb.columns) > 1 {
			tb.columns = slices.DeleteFunc(tb.columns, func(x *column) bool { return x == c })
		}
	case "type":
		if c.computed == "" && (c.name != tb.key || !tb.auto) {
			*c = column{name: c.name, kind: drawColumn(t, &table{strict: tb.strict}, "x").kind, notNull: c.notNull}
		}
	case "default":
		if c.computed == "" {
			c.deflt = drawDefault(t, c.kind)
		}
	case "not null":
		c.notNull = c.computed == ""
	case "nullable":
		c.notNull = false
	case "collate":
		c.collate = pick(t, []string{"NOCASE", ""}, "new collation")
	case "check":
		tb.check(t)
	case "unique":
		tb.uniques = append(tb.uniques, c.name)
	case "foreign":
		w.foreign(t, tb)
	case "index":
		if len(tb.indexes) > 0 && coin(t, "drop index") {
			tb.indexes = tb.indexes[1:]
		}
		tb.index(t, pick(t, []string{"i_" + tb.name, "i_" + fresh}, "index name"))
		if len(tb.indexes) > 1 && tb.indexes[0].name == tb.indexes[len(tb.indexes)-1].name {
			tb.indexes = tb.indexes[1:]
		}
	case "strict":
		ok := true
		for _, x := range tb.columns {
			ok = ok && slices.Contains(strictKinds, x.kind)
		}
		tb.strict = ok && !tb.strict
	case "without rowid":
		tb.noRowid = tb.key != "" && !tb.noRowid
	case "add table":
		w.tables = append(w.tables, drawTable(t, fresh))
	case "drop table":
		if len(w.tables) > 1 {
			w.tables = slices.DeleteFunc(w.tables, func(x *table) bool { return x == tb })
		}
	case "rename table":
		return w.renameTable(tb, fresh)
	case "rename column":
		return w.renameColumn(tb, c, fresh)
	case "view":
		w.views = append(w.views, &view{"w" + fresh, tb.name, []string{c.name}, false, coin(t, "instead")})
	case "trigger":
		w.trigger(t, tb, "g"+fresh)
	case "auto":
		if k := tb.column(tb.key); k != nil && k.kind == "INTEGER" && !tb.noRowid {
			tb.auto = !tb.auto
		}
	case "reorder":
		slices.Reverse(tb.columns)
	case "style":
		tb.quoted = !tb.quoted
	case "drop constraints":
		tb.checks, tb.foreign, tb.uniques = nil, nil, nil
	case "key":
		if c.computed == "" && c.deflt != "NULL" {
			tb.key, tb.auto = c.name, false
		}
	}
	return nil
}

func (w *world) renameTable(tb *table, fresh string) []diff.Hint {
	old := tb.name
	tb.name = fresh
	for _, other := range w.tables {
		for i := range other.foreign {
			if other.foreign[i].parent == old {
				other.foreign[i].parent = fresh
			}
		}
	}
	for _, v := range w.views {
		if v.from == old {
			v.from = fresh
		}
	}
	for _, g := range w.triggers {
		if g.on == old {
			g.on = fresh
		}
		if g.into == old {
			g.into = fresh
		}
	}
	return []diff.Hint{{From: old, To: fresh}}
}

func (w *world) renameColumn(tb *table, c *column, fresh string) []diff.Hint {
	old := c.name
	c.name = fresh
	swap := func(s *string) {
		if *s == old {
			*s = fresh
		}
	}
	swap(&tb.key)
	for i := range tb.uniques {
		swap(&tb.uniques[i])
	}
	for i := range tb.checks {
		swap(&tb.checks[i].column)
	}
	for i := range tb.foreign {
		swap(&tb.foreign[i].column)
	}
	for i := range tb.indexes {
		swap(&tb.indexes[i].where)
		for j := range tb.indexes[i].columns {
			swap(&tb.indexes[i].columns[j])
		}
	}
	for _, x := range tb.columns {
		x.computed = strings.Replace(x.computed, "upper("+q(old)+")", "upper("+q(fresh)+")", 1)
	}
	for _, g := range w.triggers {
		if g.on == tb.name {
			swap(&g.column)
		}
		if g.into == tb.name {
			swap(&g.target)
		}
	}
	for _, v := range w.views { // a view that has the column keeps its own name for it
		if v.from == tb.name {
			v.columns = slices.DeleteFunc(v.columns, func(x string) bool { return x == old })
		}
	}
	w.views = slices.DeleteFunc(w.views, func(v *view) bool { return len(v.columns) == 0 })
	return []diff.Hint{{Table: tb.name, From: old, To: fresh}}
}

// statements writes a world as SQL.
func (w *world) statements() []string {
	var out []string
	for _, tb := range w.tables {
		out = append(out, tb.sql())
		for _, x := range tb.indexes {
			s := "CREATE INDEX "
			if x.unique {
				s = "CREATE UNIQUE INDEX "
			}
			s += q(x.name) + " ON " + q(tb.name) + " (" + fmt.Sprintf(x.form, q(x.columns[0])) + ")"
			if x.where != "" {
				s += " WHERE " + q(x.where) + " IS NOT NULL"
			}
			out = append(out, s)
		}
	}
	for _, v := range w.views {
		what := "*"
		if !v.star {
			var names []string
			for _, c := range v.columns {
				names = append(names, q(c))
			}
			what = strings.Join(names, ", ")
		}
		out = append(out, fmt.Sprintf("CREATE VIEW %s AS SELECT %s FROM %s", q(v.name), what, q(v.from)))
		if v.instead {
			out = append(out, fmt.Sprintf("CREATE TRIGGER %s INSTEAD OF DELETE ON %s BEGIN DELETE FROM %s WHERE 0; END", q("instead "+v.name), q(v.name), q(v.from)))
		}
	}
	for _, g := range w.triggers {
		out = append(out, fmt.Sprintf("CREATE TRIGGER %s AFTER UPDATE OF %s ON %s BEGIN INSERT INTO %s (%s) SELECT NEW.%s WHERE 0; END", q(g.name), q(g.column), q(g.on), q(g.into), q(g.target), q(g.column)))
	}
	return out
}

func (tb *table) sql() string {
	name := func(s string) string {
		if tb.quoted {
			return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
		}
		return q(s)
	}
	var items, tail []string
	for _, c := range tb.columns {
		s := name(c.name) + " " + c.kind
		if c.name == tb.key && (tb.auto || !tb.quoted) {
			s += " PRIMARY KEY"
			if tb.auto {
				s += " AUTOINCREMENT"
			}
		}
		if c.notNull {
			s += " NOT NULL"
		}
		if c.deflt != "" {
			s += " DEFAULT " + c.deflt
		}
		if c.collate != "" {
			s += " COLLATE " + c.collate
		}
		if c.computed != "" {
			at := strings.LastIndex(c.computed, " ")
			s += " AS (" + c.computed[:at] + ")" + c.computed[at:]
		}
		if !tb.quoted && slices.Contains(tb.uniques, c.name) {
			s += " UNIQUE"
		}
		items = append(items, s)
	}
	if tb.key != "" && !tb.auto && tb.quoted {
		tail = append(tail, "PRIMARY KEY ("+name(tb.key)+")")
	}
	if tb.quoted {
		for _, u := range slices.Compact(slices.Sorted(slices.Values(tb.uniques))) {
			tail = append(tail, "UNIQUE ("+name(u)+")")
		}
	}
	for _, c := range tb.checks {
		s := "CHECK (" + strings.ReplaceAll(fmt.Sprintf(c.text, name(c.column), name(c.column)), "TABLE", name(tb.name)) + ")"
		if c.name != "" {
			s = "CONSTRAINT " + q(c.name) + " " + s
		}
		tail = append(tail, s)
	}
	for _, f := range tb.foreign {
		tail = append(tail, fmt.Sprintf("FOREIGN KEY (%s) REFERENCES %s%s", name(f.column), name(f.parent), f.action))
	}
	var options []string
	if tb.strict {
		options = append(options, "STRICT")
	}
	if tb.noRowid {
		options = append(options, "WITHOUT ROWID")
	}
	return "CREATE TABLE " + name(tb.name) + " (\n  " + strings.Join(append(items, tail...), ",\n  ") + "\n) " + strings.Join(options, ", ")
}
