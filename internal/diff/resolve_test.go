package diff

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/schema"
)

// names makes Names out of "table: column column".
func names(tables ...string) Names {
	out := Names{}
	for _, t := range tables {
		name, columns, _ := strings.Cut(t, ":")
		out[name] = map[string]bool{}
		for _, c := range strings.Fields(columns) {
			out[name][c] = true
		}
	}
	return out
}

func hintTable(from, to string) Hint {
	return Hint{From: from, To: to, Path: "hints.tables." + from}
}

func hintColumn(table, from, to string) Hint {
	return Hint{Table: table, From: from, To: to, Path: "hints.columns." + table + "." + from}
}

func TestResolve(t *testing.T) {
	tests := []struct {
		name       string
		base, head Names
		hints      []Hint
		merged     []Hint   // hints of the base
		want       []string // renames, else "error <path>" and "notice <part of the text>"
	}{
		{"nothing to do", names("a: x"), names("a: x"), nil, nil, nil},
		{"a table", names("a: x"), names("b: x"), []Hint{hintTable("a", "b")}, nil, []string{"table a b"}},
		{"a column", names("a: x"), names("a: y"), []Hint{hintColumn("a", "x", "y")}, nil, []string{"column a x y"}},
		{"a column of a renamed table, by its new name", names("a: x"), names("b: y"), []Hint{hintColumn("b", "x", "y"), hintTable("a", "b")}, nil, []string{"table a b", "column b x y"}},
		{"names are compared without case", names("a: x"), names("b: x"), []Hint{hintTable("A", "B")}, nil, []string{"table A B"}},
		{"the old name is used again", names("a: x"), names("a: x y", "b: x"), []Hint{hintTable("a", "b")}, nil, []string{"table a b"}},
		{"a to a says nothing", names("a: x"), names("a: x"), []Hint{hintTable("a", "A")}, nil, nil},
		{"the same hint twice is one", names("a: x"), names("b: x"), []Hint{hintTable("a", "b"), {From: "a", To: "b"}}, nil, []string{"table a b"}},
		{"already true of the base", names("b: x"), names("b: x"), []Hint{hintTable("a", "b")}, nil, []string{"notice has already happened"}},
		{"a column already renamed", names("a: y"), names("a: y"), []Hint{hintColumn("a", "x", "y")}, nil, []string{"notice has already happened"}},

		{"merged, and the old name is used again", names("a: x", "b: x"), names("a: x", "b: x"), []Hint{hintTable("a", "b")}, []Hint{hintTable("a", "b")}, []string{"notice has already happened"}},
		{"a column merged, and the old name is used again", names("a: x y"), names("a: x y"), []Hint{hintColumn("a", "x", "y")}, []Hint{hintColumn("a", "x", "y")}, []string{"notice has already happened"}},

		{"no such table at the base", names("c: x"), names("b: x"), []Hint{hintTable("a", "b")}, nil, []string{"error hints.tables.a"}},
		{"no such table at the head", names("a: x"), names("c: x"), []Hint{hintTable("a", "b")}, nil, []string{"error hints.tables.a"}},
		{"onto a table that the base has", names("a: x", "b: x"), names("b: x"), []Hint{hintTable("a", "b")}, nil, []string{"error hints.tables.a"}},
		{"two tables become one", names("a: x", "b: x"), names("c: x"), []Hint{hintTable("a", "c"), hintTable("b", "c")}, nil, []string{"error hints.tables", "table a c"}},
		{"one table becomes two", names("a: x"), names("b: x", "c: x"), []Hint{hintTable("a", "b"), hintTable("a", "c")}, nil, []string{"error hints.tables", "table a b"}},
		{"two columns change places", names("a: x y"), names("a: x y"), []Hint{hintColumn("a", "x", "y"), hintColumn("a", "y", "x")}, nil, []string{"error hints.columns.a.x", "error hints.columns.a.y"}},
		{"a column by the table's old name", names("a: x"), names("b: y"), []Hint{hintTable("a", "b"), hintColumn("a", "x", "y")}, nil, []string{"error hints.columns.a", "table a b"}},
		{"a column of a new table", names("a: x"), names("a: x", "b: y"), []Hint{hintColumn("b", "x", "y")}, nil, []string{"error hints.columns.b"}},
		{"no such column at the base", names("a: z"), names("a: y"), []Hint{hintColumn("a", "x", "y")}, nil, []string{"error hints.columns.a.x"}},
		{"no such column at the head", names("a: x"), names("a: z"), []Hint{hintColumn("a", "x", "y")}, nil, []string{"error hints.columns.a.x"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			renames, notices, err := Resolve(test.base, test.head, test.hints, test.merged, Allow, strings.ToLower)
			var got []string
			for _, e := range schema.Errors(err) {
				got = append(got, "error "+e.Path)
			}
			for _, n := range notices {
				if part := strings.TrimPrefix(last(test.want), "notice "); strings.Contains(n.Text, part) {
					got = append(got, "notice "+part)
				} else {
					got = append(got, "notice "+n.Text)
				}
			}
			for _, r := range renames.Tables {
				got = append(got, "table "+r.From+" "+r.To)
			}
			for _, r := range renames.Columns {
				got = append(got, "column "+r.Table+" "+r.From+" "+r.To)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func last(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[len(list)-1]
}

func TestDenyReadsNoHint(t *testing.T) {
	renames, notices, err := Resolve(names("a: x"), names("b: x"), []Hint{hintTable("nonsense", "b")}, nil, Deny, strings.ToLower)
	if err != nil || !renames.None() || len(notices) != 1 {
		t.Errorf("got renames %v, notices %v, error %v; want one notice", renames, notices, err)
	}
}

func TestUnhintedCountsDropsAndAdds(t *testing.T) {
	a := &schema.Table{Name: "a", Key: "a"}
	b := &schema.Table{Name: "b", Key: "b"}
	x, y := &schema.Column{Name: "x", Key: "x"}, &schema.Column{Name: "y", Key: "y"}
	tests := []struct {
		name    string
		changes []Change
		errors  int
	}{
		{"only drops", []Change{DropTable{a}, DropColumn{b, x}}, 0},
		{"only adds", []Change{CreateTable{a}, AddColumn{b, x}}, 0},
		{"a table goes and another comes", []Change{DropTable{a}, CreateTable{b}}, 1},
		{"columns of one table", []Change{DropColumn{a, x}, AddColumn{a, y}}, 1},
		{"columns of two tables", []Change{DropColumn{a, x}, AddColumn{b, y}}, 0},
	}
	for _, test := range tests {
		if got := len(schema.Errors(Unhinted(test.changes, Renames{}, Hinting{}))); got != test.errors {
			t.Errorf("%s: %d errors, want %d", test.name, got, test.errors)
		}
	}
}

func TestPossibleRenames(t *testing.T) {
	text := func(name string) *schema.Column {
		return &schema.Column{Name: name, Key: name, TypeCanon: "text"}
	}
	a := &schema.Table{Name: "a", Key: "a", Columns: []*schema.Column{text("x")}}
	b := &schema.Table{Name: "b", Key: "b", Columns: []*schema.Column{text("x")}}
	number := &schema.Column{Name: "n", Key: "n", TypeCanon: "integer"}
	changes := []Change{DropTable{a}, CreateTable{b}, DropColumn{b, text("old name")}, AddColumn{b, text("new")}, AddColumn{b, number}}
	want := []PossibleRename{
		{Kind: "table", From: "a", To: "b", Hint: "-- @renamed from=a"},
		{Kind: "column", Table: "b", From: "old name", To: "new", Hint: `-- @renamed from="old name"`},
	}
	if diff := cmp.Diff(want, PossibleRenames(changes, Hinting{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
