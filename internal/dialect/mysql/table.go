package mysql

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/dialect/mysql/catalog"
	"github.com/altergate/altergate/internal/dialect/mysql/online"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/schema"
)

// table makes the units of one table.
func (w *work) table(t *tableWork) {
	if t.from == nil || t.to == nil {
		return
	}
	w.checks(t)
	w.columns(t)
	w.keys(t)
	w.options(t)
	w.partitions(t)
	w.gather(t)
}

func (w *work) printer(t *tableWork) printer {
	return printer{server: w.Server, catalog: w.To.catalog, tables: []*catalog.Table{t.from, t.to}}
}

// columns makes the units of columns that come, change, move and go.
func (w *work) columns(t *tableWork) {
	p := w.printer(t)
	now := columnNames(t.from)
	moved := !slices.Equal(commonOrder(t.before, t.model), commonOrder(t.model, t.before))
	t.now, t.moved = columnNames(t.from), moved
	adds := slices.Clone(t.adds)
	slices.SortStableFunc(adds, func(a, b diff.AddColumn) int { // what is computed comes when what it is computed from is there
		return cmp.Compare(generated(a.Column), generated(b.Column))
	})
	for _, c := range adds {
		column := w.To.details.columns[c.Column]
		w.columnFits(column)
		own := checkFor(t.to, column.Name)
		last := !moved && now[len(now)-1] == before(t.model, c.Column.Key)
		now = placed(now, c.Column.Key, t.model)
		shifts := slices.ContainsFunc(now[slices.Index(now, c.Column.Key)+1:], func(key string) bool { return w.virtualKey(t, key) })
		u := t.unit(&unit{kind: "add_column", object: onTable(t.model.Name, c.Column.Name), changes: []diff.Change{c}, new: c.Column.Canon, phase: phaseAddColumn,
			clauses: []string{"ADD COLUMN " + p.column(column, own) + placeMark(c.Column.Key)}, actions: []online.Action{online.AddColumn{Column: column, Last: last, Shifts: shifts}}})
		w.withOwnCheck(t, u, column, true)
	}
	for _, c := range t.alters {
		w.alterColumn(t, c)
	}
	for _, c := range t.dropColumns {
		column := w.From.details.columns[c.Column]
		place := 0
		if c.Column.Generated == nil {
			place = 1 // what is computed from it goes first
		}
		u := t.unit(&unit{kind: "drop_column", object: onTable(t.model.Name, c.Column.Name), changes: []diff.Change{c}, old: c.Column.Canon, phase: phaseDropColumn,
			alone: true, clauses: []string{"DROP COLUMN " + quote(column.Name)}, actions: []online.Action{online.DropColumn{Column: column}}})
		u.place += place * len(t.before.Columns)
		w.withOwnCheck(t, u, column, false)
	}
	w.moves(t, now)
}

func columnNames(t *catalog.Table) []string {
	var names []string
	for _, c := range t.Columns {
		names = append(names, columnKey(c.Name))
	}
	return names
}

// placeMark stands in a clause for the place of a column, which depends on those that are there when it runs.
func placeMark(key string) string { return "\x00" + key + "\x00" }

var marked = regexp.MustCompile("\x00([^\x00]*)\x00")

// settle puts the places into the clauses of a unit that is the next to run on a table. The place of a new column is behind the nearest
// one before it, in the head's order, that is there; behind all others nothing has to be said, unless some move.
func (t *tableWork) settle(clauses []string) []string {
	out := make([]string, len(clauses))
	for i, clause := range clauses {
		m := marked.FindStringSubmatch(clause)
		if m == nil {
			out[i] = clause
			continue
		}
		key := m[1]
		t.now = slices.DeleteFunc(t.now, func(k string) bool { return k == key })
		previous := before(t.model, key)
		for previous != "" && !slices.Contains(t.now, previous) {
			previous = before(t.model, previous)
		}
		place := " FIRST"
		if previous != "" {
			place = " AFTER " + quote(t.model.Column(previous).Name)
			if t.now[len(t.now)-1] == previous && !t.moved {
				place = ""
			}
		}
		t.now = slices.Insert(t.now, slices.Index(t.now, previous)+1, key)
		out[i] = marked.ReplaceAllLiteralString(clause, place)
	}
	return out
}

// before gives the key of the column before another one in a table; empty for the first.
func before(t *schema.Table, key string) string {
	previous := ""
	for _, c := range t.Columns {
		if c.Key == key {
			return previous
		}
		previous = c.Key
	}
	return ""
}

// placed puts a column behind the nearest one before it that is there, as settle does.
func placed(now []string, key string, t *schema.Table) []string {
	previous := before(t, key)
	for previous != "" && !slices.Contains(now, previous) {
		previous = before(t, previous)
	}
	return slices.Insert(now, slices.Index(now, previous)+1, key)
}

func generated(c *schema.Column) int {
	if c.Generated != nil {
		return 1
	}
	return 0
}

// virtualKey tells whether a column that is there while the plan runs is computed when it is read.
func (w *work) virtualKey(t *tableWork, key string) bool {
	for _, side := range []*catalog.Table{t.from, t.to} {
		if c := columnNamed(side, key); c != nil && isVirtual(c) {
			return true
		}
	}
	return false
}

// alterColumn states the whole definition anew, since what MODIFY leaves out is lost; where only a default changes there is a clause
// that says only that.
func (w *work) alterColumn(t *tableWork, c diff.AlterColumn) {
	from, to := w.From.details.columns[c.From], w.To.details.columns[c.To]
	w.columnFits(to)
	u := &unit{kind: "alter_column", object: onTable(t.model.Name, c.To.Name), changes: []diff.Change{c}, old: c.From.Canon, new: c.To.Canon, phase: phaseAlterColumn}
	if clause, ok := onlyDefault(from, to); ok {
		u.clauses, u.actions = []string{clause}, []online.Action{online.SetDefault{Column: to}}
		t.unit(u)
		return
	}
	if isVirtual(from) != isVirtual(to) {
		w.recreate(t, c, u)
		return
	}
	if conversion := online.Convert(from, to, w.Oldest); conversion.Fate == online.Refused {
		w.refuse(to.Pos, "column %s.%s was %s at %s in the base and becomes %s: %s, not even in an empty table; add a new column, fill it, and drop the old one in a later pull request, or drop the column and add it again in two pull requests if its values may go",
			t.model.Name, c.To.Name, typeText(from.Type), from.Pos, typeText(to.Type), conversion.Why)
		return
	}
	u.clauses = []string{"MODIFY COLUMN " + w.printer(t).column(to, w.ownCheck(t, to))}
	u.actions = []online.Action{online.ModifyColumn{From: from, To: to}}
	u.alone = w.loses(c)
	if u.alone && to.Generated != nil {
		u.phase, t.apart = phaseMove, true // when all columns that it is computed from are there
	}
	w.withOwnCheck(t, u, to, true)
	w.withOwnCheck(t, u, from, false)
	t.unit(u)
	if from.AutoIncrement && !to.AutoIncrement {
		u.place -= len(t.model.Columns) // there can be one such column only
	}
	if from.Generated != nil && to.Generated == nil {
		u.place -= len(t.model.Columns) // none may be computed from one that numbers rows
	}
	u.numbers = !from.AutoIncrement && to.AutoIncrement
}

func isVirtual(c *catalog.Column) bool { return c.Generated != nil && !c.Generated.Stored }

// recreate drops a column and adds it anew in one ALTER, with the keys that name it: the server makes no virtual column of another one,
// nor another one of it ("ALTER TABLE and Generated Columns").
func (w *work) recreate(t *tableWork, c diff.AlterColumn, u *unit) {
	from, to := w.From.details.columns[c.From], w.To.details.columns[c.To]
	if to.Generated == nil {
		w.refuse(to.Pos, "column %s.%s is computed when it is read, and the server cannot make one of it that keeps its values; add a new column, copy the values, and drop the old one in later pull requests", t.model.Name, c.To.Name)
		return
	}
	p := w.printer(t)
	var drop, add []string
	for _, k := range t.from.Keys {
		if !hasPart(k, c.From.Key) || w.earlyDrop(t, k) && !isOld(t.to, k) {
			continue
		}
		if k.Kind == catalog.Primary {
			w.refuse(to.Pos, "column %s.%s is in the primary key, which cannot be computed when it is read", t.model.Name, c.To.Name)
			return
		}
		drop, add = append(drop, "DROP KEY "+quote(k.Name)), append(add, "ADD "+p.key(k, k.Name))
	}
	for _, k := range t.from.Checks { // those that go are gone by now, and those that come are not there yet
		stays := slices.IndexFunc(t.to.Checks, func(o *catalog.Check) bool { return o.Canon() == k.Canon() })
		if k.Column == "" && stays >= 0 && slices.Contains(columnKeys(k.Expr.Columns), c.From.Key) {
			drop, add = append(drop, w.dropCheck(k)), append(add, "ADD "+check(t.to.Checks[stays], k.Name))
		}
	}
	u.clauses = append(drop, "DROP COLUMN "+quote(from.Name), "ADD COLUMN "+p.column(to, w.ownCheck(t, to))+placeMark(c.To.Key))
	u.clauses = append(u.clauses, add...)
	u.actions = []online.Action{online.ModifyColumn{From: from, To: to}}
	u.phase, u.alone, t.apart = phaseMove, true, true
	w.withOwnCheck(t, u, to, true)
	w.withOwnCheck(t, u, from, false)
	t.unit(u)
}

// loses tells whether a change of a column can lose what it holds.
func (w *work) loses(c diff.AlterColumn) bool {
	if c.From.Generated == nil && c.To.Generated != nil {
		return true
	}
	if c.From.TypeCanon == c.To.TypeCanon {
		return false
	}
	conversion, _ := w.Converts(c.From, c.To)
	return conversion == plan.Converted
}

// onlyDefault gives the clause for a column in which nothing but a literal default changes.
func onlyDefault(from, to *catalog.Column) (string, bool) {
	literal := func(d *catalog.Default) bool { return d != nil && !d.Implied && d.Expr == nil && d.Now == "" }
	if !literal(to.Default) || to.Default.Null || from.OnUpdate != "" || to.OnUpdate != "" || from.Type.Base == "timestamp" {
		return "", false
	}
	a, b := *from, *to
	a.Default, b.Default = nil, nil
	if columnModel(&a).Canon != columnModel(&b).Canon || from.Name != to.Name {
		return "", false
	}
	return "ALTER COLUMN " + quote(to.Name) + " SET DEFAULT " + defaultText(to.Default), true
}

// moves puts the columns that stay in the head's order, as few of them as possible.
func (w *work) moves(t *tableWork, now []string) {
	gone := map[string]bool{}
	for _, c := range t.dropColumns {
		gone[c.Column.Key] = true
	}
	goneVirtual := slices.ContainsFunc(t.dropColumns, func(c diff.DropColumn) bool { return isVirtual(w.From.details.columns[c.Column]) })
	now = slices.DeleteFunc(slices.Clone(now), func(key string) bool { return gone[key] })
	var want []string
	for _, c := range t.model.Columns {
		want = append(want, c.Key)
	}
	if slices.Equal(now, want) {
		return
	}
	stays := longestCommon(now, want)
	var u *unit
	for _, c := range t.model.Columns {
		if stays[c.Key] {
			continue
		}
		at := "first"
		if previous := before(t.model, c.Key); previous != "" {
			at = "after " + previous
		}
		column := w.To.details.columns[c]
		before, after := *c, *c
		if old := now[:slices.Index(now, c.Key)]; len(old) > 0 {
			before.Canon += " after " + old[len(old)-1]
		} else {
			before.Canon += " first"
		}
		after.Canon += " " + at
		clause := "MODIFY COLUMN " + w.printer(t).column(column, w.ownCheck(t, column)) + placeMark(c.Key)
		shifts := goneVirtual || slices.ContainsFunc(want, func(key string) bool {
			passed := (slices.Index(now, key) < slices.Index(now, c.Key)) != (slices.Index(want, key) < slices.Index(want, c.Key))
			return passed && key != c.Key && w.virtualKey(t, key)
		})
		move := diff.AlterColumn{Table: t.model, From: &before, To: &after}
		one := &unit{kind: "alter_column", object: onTable(t.model.Name, c.Name), changes: []diff.Change{move}, old: before.Canon, new: after.Canon, phase: phaseMove,
			clauses: []string{clause}, actions: []online.Action{online.ModifyColumn{From: column, To: column, Moved: true, Shifts: shifts}}}
		if u == nil {
			u = one
			continue
		}
		u = merge(t.model.Name, []*unit{u, one})
	}
	if u != nil {
		t.unit(u)
	}
}

// longestCommon gives the longest run of keys that have the same order in both lists.
func longestCommon(a, b []string) map[string]bool {
	length := make([][]int, len(a)+1)
	for i := range length {
		length[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				length[i][j] = length[i+1][j+1] + 1
			} else {
				length[i][j] = max(length[i+1][j], length[i][j+1])
			}
		}
	}
	stays := map[string]bool{}
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			stays[a[i]] = true
			i, j = i+1, j+1
		case length[i+1][j] >= length[i][j+1]:
			i++
		default:
			j++
		}
	}
	return stays
}

// columnFits refuses definitions that the server does not have yet.
func (w *work) columnFits(c *catalog.Column) {
	sv := w.Server
	if c.Default != nil && c.Default.Expr != nil && !sv.MariaDB && !sv.MySQL(8, 0, 13) {
		w.lacks(c.Pos, "the default of column "+c.Name+", which is an expression,", "MySQL 8.0.13")
	}
	if c.Invisible && !sv.MariaDB && !sv.MySQL(8, 0, 23) {
		w.lacks(c.Pos, "the invisible column "+c.Name, "MySQL 8.0.23")
	}
	if c.SRID != "" && !sv.MariaDB && !sv.MySQL(8, 0, 3) {
		w.lacks(c.Pos, "the SRID of column "+c.Name, "MySQL 8.0.3")
	}
}

// ownCheck gives the check that is written with a column, as MariaDB has it.
func (w *work) ownCheck(t *tableWork, c *catalog.Column) *catalog.Check {
	return checkOf(t.to, c.Name)
}

// checkFor gives the check that can be written with a column that comes.
func checkFor(t *catalog.Table, column string) *catalog.Check {
	for _, k := range t.Checks {
		if owner := ownerOf(t, k); owner != "" && owner == columnKey(column) {
			return k
		}
	}
	return nil
}

func checkOf(t *catalog.Table, column string) *catalog.Check {
	for _, k := range t.Checks {
		if k.Column != "" && strings.EqualFold(k.Column, column) {
			return k
		}
	}
	return nil
}

// withOwnCheck takes into a unit of a column the change of the check that is written with it.
func (w *work) withOwnCheck(t *tableWork, u *unit, c *catalog.Column, comes bool) {
	key := columnKey(c.Name)
	if comes {
		t.addChecks = slices.DeleteFunc(t.addChecks, func(k diff.AddConstraint) bool {
			check := w.To.details.checks[k.Constraint]
			if k.Constraint.Owner != key && ownerOf(t.to, check) != key {
				return false
			}
			u.changes, u.new = append(u.changes, k), u.new+"\n"+k.Constraint.Canon
			u.actions = append(u.actions, online.AddCheck{Check: check})
			return true
		})
		return
	}
	t.dropChecks = slices.DeleteFunc(t.dropChecks, func(k diff.DropConstraint) bool {
		if k.Constraint.Owner != key {
			return false
		}
		u.changes, u.old = append(u.changes, k), u.old+"\n"+k.Constraint.Canon
		if check := w.From.details.checks[k.Constraint]; check.JSON() && u.kind == "alter_column" {
			u.actions = append(u.actions, online.DropCheck{Check: check})
		}
		return true
	})
}

// ownerOf gives the key of the column in whose text a check without a name is written; empty if there is none. To MySQL it is a check
// like any other, MariaDB keeps it with its column.
func ownerOf(t *catalog.Table, k *catalog.Check) string {
	if k.Column != "" || k.Given || k.Text == "" {
		return columnKey(k.Column)
	}
	for _, c := range t.Columns {
		if strings.Contains(c.Text, k.Text) {
			return columnKey(c.Name)
		}
	}
	return ""
}
