package plan_test

import (
	"strings"
	"testing"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/schema"
)

// mysqlStep judges one step of MySQL, or of another dialect.
func mysqlStep(t *testing.T, dialect string, lock plan.Lock, kind string, changes ...diff.Change) *plan.Step {
	t.Helper()
	s := &schema.Schema{Dialect: dialect, Tables: []*schema.Table{users}}
	made, err := plan.Build(plan.Input{From: s, To: s}, &planner{steps: []*plan.Step{{Kind: kind, Object: "t", Changes: changes, Lock: lock}}})
	if err != nil {
		t.Fatal(err)
	}
	return made.Steps[0]
}

// TestMySQLRules: what each rule of MySQL finds, and what it finds nothing in.
func TestMySQLRules(t *testing.T) {
	column := func(canon, text string) *schema.Column {
		typ, _, _ := strings.Cut(canon, ";")
		return &schema.Column{Name: "c", Key: "c", Type: typ, TypeCanon: typ, Canon: canon, Text: text, Pos: at}
	}
	options := func(o ...string) *schema.Table { return &schema.Table{Name: "t", Key: "t", Options: o, Pos: at} }
	alter := func(from, to string) diff.Change {
		return diff.AlterColumn{Table: users, From: column(from, ""), To: column(to, "c "+to)}
	}
	added := func(text string) diff.Change {
		return diff.AddColumn{Table: users, Column: column("timestamp", text)}
	}
	change := func(from, to *schema.Table) diff.Change { return diff.AlterOptions{From: from, To: to} }
	instant, inPlace, copied := plan.Lock{Level: "INSTANT", Blocks: "nothing"}, plan.Lock{Level: "INPLACE, LOCK=NONE", Blocks: "nothing", Rewrite: true}, plan.Lock{Level: "COPY, LOCK=SHARED", Blocks: "writes", Rewrite: true}
	build := plan.Lock{Level: "INPLACE, LOCK=NONE", Blocks: "nothing", Scan: true}
	slow := plan.Lock{Level: "INPLACE, LOCK=SHARED", Blocks: "writes", Scan: true}
	for _, test := range []struct {
		name, dialect string
		lock          plan.Lock
		kind          string
		change        diff.Change
		want          string // rules with their risks
	}{
		{"a column is instant", "mysql", instant, "add_column", diff.AddColumn{Table: users, Column: mail}, "safe add-column, safe instant-budget"},
		{"MariaDB has no budget", "mariadb", instant, "add_column", diff.AddColumn{Table: users, Column: mail}, "safe add-column"},
		{"a column rebuilds the table", "mysql", inPlace, "add_column", diff.AddColumn{Table: users, Column: mail}, "safe add-column, review rewrite"},
		{"a column copies the table", "mysql", copied, "add_column", diff.AddColumn{Table: users, Column: mail}, "safe add-column, review copy-table"},
		{"a check copies the table", "mysql", copied, "add_check", diff.AddConstraint{Table: users, Constraint: check}, "review add-check, review copy-table"},
		{"an index while others write", "mysql", build, "create_index", diff.CreateIndex{Table: users, Index: index}, "safe create-index"},
		{"an index while writes wait", "mysql", slow, "create_index", diff.CreateIndex{Table: users, Index: index}, "review create-index"},
		{"an index that goes", "mysql", build, "drop_index", diff.DropIndex{Table: users, Index: index}, "review drop-index, safe hide-index"},
		{"an index of PostgreSQL that goes", "postgres", build, "drop_index", diff.DropIndex{Table: users, Index: index}, "review drop-index"},
		{"latin1 to utf8mb4", "mysql", copied, "alter_column", alter("varchar(9) character set latin1", "varchar(9) character set utf8mb4"), "review change-type, review charset, review copy-table"},
		{"utf8mb3 to utf8mb4", "mariadb", instant, "alter_column", alter("text character set utf8mb3", "text character set utf8mb4"), "safe change-type, review charset"},
		{"a move", "mysql", inPlace, "alter_column", alter("int; after a", "int; first"), "review move-column, review rewrite"},
		{"a comment", "mysql", instant, "alter_column", alter("int; comment 'a'", "int; comment 'b, not null'"), "safe comment"},
		{"a comment and more", "mysql", instant, "alter_column", alter("int; comment 'a'", "int; invisible comment 'a'"), "review alter-column"},
		{"a TIMESTAMP that says nothing", "mysql", instant, "add_column", added("c timestamp NOT NULL"), "safe add-column, review implicit-timestamp, safe instant-budget"},
		{"a TIMESTAMP with a default", "mysql", instant, "add_column", added("c timestamp NOT NULL DEFAULT now()"), "safe add-column, safe instant-budget"},
		{"a TIMESTAMP that can be NULL", "mysql", instant, "add_column", added("`c` timestamp(3) NULL"), "safe add-column, safe instant-budget"},
		{"REFERENCES behind a column", "mysql", instant, "add_column", added("c timestamp NULL REFERENCES p (id)"), "safe add-column, review ignored-references, safe instant-budget"},
		{"REFERENCES in a comment", "mysql", instant, "add_column", added("c timestamp NULL COMMENT 'it REFERENCES p'"), "safe add-column, safe instant-budget"},
		{"MariaDB heeds REFERENCES", "mariadb", instant, "add_column", added("c timestamp NULL REFERENCES p (id)"), "safe add-column"},
		{"another engine", "mysql", copied, "alter_table", change(options("engine innodb"), options("engine myisam")), "review engine, review copy-table"},
		{"no rows any more", "mysql", copied, "alter_table", change(options("engine innodb"), options("engine blackhole")), "destructive engine, review copy-table"},
		{"row format", "mysql", inPlace, "alter_table", change(options(), options("row_format compressed")), "review table-options, review rewrite"},
		{"statistics", "mysql", build, "alter_table", change(options("stats_persistent 1"), options()), "safe table-options"},
		{"comment of a table", "mysql", build, "alter_table", change(options("comment 'a'"), options("comment 'b'")), "safe table-options"},
		{"an option that nobody knows", "mysql", build, "alter_table", change(options(), options("encryption 'y'")), "review table-options"},
		{"history begins", "mariadb", copied, "alter_table", change(options(), options("system versioning")), "review table-options, review copy-table"},
		{"history ends", "mariadb", inPlace, "alter_table", change(options("system versioning"), options()), "destructive table-options, review rewrite"},
		{"a partition comes", "mysql", build, "add_partition", change(options("partition by range (id)"), options("partition by range (id)", "partition p1 values less than (9)")), "safe partition"},
		{"a partition goes", "mysql", build, "drop_partition", change(options("partition p1 values less than (9)"), options()), "destructive partition"},
		{"a partition goes, by any name", "mysql", build, "alter_table", change(options("partition p1 values less than (9)"), options()), "destructive partition"},
		{"a partition is split", "mysql", copied, "alter_partition", change(options("partition p1 values less than (9)"), options("partition a values less than (4)", "partition b values less than (9)")), "review partition, review copy-table"},
		{"partitions of another kind", "mysql", copied, "alter_table", change(options("partition by hash (id)"), options("partition by key (id)")), "review partition, review copy-table"},
		{"no partitions any more", "mysql", copied, "alter_table", change(options("partition by hash (id)"), options()), "review partition, review copy-table"},
	} {
		step := mysqlStep(t, test.dialect, test.lock, test.kind, test.change)
		var got []string
		for _, f := range step.Findings {
			got = append(got, f.Risk.String()+" "+f.Rule)
			if f.Pos != at || strings.Contains(f.Text, "%!") || strings.HasSuffix(f.Text, ".") {
				t.Errorf("%s: %+v", test.name, f)
			}
		}
		if strings.Join(got, ", ") != test.want {
			t.Errorf("%s: got %s, want %s", test.name, strings.Join(got, ", "), test.want)
		}
	}
}

// TestStepIsCopiedOnce: several changes in one statement cost one copy, which is told once.
func TestStepIsCopiedOnce(t *testing.T) {
	step := mysqlStep(t, "mysql", plan.Lock{Level: "COPY, LOCK=SHARED", Blocks: "writes", Rewrite: true}, "alter_table", diff.AddColumn{Table: users, Column: mail}, diff.AddConstraint{Table: users, Constraint: check})
	n := 0
	for _, f := range step.Findings {
		if f.Rule == "copy-table" {
			n++
		}
	}
	if n != 1 {
		t.Errorf("a step is told %d times to be copied: %+v", n, step.Findings)
	}
}

// TestDefinerIsToldOnce: of a view that names an account, unless it named the same one before, or names whoever runs the plan.
func TestDefinerIsToldOnce(t *testing.T) {
	for _, test := range []struct {
		before, text string
		want         bool
	}{
		{"", "CREATE DEFINER=`app`@`%` SQL SECURITY DEFINER VIEW v AS SELECT 1", true},
		{"", "CREATE OR REPLACE ALGORITHM=MERGE DEFINER = 'app'@'localhost' VIEW v AS SELECT 1", true},
		{"", "CREATE DEFINER=CURRENT_USER() VIEW v AS SELECT 1", false},
		{"", "CREATE VIEW v AS SELECT 'DEFINER=app'", false},
		{"CREATE DEFINER=`app`@`%` VIEW v AS SELECT 2", "CREATE DEFINER=`app`@`%` VIEW v AS SELECT 1", false},
		{"CREATE DEFINER=`old`@`%` VIEW v AS SELECT 2", "CREATE DEFINER=`app`@`%` VIEW v AS SELECT 1", true},
	} {
		to := &schema.View{Name: "v", Key: "v", Text: test.text, Canon: test.text, Pos: at}
		change := diff.Change(diff.CreateView{View: to})
		if test.before != "" {
			change = diff.ReplaceView{From: &schema.View{Name: "v", Key: "v", Text: test.before}, To: to}
		}
		told := false
		for _, f := range mysqlStep(t, "mysql", plan.Lock{}, "view", change).Findings {
			told = told || f.Rule == "definer"
		}
		if told != test.want {
			t.Errorf("%s: told %v, want %v", test.text, told, test.want)
		}
	}
}
