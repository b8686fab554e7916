package catalog_test

import (
	"strings"
	"testing"
)

// The server refuses a view that names what is not there at the moment at which it is made (error 1054, 1146).
func TestViewsNameWhatIsThere(t *testing.T) {
	const tables = "CREATE TABLE t (a int, b int); CREATE TABLE u (c int); CREATE VIEW w AS SELECT a AS x FROM t; CREATE VIEW s AS SELECT * FROM t; "
	sv := version(t, "mariadb", "10.11")
	for query, says := range map[string]string{
		"SELECT a, t.b FROM t":                                       "",
		"SELECT A, t.B AS c FROM t":                                  "",
		"SELECT a AS n FROM t GROUP BY n HAVING n > 1 ORDER BY n":    "",
		"SELECT x FROM w":                                            "",
		"SELECT b FROM s":                                            "",
		"SELECT y.a, c FROM t y JOIN u ON c = y.b":                   "",
		"SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u WHERE c = b)": "",
		"WITH q (m) AS (SELECT a FROM t) SELECT m FROM q":            "",
		"SELECT table_name FROM information_schema.tables":           "",
		"SELECT _rowid FROM t":                                       "",
		"SELECT d FROM t":                                            "names the column d, which nothing that it reads has",
		"SELECT c FROM t":                                            "names the column c",
		"SELECT a FROM t WHERE t.c = 1":                              "names the column c",
		"SELECT x FROM w WHERE q = 1":                                "names the column q",
		"SELECT z FROM s":                                            "names the column z",
		"SELECT a FROM t JOIN missing ON a = 1":                      "reads missing, which is not there",
	} {
		_, errs := run(t, sv, tables+"CREATE VIEW v AS "+query)
		err := ""
		for _, e := range errs {
			err += e.Error()
		}
		if says == "" && err != "" || says != "" && !strings.Contains(err, says) {
			t.Errorf("%s: %q, want %q", query, err, says)
		}
	}
}
