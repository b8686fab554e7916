package mysql

import (
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
	now := columnNames(t.from) // as they stand while the plan runs
	moved := !slices.Equal(commonOrder(t.before, t.model), commonOrder(t.model, t.before))
	for _, c := range t.adds {
		column := w.To.details.columns[c.Column]
		w.columnFits(column)
		place, last := w.placeOf(t, now, c.Column.Key, moved)
		u := t.unit(&unit{kind: "add_column", object: onTable(t.model.Name, c.Column.Name), changes: []diff.Change{c}, new: c.Column.Canon, phase: phaseAddColumn,
			clauses: []string{"ADD COLUMN " + p.column(column, w.ownCheck(t, column)) + place}, actions: []online.Action{online.AddColumn{Column: column, Last: last}}})
		w.withOwnCheck(t, u, column, true)
		now = placed(now, c.Column.Key, t.model)
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

// placeOf says where a new column goes among those that are there, as the head has it, and whether that is behind all others: then
// nothing has to be said, unless others move.
func (w *work) placeOf(t *tableWork, now []string, key string, moved bool) (clause string, last bool) {
	previous := before(t.model, key)
	if previous == "" {
		return " FIRST", false
	}
	if now[len(now)-1] == previous && !moved {
		return "", true
	}
	return " AFTER " + quote(t.model.Column(previous).Name), false
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

// placed puts a column where placeOf says.
func placed(now []string, key string, t *schema.Table) []string {
	previous := before(t, key)
	if previous == "" {
		return slices.Insert(now, 0, key)
	}
	return slices.Insert(now, slices.Index(now, previous)+1, key)
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
	u.clauses = []string{"MODIFY COLUMN " + w.printer(t).column(to, w.ownCheck(t, to))}
	u.actions = []online.Action{online.ModifyColumn{From: from, To: to}}
	u.alone = w.loses(c)
	w.withOwnCheck(t, u, to, true)
	w.withOwnCheck(t, u, from, false)
	t.unit(u)
	if from.AutoIncrement && !to.AutoIncrement {
		u.place -= len(t.model.Columns) // there can be one such column only
	}
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
	now = slices.DeleteFunc(slices.Clone(now), func(key string) bool { return gone[key] })
	var want []string
	for _, c := range t.model.Columns {
		want = append(want, c.Key)
	}
	if slices.Equal(now, want) {
		return
	}
	stays := longestCommon(now, want)
	var clauses []string
	var u *unit
	for _, c := range t.model.Columns {
		if stays[c.Key] {
			continue
		}
		place, at := " FIRST", "first"
		if previous := before(t.model, c.Key); previous != "" {
			place, at = " AFTER "+quote(t.model.Column(previous).Name), "after "+previous
		}
		column := w.To.details.columns[c]
		before, after := *c, *c
		if old := now[:slices.Index(now, c.Key)]; len(old) > 0 {
			before.Canon += " after " + old[len(old)-1]
		} else {
			before.Canon += " first"
		}
		after.Canon += " " + at
		clause := "MODIFY COLUMN " + w.printer(t).column(column, w.ownCheck(t, column)) + place
		clauses = append(clauses, clause)
		move := diff.AlterColumn{Table: t.model, From: &before, To: &after}
		one := &unit{kind: "alter_column", object: onTable(t.model.Name, c.Name), changes: []diff.Change{move}, old: before.Canon, new: after.Canon, phase: phaseMove,
			clauses: []string{clause}, actions: []online.Action{online.ModifyColumn{From: column, To: column, Moved: true}}}
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
			if k.Constraint.Owner != key {
				return false
			}
			u.changes, u.new = append(u.changes, k), u.new+"\n"+k.Constraint.Canon
			u.actions = append(u.actions, online.AddCheck{Check: w.To.details.checks[k.Constraint]})
			return true
		})
		return
	}
	t.dropChecks = slices.DeleteFunc(t.dropChecks, func(k diff.DropConstraint) bool {
		if k.Constraint.Owner != key {
			return false
		}
		u.changes, u.old = append(u.changes, k), u.old+"\n"+k.Constraint.Canon
		return true
	})
}
