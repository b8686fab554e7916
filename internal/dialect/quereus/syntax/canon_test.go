package syntax_test

import (
	"testing"

	"github.com/altergate/altergate/internal/dialect/quereus/syntax"
)

// constraintBody gives the body of the only constraint of a table with the column c.
func constraintBody(t *testing.T, text string) string {
	t.Helper()
	tb := item(t, "table t ("+text+")").(*syntax.Table)
	if len(tb.Constraints) == 1 {
		return syntax.ConstraintBody(tb.Constraints[0], "", "main")
	}
	k := tb.Columns[0].Constraints[0]
	return syntax.ConstraintBody(k, tb.Columns[0].Name.Text, "main")
}

// TestConstraintBody holds what is a change of a constraint and what is not (behaviours 34, 43 to 47).
func TestConstraintBody(t *testing.T) {
	for _, test := range []struct {
		a, b string
		same bool
	}{
		{"constraint k check (qty > 0)", "constraint other check (qty > 0) with tags (a = 1)", true},
		{"check (qty > 0)", "check on update, insert ((QTY) > 0) on conflict abort", true},
		{"check (Qty <> 0)", "CHECK  (qty != 0)", true},
		{"check (LENGTH(qty) > 0)", "check (length(qty) > 0)", true},
		{"check ((c > 0) and (c < 9))", "check (c > 0 and c < 9)", true},
		{"check on delete, insert (a)", "check on insert, delete (a)", true},
		{"check (qty > 0)", "check on insert (qty > 0)", false},
		{"check (qty > 0)", "check (qty > 1)", false},
		{"check (s = 'a')", "check (s = 'A')", false},
		{"check (c = 0)", "check (c == 0)", false},
		{"check (c = 1.0)", "check (c = 1.00)", false},
		{"check (qty > 0)", "check (qty > 0) on conflict fail", false},
		{"check (id <= (select max(k) from l))", "check (ID <= (select max(k) from l))", true},
		{"check (id <= (select max(k) from l))", "check (id <= (select max(K) from l))", false},
		{"check (a in (select b from t))", "check (A in (select b from t))", true},
		{"check (case a when b then c else d end)", "check (case A when B then C else D end)", true},
		{"unique (X, y)", "unique (x, Y) on conflict abort", true},
		{"unique (x, y)", "unique (y, x)", false},
		{"unique (x)", "unique (x) on conflict replace", false},
		{"foreign key (A) references P(Id)", "foreign key (a) references p(id) on delete restrict on update no action", true},
		{"foreign key (a) references p(id)", "foreign key (a) references main.p(id) deferrable initially deferred", true},
		{"foreign key (a) references p(id)", "foreign key (a) references other.p(id)", false},
		{"foreign key (a) references other.p(id)", "foreign key (a) references OTHER.p(id)", true},
		{"foreign key (a) references p", "foreign key (a) references p(id)", false},
		{"foreign key (a) references p(id)", "foreign key (a) references q(id)", false},
		{"foreign key (a) references p(id)", "foreign key (a) references p(k)", false},
		{"foreign key (a) references p(id)", "foreign key (a) references p(id) on delete cascade", false},
		{"foreign key (a) references p(id) on delete cascade", "foreign key (a) references p(id) on update cascade", false},
		{"foreign key (a, b) references p(x, y)", "foreign key (b, a) references p(x, y)", false},
		// A constraint in a column and one between the columns are the same thing.
		{"C integer constraint k check (c > 0)", "check (c > 0)", true},
		{"C integer constraint k unique", "unique (c)", true},
		{"C integer constraint k references p(id)", "foreign key (c) references p(id)", true},
		{"c integer primary key desc", "primary key (c desc)", true},
		{"primary key ()", "primary key (c)", false},
		{"check (c > 0)", "unique (c)", false},
	} {
		a, b := constraintBody(t, test.a), constraintBody(t, test.b)
		if (a == b) != test.same {
			t.Errorf("%s has the body %s\n%s has the body %s", test.a, a, test.b, b)
		}
	}
}

// TestIndexBody holds what is a change of an index and what is not (behaviours 57, 58, 62). The column n is declared with nocase.
func TestIndexBody(t *testing.T) {
	collation := func(column string) string {
		if syntax.Fold(column) == "n" {
			return "NOCASE"
		}
		return "BINARY"
	}
	for _, test := range []struct {
		a, b string
		same bool
	}{
		{"index i on t (a)", "index j on u (A asc) with tags (x = 1)", true},
		{"index i on t (a) where state = 'open'", "index i on t (a) where State = 'open'", true},
		{"index i on t (a)", "index i on t (a collate binary)", true},
		{"index i on t (n)", "index i on t (N collate NoCase)", true},
		{"index i on t (lower(a))", "index i on t (LOWER(A))", true},
		{"index i on t (a)", "unique index i on t (a)", false},
		{"index i on t (a)", "index i on t (a desc)", false},
		{"index i on t (a, b)", "index i on t (b, a)", false},
		{"index i on t (a)", "index i on t (a collate nocase)", false},
		{"index i on t (n)", "index i on t (n collate binary)", false},
		{"index i on t (a)", "index i on t (a) where b > 0", false},
		{"index i on t (a) where s = 'open'", "index i on t (a) where s = 'OPEN'", false},
	} {
		a, b := syntax.IndexBody(item(t, test.a).(*syntax.Index), collation), syntax.IndexBody(item(t, test.b).(*syntax.Index), collation)
		if (a == b) != test.same {
			t.Errorf("%s has the body %s\n%s has the body %s", test.a, a, test.b, b)
		}
	}
}

// TestViewBody holds what is a change of a view and what is not (behaviour 73).
func TestViewBody(t *testing.T) {
	for _, test := range []struct {
		a, b string
		same bool
	}{
		{"view v as select id from t", "view w as SELECT\n id FROM t with tags (a = 1)", true},
		{"view v as select id from t", "view v as select Id from t", false},
		{"view v (a) as select id from t", "view v (b) as select id from t", false},
		{"view v as select id from t", "view v (id) as select id from t", false},
		{"view v as select id from t with defaults (k = 10)", "view v as select id from t with defaults (k = 12)", false},
	} {
		x, y := item(t, test.a).(*syntax.View), item(t, test.b).(*syntax.View)
		a, b := syntax.ViewBody(x.Columns, x.Query), syntax.ViewBody(y.Columns, y.Query)
		if (a == b) != test.same {
			t.Errorf("%s has the body %s\n%s has the body %s", test.a, a, test.b, b)
		}
	}
}

// TestBodiesLeaveTheTree holds that folding works on copies.
func TestBodiesLeaveTheTree(t *testing.T) {
	const text = "table T (A integer, constraint K check on update, insert (A > 0) on conflict abort, foreign key (A) references P(Id) on delete restrict)"
	tb := item(t, text).(*syntax.Table)
	before := syntax.PrintItem(tb)
	for _, k := range tb.Constraints {
		syntax.ConstraintBody(k, "", "main")
	}
	x := item(t, "index I on T (A) where B > 0").(*syntax.Index)
	syntax.IndexBody(x, func(string) string { return "BINARY" })
	if after := syntax.PrintItem(tb); after != before {
		t.Errorf("the table became %s", after)
	}
	if got := syntax.PrintItem(x); got != "index I on T (A) where B > 0" {
		t.Errorf("the index became %s", got)
	}
}
