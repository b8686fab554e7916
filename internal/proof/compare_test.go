package proof

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/altergate/altergate/internal/schema"
)

// What one side's catalog has and the other's has not, or has otherwise, is said; what is optional counts only on both.
func TestSameFacts(t *testing.T) {
	table, index := Fact{What: "table bands", Text: "heap"}, Fact{What: "index by_name", Text: "btree (name)"}
	comment := Fact{What: "comment on bands", Text: "old ones", Optional: true}
	long := strings.Repeat("the same words, ", 10)
	for name, tt := range map[string]struct {
		have, want []Fact
		says       string
	}{
		"the same in another order": {[]Fact{index, table}, []Fact{table, index}, ""},
		"one is missing":            {[]Fact{table}, []Fact{table, index}, "after the plan, index by_name is not there, and the head has it: btree (name)"},
		"one too many":              {[]Fact{table, index}, []Fact{table}, "after the plan, index by_name is there, and the head does not have it: btree (name)"},
		"one is other":              {[]Fact{{What: "table bands", Text: "columnar"}}, []Fact{table}, `after the plan, table bands is "columnar" and the head has "heap"`},
		"optional on one side":      {[]Fact{table, comment}, []Fact{table}, ""},
		"optional on the other":     {[]Fact{table}, []Fact{table, comment}, ""},
		"optional on both":          {[]Fact{comment}, []Fact{{What: comment.What, Text: "new", Optional: true}}, `after the plan, comment on bands is "old ones" and the head has "new"`},
		"far behind":                {[]Fact{{What: "v", Text: long + "x"}}, []Fact{{What: "v", Text: long + "y"}}, `after the plan, v is "… ` + long[len(long)-39:] + `x" and the head has "… ` + long[len(long)-39:] + `y"`},
	} {
		if got := said(SameFacts(tt.have, tt.want)); got != tt.says {
			t.Errorf("%s: it says\n%q, want\n%q", name, got, tt.says)
		}
	}
}

// Rows are compared in whatever order they are, and the two most alike are taken for the same row.
func TestSameRows(t *testing.T) {
	columns := []string{"id", "name", "age"}
	for name, tt := range map[string]struct {
		compared   []int
		have, want [][]string
		says       string
	}{
		"in another order":    {[]int{0, 1, 2}, [][]string{{"2", "b", "9"}, {"1", "a", "8"}}, [][]string{{"1", "a", "8"}, {"2", "b", "9"}}, ""},
		"one is lost":         {[]int{0}, [][]string{{"1", "a", "8"}}, [][]string{{"1", "a", "8"}, {"2", "b", "9"}}, "table bands holds 1 row after the plan and should hold 2"},
		"one is twice":        {[]int{0}, [][]string{{"1", "", ""}, {"1", "", ""}}, [][]string{{"1", "", ""}, {"2", "", ""}}, "table bands: column id holds <1> after the plan and should hold <2>"},
		"a value is other":    {[]int{0, 1, 2}, [][]string{{"1", "a", "8"}, {"2", "x", "9"}}, [][]string{{"2", "b", "9"}, {"1", "a", "8"}}, "table bands: column name holds <x> after the plan and should hold <b>"},
		"what does not count": {[]int{0, 1}, [][]string{{"1", "a", "8"}}, [][]string{{"1", "a", "9"}}, ""},
		"no rows on both":     {[]int{0}, nil, nil, ""},
		"values run together": {[]int{0, 1}, [][]string{{"1\n", "a", ""}}, [][]string{{"1", "\na", ""}}, `table bands: column id holds <1` + "\n" + `> after the plan and should hold <1>`},
	} {
		got := said(SameRows("bands", columns, tt.compared, tt.have, tt.want, func(v string) string { return "<" + v + ">" }))
		if got != tt.says {
			t.Errorf("%s: it says %q, want %q", name, got, tt.says)
		}
	}
}

// An error is the plan's only where it is nothing else's.
func TestEnded(t *testing.T) {
	over, cancel := context.WithCancel(t.Context())
	cancel()
	broke := errors.New("it broke")
	for name, tt := range map[string]struct {
		ctx    context.Context
		err    error
		result Outcome
		reason string
		errs   bool
		engine bool
	}{
		"proved":            {t.Context(), nil, Proved, "", false, true},
		"refuted":           {t.Context(), broke, Refuted, "", true, true},
		"unfit":             {t.Context(), &Unfit{Reason: "it lacks postgis"}, NotRun, "it lacks postgis", false, true},
		"unavailable":       {t.Context(), &Unavailable{Err: broke}, NotRun, "", true, false},
		"a side is refused": {t.Context(), &schema.Error{Text: "no"}, NotRun, "", true, false},
		"out of time":       {over, broke, NotRun, "", true, false},
	} {
		engine, err := (&Engine{Name: "x"}).Ended(tt.ctx, tt.err)
		if (err != nil) != tt.errs || (engine != nil) != tt.engine {
			t.Errorf("%s: it gives %+v and %v", name, engine, err)
		} else if engine != nil && (engine.Result != tt.result || engine.Reason != tt.reason) {
			t.Errorf("%s: it ends as %s, %q", name, engine.Result, engine.Reason)
		}
	}
}
