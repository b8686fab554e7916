package catalog_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/altergate/altergate/internal/dialect/mysql/catalog"
	"github.com/altergate/altergate/internal/dialect/mysql/script"
	"github.com/altergate/altergate/internal/source"
)

// manyTables is a dump of 200 tables.
func manyTables() string {
	var b strings.Builder
	for i := range 200 {
		fmt.Fprintf(&b, "CREATE TABLE `t%d` (\n  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,\n", i)
		for j := range 12 {
			fmt.Fprintf(&b, "  `c%d` varchar(%d) COLLATE utf8mb4_unicode_ci NOT NULL DEFAULT 'x' COMMENT 'what it is',\n", j, 20+j)
		}
		fmt.Fprintf(&b, "  `p` bigint(20) unsigned DEFAULT NULL,\n  `at` datetime DEFAULT CURRENT_TIMESTAMP,\n  PRIMARY KEY (`id`),\n  KEY `k` (`c1`,`c2`(5)),\n  KEY `p` (`p`),\n  CONSTRAINT `f%d` FOREIGN KEY (`p`) REFERENCES `t%d` (`id`)\n) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;\n", i, (i*7)%200)
	}
	return b.String()
}

// BenchmarkRun reads the dump; BenchmarkParse is what the parser takes for it alone.
func BenchmarkRun(b *testing.B) {
	sv := version(b, "mysql", "8.0.36")
	list := statements(b, sv, manyTables())
	for b.Loop() {
		if _, errs := catalog.New(sv).Run(list); len(errs) > 0 {
			b.Fatal(errs)
		}
	}
}

func BenchmarkParse(b *testing.B) {
	sv := version(b, "mysql", "8.0.36")
	text := manyTables()
	for b.Loop() {
		s, _ := script.Split(&source.File{Path: "schema.sql", Text: text}, sv)
		if errs := script.Parse(s.Statements, sv, nil); len(errs) > 0 {
			b.Fatal(errs)
		}
	}
}
