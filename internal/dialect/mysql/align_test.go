package mysql

import (
	"testing"

	"github.com/altergate/altergate/internal/dialect/mysql/server"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/source"
)

func readText(t *testing.T, sv server.Server, sql string) *Loaded {
	t.Helper()
	l, err := Read(t.Context(), sv, []*source.File{{Path: "schema.sql", Text: sql}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// stepsBetween gives the steps from one text to another.
func stepsBetween(t *testing.T, base, head string) []*plan.Step {
	t.Helper()
	sv, err := server.Newest(MariaDB, "10.11")
	if err != nil {
		t.Fatal(err)
	}
	from, to := readText(t, sv, base), readText(t, sv, head)
	align(from, to)
	p := Planner{Base: from, From: from, To: to, Server: sv, Oldest: sv}
	out, err := plan.Build(plan.Input{Name: "main", From: from.Schema, To: to.Schema, Changes: diff.Schemas(from.Schema, to.Schema)}, p)
	if err != nil {
		t.Fatal(err)
	}
	return out.Steps
}

// TestAlign: what only one side can say is no difference, and what both say is.
func TestAlign(t *testing.T) {
	for name, c := range map[string]struct {
		base, head string
		same       bool
	}{
		"a definer that one side names":  {"CREATE TABLE t (a int);\nCREATE DEFINER=`root`@`localhost` VIEW v AS SELECT a FROM t;", "CREATE TABLE t (a int);\nCREATE VIEW v AS SELECT a FROM t;", true},
		"two definers":                   {"CREATE TABLE t (a int);\nCREATE DEFINER=`x`@`localhost` VIEW v AS SELECT a FROM t;", "CREATE TABLE t (a int);\nCREATE DEFINER=`y`@`localhost` VIEW v AS SELECT a FROM t;", false},
		"the next number":                {"CREATE TABLE t (a int AUTO_INCREMENT PRIMARY KEY) AUTO_INCREMENT=7;", "CREATE TABLE t (a int AUTO_INCREMENT PRIMARY KEY);", true},
		"the collation of some server":   {"CREATE TABLE t (a varchar(9)) CHARSET=utf8mb4;", "CREATE TABLE t (a varchar(9)) CHARSET=utf8mb4 COLLATE=utf8mb4_uca1400_ai_ci;", true},
		"a collation of the author's":    {"CREATE TABLE t (a varchar(9)) CHARSET=utf8mb4;", "CREATE TABLE t (a varchar(9)) CHARSET=utf8mb4 COLLATE=utf8mb4_bin;", false},
		"a key's name that is made up":   {"CREATE TABLE t (a int, KEY mine (a));", "CREATE TABLE t (a int, KEY (a));", true},
		"a key's name that is given now": {"CREATE TABLE t (a int, KEY (a));", "CREATE TABLE t (a int, KEY mine (a));", false},
	} {
		steps := stepsBetween(t, c.base, c.head)
		if same := len(steps) == 0; same != c.same {
			t.Errorf("%s: %d steps", name, len(steps))
		}
	}
}
