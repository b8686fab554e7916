package syntax_test

import (
	"testing"

	"github.com/altergate/altergate/internal/dialect/quereus/syntax"
	"github.com/altergate/altergate/internal/source"
)

// TestQueryText holds how the engine prints queries; what is printed reads back as the same.
func TestQueryText(t *testing.T) {
	for text, want := range map[string]string{
		"SELECT id, fee FROM visit":                     "select id, fee from visit",
		"select distinct a from t":                      "select distinct a from t",
		"select all a from t":                           "select all a from t",
		"select *, t.*, a x, b as y, c as 'z z' from t": `select *, t.*, a as x, b as y, c as "z z" from t`,
		"select 1":                       "select 1",
		"select a from t u, main.v as w": "select a from t as u, main.v as w",
		"select a from t where a > 1 group by a, b having count(*) > 1 order by a desc, b nulls first limit 10 offset 5": "select a from t where a > 1 group by a, b having count(*) > 1 order by a desc, b nulls first limit 10 offset 5",
		"select a from t limit 5, 10":                                                        "select a from t limit 10 offset 5",
		"select a from t with schema main, other order by a":                                 "select a from t with schema main, other order by a",
		"select a from t join u on t.id = u.id":                                              "select a from t inner join u on t.id = u.id",
		"select a from t left outer join u using (id, k)":                                    "select a from t left join u using (id, k)",
		"select a from t right join u on 1 full outer join w on 2":                           "select a from t right join u on 1 full join w on 2",
		"select a from t cross join lateral json_each(t.j) as e":                             "select a from t cross join lateral json_each(t.j) as e",
		"select a from JSON_EACH('[]') e(k, v)":                                              "select a from json_each('[]') as e (k, v)",
		"select a from (select 1 as a) as s (b)":                                             "select a from (select 1 as a) as s (b)",
		"select a from (values (1), (2)) v (a)":                                              "select a from (values (1), (2)) as v (a)",
		"select a from t left join u on 1 exists as had":                                     "select a from t left join u on 1 exists right as had",
		"select a from t full join u on 1 exists left as l, exists right as r":               "select a from t full join u on 1 exists left as l, exists right as r",
		"values (1, 'a'), (2, 'b')":                                                          "values (1, 'a'), (2, 'b')",
		"values (2), (1) order by 1 limit 1":                                                 "values (2), (1) order by 1 limit 1",
		"select a from t union select b from u order by 1":                                   "select a from t union select b from u order by 1",
		"select a from t union all (select b from u) limit 3":                                "select a from t union all select b from u limit 3",
		"select a from t intersect select 1 except select 2":                                 "select a from t intersect select 1 except select 2",
		"select a from t diff values (1)":                                                    "select a from t diff values (1)",
		"select a from t union exists left as l select b from u":                             "select a from t union exists left as l select b from u",
		"with x as (select 1 as a), y (b) as materialized (select a from x) select b from y": "with x as (select 1 as a), y (b) as materialized (select a from x) select b from y",
		"with recursive r(n) as (values (1) union all select n + 1 from r where n < 9) option (maxrecursion 50) select n from r": "with recursive r (n) as (values (1) union all select n + 1 from r where n < 9) option (maxrecursion 50) select n from r",
		"with x as not materialized (select 1) select * from x":                                                                  "with x as not materialized (select 1) select * from x",
		"select 1 union with x as (select 2 as a) select a from x order by a":                                                    "select 1 union (with x as (select 2 as a) select a from x order by a)",
		"select id, pet from visit with defaults (fee = 10, Day = now())":                                                        "select id, pet from visit with defaults (fee = 10, Day = now())",
		"select a from t order by a limit 1 with defaults (b = (select max(b) from u))":                                          "select a from t order by a limit 1 with defaults (b = (select max(b) from u))",
		"select \"order\", `group` from [select]":                                                                                `select "order", "group" from "select"`,
		"select a from temp.t": `select a from "temp".t`,
	} {
		got := query(t, text).String()
		if got != want {
			t.Errorf("%s\nprints %s\n want  %s", text, got, want)
		}
		if again := query(t, got).String(); again != got {
			t.Errorf("%s\nprints    %s\nand again %s", text, got, again)
		}
	}
}

func TestQueryErrors(t *testing.T) {
	for text, want := range map[string]string{
		"select a from t join u":                       "`}` stands where `on` or `using` should",
		"select a from t natural join u":               "Quereus has no natural join; name the columns with `using`",
		"select a from (t)":                            "`t` stands where `select`, `values` or `with` should",
		"select from t":                                "`from` stands where an expression should",
		"select a from t order a":                      "`a` stands where `by` should",
		"select a from t join u on 1 exists as x":      "`exists` is about a side that is never missing in this join",
		"select a from t full join u on 1 exists as x": "in a full join `exists` needs its side: `exists left as` or `exists right as`",
		"select 1 diff exists left as x select 2":      "`exists` cannot stand after `diff`: a row may come from either side",
		"insert into t values (1)":                     "a body that writes rows cannot be followed; give the rows with `select` or `values`",
		"delete from t":                                "a body that writes rows cannot be followed; give the rows with `select` or `values`",
		"select a from t with defaults ()":             "`)` stands where a column name should",
		"with x (select 1) select 1":                   "`select` stands where a column name should; it is a reserved word: as a name it needs double quotes",
		"select a as select from t":                    "`select` stands where a column name should; it is a reserved word: as a name it needs double quotes",
	} {
		_, errs := syntax.Parse(&source.File{Path: "s.sql", Text: "declare schema s{view v as " + text + "}"})
		if len(errs) == 0 || errs[0].Text != want {
			t.Errorf("%s gives %v, want %s", text, errs, want)
		}
	}
}

// TestItemsNeedNoSeparator holds the trap of section 1: at the end of a body the words that begin items are no aliases without `as`.
func TestItemsNeedNoSeparator(t *testing.T) {
	for body, want := range map[string]string{
		"select 1":                          "select 1",
		"select a from t":                   "select a from t",
		"select a from t u":                 "select a from t as u",
		"select a from t as index":          "", // reserved, as an alias too
		"select a from t as domain":         "select a from t as domain",
		"select a from t \"table\"":         `select a from t as "table"`,
		"select (select 1 domain)":          "select (select 1 as domain)",
		"select a from (select 1 import) s": "select a from (select 1 as import) as s",
	} {
		for _, next := range []string{"table n (id integer)", "index n on t (a)", "unique index n on t (a)", "view n as select 1",
			"materialized view n as select 1", "seed n ((1))", "assertion n check (1)", "domain n as real", "collation n", "import n"} {
			f, errs := syntax.Parse(&source.File{Path: "s.sql", Text: "declare schema main { view v as " + body + "\n" + next + " }"})
			if want == "" {
				if len(errs) == 0 {
					t.Errorf("%s is taken", body)
				}
				continue
			}
			if len(errs) > 0 {
				t.Errorf("%s\n%s: %v", body, next, errs[0])
				continue
			}
			items := f.Statements[0].(*syntax.Declare).Items
			if len(items) != 2 {
				t.Errorf("%s\n%s: %d items", body, next, len(items))
				continue
			}
			if got := items[0].(*syntax.View).Query.String(); got != want {
				t.Errorf("%s\n%s: the view is %s", body, next, got)
			}
		}
	}
}
