package altergate_test

import (
	"fmt"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"
)

// described is an input or an output of an action.
type described struct {
	Description string `yaml:"description"`
	Default     string `yaml:"default"`
	Value       string `yaml:"value"`
}

// metadata is an action's own description, of either kind.
type metadata struct {
	Inputs  map[string]described `yaml:"inputs"`
	Outputs map[string]described `yaml:"outputs"`
	Runs    struct {
		Using string `yaml:"using"`
		Image string `yaml:"image"`
		Steps []step `yaml:"steps"`
	} `yaml:"runs"`
}

// step is one of a job, or of a composite action.
type step struct {
	ID    string            `yaml:"id"`
	Uses  string            `yaml:"uses"`
	Run   string            `yaml:"run"`
	Shell string            `yaml:"shell"`
	Env   map[string]string `yaml:"env"`
}

func readMetadata(t *testing.T, name string) metadata {
	t.Helper()
	var m metadata
	if err := yaml.Unmarshal([]byte(read(t, name)), &m); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return m
}

// A composite action gets no INPUT_ variables from the runner, and its outputs are those that it wires up itself.
func TestMetadataOfTheTwoActions(t *testing.T) {
	if *update {
		if err := os.WriteFile("composite/action.yml", []byte(compositeMetadata(read(t, "action.yml"))), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	docker, composite := readMetadata(t, "action.yml"), readMetadata(t, "composite/action.yml")
	if d := cmp.Diff(docker.Inputs, composite.Inputs); d != "" {
		t.Errorf("the inputs (-action.yml +composite/action.yml; go test . -update rewrites the second):\n%s", d)
	}
	outputs := map[string]described{}
	for name, output := range docker.Outputs {
		output.Value = "${{ steps.altergate.outputs." + name + " }}"
		outputs[name] = output
	}
	if d := cmp.Diff(outputs, composite.Outputs); d != "" {
		t.Errorf("the outputs (-action.yml +composite/action.yml; go test . -update rewrites the second):\n%s", d)
	}
	env := map[string]string{}
	for name := range docker.Inputs {
		env["INPUT_"+strings.ToUpper(name)] = "${{ inputs." + name + " }}"
	}
	// The runner's own bash, with what is beside the metadata; no path but in a variable, as on Windows it has backslashes.
	want := []step{{ID: "altergate", Shell: "bash", Env: env, Run: `exec "$BASH" "$GITHUB_ACTION_PATH/run"`}}
	if d := cmp.Diff(want, composite.Runs.Steps); d != "" || composite.Runs.Using != "composite" || docker.Runs.Using != "docker" {
		t.Errorf("how they run (-want +got):\n%s", d)
	}
}

// compositeMetadata makes the description of the one action from that of the other.
func compositeMetadata(docker string) string {
	_, inputs, _ := strings.Cut(docker, "\ninputs:\n")
	inputs, outputs, _ := strings.Cut(inputs, "\noutputs:\n")
	outputs, _, _ = strings.Cut(outputs, "\nruns:\n")
	named := regexp.MustCompile(`(?m)^  ([a-z-]+):\n`)
	var wired, env strings.Builder
	for block := range strings.SplitSeq(named.ReplaceAllString(outputs, "\x00$0"), "\x00") {
		if name := named.FindStringSubmatch(block); name != nil {
			fmt.Fprintf(&wired, "%s\n    value: ${{ steps.altergate.outputs.%s }}\n", strings.TrimRight(block, "\n"), name[1])
		}
	}
	for _, name := range named.FindAllStringSubmatch(inputs, -1) {
		fmt.Fprintf(&env, "        INPUT_%s: ${{ inputs.%s }}\n", strings.ToUpper(name[1]), name[1])
	}
	return "# Written by `go test . -update`: inputs and outputs are those of ../action.yml.\n" +
		"name: Altergate without a container\n" +
		"description: The same as altergate/altergate, by the released program on the runner itself, for Linux, macOS and Windows.\n" +
		"author: The Altergate authors\n" +
		"inputs:\n" + inputs + "\noutputs:\n" + wired.String() +
		"runs:\n  using: composite\n  steps:\n    - id: altergate\n      shell: bash\n      env:\n" + env.String() +
		"      run: exec \"$BASH\" \"$GITHUB_ACTION_PATH/run\"\n"
}

// platforms are those that a release has programs for.
var platforms = []string{"darwin-amd64", "darwin-arm64", "linux-amd64", "linux-arm64", "windows-amd64.exe", "windows-arm64.exe"}

// Between releases the image is that of the main branch and nothing is pinned; a release's commit names its own image and its own
// programs, all of them. Anything in between would run what nobody has looked at.
func TestMetadataNamesOneVersion(t *testing.T) {
	version, ok := strings.CutPrefix(readMetadata(t, "action.yml").Runs.Image, "docker://ghcr.io/altergate/altergate:")
	if !ok || !regexp.MustCompile(`^(main|v\d+\.\d+\.\d+)$`).MatchString(version) {
		t.Fatalf("action.yml runs %q", readMetadata(t, "action.yml").Runs.Image)
	}
	var want, got []string
	if version != "main" {
		for _, platform := range platforms {
			want = append(want, version+"/altergate-"+platform, version+"/altergate-action-"+platform)
		}
		if !strings.Contains(read(t, "CHANGELOG.md"), "\n## "+version[1:]+" - ") {
			t.Errorf("CHANGELOG.md says nothing of %s", version)
		}
	}
	for line := range strings.Lines(read(t, "composite/checksums.txt")) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		match := regexp.MustCompile(`^[0-9a-f]{64}  (\S+)\n$`).FindStringSubmatch(line)
		if match == nil {
			t.Fatalf("composite/checksums.txt has the line %q", line)
		}
		got = append(got, match[1])
	}
	slices.Sort(want)
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("action.yml is of %s, and the programs of composite/checksums.txt are (-want +got):\n%s", version, d)
	}
}

// What is run for us has to be what we have read: a tag of another repository can be moved.
func TestUsesArePinned(t *testing.T) {
	uses, pinned := regexp.MustCompile(`(?m)^[ -]*uses: (\S+)(.*)$`), regexp.MustCompile(`^[\w.-]+/[\w./-]+@[0-9a-f]{40}$`)
	seen := 0
	walk(t, func(name string) {
		if !slices.Contains([]string{"README.md", "composite/action.yml"}, name) && path.Dir(name) != ".github/workflows" && path.Dir(name) != "docs" {
			return
		}
		for _, match := range uses.FindAllStringSubmatch(read(t, name), -1) {
			seen++
			own := regexp.MustCompile(`^altergate/altergate(/composite)?@`).MatchString(match[1])
			if !own && !pinned.MatchString(match[1]) {
				t.Errorf("%s uses %s, which is not pinned by the SHA of a commit", name, match[1])
			}
			if !own && !strings.HasPrefix(match[2], " # v") {
				t.Errorf("%s uses %s, and does not say of which version that is", name, match[1])
			}
		}
	})
	if seen < 5 {
		t.Errorf("only %d uses were found", seen)
	}
}

// An expression is put into a script as text, where what somebody else wrote becomes commands. Scripts get what they need by variables.
func TestScriptsHoldNoExpressions(t *testing.T) {
	blocks := map[string]string{}
	walk(t, func(name string) {
		if path.Dir(name) == ".github/workflows" {
			blocks[name] = read(t, name)
		}
	})
	for _, doc := range documents(t) {
		for _, b := range blocksOf(t, doc, strings.Split(read(t, doc), "\n")) {
			if b.language == "yaml" && strings.Contains("\n"+b.text, "\njobs:") {
				blocks[b.String()] = b.text
			}
		}
	}
	for name, text := range blocks {
		var w struct {
			Jobs map[string]struct {
				Steps []step `yaml:"steps"`
			} `yaml:"jobs"`
		}
		if err := yaml.Unmarshal([]byte(text), &w); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, job := range w.Jobs {
			for _, s := range job.Steps {
				if strings.Contains(s.Run, "${{") {
					t.Errorf("%s has an expression in a script; put it into env:\n%s", name, s.Run)
				}
			}
		}
		if event := regexp.MustCompile(`\$\{\{[^}]*github\.event\.[^}]*(body|title|ref|label|login|message|name)\b`).FindString(text); event != "" {
			t.Errorf("%s takes text that anybody may write: %s", name, event)
		}
	}
}

// GitHub has rules for the images of actions: root, the runner's own working directory, an absolute program in exec form. There is no
// engine to build it on here, so that the file itself is read.
func TestDockerfile(t *testing.T) {
	text := strings.ReplaceAll(read(t, "Dockerfile"), "\\\n", " ")
	var stage []string // instructions of the last one
	stages := map[string]bool{}
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		switch words[0] {
		case "FROM":
			stage = nil
			if len(words) == 4 {
				stages[words[3]] = true
			}
			if words[1] != "scratch" && !regexp.MustCompile(`^[a-z]+:[\w.-]*\d[\w.-]*@sha256:[0-9a-f]{64}$`).MatchString(words[1]) {
				t.Errorf("the base image %s is not pinned by version and digest", words[1])
			}
		case "COPY":
			if from, ok := strings.CutPrefix(words[1], "--from="); ok {
				if !stages[from] {
					t.Errorf("it copies from %s, which is no stage above", from)
				}
				break
			}
			for _, source := range words[1 : len(words)-1] {
				if _, err := os.Stat(source); err != nil {
					t.Errorf("it copies %s: %v", source, err)
				}
				if !strings.Contains(read(t, ".dockerignore"), "\n!"+source+"\n") {
					t.Errorf("it copies %s, which .dockerignore leaves out", source)
				}
			}
		case "RUN":
			if strings.Contains(line, "apt-get install") && (!strings.Contains(line, "--no-install-recommends") || !strings.Contains(line, "rm -rf /var/lib/apt/lists/*")) {
				t.Errorf("it leaves more than it needs: %s", line)
			}
			if regexp.MustCompile(`curl|wget`).MatchString(line) {
				t.Errorf("it downloads something that nobody verifies: %s", line)
			}
		}
		stage = append(stage, strings.TrimSpace(line))
	}
	last := strings.Join(stage, "\n")
	for _, refused := range []string{"USER", "WORKDIR", "CMD", "ADD", "VOLUME"} {
		if regexp.MustCompile(`(?m)^` + refused + `\b`).MatchString(last) {
			t.Errorf("the image has %s:\n%s", refused, last)
		}
	}
	entry := regexp.MustCompile(`(?m)^ENTRYPOINT \["(/[\w/-]+)"\]$`).FindStringSubmatch(last)
	if entry == nil || !regexp.MustCompile(`(?m)^COPY --from=\w+ \S+ `+entry[1]+`$`).MatchString(last) {
		t.Errorf("it starts no program of its own by an absolute path:\n%s", last)
	}
	for _, wanted := range []string{" git ", " ca-certificates ", `org.opencontainers.image.source="https://github.com/altergate/altergate"`} {
		if !strings.Contains(last, wanted) {
			t.Errorf("there is no %s in\n%s", strings.TrimSpace(wanted), last)
		}
	}
}
