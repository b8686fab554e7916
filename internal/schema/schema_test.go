package schema_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/altergate/altergate/internal/schema"
)

// keyed makes a table with a primary key, a unique constraint and three indexes.
func keyed() *schema.Table {
	parts := func(columns ...string) []schema.Part {
		var ps []schema.Part
		for _, c := range columns {
			ps = append(ps, schema.Part{Column: c})
		}
		return ps
	}
	return &schema.Table{
		Name: "Orders", Key: "orders", Options: []string{"strict", "without rowid"},
		Columns: []*schema.Column{{Key: "id"}, {Key: "shop"}, {Key: "number"}, {Key: "mail"}, {Key: "parent"}},
		Constraints: []*schema.Constraint{
			{Kind: schema.PrimaryKey, Columns: parts("id"), Options: []string{"autoincrement"}},
			{Kind: schema.Unique, Columns: parts("shop", "number")},
			{Kind: schema.ForeignKey, Columns: parts("parent", "shop"), Ref: &schema.Reference{Table: "parents"}},
			{Kind: schema.Check, Expr: &schema.Expr{Canon: "mail != ''"}},
		},
		Indexes: []*schema.Index{
			{Key: "by_mail", Unique: true, Parts: parts("mail")},
			{Key: "by_parent", Unique: true, Parts: parts("parent"), Where: &schema.Expr{Canon: "parent > 0"}},
			{Key: "lower_number", Unique: true, Parts: []schema.Part{{Column: "number"}, {Expr: "lower(mail)"}}},
		},
	}
}

func TestHasKey(t *testing.T) {
	tests := []struct {
		name    string
		columns []string
		n       int
		want    bool
	}{
		{"the primary key by its column", []string{"id"}, 1, true},
		{"the primary key without columns", nil, 1, true},
		{"the primary key without columns, from two", nil, 2, false},
		{"a unique constraint", []string{"shop", "number"}, 2, true},
		{"a unique constraint in another order", []string{"number", "shop"}, 2, true},
		{"a part of a unique constraint", []string{"shop"}, 1, false},
		{"more than a unique constraint", []string{"shop", "number", "id"}, 3, false},
		{"a unique index", []string{"mail"}, 1, true},
		{"a unique index on some rows", []string{"parent"}, 1, false},
		{"a unique index on an expression too", []string{"number"}, 1, false},
		{"the columns of a foreign key", []string{"parent", "shop"}, 2, false},
		{"a column that is not there", []string{"gone"}, 1, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := keyed().HasKey(tt.columns, tt.n); got != tt.want {
				t.Errorf("HasKey(%q, %d) = %t", tt.columns, tt.n, got)
			}
		})
	}
	if keyless := (&schema.Table{}); keyless.HasKey(nil, 0) || keyless.HasKey(nil, 1) {
		t.Error("a table without a primary key has one")
	}
}

func TestHasForeignKey(t *testing.T) {
	for _, tt := range []struct {
		columns []string
		parent  string
		want    bool
	}{
		{[]string{"parent", "shop"}, "parents", true},
		{[]string{"shop", "parent"}, "parents", false},
		{[]string{"parent"}, "parents", false},
		{[]string{"parent", "shop"}, "others", false},
	} {
		if got := keyed().HasForeignKey(tt.columns, tt.parent); got != tt.want {
			t.Errorf("HasForeignKey(%q, %q) = %t", tt.columns, tt.parent, got)
		}
	}
}

func TestLookUps(t *testing.T) {
	table := keyed()
	if table.Column("mail") == nil || table.Column("MAIL") != nil {
		t.Error("a column is found by its key alone")
	}
	if table.Index("by_mail") == nil || table.Index("mail") != nil {
		t.Error("an index is found by its key alone")
	}
	if pk := table.PrimaryKey(); pk == nil || !pk.HasOption("autoincrement") || pk.HasOption("strict") {
		t.Errorf("the primary key is %+v", pk)
	}
	if (&schema.Table{}).PrimaryKey() != nil {
		t.Error("a table without a primary key has one")
	}
	if !table.HasOption("without rowid") || table.HasOption("rowid") {
		t.Errorf("the options are %q", table.Options)
	}
	if d := cmp.Diff([]string{"number"}, table.Index("lower_number").ColumnKeys()); d != "" {
		t.Errorf("columns of an index on an expression (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{"parent", "shop"}, table.Constraints[2].ColumnKeys()); d != "" {
		t.Errorf("columns of a foreign key (-want +got):\n%s", d)
	}
}

func TestTriggersOfEverything(t *testing.T) {
	s := &schema.Schema{
		Tables:  []*schema.Table{{Key: "t", Triggers: []*schema.Trigger{{Key: "on_table"}}}},
		Views:   []*schema.View{{Key: "v", Triggers: []*schema.Trigger{{Key: "on_view"}}}},
		Opaques: []*schema.Opaque{{Key: "o", Triggers: []*schema.Trigger{{Key: "on_opaque"}}}},
	}
	var keys []string
	for _, tr := range s.Triggers() {
		keys = append(keys, tr.Key)
	}
	if d := cmp.Diff([]string{"on_table", "on_view", "on_opaque"}, keys); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestSort puts objects in one order, whatever order they were declared in, finds each of them then, and leaves columns alone.
func TestSort(t *testing.T) {
	want := sample()
	want.Sort()
	rapid.Check(t, func(t *rapid.T) {
		got := sample()
		got.Tables = rapid.Permutation(got.Tables).Draw(t, "tables")
		got.Views = rapid.Permutation(got.Views).Draw(t, "views")
		got.Opaques = rapid.Permutation(got.Opaques).Draw(t, "opaques")
		for _, table := range got.Tables {
			table.Constraints = rapid.Permutation(table.Constraints).Draw(t, "constraints")
			table.Indexes = rapid.Permutation(table.Indexes).Draw(t, "indexes")
			table.Triggers = rapid.Permutation(table.Triggers).Draw(t, "triggers")
		}
		got.Sort()
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("(-want +got):\n%s", d)
		}
		for _, key := range []string{"a", "b", "c"} {
			if got.Table(key) == nil || got.View("v"+key) == nil || got.Opaque("o"+key) == nil {
				t.Fatalf("%s is not found", key)
			}
		}
		if got.Table("") != nil || got.Table("d") != nil || got.View("a") != nil || got.Opaque("a") != nil {
			t.Fatal("something is found that is not there")
		}
	})
	if d := cmp.Diff([]string{"z", "y"}, []string{want.Tables[0].Columns[0].Key, want.Tables[0].Columns[1].Key}); d != "" {
		t.Errorf("columns keep the author's order (-want +got):\n%s", d)
	}
}

func sample() *schema.Schema {
	s := &schema.Schema{}
	for _, key := range []string{"c", "a", "b"} {
		s.Tables = append(s.Tables, &schema.Table{Key: key,
			Columns:     []*schema.Column{{Key: "z"}, {Key: "y"}},
			Constraints: []*schema.Constraint{{Canon: "unique (z)"}, {Canon: "check (y > 0)"}, {Canon: "primary key (y)"}},
			Indexes:     []*schema.Index{{Key: key + "2"}, {Key: key + "1"}},
			Triggers:    []*schema.Trigger{{Key: key + "4"}, {Key: key + "3"}},
		})
		s.Views = append(s.Views, &schema.View{Key: "v" + key, Triggers: []*schema.Trigger{{Key: "6"}, {Key: "5"}}})
		s.Opaques = append(s.Opaques, &schema.Opaque{Key: "o" + key, Triggers: []*schema.Trigger{{Key: "8"}, {Key: "7"}}})
	}
	return s
}
