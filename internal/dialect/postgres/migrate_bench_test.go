package postgres_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/altergate/altergate/internal/dialect/postgres"
	"github.com/altergate/altergate/internal/source"
)

// history makes a directory of migrations: as many files, which make and change as many tables, as a project of some years has.
func history(files, tables int) []*source.File {
	var list []*source.File
	add := func(format string, args ...any) {
		list = append(list, &source.File{Path: fmt.Sprintf("%06d.sql", len(list)), Text: fmt.Sprintf(format, args...)})
	}
	for i := range tables {
		ref := ""
		if i > 0 {
			ref = fmt.Sprintf(", parent_id bigint REFERENCES t%d (id) ON DELETE CASCADE", i/2)
		}
		add("CREATE TABLE t%d (id bigserial PRIMARY KEY, name text NOT NULL, quantity integer DEFAULT 0 CHECK (quantity >= 0), made timestamptz NOT NULL DEFAULT now()%s);\nCREATE INDEX t%d_name ON t%d (name);\n", i, ref, i, i)
		if i%10 == 0 {
			list[len(list)-1].Text += fmt.Sprintf("CREATE VIEW v%d AS SELECT id, lower(name) AS name FROM t%d WHERE quantity > 0;\n", i, i)
		}
	}
	for i := 0; len(list) < files; i++ {
		t := i * 7 % tables
		switch i % 7 {
		case 0:
			add("ALTER TABLE t%d ADD COLUMN c%d text;\nUPDATE t%d SET c%d = name;\nALTER TABLE t%d ALTER COLUMN c%d SET NOT NULL;", t, i, t, i, t, i)
		case 1:
			add("ALTER TABLE t%d RENAME COLUMN made TO made_%d;\nALTER TABLE t%d RENAME COLUMN made_%d TO made;", t, i, t, i)
		case 2:
			add("CREATE INDEX IF NOT EXISTS i%d ON t%d (quantity, made);", i, t)
		case 3:
			add("ALTER TABLE t%d RENAME TO n%d;\nALTER TABLE n%d RENAME TO t%d;", t, i, i, t)
		case 4:
			add("DROP INDEX IF EXISTS i%d;\nALTER TABLE t%d ADD CONSTRAINT k%d CHECK (quantity < 1000000);", i-2, t, i)
		case 5:
			add("CREATE TABLE s%d AS SELECT * FROM t%d;\nDROP TABLE s%d;", i, t, i)
		default:
			add("ALTER TABLE t%d ALTER COLUMN name SET DEFAULT %s, DROP COLUMN IF EXISTS gone;", t, "'x'")
		}
	}
	return list
}

// BenchmarkHistory reads 1000 migrations of a schema of 300 tables as one.
func BenchmarkHistory(b *testing.B) {
	for _, files := range []int{500, 1000, 2000} {
		b.Run(fmt.Sprint(files), func(b *testing.B) {
			list := history(files, 300)
			for b.Loop() {
				if _, err := (postgres.Dialect{}).Read(b.Context(), list, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkAfter takes ten statements one after the other on a schema of 300 tables.
func BenchmarkAfter(b *testing.B) {
	d := postgres.Dialect{}
	base, err := d.Read(b.Context(), history(1000, 300), nil)
	if err != nil {
		b.Fatal(err)
	}
	var text strings.Builder
	for i := range 10 {
		fmt.Fprintf(&text, "ALTER TABLE t%d ADD COLUMN late text;\n", i*20)
	}
	list, err := d.Cut(&source.File{Path: "new.sql", Text: text.String()})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		l := base
		for _, st := range list {
			if l, _, err = d.After(b.Context(), l, st); err != nil {
				b.Fatal(err)
			}
		}
	}
}
