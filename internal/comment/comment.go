// Package comment is what people and Altergate say to each other in a pull request: a report as Markdown (Render), and the
// slash commands in a comment (Commands). It talks to no one: it takes a report and a verdict, or a comment's text, and
// decides nothing. Whatever comes from the pull request is data here, and reaches Markdown only through Code, Text or a fence.
package comment

import (
	"sort"
	"unicode/utf8"

	"github.com/altergate/altergate/internal/pipeline"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/policy"
)

// Options is what Render cannot know from the report.
type Options struct {
	Limit  Limit
	Mark   Mark   // zero = no marker is written
	Base   string // commit that was compared from; empty = not shown
	Head   string // commit that was compared to
	JobURL string // of the run, where the whole report is; shown only if it is a plain http(s) URL
}

// Limit is how long a body may be. The zero value is a comment's limit. GitHub documents 65,536 "characters" without saying of
// what kind, so UTF-16 units are counted, of which no text has fewer than code points, and bytes as well.
type Limit struct {
	Units int // UTF-16 units
	Bytes int
}

const (
	commentUnits = 60_000
	commentBytes = 200_000
	summaryBytes = 1_000_000
)

// JobSummary is the limit for the summary of a job, which GitHub holds to 1 MiB.
func JobSummary() Limit { return Limit{Units: summaryBytes, Bytes: summaryBytes} }

// holds tells whether a body is short enough.
func (l Limit) holds(body string) bool {
	if l == (Limit{}) {
		l = Limit{Units: commentUnits, Bytes: commentBytes}
	}
	units := utf8.RuneCountInString(body)
	for _, r := range body {
		if r > 0xFFFF {
			units++
		}
	}
	return units <= l.Units && len(body) <= l.Bytes
}

// detail is how much of a report is shown.
type detail struct {
	sql    plan.Risk // the SQL of steps at least this risky
	rows   plan.Risk // the rows of steps at least this risky
	asides bool      // possible renames, notices, proof, coverage
	most   int       // rows in all tables together
}

const (
	noStep   = plan.Destructive + 1 // no step is that risky
	everyRow = 1 << 30              // more rows than there ever are
)

// details is the order in which a report is cut until it fits: by what a reviewer can best do without. The verdict, the approve
// line and what is left out are not subject to it.
var details = [...]detail{
	{sql: plan.Safe, rows: plan.Safe, asides: true, most: everyRow},
	{sql: plan.Review, rows: plan.Safe, asides: true, most: everyRow},
	{sql: plan.Destructive, rows: plan.Safe, asides: true, most: everyRow},
	{sql: noStep, rows: plan.Safe, asides: true, most: everyRow},
	{sql: noStep, rows: plan.Review, asides: true, most: everyRow},
	{sql: noStep, rows: plan.Destructive, asides: true, most: everyRow},
	{sql: noStep, rows: plan.Destructive, asides: false, most: everyRow},
}

// Render gives the Markdown of a comment or a job summary. Same input, same bytes.
func Render(r *pipeline.Report, v policy.Verdict, o Options) string {
	for _, d := range details {
		if body := newPage(r, v, o, d).body(); o.Limit.holds(body) {
			return body
		}
	}
	least := details[len(details)-1]
	fewestTooMany := sort.Search(rowsOf(r, v)+1, func(rows int) bool {
		least.most = rows
		return !o.Limit.holds(newPage(r, v, o, least).body())
	})
	least.most = max(0, fewestTooMany-1)
	return newPage(r, v, o, least).body()
}

// rowsOf is the number of rows the least detailed body could have.
func rowsOf(r *pipeline.Report, v policy.Verdict) int {
	rows := len(r.Errors) + len(v.Counted) + len(v.Rejected)
	for _, result := range r.Results {
		rows += len(result.Errors)
		if result.Plan != nil {
			rows += len(result.Plan.Steps)
		}
	}
	return rows
}
