package syntax_test

import (
	"testing"

	"github.com/altergate/altergate/internal/dialect/quereus/syntax"
	"github.com/altergate/altergate/internal/source"
)

// parse reads a text that has to be right.
func parse(t *testing.T, text string) *syntax.File {
	t.Helper()
	f, errs := syntax.Parse(&source.File{Path: "s.sql", Text: text})
	for _, err := range errs {
		t.Errorf("%v", err)
	}
	if len(errs) > 0 {
		t.Fatalf("reading %s", text)
	}
	return f
}

// item reads one item of a declare block.
func item(t *testing.T, text string) syntax.Item {
	t.Helper()
	items := parse(t, "declare schema main {\n"+text+"\n}").Statements[0].(*syntax.Declare).Items
	if len(items) != 1 {
		t.Fatalf("%d items in %s", len(items), text)
	}
	return items[0]
}

func expr(t *testing.T, text string) *syntax.Expr {
	t.Helper()
	return item(t, "assertion a check ("+text+")").(*syntax.Assertion).Check
}

func query(t *testing.T, text string) *syntax.Query {
	t.Helper()
	return item(t, "view v as "+text).(*syntax.View).Query
}

// TestExpressionText holds how the engine prints expressions (section 1, rendering rules). Each printed text is read and printed again.
func TestExpressionText(t *testing.T) {
	for text, want := range map[string]string{
		// Parentheses are kept only where the child binds looser, or equal on the right of an operator that does not chain.
		"(a > 0) and (a < 9)":   "a > 0 and a < 9",
		"((a))":                 "a",
		"a or b and c":          "a or b and c",
		"(a or b) and c":        "(a or b) and c",
		"a - (b - c)":           "a - (b - c)",
		"(a - b) - c":           "a - b - c",
		"a + (b + c)":           "a + b + c",
		"a * (b + c)":           "a * (b + c)",
		"a / (b / c)":           "a / (b / c)",
		"a < (b = c)":           "a < (b = c)",
		"a = (b < c)":           "a = b < c",
		"(a || b) || c":         "a || b || c",
		"not (a = b)":           "not (a = b)",
		"not a = b":             "not (a = b)",
		"not a":                 "not a",
		"not not a":             "not not a",
		"(a = b) is null":       "(a = b) is null",
		"a is null":             "a is null",
		"a IS NOT NULL":         "a is not null",
		"a is true and b":       "a is true and b",
		"a is not false":        "a is not false",
		"a not in (1, 2)":       "not a in (1, 2)",
		"a not like 'x%'":       "not (a like 'x%')",
		"a not between 1 and 2": "a not between 1 and 2",
		"a in ()":               "a in ()",
		"- a + b":               "-a + b",
		"-(a + b)":              "-(a + b)",
		"+a":                    "+a",
		"~a":                    "~a",
		// What the engine prints so that it reads as something else keeps its parentheses.
		"(not a) = b":              "(not a) = b",
		"(a is null) = b":          "(a is null) = b",
		"a xor (b or c)":           "a xor (b or c)",
		"a or (b xor c)":           "a or (b xor c)",
		"a * (b / c)":              "a * (b / c)",
		"a * (b % c)":              "a * (b % c)",
		"(-a) || b":                "(-a) || b",
		"(a || b) collate nocase":  "(a || b) collate nocase",
		"- -1":                     "- -1",
		"- (-1)":                   "- -1",
		"1 < (a between 2 and 3)":  "1 < (a between 2 and 3)",
		"(a in (1)) + 1":           "(a in (1)) + 1",
		"a between 1 and (b = 2)":  "a between 1 and (b = 2)",
		"(a collate x) collate y":  "(a collate x) collate y",
		"a between 1 and 2 and b":  "a between 1 and 2 and b",
		"a < 1 between 2 and 3":    "a < 1 between 2 and 3",
		"a -> 'b' ->> 0":           "cast(json_extract(json_extract(a, '$.b'), '$[0]') as text)",
		"a -> '$.b'":               "json_extract(a, '$.b')",
		"a <> b":                   "a != b",
		"a != b":                   "a != b",
		"a == b":                   "a == b",
		"a = b":                    "a = b",
		"A > 0 AND B LIKE 'X'":     "A > 0 and B like 'X'",
		"1.00 + 1e5 + 1E-5 + 007":  "1.00 + 1e5 + 1E-5 + 007",
		"NULL":                     "null",
		"TRUE or False":            "true or false",
		"'it''s'":                  "'it''s'",
		"x'0aFF' = X'0A ff'":       "x'0aff' = x'0aff'",
		"?":                        "?",
		":a + $b + :1":             ":a + :b + :1",
		"MAX(A, b)":                "max(A, b)",
		"COUNT(*)":                 "count(*)",
		"count(distinct a)":        "count(distinct a)",
		"like(a, 'x')":             "like(a, 'x')",
		"replace(a, 'x', 'y')":     "replace(a, 'x', 'y')",
		"\"select\"(a)":            "\"select\"(a)",
		"now()":                    "now()",
		"CAST(a AS TEXT)":          "cast(a as text)",
		"cast(a as Varchar( 20 ))": "cast(a as varchar(20))",
		"a COLLATE NoCase":         "a collate nocase",
		"case a when 1 then 'x' when 2 then 'y' else 'z' end": "case a when 1 then 'x' when 2 then 'y' else 'z' end",
		"CASE WHEN a > 1 THEN b END":                          "case when a > 1 then b end",
		"t.a + main.t.b":                                      "t.a + main.t.b",
		`"order"."two words" + "plain"`:                       `"order"."two words" + plain`,
		"`a` + [b]":                                           "a + b",
		"key + action + set + default + cascade":              `"key" + "action" + "set" + "default" + "cascade"`,
		"schema + tags + column + domain + nulls":             "schema + tags + column + domain + nulls",
		"EXISTS(select 1)":                                    "exists (select 1)",
		"a in (select b from t)":                              "a in (select b from t)",
		"a in (values (1), (2))":                              "a in (values (1), (2))",
		"(select max(top) from cap)":                          "(select max(top) from cap)",
		"((select 1)) + 1":                                    "(select 1) + 1",
		"sum(a) over ()":                                      "sum(a) over ()",
		"rank() OVER (PARTITION BY a, b ORDER BY c DESC NULLS LAST, d ASC)":                        "rank() over (partition by a, b order by c desc nulls last, d)",
		"sum(a) over (order by b rows between unbounded preceding and current row)":                "sum(a) over (order by b rows between unbounded preceding and current row)",
		"sum(a) over (order by b range 2 preceding)":                                               "sum(a) over (order by b range 2 preceding)",
		"sum(a) over (partition by b rows between 1 + 1 preceding and unbounded following) > 3":    "sum(a) over (partition by b rows between 1 + 1 preceding and unbounded following) > 3",
		"a /* why */ > /* outer /* inner */ still outer */ 0 -- to the end\n and // the other\n b": "a > 0 and b",
	} {
		got := expr(t, text).String()
		if got != want {
			t.Errorf("%s prints %s, want %s", text, got, want)
		}
		if again := expr(t, got).String(); again != got {
			t.Errorf("%s prints %s, and read again %s", text, got, again)
		}
	}
}

// TestExpressionErrors holds what reads as no expression.
func TestExpressionErrors(t *testing.T) {
	for text, want := range map[string]string{
		"a is null = b":              "s.sql:1:46: `=` stands where `)` should",
		"a is null is null":          "s.sql:1:46: `is` stands where `)` should",
		"a is 1":                     "s.sql:1:41: `1` stands where `null`, `true` or `false` should",
		"a || -b":                    "s.sql:1:41: `-` stands where an expression should",
		"a = not b":                  "s.sql:1:40: `not` stands where an expression should",
		"a collate x collate y":      "s.sql:1:48: `collate` stands where `)` should",
		"a +":                        "s.sql:1:39: `)` stands where an expression should",
		"row":                        "s.sql:1:36: `row` stands where an expression should",
		"a in 1":                     "s.sql:1:41: `1` stands where `(` should",
		"a between 1 or 2":           "s.sql:1:48: `or` stands where `and` should",
		"case end":                   "s.sql:1:41: `end` stands where an expression should",
		"case a else 1 end":          "s.sql:1:43: `else` stands where `when` should",
		"f(a":                        "s.sql:1:40: `}` stands where `)` should",
		"sum(a) over w":              "s.sql:1:48: `w` stands where `(` should",
		"(select 1 from t":           "s.sql:1:53: `}` stands where `)` should",
		".5":                         "s.sql:1:36: `.` stands where an expression should",
		"12abc":                      "s.sql:1:36: a number runs into a name",
		"x'0'":                       "s.sql:1:36: a blob has an odd number of digits",
		"x'0g'":                      "s.sql:1:36: a blob holds something other than hexadecimal digits",
		"'open":                      "s.sql:1:36: a string is not closed",
		"\"open":                     "s.sql:1:36: a quoted name is not closed",
		"[open":                      "s.sql:1:36: a quoted name is not closed",
		"/* /* */ a":                 "s.sql:1:36: a comment is not closed; comments nest, so each `/*` needs its own `*/`",
		"größe > 0":                  "s.sql:1:38: a name with other letters than a to z needs double quotes",
		"a & b":                      "s.sql:1:38: this character means nothing in Quereus",
		`a > ""`:                     "s.sql:1:40: `\"\"` stands where an expression should",
		"(insert into t values (1))": "s.sql:1:37: `insert` stands where an expression should",
	} {
		_, errs := syntax.Parse(&source.File{Path: "s.sql", Text: "declare schema s{assertion x check(" + text + ")}"})
		if len(errs) == 0 || errs[0].Error() != want {
			t.Errorf("%s gives %v, want %s", text, errs, want)
		}
	}
}
