package mysql_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/altergate/altergate/internal/dialect/mysql"
	"github.com/altergate/altergate/internal/dialect/mysql/server"
	"github.com/altergate/altergate/internal/source"
)

// history writes migrations that make so many tables and then change them in turn, each file in one way.
func history(tables, files int) []*source.File {
	list := []*source.File{}
	add := func(format string, args ...any) {
		list = append(list, &source.File{Path: fmt.Sprintf("%06d.sql", len(list)+1), Text: fmt.Sprintf(format, args...)})
	}
	for n, text := range strings.SplitAfter(shop(tables), "character_set_client = @saved_cs_client */;\n") {
		if n < tables {
			add("%s", text)
		}
	}
	for n := 0; len(list) < files; n++ {
		t := nthName(n % tables)
		switch n / tables % 6 {
		case 0:
			add("ALTER TABLE %s ADD COLUMN extra_%d int NOT NULL DEFAULT 0;\nUPDATE %[1]s SET extra_%[2]d = 1 WHERE quantity > 3;\n", t, n)
		case 1:
			add("CREATE INDEX index_%s_on_amount ON %[1]s (amount);\n", t)
		case 2:
			add("ALTER TABLE %s MODIFY name varchar(200) NOT NULL, DROP INDEX index_%[1]s_on_status_and_kind;\n", t)
		case 3:
			add("ALTER TABLE %s CHANGE quantity stock bigint NOT NULL DEFAULT 0;\nINSERT INTO %[1]s (name) VALUES ('x');\n", t)
		case 4:
			add("RENAME TABLE %s TO old_%[1]s, old_%[1]s TO %[1]s;\n", t)
		case 5:
			add("ALTER TABLE %s DROP FOREIGN KEY fk_%[1]s_parent, ADD CONSTRAINT fk_%[1]s_up FOREIGN KEY (parent_id) REFERENCES %[2]s (id);\n", t, nthName(max(0, n%tables-1)))
		}
	}
	return list
}

func mariaDB() mysql.Dialect {
	sv := server.Server{MariaDB: true, Major: 10, Minor: 11}
	return mysql.Dialect{Oldest: sv, Newest: sv}
}

// BenchmarkMySQLHistory measures reading a thousand migrations of 300 tables as one source.
func BenchmarkMySQLHistory(b *testing.B) {
	for _, files := range []int{500, 1000, 2000} {
		b.Run(fmt.Sprint(files), func(b *testing.B) {
			for b.Loop() {
				if _, err := mariaDB().Read(context.Background(), history(300, files), nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkMySQLAfter measures one statement more on so many tables.
func BenchmarkMySQLAfter(b *testing.B) {
	d, ctx := mariaDB(), context.Background()
	for _, tables := range []int{30, 300, 3000} {
		l, err := d.Read(ctx, history(tables, tables), nil)
		if err != nil {
			b.Fatal(err)
		}
		for _, sql := range []string{"ALTER TABLE things_00007 ADD COLUMN extra int", "CREATE INDEX i ON things_00007 (amount)", "RENAME TABLE things_00007 TO other", "UPDATE things_00007 SET amount = 1"} {
			list, err := d.Cut(&source.File{Path: "m.sql", Text: sql})
			if err != nil {
				b.Fatal(err)
			}
			b.Run(fmt.Sprintf("%d/%s", tables, strings.Fields(sql)[0]), func(b *testing.B) {
				for b.Loop() {
					if _, _, err := d.After(ctx, l, list[0]); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
