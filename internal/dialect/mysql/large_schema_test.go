package mysql_test

import (
	"fmt"
	"strings"
)

// shop writes a schema of so many tables as mysqldump does: nine columns each, three keys, a check and a foreign key to the table before.
func shop(tables int) string {
	var b strings.Builder
	b.WriteString("/*!40101 SET @OLD_CHARACTER_SET_CLIENT=@@CHARACTER_SET_CLIENT */;\n/*!50503 SET NAMES utf8mb4 */;\n/*!40014 SET @OLD_FOREIGN_KEY_CHECKS=@@FOREIGN_KEY_CHECKS, FOREIGN_KEY_CHECKS=0 */;\n\n")
	for n := range tables {
		name := nthName(n)
		fmt.Fprintf(&b, "--\n-- Table structure for table `%s`\n--\n\nDROP TABLE IF EXISTS `%[1]s`;\n/*!40101 SET @saved_cs_client     = @@character_set_client */;\nCREATE TABLE `%[1]s` (\n"+
			"  `id` bigint(20) NOT NULL AUTO_INCREMENT,\n  `parent_id` bigint(20) DEFAULT NULL,\n  `name` varchar(120) NOT NULL,\n  `status` varchar(20) NOT NULL DEFAULT 'open',\n  `kind` enum('a','b','c') NOT NULL DEFAULT 'a',\n"+
			"  `quantity` int(11) NOT NULL DEFAULT 0,\n  `amount` decimal(10,2) NOT NULL DEFAULT 0.00,\n  `note` text DEFAULT NULL,\n  `created_at` datetime NOT NULL DEFAULT current_timestamp(),\n"+
			"  PRIMARY KEY (`id`),\n  UNIQUE KEY `index_%[1]s_on_name` (`name`),\n  KEY `index_%[1]s_on_status_and_kind` (`status`,`kind`),\n  KEY `index_%[1]s_on_parent_id` (`parent_id`),\n", name)
		fmt.Fprintf(&b, "  CONSTRAINT `fk_%s_parent` FOREIGN KEY (`parent_id`) REFERENCES `%s` (`id`) ON DELETE CASCADE,\n  CONSTRAINT `%[1]s_quantity_check` CHECK (`quantity` >= 0)\n) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;\n/*!40101 SET character_set_client = @saved_cs_client */;\n\n", name, nthName(max(0, n-1)))
	}
	return b.String()
}

func nthName(n int) string { return fmt.Sprintf("things_%05d", n) }

// eightEdits changes a shop in eight ways, in tables spread over all of it.
func eightEdits(tables int) string {
	sql := shop(tables)
	edit := func(n int, old, changed string) {
		name := nthName((tables - 1) * n / 7)
		from := strings.Index(sql, "CREATE TABLE `"+name+"`")
		to := from + strings.Index(sql[from:], "\n) ENGINE")
		sql = sql[:from] + strings.Replace(sql[from:to], strings.ReplaceAll(old, "%", name), strings.ReplaceAll(changed, "%", name), 1) + sql[to:]
	}
	edit(0, "`quantity` int(11) NOT NULL DEFAULT 0", "`quantity` bigint(20) NOT NULL DEFAULT 0")
	edit(1, "`name` varchar(120) NOT NULL", "`name` varchar(200) NOT NULL")
	edit(2, "DEFAULT 'open'", "DEFAULT 'new'")
	edit(3, "  `note` text DEFAULT NULL", "  `note` text DEFAULT NULL,\n  `extra` json DEFAULT NULL")
	edit(4, "enum('a','b','c')", "enum('a','b','c','d')")
	edit(5, "CHECK (`quantity` >= 0)", "CHECK (`quantity` >= 1)")
	edit(6, "  KEY `index_%_on_status_and_kind` (`status`,`kind`),\n", "")
	edit(7, "  PRIMARY KEY (`id`)", "  PRIMARY KEY (`id`),\n  KEY `index_%_on_amount` (`amount`)")
	return sql + "CREATE TABLE `newcomers` (`id` bigint(20) NOT NULL PRIMARY KEY, `host_id` bigint(20) DEFAULT NULL, CONSTRAINT `fk_host` FOREIGN KEY (`host_id`) REFERENCES `" + nthName(0) + "` (`id`));\n"
}
