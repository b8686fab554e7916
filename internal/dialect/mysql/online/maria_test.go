package online_test

import (
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/altergate/altergate/internal/dialect/mysql/catalog"
	"github.com/altergate/altergate/internal/dialect/mysql/mysqltest"
	"github.com/altergate/altergate/internal/dialect/mysql/online"
)

// act makes an action of a table before and after a statement.
type act func(before, after *catalog.Table) online.Action

func add(name string) act {
	return func(before, after *catalog.Table) online.Action {
		c := columnOf(after, name)
		return online.AddColumn{Column: c, Last: c == after.Columns[len(after.Columns)-1], Shifts: passes(before, after, name)}
	}
}
func drop(name string) act {
	return func(before, _ *catalog.Table) online.Action { return online.DropColumn{Column: columnOf(before, name)} }
}
func modify(name string) act {
	return func(before, after *catalog.Table) online.Action {
		return online.ModifyColumn{From: columnOf(before, name), To: columnOf(after, name)}
	}
}
func move(name string) act {
	return func(before, after *catalog.Table) online.Action {
		return online.ModifyColumn{From: columnOf(before, name), To: columnOf(after, name), Moved: true, Shifts: passes(before, after, name)}
	}
}

// passes tells whether a column comes to stand before a virtual one that it did not stand before.
func passes(before, after *catalog.Table, name string) bool {
	at := func(t *catalog.Table, name string) int {
		i := slices.IndexFunc(t.Columns, func(c *catalog.Column) bool { return c.Name == name })
		if i < 0 {
			return len(t.Columns)
		}
		return i
	}
	return slices.ContainsFunc(before.Columns, func(c *catalog.Column) bool {
		return c.Name != name && c.Generated != nil && !c.Generated.Stored && (at(before, name) < at(before, c.Name)) != (at(after, name) < at(after, c.Name))
	})
}
func rename(name string) act {
	return func(before, _ *catalog.Table) online.Action {
		return online.RenameColumn{Column: columnOf(before, name)}
	}
}
func setDefault(name string) act {
	return func(_, after *catalog.Table) online.Action {
		return online.SetDefault{Column: columnOf(after, name)}
	}
}
func addKey(name string) act {
	return func(_, after *catalog.Table) online.Action { return online.AddKey{Key: keyOf(after, name)} }
}
func dropKey(name string) act {
	return func(before, _ *catalog.Table) online.Action { return online.DropKey{Key: keyOf(before, name)} }
}
func addPrimary(_, after *catalog.Table) online.Action {
	return online.AddPrimaryKey{Key: keyOf(after, "PRIMARY")}
}
func replacePrimary(_, after *catalog.Table) online.Action {
	return online.ReplacePrimaryKey{Key: keyOf(after, "PRIMARY")}
}
func convert(_, after *catalog.Table) online.Action { return online.ConvertCharset{To: after} }
func is(a online.Action) act                        { return func(_, _ *catalog.Table) online.Action { return a } }

var (
	foreign  = is(online.AddForeignKey{Key: &catalog.ForeignKey{}})
	gone     = is(online.DropForeignKey{Key: &catalog.ForeignKey{}})
	check    = is(online.AddCheck{Check: &catalog.Check{}})
	inline   = is(online.AddCheck{Check: &catalog.Check{Column: "a"}})
	uncheck  = is(online.DropCheck{Check: &catalog.Check{}})
	setting  = func(name string) act { return is(online.SetTableOption{Name: name}) }
	settings = func(a online.Action) []act { return []act{is(a)} }
)

// measurement is a statement with what MariaDB takes for it.
type measurement struct {
	base, clause string // columns, and behind a bar the options of the table
	actions      []act
	want         string // algorithm and lock
	set          string // before the statement
	cautious     bool   // the server could do better, and is not asked to
}

// measured are statements with what MariaDB takes for them. The server says it (TestMariaTakesWhatIsSaid), and this package (TestMaria).
var measured = []measurement{
	{"id int primary key, a varchar(10)", "ADD b int", []act{add("b")}, "INSTANT NONE", "", false},
	{"id int primary key, a varchar(10)", "ADD b int FIRST", []act{add("b")}, "INSTANT NONE", "", false},
	{"id int primary key, a varchar(10)", "ADD b int NOT NULL DEFAULT 3", []act{add("b")}, "INSTANT NONE", "", false},
	{"id int primary key, a varchar(10)", "ADD b int DEFAULT (1 + 2)", []act{add("b")}, "INSTANT NONE", "", false},
	{"id int primary key, a varchar(10)", "ADD b varchar(9) DEFAULT (concat('a', 'b'))", []act{add("b")}, "COPY SHARED", "", true},
	{"id int primary key, a varchar(10)", "ADD b int DEFAULT (id + 3)", []act{add("b")}, "COPY SHARED", "", false},
	{"id int primary key, a varchar(10)", "ADD b varchar(40) DEFAULT (uuid())", []act{add("b")}, "COPY SHARED", "", false},
	{"id int primary key, a varchar(10)", "ADD b datetime DEFAULT now()", []act{add("b")}, "INSTANT NONE", "", false},
	{"id int primary key, a varchar(10)", "ADD b timestamp NOT NULL DEFAULT now() ON UPDATE now()", []act{add("b")}, "INSTANT NONE", "", false},
	{"id int primary key, a varchar(10)", "ADD b blob NOT NULL", []act{add("b")}, "INSTANT NONE", "", false},
	{"id int primary key, a varchar(10)", "ADD b int CHECK (b > 0)", []act{add("b"), inline}, "INSTANT NONE", "", false},
	{"id int primary key, a varchar(10)", "ADD b int INVISIBLE", []act{add("b")}, "INSTANT NONE", "", false},
	{"a varchar(10)", "ADD id int NOT NULL AUTO_INCREMENT PRIMARY KEY", []act{add("id"), addPrimary}, "INPLACE SHARED", "", false},
	{"id int primary key, a varchar(10)", "ADD b int AS (id + 1) VIRTUAL", []act{add("b")}, "INSTANT NONE", "", false},
	{"id int primary key, a varchar(10)", "ADD b int AS (id + 1) VIRTUAL FIRST", []act{add("b")}, "INSTANT NONE", "", false},
	{"id int primary key, a varchar(10)", "ADD b int AS (id + 1) STORED", []act{add("b")}, "COPY SHARED", "", false},
	{"id int primary key, a varchar(10)", "ADD b int AS (id + 1) VIRTUAL, ADD c int", []act{add("b"), add("c")}, "COPY SHARED", "", false},
	{"id int primary key, a varchar(10)", "ADD b int AS (id + 1), ADD c int AS (id + 2)", []act{add("b"), add("c")}, "INSTANT NONE", "", false},
	{"id int primary key, a int, b int", "ADD v int AS (a + 1), RENAME COLUMN b TO c", []act{add("v"), rename("b")}, "COPY SHARED", "", false},
	{"id int primary key, a int, b int", "ADD v int AS (a + 1), ALTER b SET DEFAULT 3", []act{add("v"), is(online.SetDefault{})}, "COPY SHARED", "", false},
	{"id int primary key, a int, b int", "ADD v int AS (a + 1), DROP b", []act{add("v"), drop("b")}, "COPY SHARED", "", true},
	{"id int primary key, a int, b int, KEY k (b)", "ADD v int AS (a + 1), DROP KEY k", []act{add("v"), dropKey("k")}, "NOCOPY NONE", "", false},
	{"id int primary key, a int", "ADD v int AS (a + 1), ADD KEY k (v)", []act{add("v"), addKey("k")}, "NOCOPY SHARED", "", false},
	{"id int primary key, a int", "ADD v int AS (a + 1) UNIQUE", []act{add("v"), addKey("v")}, "COPY SHARED", "", false},
	{"id int primary key, v int AS (id + 1), a int", "ADD b int", []act{add("b")}, "INSTANT NONE", "", false},
	{"id int primary key, v int AS (id + 1), a int", "ADD b int AFTER v", []act{add("b")}, "INSTANT NONE", "", false},
	{"id int primary key, v int AS (id + 1), a int", "ADD b int FIRST", []act{add("b")}, "COPY SHARED", "", false},
	{"id int primary key, v int AS (id + 1), a int", "ADD w int AS (id + 2) AFTER id", []act{add("w")}, "COPY SHARED", "", false},
	{"id int primary key, s int AS (id + 1) STORED", "ADD b int FIRST", []act{add("b")}, "INSTANT NONE", "", false},
	{"id int primary key, a int, v int AS (id + 1)", "DROP a", []act{drop("a")}, "INSTANT NONE", "", false},
	{"id int primary key, a varchar(10)", "ADD b int UNIQUE", []act{add("b"), addKey("b")}, "INPLACE NONE", "", false},
	{"id int primary key, a varchar(10)", "ADD b int, ADD KEY k (a)", []act{add("b"), addKey("k")}, "INPLACE NONE", "", false},
	{"id int primary key, a int", "ADD b int, DROP a", []act{add("b"), drop("a")}, "INSTANT NONE", "", false},
	{"id int primary key, a int", "RENAME COLUMN a TO b, ADD c int", []act{rename("a"), add("c")}, "INSTANT NONE", "", false},
	{"id int primary key, a varchar(10) | ROW_FORMAT=COMPRESSED", "ADD b int", []act{add("b")}, "INPLACE NONE", "", false},
	{"id int primary key, a varchar(10) | ROW_FORMAT=REDUNDANT", "ADD b int", []act{add("b")}, "INSTANT NONE", "", false},
	{"id int primary key, a varchar(10) | ROW_FORMAT=COMPRESSED", "ADD b int AS (id + 1)", []act{add("b")}, "INSTANT NONE", "", false},
	{"id int primary key, a varchar(10), FULLTEXT (a)", "ADD b int", []act{add("b")}, "INPLACE SHARED", "", false},
	{"id int primary key, g point NOT NULL DEFAULT (point(1, 1)), SPATIAL (g)", "ADD b int", []act{add("b")}, "INSTANT NONE", "", false},
	{"id int primary key, a int) PARTITION BY HASH (id | PARTITIONS 2", "ADD b int", []act{add("b")}, "INSTANT NONE", "", false},
	{"id int primary key, a int) PARTITION BY HASH (id | PARTITIONS 2", "ADD b int AS (a + 1)", []act{add("b")}, "COPY SHARED", "", false},
	{"id int primary key, a int, v int AS (a + 1)) PARTITION BY HASH (id | PARTITIONS 2", "DROP v", []act{drop("v")}, "COPY SHARED", "", false},
	{"id int primary key, b int, v int AS (id + 1)) PARTITION BY HASH (id | PARTITIONS 2", "DROP b", []act{drop("b")}, "COPY SHARED", "", false},
	{"id int primary key, b int) PARTITION BY HASH (id | PARTITIONS 2", "DROP b", []act{drop("b")}, "INSTANT NONE", "", false},
	{"id int primary key, a json", "MODIFY a json COMMENT 'x'", []act{modify("a")}, "INSTANT NONE", "", false},
	{"id int primary key, a longtext COLLATE utf8mb4_bin CHECK (json_valid(a))", "MODIFY a json COMMENT 'x'", []act{modify("a")}, "INSTANT NONE", "", false},
	{"id int primary key, a json", "MODIFY a longtext COLLATE utf8mb4_bin", []act{modify("a"), is(online.DropCheck{Check: &catalog.Check{Column: "a", Expr: catalog.Expr{Canon: "json_valid(`a`)"}}})}, "COPY SHARED", "", false},
	{"id int primary key, a varchar(10) | ENGINE=MyISAM", "ADD b int", []act{add("b")}, "COPY SHARED", "", false},
	{"id int primary key, a varchar(10) | ENGINE=Aria", "ADD b int", []act{add("b")}, "COPY SHARED", "", false},

	{"id int primary key, a varchar(10)", "DROP a", []act{drop("a")}, "INSTANT NONE", "", false},
	{"id int primary key, a int, v int AS (id + 1)", "DROP v", []act{drop("v")}, "INSTANT NONE", "", false},
	{"id int primary key, a int, v int AS (id + 1) STORED", "DROP v", []act{drop("v")}, "INSTANT NONE", "", false},
	{"id int primary key, a int, v int AS (id + 1), KEY k (v)", "DROP v", []act{drop("v")}, "NOCOPY NONE", "", false},
	{"id int primary key, a varchar(10), KEY k (a)", "DROP a", []act{drop("a")}, "NOCOPY NONE", "", false},
	{"id int primary key, a varchar(10), b int, KEY k (a, b)", "DROP a", []act{drop("a")}, "INPLACE NONE", "", false},
	{"id int primary key, a varchar(10) | ROW_FORMAT=COMPRESSED", "DROP a", []act{drop("a")}, "INPLACE NONE", "", false},
	{"id int primary key, a varchar(10), b int, FULLTEXT (a)", "DROP b", []act{drop("b")}, "INPLACE SHARED", "", false},
	{"id int primary key, a varchar(10), b int, FULLTEXT (a)", "DROP a", []act{drop("a")}, "INPLACE NONE", "", false},

	{"id int primary key, a varchar(10)", "RENAME COLUMN a TO b", []act{rename("a")}, "INSTANT NONE", "", false},
	{"id int primary key, a int, v int AS (a + 1)", "RENAME COLUMN v TO w", []act{rename("v")}, "INSTANT NONE", "", false},
	{"id int primary key, a varchar(10) | ENGINE=MyISAM", "RENAME COLUMN a TO b", []act{rename("a")}, "INSTANT NONE", "", false},
	{"id int primary key, a int, b int", "MODIFY b int AFTER id", []act{move("b")}, "INSTANT NONE", "", false},
	{"id int primary key, a int, b int DEFAULT 1", "MODIFY b int NOT NULL AFTER id", []act{move("b")}, "INPLACE NONE", "", false},
	{"id int primary key, a int, b int | ROW_FORMAT=COMPRESSED", "MODIFY b int AFTER id", []act{move("b")}, "INPLACE NONE", "", false},
	{"id int primary key, a int, b int, v int AS (a + 1)", "MODIFY b int AFTER id", []act{move("b")}, "INSTANT NONE", "", false},
	{"id int primary key, a int, v int AS (a + 1)", "MODIFY a int AFTER v", []act{move("a")}, "COPY SHARED", "", false},
	{"id int primary key, a text, b int, FULLTEXT (a)", "MODIFY b int AFTER id", []act{move("b")}, "INPLACE SHARED", "", false},
	{"id int primary key, a int, v int AS (a + 1), b int", "MODIFY v int AS (a + 1) FIRST", []act{move("v")}, "COPY SHARED", "", false},
	{"id int primary key, a int, b int", "MODIFY b int AFTER id, ADD KEY k (a)", []act{move("b"), addKey("k")}, "INPLACE NONE", "", false},

	{"id int primary key, a int", "ALTER a SET DEFAULT 4", []act{is(online.SetDefault{})}, "INSTANT NONE", "", false},
	{"id int primary key, a int", "MODIFY a int DEFAULT 4", []act{modify("a")}, "INSTANT NONE", "", false},
	{"id int primary key, a int", "MODIFY a int COMMENT 'x'", []act{modify("a")}, "INSTANT NONE", "", false},
	{"id int primary key, a int", "MODIFY a int INVISIBLE", []act{modify("a")}, "INSTANT NONE", "", false},
	{"id int primary key, a int | ENGINE=MyISAM", "MODIFY a int COMMENT 'x'", []act{modify("a")}, "INSTANT NONE", "", false},
	{"id int primary key, a int", "MODIFY a bigint", []act{modify("a")}, "COPY SHARED", "", false},
	{"id int primary key, a int", "MODIFY a int unsigned", []act{modify("a")}, "COPY SHARED", "", false},
	{"id int primary key, a int unsigned", "MODIFY a int(7) unsigned zerofill", []act{modify("a")}, "INSTANT NONE", "", false},
	{"id int primary key, a tinyint", "MODIFY a tinyint(1)", []act{modify("a")}, "INSTANT NONE", "", false},
	{"id int primary key, a float", "MODIFY a float(7,2)", []act{modify("a")}, "COPY SHARED", "", true},
	{"id int primary key, a double(9,3)", "MODIFY a double", []act{modify("a")}, "INSTANT NONE", "", false},
	{"id int primary key, a float", "MODIFY a double", []act{modify("a")}, "COPY SHARED", "", false},
	{"id int primary key, a decimal(10,2)", "MODIFY a decimal(11,2)", []act{modify("a")}, "COPY SHARED", "", false},
	{"id int primary key, a datetime(1)", "MODIFY a datetime(2)", []act{modify("a")}, "COPY SHARED", "", false},
	{"id int primary key, a timestamp NULL", "MODIFY a datetime", []act{modify("a")}, "COPY SHARED", "", false},
	{"id int primary key, a bit(3)", "MODIFY a bit(5)", []act{modify("a")}, "COPY SHARED", "", false},
	{"id int primary key, a varchar(10)", "MODIFY a varchar(60)", []act{modify("a")}, "INSTANT NONE", "", false},
	{"id int primary key, a varchar(10), KEY (a)", "MODIFY a varchar(60)", []act{modify("a")}, "INSTANT NONE", "", false},
	{"id int primary key, a varchar(60)", "MODIFY a varchar(70)", []act{modify("a")}, "COPY SHARED", "", false},
	{"id int primary key, a varchar(70)", "MODIFY a varchar(100)", []act{modify("a")}, "INSTANT NONE", "", false},
	{"id int primary key, a varchar(60) | ROW_FORMAT=REDUNDANT", "MODIFY a varchar(70)", []act{modify("a")}, "INSTANT NONE", "", false},
	{"id int primary key, a varchar(127) | CHARSET=latin1", "MODIFY a varchar(256)", []act{modify("a")}, "INSTANT NONE", "", false},
	{"id int primary key, a varchar(128) | CHARSET=latin1", "MODIFY a varchar(256)", []act{modify("a")}, "COPY SHARED", "", false},
	{"id int primary key, a varchar(60)", "MODIFY a varchar(10)", []act{modify("a")}, "COPY SHARED", "", false},
	{"id int primary key, a varbinary(128)", "MODIFY a varbinary(255)", []act{modify("a")}, "INSTANT NONE", "", false},
	{"id int primary key, a varbinary(128)", "MODIFY a varbinary(256)", []act{modify("a")}, "COPY SHARED", "", false},
	{"id int primary key, a binary(10)", "MODIFY a binary(20)", []act{modify("a")}, "COPY SHARED", "", false},
	{"id int primary key, a char(10)", "MODIFY a char(20)", []act{modify("a")}, "COPY SHARED", "", false},
	{"id int primary key, a char(10)", "MODIFY a varchar(10)", []act{modify("a")}, "COPY SHARED", "", false},
	{"id int primary key, a varchar(300)", "MODIFY a text", []act{modify("a")}, "COPY SHARED", "", false},
	{"id int primary key, a text", "MODIFY a mediumtext", []act{modify("a")}, "COPY SHARED", "", false},
	{"id int primary key, a varchar(10) CHARSET utf8mb3", "MODIFY a varchar(10) CHARSET utf8mb4", []act{modify("a")}, "INSTANT NONE", "", false},
	{"id int primary key, a varchar(10) CHARSET utf8mb3, UNIQUE (a)", "MODIFY a varchar(10) CHARSET utf8mb4", []act{modify("a")}, "INSTANT NONE", "", false},
	{"a varchar(10) CHARSET utf8mb3 primary key", "MODIFY a varchar(10) CHARSET utf8mb4", []act{modify("a")}, "INSTANT NONE", "", false},
	{"id int primary key, a varchar(10) CHARSET utf8mb3, KEY (a)", "MODIFY a varchar(10) CHARSET utf8mb4 COLLATE utf8mb4_bin", []act{modify("a")}, "NOCOPY NONE", "", false},
	{"id int primary key, a varchar(70) CHARSET utf8mb3", "MODIFY a varchar(70) CHARSET utf8mb4", []act{modify("a")}, "COPY SHARED", "", true},
	{"id int primary key, a varchar(70) CHARSET utf8mb3", "MODIFY a varchar(80) CHARSET utf8mb4", []act{modify("a")}, "COPY SHARED", "", true},
	{"id int primary key, a char(10) CHARSET utf8mb3", "MODIFY a char(10) CHARSET utf8mb4", []act{modify("a")}, "INSTANT NONE", "", false},
	{"id int primary key, a text CHARSET utf8mb3", "MODIFY a text CHARSET utf8mb4", []act{modify("a")}, "INSTANT NONE", "", false},
	{"id int primary key, a text CHARSET utf8mb3, KEY (a(3))", "MODIFY a text CHARSET utf8mb4", []act{modify("a")}, "COPY SHARED", "", false},
	{"id int primary key, a varchar(10) CHARSET utf8mb3, KEY (a(3))", "MODIFY a varchar(10) CHARSET utf8mb4", []act{modify("a")}, "COPY SHARED", "", false},
	{"id int primary key, a varchar(10) CHARSET ascii", "MODIFY a varchar(10) CHARSET utf8mb4", []act{modify("a")}, "COPY SHARED", "", false},
	{"id int primary key, a varchar(10) CHARSET latin1", "MODIFY a varchar(10) CHARSET utf8mb4", []act{modify("a")}, "COPY SHARED", "", false},
	{"id int primary key, a varchar(10)", "MODIFY a varchar(10) COLLATE utf8mb4_bin", []act{modify("a")}, "INSTANT NONE", "", false},
	{"id int primary key, a varchar(10), KEY (a)", "MODIFY a varchar(10) COLLATE utf8mb4_bin", []act{modify("a")}, "NOCOPY NONE", "", false},
	{"id int primary key, a varchar(10), FULLTEXT (a)", "MODIFY a varchar(10) COLLATE utf8mb4_bin", []act{modify("a")}, "NOCOPY SHARED", "", false},
	{"a varchar(10) primary key", "MODIFY a varchar(10) COLLATE utf8mb4_bin", []act{modify("a")}, "COPY SHARED", "", false},
	{"a varchar(10) NOT NULL UNIQUE", "MODIFY a varchar(10) NOT NULL COLLATE utf8mb4_bin", []act{modify("a")}, "COPY SHARED", "", false},
	{"id int primary key, a varchar(10)", "CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_bin", []act{convert}, "INSTANT NONE", "", false},
	{"id int primary key, a varchar(10) | CHARSET=utf8mb3", "CONVERT TO CHARACTER SET utf8mb4", []act{convert}, "INSTANT NONE", "", false},
	{"id int primary key, a varchar(10) | CHARSET=latin1", "CONVERT TO CHARACTER SET utf8mb4", []act{convert}, "COPY SHARED", "", false},
	{"id int primary key | CHARSET=latin1", "CONVERT TO CHARACTER SET utf8mb4", []act{convert}, "INSTANT NONE", "", false},
	{"id int primary key, a varchar(10) | CHARSET=latin1", "DEFAULT CHARACTER SET utf8mb4", settings(online.SetCharset{}), "INSTANT NONE", "", false},
	{"id int primary key, e enum('a','b'), KEY (e)", "MODIFY e enum('a','b','c')", []act{modify("e")}, "INSTANT NONE", "", false},
	{"id int primary key, e enum('a','b')", "MODIFY e enum('a','x','b')", []act{modify("e")}, "COPY SHARED", "", false},
	{"id int primary key, e enum('a','b')", "MODIFY e enum('a','c')", []act{modify("e")}, "COPY SHARED", "", false},
	{"id int primary key, e enum('a','b')", "MODIFY e enum('a','b') COLLATE utf8mb4_bin", []act{modify("e")}, "COPY SHARED", "", false},
	{"id int primary key, e enum(" + numbers(255) + ")", "MODIFY e enum(" + numbers(256) + ")", []act{modify("e")}, "COPY SHARED", "", false},
	{"id int primary key, e enum(" + numbers(254) + ")", "MODIFY e enum(" + numbers(255) + ")", []act{modify("e")}, "INSTANT NONE", "", false},
	{"id int primary key, e set(" + numbers(7) + ")", "MODIFY e set(" + numbers(8) + ")", []act{modify("e")}, "INSTANT NONE", "", false},
	{"id int primary key, e set(" + numbers(8) + ")", "MODIFY e set(" + numbers(9) + ")", []act{modify("e")}, "COPY SHARED", "", false},
	{"id int primary key, e set(" + numbers(16) + ")", "MODIFY e set(" + numbers(17) + ")", []act{modify("e")}, "COPY SHARED", "", false},
	{"id int primary key, e set(" + numbers(24) + ")", "MODIFY e set(" + numbers(25) + ")", []act{modify("e")}, "COPY SHARED", "", false},
	{"id int primary key, e set(" + numbers(32) + ")", "MODIFY e set(" + numbers(33) + ")", []act{modify("e")}, "COPY SHARED", "", false},
	{"id int primary key, e set(" + numbers(33) + ")", "MODIFY e set(" + numbers(64) + ")", []act{modify("e")}, "INSTANT NONE", "", false},
	{"id int primary key, a int NOT NULL, KEY (a)", "MODIFY a int", []act{modify("a")}, "INPLACE NONE", "", false},
	{"id int primary key, a int NOT NULL | ROW_FORMAT=REDUNDANT", "MODIFY a int", []act{modify("a")}, "INSTANT NONE", "", false},
	{"a int NOT NULL UNIQUE", "MODIFY a int", []act{modify("a")}, "COPY SHARED", "", false},
	{"id int primary key, a text, b int NOT NULL, FULLTEXT (a)", "MODIFY b int", []act{modify("b")}, "INPLACE SHARED", "", false},
	{"id int primary key, g point NOT NULL DEFAULT (point(1, 1)), b int NOT NULL, SPATIAL (g)", "MODIFY b int", []act{modify("b")}, "INPLACE SHARED", "", false},
	{"id int primary key, a int, v int AS (a + 1), b int NOT NULL, KEY (v)", "MODIFY b int", []act{modify("b")}, "INPLACE SHARED", "", false},
	{"id int primary key, a int DEFAULT 1", "MODIFY a int NOT NULL", []act{modify("a")}, "INPLACE NONE", "", false},
	{"id int primary key, a int DEFAULT 1, s int AS (id + 1) STORED", "MODIFY a int NOT NULL", []act{modify("a")}, "COPY SHARED", "", false},
	{"id int primary key, a int DEFAULT 1, v int AS (id + 1)", "MODIFY a int NOT NULL", []act{modify("a")}, "INPLACE NONE", "", false},
	{"id int primary key, a int DEFAULT 1, v int AS (id + 1), KEY (v)", "MODIFY a int NOT NULL", []act{modify("a")}, "COPY SHARED", "", false},
	{"id int primary key, a timestamp NULL DEFAULT '2020-01-01'", "MODIFY a timestamp NOT NULL", []act{modify("a")}, "COPY SHARED", "", false},
	{"id int primary key, a datetime NULL DEFAULT '2020-01-01'", "MODIFY a datetime NOT NULL", []act{modify("a")}, "INPLACE NONE", "", false},
	{"id int primary key, a int DEFAULT 1", "MODIFY a int NOT NULL, ADD KEY k (a)", []act{modify("a"), addKey("k")}, "INPLACE NONE", "", false},
	{"id int primary key, a int", "MODIFY id int NOT NULL AUTO_INCREMENT", []act{modify("id")}, "COPY SHARED", "", false},
	{"id int primary key AUTO_INCREMENT, a int", "MODIFY id int NOT NULL", []act{modify("id")}, "INSTANT NONE", "", false},
	{"id int primary key, a int, v int AS (a + 1)", "MODIFY v int AS (a + 2)", []act{modify("v")}, "INSTANT NONE", "", false},
	{"id int primary key, a int, v int AS (a + 1), KEY (v)", "MODIFY v int AS (a + 2)", []act{modify("v")}, "COPY SHARED", "", false},
	{"id int primary key, a int, v int AS (a + 1)", "MODIFY v bigint AS (a + 1)", []act{modify("v")}, "COPY SHARED", "", false},
	{"id int primary key, a int, v int AS (a + 1)", "MODIFY v int AS (a + 1) COMMENT 'x'", []act{modify("v")}, "INSTANT NONE", "", false},
	{"id int primary key, a int, v int AS (a + 1) STORED", "MODIFY v int AS (a + 1) STORED COMMENT 'x'", []act{modify("v")}, "COPY SHARED", "", false},
	{"id int primary key, a int, v int AS (a + 1) STORED", "MODIFY v int", []act{modify("v")}, "COPY SHARED", "", false},
	{"id int primary key, a point", "MODIFY a geometry", []act{modify("a")}, "INSTANT NONE", "", false},
	{"id int primary key, a geometry", "MODIFY a point", []act{modify("a")}, "COPY SHARED", "", false},
	{"id int primary key, a inet6", "MODIFY a varchar(39)", []act{modify("a")}, "COPY SHARED", "", false},

	{"id int primary key, a int", "ADD KEY k (a)", []act{addKey("k")}, "NOCOPY NONE", "", false},
	{"id int primary key, a int", "ADD UNIQUE k (a)", []act{addKey("k")}, "NOCOPY NONE", "", false},
	{"id int NOT NULL, a int", "ADD UNIQUE k (id)", []act{addKey("k")}, "INPLACE NONE", "", false},
	{"id int, a int", "ADD UNIQUE k (id)", []act{addKey("k")}, "NOCOPY NONE", "", false},
	{"id int primary key, a text", "ADD FULLTEXT k (a)", []act{addKey("k")}, "INPLACE SHARED", "", false},
	{"id int primary key, a text, b text, FULLTEXT (a)", "ADD FULLTEXT k (b)", []act{addKey("k")}, "NOCOPY SHARED", "", false},
	{"id int primary key, a text, b text", "ADD FULLTEXT k (a), ADD FULLTEXT l (b)", []act{addKey("k"), addKey("l")}, "COPY SHARED", "", false},
	{"id int primary key, g point NOT NULL DEFAULT (point(1, 1))", "ADD SPATIAL k (g)", []act{addKey("k")}, "NOCOPY SHARED", "", false},
	{"id int primary key, a int | ENGINE=MEMORY", "ADD KEY k (a)", []act{addKey("k")}, "COPY SHARED", "", false},
	{"id int primary key, a int, KEY k (a)", "DROP KEY k", []act{dropKey("k")}, "NOCOPY NONE", "", false},
	{"id int NOT NULL, a int, UNIQUE k (id)", "DROP KEY k", []act{dropKey("k")}, "COPY SHARED", "", false},
	{"id int primary key, a int, KEY k (a)", "RENAME KEY k TO l", settings(online.RenameKey{}), "INSTANT NONE", "", false},
	{"id int primary key, a int, KEY k (a)", "ALTER KEY k IGNORED", settings(online.SetKeyVisibility{}), "INSTANT NONE", "", false},
	{"id int NOT NULL, a int", "ADD PRIMARY KEY (id)", []act{addPrimary}, "INPLACE NONE", "", false},
	{"id int DEFAULT 1, a int", "ADD PRIMARY KEY (id)", []act{addPrimary}, "INPLACE NONE", "", false},
	{"id int primary key, a int", "DROP PRIMARY KEY", settings(online.DropPrimaryKey{}), "COPY SHARED", "", false},
	{"id int primary key, a int NOT NULL", "DROP PRIMARY KEY, ADD PRIMARY KEY (a)", []act{replacePrimary}, "INPLACE NONE", "", false},
	{"id int NOT NULL, a int NOT NULL, PRIMARY KEY (id)) PARTITION BY HASH (id | PARTITIONS 2", "DROP PRIMARY KEY, ADD PRIMARY KEY (id, a)", []act{replacePrimary}, "COPY SHARED", "", true},
	{"id int primary key, a int DEFAULT 1, s int AS (id + 1) STORED", "DROP PRIMARY KEY, ADD PRIMARY KEY (a)", []act{replacePrimary}, "COPY SHARED", "", false},
	{"id int primary key, a int NOT NULL, s int AS (id + 1) STORED", "DROP PRIMARY KEY, ADD PRIMARY KEY (a)", []act{replacePrimary}, "INPLACE NONE", "", false},
	{"id int primary key, a int, KEY (a)", "ADD FOREIGN KEY (a) REFERENCES u (id)", []act{foreign}, "COPY SHARED", "SET foreign_key_checks = 1", false},
	{"id int primary key, a int, KEY (a)", "ADD FOREIGN KEY (a) REFERENCES u (id)", []act{foreign}, "INSTANT NONE", "SET foreign_key_checks = 0", false},
	{"id int primary key, a int", "ADD CONSTRAINT f FOREIGN KEY (a) REFERENCES u (id)", []act{foreign, addKey("f")}, "NOCOPY NONE", "SET foreign_key_checks = 0", false},
	{"id int primary key, a int, CONSTRAINT f FOREIGN KEY (a) REFERENCES u (id)", "DROP FOREIGN KEY f", []act{gone}, "INSTANT NONE", "", false},
	{"id int primary key, a int, CONSTRAINT f FOREIGN KEY (a) REFERENCES u (id)", "DROP FOREIGN KEY f, DROP KEY f", []act{gone, dropKey("f")}, "NOCOPY NONE", "", false},
	{"id int primary key, a int", "ADD CONSTRAINT c CHECK (a > 0)", []act{check}, "COPY SHARED", "", false},
	{"id int primary key, a int", "MODIFY a int CHECK (a > 0)", []act{modify("a"), inline}, "INSTANT NONE", "", false},
	{"id int primary key, a int, CONSTRAINT c CHECK (a > 0)", "DROP CONSTRAINT c", []act{uncheck}, "INSTANT NONE", "", false},

	{"id int primary key, a int", "COMMENT = 'x'", []act{setting("COMMENT")}, "INSTANT NONE", "", false},
	{"id int primary key, a int | ENGINE=MyISAM", "COMMENT = 'x'", []act{setting("COMMENT")}, "INSTANT NONE", "", false},
	{"id int primary key, a int", "ROW_FORMAT = COMPACT", []act{setting("ROW_FORMAT")}, "INPLACE NONE", "", false},
	{"id int primary key, a int | ROW_FORMAT=COMPRESSED KEY_BLOCK_SIZE=8", "KEY_BLOCK_SIZE = 4", []act{setting("KEY_BLOCK_SIZE")}, "INPLACE NONE", "", false},
	{"id int primary key, a text, FULLTEXT (a)", "ROW_FORMAT = COMPACT", []act{setting("ROW_FORMAT")}, "INPLACE SHARED", "", false},
	{"id int primary key, a int", "STATS_PERSISTENT = 1", []act{setting("STATS_PERSISTENT")}, "INSTANT NONE", "", false},
	{"id int primary key AUTO_INCREMENT, a int", "AUTO_INCREMENT = 100", []act{setting("AUTO_INCREMENT")}, "INSTANT NONE", "", false},
	{"id int primary key, a int", "PAGE_COMPRESSED = 1", []act{setting("PAGE_COMPRESSED")}, "INPLACE NONE", "", false},
	{"id int primary key, a int", "MAX_ROWS = 100", []act{setting("MAX_ROWS")}, "INSTANT NONE", "", false},
	{"id int primary key, a int", "ADD SYSTEM VERSIONING", settings(online.AddVersioning{}), "COPY SHARED", "", false},
	{"id int primary key, a int | WITH SYSTEM VERSIONING", "DROP SYSTEM VERSIONING", settings(online.DropVersioning{}), "INPLACE SHARED", "", false},
	{"id int primary key, a int | WITH SYSTEM VERSIONING", "ADD b int", []act{add("b")}, "INSTANT NONE", "SET system_versioning_alter_history = keep", false},
}

// numbers are n members of an enum or a set.
func numbers(n int) string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf("'m%d'", i))
	}
	return strings.Join(all, ",")
}

// TestMariaTakesWhatIsSaid holds every statement to the server: it takes what is said for it, and refuses the better algorithm and the
// weaker lock, so that nothing is said to be worse than it is.
func TestMariaTakesWhatIsSaid(t *testing.T) {
	sv, pool := mysqltest.Server(t), make(chan *sql.DB, 4)
	for range cap(pool) {
		pool <- mysqltest.Connect(t)
	}
	algorithms, locks := []string{"INSTANT", "NOCOPY", "INPLACE", "COPY"}, []string{"NONE", "SHARED", "EXCLUSIVE"}
	for _, m := range slices.Concat(measured, kept, beside) {
		t.Run(m.clause+" of "+cut(m.base), func(t *testing.T) {
			t.Parallel()
			db := <-pool
			defer func() { pool <- db }()
			columns, options, _ := strings.Cut(m.base, " | ")
			again := func() {
				run(t, db, "SET foreign_key_checks = 1, sql_mode = ''", "DROP TABLE IF EXISTS t, u", "CREATE TABLE u (id int PRIMARY KEY)", "INSERT INTO u VALUES (0)",
					"CREATE TABLE t ("+columns+") "+options, "INSERT IGNORE INTO t VALUES ()", "SET sql_mode = 'STRICT_TRANS_TABLES'")
				if m.set != "" {
					run(t, db, m.set)
				}
			}
			try := func(clauses string) error {
				again()
				_, err := db.Exec("ALTER TABLE t " + m.clause + clauses)
				return err
			}
			again()
			before := read(t, db, "t")
			if err := try(""); err != nil {
				t.Fatal(err)
			}
			after := read(t, db, "t")
			alter := online.Alter{Server: sv, Table: before, Unchecked: m.set == "SET foreign_key_checks = 0"}
			for _, act := range m.actions {
				alter.Actions = append(alter.Actions, act(before, after))
			}
			answer := alter.Answer()
			if got := answer.Algorithm + " " + answer.Lock; got != m.want {
				t.Fatalf("got %s (%s), want %s", got, answer.Why, m.want)
			}
			if err := try(", " + answer.Clause()); err != nil {
				t.Errorf("the server refuses %s: %v", answer.Clause(), err)
			}
			if m.cautious {
				return
			}
			for _, better := range algorithms {
				if better == answer.Algorithm {
					break
				}
				if try(", ALGORITHM="+better) == nil {
					t.Errorf("the server does it with %s", better)
				}
			}
			for _, weaker := range locks {
				if weaker == answer.Lock {
					break
				}
				if try(", ALGORITHM="+answer.Algorithm+", LOCK="+weaker) == nil {
					t.Errorf("the server does it with LOCK=%s", weaker)
				}
			}
		})
	}
}

func cut(s string) string {
	if len(s) > 60 {
		s = s[:60]
	}
	return strings.ReplaceAll(s, "/", "")
}
