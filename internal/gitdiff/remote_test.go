package gitdiff_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/altergate/altergate/internal/gitdiff"
	"github.com/altergate/altergate/internal/pull"
	"github.com/altergate/altergate/internal/pull/pulltest"
)

// host is a GitHub that has the repository, and a client for it.
func (w *workdir) host() (*pulltest.GitHub, *pull.Client) {
	w.t.Helper()
	gh := pulltest.New(w.t)
	gh.Git(w.dir)
	client, err := pull.New(w.t.Context(), pull.Config{APIURL: gh.URL, Repository: gh.Repository, Token: gh.ActionsToken(),
		Wait: func(context.Context, time.Duration) error { return nil }})
	if err != nil {
		w.t.Fatal(err)
	}
	return gh, client
}

// each runs a test on the files of a commit as each store has them.
func (w *workdir) each(c gitdiff.Commit, test func(t *testing.T, fsys fs.FS)) {
	w.t.Helper()
	w.t.Run("git", func(t *testing.T) { test(t, files(t, w.open(), c)) })
	w.t.Run("api", func(t *testing.T) { _, client := w.host(); test(t, remoteFiles(t, gitdiff.OpenAPI(client), c)) })
	w.t.Run("api, truncated", func(t *testing.T) {
		gh, client := w.host()
		gh.TreeLimit(10)
		test(t, remoteFiles(t, gitdiff.OpenAPI(client), c))
	})
}

func remoteFiles(t *testing.T, r *gitdiff.Remote, c gitdiff.Commit) fs.FS {
	t.Helper()
	fsys, err := r.FS(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return fsys
}

func TestRemoteInSHA256(t *testing.T) {
	t.Parallel()
	w := newWorkdir(t, "--object-format=sha256")
	w.write("db/schema.sql", "x")
	w.write("README", "x")
	w.each(w.commit("one"), func(t *testing.T, fsys fs.FS) {
		if err := fstest.TestFS(fsys, "db/schema.sql", "README"); err != nil {
			t.Error(err)
		}
	})
}

// spoiled is an API whose answers are not what they should be.
type spoiled struct {
	gitdiff.API
	tree func(*gitdiff.APITree)
	blob func([]byte) []byte
}

func (s spoiled) GitTree(ctx context.Context, name string) (gitdiff.APITree, error) {
	return s.list(ctx, name, s.API.GitTree)
}

func (s spoiled) GitTreeBelow(ctx context.Context, name string) (gitdiff.APITree, error) {
	return s.list(ctx, name, s.API.GitTreeBelow)
}

func (s spoiled) list(ctx context.Context, name string, list func(context.Context, string) (gitdiff.APITree, error)) (gitdiff.APITree, error) {
	tree, err := list(ctx, name)
	if err == nil && s.tree != nil {
		s.tree(&tree)
	}
	return tree, err
}

func (s spoiled) GitBlob(ctx context.Context, id string, limit int64) ([]byte, error) {
	data, err := s.API.GitBlob(ctx, id, limit)
	if err == nil && s.blob != nil {
		data = s.blob(data)
	}
	return data, err
}

func lose(paths ...string) func(*gitdiff.APITree) {
	return func(tree *gitdiff.APITree) {
		tree.Entries = slices.DeleteFunc(tree.Entries, func(e gitdiff.APIEntry) bool {
			return slices.ContainsFunc(paths, func(path string) bool { return e.Path == path || strings.HasPrefix(e.Path, path+"/") })
		})
	}
}

// shop is a repository with a base, and a head that changes db and nothing else.
func shop(t *testing.T) (w *workdir, base, head gitdiff.Commit) {
	t.Helper()
	w = newWorkdir(t)
	for _, name := range []string{"db/schema.sql", "db/more/a.sql", "src/main.go", "README"} {
		w.write(name, "content of "+name)
	}
	base = w.commit("base")
	w.write("db/schema.sql", "another")
	return w, base, w.commit("head")
}

// A file that an answer has lost is neither absent nor empty. Absent would be a table that was dropped, or one that is new.
func TestRemoteBelievesNoPartOfAnAnswer(t *testing.T) {
	t.Parallel()
	w, base, head := shop(t)
	for name, test := range map[string]struct {
		tree  func(*gitdiff.APITree)
		blob  func([]byte) []byte
		words string // empty: it is found out and asked for again
	}{
		"the top lost db":        {tree: lose("db"), words: "not whole"},
		"it lost a file of db":   {tree: lose("db/schema.sql", "schema.sql"), words: "not whole"},
		"only the first time":    {tree: lose("db/schema.sql")},
		"it is empty":            {tree: func(tree *gitdiff.APITree) { tree.Entries = nil }, words: "not whole"},
		"it lost what is below":  {tree: lose("db/schema.sql", "db/more")},
		"another file's name":    {tree: rename("schema.sql", "schema2.sql"), words: "not whole"},
		"a name twice":           {tree: func(tree *gitdiff.APITree) { tree.Entries = append(tree.Entries, tree.Entries...) }, words: "twice"},
		"a name that climbs out": {tree: rename("README", ".."), words: `".." cannot be the name`},
		"a mode of no kind":      {tree: func(tree *gitdiff.APITree) { tree.Entries[0].Mode = "777" }, words: "which git does not know"},
		"a mode that is none":    {tree: func(tree *gitdiff.APITree) { tree.Entries[0].Mode = "file" }, words: "no number"},
		"a short name":           {tree: func(tree *gitdiff.APITree) { tree.Entries[0].ID = "abc" }, words: "no full name"},
		"a cut file":             {blob: func(data []byte) []byte { return data[:len(data)-1] }, words: "not whole"},
		"an empty file":          {blob: func([]byte) []byte { return nil }, words: "0 bytes"},
		"a page":                 {blob: func([]byte) []byte { return []byte("<html>") }, words: "not whole"},
		"always truncated":       {tree: func(tree *gitdiff.APITree) { tree.Truncated = true }, words: "more entries"},
	} {
		t.Run(name, func(t *testing.T) {
			_, client := w.host()
			for _, commits := range [][]gitdiff.Commit{{base}, {head}, {base, head}} {
				r := gitdiff.OpenAPI(spoiled{API: client, tree: test.tree, blob: test.blob})
				var data []byte
				var err error
				for _, c := range commits {
					var fsys fs.FS
					if fsys, err = r.FS(t.Context(), c); err == nil {
						data, err = fs.ReadFile(fsys, "db/schema.sql")
					}
					if err != nil {
						break
					}
				}
				switch {
				case test.words != "":
					wantError(t, err, nil, test.words)
					if errors.Is(err, fs.ErrNotExist) {
						t.Errorf("it counts as absent: %v", err)
					}
				case err != nil || len(data) == 0:
					t.Errorf("read %q, %v", data, err)
				}
			}
		})
	}
}

// Of a commit that was read, the top is held against its tree at once: no other name leads to it.
func TestRemoteHoldsTheTopAgainstItsCommit(t *testing.T) {
	t.Parallel()
	w, base, _ := shop(t)
	_, client := w.host()
	r := gitdiff.OpenAPI(spoiled{API: client, tree: func(tree *gitdiff.APITree) {
		for i, e := range tree.Entries {
			if e.Path == "db" {
				tree.Entries[i].ID = w.git("rev-parse", string(base)+":src")
			}
		}
	}})
	if _, err := r.Parents(t.Context(), base); err != nil {
		t.Fatal(err)
	}
	_, err := r.FS(t.Context(), base)
	wantError(t, err, nil, "not whole")
}

func rename(from, to string) func(*gitdiff.APITree) {
	return func(tree *gitdiff.APITree) {
		for i, e := range tree.Entries {
			if e.Path == from || strings.HasSuffix(e.Path, "/"+from) {
				tree.Entries[i].Path = strings.TrimSuffix(e.Path, from) + to
			}
		}
	}
}

// What the top does not list is absent only if the commit says that the list is whole, which costs one request.
func TestRemoteConfirmsThatSomethingIsAbsent(t *testing.T) {
	t.Parallel()
	w, base, _ := shop(t)
	gh, client := w.host()
	fsys := remoteFiles(t, gitdiff.OpenAPI(client), base)
	for _, name := range []string{"absent", "absent/too", "absent"} {
		_, err := fs.Stat(fsys, name)
		wantError(t, err, fs.ErrNotExist)
	}
	_, err := fs.Stat(fsys, "db/absent")
	wantError(t, err, fs.ErrNotExist)
	wantRequests(t, gh, "git/trees/"+string(base), "git/commits/"+string(base))

	short := gitdiff.OpenAPI(spoiled{API: client, tree: lose("README")})
	_, err = fs.ReadDir(remoteFiles(t, short, base), ".")
	wantError(t, err, nil, "not whole")
	_, err = remoteFiles(t, short, base).Open(".")
	wantError(t, err, nil, "not whole")

	gh.Fail("GET", "/repos/acme/shop/git/commits/*", 500, pulltest.Always)
	_, err = fs.Stat(remoteFiles(t, gitdiff.OpenAPI(client), base), "absent")
	if wantError(t, err, nil, "500"); errors.Is(err, fs.ErrNotExist) {
		t.Error("it counts as absent")
	}
}

func wantRequests(t *testing.T, gh *pulltest.GitHub, want ...string) {
	t.Helper()
	var got []string
	for _, r := range gh.Requests() {
		got = append(got, strings.TrimPrefix(r, "GET /repos/acme/shop/"))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
}

func TestRemoteReadsOnlyWhatChanged(t *testing.T) {
	t.Parallel()
	w, base, head := shop(t)
	gh, client := w.host()
	r := gitdiff.OpenAPI(client)
	before, after := remoteFiles(t, r, base), remoteFiles(t, r, head)
	wantFile(t, before, "src/main.go", "content of src/main.go")
	wantFile(t, after, "src/main.go", "content of src/main.go")
	wantFile(t, after, "db/more/a.sql", "content of db/more/a.sql")
	wantFile(t, before, "db/more/a.sql", "content of db/more/a.sql")
	wantFile(t, after, "db/schema.sql", "another")
	paths, err := r.Changed(t.Context(), base, head)
	if err != nil || !slices.Equal(paths, []string{"db/schema.sql"}) {
		t.Errorf("Changed = %q, %v", paths, err)
	}
	id := func(rev string) string { return w.git("rev-parse", rev) }
	wantRequests(t, gh, "git/trees/"+string(base), "git/trees/"+string(head),
		"git/blobs/"+id("HEAD:src/main.go"), "git/trees/"+id("HEAD:db"), "git/blobs/"+id("HEAD:db/more/a.sql"), "git/blobs/"+id("HEAD:db/schema.sql"),
		"git/commits/"+string(base), "git/commits/"+string(head)) // that nothing else changed is held against the commits
}

// Whoever comes at the same time waits for the one answer.
func TestRemoteIsSafeForConcurrentUse(t *testing.T) {
	t.Parallel()
	w, base, head := shop(t)
	gh, client := w.host()
	r := gitdiff.OpenAPI(client)
	remoteFiles(t, r, base)
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			c, want := base, "content of db/schema.sql"
			if i%2 == 1 {
				c, want = head, "another"
			}
			fsys, err := r.FS(t.Context(), c)
			if err != nil {
				t.Error(err)
				return
			}
			data, err := fs.ReadFile(fsys, "db/schema.sql")
			if err != nil || string(data) != want {
				t.Errorf("read %q, %v; want %q", data, err, want)
			}
			clear(data) // it is the reader's own
		})
	}
	group.Wait()
	if got := len(gh.Requests()); got != 5 {
		t.Errorf("there were %d requests: %v", got, gh.Requests())
	}
}

func TestRemoteCommits(t *testing.T) {
	t.Parallel()
	w, base, head := shop(t)
	other := w.commitTree("")
	_, client := w.host()
	r := gitdiff.OpenAPI(client)
	parents, err := r.Parents(t.Context(), head)
	if err != nil || !slices.Equal(parents, []gitdiff.Commit{base}) {
		t.Errorf("Parents = %q, %v", parents, err)
	}
	if parents, err = r.Parents(t.Context(), base); err != nil || len(parents) > 0 {
		t.Errorf("Parents = %q, %v", parents, err)
	}
	if parted, err := r.MergeBase(t.Context(), base, head); err != nil || parted != base {
		t.Errorf("MergeBase = %q, %v", parted, err)
	}
	_, err = r.MergeBase(t.Context(), other, head)
	wantError(t, err, nil, "share no history")

	absent := gitdiff.Commit(strings.Repeat("1", 40))
	_, err = r.Parents(t.Context(), absent)
	wantError(t, err, gitdiff.ErrMissing, string(absent), "acme/shop has no such object", "contents: read")
	_, err = r.FS(t.Context(), absent)
	wantError(t, err, gitdiff.ErrMissing, string(absent))
	_, err = r.MergeBase(t.Context(), absent, head)
	wantError(t, err, gitdiff.ErrMissing, string(absent))
	_, err = r.Changed(t.Context(), absent, head)
	wantError(t, err, gitdiff.ErrMissing, string(absent))
	for _, name := range []gitdiff.Commit{"", "main", "abc", "../../x", gitdiff.Commit(strings.Repeat("A", 40))} {
		_, parentsErr := r.Parents(t.Context(), name)
		_, filesErr := r.FS(t.Context(), name)
		_, changedErr := r.Changed(t.Context(), head, name)
		_, baseErr := r.MergeBase(t.Context(), name, head)
		for _, err := range []error{parentsErr, filesErr, changedErr, baseErr} {
			wantError(t, err, nil, "not the full name of a commit")
		}
	}
}

// What the list calls too large is not even asked for, and what turns out to be so is not read to its end.
func TestRemoteTooLarge(t *testing.T) {
	t.Parallel()
	w := newWorkdir(t)
	w.write("small.sql", "small")
	w.write("large.sql", strings.Repeat("x", 2<<20+1))
	c := w.commit("one")
	for name, tree := range map[string]func(*gitdiff.APITree){
		"as listed": nil,
		"unlisted": func(tree *gitdiff.APITree) {
			for i := range tree.Entries {
				tree.Entries[i].Size = 0
			}
		},
	} {
		gh, client := w.host()
		r := gitdiff.OpenAPI(spoiled{API: client, tree: tree})
		r.LimitObjects(2 << 20)
		fsys := remoteFiles(t, r, c)
		_, err := fs.ReadFile(fsys, "large.sql")
		wantError(t, err, gitdiff.ErrTooLarge, "large.sql", "2097152")
		if asked := len(gh.Requests()) > 1; asked != (tree != nil) {
			t.Errorf("%s: %v", name, gh.Requests())
		}
		wantFile(t, fsys, "small.sql", "small")
		if info, err := fs.Stat(fsys, "small.sql"); err != nil || info.Size() != 5 {
			t.Errorf("%s: Stat = %v, %v", name, info, err)
		}
	}
}

// JSON holds no name that is not UTF-8. A directory with one cannot be told from another, and does not matter unless it is asked for.
func TestRemoteNamesThatAreNotUTF8(t *testing.T) {
	t.Parallel()
	w := newWorkdir(t)
	blob := w.blob("x")
	inner := w.tree("100644 latin-\xe9.sql\x00" + rawID(t, blob))
	c := w.commitTree("100644 README\x00" + rawID(t, blob) + "40000 odd\x00" + rawID(t, inner))
	_, client := w.host()
	fsys := remoteFiles(t, gitdiff.OpenAPI(client), c)
	wantFile(t, fsys, "README", "x")
	_, err := fs.ReadDir(fsys, "odd")
	wantError(t, err, nil, "not UTF-8", "trees: git")
}

// Both stores show the same files, and the same differences, whatever they are and however little the API lists at once.
func TestRemoteIsAsTheClone(t *testing.T) {
	t.Parallel()
	w := newWorkdir(t)
	local := w.open()
	rapid.Check(t, func(rt *rapid.T) {
		plain := rapid.Bool().Draw(rt, "plain") // else there may be what cannot be opened, which TestFS does not allow
		a, b := w.randomCommit(rt, "a", plain), w.randomCommit(rt, "b", plain)
		gh, client := w.host()
		gh.TreeLimit(rapid.SampledFrom([]int{8, 9, 12, 1000}).Draw(rt, "limit")) // no directory has more than 8 names
		remote := gitdiff.OpenAPI(client)
		for _, c := range []gitdiff.Commit{a, b} {
			want, paths := walk(rt, files(t, local, c))
			got, _ := walk(rt, remoteFiles(t, remote, c))
			if diff := cmp.Diff(want, got); diff != "" {
				rt.Fatalf("(-clone +api):\n%s", diff)
			}
			if plain {
				if err := errors.Join(fstest.TestFS(remoteFiles(t, remote, c), paths...), fstest.TestFS(files(t, local, c), paths...)); err != nil {
					rt.Error(err)
				}
			}
		}
		want, wantErr := local.Changed(t.Context(), a, b)
		got, err := remote.Changed(t.Context(), a, b)
		if diff := cmp.Diff(want, got); diff != "" || err != nil || wantErr != nil {
			rt.Errorf("Changed: %v, %v (-clone +api):\n%s", wantErr, err, diff)
		}
	})
}

// randomCommit draws files of few names, so that two commits share many of them.
func (w *workdir) randomCommit(t *rapid.T, label string, plain bool) gitdiff.Commit {
	name := rapid.SampledFrom([]string{"a", "b", "a.sql", "a-b", "a0", "ü", "-x"})
	paths := rapid.SliceOfNDistinct(rapid.SliceOfN(name, 1, 4), 0, 12, func(path []string) string { return strings.Join(path, "/") }).Draw(t, label)
	modes := []string{"100644", "100644", "100755", "120000", "160000"}
	texts := []string{"", "x", "y\n", "\x00\xff", "version https://git-lfs.github.com/spec/v1\n"}
	if plain {
		modes, texts = modes[:3], texts[:4]
	}
	mode, text := rapid.SampledFrom(modes), rapid.SampledFrom(texts)
	var stream strings.Builder
	fmt.Fprintf(&stream, "commit refs/heads/%s\ncommitter Ann <ann@example.com> 0 +0000\ndata 0\ndeleteall\n", label)
	for _, path := range paths {
		mode, text := mode.Draw(t, "mode"), text.Draw(t, "text")
		if mode == "160000" {
			fmt.Fprintf(&stream, "M 160000 %s %s\n", strings.Repeat("1", 40), strings.Join(path, "/"))
			continue
		}
		fmt.Fprintf(&stream, "M %s inline %s\ndata %d\n%s\n", mode, strings.Join(path, "/"), len(text), text)
	}
	w.gitWith(stream.String(), "fast-import", "--quiet", "--force")
	return gitdiff.Commit(w.git("rev-parse", label))
}

// walk gives all that a file system shows, and the names of its regular files.
func walk(t *rapid.T, fsys fs.FS) (shown, paths []string) {
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		line := fmt.Sprintf("%s %s %d", name, info.Mode(), info.Size())
		if !d.IsDir() {
			data, err := fs.ReadFile(fsys, name)
			line += fmt.Sprintf(" %q %v", data, err)
			if err == nil {
				paths = append(paths, name)
			}
		}
		shown = append(shown, line)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return shown, paths
}
