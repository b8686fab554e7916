package bottest

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Files are the files of a commit by their paths; an empty text removes one.
type Files map[string]string

// Repository is a real one, in a directory of the test's own.
type Repository struct {
	Dir string
	t   testing.TB
}

// NewRepository makes an empty one.
func NewRepository(t testing.TB) *Repository {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := &Repository{Dir: dir, t: t}
	r.git("init", "--quiet", "--initial-branch=main")
	return r
}

// Commit adds a commit that changes files of another, or the first one if that is empty.
func (r *Repository) Commit(parent string, files Files) (sha string) {
	r.t.Helper()
	if parent != "" {
		r.git("checkout", "--quiet", "--force", "--detach", parent)
	}
	for name, text := range files {
		path := filepath.Join(r.Dir, name)
		if text == "" {
			r.git("rm", "--quiet", "--", name)
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			r.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			r.t.Fatal(err)
		}
	}
	r.git("add", "--all")
	r.git("commit", "--quiet", "--allow-empty", "--message", "Change something")
	return r.git("rev-parse", "HEAD")
}

// Orphan adds a commit that shares no history with any other.
func (r *Repository) Orphan(files Files) (sha string) {
	r.t.Helper()
	r.git("checkout", "--quiet", "--force", "--orphan", "orphan")
	return r.Commit("", files)
}

// Merge merges head into base, as GitHub does to try it. It gives nothing if there is a conflict.
func (r *Repository) Merge(base, head string) (sha string) {
	r.t.Helper()
	r.git("checkout", "--quiet", "--force", "--detach", base)
	if _, err := r.try("merge", "--quiet", "--no-ff", "--no-edit", head); err != nil {
		r.git("merge", "--abort")
		return ""
	}
	return r.git("rev-parse", "HEAD")
}

// Clone makes a clone through a transport, as a runner's checkout is one, in which nothing but the named branch is present.
func (r *Repository) Clone(args ...string) *Repository {
	r.t.Helper()
	// Without it a server gives no commit that no branch has; GitHub does.
	r.git("config", "uploadpack.allowAnySHA1InWant", "true")
	r.git("config", "uploadpack.allowFilter", "true")
	dir, err := filepath.EvalSymlinks(r.t.TempDir())
	if err != nil {
		r.t.Fatal(err)
	}
	c := &Repository{Dir: dir, t: r.t}
	c.git(append(append([]string{"clone", "--quiet"}, args...), "file://"+r.Dir, ".")...)
	return c
}

// Copy makes a directory of its own with the same objects, each in a file.
func (r *Repository) Copy() *Repository {
	r.t.Helper()
	c := &Repository{Dir: r.t.TempDir(), t: r.t}
	if err := os.CopyFS(c.Dir, os.DirFS(r.Dir)); err != nil {
		r.t.Fatal(err)
	}
	return c
}

// ObjectFile is the path of the file that holds an object, in a repository that was never packed.
func (r *Repository) ObjectFile(rev string) string {
	r.t.Helper()
	id := r.git("rev-parse", rev)
	return filepath.Join(r.Dir, ".git", "objects", id[:2], id[2:])
}

// Fetch gets something from where a clone came from, without a branch for it.
func (r *Repository) Fetch(args ...string) {
	r.t.Helper()
	r.git(append([]string{"fetch", "--quiet", "origin"}, args...)...)
}

// Branch points a branch at a commit.
func (r *Repository) Branch(name, sha string) {
	r.t.Helper()
	r.git("checkout", "--quiet", "--force", "--detach", sha)
	r.git("branch", "--force", name, sha)
}

func (r *Repository) git(args ...string) string {
	r.t.Helper()
	out, err := r.try(args...)
	if err != nil {
		r.t.Fatalf("git %s: %v", strings.Join(args, " "), err)
	}
	return out
}

func (r *Repository) try(args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = r.Dir
	cmd.Env = append(os.Environ(),
		"HOME="+r.Dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull,
		"GIT_AUTHOR_NAME=Eve", "GIT_AUTHOR_EMAIL=eve@example.com", "GIT_AUTHOR_DATE=2026-01-05T08:00:00Z",
		"GIT_COMMITTER_NAME=Eve", "GIT_COMMITTER_EMAIL=eve@example.com", "GIT_COMMITTER_DATE=2026-01-05T08:00:00Z",
	)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		r.t.Logf("git %s: %s", strings.Join(args, " "), stderr.String())
	}
	return strings.TrimSpace(string(out)), err
}

// File is the text of a file of a commit.
func (r *Repository) File(commit, name string) string {
	r.t.Helper()
	return r.git("show", commit+":"+name)
}
