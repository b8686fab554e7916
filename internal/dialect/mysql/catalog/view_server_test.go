package catalog_test

import (
	"testing"

	"github.com/altergate/altergate/internal/dialect/mysql/mysqltest"
)

// views are queries whose print on the server reads as they do.
var views = []string{
	"SELECT 1 AS x", "SELECT a, a+1 AS q, count(*) FROM t AS z WHERE a > 1 GROUP BY a HAVING count(*) > 1 ORDER BY a DESC LIMIT 5", "SELECT t.a, x.b AS zz FROM t JOIN u x ON t.a = x.b WHERE NOT x.c",
	"SELECT DISTINCT a FROM t UNION ALL SELECT b FROM u", "SELECT a FROM t LEFT JOIN u ON t.a = u.c AND u.b != 3", "SELECT CASE WHEN a = 1 THEN 'x' END AS k, d LIKE 'x' AS l, if(a,'1',2) AS m FROM t", "SELECT sum(a) s, max(d) AS m, count(DISTINCT a) n FROM t",
	"SELECT a FROM t, u WHERE a = b", "SELECT t.a FROM t JOIN u ON a = b LEFT JOIN t z ON z.a = c CROSS JOIN u w", "SELECT `a` FROM `t` WHERE (a > 1) AND ((a < 5) OR d IN ('x','y'))", "SELECT A, t.D FROM t", "SELECT date_add(now(), interval 1 day) AS x FROM t", "SELECT a FROM t WHERE d IS NOT NULL ORDER BY 1",
}

func TestViewsOnServer(t *testing.T) {
	sv, db := mysqltest.Server(t), mysqltest.Connect(t)
	const tables = "CREATE TABLE t (a int, d varchar(9)); CREATE TABLE u (b int, c int)"
	if _, err := db.Exec(tables); err != nil {
		t.Fatal(err)
	}
	for _, query := range views {
		text := "CREATE OR REPLACE VIEW v AS " + query
		if _, err := db.Exec(text); err != nil {
			t.Errorf("%s: %v", query, err)
			continue
		}
		var name, said, charset, collation string
		if err := db.QueryRow("SHOW CREATE VIEW v").Scan(&name, &said, &charset, &collation); err != nil {
			t.Fatal(err)
		}
		a, b := read(t, sv, tables+"; "+said).Views["v"], read(t, sv, tables+"; "+text).Views["v"]
		if a.Canon != b.Canon {
			t.Errorf("%s\n server  %s\n written %s\n(%s)", query, a.Canon, b.Canon, said)
		}
	}
}

// TestViewsDiffer wants queries that mean something else to stay apart.
func TestViewsDiffer(t *testing.T) {
	sv := version(t, "mariadb", "10.11")
	seen := map[string]string{}
	for _, query := range append([]string{"SELECT a FROM t LEFT JOIN u ON t.a = u.c", "SELECT a FROM t JOIN u ON t.a = u.c", "SELECT a FROM t RIGHT JOIN u ON t.a = u.c", "SELECT a FROM t UNION SELECT b FROM u", "SELECT a FROM t", "SELECT a AS b FROM t", "SELECT DISTINCT a FROM t",
		"SELECT a FROM t ORDER BY a", "SELECT a FROM t LIMIT 1", "SELECT a FROM t LIMIT 1, 2", "SELECT a FROM t LIMIT 1 OFFSET 2", "SELECT * FROM t", "SELECT a FROM t WHERE a IN (SELECT b FROM u)", "SELECT a FROM t WHERE a NOT IN (SELECT b FROM u)", "SELECT a FROM T", "SELECT x.a FROM t x JOIN t y", "SELECT y.a FROM t x JOIN t y",
		"SELECT a FROM t, u LEFT JOIN t x ON c = x.a", "SELECT t.a FROM t, u RIGHT JOIN t x ON c = x.a", "SELECT t.a FROM (t JOIN u) RIGHT JOIN t x ON c = x.a", "SELECT t.a FROM t JOIN (u RIGHT JOIN t x ON c = x.a)", "SELECT a FROM t GROUP BY a", "SELECT count(a) AS a FROM t", "SELECT count(DISTINCT a) AS a FROM t", "SELECT a FROM t FOR UPDATE", "SELECT a FROM t WHERE d = 'x'", "SELECT a FROM t WHERE d = 'X'", "SELECT a FROM t GROUP BY a WITH ROLLUP"}, views...) {
		canon := read(t, sv, "CREATE TABLE t (a int, d varchar(9)); CREATE TABLE T (a int); CREATE TABLE u (b int, c int); CREATE VIEW v AS "+query).Views["v"].Canon
		if other, ok := seen[canon]; ok && !(query == "SELECT `a` FROM `t` WHERE (a > 1) AND ((a < 5) OR d IN ('x','y'))") {
			t.Errorf("%s\n%s\nread as %s", other, query, canon)
		}
		seen[canon] = query
	}
}
