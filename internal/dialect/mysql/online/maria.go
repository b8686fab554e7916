package online

import (
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/dialect/mysql/catalog"
)

// maria says what one action takes on MariaDB 10.5 to 12, of a table of InnoDB.
func (a Alter) maria(act Action) fact {
	switch act := act.(type) {
	case AddColumn:
		return a.mariaAdd(act)
	case DropColumn:
		return a.mariaDrop(act.Column)
	case ModifyColumn:
		return a.mariaModify(act)
	case RenameColumn, RenameTable:
		return unstatedRename(act, metadata(instant, "only the definition changes"))
	case SetDefault:
		if a.defaultRead(act.Column) {
			return copied("a column is computed from the default")
		}
		return metadata(instant, "only the definition changes")
	case AddKey:
		return a.addKey(act.Key, noCopy)
	case DropKey:
		return a.dropKey(act.Key, noCopy)
	case RenameKey, SetKeyVisibility:
		return metadata(instant, "only the definition of the index changes")
	case AddPrimaryKey, ReplacePrimaryKey:
		if a.partitioned() {
			return copied("a partitioned table gets another primary key by a copy")
		}
		if a.nullablePart(act) && (slices.ContainsFunc(a.table().Columns, stored) || a.indexedVirtual()) {
			return copied("a column of the new primary key is looked through for NULL by a copy")
		}
		return rebuilt("rows are stored in the order of the primary key")
	case DropPrimaryKey:
		return a.dropPrimary()
	case AddForeignKey:
		if a.Unchecked {
			return metadata(instant, "a foreign key that is not checked is only a definition")
		}
		return copied("a foreign key that is checked is added by a copy")
	case DropForeignKey:
		return metadata(instant, "only the definition changes")
	case AddCheck:
		if act.Check.JSON() && a.there(act.Check.Column) {
			return copied("to MariaDB a column with the check of JSON is of another type")
		}
		if act.Check.Column != "" {
			return metadata(instant, "a check that is written with a column is not applied to rows that exist")
		}
		return copied("a check is applied to every row")
	case EnforceCheck:
		return copied("a check is applied to every row")
	case DropCheck:
		if act.Check.JSON() {
			return copied("to MariaDB a column with the check of JSON is of another type")
		}
		return metadata(instant, "only the definition changes")
	case SetTableOption:
		return mariaOption(act.Name)
	case SetCharset:
		return metadata(instant, "only new columns take the default")
	case ConvertCharset:
		return a.convertCharset(act)
	case ChangeEngine:
		return copied("another engine stores rows in another way")
	case ChangePartitions:
		return partitions(act.How, a.Server)
	case AddVersioning:
		return copied("every row gets the time from which it is")
	case DropVersioning:
		return a.withLock(rebuilt("the history goes, and with it two columns"), shared)
	}
	return copied("nothing is known of it")
}

// nullablePart tells whether a column of a new primary key can be NULL before the statement.
func (a Alter) nullablePart(act Action) bool {
	var key *catalog.Key
	switch act := act.(type) {
	case AddPrimaryKey:
		key = act.Key
	case ReplacePrimaryKey:
		key = act.Key
	}
	return key != nil && slices.ContainsFunc(a.table().Columns, func(c *catalog.Column) bool { return !c.NotNull && in(key, c.Name) })
}

// unstatedRename leaves the clauses out of a rename of the table, which has none.
func unstatedRename(act Action, f fact) fact {
	if _, is := act.(RenameTable); is {
		f.unstated = true
	}
	return f
}

func (a Alter) withLock(f fact, l lock) fact {
	f.lock = l
	return f
}

func (a Alter) mariaAdd(act AddColumn) fact {
	c := act.Column
	switch {
	case c.AutoIncrement:
		return a.withLock(rebuilt("every row gets a number"), shared)
	case stored(c):
		return copied("a stored computed column is computed for every row")
	case virtual(c) && a.partitioned():
		return copied("a virtual column is added to a partitioned table by a copy")
	case virtual(c):
		return metadata(instant, "a virtual column is stored nowhere")
	case c.Default != nil && c.Default.Expr != nil && !plainExpr(*c.Default.Expr):
		return copied("the default is computed for every row")
	case a.indexedVirtual():
		return rebuilt("a table with an index on a virtual column cannot be given a column in its metadata")
	case a.compressed():
		return rebuilt("a table with ROW_FORMAT=COMPRESSED cannot be given a column in its metadata")
	case a.survives(catalog.Fulltext):
		return rebuilt("a table with a FULLTEXT index cannot be given a column in its metadata")
	}
	return instantOr(rebuilt("a column is added"), "a column is added in the metadata")
}

// plainExpr tells whether an expression is made of numbers and operators alone, which the server computes once.
func plainExpr(e catalog.Expr) bool {
	return len(e.Columns) == 0 && strings.Trim(e.Text, "0123456789.+-*() ") == "" && !strings.Contains(e.Text, "/")
}

func (a Alter) mariaDrop(c *catalog.Column) fact {
	if f, ok := a.dropsKeyOf(c, noCopy); ok {
		return f
	}
	switch {
	case a.partitioned() && slices.ContainsFunc(a.table().Columns, virtual):
		return copied("a partitioned table with a virtual column loses a column by a copy")
	case virtual(c):
		return metadata(instant, "a virtual column is stored nowhere")
	case a.indexedVirtual():
		return a.dropped(c, "a table with an index on a virtual column cannot lose a column in its metadata")
	case a.compressed():
		return a.dropped(c, "a table with ROW_FORMAT=COMPRESSED cannot lose a column in its metadata")
	case a.survives(catalog.Fulltext):
		return a.dropped(c, "a table with a FULLTEXT index cannot lose a column in its metadata")
	}
	return instantOr(a.dropped(c, "a column is dropped"), "a column is dropped in the metadata")
}

// dropsKeyOf is of a column that is in keys: those of its own go with it, others are built anew without it.
func (a Alter) dropsKeyOf(c *catalog.Column, best algorithm) (fact, bool) {
	keys := a.keysOf(c.Name)
	if len(keys) == 0 {
		return fact{}, false
	}
	for _, k := range keys {
		switch {
		case k == a.clustered() && !a.hasAction(givesPrimary):
			return copied("the key by which rows are stored changes"), true
		case !a.drops(k):
			return a.dropped(c, "an index that holds the column is built anew"), true
		}
	}
	if virtual(c) {
		return fact{algorithm: best, why: "a virtual column and its index go"}, true
	}
	slow := a.dropped(c, "a column is dropped with its index")
	if a.compressed() || a.has(catalog.Fulltext) || a.indexedVirtual() || best != noCopy {
		return slow, true
	}
	return fact{algorithm: best, why: "a column is dropped in the metadata, with its index", slow: &slow}, true
}

// addKey is of both: MariaDB calls what builds an index and leaves the table as it is NOCOPY, MySQL INPLACE.
func (a Alter) addKey(k *catalog.Key, best algorithm) fact {
	f := fact{algorithm: best, scan: true, why: "the index is built while others read and write"}
	switch {
	case k.Kind == catalog.Fulltext && !a.has(catalog.Fulltext) && a.column("FTS_DOC_ID") == nil:
		return fact{algorithm: inPlace, lock: shared, rewrite: true, scan: true, why: "the first FULLTEXT index of a table rebuilds it, to number its rows"}
	case k.Kind == catalog.Fulltext:
		f.lock, f.why = shared, "a FULLTEXT index is built while writes wait"
	case k.Kind == catalog.Spatial:
		f.lock, f.why = shared, "a SPATIAL index is built while writes wait"
	case k.Kind == catalog.Unique && a.clustered() == nil && a.couldCluster(k):
		return rebuilt("rows are stored in the order of the first unique key without NULL, if there is no primary key")
	case functional(k), a.onNewVirtual(k):
		f.lock, f.why = shared, "the index of a new virtual column is built while writes wait"
	}
	return f
}

// onNewVirtual tells whether a key is on a virtual column that the same statement adds.
func (a Alter) onNewVirtual(k *catalog.Key) bool {
	return a.hasAction(func(act Action) bool {
		add, ok := act.(AddColumn)
		return ok && virtual(add.Column) && in(k, add.Column.Name)
	})
}

func (a Alter) dropKey(k *catalog.Key, best algorithm) fact {
	if at := a.clustered(); at != nil && at.Kind == catalog.Unique && strings.EqualFold(at.Name, k.Name) && !a.hasAction(givesPrimary) {
		return copied("rows are stored in the order of this key, since there is no primary key")
	}
	return metadata(best, "an index goes, and no row is read")
}

func (a Alter) dropPrimary() fact {
	if a.hasAction(givesPrimary) {
		return rebuilt("rows are stored in the order of the primary key")
	}
	return copied("a table loses its primary key by a copy")
}

// mariaOption says what an option of a table takes, by its name.
func mariaOption(name string) fact {
	switch name {
	case "COMMENT", "STATS_PERSISTENT", "STATS_AUTO_RECALC", "STATS_SAMPLE_PAGES", "AUTO_INCREMENT", "MAX_ROWS", "MIN_ROWS", "AVG_ROW_LENGTH",
		"CHECKSUM", "PACK_KEYS", "DELAY_KEY_WRITE", "INSERT_METHOD", "PAGE_CHECKSUM", "CONNECTION", "PAGE_COMPRESSION_LEVEL":
		return metadata(instant, "only the definition changes")
	case "ROW_FORMAT", "KEY_BLOCK_SIZE", "PAGE_COMPRESSED", "ENCRYPTED", "ENGINE":
		return rebuilt("rows are stored in another way")
	}
	return copied("nothing is known of the option " + name)
}

// convertCharset is the worst of what each column takes.
func (a Alter) convertCharset(act ConvertCharset) fact {
	f := metadata(instant, "no column's text changes")
	if !a.Server.MariaDB {
		f = rebuilt("the manual names a rebuild") // "Converting a character set"
	}
	for _, to := range act.To.Columns {
		for _, from := range a.table().Columns {
			if strings.EqualFold(from.Name, to.Name) && (from.Type.Charset != to.Type.Charset || from.Type.Collation != to.Type.Collation || from.Type.Base != to.Type.Base) {
				f = f.worse(a.fact(ModifyColumn{From: from, To: to}))
			}
		}
	}
	return f
}

// partitions says what a clause about partitions takes: manual 17.12.1, "Partitioning Operations". None of MariaDB's takes ALGORITHM or
// LOCK, and of MySQL 5.7 only their defaults; there the cautious reading is that a copy keeps writes waiting.
func partitions(how PartitionChange, on interface{ MySQL(int, int, int) bool }) fact {
	var f fact
	switch how {
	case AddPartition:
		f = fact{algorithm: inPlace, why: "a new partition is empty, and the others stay as they are"}
	case DropPartition, Truncate:
		f = fact{algorithm: inPlace, why: "the partition's rows go at once, and the others stay as they are"}
	case AddHash, Coalesce:
		f = fact{algorithm: inPlace, lock: shared, rewrite: true, scan: true, why: "rows are spread over the partitions anew"}
	case Reorganize:
		f = fact{algorithm: inPlace, lock: shared, rewrite: true, scan: true, why: "the rows of the partitions that change are written again"}
	default:
		f = copied("every row moves to where it belongs")
	}
	f.unstated = !on.MySQL(8, 0, 0) || f.algorithm == byCopy
	return f
}
