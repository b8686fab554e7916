package bot_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/altergate/altergate/internal/bot"
	"github.com/altergate/altergate/internal/bot/bottest"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/policy"
	"github.com/altergate/altergate/internal/pull/pulltest"
)

const parted = "where the branches parted"

// What others merged into the base is in the plan neither as theirs nor, backwards, as a drop.
func TestTheBaseMovesOn(t *testing.T) { fromEach(t, testTheBaseMovesOn) }

func testTheBaseMovesOn(t *testing.T, trees bot.TreeSource) {
	p := open(t, bottest.DropNick())
	p.trees = trees
	p.MoveBase(bottest.Files{"db/schema.sql": bottest.Schema + "CREATE TABLE logs (id INTEGER PRIMARY KEY);\n"})
	answer := p.pushed()
	p.wants(answer, policy.Blocked, "pending", "failure")
	steps := answer.Report.Plans()[0].Steps
	if len(steps) != 1 || strings.Contains(p.comment(), parted) {
		t.Errorf("the steps are %+v:\n%s", steps, p.comment())
	}
	p.commentSays("base `" + p.Scene.Base[:12])
}

func TestWithoutGitHubsMerge(t *testing.T) { fromEach(t, testWithoutGitHubsMerge) }

func testWithoutGitHubsMerge(t *testing.T, trees bot.TreeSource) {
	moved := bottest.Files{"db/schema.sql": bottest.Schema + "CREATE TABLE logs (id INTEGER PRIMARY KEY);\n"}
	for name, spoil := range map[string]func(p *play){
		"not made yet": func(p *play) { p.PullRequest(bottest.Number).Unmerged() },
		"of an earlier base": func(p *play) {
			earlier := p.Merge
			p.MoveBase(moved)
			p.PullRequest(bottest.Number).MergeCommit(earlier)
		},
		"of an earlier head": func(p *play) {
			earlier := p.Merge
			p.Push(bottest.NoSchema())
			p.PullRequest(bottest.Number).MergeCommit(earlier)
		},
		"gone":        func(p *play) { p.PullRequest(bottest.Number).MergeCommit(pulltest.SHA("gone")) },
		"not a merge": func(p *play) { p.PullRequest(bottest.Number).MergeCommit(p.Head) },
		"of the other way": func(p *play) {
			p.PullRequest(bottest.Number).MergeCommit(p.Repo.Merge(p.Repo.Commit(p.Head, nil), p.Scene.Base))
		},
		"a conflict": func(p *play) {
			p.MoveBase(bottest.Files{"db/schema.sql": strings.Replace(bottest.Schema, "nick TEXT", "nick TEXT DEFAULT 'x'", 1)})
		},
		"another base inside": func(p *play) {
			p.PullRequest(bottest.Number).MergeCommit(p.Repo.Merge(p.Repo.Commit(p.Scene.Base, nil), p.Head))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := open(t, bottest.DropNick())
			p.trees = trees
			spoil(p)
			answer := p.pushed()
			p.wants(answer, policy.Blocked, "pending", "failure")
			if steps := answer.Report.Plans()[0].Steps; len(steps) != 1 || steps[0].Risk != plan.Destructive {
				t.Errorf("the steps are %+v", steps)
			}
			p.commentSays(parted, "users.nick")
		})
	}
}

func TestUnrelatedHistory(t *testing.T) { fromEach(t, testUnrelatedHistory) }

func testUnrelatedHistory(t *testing.T, trees bot.TreeSource) {
	p := open(t, bottest.DropNick())
	p.trees = trees
	p.PullRequest(bottest.Number).Head(p.Repo.Orphan(bottest.DropNick())).Conflict()
	p.wants(p.pushed(), policy.NoAnswer, "pending", "failure")
	p.commentSays("share no history")
}

// A checkout of the default branch, as deep as a runner's, is enough: the commits are fetched by their names.
func TestAShallowClone(t *testing.T) {
	p := open(t, bottest.DropNick())
	p.trees = bot.TreesGit
	p.Repo.Branch("main", p.Scene.Base)
	for _, args := range [][]string{{"--depth=1", "--branch=main"}, {"--branch=main"}, {"--branch=main", "--filter=blob:none"}} {
		clone := p.Repo.Clone(args...)
		p.tune = func(b *bot.Bot) { b.Workspace = clone.Dir }
		answer := p.pushed()
		if p.gitRequests("git/trees", "git/blobs") > 0 || answer.Verdict.Outcome != policy.Blocked {
			t.Errorf("clone %v: the verdict is %s: %v", args, answer.Verdict.Outcome, answer.Failure)
		}
	}
}

// Without a merge the history is needed, and a shallow clone has none.
func TestAShallowCloneWithoutAMerge(t *testing.T) {
	p := open(t, bottest.DropNick())
	p.MoveBase(bottest.NoSchema())
	p.PullRequest(bottest.Number).Unmerged()
	p.trees = bot.TreesGit
	p.Repo.Branch("main", p.Scene.Base)
	clone := p.Repo.Clone("--depth=1", "--branch=main")
	p.tune = func(b *bot.Bot) { b.Workspace = clone.Dir }
	answer := p.pushed()
	p.wants(answer, policy.NoAnswer, "pending", "failure")
	p.commentSays("fetch-depth")
	if answer.Failure == nil {
		t.Error("it is not called a failure")
	}
}

func TestWithoutARepository(t *testing.T) {
	p := open(t, bottest.DropNick())
	p.trees = bot.TreesGit
	p.tune = func(b *bot.Bot) { b.Workspace = t.TempDir() }
	answer := p.pushed()
	p.wants(answer, policy.NoAnswer, "pending", "failure")
	if answer.Failure == nil || !strings.Contains(answer.Failure.Error(), "actions/checkout") {
		t.Errorf("the failure is %v", answer.Failure)
	}
}

// with adds a file to a change.
func with(files bottest.Files, name, text string) bottest.Files {
	all := maps.Clone(files)
	all[name] = text
	return all
}

func TestAPullRequestCannotLoosenItsOwnGate(t *testing.T) {
	fromEach(t, testAPullRequestCannotLoosenItsOwnGate)
}

func testAPullRequestCannotLoosenItsOwnGate(t *testing.T, trees bot.TreeSource) {
	const config = ".github/altergate.yml"
	loose := bottest.Config + "policy:\n  max-risk: destructive\n"
	elsewhere := strings.Replace(bottest.Config, "db/schema.sql", "db/other.sql", 1)
	strict := with(bottest.Base(), config, bottest.Config+"policy:\n  approvers: {users: [zoe]}\n")
	for name, test := range map[string]struct {
		base, change bottest.Files
		outcome      policy.Outcome
		says         string
	}{
		"a higher ceiling": {bottest.Base(), with(bottest.DropNick(), config, loose), policy.Blocked, "the policy is the base"},
		"another file":     {bottest.Base(), with(with(bottest.NoSchema(), config, elsewhere), "db/other.sql", bottest.DropNick()["db/schema.sql"]), policy.Blocked, "users.nick"},
		"a file unseen":    {bottest.Base(), with(with(bottest.DropNick(), config, elsewhere), "db/other.sql", bottest.Schema), policy.NoAnswer, "nothing would look at this change"},
		"no configuration": {bottest.Base(), with(bottest.DropNick(), config, ""), policy.Blocked, "the head removes"},
		"other approvers":  {strict, with(bottest.DropNick(), config, bottest.Config), policy.Blocked, "it takes the name zoe"},
		"a first one":      {bottest.Files{"db/schema.sql": bottest.Schema}, with(bottest.DropNick(), config, loose), policy.Blocked, "under the default policy"},
		"neither has one":  {bottest.Files{"db/schema.sql": bottest.Schema}, bottest.DropNick(), policy.NoAnswer, "there is no configuration"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := openOn(t, bottest.NewScene(t, test.base, test.change))
			p.trees = trees
			digest := p.pushed().Verdict.Digest
			if name == "other approvers" {
				p.says("ann", "/approve destructive %s", digest)
			}
			answer := p.pushed()
			if answer.Verdict.Outcome != test.outcome || p.Last(p.Head).State != "failure" {
				t.Errorf("the verdict is %s, the status %+v", answer.Verdict.Outcome, p.Last(p.Head))
			}
			p.commentSays(test.says)
		})
	}
}

// A branch may have parted from the base before the policy was written, or made stricter; what holds is the base's of now, even if
// the branches conflict.
func TestAnOldBranchHasNoOlderPolicy(t *testing.T) {
	strict := bottest.Config + "policy:\n  max-risk: safe\n"
	for name, spoil := range map[string]func(p *play){
		"merged":   func(*play) {},
		"conflict": func(p *play) { p.PullRequest(bottest.Number).Conflict().MergeCommit(pulltest.SHA("gone")) },
	} {
		t.Run(name, func(t *testing.T) {
			p := open(t, bottest.AddIndex())
			p.MoveBase(bottest.Files{".github/altergate.yml": strict})
			spoil(p)
			p.wants(p.pushed(), policy.Blocked, "pending", "failure")
		})
	}
}

// The pull request's own idea of its base is as old as its last push, and so is what it would have been held against.
func TestTheTipIsAskedFor(t *testing.T) {
	p := open(t, bottest.AddIndex())
	old := p.Scene.Base
	p.MoveBase(bottest.Files{".github/altergate.yml": bottest.Config + "policy:\n  max-risk: safe\n"})
	p.PullRequest(bottest.Number).Base("main", old)
	p.wants(p.pushed(), policy.Blocked, "pending", "failure")
}
