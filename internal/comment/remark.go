package comment

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/pipeline"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/policy"
	"github.com/altergate/altergate/internal/schema"
)

// Remark is what there is to say about one place in a file: an error, or why a step is what it is.
type Remark struct {
	Error bool
	Risk  plan.Risk // of a finding; the zero Risk of an error says nothing
	Step  *plan.Step
	Text  string // as it was written: it is shown through Plain, Text or Code
	Side  schema.Side
	Pos   schema.Pos
	Path  string // inside a JSON file
}

// Remarks are all of a report, the gravest first: errors, then findings that are destructive, then those to review. What is safe needs
// no remark.
func Remarks(r *pipeline.Report) []Remark {
	var remarks []Remark
	add := func(errors []*schema.Error) {
		for _, e := range errors {
			remarks = append(remarks, Remark{Error: true, Text: e.Text, Side: e.Side, Pos: e.Pos, Path: e.Path})
		}
	}
	add(r.Errors)
	for _, result := range r.Results {
		add(result.Errors)
	}
	for _, p := range r.Plans() {
		for _, s := range p.Steps {
			for _, f := range s.Findings {
				if f.Risk > plan.Safe {
					remarks = append(remarks, Remark{Risk: f.Risk, Step: s, Text: f.Text, Side: f.Side, Pos: f.Pos})
				}
			}
		}
	}
	slices.SortStableFunc(remarks, func(a, b Remark) int {
		return cmp.Compare(b.rank(), a.rank())
	})
	return remarks
}

func (m Remark) rank() plan.Risk {
	if m.Error {
		return noStep
	}
	return m.Risk
}

// Title names a remark in plain text.
func (m Remark) Title() string {
	if m.Error {
		return "No answer"
	}
	return Plain(fmt.Sprintf("%s: %s %s", m.Risk, strings.ReplaceAll(m.Step.Kind, "_", " "), m.Step.Object))
}

// markdown is a remark as an item of a list.
func (m Remark) markdown() string {
	line := "- ❗ "
	if !m.Error {
		line = "- " + badge(m.Risk) + ", " + inWords(m.Step) + ": "
	}
	line += sentence(m.Text)
	if where := place(m.Side, m.Pos, m.Path); where != "" {
		line += " (" + where + ")"
	}
	return line
}

// Elsewhere lists remarks that could not be shown at their place, in at most so many bytes.
func Elsewhere(remarks []Remark, most int) string {
	if len(remarks) == 0 {
		return ""
	}
	const spare = 40 // for the last line
	body := "#### Not on a line of the head\n"
	for i, m := range remarks {
		line := "\n" + m.markdown()
		if len(body)+len(line) > most-spare {
			return body + "\n- and " + count(len(remarks)-i, "more remark")
		}
		body += line
	}
	return body
}

// Title is the verdict in one plain line, in words of our own alone.
func Title(r *pipeline.Report, v policy.Verdict) string {
	return newPage(r, v, Options{}, details[0]).title()
}

// Plain makes text with names from the pull request in it one line for where nothing is made of text at all: what cannot be seen is
// spelled out.
func Plain(s string) string {
	s = strings.Join(strings.FieldsFunc(s, isBlank), " ")
	var b strings.Builder
	for i, r := range s {
		b.WriteString(seen(s, i, r))
	}
	return b.String()
}
