package policy_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/policy"
	"github.com/altergate/altergate/internal/schema"
)

// Steps on tables, and plans made of them.
var (
	addBill     = on("billing.invoices", *add)
	tightenBill = on("billing.invoices", *tighten)
	dropBill    = on("billing.invoices", *drop)
	wipeUsers   = on("users", *wipe)

	bills = planOf(addBill, tightenBill)
	money = &plan.Plan{Schema: "main", Steps: []*plan.Step{addBill, tightenBill, dropBill, wipeUsers}}
)

func protect(globs ...string) policy.Protection { return policy.Protection{Tables: globs} }

// by says who may approve a protected table.
func teamOf(p policy.Protection, team string) policy.Protection {
	p.Approvers = &policy.Approvers{Teams: []string{team}}
	return p
}

func people(p policy.Protection, n int) policy.Protection { p.MinApprovals = n; return p }

func digestOf(steps ...*plan.Step) string { return plan.Digest(steps) }

func TestProtectedTables(t *testing.T) {
	billing := teamOf(protect("billing.*"), "acme/billing")
	const billingOnly = "not authorised: table billing.invoices is protected: it takes the team acme/billing"
	tests := []testCase{
		when("a safe step on it passes").of(planOf(addBill)).protecting(billing),
		when("a step within the ceiling waits").of(bills).protecting(protect("billing.*")).waitsFor(1, tightenBill),
		when("so it does where everything is allowed").of(money).ceiling(plan.Destructive).protecting(billing).waitsFor(1, tightenBill, dropBill),
		when("another table passes").of(bills).protecting(protect("users", "billing")),
		when("who may approve in general, where it names nobody", by("ann").write().typed(digestOf(tightenBill))).
			of(bills).protecting(protect("billing.*")),
		when("the word review is enough for a review step", by("ann").write().review().typed(digestOf(tightenBill))).
			of(bills).protecting(protect("billing.*")),
		when("and its ID", by("ann").write().review().steps(tightenBill.ID)).of(bills).protecting(protect("billing.*")),

		when("its approvers", by("bil").team("acme/billing").typed(digestOf(tightenBill))).of(bills).protecting(billing),
		when("a team in other letters", by("bil").team("Acme/Billing").typed(digestOf(tightenBill))).of(bills).protecting(billing),
		when("the general approvers do not suffice", by("ann").role("admin").typed(digestOf(tightenBill))).of(bills).protecting(billing).
			rejecting(billingOnly).waitsFor(1, tightenBill),
		when("not even for a destructive step", by("ann").role("admin").typed(digestOf(dropBill))).of(planOf(dropBill)).protecting(billing).
			rejecting(billingOnly).waitsFor(1, dropBill),
		when("its approvers suffice for that", by("bil").team("acme/billing").typed(digestOf(dropBill))).of(planOf(dropBill)).protecting(billing),
		when("its approvers are not everybody's", by("bil").role("read").team("acme/billing").steps(wipeUsers.ID)).of(money).protecting(billing).
			rejecting("not authorised: has the role read, and it takes the role write, maintain, admin").
			waitsFor(1, tightenBill, dropBill, wipeUsers),
		when("both together", by("ann").write().typed(digest3()), by("bil").team("acme/billing").typed(digest3())).of(money).protecting(billing).
			limited("table billing.invoices is protected: it takes the team acme/billing", "it takes the role write, maintain, admin"),
		when("the one without the other", by("ann").write().typed(digest3())).of(money).protecting(billing).
			limited("table billing.invoices is protected: it takes the team acme/billing").waitsFor(1, tightenBill, dropBill),
		when("the author is no better here", by("eve").team("acme/billing").author().typed(digestOf(tightenBill))).of(bills).protecting(billing).
			rejecting("the author of the pull request may not approve it").waitsFor(1, tightenBill),

		when("more people than the policy's", by("bil").team("acme/billing").typed(digestOf(tightenBill))).of(bills).
			protecting(people(billing, 2)).waitsFor(1, tightenBill),
		when("as many people as the policy's", by("bil").team("acme/billing").typed(digestOf(tightenBill))).of(bills).needs(3).
			protecting(billing).waitsFor(2, tightenBill),
		when("fewer people than the policy's", by("bil").team("acme/billing").typed(digestOf(tightenBill))).of(bills).needs(3).
			protecting(people(billing, 1)),
		when("a protection that names no approvers has its own number", by("ann").write().typed(digestOf(tightenBill))).of(bills).
			protecting(people(protect("*"), 2)).waitsFor(1, tightenBill),

		when("two protections are two demands", by("bil").team("acme/billing").typed(digestOf(tightenBill))).of(bills).
			protecting(billing, teamOf(protect("*.invoices"), "acme/audit")).
			limited("table billing.invoices is protected: it takes the team acme/audit").waitsFor(1, tightenBill),
		when("two people meet them", by("bil").team("acme/billing").typed(digestOf(tightenBill)), by("aud").team("acme/audit").typed(digestOf(tightenBill))).
			of(bills).protecting(billing, teamOf(protect("*.invoices"), "acme/audit")).
			limited("table billing.invoices is protected: it takes the team acme/audit", "table billing.invoices is protected: it takes the team acme/billing"),
		when("one person in both meets them", by("bil").team("acme/billing", "acme/audit").typed(digestOf(tightenBill))).
			of(bills).protecting(billing, teamOf(protect("*.invoices"), "acme/audit")),
		when("the same person twice is one", by("bil").team("acme/billing").typed(digestOf(tightenBill)), by("bil").team("acme/billing").steps(tightenBill.ID)).
			of(bills).protecting(people(billing, 2)).rejecting("the same person approved these steps before").waitsFor(1, tightenBill),
		when("an approval of the plan without the protected steps", by("bil").team("acme/billing").typed(digestOf(dropBill, wipeUsers))).
			of(money).protecting(billing).rejecting(anotherPlan).waitsFor(1, tightenBill, dropBill, wipeUsers),
	}
	for _, test := range tests {
		t.Run(test.name, test.check)
	}
}

// digest3 is what an approval of money is bound to where billing is protected.
func digest3() string { return digestOf(tightenBill, dropBill, wipeUsers) }

func TestCodeOwners(t *testing.T) {
	owners := policy.Approvers{CodeOwners: true}
	other := &plan.Plan{Schema: "other", Steps: []*plan.Step{wipe}}
	one := &plan.Plan{Schema: "main", Steps: []*plan.Step{drop}}
	tests := []testCase{
		when("an owner of the schema", by("ann").owns("main").on(one)).of(one).approvers(owners),
		when("an owner of another schema", by("ann").owns("other").on(one)).of(one).approvers(owners).
			rejecting("not authorised: it takes a code owner of every changed file").waitsFor(1, drop),
		when("an owner of one file of two", by("ann").write().owner("main", "db/b.sql belongs to @bob").on(one)).of(one).approvers(owners).
			rejecting("not authorised: has the role write, and it takes a code owner of every changed file; db/b.sql belongs to @bob").waitsFor(1, drop),
		when("an owner, where owners are not asked for", by("ann").owns("main").on(one)).of(one).
			rejecting("not authorised: it takes the role write, maintain, admin").waitsFor(1, drop),
		when("an owner who is the author", by("eve").owns("main").author().on(one)).of(one).approvers(owners).
			rejecting("the author of the pull request may not approve it").waitsFor(1, drop),
		when("an owner of one schema of two", by("ann").owns("main").owner("other", "nobody owns o.sql").typed(digestOf(drop, wipe))).of(one, other).approvers(owners).
			limited("it takes a code owner of every changed file; nobody owns o.sql").waitsFor(1, wipe),
		when("an owner of each", by("ann").owns("main").typed(digestOf(drop, wipe)), by("bob").owns("other").typed(digestOf(drop, wipe))).
			of(one, other).approvers(owners).limited("it takes a code owner of every changed file", "it takes a code owner of every changed file"),
		when("an owner of a protected table's file", by("ann").owns("main").steps(tightenBill.ID)).
			of(&plan.Plan{Schema: "main", Steps: []*plan.Step{tightenBill}}).
			protecting(policy.Protection{Tables: []string{"billing.*"}, Approvers: &owners}),
	}
	for _, test := range tests {
		t.Run(test.name, test.check)
	}
}

// TestWhatAStepTouches tells which protections reach a step.
func TestWhatAStepTouches(t *testing.T) {
	users, orders := &schema.Table{Name: "users"}, &schema.Table{Name: "Orders"}
	invoices := &schema.Table{Name: "billing.invoices"}
	column, index := &schema.Column{Name: "email"}, &schema.Index{Name: "users_email"}
	key := &schema.Constraint{Kind: schema.ForeignKey, Ref: &schema.Reference{Table: "users", Name: "users"}}
	child := &schema.Table{Name: "orders", Constraints: []*schema.Constraint{key}}
	part := &schema.Table{Name: "billing.invoices_2026"}
	// all > year > month, quarter; and a table that inherits from two.
	parents := map[string][]string{part.Name: {"billing.invoices"}, "year": {"all"}, "quarter": {"Year"}, "month": {"quarter"}, "beside": {"all"}, "heir": {"users", "month"}}
	view := &schema.View{Name: "billing.totals"}
	tests := []struct {
		name    string
		changes []diff.Change
		kind    string
		object  string
		yes, no []string
	}{
		{"a column", []diff.Change{diff.DropColumn{Table: users, Column: column}}, "drop_column", "users.email",
			[]string{"users", "USERS", "us*", "u?ers", "[t-v]sers", "users.email", "*", "public.users"}, []string{"email", "user", "users.name", "orders"}},
		{"letters in both cases", []diff.Change{diff.DropColumn{Table: orders, Column: column}}, "drop_column", "Orders.email", []string{"orders", "ORDERS"}, nil},
		{"a table in a schema", []diff.Change{diff.AlterOptions{From: invoices, To: invoices}}, "alter_table", "billing.invoices",
			[]string{"billing.*", "billing.invoices", "*.invoices"}, []string{"invoices", "billing", "billing"}},
		{"a table that goes", []diff.Change{diff.DropTable{Table: child}}, "drop_table", "orders", []string{"orders", "users"}, []string{"people"}},
		{"a table that refers to it", []diff.Change{diff.CreateTable{Table: child}}, "create_table", "orders", []string{"orders", "users"}, nil},
		{"both names of a table", []diff.Change{diff.RenameTable{From: "users", To: "people"}}, "rename_table", "people", []string{"users", "people"}, nil},
		{"a renamed column", []diff.Change{diff.RenameColumn{Table: "users", From: "mail", To: "email"}}, "rename_column", "users.email", []string{"users"}, nil},
		{"a foreign key to it", []diff.Change{diff.AddConstraint{Table: orders, Constraint: key}}, "add_foreign_key", "orders.fk", []string{"orders", "users"}, nil},
		{"a foreign key that goes", []diff.Change{diff.DropConstraint{Table: orders, Constraint: key}}, "drop_foreign_key", "orders.fk", []string{"orders", "users"}, nil},
		{"a foreign key that is validated", []diff.Change{diff.ValidateConstraint{Table: orders, From: key, To: key}}, "validate_foreign_key", "orders.fk", []string{"orders", "users"}, nil},
		{"a renamed constraint", []diff.Change{diff.RenameConstraint{Table: orders, From: key, To: key}}, "rename_foreign_key", "orders.fk", []string{"orders", "users"}, nil},
		{"an added column", []diff.Change{diff.AddColumn{Table: users, Column: column}}, "add_column", "users.email", []string{"users"}, nil},
		{"a changed column", []diff.Change{diff.AlterColumn{Table: users, From: column, To: column}}, "alter_column", "users.email", []string{"users"}, nil},
		{"an index", []diff.Change{diff.CreateIndex{Table: users, Index: index}}, "create_index", "users.users_email", []string{"users"}, []string{"users_email"}},
		{"an index that goes", []diff.Change{diff.DropIndex{Table: users, Index: index}}, "drop_index", "users.users_email", []string{"users"}, nil},
		{"a renamed index", []diff.Change{diff.RenameIndex{Table: users, From: index, To: index}}, "rename_index", "users.users_email", []string{"users"}, nil},
		{"a trigger", []diff.Change{diff.CreateTrigger{On: "users", Trigger: &schema.Trigger{Name: "log"}}}, "create_trigger", "users.log", []string{"users"}, []string{"log"}},
		{"a trigger that goes", []diff.Change{diff.DropTrigger{On: "users", Trigger: &schema.Trigger{Name: "log"}}}, "drop_trigger", "users.log", []string{"users"}, nil},
		{"a rebuild", []diff.Change{diff.RebuildTable{From: child, To: child, Changes: []diff.Change{diff.DropColumn{Table: child, Column: column}}}}, "rebuild_table", "orders",
			[]string{"orders"}, []string{"users"}},
		{"a key that a rebuild changes", []diff.Change{diff.RebuildTable{From: child, To: child, Changes: []diff.Change{diff.AddConstraint{Table: child, Constraint: key}}}}, "rebuild_table", "orders",
			[]string{"orders", "users"}, nil},
		{"a partition of it", []diff.Change{diff.AlterOptions{From: part, To: &schema.Table{Name: part.Name}}}, "alter_table", part.Name, []string{"billing.invoices"}, nil},
		{"a partition that goes", []diff.Change{diff.DropTable{Table: part}}, "drop_table", part.Name, []string{"billing.invoices"}, nil},
		{"a table with partitions", []diff.Change{diff.DropColumn{Table: &schema.Table{Name: "Year"}, Column: column}}, "drop_column", "Year.email",
			[]string{"all", "quarter", "month", "heir", "public.month"}, []string{"beside", "users", "billing.*"}},
		{"a table that inherits", []diff.Change{diff.DropTable{Table: &schema.Table{Name: "heir"}}}, "drop_table", "heir", []string{"users", "month", "quarter", "year", "all"}, []string{"beside"}},
		{"the far side of a key", []diff.Change{diff.AddConstraint{Table: orders, Constraint: key}}, "add_foreign_key", "orders.fk", []string{"heir"}, []string{"month"}},
		{"a table in a schema is not in public", []diff.Change{diff.DropTable{Table: invoices}}, "drop_table", "billing.invoices", []string{"billing.invoices_2026"},
			[]string{"public.*", "public.billing.*", "public."}},
		{"a table in public", []diff.Change{diff.DropTable{Table: orders}}, "drop_table", "Orders", []string{"public.*", "public.orders"}, []string{"public.", "public"}},
		{"a table with a dot in its name", []diff.Change{diff.DropTable{Table: &schema.Table{Name: `"User.Data"`}}}, "drop_table", `"User.Data"`, []string{"public.user.data", "user.data"}, nil},
		{"a function in public", []diff.Change{diff.DropObject{Object: &schema.Object{Kind: "function", Name: "f(billing.t)"}}}, "drop_function", "f(billing.t)", []string{"public.f(*"}, nil},
		{"a function in a schema", []diff.Change{diff.DropObject{Object: &schema.Object{Kind: "function", Name: "billing.f(t)"}}}, "drop_function", "billing.f(t)",
			[]string{"billing.f(*"}, []string{"public.billing.f(*"}},
		{"a view", []diff.Change{diff.DropView{View: view}}, "drop_view", view.Name, []string{"billing.*", "billing.totals"}, nil},
		{"a new view", []diff.Change{diff.CreateView{View: view}}, "create_view", view.Name, []string{"billing.totals"}, nil},
		{"a replaced view", []diff.Change{diff.ReplaceView{From: view, To: view}}, "alter_view", view.Name, []string{"billing.totals"}, nil},
		{"a policy on it", []diff.Change{diff.DropObject{Object: &schema.Object{Kind: "policy", Name: "users.mine", On: "users"}}}, "drop_policy", "users.mine", []string{"users"}, nil},
		{"a grant on it", []diff.Change{diff.AlterObject{From: &schema.Object{Kind: "grant", Name: "table billing.invoices to bob"}, To: &schema.Object{Kind: "grant", Name: "table billing.invoices to bob"}}},
			"alter_grant", "table billing.invoices to bob", []string{"billing.invoices"}, []string{"billing.lines"}},
		{"a comment on a column of it", []diff.Change{diff.CreateObject{Object: &schema.Object{Kind: "comment", Name: "column users.email"}}}, "create_comment", "column users.email", []string{"users"}, nil},
		{"a function", []diff.Change{diff.RenameObject{From: &schema.Object{Kind: "function", Name: "f(integer)"}, To: &schema.Object{Kind: "function", Name: "g(integer)"}}},
			"rename_function", "g(integer)", []string{"f(*", "g(*"}, []string{"f"}},
		{"a virtual table", []diff.Change{diff.ReplaceOpaque{From: &schema.Opaque{Name: "search", Kind: "virtual table"}}}, "opaque", "search", []string{"search"}, nil},
		{"a name in quotes, with a slash", []diff.Change{diff.DropColumn{Table: &schema.Table{Name: `billing."a/b"`}, Column: column}}, "drop_column", `billing."a/b".email`,
			[]string{"billing.*", "billing.a/b", `billing."a/b"`}, nil},
		{"nothing that is known of", nil, "conjure", "users", []string{"users"}, nil},
		{"a part of which nothing else is known", nil, "drop_foreign_key", "billing.invoices.fk", []string{"billing.invoices"}, []string{"billing"}},
	}
	for _, test := range tests {
		s := *tighten
		s.Changes, s.Kind, s.Object = test.changes, test.kind, test.object
		p := policy.Default()
		reached := func(glob string) bool {
			if !policy.ValidGlob(glob) {
				t.Errorf("%q is no glob", glob)
			}
			p.Protect = []policy.Protection{protect(glob)}
			return len(policy.Needing(p, []*plan.Plan{{Dialect: "postgres", Steps: []*plan.Step{&s}, Parents: parents}})) == 1
		}
		for _, glob := range test.yes {
			if !reached(glob) {
				t.Errorf("%s: %s does not reach it", test.name, glob)
			}
		}
		for _, glob := range test.no {
			if reached(glob) {
				t.Errorf("%s: %s reaches it", test.name, glob)
			}
		}
	}
	for _, glob := range []string{"", "[", "a[b", `a\`, `"`} {
		if policy.ValidGlob(glob) {
			t.Errorf("%q is a glob", glob)
		}
	}
}

// TestARenameTakesNoProtectionAway: the steps behind a rename speak of the table by its new name.
func TestARenameTakesNoProtectionAway(t *testing.T) {
	rename := &plan.Step{ID: "1", Kind: "rename_table", Object: "people", From: "users", Risk: plan.Review, Changes: []diff.Change{diff.RenameTable{From: "users", To: "People"}}}
	behind := on("people", *tighten)
	p := policy.Default()
	p.Protect = []policy.Protection{protect("users")}
	needs := policy.Needing(p, []*plan.Plan{{Steps: []*plan.Step{rename, behind}}, {Steps: []*plan.Step{on("people", *tighten)}}})
	if len(needs) != 2 || needs[0].Step != rename || needs[1].Step != behind || needs[1].Gates[0].Object != "users" || !needs[1].Protected() {
		t.Errorf("protected are %+v", needs)
	}
}

// TestUnprotected: the notice is for a new name at which nothing protects the table any more, by whatever it is reached.
func TestUnprotected(t *testing.T) {
	for name, test := range map[string]struct {
		to   string
		glob string
		want int
	}{
		"another name":                {"people", "users", 1},
		"a name that is protected":    {"users_2", "users*", 0},
		"in public":                   {"people", "public.*", 0},
		"to another schema":           {"billing.users", "public.*", 1},
		"an heir of what is":          {"child", "base", 0},
		"with an heir that is":        {"base", "child", 0},
		"an heir of what is, no more": {"people", "base", 0},
	} {
		rename := &plan.Step{Kind: "rename_table", Object: test.to, From: "users", Risk: plan.Review, Changes: []diff.Change{diff.RenameTable{From: "users", To: test.to}}}
		p := policy.Default()
		p.Protect = []policy.Protection{protect(test.glob)}
		one := &plan.Plan{Dialect: "postgres", Steps: []*plan.Step{rename}, Parents: map[string][]string{"child": {"base"}}}
		if got := policy.Unprotected(p, []*plan.Plan{nil, one}); len(got) != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestBallotAsks: only about approvals that may count, and each thing once.
func TestBallotAsks(t *testing.T) {
	p := policy.Default()
	p.Protect = []policy.Protection{teamOf(protect("billing.*"), "acme/billing")}
	b := policy.OpenBallot(p, []*plan.Plan{money})
	general, billing := policy.Question{Schema: "main", Approvers: p.Approvers}, policy.Question{Schema: "main", Approvers: *p.Protect[0].Approvers}
	for name, test := range map[string]struct {
		of   given
		want []policy.Question
	}{
		"of everything":       {by("ann").typed(digest3()), []policy.Question{billing, general}},
		"of review steps":     {by("ann").review().typed(digest3()), []policy.Question{billing}},
		"of one step":         {by("ann").steps(wipeUsers.ID), []policy.Question{general}},
		"of another plan":     {by("ann").on(plan1), nil},
		"of no step":          {by("ann").steps("0123456789abcdef"), nil},
		"that was taken back": {by("ann").typed(digest3()).revoked(), nil},
		"that was edited":     {by("ann").typed(digest3()).edited(), nil},
		"by a bot":            {by("ann").typed(digest3()).bot(), nil},
		"by the author":       {by("ann").typed(digest3()).author(), nil},
	} {
		if diff := cmp.Diff(test.want, b.Asks(policy.Approval(test.of))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if billing.Met(policy.Approval(by("ann").write())) || !billing.Met(policy.Approval(by("ann").team("acme/billing"))) {
		t.Error("a question is met by the wrong people")
	}
}

// With protections too, order shows nowhere, an approval more never blocks, and a protection more never lets pass.
func TestProtectionsIgnoreOrder(t *testing.T) {
	full := digest3()
	pool := []given{
		by("ann").write().typed(full).at(1), by("bil").team("acme/billing").typed(full).at(2), by("bil").team("acme/billing").steps(dropBill.ID).at(3),
		by("aud").team("acme/audit").typed(full).at(4), by("cat").write().team("acme/billing", "acme/audit").review().typed(full).at(5),
		by("dan").write().team("acme/audit").steps(dropBill.ID, wipeUsers.ID).at(6), by("eve").team("acme/billing").typed(full).author().at(7),
		by("fay").owns("main").typed(full).at(8), by("gil").write().team("acme/billing").typed(digestOf(dropBill)).at(9),
	}
	protections := []policy.Protection{teamOf(protect("billing.*"), "acme/billing"), teamOf(protect("*invoices"), "acme/audit"), people(protect("users"), 2)}
	rapid.Check(t, func(t *rapid.T) {
		c := when("any", rapid.SliceOfDistinct(rapid.SampledFrom(pool), func(g given) int64 { return g.At.Unix() }).Draw(t, "approvals")...).
			of(money).needs(rapid.IntRange(0, 2).Draw(t, "needed")).protecting(protections[:rapid.IntRange(1, 3).Draw(t, "protections")]...)
		c.policy.Approvers.CodeOwners = rapid.Bool().Draw(t, "owners")
		slices.SortFunc(c.approvals, func(a, b given) int { return a.At.Compare(b.At) })
		facts := c.facts()
		want := policy.Decide(c.policy, c.plans, true, facts)
		got := policy.Decide(c.policy, c.plans, true, rapid.Permutation(facts).Draw(t, "order"))
		if !cmp.Equal(want.Blocking, got.Blocking) || !cmp.Equal(want.Counted, got.Counted) || !cmp.Equal(want.Limits, got.Limits) || !cmp.Equal(want.Rejected, got.Rejected) {
			t.Fatalf("another order, another verdict: %+v and %+v", want, got)
		}
		if len(facts) > 0 {
			for _, s := range got.Blocking {
				if !slices.Contains(policy.Decide(c.policy, c.plans, true, facts[1:]).Blocking, s) {
					t.Fatalf("one approval more blocks %s", s.ID)
				}
			}
		}
		for _, n := range got.Needing {
			for _, g := range n.Gates {
				if voters := passing(got.Counted, g, n); !slices.Contains(got.Blocking, n.Step) && voters < g.People {
					t.Fatalf("%s passes with %d of %d people", n.Step.ID, voters, g.People)
				}
			}
		}
	})
}

// passing counts the people among those who count that a gate asks for: no step may pass with fewer.
func passing(counted []policy.Approval, g policy.Gate, n policy.Need) int {
	people := map[string]bool{}
	for _, a := range counted {
		q := policy.Question{Schema: n.Schema, Approvers: g.Approvers}
		if q.Met(a) && n.Step.Risk <= a.Risk && (len(a.Steps) == 0 || slices.Contains(a.Steps, n.Step.ID)) {
			people[a.Login] = true
		}
	}
	return len(people)
}
