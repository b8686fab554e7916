package scratch

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/altergate/altergate/internal/dialect/postgres/postgrestest"
	"github.com/altergate/altergate/internal/dialect/postgres/script"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/proof"
	"github.com/altergate/altergate/internal/schema"
	"github.com/altergate/altergate/internal/source"
)

// superURL gives the server for what only a superuser may do.
func superURL(t *testing.T) string {
	t.Helper()
	url := postgrestest.URL(t)
	s, err := connect(context.Background(), url)
	if err != nil {
		t.Fatal(err)
	}
	if !s.super {
		postgrestest.LeaveOut(t, "a superuser is needed")
	}
	return url
}

// side reads SQL, in the order given.
func side(t *testing.T, sql string) Side {
	t.Helper()
	s, errs := script.Split(&source.File{Path: "schema.sql", Text: sql})
	errs = append(errs, script.Parse(s.Statements, nil)...)
	if len(errs) > 0 {
		t.Fatal(errs[0])
	}
	return Side{Statements: s.Statements, Schema: &schema.Schema{}}
}

// steps makes each statement a step.
func steps(statements ...string) []*plan.Step {
	var out []*plan.Step
	for _, s := range statements {
		out = append(out, &plan.Step{Kind: "alter_table", Object: "t", SQL: []string{s}})
	}
	return out
}

// leftovers lists the databases that this process has made. Those of other packages' tests, which run at the same time, are not among
// them; one of an earlier process with the same number may be.
func leftovers(t *testing.T, url string) []string {
	t.Helper()
	s, err := connect(context.Background(), url)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := s.open(context.Background(), s.config.Database)
	if err != nil {
		t.Fatal(err)
	}
	defer hangUp(context.Background(), conn)
	rows, err := query(context.Background(), conn, "SELECT datname FROM pg_catalog.pg_database WHERE pg_catalog.starts_with(datname, '"+namePrefix()+"')")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, r := range rows {
		names = append(names, r[0])
	}
	return names
}

// proofCase is a pair of schemas and a way between them.
type proofCase struct {
	name       string
	base, head string
	steps      []string
	renames    diff.Renames
	refuted    string // what the error says; empty = the plan is proved
}

func (c proofCase) run(t *testing.T, url string) *proof.Engine {
	t.Helper()
	started := time.Now()
	engine, err := Prove(context.Background(), url, Input{Base: side(t, c.base), Head: side(t, c.head), Steps: steps(c.steps...), Renames: c.renames})
	t.Logf("%v", time.Since(started).Round(time.Millisecond))
	switch {
	case c.refuted == "" && err != nil:
		t.Fatalf("a right plan is refuted: %v", err)
	case c.refuted == "" && engine.Result != proof.Proved:
		t.Fatalf("a right plan is not proved: %+v", engine)
	case c.refuted != "" && err == nil:
		t.Fatalf("nobody noticed: %+v", engine)
	case c.refuted != "" && !strings.Contains(err.Error(), c.refuted):
		t.Fatalf("the error is %q and should say %q", err, c.refuted)
	}
	return engine
}
