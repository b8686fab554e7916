// Package diff compares two schemas by name and says how they differ. It knows no dialect and no SQL: renames have been
// applied to the base before (see Hints), and equality is equality of canonical text.
package diff

import "github.com/altergate/altergate/internal/schema"

// Change is one difference between two schemas. The set is closed: the types below are all there are, and whoever switches
// over them returns an error that names an unknown type.
type Change interface{ change() }

type (
	// CreateTable makes a table with its indexes and triggers.
	CreateTable struct{ Table *schema.Table }
	// DropTable removes a table with everything on it.
	DropTable struct{ Table *schema.Table }
	// RenameTable gives a table another name; both are as written.
	RenameTable struct {
		From, To string
		Pos      schema.Pos // of the hint
	}
	// RenameColumn gives a column another name. Table is the table's name in the head.
	RenameColumn struct {
		Table, From, To string
		Pos             schema.Pos // of the hint
	}
	// AddColumn adds a column to a table that exists on both sides; Table is the head's.
	AddColumn struct {
		Table  *schema.Table
		Column *schema.Column
	}
	// DropColumn removes a column; Table is the base's, renamed.
	DropColumn struct {
		Table  *schema.Table
		Column *schema.Column
	}
	// AlterColumn changes a column's own definition; Table is the head's.
	AlterColumn struct {
		Table    *schema.Table
		From, To *schema.Column
	}
	// AddConstraint adds a constraint to a table that exists on both sides; Table is the head's.
	AddConstraint struct {
		Table      *schema.Table
		Constraint *schema.Constraint
	}
	// DropConstraint removes one; Table is the base's, renamed.
	DropConstraint struct {
		Table      *schema.Table
		Constraint *schema.Constraint
	}
	// AlterOptions changes what is said of a table as a whole.
	AlterOptions struct{ From, To *schema.Table }
	// CreateIndex makes an index on a table that exists on both sides.
	CreateIndex struct {
		Table *schema.Table
		Index *schema.Index
	}
	// DropIndex removes one.
	DropIndex struct {
		Table *schema.Table
		Index *schema.Index
	}
	// CreateView makes a view. Its INSTEAD OF triggers are changes of their own.
	CreateView struct{ View *schema.View }
	// DropView removes one.
	DropView struct{ View *schema.View }
	// CreateTrigger makes a trigger on a table or view that exists on both sides, or on a new view.
	CreateTrigger struct {
		On      string // table or view, as written
		Trigger *schema.Trigger
	}
	// DropTrigger removes one.
	DropTrigger struct {
		On      string
		Trigger *schema.Trigger
	}
	// CreateObject makes an object of one of the kinds that schema.Object holds.
	CreateObject struct{ Object *schema.Object }
	// DropObject removes one.
	DropObject struct{ Object *schema.Object }
	// AlterObject changes one that is on both sides.
	AlterObject struct{ From, To *schema.Object }
	// ReplaceOpaque makes, removes or replaces an object known only by its text: From or To is nil for the first two.
	ReplaceOpaque struct{ From, To *schema.Opaque }
	// ValidateConstraint makes a constraint hold for the rows too that were there before it. diff never returns it: planners make it of
	// a drop and an add that are the same but for that. Table is the head's.
	ValidateConstraint struct {
		Table    *schema.Table
		From, To *schema.Constraint
	}
	// ReplaceView changes a view where it is, so that those who read it and may read it are kept. diff never returns it, nor the
	// renames below: planners make them of a drop and a create that are the same but for that.
	ReplaceView struct{ From, To *schema.View }
	// RenameConstraint gives a constraint another name; Table is the head's.
	RenameConstraint struct {
		Table    *schema.Table
		From, To *schema.Constraint
	}
	// RenameIndex gives an index another name; Table is the head's.
	RenameIndex struct {
		Table    *schema.Table
		From, To *schema.Index
	}
	// RenameObject gives an object another name.
	RenameObject struct{ From, To *schema.Object }
	// RebuildTable is what an engine that cannot alter a table in place makes of all the changes to one table. diff never
	// returns it; planners do.
	RebuildTable struct {
		From, To *schema.Table
		Changes  []Change
	}
)

func (CreateTable) change()        {}
func (DropTable) change()          {}
func (RenameTable) change()        {}
func (RenameColumn) change()       {}
func (AddColumn) change()          {}
func (DropColumn) change()         {}
func (AlterColumn) change()        {}
func (AddConstraint) change()      {}
func (DropConstraint) change()     {}
func (AlterOptions) change()       {}
func (CreateIndex) change()        {}
func (DropIndex) change()          {}
func (CreateView) change()         {}
func (DropView) change()           {}
func (CreateTrigger) change()      {}
func (DropTrigger) change()        {}
func (CreateObject) change()       {}
func (DropObject) change()         {}
func (AlterObject) change()        {}
func (ReplaceOpaque) change()      {}
func (ReplaceView) change()        {}
func (ValidateConstraint) change() {}
func (RenameConstraint) change()   {}
func (RenameIndex) change()        {}
func (RenameObject) change()       {}
func (RebuildTable) change()       {}
