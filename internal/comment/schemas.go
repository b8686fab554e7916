package comment

import (
	"fmt"
	"strings"

	"github.com/altergate/altergate/internal/pipeline"
	"github.com/altergate/altergate/internal/proof"
)

// schemas gives the overview, when there is more than one schema, and a section for each that changes.
func (p *page) schemas() string {
	var blocks []string
	var unchanged []string
	for _, r := range p.report.Results {
		switch {
		case r.Plan == nil:
		case len(r.Plan.Steps) == 0 && len(r.Plan.Notices) == 0:
			unchanged = append(unchanged, nameOf(r))
		default:
			blocks = append(blocks, p.schema(r))
		}
	}
	var same string
	if len(unchanged) > 0 && len(p.report.Results) > len(unchanged) {
		same = "No change in " + list(codes(unchanged)) + "."
	}
	return join(p.overview(), same, join(blocks...))
}

// overview is a table of the schemas that change or could not be answered.
func (p *page) overview() string {
	if len(p.report.Results) < 2 || !p.detail.asides {
		return ""
	}
	var rows [][]string
	for _, r := range p.report.Results {
		if state := stateOf(r); state != "" {
			rows = append(rows, []string{Code(nameOf(r)), Text(r.Dialect), sourceOf(r), state})
		}
	}
	return table([]string{"Schema", "Dialect", "Source", "Plan"}, rows)
}

// stateOf is a schema's answer in a few words; nothing when it does not change.
func stateOf(r *pipeline.Result) string {
	switch {
	case r.Plan == nil || len(r.Errors) > 0:
		return "❗ no answer, " + count(len(r.Errors), "error")
	case len(r.Plan.Steps) == 0:
		return ""
	}
	return icon(r.Plan.Risk()) + " " + countRisks(r.Plan.Steps).String()
}

// schema is the section of one schema.
func (p *page) schema(r *pipeline.Result) string {
	rows, missing := p.steps(r.Plan)
	if rows == "" && !p.detail.asides {
		return "" // its steps are counted near the top
	}
	heading := fmt.Sprintf("#### %s (%s): %s", Code(nameOf(r)), Text(r.Dialect), countRisks(r.Plan.Steps))
	return join(heading, rows, missing, p.renames(r.Plan), p.sql(r.Plan), p.net(r), p.evidence(r), p.notices(r.Plan.Notices))
}

// nameOf is a schema's name; a schema given on the command line need not have one.
func nameOf(r *pipeline.Result) string {
	if r.Name == "" {
		return "schema"
	}
	return r.Name
}

func sourceOf(r *pipeline.Result) string {
	if r.Source == "" {
		return "–"
	}
	return code(r.Source, placeWidth)
}

// evidence says what was proved of a plan, and how much of the schema was understood.
func (p *page) evidence(r *pipeline.Result) string {
	if !p.detail.asides {
		p.noOther = true
		return ""
	}
	return proofLine(r.Proof) + " " + coverageLine(r)
}

func proofLine(result proof.Result) string {
	line := "**Proof:** by replay on the model: " + outcome(result.Replay)
	engine := result.Engine
	switch {
	case engine == nil:
		return line + "; on an engine: " + outcome(proof.NotRun) + "."
	case engine.Result == proof.NotRun:
		return line + "; " + outcome(proof.NotRun) + " on " + asked(engine) + because(engine) + "."
	}
	line += fmt.Sprintf("; on %s with %s in its tables: %s", asked(engine), count(engine.Rows, "row"), outcome(engine.Result))
	if len(engine.Empty) > 0 {
		line += ", while " + list(codes(engine.Empty)) + " stood empty"
	}
	if len(engine.LeftOut) > 0 {
		line += ". Not covered: " + list(sentences(engine.LeftOut))
	}
	return line + "."
}

// asked is the engine that a plan was run on, or should have been.
func asked(e *proof.Engine) string {
	if !e.Asked() {
		return "a server"
	}
	return Text(e.Title()) + " " + Text(e.Version)
}

// because is why an engine gave no answer.
func because(e *proof.Engine) string {
	if e.Reason == "" {
		return ""
	}
	return ": " + sentence(strings.TrimSuffix(e.Reason, "."))
}

func sentences(texts []string) []string {
	var out []string
	for _, text := range texts {
		out = append(out, sentence(text))
	}
	return out
}

// outcome names how a proof ended; the zero value claims nothing.
func outcome(o proof.Outcome) string {
	switch o {
	case proof.Proved:
		return "proved"
	case proof.Refuted:
		return "**refuted**"
	}
	return "**not run**"
}

func coverageLine(r *pipeline.Result) string {
	c := r.Coverage
	line := fmt.Sprintf("**Read:** %d of %s modelled, %d opaque", c.Modelled, count(c.Statements, "statement"), c.Opaque)
	if passed := c.Statements - c.Modelled - c.Opaque; passed > 0 {
		line += fmt.Sprintf(", %d that change no schema", passed)
	}
	return line + "."
}
