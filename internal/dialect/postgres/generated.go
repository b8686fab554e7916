package postgres

import (
	"fmt"

	"github.com/altergate/altergate/internal/dialect/postgres/builtin"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
)

// setExpression tells whether the server can give a computed column another expression (ALTER COLUMN … SET EXPRESSION, 17).
func (w *work) setExpression(c diff.AlterColumn) bool {
	const since = 17
	return w.Version >= since && c.From.Generated != nil && c.From.TypeCanon == c.To.TypeCanon
}

// inPlaceGenerated tells whether how a column is computed changes without the column being made again.
func (cw *columnWork) inPlaceGenerated() bool {
	return cw.To.Generated == nil || cw.setExpression(cw.AlterColumn)
}

// generated stops a column from being computed, which keeps its values, or computes it in another way.
func (cw *columnWork) generated() {
	if cw.To.Generated == nil {
		cw.sql = append(cw.sql, cw.head+"DROP EXPRESSION")
		return
	}
	cw.sql = append(cw.sql, cw.head+"SET EXPRESSION AS ("+cw.To.Generated.Expr.Text+")")
}

// again drops a computed column and makes it as the head has it: its values come from others, so none is lost.
func (cw *columnWork) again(id string) {
	p := printer{Loaded: cw.Planner.To}
	table := sqlName(cw.Table.Name)
	drop := fmt.Sprintf("ALTER TABLE %s DROP COLUMN %s", table, quote(cw.To.Name))
	add := fmt.Sprintf("ALTER TABLE %s ADD COLUMN %s", table, p.column(cw.Table, cw.To, false))
	if !cw.changes.rebuilt[id] {
		cw.step.SQL = append([]string{drop, add}, p.columnRest(cw.Table, cw.To)...)
		cw.add(phaseAlter, cw.step, exclusiveRewrite).shifting(id).dropping(defaultID(cw.Table.Key, cw.To.Key))
		return
	}
	// A column that it is computed from changes in between.
	first := &plan.Step{Kind: "drop_column", Object: cw.step.Object, Changes: []diff.Change{diff.DropColumn{Table: cw.in.From.Table(cw.Table.Key), Column: cw.From}}, Old: cw.From.Canon, SQL: []string{drop}}
	before := cw.add(phaseDropPart, first, accessExclusive).dropping(id)
	cw.step.Kind, cw.step.Old, cw.step.Changes = "add_column", "", []diff.Change{diff.AddColumn{Table: cw.Table, Column: cw.To}}
	cw.step.SQL = append([]string{add}, p.columnRest(cw.Table, cw.To)...)
	after := cw.add(phaseAlter, cw.step, exclusiveRewrite).making(id)
	after.after = append(after.after, before)
}

// needsUsing tells whether ALTER COLUMN … TYPE has to be told how to make new values of old ones, because there is no cast that an
// assignment makes by itself.
func (p Planner) needsUsing(from, to *column) bool {
	if from.base == to.base {
		return false
	}
	c, ok := builtin.FindCast(from.base, to.base, p.types())
	return !ok || c.Context == 'e'
}

// castable tells whether there is a cast from one type to another at all.
func (p Planner) castable(from, to *column) bool {
	_, ok := builtin.FindCast(from.base, to.base, p.types())
	return ok
}

// holds tells whether one type is an array whose elements can have the values of the other, which is none.
func (p Planner) holds(from, to *column) bool {
	element, array := builtin.Element(to.base)
	if _, fromArray := builtin.Element(from.base); !array || fromArray {
		return false
	}
	_, ok := builtin.FindCast(from.base, element, p.types())
	return ok || from.base == element
}

func rewritesOf(p Planner, from, to *column) (rewrite, scan, lossless bool) {
	return builtin.Rewrites(from.base, from.mods, to.base, to.mods, p.types())
}

// enumConversion says what becomes of the values of a column whose enum changes.
func (p Planner) enumConversion(base string) (plan.Conversion, string) {
	return plan.Unchanged, "its labels change with the type " + base
}
