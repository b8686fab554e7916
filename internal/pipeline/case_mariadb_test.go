package pipeline_test

import (
	"testing"

	"github.com/altergate/altergate/internal/dialect/mysql/mysqltest"
	"github.com/altergate/altergate/internal/pipeline"
	"github.com/altergate/altergate/internal/proof"
)

// onlyMySQL are the cases of MySQL that say nothing to MariaDB, with what it does otherwise.
var onlyMySQL = map[string]string{
	"hide-key":           "it calls such keys IGNORED",
	"checks":             "it enforces all checks",
	"same-dump":          "it gives checks other names",
	"made-up-names":      "it gives checks other names",
	"ignored-references": "it takes REFERENCES that stand with a column",
}

// TestCasesOnMariaDB runs the plan of every case that a MariaDB server can run there, with rows in the tables.
func TestCasesOnMariaDB(t *testing.T) {
	server := mysqltest.URL(t)
	for _, dialect := range []string{"mariadb", "mysql"} {
		eachCaseOf(t, dialect, func(t *testing.T, c *testCase) {
			if c.want["error.txt"] != "" || dialect == "mysql" && onlyMySQL[c.name] != "" {
				return
			}
			result := c.run(t, c.base, c.head, pipeline.Options{Scratch: pipeline.Scratch{dialect: server}})
			if result.Plan == nil {
				t.Fatalf("no answer:\n%s", errorText(result.Errors))
			}
			if e := result.Proof.Engine; e == nil || e.Result != proof.Proved {
				t.Errorf("the plan was not run: %+v", e)
			}
		})
	}
}
