package sqlite

import (
	"context"
	"fmt"
	"testing"

	"github.com/altergate/altergate/internal/source"
)

// manyMigrations gives n migrations: 300 tables, then what becomes of them.
func manyMigrations(n int) []*source.File {
	var files []*source.File
	add := func(sql string) {
		files = append(files, &source.File{Path: fmt.Sprintf("%05d.sql", len(files)), Text: sql})
	}
	for i := range 300 {
		add(fmt.Sprintf("CREATE TABLE t%d (id INTEGER PRIMARY KEY, name TEXT NOT NULL, parent INTEGER REFERENCES t%d (id), note TEXT)", i, i/2))
	}
	for i := 0; len(files) < n; i++ {
		t := i % 300
		switch i % 4 {
		case 0:
			add(fmt.Sprintf("ALTER TABLE t%d ADD COLUMN c%d TEXT", t, i))
		case 1:
			add(fmt.Sprintf("CREATE INDEX i%d ON t%d (name)", i, t))
		case 2:
			add(fmt.Sprintf("ALTER TABLE t%d RENAME COLUMN note TO note%d; ALTER TABLE t%d RENAME COLUMN note%d TO note", t, i, t, i))
		default:
			add(fmt.Sprintf("CREATE TABLE new_t%[1]d (id INTEGER PRIMARY KEY, name TEXT, parent INTEGER, note TEXT);\n"+
				"INSERT INTO new_t%[1]d SELECT id, name, parent, note FROM t%[1]d;\nDROP TABLE t%[1]d;\nALTER TABLE new_t%[1]d RENAME TO t%[1]d", t))
		}
	}
	return files
}

func BenchmarkReadMigrations(b *testing.B) {
	files := manyMigrations(1000)
	for b.Loop() {
		if _, err := (Dialect{}).ReadMigrations(context.Background(), files, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAfter(b *testing.B) {
	l, err := Dialect{}.ReadMigrations(context.Background(), manyMigrations(300), nil)
	if err != nil {
		b.Fatal(err)
	}
	for _, sql := range []string{"ALTER TABLE t5 ADD COLUMN x TEXT", "UPDATE t5 SET name = 'x'"} {
		b.Run(sql[:6], func(b *testing.B) {
			for b.Loop() {
				if _, _, err := follow(l, sql); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
