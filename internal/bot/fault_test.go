package bot_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/altergate/altergate/internal/bot"
	"github.com/altergate/altergate/internal/bot/bottest"
	"github.com/altergate/altergate/internal/policy"
)

// fault is one way for a request to fail.
type fault struct {
	status, times int
	late          bool
}

func (f fault) String() string {
	times := "once"
	if f.times < 0 {
		times = "always"
	}
	if f.late {
		times += ", after it was done"
	}
	return fmt.Sprintf("%d %s", f.status, times)
}

// faults leaves out what a second try mends, but for when it comes each time. 200 is an empty answer.
func faults() []fault {
	return []fault{
		{http.StatusOK, 1, false}, {http.StatusForbidden, 1, false}, {http.StatusNotFound, 1, false}, {http.StatusUnprocessableEntity, 1, false},
		{http.StatusInternalServerError, 1, false}, {http.StatusInternalServerError, -1, false}, {http.StatusInternalServerError, 1, true},
		{http.StatusTooManyRequests, -1, false}, {http.StatusBadGateway, -1, false},
	}
}

// harmless tells whether a request may fail without a loss: a reaction is no part of the answer, a token that may not comment says so
// elsewhere, and a comment that was deleted is written again. GitHub's merge may be gone: then the head is compared with where the
// branches parted.
func harmless(method, path string, earlier int, f fault) bool {
	switch {
	case strings.HasSuffix(path, "/reactions"):
		return true
	case strings.Contains(path, "/git/commits/"):
		return f.status == http.StatusNotFound && f.times == 1
	case !strings.Contains(path, "/issues/"):
		return false
	case f.status == http.StatusNotFound:
		return method == http.MethodPatch && f.times == 1
	}
	return f.status == http.StatusForbidden && (method != http.MethodGet || earlier > 0)
}

// Whatever fails on the way to a green status, the run does not end in one.
func TestFaults(t *testing.T) {
	some := []fault{{http.StatusInternalServerError, 1, false}, {http.StatusInternalServerError, -1, false}}
	for name, flow := range map[string]struct {
		change bottest.Files
		before bool // a run of earlier has left its comment and its status
		text   string
		faults []fault
		trees  bot.TreeSource
		setUp  func(*play)
	}{
		"approved by digest, first run": {bottest.DropNick(), false, "/approve destructive DIGEST", faults(), bot.TreesGit, nil},
		"approved in bare form, edited": {bottest.DropNick(), true, "/approve destructive", some, bot.TreesGit, nil},
		"no schema change, second run":  {bottest.NoSchema(), true, "/plan", some, bot.TreesGit, nil},
		// Of these, the requests for objects only, as all others are the same.
		"without a checkout": {bottest.DropNick(), false, "/approve destructive DIGEST", faults(), bot.TreesAPI, nil},
		"and without a merge": {bottest.DropNick(), false, "/approve destructive DIGEST", faults(), bot.TreesAPI,
			func(p *play) { p.PullRequest(bottest.Number).Unmerged() }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			scene := bottest.NewScene(t, bottest.Base(), flow.change)
			digest := openOn(t, scene).pushed().Verdict.Digest
			play := func() (*play, []byte) {
				p := openOn(t, scene)
				p.trees = flow.trees
				if flow.setUp != nil {
					flow.setUp(p)
				}
				if flow.before {
					p.pushed()
				}
				return p, p.CommentEvent("created", p.Comment(bottest.Number, "ann", strings.ReplaceAll(flow.text, "DIGEST", digest)).ID)
			}
			p, payload := play()
			answer, requests := p.between(0, "issue_comment", payload, nil)
			if answer.Verdict.Outcome != policy.Passed || p.Last(scene.Head).State != "success" {
				t.Fatalf("without a fault the verdict is %s: %v", answer.Verdict.Outcome, answer.Failure)
			}
			if testing.Short() {
				flow.faults = some[:1]
			}
			combinations, earlier := 0, map[string]int{}
			for _, request := range requests {
				method, path, _ := strings.Cut(request, " ")
				if flow.trees == bot.TreesAPI && !strings.Contains(path, "/git/") && !strings.Contains(path, "/compare/") {
					continue
				}
				for _, f := range flow.faults {
					combinations++
					p, payload := play()
					before := len(p.States(scene.Head))
					injected := p.Fail(method, path, f.status, f.times).After(earlier[request])
					if f.late {
						injected.Late()
					}
					answer := p.handle("issue_comment", payload)
					if harmless(method, path, earlier[request], f) {
						continue
					}
					if posted := p.States(scene.Head)[before:]; len(posted) > 0 && posted[len(posted)-1] == "success" {
						t.Errorf("%s, the %d. time: %s: the run posted %v: %v", request, earlier[request]+1, f, posted, answer.Failure)
					}
					if answer.Failure == nil && answer.Denied == "" && answer.Verdict.Outcome == policy.Passed {
						t.Errorf("%s, the %d. time: %s: the answer is a yes: %+v", request, earlier[request]+1, f, answer)
					}
				}
				earlier[request]++
			}
			t.Logf("%d combinations of %d requests and %d faults", combinations, len(requests), len(flow.faults))
		})
	}
}
