package gitdiff_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/altergate/altergate/internal/gitdiff"
)

func TestResolve(t *testing.T) {
	t.Parallel()
	w := newWorkdir(t)
	first := w.commit("first")
	second := w.commit("second")
	w.git("tag", "--annotate", "--message=release", "v1", string(first))
	w.git("branch", "topic/ünïcode-branch", string(first))
	w.git("update-ref", "refs/remotes/origin/main", string(first))
	tag := w.git("rev-parse", "v1")
	r := w.open()
	for rev, want := range map[string]gitdiff.Commit{
		"HEAD": second, "HEAD~1": first, "HEAD^": first, "@": second, "main": second, "main@{0}": second,
		"v1": first, tag: first, "topic/ünïcode-branch": first, "origin/main": first, "refs/heads/main~1": first,
		string(first): first, strings.ToUpper(string(first)): first, string(first)[:12]: first,
		"HEAD^{/first}": first,
	} {
		got, err := r.Resolve(t.Context(), rev)
		if err != nil || got != want {
			t.Errorf("Resolve(%q) = %q, %v; want %q", rev, got, err, want)
		}
	}
}

func TestResolveRefuses(t *testing.T) {
	t.Parallel()
	w := newWorkdir(t)
	w.write("a^{commit}", "a file with a name that looks like a revision")
	w.commit("one")
	r := w.open()
	for rev, word := range map[string]string{
		"":                        "empty",
		"-main":                   "dash",
		"--upload-pack=touch":     "dash",
		"main\nHEAD":              "control character",
		"main\x00":                "control character",
		"main\r":                  "control character",
		"main:a":                  `":"`,
		":a":                      `":"`,
		":/one":                   `":"`,
		"absent":                  "not in this clone; check the name",
		"main~9":                  "not in this clone",
		"main..main":              "not in this clone",
		"^main":                   "not in this clone",
		"main missing":            "not in this clone",
		w.git("write-tree"):       "no remote named origin",
		strings.Repeat("1", 40):   "no remote named origin",
		strings.Repeat("1", 64):   "no remote named origin",
		strings.Repeat("x", 9999): "not in this clone",
	} {
		got, err := r.Resolve(t.Context(), rev)
		if got != "" {
			t.Errorf("Resolve(%q) = %q, want an error", rev, got)
		}
		wantError(t, err, nil, word)
	}
	if _, err := r.Resolve(t.Context(), "main"); err != nil {
		t.Errorf("after the refusals: %v", err)
	}
}

// Git would take the tag with a warning: whoever may push tags chose the base.
func TestResolveRefusesAnAmbiguousName(t *testing.T) {
	t.Parallel()
	w := newWorkdir(t)
	first := w.commit("first")
	w.git("tag", "same")
	w.git("tag", "main")
	second := w.commit("second")
	w.git("branch", "same", string(first))
	w.git("tag", "HEAD", string(first))
	r := w.open()
	for _, rev := range []string{"main", "main~0", "main^{}"} {
		_, err := r.Resolve(t.Context(), rev)
		wantError(t, err, nil, "refs/heads/"+rev, string(first), string(second), "write the name from refs/ on")
	}
	for rev, want := range map[string]gitdiff.Commit{
		"refs/heads/main": second, "refs/tags/main": first, "same": first, "HEAD": second,
	} {
		got, err := r.Resolve(t.Context(), rev)
		if err != nil || got != want {
			t.Errorf("Resolve(%q) = %q, %v; want %q", rev, got, err, want)
		}
	}
}

func TestCommitsMustBeFullNames(t *testing.T) {
	t.Parallel()
	w := newWorkdir(t)
	good := w.commit("one")
	r := w.open()
	for _, bad := range []gitdiff.Commit{"", "main", "-x", "--all", good[:39], good + "\n", gitdiff.Commit(strings.Repeat("g", 40))} {
		_, err := r.FS(t.Context(), bad)
		wantError(t, err, nil, "not the full name of a commit")
		_, err = r.Parents(t.Context(), bad)
		wantError(t, err, nil, "not the full name of a commit")
		_, err = r.MergeBase(t.Context(), good, bad)
		wantError(t, err, nil, "not the full name of a commit")
		_, err = r.Changed(t.Context(), bad, good)
		wantError(t, err, nil, "not the full name of a commit")
	}
	absent := gitdiff.Commit(strings.Repeat("1", 40))
	_, err := r.FS(t.Context(), absent)
	wantError(t, err, gitdiff.ErrMissing, string(absent))
}

func TestParents(t *testing.T) {
	t.Parallel()
	w := newWorkdir(t)
	root := w.commit("root")
	w.git("switch", "--quiet", "--create", "topic")
	topic := w.commit("topic\n\nparent 1111111111111111111111111111111111111111")
	w.git("switch", "--quiet", "main")
	main := w.commit("main")
	w.git("merge", "--quiet", "--no-ff", "--message", "merge", "topic")
	merge := gitdiff.Commit(w.git("rev-parse", "HEAD"))
	r := w.open()
	for c, want := range map[gitdiff.Commit][]gitdiff.Commit{root: nil, topic: {root}, merge: {main, topic}} {
		got, err := r.Parents(t.Context(), c)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("Parents(%s) = %v, %v; want %v", c, got, err, want)
		}
	}
	base, err := r.MergeBase(t.Context(), main, topic)
	if err != nil || base != root {
		t.Errorf("MergeBase = %q, %v; want %q", base, err, root)
	}
}

// A replacement would show reviewers other files than those that are merged.
func TestReplacementsAreIgnored(t *testing.T) {
	t.Parallel()
	w := newWorkdir(t)
	w.write("a", "real")
	real := w.commit("real")
	w.write("a", "fake")
	fake := w.commit("fake")
	w.git("replace", string(real), string(fake))
	wantFile(t, files(t, w.open(), real), "a", "real")
}

func TestDefaultBranch(t *testing.T) {
	t.Parallel()
	w := newWorkdir(t)
	r := w.open()
	_, err := r.DefaultBranch(t.Context())
	wantError(t, err, gitdiff.ErrMissing, "refs/remotes/origin/HEAD", "name the base")

	w.git("symbolic-ref", "HEAD", "refs/heads/work")
	w.commit("one")
	// From the last that is looked at to the first.
	for _, ref := range []string{"refs/heads/master", "refs/heads/main", "refs/remotes/origin/master", "refs/remotes/origin/main"} {
		want := w.commit(ref)
		w.git("update-ref", ref, string(want))
		// A remote HEAD that points nowhere is passed over.
		w.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk")
		got, err := r.DefaultBranch(t.Context())
		if err != nil || got != want {
			t.Errorf("with %s: DefaultBranch = %q, %v; want %q", ref, got, err, want)
		}
	}
	want := w.commit("trunk")
	w.git("update-ref", "refs/remotes/origin/trunk", string(want))
	got, err := r.DefaultBranch(t.Context())
	if err != nil || got != want {
		t.Errorf("with origin/HEAD: DefaultBranch = %q, %v; want %q", got, err, want)
	}
}

func TestMergeBaseOfUnrelatedCommits(t *testing.T) {
	t.Parallel()
	w := newWorkdir(t)
	a := w.commit("a")
	w.git("switch", "--quiet", "--orphan", "other")
	b := w.commit("b")
	_, err := w.open().MergeBase(t.Context(), a, b)
	wantError(t, err, nil, string(a), string(b), "share no history")
}

func TestCancelledContext(t *testing.T) {
	t.Parallel()
	w := newWorkdir(t)
	w.write("a", "a")
	c := w.commit("one")
	r := w.open()
	ctx, cancel := context.WithCancel(t.Context())
	fsys, err := r.FS(ctx, c)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	_, err = fsys.Open("a")
	wantError(t, err, context.Canceled)
	_, err = r.Resolve(ctx, "main")
	wantError(t, err, context.Canceled)
	_, err = r.MergeBase(ctx, c, c)
	wantError(t, err, context.Canceled)
	if _, err := r.Resolve(t.Context(), "main"); err != nil {
		t.Errorf("with a live context: %v", err)
	}
}
