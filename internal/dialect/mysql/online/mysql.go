package online

import (
	"slices"

	"github.com/altergate/altergate/internal/dialect/mysql/catalog"
)

// mysql says what one action takes on MySQL 5.7 to 9, of a table of InnoDB.
func (a Alter) mysql(act Action) fact {
	switch act := act.(type) {
	case AddColumn:
		return a.mysqlAdd(act)
	case DropColumn:
		return a.mysqlDrop(act.Column)
	case ModifyColumn:
		return a.mysqlModify(act)
	case RenameColumn:
		return a.mysqlRename(act)
	case SetDefault:
		if a.defaultRead(act.Column) {
			return copied("a column is computed from the default")
		}
		return metadata(a.since(8, 0, 12), "only the definition changes")
	case RenameTable:
		return unstatedRename(act, metadata(a.since(8, 0, 12), "only the definition changes"))
	case AddKey:
		return a.addKey(act.Key, inPlace)
	case DropKey:
		return a.dropKey(act.Key, inPlace)
	case RenameKey, SetKeyVisibility:
		return metadata(inPlace, "only the definition of the index changes")
	case AddPrimaryKey:
		return a.mysqlPrimary(act.Key)
	case ReplacePrimaryKey:
		return a.mysqlPrimary(act.Key)
	case DropPrimaryKey:
		return a.dropPrimary()
	case AddForeignKey:
		if a.Unchecked {
			return metadata(inPlace, "a foreign key that is not checked is only a definition")
		}
		return copied("a foreign key that is checked is added by a copy")
	case DropForeignKey:
		return metadata(inPlace, "only the definition changes")
	case AddCheck:
		return mysqlCheck(act.Check)
	case EnforceCheck:
		return mysqlCheck(act.Check)
	case DropCheck:
		return metadata(inPlace, "only the definition changes")
	case SetTableOption:
		return mysqlOption(act.Name)
	case SetCharset:
		return rebuilt("the manual names a rebuild where the character set is another")
	case ConvertCharset:
		return a.convertCharset(act)
	case ChangeEngine:
		return copied("another engine stores rows in another way")
	case ChangePartitions:
		return partitions(act.How, a.Server)
	}
	return copied("nothing is known of it")
}

// since is INSTANT from a version on, and INPLACE before.
func (a Alter) since(major, minor, patch int) algorithm {
	if a.Server.MySQL(major, minor, patch) {
		return instant
	}
	return inPlace
}

func (a Alter) mysqlAdd(act AddColumn) fact {
	c := act.Column
	slow := rebuilt("a column is added")
	switch {
	case c.AutoIncrement:
		return a.withLock(rebuilt("every row gets a number"), shared)
	case stored(c):
		return copied("a stored computed column is computed for every row")
	case virtual(c) && a.partitioned():
		return copied("a virtual column is added to a partitioned table by a copy")
	case virtual(c) && c.NotNull:
		return copied("whether a computed value is NULL is looked up in every row")
	case virtual(c) && !act.Last && slices.ContainsFunc(a.table().Columns, virtual):
		return copied("a virtual column is put among others by a copy")
	case virtual(c):
		return metadata(a.since(8, 0, 12), "a virtual column is stored nowhere")
	case c.Default != nil && c.Default.Expr != nil:
		return copied("the default is computed for every row")
	case a.compressed():
		slow.why = "a table with ROW_FORMAT=COMPRESSED cannot be given a column in its metadata"
		return slow
	case a.has(catalog.Fulltext):
		slow.why = "a table with a FULLTEXT index cannot be given a column in its metadata"
		return slow
	case a.Server.MySQL(8, 0, 29), a.Server.MySQL(8, 0, 12) && act.Last:
		return instantOr(slow, "a column is added in the metadata")
	case a.Server.MySQL(8, 0, 12):
		slow.why = "before 8.0.29 only a last column is added in the metadata"
	}
	return slow
}

func (a Alter) mysqlDrop(c *catalog.Column) fact {
	if f, ok := a.dropsKeyOf(c, inPlace); ok {
		return f
	}
	slow := a.dropped(c, "a column is dropped")
	switch {
	case virtual(c) && a.partitioned():
		return copied("a virtual column is dropped from a partitioned table by a copy")
	case virtual(c):
		return metadata(a.since(8, 0, 12), "a virtual column is stored nowhere")
	case stored(c), a.compressed(), a.has(catalog.Fulltext):
		return slow
	case a.Server.MySQL(8, 0, 29):
		return instantOr(slow, "a column is dropped in the metadata")
	}
	return slow
}

// mysqlRename: INSTANT since 8.0.28, but not for a column that another table's foreign key names, nor for a computed one.
func (a Alter) mysqlRename(act RenameColumn) fact {
	switch {
	case act.Column.Generated != nil:
		return copied("a computed column is renamed by a copy")
	case act.Referenced:
		return metadata(inPlace, "only definitions change, here and in the tables that reference the column")
	}
	return metadata(a.since(8, 0, 28), "only the definition changes")
}

// mysqlPrimary: a column that could be NULL until now is only looked through in place where sql_mode is strict.
func (a Alter) mysqlPrimary(k *catalog.Key) fact {
	for _, p := range k.Parts {
		if c := a.column(p.Column); a.Loose && (c == nil || !c.NotNull) {
			return copied("a column of the primary key could be NULL, and sql_mode is not strict")
		}
	}
	return rebuilt("rows are stored in the order of the primary key")
}

func mysqlCheck(c *catalog.Check) fact {
	if c.NotEnforced {
		return metadata(inPlace, "a check that is not enforced is only a definition")
	}
	return copied("a check is applied to every row")
}

// mysqlOption says what an option of a table takes, by its name: manual 17.12.1, "Table Operations" and "Tablespace Operations".
func mysqlOption(name string) fact {
	switch name {
	case "COMMENT", "STATS_PERSISTENT", "STATS_AUTO_RECALC", "STATS_SAMPLE_PAGES", "AUTO_INCREMENT", "COMPRESSION":
		return metadata(inPlace, "only the definition changes")
	case "ROW_FORMAT", "KEY_BLOCK_SIZE", "ENGINE":
		return rebuilt("rows are stored in another way")
	case "TABLESPACE":
		return fact{algorithm: inPlace, lock: shared, rewrite: true, scan: true, why: "rows move to another tablespace"}
	}
	return copied("the manual names no other way for the option " + name)
}
