package scratch

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/pingcap/tidb/pkg/parser"
	_ "github.com/pingcap/tidb/pkg/parser/test_driver" // literals need a driver

	"github.com/altergate/altergate/internal/dialect/mysql/mysqltest"
	"github.com/altergate/altergate/internal/dialect/mysql/script"
	flavours "github.com/altergate/altergate/internal/dialect/mysql/server"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/proof"
	"github.com/altergate/altergate/internal/schema"
	"github.com/altergate/altergate/internal/source"
)

// side reads SQL, whose statements end with a semicolon at the end of a line.
func side(t *testing.T, sql string) Side {
	t.Helper()
	file := &source.File{Path: "schema.sql", Text: sql}
	var out Side
	at := 0
	for _, text := range strings.SplitAfter(sql, ";\n") {
		trimmed := strings.TrimSuffix(strings.TrimSpace(text), ";")
		if trimmed != "" {
			s := &script.Statement{SQL: trimmed, File: file, Offset: at + strings.Index(text, trimmed)}
			if node, err := parser.New().ParseOneStmt(trimmed, "", ""); err == nil {
				s.Node = node
			}
			out.Statements = append(out.Statements, s)
		}
		at += len(text)
	}
	out.Schema = &schema.Schema{}
	return out
}

// steps makes each statement a step.
func steps(risk plan.Risk, statements ...string) []*plan.Step {
	var out []*plan.Step
	for _, s := range statements {
		out = append(out, &plan.Step{Kind: "alter_table", Object: "t", Risk: risk, SQL: []string{s}})
	}
	return out
}

// proofCase is a pair of schemas and a way between them.
type proofCase struct {
	name       string
	base, head string
	steps      []string
	safe       bool // all steps are
	renames    diff.Renames
	server     flavours.Server
	refuted    string // what the error says; empty = the plan is proved
}

func (c proofCase) run(t *testing.T, url string) *proof.Engine {
	t.Helper()
	started := time.Now()
	risk := plan.Destructive
	if c.safe {
		risk = plan.Safe
	}
	engine, err := Prove(context.Background(), url, Input{Server: c.server, Base: side(t, c.base), Head: side(t, c.head), Steps: steps(risk, c.steps...), Renames: c.renames})
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

// leftovers lists the databases that this process has made.
func leftovers(t *testing.T) []string {
	t.Helper()
	rows, err := mysqltest.ConnectTo(t, "").Query("SELECT schema_name FROM information_schema.schemata WHERE schema_name LIKE ?", strings.ReplaceAll(namePrefix(), "_", `\_`)+"%")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var names []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	return names
}
