package pulltest_test

import (
	"encoding/base64"
	"os/exec"
	"strings"
	"testing"

	"github.com/altergate/altergate/internal/pull/pulltest"
)

// What the client does not use is served as GitHub describes it too.
func TestGitObjectsAreServedAsDescribed(t *testing.T) {
	dir := t.TempDir()
	git := func(stdin string, args ...string) string {
		t.Helper()
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Stdin = dir, strings.NewReader(stdin)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("git %v: %v", args, err)
		}
		return strings.TrimSpace(string(out))
	}
	git("", "init", "--quiet")
	blob := git("hello\n", "hash-object", "-w", "--stdin")
	tree := git("100644 blob "+blob+"\ta\n120000 blob "+blob+"\tlink\n160000 commit "+pulltest.SHA("x")+"\tsub\n", "mktree", "--missing")
	gh := pulltest.New(t)
	gh.Git(dir)
	gh.Branch("release/1", pulltest.SHA("tip"))
	token := gh.ActionsToken()
	get := func(path string, want int) map[string]any {
		t.Helper()
		resp, answer := call(t, gh, token, "GET", "/repos/acme/shop/git/"+path, "")
		if resp.StatusCode != want {
			t.Errorf("%s: got %d, want %d", path, resp.StatusCode, want)
		}
		return answer
	}
	content, err := base64.StdEncoding.DecodeString(strings.TrimSpace(get("blobs/"+blob, 200)["content"].(string)))
	if err != nil || string(content) != "hello\n" {
		t.Errorf("the content is %q, %v", content, err)
	}
	var kinds []string
	for _, entry := range get("trees/"+tree, 200)["tree"].([]any) {
		kinds = append(kinds, entry.(map[string]any)["type"].(string))
	}
	if got := strings.Join(kinds, " "); got != "blob blob commit" {
		t.Errorf("the tree holds %s", got)
	}
	if tip := get("ref/heads/release/1", 200)["object"].(map[string]any)["sha"]; tip != pulltest.SHA("tip") {
		t.Errorf("the branch is at %v", tip)
	}
	for _, path := range []string{"ref/heads/none", "trees/" + blob, "blobs/" + tree, "commits/" + tree, "trees/" + pulltest.SHA("none")} {
		get(path, 404)
	}
}
