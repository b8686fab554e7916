package syntax_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/altergate/altergate/internal/dialect/quereus/syntax"
	"github.com/altergate/altergate/internal/source"
)

// TestNestingEndsInAnError holds that what nests deeper than anybody writes is refused: the stack of a process that overflows ends it.
func TestNestingEndsInAnError(t *testing.T) {
	const deep = 100_000
	nest := func(before, inside, after string) string {
		return strings.Repeat(before, deep) + inside + strings.Repeat(after, deep)
	}
	for name, text := range map[string]string{
		"parentheses":       "assertion a check (" + nest("(", "a", ")") + ")",
		"open parentheses":  "assertion a check (" + nest("(", "", ""),
		"sums":              "assertion a check (" + nest("", "a", " + a") + ")",
		"right sums":        "assertion a check (" + nest("a + (", "a", ")") + ")",
		"negations":         "assertion a check (" + nest("not ", "a", "") + ")",
		"signs":             "assertion a check (" + nest("- ", "a", "") + ")",
		"cases":             "assertion a check (" + nest("case when 1 then ", "1", " end") + ")",
		"calls":             "assertion a check (" + nest("f(", "1", ")") + ")",
		"casts":             "assertion a check (" + nest("cast(", "1", " as text)") + ")",
		"arrows":            "assertion a check (" + nest("", "a", " -> 'b'") + ")",
		"lists":             "assertion a check (" + nest("a in (", "1", ")") + ")",
		"windows":           "assertion a check (" + nest("f() over (order by ", "1", ")") + ")",
		"exists":            "assertion a check (" + nest("exists (select ", "1", ")") + ")",
		"subqueries":        "view v as " + nest("select * from (", "select 1", ")"),
		"common tables":     "view v as " + nest("with c as (", "select 1", ") select 1"),
		"unions":            "view v as " + nest("", "select 1", " union select 1"),
		"union parentheses": "view v as " + nest("select 1 union (", "select 1", ")"),
		"joins":             "view v as select 1 from a" + nest("", "", " join b on 1"),
		"sources":           "view v as select 1 from a" + nest("", "", ", b"),
		"joins and sums":    "view v as select 1 from a" + strings.Repeat(" join b on "+strings.Repeat("a + ", 90)+"a", 2000),
	} {
		_, errs := syntax.Parse(&source.File{Path: "s.sql", Text: "declare schema main {\n" + text + "\n}"})
		if len(errs) == 0 || len(errs[0].Text) > 1000 {
			t.Errorf("%s: %d errors", name, len(errs))
			continue
		}
		if !strings.Contains(errs[0].Text, "level") && name != "open parentheses" && !strings.Contains(errs[0].Text, "1000 sources") {
			t.Errorf("%s: %v", name, errs[0])
		}
	}
	// Long is not deep: as many terms of a list as there may be.
	long := "declare schema main { table t (a integer check (a in (" + strings.Repeat("1, ", deep) + "1)))" + strings.Repeat("\n index i on t (a)", deep) + "}"
	if _, errs := syntax.Parse(&source.File{Path: "s.sql", Text: long}); len(errs) > 0 {
		t.Errorf("a long file: %v", errs[0])
	}
	if _, errs := syntax.Parse(&source.File{Path: "s.sql", Text: "declare schema main { /*" + strings.Repeat("/*", deep) + "}"}); len(errs) != 1 {
		t.Errorf("comments that are not closed: %v", errs)
	}
	if _, errs := syntax.Parse(&source.File{Path: "s.sql", Text: "declare schema main { " + strings.Repeat("tabel x; ", deep) + "}"}); len(errs) == 0 || len(errs) > 100 {
		t.Errorf("%d errors of a file of mistakes", len(errs))
	}
}

// TestBindingIsBounded holds that what doubles with each step of a query does not double the work.
func TestBindingIsBounded(t *testing.T) {
	const steps = 60
	nested := "select id from pet"
	doubled := "with c0 as (select * from pet)"
	for i := range steps {
		nested = "with recursive r as (" + nested + " union select id from r) select id from r"
		doubled += fmt.Sprintf(", c%d as (select * from c%d a, c%d b)", i+1, i, i)
	}
	if uses := query(t, nested).Uses(world); len(uses) < steps || len(uses) > 10*steps {
		t.Errorf("the nested query has %d uses", len(uses))
	}
	q := query(t, doubled+fmt.Sprintf(" select id, x from c%d", steps))
	if uses := show(q.Uses(world)); len(uses) != 3 || uses[2] != ".x?" {
		t.Errorf("the doubled query uses %v", uses)
	}
	if columns, known := query(t, doubled+fmt.Sprintf(" select * from c%d", steps)).Outputs(world); known || len(columns) > 10_000 {
		t.Errorf("the doubled query gives %d columns, known: %v", len(columns), known)
	}
}
