package bot_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/altergate/altergate/internal/bot"
	"github.com/altergate/altergate/internal/bot/bottest"
	"github.com/altergate/altergate/internal/comment"
	"github.com/altergate/altergate/internal/policy"
	"github.com/altergate/altergate/internal/pull/pulltest"
)

func TestWithoutASchemaChangeThereIsNoComment(t *testing.T) {
	p := open(t, bottest.NoSchema())
	p.wants(p.pushed(), policy.Passed, "pending", "success")
	if len(p.Ours()) > 0 {
		t.Errorf("there are comments: %+v", p.Ours())
	}
	if status := p.Last(p.Head); status.Description != "No schema change" || status.URL != "https://github.example/acme/shop/actions/runs/501/attempts/1" {
		t.Errorf("the status is %+v", status)
	}
}

func TestADropThatIsTakenBack(t *testing.T) {
	p := open(t, bottest.DropNick())
	p.pushed()
	p.Push(bottest.Files{"db/schema.sql": bottest.Schema})
	p.wants(p.pushed(), policy.Passed, "pending", "success")
	p.commentSays("No schema change")
}

func TestWithinPolicy(t *testing.T) {
	p := open(t, bottest.AddIndex())
	p.wants(p.pushed(), policy.Passed, "pending", "success")
	p.commentSays("Passed", "orders_user")
	if got := p.Last(p.Head).Description; got != "Within policy: 1 review step" {
		t.Errorf("the status says %q", got)
	}
}

func TestWithoutAnAnswer(t *testing.T) {
	for name, change := range map[string]bottest.Files{
		"syntax":             {"db/schema.sql": bottest.Schema + "CREATE TABEL oops (id INTEGER);\n"},
		"the schema is gone": {"db/schema.sql": ""},
		"a broken config":    {".github/altergate.yml": bottest.Config + "polici: {}\n"},
	} {
		t.Run(name, func(t *testing.T) {
			p := open(t, change)
			answer := p.pushed()
			p.wants(answer, policy.NoAnswer, "pending", "failure")
			p.commentSays("No answer: 1 error")
			if answer.Failure != nil || !answer.Posted || p.Last(p.Head).Description != "No answer: 1 error; see the comment" {
				t.Errorf("the answer is %+v, and the status %+v", answer, p.Last(p.Head))
			}
			answer, said := p.saysThat("ann", "/approve destructive")
			p.wants(answer, policy.NoAnswer, "pending", "failure", "pending", "failure")
			p.reactions(said, "eyes", "confused")
		})
	}
}

func TestNothingIsWrittenTwice(t *testing.T) {
	p := open(t, bottest.DropNick())
	p.pushed()
	before := p.Ours()[0]
	p.pushed()
	if now := p.Ours()[0]; !now.Updated.Equal(before.Updated) || now.Body != before.Body {
		t.Errorf("the comment was edited for nothing:\n%s", now.Body)
	}
	p.Push(bottest.NoSchema())
	p.pushed()
	p.commentSays("run=503.1", p.Head)
}

func TestOneCommentStays(t *testing.T) {
	p := open(t, bottest.DropNick())
	p.pushed()
	body := p.comment()
	p.Comment(bottest.Number, "rex", body)
	p.Comment(bottest.Number, "github-actions[bot]", body)
	p.Comment(bottest.Number, "github-actions[bot]", "Coverage is 93%.")
	other := strings.Replace(body, comment.KeyOf("altergate"), comment.KeyOf("ledger"), 1)
	p.Comment(bottest.Number, "github-actions[bot]", other)
	p.pushed()
	var left []string
	for _, c := range p.Comments(bottest.Number) {
		left = append(left, c.Author+": "+c.Body)
	}
	want := []string{"github-actions[bot]: " + body, "rex: " + body, "github-actions[bot]: Coverage is 93%.", "github-actions[bot]: " + other}
	if !slices.Equal(left, want) {
		t.Errorf("left are %q", left)
	}
}

func TestManyComments(t *testing.T) {
	p := open(t, bottest.DropNick())
	p.PageSize(100)
	for range 330 {
		p.Comment(bottest.Number, "rex", "Hm")
	}
	digest := p.pushed().Verdict.Digest
	p.Comment(bottest.Number, "ann", "/approve destructive "+digest)
	p.wants(p.pushed(), policy.Passed, "pending", "failure", "pending", "success")
	p.commentSays("Approved")
}

func TestTwoGatesInOneRepository(t *testing.T) {
	p := open(t, bottest.DropNick())
	p.pushed()
	p.tune = func(b *bot.Bot) { b.Context = "ledger" }
	p.pushed()
	if n := len(p.Ours()); n != 2 {
		t.Errorf("there are %d comments, want one of each gate", n)
	}
}

func TestWithoutComments(t *testing.T) {
	p := open(t, bottest.DropNick())
	p.tune = func(b *bot.Bot) { b.Comment = bot.CommentOff }
	answer := p.pushed()
	p.wants(answer, policy.Blocked, "pending", "failure")
	if len(p.Ours()) > 0 || !strings.Contains(p.Last(p.Head).Description, "see the run; plan ") || !strings.Contains(answer.Markdown, "Approval needed") {
		t.Errorf("comments %v, status %+v", p.Ours(), p.Last(p.Head))
	}
	p.wants(p.says("ann", "/approve destructive"), policy.Passed, "pending", "failure", "pending", "success")
}

// A fork's token may read only: the answer is all there is.
func TestAForksToken(t *testing.T) {
	p := open(t, bottest.DropNick())
	p.PullRequest(bottest.Number).Fork("eve/shop")
	p.token = p.ForkToken()
	answer := p.handle("pull_request", p.PullRequestEvent("synchronize", bottest.Number))
	p.wants(answer, policy.Blocked)
	switch {
	case answer.Posted || answer.Failure != nil || len(p.Ours()) > 0:
		t.Errorf("the answer is %+v", answer)
	case !strings.Contains(answer.Denied, "statuses: write") || len(answer.Notes) != 1 || !strings.Contains(answer.Notes[0], "which a pull_request run from a fork never gets"):
		t.Errorf("it says %q and %q", answer.Denied, answer.Notes)
	case !strings.Contains(answer.Markdown, "Approval needed"):
		t.Errorf("the summary is\n%s", answer.Markdown)
	}
}

func TestATokenThatMayNotComment(t *testing.T) {
	p := open(t, bottest.DropNick())
	p.token = p.ActionsToken("contents: read", "pull-requests: read", "statuses: write")
	answer := p.pushed()
	p.wants(answer, policy.Blocked, "pending", "failure")
	if answer.Failure != nil || !answer.Posted || len(answer.Notes) != 1 || answer.Comment != "" {
		t.Errorf("the answer is %+v", answer)
	}
}

func TestALockedConversation(t *testing.T) {
	p := open(t, bottest.AddIndex())
	p.PullRequest(bottest.Number).Lock()
	answer := p.pushed()
	p.wants(answer, policy.Passed, "pending", "success")
	if len(answer.Notes) != 1 || !strings.Contains(answer.Notes[0], "locked") {
		t.Errorf("the notes are %q", answer.Notes)
	}
}

// A token that may comment but post no status still keeps the one comment.
func TestATokenThatMayPostNoStatus(t *testing.T) {
	p := open(t, bottest.DropNick())
	p.token = p.ActionsToken("contents: read", "pull-requests: write", "statuses: read")
	answer := p.pushed()
	p.wants(answer, policy.Blocked)
	p.commentSays("Approval needed")
	if answer.Denied == "" || answer.Posted {
		t.Errorf("the answer is %+v", answer)
	}
}

// What others post on our context is overwritten by each run.
func TestAForgedSuccess(t *testing.T) {
	p := open(t, bottest.DropNick())
	p.pushed()
	p.PostStatus("eve", p.Head, pulltest.Status{State: "success", Context: "altergate", Description: "Trust me"})
	p.wants(p.pushed(), policy.Blocked, "pending", "failure", "success", "pending", "failure")
}

// Whoever opens a pull request chooses its base, and a branch may have no policy. What is a yes there is not one elsewhere.
func TestAHeadThatGoesToTwoBranches(t *testing.T) {
	p := open(t, bottest.NoSchema())
	p.AlsoOpen(8, "main")
	p.wants(p.pushed(), policy.Passed, "pending", "success")
	p.AlsoOpen(9, "main")
	p.AlsoOpen(10, "forgotten")
	answer := p.pushed()
	p.wants(answer, policy.NoAnswer, "pending", "success", "pending", "failure")
	p.commentSays("pull request", "10 has the same head", "forgotten")
	if answer.Failure != nil {
		t.Errorf("it is called a failure: %v", answer.Failure)
	}
}
