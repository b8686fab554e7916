package diff

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/schema"
)

// marks reads objects as "name id=… was=a,b".
func marks(objects ...string) []Marked {
	var list []Marked
	for _, o := range objects {
		words := strings.Fields(o)
		m := Marked{Name: words[0], Key: strings.ToLower(words[0])}
		for _, w := range words[1:] {
			if id, ok := strings.CutPrefix(w, "id="); ok {
				m.ID = id
			} else {
				m.Former = strings.Split(strings.ToLower(strings.TrimPrefix(w, "was=")), ",")
			}
		}
		list = append(list, m)
	}
	return list
}

func TestMarks(t *testing.T) {
	tests := []struct {
		name       string
		base, head []Marked
		want       []string // "from to", or "error" and words of it
	}{
		{"nothing", marks("a"), marks("a"), nil},
		{"a former name", marks("a"), marks("b was=A"), []string{"a b"}},
		{"an identity", marks("a id=1"), marks("b id=1"), []string{"a b"}},
		{"an identity before a former name", marks("a id=1", "c"), marks("b id=1 was=c", "c"), []string{"a b"}},
		{"an identity that nothing has, then a former name", marks("a"), marks("b id=1 was=a"), []string{"a b"}},
		{"the first that exists", marks("a", "c"), marks("b was=x,c,a"), []string{"c b"}},
		{"its own name", marks("a"), marks("a was=a"), nil},
		{"a former name that is gone", marks("b"), marks("b was=a"), nil},
		{"name and mark mean two", marks("a", "b"), marks("b was=a"), []string{"error b exists"}},
		{"two claim one", marks("a"), marks("b was=a", "c was=a"), []string{"error both say that they were a", "a b"}},
		{"what is still declared", marks("a"), marks("a", "b was=a"), []string{"error a is still declared"}},
		{"one identity twice at the base", marks("a id=1", "b id=1"), marks("a id=1", "b id=1"), []string{"error identity"}},
		{"one identity twice at the head", marks("a id=1"), marks("b id=1", "c id=1"), []string{"error both say that they were a", "a b"}},
	}
	for _, test := range tests {
		hints, err := Marks{Kind: "table", Base: test.base, Head: test.head}.Hints()
		var got []string
		for _, e := range schema.Errors(err) {
			words := strings.TrimPrefix(append(test.want, "")[0], "error ")
			if strings.Contains(e.Text, words) {
				got = append(got, "error "+words)
			} else {
				got = append(got, e.Text)
			}
		}
		for _, h := range hints {
			got = append(got, h.From+" "+h.To)
		}
		if d := cmp.Diff(test.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, d)
		}
	}
}

func TestMarksOfPartsAreNoNames(t *testing.T) {
	hints, err := Marks{Kind: "constraint", Table: "T", Base: marks("a"), Head: marks("b was=a")}.Hints()
	if err != nil {
		t.Fatal(err)
	}
	renames, _, err := Resolve(names("t: x"), names("t: x"), hints, nil, Allow, strings.ToLower)
	want := Renames{Parts: []RenamePart{{Kind: "constraint", Table: "T", From: "a", To: "b"}}}
	if d := cmp.Diff(want, renames); d != "" || err != nil || !renames.None() {
		t.Errorf("error %v (-want +got):\n%s", err, d)
	}
}

func TestUnhintedCountsParts(t *testing.T) {
	table := &schema.Table{Name: "t", Key: "t"}
	i, j := &schema.Index{Name: "i", Key: "i"}, &schema.Index{Name: "j", Key: "j"}
	v, w := &schema.View{Name: "v", Key: "v"}, &schema.View{Name: "w", Key: "w"}
	k, l, unnamed := &schema.Constraint{Name: "k"}, &schema.Constraint{Name: "l"}, &schema.Constraint{}
	hinted := Renames{Parts: []RenamePart{{Kind: "index", From: "I", To: "j"}, {Kind: "constraint", Table: "T", From: "k", To: "l"}}}
	tests := []struct {
		name    string
		changes []Change
		renames Renames
		parts   bool
		errors  int
	}{
		{"where no hint can be written", []Change{DropView{v}, CreateView{w}, DropIndex{table, i}, CreateIndex{table, j}}, Renames{}, false, 0},
		{"views and indexes", []Change{DropView{v}, CreateView{w}, DropIndex{table, i}, CreateIndex{table, j}}, Renames{}, true, 2},
		{"what comes back", []Change{DropView{v}, CreateView{v}, DropIndex{table, i}, CreateIndex{table, i}}, Renames{}, true, 0},
		{"what comes back beside what goes", []Change{DropView{v}, CreateView{v}, DropView{w}}, Renames{}, true, 0},
		{"constraints", []Change{DropConstraint{table, k}, AddConstraint{table, l}}, Renames{}, true, 1},
		{"constraints without a name", []Change{DropConstraint{table, k}, AddConstraint{table, unnamed}}, Renames{}, true, 0},
		{"with hints", []Change{DropIndex{table, i}, CreateIndex{table, j}, DropConstraint{table, k}, AddConstraint{table, l}}, hinted, true, 0},
	}
	for _, test := range tests {
		if got := len(schema.Errors(Unhinted(test.changes, test.renames, Hinting{Parts: test.parts}))); got != test.errors {
			t.Errorf("%s: %d errors, want %d", test.name, got, test.errors)
		}
	}
}
