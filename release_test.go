package altergate_test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// released is a copy of what makes a release, where tests may change it.
type released struct {
	dir string
	t   *testing.T
}

func newReleased(t *testing.T) *released {
	t.Helper()
	r := &released{t.TempDir(), t}
	for _, name := range []string{"action.yml", "CHANGELOG.md", "composite/action.yml", "composite/checksums.txt", "composite/run", "scripts/release"} {
		r.write(name, read(t, name))
	}
	if out, err := r.release("main"); err != nil { // whatever this tree is
		t.Fatalf("%v\n%s", err, out)
	}
	return r
}

func (r *released) write(name, text string) {
	r.t.Helper()
	file := filepath.Join(r.dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o755); err != nil {
		r.t.Fatal(err)
	}
}

func (r *released) read(name string) string {
	r.t.Helper()
	text, err := os.ReadFile(filepath.Join(r.dir, name))
	if err != nil {
		r.t.Fatal(err)
	}
	return string(text)
}

func (r *released) release(args ...string) (string, error) {
	out, err := exec.Command(filepath.Join(r.dir, "scripts/release"), args...).CombinedOutput()
	return string(out), err
}

// build stands in for the programs.
func (r *released) build(version string) {
	for _, platform := range platforms {
		r.write("dist/"+version+"/altergate-"+platform, "the command for "+platform)
		r.write("dist/"+version+"/altergate-action-"+platform, "the Action for "+platform)
	}
}

func TestReleaseIsPreparedAndTakenBack(t *testing.T) {
	r := newReleased(t)
	before := []string{r.read("action.yml"), r.read("composite/checksums.txt")}
	dist := filepath.Join(r.dir, "dist")
	r.build("v1.2.3")
	if out, err := r.release("v1.2.3", dist); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if !strings.Contains(r.read("action.yml"), "\n  image: docker://ghcr.io/altergate/altergate:v1.2.3 ") {
		t.Errorf("the image is another:\n%s", r.read("action.yml"))
	}
	sum := sha256.Sum256([]byte("the Action for linux-arm64"))
	if !strings.Contains(r.read("composite/checksums.txt"), hex.EncodeToString(sum[:])+"  v1.2.3/altergate-action-linux-arm64\n") {
		t.Errorf("the sums are\n%s", r.read("composite/checksums.txt"))
	}
	if !strings.Contains(r.read("CHANGELOG.md"), "\n## Unreleased\n\n## 1.2.3 - 20") {
		t.Error("CHANGELOG.md has no section for it")
	}
	if out, err := r.release("check", "v1.2.3", dist); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	for name, spoil := range map[string]func(){
		"another program":      func() { r.write("dist/v1.2.3/altergate-linux-amd64", "something else") },
		"a program more":       func() { r.write("dist/v1.2.3/altergate-plan9-386", "the command for plan9-386") },
		"no programs":          func() { _ = os.RemoveAll(dist) },
		"no sums":              func() { r.write("composite/checksums.txt", "") },
		"an image of a branch": func() { r.write("action.yml", before[0]) },
		"no changes":           func() { r.write("CHANGELOG.md", "# Changelog\n") },
	} {
		good := map[string]string{}
		for _, name := range []string{"composite/checksums.txt", "action.yml", "CHANGELOG.md"} {
			good[name] = r.read(name)
		}
		spoil()
		if out, err := r.release("check", "v1.2.3", dist); err == nil {
			t.Errorf("%s: it passes: %s", name, out)
		}
		for name, text := range good {
			r.write(name, text)
		}
		_ = os.RemoveAll(dist)
		r.build("v1.2.3")
	}
	if out, err := r.release("check", "v1.2.4", dist); err == nil {
		t.Errorf("it passes for another version: %s", out)
	}
	if out, err := r.release("v1.2.3", dist); err == nil || !strings.Contains(out, "already") {
		t.Errorf("it is made twice: %s", out)
	}
	if out, err := r.release("main"); err != nil || r.read("action.yml") != before[0] || r.read("composite/checksums.txt") != before[1] {
		t.Errorf("it is not taken back: %v\n%s%s", err, out, r.read("action.yml"))
	}
}

func TestReleaseRefuses(t *testing.T) {
	for _, args := range [][]string{{}, {"v1.2.3"}, {"1.2.3", "dist"}, {"v1.2", "dist"}, {"v1.2.3-rc.1", "dist"}, {"v1.2.3 x", "dist"}, {"v1.2.3", "dist"}, {"check"}, {"main", "x", "y"}} {
		r := newReleased(t)
		before := r.read("action.yml") + r.read("composite/checksums.txt") + r.read("CHANGELOG.md")
		r.build("v1.2.3")
		if err := os.Remove(filepath.Join(r.dir, "dist/v1.2.3/altergate-action-windows-arm64.exe")); err != nil {
			t.Fatal(err)
		}
		for i := range args {
			args[i] = strings.Replace(args[i], "dist", filepath.Join(r.dir, "dist"), 1)
		}
		if out, err := r.release(args...); err == nil || !strings.HasPrefix(out, "scripts/release: ") {
			t.Errorf("%q: %v\n%s", args, err, out)
		}
		if r.read("action.yml")+r.read("composite/checksums.txt")+r.read("CHANGELOG.md") != before {
			t.Errorf("%q: something was changed", args)
		}
	}
}
