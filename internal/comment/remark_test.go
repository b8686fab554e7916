package comment_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/comment"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/schema"
)

func TestRemarks(t *testing.T) {
	drop := dropColumn("users", "mail")
	drop.Findings = append(drop.Findings, plan.Finding{Risk: plan.Review, Text: "A view reads it.", Side: schema.Head, Pos: schema.Pos{File: "db/main.sql", Line: 9}},
		plan.Finding{Risk: plan.Safe, Text: "Nothing else."})
	r := report(answer("main", addColumn("users", "email"), setNotNull("users", "id"), drop), failure("ledger", syntaxError(3, "near \"COLUM\"")))
	r.Errors = []*schema.Error{{Kind: schema.KindConfig, Text: "there is no configuration"}}
	var got []string
	for _, m := range comment.Remarks(r) {
		got = append(got, m.Title()+" | "+m.Text)
	}
	want := []string{
		"No answer | there is no configuration",
		"No answer | near \"COLUM\"",
		"destructive: drop column users.mail | Every value in column mail of table users is lost.",
		"review: alter column users.id | Column id of table users must hold a value from now on; it fails if a row holds NULL.",
		"review: drop column users.mail | A view reads it.",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestElsewhere(t *testing.T) {
	var steps []*plan.Step
	for i := range 200 {
		steps = append(steps, dropColumn("@acme/everyone|`", fmt.Sprintf("c%03d\u202E", i)))
	}
	remarks := comment.Remarks(report(answer("main", steps...)))
	for _, most := range []int{1_000, 5_000, 1 << 20} {
		got := comment.Elsewhere(remarks, most)
		checkInert(t, got)
		shown := strings.Count(got, "\n- 🔴")
		if len(got) > most || shown == 0 || shown < 200 && !strings.HasSuffix(got, fmt.Sprintf("\n- and %d more remarks", 200-shown)) {
			t.Errorf("of %d bytes, %d are used, with %d remarks:\n%s", most, len(got), shown, got)
		}
	}
	if got := comment.Elsewhere(nil, 100); got != "" {
		t.Errorf("nothing is %q", got)
	}
}

func TestPlain(t *testing.T) {
	for text, want := range map[string]string{
		"a\r\nb\t c ":     "a b c",
		"\u202Egnp\u200B": `\u{202E}gnp\u{200B}`,
		"<b> @x #1 `c`":   "<b> @x #1 `c`",
		"\x1b[31m\x00":    `\u{1B}[31m\u{0}`,
		"\xff":            `\x{FF}`,
	} {
		if got := comment.Plain(text); got != want {
			t.Errorf("Plain(%q) is %q, want %q", text, got, want)
		}
	}
}

// The title is for places where nothing is made of text, and holds nothing of the pull request.
func TestTitle(t *testing.T) {
	r := destructive()
	if got := comment.Title(r, decide(r)); got != "🛑 Approval needed: 1 destructive step" {
		t.Errorf("the title is %q", got)
	}
}
