package gitdiff_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/altergate/altergate/internal/gitdiff"
)

// newRemote holds five commits on main, each with another content of "a", and
// serves any of them by name as GitHub does.
func newRemote(t *testing.T) (remote *workdir, commits []gitdiff.Commit) {
	t.Helper()
	remote = newWorkdir(t)
	remote.git("config", "uploadpack.allowAnySHA1InWant", "true")
	remote.git("config", "uploadpack.allowFilter", "true")
	for _, name := range []string{"one", "two", "three", "four", "five"} {
		remote.write("a", name)
		commits = append(commits, remote.commit(name))
	}
	return remote, commits
}

// state is all that a fetch must leave alone: refs, and FETCH_HEAD.
func (w *workdir) state() string {
	w.t.Helper()
	_, err := os.Stat(filepath.Join(w.dir, w.git("rev-parse", "--git-path", "FETCH_HEAD")))
	state := w.git("for-each-ref") + "\n" + w.git("config", "--list", "--local")
	if err == nil {
		state += "\nFETCH_HEAD"
	}
	return state
}

func (w *workdir) border() []string {
	w.t.Helper()
	data, err := os.ReadFile(filepath.Join(w.dir, ".git", "shallow"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		w.t.Fatal(err)
	}
	border := strings.Fields(string(data))
	slices.Sort(border)
	return border
}

func TestShallowCloneFetchesExactlyTheMissingCommit(t *testing.T) {
	t.Parallel()
	remote, commits := newRemote(t)
	clone := remote.clone("--depth=1")
	os.Remove(filepath.Join(clone.dir, ".git", "FETCH_HEAD"))
	remote.git("tag", "later")
	before := clone.state()
	r := clone.open()

	parents, err := r.Parents(t.Context(), commits[4])
	if err != nil || !slices.Equal(parents, commits[3:4]) {
		t.Fatalf("Parents at the border = %v, %v; want %v", parents, err, commits[3:4])
	}
	_, err = r.Resolve(t.Context(), "HEAD~1")
	wantError(t, err, gitdiff.ErrMissing, "HEAD~1", "fetch-depth: 0")
	_, err = r.FS(t.Context(), parents[0])
	wantError(t, err, gitdiff.ErrMissing, string(parents[0]))

	for _, want := range []gitdiff.Commit{commits[3], commits[1]} {
		got, err := r.Resolve(t.Context(), string(want))
		if err != nil || got != want {
			t.Fatalf("Resolve = %q, %v; want %q", got, err, want)
		}
	}
	wantFile(t, files(t, r, commits[3]), "a", "four")
	wantFile(t, files(t, r, commits[1]), "a", "two")

	if after := clone.state(); after != before {
		t.Errorf("the fetch changed\n%s\nto\n%s", before, after)
	}
	want := []string{string(commits[1]), string(commits[3]), string(commits[4])}
	slices.Sort(want)
	if got := clone.border(); !slices.Equal(got, want) {
		t.Errorf("the border is %v, want %v", got, want)
	}
}

func TestFullCloneIsNotMadeShallow(t *testing.T) {
	t.Parallel()
	remote, commits := newRemote(t)
	clone := remote.clone()
	clone.git("config", "remote.origin.tagOpt", "--tags")
	clone.git("config", "remote.origin.prune", "true")
	clone.git("config", "fetch.writeCommitGraph", "true")
	clone.git("update-ref", "refs/remotes/origin/gone", string(commits[0]))
	os.Remove(filepath.Join(clone.dir, ".git", "FETCH_HEAD"))
	for _, name := range []string{"six", "seven"} {
		remote.write("a", name)
		commits = append(commits, remote.commit(name))
	}
	remote.git("tag", "later")
	before := clone.state()
	r := clone.open()
	if _, err := r.Resolve(t.Context(), string(commits[6])); err != nil {
		t.Fatal(err)
	}
	wantFile(t, files(t, r, commits[6]), "a", "seven")
	base, err := r.MergeBase(t.Context(), commits[6], commits[4])
	if err != nil || base != commits[4] {
		t.Errorf("MergeBase = %q, %v; want %q", base, err, commits[4])
	}
	if left, _ := filepath.Glob(filepath.Join(clone.dir, ".git", "objects", "info", "commit-graph*")); len(left) > 0 {
		t.Errorf("the fetch wrote %q", left)
	}
	if border := clone.border(); len(border) > 0 {
		t.Errorf("the clone became shallow at %v", border)
	}
	if after := clone.state(); after != before {
		t.Errorf("the fetch changed\n%s\nto\n%s", before, after)
	}
}

func TestPartialClone(t *testing.T) {
	t.Parallel()
	for _, filter := range []string{"blob:none", "tree:0"} {
		t.Run(filter, func(t *testing.T) {
			t.Parallel()
			remote, commits := newRemote(t)
			clone := remote.clone("--filter="+filter, "--no-checkout")
			remote.write("a", "six")
			commits = append(commits, remote.commit("six"))
			r := clone.open()
			wantFile(t, files(t, r, commits[1]), "a", "two")
			if _, err := r.Resolve(t.Context(), string(commits[5])); err != nil {
				t.Fatal(err)
			}
			wantFile(t, files(t, r, commits[5]), "a", "six")
			changed, err := r.Changed(t.Context(), commits[0], commits[5])
			if err != nil || !slices.Equal(changed, []string{"a"}) {
				t.Errorf("Changed = %q, %v", changed, err)
			}

			// With the remote gone the answer is an error, and not no file.
			if err := os.Rename(remote.dir, remote.dir+".away"); err != nil {
				t.Fatal(err)
			}
			_, err = fs.ReadFile(files(t, r, commits[5]), "a")
			if err != nil {
				t.Errorf("reading what is here: %v", err)
			}
			fsys, err := r.FS(t.Context(), commits[2])
			if err == nil {
				_, err = fs.ReadFile(fsys, "a")
			}
			wantError(t, err, nil, "reading git object", "git cat-file ended early")
		})
	}
}

func TestFetchThatFails(t *testing.T) {
	t.Parallel()
	remote, commits := newRemote(t)
	absent := strings.Repeat("1", 40)

	shallow := remote.clone("--depth=1")
	_, err := shallow.open().Resolve(t.Context(), absent)
	wantError(t, err, gitdiff.ErrMissing, absent, "origin did not give it", "fetch-depth: 0")

	// A url may hold a token.
	secret := remote.clone()
	secret.git("config", "remote.origin.url", "http://ann:s3cret@127.0.0.1:1/r.git")
	_, err = secret.open().Resolve(t.Context(), absent)
	wantError(t, err, gitdiff.ErrMissing, "127.0.0.1")
	if strings.Contains(err.Error(), "s3cret") || strings.Contains(err.Error(), "\n") {
		t.Errorf("the error gives away the password, or has lines: %q", err)
	}

	// Git would take a directory of that name for the remote.
	planted := newWorkdir(t)
	planted.commit("one")
	planted.git("clone", "--quiet", "--bare", "file://"+remote.dir, "origin")
	_, err = planted.open().Resolve(t.Context(), string(commits[0]))
	wantError(t, err, gitdiff.ErrMissing, "no remote named origin")
}

func TestMergeBaseInAShallowClone(t *testing.T) {
	t.Parallel()
	remote := newWorkdir(t)
	remote.commit("root")
	fork := remote.commit("fork")
	remote.git("switch", "--quiet", "--create", "topic")
	for _, name := range []string{"t1", "t2", "t3"} {
		remote.commit(name)
	}
	topic := gitdiff.Commit(remote.git("rev-parse", "HEAD"))
	remote.git("switch", "--quiet", "main")
	main := remote.commit("m1")

	deep := remote.clone("--depth=4", "--no-single-branch").open()
	base, err := deep.MergeBase(t.Context(), main, topic)
	if err != nil || base != fork {
		t.Errorf("in a clone that reaches far enough: MergeBase = %q, %v; want %q", base, err, fork)
	}
	flat := remote.clone("--depth=2", "--no-single-branch").open()
	_, err = flat.MergeBase(t.Context(), main, topic)
	wantError(t, err, gitdiff.ErrMissing, string(main), string(topic), "shallow", "actions/checkout with fetch-depth: 0")
}

// The clone shows a common ancestor, yet the true merge base is behind the
// border: git answers with the wrong one and says nothing.
//
//	root --- better --- x1 --- x2 --- main      (main also merges side)
//	    \          \------- y1 --- y2 --- topic (topic also merges side)
//	     side
func TestMergeBaseThatOnlyLooksRight(t *testing.T) {
	t.Parallel()
	remote := newWorkdir(t)
	root := remote.commit("root")
	better := remote.commit("better")
	remote.git("switch", "--quiet", "--create", "side", string(root))
	side := remote.commit("side")
	tip := func(branch string) gitdiff.Commit {
		remote.git("switch", "--quiet", "--force-create", branch, string(better))
		for _, n := range []string{"1", "2", "3"} {
			remote.commit(branch + n)
		}
		remote.git("merge", "--quiet", "--no-ff", "--message", branch, "side")
		return gitdiff.Commit(remote.git("rev-parse", "HEAD"))
	}
	topic, main := tip("topic"), tip("main")
	clone := remote.clone("--depth=3", "--no-single-branch")
	if base := gitdiff.Commit(clone.git("merge-base", string(main), string(topic))); base != side {
		t.Fatalf("git's merge base in the clone is %s; the test wants it to be %s", base, side)
	}
	_, err := clone.open().MergeBase(t.Context(), main, topic)
	wantError(t, err, gitdiff.ErrMissing, "shallow")
}
