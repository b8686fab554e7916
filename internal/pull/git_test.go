package pull_test

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/gitdiff"
	"github.com/altergate/altergate/internal/pull"
	"github.com/altergate/altergate/internal/pull/pulltest"
)

// withGit is a GitHub with a repository of one commit, whose files are README and db/schema.sql.
func withGit(t *testing.T) (gh *pulltest.GitHub, git func(args ...string) string) {
	t.Helper()
	dir := t.TempDir()
	git = func(args ...string) string {
		t.Helper()
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull,
			"GIT_AUTHOR_NAME=Eve", "GIT_AUTHOR_EMAIL=eve@example.com", "GIT_COMMITTER_NAME=Eve", "GIT_COMMITTER_EMAIL=eve@example.com")
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("git %v: %v", args, err)
		}
		return strings.TrimSpace(string(out))
	}
	git("init", "--quiet", "--initial-branch=main")
	if err := os.Mkdir(filepath.Join(dir, "db"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"README": "A shop\n", "db/schema.sql": "CREATE TABLE t (id int);\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	git("add", "--all")
	git("commit", "--quiet", "--message", "One")
	gh = pulltest.New(t)
	gh.Git(dir)
	return gh, git
}

func TestGitObjects(t *testing.T) {
	gh, git := withGit(t)
	c, head := asActions(t, gh), gitdiff.Commit(git("rev-parse", "HEAD"))

	commit := must[gitdiff.APICommit](t)(c.GitCommit(t.Context(), head))
	if diff := cmp.Diff(gitdiff.APICommit{Tree: git("rev-parse", "HEAD^{tree}")}, commit); diff != "" {
		t.Errorf("the commit (-want +got):\n%s", diff)
	}
	readme := gitdiff.APIEntry{Path: "README", Mode: "100644", ID: git("rev-parse", "HEAD:README"), Size: 7}
	db := gitdiff.APIEntry{Path: "db", Mode: "040000", ID: git("rev-parse", "HEAD:db")}
	schema := gitdiff.APIEntry{Path: "db/schema.sql", Mode: "100644", ID: git("rev-parse", "HEAD:db/schema.sql"), Size: 25}
	for _, name := range []string{string(head), commit.Tree} {
		one := must[gitdiff.APITree](t)(c.GitTree(t.Context(), name))
		if diff := cmp.Diff(gitdiff.APITree{Entries: []gitdiff.APIEntry{readme, db}}, one); diff != "" {
			t.Errorf("the top (-want +got):\n%s", diff)
		}
		all := must[gitdiff.APITree](t)(c.GitTreeBelow(t.Context(), name))
		if diff := cmp.Diff(gitdiff.APITree{Entries: []gitdiff.APIEntry{readme, db, schema}}, all); diff != "" {
			t.Errorf("all of it (-want +got):\n%s", diff)
		}
	}
	gh.TreeLimit(2)
	if cut := must[gitdiff.APITree](t)(c.GitTreeBelow(t.Context(), string(head))); !cut.Truncated {
		t.Errorf("three entries where two are the limit: %+v", cut)
	}
	for _, limit := range []int64{25, 24} {
		data, err := c.GitBlob(t.Context(), schema.ID, limit)
		if limit == 24 && !errors.Is(err, gitdiff.ErrTooLarge) || limit == 25 && (err != nil || string(data) != "CREATE TABLE t (id int);\n") {
			t.Errorf("limit %d: read %q, %v", limit, data, err)
		}
	}
}

// calls are all that ask for objects.
func calls(c *pull.Client, t *testing.T, name string) map[string]error {
	ctx, commit := t.Context(), gitdiff.Commit(name)
	_, commitErr := c.GitCommit(ctx, commit)
	_, treeErr := c.GitTree(ctx, name)
	_, belowErr := c.GitTreeBelow(ctx, name)
	_, blobErr := c.GitBlob(ctx, name, 100)
	_, baseErr := c.MergeBase(ctx, commit, commit)
	return map[string]error{
		"reading commit": commitErr, "listing the files": treeErr, "listing the files of": belowErr, "reading the content": blobErr, "comparing": baseErr,
	}
}

func TestGitObjectsThatAreNotThere(t *testing.T) {
	gh, _ := withGit(t)
	for what, err := range calls(asActions(t, gh), t, pulltest.SHA("gone")) {
		if !errors.Is(err, gitdiff.ErrMissing) || !errors.Is(err, pull.ErrNotFound) {
			t.Errorf("%s: not ErrMissing: %v", what, err)
		}
		says(t, err, what, "404", "acme/shop has no such object", "`contents: read`")
	}
	before := len(gh.Requests())
	for _, name := range []string{"", "main", "../../../users/eve", strings.Repeat("A", 40)} {
		for what, err := range calls(asActions(t, gh), t, name) {
			if says(t, err, "full name"); errors.Is(err, gitdiff.ErrMissing) {
				t.Errorf("%s %q: %v", what, name, err)
			}
		}
	}
	if got := len(gh.Requests()); got != before {
		t.Errorf("%d requests were sent for names that are none", got-before)
	}
}

func TestGitObjectsWithoutPermission(t *testing.T) {
	gh, git := withGit(t)
	for what, err := range calls(as(t, gh, gh.ActionsToken("statuses: write")), t, git("rev-parse", "HEAD")) {
		if !errors.Is(err, pull.ErrForbidden) || errors.Is(err, gitdiff.ErrMissing) {
			t.Errorf("%s: not ErrForbidden: %v", what, err)
		}
		says(t, err, what, "403", "the workflow's `permissions:` must hold `contents: read`")
	}
}

func TestMergeBase(t *testing.T) {
	gh, git := withGit(t)
	c, base := asActions(t, gh), git("rev-parse", "HEAD")
	var sides []gitdiff.Commit
	for _, name := range []string{"ours", "theirs"} {
		git("checkout", "--quiet", "--detach", base)
		git("commit", "--quiet", "--allow-empty", "--message", name)
		sides = append(sides, gitdiff.Commit(git("rev-parse", "HEAD")))
	}
	if got := must[gitdiff.Commit](t)(c.MergeBase(t.Context(), sides[0], sides[1])); string(got) != base {
		t.Errorf("got %s, want %s", got, base)
	}
	git("checkout", "--quiet", "--orphan", "other")
	git("commit", "--quiet", "--message", "Other")
	_, err := c.MergeBase(t.Context(), sides[0], gitdiff.Commit(git("rev-parse", "HEAD")))
	if says(t, err, "share no history"); errors.Is(err, gitdiff.ErrMissing) {
		t.Errorf("both are there: %v", err)
	}
}

// An answer that is not one is an error, never a commit without parents or a directory of nothing.
func TestGitAnswersThatAreNone(t *testing.T) {
	gh, git := withGit(t)
	head := git("rev-parse", "HEAD")
	for name, answer := range map[string]func(w http.ResponseWriter){
		"empty":  func(http.ResponseWriter) {},
		"a page": func(w http.ResponseWriter) { fmt.Fprint(w, "<html>Sign in</html>") },
		"no key": func(w http.ResponseWriter) { fmt.Fprint(w, `{}`) },
		"null":   func(w http.ResponseWriter) { fmt.Fprint(w, `null`) },
		"nothing is said of what is missing": func(w http.ResponseWriter) {
			fmt.Fprintf(w, `{"sha": %q, "tree": []}`, head)
		},
		"a commit of unknown parents": func(w http.ResponseWriter) {
			fmt.Fprintf(w, `{"sha": %q, "tree": {"sha": %q}}`, head, pulltest.SHA("y"))
		},
		"another commit": func(w http.ResponseWriter) {
			fmt.Fprintf(w, `{"sha": %q, "tree": {"sha": %q}, "parents": []}`, pulltest.SHA("x"), pulltest.SHA("y"))
		},
		"cut off": func(w http.ResponseWriter) {
			w.Header().Set("Content-Length", "100")
			fmt.Fprint(w, `{"sha": "`)
		},
		"cut off at a good place": func(w http.ResponseWriter) {
			w.Header().Set("Content-Length", "1000")
			fmt.Fprintf(w, `{"sha": %q, "tree": [], "truncated": false}`, head)
		},
	} {
		address := httptestServer(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { answer(w) }))
		for what, err := range calls(newClient(t, pull.Config{APIURL: address, Repository: gh.Repository, Token: "x"}), t, head) {
			if what == "reading the content" && !strings.HasPrefix(name, "cut off") {
				continue // any bytes may be a file's; its name tells
			}
			if err == nil {
				t.Errorf("%s: %s is an answer", name, what)
			}
		}
	}
}

func TestGitRequestsAreTriedAgain(t *testing.T) {
	gh, git := withGit(t)
	for _, pattern := range []string{"commits", "trees", "blobs"} {
		gh.Fail("GET", "/repos/acme/shop/git/"+pattern+"/*", 502, 3)
	}
	c := asActions(t, gh)
	must[gitdiff.APICommit](t)(c.GitCommit(t.Context(), gitdiff.Commit(git("rev-parse", "HEAD"))))
	must[gitdiff.APITree](t)(c.GitTree(t.Context(), git("rev-parse", "HEAD")))
	must[[]byte](t)(c.GitBlob(t.Context(), git("rev-parse", "HEAD:README"), 100))
}
