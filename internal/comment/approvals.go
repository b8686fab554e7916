package comment

import (
	"time"

	"github.com/altergate/altergate/internal/policy"
)

// approvals is the table of what people said, counted or not: an approval that became void must be seen to be void.
func (p *page) approvals() string {
	var rows [][]string
	for i, a := range p.verdict.Counted {
		counts := "✅ counts"
		if limits := p.verdict.Limits; i < len(limits) && limits[i] != "" {
			counts += ", but not for every step: " + sentence(limits[i])
		}
		rows = append(rows, approvalRow(a, counts))
	}
	for _, r := range p.verdict.Rejected {
		rows = append(rows, approvalRow(r.Approval, "❌ "+sentence(r.Reason)))
	}
	shown := p.take(len(rows))
	p.noOther = p.noOther || shown < len(rows)
	return table([]string{"Approval by", "For", "Given", "Counts"}, rows[:shown])
}

func approvalRow(a policy.Approval, counts string) []string {
	return []string{Code(a.Login), subject(a), given(a), counts}
}

// subject is what an approval was given for.
func subject(a policy.Approval) string {
	risk := a.Risk.String()
	switch {
	case len(a.Steps) > 0:
		return risk + ", " + list(codes(a.Steps))
	case a.Digest != "":
		return risk + ", plan " + commit(a.Digest)
	case a.Bound != "":
		return risk + ", plan " + commit(a.Bound)
	}
	return risk
}

// given is when, with a link to the comment if there is one.
func given(a policy.Approval) string {
	when := "here"
	if !a.At.IsZero() {
		when = a.At.UTC().Format(time.DateOnly + " 15:04 UTC")
	}
	if linked := link(when, a.URL); linked != "" {
		return linked
	}
	if a.At.IsZero() {
		return "–"
	}
	return when
}
