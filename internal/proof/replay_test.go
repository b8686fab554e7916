package proof

import (
	"errors"
	"strings"
	"testing"

	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/schema"
)

// What frames a plan is replayed too, in its place, and nothing behind a statement that is refused.
func TestReplayStopsAtTheFirstThatIsRefused(t *testing.T) {
	steps := []*plan.Step{
		{Kind: "add_column", Object: "bands.name", Before: []string{"one"}, SQL: []string{"two"}},
		{Kind: "drop_table", Object: "fans", SQL: []string{"three " + strings.Repeat("ä", 80), "four"}, After: []string{"five"}},
	}
	for refused, want := range map[string]string{
		"":      "",
		"one":   "replaying step 1 (add_column bands.name): no, in one",
		"three": "replaying step 2 (drop_table fans): no, in three " + strings.Repeat("ä", 74) + "…",
	} {
		var ran []string
		err := Replay(steps, func(sql string) error {
			word := strings.Fields(sql)[0]
			ran = append(ran, word)
			if word == refused {
				return errors.New("no")
			}
			return nil
		})
		if said(err) != want {
			t.Errorf("with %q refused it says %q, want %q", refused, said(err), want)
		}
		all := "one two three four five"
		if refused != "" {
			all = all[:strings.Index(all, refused)+len(refused)]
		}
		if got := strings.Join(ran, " "); got != all {
			t.Errorf("with %q refused it ran %q, want %q", refused, got, all)
		}
	}
}

func said(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// Each thing that a head may have and the schema after a plan not, and the other way round.
func TestReachedSaysWhatIsLeft(t *testing.T) {
	bands := func(change func(*schema.Table)) *schema.Schema {
		table := &schema.Table{Name: "bands", Key: "bands", Columns: []*schema.Column{{Name: "id", Key: "id", Canon: "int"}}}
		change(table)
		return &schema.Schema{Tables: []*schema.Table{table}}
	}
	trigger := &schema.Trigger{Name: "log", Key: "log", Canon: "after insert"}
	plain := bands(func(*schema.Table) {})
	for name, c := range map[string]struct {
		other            *schema.Schema
		missing, lasting string // where the other is the head, and where it is what the plan leads to
	}{
		"nothing":   {bands(func(*schema.Table) {}), "", ""},
		"a table":   {&schema.Schema{}, "table bands is still there", "table bands is missing"},
		"a column":  {bands(func(t *schema.Table) { t.Columns = append(t.Columns, &schema.Column{Name: "name", Key: "name"}) }), "column bands.name is missing", "column bands.name is still there"},
		"a type":    {bands(func(t *schema.Table) { t.Columns[0].Canon = "text" }), `column bands.id is "int" and should be "text"`, `column bands.id is "text" and should be "int"`},
		"a check":   {bands(func(t *schema.Table) { t.Constraints = []*schema.Constraint{{Canon: "check (a\n> 0)"}} }), `table bands lacks "check (a\n> 0)"`, `table bands still has "check (a\n> 0)"`},
		"options":   {bands(func(t *schema.Table) { t.Options = []string{"strict"} }), `table bands is [] and should be ["strict"]`, `table bands is ["strict"] and should be []`},
		"an index":  {bands(func(t *schema.Table) { t.Indexes = []*schema.Index{{Key: "i", Canon: "i (id)"}} }), `table bands lacks "i (id)"`, `table bands still has "i (id)"`},
		"a trigger": {bands(func(t *schema.Table) { t.Triggers = []*schema.Trigger{trigger} }), `trigger log on bands is missing: "after insert"`, `trigger log on bands is still there: "after insert"`},
		"a view":    {with(plain, func(s *schema.Schema) { s.Views = []*schema.View{{Name: "v", Key: "v", Canon: "select 1"}} }), `view v is missing: "select 1"`, `view v is still there: "select 1"`},
		"a function": {with(plain, func(s *schema.Schema) {
			s.Objects = []*schema.Object{{Kind: "function", Name: "f", Key: "f", Canon: "1"}}
		}), `function f is missing: "1"`, `function f is still there: "1"`},
		"a text": {with(plain, func(s *schema.Schema) { s.Opaques = []*schema.Opaque{{Key: "o"}} }), "an object known by its text differs (diff.ReplaceOpaque)", "an object known by its text differs (diff.ReplaceOpaque)"},
	} {
		if got := said(Reached(plain, c.other)); got != notThere(c.missing) {
			t.Errorf("%s is missing: it says %q, want %q", name, got, notThere(c.missing))
		}
		if got := said(Reached(c.other, plain)); got != notThere(c.lasting) {
			t.Errorf("%s is too much: it says %q, want %q", name, got, notThere(c.lasting))
		}
	}
}

func with(s *schema.Schema, change func(*schema.Schema)) *schema.Schema {
	copied := *s
	change(&copied)
	return &copied
}

func notThere(what string) string {
	if what == "" {
		return ""
	}
	return "the plan does not lead to the head: " + what
}
