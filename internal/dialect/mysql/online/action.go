package online

import "github.com/altergate/altergate/internal/dialect/mysql/catalog"

// Action is one clause of an ALTER TABLE. The set is closed: the types below are all there are.
type Action interface{ action() }

type (
	// AddColumn adds a column; Last tells that it comes after all others, and Shifts that it comes before a virtual one that is there.
	AddColumn struct {
		Column       *catalog.Column
		Last, Shifts bool
	}
	// DropColumn removes one. The server takes it out of its keys, too: they need no action of their own.
	DropColumn struct{ Column *catalog.Column }
	// ModifyColumn states another definition; Moved tells that it gets another place, and Shifts that it passes a virtual column on its way.
	// A new name is a RenameColumn beside it.
	ModifyColumn struct {
		From, To      *catalog.Column
		Moved, Shifts bool
	}
	// RenameColumn gives a column another name, and changes nothing else; Referenced tells that another table's foreign key names it.
	RenameColumn struct {
		Column     *catalog.Column
		Referenced bool
	}
	// SetDefault sets or drops a default by ALTER COLUMN.
	SetDefault struct{ Column *catalog.Column }

	// AddKey builds a key that is not the primary one. A foreign key that brings a key along is two actions.
	AddKey struct{ Key *catalog.Key }
	// DropKey removes one.
	DropKey struct{ Key *catalog.Key }
	// RenameKey gives one another name.
	RenameKey struct{ Key *catalog.Key }
	// SetKeyVisibility makes one INVISIBLE or VISIBLE, IGNORED or NOT IGNORED.
	SetKeyVisibility struct{ Key *catalog.Key }
	// AddPrimaryKey makes a primary key where there was none.
	AddPrimaryKey struct{ Key *catalog.Key }
	// DropPrimaryKey removes it.
	DropPrimaryKey struct{}
	// ReplacePrimaryKey does both in one statement.
	ReplacePrimaryKey struct{ Key *catalog.Key }

	// AddForeignKey adds a foreign key.
	AddForeignKey struct{ Key *catalog.ForeignKey }
	// DropForeignKey removes one.
	DropForeignKey struct{ Key *catalog.ForeignKey }
	// AddCheck adds a check. One with a Column is written with it: of a new column, or by MODIFY, which is MariaDB's only.
	AddCheck struct{ Check *catalog.Check }
	// DropCheck removes one.
	DropCheck struct{ Check *catalog.Check }
	// EnforceCheck makes a check ENFORCED, or no longer; Check is as it shall be.
	EnforceCheck struct{ Check *catalog.Check }

	// SetTableOption sets an option by its name in upper case: COMMENT, ROW_FORMAT, KEY_BLOCK_SIZE, STATS_PERSISTENT, AUTO_INCREMENT, ….
	SetTableOption struct{ Name string }
	// SetCharset changes what new columns inherit, and no column.
	SetCharset struct{}
	// ConvertCharset is CONVERT TO CHARACTER SET; To is the table with its columns as they shall be.
	ConvertCharset struct{ To *catalog.Table }
	// ChangeEngine moves the table to another engine.
	ChangeEngine struct{ To string }
	// RenameTable gives the table another name.
	RenameTable struct{}
	// ChangePartitions is a clause about partitions. It stands alone in its statement.
	ChangePartitions struct{ How PartitionChange }
	// AddVersioning begins to keep the history of rows (MariaDB).
	AddVersioning struct{}
	// DropVersioning ends it, and deletes the history.
	DropVersioning struct{}
)

// PartitionChange is what happens to a table's partitions.
type PartitionChange string

// The changes of partitions. AddHash and Coalesce are those of HASH and KEY, where rows move among all partitions.
const (
	PartitionBy      PartitionChange = "PARTITION BY"
	RemovePartitions PartitionChange = "REMOVE PARTITIONING"
	AddPartition     PartitionChange = "ADD PARTITION"
	AddHash          PartitionChange = "ADD PARTITION of a hash"
	Coalesce         PartitionChange = "COALESCE PARTITION"
	Reorganize       PartitionChange = "REORGANIZE PARTITION"
	DropPartition    PartitionChange = "DROP PARTITION"
	Truncate         PartitionChange = "TRUNCATE PARTITION"
)

func (AddColumn) action()         {}
func (DropColumn) action()        {}
func (ModifyColumn) action()      {}
func (RenameColumn) action()      {}
func (SetDefault) action()        {}
func (AddKey) action()            {}
func (DropKey) action()           {}
func (RenameKey) action()         {}
func (SetKeyVisibility) action()  {}
func (AddPrimaryKey) action()     {}
func (DropPrimaryKey) action()    {}
func (ReplacePrimaryKey) action() {}
func (AddForeignKey) action()     {}
func (DropForeignKey) action()    {}
func (AddCheck) action()          {}
func (DropCheck) action()         {}
func (EnforceCheck) action()      {}
func (SetTableOption) action()    {}
func (SetCharset) action()        {}
func (ConvertCharset) action()    {}
func (ChangeEngine) action()      {}
func (RenameTable) action()       {}
func (ChangePartitions) action()  {}
func (AddVersioning) action()     {}
func (DropVersioning) action()    {}
