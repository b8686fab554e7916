package bot_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/altergate/altergate/internal/bot"
	"github.com/altergate/altergate/internal/bot/bottest"
	"github.com/altergate/altergate/internal/policy"
)

// between runs an event, with something happening before its nth request is answered, and gives the requests.
func (p *play) between(n int, event string, payload []byte, happens func()) (bot.Answer, []string) {
	p.t.Helper()
	b, before, count := p.bot(), len(p.Requests()), 0
	p.OnRequest(func(string, string) {
		if count++; count == n {
			happens()
		}
	})
	answers, err := b.Handle(p.t.Context(), event, payload)
	p.OnRequest(nil)
	if err != nil {
		p.t.Fatal(err)
	}
	return one(p.t, answers), p.Requests()[before:]
}

// approved is a scene, and the digest of its plan.
type approved struct {
	*bottest.Scene
	digest string
	trees  bot.TreeSource
}

func newApproved(t *testing.T) approved {
	t.Helper()
	scene := bottest.NewScene(t, bottest.Base(), bottest.DropNick())
	return approved{scene, openOn(t, scene).pushed().Verdict.Digest, bot.TreesAuto} // on a GitHub that is not used again
}

// throughAPI has more moments, since the files are asked for one by one.
func (a approved) throughAPI() approved {
	a.trees = bot.TreesAPI
	return a
}

// play is one in which the event that it gives turns the head green.
func (a approved) play(t *testing.T) (*play, []byte) {
	t.Helper()
	p := openOn(t, a.Scene)
	p.trees = a.trees
	return p, p.CommentEvent("created", p.Comment(bottest.Number, "ann", "/approve destructive "+a.digest).ID)
}

// requests are those of a play to which nothing happens.
func (a approved) requests(t *testing.T) []string {
	t.Helper()
	p, payload := a.play(t)
	answer, requests := p.between(0, "issue_comment", payload, nil)
	p.wants(answer, policy.Passed, "pending", "success")
	return requests
}

// each has something happen before each of the first n requests, in a play of its own, and then looks at it.
func (a approved) each(t *testing.T, requests []string, happens, look func(p *play, n int)) {
	t.Helper()
	for i, request := range requests {
		t.Run(fmt.Sprintf("%02d %s", i+1, request), func(t *testing.T) {
			t.Parallel()
			p, payload := a.play(t)
			p.between(i+1, "issue_comment", payload, func() { happens(p, i+1) })
			look(p, i+1)
		})
	}
}

const look = "GET /repos/acme/shop/pulls/7"

// lastIndex is the number of the last request of a kind, from 1.
func lastIndex(requests []string, kind string) int {
	last := 0
	for i, r := range requests {
		if r == kind {
			last = i + 1
		}
	}
	return last
}

// At each moment of the run that would turn it green, the approved head is swapped for another.
func TestTheHeadMovesWhileItIsEvaluated(t *testing.T) {
	a := newApproved(t).throughAPI()
	evil := a.Repo.Commit(a.Head, bottest.DropNickAndNote())
	merge := a.Repo.Merge(a.Base, evil)
	requests := a.requests(t)
	t.Logf("there are %d moments", len(requests))
	a.each(t, requests, func(p *play, _ int) {
		p.PullRequest(bottest.Number).Head(evil).MergeCommit(merge)
	}, func(p *play, n int) {
		if slices.Contains(p.States(evil), "success") {
			p.t.Error("the other head is green")
		}
		// What comes after the last look is true of the commit that it stands on.
		if n <= lastIndex(requests, look) && slices.Contains(p.States(a.Head), "success") {
			p.t.Error("the head is green though it is not the head")
		}
	})
}

// At each moment the approval is taken back, and another run sees that and answers; this one may not speak over it.
func TestAnOlderRunDoesNotSpeakLast(t *testing.T) {
	a := newApproved(t)
	a.each(t, a.requests(t), func(p *play, _ int) {
		p.OnRequest(nil)
		approval := p.Comments(bottest.Number)[0]
		p.DeleteComment(approval.ID, "ann")
		p.handle("issue_comment", p.CommentEvent("deleted", approval.ID))
	}, func(p *play, _ int) {
		if p.Last(a.Head).State == "success" {
			p.t.Errorf("the head is green without an approval: %v", p.States(a.Head))
		}
		p.commentSays("Approval needed")
	})
}

// The other way round: another run does the same work at each moment, and the two end in the one right answer.
func TestTwoRunsAtOnceEndTheMatter(t *testing.T) {
	a := newApproved(t)
	a.each(t, a.requests(t), func(p *play, _ int) {
		p.OnRequest(nil)
		p.pushed()
	}, func(p *play, _ int) {
		if p.Last(a.Head).State != "success" {
			p.t.Errorf("the head ends %v", p.States(a.Head))
		}
		p.commentSays("Approved")
	})
}

func TestWhatChangesMeanwhile(t *testing.T) {
	for name, change := range map[string]func(p *play){
		"closed":     func(p *play) { p.PullRequest(bottest.Number).Close() },
		"retargeted": func(p *play) { p.PullRequest(bottest.Number).Base("release", p.Scene.Base) },
	} {
		t.Run(name, func(t *testing.T) {
			a := newApproved(t)
			requests := a.requests(t)
			p, payload := a.play(t)
			answer, _ := p.between(lastIndex(requests, look), "issue_comment", payload, func() { change(p) })
			if answer.Stale == "" || answer.Posted || p.Last(a.Head).State != "pending" {
				t.Errorf("the answer is %+v, the states %v", answer, p.States(a.Head))
			}
		})
	}
}

// A run that is started again later has a lower number than those in between, and yet knows more than they did.
func TestAnOldRunIsStartedAgain(t *testing.T) {
	p := open(t, bottest.DropNick())
	p.run = 900
	digest := p.pushed().Verdict.Digest
	p.Comment(bottest.Number, "ann", "/approve destructive "+digest)
	p.run = 100
	p.wants(p.pushed(), policy.Passed, "pending", "failure", "pending", "success")
	p.commentSays("Approved", "run=101.1")
}

// A newer run's comment that appears while this one evaluates stays, even where no status can be posted that would tell.
func TestANewerCommentStays(t *testing.T) {
	p := open(t, bottest.DropNick())
	p.token = p.ActionsToken("contents: read", "pull-requests: write", "statuses: read")
	p.pushed()
	newer := strings.Replace(p.comment(), "run=501.1", "run=700.1", 1)
	p.Push(bottest.NoSchema())
	wait := p.PullRequestEvent("synchronize", bottest.Number)
	_, requests := p.between(0, "pull_request_target", wait, nil)
	p.Push(bottest.NoSchema())
	wait = p.PullRequestEvent("synchronize", bottest.Number)
	p.between(lastIndex(requests, look), "pull_request_target", wait, func() { p.EditComment(p.Ours()[0].ID, "github-actions[bot]", newer) })
	if p.comment() != newer {
		t.Errorf("the newer comment is gone:\n%s", p.comment())
	}
}

// A run that is cancelled leaves no status that waits for it.
func TestACancelledRun(t *testing.T) {
	a := newApproved(t).throughAPI()
	requests := a.requests(t)
	posted := lastIndex(requests, "POST /repos/acme/shop/statuses/"+a.Head)
	for n := 2; n <= posted; n++ {
		t.Run(fmt.Sprintf("%02d %s", n, requests[n-1]), func(t *testing.T) {
			t.Parallel()
			p, payload := a.play(t)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			b, count := p.bot(), 0
			p.OnRequest(func(string, string) {
				if count++; count == n {
					cancel()
				}
			})
			answers, err := b.Handle(ctx, "issue_comment", payload)
			if err != nil {
				t.Fatal(err)
			}
			if answer := one(t, answers); answer.Failure == nil || p.Last(a.Head).State != "failure" {
				t.Errorf("the failure is %v, the states are %v", answer.Failure, p.States(a.Head))
			}
		})
	}
}

// A mistake of ours is a red status and a failed run.
func TestAPanic(t *testing.T) {
	a := newApproved(t)
	for _, at := range []string{"Pull request", "Comment", "Status"} {
		t.Run(at, func(t *testing.T) {
			p, payload := a.play(t)
			p.tune = func(b *bot.Bot) { b.Log = &mined{at: at} }
			answer := p.handle("issue_comment", payload)
			if answer.Failure == nil || answer.Verdict.Outcome != policy.NoAnswer || p.Last(a.Head).State != "failure" {
				t.Errorf("the answer is %+v, the states are %v", answer, p.States(a.Head))
			}
		})
	}
}

// mined panics once, at a line that begins so.
type mined struct{ at string }

func (m *mined) Write(line []byte) (int, error) {
	if m.at != "" && strings.HasPrefix(string(line), m.at) {
		m.at = ""
		panic("mined")
	}
	return len(line), nil
}
