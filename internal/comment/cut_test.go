package comment_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/comment"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/pipeline"
	"github.com/altergate/altergate/internal/schema"
)

// long is a report with steps of every risk, as many of each as asked.
func long(each int) *pipeline.Report { return longNamed("t", each) }

// longNamed has the names of its tables begin alike.
func longNamed(name string, each int) *pipeline.Report {
	main := answer("main")
	for i := range each {
		table := fmt.Sprintf("%s%03d", name, i)
		main.Plan.Steps = append(main.Plan.Steps, addColumn(table, "new"), setNotNull(table, "old"), dropColumn(table, "gone"))
	}
	main.Plan.PossibleRenames = []diff.PossibleRename{{Kind: "column", Table: "t000", From: "gone", To: "new", Hint: "-- @renamed from=gone"}}
	main.Plan.Notices = []schema.Notice{{Text: "A notice."}}
	return report(main)
}

// shown is what can be seen of a long report.
type shown struct {
	SafeSQL, ReviewSQL, DestructiveSQL int
	Safe, Review, Destructive          int
	Asides                             bool
}

func look(body string) shown {
	return shown{
		SafeSQL:        strings.Count(body, " ADD COLUMN new text;"),
		ReviewSQL:      strings.Count(body, " ALTER COLUMN old SET NOT NULL;"),
		DestructiveSQL: strings.Count(body, " DROP COLUMN gone;"),
		Safe:           strings.Count(body, "| 🟢 safe |"),
		Review:         strings.Count(body, "| 🟡 review |"),
		Destructive:    strings.Count(body, "| 🔴 **destructive** |"),
		Asides:         strings.Contains(body, "Is this a rename?") && strings.Contains(body, "A notice.") && strings.Contains(body, "**Proof:**"),
	}
}

func units(body string) int { return len(utf16.Encode([]rune(body))) }

// A body is cut in steps, each as late as possible: it fits exactly at its own size, and one less shows the next step. That holds in
// whichever way GitHub counts, and whatever the letters are.
func TestBodiesAreCutByStructure(t *testing.T) {
	for letters, name := range map[string]string{"ASCII": "t", "two bytes": "é", "three bytes": "名", "two units": "𝕏"} {
		for counted, measure := range map[string]func(*comment.Limit, string, int){
			"units": func(l *comment.Limit, body string, less int) { l.Units = units(body) - less },
			"bytes": func(l *comment.Limit, body string, less int) { l.Bytes = len(body) - less },
		} {
			t.Run(letters+", "+counted, func(t *testing.T) { cutToTheLast(t, strings.Repeat(name, 20), measure) })
		}
	}
}

// cutToTheLast renders a body at the size of each threshold and one below. Measure limits to the size of a body, less some.
func cutToTheLast(t *testing.T, name string, measure func(l *comment.Limit, body string, less int)) {
	const n = 5
	r := longNamed(name, n)
	v := decide(r)
	o := options()
	want := []shown{
		{n, n, n, n, n, n, true},
		{0, n, n, n, n, n, true},
		{0, 0, n, n, n, n, true},
		{0, 0, 0, n, n, n, true},
		{0, 0, 0, 0, n, n, true},
		{0, 0, 0, 0, 0, n, true},
		{0, 0, 0, 0, 0, n, false},
	}
	for rows := n - 1; rows >= 0; rows-- {
		want = append(want, shown{Destructive: rows})
	}
	var got []shown
	o.Limit = comment.Limit{Units: 1 << 20, Bytes: 1 << 20}
	for i := range want {
		body := comment.Render(r, v, o)
		got = append(got, look(body))
		if units(body) > o.Limit.Units || len(body) > o.Limit.Bytes {
			t.Errorf("a body of %d units and %d bytes exceeds %+v", units(body), len(body), o.Limit)
		}
		exact := o
		measure(&exact.Limit, body, 0)
		if again := comment.Render(r, v, exact); again != body {
			t.Errorf("body %d is cut although it would fit", i)
		}
		if loud := strings.Contains(body, "Too long for one comment"); loud != (i > 0) {
			t.Errorf("body %d says that it is cut: %t", i, loud)
		}
		checkWhole(t, body, v.Digest)
		checkCounted(t, body, got[i], n)
		measure(&o.Limit, body, 1)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("what is shown (-want +got):\n%s", diff)
	}
}

// checkCounted fails unless every destructive step is shown or counted as left out.
func checkCounted(t *testing.T, body string, got shown, steps int) {
	t.Helper()
	if hidden := steps - got.Destructive; hidden > 0 && !strings.Contains(body, fmt.Sprintf("… and %d more destructive", hidden)) &&
		!strings.Contains(body, fmt.Sprintf("Not shown: %d destructive", hidden)) {
		t.Errorf("%d destructive steps are left out in silence:\n%s", hidden, body)
	}
	if !strings.Contains(body, fmt.Sprintf("Approval needed: %d destructive step", steps)) {
		t.Errorf("the title does not count the destructive steps:\n%s", body)
	}
}

// checkWhole fails if something is missing that no body may miss, or something is left open.
func checkWhole(t *testing.T, body, digest string) {
	t.Helper()
	if !strings.Contains(body, "\n```\n/approve destructive "+digest[:24]+"\n```\n") {
		t.Errorf("the approve line is missing in:\n%s", body)
	}
	checkInert(t, body)
	checkOneMarker(t, body)
}

func TestStepsThatAreNotShownAreCounted(t *testing.T) {
	r, o := long(40), options()
	o.Limit = comment.Limit{Units: 4_000, Bytes: 20_000}
	body := comment.Render(r, decide(r), o)
	rows := look(body).Destructive
	for _, want := range []string{
		fmt.Sprintf("Not shown: %d destructive, 40 review and 40 safe steps, all SQL and some of the remarks.", 40-rows),
		fmt.Sprintf("… and %d more destructive, 40 more review and 40 more safe steps, not shown; the digest covers them all.", 40-rows),
	} {
		if !strings.Contains(body, want) {
			t.Errorf("%q is missing in:\n%s", want, body)
		}
	}
	if rows == 0 || rows == 40 {
		t.Errorf("%d destructive steps are shown", rows)
	}
}

// GitHub does not say in which unit it counts, so a comment stays below its limit in all of them.
func TestDefaultLimit(t *testing.T) {
	for name, letter := range map[string]string{"ASCII": "x", "two bytes": "é", "three bytes": "名", "two units": "𝕏"} {
		t.Run(name, func(t *testing.T) {
			steps := long(1)
			for i := range 350 {
				steps.Results[0].Plan.Steps = append(steps.Results[0].Plan.Steps, dropColumn(strings.Repeat(letter, 70), fmt.Sprint(i)))
			}
			v := decide(steps)
			body := comment.Render(steps, v, options())
			if units(body) > 60_000 || utf8.RuneCountInString(body) > 60_000 || len(body) > 200_000 {
				t.Errorf("the body has %d units, %d code points and %d bytes", units(body), utf8.RuneCountInString(body), len(body))
			}
			if units(body) < 50_000 && len(body) < 190_000 {
				t.Errorf("the body has only %d units and %d bytes: more would have fitted", units(body), len(body))
			}
			checkWhole(t, body, v.Digest)
		})
	}
}

// However much there is of anything, a comment fits.
func TestFloodsFit(t *testing.T) {
	hostile := strings.Repeat("@", 5_000)
	floods := map[string]func(*pipeline.Report){
		"schemas": func(r *pipeline.Report) {
			for i := range 600 {
				r.Results = append(r.Results, answer(fmt.Sprint(hostile, i), addColumn(hostile, "a")))
			}
		},
		"unchanged schemas": func(r *pipeline.Report) {
			for i := range 600 {
				r.Results = append(r.Results, answer(fmt.Sprint(hostile, i)))
			}
		},
		"findings": func(r *pipeline.Report) {
			s := r.Results[0].Plan.Steps[0]
			for range 600 {
				s.Findings = append(s.Findings, s.Findings[0])
				s.Findings[0].Text = hostile
			}
		},
		"notices": func(r *pipeline.Report) {
			for range 600 {
				r.Notices = append(r.Notices, schema.Notice{Text: hostile, Pos: schema.Pos{File: hostile, Line: 1}})
			}
		},
		"possible renames": func(r *pipeline.Report) {
			for range 600 {
				p := r.Results[0].Plan
				p.PossibleRenames = append(p.PossibleRenames, diff.PossibleRename{Kind: "table", From: hostile, To: hostile, Hint: hostile})
			}
		},
		"SQL": func(r *pipeline.Report) { r.Results[0].Plan.Steps[0].SQL = []string{strings.Repeat(hostile, 100)} },
		"approvers": func(r *pipeline.Report) {
			for range 600 {
				r.Policy.Approvers.Users = append(r.Policy.Approvers.Users, hostile)
			}
		},
	}
	for name, flood := range floods {
		t.Run(name, func(t *testing.T) {
			r := long(1)
			flood(r)
			v := decide(r)
			body := comment.Render(r, v, options())
			if units(body) > 60_000 {
				t.Errorf("the body has %d units", units(body))
			}
			checkWhole(t, body, v.Digest)
		})
	}
}

func TestFloodsOfErrorsAndApprovalsFit(t *testing.T) {
	r := report(failure("main"))
	for i := range 300 {
		r.Results[0].Errors = append(r.Results[0].Errors, syntaxError(i, strings.Repeat("#", 5_000)))
	}
	v := decide(r)
	for range 300 {
		v.Rejected = append(v.Rejected, decide(r, approvalBy(strings.Repeat("@", 50), "")).Rejected...)
	}
	body := comment.Render(r, v, options())
	if units(body) > 60_000 {
		t.Errorf("the body has %d units", units(body))
	}
	if !strings.Contains(body, "more errors, not shown.") {
		t.Errorf("errors are left out in silence:\n%s", body)
	}
	checkInert(t, body)
	checkOneMarker(t, body)
}

func TestJobSummaryHoldsMore(t *testing.T) {
	r, o := long(200), options()
	o.Limit = comment.JobSummary()
	if got := look(comment.Render(r, decide(r), o)); got.SafeSQL != 200 {
		t.Errorf("the summary shows %+v", got)
	}
}
