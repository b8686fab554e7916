package pipeline

import (
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/policy"
)

// TestChangedFiles gives the files that a schema's change is made of: whoever owns all of them owns the change.
func TestChangedFiles(t *testing.T) {
	files := func(pairs ...string) fstest.MapFS {
		tree := fstest.MapFS{}
		for i := 0; i < len(pairs); i += 2 {
			tree[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
		}
		return tree
	}
	const a, b = "CREATE TABLE a (x);", "CREATE TABLE b (x);"
	none := `{"tables": [], "columns": []}`
	tests := []struct {
		name       string
		base, head fstest.MapFS
		want       []string
	}{
		{"nothing", files("db/a.sql", a), files("db/a.sql", a), nil},
		{"line ends alone", files("db/a.sql", a+"\n"), files("db/a.sql", "\ufeff"+a+"\r\n"), nil},
		{"one of two", files("db/a.sql", a, "db/b.sql", b), files("db/a.sql", a, "db/b.sql", "CREATE TABLE b (x, y);"), []string{"db/b.sql"}},
		{"text that changes nothing", files("db/a.sql", a), files("db/a.sql", a+" -- so"), []string{"db/a.sql"}},
		{"one that is new and one that is gone", files("db/a.sql", a, "db/c.sql", b), files("db/a.sql", a, "db/b.sql", b), []string{"db/b.sql", "db/c.sql"}},
		{"other files", files("db/a.sql", a, "db/README", "x", "x.sql", a), files("db/a.sql", a, "db/README", "y", "x.sql", b), nil},
		{"the hints", files("db/a.sql", a, "hints.json", none), files("db/a.sql", a, "hints.json", none+"\n"), []string{"hints.json"}},
		{"new hints", files("db/a.sql", a), files("db/a.sql", a+"\n\n", "hints.json", none), []string{"db/a.sql", "hints.json"}},
		{"the same hints", files("db/a.sql", a, "hints.json", none), files("db/a.sql", a, "hints.json", none), nil},
	}
	for _, test := range tests {
		target := Target{Name: "main", Dialect: "sqlite", Base: Place{test.base, "db"}, Head: Place{test.head, "db"}}
		if test.head["hints.json"] != nil {
			target.Hints = Place{test.head, "hints.json"}
		}
		result := Run(t.Context(), policy.Default(), []Target{target}, Options{NoEngine: true}).Results[0]
		if diff := cmp.Diff(test.want, result.Changed); diff != "" || len(result.Errors) > 0 {
			t.Errorf("%s (-want +got):\n%s%v", test.name, diff, result.Errors)
		}
	}
}

// TestARenamedTableNeedsANewProtection: the policy names tables, so it has to follow.
func TestARenamedTableNeedsANewProtection(t *testing.T) {
	base := fstest.MapFS{"a.sql": {Data: []byte("CREATE TABLE users (x);\n")}}
	head := fstest.MapFS{"a.sql": {Data: []byte("-- @renamed from=users\nCREATE TABLE people (x);\n")}}
	target := Target{Name: "main", Dialect: "sqlite", Base: Place{base, "a.sql"}, Head: Place{head, "a.sql"}}
	for glob, want := range map[string]int{"users": 1, "*": 0, "people": 0, "orders": 0} {
		p := policy.Default()
		p.Protect = []policy.Protection{{Tables: []string{glob}}}
		report := Run(t.Context(), p, []Target{target}, Options{NoEngine: true})
		if len(report.Notices) != want || !report.Answered() {
			t.Errorf("%s: notices are %+v, errors %v", glob, report.Notices, report.Results[0].Errors)
		}
		if want == 1 && report.Notices[0].Text != "table users is protected, and under its new name people it will not be; add that name to protect in the policy" {
			t.Errorf("the notice is %q", report.Notices[0].Text)
		}
	}
}
