package cli

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// workflow is as much of a workflow file as matters to those who copy it.
type workflow struct {
	On          map[string]any    `yaml:"on"`
	Permissions map[string]string `yaml:"permissions"`
	Concurrency any               `yaml:"concurrency"`
	Jobs        map[string]struct {
		Permissions map[string]string `yaml:"permissions"`
		Concurrency struct {
			Group  string `yaml:"group"`
			Cancel *bool  `yaml:"cancel-in-progress"`
		} `yaml:"concurrency"`
		Steps []struct {
			Uses string            `yaml:"uses"`
			Run  string            `yaml:"run"`
			With map[string]string `yaml:"with"`
		} `yaml:"steps"`
	} `yaml:"jobs"`
}

var pinned = regexp.MustCompile(`^[\w.-]+/[\w.-]+@[0-9a-f]{40}$`)

// groups are those of one pull request, or of one head or branch where the event does not tell more.
var groups = regexp.MustCompile(`^altergate-\$\{\{ github\.(event\.pull_request\.number|event\.workflow_run\.head_sha|ref)\b`)

// People copy the workflows of the documentation as they are.
func TestActionWorkflowsInTheDocumentation(t *testing.T) {
	text, err := os.ReadFile("../../docs/github.md")
	if err != nil {
		t.Fatal(err)
	}
	metadata, err := os.ReadFile("../../action.yml")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```yaml\n(name: .*?)```").FindAllStringSubmatch(string(text), -1)
	if len(blocks) != 6 {
		t.Errorf("there are %d workflows", len(blocks))
	}
	allowed := map[string]bool{"contents: read": true, "pull-requests: write": true, "statuses: write": true}
	for _, block := range blocks {
		var w workflow
		if err := yaml.UnmarshalWithOptions([]byte(block[1]), &w); err != nil {
			t.Fatalf("%v in\n%s", err, block[1])
		}
		if len(w.Permissions) > 0 || w.Permissions == nil || w.Concurrency != nil {
			t.Errorf("permissions are given to all jobs, or the concurrency is the workflow's:\n%s", block[1])
		}
		for event := range w.On {
			if !slices.Contains([]string{"pull_request", "pull_request_target", "issue_comment", "merge_group", "workflow_dispatch", "push", "workflow_run"}, event) {
				t.Errorf("the event %s is not answered", event)
			}
		}
		for name, job := range w.Jobs {
			if name == "altergate" {
				t.Error("the job has the status's name, and both would be required")
			}
			for permission, level := range job.Permissions {
				if !allowed[permission+": "+level] {
					t.Errorf("the permission %s: %s is not needed", permission, level)
				}
			}
			if !strings.Contains(block[1], "uses: altergate/") { // it only has another workflow run
				if len(job.Permissions) > 0 || job.Permissions == nil || len(job.Steps) != 1 || job.Steps[0].Uses != "" {
					t.Errorf("a job that has nothing to do is %+v", job)
				}
				continue
			}
			if job.Concurrency.Cancel == nil || *job.Concurrency.Cancel || !groups.MatchString(job.Concurrency.Group) {
				t.Errorf("the concurrency is %+v", job.Concurrency)
			}
			for _, step := range job.Steps {
				if step.Run != "" || !pinned.MatchString(step.Uses) || step.With["ref"] != "" {
					t.Errorf("the step is %+v", step)
				}
				for input := range step.With {
					if strings.HasPrefix(step.Uses, "altergate/") && !strings.Contains(string(metadata), "\n  "+input+":\n") {
						t.Errorf("there is no input %s", input)
					}
				}
			}
		}
	}
}
