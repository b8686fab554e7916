package postgres

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/schema"
	"github.com/altergate/altergate/internal/source"
)

// FuzzRead reads arbitrary text: nothing may panic, and an error says something, with a place.
func FuzzRead(f *testing.F) {
	for _, s := range caseFiles(f) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<14 {
			return
		}
		_, err := Read(context.Background(), []*source.File{{Path: "schema.sql", Text: text}}, nil)
		for _, e := range schema.Errors(err) {
			if e.Text == "" || e.Kind == schema.KindInternal {
				t.Fatalf("an error that says nothing: %+v", e)
			}
		}
	})
}

// FuzzDiff plans from one text to another: nothing may panic, the same question has the same answer, and where nothing changed there is
// nothing to do. A plan that does not replay is no failure here: it is not shown.
func FuzzDiff(f *testing.F) {
	all := caseFiles(f)
	for i := range all {
		f.Add(all[i], all[(i+1)%len(all)])
		f.Add(all[i], all[i])
	}
	f.Fuzz(func(t *testing.T, base, head string) {
		if len(base)+len(head) > 1<<14 {
			return
		}
		first, ok := planned(base, head)
		second, _ := planned(base, head)
		if d := cmp.Diff(first, second); d != "" {
			t.Fatalf("the same question has two answers (-first +second):\n%s", d)
		}
		if ok && base == head && len(first) > 0 {
			t.Fatalf("steps where nothing changed: %q", first)
		}
	})
}

// planned gives the statements of the plan between two texts, if both can be read and there is one, and replays it.
func planned(base, head string) ([]string, bool) {
	ctx := context.Background()
	from, err := Read(ctx, []*source.File{{Path: "base.sql", Text: base}}, nil)
	if err != nil {
		return nil, false
	}
	to, err := Read(ctx, []*source.File{{Path: "head.sql", Text: head}}, from)
	if err != nil {
		return nil, false
	}
	if err := (Dialect{}).Align(ctx, "", from, from, to, diff.Renames{}); err != nil {
		return nil, false
	}
	p, _, err := Dialect{}.Planner(ctx, from, from, to, plan.Options{})
	if err != nil {
		return nil, false
	}
	made, err := plan.Build(plan.Input{Name: "main", From: from.Schema, To: to.Schema, Changes: diff.Schemas(from.Schema, to.Schema)}, p)
	if err != nil {
		return nil, false
	}
	var sql []string
	for _, s := range made.Steps {
		sql = append(sql, s.Statements()...)
	}
	return sql, replay(from, to, made.Steps) == nil
}

// caseFiles gives the SQL of all golden cases.
func caseFiles(f *testing.F) []string {
	f.Helper()
	names, err := filepath.Glob("../../../testdata/cases/postgres/*.txtar")
	if err != nil || len(names) == 0 {
		f.Fatalf("no cases: %v", err)
	}
	slices.Sort(names)
	var texts []string
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range txtar.Parse(data).Files {
			if strings.HasSuffix(file.Name, ".sql") && !strings.HasPrefix(file.Name, "want/") {
				texts = append(texts, string(file.Data))
			}
		}
	}
	return texts
}
