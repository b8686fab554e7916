package altergate_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// download is a runner on which composite/run is started, and the mirror that it downloads from.
type download struct {
	*released
	mirror *httptest.Server
	env    map[string]string

	mu     sync.Mutex
	served map[string]string // by their paths
	asked  []string
}

// program is one that says that it was run, and exits as a verdict would. It is no sh, which may drop variables with hyphens.
func program(says string, code int) string {
	return fmt.Sprintf("#!/usr/bin/env bash\necho \"%s with $(env | grep '^INPUT_FAIL-JOB=')\"\nexit %d\n", says, code)
}

func newDownload(t *testing.T) *download {
	t.Helper()
	d := &download{released: newReleased(t), served: map[string]string{}}
	d.mirror = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.asked = append(d.asked, r.URL.Path)
		if text, ok := d.served[r.URL.Path]; ok {
			_, _ = w.Write([]byte(text))
			return
		}
		http.NotFound(w, r)
	}))
	t.Cleanup(d.mirror.Close)
	for _, dir := range []string{"temp", "tools"} {
		if err := os.Mkdir(filepath.Join(d.dir, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	d.env = map[string]string{
		"PATH": os.Getenv("PATH"), "HOME": d.dir, "RUNNER_OS": "Linux", "RUNNER_ARCH": "X64", "INPUT_FAIL-JOB": "always",
		"RUNNER_TEMP": filepath.Join(d.dir, "temp"), "RUNNER_TOOL_CACHE": filepath.Join(d.dir, "tools"),
		"GITHUB_OUTPUT": filepath.Join(d.dir, "output"), "ALTERGATE_RELEASES": d.mirror.URL,
	}
	d.serve("linux-amd64", program("released", 2))
	return d
}

// serve makes a program part of the release.
func (d *download) serve(platform, text string) {
	name, sum := "v1.2.3/altergate-action-"+platform, sha256.Sum256([]byte(text))
	d.offer("/"+name, text)
	d.write("composite/checksums.txt", d.read("composite/checksums.txt")+hex.EncodeToString(sum[:])+"  "+name+"\n")
}

// offer has the mirror give a text at a path; an empty one is not there.
func (d *download) offer(path, text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.served[path] = text; text == "" {
		delete(d.served, path)
	}
}

// requests are those that the mirror had.
func (d *download) requests() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.asked)
}

func (d *download) run() (code int, out string) {
	d.t.Helper()
	cmd := exec.Command("bash", filepath.Join(d.dir, "composite/run"))
	cmd.Dir = d.t.TempDir()
	for name, value := range d.env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	text, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		d.t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(text)
}

func TestCompositeRunsTheReleasedProgram(t *testing.T) {
	for _, runner := range [][3]string{
		{"Linux", "X64", "linux-amd64"}, {"Linux", "ARM64", "linux-arm64"}, {"macOS", "X64", "darwin-amd64"}, {"macOS", "ARM64", "darwin-arm64"},
		{"Windows", "X64", "windows-amd64.exe"}, {"Windows", "ARM64", "windows-arm64.exe"},
	} {
		d := newDownload(t)
		d.write("composite/checksums.txt", "")
		for code, platform := range platforms {
			d.serve(platform, program(platform, code%3))
		}
		d.env["RUNNER_OS"], d.env["RUNNER_ARCH"] = runner[0], runner[1]
		for range 2 {
			if _, out := d.run(); out != runner[2]+" with INPUT_FAIL-JOB=always\n" {
				t.Errorf("on %s it says\n%s", runner[2], out)
			}
		}
		if len(d.requests()) != 1 {
			t.Errorf("on %s it asks for %s", runner[2], d.requests())
		}
	}
	for code := range 3 {
		d := newDownload(t)
		d.write("composite/checksums.txt", "")
		d.serve("linux-amd64", program("released", code))
		if got, out := d.run(); got != code {
			t.Errorf("it exits %d, and the program with %d:\n%s", got, code, out)
		}
	}
}

func TestCompositeKeepsTheProgram(t *testing.T) {
	kept := func(d *download, dir string) string {
		files, _ := filepath.Glob(filepath.Join(d.env[dir], "altergate/v1.2.3/*/*"))
		if len(files) != 1 {
			t.Fatalf("in %s there are %q", dir, files)
		}
		return files[0]
	}
	d := newDownload(t)
	d.run()
	// Another job on the same machine may have written there.
	if err := os.WriteFile(kept(d, "RUNNER_TOOL_CACHE"), []byte(program("forged", 0)), 0o755); err != nil {
		t.Fatal(err)
	}
	if code, out := d.run(); code != 2 || !strings.HasPrefix(out, "released") || len(d.requests()) != 2 {
		t.Errorf("it exits %d and says\n%s", code, out)
	}
	delete(d.env, "RUNNER_TOOL_CACHE")
	if code, out := d.run(); code != 2 {
		t.Errorf("it exits %d and says\n%s", code, out)
	}
	kept(d, "RUNNER_TEMP")
}

// Nothing runs that was not verified, and the outputs say so to whoever goes on after a red step.
func TestCompositeRefuses(t *testing.T) {
	forged := program("forged", 0)
	for name, test := range map[string]struct {
		change func(*download)
		says   string
	}{
		"another program":   {func(d *download) { d.offer("/v1.2.3/altergate-action-linux-amd64", forged) }, "is not the released program, and was not run"},
		"half a program":    {func(d *download) { d.offer("/v1.2.3/altergate-action-linux-amd64", forged[:9]) }, "was not run"},
		"no program":        {func(d *download) { d.offer("/v1.2.3/altergate-action-linux-amd64", "") }, "could not be downloaded from http://127.0.0.1"},
		"no line":           {func(d *download) { d.env["RUNNER_ARCH"] = "ARM64" }, "no program for linux-arm64"},
		"another system":    {func(d *download) { d.env["RUNNER_OS"] = "Plan 9" }, `operating system "Plan 9"`},
		"no system":         {func(d *download) { delete(d.env, "RUNNER_OS") }, `operating system ""`},
		"another processor": {func(d *download) { d.env["RUNNER_ARCH"] = "ARM" }, `processor "ARM"`},
		"two lines":         {func(d *download) { d.serve("linux-amd64", forged) }, "two lines"},
		"a line of another": {func(d *download) { d.write("composite/checksums.txt", "v1.2.3\n") }, "none of a checksum"},
		"a short sum":       {func(d *download) { d.write("composite/checksums.txt", "abc  v1.2.3/altergate-action-linux-amd64\n") }, "none of a checksum"},
		"a path as version": {func(d *download) { d.write("composite/checksums.txt", strings.Repeat("0", 64)+"  ../x\n") }, "none of a checksum"},
		"no checksums":      {func(d *download) { _ = os.Remove(filepath.Join(d.dir, "composite/checksums.txt")) }, "checksums.txt is missing"},
		"no place":          {func(d *download) { delete(d.env, "RUNNER_TEMP"); delete(d.env, "RUNNER_TOOL_CACHE") }, "nowhere to keep the program"},
		"no release, no Go": {func(d *download) {
			d.write("composite/checksums.txt", "# none\n")
			d.write("go.mod", "")
			d.without("go")
		}, "no Go on this runner"},
		"no release, no src": {func(d *download) { d.write("composite/checksums.txt", "") }, "no release"},
		"no curl":            {func(d *download) { d.without("curl") }, "curl is needed"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDownload(t)
			d.t = t
			test.change(d)
			code, out := d.run()
			if code != 1 || !strings.Contains(out, "::error::") || !strings.Contains(out, test.says) || strings.Contains(out, "with INPUT") {
				t.Errorf("it exits %d and says\n%s", code, out)
			}
			if outputs := d.read("output"); outputs != "verdict=no answer\nexit-code=1\n" {
				t.Errorf("the outputs are\n%s", outputs)
			}
			if left, _ := filepath.Glob(filepath.Join(d.dir, "t*/altergate/*/*/*")); len(left) > 0 {
				t.Errorf("%s stays there", left)
			}
		})
	}
}

// without leaves a program out of the path.
func (d *download) without(name string) {
	d.t.Helper()
	bin := filepath.Join(d.dir, "bin")
	if err := os.Mkdir(bin, 0o755); err != nil {
		d.t.Fatal(err)
	}
	for _, other := range []string{"bash", "sh", "cat", "cut", "chmod", "curl", "dirname", "env", "grep", "mkdir", "mktemp", "mv", "rm", "sha256sum", "go"} {
		if file, err := exec.LookPath(other); err == nil && other != name {
			if err := os.Symlink(file, filepath.Join(bin, other)); err != nil {
				d.t.Fatal(err)
			}
		}
	}
	d.env["PATH"] = bin
}

// Between releases the action's own source is built, and not what lies in the workspace.
func TestCompositeBuildsFromSource(t *testing.T) {
	d := newDownload(t)
	d.write("composite/checksums.txt", "# none\n")
	d.write("go.mod", "module example.com/action\n\ngo 1.26\n")
	d.write("cmd/action/main.go", "package main\n\nimport \"os\"\n\nfunc main() { os.Stdout.WriteString(os.Getenv(\"INPUT_FAIL-JOB\")); os.Exit(2) }\n")
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOROOT", "LOCALAPPDATA"} {
		if out, err := exec.Command("go", "env", name).Output(); err == nil {
			d.env[name] = strings.TrimSpace(string(out))
		}
	}
	code, out := d.run()
	if code != 2 || !strings.HasSuffix(out, "\nalways") || len(d.requests()) > 0 {
		t.Errorf("it exits %d and says\n%s", code, out)
	}
	d.write("cmd/action/main.go", "package main\n\nfunc main() { mistake }\n")
	if code, out := d.run(); code != 1 || !strings.Contains(out, "could not be built from source") {
		t.Errorf("it exits %d and says\n%s", code, out)
	}
}
