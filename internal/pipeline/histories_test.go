package pipeline_test

import (
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/migration"
	"github.com/altergate/altergate/internal/schema"
)

// historiesDir holds a small repository for each tool, and for what can be wrong with one.
const historiesDir = "../../testdata/histories"

func historyCases(t *testing.T) []*testCase {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(historiesDir, "*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("there are no cases in %s: %v", historiesDir, err)
	}
	var all []*testCase
	for _, path := range paths {
		c, err := readCase(path)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		all = append(all, c)
	}
	return all
}

// TestHistories compares what is said of each repository with what is wanted.
func TestHistories(t *testing.T) {
	for _, c := range historyCases(t) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			result := c.review(t, c.base, c.head)
			for i, f := range c.archive.Files {
				name, ok := strings.CutPrefix(f.Name, "want/")
				if !ok {
					continue
				}
				got, ok := c.render(name, result)
				switch {
				case !ok:
					t.Errorf("there is no %s:\n%s", name, errorText(result.Errors))
				case *update:
					c.archive.Files[i].Data = []byte(got)
				default:
					if d := cmp.Diff(c.want[name], got); d != "" {
						t.Errorf("%s (-want +got):\n%s", name, d)
					}
				}
			}
			if *update && !t.Failed() {
				c.save(t)
			}
		})
	}
}

// TestHistoriesUnchanged takes each side for both: there is nothing to run then.
func TestHistoriesUnchanged(t *testing.T) {
	for _, c := range historyCases(t) {
		for side, tree := range map[string]fstest.MapFS{"base": c.base, "head": c.head} {
			if side == "head" && c.want["error.txt"] != "" || strings.HasPrefix(c.name, "cross-check") {
				continue
			}
			result := c.reviewOnModel(t, tree, tree)
			if result.Plan == nil {
				t.Errorf("%s: %s to %s has no answer:\n%s", c.name, side, side, errorText(result.Errors))
			} else if len(result.Plan.Steps) > 0 {
				t.Errorf("%s: %s to %s makes steps:\n%s", c.name, side, side, planText(result.Plan))
			}
		}
	}
}

// TestHistoriesBackwards takes migrations away again: Altergate does not break down, and never calls that safe.
func TestHistoriesBackwards(t *testing.T) {
	for _, c := range historyCases(t) {
		result := c.reviewOnModel(t, c.head, c.base)
		for _, e := range result.Errors {
			if e.Kind == schema.KindInternal {
				t.Errorf("%s: %s", c.name, e)
			}
		}
	}
}

// TestToolsAreShown wants a repository for each tool.
func TestToolsAreShown(t *testing.T) {
	shown := map[string]bool{}
	for _, c := range historyCases(t) {
		if r := c.reviewOnModel(t, c.base, c.head); r.Tool != "" {
			shown[r.Tool] = true
		} else if c.name == "rails" {
			shown["rails"] = true // its structure.sql is what is read
		}
	}
	for _, tool := range migration.Tools() {
		if !shown[tool] {
			t.Errorf("no case shows %s", tool)
		}
	}
}
