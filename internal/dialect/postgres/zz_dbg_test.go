package postgres

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/source"
)

func TestZZDbg(t *testing.T) {
	if os.Getenv("ZZ") == "" {
		t.Skip()
	}
	read := func(f string) *Loaded {
		text, _ := os.ReadFile(f)
		l, err := Read(context.Background(), []*source.File{{Path: f, Text: string(text)}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	a, b := read("/tmp/a.sql"), read("/tmp/b.sql")
	d := Dialect{}
	if err := d.Align(context.Background(), "", a, a, b, diff.Renames{}); err != nil {
		t.Fatal(err)
	}
	pl, _, err := d.Planner(context.Background(), a, a, b, plan.Options{Version: "15"})
	if err != nil {
		t.Fatal(err)
	}
	p, err := plan.Build(plan.Input{Name: "x", From: a.Schema, To: b.Schema, Changes: diff.Schemas(a.Schema, b.Schema)}, pl)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range p.Steps {
		fmt.Println(s.Kind, s.Object, s.Risk)
		for _, x := range s.Statements() {
			fmt.Println("   ", x)
		}
	}
}
