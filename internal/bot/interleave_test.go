package bot_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/altergate/altergate/internal/bot/bottest"
)

// interleaving lets two runs go on request by request, in an order that chance has drawn.
type interleaving struct {
	moves chan move
	draw  *rand.Rand
}

// move is where a run stands: before a request, or at its end.
type move struct {
	run  int
	goOn chan struct{} // nil: it ended
}

// gate has each request of a run wait for its turn.
type gate struct {
	*interleaving
	run int
}

func (g gate) RoundTrip(req *http.Request) (*http.Response, error) {
	g.wait()
	return http.DefaultTransport.RoundTrip(req)
}

func (g gate) wait() {
	m := move{g.run, make(chan struct{})}
	g.moves <- m
	<-m.goOn
}

// play runs them all to their ends. One moves while all others wait, so that a seed stands for one order.
func (i *interleaving) play(runs ...func(gate)) (order string) {
	for n, run := range runs {
		go func() {
			g := gate{i, n}
			g.wait()
			run(g)
			i.moves <- move{run: n}
		}()
	}
	var waiting []move
	for moving := len(runs); moving > 0 || len(waiting) > 0; {
		for ; moving > 0; moving-- {
			if m := <-i.moves; m.goOn != nil {
				waiting = append(waiting, m)
			}
		}
		if len(waiting) == 0 {
			break
		}
		// The order in which they came to wait is chance of another kind.
		next := 0
		if len(waiting) > 1 && i.draw.IntN(2) != waiting[0].run {
			next = 1
		}
		order += fmt.Sprint(waiting[next].run)
		close(waiting[next].goOn)
		waiting = append(waiting[:next], waiting[next+1:]...)
		moving = 1
	}
	return order
}

// meeting is two runs, of which the second is started by a change that the first may or may not have seen.
type meeting struct {
	before func(p *play)
	change func(p *play) (event string, payload []byte)
	older  bool // the second is an old run that is started again, with the lower number
	states func(p *play) string
	says   string // the one comment, in the end; empty: there is none
}

func meetings(t *testing.T) map[string]meeting {
	t.Helper()
	digest := open(t, bottest.DropNick()).pushed().Verdict.Digest
	approve := func(p *play) (string, []byte) {
		c := p.Comment(bottest.Number, "ann", "/approve destructive "+digest)
		return "issue_comment", p.CommentEvent("created", c.ID)
	}
	takeBack := func(p *play) (string, []byte) {
		c := p.Comments(bottest.Number)[0]
		p.DeleteComment(c.ID, "ann")
		return "issue_comment", p.CommentEvent("deleted", c.ID)
	}
	moveTo := func(head, merge func(p *play) string) func(*play) (string, []byte) {
		return func(p *play) (string, []byte) {
			p.PullRequest(bottest.Number).Head(head(p)).MergeCommit(merge(p))
			return "pull_request_target", pushedTo(p)
		}
	}
	same := func(p *play) (string, []byte) { return "pull_request_target", pushedTo(p) }
	approved := func(p *play) { approve(p) }
	return map[string]meeting{
		"two runs of one push":          {change: same, states: last("failure"), says: "Approval needed"},
		"an approval":                   {change: approve, states: last("success"), says: "✅ Approved"},
		"an approval, a run again":      {change: approve, older: true, states: last("success"), says: "✅ Approved"},
		"an approval is deleted":        {before: approved, change: takeBack, states: last("failure"), says: "Approval needed"},
		"an approval is deleted, again": {before: approved, change: takeBack, older: true, states: last("failure"), says: "Approval needed"},
		"an approval of an old comment": {before: func(p *play) { p.pushed() }, change: approve, states: last("success"), says: "✅ Approved"},
		"a push that loses more": {before: approved, change: moveTo(worse, worseMerge), says: "orders.note",
			states: both("failure", "success")},
		"a push that takes it back": {before: func(p *play) { p.pushed() }, change: moveTo(better, betterMerge), says: "No schema change",
			states: both("success", "")},
	}
}

// The other heads of the stage, which is set up before any run begins: the commits of a repository that is used at once cannot be added.
func worse(p *play) string       { return p.others[0] }
func worseMerge(p *play) string  { return p.others[1] }
func better(p *play) string      { return p.others[2] }
func betterMerge(p *play) string { return p.others[3] }

// last wants the status that counts on the head.
func last(state string) func(*play) string {
	return func(p *play) string {
		if got := p.States(p.PullRequest(bottest.Number).HeadSHA()); len(got) == 0 || got[len(got)-1] != state {
			return fmt.Sprintf("the head ends %v, want %s", got, state)
		}
		return ""
	}
}

// both wants that of the head, and that the old head is no greener than it may be.
func both(state, old string) func(*play) string {
	return func(p *play) string {
		if wrong := last(state)(p); wrong != "" {
			return wrong
		}
		if got := p.States(p.Head); len(got) > 0 && got[len(got)-1] == "success" && old != "success" {
			return fmt.Sprintf("the old head ends %v", got)
		}
		return ""
	}
}

// Two runs at once, in a thousand orders of their requests: there is one comment, it says what is so in the end, and so does the status.
func TestInterleavings(t *testing.T) {
	scene := bottest.NewScene(t, bottest.Base(), bottest.DropNick())
	more := scene.Repo.Commit(scene.Head, bottest.DropNickAndNote())
	none := scene.Repo.Commit(scene.Head, bottest.Files{"db/schema.sql": bottest.Schema})
	others := []string{more, scene.Repo.Merge(scene.Base, more), none, scene.Repo.Merge(scene.Base, none)}
	all := meetings(t)
	each := 1000 / len(all)
	if testing.Short() {
		each = 5
	}
	var played atomic.Int64
	t.Run("meetings", func(t *testing.T) {
		for name, m := range all {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				orders := map[string]bool{}
				for seed := range each {
					p := openOn(t, scene)
					p.others = others
					order := m.play(p, uint64(seed))
					orders[order] = true
					played.Add(1)
					if wrong := m.wrong(p); wrong != "" {
						t.Errorf("seed %d, order %s: %s\n%s", seed, order, wrong, p.log.String())
					}
				}
				t.Logf("%d interleavings, %d of them different", each, len(orders))
			})
		}
	})
	t.Logf("%d interleavings", played.Load())
}

func (m meeting) play(p *play, seed uint64) (order string) {
	if m.before != nil {
		m.before(p)
	}
	event, payload := "pull_request_target", pushedTo(p)
	i := &interleaving{moves: make(chan move), draw: rand.New(rand.NewPCG(seed, 1))}
	run := p.run
	return i.play(func(g gate) {
		p.runAs(g, run+10, event, payload)
	}, func(g gate) {
		event, payload := m.change(p)
		number := run + 20
		if m.older {
			number = run + 5
		}
		p.runAs(g, number, event, payload)
	})
}

// runAs is a run of its own, beside others.
func (p *play) runAs(g gate, number int64, event string, payload []byte) {
	b := p.botOver(g, number)
	answers, err := b.Handle(p.t.Context(), event, payload)
	if err != nil {
		p.t.Errorf("run %d: %v", number, err)
		return
	}
	for _, a := range answers {
		if a.Failure != nil {
			p.t.Errorf("run %d: %v", number, a.Failure)
		}
	}
}

// wrong tells what is not as it should be in the end.
func (m meeting) wrong(p *play) string {
	if wrong := m.states(p); wrong != "" {
		return wrong
	}
	ours := p.Ours()
	switch {
	case len(ours) != 1:
		return fmt.Sprintf("there are %d comments", len(ours))
	case !strings.Contains(ours[0].Body, m.says):
		return fmt.Sprintf("the comment does not say %q:\n%s", m.says, ours[0].Body)
	}
	return ""
}
