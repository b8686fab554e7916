package gitdiff_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/altergate/altergate/internal/gitdiff"
)

func TestOpenFindsEveryKindOfRepository(t *testing.T) {
	t.Parallel()
	plain := newWorkdir(t)
	plain.write("db/schema.sql", "CREATE TABLE t (id int);\n")
	plain.commit("one")
	linked := filepath.Join(realTempDir(t), "linked")
	plain.git("worktree", "add", "--quiet", linked)
	sha256 := newWorkdir(t, "--object-format=sha256")
	sha256.write("db/schema.sql", "CREATE TABLE t (id int);\n")
	sha256.commit("one")
	alias := filepath.Join(realTempDir(t), "alias")
	if err := os.Symlink(plain.dir, alias); err != nil {
		t.Fatal(err)
	}
	dotGitOnly := newWorkdir(t, "--separate-git-dir", filepath.Join(realTempDir(t), "elsewhere"))
	dotGitOnly.write("db/schema.sql", "CREATE TABLE t (id int);\n")
	dotGitOnly.commit("one")

	for name, test := range map[string]struct{ dir, root string }{
		"top":              {plain.dir, plain.dir},
		"below the top":    {filepath.Join(plain.dir, "db"), plain.dir},
		"symbolic link":    {alias, plain.dir},
		"linked worktree":  {linked, linked},
		"git dir":          {filepath.Join(plain.dir, ".git", "refs"), plain.dir},
		"separate git dir": {dotGitOnly.dir, dotGitOnly.dir},
		"bare":             {plain.clone("--bare").dir, ""},
		"bare, below":      {filepath.Join(plain.clone("--bare").dir, "objects"), ""},
		"shallow":          {plain.clone("--depth=1").dir, "itself"},
		"partial":          {plain.clone("--filter=blob:none", "--no-checkout").dir, "itself"},
		"sha256":           {sha256.dir, sha256.dir},
	} {
		t.Run(name, func(t *testing.T) {
			r := open(t, test.dir)
			if test.root == "itself" {
				test.root = test.dir
			}
			if r.Root() != test.root {
				t.Errorf("Root() = %q, want %q", r.Root(), test.root)
			}
			head, err := r.Resolve(t.Context(), "HEAD")
			if err != nil {
				t.Fatal(err)
			}
			wantFile(t, files(t, r, head), "db/schema.sql", "CREATE TABLE t (id int);\n")
		})
	}
}

func TestOpenHonoursCoreWorktree(t *testing.T) {
	t.Parallel()
	w := newWorkdir(t)
	w.commit("one")
	elsewhere := realTempDir(t)
	w.git("config", "core.worktree", elsewhere)
	if root := w.open().Root(); root != elsewhere {
		t.Errorf("Root() = %q, want %q", root, elsewhere)
	}
}

func TestOpenOutsideARepository(t *testing.T) {
	t.Parallel()
	dir := realTempDir(t)
	_, err := gitdiff.Open(t.Context(), dir)
	wantError(t, err, gitdiff.ErrNoRepository, dir, "check the repository out")

	_, err = gitdiff.Open(t.Context(), filepath.Join(dir, "absent"))
	wantError(t, err, os.ErrNotExist, "absent")

	// An empty .git is none, for git and for us.
	if err := os.Mkdir(filepath.Join(dir, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	_, err = gitdiff.Open(t.Context(), dir)
	wantError(t, err, gitdiff.ErrNoRepository)
}

// What looks like a repository to us but not to git must not make git go on
// to a repository further up.
func TestOpenDoesNotPassABrokenRepository(t *testing.T) {
	t.Parallel()
	w := newWorkdir(t)
	w.commit("one")
	for _, dir := range []string{"sub/.git/objects", "sub/.git/refs"} {
		if err := os.MkdirAll(filepath.Join(w.dir, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	w.write("sub/.git/HEAD", "nonsense\n")
	_, err := gitdiff.Open(t.Context(), filepath.Join(w.dir, "sub"))
	wantError(t, err, nil, filepath.Join(w.dir, "sub"), "not a git repository")
}

func TestOpenRefusesABareRepositoryInAWorkingTree(t *testing.T) {
	t.Parallel()
	w := newWorkdir(t)
	w.commit("one")
	planted := filepath.Join(w.dir, "testdata", "planted")
	w.git("init", "--quiet", "--bare", planted)
	for _, dir := range []string{planted, filepath.Join(planted, "refs")} {
		_, err := gitdiff.Open(t.Context(), dir)
		wantError(t, err, nil, planted, "bare repository inside the working tree "+w.dir)
	}
}

func TestOpenWithoutGit(t *testing.T) {
	w := newWorkdir(t)
	w.commit("one")
	t.Setenv("PATH", realTempDir(t))
	_, err := gitdiff.Open(t.Context(), w.dir)
	wantError(t, err, nil, "install git")
}

// In a container the checkout belongs to another user than ours.
func TestOpenTrustsTheRepositoryThatIsNamed(t *testing.T) {
	w := newWorkdir(t)
	w.write("db/schema.sql", "x")
	w.commit("one")
	bare := w.clone("--bare")
	t.Setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
	// A bare repository outside any working tree is nobody's trap.
	t.Setenv("GIT_CONFIG_COUNT", "1")
	t.Setenv("GIT_CONFIG_KEY_0", "safe.bareRepository")
	t.Setenv("GIT_CONFIG_VALUE_0", "explicit")
	for _, dir := range []string{w.dir, bare.dir} {
		r := open(t, dir)
		head, err := r.Resolve(t.Context(), "HEAD")
		if err != nil {
			t.Fatal(err)
		}
		wantFile(t, files(t, r, head), "db/schema.sql", "x")
	}
	// As with git, whoever owns a parent directory must not choose for us.
	_, err := gitdiff.Open(t.Context(), filepath.Join(w.dir, "db"))
	wantError(t, err, nil, "dubious ownership", "safe.directory")
}

func TestOpenIgnoresInheritedVariables(t *testing.T) {
	other, w := newWorkdir(t), newWorkdir(t)
	other.commit("other")
	w.write("a", "a")
	c := w.commit("one")
	for name, value := range map[string]string{
		"GIT_DIR": filepath.Join(other.dir, ".git"), "GIT_WORK_TREE": other.dir, "GIT_OBJECT_DIRECTORY": other.dir,
		"GIT_NAMESPACE": "other", "GIT_CEILING_DIRECTORIES": w.dir, "GIT_INDEX_FILE": "other",
	} {
		t.Setenv(name, value)
	}
	r := open(t, filepath.Join(w.dir))
	got, err := r.Resolve(t.Context(), "main")
	if err != nil || got != c || r.Root() != w.dir {
		t.Errorf("Resolve = %q, %v in %s; want %q in %s", got, err, r.Root(), c, w.dir)
	}
}

func TestCloseEndsReading(t *testing.T) {
	t.Parallel()
	w := newWorkdir(t)
	w.write("a", "a")
	c := w.commit("one")
	r := w.open()
	fsys := files(t, r, c)
	for range 2 {
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
	_, err := r.Resolve(t.Context(), "main")
	wantError(t, err, os.ErrClosed)
	_, err = fsys.Open("a")
	wantError(t, err, os.ErrClosed)
}
