package gitdiff_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/altergate/altergate/internal/gitdiff"
)

// TestMain keeps the configuration of the machine out of every test.
func TestMain(m *testing.M) {
	home, err := os.MkdirTemp("", "gitdiff")
	if err != nil {
		panic(err)
	}
	for name, value := range map[string]string{
		"HOME": home, "XDG_CONFIG_HOME": home,
		"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.DevNull,
		"GIT_AUTHOR_NAME": "Ann", "GIT_AUTHOR_EMAIL": "ann@example.com", "GIT_AUTHOR_DATE": "2024-01-02T03:04:05Z",
		"GIT_COMMITTER_NAME": "Ann", "GIT_COMMITTER_EMAIL": "ann@example.com", "GIT_COMMITTER_DATE": "2024-01-02T03:04:05Z",
	} {
		os.Setenv(name, value)
	}
	code := m.Run()
	os.RemoveAll(home)
	os.Exit(code)
}

// A workdir is a repository that a test builds with the git command.
type workdir struct {
	t   *testing.T
	dir string
}

func newWorkdir(t *testing.T, initArgs ...string) *workdir {
	t.Helper()
	w := &workdir{t: t, dir: realTempDir(t)}
	w.git(append([]string{"init", "--quiet", "--initial-branch=main"}, initArgs...)...)
	return w
}

// realTempDir has no symbolic link in its path, as Root has none.
func realTempDir(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func (w *workdir) git(args ...string) string {
	w.t.Helper()
	return w.gitWith("", args...)
}

func (w *workdir) gitWith(stdin string, args ...string) string {
	w.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = w.dir
	cmd.Stdin = strings.NewReader(stdin)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		w.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return strings.TrimSuffix(string(out), "\n")
}

func (w *workdir) write(name, content string) {
	w.t.Helper()
	path := filepath.Join(w.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

// commit records everything in the working tree.
func (w *workdir) commit(message string) gitdiff.Commit {
	w.t.Helper()
	w.git("add", "--all")
	w.git("commit", "--quiet", "--allow-empty", "--message", message)
	return gitdiff.Commit(w.git("rev-parse", "HEAD"))
}

// commitTree records a tree that no working tree could hold.
func (w *workdir) commitTree(rawTree string, parents ...gitdiff.Commit) gitdiff.Commit {
	w.t.Helper()
	args := []string{"commit-tree", "-m", "crafted", w.tree(rawTree)}
	for _, p := range parents {
		args = append(args, "-p", string(p))
	}
	return gitdiff.Commit(w.git(args...))
}

func (w *workdir) tree(raw string) string {
	w.t.Helper()
	return w.gitWith(raw, "hash-object", "-t", "tree", "-w", "--stdin", "--literally")
}

func (w *workdir) blob(content string) string {
	w.t.Helper()
	return w.gitWith(content, "hash-object", "-w", "--stdin")
}

// clone clones with a transport, so that --depth and --filter work.
func (w *workdir) clone(args ...string) *workdir {
	w.t.Helper()
	c := &workdir{t: w.t, dir: realTempDir(w.t)}
	c.git(append(append([]string{"clone", "--quiet"}, args...), "file://"+w.dir, ".")...)
	return c
}

func (w *workdir) open() *gitdiff.Repo {
	w.t.Helper()
	return open(w.t, w.dir)
}

func open(t *testing.T, dir string) *gitdiff.Repo {
	t.Helper()
	r, err := gitdiff.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

func files(t *testing.T, r *gitdiff.Repo, c gitdiff.Commit) fs.FS {
	t.Helper()
	fsys, err := r.FS(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return fsys
}

func wantFile(t *testing.T, fsys fs.FS, name, want string) {
	t.Helper()
	got, err := fs.ReadFile(fsys, name)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s holds %q, want %q", name, got, want)
	}
}

func wantError(t *testing.T, err, target error, words ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want one of %q", words)
	}
	if target != nil && !errors.Is(err, target) {
		t.Errorf("the error %q is not %q", err, target)
	}
	for _, word := range words {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("the error %q does not say %q", err, word)
		}
	}
}
