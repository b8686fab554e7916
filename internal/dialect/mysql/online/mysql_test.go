package online_test

import (
	"strings"
	"testing"

	"github.com/altergate/altergate/internal/dialect/mysql/catalog"
	"github.com/altergate/altergate/internal/dialect/mysql/online"
	"github.com/altergate/altergate/internal/dialect/mysql/server"
)

// col makes a column: a type, and words about it.
func col(name, typ string, words ...string) *catalog.Column {
	base, rest, _ := strings.Cut(typ, "(")
	c := &catalog.Column{Name: name, Type: catalog.Type{Base: base, Length: -1, Decimals: -1}}
	for n := 0; rest != "" && rest[0] >= '0' && rest[0] <= '9'; rest = rest[1:] {
		n = 10*n + int(rest[0]-'0')
		c.Type.Length = n
	}
	if base == "varchar" || base == "char" || strings.HasSuffix(base, "text") {
		c.Type.Charset, c.Type.Collation = "utf8mb4", "utf8mb4_0900_ai_ci"
	}
	for _, w := range words {
		switch w {
		case "not null":
			c.NotNull = true
		case "auto":
			c.AutoIncrement = true
		case "virtual", "stored":
			c.Generated = &catalog.Generated{Expr: catalog.Expr{Text: "a + 1", Canon: "a + 1"}, Stored: w == "stored"}
		case "expression":
			c.Default = &catalog.Default{Expr: &catalog.Expr{Text: "uuid()"}}
		case "latin1":
			c.Type.Charset, c.Type.Collation = "latin1", "latin1_swedish_ci"
		case "comment":
			c.Comment = "x"
		default:
			c.Type.Members = strings.Split(w, ",")
		}
	}
	return c
}

func key(kind catalog.KeyKind, columns ...string) *catalog.Key {
	k := &catalog.Key{Kind: kind, Name: "k"}
	for _, c := range columns {
		k.Parts = append(k.Parts, catalog.KeyPart{Column: c})
	}
	return k
}

// TestMySQL holds what is said of MySQL to its manual: 17.12.1 of 8.0, 8.4 and 9, and 14.13.1 of 5.7; where handler0alter.cc says it, the
// test says so.
func TestMySQL(t *testing.T) {
	primary := key(catalog.Primary, "id")
	plain := &catalog.Table{Columns: []*catalog.Column{col("id", "int", "not null"), col("a", "int"), col("b", "varchar(10)")}, Keys: []*catalog.Key{primary}}
	with := func(change func(*catalog.Table)) *catalog.Table {
		other := *plain
		change(&other)
		return &other
	}
	compressed := with(func(t *catalog.Table) { t.RowFormat = "COMPRESSED" })
	full := with(func(t *catalog.Table) { t.Keys = []*catalog.Key{primary, key(catalog.Fulltext, "b")} })
	spatial := with(func(t *catalog.Table) { t.Keys = []*catalog.Key{primary, key(catalog.Spatial, "g")} })
	parts := with(func(t *catalog.Table) { t.Partitions = &catalog.Partitions{} })
	indexed := with(func(t *catalog.Table) { t.Keys = []*catalog.Key{primary, key(catalog.Plain, "a")} })
	isam := with(func(t *catalog.Table) { t.Engine = "MyISAM" })
	noPrimary := with(func(t *catalog.Table) { t.Keys = nil })
	computed := func(c *catalog.Column) *catalog.Column { c.Generated.Expr.Columns = []string{"a"}; return c }
	keeps := with(func(t *catalog.Table) { t.Columns = append(t.Columns[:3:3], computed(col("s", "int", "stored"))) })
	keyed := with(func(t *catalog.Table) {
		t.Keys = []*catalog.Key{primary, {Kind: catalog.Plain, Name: "f", Parts: []catalog.KeyPart{{Expr: &catalog.Expr{Canon: "upper(`b`)", Columns: []string{"b"}}}}}}
	})
	ahead := with(func(t *catalog.Table) { t.Columns = append(t.Columns[:3:3], computed(col("v", "int", "virtual"))) })
	reads := with(func(t *catalog.Table) {
		t.Columns = append(t.Columns[:3:3], &catalog.Column{Name: "v", Generated: &catalog.Generated{Expr: catalog.Expr{Canon: "default(`a`)", Columns: []string{"a"}}}})
	})
	v := func(text string) server.Server {
		s, err := server.Parse("mysql", text)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	all := []string{"5.7", "8.0.11", "8.0.12", "8.0.28", "8.0.29", "8.4", "9.0"}
	one := func(a ...online.Action) []online.Action { return a }
	modify := func(from, to *catalog.Column) []online.Action { return one(online.ModifyColumn{From: from, To: to}) }
	for _, test := range []struct {
		name    string
		table   *catalog.Table
		actions []online.Action
		want    string // of each version in all, or of all of them
	}{
		{"last column", plain, one(online.AddColumn{Column: col("c", "int"), Last: true}), "INPLACE NONE rewrite, INPLACE NONE rewrite, INSTANT, INSTANT, INSTANT, INSTANT, INSTANT"},
		{"first column", plain, one(online.AddColumn{Column: col("c", "int")}), "INPLACE NONE rewrite, INPLACE NONE rewrite, INPLACE NONE rewrite, INPLACE NONE rewrite, INSTANT, INSTANT, INSTANT"},
		{"column of a compressed table", compressed, one(online.AddColumn{Column: col("c", "int"), Last: true}), "INPLACE NONE rewrite"},
		{"column of a table with a full-text index (handler0alter.cc)", full, one(online.AddColumn{Column: col("c", "int"), Last: true}), "COPY SHARED rewrite"},
		{"numbered column", noPrimary, one(online.AddColumn{Column: col("n", "int", "not null", "auto")}, online.AddPrimaryKey{Key: key(catalog.Primary, "n")}), "INPLACE SHARED rewrite"},
		{"expression", plain, one(online.AddColumn{Column: col("c", "varchar(40)", "expression"), Last: true}), "COPY SHARED rewrite"},
		{"virtual column", plain, one(online.AddColumn{Column: col("c", "int", "virtual"), Last: true}), "INPLACE NONE, INPLACE NONE, INSTANT, INSTANT, INSTANT, INSTANT, INSTANT"},
		{"virtual column of a partitioned table", parts, one(online.AddColumn{Column: col("c", "int", "virtual"), Last: true}), "COPY SHARED rewrite"},
		{"stored column", plain, one(online.AddColumn{Column: col("c", "int", "stored"), Last: true}), "COPY SHARED rewrite"},
		{"drop", plain, one(online.DropColumn{Column: plain.Columns[1]}), "INPLACE NONE rewrite, INPLACE NONE rewrite, INPLACE NONE rewrite, INPLACE NONE rewrite, INSTANT, INSTANT, INSTANT"},
		{"drop of an indexed column", indexed, one(online.DropColumn{Column: plain.Columns[1]}), "INPLACE NONE rewrite"},
		{"drop of a stored column", plain, one(online.DropColumn{Column: col("c", "int", "stored")}), "INPLACE NONE rewrite"},
		{"rename", plain, one(online.RenameColumn{Column: plain.Columns[1]}), "INPLACE NONE, INPLACE NONE, INPLACE NONE, INSTANT, INSTANT, INSTANT, INSTANT"},
		{"rename of a referenced column", plain, one(online.RenameColumn{Column: plain.Columns[1], Referenced: true}), "INPLACE NONE"},
		{"default", plain, one(online.SetDefault{Column: plain.Columns[1]}), "INPLACE NONE, INPLACE NONE, INSTANT, INSTANT, INSTANT, INSTANT, INSTANT"},
		{"move", plain, one(online.ModifyColumn{From: plain.Columns[1], To: plain.Columns[1], Moved: true}), "INPLACE NONE rewrite"},
		{"type", plain, modify(col("a", "int"), col("a", "bigint")), "COPY SHARED rewrite"},
		{"comment", plain, modify(col("a", "int"), col("a", "int", "comment")), "INPLACE NONE"},
		{"varchar within 255 bytes", plain, modify(col("b", "varchar(10)"), col("b", "varchar(63)")), "INPLACE NONE"},
		{"varchar across 255 bytes", plain, modify(col("b", "varchar(10)"), col("b", "varchar(64)")), "COPY SHARED rewrite"},
		{"varchar across 255 bytes of latin1", plain, modify(col("b", "varchar(10)", "latin1"), col("b", "varchar(256)", "latin1")), "COPY SHARED rewrite"},
		{"varchar within 255 bytes of latin1", plain, modify(col("b", "varchar(10)", "latin1"), col("b", "varchar(255)", "latin1")), "INPLACE NONE"},
		{"varchar beyond 255 bytes", plain, modify(col("b", "varchar(64)"), col("b", "varchar(640)")), "INPLACE NONE"},
		{"shorter varchar", plain, modify(col("b", "varchar(10)"), col("b", "varchar(9)")), "COPY SHARED rewrite"},
		{"character set", plain, modify(col("b", "varchar(10)", "latin1"), col("b", "varchar(10)")), "COPY SHARED rewrite"},
		{"member at the end", plain, modify(col("e", "enum", "a,b"), col("e", "enum", "a,b,c")), "INPLACE NONE, INPLACE NONE, INSTANT, INSTANT, INSTANT, INSTANT, INSTANT"},
		{"member between", plain, modify(col("e", "enum", "a,b"), col("e", "enum", "a,c,b")), "COPY SHARED rewrite"},
		{"ninth member of a set", plain, modify(col("e", "set", "1,2,3,4,5,6,7,8"), col("e", "set", "1,2,3,4,5,6,7,8,9")), "COPY SHARED rewrite"},
		{"width of a number that a column is computed from", keeps, modify(col("a", "tinyint"), col("a", "tinyint(1)")), "COPY SHARED rewrite"},
		{"varchar that a key is computed from", keyed, modify(col("b", "varchar(10)"), col("b", "varchar(63)")), "COPY SHARED rewrite"},
		{"member of a column that no other is computed from", keeps, modify(col("e", "enum", "x,y"), col("e", "enum", "x,y,z")), "INPLACE NONE, INPLACE NONE, INSTANT, INSTANT, INSTANT, INSTANT, INSTANT"},
		{"drop before a virtual column", ahead, one(online.DropColumn{Column: plain.Columns[2]}), "COPY SHARED rewrite, COPY SHARED rewrite, COPY SHARED rewrite, COPY SHARED rewrite, INSTANT, INSTANT, INSTANT"},
		{"default that a column is computed from", reads, one(online.SetDefault{Column: plain.Columns[1]}), "COPY SHARED rewrite"},
		{"sign of a decimal", plain, modify(col("a", "decimal(5)"), &catalog.Column{Name: "a", Type: catalog.Type{Base: "decimal", Length: 5, Decimals: -1, Unsigned: true}}), "COPY SHARED rewrite"},
		{"not null", plain, modify(col("a", "int"), col("a", "int", "not null")), "INPLACE NONE rewrite"},
		{"null", plain, modify(col("a", "int", "not null"), col("a", "int")), "INPLACE NONE rewrite"},
		{"null beside a spatial index (handler0alter.cc)", spatial, modify(col("a", "int", "not null"), col("a", "int")), "INPLACE SHARED rewrite"},
		{"null beside a full-text index (handler0alter.cc)", full, modify(col("a", "int", "not null"), col("a", "int")), "COPY SHARED rewrite"},

		{"key", plain, one(online.AddKey{Key: key(catalog.Plain, "a")}), "INPLACE NONE"},
		{"first full-text index", plain, one(online.AddKey{Key: key(catalog.Fulltext, "b")}), "INPLACE SHARED rewrite"},
		{"second full-text index", full, one(online.AddKey{Key: key(catalog.Fulltext, "b")}), "INPLACE SHARED"},
		{"spatial index", plain, one(online.AddKey{Key: key(catalog.Spatial, "g")}), "INPLACE SHARED"},
		{"drop of a key", indexed, one(online.DropKey{Key: indexed.Keys[1]}), "INPLACE NONE"},
		{"rename of a key", indexed, one(online.RenameKey{Key: indexed.Keys[1]}), "INPLACE NONE"},
		{"drop of the primary key", plain, one(online.DropPrimaryKey{}), "COPY SHARED rewrite"},
		{"another primary key", plain, one(online.ReplacePrimaryKey{Key: key(catalog.Primary, "a")}), "INPLACE NONE rewrite"},
		{"foreign key", plain, one(online.AddForeignKey{Key: &catalog.ForeignKey{}}), "COPY SHARED rewrite"},
		{"drop of a foreign key", plain, one(online.DropForeignKey{Key: &catalog.ForeignKey{}}), "INPLACE NONE"},
		{"check", plain, one(online.AddCheck{Check: &catalog.Check{}}), "COPY SHARED rewrite"},
		{"check that is not enforced", plain, one(online.AddCheck{Check: &catalog.Check{NotEnforced: true}}), "INPLACE NONE"},
		{"row format", plain, one(online.SetTableOption{Name: "ROW_FORMAT"}), "INPLACE NONE rewrite"},
		{"statistics", plain, one(online.SetTableOption{Name: "STATS_PERSISTENT"}), "INPLACE NONE"},
		{"encryption", plain, one(online.SetTableOption{Name: "ENCRYPTION"}), "COPY SHARED rewrite"},
		{"engine", plain, one(online.ChangeEngine{To: "MyISAM"}), "COPY SHARED rewrite"},
		{"new partition", parts, one(online.ChangePartitions{How: online.AddPartition}), "INPLACE NONE"},
		{"partition that goes", parts, one(online.ChangePartitions{How: online.DropPartition}), "INPLACE NONE"},
		{"partitions that change", parts, one(online.ChangePartitions{How: online.Reorganize}), "INPLACE SHARED rewrite"},
		{"partitioning", plain, one(online.ChangePartitions{How: online.PartitionBy}), "COPY SHARED rewrite"},
		{"another engine's column", isam, one(online.AddColumn{Column: col("c", "int"), Last: true}), "COPY SHARED rewrite"},
		{"another engine's key", isam, one(online.AddKey{Key: key(catalog.Plain, "a")}), "COPY SHARED rewrite"},

		{"column and key", plain, one(online.AddColumn{Column: col("c", "int"), Last: true}, online.AddKey{Key: key(catalog.Plain, "a")}), "INPLACE NONE rewrite"},
		{"virtual column and another", plain, one(online.AddColumn{Column: col("c", "int", "virtual")}, online.AddColumn{Column: col("d", "int"), Last: true}), "COPY SHARED rewrite"},
		{"two full-text indexes", plain, one(online.AddKey{Key: key(catalog.Fulltext, "b")}, online.AddKey{Key: key(catalog.Fulltext, "c")}), "COPY SHARED rewrite"},
		{"nothing", plain, nil, "INSTANT"},
	} {
		wants := strings.Split(test.want, ", ")
		for i, version := range all {
			want := wants[0]
			if len(wants) > 1 {
				want = wants[i]
			}
			answer := online.Alter{Server: v(version), Table: test.table, Actions: test.actions}.Answer()
			got := answer.Algorithm
			if got != "INSTANT" {
				got += " " + answer.Lock
			}
			if answer.Rewrite {
				got += " rewrite"
			}
			if got != want {
				t.Errorf("%s on %s: got %s (%s), want %s", test.name, version, got, answer.Why, want)
			}
			if answer.Why == "" {
				t.Errorf("%s on %s: no reason is given", test.name, version)
			}
		}
	}
}

// TestTogether: where actions cost more in one statement than each in its own, the answer says so, and why.
func TestTogether(t *testing.T) {
	table := &catalog.Table{Columns: []*catalog.Column{col("id", "int", "not null"), col("a", "int")}, Keys: []*catalog.Key{key(catalog.Primary, "id")}}
	add, addVirtual := online.AddColumn{Column: col("c", "int"), Last: true}, online.AddColumn{Column: col("v", "int", "virtual"), Last: true}
	index := online.AddKey{Key: key(catalog.Plain, "a")}
	rename := online.RenameColumn{Column: table.Columns[1]}
	wide := online.ModifyColumn{From: col("a", "int"), To: col("a", "bigint")}
	mysql, maria := server.Server{Major: 8, Minor: 4}, server.Server{MariaDB: true, Major: 10, Minor: 11}
	for _, test := range []struct {
		name    string
		server  server.Server
		actions []online.Action
		want    bool
	}{
		{"two instant ones", mysql, []online.Action{add, online.SetDefault{}}, true},
		{"a column and a key", mysql, []online.Action{add, index}, false},
		{"a column and a key", maria, []online.Action{add, index}, false},
		{"two that copy", mysql, []online.Action{wide, online.DropPrimaryKey{}}, true},
		{"a column beside one that is copied anyway", mysql, []online.Action{add, wide}, true},
		{"a virtual column and another", maria, []online.Action{addVirtual, add}, false},
		{"a rename and a column", mysql, []online.Action{rename, add}, false},
		{"a rename and a column", maria, []online.Action{rename, add}, true},
	} {
		answer := online.Alter{Server: test.server, Table: table, Actions: test.actions}.Answer()
		if answer.Together != test.want || (answer.Conflict == "") != test.want {
			t.Errorf("%s on %s: got %v, %q", test.name, test.server, answer.Together, answer.Conflict)
		}
	}
}

// TestClause: what is stated with a statement is what a server of the flavour reads there.
func TestClause(t *testing.T) {
	table := &catalog.Table{Columns: []*catalog.Column{col("id", "int", "not null")}, Keys: []*catalog.Key{key(catalog.Primary, "id")}}
	for _, test := range []struct {
		dialect, version string
		action           online.Action
		want, blocks     string
	}{
		{"mysql", "8.0.29", online.AddColumn{Column: col("c", "int")}, "ALGORITHM=INSTANT", "nothing"},
		{"mysql", "5.7", online.AddColumn{Column: col("c", "int")}, "ALGORITHM=INPLACE, LOCK=NONE", "nothing"},
		{"mysql", "8.4", online.DropPrimaryKey{}, "ALGORITHM=COPY, LOCK=SHARED", "writes"},
		{"mariadb", "10.11", online.AddKey{Key: key(catalog.Plain, "id")}, "ALGORITHM=NOCOPY, LOCK=NONE", "nothing"},
		{"mysql", "8.4", online.ChangePartitions{How: online.AddPartition}, "ALGORITHM=INPLACE, LOCK=NONE", "nothing"},
		{"mysql", "5.7", online.ChangePartitions{How: online.AddPartition}, "", "nothing"},
		{"mariadb", "10.11", online.ChangePartitions{How: online.Reorganize}, "", "writes"},
		{"mysql", "8.4", online.RenameTable{}, "", "nothing"},
	} {
		sv, err := server.Parse(test.dialect, test.version)
		if err != nil {
			t.Fatal(err)
		}
		answer := online.Alter{Server: sv, Table: table, Actions: []online.Action{test.action}}.Answer()
		if answer.Clause() != test.want || answer.Blocks() != test.blocks {
			t.Errorf("%T on %s: got %q, which blocks %s; want %q, %s", test.action, sv, answer.Clause(), answer.Blocks(), test.want, test.blocks)
		}
	}
}

// TestRefused: neither server makes a virtual column of another one, whatever is stated.
func TestRefused(t *testing.T) {
	for _, m := range []online.ModifyColumn{
		{From: col("a", "int"), To: col("a", "int", "virtual")}, {From: col("a", "int", "virtual"), To: col("a", "int")},
		{From: col("a", "int", "stored"), To: col("a", "int", "virtual")}, {From: col("a", "int", "virtual"), To: col("a", "int", "stored")},
	} {
		for _, sv := range []server.Server{{Major: 8}, {MariaDB: true, Major: 10, Minor: 11}} {
			if answer := (online.Alter{Server: sv, Actions: []online.Action{m}}).Answer(); answer.Refused == "" {
				t.Errorf("%+v on %s is not refused", m, sv)
			}
		}
	}
}
