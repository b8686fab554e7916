package rows

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestChoose(t *testing.T) {
	parents := map[string][]string{"a": {"b", "view"}, "b": {"c", "b"}, "c": {"a"}, "t0": {"t5"}, "t900": {"t901"}}
	links := func(name string) []Link[string] {
		var out []Link[string]
		for _, p := range parents[name] {
			out = append(out, Link[string]{Parent: p})
		}
		return out
	}
	got, left := Choose([]string{"a", "b", "c", "d"}, links, func(string) bool { return false })
	if d := cmp.Diff([]string{"c", "b", "a", "d"}, got); d != "" || left != 0 {
		t.Errorf("%d left out, (-want +got):\n%s", left, d)
	}
	var many []string
	for i := range 1000 {
		many = append(many, fmt.Sprint("t", i))
	}
	got, left = Choose(many, links, func(name string) bool { return name == "t900" })
	if len(got) != MostTables || left != 800 || got[0] != "t5" || got[1] != "t0" {
		t.Errorf("%d tables, %d left out: %q", len(got), left, got)
	}
	if d := cmp.Diff([]string{"t901", "t900"}, got[MostTables-2:]); d != "" {
		t.Errorf("what the plan touches and its parent (-want +got):\n%s", d)
	}
}

// TestSearchGoesThroughCombinations wants the blamed columns to change until there is nothing more to try.
func TestSearchGoesThroughCombinations(t *testing.T) {
	s := NewSearch("NULL", 1)
	s.Column("id", []string{"1", "2"}, false)
	s.Column("boss", []string{"7"}, true)
	s.Column("note", nil, false)
	nullable := func(column string) Nullable { return column == "boss" }
	Reference(s, Link[string]{Parent: "users", Columns: []string{"boss"}, Far: []string{"id"}}, "users", []Row{{"id": "9"}, {}}, nullable)
	var got []string
	for again := true; again; again = s.Next([]string{"boss"}, true) {
		v := s.Values()
		got = append(got, v["id"]+" "+v["boss"]+" "+v["note"])
	}
	// The second row has NULL where it may, and begins with the second of the parent's rows, whose key is computed.
	if d := cmp.Diff([]string{"1 NULL NULL", "1 NULL NULL", "1 9 NULL", "1 1 NULL"}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	found, goesOn, err := s.Strike(func(column, value string) (bool, error) { return column != "note", nil })
	if !found || goesOn || err != nil {
		t.Errorf("%t %t %v", found, goesOn, err)
	}
}

func TestMatching(t *testing.T) {
	for pattern, want := range map[string]string{`^[A-Z]{3}-[0-9]+$`: "BBB-1", "a|b": "b", "x.?": "xb", "(": "("} {
		if got := Matching(pattern, 1); got != want {
			t.Errorf("%s gives %q, want %q", pattern, got, want)
		}
	}
}
