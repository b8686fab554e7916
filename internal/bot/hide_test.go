package bot_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/altergate/altergate/internal/bot"
	"github.com/altergate/altergate/internal/bot/bottest"
	"github.com/altergate/altergate/internal/policy"
	"github.com/altergate/altergate/internal/pull/pulltest"
)

func hiding(b *bot.Bot) { b.Comment = bot.CommentHideAndNew }

// seen is our only comment that is to be seen; so many others of ours are hidden.
func (p *play) seen(hidden int) pulltest.Comment {
	p.t.Helper()
	var seen []pulltest.Comment
	for _, c := range p.Ours() {
		if c.Hidden == "" {
			seen = append(seen, c)
		} else {
			hidden--
		}
	}
	if len(seen) != 1 || hidden != 0 {
		p.t.Fatalf("%d comments are to be seen, want 1, and %d fewer are hidden than should be", len(seen), hidden)
	}
	return seen[0]
}

func TestHideAndNew(t *testing.T) {
	p := open(t, bottest.DropNick())
	p.tune = hiding
	p.pushed()
	first := p.seen(0)
	p.pushed()
	if again := p.seen(0); again.ID != first.ID || !again.Updated.Equal(first.Updated) {
		t.Errorf("a run that finds the same writes: %+v", again)
	}

	answer, _ := p.saysThat("ann", "/approve destructive")
	p.wants(answer, policy.Passed, "pending", "failure", "pending", "failure", "pending", "success")
	second := p.seen(1)
	if !strings.Contains(second.Body, "Approved") || !strings.HasSuffix(answer.Comment, strings.TrimPrefix(p.Last(p.Head).URL, "https://github.example")) {
		t.Errorf("the comment is at %s, the status leads to %s:\n%s", answer.Comment, p.Last(p.Head).URL, second.Body)
	}
	if second.Created.Before(p.Comments(bottest.Number)[1].Created) {
		t.Error("it does not stand below what was said")
	}

	p.Push(bottest.Files{"db/schema.sql": bottest.Schema})
	p.pushed()
	if third := p.seen(2); !strings.Contains(third.Body, "No schema change") {
		t.Errorf("the comment says\n%s", third.Body)
	}
}

// Text that comes back is said anew, with the mark of the run that says it: its place among the runs depends on it.
func TestHideAndNewSaysAnEarlierThingAgain(t *testing.T) {
	p := open(t, bottest.DropNick())
	p.tune = hiding
	p.pushed()
	p.says("ann", "/approve destructive")
	p.DeleteComment(p.Comments(bottest.Number)[1].ID, "ann")
	p.pushed()
	if last := p.seen(2); !strings.Contains(last.Body, "run=503.1") || !strings.Contains(last.Body, "Approval needed") {
		t.Errorf("the comment says\n%s", last.Body)
	}
}

func TestTheModeOfTheCommentIsSwitched(t *testing.T) {
	p := open(t, bottest.DropNick())
	p.pushed()
	p.tune = hiding
	p.Push(bottest.NoSchema())
	p.pushed()
	anew := p.seen(1)
	p.tune = nil
	p.Push(bottest.Files{"README.md": "Another shop\n"})
	p.pushed()
	if now := p.seen(1); now.ID != anew.ID || !now.Updated.After(now.Created) {
		t.Errorf("it is not the latest that was edited: %+v", now)
	}
	p.tune = func(b *bot.Bot) { b.Comment = bot.CommentOff }
	p.Push(bottest.DropNickAndNote())
	p.pushed()
	if now := p.seen(1); !strings.Contains(now.Body, "Approval needed: 1 destructive step") {
		t.Errorf("it was written to:\n%s", now.Body)
	}
}

func TestHideAndNewAgainstOthers(t *testing.T) {
	for name, spoil := range map[string]func(p *play, c pulltest.Comment){
		"edited": func(p *play, c pulltest.Comment) {
			p.EditComment(c.ID, "mallory", strings.ReplaceAll(c.Body, "nick", "n"))
		},
		"edited to the mark": func(p *play, c pulltest.Comment) {
			p.EditComment(c.ID, "mallory", c.Body[strings.LastIndex(c.Body, "\n")+1:])
		},
		"hidden":  func(p *play, c pulltest.Comment) { p.HideComment(c.ID) },
		"deleted": func(p *play, c pulltest.Comment) { p.DeleteComment(c.ID, "mallory") },
	} {
		t.Run(name, func(t *testing.T) {
			p := open(t, bottest.DropNick())
			p.tune = hiding
			p.pushed()
			first := p.seen(0)
			spoil(p, first)
			p.pushed()
			hidden := 1
			if name == "deleted" {
				hidden = 0
			}
			if now := p.seen(hidden); now.ID == first.ID || !strings.Contains(now.Body, "users.nick") {
				t.Errorf("the comment is %+v", now)
			}
		})
	}
}

// A token that loses the right to hide leaves two comments, says so, and the gate is what it is.
func TestHideAndNewWithoutTheRightToHide(t *testing.T) {
	p := open(t, bottest.DropNick())
	p.tune = hiding
	p.pushed()
	p.Push(bottest.NoSchema())
	p.Fail("POST", "/graphql", 403, pulltest.Always).After(2)
	answer := p.pushed()
	p.wants(answer, policy.Blocked, "pending", "failure")
	if len(answer.Notes) != 1 || !strings.Contains(answer.Notes[0], "still to be seen: hiding comment") || answer.Comment == "" || answer.Failure != nil {
		t.Errorf("the answer is %+v", answer)
	}
}

// At each moment of an older run, a newer one finds something else and answers. What is to be seen afterwards is the newer's.
func TestAnOlderRunHidesNothingOfANewer(t *testing.T) {
	a := newApproved(t)
	p, payload := a.play(t)
	p.tune = hiding
	_, requests := p.between(0, "issue_comment", payload, nil)
	for i, request := range requests {
		t.Run(fmt.Sprintf("%02d %s", i+1, request), func(t *testing.T) {
			t.Parallel()
			p, payload := a.play(t)
			p.tune = hiding
			p.between(i+1, "issue_comment", payload, func() {
				p.OnRequest(nil)
				approval := p.Comments(bottest.Number)[0]
				p.DeleteComment(approval.ID, "ann")
				p.handle("issue_comment", p.CommentEvent("deleted", approval.ID))
			})
			if p.Last(a.Head).State == "success" {
				t.Errorf("the head is green without an approval: %v", p.States(a.Head))
			}
			hidden := len(p.Ours()) - 1
			if now := p.seen(hidden); !strings.Contains(now.Body, "Approval needed") {
				t.Errorf("to be seen is\n%s", now.Body)
			}
		})
	}
}
