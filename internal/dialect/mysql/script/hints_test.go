package script

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/source"
)

func TestHints(t *testing.T) {
	misplaced := func(at, hint string) string {
		return "a.sql:" + at + ": the hint `" + hint + "` belongs to no table and no column; put it on the line of the column, or on the line above CREATE TABLE"
	}
	tests := []struct {
		name, text string
		want       []string // line table/from>to
		errs       []string
	}{
		{"none", "-- renamed\nCREATE TABLE t (a int); -- it was renamed from=x", nil, nil},
		{"the line before the table", "SELECT 1;\n-- @renamed from=old\nCREATE TABLE users (a int);", []string{"2 old>users"}, nil},
		{"the line of the table", "CREATE TABLE users ( # @renamed from=old\n a int);", []string{"1 old>users"}, nil},
		{"between the words", "CREATE TABLE -- @renamed from=old\n users\n (\n a int);", []string{"1 old>users"}, nil},
		{"the line of the closing parenthesis", "CREATE TABLE users (\n a int\n) ENGINE=InnoDB; -- @renamed from=old", []string{"3 old>users"}, nil},
		{"before the semicolon", "CREATE TABLE users (\n a int\n) -- @renamed from=old\n;", []string{"3 old>users"}, nil},
		{"the line of a column", "CREATE TABLE users (\n a int, -- @renamed from=x\n b decimal(1,\n2) # @renamed from=y\n, c int /* @renamed from=z*/, d int\n);",
			[]string{"2 users/x>a", "4 users/y>b", "5 users/z>c"}, nil},
		{"the line before a column", "CREATE TABLE users (\n -- @renamed from=x\n a int,\n -- atlas:renamed_from y\n b int);", []string{"2 users/x>a", "4 users/y>b"}, nil},
		{"names", "-- @renamed from=Old\nCREATE TABLE IF NOT EXISTS Users (\n `A``b` int, -- @renamed from=`X y`\n c int -- @renamed from='z'\n);",
			[]string{"1 Old>Users", "3 Users/X y>A`b", "4 Users/z>c"}, nil},
		{"databases", "-- @renamed from=old\nCREATE TABLE store.shape (\n a int -- @renamed from=b.\n);\n-- @renamed from=other.old\nCREATE TABLE shape (a int);", []string{"1 store.old>store.shape", "3 store.shape/b>a", "5 other.old>shape"}, nil},
		{"a database that is used", "CREATE DATABASE shop; USE `shop`;\n-- @renamed from=old\nCREATE TABLE t (\n a int -- @renamed from=b\n);\nUSE other\nCREATE TABLE u (a int); -- @renamed from=v\n-- @renamed from=x.y\nCREATE TABLE z.w (a int);",
			[]string{"2 shop.old>shop.t", "4 shop.t/b>a", "7 other.u/v>a", "8 x.y>z.w"}, nil},
		{"in code for the server", "-- @renamed from=old\n/*!40101 CREATE TABLE t (\n a int, -- @renamed from=b\n c int /*!80023 INVISIBLE */ -- @renamed from=d\n) */;", []string{"1 old>t", "3 t/b>a", "4 t/d>c"}, nil},
		{"under ANSI_QUOTES", "SET sql_mode='ANSI_QUOTES';\nCREATE TABLE \"t\" (\n \"a\"\"`\" int, -- @renamed from=b\n c int -- @renamed from=d\n);", []string{"3 t/b>a\"`", "4 t/d>c"}, nil},
		{"like another", "-- @renamed from=old\nCREATE TABLE p LIKE q;", []string{"1 old>p"}, nil},
		{"a key", "CREATE TABLE t (\n a int,\n KEY k (a), -- @renamed from=x\n CONSTRAINT c CHECK (a > 0), -- @renamed from=y\n FULLTEXT (a) -- @renamed from=z\n);", nil,
			[]string{misplaced("3:13", "-- @renamed from=x"), misplaced("4:30", "-- @renamed from=y"), misplaced("5:15", "-- @renamed from=z")}},
		{"not a table", "-- @renamed from=x\nCREATE INDEX i ON t (a);\n-- @renamed from=y\n", nil, []string{misplaced("1:1", "-- @renamed from=x"), misplaced("3:1", "-- @renamed from=y")}},
		{"a column has no database", "CREATE TABLE t (\n a int -- @renamed from=x.y\n);", nil, []string{misplaced("2:8", "-- @renamed from=x.y")}},
		{"not finished", "-- @renamed\nCREATE TABLE t (\n a int, -- @renamed from=\n b int -- @renamed from=1\n);", nil, []string{
			"a.sql:1:1: the hint `-- @renamed` is not finished; write `-- @renamed from=old_name`",
			"a.sql:3:9: the hint `-- @renamed from=` names nothing; write `-- @renamed from=old_name`",
			"a.sql:4:8: the hint `-- @renamed from=1` names nothing; write `-- @renamed from=old_name`"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, errs := Split(&source.File{Path: "a.sql", Text: tt.text}, mysql80)
			if errs != nil {
				t.Fatal(errs)
			}
			hints, errs := s.Hints()
			var got, told []string
			for _, h := range hints {
				said := fmt.Sprintf("%d ", h.Pos.Line)
				if h.Table != "" {
					said += h.Table + "/"
				}
				got = append(got, said+h.From+">"+h.To)
			}
			for _, e := range errs {
				told = append(told, e.Error())
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("hints (-want +got):\n%s", d)
			}
			if d := cmp.Diff(tt.errs, told); d != "" {
				t.Errorf("errors (-want +got):\n%s", d)
			}
		})
	}
}
