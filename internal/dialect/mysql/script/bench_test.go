package script

import (
	"fmt"
	"strings"
	"testing"

	"github.com/altergate/altergate/internal/source"
)

// dump is a schema as mysqldump writes it, with rows.
func dump(tables int) string {
	var b strings.Builder
	b.WriteString("/*!40101 SET @OLD_CHARACTER_SET_CLIENT=@@CHARACTER_SET_CLIENT */;\n/*!50503 SET NAMES utf8mb4 */;\n/*!40014 SET @OLD_FOREIGN_KEY_CHECKS=@@FOREIGN_KEY_CHECKS, FOREIGN_KEY_CHECKS=0 */;\n" +
		"/*!40101 SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='NO_AUTO_VALUE_ON_ZERO' */;\n")
	for i := range tables {
		fmt.Fprintf(&b, "DROP TABLE IF EXISTS `t%d`;\n/*!50503 SET character_set_client = utf8mb4 */;\nCREATE TABLE `t%d` (\n  `id` bigint unsigned NOT NULL AUTO_INCREMENT,\n", i, i)
		for c := range 12 {
			fmt.Fprintf(&b, "  `column_%d` varchar(255) COLLATE utf8mb4_general_ci NOT NULL DEFAULT 'value' COMMENT 'it''s a column, the %dth',\n", c, c)
		}
		b.WriteString("  `at` timestamp(6) NULL DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6),\n  PRIMARY KEY (`id`),\n  UNIQUE KEY `u` (`column_1`,`column_2`(20)),\n  KEY `k` (`at`)\n" +
			") ENGINE=InnoDB AUTO_INCREMENT=17 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;\n")
		fmt.Fprintf(&b, "LOCK TABLES `t%d` WRITE;\n/*!40000 ALTER TABLE `t%d` DISABLE KEYS */;\nINSERT INTO `t%d` VALUES %s(1);\nUNLOCK TABLES;\n", i, i, i, strings.Repeat("(1,'it\\'s a row; with text',NULL,0x41),", 20))
		fmt.Fprintf(&b, "DELIMITER ;;\n/*!50003 CREATE*/ /*!50017 DEFINER=`root`@`localhost`*/ /*!50003 TRIGGER `tr%d` BEFORE INSERT ON `t%d` FOR EACH ROW BEGIN IF NEW.id IS NULL THEN SET NEW.id = 1; END IF; END */;;\nDELIMITER ;\n", i, i)
	}
	return b.String()
}

func TestDump(t *testing.T) {
	s, errs := parsed(dump(3), mysql80, nil)
	if len(errs) > 0 || len(s.Statements) != 4+3*4 || len(s.Passed) != 3*4 {
		t.Errorf("%d statements, %d passed over, %v", len(s.Statements), len(s.Passed), errs)
	}
}

func BenchmarkSplit(b *testing.B) {
	text := dump(200)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, errs := Split(&source.File{Path: "a.sql", Text: text}, mysql80); len(errs) > 0 {
			b.Fatal(errs)
		}
	}
}

func BenchmarkParse(b *testing.B) {
	text := dump(200)
	s, _ := Split(&source.File{Path: "a.sql", Text: text}, mysql80)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if errs := Parse(s.Statements, mysql80, nil); len(errs) > 0 {
			b.Fatal(errs)
		}
	}
}

func BenchmarkRows(b *testing.B) {
	text := "INSERT INTO t VALUES " + strings.Repeat("(1,'it\\'s a row; with text',NULL,0x41,'2020-01-01 00:00:00',1234567890),", 100_000) + "(1);"
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, errs := Split(&source.File{Path: "a.sql", Text: text}, mysql80); len(errs) > 0 {
			b.Fatal(errs)
		}
	}
}
