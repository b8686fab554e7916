package pipeline

import (
	"slices"
	"testing"
	"testing/fstest"

	"github.com/altergate/altergate/internal/policy"
)

// TestMigrationsOfPrograms: what of a statement counts only beside the side before it is told, too, and so is a way back that leaves it.
func TestMigrationsOfPrograms(t *testing.T) {
	merged := "CREATE TABLE t (id int PRIMARY KEY);\nSET sql_mode = 'STRICT_ALL_TABLES';\nCREATE PROCEDURE p() SELECT 1;\n"
	up := "ALTER DATABASE CHARACTER SET latin1;\nSET sql_mode = '';\nCREATE OR REPLACE PROCEDURE p() SELECT 1;\n"
	base := fstest.MapFS{"db/000001_a.up.sql": {Data: []byte(merged)}, "db/000001_a.down.sql": {Data: []byte("DROP PROCEDURE p;\nDROP TABLE t;\n")}}
	head := fstest.MapFS{"db/000001_a.up.sql": base["db/000001_a.up.sql"], "db/000001_a.down.sql": base["db/000001_a.down.sql"],
		"db/000002_b.up.sql": {Data: []byte(up)}, "db/000002_b.down.sql": {Data: []byte("SELECT 1;\n")}}
	r := Run(t.Context(), policy.Default(), []Target{{Name: "main", Dialect: "mariadb", Base: Place{base, "db"}, Head: Place{head, "db"}, Migrations: true}}, Options{}).Results[0]
	if r.Plan == nil {
		t.Fatal(r.Errors)
	}
	var got, back []string
	for _, s := range r.Plan.Steps {
		got = append(got, s.Kind+" "+s.Object)
		for _, f := range s.Findings {
			if f.Rule == "down-differs" {
				back = append(back, f.Text)
			}
		}
	}
	if want := []string{"alter_database DATABASE()", "session SET", "alter_procedure p"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if want := []string{"The way back does not undo the migration: database DATABASE() differs; procedure p differs"}; !slices.Equal(back, want) {
		t.Errorf("%v, want %v", back, want)
	}
}
