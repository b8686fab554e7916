package pipeline

import (
	"context"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/dialect"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/policy"
	"github.com/altergate/altergate/internal/proof"
)

// TestRunAsksTheDialect shows what a dialect hears of the configuration and of the options.
func TestRunAsksTheDialect(t *testing.T) {
	type heard struct {
		Name, Version, Scratch string
		Engine, Plain          bool
	}
	var got []heard
	dialect.All["recorded"] = func(_ context.Context, q dialect.Question) dialect.Answer {
		got = append(got, heard{q.Name, q.Version, q.Scratch, q.Engine, q.Plain})
		return dialect.Answer{Plan: &plan.Plan{}}
	}
	t.Cleanup(func() { delete(dialect.All, "recorded") })
	config := "schemas:\n  - {name: a, dialect: recorded, source: a.sql, version: 16, online: false}\n  - {name: b, dialect: recorded, source: a.sql, online: true}\n"
	tree := fstest.MapFS{"altergate.yml": {Data: []byte(config)}, "a.sql": {Data: []byte("SELECT 1;")}}
	c, err := LoadConfig(tree, "altergate.yml")
	if err != nil {
		t.Fatal(err)
	}
	unasked := &proof.Engine{Name: "recorded", Reason: "no --scratch was given"}
	const server = "postgres://scratch/postgres"
	tests := []struct {
		name    string
		options Options
		proof   *proof.Engine // that no server was asked, as reports say it
		want    []heard
	}{
		{"by default", Options{}, unasked, []heard{{"a", "16", "", true, true}, {"b", "", "", true, false}}},
		{"with a server of the dialect", Options{Scratch: Scratch{"recorded": server}}, nil, []heard{{"a", "16", server, true, true}, {"b", "", server, true, false}}},
		{"with another dialect's", Options{Scratch: Scratch{"another": server}}, unasked, []heard{{"a", "16", "", true, true}, {"b", "", "", true, false}}},
		{"without an engine", Options{NoEngine: true}, nil, []heard{{"a", "16", "none", false, true}, {"b", "", "none", false, false}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got = nil
			report := Run(t.Context(), policy.Default(), Targets(c, tree, tree), test.options)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.proof, report.Results[0].Proof.Engine); diff != "" {
				t.Errorf("the proof (-want +got):\n%s", diff)
			}
		})
	}
}
