package bot_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/bot"
	"github.com/altergate/altergate/internal/bot/bottest"
	"github.com/altergate/altergate/internal/policy"
	"github.com/altergate/altergate/internal/pull/pulltest"
)

// gitRequests counts the requests so far for objects of these kinds.
func (p *play) gitRequests(kinds ...string) int {
	count := 0
	for _, r := range p.Requests() {
		if slices.ContainsFunc(kinds, func(kind string) bool { return strings.Contains(r, "/"+kind+"/") }) {
			count++
		}
	}
	return count
}

// kindsOf names requests by what they ask for.
func kindsOf(requests []string) []string {
	var kinds []string
	for _, r := range requests {
		for _, kind := range []string{"git/ref", "git/commits", "git/trees", "git/blobs", "compare"} {
			if strings.Contains(r, "/"+kind+"/") {
				kinds = append(kinds, kind)
			}
		}
	}
	return kinds
}

// An ordinary pull request changes one schema. Neither the directory of the configuration nor its file is read twice.
func TestFewRequestsForTrees(t *testing.T) {
	p := open(t, bottest.DropNick())
	p.trees = bot.TreesAPI
	p.tune = func(b *bot.Bot) { b.Workspace = filepath.Join(t.TempDir(), "none") }
	p.wants(p.pushed(), policy.Blocked, "pending", "failure")
	want := []string{
		"git/ref", "git/trees", "git/commits", "git/trees", // the tip with all its directories; the merge; its top
		"git/blobs", "git/trees", "git/blobs", "git/blobs", // the configuration; db of the merge; the schemas
	}
	got := kindsOf(p.Requests())
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("requests for trees (-want +got):\n%s", diff)
	}
	// The rest is the pull request, the statuses and the comments.
	t.Logf("%d requests in all:\n%s", len(p.Requests()), strings.Join(p.Requests(), "\n"))
	if most := 16; len(p.Requests()) > most {
		t.Errorf("there are %d requests in all, more than %d", len(p.Requests()), most)
	}
}

// Of two hundred directories, one is not the same.
func TestUnchangedDirectoriesAreNotRequested(t *testing.T) {
	files := bottest.Base()
	for i := range 200 {
		files[fmt.Sprintf("services/s%03d/main.go", i)] = fmt.Sprint("package ", i)
	}
	p := openOn(t, bottest.NewScene(t, files, bottest.DropNick()))
	p.trees = bot.TreesAPI
	p.wants(p.pushed(), policy.Blocked, "pending", "failure")
	if got := p.gitRequests("git/trees"); got != 3 {
		t.Errorf("there are %d requests for trees, want 3: all of the base, and the top and db of the merge", got)
	}
}

// A list that GitHub cuts off is as good as none: each directory on the way is read by itself.
func TestATruncatedTree(t *testing.T) {
	files := bottest.Base()
	for i := range 20 {
		files[fmt.Sprintf("other/%02d", i)] = fmt.Sprint(i)
	}
	scene := bottest.NewScene(t, files, bottest.DropNick())
	plain := openOn(t, scene)
	want := plain.pushed()
	for name, limit := range map[string]int{"the top": 10, "each directory": 4} {
		p := openOn(t, scene)
		p.trees = bot.TreesAPI
		p.TreeLimit(limit)
		answer := p.pushed()
		p.wants(answer, policy.Blocked, "pending", "failure")
		if answer.Verdict.Digest != want.Verdict.Digest || p.comment() != plain.comment() {
			t.Errorf("%s: the digest is %s, want %s:\n%s", name, answer.Verdict.Digest, want.Verdict.Digest, p.comment())
		}
	}
	p := openOn(t, scene)
	p.trees = bot.TreesAPI
	p.TreeLimit(3) // less than the top has
	p.wants(p.pushed(), policy.NoAnswer, "pending", "failure")
	p.commentSays("more entries than the API lists", "trees: git")
}

// The head of a fork is in the base's repository too, and no other one is asked.
func TestAForkIsReadThroughTheBase(t *testing.T) {
	for name, spoil := range map[string]func(p *play){
		"merged":   func(*play) {},
		"conflict": func(p *play) { p.PullRequest(bottest.Number).Conflict().MergeCommit(pulltest.SHA("gone")) },
		"deleted":  func(p *play) { p.PullRequest(bottest.Number).Fork("") },
	} {
		t.Run(name, func(t *testing.T) {
			p := open(t, bottest.DropNick())
			p.trees = bot.TreesAPI
			p.PullRequest(bottest.Number).Fork("eve/shop")
			spoil(p)
			p.wants(p.pushed(), policy.Blocked, "pending", "failure")
			p.commentSays("users.nick")
			for _, r := range p.Requests() {
				if strings.Contains(r, "/repos/") && !strings.Contains(r, " /repos/acme/shop") {
					t.Errorf("another repository was asked: %s", r)
				}
			}
		})
	}
}

// What the clone cannot give comes through the API; what it has, does not.
func TestTheCheckoutIsUsedIfItHoldsAllThatIsNeeded(t *testing.T) {
	for name, test := range map[string]struct {
		clone  func(p *play) string
		spoil  func(p *play)
		api    bool
		reason string
	}{
		"all of it": {func(p *play) string { return p.Repo.Dir }, nil, false, ""},
		"all of it, no merge": {func(p *play) string { return p.Repo.Dir },
			func(p *play) { p.PullRequest(bottest.Number).Unmerged() }, false, ""},
		"no directory": {func(p *play) string { return filepath.Join(p.t.TempDir(), "none") }, nil, true, "no such file"},
		"empty":        {func(p *play) string { return p.t.TempDir() }, nil, true, "no git repository"},
		"no commits":   {func(p *play) string { return bottest.NewRepository(p.t).Dir }, nil, true, "not in this clone"},
		"one commit":   {func(p *play) string { return p.Repo.Clone("--depth=1", "--branch=main").Dir }, nil, true, "not in this clone"},
		"only main":    {func(p *play) string { return p.Repo.Clone("--branch=main", "--single-branch").Dir }, nil, true, "not in this clone"},
		"no history": {func(p *play) string {
			c := p.Repo.Clone("--depth=1", "--branch=main")
			c.Fetch("--depth=1", p.Head)
			return c.Dir
		}, func(p *play) {
			p.MoveBase(bottest.NoSchema())
			p.Repo.Branch("main", p.Scene.Base)
			p.PullRequest(bottest.Number).Unmerged()
		}, true, "shallow"},
		"no files": {func(p *play) string {
			c := p.Repo.Clone("--branch=main", "--filter=blob:none", "--no-checkout")
			c.Fetch("--filter=blob:none", p.Merge)
			return c.Dir
		}, nil, true, "cat-file ended early"},
		"another repository": {func(p *play) string {
			c := bottest.NewRepository(p.t)
			c.Commit("", bottest.Base())
			return c.Dir
		}, nil, true, "not in this clone"},
		"a broken one": {func(p *play) string {
			dir := p.t.TempDir()
			for _, name := range []string{"objects", "refs"} {
				if err := os.MkdirAll(filepath.Join(dir, ".git", name), 0o755); err != nil {
					p.t.Fatal(err)
				}
			}
			if err := os.WriteFile(filepath.Join(dir, ".git", "HEAD"), []byte("nonsense"), 0o644); err != nil {
				p.t.Fatal(err)
			}
			return dir
		}, nil, true, "not a git repository"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := open(t, bottest.DropNick())
			p.Repo.Branch("main", p.Scene.Base)
			if test.spoil != nil {
				test.spoil(p)
			}
			dir := test.clone(p)
			p.tune = func(b *bot.Bot) { b.Workspace = dir }
			p.wants(p.pushed(), policy.Blocked, "pending", "failure")
			p.commentSays("users.nick")
			if used := p.gitRequests("git/trees", "git/blobs") > 0; used != test.api {
				t.Errorf("the API is used: %t, want %t\n%s", used, test.api, p.log.String())
			}
			if said := strings.Contains(p.log.String(), "through GitHub's API"); said != test.api || !strings.Contains(p.log.String(), test.reason) {
				t.Errorf("the log says\n%s", p.log.String())
			}
		})
	}
}

// An object that is not what its name says, or that is gone, decides nothing: the API is asked, or there is no answer.
func TestADamagedClone(t *testing.T) {
	for name, damage := range map[string]func(t *testing.T, path string, other []byte){
		"gone": func(t *testing.T, path string, _ []byte) {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		},
		"another's": func(t *testing.T, path string, other []byte) { write(t, path, other) },
		"empty":     func(t *testing.T, path string, _ []byte) { write(t, path, nil) },
	} {
		for _, file := range []string{"db/schema.sql", "db", ".github/altergate.yml"} {
			t.Run(name+" "+file, func(t *testing.T) {
				p := open(t, bottest.DropNick())
				clone := p.Repo.Copy()
				// The head's schema becomes the base's: a plan without steps, if that were believed.
				harmless, err := os.ReadFile(clone.ObjectFile(p.Scene.Base + ":db/schema.sql"))
				if err != nil {
					t.Fatal(err)
				}
				damage(t, clone.ObjectFile(p.Merge+":"+file), harmless)
				p.tune = func(b *bot.Bot) { b.Workspace = clone.Dir }
				p.wants(p.pushed(), policy.Blocked, "pending", "failure")
				if !strings.Contains(p.log.String(), "through GitHub's API") {
					t.Errorf("the log says\n%s", p.log.String())
				}
				p.trees = bot.TreesGit
				if answer := p.pushed(); answer.Verdict.Outcome != policy.NoAnswer || p.Last(p.Head).State != "failure" {
					t.Errorf("from the damaged clone alone, the verdict is %s", answer.Verdict.Outcome)
				}
			})
		}
	}
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestATokenThatMayNotReadTheFiles(t *testing.T) {
	p := open(t, bottest.AddIndex())
	p.trees = bot.TreesAPI
	p.Fail("GET", "/repos/acme/shop/git/trees/*", 403, pulltest.Always)
	p.wants(p.pushed(), policy.NoAnswer, "pending", "failure")
	p.commentSays("listing the files", "contents: read")
}

func TestAnUnknownSourceOfTrees(t *testing.T) {
	p := open(t, bottest.AddIndex())
	p.trees = "svn"
	p.wants(p.pushed(), policy.NoAnswer, "pending", "failure")
	p.commentSays("auto, git or api")
}

// GitHub lists at most 3,000 files of a pull request. Nothing hangs on that list.
func TestAPullRequestOfManyFiles(t *testing.T) {
	change := bottest.DropNick()
	for n := range 3100 {
		change[fmt.Sprintf("docs/%02d/%04d.md", n%40, n)] = fmt.Sprintf("Page %d\n", n)
	}
	p := open(t, change)
	p.trees = bot.TreesAPI
	answer := p.pushed()
	p.wants(answer, policy.Blocked, "pending", "failure")
	p.commentSays("users.nick")
	if n := len(p.Requests()); n > 16 {
		t.Errorf("there are %d requests", n)
	}
}
