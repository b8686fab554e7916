package online_test

import (
	"testing"

	"github.com/altergate/altergate/internal/dialect/mysql/catalog"
	"github.com/altergate/altergate/internal/dialect/mysql/online"
	"github.com/altergate/altergate/internal/dialect/mysql/server"
)

// kept are statements that leave the bytes of a column as they are, and not what was made of its values. The server takes most of them
// in place all the same, and an index or a partition no longer finds its rows; so what is said is more than what it asks for.
var kept = []measurement{
	{"a varchar(9) COLLATE utf8mb4_bin, b int) PARTITION BY KEY (a | PARTITIONS 2", "MODIFY a varchar(9) COLLATE utf8mb4_general_ci", []act{modify("a")}, "COPY SHARED", "", true},
	{"a varchar(9) COLLATE utf8mb4_bin, b int) PARTITION BY KEY (b | PARTITIONS 2", "MODIFY a varchar(9) COLLATE utf8mb4_general_ci", []act{modify("a")}, "INSTANT NONE", "", false},
	{"a varchar(9) COLLATE utf8mb4_bin, PRIMARY KEY (a)) PARTITION BY KEY ( | PARTITIONS 2", "MODIFY a varchar(9) COLLATE utf8mb4_general_ci", []act{modify("a")}, "COPY SHARED", "", false},
	{"a varchar(9) CHARSET utf8mb3) PARTITION BY KEY (a | PARTITIONS 2", "MODIFY a varchar(9) CHARSET utf8mb4 COLLATE utf8mb4_unicode_ci", []act{modify("a")}, "COPY SHARED", "", true},
	{"a varchar(9) CHARSET utf8mb3) PARTITION BY KEY (a | PARTITIONS 2", "MODIFY a varchar(9) CHARSET utf8mb4", []act{modify("a")}, "INSTANT NONE", "", false},
	{"a varchar(9)) PARTITION BY KEY (a | PARTITIONS 2", "MODIFY a varchar(30)", []act{modify("a")}, "INSTANT NONE", "", false},
	{"a varchar(9)) PARTITION BY KEY (a | PARTITIONS 2", "CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_bin", []act{convert}, "COPY SHARED", "", true},

	{"a int(5) zerofill, v varchar(20) AS (concat(a)), KEY (v)", "MODIFY a int(8) zerofill", []act{modify("a")}, "COPY SHARED", "", true},
	{"a int(5) zerofill, s varchar(20) AS (concat(a)) STORED", "MODIFY a int(8) zerofill", []act{modify("a")}, "COPY SHARED", "", true},
	{"a int(5) zerofill, v varchar(20) AS (concat(a))", "MODIFY a int(8) zerofill", []act{modify("a")}, "INSTANT NONE", "", false},
	{"a int(5) zerofill, v varchar(20) AS (concat(a)), w varchar(20) AS (concat(v)), KEY (w)", "MODIFY a int(8) zerofill", []act{modify("a")}, "COPY SHARED", "", true},
	{"a int(5) zerofill, v varchar(20) AS (concat(a)), w varchar(20) AS (concat(v)) STORED", "MODIFY a int(8) zerofill", []act{modify("a")}, "COPY SHARED", "", true},
	{"a int(5) zerofill, b int, s int AS (b + 1) STORED", "MODIFY a int(8) zerofill", []act{modify("a")}, "INSTANT NONE", "", false},
	{"a int(5) zerofill, CHECK (length(a) = 5)", "MODIFY a int(6) zerofill CHECK (a < 9)", []act{modify("a"), inline}, "COPY SHARED", "", true},
	{"a tinyint, s int AS (a + 1) STORED, CHECK (a < 2)", "MODIFY a tinyint(1)", []act{modify("a")}, "INSTANT NONE", "", false},
	{"a double(9,3), s varchar(20) AS (concat(a)) STORED", "MODIFY a double", []act{modify("a")}, "COPY SHARED", "", true},
	{"a varchar(9), v int AS (a = 'X'), KEY (v)", "MODIFY a varchar(9) COLLATE utf8mb4_bin", []act{modify("a")}, "COPY SHARED", "", true},
	{"a varchar(9), s int AS (a = 'X') STORED", "MODIFY a varchar(9) COLLATE utf8mb4_bin", []act{modify("a")}, "COPY SHARED", "", true},
	{"a varchar(9), v int AS (a = 'X')", "MODIFY a varchar(9) COLLATE utf8mb4_bin", []act{modify("a")}, "INSTANT NONE", "", false},
	{"a varchar(9), s int AS (a = 'X') STORED", "CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_bin", []act{convert}, "COPY SHARED", "", true},
	{"a varchar(9) CHARSET utf8mb3, s varchar(20) AS (charset(a)) STORED", "MODIFY a varchar(9) CHARSET utf8mb4", []act{modify("a")}, "COPY SHARED", "", true},
	{"a varchar(9), s varchar(20) AS (concat(a)) STORED", "MODIFY a varchar(20)", []act{modify("a")}, "INSTANT NONE", "", false},
	{"e enum('a','b'), s varchar(20) AS (concat(e)) STORED", "MODIFY e enum('a','b','c')", []act{modify("e")}, "INSTANT NONE", "", false},
	{"a varchar(9), CHECK (a <> 'X')", "MODIFY a varchar(9) COLLATE utf8mb4_bin", []act{modify("a")}, "COPY SHARED", "", true},
	{"a varchar(9) CHECK (a <> 'X')", "MODIFY a varchar(9) COLLATE utf8mb4_bin CHECK (a <> 'X')", []act{modify("a")}, "COPY SHARED", "", true},
	{"a varchar(9), CHECK (a <> 'X')", "MODIFY a varchar(20)", []act{modify("a")}, "INSTANT NONE", "", false},
	{"a int DEFAULT 1, s int AS (default(a)) STORED", "ALTER a SET DEFAULT 2", []act{setDefault("a")}, "COPY SHARED", "", false},
	{"a int DEFAULT 1, s int AS (default(a)) STORED", "MODIFY a int DEFAULT 2", []act{modify("a")}, "COPY SHARED", "", false},

	{"a int, v int AS (a + 1), w int AS (v + 1), KEY (w)", "MODIFY v int AS (a + 2)", []act{modify("v")}, "COPY SHARED", "", true},
	{"a int, v int AS (a + 1), s int AS (v + 1) STORED", "MODIFY v int AS (a + 2)", []act{modify("v")}, "COPY SHARED", "", true},
	{"a varchar(9), v varchar(5) AS (a), w varchar(9) AS (v), KEY (w)", "MODIFY v varchar(9) AS (a)", []act{modify("v")}, "COPY SHARED", "", true},
	{"a varchar(9), v varchar(5) AS (a), w varchar(9) AS (v)", "MODIFY v varchar(9) AS (a)", []act{modify("v")}, "INSTANT NONE", "", false},
	{"a varchar(9), v varchar(5) AS (a), KEY (v)", "MODIFY v varchar(9) AS (a)", []act{modify("v")}, "COPY SHARED", "", false},
	{"a int, v int AS (a + 1), KEY (v)", "MODIFY v int AS (a + 1) COMMENT 'x'", []act{modify("v")}, "COPY SHARED", "", false},
	{"a int, v int AS (a + 1), w int AS (v + 1), KEY (w)", "MODIFY v int AS (a + 1) COMMENT 'x'", []act{modify("v")}, "INSTANT NONE", "", false},
	{"a int, v int AS (a + 1)) PARTITION BY HASH (v | PARTITIONS 2", "MODIFY v int AS (a + 2)", []act{modify("v")}, "COPY SHARED", "", false},
	{"a int, v int AS (a + 1)) PARTITION BY HASH (v | PARTITIONS 2", "MODIFY v int AS (a + 1) COMMENT 'x'", []act{modify("v")}, "COPY SHARED", "", false},
	{"a int, v int AS (a + 1), w int AS (v + 1)) PARTITION BY HASH (w | PARTITIONS 2", "MODIFY v int AS (a + 2)", []act{modify("v")}, "COPY SHARED", "", true},
	{"a int, v int AS (a + 1)) PARTITION BY HASH (a | PARTITIONS 2", "MODIFY v int AS (a + 2)", []act{modify("v")}, "INSTANT NONE", "", false},
	{"a int, b int DEFAULT 1, v int AS (a + 1)) PARTITION BY HASH (v | PARTITIONS 2", "MODIFY b int NOT NULL", []act{modify("b")}, "COPY SHARED", "", false},
	{"a int, b int DEFAULT 1, v int AS (a + 1)) PARTITION BY HASH (a | PARTITIONS 2", "MODIFY b int NOT NULL", []act{modify("b")}, "INPLACE NONE", "", false},

	{"a float", "MODIFY a float(7,2)", []act{modify("a")}, "COPY SHARED", "", true},
	{"a double(9,3)", "MODIFY a double(9,1)", []act{modify("a")}, "COPY SHARED", "", true},
	{"a double(9,3)", "MODIFY a double(9,4)", []act{modify("a")}, "INSTANT NONE", "", false},
	{"a decimal(5,2) unsigned", "MODIFY a decimal(5,2)", []act{modify("a")}, "COPY SHARED", "", false},
	{"a decimal(5,2)", "MODIFY a decimal(5,2) unsigned", []act{modify("a")}, "COPY SHARED", "", false},
	{"a decimal(5,2) unsigned", "MODIFY a decimal(5,2) zerofill", []act{modify("a")}, "INSTANT NONE", "", false},
	{"a longtext COLLATE utf8mb4_bin", "MODIFY a json", []act{modify("a"), is(online.AddCheck{Check: &catalog.Check{Column: "a", Expr: catalog.Expr{Canon: "json_valid(`a`)"}}})}, "COPY SHARED", "", false},
	{"id int", "ADD a json", []act{add("a"), is(online.AddCheck{Check: &catalog.Check{Column: "a", Expr: catalog.Expr{Canon: "json_valid(`a`)"}}})}, "INSTANT NONE", "", false},
	{"a text, KEY (a(3))", "MODIFY a text COLLATE utf8mb4_bin", []act{modify("a")}, "COPY SHARED", "", false},
	{"a text, FULLTEXT (a)", "MODIFY a text COLLATE utf8mb4_bin", []act{modify("a")}, "COPY SHARED", "", false},
	{"a text CHARSET utf8mb3, FULLTEXT (a)", "MODIFY a text CHARSET utf8mb4", []act{modify("a")}, "COPY SHARED", "", false},
	{"a varchar(9), KEY (a(3))", "MODIFY a varchar(9) COLLATE utf8mb4_bin", []act{modify("a")}, "NOCOPY NONE", "", false},
	{"a varchar(700), KEY (a)", "MODIFY a varchar(768)", []act{modify("a")}, "INSTANT NONE", "", false},
	{"a varchar(700), KEY (a)", "MODIFY a varchar(769)", []act{modify("a")}, "NOCOPY NONE", "", false},
	{"a varchar(1000) CHARSET utf8mb3, KEY (a)", "MODIFY a varchar(1000) CHARSET utf8mb4", []act{modify("a")}, "NOCOPY NONE", "", false},
}

// beside are statements about tables in which the server has a virtual column to move or to hide.
var beside = []measurement{
	{"a int, v int AS (a + 1), KEY (v)", "ADD b int", []act{add("b")}, "INPLACE SHARED", "", false},
	{"a int, v int AS (a + 1), KEY (v)", "ADD b int FIRST", []act{add("b")}, "COPY SHARED", "", false},
	{"a int, v int AS (a + 1), KEY (v)", "ADD w int AS (a + 2)", []act{add("w")}, "INSTANT NONE", "", false},
	{"a int, v int AS (a + 1), b int, KEY (v)", "DROP b", []act{drop("b")}, "INPLACE SHARED", "", false},
	{"a int, v int AS (a + 1), b int, KEY (v), KEY (b)", "DROP b", []act{drop("b")}, "INPLACE SHARED", "", false},
	{"a int, b int, v int AS (a + 1), KEY (v)", "DROP b", []act{drop("b")}, "COPY SHARED", "", false},
	{"a int, b int, v int AS (a + 1), KEY (v), KEY (b)", "DROP b", []act{drop("b")}, "COPY SHARED", "", false},
	{"a int, b int, v int AS (a + 1), KEY (v)", "DROP v", []act{drop("v")}, "NOCOPY NONE", "", false},
	{"a int, b int, v int AS (a + 1), KEY (v)", "MODIFY b int FIRST", []act{move("b")}, "INPLACE SHARED", "", false},
	{"a int, v int AS (a + 1), KEY k (v)", "DROP KEY k, ADD b int", []act{dropKey("k"), add("b")}, "INPLACE NONE", "", false},
	{"a int, b int, v int AS (a + 1), KEY (b)", "DROP b", []act{drop("b")}, "NOCOPY NONE", "", false},
	{"a int, b int, v int AS (a + 1), KEY (b, a)", "DROP b", []act{drop("b")}, "COPY SHARED", "", false},
	{"a int, b int, v int AS (a + 1)", "DROP b, ADD KEY k (a)", []act{drop("b"), addKey("k")}, "COPY SHARED", "", false},
	{"a int, v int AS (a + 1), b int", "DROP b, ADD KEY k (a)", []act{drop("b"), addKey("k")}, "INPLACE NONE", "", false},
	{"a int, b int, v int AS (a + 1) | ROW_FORMAT=COMPRESSED", "DROP b", []act{drop("b")}, "COPY SHARED", "", false},
	{"a text, b int, v int AS (b + 1), FULLTEXT (a)", "DROP a", []act{drop("a")}, "COPY SHARED", "", false},

	{"a text", "ADD UNIQUE k (a)", []act{addKey("k")}, "COPY SHARED", "", false},
	{"a text", "ADD UNIQUE k (a(10))", []act{addKey("k")}, "NOCOPY NONE", "", false},
	{"a varchar(769)", "ADD UNIQUE k (a)", []act{addKey("k")}, "COPY SHARED", "", false},
	{"a varchar(768)", "ADD UNIQUE k (a)", []act{addKey("k")}, "NOCOPY NONE", "", false},
	{"a varchar(400), b varchar(400)", "ADD UNIQUE k (a, b)", []act{addKey("k")}, "COPY SHARED", "", false},
	{"a varchar(384), b varchar(384)", "ADD UNIQUE k (a, b)", []act{addKey("k")}, "NOCOPY NONE", "", false},
	{"a varbinary(3073)", "ADD UNIQUE k (a)", []act{addKey("k")}, "COPY SHARED", "", false},
	{"a geometry", "ADD UNIQUE k (a)", []act{addKey("k")}, "COPY SHARED", "", false},
	{"a varchar(700), UNIQUE (a)", "MODIFY a varchar(800)", []act{modify("a")}, "COPY SHARED", "", false},
	{"a varchar(700), UNIQUE (a)", "MODIFY a varchar(768)", []act{modify("a")}, "INSTANT NONE", "", false},
	{"a varchar(1000) CHARSET utf8mb3, UNIQUE (a)", "MODIFY a varchar(1000) CHARSET utf8mb4", []act{modify("a")}, "COPY SHARED", "", false},
	{"a text, b int, UNIQUE (a)", "ADD c int", []act{add("c")}, "COPY SHARED", "", false},
	{"a text, b int, UNIQUE (a)", "DROP b", []act{drop("b")}, "COPY SHARED", "", false},
	{"a text, b int, UNIQUE (a)", "DROP a", []act{drop("a")}, "COPY SHARED", "", false},
	{"a text, b int, UNIQUE (a)", "RENAME COLUMN b TO c", []act{rename("b")}, "COPY SHARED", "", false},
	{"a text, b int, UNIQUE (a)", "ALTER b SET DEFAULT 2", []act{setDefault("b")}, "COPY SHARED", "", false},
	{"a text, b int, UNIQUE (a)", "MODIFY b int COMMENT 'x'", []act{modify("b")}, "COPY SHARED", "", false},
	{"a text, b int, UNIQUE (a)", "ADD KEY k (b)", []act{addKey("k")}, "COPY SHARED", "", false},
	{"a text, b int, UNIQUE (a)", "COMMENT = 'x'", []act{setting("COMMENT")}, "COPY SHARED", "", false},
	{"a text, b int, UNIQUE k (a)", "DROP KEY k", []act{dropKey("k")}, "NOCOPY NONE", "", false},
	{"a text, b int, UNIQUE k (a)", "DROP KEY k, ADD KEY l (b)", []act{dropKey("k"), addKey("l")}, "NOCOPY NONE", "", false},
	{"a text, b int, UNIQUE k (a)", "DROP KEY k, ADD c int", []act{dropKey("k"), add("c")}, "COPY SHARED", "", false},
	{"a text, b int, UNIQUE k (a) | ENGINE=MyISAM", "RENAME COLUMN b TO c", []act{rename("b")}, "COPY SHARED", "", false},
}

// TestHashed: USING HASH makes of any unique key one that is kept by a hash, but for MEMORY, whose indexes are such, and for MySQL, which
// does not heed it.
func TestHashed(t *testing.T) {
	hashed := &catalog.Key{Kind: catalog.Unique, Name: "u", Using: "HASH", Parts: []catalog.KeyPart{{Column: "a"}}}
	maria, mysql := server.Server{MariaDB: true, Major: 10, Minor: 11}, server.Server{Major: 8, Minor: 4}
	for _, test := range []struct {
		name   string
		server server.Server
		engine string
		want   string
	}{
		{"InnoDB", maria, "InnoDB", "COPY"}, {"MyISAM", maria, "MyISAM", "COPY"}, {"MEMORY", maria, "MEMORY", "INSTANT"}, {"MySQL", mysql, "InnoDB", "INPLACE"},
	} {
		table := &catalog.Table{Engine: test.engine, Columns: []*catalog.Column{col("id", "int", "not null"), col("a", "int")}, Keys: []*catalog.Key{key(catalog.Primary, "id"), hashed}}
		comment := online.ModifyColumn{From: table.Columns[1], To: col("a", "int", "comment")}
		if got := (online.Alter{Server: test.server, Table: table, Actions: []online.Action{comment}}).Answer(); got.Algorithm != test.want {
			t.Errorf("%s: got %s (%s), want %s", test.name, got.Algorithm, got.Why, test.want)
		}
	}
}

// TestLoose: where sql_mode is not strict, NOT NULL makes a value of NULL in place, and its row stays in the partition of NULL, with no
// check applied to it.
func TestLoose(t *testing.T) {
	table := &catalog.Table{Columns: []*catalog.Column{col("a", "int")}, Partitions: &catalog.Partitions{Method: "list (`a`)"}}
	alter := online.Alter{Server: server.Server{MariaDB: true, Major: 10, Minor: 11}, Table: table, Actions: []online.Action{online.ModifyColumn{From: table.Columns[0], To: col("a", "int", "not null")}}}
	for loose, want := range map[bool]string{false: "INPLACE", true: "COPY"} {
		if alter.Loose = loose; alter.Answer().Algorithm != want {
			t.Errorf("loose %v: got %s, want %s", loose, alter.Answer().Algorithm, want)
		}
	}
}
