package plan

import (
	"strings"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// What MySQL and MariaDB have in common here: an ALTER TABLE does several changes in one pass, by an algorithm that the step's lock names.

// mysql tells whether the plan is for one of the two.
func (p *Pass) mysql() bool { return p.To.Dialect == "mysql" || p.To.Dialect == "mariadb" }

// copies tells whether a step copies the table (ALGORITHM=COPY).
func (l Lock) copies() bool { return strings.HasPrefix(l.Level, "COPY") }

// meanwhile says what others do while a step works.
func (l Lock) meanwhile() string {
	switch l.Blocks {
	case "nothing":
		return "while others read and write"
	case "writes":
		return "while writes wait"
	}
	return "while reads and writes wait"
}

// upsertsFail says what becomes of writes that go by a key which is gone.
func (p *Pass) upsertsFail() string {
	if p.mysql() {
		return "ON DUPLICATE KEY UPDATE and REPLACE insert instead"
	}
	return "ON CONFLICT clauses that name it fail"
}

// changed names the table that a change is of, and the place that tells of the change.
func changed(c diff.Change) (table string, side schema.Side, pos schema.Pos, ok bool) {
	switch c := c.(type) {
	case diff.AddColumn:
		return c.Table.Name, schema.Head, c.Column.Pos, true
	case diff.DropColumn:
		return c.Table.Name, schema.Base, c.Column.Pos, true
	case diff.AlterColumn:
		return c.Table.Name, schema.Head, c.To.Pos, true
	case diff.RenameColumn:
		return c.Table, schema.Head, c.Pos, true
	case diff.AddConstraint:
		return c.Table.Name, schema.Head, c.Constraint.Pos, true
	case diff.DropConstraint:
		return c.Table.Name, schema.Base, c.Constraint.Pos, true
	case diff.ValidateConstraint:
		return c.Table.Name, schema.Head, c.To.Pos, true
	case diff.RenameConstraint:
		return c.Table.Name, schema.Head, c.To.Pos, true
	case diff.AlterOptions:
		return c.To.Name, schema.Head, c.To.Pos, true
	case diff.CreateIndex:
		return c.Table.Name, schema.Head, c.Index.Pos, true
	case diff.DropIndex:
		return c.Table.Name, schema.Base, c.Index.Pos, true
	case diff.RenameIndex:
		return c.Table.Name, schema.Head, c.To.Pos, true
	}
	return "", "", schema.Pos{}, false
}

// columnsOf gives the columns that a change makes or states anew, with their table.
func columnsOf(c diff.Change) (*schema.Table, []*schema.Column) {
	switch c := c.(type) {
	case diff.CreateTable:
		return c.Table, c.Table.Columns
	case diff.AddColumn:
		return c.Table, []*schema.Column{c.Column}
	case diff.AlterColumn:
		return c.Table, []*schema.Column{c.To}
	}
	return nil, nil
}
