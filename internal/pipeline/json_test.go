package pipeline

import (
	"encoding/json"
	"testing"

	"github.com/altergate/altergate/internal/proof"
)

// TestEngineJSON gives null for an engine that nobody asked, and the further keys only where they say something.
func TestEngineJSON(t *testing.T) {
	tests := []struct {
		name   string
		engine *proof.Engine
		want   string
	}{
		{"none", nil, `null`},
		{"no server was given", &proof.Engine{Name: "postgres", Reason: "no --scratch was given"}, `null`},
		{"proved", &proof.Engine{Name: "postgres", Version: "15.20", Result: proof.Proved, Rows: 3},
			`{"name":"postgres","version":"15.20","result":"proved","rows":3,"empty":[]}`},
		{"a server that lacks something", &proof.Engine{Name: "postgres", Version: "15.20", Reason: "extension postgis is missing"},
			`{"name":"postgres","version":"15.20","result":"not run","rows":0,"empty":[],"reason":"extension postgis is missing"}`},
		{"proved but for something", &proof.Engine{Name: "postgres", Version: "15.20", Result: proof.Proved, Empty: []string{"a"}, LeftOut: []string{"1 statement names a role"}},
			`{"name":"postgres","version":"15.20","result":"proved","rows":0,"empty":["a"],"left_out":["1 statement names a role"]}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := json.Marshal(proofOf(proof.Result{Replay: proof.Proved, Engine: test.engine}))
			if want := `{"replay":"proved","engine":` + test.want + `}`; err != nil || string(got) != want {
				t.Errorf("got  %s (%v)\nwant %s", got, err, want)
			}
		})
	}
}
