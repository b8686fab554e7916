package syntax_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/dialect/quereus/syntax"
)

// world are the relations that the bodies of these tests name.
func world(schema, relation string) ([]string, bool) {
	if schema != "" && schema != "main" {
		return nil, false
	}
	columns, ok := map[string][]string{
		"visit": {"id", "pet", "fee"},
		"stock": {"sku", "qty", "depot"},
		"lim":   {"k", "cap"},
		"pet":   {"id", "kg"},
	}[relation]
	return columns, ok
}

func show(uses []syntax.Use) []string {
	var out []string
	for _, u := range uses {
		s := u.Relation
		if u.Schema != "" {
			s = u.Schema + "." + s
		}
		if u.Column != "" {
			s += "." + u.Column
		}
		if u.Open {
			s += "?"
		}
		if u.Fixed {
			s += "!"
		}
		out = append(out, s)
	}
	return out
}

// named holds that what a body uses stands in it, and that what nobody wrote does not.
func named(t *testing.T, text string, body interface{ Names(string) bool }, uses []syntax.Use) {
	t.Helper()
	for _, u := range uses {
		name := u.Column
		if name == "" {
			name = u.Relation
		}
		if !body.Names(name) {
			t.Errorf("%s is said not to name %s", text, name)
		}
	}
	if body.Names("unwritten") {
		t.Errorf("%s is said to name what does not stand in it", text)
	}
}

// TestUses holds which relations and columns a query names. A column that could not be bound has no relation; with a question mark it may be
// one of a relation whose columns are not known, and with an exclamation mark a rename is not followed.
func TestUses(t *testing.T) {
	for text, want := range map[string][]string{
		"select id, Fee from Visit":                                             {"visit", "visit.id", "visit.fee"},
		"select v.fee from visit v":                                             {"visit", "visit.fee"},
		"select visit.fee from main.visit":                                      {"main.visit", "main.visit", "main.visit.fee"},
		"select main.visit.fee from main.visit":                                 {"main.visit", "main.visit", "main.visit.fee"},
		"select x from visit":                                                   {"visit", ".x"},
		"select x, e.y from visit, json_each('[]') e":                           {"visit", ".x?", ".y?"},
		"select x from nowhere":                                                 {"nowhere", ".x?"},
		"select w.fee from visit":                                               {"visit", ".fee"},
		"select visit.*, * from visit":                                          {"visit", "visit"},
		"select fee from visit where id in (select id from pet where kg > fee)": {"visit", "visit.fee", "visit.id", "pet", "pet.id", "pet.kg", "visit.fee"},
		"select cap from lim join stock on k = sku":                             {"lim", "stock", "lim.k", "stock.sku", "lim.cap"},
		"select 1 from visit join pet using (id)":                               {"visit", "pet", "visit.id", "pet.id"},
		// What a common table or a query in from gives is what it reads, unless it has a name of its own.
		"with c as (select fee from visit) select fee from c":                                    {"visit", "visit.fee", "visit.fee"},
		"with visit as (select kg as fee from pet) select fee from visit":                        {"pet", "pet.kg"},
		"with c (f) as (select fee from visit) select f from c":                                  {"visit", "visit.fee"},
		"select s.fee, f2 from (select fee, fee as f2 from visit) s":                             {"visit", "visit.fee", "visit.fee", "visit.fee"},
		"select fee from (select * from visit) s":                                                {"visit", "visit.fee"},
		"select fee from (select fee from visit) s (x)":                                          {"visit", "visit.fee", ".fee"},
		"with recursive r as (select id from pet union select r.id + 1 from r) select id from r": {"pet", "pet.id", "pet.id", "pet.id"},
		"with recursive r (n) as (values (1) union select n + 1 from r) select n from r":         nil,
		// Sources do not see each other, except after lateral.
		"select 1 from visit, (select fee) s":                   {"visit", ".fee"},
		"select 1 from visit cross join lateral (select fee) s": {"visit", "visit.fee"},
		// Aliases: order by prefers them; group by and having only when nothing else has the name.
		"select fee * 2 as fee from visit order by fee":                                                                     {"visit", "visit.fee"},
		"select id as f from visit group by f having f > 1 order by f":                                                      {"visit", "visit.id"},
		"select id as fee from visit group by fee":                                                                          {"visit", "visit.id", "visit.fee"},
		"select fee from visit order by id, fee + 1":                                                                        {"visit", "visit.fee", "visit.id", "visit.fee"},
		"select id from visit union select kg from pet order by id":                                                         {"visit", "visit.id", "pet", "pet.kg", "visit.id"},
		"select id, row_number() over (partition by pet order by fee rows between id preceding and current row) from visit": {"visit", "visit.id", "visit.pet", "visit.fee", "visit.id"},
		"select case fee when id then pet else id end, cast(fee as text), fee collate nocase from visit":                    {"visit", "visit.fee", "visit.id", "visit.pet", "visit.id", "visit.fee", "visit.fee"},
		"select id from visit limit (select max(k) from lim)":                                                               {"visit", "visit.id", "lim", "lim.k"},
		"select id from visit with defaults (fee = kg, pet = id)":                                                           {"visit", "visit.id", "visit.fee", ".kg", "visit.pet", "visit.id"},
		"select had from visit left join pet on visit.id = pet.id exists as had":                                            {"visit", "pet", "visit", "visit.id", "pet", "pet.id"},
		"values ((select fee from visit))":                                                                                  {"visit", "visit.fee"},
	} {
		q := query(t, text)
		uses := q.Uses(world)
		if diff := cmp.Diff(want, show(uses)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
		named(t, text, q, uses)
	}
}

// TestExpressionUses holds that an expression may name the columns of its own table, behind those of its subqueries.
func TestExpressionUses(t *testing.T) {
	for text, want := range map[string][]string{
		"qty > 0 and stock.qty < 9":                              {"stock.qty", "stock", "stock.qty"},
		"qty <= (select max(cap) from lim)":                      {"stock.qty", "lim", "lim.cap"},
		"qty <= (select max(cap) from lim where k = depot)":      {"stock.qty", "lim", "lim.cap", "lim.k", "stock.depot"},
		"exists (select 1 from stock s where s.sku = stock.sku)": {"stock", "stock.sku", "stock", "stock.sku"},
		// Of the rows new and old, and of tables as they were committed, it cannot be told that the engine follows a rename.
		"new.qty >= OLD.qty and qty > 0":                                   {"stock.qty!", "stock.qty!", "stock.qty"},
		"new.qty >= (select qty from committed.stock where sku = new.sku)": {"stock.qty!", "stock!", "stock.qty!", "stock.sku!", "stock.sku!"},
		"exists (select 1 from lim new where new.cap > qty)":               {"lim", "lim.cap", "stock.qty"},
		"new.nothing > 0": {".nothing"},
		"nothing > 0":     {".nothing"},
	} {
		e := expr(t, text)
		uses := e.Uses("Stock", world)
		if diff := cmp.Diff(want, show(uses)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
		named(t, text, e, uses)
	}
	if got := show(expr(t, "qty > 0").Uses("", world)); !slices.Equal(got, []string{".qty"}) {
		t.Errorf("without an owner the column is %v", got)
	}
}

// TestRenaming holds that setting the names of all uses of a table or column renames it everywhere and nowhere else.
func TestRenaming(t *testing.T) {
	for _, test := range []struct{ text, relation, column, to, want string }{
		{"select fee, v.fee, fee as fee from visit v where fee > 1 order by fee", "visit", "fee", "charge", "select charge, v.charge, charge as fee from visit as v where charge > 1 order by fee"},
		{"select visit.fee from visit where exists (select 1 from pet visit where visit.kg > 1)", "visit", "", "appt", "select appt.fee from appt where exists (select 1 from pet as visit where visit.kg > 1)"},
		{"with visit as (select 1 as fee) select fee from visit", "visit", "fee", "charge", "with visit as (select 1 as fee) select fee from visit"},
		{"select cap from lim, (select qty as cap2, qty from stock) s where s.qty < cap", "stock", "qty", "cap", "select cap from lim, (select cap as cap2, cap from stock) as s where s.cap < cap"},
		{"select visit.*, pet.id from visit join pet using (id)", "visit", "", "order", `select "order".*, pet.id from "order" inner join pet using (id)`},
		{"select id from visit with defaults (fee = 1)", "visit", "fee", "charge", "select id from visit with defaults (charge = 1)"},
	} {
		q := query(t, test.text)
		before := q.String()
		renamed := q.Clone()
		for _, u := range renamed.Uses(world) {
			if u.Relation == test.relation && u.Column == test.column {
				u.Set(test.to)
			}
		}
		if got := renamed.String(); got != test.want {
			t.Errorf("%s\nbecomes %s\nwant    %s", test.text, got, test.want)
		}
		if q.String() != before {
			t.Errorf("%s: renaming in a copy changed the original to %s", test.text, q)
		}
	}
	fixed := expr(t, "new.qty > (select qty from committed.stock)")
	for _, u := range fixed.Uses("stock", world) {
		u.Set("amount")
	}
	if got := fixed.String(); got != "new.qty > (select qty from committed.stock)" {
		t.Errorf("a rename that may not be followed gives %s", got)
	}
	// Behaviour 50: qty becomes cap while the column of the same name in the subquery keeps its own.
	e := expr(t, "qty <= (select max(cap) from lim)")
	for _, u := range e.Uses("stock", world) {
		if u.Relation == "stock" && u.Column == "qty" {
			u.Set("cap")
		}
	}
	if got := e.String(); got != "cap <= (select max(cap) from lim)" {
		t.Errorf("the check becomes %s", got)
	}
}

func TestOutputs(t *testing.T) {
	for text, want := range map[string]string{
		"select id, fee as f, fee + 1, max(id) m from visit": "id=visit.id f fee + 1 m true",
		"select * from visit v, lim":                         "id=visit.id pet=visit.pet fee=visit.fee k=lim.k cap=lim.cap true",
		"select lim.* from visit, lim":                       "k=lim.k cap=lim.cap true",
		"select * from nowhere":                              "false",
		"select x from nowhere":                              "x true",
		"with c as (select fee from visit) select * from c":  "fee=visit.fee true",
		"values (1, 2)":                                      "false",
		"select id from visit union select 1":                "id=visit.id true",
	} {
		columns, known := query(t, text).Outputs(world)
		got := ""
		for _, c := range columns {
			got += c.Name
			if c.Relation != "" {
				got += "=" + c.Relation + "." + c.Column
			}
			got += " "
		}
		if got += fmt.Sprint(known); got != want {
			t.Errorf("%s gives %s, want %s", text, got, want)
		}
	}
}
