package pipeline

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/policy"
	"github.com/altergate/altergate/internal/proof"
	"github.com/altergate/altergate/internal/schema"
)

// The report as JSON; the names and shapes are those of the format altergate/v1, which other programs read.
type (
	reportJSON struct {
		Format  string       `json:"format"`
		Schemas []schemaJSON `json:"schemas"`
		Verdict verdictJSON  `json:"verdict"`
		Errors  []errorJSON  `json:"errors"`
	}
	schemaJSON struct {
		Name            string       `json:"name"`
		Dialect         string       `json:"dialect"`
		Risk            string       `json:"risk"`
		Digest          string       `json:"digest"`
		Steps           []stepJSON   `json:"steps"`
		PossibleRenames []renameJSON `json:"possible_renames"`
		Notices         []noticeJSON `json:"notices"`
		Coverage        coverageJSON `json:"coverage"`
		Proof           proofJSON    `json:"proof"`
		Tool            string       `json:"tool,omitempty"` // of migrations: whose they are
		Net             *netJSON     `json:"net,omitempty"`  // of migrations: the change that they come to
	}
	netJSON struct {
		Risk   string     `json:"risk"`
		Steps  []stepJSON `json:"steps"`
		Better string     `json:"better,omitempty"` // what its SQL does better than the migrations
	}
	stepJSON struct {
		ID          string        `json:"id"`
		Kind        string        `json:"kind"`
		Object      string        `json:"object"`
		From        *string       `json:"from"`
		Risk        string        `json:"risk"`
		Findings    []findingJSON `json:"findings"`
		SQL         []string      `json:"sql"`
		Transaction bool          `json:"transaction"`
		Lock        lockJSON      `json:"lock"`
		At          *atJSON       `json:"at,omitempty"`        // of a migration's statement: where it is written
		Protected   []string      `json:"protected,omitempty"` // what of it is protected, if the step needs an approval for that
	}
	findingJSON struct {
		Rule string  `json:"rule"`
		Risk string  `json:"risk"`
		Text string  `json:"text"`
		At   *atJSON `json:"at"`
	}
	atJSON struct {
		Side   string `json:"side"`
		File   string `json:"file"`
		Line   int    `json:"line"`
		Column int    `json:"column"`
	}
	lockJSON struct {
		Level   string `json:"level"`
		Blocks  string `json:"blocks"`
		Rewrite bool   `json:"rewrite"`
		Scan    bool   `json:"scan"`
	}
	renameJSON struct {
		Kind  string  `json:"kind"`
		Table *string `json:"table"`
		From  string  `json:"from"`
		To    string  `json:"to"`
		Hint  string  `json:"hint"`
	}
	noticeJSON struct {
		Text string  `json:"text"`
		At   *atJSON `json:"at"`
	}
	coverageJSON struct {
		Statements int `json:"statements"`
		Modelled   int `json:"modelled"`
		Opaque     int `json:"opaque"`
	}
	proofJSON struct {
		Replay string      `json:"replay"`
		Engine *engineJSON `json:"engine"`
	}
	engineJSON struct {
		Name    string   `json:"name"`
		Version string   `json:"version"`
		Result  string   `json:"result"`
		Rows    int      `json:"rows"`
		Empty   []string `json:"empty"`
		Reason  string   `json:"reason,omitempty"`   // only where the result is "not run"
		LeftOut []string `json:"left_out,omitempty"` // only where something was
	}
	verdictJSON struct {
		Outcome  string   `json:"outcome"`
		Exit     int      `json:"exit"`
		MaxRisk  string   `json:"max_risk"`
		Digest   string   `json:"digest"`
		Blocking []string `json:"blocking"`
	}
	errorJSON struct {
		Schema *string `json:"schema"`
		Side   *string `json:"side"`
		File   *string `json:"file"`
		Line   *int    `json:"line"`
		Column *int    `json:"column"`
		Path   *string `json:"path"`
		Kind   string  `json:"kind"`
		Text   string  `json:"text"`
	}
)

// JSON writes the report and its verdict as one indented object with a final line end.
func (r *Report) JSON(v policy.Verdict) ([]byte, error) {
	out := reportJSON{Format: plan.Format, Schemas: []schemaJSON{}, Errors: []errorJSON{}, Verdict: verdictJSON{
		Outcome: v.Outcome.String(), Exit: v.Exit(), MaxRisk: r.Policy.MaxRisk.String(), Digest: v.Digest, Blocking: []string{}}}
	for _, s := range v.Blocking {
		out.Verdict.Blocking = append(out.Verdict.Blocking, s.ID)
	}
	for _, e := range r.Errors {
		out.Errors = append(out.Errors, errorOf("", e))
	}
	for _, result := range r.Results {
		for _, e := range result.Errors {
			out.Errors = append(out.Errors, errorOf(result.Name, e))
		}
		if result.Plan != nil {
			out.Schemas = append(out.Schemas, r.schemaOf(result))
		}
	}
	data, err := json.MarshalIndent(out, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("writing the report as JSON: %w", err)
	}
	return append(data, '\n'), nil
}

func (r *Report) schemaOf(result *Result) schemaJSON {
	p := result.Plan
	needs := policy.Needing(r.Policy, []*plan.Plan{p})
	out := schemaJSON{Name: result.Name, Dialect: result.Dialect, Risk: p.Risk().String(), Digest: policy.Digest(needs),
		Steps: []stepJSON{}, PossibleRenames: []renameJSON{}, Notices: []noticeJSON{},
		Coverage: coverageJSON{result.Coverage.Statements, result.Coverage.Modelled, result.Coverage.Opaque}, Proof: proofOf(result.Proof)}
	for _, s := range p.Steps {
		out.Steps = append(out.Steps, stepOf(s))
		if len(needs) > 0 && needs[0].Step == s {
			out.Steps[len(out.Steps)-1].Protected = protectedBy(needs[0])
			needs = needs[1:]
		}
	}
	out.Tool = result.Tool
	if net := result.Net; net != nil {
		out.Net = &netJSON{Risk: net.Risk().String(), Steps: []stepJSON{}, Better: plan.Better(p, net)}
		for _, s := range net.Steps {
			out.Net.Steps = append(out.Net.Steps, stepOf(s))
		}
	}
	for _, x := range p.PossibleRenames {
		out.PossibleRenames = append(out.PossibleRenames, renameOf(x))
	}
	for _, n := range append(append([]schema.Notice{}, r.Notices...), p.Notices...) {
		out.Notices = append(out.Notices, noticeJSON{n.Text, at(n.Side, n.Pos)})
	}
	return out
}

func protectedBy(n policy.Need) []string {
	var names []string
	for _, g := range n.Gates {
		if g.Demand > 0 && !slices.Contains(names, g.Object) {
			names = append(names, g.Object)
		}
	}
	return names
}

func stepOf(s *plan.Step) stepJSON {
	out := stepJSON{ID: s.ID, Kind: s.Kind, Object: s.Object, From: optional(s.From), Risk: s.Risk.String(), Findings: []findingJSON{}, SQL: s.Statements(),
		Transaction: s.Transaction, Lock: lockJSON{s.Lock.Level, s.Lock.Blocks, s.Lock.Rewrite, s.Lock.Scan}}
	if s.Authored {
		out.At = at(schema.Head, s.Pos)
	}
	for _, f := range s.Findings {
		out.Findings = append(out.Findings, findingJSON{f.Rule, f.Risk.String(), f.Text, at(f.Side, f.Pos)})
	}
	return out
}

func renameOf(x diff.PossibleRename) renameJSON {
	return renameJSON{x.Kind, optional(x.Table), x.From, x.To, x.Hint}
}

func proofOf(p proof.Result) proofJSON {
	out := proofJSON{Replay: p.Replay.String()}
	if e := p.Engine; e.Asked() {
		out.Engine = &engineJSON{e.Name, e.Version, e.Result.String(), e.Rows, append([]string{}, e.Empty...), e.Reason, e.LeftOut}
	}
	return out
}

func errorOf(name string, e *schema.Error) errorJSON {
	out := errorJSON{Schema: optional(name), Side: optional(string(e.Side)), File: optional(e.Pos.File), Path: optional(e.Path), Kind: string(e.Kind), Text: e.Text}
	if e.Pos.Line > 0 {
		out.Line = &e.Pos.Line
	}
	if e.Pos.Column > 0 {
		out.Column = &e.Pos.Column
	}
	return out
}

func at(side schema.Side, pos schema.Pos) *atJSON {
	if pos.File == "" {
		return nil
	}
	return &atJSON{string(side), pos.File, pos.Line, pos.Column}
}

func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
