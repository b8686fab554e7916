package gitdiff_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/altergate/altergate/internal/gitdiff"
)

func TestChanged(t *testing.T) {
	t.Parallel()
	w := newWorkdir(t)
	same := strings.Repeat("x", 100)
	for name, content := range map[string]string{
		"same": same, "changed": "1", "removed": "1", "moved/from": same, "mode": "1", "touched/deep/er/a": "1", "touched/b": "1",
		"file-then-dir": "1", "dir-then-file/a": "1", "dir-then-file/b": "1", "dir.sql": "1", "dir/a": "1", "untouched/a": "1",
	} {
		w.write(name, content)
	}
	a := w.commit("a")
	w.git("rm", "-r", "--quiet", "removed", "moved", "file-then-dir", "dir-then-file")
	for name, content := range map[string]string{
		"changed": "2", "added": "2", "moved/to": same, "touched/deep/er/a": "2", "file-then-dir/x": "1", "dir-then-file": "2",
		"dir.sql": "2", "dir/a": "2", "link-target": "1",
	} {
		w.write(name, content)
	}
	w.git("add", "--all")
	w.git("update-index", "--chmod=+x", "mode")
	w.git("update-index", "--add", "--cacheinfo", "160000,"+strings.Repeat("1", 40)+",sub")
	w.git("update-index", "--add", "--cacheinfo", "120000,"+w.blob("same")+",link")
	w.git("commit", "--quiet", "--message", "b")
	b := gitdiff.Commit(w.git("rev-parse", "HEAD"))

	r := w.open()
	want := []string{
		"added", "changed", "dir-then-file", "dir-then-file/a", "dir-then-file/b", "dir.sql", "dir/a", "file-then-dir", "file-then-dir/x",
		"link", "link-target", "mode", "moved/from", "moved/to", "removed", "sub", "touched/deep/er/a",
	}
	for _, pair := range [][2]gitdiff.Commit{{a, b}, {b, a}} {
		got, err := r.Changed(t.Context(), pair[0], pair[1])
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("Changed = %q, %v\nwant %q", got, err, want)
		}
	}
	gits := strings.Split(strings.TrimSuffix(w.git("diff-tree", "-r", "-z", "--no-renames", "--name-only", string(a), string(b)), "\x00"), "\x00")
	slices.Sort(gits)
	if gits = slices.Compact(gits); !slices.Equal(gits, want) {
		t.Errorf("git diff-tree says %q", gits)
	}
	if got, err := r.Changed(t.Context(), a, a); err != nil || len(got) > 0 {
		t.Errorf("a commit differs from itself in %q, %v", got, err)
	}
}

// Twelve trees that stand for 10^12 files, and as many empty directories.
func TestChangedEndsOnAGitBomb(t *testing.T) {
	t.Parallel()
	for name, leaf := range map[string]string{"files": "one", "empty directories": ""} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorkdir(t)
			long := strings.Repeat("x", 200) // gets to the limit sooner
			empty := w.commit("empty")
			id, mode := w.blob(leaf), "100644"
			if leaf == "" {
				id, mode = w.tree(""), "40000"
			}
			for range 12 {
				var raw strings.Builder
				for i := range 10 {
					fmt.Fprintf(&raw, "%s %d%s\x00%s", mode, i, long, rawID(t, id))
				}
				id, mode = w.tree(raw.String()), "40000"
			}
			bomb := gitdiff.Commit(w.git("commit-tree", "-m", "bomb", id))
			_, err := w.open().Changed(t.Context(), empty, bomb)
			wantError(t, err, nil, string(bomb), "too many files")
		})
	}
}
