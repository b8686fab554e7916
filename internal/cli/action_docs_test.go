package cli

import (
	"os"
	"regexp"
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
	blocks := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(string(text), -1)
	if len(blocks) != 3 {
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
			if event != "pull_request" && event != "pull_request_target" && event != "issue_comment" {
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
			if job.Concurrency.Cancel == nil || *job.Concurrency.Cancel || !strings.Contains(job.Concurrency.Group, "github.event.pull_request.number") {
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
