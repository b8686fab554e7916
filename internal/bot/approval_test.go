package bot_test

import (
	"strings"
	"testing"
	"time"

	"github.com/altergate/altergate/internal/bot/bottest"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/policy"
	"github.com/altergate/altergate/internal/pull"
	"github.com/altergate/altergate/internal/pull/pulltest"
)

// approvalCase is someone's approval of the plan that was published, and why it does not count. An empty why: it counts.
type approvalCase struct {
	config string // the base's
	before func(p *play)
	give   func(p *play, digest string) pulltest.Comment
	why    string
}

// by is an approval by the plan's digest.
func by(login string) func(*play, string) pulltest.Comment {
	return func(p *play, digest string) pulltest.Comment {
		return p.Comment(bottest.Number, login, "/approve destructive "+digest[:24])
	}
}

// says is a comment with the plan's digest in it where it says DIGEST.
func says(login, text string) func(*play, string) pulltest.Comment {
	return func(p *play, digest string) pulltest.Comment {
		return p.Comment(bottest.Number, login, strings.ReplaceAll(text, "DIGEST", digest))
	}
}

func TestApprovals(t *testing.T) {
	edited := func(p *play, digest string) pulltest.Comment {
		c := p.Comment(bottest.Number, "ann", "Looks dangerous.")
		p.EditComment(c.ID, "eve", "/approve destructive "+digest[:24])
		return c
	}
	takenBack := func(p *play, digest string) pulltest.Comment {
		c := by("ann")(p, digest)
		p.Comment(bottest.Number, "ann", "/unapprove")
		return c
	}
	role := func(login, role string) func(*play) { return func(p *play) { p.User(login).Role(role) } }
	teams := bottest.Config + "policy:\n  approvers: {teams: [acme/dba], users: [zoe]}\n"
	for name, test := range map[string]approvalCase{
		"a writer's":                       {give: by("ann")},
		"the full digest":                  {give: says("ann", "/approve destructive DIGEST")},
		"in capitals":                      {give: func(p *play, d string) pulltest.Comment { return by("ann")(p, strings.ToUpper(d)) }},
		"an admin's":                       {before: role("zoe", "admin"), give: by("zoe")},
		"a custom role that extends write": {before: func(p *play) { p.User("zoe").CustomRole("db-owner", "write") }, give: by("zoe")},
		"taken back by another": {give: func(p *play, d string) pulltest.Comment {
			c := by("ann")(p, d)
			says("eve", "/unapprove")(p, d)
			return c
		}},
		"given again": {give: func(p *play, d string) pulltest.Comment { takenBack(p, d); return by("ann")(p, d) }},

		"a reader's":                      {give: by("rex"), why: "not authorised: has the role read, and it takes the role write, maintain, admin"},
		"a triager's":                     {before: role("tim", "triage"), give: by("tim"), why: "has the role triage"},
		"an outsider's":                   {before: role("out", "none"), give: by("out"), why: "has no access to the repository"},
		"a custom role that extends read": {before: func(p *play) { p.User("zoe").CustomRole("watcher", "read") }, give: by("zoe"), why: "has the role watcher"},
		"the author's":                    {before: role("eve", "admin"), give: by("eve"), why: "the author of the pull request may not approve it"},
		"a commit author's": {before: func(p *play) {
			p.User("cat").Role("write")
			p.PullRequest(bottest.Number).Push(p.Head, "cat", "cat").MergeCommit(p.Merge)
		}, give: by("cat"), why: "the author of a commit"},
		"a bot's": {before: role("helper[bot]", "admin"), give: by("helper[bot]"), why: "it was given by a bot"},
		"an App's in ann's name": {give: func(p *play, d string) pulltest.Comment {
			return p.CommentVia(bottest.Number, "ann", "helper", "/approve destructive "+d)
		}, why: "it was given by a bot"},
		"edited by another":       {give: edited, why: "the comment was edited after it was written"},
		"taken back":              {give: takenBack, why: "it was taken back"},
		"of another plan":         {give: says("ann", "/approve destructive "+strings.Repeat("0123456789ab", 2)), why: "it was given for another plan"},
		"of too little":           {give: says("ann", "/approve review DIGEST"), why: "every step that needs an approval is above that"},
		"of steps that are not":   {give: says("ann", "/approve destructive 0123456789abcdef"), why: "that needs an approval"},
		"by an account that left": {give: func(p *play, d string) pulltest.Comment { c := by("ann")(p, d); p.User("ann").Recreate(); return c }, why: "no longer has that name"},

		"in the team":                   {config: teams, before: func(p *play) { p.User("tom").Team("acme/dba"); p.token = p.UserToken("robot") }, give: by("tom")},
		"on the list":                   {config: teams, before: func(p *play) { p.Team("acme/dba") }, give: by("zoe")},
		"on neither":                    {config: teams, before: func(p *play) { p.Team("acme/dba"); p.token = p.UserToken("robot") }, give: by("ann"), why: "it takes the team acme/dba or the name zoe"},
		"not yet in team":               {config: teams, before: func(p *play) { p.User("tom").Invited("acme/dba"); p.token = p.UserToken("robot") }, give: by("tom"), why: "it takes the team"},
		"with our own token":            {before: func(p *play) { p.User("ann").Role("write"); p.token = p.UserToken("ann") }, give: by("ann"), why: "it was given by a bot"},
		"the author's, where allowed":   {config: bottest.Config + "policy:\n  author-may-approve: true\n", before: role("eve", "write"), give: by("eve")},
		"bare, where it is not allowed": {config: bottest.Config + "policy:\n  require-digest: true\n", give: says("ann", "/approve destructive"), why: "the policy asks for the digest"},
		"nobody's":                      {config: bottest.Config + "policy:\n  approvers: {users: []}\n", give: by("ann"), why: "the policy names nobody who may approve"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			base := bottest.Base()
			if test.config != "" {
				base[".github/altergate.yml"] = test.config
			}
			p := openOn(t, bottest.NewScene(t, base, bottest.DropNick()))
			p.User("robot").Role("write")
			if test.before != nil {
				test.before(p)
			}
			published := p.pushed()
			given := test.give(p, published.Verdict.Digest)
			answer := p.pushed()
			if test.why == "" {
				p.wants(answer, policy.Passed, "pending", "failure", "pending", "success")
				return
			}
			p.wants(answer, policy.Blocked, "pending", "failure", "pending", "failure")
			found := false
			for _, r := range answer.Verdict.Rejected {
				found = found || r.Approval.CommentID == given.ID && strings.Contains(r.Reason, test.why)
			}
			if !found {
				t.Errorf("rejected are %+v, want one because %q", answer.Verdict.Rejected, test.why)
			}
			if body := p.Comments(bottest.Number)[0].Body; !strings.Contains(body, "❌ ") {
				t.Errorf("the comment does not show it:\n%s", body)
			}
		})
	}
}

// What is quoted or shown as code was not said, and is not even talked about.
func TestWhatIsNotSaid(t *testing.T) {
	p := open(t, bottest.DropNick())
	digest := p.pushed().Verdict.Digest
	for _, text := range []string{
		"> /approve destructive DIGEST",
		"> look\n/approve destructive DIGEST",
		"```\n/approve destructive DIGEST\n```",
		"    /approve destructive DIGEST",
		"`/approve destructive DIGEST`",
		"- /approve destructive DIGEST",
		"<!-- /approve destructive DIGEST -->",
		"<details>\n\n/approve destructive DIGEST\n\n</details>",
		"Please /approve destructive DIGEST",
	} {
		answer := p.says("ann", "%s", strings.ReplaceAll(text, "DIGEST", digest))
		if answer.Nothing == "" {
			t.Errorf("%q was answered", text)
		}
	}
	answer := p.pushed()
	p.wants(answer, policy.Blocked, "pending", "failure", "pending", "failure")
	if len(answer.Verdict.Rejected) > 0 || strings.Contains(p.comment(), "`ann`") {
		t.Errorf("the verdict speaks of %+v", answer.Verdict.Rejected)
	}
}

func TestAnApprovalThatIsGone(t *testing.T) {
	for name, change := range map[string]func(p *play, c pulltest.Comment) []byte{
		"deleted": func(p *play, c pulltest.Comment) []byte {
			p.DeleteComment(c.ID, "eve")
			return p.CommentEvent("deleted", c.ID)
		},
		"edited away": func(p *play, c pulltest.Comment) []byte {
			p.EditComment(c.ID, "ann", "On second thought, no.")
			return p.CommentEvent("edited", c.ID)
		},
		"edited": func(p *play, c pulltest.Comment) []byte {
			p.EditComment(c.ID, "ann", c.Body+"\n\nBut be quick.")
			return p.CommentEvent("edited", c.ID)
		},
		"permission lost": func(p *play, c pulltest.Comment) []byte {
			p.User("ann").Role("read")
			return p.CommentEvent("created", p.Comment(bottest.Number, "rex", "/plan").ID)
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := open(t, bottest.DropNick())
			digest := p.pushed().Verdict.Digest
			answer, given := p.saysThat("ann", "/approve destructive %s", digest[:24])
			p.wants(answer, policy.Passed, "pending", "failure", "pending", "success")
			answer = p.handle("issue_comment", change(p, given))
			p.wants(answer, policy.Blocked, "pending", "failure", "pending", "success", "pending", "failure")
			p.commentSays("Approval needed")
		})
	}
}

// An approval that is added to an old comment does not become one by being old, nor does a word of taking back lose its force.
func TestTakingBackInAnEditedComment(t *testing.T) {
	p := open(t, bottest.DropNick())
	early := p.Comment(bottest.Number, "ann", "I am looking at it.")
	digest := p.pushed().Verdict.Digest
	p.wants(p.says("ann", "/approve destructive %s", digest), policy.Passed, "pending", "failure", "pending", "success")
	p.EditComment(early.ID, "ann", "/unapprove")
	answer := p.handle("issue_comment", p.CommentEvent("edited", early.ID))
	p.wants(answer, policy.Blocked, "pending", "failure", "pending", "success", "pending", "failure")
	p.commentSays("it was taken back")
	p.wants(p.says("ann", "/approve destructive %s", digest), policy.Passed,
		"pending", "failure", "pending", "success", "pending", "failure", "pending", "success")
}

func TestPushesAndApprovals(t *testing.T) {
	p := open(t, bottest.DropNick())
	digest := p.pushed().Verdict.Digest
	p.says("ann", "/approve destructive %s", digest[:24])
	bare := p.Comment(bottest.Number, "ann", "/approve destructive")

	p.Push(bottest.NoSchema())
	answer := p.pushed()
	p.wants(answer, policy.Passed, "pending", "success")
	if answer.Verdict.Counted[0].CommentID == bare.ID {
		t.Error("the bare approval counts on another head")
	}

	p.Push(bottest.DropNickAndNote())
	answer = p.pushed()
	p.wants(answer, policy.Blocked, "pending", "failure")
	p.commentSays("it was given for another plan")

	p.Push(bottest.DropNick())
	p.wants(p.pushed(), policy.Passed, "pending", "success")
}

// Of a plan that the base's new policy makes larger, the smaller one was approved.
func TestABareApprovalIsNotForALargerPlan(t *testing.T) {
	p := open(t, bottest.DropNickAndIndex())
	before := p.pushed()
	given := p.Comment(bottest.Number, "ann", "/approve destructive")
	p.MoveBase(bottest.Files{".github/altergate.yml": bottest.Config + "policy:\n  max-risk: safe\n"})
	answer := p.handle("issue_comment", p.CommentEvent("created", given.ID))
	p.wants(answer, policy.Blocked, "pending", "failure", "pending", "failure")
	if answer.Verdict.Digest == before.Verdict.Digest || answer.Verdict.Rejected[0].Reason != "it was given for another plan" {
		t.Errorf("the plan is %s, it was %s; rejected: %+v", answer.Verdict.Digest, before.Verdict.Digest, answer.Verdict.Rejected)
	}
	p.wants(p.says("ann", "/approve destructive"), policy.Passed, "pending", "failure", "pending", "failure", "pending", "success")
}

// A bare approval is bound by what our own identity said before it, and by nothing that others post or that came too late to be seen.
func TestWhatABareApprovalIsBoundTo(t *testing.T) {
	zeros := strings.Repeat("0", 64)
	for name, post := range map[string]func(p *play, digest string){
		"another's status": func(p *play, d string) {
			p.PostStatus("eve", p.Head, pulltest.Status{State: "failure", Context: "altergate", Description: "x; plan " + d})
		},
		"another context": func(p *play, d string) {
			p.PostStatus("github-actions[bot]", p.Head, pulltest.Status{State: "failure", Context: "other", Description: "x; plan " + d})
		},
		"not a verdict": func(p *play, d string) {
			p.PostStatus("github-actions[bot]", p.Head, pulltest.Status{State: "pending", Context: "altergate", Description: "x; plan " + d})
		},
		"an error": func(p *play, d string) {
			p.PostStatus("github-actions[bot]", p.Head, pulltest.Status{State: "error", Context: "altergate", Description: "x; plan " + d})
		},
		"another plan since":       func(p *play, d string) { ours(p, "x; plan "+d); ours(p, "x; plan "+zeros) },
		"no plan since":            func(p *play, d string) { ours(p, "x; plan "+d); ours(p, "No answer: 1 error") },
		"a digest that is cut off": func(p *play, d string) { ours(p, "x; plan "+d[:40]) },
		"a digest inside a text":   func(p *play, d string) { ours(p, "x; plan "+d+" it is") },
		"on another commit": func(p *play, d string) {
			p.PostStatus("github-actions[bot]", p.Scene.Base, pulltest.Status{State: "failure", Context: "altergate", Description: "x; plan " + d})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			scene := bottest.NewScene(t, bottest.Base(), bottest.DropNick())
			digest := openOn(t, scene).pushed().Verdict.Digest // on a GitHub of its own
			p := openOn(t, scene)
			post(p, digest)
			if answer := p.says("ann", "/approve destructive"); answer.Verdict.Outcome != policy.Blocked {
				t.Errorf("the verdict is %s", answer.Verdict.Outcome)
			}
		})
	}
	t.Run("the same second", func(t *testing.T) {
		p := open(t, bottest.DropNick())
		p.pushed()
		c := p.Comment(bottest.Number, "ann", "/approve destructive")
		at := p.Last(p.Head).Created
		p.RedateComment(c.ID, at, at)
		p.wants(p.handle("issue_comment", p.CommentEvent("created", c.ID)), policy.Blocked, "pending", "failure", "pending", "failure")
		p.RedateComment(c.ID, at.Add(time.Second), at.Add(time.Second))
		p.wants(p.pushed(), policy.Passed, "pending", "failure", "pending", "failure", "pending", "success")
	})
}

func ours(p *play, description string) {
	p.PostStatus("github-actions[bot]", p.Head, pulltest.Status{State: "failure", Context: "altergate", Description: description})
}

func TestTwoApprovals(t *testing.T) {
	base := bottest.Base()
	base[".github/altergate.yml"] = bottest.Config + "policy:\n  min-approvals: 2\n"
	p := openOn(t, bottest.NewScene(t, base, bottest.DropNick()))
	p.User("bea").Role("maintain")
	digest := p.pushed().Verdict.Digest
	p.says("ann", "/approve destructive %s", digest)
	answer := p.says("ann", "/approve destructive %s", digest)
	p.wants(answer, policy.Blocked, "pending", "failure", "pending", "failure", "pending", "failure")
	if text := p.Last(p.Head).Description; !strings.Contains(text, "needs 1 more approval") {
		t.Errorf("the status says %q", text)
	}
	answer = p.says("bea", "/approve destructive %s", digest)
	p.wants(answer, policy.Passed, "pending", "failure", "pending", "failure", "pending", "failure", "pending", "success")
	if text := p.Last(p.Head).Description; !strings.Contains(text, "by ann and 1 more") {
		t.Errorf("the status says %q", text)
	}
}

func TestApprovingSteps(t *testing.T) {
	p := open(t, bottest.DropNickAndNote())
	steps := p.pushed().Verdict.Blocking
	if len(steps) != 2 {
		t.Fatalf("%d steps need approval, want 2", len(steps))
	}
	answer := p.says("ann", "/approve destructive %s", steps[0].ID)
	p.wants(answer, policy.Blocked, "pending", "failure", "pending", "failure")
	answer = p.says("ann", "/approve destructive %s", steps[1].ID)
	p.wants(answer, policy.Passed, "pending", "failure", "pending", "failure", "pending", "success")
}

// Steps that were approved by their IDs stay approved as long as they stay what they are; what joins them waits, and alone.
func TestApprovedStepsStayApprovedWhenOthersJoin(t *testing.T) {
	p := open(t, bottest.DropNick())
	nick := p.pushed().Verdict.Blocking[0].ID
	p.wants(p.says("ann", "/approve destructive %s", nick), policy.Passed, "pending", "failure", "pending", "success")

	p.Push(bottest.DropNickAndNote())
	answer := p.pushed()
	p.wants(answer, policy.Blocked, "pending", "failure")
	if got := answer.Verdict.Blocking; len(got) != 1 || got[0].ID == nick || len(answer.Verdict.Needing) != 2 {
		t.Errorf("blocking are %+v", got)
	}
	p.commentSays("**destructive**, approved")
	p.says("ann", "/approve destructive %s", answer.Verdict.Blocking[0].ID)

	p.Push(bottest.DropNick())
	p.wants(p.pushed(), policy.Passed, "pending", "success")
}

// With a ceiling of safe, the word review covers the review steps and no others.
func TestApprovingReview(t *testing.T) {
	base := bottest.Base()
	base[".github/altergate.yml"] = bottest.Config + "policy:\n  max-risk: safe\n"
	head := bottest.DropNick()
	head["db/schema.sql"] += "CREATE UNIQUE INDEX one_note ON orders (note);\n"
	p := openOn(t, bottest.NewScene(t, base, head))
	digest := p.pushed().Verdict.Digest
	answer := p.says("ann", "/approve review %s", digest)
	p.wants(answer, policy.Blocked, "pending", "failure", "pending", "failure")
	if got := answer.Verdict.Blocking; len(got) != 1 || got[0].Risk != plan.Destructive || len(answer.Verdict.Counted) != 1 {
		t.Errorf("blocking are %+v, rejected %+v", got, answer.Verdict.Rejected)
	}
	p.wants(p.says("ann", "/approve destructive"), policy.Passed, "pending", "failure", "pending", "failure", "pending", "success")
}

// A workflow's own token gets a 404 for every team, as for one that somebody is not in. That is no answer, and not a no; and nobody is
// asked about whose approval another list decides.
func TestATeamOfThePolicyThatCannotBeSeen(t *testing.T) {
	base := bottest.Base()
	base[".github/altergate.yml"] = bottest.Config + "policy:\n  approvers: {roles: [admin], teams: [acme/dba]}\n"
	p := openOn(t, bottest.NewScene(t, base, bottest.DropNick()))
	p.User("ann").Team("acme/dba")
	p.User("adi").Role("admin")
	digest := p.pushed().Verdict.Digest
	answer, given := p.saysThat("ann", "/approve destructive %s", digest)
	p.wants(answer, policy.NoAnswer, "pending", "failure", "pending", "failure")
	p.commentSays("asking whether ann is in the team acme/dba", "members: read")
	p.DeleteComment(given.ID, "ann")
	p.wants(p.says("adi", "/approve destructive %s", digest), policy.Passed, "pending", "failure", "pending", "failure", "pending", "success")
}

func TestReactions(t *testing.T) {
	p := open(t, bottest.DropNick())
	digest := p.pushed().Verdict.Digest
	for text, want := range map[string]pull.Reaction{
		"/approve destructive " + digest: pull.ThumbsDown, // by a reader
		"/approve destruktive":           pull.Confused,
		"/approve":                       pull.Confused,
		"/plan":                          pull.ThumbsUp,
		"/plan now":                      pull.Confused,
		"/unapprove":                     pull.ThumbsUp,
		"/approve destructive " + digest + "\n/plan it": pull.Confused,
		"/approve destructive\n/approve review":         pull.Confused,
		"/approve" + strings.Repeat(" x", 10_000):       pull.Confused, // which is too long a comment
	} {
		_, said := p.saysThat("rex", "%s", text)
		p.reactions(said, "eyes", string(want))
	}
	if n := len(p.Ours()); n != 1 {
		t.Errorf("there are %d comments of ours", n)
	}
}

func TestMisuseIsExplained(t *testing.T) {
	p := open(t, bottest.DropNick())
	digest := p.pushed().Verdict.Digest
	p.says("ann", "/approve destruktive")
	p.commentSays("is not understood", "unknown risk", "destruktive", "ann")
	p.says("ann", "/approve destructive %s", digest)
	if body := p.comment(); strings.Contains(body, "destruktive") {
		t.Errorf("what was put right is still there:\n%s", body)
	}
	p.says("rex", "/help")
	p.commentSays("/approve destructive DIGEST", "/unapprove", "/plan", "/help")
}

func TestAnApprovalInATooLongComment(t *testing.T) {
	p := open(t, bottest.DropNick())
	digest := p.pushed().Verdict.Digest
	answer, said := p.saysThat("ann", "/approve destructive %s\n\n%s", digest, strings.Repeat("because ", 4_000))
	p.wants(answer, policy.Blocked, "pending", "failure", "pending", "failure")
	p.reactions(said, "eyes", "confused")
	p.commentSays("the comment is too long to be read for commands", "/approve in a comment of its own")
	p.wants(p.says("ann", "/approve destructive %s", digest), policy.Passed, "pending", "failure", "pending", "failure", "pending", "success")
}

// What is taken back in the same breath was not given.
func TestAnApprovalBesideItsOpposite(t *testing.T) {
	for _, text := range []string{"/approve destructive %s\n/unapprove", "/unapprove\n/approve destructive %s"} {
		p := open(t, bottest.DropNick())
		digest := p.pushed().Verdict.Digest
		p.wants(p.says("ann", text, digest), policy.Blocked, "pending", "failure", "pending", "failure")
		p.wants(p.says("ann", "/approve destructive %s", digest), policy.Passed, "pending", "failure", "pending", "failure", "pending", "success")
	}
}

// Hostile words in a command are data wherever they are shown.
func TestMisuseIsInert(t *testing.T) {
	p := open(t, bottest.NoSchema())
	p.says("rex", "/approve @acme/dba|`x`https://example.com/#77")
	p.commentSays("is not understood")
	for _, bad := range []string{"@acme", "dba|", "https://ex", "#77"} {
		if body := p.comment(); strings.Contains(body, bad) {
			t.Errorf("the comment holds %q:\n%s", bad, body)
		}
	}
}
